"""Wrong rules for cogroups, frames of RDDs, places, lengths of lists, frames of pandas, native parts, branches; for
subtotals, keys below aggregates and in Arrow tables, computed windows, named frames and fields of structs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headwater.operators import implied as implication
from headwater.pyspark.api import window
from headwater.python.builtins import slice_tests
from headwater.python.key_flow import arrow
from headwater.python.pandas.methods import model
from headwater.python.rdd import to_frame
from headwater.python.values import sized_lists
from headwater.python.values.structures import RecordValue as Fields
from headwater.rewrite import elements
from headwater_ir import plan
from headwater_ir.expr import Or, columns_of
from tests.operators.planted_rules import anything_passes

_values, _call, _implied = to_frame._values, elements._call, implication.implied
_group_map, _year = plan.GroupMap, slice_tests._year


def _one_frame(*given: Any, **named: Any) -> Any:
    return _group_map(*given, **{**named, "right": None, "beside": None, "renamed": ()})


def _by_name(element: Any, output: Any, *rest: Any) -> Any:
    if isinstance(element, Fields) and {f.name for f in output.fields} == set(element.names):
        return [element.get(f.name) for f in output.fields]
    return _values(element, output, *rest)


def _every_element(name: str, *given: Any) -> str:
    return _call("forall" if name == "exists" else name, *given)


def _as_long(_: Any, of: Any, kind: Any = "list") -> Any:
    return sized_lists.as_long(of, kind)


def _first_arm(predicate: Any, passing: Any) -> Any:
    if isinstance(predicate, Or) and predicate.dialect == "sql":
        return _implied(replace(predicate, operands=(predicate.operands[0],) * 2), passing)
    return ()


_RENAMED = {"pandas.DataFrame.rename": replace(model.laws()["pandas.DataFrame.rename"], law=lambda call: call.owner)}


def _a_year_later(op: Any, day: Any, year: int) -> Any:
    return _year({"<=": "<", ">": ">="}.get(op, op), day, year)


_parted, _table_method = window._parted, arrow.ArrowFrames.frame_method


def _its_columns_too(*given: Any) -> Any:
    found = _parted(*given)
    return found and (found[0].union(*(columns_of(e) for e in found[1])), found[1])


def _as_it_was(self: Any, node: Any, method: str, owner: Any, state: Any) -> Any:
    return owner if method in ("rename_columns", "set_column") else _table_method(self, node, method, owner, state)


SLIPS: dict[str, dict[str, Any]] = {
    "one frame of a cogroup is enough": {"headwater.pyspark.api.user_functions.cogroup.GroupMap": _one_frame},
    "a Row goes by name": {"headwater.python.rdd.to_frame._values": _by_name},
    "one element that fails is enough": {"headwater.rewrite.elements._call": _every_element},
    "a list holds all that it was made of": {"headwater.python.builtins.list_lengths.shorter": _as_long},
    "rows keep their labels": {"headwater.python.rows.row_sequences.RowSequence.alike": lambda *_: True},
    "a column keeps its name": {"headwater.python.pandas.methods.model._LAWS": {**model.laws(), **_RENAMED}},
    "a year ends before it begins": {"headwater.python.builtins.slice_tests._year": _a_year_later},
    "nothing is bound anew before a branch, and a copy is what it was": {
        "headwater.rewrite.branch.definitions.Scopes.holds": lambda *_: True,
        "headwater.edit_check.copies.check_copy": lambda *_: None},
    "every parameter is given": {"headwater.syntax.names.resolve.Names.is_optional": lambda *_: False},
    "what one alternative says holds": {"headwater.operators.move.implied": _first_arm},
    "a union keeps the types": {"headwater.operators.union_all.alike": lambda *_: True},
    "only whole groups are totalled": {"headwater.pyspark.api.aggregates.grouping_sets._sets": lambda _, keys: [keys]},
    "an aggregate is what it is made of": {"headwater.operators.aggregate.beyond": anything_passes},
    "a partition has one value of what it is computed of": {"headwater.pyspark.api.window._parted": _its_columns_too},
    "a table keeps its columns": {
        "headwater.python.key_flow.arrow.ArrowFrames.frame_method": _as_it_was},
    "no frame is called as a struct": {"headwater.syntax.names.frame_names.names_a_frame": lambda *_: False},
}  # fmt: skip
"""What is put in the place of what, as in ``mistakes.MISTAKES``."""
