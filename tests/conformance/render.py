"""Expressions as Python and as Spark SQL text, written apart from the product's own spellings, so that a mistake there
is not repeated here. Columns, slots, outputs and parameters are all plain names."""

from __future__ import annotations

import datetime as dt
import math

from typing_extensions import assert_never

from headwater_ir import expr as ir
from headwater_ir.types import Type

SQL_TYPES = {
    "bool": "boolean", "int": "bigint", "float": "double", "string": "string", "date": "date", "timestamp": "timestamp",
}  # fmt: skip


def name_of(e: ir.Col | ir.Param | ir.Slot | ir.Out) -> str:
    """The name by which both texts know a leaf."""
    return f"slot{e.index}" if isinstance(e, ir.Slot) else e.name


def python(e: ir.Expr) -> str:
    """``e`` as Python; ``raise_`` and ``dt`` are in scope."""
    match e:
        case ir.Lit(value=value):
            return python_literal(value)
        case ir.Col() | ir.Param() | ir.Slot() | ir.Out():
            return name_of(e)
        case ir.Present():
            return "True"
        case ir.Arith() | ir.Compare():
            return f"({python(e.left)} {e.op} {python(e.right)})"
        case ir.Neg():
            return f"(-{python(e.operand)})"
        case ir.Same():
            raise NotImplementedError("Python has no null-safe identity")
        case ir.And():
            return f"bool({' and '.join(map(python, e.operands)) or True})"
        case ir.Or():
            return f"bool({' or '.join(map(python, e.operands)) or False})"
        case ir.Not():
            return f"(not {python(e.operand)})"
        case ir.If():
            return f"({python(e.then)} if {python(e.cond)} else {python(e.otherwise)})"
        case ir.IsNull():
            return f"({python(e.operand)} is None)"
        case ir.IsNaN():
            return f"pandas_isnan({python(e.operand)})"
        case ir.IsTrue():
            return f"({python(e.operand)} is True)"
        case ir.Truthy():
            return f"bool({python(e.operand)})"
        case ir.In():
            return f"({python(e.operand)} in ({''.join(python(o) + ', ' for o in e.options)}))"
        case ir.StringTest(op="contains"):
            return f"contains({python(e.needle)}, {python(e.text)})"
        case ir.StringTest():
            return f"str.{e.op}({python(e.text)}, {python(e.needle)})"
        case ir.Call():
            return f"{e.name}({', '.join(map(python, e.args))})"
        case ir.Raise():
            return f"raise_({e.reason!r})"
        case _:
            assert_never(e)


def python_literal(value: ir.Scalar) -> str:
    """A Python literal; odd floats are fresh objects, so that ``in`` does not find a NaN by identity."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, dt.datetime):
        return f"dt.datetime.fromisoformat('{value.isoformat()}')"
    if isinstance(value, dt.date):
        return f"dt.date.fromisoformat('{value.isoformat()}')"
    return f"({value!r})"


def sql(e: ir.Expr) -> str:
    """``e`` as Spark SQL."""
    match e:
        case ir.Lit(value=value, type=type_):
            return sql_literal(value, type_)
        case ir.Col() | ir.Param() | ir.Slot() | ir.Out():
            return name_of(e)
        case ir.Present():
            return "true"
        case ir.Arith(op="**"):
            return f"power({sql(e.left)}, {sql(e.right)})"
        case ir.Arith() | ir.Compare():
            return f"({sql(e.left)} {e.op} {sql(e.right)})"
        case ir.Neg():
            return f"(- {sql(e.operand)})"
        case ir.Same():
            return f"({sql(e.left)} <=> {sql(e.right)})"
        case ir.And():
            return f"({' AND '.join(map(sql, e.operands)) or 'true'})"
        case ir.Or():
            return f"({' OR '.join(map(sql, e.operands)) or 'false'})"
        case ir.Not():
            return f"(NOT {sql(e.operand)})"
        case ir.If():
            return f"IF({sql(e.cond)}, {sql(e.then)}, {sql(e.otherwise)})"
        case ir.IsNull():
            return f"({sql(e.operand)} IS NULL)"
        case ir.IsNaN():
            return f"isnan({sql(e.operand)})"
        case ir.IsTrue():
            return f"(({sql(e.operand)}) IS TRUE)"
        case ir.Truthy():
            raise NotImplementedError("SQL has no truth of values")
        case ir.In():  # SQL text has no empty list; Column.isin() of nothing is tested on its own
            return f"({sql(e.operand)} IN ({', '.join(map(sql, e.options))}))" if e.options else "false"
        case ir.StringTest():
            return f"{e.op}({sql(e.text)}, {sql(e.needle)})"
        case ir.Call():
            return f"{e.name}({', '.join(map(sql, e.args))})"
        case ir.Raise():
            return f"raise_error('{e.reason}')"
        case _:
            assert_never(e)


def sql_literal(value: ir.Scalar, type_: Type) -> str:
    """A literal of exactly this type."""
    as_type = SQL_TYPES.get(type_.name, "void")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "'" + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in value) + "'"
    if value is None:
        return f"CAST(NULL AS {as_type})"
    if isinstance(value, (dt.date, int)):
        return f"CAST('{value}' AS {as_type})"
    return f"CAST('{str(value).replace('inf', 'Infinity')}' AS double)"
