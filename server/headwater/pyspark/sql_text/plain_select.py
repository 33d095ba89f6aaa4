"""Queries of a text with unknown parts, such as ``f"SELECT * FROM {db}.t WHERE day = '{day}'"``, of which this much is
seen all the same: that each row of the result is made of one row of one table by Spark's own functions of a row, or
that the result has the different ones of these."""

from __future__ import annotations

import ast
import re
from typing import Literal

from headwater.pyspark.api import plain_columns
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.columns.sql_templates import HOLE, filled, is_rowwise_template, template
from headwater.pyspark.frames.constant_text import assigned

_NAME = rf"(?:[\w{HOLE}]+|`[^`]+`)"
_SELECT = re.compile(
    rf"""\s*SELECT\s+(?P<distinct>DISTINCT\s+)?(?P<items>\S.*?)\s+FROM\s+{_NAME}(?:\.{_NAME})*
    (?:\s+WHERE\s+(?P<condition>.*))?\s*""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)


def kind_of(node: ast.Call, reader: ApiContext) -> Literal["rows", "distinct"] | None:
    """What the query gives that ``node`` calls ``spark.sql`` with: rows of one table, or the different ones of these;
    None if that is not sure. What is put in from other code is taken to be a name or a value, as long as no function of
    the file's could be in it."""
    given = [*node.args, *(k.value for k in node.keywords if k.arg == "sqlQuery")]
    if len(given) != 1 or len(node.args) + len(node.keywords) > 1 or plain_columns.makes_udfs(reader.names):
        return None
    found = _SELECT.fullmatch(template(assigned(given[0], reader.names, reader.lookup)) or "")
    if found is None:
        return None
    items, condition = found["items"], found["condition"]
    shown = items.strip() == "*" or is_rowwise_sql(f"({filled(items)})", reader.names)
    kept = condition is None or is_rowwise_template(condition, reader.names)
    if not shown or not kept:
        return None
    return "distinct" if found["distinct"] else "rows"
