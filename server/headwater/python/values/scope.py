"""What evaluation of one Python function knows and learns: types, names, assumptions, hints about unknown columns."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Union

from headwater.python.exprs.facts import MISSING, NAN_TAG, NO_FACTS, NONE_TAG, Facts, Tags
from headwater.python.exprs.intervals import Range
from headwater.python.exprs.simplify import truthy
from headwater.python.exprs.types import type_of
from headwater.python.exprs.value_tags import Values, of_type
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.pyspark_symbols import FUNCTION_NAMES
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source import ast_walk
from headwater.syntax.source.bindings import ANONYMOUS, Function, function_name, local_names
from headwater_ir.assumptions import Assumption, AssumptionKind, purity_of
from headwater_ir.expr import Col, Expr, If, Out, Slot
from headwater_ir.types import ANY, Type, may_hold_nan
from headwater_ir.verdict import Obstruction

_DEEPEST = 6
"""How many functions may be entered, one from the other."""
_STARS = {"pyspark.sql.functions", "pyspark.sql.types", "pyspark.sql", "pyspark.sql.window", "pyspark"}


class AbstractObject:
    """What a name may be bound to besides a scalar: a frame, a row, a list. Has a meaning only in certain places."""


@dataclass(frozen=True)
class Unreadable(AbstractObject):
    """Reading the name is refused, for this reason."""

    obstruction: Obstruction
    reason: str


@dataclass(frozen=True)
class Items(AbstractObject):
    """A tuple, list or set display. ``mutable``: not a tuple; ``unique``: a set. ``solid``: the places that certainly
    hold something other than None."""

    items: tuple[Value, ...]
    mutable: bool
    solid: frozenset[int] = frozenset()
    unique: bool = False


@dataclass(frozen=True)
class Pattern(AbstractObject):
    """What ``re.compile(text)`` makes, without flags."""

    text: str


Value = Union[Expr, AbstractObject]
Env = dict[str, Value]


@dataclass
class Scope(Values):
    """One attempt at one function, under an assumption about the types of columns that the schema leaves open."""

    ctx: Context
    names: Names
    assume_pure: frozenset[str] = frozenset()
    columns: dict[str, Type] = field(default_factory=dict)
    slots: dict[int, Type] = field(default_factory=dict)
    flows: dict[int, frozenset[str]] = field(default_factory=dict)
    """Slot → the columns whose values it may hold."""
    slot_missing: dict[int, Tags] = field(default_factory=dict)
    """Slot → which of None and NaN it may hold."""
    missing_tests: dict[Expr, dict[Expr, Tags]] = field(default_factory=dict)
    """Value → tests that the code makes of it, and what it is not where they are false."""
    facts: tuple[Expr, ...] = ()
    """Conditions (sql dialect, over columns) that are TRUE on every input row."""
    counters: frozenset[int] = frozenset()
    """Slots that change by small constants only: no group has enough rows to take them beyond 64 bits."""
    slot_ranges: dict[int, Range | None] = field(default_factory=dict)
    exact_numbers: bool = True
    """A column's numbers all have one Python type (a row function); false where pandas may turn integers into
    floats."""
    assumed_types: Mapping[str, Type] = field(default_factory=dict)
    """Types inferred in earlier attempts for columns of unknown type."""
    hints: dict[str, Type] = field(default_factory=dict)
    assumptions: dict[Assumption, None] = field(default_factory=dict)
    as_floats: set[str] = field(default_factory=set)
    """Columns whose whole numbers pandas turns into floats."""
    numpy: list[str] = field(default_factory=list)
    """Where numpy scalars come from; they divide by zero without an error, and wrap."""
    divisions: list[ast.AST] = field(default_factory=list)
    arrays: dict[str, None] = field(default_factory=dict)
    """Columns that are read as arrays, of which nothing but the size is known."""
    label: str = ""
    """What tells the function apart from others that one fold is made of."""
    lengths: dict[str, Expr] = field(default_factory=dict)
    """Ghost column of a length that is not known → what it is not greater than."""
    ghosts: set[str] = field(default_factory=set)
    """Columns that no frame has: they stand for what is not known of a row, and no pre-filter may read them."""
    unknown_nulls: set[str] = field(default_factory=set)
    """The ghosts that say how pandas shows the NULL of a column of unknown type."""
    errors_told_apart: bool = False
    """Handlers around what is read differ by the error: only what raises the same one may stand for another value."""
    local_names: frozenset[str] = frozenset()
    inlining: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refusal where the file replaces a part of pandas, numpy or pyarrow: a method is looked up by its name."""
        replaced = min(self.names.patches.of_libraries, default=None)
        if replaced is not None:
            raise Refusal("opaque", f"the file replaces `{replaced}`")

    @contextmanager
    def reading_errors(self, told_apart: bool) -> Iterator[None]:
        """The scope while what a ``try`` is around is read."""
        before, self.errors_told_apart = self.errors_told_apart, told_apart
        try:
            yield
        finally:
            self.errors_told_apart = before

    @contextmanager
    def entered(
        self,
        function: Function,
        node: ast.AST,
        *,
        name: str = "",
        around: frozenset[str] = frozenset(),
    ) -> Iterator[None]:
        """The scope while the body of ``function`` is read, which the call ``node`` runs. ``name``: what tells it apart
        from others that are being read, its own name if not stated; ``around``: variables of functions around it.
        Refusal if it is being read already, or if functions call functions too deeply."""
        name = name or function_name(function)
        if name in self.inlining and name != ANONYMOUS:
            raise Refusal("opaque", f"`{name}` is recursive", node)
        if len(self.inlining) >= _DEEPEST:
            raise Refusal("opaque", "functions that call functions too deeply", node)
        outer = self.inlining, self.local_names
        self.inlining, self.local_names = (*self.inlining, name), around | local_names(function)
        try:
            yield
        finally:
            self.inlining, self.local_names = outer

    def origin(self, node: ast.expr) -> str | None:
        """The dotted name that ``node`` means; builtins also under star imports of PySpark that do not shadow
        them."""
        if any(isinstance(n, ast.Name) and n.id in self.local_names for n in ast_walk.walk(node)):
            return None
        return self.outer_origin(node)

    def outer_origin(self, node: ast.expr) -> str | None:
        """The same of a name that is no variable of the function."""
        if self.ctx.binds_unseen:
            return None
        found = self.names.resolve(node)
        if found or not isinstance(node, ast.Name) or self.ctx.times_bound(node.id):
            return found
        origin = f"builtins.{node.id}"
        known = hasattr(builtins, node.id) and not self.shadowed(node.id) and not self.names.patches.touch(origin)
        return origin if known else None

    def shadowed(self, name: str) -> bool:
        """Whether something besides assignments and definitions may bind ``name`` in this module: imports, star
        imports,
        ``except … as name``, patterns."""
        stars = set(self.ctx.star_modules)
        if not stars <= _STARS or (stars and name in FUNCTION_NAMES) or name in self.names.imported:
            return True
        return self.ctx.bound_otherwise(name)

    def type(self, e: Expr) -> Type:
        """The type of ``e`` under the types assumed at present."""
        return type_of(e, self.columns, self.slots)

    def assume(self, text: str, kind: AssumptionKind = "other") -> None:
        """State that the verdict rests on ``text``, a fact of this ``kind``; ``"note"`` if that limits no verdict."""
        self.assumptions[Assumption(kind, text)] = None

    def is_assumed_pure(self, *names: str | None) -> bool:
        """Whether the user has stated that a function of one of these names is pure; then the verdict rests on it."""
        stated = sorted(self.assume_pure.intersection(filter(None, names)))
        for name in stated:
            self.assume(purity_of(name), "purity")
        return bool(stated)

    def ghost(self, name: str, t: Type) -> Col:
        """The ghost column ``name``: something of type ``t`` that is not known of a row."""
        self.columns[name] = t
        self.ghosts.add(name)
        return Col(name)

    def leaf(self, e: Col | Out | Slot) -> Tags:
        """What a column or slot can hold."""
        t = self.type(e)
        if isinstance(e, Slot):
            return (of_type(t) - MISSING) | self.slot_missing.get(e.index, MISSING)
        return (of_type(t) | NONE_TAG) - (frozenset() if may_hold_nan(t) else NAN_TAG)

    def of(self, e: Expr, known: Facts = NO_FACTS) -> Tags:
        """What ``e`` can yield, where ``known`` holds."""
        found = super().of(e, known)
        for test, tags in self.missing_tests.get(e, {}).items():
            if known.decide(test) is False:
                found -= tags
        return found

    def tested(self, e: Expr, test: Expr, tags: Tags) -> Expr:
        """``test``, which is true where ``e`` is one of ``tags``."""
        found = self.missing_tests.setdefault(e, {})
        found[test] = found[truthy(test)] = tags
        return test

    def hint(self, e: Expr, t: Type) -> None:
        """``e`` is used as a ``t``: the columns of unknown type that flow into it are of that type."""
        if t.name in ("any", "null", "list"):
            return
        for name in self.sources(e):
            known = self.columns.get(name, ANY)
            if known.name == "any" or (
                known.name == "number" and name in self.assumed_types and t.name in ("int", "float")
            ):
                old = self.hints.get(name)
                self.hints[name] = t if old is None else narrower(name, old, t)

    def sources(self, e: Expr) -> frozenset[str]:
        """The columns whose values ``e`` may yield unchanged."""
        if isinstance(e, Col):
            return frozenset((e.name,))
        if isinstance(e, Slot):
            return self.flows.get(e.index, frozenset())
        if isinstance(e, If):
            return self.sources(e.then) | self.sources(e.otherwise)
        return frozenset()


def narrower(name: str, a: Type, b: Type) -> Type:
    """The type that agrees with both uses of a column."""
    order = {"number": 0, "float": 1, "int": 2}
    if a.name in order and b.name in order:
        return a if order[a.name] >= order[b.name] else b
    if a.name != b.name:
        raise Refusal("opaque", f"`{name}`, whose type is not known, is used both as {a} and as {b}")
    return a
