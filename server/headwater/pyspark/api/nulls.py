"""``fillna``, ``replace`` and ``dropna``, and the same under ``na``: what they make of NULL and NaN, by type.

A filled column is ``coalesce(nanvl(x, NULL), value)``, a replaced one ``CASE x WHEN a THEN b … ELSE x END``, of the
columns whose type fits the value; others pass (Spark, ``DataFrameNaFunctions``; measured in
``tests/conformance/test_nulls.py``). A column of a type that is not known may be filled or not: of that one nothing is
known afterwards.
"""

from __future__ import annotations

import ast
import math
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames import row_facts
from headwater.pyspark.frames.constant_text import elements, text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value, has_boundary
from headwater.pyspark.frames.typed_terms import EXACT_IN_DOUBLE
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Compare, Expr, If, IsNaN, IsNull, Lit, Or, Scalar, conjoin, disjoin
from headwater_ir.plan import Conjunct, Field, Filter, Project
from headwater_ir.span import Span
from headwater_ir.types import FLOAT, Type
from headwater_ir.unread import unread_column

from .api_context import ApiContext, without_facts_on
from .sources import resolve_literal

_KINDS = {"bool": "bool", "int": "number", "float": "number", "string": "string", "date": "date",
          "timestamp": "timestamp", "list": "list"}  # fmt: skip
"""The types of which it is known what is filled in them."""


class _UnknownError(Exception):
    """What becomes of a column is not known."""


# --- fillna and replace


def _fillna(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    given = _given(call, ("value", "subset"))
    value = resolve_literal(given.get("value", call), reader)
    columns = reader.columns(frame, joins=True)
    if isinstance(value, ast.Dict):
        # Each value goes into its column whatever type that has, and `subset` is not looked at.
        each = {_name(k, reader): _constant(v, columns) for k, v in zip(value.keys, value.values, strict=True)}
        return _made(frame, {n: _Fill(v, cast=True) for n, v in each.items()}, span, reader)
    filled = _Fill(_constant(value, columns), cast=False)
    return _made(frame, dict.fromkeys(_subset(given.get("subset"), frame, reader), filled), span, reader)


def _replace(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    given = _given(call, ("to_replace", "value", "subset"))
    columns = reader.columns(frame, joins=True)
    pairs = tuple(_pairs(given, columns, reader))
    sources = {_kind_of(a) for a, _ in pairs}
    targets = {_kind_of(b) for _, b in pairs if b is not None}
    if len(sources) != 1 or not targets <= sources or sources <= {"null"}:
        raise Refusal("opaque", "what `replace` replaces is not of one type", call)
    if len({a for a, _ in pairs}) < len(pairs):
        raise Refusal("opaque", "`replace` of one value by two", call)
    replaced = _Replace(pairs)
    return _made(frame, dict.fromkeys(_subset(given.get("subset"), frame, reader), replaced), span, reader)


def _pairs(given: dict[str, ast.expr], columns: ColumnReader, reader: ApiContext) -> Iterator[tuple[Scalar, Scalar]]:
    if "to_replace" not in given:
        raise Refusal("opaque", "`replace` without what it replaces")
    old, new = (resolve_literal(given[n], reader) if n in given else None for n in ("to_replace", "value"))
    if isinstance(old, ast.Dict):
        for key, value in zip(old.keys, old.values, strict=True):
            if key is None:
                raise Refusal("opaque", "what `replace` replaces is not written out", old)
            yield _constant(key, columns), _constant(value, columns)
        return
    if old is None or new is None:
        raise Refusal("opaque", "what `replace` replaces is not written out", given["to_replace"])
    sources = old.elts if isinstance(old, (ast.List, ast.Tuple)) else [old]
    targets = new.elts if isinstance(new, (ast.List, ast.Tuple)) else [new] * len(sources)
    if len(sources) != len(targets):
        raise Refusal("opaque", "what `replace` replaces is not written out", old)
    for a, b in zip(sources, targets, strict=True):
        yield _constant(a, columns), _constant(b, columns)


@dataclass(frozen=True)
class _Fill:
    """NULL, and NaN where a column can hold it, become ``value``. ``cast``: in columns of other types too."""

    value: Scalar
    cast: bool

    def of(self, column: Col, t: Type) -> Expr | None:
        """The new value of ``column``; None if it passes; _UnknownError if that is not known."""
        if _kind(t) != _kind_of(self.value):
            if self.cast:
                raise _UnknownError
            return None
        value = _as(self.value, t, whole=self.cast)
        missing: Expr = IsNull(column)
        if t.name == "float":
            missing = Or((missing, IsNaN(column)))
        return If(missing, value, column)


@dataclass(frozen=True)
class _Replace:
    """The first of each pair becomes the second."""

    pairs: tuple[tuple[Scalar, Scalar], ...]

    def of(self, column: Col, t: Type) -> Expr | None:
        """As ``_Fill.of``."""
        if _kind(t) != _kind_of(self.pairs[0][0]):
            return None
        made: Expr = column
        for old, new in reversed(self.pairs):
            value = Lit(None, t) if new is None else _as(new, t, whole=False)
            if t.name == "int":  # compared as doubles
                if not isinstance(old, (int, float)) or abs(old) >= EXACT_IN_DOUBLE or old != old:
                    raise _UnknownError
                if not float(old).is_integer():
                    continue
                old = int(old)
            elif t.name == "float" and isinstance(old, (int, float)):
                old = float(old)
            made = If(Compare("==", column, Lit(old, FLOAT if t.name == "float" else t), "sql"), value, made)
        return made


def _as(value: Scalar, t: Type, *, whole: bool) -> Lit:
    """``value`` as Spark converts it to ``t``, which it fits; _UnknownError where that is no plain matter. ``whole``: a
    whole number stays one; if not, it becomes a double first."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Lit(value, t)
    if not whole and (not math.isfinite(value) or abs(value) > EXACT_IN_DOUBLE):
        raise _UnknownError
    if t.name == "int":
        limit = 2 ** ((t.bits or 64) - 1)
        if not math.isfinite(value) or int(value) != value or not -limit <= value < limit:
            raise _UnknownError
        return Lit(int(value), t)
    if not math.isfinite(value) or abs(value) > EXACT_IN_DOUBLE:
        raise _UnknownError
    if t.bits == 32 and struct.unpack("f", struct.pack("f", value))[0] != value:
        raise _UnknownError
    return Lit(float(value), t)


def _kind(t: Type) -> str:
    if t.name not in _KINDS:
        raise _UnknownError
    return _KINDS[t.name]


def _kind_of(value: Scalar) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else "string" if isinstance(value, str) else "other"


def _made(frame: TrackedFrame, each: Mapping[str, _Fill | _Replace], span: Span, reader: ApiContext) -> TrackedFrame:
    """``frame`` with other values in the columns ``each``, in their places."""
    columns, fields = reader.columns(frame, joins=True), {f.name: f for f in frame.schema.fields}
    made: dict[str, Expr] = {}
    present: list[Expr] = []
    for name, change in each.items():
        term, column = columns.reference(name), Col(name)
        try:
            value = change.of(column, term.type)
        except _UnknownError:
            value = unread_column(f"what it becomes of `{name}` depends on a type that is not known")
        if value is None or value == column:
            continue
        made[name] = value
        filled = isinstance(change, _Fill) and isinstance(value, If)
        fields[name] = Field(name, term.type, nullable=not filled)
        present += row_facts.present(name, term.type) if filled else ()
    schema = replace(frame.schema, fields=tuple(fields.values()))
    plan = Project(frame.plan, tuple(made.items()), True, (), span)
    return reader.frame(plan, schema, frame, changed=made, facts=(*without_facts_on(frame, made), *present))


# --- dropna


def _dropna(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    """Facts for what follows. Above a boundary its condition stays hidden, for a residual could not be written into
    it."""
    given = _given(call, ("how", "thresh", "subset"))
    how = resolve_literal(given["how"], reader) if "how" in given else ast.Constant("any")
    every = given.get("subset") is None
    known: tuple[Expr, ...] = ()
    condition: Expr | None = None
    if isinstance(how, ast.Constant) and how.value in ("any", "all") and "thresh" not in given:
        if not every or _lists_all(frame):
            columns = reader.columns(frame, joins=True)
            names = _subset(given.get("subset"), frame, reader)
            each = [row_facts.present(n, columns.reference(n).type) for n in names]
            known = tuple(f for part in each for f in part)
            condition = conjoin(known)
            if how.value == "all" and len(each) != 1:
                condition = disjoin([conjoin(part) for part in each])
                known = (condition,)
    any_of_all = every and "thresh" not in given and isinstance(how, ast.Constant) and how.value == "any"
    no_nulls = frame.no_nulls or any_of_all
    plan = Filter(frame.plan, (), span, span, "column", "`dropna`")
    if condition is not None and not has_boundary(frame.plan):
        plan = replace(plan, conjuncts=tuple(Conjunct(k, span) for k in known), unread=None)
    return reader.frame(plan, frame.schema, frame, facts=(*frame.facts, *known), no_nulls=no_nulls)


# --- arguments


def _given(call: ast.Call, order: tuple[str, ...]) -> dict[str, ast.expr]:
    """The arguments of ``call`` by name, without those that say what is said anyway."""
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "arguments that are not written out", call)
    given = dict(zip(order, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    if len(call.args) > len(order) or not given.keys() <= set(order):
        raise Refusal("opaque", "arguments without a model", call)
    for name in ("thresh", "subset"):
        if isinstance(given.get(name), ast.Constant) and given[name].value is None:  # type: ignore[attr-defined]
            del given[name]
    return given


def _subset(node: ast.expr | None, frame: TrackedFrame, reader: ApiContext) -> tuple[str, ...]:
    """The columns that ``node`` names: all if there is none."""
    if node is None:
        if not _lists_all(frame):
            raise Refusal("opaque", "which columns the frame has is not known", node)
        return tuple(f.name for f in frame.schema.fields)
    one = text_of(node, reader.names, reader.lookup)
    items = elements(node, reader.names, reader.lookup) if one is None else None
    if one is None and items is None:
        raise Refusal("opaque", "the columns are not written out", node)
    return (one,) if one is not None else tuple(_name(i, reader) for i in items or ())


def _lists_all(frame: TrackedFrame) -> bool:
    names = [f.name.lower() for f in frame.schema.fields]
    return frame.schema.complete and len(set(names)) == len(names)


def _name(node: ast.expr | None, reader: ApiContext) -> str:
    name = text_of(node, reader.names, reader.lookup) if node is not None else None
    if name is None:
        raise Refusal("opaque", "the name of the column is not a plain literal", node)
    return name


def _constant(node: ast.expr | None, columns: ColumnReader) -> Scalar:
    term = columns.read(node) if node is not None else None
    if term is None or term.column or not isinstance(term.expr, Lit):
        raise Refusal("opaque", "the value that is filled in is not a literal", node)
    return term.expr.value


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "fillna": _fillna,
    "replace": _replace,
    "dropna": _dropna,
}
UNDER_NA: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "fill": _fillna,
    "replace": _replace,
    "drop": _dropna,
}
