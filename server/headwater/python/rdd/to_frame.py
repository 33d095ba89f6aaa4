"""Elements of an RDD as rows of a frame: ``rdd.toDF("a long, b string")``, ``spark.createDataFrame(rdd, schema)``.

Law: with a schema that says the type of each column, an element is one row: a tuple, a list or a ``Row`` by position, a
dict by name. Each value is what it was, or the conversion raises: PySpark verifies that it is of exactly the declared
type (no bool and no float for a whole number, no int for a double), that a whole number fits, and that what is ``not
null`` is not None. NaN stays NaN. So a filter of the frame is a condition on what the chain makes of a row, and a row
that it drops was converted before: dropping it earlier may take an error away, never bring one.
Condition: the types are stated. Without them the first elements say what the columns are, and of an RDD that a
pre-filter has emptied there is no schema at all: ``toDF(["a", "b"])`` would raise where it did not. Text takes anything
and prints it, so what is declared as text must be text. A date must be one, for a ``datetime`` would be cut.
Above an aggregation by key, the value that is converted may be made of fewer rows than before: a conversion that may
raise on it is part of the fold's output, so that *Safe* (THEORY.md section 2) speaks of it.
Reference: ``pyspark.sql.types._make_type_verifier``, ``StructType.toInternal`` (4.3); docs/semantics.md, column H.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headwater.python.exprs.intervals import Range, of_type, range_of, slot_ranges
from headwater.python.exprs.simplify import MAX_NODES, both, choose, either, is_null, negate
from headwater.python.exprs.types import results
from headwater.python.values import sized_lists
from headwater.python.values.scope import AbstractObject, Items, Scope, Unreadable, Value
from headwater.python.values.structures import RecordValue as Fields
from headwater.python.values.type_inference import known_columns, read_function
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Compare, Expr, Lit, Raise, columns_of, params_of, size, transform
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import ANY, BOOL, DATE, FLOAT, INT, STRING
from headwater_ir.unread import hidden_value

from .element_steps import ElementReader
from .method_calls import AGGREGATORS, Call, Elements
from .row_filters import api_of, name_of
from .row_objects import Columns, RddRow

ROW = "the row"
"""A ghost column that stands for all that the functions may read of a row."""
_FLAWLESS = (STRING, BOOL, FLOAT, DATE)
_SCALAR = frozenset("bool int float string date timestamp".split())


def fold_elements(
    ctx: Context,
    names: Names,
    calls: Sequence[Call],
    output: Schema,
    *,
    columns: Columns,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The row function of a chain of methods of ``df.rdd`` whose elements become rows of ``output``."""

    def attempt(scope: Scope) -> Fold:
        run = ElementReader(scope, columns)
        element: Value = RddRow()
        for call in calls:
            if call.method in AGGREGATORS:
                raise Refusal("opaque", "what the aggregation yields has no model", call.node)
            if call.method == "filter":
                run.place = call.node
                for function in call.arguments:
                    run.require_pure(function)
            else:
                element = run.step(call, element)
        parts = zip(output.fields, _values(element, output, run, columns), strict=True)
        outputs = tuple(_shown(scope, v, f) for f, v in parts)
        values, told = [o.value for o in outputs], sized_lists.facts_of(scope, facts, columns.source)
        scope.ghost(ROW, ANY)
        own = known_columns(scope, columns.source, (), values, told)
        return Fold(
            name_of(calls), api_of(calls), own, (), (), (), outputs, rows="one", facts=told,
            assumptions=sized_lists.assumptions(scope, values),
        )  # fmt: skip

    return read_function(ctx, attempt, names=names, assume_pure=assume_pure, facts=facts)


def _values(element: Value, output: Schema, run: ElementReader, columns: Columns) -> list[Value]:
    """The parts of ``element``, one for each column; Refusal if they do not surely fit."""
    if isinstance(element, RddRow):
        if not columns.ordered:
            raise Refusal("opaque", "in which order the columns of the row stand is not known", run.place)
        parts: list[Value] = [_column(f.name, run, columns) for f in columns.source.fields]
    elif isinstance(element, Items) and not element.unique:
        parts = list(element.items)
    elif isinstance(element, Fields) and element.access == "both":
        parts = list(element.values)
    elif isinstance(element, Fields):
        parts = [v for f in output.fields if (v := element.get(f.name)) is not None]
    else:
        raise Refusal("opaque", "the elements are not seen to be tuples, rows or dicts", run.place)
    if len(parts) != len(output.fields):
        raise Refusal("may-throw", "the elements have other parts than the schema has columns", run.place)
    return parts


def _column(name: str, run: ElementReader, columns: Columns) -> Value:
    try:
        return columns.column(run.scope, name, run.place)
    except Refusal as refusal:
        return Unreadable(refusal.obstruction, refusal.reason)


def _shown(scope: Scope, value: Value, field: Field) -> OutputColumn:
    """The value of a column; a value of its own kind where it has no model."""
    try:
        if isinstance(value, Unreadable):
            raise Refusal(value.obstruction, value.reason)
        if isinstance(value, AbstractObject):
            raise Refusal("opaque", f"`{field.name}` is made of several values")
        return OutputColumn(field.name, field.type, stored(scope, value, field, {}))
    except Refusal as refusal:
        why = refusal.obstruction, refusal.reason
        shown = field.type if field.type.name in _SCALAR else ANY
        return OutputColumn(field.name, shown, hidden_value("toDF", Col(ROW), field.name, *why, shown))


def stored(scope: Scope, e: Expr, field: Field, slots: dict[int, Range | None]) -> Expr:
    """What a column holds where an element has ``e`` for it; Refusal where it may be something else, or nothing."""
    declared = field.type
    if declared.name != "int" and declared not in _FLAWLESS:
        raise Refusal("opaque", f"`{field.name}`: what becomes of a value in a column of type {declared}")
    for result in results(e):
        scope.hint(result, declared)
        if (isinstance(result, Lit) and result.value is None) or isinstance(result, Raise):
            continue
        t = scope.type(result)
        if t.name != declared.name:
            raise Refusal("may-throw", f"`{field.name}` is declared as {declared}, its value is {t}")
    if params_of(e):
        raise Refusal("opaque", f"`{field.name}` is made of a driver variable")
    if size(e) > MAX_NODES:
        raise Refusal("time-out", "the function has too many paths")
    wrong = [] if field.nullable else [is_null(e)]
    if declared.name == "int" and (outside := _outside(e, range_of(e, scope.columns, slots), of_type(declared))):
        wrong.append(both(negate(is_null(e)), either(*outside)))
    return choose(either(*wrong), Raise(f"`{field.name}` does not fit {declared}"), e) if wrong else e


def _outside(e: Expr, values: Range | None, allowed: Range | None) -> list[Expr]:
    """Conditions under which ``e``, a whole number, does not fit."""
    assert allowed is not None
    if values is not None and (values.empty or (allowed.low <= values.low and values.high <= allowed.high)):
        return []
    low, high = Lit(int(allowed.low), INT), Lit(int(allowed.high), INT)
    return [Compare(">", e, high, "python"), Compare("<", e, low, "python")]


# --- above an aggregation by key


def hint(scope: Scope, element: Value, output: Schema) -> None:
    """Note what ``output`` says of the types of the parts of ``element``."""
    for value, field in zip(_parts(element), output.fields, strict=False):
        if not isinstance(value, AbstractObject):
            for result in results(value):
                scope.hint(result, field.type)


def _parts(element: Value) -> tuple[Value, ...]:
    return element.items if isinstance(element, Items) and not element.unique else ()


def typed_fold(scope: Scope, fold: Fold, elements: Elements, output: Schema) -> Fold:
    """``fold`` with the columns of ``output`` for outputs."""
    parts = _parts(elements.element)
    if len(parts) != len(output.fields):
        raise Refusal("may-throw", "the elements are not seen to have as many parts as the schema has columns")
    scope.columns.update({c.name: c.type for c in fold.columns})
    scope.slots.update({i: s.type for i, s in enumerate(fold.slots)})
    made = {o.name: o.value for o in fold.outputs}
    slots, found = _ranges(fold, scope), list[OutputColumn]()
    for part, field in zip(parts, output.fields, strict=True):
        if isinstance(part, AbstractObject):
            raise Refusal("opaque", f"`{field.name}` is made of several values")
        _require_one_type(elements, part, field)
        value = transform(part, lambda e: made.get(e.name) if isinstance(e, Col) else None)
        found.append(OutputColumn(field.name, field.type, stored(scope, value, field, slots)))
    return replace(fold, outputs=tuple(found))


def _require_one_type(elements: Elements, part: Expr, field: Field) -> None:
    """Refuse a value that may be of another Python type, as a sum of ints and floats is."""
    allowed = {"int": {"int"}, "float": {"float", "nan"}, "bool": {"bool"}}.get(field.type.name, {"other"})
    for name in sorted(columns_of(part)):
        if not elements.tags[name] - {"none"} <= allowed:
            raise Refusal("may-throw", f"`{field.name}` may be of another type than is declared")


def _ranges(fold: Fold, scope: Scope) -> dict[int, Range | None]:
    """The whole numbers that each slot can hold, merged states included."""
    found = slot_ranges(list(fold.init), list(fold.step), scope.columns)
    for slot, merged in zip(tuple(found), fold.merge or (), strict=False):
        own, after = found[slot], range_of(merged, scope.columns, found)
        if own is None or after is None or own.join(after) != own:
            return dict.fromkeys(found)
    return found
