"""Key-value RDDs. Folds run within each partition first; then the partial states are merged."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from pyspark.resultiterable import ResultIterable

from . import actions

Function = Callable[..., Any]


class RDD:
    """Elements in partitions."""

    def __init__(self, parts: list[list[Any]]) -> None:
        self.parts = parts

    def _each(self, function: Callable[[list[Any]], Iterable[Any]]) -> RDD:
        return RDD([list(function(part)) for part in self.parts])

    def map(self, f: Function) -> RDD:
        return self._each(lambda part: map(f, part))

    def filter(self, f: Function) -> RDD:
        return self._each(lambda part: filter(f, part))

    def keyBy(self, f: Function) -> RDD:
        return self.map(lambda x: (f(x), x))

    def mapValues(self, f: Function) -> RDD:
        return self.map(lambda kv: (kv[0], f(kv[1])))

    def flatMap(self, f: Function) -> RDD:
        return self._each(lambda part: [y for x in part for y in f(x)])

    def flatMapValues(self, f: Function) -> RDD:
        return self._each(lambda part: [(k, y) for k, v in part for y in f(v)])

    def mapPartitions(self, f: Function) -> RDD:
        return self._each(lambda part: f(iter(part)))

    def sortBy(self, keyfunc: Function, ascending: bool = True) -> RDD:
        return RDD([sorted(self.rows(), key=keyfunc, reverse=not ascending)])

    def sortByKey(self, ascending: bool = True) -> RDD:
        return self.sortBy(lambda kv: kv[0], ascending)

    def distinct(self) -> RDD:
        return RDD([list(dict.fromkeys(self.rows()))])

    def cache(self) -> RDD:
        return self

    persist = cache

    def setName(self, _: str) -> RDD:
        return self

    def repartition(self, _: int) -> RDD:
        return RDD([self.rows()[::2], self.rows()[1::2]])

    def values(self) -> RDD:
        return self.map(lambda kv: kv[1])

    def keys(self) -> RDD:
        return self.map(lambda kv: kv[0])

    def combineByKey(self, createCombiner: Function, mergeValue: Function, mergeCombiners: Function) -> RDD:
        partial: list[dict[Any, Any]] = []
        for part in self.parts:
            states: dict[Any, Any] = {}
            for key, value in part:
                states[key] = mergeValue(states[key], value) if key in states else createCombiner(value)
            partial.append(states)
        keys = dict.fromkeys(key for states in partial for key in states)
        return RDD([[(k, reduce(mergeCombiners, [s[k] for s in partial if k in s])) for k in keys]])

    def aggregateByKey(self, zeroValue: Any, seqFunc: Function, combFunc: Function) -> RDD:
        zero = pickle.dumps(zeroValue)
        return self.combineByKey(lambda v: seqFunc(pickle.loads(zero), v), seqFunc, combFunc)

    def foldByKey(self, zeroValue: Any, func: Function) -> RDD:
        return self.aggregateByKey(zeroValue, func, func)

    def reduceByKey(self, func: Function) -> RDD:
        return self.combineByKey(lambda v: v, func, func)

    def groupByKey(self) -> RDD:
        groups: dict[Any, list[Any]] = {}
        for part in self.parts:
            for key, value in part:
                groups.setdefault(key, []).append(value)
        return RDD([[(k, ResultIterable(v)) for k, v in groups.items()]])

    isEmpty = actions.is_empty
    take = actions.take

    def toDF(self, schema: Any = None) -> Any:
        from .typed_rows import framed

        return framed(self, schema)

    def count(self) -> int:
        return len(self.rows())

    def collect(self) -> list[Any]:
        return self.rows()

    def rows(self) -> list[Any]:
        """All elements, in order."""
        return [x for part in self.parts for x in part]
