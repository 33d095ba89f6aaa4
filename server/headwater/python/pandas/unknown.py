"""What has no model and costs only itself: computations on columns of numbers that never fail, whatever rows there are.

Law: such a computation changes nothing and raises for no rows, so that a value which nothing reads may be left out;
what reads it is refused. The methods and functions below are a closed list: each is measured on columns of every type
of numbers, with NaN and infinities, of no row, one row and several (``tests/tables/test_total_methods.py``). One that
raises where there are few rows (``idxmax``, ``item``) would fail on what a pre-filter leaves.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.scope import Env, Unreadable

from .arithmetic import SMALL

if TYPE_CHECKING:
    from .values import PandasInterpreter

Kind = Literal["column", "number", "other"]
"""A column of numbers with the labels of its frame, one number of numpy's, or what nothing more is computed with."""
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
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


@dataclass(frozen=True)
class Unknown(Unreadable):
    """What a variable holds that has no model; ``kind``: what may be computed with it."""

    kind: Kind = "other"
    frame: RowSequence | None = None


Found = tuple[Kind, "RowSequence | None"]
"""What an expression gives, and the frame whose labels a column has."""


def found_at(run: PandasInterpreter, node: ast.expr, env: Env) -> Found | None:
    """What ``node`` gives, if it certainly raises nothing and changes nothing; None in doubt."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            sides = [found_at(run, n, env) for n in (left, right) if not _number(n)]
            frames = [f for s in sides if s is not None and (f := s[1]) is not None]
            by_zero = isinstance(op, ast.Div) and _number(right) and _value(right) == 0
            if not sides or by_zero or any(s is None or s[0] == "other" for s in sides):
                return None
            if any(not f.alike(frames[0]) for f in frames):
                return None
            return ("column", frames[0]) if frames else ("number", None)
        case ast.Call(func=function, args=[of], keywords=[]) if (name := run.scope.origin(function)) in FUNCTIONS:
            return _of_column(run, of, FUNCTIONS[name], env)
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=args, keywords=[]) if name in TOTAL:
            kind, numbers = TOTAL[name]
            given = (
                len(args) == 0
                if numbers is None
                else len(args) <= 1 and all(isinstance(a, numbers) for a in map(_value, args))
            )
            return _of_column(run, of, kind, env) if given and (args or name != "fillna") else None
        case ast.Name(id=name) if isinstance(held := env.get(name), Unknown):
            return held.kind, held.frame
        case ast.Subscript(value=owner, slice=ast.Constant(value=str() as name)):
            frame = env.get(owner.id) if isinstance(owner, ast.Name) else None
            if isinstance(frame, RowSequence) and any(m.name == name and m.unknown for m in frame.made):
                return "column", frame
    column = run.pandas(node, env) if isinstance(node, (ast.Subscript, ast.Attribute, ast.Name)) else None
    if not isinstance(column, Series) or column.column is None or column.listed:
        return None
    return ("column", column.frame) if run.group.type(column.column).name in ("int", "float") else None


def _of_column(run: PandasInterpreter, of: ast.expr, kind: Kind, env: Env) -> Found | None:
    found = found_at(run, of, env)
    if found is None or found[0] != "column":
        return None
    return kind, found[1] if kind == "column" else None


def _value(node: ast.expr) -> int | float | None:
    """The small number that is written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    return value if isinstance(value, (int, float)) and type(value) is not bool and abs(value) <= SMALL else None


def _number(node: ast.expr) -> bool:
    return _value(node) is not None
