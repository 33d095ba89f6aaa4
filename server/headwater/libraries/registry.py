"""The one registry of library functions: each is declared once, with its signature and what a call of it does.

A file of this package declares the functions of one family by their full names (``pandas.DataFrame.head``,
``pyarrow.compute.sum``, ``builtins.len``). What is not declared is not understood. A declaration names every parameter
of the real function up to the last that is covered; ``never`` marks those in between that are not, ``**kwargs`` that
there are more. So where it has no ``**kwargs``, a keyword that it does not name is one for which Python raises a
TypeError.
``tests/libraries`` and ``tests/tables/test_effects.py`` measure every entry beside the real function.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Signature

from .entry import CLASSES, Columns, Constants, Entry, Yields, declared

_MODULES = frozenset(("pandas", "numpy", "pyarrow", "pyarrow.compute"))
"""The kinds that are modules: their functions are no methods of an object."""
_VALUES = frozenset("str bytes date datetime timedelta tuple list dict".split())
"""The kinds of receivers that ``python.value`` stands for, where a receiver may be one of these as well as a frame, a
column or an array. Whatever arguments their pure methods are given, they change nothing but iterators, of which none
outlives the call."""
_CONTAINERS = frozenset("list dict set".split())
_ENTRIES: dict[str, Entry] = {}
_BY_METHOD: dict[str, list[Entry]] = {}
EFFECTS: dict[str, Entry] = {}
"""By full name, the entries that state what else a call does and which kinds its result is made of: those of Python's
own functions (``builtins.len``), and of its methods, by receiver kind (``builtins.list.append``)."""


def functions(text: str) -> None:
    """Register the functions and constants that the lines of ``text`` declare (``entry``). ValueError for a line that
    is no declaration, or one that is registered already: a fault of the table."""
    for line in filter(None, map(str.strip, text.splitlines())):
        _add(declared(line))


def methods(text: str) -> None:
    """As ``functions``, of methods and attributes of kinds, by the full names of their classes."""
    for line in filter(None, map(str.strip, text.splitlines())):
        _add(of_class(declared(line)))


def of_class(entry: Entry) -> Entry:
    """The entry of ``kind.method`` by the full name of the class."""
    kind, _, method = entry.name.partition(".")
    return replace(entry, name=f"{CLASSES[kind]}.{method}", receiver=None if entry.static else kind)


def _add(entry: Entry) -> None:
    if entry.name in _ENTRIES:
        raise ValueError(f"{entry.name} is registered twice")
    _ENTRIES[entry.name] = entry
    if entry.result is not None:
        EFFECTS[entry.name] = entry
    of_container = entry.changes and entry.receiver in _CONTAINERS
    if of_container or (entry.yields is not None and entry.kind not in _MODULES):
        _BY_METHOD.setdefault(entry.method, []).append(entry)
    value = f"python.value.{entry.method}"
    if entry.receiver in _VALUES and entry.pure and entry.signature is not None and value not in _ENTRIES:
        _add(Entry(value, Signature.of(f"{entry.method}(*items)"), yields="other"))


def register(
    kinds: str,
    yields: Yields,
    declarations: str,
    *,
    leaves: Callable[[Constants], bool] = lambda given: False,
    columns: Callable[[Constants], Columns] | None = None,
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
            name = f"{kind}.{stub.name}"
            made = Entry(name, signature, yields=yields, returns=returns, leaves=leaves, columns=columns)
            _add(replace(made, open=rest is not None))
            names.append(name)
    return names


def changes(kind: str, names: str) -> None:
    """Register functions of which each call may change an object, draw a random number or reach outside."""
    for name in names.split():
        _add(Entry(f"{kind}.{name}", None, yields="other", changes=True))


def not_covered(kind: str, names: str) -> None:
    """Register methods that only other kinds have a model of."""
    for name in names.split():
        _add(Entry(f"{kind}.{name}", None, yields="other", refused="opaque"))


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
    """The entry of a function or method of a data library by its full name; None if there is none."""
    entry = _ENTRIES.get(name) if name else None
    return entry if entry is not None and entry.yields is not None else None


def of_method(method: str) -> tuple[Entry, ...]:
    """The entries of the methods of this name that an object of an unknown kind may have."""
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
