"""What was proved before, by fold problem: an edit elsewhere in the file, or in another one, proves nothing twice."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from headwater.engine.analysis.digests import digest
from headwater.engine.analysis.solver import Solver
from headwater.engine.files.cache import Entries, default_directory
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved, Refuted, Unknown, Unsupported, Verdict

HELD = 4000
"""Verdicts kept in memory, the latest used."""
Final = Union[Proved, Refuted, Unsupported]
"""Verdicts that more time would not change."""


@dataclass(frozen=True)
class Remembered:
    """A verdict as it is stored."""

    verdict: Final


def _is_of(verdict: Final, problem: FoldProblem) -> bool:
    """Whether a proof is one of this very problem: whatever stands on the disk, nothing else passes for it."""
    return not isinstance(verdict, Proved) or digest(verdict.certificate.problem) == digest(problem)


class Verdicts:
    """Verdicts in memory and on disk. The key is the problem and ``seconds``, the limit under which it was solved: with
    more time the search may find a stronger pre-filter."""

    def __init__(self, directory: Path | None, seconds: float) -> None:
        self._entries = Entries((directory or default_directory()) / "verdicts")
        self._seconds = seconds
        self._held: OrderedDict[str, Final] = OrderedDict()
        self._guesses: dict[str, Verdict] = {}

    def known(self, problem: FoldProblem) -> Final | None:
        """The verdict of an earlier run."""
        key = self._key(problem)
        found = self._held.get(key)
        if found is None:
            stored = self._entries.load(key, Remembered)
            found = None if stored is None or not _is_of(stored.verdict, problem) else stored.verdict
        if found is not None:
            self._hold(key, found)
        return found

    def remember(self, problem: FoldProblem, verdict: Verdict) -> None:
        """Keep ``verdict`` if it is final."""
        if isinstance(verdict, (Proved, Refuted, Unsupported)):
            key = self._key(problem)
            self._hold(key, verdict)
            self._entries.store(key, Remembered(verdict))

    def solving(self, solver: Solver) -> Solver:
        """``solver``, asked only for what is not known."""

        def solve(problem: FoldProblem, seconds: float) -> Verdict:
            verdict: Verdict | None = self.known(problem)
            if verdict is None:
                verdict = solver(problem, seconds)
                self.remember(problem, verdict)
            return verdict

        return solve

    def otherwise(self, solver: Solver) -> Solver:
        """What is known, else what ``solver`` says, which is kept for this process alone."""

        def solve(problem: FoldProblem, seconds: float) -> Verdict:
            verdict: Verdict | None = self.known(problem)
            if verdict is not None:
                return verdict
            key = self._key(problem)
            if key not in self._guesses:
                if len(self._guesses) >= HELD:
                    self._guesses.clear()
                self._guesses[key] = solver(problem, seconds)
            return self._guesses[key]

        return solve

    def only(self, problem: FoldProblem, seconds: float) -> Verdict:
        """A solver that solves nothing."""
        return self.known(problem) or Unknown("not proved yet")

    def _key(self, problem: FoldProblem) -> str:
        return f"{self._seconds!r}\0{digest(problem)}"

    def _hold(self, key: str, verdict: Final) -> None:
        self._held[key] = verdict
        self._held.move_to_end(key)
        while len(self._held) > HELD:
            self._held.popitem(last=False)
