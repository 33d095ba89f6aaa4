"""Programs of more shapes: boundaries without a fold, operators on top of boundaries, bodies with control flow, and
programs of more than one chain."""

from __future__ import annotations

from functools import partial

from .apart import Checkpointed, OwnBranch, UnnamedKeys
from .batches import in_arrow, in_pandas, series_udf
from .chains import in_filter, key_filter, key_through, row_chain
from .cogroups import cogroup
from .columns import batch_calls, column_calls, group_calls
from .computed import element_functions, window_computed
from .control import group_body, row_body
from .elements import constant, explode_elements, first_of_order, posexplode_elements, unpivot_values, window_order
from .flow import Writer
from .frames import batch_frames, group_frames
from .grouped import Boundary, Make, aggregating_udf, grouped_in_arrow, grouped_in_pandas
from .keys import arrow_keys, keys_below, totals
from .lengths import list_lengths, rdd_lengths
from .made_frames import rdd_frame
from .missing import missing, pivoted, stack_rows
from .named import qualified, struct_rows
from .native import native_parts
from .pen import Choose, Pen
from .program import Program
from .programs import SHAPES, Composer, write
from .ranges import join_range, join_side
from .reduced import arrow_reduced, pandas_reduced, rdd_reduced, table_function_reduced
from .reformulated import reformulated
from .rows import native, row_function
from .sets import TWO_FRAMES, above_union, two_frames
from .stacked import OPERATORS, stacked
from .tables import Source, source
from .texts import value_filter
from .unseen import dates, drawn, implied, passing, picks, union_types, unread
from .ways import ConstantAbove, EarlyReturn, Marked, Method, TwoConsumers


def _any(pen: Pen, source: Source) -> Boundary:
    """A boundary that groups, or a function of rows."""
    bases: tuple[Make, ...] = (
        native,
        native,
        native,
        grouped_in_pandas,
        grouped_in_pandas,
        row_function,
        aggregating_udf,
    )
    return pen.one(*bases)(pen, source)


def _grouping(pen: Pen, source: Source) -> Boundary:
    """A boundary that groups."""
    bases: tuple[Make, ...] = (native, native, native, grouped_in_pandas, grouped_in_arrow, aggregating_udf)
    return pen.one(*bases)(pen, source)


def _grouped(pen: Pen, source: Source) -> Boundary:
    """Groups of rows, by Spark's aggregates or by a function."""
    return pen.one(native, native, native, picks)(pen, source)


Shapes = dict[str, tuple[int, Make]]
"""Weight and writer of each."""
FAMILIES: dict[str, Shapes] = {
    "boundaries": {
        "rdd rows": (4, row_chain), "rdd keys": (4, key_filter), "rdd values": (4, value_filter),
        "rdd frame": (5, rdd_frame), "rdd struct": (4, struct_rows), "applyInPandas key": (4, key_through),
        "applyInArrow key": (4, arrow_keys), "cogroup": (5, cogroup), "pandas_udf series": (4, series_udf),
        "mapInPandas": (4, in_pandas), "mapInArrow": (2, in_arrow), "explode": (4, explode_elements),
        "posexplode": (4, posexplode_elements), "unpivot": (3, unpivot_values), "stack": (3, stack_rows),
        "udf in filter": (4, in_filter), "picks": (4, picks), "dates": (3, dates),
        "limit of an order": (4, first_of_order),
    },
    "operators": {
        **{operator: (6 if operator == "join" else 2, stacked(operator)) for operator in OPERATORS},
        **{operator: (4, two_frames(operator)) for operator in TWO_FRAMES},
        **{method: (4, missing(method)) for method in ("fillna", "replace", "dropna")},
        "above a union": (3, above_union), "union types": (2, union_types), "join range": (4, join_range),
        "join side": (4, join_side), "window order": (4, window_order), "window computed": (4, window_computed),
        "pivot above": (3, pivoted), "totals": (4, totals), "keys below": (4, keys_below), "passing": (4, passing),
        "implied": (4, implied), "sample": (2, drawn), "qualified": (4, qualified),
    },
    "bodies": {
        "udf control": (6, row_body), "group control": (4, group_body), "pandas_udf columns": (5, column_calls),
        "mapInPandas columns": (3, batch_calls), "applyInPandas columns": (3, group_calls),
        "pandas frame": (4, group_frames), "pandas batch": (4, batch_frames), "list length": (4, list_lengths),
        "rdd list length": (4, rdd_lengths), "native part": (6, native_parts),
        "element function": (4, element_functions), "unread": (4, unread),
    },
    "reductions": {
        "pandas reduced": (5, pandas_reduced), "arrow reduced": (3, arrow_reduced), "rdd reduced": (4, rdd_reduced),
        "udtf reduced": (3, table_function_reduced),
    },
    "programs": {
        "two consumers": (4, _any), "method": (4, _any), "early return": (3, _any), "marked": (4, _grouping),
        "constant": (3, constant), "constant above": (3, _any), "own branch": (5, _any), "checkpoint": (4, _any),
        "unnamed keys": (3, _grouped),
    },
}  # fmt: skip
"""Shapes by what the program varies: the boundary, operators around it, the body of a function, or more than one
chain."""
MORE_SHAPES: Shapes = {name: made for shapes in FAMILIES.values() for name, made in shapes.items()}
_COMPOSERS: dict[str, type[Composer]] = {
    "two consumers": TwoConsumers, "method": Method, "early return": EarlyReturn, "marked": Marked,
    "constant above": ConstantAbove, "own branch": OwnBranch, "checkpoint": Checkpointed, "unnamed keys": UnnamedKeys,
}  # fmt: skip
"""Of those whose programs are more than one chain."""


def writer_of(name: str) -> Writer:
    """The programs of a family, or of one shape alone."""
    return partial(_written, name=name)


def write_formulation(choose: Choose) -> Program:
    """A program of any family in another formulation."""
    bases: list[Writer] = [write, write, writer_of("reductions"), *(writer_of(name) for name in FAMILIES)]
    return reformulated(choose, Pen(choose).of(bases))


def plainly(choose: Choose, name: str, make: Make | None = None) -> Program:
    """A boundary of that shape, or what ``make`` writes, with nothing but filters below and above it. What the table
    holds is stated."""
    pen = Pen(choose)
    given = _table(pen, name)
    given.stated = True
    chosen = make or {**SHAPES, **MORE_SHAPES}[name][1]
    return Composer(pen, given, name, chosen, plain=True).program()


def _written(choose: Choose, name: str) -> Program:
    pen = Pen(choose)
    shapes = FAMILIES.get(name)
    chosen = pen.of([n for n, (weight, _) in shapes.items() for _ in range(weight)]) if shapes else name
    given = _table(pen, chosen)
    if chosen == "join side":
        given.stated, given.present, given.clean = False, set(), set()
    return _COMPOSERS.get(chosen, Composer)(pen, given, chosen, MORE_SHAPES[chosen][1]).program()


def _table(pen: Pen, shape: str) -> Source:
    given = source(pen)
    more = _MORE.get(shape, {})
    given.types |= more
    given.nullable |= {name: name != "zs" for name in more}
    return given


_LISTS, _TIMES = {"xs": "array<string>", "zs": "array<int>"}, {"d": "date", "at": "timestamp"}
_MORE = {"pandas frame": _TIMES, "pandas batch": _TIMES, "native part": {"d": "date"}, "dates": _TIMES,
         "element function": {**_TIMES, "e": "date"},
         "union types": {"x": "double", "n": "bigint", "i": "int"},
         "list length": _LISTS, "rdd list length": _LISTS}  # fmt: skip
"""Columns that the table of a shape has beside the usual ones."""
