"""SQL text as Columns, and SELECT … FROM … WHERE … as a frame. The grammar is sqlglot's, the meaning that of
``column``."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import sqlglot
from sqlglot import exp

from .column import Column, as_column, case, cast, col, lit, pointwise
from .elements import stack
from .scalars import SparkError

_COMPARE = {
    exp.EQ: "__eq__", exp.NEQ: "__ne__", exp.LT: "__lt__", exp.LTE: "__le__", exp.GT: "__gt__", exp.GTE: "__ge__",
    exp.Add: "__add__", exp.Sub: "__sub__", exp.Mul: "__mul__", exp.Div: "__truediv__", exp.Mod: "__mod__",
    exp.And: "__and__", exp.Or: "__or__", exp.NullSafeEQ: "eqNullSafe",
}  # fmt: skip
_TEXT = {"CONTAINS": "contains", "STARTSWITH": "startswith", "STARTS_WITH": "startswith", "ENDSWITH": "endswith",
         "ENDS_WITH": "endswith"}  # fmt: skip


def read(text: str) -> Column:
    """The expression that ``text`` spells."""
    tree = sqlglot.parse_one(text, read="spark")
    if isinstance(tree, exp.Aliases) and isinstance(tree.this, exp.Stack):
        cells, rows = [_read(c) for c in tree.this.expressions], int(tree.this.this.this)
        width = -(-len(cells) // rows)
        cells += [lit(None)] * (width * rows - len(cells))  # those that are missing are NULL
        return stack([i.name for i in tree.expressions], [cells[i * width : (i + 1) * width] for i in range(rows)])
    return _read(tree)


def query(text: str, table: Callable[[str], Any]) -> Any:
    """The frame of ``SELECT … FROM name [WHERE …]``. ``table``: the frame of a name."""
    tree = sqlglot.parse_one(text, read="spark")
    given = {k for k, v in tree.args.items() if v} - {"expressions", "from_", "from", "where"}
    source = tree.args.get("from_") or tree.args.get("from")
    if not isinstance(tree, exp.Select) or given or source is None or not isinstance(source.this, exp.Table):
        raise SparkError(f"SQL is not known here: {text}")
    frame = table(".".join(p.name for p in source.this.parts))
    if where := tree.args.get("where"):
        frame = frame.filter(_read(where.this))
    if isinstance(tree.expressions[0], exp.Star):
        return frame
    return frame.select(*(_read(e.this).alias(e.alias) if e.alias else _read(e) for e in tree.expressions))


def _read(e: Any) -> Column:
    if type(e) in _COMPARE:
        found: Column = getattr(_read(e.this), _COMPARE[type(e)])(_read(e.expression))
        return found
    match e:
        case exp.Paren():
            return _read(e.this)
        case exp.Column():
            return col(".".join(p.name for p in e.parts))
        case exp.Literal():
            return lit(str(e.this) if e.is_string else _number(str(e.this)))
        case exp.Boolean():
            return lit(bool(e.this))
        case exp.Null():
            return lit(None)
        case exp.Not():
            return ~_read(e.this)
        case exp.Neg():
            return -_read(e.this) if not isinstance(e.this, exp.Literal) else lit(-_number(str(e.this.this)))
        case exp.Is(expression=exp.Null()):
            return _read(e.this).isNull()
        case exp.Between():
            return _read(e.this).between(_read(e.args["low"]), _read(e.args["high"]))
        case exp.In():
            return _read(e.this).isin(*map(_read, e.expressions))
        case exp.IsNan():
            return _read(e.this).isNaN()
        case exp.Coalesce():
            return reduce(lambda a, b: case(((a.isNotNull(), a),), b), map(_read, [e.this, *e.expressions]))
        case exp.Case():
            branches = tuple((_read(i.this), _read(i.args["true"])) for i in e.args["ifs"])
            return case(branches, _read(e.args["default"]) if e.args.get("default") else lit(None))
        case exp.Cast():
            return cast(_read(e.this), e.to.sql("spark").lower())
        case exp.Year() | exp.Month() | exp.Day() | exp.DayOfMonth():
            part = type(e).__name__.lower().removesuffix("ofmonth")
            day = e.this.this if isinstance(e.this, exp.TsOrDsToDate) else e.this  # which the parser puts there
            return pointwise(lambda v: None if v is None else getattr(v, part), "int", _read(day))
        case exp.Lower() | exp.Upper():
            return _called(type(e).__name__.lower(), _read(e.this))
        case exp.ArraySize() | exp.Length():
            return _size(_read(e.this))
        case exp.Alias():
            return _read(e.this).alias(e.alias)
        case exp.Max() | exp.Min() | exp.Sum() | exp.Avg() | exp.Count() if not isinstance(e.this, exp.Distinct):
            return _aggregate(e)
        case exp.Func():
            name = e.sql_name() if not isinstance(e, exp.Anonymous) else e.name.upper()
            if name in _TEXT:
                arguments = [a for a in (e.args.get("this"), *_rest(e)) if isinstance(a, exp.Expression)]
                first, second = arguments[-2:]
                return as_column(getattr(_read(first), _TEXT[name])(_read(second)))
            if name == "DOUBLE":
                return lit(float(e.expressions[0].this))
    raise SparkError(f"SQL {type(e).__name__} is not known here: {e.sql('spark')}")


def _aggregate(e: Any) -> Column:
    return _called(type(e).__name__.lower(), "*" if isinstance(e.this, exp.Star) else _read(e.this))


def _called(name: str, argument: Any) -> Column:
    from . import functions  # it reads SQL itself

    function: Callable[[Any], Column] = getattr(functions, name)
    return function(argument)


def _size(column: Column) -> Column:
    return pointwise(lambda v: None if v is None else len(v), "int", column)


def _rest(e: Any) -> list[Any]:
    return [e.args["expression"]] if e.args.get("expression") is not None else list(e.expressions)


def _number(text: str) -> int | float:
    return int(text) if text.isdigit() else float(text)
