"""What the universes are built from: data-flow, monotonicity, and P said over the state."""

from __future__ import annotations

from dataclasses import dataclass

from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from .. import dataflow
from ..dataflow import Flow
from ..monotone import Direction, directions
from ..normal_form import cnf
from .spoken import over_slots


@dataclass(frozen=True)
class Analysis:
    """Data-flow facts about a problem. They are proposals: the checker decides.

    * ``said``: P over outputs as SQL would say it, for a filter over an RDD is Python.
    * ``spoken``: P over slots, key columns and parameters; ``clauses``: its conjunctive normal form.
    * ``keys``: slots that only ever hold a key column.
    * ``sources``: for every slot the slots whose values it may take over, directly or through others.
    """

    problem: FoldProblem
    said: Expr
    spoken: Expr
    clauses: tuple[Expr, ...]
    flows: tuple[tuple[Flow, ...], ...]
    depends: tuple[frozenset[int], ...]
    sources: tuple[frozenset[int], ...]
    monotone: tuple[Direction, ...]
    keys: dict[int, str]
    slot_of: dict[str, int | None]

    @staticmethod
    def of(problem: FoldProblem) -> Analysis:
        """Analyse ``problem``."""
        fold = problem.fold
        said = dataflow.in_sql(problem.predicate) or problem.predicate
        flows = tuple(map(tuple, dataflow.slot_flows(fold)))
        keys = dataflow.key_slots(fold, flows)
        spoken = over_slots(fold, said, keys)
        return Analysis(
            problem, said, spoken, cnf(spoken), flows, tuple(dataflow.dependencies(fold)),
            tuple(dataflow.sources(fold)), directions(fold), keys,
            {o.name: dataflow.slot_of_output(o.value) for o in fold.outputs},
        )  # fmt: skip
