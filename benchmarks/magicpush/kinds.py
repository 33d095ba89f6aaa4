"""Which operators and functions the benchmark writes, the paper's name for each, and how Spark calls it in a plan."""

from __future__ import annotations

from dataclasses import dataclass

from tests.campaigns.fuzz.write import FAMILIES, SHAPES
from tests.campaigns.fuzz.write.elements import explode_elements, unpivot_values
from tests.campaigns.fuzz.write.grouped import Make, aggregating_udf, grouped_in_arrow, grouped_in_pandas
from tests.campaigns.fuzz.write.missing import stack_rows
from tests.campaigns.fuzz.write.rows import row_function
from tests.campaigns.fuzz.write.sets import set_operation, union_by_name, union_by_position

from . import single
from .single import over_rows, over_table

PYTHON = "|".join((
    "EvalPython", "FlatMapGroupsIn", "FlatMapCoGroups", "MapInPandas", "MapInArrow", "PythonMapInArrow", "Generate",
    "Aggregate", "Window", "Expand",
))  # fmt: skip
"""Nodes of Spark's plans that one of these functions is a part of."""


@dataclass(frozen=True)
class Kind:
    """``core``: the operator of the paper's Table 1 that it is, empty where the table has none; ``node``: the first
    node of Spark's optimized plan of that name is the operator; ``make``: what writes it; None for the shapes that the
    fuzzing campaign writes itself."""

    name: str
    core: str
    node: str
    make: Make | None = None


_SETS = "Union|Join|Aggregate|Generate"
OPERATORS: tuple[Kind, ...] = (
    Kind("selection", "Filter", "Filter", single.selection),
    Kind("dropna", "Filter", "Filter", single.dropna),
    Kind("projection", "DropColumn", "Project", single.projection),
    Kind("rename", "RowTransform", "Project", single.renaming),
    Kind("withColumn", "RowTransform", "Project", single.computed),
    Kind("withColumn of a UDF", "RowTransform", "EvalPython", row_function),
    Kind("cast", "RowTransform", "Project", single.cast),
    Kind("fillna", "RowTransform", "Project", single.fillna),
    Kind("replace", "RowTransform", "Project", single.replacing),
    Kind("one-hot encoding", "RowTransform", "Project", single.encoding),
    Kind("orderBy", "Reorder", "Sort", single.sorting),
    Kind("inner join", "InnerJoin", "Join", single.joining("inner")),
    Kind("left, right join", "LeftOuterJoin", "Join", single.joining("left", "right")),
    Kind("full join", "LeftOuterJoin", "Join", single.joining("full")),
    Kind("semi, anti join", "RowIterPipeline", "Join", single.joining("left_semi", "left_anti")),
    Kind("isin of a collected frame", "RowIterPipeline", "Filter", single.in_collected),
    Kind("value looked up by row", "RowIterPipeline", "Join", single.looked_up),
    Kind("groupBy.agg", "GroupBy", "Aggregate", single.grouped),
    Kind("agg", "GroupBy", "Aggregate", single.whole),
    Kind("groupBy.agg of a pandas UDF", "GroupBy", "Aggregate|AggregateInPandas", aggregating_udf),
    Kind("distinct", "GroupBy", "Aggregate", over_table("distinct")),
    Kind("dropDuplicates", "GroupBy", "Aggregate", over_table("dropDuplicates")),
    Kind("pivot", "Pivot", "Aggregate", single.pivoted),
    Kind("unpivot", "UnPivot", "Expand", unpivot_values),
    Kind("stack", "RowExpand", "Generate|Expand", stack_rows),
    Kind("explode", "RowExpand", "Generate", explode_elements),
    Kind("orderBy.limit", "TopK", "GlobalLimit|LocalLimit", single.top),
    Kind("cumulative window", "CumAggr", "Window", single.cumulated),
    Kind("window function", "CumAggr", "Window", over_table("window")),
    Kind("aggregate of its group", "GroupedMap", "Window", single.of_groups),
    Kind("applyInPandas", "GroupedMap", "FlatMapGroupsIn", grouped_in_pandas),
    Kind("applyInArrow", "GroupedMap", "FlatMapGroupsIn", grouped_in_arrow),
    Kind("intersect, except", "", _SETS, over_rows(set_operation)),
    Kind("union", "", _SETS, over_rows(union_by_position)),
    Kind("unionByName", "", _SETS, over_rows(union_by_name)),
    Kind("rollup, cube", "", "Expand", single.subtotals),
    Kind("shift, rolling", "Other", "Window", single.shifted),
    Kind("sample", "Other", "Sample", single.sampled),
    Kind("describe", "Other", "Aggregate", single.described),
)  # fmt: skip
_WITHOUT_PYTHON = {"agg", "explode", "posexplode", "unpivot", "stack", "picks", "dates", "limit of an order"}
_CORE = {
    "udf": "RowTransform", "pandas_udf": "GroupBy", "udtf": "GroupedMap", "rdd": "GroupBy", "cogroup": "GroupedMap",
    "mapInPandas": "RowExpand", "mapInArrow": "RowExpand", "applyInPandas": "GroupedMap", "applyInArrow": "GroupedMap",
    "pandas_udf series": "RowTransform", "udf in filter": "Filter", "rdd rows": "Filter",
}  # fmt: skip
FUNCTIONS: tuple[Kind, ...] = tuple(
    Kind(name, _CORE.get(name, ""), PYTHON)
    for shapes in (SHAPES, FAMILIES["boundaries"], FAMILIES["bodies"], FAMILIES["reductions"])
    for name in shapes
    if name not in _WITHOUT_PYTHON
)
