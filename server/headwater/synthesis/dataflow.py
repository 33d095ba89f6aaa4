"""What flows where in a fold: which row values reach a slot, under which conditions a step changes it, who reads whom.

These are proposals for the universes, never facts: the checker decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold
from headwater_ir.types import BOOL, FLOAT, INT

from ..semantics.interpreter import Env, EvaluationError, compile_expr
from .normal_form import drops_missing, push_not, simplify, without_conditionals

_DIALECTS: tuple[ir.Dialect, ...] = ("sql", "python")


@dataclass(frozen=True)
class Flow:
    """``value`` (over the row, sql dialect) may reach the slot where ``condition`` (over the row, sql dialect)
    holds."""

    condition: Expr
    value: Expr


def branches(e: Expr) -> list[tuple[list[Expr], Expr]]:
    """The leaves of a conditional expression with the conditions on the way, negated ones as ``Not(IsTrue(…))``. A
    view of a column (its NULL shown as NaN or None) is one leaf."""
    if not isinstance(e, ir.If) or _is_view(e):
        return [([], e)]
    taken = [([e.cond, *path], leaf) for path, leaf in branches(e.then)]
    return taken + [([ir.Not(ir.IsTrue(e.cond)), *path], leaf) for path, leaf in branches(e.otherwise)]


def _conditional(step: Expr, slot: int) -> Expr:
    """``flag or c`` as ``if c: True`` and ``flag and c`` as ``if not c: False``, so that a flag has branches like any
    other slot."""
    if not isinstance(step, (ir.And, ir.Or)) or ir.Slot(slot) not in step.operands:
        return step
    rest = type(step)(tuple(o for o in step.operands if o != ir.Slot(slot)), step.dialect)
    if isinstance(step, ir.Or):
        return ir.If(rest, ir.Lit(True, BOOL), ir.Slot(slot))
    return ir.If(rest, ir.Slot(slot), ir.Lit(False, BOOL))


def slot_flows(fold: Fold) -> list[list[Flow]]:
    """For every slot the row values that flow into it, directly or through other slots."""
    flows: list[list[Flow]] = [[] for _ in fold.slots]
    changed = True
    while changed:
        changed = False
        for i, step in enumerate(fold.step):
            for found in _expression_flows(_conditional(step, i), flows):
                if found not in flows[i]:
                    flows[i].append(found)
                    changed = True
    return flows


def _expression_flows(e: Expr, flows: list[list[Flow]]) -> list[Flow]:
    found: list[Flow] = []
    for path, leaf in branches(e):
        condition = row_condition(path)
        if isinstance(leaf, ir.Slot):
            found += flows[leaf.index]
        elif not isinstance(leaf, ir.Lit) and not ir.slots_of(leaf):
            value = in_sql(leaf)
            if value is not None:
                found.append(Flow(condition, value))
    return found


def row_condition(
    path: list[Expr], starts: Mapping[int, Expr] = MappingProxyType({}), unchanged: Sequence[Expr] = ()
) -> Expr:
    """The part of a path condition that speaks of the row alone, in SQL; TRUE where nothing does. A comparison with a
    slot of ``starts`` is one with its initial value. ``unchanged``: conditions under which the step changes nothing:
    a row that is there only because of one of them need not be kept."""
    parts: list[Expr] = []
    for condition in path:
        bounded = _bounded(condition, starts)
        if isinstance(bounded, ir.Or):
            bounded = _without(bounded, unchanged)
        if not ir.slots_of(bounded):
            said = in_sql(bounded)
            if said is not None:
                parts.append(without_conditionals(push_not(said)))
        elif isinstance(bounded, ir.And):
            parts.append(row_condition(list(bounded.operands), starts, unchanged))
    return simplify(ir.And(tuple(parts)))


def _without(choice: ir.Or, unchanged: Sequence[Expr]) -> Expr:
    """``choice`` without the disjuncts that are among ``unchanged``."""
    kept = tuple(o for o in choice.operands if _bare(o) not in unchanged)
    return choice if not kept else kept[0] if len(kept) == 1 else replace(choice, operands=kept)


def _unchanged(slot: int, leaf: Expr) -> tuple[Expr, ...]:
    """Conditions, as a step may write them, under which ``slot`` has the value ``leaf`` already."""
    held = ir.Slot(slot)
    if not isinstance(leaf, ir.Lit):
        return ()
    if leaf.value is None:
        return (ir.IsNull(held),)
    sides = ((held, leaf), (leaf, held))
    equal = (ir.Compare("==", a, b, dialect) for a, b in sides for dialect in _DIALECTS)
    flag = (held if leaf.value else ir.Not(held),) if isinstance(leaf.value, bool) else ()
    return (*flag, *equal)


def _bounded(condition: Expr, starts: Mapping[int, Expr]) -> Expr:
    """``x > s`` as ``x > I`` for a row value ``x``: what must hold for the comparison to be true where ``s`` is never
    below ``I``."""
    match condition:
        case ir.Compare(">" | ">=" | "<" | "<=" as op, row, ir.Slot(i), dialect) if i in starts and ir.columns_of(row):
            return ir.Compare(op, row, starts[i], dialect)
        case ir.Compare(">" | ">=" | "<" | "<=" as op, ir.Slot(i), row, dialect) if i in starts and ir.columns_of(row):
            return ir.Compare(op, starts[i], row, dialect)
        case _:
            return condition


def change_conditions(fold: Fold) -> tuple[Expr, ...]:
    """``U_f``: row conditions of the branches of ``f`` that change the state, without trivial ones and those that only
    drop what is missing."""
    found: list[Expr] = []
    starts = {i: e for i, e in enumerate(fold.init) if isinstance(e, ir.Lit) and e.value is not None}
    for i, step in enumerate(fold.step):
        for path, leaf in branches(_conditional(step, i)):
            if leaf != ir.Slot(i):
                condition = row_condition(path, starts, _unchanged(i, leaf))
                if condition not in (ir.TRUE, ir.FALSE) and not drops_missing(condition):
                    found.append(condition)
    return tuple(dict.fromkeys(found))


def dependencies(fold: Fold) -> list[frozenset[int]]:
    """For every slot the slots that its step reads, itself included."""
    return [ir.slots_of(step) | {i} for i, step in enumerate(fold.step)]


def sources(fold: Fold) -> list[frozenset[int]]:
    """For every slot the slots whose values it may take over, directly or through others, itself left out."""
    direct = [
        {leaf.index for _, leaf in branches(step) if isinstance(leaf, ir.Slot) and leaf.index != i}
        for i, step in enumerate(fold.step)
    ]
    closed = [set(d) for d in direct]
    for _ in closed:
        for reached in closed:
            reached |= {k for j in reached for k in direct[j]}
    return [frozenset(reached - {i}) for i, reached in enumerate(closed)]


def key_slots(fold: Fold, flows: Sequence[Sequence[Flow]]) -> dict[int, str]:
    """Slots into which nothing but one key column flows, with that column."""
    found = {}
    for i, into in enumerate(flows):
        values = {f.value for f in into}
        (only,) = values if len(values) == 1 else (None,)
        leaves = [leaf for _, leaf in branches(fold.step[i])]
        plain = all(isinstance(leaf, ir.Lit) or leaf == ir.Slot(i) or not ir.slots_of(leaf) for leaf in leaves)
        if isinstance(only, ir.Col) and only.name in fold.keys and plain:
            found[i] = only.name
    return found


def slot_of_output(value: Expr) -> int | None:
    """The slot that an output passes on unchanged (but for NaN and None becoming NULL), if it does."""
    leaves = [_bare(leaf) for _, leaf in branches(value) if not _is_missing(leaf)]
    if leaves and isinstance(leaves[0], ir.Slot) and all(leaf == leaves[0] for leaf in leaves):
        return leaves[0].index
    return None


def _bare(e: Expr) -> Expr:
    """A flag without the conversion to a boolean that it already is."""
    return _bare(e.operand) if isinstance(e, (ir.Truthy, ir.IsTrue)) else e


def _is_view(e: ir.If) -> bool:
    return isinstance(e.cond, ir.IsNull) and isinstance(e.cond.operand, ir.Col) and e.otherwise == e.cond.operand


def _is_missing(e: Expr) -> bool:
    return isinstance(e, ir.Lit) and (e.value is None or (isinstance(e.value, float) and math.isnan(e.value)))


def is_sql(e: Expr) -> bool:
    """Whether Spark SQL says ``e`` as it is: the checker takes nothing else for a residual."""
    return all(
        getattr(n, "dialect", "sql") == "sql" and not isinstance(n, (ir.Truthy, ir.Raise, ir.Call)) for n in ir.walk(e)
    )


def in_sql(e: Expr) -> Expr | None:
    """What ``e`` would be called in Spark SQL: a guess whose truth on every row the proof establishes; None if there
    is no name for it. Views of a column (NULL as NaN) become the column."""
    match e:
        case ir.Lit() | ir.Param() | ir.Out() | ir.Slot():
            return e
        case ir.Col(name):
            return None if "#" in name else e
        case ir.If(cond, then, otherwise):
            return _view(cond, then, otherwise)
        case ir.Compare("==" | "!=", left, right, "python") if left == right:
            a = in_sql(left)  # Python's way to ask for NaN
            return None if a is None else ir.IsNaN(a) if e.op == "!=" else ir.Not(ir.IsNaN(a))
        case ir.Compare(op, left, right, _):
            a, b = in_sql(left), in_sql(right)
            return ir.Compare(op, a, b, "sql") if a is not None and b is not None else None
        case ir.Arith(op, left, right, _):
            a, b = in_sql(left), in_sql(right)
            if isinstance(a, ir.Lit) and isinstance(b, ir.Lit):
                return _folded(e)
            return ir.Arith(op, a, b, "sql") if a is not None and b is not None and op in "+-*/%" else None
        case ir.Neg(operand, _):
            a = in_sql(operand)
            return ir.Neg(a, "sql") if a is not None else None
        case ir.And(operands) | ir.Or(operands):
            parts = [in_sql(o) for o in operands]
            return simplify(type(e)(tuple(p for p in parts if p is not None))) if None not in parts else None
        case ir.Not(operand, _):
            a = in_sql(operand)
            return ir.Not(a) if a is not None else None
        case ir.IsTrue(operand) | ir.Truthy(operand):
            return in_sql(operand)
        case ir.IsNull(operand):
            a = in_sql(operand)
            return ir.IsNull(a) if a is not None else None
        case ir.IsNaN(operand):
            a = in_sql(operand)
            if a is None:
                return None
            return ir.Or((ir.IsNull(a), ir.IsNaN(a))) if isinstance(operand, ir.If) else ir.IsNaN(a)
        case ir.In(operand, options, _):
            a = in_sql(operand)
            return ir.In(a, options, "sql") if a is not None else None
        case ir.Same(left, right):
            a, b = in_sql(left), in_sql(right)
            return ir.Same(a, b) if a is not None and b is not None else None
        case ir.StringTest(op, text, needle, _):
            a, b = in_sql(text), in_sql(needle)
            return ir.StringTest(op, a, b, "sql") if a is not None and b is not None else None
        case _:
            return None


def _folded(e: ir.Arith) -> Expr | None:
    """The value of a constant computation; None if it raises."""
    try:
        value = compile_expr(e)(Env())
    except EvaluationError:
        return None
    return ir.Lit(value, FLOAT if isinstance(value, float) else INT)


def _view(cond: Expr, then: Expr, otherwise: Expr) -> Expr | None:
    if _is_view(ir.If(cond, then, otherwise)):
        return otherwise
    leaves = {leaf for _, leaf in branches(ir.If(cond, then, otherwise)) if not _is_missing(leaf)}
    if len(leaves) == 1 and isinstance(next(iter(leaves)), ir.Col):
        return in_sql(leaves.pop())
    parts = [in_sql(p) for p in (cond, then, otherwise)]
    return ir.If(*parts) if None not in parts else None  # type: ignore[arg-type]
