"""Native aggregates (``agg(F.max("x"), …)``) → ``Fold`` with merge.

Aggregates without a fold of their own become an opaque slot, distinct for each aggregate: then only conditions on keys
can move, and equality of that output needs every row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from headwater.pyspark.frames.typed_terms import Term, compare, kind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, Lit, Slot, columns_of, slots_of, transform
from headwater_ir.plan import Schema
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot
from headwater_ir.types import Type

from . import aggregate_slots, value_picking_aggregates
from .aggregate_slots import Part
from .collect_aggregates import collected


@dataclass(frozen=True)
class Native:
    """One aggregate call: ``function(argument, rest…)``; ``argument`` None is ``count(*)``."""

    function: str
    argument: Term | None
    rest: tuple[Term, ...] = ()
    ignore_nulls: bool = False


@dataclass(frozen=True)
class Result:
    """One output column: ``value`` reads aggregates as ``aggregated(i)``, and keys."""

    name: str
    value: Term


def aggregated(number: int) -> Col:
    """What stands for the value of the aggregate of that number in a ``Result``."""
    return Col(f"#{number}")


CANONICAL = {
    "mean": "avg", "any": "bool_or", "some": "bool_or", "every": "bool_and", "countDistinct": "count_distinct",
    "sumDistinct": "sum_distinct", "approxCountDistinct": "approx_count_distinct", "first_value": "first",
    "last_value": "last", "any_value": "first",
}  # fmt: skip

OPAQUE = frozenset(
    """
    count_distinct sum_distinct approx_count_distinct collect_list collect_set stddev stddev_samp stddev_pop std
    variance var_samp var_pop skewness kurtosis median mode corr covar_pop covar_samp percentile percentile_approx
    product array_agg bit_and bit_or bit_xor listagg string_agg
    """.split()
)
"""Aggregates that are pure functions of the bag (or some order) of their inputs."""

KNOWN = frozenset("max min sum count avg bool_or bool_and count_if max_by min_by first last".split())
AGGREGATES = KNOWN | frozenset(CANONICAL) | OPAQUE


def fold_aggregates(
    api: str, natives: Sequence[Native], results: Sequence[Result], *, keys: tuple[str, ...], source: Schema,
    facts: tuple[Expr, ...], no_nulls: bool, grouped: bool, columns_facts: Callable[[str, Type], tuple[Expr, ...]],
) -> Fold:  # fmt: skip
    """The fold of ``groupBy(keys).agg(results)``, or of a global ``agg``; the results are made of ``natives``."""
    slots: list[StateSlot] = []
    init: list[Expr] = []
    step: list[Expr] = []
    merge: list[Expr] = []
    values: dict[Col, Expr] = {}
    names = _names(natives, results)
    for number, native in enumerate(natives):
        part = part_of(native, number)
        base = len(slots)
        name = names[number]
        slots += [StateSlot(name if i == 0 else f"{name}.{i}", t) for i, t in enumerate(part.types)]
        init += part.init
        step += part.step(base)
        merge += part.merge(base)
        values[aggregated(number)] = part.value(base)
    outputs = [OutputColumn(k, _type(source, k), Col(k)) for k in keys]
    outputs += [OutputColumn(r.name, r.value.type, _filled(r.value.expr, values)) for r in results]
    _distinct([o.name for o in outputs])
    slots, init, step, merge, place = _shared(slots, init, step, merge, {r.name for r in results})
    outputs = [replace(o, value=_placed(o.value, place)) for o in outputs]
    read = sorted({c for e in step for c in columns_of(e)} - set(keys))
    columns = (*(Column(k, _type(source, k), is_key=True) for k in keys), *(Column(c, _type(source, c)) for c in read))
    known = {c.name for c in columns}
    if no_nulls:
        facts = (*facts, *(f for c in columns for f in columns_facts(c.name, c.type)))
    return Fold(
        name=", ".join(r.name for r in results), api=api, columns=columns, slots=tuple(slots), init=tuple(init),
        step=tuple(step), outputs=tuple(outputs), merge=tuple(merge), grouped=grouped,
        facts=tuple(dict.fromkeys(f for f in facts if columns_of(f) <= known)),
    )  # fmt: skip


def _names(natives: Sequence[Native], results: Sequence[Result]) -> list[str]:
    """What people call the slots: the output column that an aggregate is, or else its function."""
    plain = {r.value.expr: r.name for r in results}
    found: list[str] = []
    for number, native in enumerate(natives):
        name = plain.get(aggregated(number), native.function)
        found.append(name if name not in found else f"{name}'{number}")
    return found


def _shared(
    slots: list[StateSlot], init: list[Expr], step: list[Expr], merge: list[Expr], shown: set[str]
) -> tuple[list[StateSlot], list[Expr], list[Expr], list[Expr], dict[int, int]]:
    """The same fold with slots that always hold the same merged into one: ``max(x)`` is also what ``max_by(y, x)``
    orders by. Answers where each slot went."""
    seen: dict[tuple[Type, Expr, Expr, Expr], int] = {}
    place: dict[int, int] = {}
    kept: list[int] = []
    for i, slot in enumerate(slots):
        if slots_of(step[i]) | slots_of(merge[i]) <= {i}:
            shape = (slot.type, init[i], _placed(step[i], {i: 0}), _placed(merge[i], {i: 0}))
            place[i] = seen.setdefault(shape, len(kept))
        else:
            place[i] = len(kept)
        if place[i] == len(kept):
            kept.append(i)
        elif slot.name in shown:
            slots[kept[place[i]]] = slot  # what people call an output is the better name
    return (
        [slots[i] for i in kept],
        [init[i] for i in kept],
        [_placed(step[i], place) for i in kept],
        [_placed(merge[i], place) for i in kept],
        place,
    )


def _placed(e: Expr, place: dict[int, int]) -> Expr:
    return transform(e, lambda n: Slot(place[n.index], n.side) if isinstance(n, Slot) else None)


def _filled(e: Expr, values: dict[Col, Expr]) -> Expr:
    return transform(e, lambda n: values.get(n) if isinstance(n, Col) else None)


def _type(source: Schema, name: str) -> Type:
    return source.type_of(name)


def _distinct(names: list[str]) -> None:
    if len({n.lower() for n in names}) != len(names):
        raise Refusal("attribute-capture", "two output columns have the same name")


def part_of(native: Native, number: int) -> Part:
    """The slots of one aggregate; Refusal where it has no model."""
    function = CANONICAL.get(native.function, native.function)
    if native.argument is None:
        if function == "count":
            return aggregate_slots.count(None)
        raise Refusal("opaque", f"`{function}` without a column")
    v, t = native.argument.expr, native.argument.type
    match function, native.rest:
        case "count", ():
            # A literal that is not NULL counts every row.
            return aggregate_slots.count(None if isinstance(v, Lit) and v.value is not None else v)
        case (("max" | "min"), ()):
            return aggregate_slots.extreme(function, v, t)
        case "sum", ():
            return aggregate_slots.total(v, t)
        case "avg", ():
            return aggregate_slots.average(v, t)
        case (("bool_or" | "bool_and"), ()):
            return aggregate_slots.boolean(function, v, t)
        case "count_if", ():
            return aggregate_slots.count_if(v)
        case (("max_by" | "min_by"), (by,)):
            return value_picking_aggregates.extreme_by(function, v, t, by.expr, by.type)
        case (("first" | "last"), ()):
            return value_picking_aggregates.first_or_last(function, v, t, native.ignore_nulls)
        case (("collect_set" | "collect_list" | "array_agg"), ()):
            return collected(function, v, number)
        case "count_distinct", ():
            return value_picking_aggregates.distinct(v, number)
        case "exists", ():
            return value_picking_aggregates.contains(v)
        case "contains", (sought,):
            return _contains(native.argument, sought)
    if function not in OPAQUE:
        raise Refusal("opaque", f"no model covers the aggregate `{function}`")
    return aggregate_slots.opaque(function, number, (v, *(r.expr for r in native.rest)))


def _contains(element: Term, sought: Term) -> Part:
    """``array_contains(collect_set(element), sought)``: Spark converts nothing here, and refuses NULL."""
    constant = isinstance(sought.expr, Lit) and sought.expr.value is not None
    if not constant or (kind(element.type) not in (kind(sought.type), "any")):
        raise Refusal("opaque", "`array_contains` of something other than a constant of the type of the elements")
    return value_picking_aggregates.contains(compare("==", element, sought))
