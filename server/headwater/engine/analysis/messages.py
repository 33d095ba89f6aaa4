"""Findings in words: messages, and the invariant for people."""

from __future__ import annotations

from headwater.engine.report.report import Status
from headwater.rewrite.spell_sql import CannotSpell, spell_sql, sql_text
from headwater.rules.registry import RULES
from headwater.rules.rule import Wording
from headwater_ir.crossing import Path, name_of
from headwater_ir.expr import (
    And,
    Call,
    Compare,
    CompareOp,
    Expr,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Not,
    Or,
    Param,
    Present,
    Same,
    Slot,
    conjuncts,
    slots_of,
    transform,
    walk,
)
from headwater_ir.problem import Fold
from headwater_ir.verdict import Certificate, Kind

_KIND_WORDS: dict[Wording, dict[Kind, str]] = {
    "prefilter": {
        "exact": "the whole filter moves",
        "split": "a pre-filter is added and the filter after it weakened",
        "partial": "a pre-filter is added; the filter stays",
    },
    "replacement": {
        "exact": "a native condition takes the place of the whole filter",
        "split": "a native condition takes the place of the function",
        "partial": "a native condition goes in front; the filter stays",
    },
}
_OWNER = {0: "", 1: "the original's ", 2: "the optimized run's "}
_SIGNS: dict[CompareOp, str] = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
_OPPOSITE: dict[CompareOp, str] = {"==": "≠", "!=": "=", "<": "≥", "<=": ">", ">": "≤", ">=": "<"}


STATUS_WORDS: dict[Status, str] = {
    "verified": "proved for every input that the original program runs on",
    "assumed": "proved for the inputs of which the assumptions are true",
    "bounded": "not proved: the quick check on small tables found nothing against it",
}


def kind_words(code: str, kind: Kind) -> str:
    """What a rewrite of this kind does, in words."""
    return _KIND_WORDS[RULES[code].wording][kind]


def formula(e: Expr, fold: Fold) -> str:
    """An atom of ψ as a formula: ``first1 ≥ 90 ⟹ first1 = first2``, where 1 is the original run and 2 the optimized."""
    premises, conclusion = _implication(_tidy(e))
    if premises:
        return f"{' ∧ '.join(_plain(p, fold) for p in premises)} ⟹ {_plain(conclusion, fold)}"
    return _plain(conclusion, fold)


def _plain(e: Expr, fold: Fold) -> str:
    def leaf(node: Expr) -> str | None:
        match node:
            case Slot(index, side):
                return fold.slots[index].name + (str(side) if side else "")
            case Present(side):
                return f"present{side or ''}"
            case Param(name):
                return name
            case Call(name, args):
                return f"{name}({', '.join(_plain(a, fold) for a in args)})"
            case _:
                return None

    try:
        return sql_text(e, leaf).replace(" <=> ", " = ")
    except CannotSpell:
        return "…"


def path_of(certificate: object) -> Path | None:
    """The way from the filter to the boundary that ``certificate`` proves, if it speaks of one."""
    return certificate.path if isinstance(certificate, Certificate) else None


def way(path: Path | None) -> tuple[tuple[str, str, str], ...]:
    """Each operator that a filter passes on its way to the boundary, with the condition before and after it."""
    if path is None:
        return ()
    return tuple((name_of(c), _condition(c.before), _condition(c.after)) for c in path.crossings[1:])


def _condition(e: Expr) -> str:
    return spell_sql(e) or "…"


GIST = 3
"""How many clauses people read; the rest is there for whoever asks for the formulas."""


def invariant_words(invariant: tuple[Expr, ...], fold: Fold) -> str:
    """The gist of ψ in words: on what both runs agree, and when."""
    atoms = [part for atom in invariant for part in conjuncts(_tidy(atom))]
    if not atoms:
        return "each row stands for itself: there is nothing to remember between rows"
    told: list[Expr] = []
    for atom in sorted(atoms, key=_rank):
        if len(told) < GIST and not any(_covers(earlier, atom) for earlier in told):
            told.append(atom)
    rest = len(atoms) - len(told)
    more = f"; and {rest} more" if rest > 0 else ""
    return "; ".join(_sentence(atom, fold) for atom in told) + more


def _covers(a: Expr, b: Expr) -> bool:
    """Whether ``b`` says nothing that ``a`` does not: the same conclusion under more premises."""
    (few, same), (many, conclusion) = _implication(a), _implication(b)
    return same == conclusion and set(few) <= set(many)


def _tidy(e: Expr) -> Expr:
    """``e`` for the reader: ``x <=> NULL`` is ``x IS NULL``, and a condition "is TRUE" when it holds."""

    def leaf(node: Expr) -> Expr | None:
        match node:
            case IsTrue(operand):
                return _tidy(operand)
            case Same(operand, Lit(None)):
                return IsNull(_tidy(operand))
            case _:
                return None

    return transform(e, leaf)


def _rank(e: Expr) -> int:
    """What says most comes first: agreement on a condition of the original, agreement, bounds, and then the rest."""
    premises, conclusion = _implication(e)
    if _agreement(conclusion) is not None:
        compared = [p for p in premises if isinstance(p, Compare)]
        original = all(n.side == 1 for p in premises for n in walk(p) if isinstance(n, Slot))
        return 0 if compared and original and len(premises) == 1 else 1 if original else 2
    if isinstance(e, Compare) and isinstance(e.left, Slot):
        return 3
    return 4 if premises else 5


def _sentence(e: Expr, fold: Fold) -> str:
    premises, conclusion = _implication(e)
    if not premises:
        return _clause(e, fold)
    about = " and ".join(_clause(p, fold) for p in premises)
    agrees = _agreement(conclusion)
    if agrees is not None and {n for p in premises for n in slots_of(p)} == {agrees}:
        return f"whenever {about}, both runs agree on it"
    return f"whenever {about}, {_clause(conclusion, fold)}"


def _implication(e: Expr) -> tuple[tuple[Expr, ...], Expr]:
    """``NOT p OR NOT q OR c`` as (p, q), c; no premises if ``e`` has another form. ``x IS NULL`` is the denial of
    ``x IS NOT NULL``, and where the conclusion is that the runs agree, any other case is a premise by its denial."""
    if not isinstance(e, Or) or len(e.operands) < 2:
        return (), e
    flat = [o for operand in e.operands for o in (operand.operands if isinstance(operand, Or) else (operand,))]
    conclusions = (
        [o for o in flat if _agreement(o) is not None] or [o for o in flat if _denied(o) is None] or [flat[-1]]
    )
    if len(conclusions) > 1:
        return (), e
    rest = [o for o in flat if o is not conclusions[0]]
    premises = tuple(d if (d := _denied(o)) is not None else Not(o) for o in rest)
    return tuple(c for p in premises for c in conjuncts(p)), conclusions[0]


def _denied(e: Expr) -> Expr | None:
    """What ``e`` denies, if it is a denial."""
    if isinstance(e, Not):
        return e.operand
    return Not(e) if isinstance(e, IsNull) else None


def _agreement(e: Expr) -> int | None:
    """The slot on which both runs agree, if that is what ``e`` says."""
    match e:
        case Same(Slot(i, a), Slot(j, b)) if i == j and {a, b} == {1, 2}:
            return i
        case Compare("==", Slot(i, a), Slot(j, b), _) if i == j and {a, b} == {1, 2}:
            return i
        case _:
            return None


def _clause(e: Expr, fold: Fold) -> str:
    agreed = _agreement(e)
    if agreed is not None:
        return f"both runs agree on `{fold.slots[agreed].name}`"
    match e:
        case Present(side):
            return f"{'the original' if side == 1 else 'the optimized run'} has seen a row of the group"
        case Not(Present(side)):
            return f"{'the original' if side == 1 else 'the optimized run'} has seen no row of the group"
        case Not(IsNaN(Slot() as slot)):
            return f"{_slot(slot, fold)} is not NaN"
        case Same(Slot() as slot, other):
            return f"{_slot(slot, fold)} = {_term(other, fold)}"
        case Not(Same(Slot() as slot, other)):
            return f"{_slot(slot, fold)} ≠ {_term(other, fold)}"
        case IsNull(Slot() as slot) | IsNaN(Slot() as slot):
            return f"{_slot(slot, fold)} is {'missing' if isinstance(e, IsNull) else 'NaN'}"
        case Not(IsNull(Slot() as slot)):
            return f"{_slot(slot, fold)} is there"
        case Compare(op, Slot() as slot, other, _):
            return f"{_slot(slot, fold)} {_SIGNS[op]} {_term(other, fold)}"
        case Not(Compare(op, Slot() as slot, other, _)):
            return f"{_slot(slot, fold)} {_OPPOSITE[op]} {_term(other, fold)} or missing"
        case And(operands) if operands:
            return " and ".join(_clause(o, fold) for o in operands)
        case Or(operands) if len(operands) > 1:
            return " or ".join(_sentence(o, fold) for o in operands)
        case _:
            return f"`{_plain(e, fold)}`"


def _slot(slot: Slot, fold: Fold) -> str:
    return f"{_OWNER[slot.side]}`{fold.slots[slot.index].name}`"


def _term(e: Expr, fold: Fold) -> str:
    return _slot(e, fold) if isinstance(e, Slot) else _plain(e, fold)
