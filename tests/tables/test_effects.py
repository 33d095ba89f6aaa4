"""Every entry of the effect tables against CPython: nothing changes, and equal arguments give equal results.

A call is made twice on arguments that are made anew, in different surroundings (time, time zone, environment), and once
more in a process with another hash seed. What it is given, standard output, files, the random state, the decimal
context and loaded modules are compared before and after. An entry that is refused, or that changes its receiver, is
turned into one that claims to be pure: each has to be seen.
"""

from __future__ import annotations

import ast
import builtins
import collections
import datetime as dt
import decimal
import functools
import hashlib
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater.libraries.entry import CLASSES, Entry
from headwater.libraries.registry import EFFECTS
from headwater.python.effects.values import DATA, NUMBERS

from .effect_cases import KINDS, cases, target

LOCAL_TIME = frozenset(
    f"datetime.{n}"
    for n in """
    datetime.fromtimestamp date.fromtimestamp datetime.timestamp datetime.astimezone datetime.strftime
    """.split()
)
"""Read the time zone of the process, which is one and the same for all rows that a worker sees."""
_UNTYPED = frozenset({"parts", "parts_of_parts", "args", "self", "results"})
_SECONDS = 0.002
_FOLDER = Path(tempfile.mkdtemp(prefix="headwater-effects-"))
ENTRIES = tuple(sorted(n for n, e in EFFECTS.items() if e.changes or e.refused in ("side-effect", "volatile")))
"""What is not pure: the flip of each has to be seen."""


# --- what is compared


def frozen(value: Any, depth: int = 0) -> Any:
    """A picture of ``value`` that equal values have in common; iterators are read for that."""
    if depth > 4:
        return "..."
    inner = functools.partial(frozen, depth=depth + 1)
    if isinstance(value, (str, bytes, int, float, complex, decimal.Decimal, type(None))):
        return type(value).__name__, repr(value)
    if isinstance(value, (list, tuple, collections.deque)):
        return type(value).__name__, [inner(v) for v in value]
    if isinstance(value, dict):
        return type(value).__name__, [(inner(k), inner(v)) for k, v in value.items()]
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(repr(inner(v)) for v in value)
    if isinstance(value, types.SimpleNamespace):
        return "namespace", inner(vars(value))
    if hasattr(value, "hexdigest"):
        return "hash", value.hexdigest()
    if isinstance(value, re.Match):
        return "match", value.groups(), value.span()
    if isinstance(value, Iterator) and not isinstance(value, io.IOBase):
        return type(value).__name__, [inner(v) for v in itertools.islice(value, 6)]
    if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, functools.partial)):
        return getattr(value, "__name__", "function")
    return type(value).__name__, repr(value) if "0x" not in repr(value) else ""


def _left(value: Any) -> Any:
    """The same of an argument, without using up an iterator that the caller still has."""
    return value.__reduce__()[2:] if isinstance(value, Iterator) and not isinstance(value, io.IOBase) else frozen(value)


def _surroundings() -> Any:
    context = decimal.getcontext()
    written = sys.stdout.getvalue() if isinstance(sys.stdout, io.StringIO) else ""
    return (
        written, sorted(_FOLDER.iterdir()), random.getstate()[1][-3:], (context.prec, context.rounding),
        "colorsys" in sys.modules, sorted(vars(builtins)), _EFFECTS.copy(), Path.cwd(),
    )  # fmt: skip


_EFFECTS: list[int] = []
_SCOPE: dict[str, Any] = {
    "_thing": lambda: types.SimpleNamespace(a=1),
    "_effect": lambda: _EFFECTS.append(1),
    "_new_file": lambda: str(_FOLDER / f"file{time.monotonic_ns()}"),
    "_context": lambda: decimal.Context(prec=5),
}


def _kind(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, BaseException):
        return "exception"
    for kind, makes in KINDS.items():
        if type(value) is type(makes[0]()):
            return kind
    names = {"Row": "Row", "dict_keys": "view", "dict_items": "view", "dict_values": "view", "odict_keys": "view",
        "odict_items": "view", "odict_values": "view", "mappingproxy": "dict", "slice": "slice",
        "RegexFlag": "int", "ParseResultBytes": "url", "SplitResult": "url", "SplitResultBytes": "url",
        "partial": "function", "itemgetter": "itemgetter", "IsoCalendarDate": "tuple",
        "DecimalTuple": "tuple"}  # fmt: skip
    name = type(value).__name__
    if isinstance(value, Iterator):
        return "iterator"
    return names.get(name, "abstract" if isinstance(value, type) else "hash" if hasattr(value, "hexdigest") else name)


def _allowed(entry: Entry) -> frozenset[str] | None:
    """The kinds that the result may have; None for any."""
    found = set[str]()
    todo = [_result(entry)]
    while todo:
        spec = todo.pop()
        match spec:
            case ast.BinOp(left=left, right=right):
                todo += [left, right]
            case ast.Subscript(value=ast.Name(id=kind)):
                found.add(kind)
            case ast.Name(id=name):
                if name in _UNTYPED:
                    return None
                found |= DATA if name == "data" else NUMBERS if name == "number" else {name}
            case ast.Constant():
                found.add("none")
            case _:
                return None
    return frozenset(found)


# --- one measurement


def complaints(entry: Entry) -> list[str]:
    """What is wrong with the claim that ``entry`` is pure, as far as it claims that."""
    found: list[str] = []
    called = 0
    out, sys.stdout, hook, entered = sys.stdout, io.StringIO(), sys.breakpointhook, sys.stdin
    zone = os.environ.get("TZ")
    sys.breakpointhook = lambda *_, **__: _EFFECTS.append(1)
    try:
        for make in cases(entry, _SCOPE):
            try:
                found += _measured(entry, make)
            except Exception:
                continue
            except SystemExit:
                found.append(f"{entry.name} ends the process")
            called += 1
            if found:
                break
    finally:
        sys.stdout, sys.breakpointhook, sys.stdin = out, hook, entered
        _in_zone(zone)
        decimal.setcontext(decimal.Context())
    return found or ([] if called else [f"{entry.name} is never called with success"])


def _in_zone(zone: str | None) -> None:
    os.environ.pop("TZ", None)
    if zone is not None:
        os.environ["TZ"] = zone
    time.tzset()


def _measured(entry: Entry, make: Any) -> list[str]:
    results, shown = [], []
    for turn, zone in enumerate(("Pacific/Kiritimati", "Etc/GMT+12")):
        _in_zone("UTC" if entry.name in LOCAL_TIME else zone)
        os.environ["HEADWATER_PROBE"] = str(turn)
        sys.stdin = io.StringIO(f"{turn}\n")
        sys.modules.pop("colorsys", None)
        time.sleep(0 if entry.refused is None else _SECONDS)
        arguments = make()
        if _prints(entry) and any(isinstance(a, (Iterator, types.SimpleNamespace)) for a in arguments):
            return []  # the analysis refuses to print what shows an address
        before, around = [_left(a) for a in arguments], _surroundings()
        result = _call(entry, arguments)
        if _surroundings() != around:
            return [f"{entry.name} leaves something behind"]
        held = {id(p) for a in arguments for p in (a, *_parts(a))}
        if not isinstance(result, (Iterator, *_SCALARS)) and id(result) not in held:
            if any(result is r for r in results):
                return [f"{entry.name} hands out one object twice"]
        results.append(result)
        if not entry.changes:
            consumed = [isinstance(a, Iterator) for a in arguments]
            after = [b if c else _left(a) for a, b, c in zip(arguments, before, consumed, strict=True)]
            if entry.refused is not None or entry.name in ENTRIES:
                after = [_left(a) for a in arguments]
            if after != before:
                return [f"{entry.name} changes what it is given: {before} -> {after}"]
        allowed = _allowed(entry)
        if allowed is not None and _kind(result) not in allowed:
            return [f"{entry.name} yields a {_kind(result)}"]
        first = frozen(result)
        if allowed is not None and "iterator" not in allowed and frozen(result) != first:
            return [f"reading what {entry.name} yields changes it"]
        shown.append(first)
    return [] if shown[0] == shown[1] else [f"{entry.name} yields {shown[0]}, and then {shown[1]}"]


def _result(entry: Entry) -> ast.expr:
    assert entry.result is not None
    return entry.result


def _prints(entry: Entry) -> bool:
    texts = {"str", "bytes", "exception"}
    return entry.refused is None and any(isinstance(n, ast.Name) and n.id in texts for n in ast.walk(_result(entry)))


_SCALARS = (str, bytes, int, float, complex, decimal.Decimal, type(None), tuple, frozenset, type, re.Pattern, range,
    dt.date, dt.time, dt.timedelta, dt.tzinfo, types.MappingProxyType,
)  # fmt: skip


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.values()]
    return [*value] if isinstance(value, (list, tuple, set, collections.deque)) else []


def _call(entry: Entry, arguments: list[Any]) -> Any:
    if entry.signature is None:
        if entry.receiver is None:
            return target(entry.name)
        return getattr(arguments[0], entry.method)
    if entry.receiver is not None:
        return getattr(arguments[0], entry.method)(*arguments[1:])
    return target(entry.name)(*arguments)


# --- tables

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


@pytest.mark.parametrize("name", sorted(n for n, e in EFFECTS.items() if e.refused is None))
def test_entries_are_pure(name: str) -> None:
    assert complaints(EFFECTS[name]) == []


def flipped(name: str) -> Entry:
    """The entry as it would be if it claimed to be pure, and to yield data."""
    entry = EFFECTS[name]
    return replace(
        entry, changes=False, refused=None, result=entry.result if entry.changes else ast.Name("data", ast.Load())
    )


def seen(name: str) -> bool:
    """Whether the claim that this entry is pure is seen to be wrong."""
    found = complaints(flipped(name)) or complaints(replace(flipped(name), refused="volatile"))
    found = [f for f in found if "never called" not in f]
    return bool(found) or _elsewhere()[name] != _digest(name)


@pytest.mark.parametrize("name", ENTRIES)
def test_flips_are_seen(name: str) -> None:
    assert seen(name)


def test_results_are_the_same_in_another_process() -> None:
    pure = [n for n, e in EFFECTS.items() if e.refused is None]
    assert {n: _elsewhere()[n] for n in pure} == {n: _digest(n) for n in pure}


@functools.cache
def _digest(name: str) -> str:
    """What the calls of an entry yield, in short."""
    found = []
    for make in itertools.islice(cases(EFFECTS[name], _SCOPE), 60):
        out, sys.stdout, sys.stdin = sys.stdout, io.StringIO(), io.StringIO("x\n")
        try:
            arguments = make()
            if _prints(EFFECTS[name]) and any(isinstance(a, Iterator) for a in arguments):
                continue
            found.append(repr(frozen(_call(EFFECTS[name], arguments))))
        except Exception as error:
            found.append(type(error).__name__)
        except SystemExit:
            found.append("exit")
        finally:
            sys.stdout, sys.stdin = out, sys.__stdin__
    decimal.setcontext(decimal.Context())
    return hashlib.md5("\n".join(found).encode("utf-8", "surrogatepass")).hexdigest()


_INTERACTIVE = frozenset({"builtins.breakpoint", "builtins.exit", "builtins.quit"})


@functools.cache
def _elsewhere() -> dict[str, str]:
    """All digests in a process with another hash seed."""
    code = f"import json; from {__name__} import *; from {__name__} import _all; print(json.dumps(_all()))"
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _all() -> dict[str, str]:
    return {n: "" if n in _INTERACTIVE else _digest(n) for n in EFFECTS}


def test_all_methods_of_the_kinds_are_listed() -> None:
    """An attribute that has no entry is one that the kind does not have."""
    missing = []
    for kind, makes in KINDS.items():
        if kind in DATA | {"deque", "Pattern", "Match", "view"}:
            public = {n for m in makes for n in dir(m()) if not n.startswith("_")}
            missing += [f"{kind}.{n}" for n in sorted(public) if f"{CLASSES[kind]}.{n}" not in EFFECTS]
    assert missing == []
