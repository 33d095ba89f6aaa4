"""Whether a Python expression over one row can raise, flow-sensitively: what a guard says holds behind it."""

from __future__ import annotations

from headwater_ir.expr import And, Arith, Call, Compare, Expr, If, Lit, Neg, Or, Raise, StringTest, children

from .tags import Analysis, Known, learnt


def cannot_raise(e: Expr, tags: Analysis, known: Known | None = None) -> bool:
    """Whether ``e`` yields a value wherever ``known`` holds; False in doubt."""
    known = known or {}
    match e:
        case Raise():
            return False
        case If(cond=cond, then=then, otherwise=otherwise):
            branches = ((then, learnt(cond, True, known)), (otherwise, learnt(cond, False, known)))
            return cannot_raise(cond, tags, known) and all(cannot_raise(b, tags, k) for b, k in branches)
        case And(operands=operands) | Or(operands=operands):
            for o in operands:
                if not cannot_raise(o, tags, known):
                    return False
                known = learnt(o, isinstance(e, And), known)
            return True
    return all(cannot_raise(c, tags, known) for c in children(e)) and _applies(e, tags, known)


def _applies(e: Expr, tags: Analysis, known: Known) -> bool:
    """Whether the operation itself is defined on what its operands can be."""
    match e:
        case Compare(op=op, dialect="python") if op not in ("==", "!="):
            pass
        case Arith(op=op, right=right) if op not in ("+", "-", "*"):
            if op == "**" or not (isinstance(right, Lit) and right.value):
                return False
        case Arith() | Neg() | StringTest():
            pass
        case Call(total=total):
            return total
        case _:
            return True
    return not any("none" in tags.of(c, known) for c in children(e))
