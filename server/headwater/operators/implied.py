"""What a disjunction implies, where it does not pass as a whole.

Law: ``(A ∧ B) ∨ (C ∧ D) ⟹ A ∨ C``; so where ``A ∨ C`` passes an operator, ``σ_P(op(d)) = σ_P(op(σ_{A ∨ C}(d)))``, and
the filter stays.
Condition: each disjunct has a conjunct that passes to the same input; none of those may raise, for they are asked of
rows of which what stands before them is not TRUE.
Why sound: a filter passes a row of which P is TRUE, so some disjunct is, and each conjunct of it. Spark extracts such
conditions for inner joins and partition columns only (facts, section E 12).
Counterexample without the condition: ``(rn = 1 AND k = 1) OR rn = 2`` implies nothing of k.
Reference: facts, section C *win-disj*, *left-disj*, *left-disj-right*; THEORY.md section 5: OR moves only as a whole.
"""

from __future__ import annotations

from collections.abc import Callable

from headwater_ir.expr import Expr, Or, conjoin, conjuncts, disjoin

from .outcome import Down


def implied(predicate: Expr, passing: Callable[[Expr], tuple[Down, ...]]) -> tuple[Down, ...]:
    """What ``predicate`` implies below an operator; ``passing``: what of a condition passes it, if anything does."""
    if not isinstance(predicate, Or) or predicate.dialect != "sql":
        return ()
    options = [[(part, passing(part)) for part in conjuncts(o)] for o in predicate.operands]
    children = {id(d.child): None for _, downs in options[0] for d in downs}
    found: list[Down] = []
    for child in children:
        kept = [[part for part, downs in option if any(id(d.child) == child for d in downs)] for option in options]
        if all(kept):
            weaker = disjoin([conjoin(parts) for parts in kept])
            found += [d for d in passing(weaker) if id(d.child) == child]
    return tuple(found)
