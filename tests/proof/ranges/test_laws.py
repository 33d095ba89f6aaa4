"""The laws of ``substitution`` beside Spark: both conditions keep the same rows (issue 22)."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from headwater.proof.ranges.substitution import implied, of_bare_column
from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater.rewrite.spell_sql import spell_sql
from headwater_ir.expr import Expr
from headwater_ir.types import FLOAT, INT32, INT64, STRING, TIMESTAMP, Type
from tests.replay import PLANNED_ONCE, setting
from tests.shares import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXTS = [
    "",
    "a",
    "ab",
    "abc",
    "abcd",
    "b",
    "AB",
    " ab",
    "ab ",
    "a\uffff",
    "\U0001f600x",
    "\U0001f600",
    "é",
    "e\u0301",
    None,
]
WHOLE = [0, 1, 7, -7, 77, 2**31 - 1, -(2**31), None]
NUMBERS = [0.0, -0.0, 5.0, 5.5, -1e300, math.inf, -math.inf, math.nan, None]
NUMBERED = [
    "2020",
    "20201",
    "2020-01",
    " 2020",
    "+2020",
    "-202",
    "02020",
    "7",
    "7 ",
    " 7",
    "20",
    "0020",
    "2021x",
    "2019",
]
"""Of these some are no numbers."""
MOMENTS = [
    dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=n)
    for n in (
        -1_500_000,
        -1_000_001,
        -1_000_000,
        -999_999,
        -1,
        0,
        1,
        999_999,
        1_000_000,
        7_000_000,
        7_999_999,
        8_000_000,
    )
] + [None]
LONG = [*WHOLE, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
ROWS: dict[str, tuple[str, list[object], Type]] = {
    "x": ("double", [*NUMBERS], FLOAT), "t": ("timestamp", [*MOMENTS], TIMESTAMP),
    "s": ("string", [*TEXTS], STRING), "i": ("int", [*WHOLE], INT32), "l": ("bigint", [*LONG], INT64),
}  # fmt: skip
_SPELLED = ("7", "-7", "07", "+7", " 7", "7.0", "", "2147483648", "-0", "0")
_GREAT = ("7", "9007199254740993", "9223372036854775807", "9223372036854775808")
_TESTS = ("F.col('x') > 5.0", "F.col('x').isNull()", "~(F.col('x') > 5.0)", "(F.col('x') > 0.0) & (F.col('x') < 5.0)")
PATTERNS = (
    "^a|^b",
    "^(?:a|b)c?",
    "^(a|bb)(b|c)",
    "^(a|)b",
    "^[ab]",
    "^[a-c]b",
    "^[^a]",
    "^[a-z]",
    "^a|b",
    "^(a|b)+",
    "^(a|b)?b",
    "^(a|b){2}",
    "^ab|^a.*",
    "^a.*|^b$",
    "^(a(b|c)|b)b",
    "^(?i)ab",
    "^((?i)a)b",
    "^a(?i)B",
    "^",
    "^()",
    "^a|",
    "^[a]?b",
    "^[ab]+c",
    "^a|^(b)|^(c)",
    "^(a|.)",
    "^(a|b).*",
    "^[a-]",
    "^(^a)",
    "^a(?=b)",
    "^(?!a)b",
    "^a||^b",
    "^ab*?|^b",
)
_CASE = "F.when({a}, 'a').when({b}, 'b').otherwise('c')"
CONDITIONS: dict[str, list[str]] = {
    "x": [f"{_CASE.format(a=a, b=b)}{end}" for a, b in product(_TESTS, _TESTS) for end in (
        " == 'a'", " == 'b'", " == 'c'", " != 'b'", ".isin('a', 'c')")],
    "t": [f"{of} {op} {n}" for of in ("F.unix_timestamp('t')", "F.col('t').cast('long')")
          for op in ("<", "<=", ">", ">=", "==", "!=") for n in (-2, -1, 0, 1, 2, 7, 8)]
         + [f"F.unix_{of}('t') {op} {n}" for of, units in (("seconds", 1), ("millis", 10**3), ("micros", 10**6))
            for op in ("<", "<=", ">", ">=", "==", "!=") for m in (-2, -1, 0, 1, 7) for n in (m * units, m * units - 1)]
         + ["F.unix_timestamp('t').isin(1, 7)"],
    "s": [
        *(f"F.substring('s', {start}, {size}) == '{c}'" for start, size, c in product(
            (0, 1, 2, -1), (1, 2, 3), ("a", "ab", "abc", "abcd", "\U0001f600", "é"))),
        *(f"F.substring('s', 1, {size}).isin('ab', 'a')" for size in (1, 2, 3)), "F.substring('s', 1, 0) == 'a'",
        *(f"F.left('s', F.lit({size})) == '{c}'" for size, c in product((1, 2, 3), ("a", "ab", "abc", "\U0001f600"))),
        "F.substring('s', 1, 2) == ''", "F.coalesce(F.col('s'), F.lit('')) == ''",
        *(f"F.col('s').rlike('^{p}')" for p in ("a", "ab.*", "ab?c", "ab*", "a{0}", "a+b", "ab$", "(a|b)", "a|b", "é")),
        *(f"F.col('s').rlike('{p}')" for p in PATTERNS),
        *(f"F.regexp_extract('s', '{p}', {n}) == '{c}'" for p, n, c in product(
            ("^(a)", "^(a|ab)c", "^(a)*", "^(a)?b", "^([^c]+)c", "^(.)(b)", "^(a)|(b)", "^a", "^a|b", "(a)",
            "^(?:a)(b)"),
            (0, 1), ("a", "ab", "b", "c", ""))),
        "F.regexp_extract('s', '^(a|b)', 1).isin('a', 'b')", "F.regexp_extract('s', '^(a)', 1) != 'a'",
        *(f"F.substring('s', 1, {size}).cast('int') {op} {n}" for size, op, n in product(
            (2, 4), ("==", ">=", ">", "<"), (7, 20, -7, 2020, 2021))),
        "F.substring('s', 1, 4).cast('int').between(2020, 2022)", "F.left('s', F.lit(4)).cast('bigint').isin(2020, 7)",
        *(f"F.col('s').like('{p}')" for p in ("a_%", "ab_", "a%c%", "_b%", "a_c")),
        *(f"F.split('s', '{d}')[0] == '{c}'" for d, c in product(("b", "bc", "c"), ("a", "ab", "", "abcd", "b"))),
        *(f"F.split_part('s', F.lit('{d}'), F.lit(1)) == '{c}'" for d, c in product(("b", "bb"), ("a", "", "ab", "b"))),
        *(f"F.substring_index('s', '{d}', 1) == '{c}'" for d, c in product(("b", "bb"), ("a", "", "ab", "b"))),
        *(f"F.concat(F.lit('{a}'), F.col('s'), F.lit('{b}')) == '{c}'" for a, b, c in product(
            ("", "x", "a"), ("", "d", "b"), ("ab", "xab", "abd", "x", "aab"))),
        *(f"F.instr('s', '{c}') == 1" for c in ("a", "ab", "b", "\U0001f600")),
        *(f"F.rtrim('s') == '{c}'" for c in ("ab", "a", " ab", "ab ")),
        *(f"F.substring('s', 1, {size}) {op} '{c}'" for size, op, c in product(
            (1, 2, 3), ("<", "<=", ">", ">="), ("a", "ab", "abc", "\U0001f600", "A"))),
        "F.substring('s', 1, 2).startswith('a')", "F.substring('s', 1, 2).startswith('abc')",
        "F.col('s').rlike('^a') | F.col('s').like('b_')",
        "F.coalesce(F.col('s'), F.lit('ab')) == 'ab'", "F.coalesce(F.col('s'), F.lit('x')) > 'ab'",
    ],
    "i": [
        *(f"F.col('i').cast('string') == '{c}'" for c in _SPELLED), "F.col('i').cast('string').isin('7', '77')",
        "F.col('i').cast('string').isin('7', 'x')", "F.coalesce(F.col('i'), F.lit(0)) == 0",
        "F.coalesce(F.col('i'), F.lit(0)) > 5", "F.coalesce(F.col('i'), F.lit(7)) == 7",
        "F.coalesce(F.col('i'), F.lit(0)).isin(0, 7)",
    ],
    "l": [
        *(f"F.col('l').cast('string') == '{c}'" for c in _GREAT),
        "F.coalesce(F.col('l'), F.lit(0)) > 9007199254740992", "F.coalesce(F.col('l'), F.lit(0)) == 9007199254740993",
    ],
}  # fmt: skip
SETTINGS = {"spark.sql.ansi.enabled": "false", **PLANNED_ONCE}
MOST = 64
"""Conditions in one job."""
HEAD = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"


def condition(text: str, column: str) -> Expr:
    """``text`` as the front end reads it."""
    source = f"{HEAD}spark.table('t').filter({text})\n"
    schemas = (("t", f"{column} {ROWS[column][0]}"),)
    (found,) = read_module(source, FrontendOptions(schemas=schemas)).filters
    assert found.unread is None, found.unread
    return found.conjuncts[0].condition


@cache
def made() -> list[tuple[str, str, str]]:
    """The column, the condition, and as SQL what a law makes of it."""
    found = []
    for column, texts in CONDITIONS.items():
        for text in texts:
            after = of_bare_column(condition(text, column), ROWS[column][2])
            if after is not None:
                found.append((column, text, spell_sql(after) or ""))
    return found


@cache
def weaker() -> list[tuple[str, str]]:
    """The condition on a text, and as SQL what it implies."""
    found = [(text, implied(condition(text, "s"), STRING)) for text in CONDITIONS["s"]]
    return [(text, spell_sql(after) or "") for text, after in found if after is not None]


def test_the_laws_speak_of_enough() -> None:
    said = made()
    assert len(said) >= 30
    assert {c for c, _, _ in said} == set(CONDITIONS)
    assert all(after and "substring" not in after.lower() and "cast" not in after.lower() for _, _, after in said)


def test_what_they_do_not_speak_of() -> None:
    """A part that does not begin with the first character, and a text that spells no number."""
    said = {before for _, before, _ in made()}
    assert not [b for b in said if "'s', 2" in b or "'s', -1" in b]
    assert not said & {f"F.col('i').cast('string') == '{c}'" for c in _SPELLED if c not in ("7", "-7", "0")}


@pytest.mark.spark
def test_both_conditions_keep_the_same_rows(spark: SparkSession) -> None:
    """Of texts with characters of two units, of the least and the greatest numbers, and of NULL."""
    for column, (kind, values, _) in ROWS.items():
        frame = spark.createDataFrame([(v,) for v in values], f"{column} {kind}").cache()
        with setting(spark, SETTINGS):
            pairs = share([(before, after) for of, before, after in made() if of == column], 3)
            for pair, (kept, same) in zip(pairs, by_pairs(frame, pairs), strict=True):
                assert kept in (None, same), pair


@pytest.mark.spark
def test_what_is_implied_keeps_all_rows(spark: SparkSession) -> None:
    said = weaker()
    assert len(said) >= 40
    texts = [*TEXTS, *NUMBERED, "abb", "abbc", "bb", "b", "xab", "ab  ", "abc\nd", "ac", "bcd", "a\nb", None]
    frame = spark.createDataFrame([(v,) for v in texts], "s string").cache()
    with setting(spark, SETTINGS):
        some = share(said, 3)
        for pair, (kept, more) in zip(some, by_pairs(frame, some), strict=True):
            assert kept is None or {*kept} <= {*(more or ())}, pair


@pytest.mark.spark
def test_what_a_condition_keeps_is_what_a_filter_keeps(spark: SparkSession) -> None:
    """Of some, alone in a filter: NULL is not kept, and no other condition of the same job changes anything."""
    from pyspark.errors import PySparkException

    frame = spark.createDataFrame([(v,) for v in TEXTS], "s string")
    texts = [*CONDITIONS["s"][::40], "F.col('no_such_column') == 'a'", "s > 'ab'"]
    with setting(spark, {"spark.sql.ansi.enabled": "false"}):
        alone = []
        for text in texts:
            try:
                alone.append(sorted(repr(tuple(row)) for row in frame.filter(made_of(text)).collect()))
            except PySparkException:
                alone.append(None)
        assert rows(frame, texts) == alone
    assert None in alone
    assert len({*map(str, alone)}) > 5


Kept = list[str] | None
"""The rows that pass a condition; None if it is an error, as of what is no pattern."""


def by_pairs(frame: Any, pairs: Sequence[tuple[str, str]]) -> list[tuple[Kept, Kept]]:
    """What both conditions of each pair keep."""
    found = rows(frame, [text for pair in pairs for text in pair])
    return list(zip(found[::2], found[1::2], strict=True))


def rows(frame: Any, conditions: Sequence[str]) -> list[Kept]:
    """The rows of a frame of one column that pass each condition: dozens in one job, and those that fail in jobs of
    their own."""
    from pyspark.errors import PySparkException

    if len(conditions) > MOST:
        return [kept for i in range(0, len(conditions), MOST) for kept in rows(frame, conditions[i : i + MOST])]
    try:
        columns = [made_of(text).alias(f"c{i}") for i, text in enumerate(conditions)]
        found = frame.select(*frame.columns, *columns).collect()
    except PySparkException:
        if len(conditions) == 1:
            return [None]
        half = len(conditions) // 2
        return rows(frame, conditions[:half]) + rows(frame, conditions[half:])
    return [sorted(repr(tuple(row[:1])) for row in found if row[i]) for i in range(1, len(conditions) + 1)]


def made_of(condition: str) -> Any:
    """A Column of one, or of SQL text."""
    from pyspark.sql import functions as F

    return eval(condition, {"F": F}) if "F." in condition else F.expr(condition)
