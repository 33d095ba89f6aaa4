"""The import of ``pyspark.sql.functions`` for a file that has no name for it yet."""

from __future__ import annotations

import ast

from headwater_ir.span import Span

from .edit import Edit
from .names import Bindings
from .tokens import CannotEdit, newline_of, next_line

_ALIASES = ("F", "sf", "psf", "spark_functions")


def free_alias(bindings: Bindings) -> str:
    """A name for the functions module that the file does not use for anything else."""
    for alias in _ALIASES:
        if bindings.free(alias):
            return alias
    raise CannotEdit("no free name for pyspark.sql.functions")


def import_functions(source: str, bindings: Bindings, alias: str) -> Edit:
    """Import the functions module as ``alias`` behind the imports at the top of the file, or beside another import from
    ``pyspark.sql``.

    Imports further down do not count: what comes before them could not use the name. The docstring and
    ``from __future__`` stay first.
    """
    line = f"from pyspark.sql import functions as {alias}"
    newline = newline_of(source)
    head: ast.stmt | None = None
    body = bindings.context.tree.body
    for i, statement in enumerate(body):
        docstring = i == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not docstring and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        head = statement
        if isinstance(statement, ast.ImportFrom) and statement.module == "pyspark.sql" and not statement.level:
            break
    if head is None:
        start = _statement_start(bindings, body[0])
        return Edit(Span(start, start), f"{line}{newline}{newline}")
    end = bindings.context.span(head).end
    at = next_line(source, end)
    broken = at > end and source[at - 1] in "\r\n"
    lead = "" if broken else newline
    blank = newline if isinstance(head, ast.Expr) else ""
    return Edit(Span(at, at), f"{lead}{blank}{line}{newline if broken else ''}")


def _statement_start(bindings: Bindings, statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    starts = [bindings.context.span(node).start for node in (statement, *decorators)]
    at = min(starts)
    return at - 1 if decorators and at > 0 and bindings.context.source[at - 1] == "@" else at
