"""``U_G``: conditions on the row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold
from headwater_ir.types import may_hold_nan

from .. import dataflow
from ..normal_form import negate, push_not, simplify, tests_missing, without_nan_tests
from .analysis import Analysis

MAX_SUBSTITUTIONS = 12
MAX_CHANGES = 4
"""A branch may change the state in a way that P never sees, such as adding 0; then one of the others is enough."""


def prefilter_universe(a: Analysis) -> tuple[Expr, ...]:
    """``U_G``: conditions over the row, strongest combinations arise as conjunctions."""
    fold = a.problem.fold
    telling = [c for c in a.clauses if not tests_missing(c)]
    substituted = [_substitutions(a, clause) for clause in telling]
    monotone = [s for s, clause in zip(substituted, telling, strict=True) if _only_monotone(a, clause)]
    changes = dataflow.change_conditions(fold)
    p_atoms = [s for group in substituted for s in group]
    found: list[Expr] = [c for c in a.clauses if is_key_condition(a, c)]
    found += p_atoms
    found += [ir.Or(tuple(s for group in monotone for s in group))]
    found += [ir.Or(tuple(p_atoms)), ir.Or(changes), ir.Or((*p_atoms, *changes))]
    found += [ir.Or((*(s for group in monotone for s in group), *changes))]
    found += changes[:MAX_CHANGES]
    found += [ir.Or((*group, *changes)) for group in substituted if group]
    found += [ir.Or((*_guarded(substituted), *more)) for more in ((), changes)]
    found += [ir.Or((*_guarded(monotone), *more)) for more in ((), changes)]
    found += [s for c in a.clauses if c not in telling for s in _substitutions(a, c)]
    found += [ir.Or((*_deciding(a), *more)) for more in ((), changes)]
    found += [ir.Not(test(ir.Col(c))) for c in _read_columns(fold) for test in (ir.IsNull, ir.IsNaN)]
    conditions = [c for f in found for c in ir.conjuncts(push_not(typed(fold, f)))]
    usable = [t for t in conditions if t not in (ir.TRUE, ir.FALSE) and ir.columns_of(t) and _sayable(t)]
    widened = [typed(fold, w) for t in usable for w in _with_nan(fold, t)]
    usable += [w for w in widened if w not in (ir.TRUE, ir.FALSE)]
    return tuple(dict.fromkeys(w for t in usable for w in (t, without_nan_tests(t))))


def is_key_condition(a: Analysis, clause: Expr) -> bool:
    """Whether the clause reads key columns and nothing else."""
    outside = any(isinstance(n, (ir.Slot, ir.Out)) for n in ir.walk(clause))
    return not outside and bool(ir.columns_of(clause)) and ir.columns_of(clause) <= set(a.problem.fold.keys)


def _substitutions(a: Analysis, clause: Expr) -> list[Expr]:
    """The clause with every slot replaced by row values that flow into it, plainly and guarded by where they flow."""
    slots = sorted(ir.slots_of(clause))
    choices = [a.flows[i] for i in slots]
    if not slots or any(not c for c in choices):
        return []
    clause = ir.transform(clause, lambda n: _relaxed(a, n))
    guarded: list[Expr] = []
    plain: list[Expr] = []
    for picked in list(product(*choices))[:MAX_SUBSTITUTIONS]:
        by_slot = dict(zip(slots, picked, strict=True))
        said = ir.transform(clause, lambda n: by_slot[n.index].value if isinstance(n, ir.Slot) else None)  # noqa: B023
        plain.append(said)
        guarded.append(simplify(ir.And((*(f.condition for f in picked), said))))
    if len(plain) == 1:
        return [plain[0]] if guarded[0] == plain[0] else [plain[0], guarded[0]]
    return [ir.Or(tuple(plain)), ir.Or(tuple(guarded))]


def _deciding(a: Analysis) -> list[Expr]:
    """For every clause the rows that may decide it: those that satisfy it, or those that break it for good, where a
    slot that only grows is bounded from above, one that only shrinks from below, or one must be missing."""
    found: list[Expr] = []
    for clause in a.clauses:
        found += _substitutions(a, negate(clause) if _may_break(a, clause) else clause)
    return found


def _may_break(a: Analysis, clause: Expr) -> bool:
    match clause:
        case ir.Compare("<" | "<=", ir.Slot(i)):
            return a.monotone[i] == "grows"
        case ir.Compare(">" | ">=", ir.Slot(i)):
            return a.monotone[i] == "shrinks"
        case ir.IsNull(ir.Slot()):
            return True
        case _:
            return False


def _guarded(groups: list[list[Expr]]) -> list[Expr]:
    """Of every clause the substitution that says where the values flow, which is the stronger one."""
    return [group[-1] for group in groups if group]


def _relaxed(a: Analysis, n: Expr) -> Expr | None:
    """An equality on a slot that only grows becomes ``≥``, on one that only shrinks ``≤``."""
    match n:
        case ir.Compare("==", ir.Slot(slot), right, dialect) if a.monotone[slot] != "none":
            return ir.Compare(">=" if a.monotone[slot] == "grows" else "<=", n.left, right, dialect)
        case _:
            return None


def _only_monotone(a: Analysis, clause: Expr) -> bool:
    slots = ir.slots_of(clause)
    return bool(slots) and all(a.monotone[s] != "none" for s in slots)


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
    floats = _floats(fold)

    def narrowed(n: Expr) -> Expr | None:
        if not isinstance(n, ir.Compare) or n.op in ("<", "<="):
            return None
        sides = [s for s in (n.left, n.right) if ir.columns_of(s) & floats]
        return ir.And((n, *(ir.Not(ir.IsNaN(s)) for s in sides))) if sides else None

    precise = simplify(ir.transform(e, narrowed))
    if precise != e:
        yield from ir.conjuncts(precise)
    for same in (explicit_nan(fold, e), keeping_nan(fold, e)):
        if same is not None:
            yield same


def explicit_nan(fold: Fold, e: Expr) -> Expr | None:
    """``e`` with NaN made explicit, so that no source evaluates it and loses NaN rows: ``x > 1 OR isnan(x)``,
    ``x < 1 AND NOT isnan(x)``. None if it has nothing to spell out, or does so already."""
    floats = _floats(fold)
    if any(isinstance(n, ir.IsNaN) for n in ir.walk(e)):
        return None

    def spelled(n: Expr) -> Expr | None:
        match n:
            case ir.Compare(op, ir.Col(name) as column, ir.Lit(), "sql") if name in floats:
                nan = ir.IsNaN(column)
                return ir.Or((n, nan)) if op in (">", ">=", "!=") else ir.And((n, ir.Not(nan)))
            case _:
                return None

    found = simplify(ir.transform(e, spelled))
    return found if found != e else None


def keeping_nan(fold: Fold, e: Expr) -> Expr | None:
    """``e``, or a column that it compares is NaN; None where it says already what becomes of NaN, or has none."""
    compared = {n for c in ir.walk(e) if isinstance(c, ir.Compare) for n in ir.columns_of(c)} & _floats(fold)
    if not compared or any(isinstance(n, ir.IsNaN) for n in ir.walk(e)):
        return None
    return simplify(ir.Or((e, *(ir.IsNaN(ir.Col(c)) for c in sorted(compared)))))


def _floats(fold: Fold) -> set[str]:
    return {c.name for c in fold.columns if may_hold_nan(c.type) and not c.ghost}


def _sayable(e: Expr) -> bool:
    return not any(isinstance(n, (ir.Call, ir.Raise, ir.Truthy, ir.Slot, ir.Out)) for n in ir.walk(e))
