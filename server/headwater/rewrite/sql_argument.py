"""A pre-filter in SQL text: in the argument of a table function, ``TABLE(t)`` as ``TABLE(SELECT * FROM t WHERE …)``, or
in the WHERE clause of a query."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from headwater.syntax.names.module_scope import Context
from headwater_ir.expr import Col, Expr, columns_of, transform
from headwater_ir.span import Span
from headwater_ir.struct_fields import field_column

from .edit import Edit
from .spell_sql import CannotSpell, spell_sql
from .tokens import CannotEdit, Tokens

_OR = re.compile(r"\bor\b", re.IGNORECASE)
_FIELD = re.compile(r"\{([A-Za-z_]\w*)\}")
_OPENING = re.compile(r"([A-Za-z]*)(\"{3}|'{3}|\"|')")


def filtered_query(tokens: Tokens, where: Span, pre_filter: Expr, tables: Mapping[str, str]) -> Edit:
    """The edit that adds the pre-filter to the condition at ``where``, or as a clause of its own where that is empty.
    ``tables``: which table each column is qualified by, if any. Errors as ``filtered_argument``."""

    def qualified(e: Expr) -> Expr | None:
        return Col(field_column(tables[e.name], e.name)) if isinstance(e, Col) and e.name in tables else None

    if tables and not all(name.isidentifier() for name in columns_of(pre_filter)):
        raise CannotSpell("a part of a column has no name beside that of its table")
    condition = spell_sql(transform(pre_filter, qualified))
    if condition is None:
        raise CannotSpell("SQL text has no variables of Python")
    added = in_literal(tokens, where.end, condition)
    if where.start == where.end:
        return Edit(where, f" WHERE {added}")
    text = where.text(tokens.source)
    whole = tokens.at(where.start) == tokens.at(where.end) and "{" not in text  # else an OR may be in another place
    old = text if whole and not _OR.search(text) else f"({text})"
    return Edit(where, f"{old} AND {f'({added})' if _OR.search(added) else added}")


def filtered_argument(tokens: Tokens, argument: Span, pre_filter: Expr, context: Context) -> Edit:
    """The edit that filters the table or query at ``argument``, which stands in a literal without escapes.
    ``CannotSpell`` if SQL has no words for the pre-filter, ``CannotEdit`` if the literal cannot hold them."""
    condition = spell_sql(pre_filter)
    if condition is None:
        raise CannotSpell("SQL text has no variables of Python")
    text = argument.text(tokens.source)
    field = _FIELD.fullmatch(text)
    constant = context.constant(field[1]) if field else None
    named = constant.value if isinstance(constant, ast.Constant) and isinstance(constant.value, str) else text
    of = text if all(part.isidentifier() for part in named.split(".")) else f"({text})"
    return Edit(argument, f"SELECT * FROM {of} WHERE {in_literal(tokens, argument.start, condition)}")


def in_literal(tokens: Tokens, at: int, text: str) -> str:
    """``text`` as the literal around ``at`` spells it; ``CannotEdit`` if it cannot."""
    literal = tokens.at(at)
    opening = _OPENING.match(literal.text if literal else "")
    if opening is None or any(sign in text for sign in "\\\n{}"):
        raise CannotEdit("the pre-filter has characters that the SQL text cannot hold as they are")
    prefix, quote = opening.groups()
    if len(quote) == 3 or quote not in text:
        return text
    if "r" in prefix.lower():
        raise CannotEdit("the pre-filter has quotes that the raw SQL text cannot hold")
    return text.replace(quote, f"\\{quote}")
