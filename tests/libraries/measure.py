"""Runs the calls that an entry covers on the real library, and says where the entry is wrong.

``complaints`` of an entry lists every claim that a run refutes, and every covered value that no run reached.
"""

from __future__ import annotations

import ast
import copy
import random
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from headwater.libraries.entry import Columns, Entry, constants_of
from headwater.syntax.signatures import literal

from .examples import DATA, MODULES, TOGETHER, WITH, arguments_of, receivers_of
from .same import same

ROW = "row"
"""The column of the receivers that numbers their rows."""

UNORDERED = ("pyarrow.Table.join", "pyarrow.TableGroupBy.aggregate")
"""Of these the rows come in any order."""


@dataclass(frozen=True)
class Run:
    """One call. ``receiver``: None for a function of a module; ``before``: a copy of it, made before the call."""

    text: str
    receiver: object
    before: object
    result: object


def calls(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Calls that cover each value of each parameter, beside the required ones: parameter, value, and the text."""
    examples = {p.name: arguments_of(entry, p) for p in entry.parameters if p.values != ()}
    required = {p.name: examples[p.name][0] for p in entry.parameters if p.required and examples.get(p.name)}
    covered = {p.name for p in entry.parameters}
    together = TOGETHER.get(entry.name, TOGETHER.get(entry.method, {}))
    required |= {n: v for n, v in together.items() if n in covered}
    forms = [("", "", required)]
    for name, values in examples.items():
        more, less = WITH.get(name, ({}, ""))
        beside = {n: v for n, v in {**required, **more}.items() if n != less and n in covered}
        forms += [
            (name, value, {**beside, name: value} if value != "False" else {**required, name: value})
            for value in values
        ]
    for name, value, given in forms:
        yield name, value, _text(entry, given)


def _text(entry: Entry, given: dict[str, str]) -> str:
    parts: list[str] = []
    by_name = False
    for p in entry.parameters:
        if p.name not in given:
            by_name = by_name or p.kind == "either"
        elif p.kind in ("star", "names") or (p.kind in ("positional", "either") and not by_name):
            parts.append(given[p.name])
        else:
            parts.append(f"{p.name}={given[p.name]}")
    return f"({', '.join(parts)})"


def complaints(entry: Entry) -> list[str]:
    """What is wrong with ``entry``."""
    if not entry.pure:
        return []
    found: list[str] = []
    reached: dict[str, list[str]] = {}
    for name, value, text in calls(entry):
        runs = [run for receiver in receivers_of(entry) for run in _run(entry, text, receiver, found)]
        if runs:
            reached.setdefault(name, []).append(value)
        for run in runs:
            wrong = refuted(entry, run)
            if wrong and wrong not in found:
                found.append(wrong)
    for p in entry.parameters:
        got = reached.get(p.name, [])
        if p.values != () and not (got if p.values is None else all(repr(v) in got for v in p.values)):
            found.append(f"{entry.name}: no run reaches all of `{p.name}` (only {got})")
    if not reached:
        found.append(f"{entry.name}: no run reaches it")
    return found


def _run(entry: Entry, text: str, make: object, found: list[str]) -> list[Run]:
    """The call on one receiver, twice; nothing if it raises."""
    results: list[object] = []
    words = set(re.findall(r"\w+", text))
    for _ in range(2):
        receiver = make() if callable(make) else None
        data = {"x": receiver, **{n: DATA[n]() for n in DATA.keys() & words}}
        names: dict[str, object] = {**MODULES, **data}
        before = copy.deepcopy(data)
        drawn = np.random.get_state()[1].tobytes(), random.getstate()  # type: ignore[index]
        method = entry.method
        path = f"x.{entry.kind.rpartition('.')[2]}.{method}" if entry.kind.endswith((".str", ".dt")) else f"x.{method}"
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = eval(f"{path if receiver is not None else entry.name}{text}", names)
                results.append(list(result) if isinstance(result, Iterator) else result)
        except Exception:
            results = []
        changed = [n for n, v in before.items() if not same(v, names[n])]
        if changed or drawn != (np.random.get_state()[1].tobytes(), random.getstate()):  # type: ignore[index]
            found.append(f"{entry.name}{text} changes {', '.join(changed) or 'the random state'}")
            return []
        if not results:
            return []
    if entry.name in UNORDERED:
        results = [sorted(map(str, r.to_pylist())) if isinstance(r, pa.Table) else r for r in results]
    if not same(*results):
        found.append(f"{entry.name}{text} gives another result at each call")
    first = next((n for n in re.findall(r"\w+", text) if n in before), "x")
    return [Run(text, data["x"], before["x" if receiver is not None else first], results[0])]


def refuted(entry: Entry, run: Run) -> str:
    """Which claim of ``entry`` the run refutes; nothing if none."""
    head = f"{entry.name}{run.text}"
    kind = kind_of(run.result)
    if entry.returns == {"row numbers"}:
        return f"{head} returns NULL" if run.result.null_count else ""  # type: ignore[attr-defined]
    if entry.returns and kind not in entry.returns:
        return f"{head} returns a {kind}"
    if entry.yields == "same rows" and not same(run.before, run.result):
        return f"{head} does not return the same rows"
    if entry.yields == "rows":
        wrong = _rows(run.before, run.result)
        if wrong:
            return f"{head} {wrong}"
    if entry.yields == "per row":
        base = run.before
        if not entry.name.startswith("pandas.Series") and not isinstance(base, pd.Series):
            return ""  # a function, of something else than a column
        if not isinstance(base, pd.Series) or not isinstance(run.result, pd.Series):
            return f"{head} is not one value for each row"
        if not base.index.equals(run.result.index):
            return f"{head} has another index"
    if entry.yields == "values" and not _values(run.before, run.result):
        return f"{head} makes values that were not there"
    if entry.yields == "plain" and (isinstance(run.result, (list, dict, tuple, set)) or np.ndim(run.result) > 0):  # type: ignore[arg-type]
        return f"{head} is not one plain value"
    node = ast.parse(f"f{run.text}", mode="eval").body
    assert isinstance(node, ast.Call)
    if _length(run.before) and not _length(run.result) and entry.leaves(constants_of(entry.bind(node), literal)):
        return f"{head} leaves no row"
    if entry.columns is not None:
        wrong = _columns(run.before, run.result, entry.columns(constants_of(entry.bind(node), literal)))
        if wrong:
            return f"{head} {wrong}"
    return ""


def _columns(before: object, after: object, claimed: Columns) -> str:
    """Where a column holds what it did not hold, although ``claimed`` says that it is kept."""
    if type(before) is not type(after):
        return f"returns a {type(after).__name__}"
    if claimed.rows != "any" and _length(before) != _length(after):
        return "has other rows"
    assert isinstance(after, (pd.DataFrame, pa.Table))
    old = {claimed.renamed.get(n, n): n for n in _names(before) if claimed.only is None or n in claimed.only}
    for name in _names(after):
        if name in old and old[name] not in claimed.gone and (claimed.positions or isinstance(name, str)):
            if _names(after).count(name) > 1 or not _values(before[old[name]], after[name]):  # type: ignore[index]
                return f"changes the column {name}"
    if isinstance(after, pd.DataFrame) and claimed.rows == "same" and not after.index.equals(before.index):  # type: ignore[attr-defined]
        return "has another index"
    return ""


def _names(frame: object) -> list[str]:
    assert isinstance(frame, (pd.DataFrame, pa.Table))
    return list(frame.columns) if isinstance(frame, pd.DataFrame) else frame.column_names


def kind_of(value: object) -> str:
    """The kind of an object as entries name it."""
    cls = type(value)
    root = cls.__module__.partition(".")[0]
    return f"{root}.{cls.__name__}"


def _length(value: object) -> int:
    return len(value) if isinstance(value, (pd.DataFrame, pd.Series, pa.Table, pa.ChunkedArray)) else -1


def _records(frame: object) -> list[dict[str, object]]:
    if isinstance(frame, pd.DataFrame):
        return [dict(zip(frame.columns, row, strict=True)) for row in frame.itertuples(index=False, name=None)]
    assert isinstance(frame, (pa.Table, pa.RecordBatch))
    return frame.to_pylist()


def _rows(before: object, after: object) -> str:
    if type(before) is not type(after):
        return f"returns a {type(after).__name__}"
    names = [list(f.columns if isinstance(f, pd.DataFrame) else f.column_names) for f in (before, after)]  # type: ignore[union-attr]
    if names[0] != names[1]:
        return "has other columns"
    rows = {r[ROW]: r for r in _records(before)}
    made = _records(after)
    if len({id(None) if r[ROW] is None else r[ROW] for r in made}) < len(made):
        return "repeats a row"
    if any(r[ROW] not in rows or not same(rows[r[ROW]], r) for r in made):
        return "has rows that were not there"
    return ""


def _values(before: object, after: object) -> bool:
    known = _listed(before)
    made = _listed(after)
    return made is not None and known is not None and all(any(_equal(v, k) for k in known) for v in made)


def _equal(a: object, b: object) -> bool:
    """Equal as the values of a key are: NaN, NaT and None are one missing value."""
    missing = [v is None or v is pd.NaT or v != v for v in (a, b)]
    return all(missing) if any(missing) else bool(a == b)


def _listed(values: object) -> list[object] | None:
    if isinstance(values, (pa.ChunkedArray, pa.Array)):
        return list(values.to_pylist())
    if isinstance(values, (pd.Series, np.ndarray, pd.api.extensions.ExtensionArray, list)):
        return list(values)
    return None
