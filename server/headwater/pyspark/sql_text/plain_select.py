"""Queries of a text with unknown parts, such as ``f"SELECT * FROM {db}.t WHERE day = '{day}'"``, of which this much is
seen all the same: that each row of the result is one row of one table, as it is or cut to some columns."""

from __future__ import annotations

import ast
import re

from headwater.pyspark.api import row_by_row
from headwater.pyspark.api.api_context import ApiContext

_HOLE = "\0"
"""Stands for a part that is not known."""
_NAME = rf"(?:[\w{_HOLE}]+|`[^`]+`)"
_SELECT = re.compile(
    rf"\s*SELECT\s+(?:\*|{_NAME}(?:\s*,\s*{_NAME})*)\s+FROM\s+{_NAME}(?:\.{_NAME})*(?:\s+WHERE\s+(?P<condition>.*))?\s*",
    re.IGNORECASE | re.DOTALL,
)
_TOKEN = re.compile(
    rf"""\s*(?:
        (?P<word>[A-Za-z_][\w.]*) | (?P<value>'[^'\\]*' | "[^"\\]*" | [\d.]+) | (?P<operator><=|>=|<>|!=|==?|<|>|[(,])
        | (?P<hole>{_HOLE}) | \)
    )\s*""",
    re.VERBOSE,
)
_CLAUSES = frozenset(
    """
    cluster distribute except fetch from group having intersect join lateral limit minus offset order pivot qualify
    select sort tablesample union unpivot window with
    """.split()
)


def is_plain(node: ast.Call, reader: ApiContext) -> bool:
    """Whether the query that ``node`` calls ``spark.sql`` with gives rows of one table, and calls no function. What is
    put in from other code is taken to be a name or a value, as long as no function of the file's could be in it."""
    if len(node.args) != 1 or node.keywords or row_by_row.makes_udfs(reader):
        return False
    found = _SELECT.fullmatch(_template(node.args[0]) or "")
    return found is not None and (found["condition"] is None or _is_condition(found["condition"]))


def _template(node: ast.expr) -> str | None:
    """The text that ``node`` makes, with a mark for each part that is not written there; None for others."""
    match node:
        case ast.JoinedStr(values=values):
            return "".join(
                v.value if isinstance(v, ast.Constant) and isinstance(v.value, str) else _HOLE for v in values
            )
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return re.sub(r"\{\w*\}", _HOLE, text)
    return None


def _is_condition(text: str) -> bool:
    """Whether ``text`` compares columns with values: no function, no subquery, no further clause. An unknown part is a
    value where it stands in quotes or behind an operator."""
    at, before = 0, "where"
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or (token["word"] or "").lower() in _CLAUSES:
            return False
        if token[0].strip() == "(" and before not in ("and", "in", "not", "operator", "or", "where"):
            return False  # a call
        if token["hole"] and before != "operator":
            return False
        at, before = token.end(), (token["word"] or ("operator" if token["operator"] else "value")).lower()
    return True
