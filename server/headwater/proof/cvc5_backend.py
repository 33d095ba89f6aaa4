"""A second opinion: the same SMT-LIB 2 scripts, decided by cvc5 where it is installed."""

from __future__ import annotations

import importlib.util

from headwater_ir.verdict import ConditionStatus


def available() -> bool:
    """Whether the cvc5 package is installed."""
    return importlib.util.find_spec("cvc5") is not None


def prove(text: str, seconds: float) -> ConditionStatus:
    """Decide one script. ModuleNotFoundError if cvc5 is not installed."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(int(seconds * 1000)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "condition")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, parser.getSymbolManager())).strip() or answer
    return "proved" if answer == "unsat" else "failed" if answer == "sat" else "unknown"
