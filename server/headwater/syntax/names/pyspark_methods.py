"""Declared signatures of the methods of PySpark that have a model, and of those that keep a Column row-wise.

``tests/syntax/test_pyspark_methods.py`` holds them against the installed PySpark. A parameter of the real method that
stands here with ``never`` is known and refused; one that is missing is refused too.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping

from headwater.syntax.signatures import Bound, Signature


def _declared(text: str) -> dict[str, str]:
    return {m[1]: m[0] for m in re.finditer(r"(\w+)\([^()]*\)", text)}


COLUMN: Mapping[str, str] = _declared(
    """
    alias(*alias, metadata: never=None) name(*alias, metadata: never=None) cast(dataType) astype(dataType)
    try_cast(dataType) substr(startPos, length) getItem(key) getField(name) isNull() isNotNull() isNaN() like(other)
    rlike(other) ilike(other) contains(other) startswith(other) endswith(other) isin(*cols)
    between(lowerBound, upperBound) eqNullSafe(other) bitwiseAND(other) bitwiseOR(other) bitwiseXOR(other)
    when(condition, value) otherwise(value) withField(fieldName, col) dropFields(*fieldNames) asc() desc()
    asc_nulls_first() asc_nulls_last() desc_nulls_first() desc_nulls_last() over(window)
    """
)
"""Of a Column."""

FRAME: Mapping[str, str] = _declared(
    """
    agg(*exprs) alias(alias) asTable() cache() checkpoint(eager=True) coalesce(numPartitions) crossJoin(other)
    cube(*cols) distinct() drop(*cols) dropDuplicates(subset=None) drop_duplicates(subset=None)
    dropDuplicatesWithinWatermark(subset=None) dropna(how="any", thresh=None, subset=None) exceptAll(other)
    fillna(value, subset=None) filter(condition) where(condition) groupBy(*cols) groupby(*cols)
    groupingSets(groupingSets, *cols) hint(name, *parameters) intersect(other) intersectAll(other)
    join(other, on=None, how=None) limit(num) localCheckpoint(eager=True, storageLevel=None)
    mapInArrow(func, schema, barrier: never=False, profile: never=None)
    mapInPandas(func, schema, barrier: never=False, profile: never=None)
    melt(ids, values, variableColumnName, valueColumnName) unpivot(ids, values, variableColumnName, valueColumnName)
    offset(num) orderBy(*cols, ascending=True) sort(*cols, ascending=True) sortWithinPartitions(*cols, ascending=True)
    persist(storageLevel=None) repartition(numPartitions, *cols) repartitionByRange(numPartitions, *cols)
    replace(to_replace, value=None, subset=None) rollup(*cols) sample(withReplacement=None, fraction=None, seed=None)
    sampleBy(col, fractions, seed=None) select(*cols) selectExpr(*expr) subtract(other) tail(num) toDF(*cols)
    union(other) unionAll(other) unionByName(other, allowMissingColumns=False) withColumn(colName, col)
    withColumnRenamed(existing, new) withColumns(*colsMap) withColumnsRenamed(colsMap)
    """
)
"""Of a DataFrame."""

GROUPED: Mapping[str, str] = _declared(
    """
    agg(*exprs) avg(*cols) mean(*cols) max(*cols) min(*cols) sum(*cols) count() pivot(pivot_col, values=None)
    applyInPandas(func, schema) applyInArrow(func, schema)
    """
)
"""Of ``groupBy(…)``."""

NA: Mapping[str, str] = _declared(
    'drop(how="any", thresh=None, subset=None) fill(value, subset=None) replace(to_replace, value=None, subset=None)'
)
"""Of ``df.na``."""

WINDOW: Mapping[str, str] = _declared(
    "partitionBy(*cols) orderBy(*cols) rowsBetween(start, end) rangeBetween(start, end)"
)
"""Of ``Window`` and what it makes."""

TABLE: Mapping[str, str] = _declared("partitionBy(*cols) orderBy(*cols) withSinglePartition()")
"""Of ``df.asTable()``."""

RDD: Mapping[str, str] = _declared(
    """
    map(f, preservesPartitioning=False) keyBy(f) mapValues(f) filter(f) values() keys()
    groupBy(f, numPartitions=None, partitionFunc: never=None)
    groupByKey(numPartitions=None, partitionFunc: never=None) flatMap(f, preservesPartitioning=False) flatMapValues(f)
    mapPartitions(f, preservesPartitioning=False)
    aggregateByKey(zeroValue, seqFunc, combFunc, numPartitions=None, partitionFunc: never=None)
    foldByKey(zeroValue, func, numPartitions=None, partitionFunc: never=None)
    reduceByKey(func, numPartitions=None, partitionFunc: never=None)
    combineByKey(createCombiner, mergeValue, mergeCombiners, numPartitions=None, partitionFunc: never=None)
    sortBy(keyfunc, ascending=True, numPartitions=None) sortByKey(ascending=True, numPartitions=None, keyfunc=None)
    repartition(numPartitions) coalesce(numPartitions, shuffle=False) setName(name)
    partitionBy(numPartitions, partitionFunc=None) cache() persist(storageLevel=None)
    """
)
"""Of an RDD."""


def bind(declaration: str, call: ast.Call) -> Bound:
    """The arguments of ``call`` as ``Signature.bind`` gives them; an unpacked argument may stand where any number of
    arguments may. Refusal as there."""
    signature = Signature.of(declaration)
    places = sum(p.kind in ("positional", "either") for p in signature.parameters)
    if any(isinstance(a, ast.Starred) for a in call.args) and any(p.kind == "star" for p in signature.parameters):
        plain = copy.copy(call)
        plain.args = [a.value if isinstance(a, ast.Starred) and i >= places else a for i, a in enumerate(call.args)]
        call = plain
    return signature.bind(call)
