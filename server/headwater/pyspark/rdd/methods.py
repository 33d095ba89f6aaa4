"""Which methods of an RDD have a meaning, and what of their arguments matters."""

from __future__ import annotations

import ast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import resolve_literal
from headwater.python.rdd.method_calls import Call
from headwater.syntax.names.pyspark_methods import RDD, bind
from headwater.syntax.refusal import Refusal

_FOLLOWED: dict[str, tuple[str, ...]] = {
    "map": ("f",), "keyBy": ("f",), "mapValues": ("f",), "filter": ("f",), "values": (), "keys": (), "groupByKey": (),
    "flatMap": ("f",), "flatMapValues": ("f",), "mapPartitions": ("f",),
    "aggregateByKey": ("zeroValue", "seqFunc", "combFunc"), "foldByKey": ("zeroValue", "func"),
    "reduceByKey": ("func",), "combineByKey": ("createCombiner", "mergeValue", "mergeCombiners"),
}  # fmt: skip
"""Methods with a meaning, and the parameters that it depends on."""
_PASSING = frozenset("sortBy sortByKey repartition coalesce setName partitionBy cache persist".split())
"""Methods that move whole elements, or do nothing with them (``row_steps.PASSING``); of their parameters only functions
matter."""
_OTHERS = frozenset(
    """
    unpersist checkpoint localCheckpoint repartitionAndSortWithinPartitions
    distinct union intersection subtract subtractByKey cartesian join leftOuterJoin
    rightOuterJoin fullOuterJoin cogroup groupWith groupBy
    mapPartitionsWithIndex glom zip zipWithIndex zipWithUniqueId sample sampleByKey pipe barrier
    withResources
    """.split()
)
"""Methods that give another RDD, without a model. All others give something else."""
KNOWN = frozenset(_FOLLOWED) | _PASSING | _OTHERS
_FUNCTIONS = ("keyfunc", "partitionFunc")


def read_calls(name: str, call: ast.Call, reader: ApiContext) -> tuple[Call, ...]:
    """The call of a method of ``df.rdd`` as calls that have a model: ``groupBy(f)`` is ``keyBy(f).groupByKey()`` (so
    PySpark implements it). In front of the frame there is room for what the pre-filter needs; between the two is none.
    """
    if name != "groupBy":
        return (read_call(name, call, reader),)
    key = function_of(bind(RDD[name], call).arguments["f"], reader)
    return Call("keyBy", (key,), call), Call("groupByKey", (), call)


def read_call(name: str, call: ast.Call, reader: ApiContext) -> Call:
    """The call of a method; Refusal if it has no model."""
    if name not in _FOLLOWED and name not in _PASSING:
        raise Refusal("opaque", f"`{name}` of an RDD has no model", call)
    given = bind(RDD[name], call)
    important = _FOLLOWED.get(name, tuple(p for p in _FUNCTIONS if p in given))
    return Call(name, tuple(function_of(given.arguments[p], reader) for p in important), call)


def function_of(node: ast.expr, reader: ApiContext) -> ast.expr:
    """A function or zero value that a variable holds, where nothing can have changed it."""
    found = resolve_literal(node, reader)
    return found if isinstance(found, (ast.Lambda, ast.Constant, ast.Tuple, ast.List, ast.UnaryOp)) else node
