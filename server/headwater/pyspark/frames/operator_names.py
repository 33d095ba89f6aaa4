"""How the proof about a cache names the operators that make a frame: by the class of the plan, and more closely where
one class stands for methods that do not cost the same, or for calls without a model."""

from __future__ import annotations

import ast

from headwater_ir.plan import Cache, Limit, Opaque, Scan, Sort, Window

from .uses_found import MadeBy

TRANSFORMED = "transform"
"""The name of the site of a frame that a method ``transform`` of an object that is no frame makes of one."""
_PLACES = frozenset("coalesce hint repartition sortWithinPartitions".split())
"""They say where rows are computed, and need not know them for it."""
_SORTS = frozenset("orderBy sort".split())
_DROPS = frozenset("dropna filter where".split())
_LAZY = frozenset(
    """
    select selectExpr withColumn withColumns withColumnRenamed withColumnsRenamed drop toDF fillna replace alias
    filter where dropna
    crossJoin exceptAll intersect intersectAll join subtract union unionAll unionByName
    """.split()
)
"""Methods that read each frame they are given once, and run no job when they are called, whatever else they are
given."""
_OF_GROUPS = frozenset("agg avg count max mean min sum".split())


def name_of(made: MadeBy) -> str:
    """The name of the operator that ``made`` a frame.

    ``Columns``: each of its rows is made of one row, by Spark's own functions of a row; ``Rows``: it drops some rows
    by such; ``Lazy``: it reads what it is given once, when its own rows are asked for; ``Transformer``: the result of a
    method ``transform`` of an object that is no frame; ``Opaque``: nothing is known of it.
    """
    call = made.call.node if made.call is not None else None
    method = call.func.attr if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else ""
    match made.plan:
        case Sort():
            return "Sort" if method in _SORTS else "Repartition" if method in _PLACES else "Ranges"
        case Cache(operator=operator):
            return "Cache" if operator in ("cache", "persist") else "Checkpoint"
        case Limit(operator=operator):
            return {"tail": "Tail", "offset": "Offset"}.get(operator, "Limit")
        case Window(windows=windows) if all(w.of_bag for w in windows):
            return "Groups"
        case Opaque(child=None):
            return "Opaque"
        case Opaque(causes=causes) if "row by row" in causes:
            return "Rows" if method in _DROPS or "filter" in causes else "Columns"
        case Opaque() if method in _LAZY or (method in _OF_GROUPS and _is_grouped(call)):
            return "Lazy"
        case Scan(format="unknown") if made.call is not None and made.call.name == TRANSFORMED:
            return "Transformer"
    return type(made.plan).__name__


def _is_grouped(call: ast.AST | None) -> bool:
    """Whether ``call`` is one of a method of ``groupBy(…)``, with no ``pivot`` between, which runs a job."""
    of = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    return isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and of.func.attr in ("groupBy", "groupby")
