"""Programs of more shapes: boundaries without a fold, operators on top of boundaries, bodies with control flow, and
programs of more than one chain."""

from __future__ import annotations

from .batches import in_arrow, in_pandas, series_udf
from .chains import in_filter, key_filter, key_through, row_chain
from .columns import batch_calls, column_calls, group_calls
from .control import group_body, row_body
from .elements import constant, explode_elements, unpivot_values, window_order
from .grouped import Boundary, Make, aggregating_udf, grouped_in_arrow, grouped_in_pandas
from .missing import missing, pivoted, stack_rows
from .pen import Choose, Pen
from .program import Program
from .programs import Composer
from .rows import native, row_function
from .sets import TWO_FRAMES, above_union, two_frames
from .stacked import OPERATORS, stacked
from .tables import Source, source
from .texts import value_filter
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


WIDER: dict[str, tuple[int, Make]] = {
    "rdd rows": (4, row_chain), "rdd keys": (4, key_filter), "applyInPandas key": (4, key_through),
    "pandas_udf series": (4, series_udf), "mapInPandas": (4, in_pandas), "mapInArrow": (2, in_arrow),
    "window order": (4, window_order), "explode": (4, explode_elements), "unpivot": (3, unpivot_values),
    "udf in filter": (4, in_filter), "constant": (3, constant),
    **{operator: (6 if operator == "join" else 2, stacked(operator)) for operator in OPERATORS},
    **{operator: (4, two_frames(operator)) for operator in TWO_FRAMES}, "above a union": (3, above_union),
    **{method: (4, missing(method)) for method in ("fillna", "replace", "dropna")},
    "stack": (3, stack_rows), "pivot above": (3, pivoted), "rdd values": (4, value_filter),
    "udf control": (6, row_body), "group control": (4, group_body), "pandas_udf columns": (5, column_calls),
    "mapInPandas columns": (3, batch_calls), "applyInPandas columns": (3, group_calls),
    "two consumers": (4, _any), "method": (4, _any), "early return": (3, _any), "marked": (4, _grouping),
    "constant above": (3, _any),
}  # fmt: skip
"""Weight and writer of each."""
_COMPOSERS: dict[str, type[Composer]] = {
    "two consumers": TwoConsumers, "method": Method, "early return": EarlyReturn, "marked": Marked,
    "constant above": ConstantAbove,
}  # fmt: skip
"""Of those whose programs are more than one chain."""


def write_wider(choose: Choose, shape: str | None = None) -> Program:
    """The program that these choices make, of those that ``WIDER`` lists; ``shape``: of this one only."""
    pen = Pen(choose)
    chosen = shape or pen.of([name for name, (weight, _) in WIDER.items() for _ in range(weight)])
    return _COMPOSERS.get(chosen, Composer)(pen, source(pen), chosen, WIDER[chosen][1]).program()
