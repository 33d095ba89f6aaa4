"""Findings in words: messages, and the invariant for people."""

from __future__ import annotations

from headwater.rewrite.spell_sql import CannotSpell, sql_text
from headwater_ir.expr import (
    And,
    Call,
    Compare,
    CompareOp,
    Expr,
    IsNaN,
    IsNull,
    IsTrue,
    Not,
    Or,
    Param,
    Present,
    Same,
    Slot,
    conjuncts,
    slots_of,
)
from headwater_ir.problem import Fold
from headwater_ir.verdict import Kind

KIND_WORDS: dict[Kind, str] = {
    "exact": "the whole filter moves",
    "split": "a pre-filter is added and the filter after it weakened",
    "partial": "a pre-filter is added; the filter stays",
}
_OWNER = {0: "", 1: "the original's ", 2: "the optimized run's "}
_SIGNS: dict[CompareOp, str] = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
_OPPOSITE: dict[CompareOp, str] = {"==": "≠", "!=": "=", "<": "≥", "<=": ">", ">": "≤", ">=": "<"}


def boundary_label(operator: str, function: str | None) -> str:
    """``applyInPandas(top2)``, or ``agg`` where there is no function."""
    return f"{operator}({function})" if function else operator


def proved_message(prefilter: str, boundary: str, kind: Kind, ms: float) -> str:
    """The one sentence of HW101, HW102 and HW103."""
    return f"`{prefilter}` can run before `{boundary}`: {kind} pushdown, proved for every input ({seconds(ms)})"


def conditional_message(prefilter: str, boundary: str, facts: tuple[str, ...], ms: float) -> str:
    """The one sentence of HW104."""
    named = " and ".join(facts)
    return f"`{prefilter}` could run before `{boundary}` if {named}: proved under that condition ({seconds(ms)})"


def bounded_message(boundary: str, rows: int) -> str:
    """The one sentence of HW190."""
    return f"part of this filter may be able to run before `{boundary}`: no table of up to {rows} rows forbids it"


def seconds(ms: float) -> str:
    """A duration as people read it."""
    return f"{ms / 1000:.2f} s"


def formula(e: Expr, fold: Fold) -> str:
    """An atom of ψ as a formula: ``first1 ≥ 90 ⟹ first1 = first2``, where 1 is the original run and 2 the optimized."""
    premises, conclusion = _implication(e)
    if premises:
        return f"{' ∧ '.join(_plain(p, fold) for p in premises)} ⟹ {_plain(conclusion, fold)}"
    return _plain(e, fold)


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


def invariant_words(invariant: tuple[Expr, ...], fold: Fold) -> str:
    """ψ in words, one clause per atom; TRUE has nothing to say."""
    clauses = [_sentence(part, fold) for atom in invariant for part in conjuncts(atom)]
    return "; ".join(dict.fromkeys(clauses)) or "nothing needs to be remembered: each row stands for itself"


def _sentence(e: Expr, fold: Fold) -> str:
    premises, conclusion = _implication(e)
    if not premises:
        return _clause(e, fold)
    about = " and ".join(_clause(p, fold) for p in premises)
    agrees = _agreement(conclusion)
    mentioned = {n for p in premises for n in slots_of(p)}
    if agrees is not None and mentioned == {agrees}:
        return f"whenever {about}, both runs agree on it"
    return f"whenever {about}, {_clause(conclusion, fold)}"


def _implication(e: Expr) -> tuple[tuple[Expr, ...], Expr]:
    """``NOT p OR NOT q OR c`` as (p, q), c; no premises if ``e`` has another form."""
    if not isinstance(e, Or) or len(e.operands) < 2:
        return (), e
    *first, last = e.operands
    premises = [o.operand for o in first if isinstance(o, Not)]
    if len(premises) < len(first):
        return (), e
    inner, conclusion = _implication(last)
    return (*(c for p in premises for c in conjuncts(p)), *inner), conclusion


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
        case IsTrue(operand):
            return _clause(operand, fold)
        case Present(side):
            return f"{'the original' if side == 1 else 'the optimized run'} has seen a row of the group"
        case Not(Present(side)):
            return f"{'the original' if side == 1 else 'the optimized run'} has seen no row of the group"
        case IsNull(Slot() as slot) | IsNaN(Slot() as slot):
            return f"{_slot(slot, fold)} is {'missing' if isinstance(e, IsNull) else 'NaN'}"
        case Not(IsNull(Slot() as slot)):
            return f"{_slot(slot, fold)} is there"
        case Compare(op, Slot() as slot, other, _):
            return f"{_slot(slot, fold)} {_SIGNS[op]} {_term(other, fold)}"
        case Not(Compare(op, Slot() as slot, other, _)) | Not(IsTrue(Compare(op, Slot() as slot, other, _))):
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
