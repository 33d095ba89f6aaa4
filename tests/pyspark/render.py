"""Plans and expressions in one short line each, so that a test table reads like the code that it is about."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import textwrap

from headwater.operators.move import Moved, move
from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Out,
    Param,
    Same,
    Slot,
    StringTest,
)  # fmt: skip
from headwater_ir.module import Module
from headwater_ir.plan import Aggregate, Filter, GroupMap, Opaque, Plan, Project, RowUdf, Scan, Shared, Sort
from headwater_ir.walks import inputs

HEAD = """
from pyspark.sql import functions as F, SparkSession, DataFrame
from pyspark.sql.types import *
spark = SparkSession.builder.getOrCreate()
df = spark.read.schema("k string, x int, y double, s string, d date, b boolean").parquet("p")
raw = spark.table("t")
"""


def module(code: str, options: FrontendOptions | None = None, head: str = HEAD) -> Module:
    """The module that ``code`` under the usual imports is."""
    return read_module(head + textwrap.dedent(code), options)


def last(code: str, head: str = HEAD) -> Filter:
    """The filter that stands last in ``code``."""
    return max(module(code, head=head).filters, key=lambda f: f.call)


def outcome(code: str, head: str = HEAD) -> str:
    """``agg: <predicate>`` if the last filter reaches a boundary, else its obstruction, or ``none`` without a filter."""
    found = module(code, head=head).filters
    if not found:
        return "none"
    moved = move(max(found, key=lambda f: f.call))
    if isinstance(moved, Moved):
        return f"{moved.boundary.boundary.operator}: {show(moved.problem.predicate)}"
    return "no boundary" if moved.no_boundary else moved.obstruction


def show(e: Expr) -> str:
    """An expression, close to SQL."""
    match e:
        case Lit(value):
            return repr(value) if not hasattr(value, "isoformat") else f"D{value}"
        case Col(name):
            return name
        case Out(name):
            return f"{name}'"
        case Param(name):
            return f":{name}"
        case Slot(index, side):
            return f"a{index}" if side == 0 else f"{'lr'[side - 1]}{index}"
        case Arith(op, left, right) | Compare(op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case Neg(operand):
            return f"-{show(operand)}"
        case Same(left, right):
            return f"({show(left)} <=> {show(right)})"
        case And(operands):
            return "(" + " & ".join(map(show, operands)) + ")" if operands else "true"
        case Or(operands):
            return "(" + " | ".join(map(show, operands)) + ")" if operands else "false"
        case Not(operand):
            return f"!{show(operand)}"
        case If(cond, then, otherwise):
            return f"if({show(cond)}, {show(then)}, {show(otherwise)})"
        case IsNull(operand):
            return f"null({show(operand)})"
        case IsNaN(operand):
            return f"nan({show(operand)})"
        case IsTrue(operand):
            return f"true({show(operand)})"
        case In(operand, options):
            return f"{show(operand)} in [{', '.join(map(show, options))}]"
        case StringTest(op, text, needle):
            return f"{op}({show(text)}, {show(needle)})"
        case Call(name, args):
            return f"{name}({', '.join(map(show, args))})"
    return type(e).__name__


def plan(p: Plan | None) -> str:
    """A plan from the top down, one word a node."""
    words = []
    while p is not None:
        match p:
            case Filter(conjuncts=parts):
                words.append("filter[" + "; ".join(show(c.condition) for c in parts) + "]")
            case Project(columns=columns, dropped=dropped):
                words.append(
                    "project[" + ", ".join([f"{n}={show(v)}" for n, v in columns] + [f"-{d}" for d in dropped]) + "]"
                )
            case RowUdf(boundary=b) | Aggregate(boundary=b) | GroupMap(boundary=b):
                words.append(b.operator)
            case Shared(consumers=n):
                words.append(f"shared{n}")
            case Opaque(obstruction=o):
                words.append(f"opaque[{o}]")
            case Sort():
                words.append("sort")
            case Scan(format=f):
                words.append(f)
            case _:
                words.append(type(p).__name__.lower())
        p = next(iter(inputs(p)), None)
    return " < ".join(words)
