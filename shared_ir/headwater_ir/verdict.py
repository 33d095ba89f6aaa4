"""Answers: solutions, verdicts, obstructions, certificates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from .assumptions import Assumption
from .crossing import Path
from .expr import Expr
from .problem import FoldProblem

Kind = Literal["exact", "split", "partial"]
ConditionStatus = Literal["proved", "failed", "unknown"]
ConditionName = Literal["Init", "Sync", "Stutter", "Merge", "Final", "Safe", "Crossing"]

Obstruction = Literal[
    "empty-input-row", "attribute-capture", "row-context", "join-on-clause", "null-supplying-side",
    "cardinality-barrier", "representative-choice", "volatile", "shared-subplan", "multiplicity",
    "three-valued-logic", "may-throw", "opaque", "side-effect", "no-prefilter", "time-out",
]  # fmt: skip
"""Why a filter does not move (ANCHORS.md). ``no-prefilter``: every pre-filter of the universe changes the result."""


@dataclass(frozen=True)
class Solution:
    """``pre_filter`` is G over columns and parameters, ``residual`` R over outputs (``TRUE`` if exact), ``invariant``
    the atoms of ψ, all in the sql dialect; ψ is their conjunction."""

    kind: Kind
    pre_filter: Expr
    residual: Expr
    invariant: tuple[Expr, ...]


@dataclass(frozen=True)
class Condition:
    """The outcome of one verification condition; ``ms`` is the solver's time in milliseconds."""

    name: ConditionName
    status: ConditionStatus
    ms: float


@dataclass(frozen=True)
class Certificate:
    """Everything that is needed to re-prove a solution without the synthesis (THEORY.md section 7).

    ``scripts``: each verification condition as a self-contained SMT-LIB 2 script whose ``unsat`` is the proof.
    ``path``: what the filter passes on its way to the boundary; None of a boundary by itself, which edits nothing.
    ``validation``: on how many sampled groups the user's function was evaluated beside the fold, or why it was not;
    empty where there is no such function.
    """

    version: int
    problem: FoldProblem
    solution: Solution
    assumptions: tuple[Assumption, ...]
    scripts: tuple[tuple[ConditionName, str], ...]
    validation: str = ""
    path: Path | None = None


@dataclass(frozen=True)
class Counterexample:
    """Rows (column name → value) on which a candidate changes the result."""

    rows: tuple[tuple[tuple[str, object], ...], ...]
    note: str


@dataclass(frozen=True)
class Refuted:
    """No non-trivial pre-filter is sound; ``counterexample`` shows it for the strongest natural candidate."""

    obstruction: Obstruction
    reason: str
    counterexample: Counterexample | None = None


@dataclass(frozen=True)
class Unsupported:
    """The code uses something without a model."""

    obstruction: Obstruction
    reason: str


@dataclass(frozen=True)
class Unknown:
    """The solver or the search ran out of time or memory. Never a yes."""

    reason: str


@dataclass(frozen=True)
class Bounded:
    """Not refuted on tables of up to ``rows`` rows; not a proof."""

    rows: int


@dataclass(frozen=True)
class Proved:
    """A solution that the checker accepted."""

    certificate: Certificate
    conditions: tuple[Condition, ...]

    @property
    def solution(self) -> Solution:
        """The proved solution."""
        return self.certificate.solution


Verdict = Union[Refuted, Unsupported, Unknown, Bounded, Proved]
"""Ordered: worst first. Only ``Proved`` edits code."""
