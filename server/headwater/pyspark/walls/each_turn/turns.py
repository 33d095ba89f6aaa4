"""Loops whose turns are known to go through the same values again, so that one pass in front of them can go through
these as well.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from headwater.pyspark.frames.tracked_values import Binding, Unevaluated, Unknown
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.span import Span

from ..job_frames import variable
from ..literals import number
from ..measures import canonical
from .clauses import LOOPS, Clause, bound_by, clauses_of, names_in, needed
from .elements import Elements, Kind, assigned, elements_of, kinds_of

if TYPE_CHECKING:
    from headwater.pyspark.api.api_context import ApiContext
    from headwater.syntax.names.resolve import Names

    from ..places import Places

MOST = 200
"""A loop is not written a second time where what it goes through is a longer text."""
_MOST_WAYS = 200
_ANY_TEXT = ast.Call(ast.Name("str", ast.Load()), [ast.Constant(0)], [])
"""What stands for a text that is not known."""


class Scope(Protocol):
    """What is asked of the code around a loop."""

    @property
    def names(self) -> Names:
        """The names of the module."""

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class whose method it is."""

    def lookup(self, name: str) -> Binding | None:
        """What the variable ``name`` holds."""

    def attribute(self, node: ast.AST) -> str | None:
        """The attribute of the object whose method it is that ``node`` is."""


class Inside:
    """The scope of a loop or comprehension, in which ``targets`` are variables of its own. ``held``: what is known that
    some of them hold, in one of the turns."""

    def __init__(self, scope: Scope, targets: frozenset[str], held: Mapping[str, ast.expr] | None = None) -> None:
        self.names, self._scope, self._targets, self._held = scope.names, scope, targets, held or {}
        self.owner = scope.owner

    def attribute(self, node: ast.AST) -> str | None:
        """As outside."""
        return self._scope.attribute(node)

    def lookup(self, name: str) -> Binding | None:
        """What the variable ``name`` holds."""
        if name not in self._targets:
            return self._scope.lookup(name)
        node = self._held.get(name)
        if node is None:
            return Binding(name, -1, Unknown(name))
        read = {n: b.ident for n in names_in(node) if (b := self.lookup(n)) is not None}
        return Binding(name, -1, Unevaluated(node), seen=read)


class Around(NamedTuple):
    """The turns that a job is in. ``own``: the variables that they bind, ``kinds``: what these are, ``ways``: what they
    hold in each turn, as far as that stands in the file; ``some``: whether there surely is a turn, ``given``: what has
    to be a list."""

    clauses: list[Clause]
    scope: ApiContext
    own: frozenset[str]
    kinds: Mapping[str, Kind]
    ways: list[dict[str, ast.expr]]
    some: bool
    given: tuple[str, ...]

    @property
    def insides(self) -> list[ApiContext]:
        """The scope of each way."""
        return [cast("ApiContext", Inside(self.scope, self.own, way)) for way in self.ways]

    def key(self, read: frozenset[str], is_name: Callable[[str], bool]) -> str:
        """An expression for a name that is another one in each turn of the one loop that there is; empty if there is
        none. ``read``: what the job reads; ``is_name``: whether it takes a variable for the name of a column alone."""
        loop, *more = (c for c in self.clauses if c.target is not None and c.value is c.at)
        if more or self.clauses[0] is not loop:
            return ""
        own = bound_by(loop)
        used = (read | {n for c in self.clauses[1:] for n in names_in(c.value)}) & own
        for name in sorted((n for n in self.kinds if n in own), key=lambda n: n not in used):
            values = [_constant(way.get(name)) for way in self.ways]
            different = len({(type(v), v) for v in values}) == len(values) or used == {name}
            if self.kinds[name] == "name" or (name in self.given_names and used == {name} and is_name(name)):
                return name
            if different and all(isinstance(v, str) for v in values):
                return name
            if different and all(isinstance(v, (int, float)) for v in values):
                return f"str({name})"
        return ""

    def has_one_turn(self, key: str) -> bool:
        """Whether a test is true for one alone of the turns, which have the names ``key``."""
        for test in (c.value for c in self.clauses if c.target is None):
            match test:
                case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                    sides = [n.id if isinstance(n, ast.Name) else "" for n in (left, right)]
                    if any(s and key in (s, f"str({s})") for s in sides):
                        return True
        return False

    def is_text(self, name: str) -> bool:
        """Whether the variable surely holds a text in each turn."""
        return all(way.get(name) is _ANY_TEXT or isinstance(_constant(way.get(name)), str) for way in self.ways)

    @property
    def given_names(self) -> frozenset[str]:
        """The variables that go through lists that are given alone."""
        return frozenset(n for n, k in self.kinds.items() if k == "given" and not any(n in w for w in self.ways))


def around_of(clauses: Sequence[Clause], frame: str, scope: ApiContext, places: Places, s: ast.stmt) -> Around | None:
    """The turns of the statement ``s`` that ``clauses`` stand for; None if it is not known that going through them
    twice gives the same, or there is one at most. ``frame``: a variable that surely holds a frame."""

    def untouched(name: str) -> bool:
        return places.is_untouched(name, s) or places.is_gone_through(name)

    own, kinds, ways = frozenset[str](), dict[str, Kind](), list[dict[str, ast.expr]]([{}])
    some, listed, given, bound = True, True, dict[str, None](), [bound_by(c) for c in clauses]
    every = frozenset[str]().union(*bound)
    for i, clause in enumerate(clauses):
        read = names_in(clause.value)
        if read & frozenset[str]().union(*bound[i:]) or bound[i] & own:
            return None
        if any(name in scope.names.rebound for name in bound[i]):
            return None
        if clause.target is None:
            some = False
            continue
        longer = list[dict[str, ast.expr]]()
        for way in ways:
            elements = elements_of(clause.value, frame, cast("ApiContext", Inside(scope, own, way)), untouched)
            of_target = {} if elements is None else kinds_of(clause.target, elements.kind)
            if elements is None or of_target.keys() != bound[i]:
                return None
            if any((names_in(item) - read) & every for item in elements.items or ()):
                return None  # what it is made of was another variable's where it was made
            kinds |= {n: k if kinds.get(n, k) == k else "given" for n, k in of_target.items()}
            some, listed = some and elements.some, listed and elements.items is not None
            given |= dict.fromkeys(elements.given)
            longer += [{**way, **turn} for turn in _turns(clause.target, elements, of_target)]
        own, ways = own | bound[i], longer
        if not 0 < len(ways) <= _MOST_WAYS or len(ast.unparse(clause.value)) > MOST:
            return None
    if len(ways) == 1 and listed:
        return None
    return Around([*clauses], scope, own, kinds, ways, some, tuple(given))


def _turns(target: ast.expr, elements: Elements, kinds: Mapping[str, Kind]) -> list[dict[str, ast.expr]]:
    """What is known of the variables in ``target``, for each of ``elements`` that stands in the file."""
    items = [assigned(target, item) for item in elements.items or ()]
    known = [i for i in items if i is not None]
    if elements.items is not None and len(known) == len(items):
        return known
    return [{n: _ANY_TEXT for n, k in kinds.items() if k != "given"}]


def around_job(node: ast.expr, scope: ApiContext, places: Places) -> Around | None:
    """The turns that the job ``node`` is in, as far outside as these are known."""
    loops = [n for n in places.outward(node) if isinstance(n, LOOPS)]
    for loop in reversed(loops):
        clauses, s = clauses_of(loop, node, places), places.statement(loop)
        if clauses is not None and s is not None:
            clauses = needed(clauses, names_in(node), scope.names)
            around = around_of(clauses, variable(node, scope), scope, places, s)
            if around is not None:
                return around
    return None


def turns_of(
    around: Around, key: str, places_of: Callable[[ast.expr], Span | None], *, found: bool = False
) -> ir.Turns:
    """``around``, of which each turn has the name ``key``; in their order if that is empty. ``places_of``: where an
    expression is written that may be written as it is; ``found``: as ``Turns`` has it, where no test leaves a turn
    out."""
    clauses = tuple(_told(c, around.scope.names, places_of) for c in around.clauses)
    loop = next(c for c in around.clauses if c.target is not None)
    assumed = [] if around.some else [*_if_some(around, key)]
    found = found and all(c.target is not None for c in around.clauses)
    return ir.Turns(clauses, key, ", ".join(sorted(bound_by(loop))), tuple(assumed), found)


def _told(clause: Clause, names: Names, places_of: Callable[[ast.expr], Span | None]) -> ir.Clause:
    target = "" if clause.target is None else ast.unparse(clause.target)
    if isinstance(clause.target, ast.Tuple):
        target = target.removeprefix("(").removesuffix(")")
    text, shape, written = canonical(clause.value, names), "{}", ast.unparse(clause.at)
    if clause.value is not clause.at:
        shape = "not {}" if clause.target is None else "[{}]"
    if clause.target is None and not isinstance(clause.at, (ast.Call, ast.Name, ast.Attribute, ast.Compare)):
        shape = shape.replace("{}", "({})")
    at = places_of(clause.at)
    return ir.Clause(target, text, shape.format(written), at, shape)


def _if_some(around: Around, key: str) -> list[Assumption]:
    """What has to be true for an aggregate to have a column."""
    loop = next(c for c in around.clauses if c.target is not None)
    tests = [ast.unparse(c.value) for c in around.clauses if c.target is None]
    found = []
    for text in around.given:
        of = "names of columns" if key in around.given_names and key else "a few values"
        found.append(Assumption("keys", f"`{text}` is a list of {of}, and not empty"))
    if not found and isinstance(loop.value, ast.Attribute):
        found.append(Assumption("keys", f"`{ast.unparse(loop.value.value)}` has a column"))
    elif not found and not tests:
        found.append(Assumption("keys", f"`{ast.unparse(loop.value)}` is not empty"))
    if tests:
        found.append(Assumption("keys", f"`{' and '.join(tests)}` is true in some turn"))
    return found


def _constant(node: ast.expr | None) -> object:
    """The constant that ``node`` is; None if it is none, or one of another kind than texts and numbers."""
    value = None if node is None else node.value if isinstance(node, ast.Constant) else number(node)
    return None if isinstance(value, (bool, bytes)) else value
