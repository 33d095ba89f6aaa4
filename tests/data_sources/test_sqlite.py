"""The model of SQLite beside SQLite."""

from __future__ import annotations

import itertools
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from headwater.data_sources.columns import ALL, columns_of_ddl, rows
from headwater.data_sources.sqlite import SqlError, answer
from headwater.validation.limits import NotEvaluated

COLUMNS = columns_of_ddl("i INT, d DOUBLE, s STRING, b BOOLEAN")
ROWS = rows(COLUMNS, ALL)
OPERATORS = ["=", "<>", "!=", "<", "<=", ">", ">=", "IS", "IS NOT", "LIKE", "NOT LIKE"]
LITERALS = [
    "1", "0", "10", "1.5", "-1", "'1'", "'10'", "'a'", "'A'", "''", "'a%'", "'%b'", "'a_b'", "'%'", "'O''Brien'",
    "NULL", "TRUE",
]  # fmt: skip
VALUES: list[Any] = [
    1,
    0,
    10,
    1.5,
    -0.0,
    "1",
    "a",
    "A",
    "",
    "a%",
    "_",
    "O'Brien",
    None,
    True,
    float("nan"),
    float("inf"),
]
WHOLE = [
    "i IN (1, 10)", "i IN (1, NULL)", "i NOT IN (1, NULL)", "s IN ('a', 'b')", "s NOT IN ('a')", "i IN ('1')",
    "i BETWEEN 1 AND 9", "s BETWEEN 'A' AND 'a'", "NOT i = 1", "NOT (i = 1 OR s = 'a')", "i = 1 AND s = 'a' OR d > 1",
    "s LIKE 'a\\%b' ESCAPE '\\'", "s LIKE 'a\\_b' ESCAPE '\\'", "s LIKE '%'", "i LIKE '1%'", "d LIKE '1%'",
    "instr(s, 'b') > 0", "instr(s, '') > 0", "s = 'a' || 'b'", "s = i", "i = d", "s > i", "1 = 1", "0", "i", "b",
    "NOT b", "b = 1", "b = '1'", "i IS NULL", "s IS NOT NULL", "(i) = '1'", "-i = 1", "i = -1", "s = 1", "s > 5",
    "i > '5'", "i > 'a'", "'1' = 1", "s NOT LIKE 'a\\%b' ESCAPE '\\'", "s IN (1, 10)",
]  # fmt: skip
PARAMETERS = [
    ("i = ? AND s = ?", (1, "a")), ("s LIKE ?", ("%_%",)), ("s IN (?, ?)", ("a", None)), ("s LIKE ? || '%'", ("a",)),
    ("i = :low OR i = :high", {"low": 1, "high": 10}), ("i IN (?, ?, ?)", (1, 2, True)), ("d > ?", ("1",)),
]  # fmt: skip


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE t (i INTEGER, d REAL, s TEXT, b BOOLEAN)")
    made.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [tuple(r.values()) for r in ROWS])
    return made


def model(condition: str, given: Any = ()) -> Counter[str]:
    return shown(answer(f"SELECT * FROM t WHERE {condition}", given, COLUMNS, ROWS)[1])


def shown(found: Sequence[Any]) -> Counter[str]:
    return Counter(repr(tuple(r)) for r in found)


def both(database: sqlite3.Connection, conditions: list[tuple[str, Any]]) -> int:
    """How many of the conditions have a model, each with the rows that SQLite gives."""
    compared = 0
    for condition, given in conditions:
        try:
            made = model(condition, given)
        except NotEvaluated:
            continue
        real = shown(database.execute(f"SELECT * FROM t WHERE {condition}", given).fetchall())
        assert made == real, (condition, given)
        compared += 1
    return compared


def test_operators(database: sqlite3.Connection) -> None:
    """Every operator between every column and every literal, on either side."""
    sides = [(c, v) for c in "idsb" for v in LITERALS]
    asked = [(f"{a} {op} {b}", ()) for (c, v), op in itertools.product(sides, OPERATORS) for a, b in ((c, v), (v, c))]
    assert both(database, asked) > 1200


def test_bound_values(database: sqlite3.Connection) -> None:
    """The same with values that are bound."""
    asked = [(f"{c} {op} ?", (v,)) for c, op, v in itertools.product("idsb", OPERATORS, VALUES)]
    assert both(database, asked) > 550


def test_conditions(database: sqlite3.Connection) -> None:
    """Conditions of every other form."""
    assert both(database, [(w, ()) for w in WHOLE]) >= len(WHOLE) - 3
    assert both(database, [*PARAMETERS]) == len(PARAMETERS)


@pytest.mark.parametrize(
    ("condition", "given"), [("s = 'O'Brien'", ()), ("s = ?", ()), ("s = ?", ("a", "b")), ("s = ?", ([1],))]
)
def test_refused(database: sqlite3.Connection, condition: str, given: Any) -> None:
    """What the model says that SQLite refuses, it refuses."""
    with pytest.raises(SqlError):
        model(condition, given)
    with pytest.raises(sqlite3.Error):
        database.execute(f"SELECT * FROM t WHERE {condition}", given)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT DISTINCT i FROM t", "SELECT i FROM t LIMIT 1", "SELECT i FROM t JOIN t u", "SELECT i FROM t, t u",
        "SELECT i + 1 FROM t", "SELECT i FROM (SELECT * FROM t)", "SELECT i FROM t GROUP BY i", "DELETE FROM t",
        "SELECT i FROM t; SELECT i FROM t", "SELECT i FROM t UNION SELECT i FROM t", "SELECT max(i) FROM t",
        "SELECT i FROM t WHERE i IN (SELECT i FROM t)", "SELECT i FROM t WHERE s GLOB 'a*'", "SELECT x FROM t",
        "SELECT i FROM t WHERE s = 'a' COLLATE NOCASE", "WITH u AS (SELECT * FROM t) SELECT i FROM u",
        "SELECT i FROM t WHERE CASE WHEN i = 1 THEN 1 END", "SELECT i FROM t WHERE lower(s) = 'a'",
        "SELECT i FROM t WHERE s REGEXP 'a'", "SELECT i FROM t WHERE EXISTS (SELECT 1)", "SELECT t.i AS j FROM t",
        "SELECT i FROM t TABLESAMPLE (1 ROWS)", "SELECT i FROM json_each('[1]')",
    ],
)  # fmt: skip
def test_not_modelled(query: str) -> None:
    """Nothing is said of what has no model."""
    with pytest.raises(NotEvaluated):
        answer(query, (), COLUMNS, ROWS)


def test_other_results(database: sqlite3.Connection) -> None:
    """The columns that are named, in their order; a count; limits that leave out nothing."""
    for query in (
        "SELECT s, i FROM t", 'SELECT "s", t.i FROM t', "SELECT COUNT(*) FROM t WHERE i > 0",
        "SELECT * FROM t LIMIT 1000", "SELECT i FROM t ORDER BY s", "SELECT i FROM t LIMIT 1000 OFFSET 0",
    ):  # fmt: skip
        assert shown(answer(query, (), COLUMNS, ROWS)[1]) == shown(database.execute(query).fetchall()), query
