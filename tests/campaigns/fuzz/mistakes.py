"""Wrong rules for operators, batches and keys, and wrong readings of how data goes through the code: rewrites by them
must be seen to be wrong. Each takes one condition away that a rule of ``operators/`` or of the front end has; wrong
readings show only where the program is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

from headwater.libraries import registry
from headwater.libraries.entry import Entry
from headwater.operators import explode, join, limit, move, project
from headwater.operators.liveness import visible
from headwater.pyspark.api import explode as generators
from headwater.pyspark.api import window as windows
from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater.python.pandas.methods import model as methods
from headwater.python.pandas.row_frames import RowFrameReader
from headwater.python.pandas.series_udf import SeriesReader
from headwater.python.values import append_only
from headwater_ir.expr import TRUE
from headwater_ir.plan import DropDuplicates, JoinInput, Project, Window
from headwater_ir.problem import Fold
from tests.operators.planted_rules import REGISTRY, anything_passes, with_rule

from .oversights import OVERSIGHTS
from .slips import SLIPS

_BOTH = frozenset({"left", "right"})
_window_order, _boundary_of_generator, _of_arms = windows._order, generators._as_boundary, explode._of_arms
_at_boundary, _kept, _project = move._at_boundary, limit.prefix_of, project.through


def _nulls_last(*given: Any) -> Any:
    found = _window_order(*given)
    return found and replace(found, nulls_first=False)


def _any_partition(predicate: Any, node: Any, inputs: Any) -> Any:
    return _project(predicate, Project(node.child, node.columns, node.keeps_others, (), node.span), inputs)


def _never_outer(*given: Any) -> Any:
    return replace(_boundary_of_generator(*given), outer=False)


def _first_arm(predicate: Any, node: Any, inputs: Any) -> Any:
    return _of_arms(predicate, replace(node, arms=node.arms[:1]), inputs)


def _goes(*given: Any) -> Any:
    return replace(_at_boundary(*given), stays=False)


def _all_of_it(*given: Any) -> Any:
    return replace(_at_boundary(*given), whole=True)


def _both_ways(part: Any, order: Any) -> Any:
    return _kept(part, order) or _kept(part, replace(order, descending=not order.descending))


_one_each = append_only._one_each


def _each_row(log: Any, mask: Any) -> Any:
    found = _one_each(log, mask)
    return found and (TRUE, found[1])


_lookup = registry.lookup
_law_of = methods.call_of


def _as_it_is(reader: type, owned: str, *harmless: str) -> Any:
    names = {f"{owned}.{method}" for method in harmless}

    def law_of(run: Any, node: Any, owner: Any, name: str, env: Any) -> Any:
        if isinstance(run, reader) and name in names:
            return lambda _: owner, None
        return _law_of(run, node, owner, name, env)

    return law_of


def _keeping_rows(name: str | None) -> Entry | None:
    found = _lookup(name)
    moved = found is not None and name in ("pandas.DataFrame.fillna", "pandas.DataFrame.shift")
    return replace(found, yields="rows") if found is not None and moved else found


def _once(world: ModuleAnalysis, ident: int, *_: object) -> None:
    world.reads[ident] = 1


def _nobody_reads(fold: Fold, predicate: Any, above: Any, _: Any) -> Fold:
    return visible(fold, predicate, above, ())


MISTAKES: dict[str, dict[str, Any]] = {
    "every join preserves both sides": {"headwater.operators.join.PRESERVED": dict.fromkeys(join.PRESERVED, _BOTH)},
    "any filter rejects what a join makes up": {"headwater.operators.join.rejects_nulls": lambda *_: True},
    "of an ON clause every side may be filtered": {REGISTRY: with_rule(JoinInput, anything_passes)},
    "the filter goes where rows come in beside": {"headwater.operators.move._at_boundary": _goes},
    "one branch of a union is all of it": {"headwater.operators.move._at_boundary": _all_of_it},
    "any row represents its duplicates": {REGISTRY: with_rule(DropDuplicates, anything_passes)},
    "a window sees the rows that it kept": {REGISTRY: with_rule(Window, _any_partition)},
    "NULL comes last in every order": {"headwater.pyspark.api.window._order": _nulls_last},
    "both ends of an order stay": {"headwater.operators.limit.prefix_of": _both_ways},
    "no row stands for no elements": {"headwater.pyspark.api.explode._as_boundary": _never_outer},
    "a row is unpivoted to one": {"headwater.operators.explode._of_arms": _first_arm},
    "a series moved or summed up is that series": {
        "headwater.python.pandas.values.call_of":
            _as_it_is(SeriesReader, methods.SERIES, "cumsum", "shift", "rank")},
    "NaN may be asked of anything": {"headwater.rewrite.edits.Builder._check_types": lambda *_: None},
    "a batch has one row": {
        "headwater.python.pandas.values.call_of":
            _as_it_is(RowFrameReader, methods.FRAME, "head", "drop_duplicates", "sort_values")},
    "a key is never filled nor moved": {
        "headwater.libraries.registry.lookup": _keeping_rows},
    "a second consumer is overlooked": {"headwater.pyspark.api.api_context.ModuleAnalysis.read": _once},
    "nobody reads what is not filtered": {"headwater.operators.move.visible": _nobody_reads},
    "a loop keeps every row": {"headwater.python.values.append_only._one_each": _each_row},
    **OVERSIGHTS, **SLIPS,
}  # fmt: skip
"""What is put in the place of what."""
SHOWN: tuple[tuple[str, str, int], ...] = (
    ("every join preserves both sides", "join", 248),
    ("any filter rejects what a join makes up", "join", 248),
    ("of an ON clause every side may be filtered", "join", 692),
    ("the filter goes where rows come in beside", "union", 84),
    ("one branch of a union is all of it", "union", 68),
    ("any row represents its duplicates", "dropDuplicates", 216),
    ("a window sees the rows that it kept", "window", 16),
    ("NULL comes last in every order", "window order", 260),
    ("both ends of an order stay", "window order", 8),
    ("both ends of an order stay", "limit of an order", 132),
    ("no row stands for no elements", "explode", 60),
    ("a row is unpivoted to one", "unpivot", 36),
    ("a series moved or summed up is that series", "pandas_udf series", 468),
    ("NaN may be asked of anything", "pandas_udf series", 1716),
    ("a batch has one row", "mapInPandas", 44),
    ("a key is never filled nor moved", "applyInPandas key", 244),
    ("a union goes by name", "union by position", 1032),
    ("nothing is replaced", "replace", 64),
    ("one consumer speaks for all", "two consumers", 84),
    ("mask keeps what where keeps", "pandas_udf columns", 712),
    ("a text ends as it begins", "applyInPandas columns", 288),
    ("a row is unpivoted to one", "stack", 64),
    ("no number is NaN", "rdd values", 772),
    ("what is no key is None", "udf control", 20),
    ("every guard of a case is met", "udf control", 260),
    ("nothing is caught", "udf control", 216),
    ("what is no key is None", "group control", 428),
    ("every guard of a case is met", "group control", 940),
    ("nothing is filled", "fillna", 236),
    ("what a method calls changes nothing", "method", 156),
    ("what is taken away is all of it", "set operation", 96),
    ("a column that is overwritten is what it was", "constant above", 1208),
    ("no other filter binds a witness", "marked", 96),
    ("mask keeps what where keeps", "mapInPandas columns", 132),
    ("a pattern is the text that it fits", "pandas_udf columns", 544),
    ("one missing value is enough to be dropped", "dropna", 644),
    ("both alternatives of an ON clause hold", "join on", 28),
    ("a pivot without values has the same columns", "pivot above", 148),
    ("one frame of a cogroup is enough", "cogroup", 0),
    ("a Row goes by name", "rdd frame", 184),
    ("one element that fails is enough", "posexplode", 24),
    ("a list holds all that it was made of", "list length", 4),
    ("a list holds all that it was made of", "rdd list length", 4),
    ("a column keeps its name", "pandas frame", 1896),
    ("a column keeps its name", "pandas batch", 164),
    ("rows keep their labels", "pandas frame", 2040),
    ("a year ends before it begins", "native part", 112),
    ("nothing is bound anew before a branch, and a copy is what it was", "own branch", 64),
    ("every parameter is given", "unnamed keys", 340),
    ("what one alternative says holds", "implied", 132),
    ("a union keeps the types", "union types", 108),
    ("only whole groups are totalled", "totals", 92),
    ("an aggregate is what it is made of", "keys below", 800),
    ("a table keeps its columns", "applyInArrow key", 52),
    ("a partition has one value of what it is computed of", "window computed", 328),
    ("no frame is called as a struct", "rdd struct", 264),
    ("a loop keeps every row", "udtf reduced", 92),
    ("a second consumer is overlooked", "flow", 309),
    ("nobody reads what is not filtered", "flow", 44),
)
"""A program that shows each, by shape (or ``flow``) and seed; when the generator changes, look for another one."""


@contextmanager
def mistaken(name: str) -> Iterator[None]:
    """The tool with that mistake, and without the proof of crossings, which would refuse what it makes of operators."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch("headwater.engine.analysis.judging.crossed", lambda moved, verdict: verdict))
        for place, planted in MISTAKES[name].items():
            stack.enter_context(mock.patch(place, planted))
        yield
