"""The model of one library function, method, attribute or constant, and the text that declares it.

One line of a table declares one entry of Python's own functions and values:

    builtins.sorted(iterable, /, *, key=None, reverse=False) -> list[parts]; calls key(parts)
    math.floor(x, /) -> int; scalar equal
    list.append(object, /) -> none; changes; adds args
    date.year -> int
    random.random() -> refused volatile

The name is the full dotted one of a function, or, in a table of ``methods``, ``kind.method`` of a receiver kind, which
stands for the class: ``list.append`` is ``builtins.list.append``. The parameters are a
declaration for ``headwater.syntax.signatures``: what is not declared refuses. A name without parameters is an
attribute or a constant. The result is made of kinds, of new containers (``list[parts]``), and of

- ``parts``: the elements of all arguments, ``parts_of_parts``: their elements; ``args``: the arguments themselves;
  ``given.x``: the argument ``x``, ``given.keywords``: other keywords; ``self``: the elements of the receiver;
  ``results``: what the called function returns; ``data``: any value of a Spark column, if all arguments are such.

Notes behind ``;``: ``changes`` (the receiver, or the first argument of a function, is changed in place), ``adds …``
(to the elements of that), ``static`` (a method without a receiver), ``calls parameter(…)`` (what is given there is
called with these), ``keywords`` (any keyword is an argument), ``reads`` (the arguments may be any values of pandas and
Arrow too), ``scalar`` and ``scalar equal`` (a function from scalars to a scalar: ``Entry.scalar``). ``refused`` with an
obstruction says that a call does more than compute: everything that is not listed refuses as well, and is not known to
do so. Every entry is measured against CPython (``tests/tables/test_effects.py``, and scalar functions in
``tests/conformance/test_opaque_python.py``).

``registry.register`` declares those of the data libraries.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound, NotConstant, Parameter, Signature
from headwater_ir.types import ANY, BOOL, FLOAT, INT, STRING, Type
from headwater_ir.verdict import Obstruction

Yields = Literal["same rows", "rows", "per row", "values", "plain", "other"]
"""What a call yields, of the frame, table or column that it is called on, or that is its first argument:

- ``same rows``: the same rows in the same order under the same index, with all columns.
- ``rows``: some of the rows, each at most once and with all columns unchanged, in any order.
- ``per row``: one value for each row, under the same index.
- ``values``: some of its values, unchanged; none that it does not have.
- ``plain``: one value that is no container.
- ``other``: any value.
"""
Constants = Callable[[str], object]
"""The value of an argument by parameter; None where it is not given, NotConstant where it is not known."""
Scalar = Literal["equal", "exact"]
"""How a function from scalars to a scalar depends on its arguments: ``equal``: equal numbers give equal results, so
that 1 and 1.0, 0.0 and -0.0 need not be distinguished; ``exact``: on the values alone, and 1 and 1.0 may differ."""


@dataclass(frozen=True)
class Columns:
    """Which columns of a frame hold, after a method, values that they held before in the same rows.

    ``only``: there are no others; None for all. ``gone``: these hold other values, or are not there. ``renamed``: new
    names by old. ``positions``: whether columns that are named by their position keep it. ``rows``: the same, under
    the same index or another, or any rows.
    """

    only: tuple[object, ...] | None = None
    gone: tuple[object, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    positions: bool = True
    rows: Literal["same", "another index", "any"] = "same"


_SCALAR_TYPES = {"bool": BOOL, "int": INT, "float": FLOAT, "str": STRING}
_PLAIN = {*_SCALAR_TYPES, "number", "date", "timedelta"}


@dataclass(frozen=True)
class Entry:
    """The model of one function, method, attribute or constant. A call that ``bind`` accepts is pure and deterministic,
    and raises or yields what ``result`` or ``yields`` says.

    ``signature``: None for an attribute or a constant, and for methods of the data libraries that are not pure.
    ``result``: the kinds that the result is made of; None where only ``yields`` is stated, for the data libraries.
    ``refused``: the obstruction of what does more than compute, or that no model covers.
    ``receiver``: the kind that a method or attribute is one of; None for functions and static methods.
    ``returns``: the kinds of objects that the result may be of (``pandas.Series``); empty if not stated.
    ``leaves``: whether the result certainly has a row where the receiver has one, given the arguments.
    ``columns``: which columns the result has of the frame, given the arguments; None if not stated.
    ``open``: the real function takes any further arguments, of which none is covered.
    ``reads``: the arguments may be any values of pandas and Arrow too, which a call only reads.
    """

    name: str
    signature: Signature | None
    result: ast.expr | None = None
    changes: bool = False
    adds: ast.expr | None = None
    calls: tuple[tuple[str, tuple[ast.expr, ...]], ...] = ()
    keywords: bool = False
    refused: Obstruction | None = None
    receiver: str | None = None
    static: bool = False
    reads: bool = False
    scalar: Scalar | None = None
    yields: Yields | None = None
    returns: frozenset[str] = frozenset()
    leaves: Callable[[Constants], bool] = lambda given: False
    columns: Callable[[Constants], Columns] | None = None
    open: bool = False

    @property
    def kind(self) -> str:
        """The class or module that the function belongs to."""
        return self.name.rpartition(".")[0]

    @property
    def method(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The declared parameters, without the receiver."""
        return self.signature.parameters if self.signature is not None else ()

    @property
    def pure(self) -> bool:
        """Whether a call changes nothing and always gives the same result."""
        return not self.changes and self.refused is None

    @property
    def type(self) -> Type:
        """The type of the result where that is one scalar of a known type; ANY otherwise."""
        return _SCALAR_TYPES.get(self.result.id, ANY) if isinstance(self.result, ast.Name) else ANY

    @property
    def plain(self) -> bool:
        """Whether the result is one value that is no container."""
        parts = [n for n in ast.walk(self.result) if isinstance(n, ast.expr)] if self.result is not None else []
        return bool(parts) and all(isinstance(n, ast.BinOp) or getattr(n, "id", "") in _PLAIN for n in parts)

    def bind(self, call: ast.Call, constant: Callable[[ast.expr], object] | None = None) -> Bound:
        """The arguments of ``call`` by parameter. Refusal if the model does not cover the call or it is not pure."""
        if self.changes:
            raise Refusal("side-effect", f"`{self.name}` changes an object", call)
        if self.refused is not None or self.signature is None:
            raise Refusal("opaque", f"no model covers `{self.name}`", call)
        return self.signature.bind(call, constant)

    def has_parameters(self, call: ast.Call) -> bool:
        """Whether the real function takes such arguments; it raises a TypeError otherwise."""
        if not self.pure or self.open or self.signature is None:
            return True
        named = {p.name for p in self.parameters if p.kind in ("either", "keyword")}
        star = any(p.kind == "star" for p in self.parameters)
        places = sum(p.kind in ("positional", "either") for p in self.parameters)
        few = star or len(call.args) <= places or any(isinstance(a, ast.Starred) for a in call.args)
        return few and all(k.arg is None or k.arg in named for k in call.keywords)


CLASSES = {
    **{
        k: f"builtins.{k}"
        for k in "int float complex str bytes bytearray tuple list dict set frozenset range".split()
    },
    **{k: f"datetime.{k}" for k in "date datetime time timedelta timezone".split()},
    **{k: f"collections.{k}" for k in "deque Counter OrderedDict defaultdict".split()},
    "bool": "builtins.int", "Decimal": "decimal.Decimal", "Pattern": "re.Pattern", "Match": "re.Match",
    "Row": "pyspark.sql.Row",
    "view": "collections.abc.MappingView", "hash": "hashlib.HASH", "url": "urllib.parse.ParseResult",
}  # fmt: skip
"""The classes of receivers, by kind."""


def declared(line: str) -> Entry:
    """The entry that one line of a table declares; ValueError for a line that is no declaration."""
    head, arrow, rest = line.partition(" -> ")
    if not arrow:
        raise ValueError(f"no declaration: {line}")
    name, parenthesis, parameters = head.partition("(")
    signature = Signature.of(f"{name.rpartition('.')[2]}({parameters}") if parenthesis else None
    result, *notes = (part.strip() for part in rest.split(";"))
    kind, refused, obstruction = result.partition("refused ")
    if refused and obstruction not in get_args(Obstruction):
        raise ValueError(f"no obstruction: {line}")
    adds, calls, flags = None, [], set[str]()
    scalar: Scalar | None = None
    for note in notes:
        word, _, what = note.partition(" ")
        if word == "adds":
            adds = _expression(what)
        elif word == "calls":
            called = _expression(what)
            if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
                raise ValueError(f"no call: {line}")
            calls.append((called.func.id, tuple(called.args)))
        elif note in ("scalar", "scalar equal"):
            scalar = "equal" if what else "exact"
        elif note in ("changes", "keywords", "static", "reads"):
            flags.add(note)
        else:
            raise ValueError(f"unknown note: {line}")
    return Entry(
        name, signature, _expression("none" if refused else kind), "changes" in flags, adds, tuple(calls),
        "keywords" in flags, cast(Obstruction, obstruction) if refused else None,
        static="static" in flags, reads="reads" in flags, scalar=scalar,
    )  # fmt: skip


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def constants_of(bound: Bound, constant: Callable[[ast.expr], object]) -> Constants:
    """The values of the bound arguments by parameter."""

    def value(name: str) -> object:
        given = bound.get(name)
        return None if given is None else constant(given)

    return value


def known(given: Constants, name: str, default: object) -> object:
    """The value of the argument ``name``, ``default`` if it is not given; NotConstant itself if it is not known."""
    try:
        found = given(name)
    except NotConstant:
        return NotConstant
    return default if found is None else found


def without(named: object) -> Columns:
    """All columns but one of this name, or those of these names; none where they are not known."""
    if isinstance(named, str):
        return Columns(gone=(named,))
    return Columns(gone=tuple(named)) if isinstance(named, (list, tuple)) else Columns(only=())


def changing(parameter: str) -> Callable[[Constants], Columns]:
    """The columns of a frame of which a method changes those that a dict, given as ``parameter``, has for keys, and all
    where another value is given."""

    def columns(given: Constants) -> Columns:
        changed = known(given, parameter, None)
        return without(tuple(changed) if isinstance(changed, Mapping) else None)

    return columns
