"""What a Python variable may hold while the front end follows the code: frames, grouped frames, UDFs, constants."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Union

from headwater_ir.expr import Expr
from headwater_ir.plan import Aggregate, Filter, GroupMap, Opaque, Plan, Project, RowUdf, Scan, Schema, Shared, Sort
from headwater_ir.types import Type

from .context import Refusal
from .functions.pairs import Call, Elements

EVERYTHING: frozenset[str] = frozenset({"*"})
"""As ``Frame.changed``: no column of the parent is still the same column."""


@dataclass(frozen=True)
class Frame:
    """A DataFrame: its plan, what is known of its columns, and which columns are still the parent's.

    ``ident`` names the Python object; ``facts`` are TRUE on every row; ``no_nulls``: a ``dropna()`` over every column;
    ``changed``: columns that are not the parent's column of that name; ``kept``: only these pass, None for all others.
    """

    ident: int
    plan: Plan
    schema: Schema
    parent: Frame | None = None
    changed: frozenset[str] = frozenset()
    kept: frozenset[str] | None = None
    facts: tuple[Expr, ...] = ()
    no_nulls: bool = False

    def inherits(self, ancestor: int, name: str) -> bool:
        """Whether column ``name`` of this frame is, by identity, that of the frame ``ancestor`` below it."""
        at: Frame | None = self
        while at is not None and at.ident != ancestor:
            if at.changed == EVERYTHING or name in at.changed or (at.kept is not None and name not in at.kept):
                return False
            at = at.parent
        return at is not None


@dataclass(frozen=True)
class Grouped:
    """``frame.groupBy(keys)``; ``refusal`` says why its result has no meaning here."""

    frame: Frame
    keys: tuple[str, ...]
    insert_at: int
    bound: dict[str, int]
    """Bindings in force where a filter would be inserted: variable → which assignment."""
    receiver: ast.expr
    refusal: Refusal | None = None


@dataclass(frozen=True)
class TableArgument(Grouped):
    """``frame.asTable()``, perhaps partitioned. ``single``: ``withSinglePartition()``; without that and without keys
    each task has an instance of its own."""

    single: bool = False


@dataclass(frozen=True)
class Udf:
    """A plain Python UDF: its function and its declared return type."""

    function: ast.FunctionDef | ast.Lambda
    name: str
    return_type: Type


@dataclass(frozen=True)
class Rdd:
    """``frame.rdd`` and the methods called on it so far, which are given a meaning when a filter asks for it.

    ``elements``: what it holds, once a fold of it has become ``plan``; ``calls`` are then those since.
    """

    frame: Frame
    start: int
    """Offset of the dot of ``.rdd``."""
    insert_at: int
    bound: dict[str, int]
    calls: tuple[Call, ...] = ()
    plan: Plan | None = None
    elements: Elements | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Text:
    """Any other value, with the expression that made it, so that literals can be read back."""

    node: ast.expr


@dataclass(frozen=True)
class Unknown:
    """A value of which nothing is known. ``why`` says in words what hides it, None for a plain parameter or result."""

    origin: str
    why: str | None = None
    never_frame: bool = False


Value = Union[Frame, Grouped, Rdd, Udf, Text, Unknown]


@dataclass
class Binding:
    """One assignment of one variable. ``ident`` is the same in each pass over the same source."""

    name: str
    ident: int
    value: Value
    loops: tuple[int, ...] = ()
    frame: Frame | None = field(default=None)
    """The frame that an ``Unknown`` turned out to be."""
    seen: dict[str, int] = field(default_factory=dict)
    """For ``Text``: which assignment each variable held that its expression reads."""

    def outdated(self, lookup: Callable[[str], Binding | None]) -> str | None:
        """A variable that the expression of a ``Text`` reads and that may hold something else by now."""
        node = self.value.node if isinstance(self.value, Text) else ast.Constant(None)
        for name in sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}):
            now = lookup(name)
            if (now.ident if now else None) != self.seen.get(name):
                return name
        return None


def below(plan: Plan) -> Iterator[Plan]:
    """``plan`` and everything under it, top first."""
    at: Plan | None = plan
    while at is not None:
        yield at
        at = None if isinstance(at, Scan) else at.child


def has_boundary(plan: Plan) -> bool:
    """Whether a boundary stands anywhere in ``plan``."""
    return any(isinstance(p, (RowUdf, Aggregate, GroupMap)) for p in below(plan))


def origin(plan: Plan) -> str:
    """Where the rows come from, in words."""
    while not isinstance(plan, Scan):
        if isinstance(plan, Opaque) and plan.child is None:
            return plan.reason
        assert plan.child is not None
        plan = plan.child
    return plan.origin


def is_plain_source(plan: Plan) -> bool:
    """Whether ``plan`` is a source under nothing but operators that Spark itself sees through."""
    return all(isinstance(p, (Scan, Filter, Project, Sort, Shared)) for p in below(plan))


def first_boundary(plan: Plan) -> RowUdf | Aggregate | GroupMap | None:
    """The topmost boundary of ``plan``; None if an Opaque node comes first or there is none."""
    for p in below(plan):
        if isinstance(p, (RowUdf, Aggregate, GroupMap)):
            return p
        if isinstance(p, Opaque):
            return None
    return None
