"""Plans of depth up to two, each as one module with a statement per predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .operators import SCAN, Operator, operators, wide_operators
from .predicates import predicates, python_predicates

HEADER = """\
import pandas as pd
import pyarrow as pa
from pyspark.sql import Row, Window
from pyspark.sql import functions as F
"""
SCHEMAS = {"t": "k long, v long", "t3": "k long, v long, w long", "u": "k long, q long"}


@dataclass(frozen=True)
class Plan:
    """Operators from the source upward."""

    operators: tuple[Operator, ...]

    @property
    def name(self) -> str:
        """What it does, in words."""
        return " → ".join(o.name for o in self.operators)

    @property
    def table(self) -> str:
        """The table that it reads."""
        return "t3" if any(o.wide for o in self.operators) else "t"

    @property
    def rows(self) -> int:
        """The size of table that it needs."""
        return max((o.rows for o in self.operators), default=2)

    @property
    def rdd(self) -> bool:
        """Whether its result is an RDD."""
        return bool(self.operators) and self.operators[-1].rdd

    @property
    def frame(self) -> str:
        """Its text without the filter."""
        text = f'spark.table("{self.table}")'
        for o in self.operators:
            text = o.over(text)
        return text

    @property
    def head(self) -> str:
        """The imports and definitions."""
        functions = dict.fromkeys(f for o in self.operators for f in o.functions)
        return "\n\n".join([HEADER, *functions]) + "\n\n"

    def predicates(self) -> list[str]:
        """The conditions over its columns."""
        shape = self.operators[-1].shape if self.operators else SCAN
        return python_predicates(shape) if self.rdd else predicates(shape)

    def module(self, conditions: list[str]) -> str:
        """A source text: statement ``r<i>`` filters by the i-th condition."""
        return self.head + "".join(self.statement(i, c) for i, c in enumerate(conditions))

    def statement(self, number: int, condition: str) -> str:
        """One filter of the plan."""
        return f"r{number} = {self.frame}.filter({condition})\n"


def plans(depth: int) -> Iterator[Plan]:
    """All plans of exactly this many operators."""
    if depth == 0:
        yield Plan(())
    elif depth == 1:
        yield from (Plan((o,)) for o in operators(SCAN, "m"))
        yield from (Plan((o,)) for o in wide_operators("m"))
    else:
        for lower in operators(SCAN, "v"):
            if not lower.rdd and lower.shape:
                yield from (Plan((lower, upper)) for upper in operators(lower.shape, "m"))


def portion(depth: int, share: int) -> Iterator[tuple[Plan, list[str]]]:
    """Every ``share``-th statement over the plans of that depth, so spread that each plan and each condition has its
    turn; all of them if ``share`` is 1."""
    for number, plan in enumerate(plans(depth)):
        chosen = [c for i, c in enumerate(plan.predicates()) if (i + STRIDE * number) % share == 0]
        if chosen:
            yield plan, chosen


STRIDE = 37
"""Coprime to the shares in use, so that plans side by side take different conditions."""
