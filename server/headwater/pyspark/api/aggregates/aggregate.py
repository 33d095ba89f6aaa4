"""Native aggregates (``agg(F.max("x"), …)``) → ``Fold`` with merge.

Aggregates without a fold of their own become an opaque slot, distinct for each aggregate: then only conditions on keys
can move, and equality of that output needs every row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from headwater.pyspark.frames.typed_terms import Term
from headwater.python.exprs.lift_branches import branched
from headwater.python.exprs.value_tags import of_columns
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, Lit, Slot, columns_of, slots_of, transform
from headwater_ir.plan import Schema
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot
from headwater_ir.struct_fields import field_column, field_of
from headwater_ir.types import Type

from . import aggregate_slots, value_picking_aggregates
from .aggregate_slots import Part
from .collect_aggregates import collected
from .struct_aggregates import Struct, extreme_of_structs


@dataclass(frozen=True)
class Native:
    """One aggregate call: ``function(argument, rest…)``; ``argument`` None is ``count(*)``. ``update``: of
    ``aggregate``, what one more element makes of the state."""

    function: str
    argument: Term | None
    rest: tuple[Term, ...] = ()
    ignore_nulls: bool = False
    update: Callable[[Term, Term], Term] | None = None


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
    values: dict[Expr, Expr] = {}
    names = _names(natives, results)
    read = frozenset[str]().union(*(columns_of(r.value.expr) for r in results))
    for number, native in enumerate(natives):
        if aggregated(number).name not in read:
            continue
        part = part_of(_by_constants(native, facts), number)
        base = len(slots)
        name = names[number]
        slots += [StateSlot(name if i == 0 else f"{name}.{i}", t) for i, t in enumerate(part.types)]
        init += part.init
        step += part.step(base)
        merge += part.merge(base)
        values[aggregated(number)] = part.value(base)
        values |= {field_of(aggregated(number), n): Slot(base + i) for n, i in part.fields}
    outputs = [OutputColumn(k, _type(source, k), Col(k)) for k in keys]
    outputs += [output for r in results for output in _outputs(r, values)]
    _distinct([o.name for o in outputs])
    if merge and len(merge) < len(step):
        raise Refusal("opaque", "`aggregate` of an array beside other aggregates")
    slots, init, step, merge, place = _shared(slots, init, step, merge, {r.name for r in results})
    outputs = [replace(o, value=_placed(o.value, place)) for o in outputs]
    used = sorted({c for e in step for c in columns_of(e)} - set(keys))
    columns = (*(Column(k, _type(source, k), is_key=True) for k in keys), *(Column(c, _type(source, c)) for c in used))
    known = {c.name for c in columns}
    if no_nulls:
        facts = (*facts, *(f for c in columns for f in columns_facts(c.name, c.type)))
    if not merge:  # what a lambda makes of a state, in the words of its user
        step = branched(of_columns({c.name: c.type for c in columns}, facts), init, step)
    return Fold(
        name=", ".join(r.name for r in results), api=api, columns=columns, slots=tuple(slots), init=tuple(init),
        step=tuple(step), outputs=tuple(outputs), merge=tuple(merge) if len(merge) == len(step) else None,
        grouped=grouped,
        facts=tuple(dict.fromkeys(f for f in facts if columns_of(f) <= known)),
    )  # fmt: skip


def _by_constants(native: Native, facts: Sequence[Expr]) -> Native:
    """``sum(c)`` of a column that holds nothing but a few constants as that of the CASE which yields them."""
    of = native.argument
    if of is None or native.function != "sum":
        return native
    cases = [case for fact in facts for case in aggregate_slots.as_case(of.expr, fact)]
    return replace(native, argument=replace(of, expr=cases[0])) if cases else native


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
        merged = merge[i] if merge else Slot(i)
        if slots_of(step[i]) | slots_of(merged) <= {i}:
            shape = (slot.type, init[i], _placed(step[i], {i: 0}), _placed(merged, {i: 0}))
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
        [_placed(merge[i], place) for i in kept if merge],
        place,
    )


def _placed(e: Expr, place: dict[int, int]) -> Expr:
    return transform(e, lambda n: Slot(place[n.index], n.side) if isinstance(n, Slot) else None)


def _filled(e: Expr, values: dict[Expr, Expr]) -> Expr:
    return transform(e, values.get)


def _outputs(result: Result, values: dict[Expr, Expr]) -> Iterator[OutputColumn]:
    """The output ``result``; of a struct its fields as well."""
    yield OutputColumn(result.name, result.value.type, _filled(result.value.expr, values))
    for name, term in result.value.fields if isinstance(result.value, Struct) else ():
        yield OutputColumn(field_column(result.name, name), term.type, _filled(term.expr, values))


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
        case (("max" | "min"), ()) if isinstance(native.argument, Struct):
            return extreme_of_structs(function, native.argument)
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
        case "aggregate", (zero,) if native.update is not None:
            return value_picking_aggregates.updated(native.argument, zero, native.update)
    if function not in OPAQUE:
        raise Refusal("opaque", f"no model covers the aggregate `{function}`")
    return aggregate_slots.opaque(function, number, (v, *(r.expr for r in native.rest)))
