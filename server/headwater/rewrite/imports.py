"""The import of ``pyspark.sql.functions``, or of ``Window``, for a file that has no name for it yet."""

from __future__ import annotations

import ast
import io
import tokenize
from functools import lru_cache
from os.path import commonprefix

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.lines import split_lines
from headwater.syntax.source.unreadable_code import HIDDEN
from headwater_ir.span import Span

from .edit import Edit
from .names import Bindings
from .tokens import CannotEdit, newline_of

_BEHIND = 500
"""Of what comes behind the imports, so much is looked at: more than an import is long."""
_ALIASES = ("F", "sf", "psf", "spark_functions")


def free_alias(bindings: Bindings) -> str:
    """A name for the functions module that the file does not use for anything else; the usual one if there is none.
    What `%run` brings in shares the names of the file, and may use the short ones."""
    if HIDDEN in bindings.context.star_modules:
        return _ALIASES[-1]
    return next((a for a in _ALIASES if bindings.unused(a)), _ALIASES[0])


def import_functions(source: str, alias: str) -> Edit:
    """Import the functions module as ``alias`` at the top of the file, as ``import_of_spark`` does."""
    return import_of_spark(source, "functions", alias)


@lru_cache(maxsize=4)
def import_of_spark(source: str, name: str, alias: str) -> Edit:
    """Import ``name`` of ``pyspark.sql`` as ``alias`` at the top of the file, or beside another import from there, in
    the order of import sorters: classes first.

    LibCST knows where an import goes (behind the docstring and ``from __future__``) and keeps every other character;
    its answer is cut down to the one edit in which it differs. ``CannotEdit`` if LibCST cannot read the head of the
    file: the rest, which it would take seconds to go through, is no matter. Cells of a notebook that begin with
    nothing but magics stay as they are: ``%run`` has to stand alone in its cell, and binds names of its own.
    """
    begin = _behind_magics(source)
    rest = source[begin:]
    head = _head(rest)
    edit = _import_at(rest[:head], rest[head : head + _BEHIND], newline_of(source), name, alias)
    return Edit(Span(begin + edit.span.start, begin + edit.span.end), edit.text) if begin else edit


def _behind_magics(source: str) -> int:
    """Where the magics end that the text of a notebook begins with, each a ``_`` in it; 0 if it begins with none."""
    at, end = 0, 0
    for line in split_lines(source):
        text = line.strip()
        if text == "_":
            end = at + len(line)
        elif text and not text.startswith("#"):
            break
        at += len(line)
    return end


@lru_cache(maxsize=32)
def _import_at(head: str, behind: str, newline: str, name: str, alias: str) -> Edit:
    """As ``import_of_spark``, of a file with the imports ``head``, what comes ``behind``, and these line ends."""
    import libcst
    from libcst.codemod import CodemodContext
    from libcst.codemod.visitors import AddImportsVisitor

    context = CodemodContext()
    AddImportsVisitor.add_needed_import(context, "pyspark.sql", name, None if name == alias else alias)
    rest = f"pass{newline}" if behind else ""
    source = head + rest
    try:
        changed = AddImportsVisitor(context).transform_module(libcst.parse_module(source)).code
    except (libcst.ParserSyntaxError, UnicodeError, RecursionError) as error:
        raise CannotEdit(f"no import can be added: {error}") from None
    if not _bound_at_the_top(changed, name, alias):
        raise CannotEdit("the import would not be at the top of the file")
    edit = _difference(head + behind, changed.removesuffix(rest) + behind)
    return _beside(source, name, alias, edit) or edit


def _head(source: str) -> int:
    """Where the first statement begins that is no import, behind a docstring; the end of ``source`` if there is none,
    or that is not seen."""
    begins, first = True, True
    try:
        for kind, text, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(source, newline="").readline):
            if kind in (tokenize.COMMENT, tokenize.NL):
                continue
            if kind == tokenize.ENDMARKER:
                break
            if begins and text not in ("import", "from") and not (first and _goes_in_front(kind, text)):
                return sum(map(len, split_lines(source)[: line - 1]))
            begins, first = kind == tokenize.NEWLINE, False
    except (tokenize.TokenError, SyntaxError):
        pass
    return len(source)


def _goes_in_front(kind: int, text: str) -> bool:
    return kind == tokenize.STRING or text == "__strict__"


def import_behind(source: str, alias: str, start: int, end: int) -> Edit:
    """As ``import_functions``, beside an import from ``pyspark.sql`` that stands between two places of ``source`` and
    is always run. ``CannotEdit`` if there is none."""
    context = Context.of(source)
    for statement in context.tree.body:
        span = context.span(statement)
        if isinstance(statement, ast.ImportFrom) and start < span.start and span.end < end and not statement.level:
            edit = _beside(source, "functions", alias, Edit(span, "")) if statement.module == "pyspark.sql" else None
            if edit is not None and all(a.name != "*" for a in statement.names):
                return edit
    raise CannotEdit("Python is started again in the file, and what is imported at its head is gone")


def _beside(source: str, name: str, alias: str, edit: Edit) -> Edit | None:
    """``edit``, which adds a name to an import, at the place that import sorters give the name; None if it does not."""
    context = Context.of(source)
    for statement in context.tree.body:
        if not isinstance(statement, ast.ImportFrom) or not _is_in(edit.span, context.span(statement)):
            continue
        names = statement.names
        lines = len(names) > 1 and names[-1].lineno != names[-2].lineno
        between = source[context.span(names[-2]).end : context.span(names[-1]).start] if lines else ", "
        if "#" in between:
            return None
        later = next((n for n in names if (n.name[:1].islower(), n.name) > (name[:1].islower(), name)), None)
        at = context.span(names[-1]).end if later is None else context.span(later).start
        told = name if name == alias else f"{name} as {alias}"
        return Edit(Span(at, at), f"{between}{told}" if later is None else f"{told}{between}")
    return None


def _is_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _bound_at_the_top(source: str, name: str, alias: str) -> bool:
    """Whether only the docstring and imports stand before the import: LibCST extends an import from ``pyspark.sql``
    wherever it finds one, be it behind the code that needs the name or in a branch."""
    for i, statement in enumerate(ast.parse(source).body):
        if isinstance(statement, ast.ImportFrom) and statement.module == "pyspark.sql" and not statement.level:
            if any(a.name == name and (a.asname or a.name) == alias for a in statement.names):
                return True
        docstring = i == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not docstring and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            return False
    return False


def _difference(before: str, after: str) -> Edit:
    """The one edit that turns ``before`` into ``after``."""
    start = len(commonprefix([before, after]))  # noqa: RUF071  # characters are what is wanted
    most = min(len(before), len(after)) - start
    same = len(commonprefix([before[::-1][:most], after[::-1][:most]]))  # noqa: RUF071
    return Edit(Span(start, len(before) - same), after[start : len(after) - same])
