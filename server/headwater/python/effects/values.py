"""The values of the effect analysis: what kinds of objects an expression may evaluate to, and who may change them.

A value is a set of atoms. A kind by itself (``"str"``, ``"list"``) is an object that the function may only read: an
element that it was given, a constant, or something made of those whose identity is of no interest. A ``Site`` is a
container or iterator that an expression makes: ``own`` if a run of the function makes it, so that nothing outside of
the run holds it and it may be changed; not ``own`` if the program makes it outside.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Union

DATA = frozenset(
    """
    none bool int float complex str bytes bytearray date datetime time timedelta timezone Decimal tuple list dict set
    frozenset range Row Counter OrderedDict url
    """.split()
)
"""Kinds of values of a Spark column, and of what listed functions make of them: all of them can be read any number of
times, and reading them runs no code but CPython's own."""
NUMBERS = frozenset("bool int float complex Decimal".split())
SEQUENCES = frozenset("tuple list Row url".split())
MAPPINGS = frozenset("dict Counter OrderedDict defaultdict".split())
SETS = frozenset("set frozenset view".split())
MUTABLE = frozenset("list dict set deque Counter OrderedDict defaultdict bytearray iterator hash".split())
"""Kinds of objects that an operation may change in place, or use up."""
PRINTABLE = DATA | frozenset("Pattern Match view slice deque exception".split())
"""Kinds whose text depends on nothing but their parts."""


@dataclass(frozen=True)
class Site:
    """A container or iterator of ``kind`` made at ``place``; its elements are in the heap of the analysis."""

    place: object
    kind: str
    own: bool


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the file. ``frame``: what it was made in; None for one that stands outside. The run makes it, and
    what its parameters default to, only if it makes the frame."""

    node: ast.FunctionDef | ast.Lambda
    frame: Frame | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and other.node is self.node

    def __hash__(self) -> int:
        return id(self.node)


@dataclass(frozen=True)
class Listed:
    """A listed function, class or unbound method, by its full name."""

    name: str


@dataclass(frozen=True)
class Method:
    """A listed method of a receiver, under its full name."""

    receiver: Atom
    name: str


@dataclass(frozen=True)
class Partial:
    """``functools.partial(function, *given)``."""

    function: Value
    given: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Broadcast:
    """A broadcast of a value of this file."""

    value: Value


@dataclass(frozen=True)
class Parameter:
    """What a parameter of the code around holds. To look into it takes an assumption; nothing else is understood."""

    name: str


Atom = Union[str, Site, Function, Listed, Method, Partial, Broadcast, Parameter]
Value = frozenset[Atom]
NOTHING: Value = frozenset()
ANY_DATA: Value = frozenset(DATA)
NONE: Value = frozenset({"none"})


class Frame:
    """The variables of one function, or of one comprehension, over all of its runs. ``own``: a run of the analysed
    code makes it; not so the frame of what is evaluated outside of the run."""

    def __init__(self, names: frozenset[str], outer: Frame | None, *, nested: bool = False, own: bool = True) -> None:
        self.names, self.outer, self.nested, self.own = names, outer, nested, own
        self.variables: dict[str, Value] = {}
        self.result: Value = NOTHING
        self.yields: Value = NOTHING

    def of(self, name: str) -> Frame | None:
        """The frame, this or one around it, whose variable ``name`` is."""
        frame: Frame | None = self
        while frame is not None and name not in frame.names:
            frame = frame.outer
        return frame


def kind_of(atom: Atom) -> str:
    """The kind of the object; ``"function"`` and the like for what has no kind of its own."""
    if isinstance(atom, str):
        return atom
    return atom.kind if isinstance(atom, Site) else type(atom).__name__.lower()


def kinds(value: Value) -> frozenset[str]:
    """The kinds of all atoms."""
    return frozenset(map(kind_of, value))
