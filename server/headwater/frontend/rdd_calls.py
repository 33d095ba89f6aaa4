"""Which methods of an RDD have a meaning, and what of their arguments matters."""

from __future__ import annotations

import ast

from .context import Refusal
from .functions.pair_calls import Call
from .sources import resolve_literal
from .world import Reader

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "map": ("f",), "keyBy": ("f",), "mapValues": ("f",), "filter": ("f",), "values": (), "keys": (), "groupByKey": (),
    "flatMap": ("f",), "flatMapValues": ("f",), "mapPartitions": ("f",),
    "aggregateByKey": ("zeroValue", "seqFunc", "combFunc"), "foldByKey": ("zeroValue", "func"),
    "reduceByKey": ("func",), "combineByKey": ("createCombiner", "mergeValue", "mergeCombiners"),
}  # fmt: skip
"""Methods with a meaning, and the parameters that must be given."""
_PASSING: dict[str, tuple[str, ...]] = {
    "sortBy": ("keyfunc", "ascending", "numPartitions"), "sortByKey": ("ascending", "numPartitions", "keyfunc"),
    "repartition": ("numPartitions",), "coalesce": ("numPartitions", "shuffle"), "setName": ("name",),
    "partitionBy": ("numPartitions", "partitionFunc"), "cache": (), "persist": ("storageLevel",),
}  # fmt: skip
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
"""Methods that give another RDD, without a meaning here. All others give something else."""
KNOWN = frozenset(_PARAMETERS) | frozenset(_PASSING) | _OTHERS
_UNIMPORTANT = frozenset({"numPartitions", "preservesPartitioning"})
_FUNCTIONS = frozenset({"keyfunc", "partitionFunc"})


def read_call(name: str, call: ast.Call, reader: Reader) -> Call:
    """The call of a method; Refusal if it has no meaning here."""
    if name not in _PARAMETERS and name not in _PASSING:
        raise Refusal("opaque", f"`{name}` of an RDD has no meaning here", call)
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "unpacked arguments", call)
    wanted = _PARAMETERS.get(name, ())
    order = _PASSING.get(name, (*wanted, "numPartitions"))
    given = dict(zip(order, call.args, strict=False)) | {str(k.arg): k.value for k in call.keywords}
    known = set(order) | _UNIMPORTANT
    if len(call.args) > len(order) or not set(wanted) <= set(given) <= known:
        raise Refusal("opaque", f"`{name}` with other arguments than are understood", call)
    important = wanted if name in _PARAMETERS else [p for p in order if p in given and p in _FUNCTIONS]
    return Call(name, tuple(function_of(given[w], reader) for w in important), call)


def function_of(node: ast.expr, reader: Reader) -> ast.expr:
    """A function or zero value that a variable holds, where nothing can have changed it."""
    found = resolve_literal(node, reader)
    return found if isinstance(found, (ast.Lambda, ast.Constant, ast.Tuple, ast.List, ast.UnaryOp)) else node
