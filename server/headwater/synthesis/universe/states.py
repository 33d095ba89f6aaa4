"""``U_ψ``: what may relate the state of the original run to that of the optimized one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold

from ...semantics.interpreter import Env, EvaluationError, evaluate
from .. import dataflow
from ..normal_form import atoms, simplify
from .analysis import Analysis
from .rows import is_key_condition

FEW = 4
"""So few slots are all taken to depend on each other: P may speak of one and show the others."""
SIDES: tuple[ir.Side, ...] = (1, 2)


def invariant_universe(a: Analysis, minimum: Expr, wide: bool = True) -> tuple[Expr, ...]:
    """``U_ψ``. ``minimum`` is ``ψ_min``. Without ``wide`` only what the slots have to do with each other, which is
    enough for most folds and a fraction of the atoms."""
    slots = range(len(a.problem.fold.slots))
    found: list[Expr] = []
    equal: dict[int, Expr] = {i: ir.Same(ir.Slot(i, 1), ir.Slot(i, 2)) for i in slots}
    found += equal.values()
    cases = {i: _cases(a, i, wide) for i in slots}
    p1, p2 = ir.Present(1), ir.Present(2)
    if a.problem.fold.grouped:
        found += [_implies(ir.Not(p1), ir.Not(p2)), _implies(p1, p2)]
        found += [_implies(p2, c) for c in a.clauses if is_key_condition(a, c)]
        found += [atom for i in a.keys for side in SIDES for atom in _key_atoms(a, i, side)]
    for i in slots:
        initial = [e for e in (_is_initial(a.problem.fold, i),) if e is not None]
        if a.problem.fold.grouped:
            found += [_implies(ir.And((p1, p2)), equal[i])]
            found += [_implies(ir.And((p1, ir.Not(p2))), ir.on_side(e, 1)) for e in initial]
        for case in cases[i]:
            one, two = ir.on_side(case, 1), ir.on_side(case, 2)
            if a.problem.fold.grouped and _holds_at_first(a.problem.fold, i, case):
                one, two = ir.And((p1, one)), ir.And((p2, two))
            found += _case_atoms(a, i, one, two, cases, equal, wide)
            if a.problem.fold.grouped:
                found += [
                    _implies(ir.And((p1, one)), ir.And((p2, equal[i]))),
                    _implies(ir.And((p1, ir.Not(p2))), _negated(one)),
                ]
                found += [_implies(one, p2), _implies(two, p1), _implies(p1, one), _implies(p2, two)]
    for clause in a.clauses:
        found += _clause_atoms(a, clause, equal)
    tested = [n.operand for atom in atoms(a.spoken) for n in (atom,) if isinstance(n, ir.IsNull)]
    if len(tested) > 1:
        found.append(_implies(p2, ir.Or(tuple(ir.Not(ir.IsNull(ir.on_side(t, 2))) for t in tested))))
    found += _mined(a)
    if wide:
        found += _twin_atoms(a)
    return tuple(dict.fromkeys((minimum, *(simplify(_where_keys_pass(a, f)) for f in found))))


def _holds_at_first(fold: Fold, slot: int, case: Expr) -> bool:
    """Whether ``case`` is true of the initial value of a slot, so that it says nothing about groups without rows: Spark
    orders NaN above all else, whatever a parameter is."""
    initial = fold.init[slot]
    if not isinstance(initial, ir.Lit) or not isinstance(case, ir.Compare):
        return False
    if any(isinstance(n, (ir.Param, ir.Col)) for n in ir.walk(case)):
        return isinstance(initial.value, float) and math.isnan(initial.value)
    try:
        return evaluate(ir.transform(case, lambda n: initial if isinstance(n, ir.Slot) else None), Env({})) is True
    except EvaluationError:
        return False


def _case_atoms(
    a: Analysis, i: int, one: Expr, two: Expr, cases: dict[int, list[Expr]], equal: dict[int, Expr], wide: bool
) -> Iterator[Expr]:
    yield _negated(one)
    yield _negated(two)
    for j in cases:
        if i in a.depends[j] or j in a.depends[i] or (wide and len(cases) <= FEW):
            yield _implies(one, equal[j])
            yield _implies(two, equal[j])
            initial = _is_initial(a.problem.fold, j)
            if initial is not None:
                yield _implies(two, ir.on_side(initial, 2))
                yield _implies(two, _negated(ir.on_side(initial, 2)))
                yield _implies(one, _negated(ir.on_side(initial, 2)))
                yield _implies(one, ir.on_side(initial, 2))
            for other in cases[j]:
                yield _implies(ir.And((two, ir.on_side(other, 1))), equal[j])
                if j != i:
                    yield _implies(two, ir.on_side(other, 2))


def _mined(a: Analysis) -> Iterator[Expr]:
    """Daikon-style candidates: order and equality between slots, and between a slot and its twin, null-ness
    implications. Concrete runs and Houdini drop the false ones."""
    fold = a.problem.fold
    kinds = [s.type.name for s in fold.slots]
    compared = [ir.slots_of(atom) for atom in atoms(a.spoken)]
    together = {slot for slots in compared if len(slots) > 1 for slot in slots}
    for i, kind in enumerate(kinds):
        one, two = ir.Slot(i, 1), ir.Slot(i, 2)
        yield _implies(ir.IsNull(one), ir.IsNull(two))
        yield _implies(ir.IsNull(two), ir.IsNull(one))
        for constant in _constants(fold, fold.step[i]):
            missed = ir.Or((ir.IsNull(one), ir.Same(one, constant)))
            yield _implies(ir.IsNull(two), missed)
            yield _implies(ir.Not(ir.Present(2)), missed)
        if kind not in ("bool", "list"):
            yield _known_order(">=", one, two)
            yield _known_order("<=", one, two)
            if isinstance(fold.init[i], ir.Lit) and not isinstance(fold.init[i].value, (str, type(None))):  # type: ignore[union-attr]
                for side, op in product(SIDES, (">=", "<=")):
                    yield ir.Compare(op, ir.Slot(i, side), fold.init[i], "sql")  # type: ignore[arg-type]
        for side in SIDES:
            s = ir.Slot(i, side)
            yield ir.Not(ir.IsNaN(s))
            for j, other in enumerate(kinds):
                if i != j:
                    t = ir.Slot(j, side)
                    yield _implies(ir.IsNull(s), ir.IsNull(t))
                    if _comparable(kind, other) and (j in a.depends[i] or i in a.depends[j] or {i, j} <= together):
                        yield _known_order(">=", s, t)


def _constants(fold: Fold, step: Expr) -> list[Expr]:
    """The constants that a step may leave in its slot, such as the 0 of ``sum(when(c, 1).otherwise(0))``, or of the sum
    of a column that holds nothing but 1 and 0."""
    leaves = [leaf for _, leaf in dataflow.branches(step)]
    for fact in fold.facts:
        for e in ir.walk(fact):
            if isinstance(e, ir.In) and e.operand in leaves and len(e.options) <= FEW:
                leaves += e.options
    return list(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, ir.Lit) and leaf.value is not None))


def _known_order(op: ir.CompareOp, left: Expr, right: Expr) -> Expr:
    return ir.Or((ir.IsNull(left), ir.IsNull(right), ir.Compare(op, left, right, "sql")))


def _comparable(a: str, b: str) -> bool:
    return a == b and a not in ("bool", "list", "any")


def _clause_atoms(a: Analysis, clause: Expr, equal: dict[int, Expr]) -> Iterator[Expr]:
    """A clause of P over several slots as one case: a disjunction may hold of the optimized run though none of its
    parts need do."""
    slots = ir.slots_of(clause)
    if len(slots) < 2 or any(isinstance(n, ir.Out) for n in ir.walk(clause)):
        return
    one, two = ir.on_side(clause, 1), ir.on_side(clause, 2)
    if a.problem.fold.grouped:
        yield _implies(ir.Present(2), two)
        yield _implies(one, ir.Present(2))
        yield _implies(ir.And((ir.Present(1), ir.Not(ir.Present(2)))), _negated(one))
    for i in slots:
        yield _implies(one, equal[i])
        yield _implies(two, equal[i])


def _cases(a: Analysis, slot: int, wide: bool) -> list[Expr]:
    """``C_i``: atomic comparisons of P on this slot or on one that may take over its value, null or not, at or beyond
    the initial value; and their negations. ``wide``: comparisons in f of what flows into the slot, too."""
    found: list[Expr] = [ir.IsNull(ir.Slot(slot))]
    if wide:
        found += _compared_flows(a, slot)
    takers = {slot, *(i for i, sources in enumerate(a.sources) if slot in sources)}
    if wide:
        takers |= set(_twins(a, slot))
    for atom in atoms(a.spoken):
        read = ir.slots_of(atom)
        if len(read) != 1 or not read <= takers or any(isinstance(n, ir.Out) for n in ir.walk(atom)):
            continue
        on_slot = ir.transform(atom, lambda n: ir.Slot(slot) if isinstance(n, ir.Slot) else None)
        found.append(on_slot)
        if isinstance(on_slot, ir.Compare) and on_slot.op == "==" and a.monotone[slot] != "none":
            found.append(ir.Compare(">=" if a.monotone[slot] == "grows" else "<=", on_slot.left, on_slot.right, "sql"))
    initial = a.problem.fold.init[slot]
    if isinstance(initial, ir.Lit) and initial.value is not None and a.monotone[slot] != "none":
        found.append(ir.Same(ir.Slot(slot), initial))
        if not isinstance(initial.value, (bool, str)):
            found.append(ir.Compare(">=" if a.monotone[slot] == "grows" else "<=", ir.Slot(slot), initial, "sql"))
    return list(dict.fromkeys([*found, *(_negated(f) for f in found)]))


def _compared_flows(a: Analysis, slot: int) -> Iterator[Expr]:
    """A flag itself, and what f compares the slot's row values with, as conditions on the slot."""
    if a.problem.fold.slots[slot].type.name == "bool":
        yield ir.Slot(slot)
    values = {flow.value for flow in a.flows[slot]}
    for change in dataflow.change_conditions(a.problem.fold):
        for atom in atoms(change):
            if isinstance(atom, ir.Compare) and atom.left in values and isinstance(atom.right, (ir.Lit, ir.Param)):
                yield ir.Compare(atom.op, ir.Slot(slot), atom.right, "sql")


def _twins(a: Analysis, slot: int) -> list[int]:
    """Other slots into which the same row values flow: a maximum kept twice, once from None and once from NaN."""
    values = {flow.value for flow in a.flows[slot]}
    return [i for i, into in enumerate(a.flows) if i != slot and values and {flow.value for flow in into} == values]


def _twin_atoms(a: Analysis) -> Iterator[Expr]:
    for i in range(len(a.flows)):
        for j in _twins(a, i):
            for side in SIDES if i < j else ():
                s, t = ir.Slot(i, side), ir.Slot(j, side)
                missing = ir.And((ir.Or((ir.IsNull(s), ir.IsNaN(s))), ir.Or((ir.IsNull(t), ir.IsNaN(t)))))
                yield ir.Or((missing, ir.Same(s, t)))


def _key_atoms(a: Analysis, slot: int, side: ir.Side) -> Iterator[Expr]:
    held = ir.Same(ir.Slot(slot, side), ir.Col(a.keys[slot]))
    yield _implies(ir.Present(side), held)
    yield ir.Or((ir.IsNull(ir.Slot(slot, side)), held))


def _where_keys_pass(a: Analysis, atom: Expr) -> Expr:
    """``atom`` for groups whose keys pass the conditions of P on keys alone: of the others the optimized run sees
    nothing, so that the two runs have nothing in common."""
    keys = [c for c in a.clauses if is_key_condition(a, c)]
    sides = {n.side for n in ir.walk(atom) if isinstance(n, (ir.Slot, ir.Present))}
    return _implies(ir.And(tuple(keys)), atom) if keys and sides == {1, 2} else atom


def _is_initial(fold: Fold, slot: int) -> Expr | None:
    initial = fold.init[slot]
    return ir.Same(ir.Slot(slot), initial) if isinstance(initial, (ir.Lit, ir.Param, ir.Col)) else None


def _negated(e: Expr) -> Expr:
    """Two-valued negation: atoms of ψ hold or do not."""
    return (
        e.operand if isinstance(e, ir.Not) and _two_valued(e.operand) else ir.Not(e if _two_valued(e) else ir.IsTrue(e))
    )


def _two_valued(e: Expr) -> bool:
    return isinstance(e, (ir.Same, ir.IsNull, ir.IsNaN, ir.IsTrue, ir.Present))


def _implies(condition: Expr, conclusion: Expr) -> Expr:
    return ir.Or((_refuted(condition), conclusion))


def _refuted(e: Expr) -> Expr:
    if isinstance(e, ir.And):
        return ir.Or(tuple(_refuted(o) for o in e.operands))
    return _negated(e)
