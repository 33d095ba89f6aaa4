"""Native aggregates (``agg(F.max("x"), …)``) → ``Fold`` with merge.

Spark's rules: NULL inputs are skipped, except by ``count(*)``; NaN is greatest; a sum, minimum, maximum or
average of no
value is NULL; a count never is. Aggregates without a fold of their own become an opaque slot, distinct for each
aggregate: then only conditions on keys can move, and equality of that output needs every row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headwater_ir.expr import Arith, Call, Col, Compare, Expr, If, IsNull, IsTrue, Lit, Or, Slot, columns_of
from headwater_ir.plan import Schema
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot
from headwater_ir.types import ANY, BOOL, FLOAT, INT, INT64, NULL, NUMBER, Type, is_numeric

from .context import Refusal
from .terms import Term, kind

_NULL = Lit(None, NULL)
_ZERO, _ONE = Lit(0, INT), Lit(1, INT)


@dataclass(frozen=True)
class Native:
    """One aggregate call: ``function(argument)``; ``argument`` None is ``count(*)``; ``name`` of its output column."""

    function: str
    argument: Term | None
    name: str
    rest: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Part:
    """Slots of one aggregate. ``step`` and ``merge`` get the slots' indices; so does ``value``."""

    types: tuple[Type, ...]
    init: tuple[Expr, ...]
    step: Callable[[int], tuple[Expr, ...]]
    merge: Callable[[int], tuple[Expr, ...]]
    value: Callable[[int], Expr]
    type: Type


CANONICAL = {
    "mean": "avg", "any": "bool_or", "some": "bool_or", "every": "bool_and", "countDistinct": "count_distinct",
    "sumDistinct": "sum_distinct", "approxCountDistinct": "approx_count_distinct",
}  # fmt: skip

OPAQUE = frozenset(
    """
    count_distinct sum_distinct approx_count_distinct collect_list collect_set first last first_value
    last_value any_value
    stddev stddev_samp stddev_pop std variance var_samp var_pop skewness kurtosis median mode corr covar_pop covar_samp
    percentile percentile_approx max_by min_by product array_agg bit_and bit_or bit_xor listagg string_agg
    """.split()
)
"""Aggregates that are pure functions of the bag (or some order) of their inputs."""

AGGREGATES = frozenset({"max", "min", "sum", "count", "avg", "bool_or", "bool_and", "count_if", *CANONICAL}) | OPAQUE


def fold_aggregates(
    api: str, natives: Sequence[Native], *, keys: tuple[str, ...], source: Schema, facts: tuple[Expr, ...],
    no_nulls: bool, grouped: bool, columns_facts: Callable[[str, Type], tuple[Expr, ...]],
) -> Fold:  # fmt: skip
    """The fold of ``groupBy(keys).agg(natives)``, or of a global ``agg``."""
    slots: list[StateSlot] = []
    init: list[Expr] = []
    step: list[Expr] = []
    merge: list[Expr] = []
    outputs = [OutputColumn(k, _type(source, k), Col(k)) for k in keys]
    for number, native in enumerate(natives):
        part = _part(native, number)
        base = len(slots)
        slots += [StateSlot(native.name if i == 0 else f"{native.name}.{i}", t) for i, t in enumerate(part.types)]
        init += part.init
        step += part.step(base)
        merge += part.merge(base)
        outputs.append(OutputColumn(native.name, part.type, part.value(base)))
    _distinct([o.name for o in outputs])
    read = sorted({c for e in step for c in columns_of(e)} - set(keys))
    columns = (*(Column(k, _type(source, k), is_key=True) for k in keys), *(Column(c, _type(source, c)) for c in read))
    known = {c.name for c in columns}
    if no_nulls:
        facts = (*facts, *(f for c in columns for f in columns_facts(c.name, c.type)))
    return Fold(
        name=", ".join(n.name for n in natives), api=api, columns=columns, slots=tuple(slots), init=tuple(init),
        step=tuple(step), outputs=tuple(outputs), merge=tuple(merge), grouped=grouped,
        facts=tuple(dict.fromkeys(f for f in facts if columns_of(f) <= known)),
        assumptions=_assumptions(slots, natives),
    )  # fmt: skip


def _type(source: Schema, name: str) -> Type:
    known = source.field(name)
    return known.type if known else ANY


def _distinct(names: list[str]) -> None:
    if len({n.lower() for n in names}) != len(names):
        raise Refusal("attribute-capture", "two output columns have the same name")


def _assumptions(slots: list[StateSlot], natives: Sequence[Native]) -> tuple[str, ...]:
    if any(n.function == "sum" for n in natives) and any(s.type == INT64 for s in slots):
        return ("integer overflow is an error (`spark.sql.ansi.enabled`, the default since Spark 4.0)",)
    return ()


def _part(native: Native, number: int) -> Part:
    function = CANONICAL.get(native.function, native.function)
    if native.argument is None:
        if function == "count":
            return _count(None)
        raise Refusal("opaque", f"`{function}` without a column")
    v, t = native.argument.expr, native.argument.type
    match function:
        case "count":
            # A literal that is not NULL counts every row.
            return _count(None if isinstance(v, Lit) and v.value is not None else v)
        case "max" | "min":
            return _extreme(function, v, t)
        case "sum":
            return _sum(v, t)
        case "avg":
            return _average(v, t)
        case "bool_or" | "bool_and":
            return _boolean(function, v, t)
        case "count_if":
            return _counter(lambda s: If(IsTrue(v), s, _ZERO))
    if function not in OPAQUE:
        raise Refusal("opaque", f"the aggregate `{function}` has no meaning here")
    return _opaque(function, number, (v, *native.rest))


def _fixed(*exprs: Expr) -> tuple[Expr, ...]:
    return exprs


def _count(v: Expr | None) -> Part:
    return _counter(lambda one: one if v is None else If(IsNull(v), _ZERO, one))


def _counter(amount: Callable[[Expr], Expr]) -> Part:
    """A count. Its slot is an unbounded integer: no group has 2^63 rows."""

    def step(b: int) -> tuple[Expr, ...]:
        added = amount(_ONE)
        if isinstance(added, If):
            keep, more = Slot(b), _counted(Slot(b), _ONE)
            return _fixed(If(added.cond, keep if added.then == _ZERO else more, more if added.then == _ZERO else keep))
        return _fixed(_counted(Slot(b), _ONE))

    return Part((INT,), (_ZERO,), step, lambda b: _fixed(_counted(Slot(b, 1), Slot(b, 2))), Slot, INT)


def _counted(a: Expr, b: Expr) -> Expr:
    # Spark's own counters are longs that cannot overflow, so this is not the sql dialect's addition, which may.
    return Arith("+", a, b, "python")


def _extreme(function: str, v: Expr, t: Type) -> Part:
    if t.name in ("list", "null"):
        raise Refusal("opaque", f"`{function}` of {t}")

    def better(new: Expr, old: Expr) -> Expr:
        if isinstance(new, If):
            return If(new.cond, better(new.then, old), better(new.otherwise, old))
        if isinstance(new, Lit) and new.value is None:
            return old
        wins = Compare(">" if function == "max" else "<", new, old, "sql")
        return If(IsNull(new), old, If(Or((IsNull(old), wins)), new, old))

    return Part(
        (t,), (_NULL,), lambda b: _fixed(better(v, Slot(b))), lambda b: _fixed(better(Slot(b, 2), Slot(b, 1))), Slot, t
    )


def _added(new: Expr, old: Expr) -> Expr:
    # A conditional input is decided outside, so that `sum(when(c, 1))` has the branches that the user wrote.
    if isinstance(new, If):
        return If(new.cond, _added(new.then, old), _added(new.otherwise, old))
    if isinstance(new, Lit):
        return old if new.value is None else If(IsNull(old), new, Arith("+", old, new, "sql"))
    return If(IsNull(new), old, If(IsNull(old), new, Arith("+", old, new, "sql")))


def _number(function: str, t: Type) -> None:
    if kind(t) not in ("number", "any", "null") or t.name == "decimal":
        raise Refusal("opaque", f"`{function}` of {t}")


def _sum(v: Expr, t: Type) -> Part:
    _number("sum", t)
    total = INT64 if t.name == "int" else FLOAT if t.name == "float" else NUMBER
    if t.name == "int" and _small(v):
        # Like a count: a 64-bit sum of such constants overflows for no group that fits a disk.
        total = INT
    return Part(
        (total,),
        (_NULL,),
        lambda b: _fixed(_added(v, Slot(b))),
        lambda b: _fixed(_added(Slot(b, 2), Slot(b, 1))),
        Slot,
        total,
    )


def _small(v: Expr) -> bool:
    if isinstance(v, If):
        return _small(v.then) and _small(v.otherwise)
    return isinstance(v, Lit) and (v.value is None or (type(v.value) is int and abs(v.value) <= 2**16))


def _average(v: Expr, t: Type) -> Part:
    """Sum and count; Spark sums integers as doubles here, so that nothing overflows."""
    _number("avg", t)
    total = FLOAT if t.name in ("int", "float") else NUMBER
    count = _count(v)

    def value(b: int) -> Expr:
        some = Compare(">", Slot(b + 1), _ZERO, "sql")
        return If(some, Arith("/", Slot(b), Slot(b + 1), "sql"), _NULL)

    return Part(
        (total, INT), (_NULL, _ZERO), lambda b: (_added(v, Slot(b)), *count.step(b + 1)),
        lambda b: (_added(Slot(b, 2), Slot(b, 1)), *count.merge(b + 1)), value, total,
    )  # fmt: skip


def _boolean(function: str, v: Expr, t: Type) -> Part:
    if t.name not in ("bool", "any"):
        raise Refusal("opaque", f"`{function}` of {t}")

    def both(new: Expr, old: Expr) -> Expr:
        joined = If(new, Lit(True, BOOL), old) if function == "bool_or" else If(new, old, Lit(False, BOOL))
        return If(IsNull(new), old, If(IsNull(old), new, joined))

    return Part(
        (BOOL,),
        (_NULL,),
        lambda b: _fixed(both(v, Slot(b))),
        lambda b: _fixed(both(Slot(b, 2), Slot(b, 1))),
        Slot,
        BOOL,
    )


def _opaque(function: str, number: int, args: tuple[Expr, ...]) -> Part:
    name = f"agg:{function}:{number}"

    def call(suffix: str, *parts: Expr) -> tuple[Expr, ...]:
        return (Call(name + suffix, parts, ANY, total=True),)

    return Part(
        (ANY,),
        call(":init"),
        lambda b: call("", Slot(b), *args),
        lambda b: call(":merge", Slot(b, 1), Slot(b, 2)),
        Slot,
        ANY,
    )


__all__ = ["AGGREGATES", "CANONICAL", "Native", "fold_aggregates", "is_numeric"]
