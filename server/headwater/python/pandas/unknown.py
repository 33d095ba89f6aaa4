"""What has no model and costs only itself: computations on columns of numbers that never fail, whatever rows there are.

Law: such a computation changes nothing and raises for no rows, so that a value which nothing reads may be left out;
what reads it is refused. The methods and functions below are a closed list: each is measured on columns of every type
of numbers, with NaN and infinities, of no row, one row and several (``tests/tables/test_total_methods.py``). One that
raises where there are few rows (``idxmax``, ``item``) would fail on what a pre-filter leaves.
Where each row is treated by itself (``row_by_row``), the value in a row must be made of that row alone, of columns that
look the same whatever else there is (``tests/tables/test_alone.py``); it may raise there, as it does with other rows. A
column of whole numbers is one of floats beside a NULL: what is computed of it must give the same numbers of both.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.scope import Env, Unreadable
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, slots_of
from headwater_ir.types import STRING

from .arithmetic import SMALL

if TYPE_CHECKING:
    from .values import PandasInterpreter

Kind = Literal["column", "whole", "texts", "number", "other"]
"""A column of numbers with the labels of its frame, one of whole numbers that a NULL makes floats of, one of texts, one
number of numpy's, or what nothing more is computed with."""
TOTAL: dict[str, tuple[Kind, tuple[type, ...] | None]] = {
    **dict.fromkeys("abs bfill cummax cummin cumprod cumsum ffill rank".split(), ("column", None)),
    **dict.fromkeys("diff round shift".split(), ("column", (int,))), "fillna": ("column", (int, float)),
    **dict.fromkeys("kurt max mean median min prod sem skew std sum var".split(), ("number", None)),
    **dict.fromkeys("count describe duplicated isna mode notna nunique unique value_counts".split(), ("other", None)),
}  # fmt: skip
"""Methods of a column: what they give, and which numbers they may be given; None for none."""
FUNCTIONS: dict[str, Kind] = {
    **dict.fromkeys((f"numpy.{n}" for n in "abs ceil exp floor log log1p sign sqrt".split()), "column"),
    **dict.fromkeys((f"numpy.{n}" for n in "max mean median min std sum var".split()), "number"),
}  # fmt: skip
"""Functions of one column."""
ALONE = frozenset("abs round fillna".split()) | {
    f"numpy.{n}" for n in "abs ceil exp floor log log1p sign sqrt".split()
}  # fmt: skip
"""Those of the methods and functions that make each value of its own row alone."""
TEXTS_ALONE = frozenset("capitalize lower lstrip replace rstrip slice strip title upper zfill".split())
"""Methods of ``Series.str`` that make a text of the text alone."""
_FLOATS, _WHOLE, _TEXTS = ("float", "float64"), ("int", "int64"), ("str",)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


@dataclass(frozen=True)
class Unknown(Unreadable):
    """What a variable holds that has no model; ``kind``: what may be computed with it."""

    kind: Kind = "other"
    frame: RowSequence | None = None


Found = tuple[Kind, "RowSequence | None"]
"""What an expression gives, and the frame whose labels a column has."""


def found_at(run: PandasInterpreter, node: ast.expr, env: Env) -> Found | None:
    """What ``node`` gives, if it certainly changes nothing and raises nothing or, where each row is treated by itself,
    is made of its row alone; None in doubt."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if run.row_by_row and (
            texts := _joined(run, left, right, env)
        ):
            return texts
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            sides = [found_at(run, n, env) for n in (left, right) if not _number(n)]
            frames = [f for s in sides if s is not None and (f := s[1]) is not None]
            by_zero = isinstance(op, ast.Div) and _number(right) and _value(right) == 0
            if not sides or by_zero or any(s is None or s[0] in ("texts", "other") for s in sides):
                return None
            if any(not f.alike(frames[0]) for f in frames):
                return None
            fractions = isinstance(op, ast.Div) or any(isinstance(_value(n), float) for n in (left, right))
            if not fractions and all(s is not None and s[0] == "whole" for s in sides):
                if isinstance(op, ast.Mult) and not any((_value(n) or 0) > 0 for n in (left, right)):
                    return None  # of floats the product of 0 and a negative number is -0.0
                run.scope.assume("integer arithmetic in pandas stays within the column's width", "range")
                return "whole", frames[0]
            return ("column", frames[0]) if frames else ("number", None)
        case ast.Call(func=function, args=[of], keywords=[]) if (name := run.scope.origin(function)) in FUNCTIONS:
            return _of_column(run, of, FUNCTIONS[name], env) if not run.row_by_row or name in ALONE else None
        case ast.Call(func=ast.Attribute(value=of, attr="astype"), args=[to], keywords=[]) if run.row_by_row:
            return _converted(run, of, to, env)
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=of, attr="str"), attr=name), args=args) if (
            run.row_by_row and name in TEXTS_ALONE
        ):
            found = found_at(run, of, env)
            given = [*args, *(k.value for k in node.keywords if k.arg)]
            plain = all(isinstance(a, ast.Constant) for a in given) and len(given) == len(args) + len(node.keywords)
            return found if plain and found is not None and found[0] == "texts" else None
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=args, keywords=[]) if name in TOTAL:
            kind, numbers = TOTAL[name]
            given_well = (
                len(args) == 0
                if numbers is None
                else len(args) <= 1 and all(isinstance(a, numbers) for a in map(_value, args))
            )
            if not given_well or (not args and name == "fillna") or (run.row_by_row and name not in ALONE):
                return None
            found = found_at(run, of, env) if name == "fillna" and run.row_by_row else None
            return found if found is not None and found[0] == "whole" else _of_column(run, of, kind, env)
        case ast.Name(id=name) if isinstance(held := env.get(name), Unknown):
            return held.kind, held.frame
        case (
            ast.Subscript(value=owner, slice=ast.Constant(value=str() as name)) | ast.Attribute(value=owner, attr=name)
        ):
            frame = env.get(owner.id) if isinstance(owner, ast.Name) else None
            made = [m for m in frame.made if m.name == name] if isinstance(frame, RowSequence) else []
            if isinstance(frame, RowSequence) and made and made[0].unknown:
                return made[0].holds, frame
    if run.row_by_row:
        return _modelled(run, node, env)
    column = run.pandas(node, env) if isinstance(node, (ast.Subscript, ast.Attribute, ast.Name)) else None
    if not isinstance(column, Series) or column.column is None or column.listed:
        return None
    return ("column", column.frame) if run.group.type(column.column).name in ("int", "float") else None


def _modelled(run: PandasInterpreter, node: ast.expr, env: Env) -> Found | None:
    """A column that has a model, each value of its own row."""
    try:
        column = run.pandas(node, env)
    except Refusal:
        return None
    if not isinstance(column, Series) or column.listed or slots_of(column.element):
        return None
    kind = _kind_of(run, column)
    return None if kind is None else (kind, column.frame)


def _kind_of(run: PandasInterpreter, column: Series) -> Kind | None:
    """What a column holds; None for what looks otherwise beside other rows, but for whole numbers."""
    if run.group.uncertain(column.element if column.column is None else Col(column.column)):
        return None
    t = run.scope.type(column.element) if column.column is None else run.group.type(column.column)
    if t.name == "int" and not (column.column is not None and run.group.certain(column.column)):
        return "whole" if (t.bits or 64) >= 32 else None  # numpy has smaller floats for smaller numbers
    return "texts" if t == STRING else "column" if t.name in ("int", "float") else None


def _joined(run: PandasInterpreter, left: ast.expr, right: ast.expr, env: Env) -> Found | None:
    """Texts of columns and constants put together; None for others."""
    sides = [found_at(run, n, env) for n in (left, right) if not _is_text(n)]
    frames = [s[1] for s in sides if s is not None and s[0] == "texts" and s[1] is not None]
    if not sides or len(frames) < len(sides) or any(not f.alike(frames[0]) for f in frames):
        return None
    return "texts", frames[0]


def _converted(run: PandasInterpreter, of: ast.expr, to: ast.expr, env: Env) -> Found | None:
    """``column.astype(to)``: what looks the same whatever else is in the column."""
    found, origin = found_at(run, of, env), run.scope.origin(to) or ""
    name = to.value if isinstance(to, ast.Constant) else origin.removeprefix("builtins.").removeprefix("numpy.")
    if found is None:
        return None
    if name in (*_FLOATS, *_WHOLE) and found[0] in ("column", "whole"):
        return "column", found[1]
    return ("texts", found[1]) if name in _TEXTS and found[0] in ("column", "texts") else None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of_column(run: PandasInterpreter, of: ast.expr, kind: Kind, env: Env) -> Found | None:
    found = found_at(run, of, env)
    if found is None or found[0] != "column":
        return None
    return kind, found[1] if kind == "column" else None


def _value(node: ast.expr) -> int | float | None:
    """The small number that is written out."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    if not isinstance(value, (int, float)) or type(value) is bool or abs(value) > SMALL:
        return None
    return -value if negative else value


def _number(node: ast.expr) -> bool:
    return _value(node) is not None
