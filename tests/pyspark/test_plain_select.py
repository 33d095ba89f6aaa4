"""Which texts with unknown parts are seen to give rows of one table."""

from __future__ import annotations

import pytest

from .render import HEAD, module

PLAIN = (
    "f\"SELECT * FROM {db}.t WHERE a = '{x}' AND b >= {x}\"",
    "f\"select a, `b c` from t where a in ({x}, '{y}') or not (b <> 2 and c is not null)\"",
    '"SELECT a, {c} FROM {db}.{t}".format(c=x, db=y, t=z)',
    "f\"SELECT * FROM {db} WHERE a LIKE '%{x}%' AND b BETWEEN {x} AND 3\"".replace("BETWEEN {x}", "BETWEEN 1"),
)
OTHERS = (
    'f"SHOW TABLES IN {db}"',
    'f"{text}"',
    'f"SELECT * FROM {db}.t ORDER BY a"',
    'f"SELECT * FROM {db}.t WHERE a = 1 ORDER BY a"',
    'f"SELECT * FROM {db}.t WHERE a = 1 LIMIT 3"',
    'f"SELECT * FROM {db}.t WHERE {condition}"',
    'f"SELECT * FROM {db}.t WHERE a = 1 {more}"',
    'f"SELECT * FROM {db}.t {more}"',
    'f"SELECT * FROM {db}.t WHERE f(a) = 1"',
    'f"SELECT * FROM {db}.t WHERE a IN (SELECT b FROM u)"',
    'f"SELECT * FROM {db}.t WHERE a = (SELECT max(b) FROM u)"',
    'f"SELECT * FROM {db}.t WHERE a = 1 UNION ALL SELECT * FROM u"',
    'f"SELECT DISTINCT a FROM {db}.t"',
    'f"SELECT max(a) FROM {db}.t"',
    'f"SELECT a FROM {db}.t, u"',
    'f"SELECT a FROM {db}.t GROUP BY a"',
    'f"SELECT * FROM {db}.t WHERE a = 1; DROP TABLE t"',
    'f"INSERT INTO {db}.t SELECT * FROM u"',
    "f\"SELECT * FROM {db}.t WHERE a = 'it''s' -- {x}\"",
)


def emptiness(text: str) -> list[str]:
    """The walls of a program that asks whether the query ``text`` gives rows, and what is known of their frames."""
    source = f"def f(db, x, y, z, t, text, condition, more):\n    return len(spark.sql({text}).collect()) == 0\n"
    (wall,) = module(HEAD + source).walls
    return sorted(getattr(wall.plan, "causes", ()))


@pytest.mark.parametrize("text", PLAIN)
def test_rows_of_one_table(text: str) -> None:
    assert "row by row" in emptiness(text)


@pytest.mark.parametrize("text", OTHERS)
def test_anything_else(text: str) -> None:
    assert "row by row" not in emptiness(text)


@pytest.mark.parametrize("text", PLAIN)
def test_a_file_that_makes_functions(text: str) -> None:
    source = f"def f(db, x, y, z):\n    u = F.udf(z)\n    return len(spark.sql({text}).collect()) == 0\n"
    assert "row by row" not in getattr(module(HEAD + source).walls[0].plan, "causes", ())
