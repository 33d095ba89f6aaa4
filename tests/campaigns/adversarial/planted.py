"""Faults in tables of facts and in refusals, one at a time: the campaign must see each within a bounded number of programs.

Programs are those of the campaign; of those that do not contain the text that a fault is about, nothing is analysed: the fault
cannot change what is found in them. ``python -m tests.campaigns.adversarial.planted`` tries all.
"""

# ruff: noqa: E501 (a table of faults, one a line)

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from headwater.frontend.functions import arrow_frames
from headwater.python.effects import outside, statements
from headwater.python.effects.uses import Uses
from headwater.python.libraries import registry
from headwater.python.libraries.effects import EFFECTS
from headwater.python.libraries.entry import CLASSES, entries, methods
from headwater.syntax.signatures import Signature

from .judge import judged
from .tool import answer
from .write import program as written

PROGRAMS = 40_000
ANALYSED = 400


@dataclass(frozen=True)
class Fault:
    """``kind``: the programs that are to see it; ``needle``: a text that stands in all programs that it can change."""

    name: str
    kind: str
    needle: str
    plant: Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Seen:
    """After how many programs a fault was seen, of which so many were analysed; ``wrong`` is empty if it was not."""

    written: int
    analysed: int
    wrong: str = ""


def hunt(fault: Fault, programs: int = PROGRAMS, analysed: int = ANALYSED) -> Seen:
    """Programs of the campaign until the fault is seen."""
    tried = 0
    with fault.plant():
        for seed in range(programs):
            made = written(seed, fault.kind)
            if fault.needle not in made.source:
                continue
            tried += 1
            found = answer(made)
            if found.rewritten:
                trial = judged(found, seed)
                if trial.verdict == "wrong":
                    return Seen(seed + 1, tried, trial.wrong)
            if tried == analysed:
                return Seen(seed + 1, tried)
    return Seen(programs, tried)


# --- how faults are planted


@contextmanager
def _effect(line: str) -> Iterator[None]:
    """Another entry for a function, or for a method by the kind of its receiver, among the effect tables."""
    kind = line.partition(".")[0]
    made = methods(line) if kind in CLASSES and kind not in ("datetime", "date", "time") else entries(line)
    table: Any = EFFECTS.maps[0]  # type: ignore[attr-defined]
    before = {name: table.get(name) for name in made}
    table.update(made)
    try:
        yield
    finally:
        for name, entry in before.items():
            if entry is None:
                del table[name]
            else:
                table[name] = entry


@contextmanager
def _entry(name: str, **changes: Any) -> Iterator[None]:
    """An entry of the registry of libraries, altered, or made."""
    table, by_method = registry._ENTRIES, registry._BY_METHOD.setdefault(name.rpartition(".")[2], [])
    before, listed = table.get(name), list(by_method)
    plain = registry.Entry(name, Signature.of(f"{name.rpartition('.')[2]}()"), "other")
    table[name] = replace(before or plain, **changes)
    by_method[:] = [table[name] if e.name == name else e for e in listed] + ([] if before else [table[name]])
    try:
        yield
    finally:
        by_method[:] = listed
        if before is None:
            del table[name]
        else:
            table[name] = before


@contextmanager
def _attribute(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def effect(name: str, kind: str, needle: str, line: str) -> Fault:
    """A fault of the effect tables."""
    return Fault(name, kind, needle, lambda: _effect(line))


def entry(name: str, kind: str, needle: str, full: str, **changes: Any) -> Fault:
    """A fault of the registry of libraries."""
    return Fault(name, kind, needle, lambda: _entry(full, **changes))


def attribute(name: str, kind: str, needle: str, owner: Any, of: str, value: Any) -> Fault:
    """A fault of a set or a function."""
    return Fault(name, kind, needle, lambda: _attribute(owner, of, value))


def _signature(text: str) -> Signature:
    return Signature.of(text)


def _always(_: object) -> bool:
    return True


_STATEMENT = statements._statement


def _without(*kinds: str) -> Callable[..., None]:
    """``statements._statement`` that passes over statements of these kinds."""

    def statement(a: Any, node: Any, frame: Any) -> None:
        if type(node).__name__ not in kinds:
            _STATEMENT(a, node, frame)

    return statement


def _statements(name: str, needle: str, *kinds: str) -> Fault:
    return attribute(name, "state", needle, statements, "_statement", _without(*kinds))


def _each(text: str) -> str:
    """An entry for every kind of mapping: what a name may hold is looked up by method, in all of them."""
    return "\n".join(
        f"{kind}.{text}" for kind in ("dict", "Counter", "OrderedDict", "set") if kind != "set" or "update" in text
    )


_FRAME = "pandas.DataFrame."
_TABLE = "pyarrow.Table."
_FIXED = outside._FIXED
FAULTS: Mapping[str, Fault] = {
    f.name: f
    for f in (
        # --- effects: purity and determinism
        effect("random.random is deterministic", "state", "random.random()", "random.random() -> float"),
        effect("random.randint is deterministic", "state", "random.randint(", "random.randint(a, b) -> int"),
        effect("random.choice is deterministic", "state", "random.choice(", "random.choice(seq) -> parts"),
        effect("now is deterministic", "state", ".now()", "datetime.datetime.now(tz=None) -> datetime"),
        effect("utcnow is deterministic", "state", "utcnow()", "datetime.datetime.utcnow() -> datetime"),
        effect("perf_counter is deterministic", "state", "perf_counter", "time.perf_counter() -> float"),
        effect("monotonic_ns is listed", "state", "monotonic_ns()", "time.monotonic_ns() -> int"),
        effect("token_hex is listed", "state", "token_hex", "secrets.token_hex() -> str"),
        effect("urandom is deterministic", "state", "os.urandom(", "os.urandom(size, /) -> bytes"),
        effect("print does nothing", "state", "print(", "builtins.print(*args, end=None) -> none"),
        # --- effects: what changes an object
        effect("append changes nothing", "state", "append(", "list.append(object, /) -> none"),
        effect("insert changes nothing", "state", ".insert(", "list.insert(index, object, /) -> none"),
        effect("extend changes nothing", "state", ".extend(", "list.extend(iterable, /) -> none"),
        effect("setdefault reads", "state", "obj.setdefault(", _each("setdefault(key, default=None, /) -> self | args | none")),
        effect("update reads", "state", "obj.update(", _each("update(other=None, /) -> none; keywords")),
        effect("add changes nothing", "state", "obj.add(", "set.add(elem, /) -> none"),
        # --- effects: what may come from outside
        attribute("iterators do not change when read", "state", "iter(", outside, "_FIXED", _FIXED | {"iterator"}),
        attribute("every list is only read", "lists", "COLS", Uses, "only_read", lambda *_: True),
        _statements("global is no effect", "global count", "Global"),
        _statements("nonlocal is no effect", "nonlocal n", "Nonlocal"),
        _statements("an attribute may be assigned", "obj.n += 1", "AugAssign"),
        # --- row preservation and non-emptiness, pandas
        entry("drop_duplicates leaves a row", "groups", "drop_duplicates(", _FRAME + "drop_duplicates", leaves=_always),
        entry("head leaves a row", "groups", ".head(", _FRAME + "head", leaves=_always),
        entry("tail leaves a row", "groups", ".tail(", _FRAME + "tail", leaves=_always),
        entry("dropna leaves a row", "groups", ".dropna(", _FRAME + "dropna", leaves=_always),
        entry("nlargest leaves a row", "groups", ".nlargest(", _FRAME + "nlargest", leaves=_always),
        entry("nsmallest leaves a row", "groups", ".nsmallest(", _FRAME + "nsmallest", leaves=_always),
        entry("query leaves a row", "groups", ".query(", _FRAME + "query", leaves=_always),
        entry("shift keeps rows", "groups", ".shift(", _FRAME + "shift", result="rows"),
        entry("where keeps rows", "groups", ".where(", _FRAME + "where", result="rows"),
        entry("mask keeps rows", "groups", ".mask(", _FRAME + "mask", result="rows"),
        entry("fillna keeps rows", "groups", ".fillna(", _FRAME + "fillna", result="same rows"),
        entry("rename keeps columns", "groups", ".rename(", _FRAME + "rename", result="same rows"),
        # --- parameters and receivers, pyarrow
        entry("filter of a table takes any null selection", "arrow", "emit_null", _TABLE + "filter",
              signature=_signature('filter(mask, null_selection_behavior="drop")')),
        entry("take of a table keeps rows", "arrow", ".take(", _TABLE + "take", result="rows"),
        entry("take of a column keeps values", "arrow", '"].take(', "pyarrow.ChunkedArray.take", result="values"),
        entry("a join keeps rows", "arrow", ".join(", _TABLE + "join", result="rows"),
        entry("renamed columns are the same", "arrow", ".rename_columns(", _TABLE + "rename_columns", result="rows"),
        entry("a set column is the same", "arrow", ".set_column(", _TABLE + "set_column", result="rows"),
        attribute("a right join keeps keys", "arrow", '"right outer"', arrow_frames, "_JOINS",
                  frozenset((*arrow_frames._JOINS, "right outer"))),
    )
}  # fmt: skip


def main() -> int:
    """Every fault, or those whose name holds a text."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.adversarial.planted", description=__doc__)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    missed = 0
    for fault in FAULTS.values():
        if given.only not in fault.name:
            continue
        start = time.monotonic()
        seen = hunt(fault)
        missed += not seen.wrong
        words = f"seen after {seen.written} programs, {seen.analysed} analysed" if seen.wrong else "NOT SEEN"
        print(f"{fault.name}: {words} ({seen.analysed} analysed, {time.monotonic() - start:.0f} s)", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
