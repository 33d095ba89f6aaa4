"""What a Python variable may hold while the front end follows the code: frames, grouped frames, UDFs, constants."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Union

from headwater.python.rdd.method_calls import Call, Elements
from headwater.python.values.scope import Value as Element
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import names_in
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Compare, Expr
from headwater_ir.plan import (
    Aggregate,
    Boundary,
    Cache,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    GroupMap,
    Join,
    Limit,
    Opaque,
    Plan,
    Project,
    RowUdf,
    Sample,
    Scan,
    Schema,
    Shared,
    Sort,
    View,
    Window,
)
from headwater_ir.types import ANY, OPAQUE, STRING, Type, is_numeric
from headwater_ir.walks import below as below
from headwater_ir.walks import boundary_of, inputs

EVERYTHING: frozenset[str] = frozenset({"*"})
"""As ``TrackedFrame.changed``: no column of the parent is still the same column."""

_MEMO = "_has_boundary"

ONE_OF_EACH_NAME = (Scan, Filter, Project, RowUdf, Aggregate, GroupMap, Sort, Shared, Window)
"""Operators that make no second column of one name: of the others it is not known."""

SAME_COLUMNS = (Filter, Sort, Limit, Sample, Distinct, DropDuplicates, Cache, Shared, View)
"""Operators whose rows have the columns of their input."""


@dataclass(frozen=True)
class TrackedFrame:
    """A DataFrame: its plan, what is known of its columns, and which columns are still the parent's.

    ``ident`` names the Python object; ``facts`` are TRUE on every row; ``no_nulls``: a ``dropna()`` over every column;
    ``changed``: columns that are not the parent's column of that name; ``kept``: only these pass, None for all others.
    ``other``: the second parent of a join; a column that both have is not in ``kept``.
    """

    ident: int
    plan: Plan
    schema: Schema
    parent: TrackedFrame | None = None
    changed: frozenset[str] = frozenset()
    kept: frozenset[str] | None = None
    facts: tuple[Expr, ...] = ()
    no_nulls: bool = False
    other: TrackedFrame | None = None
    sources: tuple[TrackedFrame, ...] = ()
    """The frames of which it is one, or whose rows it has together."""
    alias: str | None = None
    """The name that ``alias`` has just given it; empty if it is not known."""
    _rest: dict[str, Type] = field(init=False, default_factory=dict, compare=False, repr=False)

    def inherits(self, ancestor: int, name: str, *, joins: bool = False) -> bool:
        """Whether column ``name`` of this frame is, by identity, that of the frame ``ancestor`` below it; if not
        ``joins``, only where no join stands between, whose other side might have that name unknown to us."""
        at: TrackedFrame | None = self
        while at is not None and at.ident != ancestor:
            # Names that differ in case only are one name to Spark, unless it is configured otherwise.
            changed = name.lower() in {c.lower() for c in at.changed}
            if at.changed == EVERYTHING or changed or (at.kept is not None and name not in at.kept):
                return False
            if at.other is not None and (not joins or at.other.inherits(ancestor, name, joins=True)):
                return joins
            at = at.parent
        return at is not None

    def rest(self, name: str) -> Type:
        """The type of column ``name``, which the schema does not list; OPAQUE where it may be text or something else:
        of text nothing may be assumed that holds for numbers."""
        chain: list[TrackedFrame] = []  # a program may stack a thousand columns, or a frame on itself again and again
        at = self
        while name not in at._rest:
            chain.append(at)
            given = at._given()
            if len(given) != 1 or name in at.changed or given[0]._lists(name):
                break
            at = given[0]
        for frame in reversed(chain):
            frame._rest[name] = frame._rest_of(name)
        return self._rest[name]

    @property
    def known_schema(self) -> Schema:
        """The schema, with the types of columns that it does not list, as far as they are known."""
        if self.schema.complete:
            return self.schema
        listed = {f.name for f in self.schema.fields}
        names = sorted({f.name for frame in self._below() for f in frame.schema.fields} - listed)
        others = tuple((n, t) for n in names if (t := self.rest(n)) != ANY)
        return replace(self.schema, rest=self.rest(""), others=others)

    def _below(self) -> Iterator[TrackedFrame]:
        """The frames whose schemas say something of its columns."""
        waiting: list[TrackedFrame] = [self]
        seen: set[int] = set()
        while waiting:
            frame = waiting.pop()
            if id(frame) not in seen:
                seen.add(id(frame))
                yield frame
                if not frame.schema.complete:
                    waiting += frame._given()

    def _rest_of(self, name: str) -> Type:
        given = self._given()
        if not given:
            return self.schema.rest
        if name in self.changed:
            return ANY
        found = common_type([t for f in given for t in f._types(name)])
        kept = self.sources or self.changed != EVERYTHING or found in (STRING, OPAQUE)
        return found if kept else ANY  # whatever has no model may make another number of one

    def _given(self) -> tuple[TrackedFrame, ...]:
        return self.sources or tuple(f for f in (self.parent, self.other) if f is not None)

    def _lists(self, name: str) -> bool:
        """Whether its schema says all that there is to say of column ``name``."""
        return self.schema.complete or self.schema.field(name) is not None

    def _types(self, name: str) -> list[Type]:
        """The type of column ``name``; none if there is no such column."""
        field = self.schema.field(name)
        if field is not None:
            return [field.type]
        known = self._lower_names
        return [] if known is not None and name.lower() not in known else [self.rest(name)]

    def column_names(self) -> tuple[str, ...] | None:
        """The names of all columns, of a join those of both sides; None if they are not known, as those of a frame that
        stands for another by the places of its columns alone."""
        return self._names

    @cached_property
    def _names(self) -> tuple[str, ...] | None:
        if self.schema.complete:
            return tuple(f.name for f in self.schema.fields)
        if not self._given():
            return None
        found, gone, plan = list[str](), set[str](), self.plan
        while not isinstance(plan, Join):
            if isinstance(plan, Project) and plan.keeps_others:
                found += (name for name, _ in plan.columns if name.lower() not in gone)
                gone |= {name.lower() for name in plan.dropped}
            elif isinstance(plan, RowUdf):
                found += (o.name for o in plan.fold.outputs if o.name.lower() not in gone)
            elif not isinstance(plan, SAME_COLUMNS):
                return None
            plan = plan.child
        if plan.left_columns is None or plan.right_columns is None:
            return None
        of_right = () if plan.how in ("semi", "anti") else plan.right_columns
        below = (n for n in (*plan.left_columns, *of_right) if n.lower() not in gone)
        return tuple(dict.fromkeys((*found, *below)))

    @cached_property
    def _lower_names(self) -> frozenset[str] | None:
        return None if self._names is None else frozenset(map(str.lower, self._names))

    def may_hold_text(self) -> bool:
        """Whether a column of it is known to be text, or may be for what is known of its source."""
        each = (t for f in self._below() for t in (*(c.type for c in f.schema.fields), f.schema.rest))
        return any(t in (STRING, OPAQUE) for t in each)


def common_type(types: Sequence[Type]) -> Type:
    """The type of what has one of ``types``: OPAQUE if it may be a number or something else, ANY if none is known."""
    if len(set(types)) == 1:
        return types[0]
    return ANY if all(t == ANY or is_numeric(t) for t in types) else OPAQUE


@dataclass(frozen=True)
class Grouped:
    """``frame.groupBy(keys)``; ``refusal`` says why its result has no model; ``special``: what else than an
    aggregate or a function of groups it is made into."""

    frame: TrackedFrame
    keys: tuple[str, ...]
    insert_at: int
    bound: dict[str, int]
    """Bindings in force where a filter would be inserted: variable → which assignment."""
    receiver: ast.Attribute
    refusal: Refusal | None = None
    special: Literal["grouping sets", "pivot", "listed pivot"] | None = None
    unnamed: Assumption | None = None
    """Where the keys are not known: what is taken on trust of them."""
    assumptions: tuple[Assumption, ...] = ()
    """What else is assumed of the keys."""
    pivoted: tuple[tuple[str, Compare], ...] | None = None
    """Of a pivot whose values are listed: for each its name, and the condition that picks its rows, if it is plain."""


@dataclass(frozen=True)
class TableArgument(Grouped):
    """``frame.asTable()``, perhaps partitioned. ``single``: ``withSinglePartition()``; without that and without keys
    each task has an instance of its own."""

    single: bool = False


@dataclass(frozen=True)
class Cogrouped(Grouped):
    """``grouped.cogroup(right)``."""

    right: Grouped | None = None


@dataclass(frozen=True)
class Udf:
    """A plain Python UDF: its function and its declared return type."""

    function: ast.FunctionDef | ast.Lambda
    name: str
    return_type: Type


@dataclass(frozen=True)
class Source:
    """The elements of an RDD that is not made of a frame: ``element``, over columns of ``types`` that are never None
    and stand for any value of that type. ``plain``: they are seen to be plain data, whose operators run no code of the
    user's."""

    element: Element
    types: Mapping[str, Type] = field(default_factory=dict)
    plain: bool = False


@dataclass(frozen=True)
class Rdd:
    """``frame.rdd`` and the methods called on it so far, which are given a meaning when a filter asks for it.

    ``elements``: what it holds, once a fold of it has become ``plan``; ``calls`` are then those since. Filters below a
    fold, and of keys above one, are calls like others.
    """

    frame: TrackedFrame
    start: int
    """Offset of the dot of ``.rdd``."""
    insert_at: int
    bound: dict[str, int]
    end: int = 0
    """Offset behind ``.rdd``."""
    calls: tuple[Call, ...] = ()
    plan: Plan | None = None
    elements: Elements | None = None
    refusal: Refusal | None = None
    shared: int = 0
    """How many of the calls stand below where it was last read by one of several users."""
    source: Source | None = None
    """None: it is made of ``frame``. If not, ``frame`` stands for it, and has no columns."""


@dataclass(frozen=True)
class Unevaluated:
    """Any other value, with the expression that made it, so that literals can be read back."""

    node: ast.expr


@dataclass(frozen=True)
class Unknown:
    """A value of which nothing is known. ``why`` says in words what hides it, None for a plain parameter or result."""

    origin: str
    why: str | None = None
    never_frame: bool = False
    in_loop: bool = False
    """Whether a loop may have assigned it, each time from what it held before."""
    is_frame: bool = False
    """Whether an annotation, or a check of its type, says that it is a DataFrame."""
    assumed: Assumption | None = None
    """That it is one, if only an annotation says so."""


Value = Union[TrackedFrame, Grouped, Rdd, Udf, Unevaluated, Unknown]


@dataclass
class Binding:
    """One assignment of one variable. ``ident`` is the same in each pass over the same source."""

    name: str
    ident: int
    value: Value
    loops: tuple[int, ...] = ()
    frame: TrackedFrame | None = field(default=None)
    """The frame that an ``Unknown`` turned out to be."""
    seen: dict[str, int] = field(default_factory=dict)
    """For ``Unevaluated``: which assignment each variable held that its expression reads."""
    meets: bool = False
    """Whether several assignments of the variable meet here, so that a read consumes each of them."""

    @property
    def is_frame(self) -> bool:
        """Whether it holds a DataFrame, for all that is known."""
        return self.frame is not None or isinstance(self.value, TrackedFrame)

    def outdated(self, lookup: Callable[[str], Binding | None]) -> str | None:
        """A variable that the expression of a ``Unevaluated`` reads and that may hold something else by now."""
        node = self.value.node if isinstance(self.value, Unevaluated) else ast.Constant(None)
        for name in sorted(names_in(node)):
            now = lookup(name)
            if (now.ident if now else None) != self.seen.get(name):
                return name
        return None


def has_boundary(plan: Plan) -> bool:
    """Whether a boundary stands anywhere in ``plan``."""
    todo, seen = [plan], set[int]()
    found = False
    while todo and not found:
        at = todo.pop()
        if id(at) not in seen:
            seen.add(id(at))
            known: bool | None = at.__dict__.get(_MEMO)  # a plan does not change
            found = boundary_of(at) is not None if known is None else known
            todo += inputs(at) if known is None else ()
    plan.__dict__[_MEMO] = found
    return found


def origin(plan: Plan) -> str:
    """Where the rows come from, in words; of two inputs, those of the left one."""
    while not isinstance(plan, Scan):
        if isinstance(plan, Opaque) and plan.child is None:
            return plan.reason
        plan = inputs(plan)[0]
    return plan.origin


def is_plain_source(plan: Plan) -> bool:
    """Whether ``plan`` is a source under nothing but operators that Spark itself sees through."""
    return all(isinstance(p, (Scan, Filter, Project, Sort, Shared)) for p in below(plan))


def first_boundaries(plan: Plan) -> Iterator[Boundary]:
    """The boundaries that a filter above ``plan`` may come to first, one or more for each way down; none where an
    Opaque node comes first. A filter may pass an ``Explode``, a ``Window`` or a ``Limit``."""
    todo, seen = [plan], set[int]()
    while todo:
        at = todo.pop()
        if id(at) in seen or isinstance(at, Opaque):
            continue
        seen.add(id(at))
        boundary = boundary_of(at)
        if boundary is not None:
            yield boundary
        if boundary is None or isinstance(at, (Explode, Window, Limit)):
            todo += reversed(inputs(at))
