"""Every lemma about crossings holds for both solvers, and none without one of its claims."""

from __future__ import annotations

import pytest
import z3

from headwater.proof import cvc5_backend
from headwater.proof.crossings.laws import lemmas
from headwater.proof.smtlib import Printer

NAMES = [lemma.name for lemma in lemmas()]


@pytest.mark.parametrize("name", NAMES)
def test_a_lemma_holds_and_needs_each_claim(name: str) -> None:
    lemma = next(found for found in lemmas() if found.name == name)
    text = Printer().script(lemma.assertions())
    solver = z3.Solver()
    solver.from_string(_declared(text))
    assert solver.check() == z3.unsat
    assert cvc5_backend.prove(_declared(text), 20) == "proved"
    for claim in lemma.premises:
        weaker = z3.Solver()
        weaker.add(*lemma.assertions(without=claim))
        assert weaker.check() == z3.sat, claim


def _declared(text: str) -> str:
    """The printer knows no sorts but Z3's own."""
    sorts = "\n".join(f"(declare-sort {name} 0)" for name in ("Row", "Out", "Key"))
    return text.replace("(set-logic ALL)", f"(set-logic ALL)\n{sorts}")
