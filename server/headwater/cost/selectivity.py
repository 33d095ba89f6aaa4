"""What share of rows a condition removes, by the statistics of the files that hold these.

Law: the least and the most are what the statistics force, for each row group or file by itself: of one whose values lie
all on one side of a comparison, all or no rows are removed, and of the others any number may be. The likely share is
what it would be if the values were spread evenly between min and max, or over the values that are counted as different,
and conditions had nothing to do with each other. NULL passes no comparison; NaN, of which no statistics speak, is
greater than all numbers, and likely in no row.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from headwater.data_facts.bounds import Bounds, Known, Part, Value
from headwater_ir.expr import And, Col, Compare, CompareOp, Expr, In, IsNaN, IsNull, IsTrue, Lit, Not, Or

_MIRROR: dict[CompareOp, CompareOp] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE: dict[CompareOp, CompareOp] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_EVEN = 1e-9
"""Shares that differ by less are one."""


@dataclass(frozen=True)
class Share:
    """A share of rows: at least, likely (None if nothing is known of that) and at most."""

    low: float
    likely: float | None
    high: float

    @property
    def exact(self) -> bool:
        """Whether the statistics leave nothing open."""
        return self.high - self.low < _EVEN

    def rest(self) -> Share:
        """The other rows."""
        return Share(1 - self.high, None if self.likely is None else 1 - self.likely, 1 - self.low)


ALL, NONE, UNKNOWN = Share(1, 1, 1), Share(0, 0, 0), Share(0, None, 1)


def removed(condition: Expr, parts: Sequence[Part]) -> Share | None:
    """The share of the rows of ``parts`` that ``condition`` removes, since it is not TRUE of them; None of no rows."""
    rows = sum(p.rows for p in parts)
    if not rows:
        return None
    found = [(p.rows, _true(condition, p, wanted=True).rest()) for p in parts if p.rows]
    likely = None if any(s.likely is None for _, s in found) else sum(n * (s.likely or 0) for n, s in found) / rows
    return Share(sum(n * s.low for n, s in found) / rows, likely, sum(n * s.high for n, s in found) / rows)


def _true(e: Expr, part: Part, wanted: bool) -> Share:
    """The share of rows for which ``e`` is ``wanted``, TRUE or FALSE."""
    match e:
        case Lit(value=bool(value)):
            return ALL if value is wanted else NONE
        case Not(operand=operand, dialect="sql"):
            return _true(operand, part, not wanted)
        case IsTrue(operand=operand):
            share = _true(operand, part, wanted=True)
            return share if wanted else share.rest()
        case And(operands=operands, dialect="sql"):
            return reduce(_both if wanted else _either, [_true(o, part, wanted) for o in operands])
        case Or(operands=operands, dialect="sql"):
            return reduce(_either if wanted else _both, [_true(o, part, wanted) for o in operands])
        case IsNull(operand=Col(name)):
            share = _null(part, name)
            return share if wanted else share.rest()
        case IsNaN(operand=Col(name)):
            share = _nan(part, name)
            return share if wanted else share.rest()
        case Compare(op=op, left=Col(name), right=Lit(value=value), dialect="sql"):
            return _compared(part, name, op if wanted else _OPPOSITE[op], value)
        case Compare(op=op, left=Lit(value=value), right=Col(name), dialect="sql"):
            return _compared(part, name, _MIRROR[op if wanted else _OPPOSITE[op]], value)
        case In(operand=Col() as column, options=options, dialect="sql") if options:
            tests = tuple(Compare("==", column, o, "sql") for o in options)
            return _one_of(part, [_true(t, part, wanted) for t in tests], wanted)
    return UNKNOWN


def _one_of(part: Part, shares: Sequence[Share], wanted: bool) -> Share:
    """``IN``: the values are different, so that their rows are, too."""
    if not wanted:
        return reduce(_both, shares)
    likely = None if any(s.likely is None for s in shares) else min(1.0, sum(s.likely or 0 for s in shares))
    return Share(max(s.low for s in shares), likely, min(1.0, sum(s.high for s in shares)))


def _both(a: Share, b: Share) -> Share:
    likely = None if a.likely is None or b.likely is None else a.likely * b.likely
    return _ordered(max(0.0, a.low + b.low - 1), likely, min(a.high, b.high))


def _either(a: Share, b: Share) -> Share:
    likely = None if a.likely is None or b.likely is None else a.likely + b.likely - a.likely * b.likely
    return _ordered(max(a.low, b.low), likely, min(1.0, a.high + b.high))


def _ordered(low: float, likely: float | None, high: float) -> Share:
    if high - low < _EVEN:
        likely = low
    return Share(low, None if likely is None else min(max(likely, low), high), high)


def _null(part: Part, name: str) -> Share:
    known = part.columns.get(name, Known())
    if known.nulls is None or known.nulls > part.rows:
        return UNKNOWN
    share = known.nulls / part.rows
    return Share(share, share, share)


def _nan(part: Part, name: str) -> Share:
    present = _null(part, name).rest()
    bounds = part.columns.get(name, Known()).bounds
    if bounds is not None and not isinstance(bounds.low, float):
        return NONE
    return _ordered(0, 0 if bounds else None, present.high)


def _compared(part: Part, name: str, op: CompareOp, value: object) -> Share:
    """The share of rows whose value in the column is not NULL and is ``op`` ``value``."""
    present = _null(part, name).rest()
    bounds = part.columns.get(name, Known()).bounds
    if present.high == 0:
        return NONE
    passing = _of_different(UNKNOWN if bounds is None else _passing(bounds, op, value), op, part.columns.get(name))
    likely = None if passing.likely is None or present.likely is None else passing.likely * present.likely
    return _ordered(passing.low * present.low, likely, passing.high * present.high)


def _of_different(passing: Share, op: CompareOp, known: Known | None) -> Share:
    """``passing`` with what is likely where different values are counted: one has as many rows as another."""
    if known is None or known.distinct is None or op not in ("==", "!=") or passing.exact:
        return passing
    likely = 1 / known.distinct
    return _ordered(passing.low, likely if op == "==" else 1 - likely, passing.high)


def _passing(bounds: Bounds, op: CompareOp, value: object) -> Share:
    """The share of what lies between ``bounds``, and of NaN, that is ``op`` ``value``."""
    if op == "!=":
        return _passing(bounds, "==", value).rest()
    if op in (">", ">="):
        return _passing(bounds, _OPPOSITE[op], value).rest()
    scale = _scale(bounds, value)
    if scale is None:
        return UNKNOWN
    low, high, at, step = scale
    found = _less(low, high, at, step, op == "<=") if op != "==" else _equal(low, high, at, step)
    return Share(0, found.likely, found.high) if isinstance(bounds.low, float) else found


def _scale(bounds: Bounds, value: object) -> tuple[Value, Value, Value, float | None] | None:
    """Bounds and ``value`` as what can be compared, and how far values are apart: 0 for any, None if not known."""
    low, high = bounds.low, bounds.high
    if isinstance(value, (bool, dt.datetime)) or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(low, dt.date) and isinstance(high, dt.date) and isinstance(value, dt.date):
        return low.toordinal(), high.toordinal(), value.toordinal(), 1
    if isinstance(low, str) and isinstance(value, str):
        return low, high, value, None
    if isinstance(low, (int, float)) and isinstance(value, (int, float)):
        return low, high, value, 0 if isinstance(low, float) else 1
    return None


def _less(low: Value, high: Value, at: Value, step: float | None, equal: bool) -> Share:
    if high < at or (equal and high == at):  # type: ignore[operator]
        return ALL
    if low > at or (low == at and not equal):  # type: ignore[operator]
        return NONE
    if step is None or isinstance(low, str) or isinstance(high, str) or isinstance(at, str):
        return UNKNOWN
    return Share(0, _even(low, high, at, step, equal), 1)  # type: ignore[arg-type]


def _even(low: float, high: float, at: float, step: float, equal: bool) -> float | None:
    """The share of values that are less than ``at``, spread evenly."""
    if not step:
        share = (at - low) / (high - low)
        return share if math.isfinite(share) else None
    below = math.ceil(at) - low + (1 if equal and at == math.ceil(at) else 0)
    return min(1.0, below / (high - low + 1))


def _equal(low: Value, high: Value, at: Value, step: float | None) -> Share:
    if at < low or at > high:  # type: ignore[operator]
        return NONE
    if low == high:
        return ALL
    if not step or at != int(at):  # type: ignore[arg-type]
        return NONE if step else UNKNOWN
    return Share(0, 1 / (high - low + 1), 1)  # type: ignore[operator]
