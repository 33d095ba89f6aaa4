"""Queries of a text with unknown parts, such as ``f"SELECT * FROM {db}.t WHERE day = '{day}'"``, of which this much is
seen all the same: that each row of the result is made of one row of one table by Spark's own functions of a row, or
that the result has the different ones of these."""

from __future__ import annotations

import ast
import re
from typing import Literal

from headwater.pyspark.api import row_by_row
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql

_HOLE = "\0"
"""Stands for a part that is not known."""
_NAME = rf"(?:[\w{_HOLE}]+|`[^`]+`)"
_SELECT = re.compile(
    rf"""\s*SELECT\s+(?P<distinct>DISTINCT\s+)?(?P<items>\S.*?)\s+FROM\s+{_NAME}(?:\.{_NAME})*
    (?:\s+WHERE\s+(?P<condition>.*))?\s*""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_OPERATOR = re.compile(r"(?:<=|>=|<>|!=|==?|<|>|,|\()\s*$")


def kind_of(node: ast.Call, reader: ApiContext) -> Literal["rows", "distinct"] | None:
    """What the query gives that ``node`` calls ``spark.sql`` with: rows of one table, or the different ones of these;
    None if that is not sure. What is put in from other code is taken to be a name or a value, as long as no function of
    the file's could be in it."""
    if len(node.args) != 1 or node.keywords or row_by_row.makes_udfs(reader):
        return None
    found = _SELECT.fullmatch(_template(node.args[0]) or "")
    if found is None:
        return None
    items, condition = found["items"], found["condition"]
    shown = items.strip() == "*" or is_rowwise_sql(f"({_filled(items)})", reader.names)
    kept = condition is None or (_has_values(condition) and is_rowwise_sql(_filled(condition), reader.names))
    if not shown or not kept:
        return None
    return "distinct" if found["distinct"] else "rows"


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


def _filled(text: str) -> str:
    """``text`` with names in the place of what is not known."""
    return text.replace(_HOLE, "unknown")


def _has_values(condition: str) -> bool:
    """Whether each unknown part is a value: it stands in quotes, or behind an operator."""
    parts = condition.split(_HOLE)
    before = (_HOLE.join(parts[: n + 1]) for n in range(len(parts) - 1))
    return all(b.count("'") % 2 or b.count('"') % 2 or _OPERATOR.search(b) for b in before)
