"""The three universes of atoms (THEORY.md section 3): ``U_G``, ``U_R``, ``U_ψ``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold, FoldProblem
from headwater_ir.types import may_hold_nan

from . import dataflow
from .dataflow import Flow
from .monotone import Direction, directions
from .normal_form import atoms, cnf, push_not, simplify, stripped, tests_missing

MAX_SUBSTITUTIONS = 12
MAX_CHANGES = 4
"""A branch may change the state in a way that P never sees, such as adding 0; then one of the others is enough."""
SIDES: tuple[ir.Side, ...] = (1, 2)


@dataclass(frozen=True)
class Analysis:
    """Data-flow facts about a problem that the universes are built from. ``spoken`` is P as SQL would say it, for a
    filter over an RDD is Python."""

    problem: FoldProblem
    spoken: Expr
    clauses: tuple[Expr, ...]
    flows: tuple[tuple[Flow, ...], ...]
    depends: tuple[frozenset[int], ...]
    monotone: tuple[Direction, ...]
    slot_of: dict[str, int | None]

    @staticmethod
    def of(problem: FoldProblem) -> Analysis:
        """Analyse ``problem``."""
        fold = problem.fold
        spoken = dataflow.in_sql(problem.predicate) or problem.predicate
        return Analysis(
            problem,
            spoken,
            cnf(spoken),
            tuple(map(tuple, dataflow.slot_flows(fold))),
            tuple(dataflow.dependencies(fold)),
            directions(fold),
            {o.name: dataflow.slot_of_output(o.value) for o in fold.outputs},
        )


def prefilter_universe(a: Analysis) -> tuple[Expr, ...]:
    """``U_G``: conditions over the row, strongest combinations arise as conjunctions."""
    fold = a.problem.fold
    telling = [c for c in a.clauses if not tests_missing(c)]
    substituted = [_substitutions(a, clause) for clause in telling]
    monotone = [s for s, clause in zip(substituted, telling, strict=True) if _only_monotone(a, clause)]
    changes = dataflow.change_conditions(fold)
    p_atoms = [s for group in substituted for s in group]
    found: list[Expr] = [key for clause in a.clauses if (key := _key_condition(a, clause)) is not None]
    found += p_atoms
    found += [ir.Or(tuple(s for group in monotone for s in group))]
    found += [ir.Or(tuple(p_atoms)), ir.Or(changes), ir.Or((*p_atoms, *changes))]
    found += [ir.Or((*(s for group in monotone for s in group), *changes))]
    found += changes[:MAX_CHANGES]
    found += [ir.Or((*group, *changes)) for group in substituted if group]
    found += [ir.Or((*_guarded(substituted), *more)) for more in ((), changes)]
    found += [ir.Or((*_guarded(monotone), *more)) for more in ((), changes)]
    found += [s for c in a.clauses if c not in telling for s in _substitutions(a, c)]
    found += [ir.Not(ir.IsNull(ir.Col(c))) for c in _read_columns(fold)]
    conditions = [c for f in found for c in ir.conjuncts(push_not(typed(fold, f)))]
    usable = [t for t in conditions if t not in (ir.TRUE, ir.FALSE) and ir.columns_of(t) and _sayable(t)]
    widened = [typed(fold, w) for t in usable for w in _with_nan(fold, t)]
    usable += [w for w in widened if w not in (ir.TRUE, ir.FALSE)]
    return tuple(dict.fromkeys(w for t in usable for w in (t, stripped(t))))


def _key_condition(a: Analysis, clause: Expr) -> Expr | None:
    """The clause over key columns, if it reads nothing else."""
    fold = a.problem.fold
    values = {o.name: dataflow.in_sql(o.value) for o in fold.outputs if o.name in ir.outputs_of(clause)}
    if not values or any(
        v is None or not ir.columns_of(v) or not ir.columns_of(v) <= set(fold.keys) for v in values.values()
    ):
        return None
    return ir.transform(clause, lambda n: values[n.name] if isinstance(n, ir.Out) else None)


def _substitutions(a: Analysis, clause: Expr) -> list[Expr]:
    """The clause with every output replaced by row values that flow into it, plainly and guarded by where they flow."""
    if _key_condition(a, clause) is not None:
        return []
    names = sorted(ir.outputs_of(clause))
    fold = a.problem.fold
    choices = [dataflow.output_flows(fold, fold.output(n).value, [list(f) for f in a.flows]) for n in names]
    if not names or any(not c for c in choices):
        return []
    clause = ir.transform(clause, lambda n: _relaxed(a, n))
    guarded: list[Expr] = []
    plain: list[Expr] = []
    for picked in list(product(*choices))[:MAX_SUBSTITUTIONS]:
        by_name = dict(zip(names, picked, strict=True))
        said = ir.transform(clause, lambda n: by_name[n.name].value if isinstance(n, ir.Out) else None)  # noqa: B023
        plain.append(said)
        guarded.append(simplify(ir.And((*(f.condition for f in picked), said))))
    if len(plain) == 1:
        return [plain[0]] if guarded[0] == plain[0] else [plain[0], guarded[0]]
    return [ir.Or(tuple(plain)), ir.Or(tuple(guarded))]


def _guarded(groups: list[list[Expr]]) -> list[Expr]:
    """Of every clause the substitution that says where the values flow, which is the stronger one."""
    return [group[-1] for group in groups if group]


def _relaxed(a: Analysis, n: Expr) -> Expr | None:
    """An equality on a slot that only grows becomes ``≥``, on one that only shrinks ``≤``."""
    if isinstance(n, ir.Compare) and n.op == "==" and isinstance(n.left, ir.Out):
        slot = a.slot_of.get(n.left.name)
        if slot is not None and a.monotone[slot] != "none":
            return ir.Compare(">=" if a.monotone[slot] == "grows" else "<=", n.left, n.right, n.dialect)
    return None


def _only_monotone(a: Analysis, clause: Expr) -> bool:
    slots = [a.slot_of.get(n) for n in ir.outputs_of(clause)]
    return bool(slots) and all(s is not None and a.monotone[s] != "none" for s in slots)


def _read_columns(fold: Fold) -> list[str]:
    read = set().union(*(ir.columns_of(e) for e in fold.step)) if fold.step else set()
    return [c.name for c in fold.columns if c.name in read and not c.ghost and not c.is_key]


def typed(fold: Fold, e: Expr) -> Expr:
    """``e`` simplified, with tests for NULL and NaN decided where types or facts decide them, and a column not compared
    with itself."""
    floats = {c.name for c in fold.columns if may_hold_nan(c.type)}
    facts = {c for fact in fold.facts for c in ir.conjuncts(fact)}

    def visit(n: Expr) -> Expr | None:
        match n:
            case ir.IsNaN() if not ir.columns_of(n) & floats:
                return ir.FALSE
            case ir.IsNaN() | ir.IsNull() if ir.Not(n) in facts:
                return ir.FALSE
            case ir.Compare(op, ir.Col() as left, right, "sql") if left == right:
                return ir.Not(ir.IsNull(left)) if op in ("==", "<=", ">=") else ir.FALSE
            case _:
                return None

    return simplify(ir.transform(e, visit))


def _with_nan(fold: Fold, e: Expr) -> Iterator[Expr]:
    """``e`` widened and narrowed on NaN: Spark's ``>`` keeps NaN, Python's drops it, a Parquet scan may lose it."""
    floats = {c.name for c in fold.columns if may_hold_nan(c.type) and not c.ghost}

    def narrowed(n: Expr) -> Expr | None:
        if not isinstance(n, ir.Compare) or n.op in ("<", "<="):
            return None
        sides = [s for s in (n.left, n.right) if ir.columns_of(s) & floats]
        return ir.And((n, *(ir.Not(ir.IsNaN(s)) for s in sides))) if sides else None

    precise = simplify(ir.transform(e, narrowed))
    if precise != e:
        yield from ir.conjuncts(precise)
    compared = sorted({n for c in ir.walk(e) if isinstance(c, ir.Compare) for n in ir.columns_of(c)} & floats)
    if compared and not any(isinstance(n, ir.IsNaN) for n in ir.walk(e)):
        yield simplify(ir.Or((e, *(ir.IsNaN(ir.Col(c)) for c in compared))))


def _sayable(e: Expr) -> bool:
    return not any(isinstance(n, (ir.Call, ir.Raise, ir.Truthy, ir.Slot, ir.Out)) for n in ir.walk(e))


def residual_universe(a: Analysis) -> tuple[Expr, ...]:
    """``U_R``: null tests first (they are the weaker), then what differs from the initial output, then P's
    conjuncts."""
    fold = a.problem.fold
    conjuncts = ir.conjuncts(a.spoken)
    read = sorted(set().union(*(ir.outputs_of(c) for c in conjuncts))) if conjuncts else []
    found: list[Expr] = [ir.Not(ir.IsNull(ir.Out(n))) for n in read]
    for name in read:
        slot = a.slot_of.get(name)
        if slot is not None and isinstance(fold.init[slot], ir.Lit) and fold.init[slot].value is not None:  # type: ignore[union-attr]
            found.append(ir.Compare("!=", ir.Out(name), fold.init[slot], "sql"))
    for conjunct in conjuncts:
        found.append(conjunct)
        for name in sorted(ir.outputs_of(conjunct)):
            null = ir.IsNull(ir.Out(name))
            found += [ir.Or((ir.Not(null), conjunct)), ir.Or((null, conjunct))]
    found += a.clauses
    return tuple(dict.fromkeys(found))


def invariant_universe(a: Analysis, minimum: Expr) -> tuple[Expr, ...]:
    """``U_ψ``. ``minimum`` is ``ψ_min``."""
    slots = range(len(a.problem.fold.slots))
    found: list[Expr] = [minimum]
    equal: dict[int, Expr] = {i: ir.Same(ir.Slot(i, 1), ir.Slot(i, 2)) for i in slots}
    found += equal.values()
    cases = {i: _cases(a, i) for i in slots}
    p1, p2 = ir.Present(1), ir.Present(2)
    if a.problem.fold.grouped:
        found += [_implies(ir.Not(p1), ir.Not(p2)), _implies(p1, p2)]
        found += [_implies(p2, key) for clause in a.clauses if (key := _key_condition(a, clause)) is not None]
    for i in slots:
        initial = [e for e in (_is_initial(a.problem.fold, i),) if e is not None]
        if a.problem.fold.grouped:
            found += [_implies(ir.And((p1, p2)), equal[i])]
            found += [_implies(ir.And((p1, ir.Not(p2))), ir.on_side(e, 1)) for e in initial]
        for case in cases[i]:
            one, two = ir.on_side(case, 1), ir.on_side(case, 2)
            found += _case_atoms(a, i, one, two, cases, equal)
            if a.problem.fold.grouped:
                found += [
                    _implies(ir.And((p1, one)), ir.And((p2, equal[i]))),
                    _implies(ir.And((p1, ir.Not(p2))), _negated(one)),
                ]
                found += [_implies(one, p2), _implies(two, p1), _implies(p1, one), _implies(p2, two)]
    found += _mined(a)
    return tuple(dict.fromkeys(simplify(f) for f in found))


def _case_atoms(
    a: Analysis, i: int, one: Expr, two: Expr, cases: dict[int, list[Expr]], equal: dict[int, Expr]
) -> Iterator[Expr]:
    yield _negated(one)
    yield _negated(two)
    for j in cases:
        if i in a.depends[j] or j in a.depends[i]:
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
    compared = [ir.outputs_of(atom) for atom in atoms(a.spoken)]
    together = {a.slot_of.get(name) for names in compared if len(names) > 1 for name in names}
    for i, kind in enumerate(kinds):
        one, two = ir.Slot(i, 1), ir.Slot(i, 2)
        yield _implies(ir.IsNull(one), ir.IsNull(two))
        yield _implies(ir.IsNull(two), ir.IsNull(one))
        for constant in _constants(fold.step[i]):
            missed = ir.Or((ir.IsNull(one), ir.Same(one, constant)))
            yield _implies(ir.IsNull(two), missed)
            yield _implies(ir.Not(ir.Present(2)), missed)
        if kind not in ("bool", "list"):
            yield _known_order(">=", one, two)
            yield _known_order("<=", one, two)
        for side in SIDES:
            s = ir.Slot(i, side)
            yield ir.Not(ir.IsNaN(s))
            for j, other in enumerate(kinds):
                if i != j:
                    t = ir.Slot(j, side)
                    yield _implies(ir.IsNull(s), ir.IsNull(t))
                    if _comparable(kind, other) and (j in a.depends[i] or i in a.depends[j] or {i, j} <= together):
                        yield _known_order(">=", s, t)


def _constants(step: Expr) -> list[Expr]:
    """The constants that a step may leave in its slot, such as the 0 of ``sum(when(c, 1).otherwise(0))``."""
    leaves = [leaf for _, leaf in dataflow.branches(step)]
    return list(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, ir.Lit) and leaf.value is not None))


def _known_order(op: ir.CompareOp, left: Expr, right: Expr) -> Expr:
    return ir.Or((ir.IsNull(left), ir.IsNull(right), ir.Compare(op, left, right, "sql")))


def _comparable(a: str, b: str) -> bool:
    return a == b and a not in ("bool", "list", "any")


def _cases(a: Analysis, slot: int) -> list[Expr]:
    """``C_i``: atomic comparisons of P on this slot, null or not, at or beyond the initial value; and their
    negations."""
    found: list[Expr] = [ir.IsNull(ir.Slot(slot))]
    for atom in atoms(a.spoken):
        names = ir.outputs_of(atom)
        if names and all(a.slot_of.get(n) == slot for n in names):
            on_slot = ir.transform(atom, lambda n: ir.Slot(slot) if isinstance(n, ir.Out) else None)
            found.append(on_slot)
            if isinstance(on_slot, ir.Compare) and on_slot.op == "==" and a.monotone[slot] != "none":
                found.append(
                    ir.Compare(">=" if a.monotone[slot] == "grows" else "<=", on_slot.left, on_slot.right, "sql")
                )
    initial = a.problem.fold.init[slot]
    if isinstance(initial, ir.Lit) and initial.value is not None and a.monotone[slot] != "none":
        found.append(ir.Same(ir.Slot(slot), initial))
        if not isinstance(initial.value, (bool, str)):
            found.append(ir.Compare(">=" if a.monotone[slot] == "grows" else "<=", ir.Slot(slot), initial, "sql"))
    return list(dict.fromkeys([*found, *(_negated(f) for f in found)]))


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
