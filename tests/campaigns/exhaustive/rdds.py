"""Key-value RDDs in plain Python: each element with the number of its partition (False, True)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from .columns import QueryError

Element = tuple[bool, Any]
_NONE = object()


class Record(dict[str, Any]):
    """A ``Row``: values by name, as attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Rdd:
    """``tables[i]``: the elements on the i-th table, or the error."""

    def __init__(self, tables: list[list[Element] | QueryError]) -> None:
        self._tables = tables

    @property
    def tables(self) -> list[list[dict[str, Any]] | QueryError]:
        """The elements as rows of one column."""
        return [t if isinstance(t, QueryError) else [{"element": e} for _, e in t] for t in self._tables]

    columns = ("element",)

    def _derived(self, of: Callable[[list[Element]], list[Element]]) -> Rdd:
        return Rdd([_outcome(of, t) for t in self._tables])

    def map(self, function: Callable[[Any], Any]) -> Rdd:
        return self._derived(lambda es: [(p, function(e)) for p, e in es])

    def mapValues(self, function: Callable[[Any], Any]) -> Rdd:
        return self._derived(lambda es: [(p, (k, function(v))) for p, (k, v) in es])

    def filter(self, function: Callable[[Any], Any]) -> Rdd:
        return self._derived(lambda es: [(p, e) for p, e in es if function(e)])

    def aggregateByKey(self, zero: Any, step: Callable[[Any, Any], Any], merge: Callable[[Any, Any], Any]) -> Rdd:
        return self._folded(lambda v: step(copy.deepcopy(zero), v), step, merge)

    def reduceByKey(self, function: Callable[[Any, Any], Any]) -> Rdd:
        return self._folded(lambda v: v, function, function)

    def groupByKey(self) -> Rdd:
        return self._folded(lambda v: [v], lambda s, v: [*s, v], lambda a, b: a + b)

    def _folded(
        self, first: Callable[[Any], Any], step: Callable[[Any, Any], Any], merge: Callable[[Any, Any], Any]
    ) -> Rdd:
        def of(elements: list[Element]) -> list[Element]:
            partial: dict[Element, Any] = {}
            for p, (k, v) in elements:
                state = partial.get((p, k), _NONE)
                partial[p, k] = first(v) if state is _NONE else step(state, v)
            whole: dict[Any, Any] = {}
            for (_, k), state in partial.items():
                whole[k] = merge(whole[k], state) if k in whole else state
            return [(False, pair) for pair in whole.items()]

        return self._derived(of)


def _outcome(of: Callable[[list[Element]], list[Element]], table: list[Element] | QueryError) -> Any:
    if isinstance(table, QueryError):
        return table
    try:
        return of(table)
    except Exception as error:
        return QueryError(f"{type(error).__name__}: {error}")
