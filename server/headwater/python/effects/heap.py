"""The objects that a run makes or is given: which kinds they are of, what they hold, and who made them."""

from __future__ import annotations

import ast

from headwater.syntax.refusal import Refusal

from .program import Program
from .values import (
    ANY_DATA,
    MAPPINGS,
    NOTHING,
    PRINTABLE,
    SEQUENCES,
    Atom,
    Frame,
    Parameter,
    Site,
    Value,
    kind_of,
    kinds,
)  # fmt: skip

WITH_PARTS = frozenset({*SEQUENCES, *MAPPINGS, "set", "frozenset", "view", "deque"})
"""Kinds of containers of which the elements are known."""


class Heap:
    """The containers of one analysis, by the place that makes them, and what the variables of its frames hold."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.heap: dict[Site, Value] = {}
        self.changed = False
        """Whether a container or a variable may hold more than in the pass before."""
        self.own = True
        """Whether the run makes what is made: not so for what is evaluated outside of it."""

    def refuse(self, node: ast.AST, reason: str) -> Refusal:
        return Refusal("opaque", reason, node)

    def site(self, place: object, kind: str, parts: Value) -> Site:
        """A container of ``kind`` with these elements, among others."""
        found = Site(place, kind, self.own)
        self.add(found, parts)
        return found

    def made(self, node: ast.AST, kind: str, parts: Value) -> Value:
        """The same for what ``node`` makes; Refusal of parts of which nothing is known."""
        self.require_known(parts, node)
        return frozenset({self.site((id(node), kind), kind, parts)})

    def add(self, site: Site, parts: Value) -> None:
        """Put ``parts`` into ``site``."""
        before = self.heap.setdefault(site, NOTHING)
        if not parts <= before:
            self.heap[site] = before | parts
            self.changed = True

    def bind(self, frame: Frame, name: str, value: Value) -> None:
        """Let the variable hold ``value`` as well."""
        before = frame.variables.setdefault(name, NOTHING)
        if not value <= before:
            frame.variables[name] = before | value
            self.changed = True

    def parts(self, atom: Atom) -> Value:
        """The elements of a container or iterator."""
        return self.heap.get(atom, NOTHING) if isinstance(atom, Site) else ANY_DATA

    def is_of(self, value: Value, allowed: frozenset[str]) -> bool:
        """Whether all atoms are of these kinds, and their elements too."""
        todo, seen = [*value], set[Atom]()
        while todo:
            atom = todo.pop()
            if atom in seen:
                continue
            seen.add(atom)
            if kind_of(atom) not in allowed:
                return False
            if isinstance(atom, Site):
                todo += self.heap.get(atom, NOTHING)
        return True

    def require_known(self, value: Value, node: ast.AST) -> None:
        """Refusal of an object whose special methods may be anybody's."""
        if any(isinstance(x, Parameter) for x in value):
            raise self.refuse(node, f"`{self.program.text(node)}` uses an object of which nothing is known")

    def require_printable(self, value: Value, node: ast.AST) -> None:
        """Refusal if the text of the value may differ from run to run: it may show an address."""
        if not self.is_of(value, PRINTABLE):
            raise Refusal("volatile", f"the text of `{self.program.text(node)}` may show an address", node)

    def require_own(self, atom: Atom, node: ast.AST) -> None:
        """Refusal if the object may be one that was not made in this run."""
        if not isinstance(atom, Site) or not atom.own:
            what = self.program.text(node)
            raise Refusal("side-effect", f"`{what}` may change an object that was not made here", node)

    def elements(self, value: Value, node: ast.AST) -> Value:
        """What iterating over the value gives. An iterator is used up, so that it has to be the run's own."""
        found = set[Atom]()
        for atom in value:
            kind = kind_of(atom)
            if kind == "iterator" and self.own:
                self.require_own(atom, node)
            if kind in ("str", "range", "bytes", "bytearray"):
                found.add("str" if kind == "str" else "int")
            elif isinstance(atom, Site) and kind in (
                *SEQUENCES, *MAPPINGS, "set", "frozenset", "view", "iterator", "deque",
            ):  # fmt: skip
                found |= self.parts(atom)
            elif kind in ("list", "tuple", "dict", "set", "frozenset", "Row", "Counter", "OrderedDict", "url", "view"):
                found |= ANY_DATA
            elif kind not in PRINTABLE:
                raise self.refuse(node, f"what iterating over `{self.program.text(node)}` does is not known")
        return frozenset(found)

    def plain(self, value: Value, node: ast.AST) -> frozenset[str]:
        """The kinds of an operand; Refusal of one whose operators are not CPython's own."""
        found = kinds(value)
        if not found <= PRINTABLE | {"iterator", "defaultdict"}:
            raise self.refuse(node, f"what an operator of `{self.program.text(node)}` does is not known")
        return found
