"""Models of library functions and methods, each declared once: its signature and what a call of it does.

A file of this package registers the functions of one family by their full names (``pandas.DataFrame.head``,
``pyarrow.compute.sum``). What is not registered is not understood. A declaration names every parameter of
the real function up to the last that is covered; ``never`` marks those in between that are not, ``**kwargs`` that there
are more. So where it has no ``**kwargs``, a keyword that it does not name is one that Python raises a TypeError for.
``tests/libraries`` holds every entry against the real function: signature, purity, determinism and result.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound, NotConstant, Signature

Result = Literal["same rows", "rows", "per row", "values", "plain", "other", "changes", "not covered"]
"""What a call yields, of the frame, table or column that it is called on, or that is its first argument:

- ``same rows``: the same rows in the same order under the same index, with all columns.
- ``rows``: some of the rows, each at most once and with all columns unchanged, in any order.
- ``per row``: one value for each row, under the same index.
- ``values``: some of its values, unchanged; none that it does not have.
- ``plain``: one value that is no container.
- ``other``: any value.
- ``changes``: it changes its receiver or an argument, or does more than compute.
- ``not covered``: the method exists, and no call of it is covered.
"""
Constants = Callable[[str], object]
"""The value of an argument by parameter; None where it is not given, NotConstant where it is not known."""


@dataclass(frozen=True)
class Entry:
    """The model of one function or method. A call that ``bind`` accepts is pure and deterministic, and raises or yields
    what ``result`` says.

    ``returns``: the kinds of objects that the result may be of (``pandas.Series``); empty if not stated.
    ``leaves``: whether the result certainly has a row where the receiver has one, given the arguments.
    ``open``: the real function takes any further arguments, of which none is covered.
    """

    name: str
    signature: Signature
    result: Result
    returns: frozenset[str] = frozenset()
    leaves: Callable[[Constants], bool] = lambda given: False
    open: bool = False

    @property
    def kind(self) -> str:
        """The class or module that the function belongs to."""
        return self.name.rpartition(".")[0]

    @property
    def pure(self) -> bool:
        """Whether a call changes nothing and always gives the same result."""
        return self.result not in ("changes", "not covered")

    def bind(self, call: ast.Call, constant: Callable[[ast.expr], object] | None = None) -> Bound:
        """The arguments of ``call`` by parameter. Refusal if the model does not cover the call or it is not pure."""
        if self.result == "changes":
            raise Refusal("side-effect", f"`{self.name}` changes an object", call)
        if self.result == "not covered":
            raise Refusal("opaque", f"no model covers `{self.name}`", call)
        return self.signature.bind(call, constant)

    def has_parameters(self, call: ast.Call) -> bool:
        """Whether the real function takes such arguments; it raises a TypeError otherwise."""
        if not self.pure or self.open:
            return True
        named = {p.name for p in self.signature.parameters if p.kind in ("either", "keyword")}
        star = any(p.kind == "star" for p in self.signature.parameters)
        places = sum(p.kind in ("positional", "either") for p in self.signature.parameters)
        few = star or len(call.args) <= places or any(isinstance(a, ast.Starred) for a in call.args)
        return few and all(k.arg is None or k.arg in named for k in call.keywords)


_MODULES = frozenset(("pandas", "numpy", "pyarrow", "pyarrow.compute"))
"""The kinds that are modules: their functions are no methods of an object."""
_ENTRIES: dict[str, Entry] = {}
_BY_METHOD: dict[str, list[Entry]] = {}


def register(
    kinds: str, result: Result, declarations: str, *, leaves: Callable[[Constants], bool] = lambda given: False
) -> list[str]:
    """Register the functions that ``declarations`` declares, as Python stubs without ``def``: one for each line that is
    not indented; their full names. ``kinds``: the class or module they belong to, or several that have them all. An
    annotation of the result names the kinds of objects that it may be. ``*args`` and ``**kwargs`` stand for further
    parameters of the real function, none of which is covered; ``**`` and another name for arguments by any name.
    ValueError if a function is registered already: a fault of the table."""
    names: list[str] = []
    for declaration in _split(declarations):
        stub = ast.parse(f"def {declaration}: ...").body[0]
        assert isinstance(stub, ast.FunctionDef)
        returns = frozenset(() if stub.returns is None else _kinds(stub.returns))
        rest = stub.args.kwarg or (stub.args.vararg if stub.args.vararg and stub.args.vararg.arg == "args" else None)
        signature = Signature.of(re.sub(r",? ?\*args|,? ?\*\*kwargs", "", declaration).replace("(, ", "("))
        for kind in kinds.split():
            entry = Entry(f"{kind}.{stub.name}", signature, result, returns, leaves, rest is not None)
            names.append(entry.name)
            if entry.name in _ENTRIES:
                raise ValueError(f"{entry.name} is registered twice")
            _ENTRIES[entry.name] = entry
            if kind not in _MODULES:
                _BY_METHOD.setdefault(stub.name, []).append(entry)
    return names


def changes(kind: str, names: str) -> None:
    """Register functions of which each call may change an object, draw a random number or reach outside."""
    register(kind, "changes", "\n".join(f"{name}()" for name in names.split()))


def not_covered(kind: str, names: str) -> None:
    """Register methods that only other kinds have a model of."""
    register(kind, "not covered", "\n".join(f"{name}()" for name in names.split()))


def _split(declarations: str) -> Iterator[str]:
    lines: list[str] = []
    for line in declarations.strip("\n").splitlines():
        if lines and line[:1].strip():
            yield " ".join(lines)
            lines = []
        if line.strip():
            lines.append(line.strip())
    if lines:
        yield " ".join(lines)


def _kinds(annotation: ast.expr) -> list[str]:
    if isinstance(annotation, ast.BinOp):
        return [*_kinds(annotation.left), *_kinds(annotation.right)]
    return [str(annotation.value) if isinstance(annotation, ast.Constant) else f"pandas.{ast.unparse(annotation)}"]


def entries() -> Mapping[str, Entry]:
    """All entries by full name."""
    return _ENTRIES


def lookup(name: str | None) -> Entry | None:
    """The entry of a full name; None if there is none."""
    return _ENTRIES.get(name) if name else None


def of_method(method: str) -> tuple[Entry, ...]:
    """The entries of the methods of this name, of any kind."""
    return tuple(_BY_METHOD.get(method, ()))


def bind_method(
    kinds: Collection[str], call: ast.Call, constant: Callable[[ast.expr], object] | None = None
) -> list[Entry]:
    """The entries that a method call may reach, on a receiver of one of ``kinds``, or of any kind where that is empty.
    Refusal if one of them does not cover the call, or if there is none. A kind whose real method takes no such
    arguments, or that has no such method, raises an error and is left out."""
    assert isinstance(call.func, ast.Attribute)
    method = call.func.attr
    known = [e for e in _BY_METHOD.get(method, ()) if not kinds or e.kind in kinds]
    reached = [e for e in known if e.has_parameters(call)]
    for entry in reached:
        entry.bind(call, constant)
    if not reached:
        what = f"takes no such arguments in any of {', '.join(e.kind for e in known)}" if known else "is not listed"
        raise Refusal("opaque", f"the method `{method}` {what}", call)
    return reached


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
