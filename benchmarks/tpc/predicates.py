"""The predicates of a query as the benchmark has it in SQL, and what became of each in the PySpark.

A predicate is followed by its columns: a condition at a table that reads one of them is taken to be made of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_WHERE = ("where_clause", "having", "qualify", "condition")
_AND = "CONJUNCTION_AND"
_AGGREGATE = re.compile(r"\b(sum|avg|min|max|count|count_star)\(")


@dataclass(frozen=True)
class Predicate:
    """``columns``: those of tables; ``moves``: whether it can come to a table, all that it reads being columns, of one
    table or, with OR, of several in parts."""

    text: str
    columns: frozenset[str]
    moves: bool


@dataclass(frozen=True)
class Fate:
    """What became of a predicate. ``conditions``: those at tables that are made of it; ``reasons``: why it is not
    moved."""

    predicate: str
    who: str
    conditions: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def predicates(database: Any, sql: str, tables: Mapping[str, str]) -> tuple[Predicate, ...]:
    """The conjuncts of all WHERE, HAVING and ON in the order of the text, without those that join by equal columns.
    ``tables``: the table of each column."""
    (tree,) = database.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    found: dict[str, Predicate] = {}
    for where in _wheres(json.loads(tree)["statements"]):
        for part in _conjuncts(where):
            if part["class"] != "SUBQUERY" and not _joins(part):
                text = _spelled(database, part)
                found.setdefault(text, _predicate(text, part, tables))
    return tuple(found.values())


def _wheres(tree: Any) -> Iterator[Any]:
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        if key in _WHERE and isinstance(value, dict):
            yield value
        yield from _wheres(value)


def _conjuncts(condition: Any) -> Iterator[Any]:
    if condition["type"] == _AND:
        for part in condition["children"]:
            yield from _conjuncts(part)
    else:
        yield condition


def _joins(part: Any) -> bool:
    return part["type"] == "COMPARE_EQUAL" and all(part[side]["class"] == "COLUMN_REF" for side in ("left", "right"))


def _predicate(text: str, part: Any, tables: Mapping[str, str]) -> Predicate:
    read = [(*qualifiers, tables.get(name, ""), name) for *qualifiers, name in _columns(part)]
    known = frozenset(name for *_, table, name in read if table)
    several = len({at[:-1] for at in read}) > 1 and part["type"] != "CONJUNCTION_OR"
    computed = '"SUBQUERY"' in json.dumps(part) or _AGGREGATE.search(text) is not None
    return Predicate(text, known, bool(read) and all(at[-2] for at in read) and not (several or computed))


def _columns(tree: Any) -> Iterator[list[str]]:
    if isinstance(tree, dict):
        if tree.get("class") == "COLUMN_REF":
            yield tree["column_names"]
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _columns(part)


def _spelled(database: Any, part: Any) -> str:
    (tree,) = database.execute("SELECT json_serialize_sql('SELECT 1')").fetchone()
    statement = json.loads(tree)
    statement["statements"][0]["node"]["select_list"] = [part]
    (text,) = database.execute("SELECT json_deserialize_sql(?)", [json.dumps(statement)]).fetchone()
    return re.sub(r"\s+", " ", str(text)).removeprefix("SELECT ").replace('main."substring"', "substring").strip()


def fate(
    predicate: Predicate,
    written: Sequence[str],
    spark: Sequence[str],
    after: Sequence[str],
    reasons: Iterable[tuple[str, str]],
) -> Fate:
    """What became of a predicate, by the columns that conditions at tables read: as ``written``, with what ``spark``
    moves, and ``after`` the rewrite. ``reasons``: the code of each filter that the tool does not move, and why."""
    if not predicate.moves:
        return Fate(predicate.text, "no table has it")
    for who, conditions in (("written at the table", written), ("Spark", spark), ("Headwater", after)):
        if found := _reading(predicate, conditions):
            return Fate(predicate.text, who, found)
    own = [(code, why) for code, why in reasons if _reading(predicate, [code])] or list(reasons)
    return Fate(predicate.text, "not moved", (), tuple(dict.fromkeys(why for _, why in own)))


def _reading(predicate: Predicate, texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(t for t in texts if predicate.columns & set(re.findall(r"\w+", t)))
