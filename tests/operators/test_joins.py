"""Joins: the sides that a filter may enter, from above and from the ON clause, held to all small tables.

The tables of ``join.py`` and ``join_input.py`` say what is sound. Here each entry is tried on every pair of tables of
at most two rows over {NULL, 0, 1}, with joins written down anew: what is said to pass must never change the result, and
what is said not to must change it somewhere.
"""

# A program per line reads best unwrapped.
# ruff: noqa: E501

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Literal, get_args

import pytest

from headwater.operators import filter
from headwater.operators.join import PRESERVED
from headwater.operators.join_input import FILTERED
from headwater.operators.move import Moved, moves
from headwater.operators.null_extended import rejects_nulls
from headwater_ir.expr import Compare
from headwater_ir.plan import JoinType
from tests.pyspark.render import HEAD, last, outcome

Value = int | None
Side = Literal["left", "right"]
Condition = Callable[[Value], bool]
VALUES: tuple[Value, ...] = (None, 0, 1)
TABLES = [rows for size in range(3) for rows in combinations_with_replacement(VALUES, size)]
CONDITIONS: dict[str, Condition] = {
    "x = 1": lambda x: x == 1,
    "x IS NULL": lambda x: x is None,
    "NOT (x <=> 1)": lambda x: x != 1,
    "coalesce(x, 0) = 0": lambda x: x is None or x == 0,
}


def joined(
    how: JoinType, left: Sequence[Value], right: Sequence[Value], on: Callable[[Value, Value], bool]
) -> Counter[tuple[Value, Value]]:
    """``left.join(right, on, how)`` of tables with one column each, as a bag."""
    pairs = [[(a, b) for b in right if a is not None and a == b and on(a, b)] for a in left]
    if how in ("semi", "anti"):
        return Counter((a, None) for a, found in zip(left, pairs, strict=True) if bool(found) is (how == "semi"))
    rows: Counter[tuple[Value, Value]] = Counter(pair for found in pairs for pair in found)
    if how in ("left", "full"):
        rows.update((a, None) for a, found in zip(left, pairs, strict=True) if not found)
    if how in ("right", "full"):
        met = [any(b is not None and a == b and on(a, b) for a in left) for b in right]
        rows.update((None, b) for b, found in zip(right, met, strict=True) if not found)
    return rows


def above_is_sound(how: JoinType, side: Side, p: Condition) -> bool:
    """Whether a filter above the join may be moved to ``side``, on all tables."""
    at = 0 if side == "left" else 1
    for left in TABLES:
        for right in TABLES:
            whole = joined(how, left, right, lambda a, b: True)
            original = Counter({row: n for row, n in whole.items() if p(row[at])})
            inputs = ([a for a in left if p(a)], right) if side == "left" else (left, [b for b in right if p(b)])
            if original != joined(how, *inputs, lambda a, b: True):
                return False
    return True


def on_clause_is_sound(how: JoinType, side: Side, p: Condition) -> bool:
    """Whether a conjunct of the ON clause may be moved to ``side``, on all tables."""
    for left in TABLES:
        for right in TABLES:
            original = joined(how, left, right, lambda a, b: p(a if side == "left" else b))
            inputs = ([a for a in left if p(a)], right) if side == "left" else (left, [b for b in right if p(b)])
            if original != joined(how, *inputs, lambda a, b: True):
                return False
    return True


ENTRIES: list[tuple[JoinType, Side]] = [(how, side) for how in get_args(JoinType) for side in get_args(Side)]


@pytest.mark.parametrize(("how", "side"), [e for e in ENTRIES if e not in (("semi", "right"), ("anti", "right"))])
def test_a_filter_above(how: JoinType, side: Side) -> None:
    assert all(above_is_sound(how, side, p) for p in CONDITIONS.values()) is (side in PRESERVED[how])


@pytest.mark.parametrize(("how", "side"), ENTRIES)
def test_a_conjunct_of_the_on_clause(how: JoinType, side: Side) -> None:
    assert all(on_clause_is_sound(how, side, p) for p in CONDITIONS.values()) is (side in FILTERED[how])


def kept_is_sound(how: JoinType, side: Side, p: Condition) -> bool:
    """Whether a filter above the join that stays there may be copied to ``side``, on all tables."""
    at = 0 if side == "left" else 1
    for left in TABLES:
        for right in TABLES:
            inputs = ([a for a in left if p(a)], right) if side == "left" else (left, [b for b in right if p(b)])
            whole, less = joined(how, left, right, lambda a, b: True), joined(how, *inputs, lambda a, b: True)
            if {row: n for row, n in whole.items() if p(row[at])} != {row: n for row, n in less.items() if p(row[at])}:
                return False
    return True


@pytest.mark.parametrize(("how", "side"), [e for e in ENTRIES if e not in (("semi", "right"), ("anti", "right"))])
def test_a_filter_that_rejects_null_may_be_copied_to_any_side(how: JoinType, side: Side) -> None:
    for p in CONDITIONS.values():
        assert kept_is_sound(how, side, p) is (side in PRESERVED[how] or not p(None))


def carried_is_sound(how: JoinType, side: Side, p: Condition) -> bool:
    """Whether a filter above the join on the key of ``side``, which stays, may be asked of the other side's key."""
    at = 0 if side == "left" else 1
    for left in TABLES:
        for right in TABLES:
            inputs = (left, [b for b in right if p(b)]) if side == "left" else ([a for a in left if p(a)], right)
            whole, less = joined(how, left, right, lambda a, b: True), joined(how, *inputs, lambda a, b: True)
            if {row: n for row, n in whole.items() if p(row[at])} != {row: n for row, n in less.items() if p(row[at])}:
                return False
    return True


@pytest.mark.parametrize(("how", "side"), [e for e in ENTRIES if e not in (("semi", "right"), ("anti", "right"))])
def test_a_filter_on_a_key_carries_over_from_a_preserved_side(how: JoinType, side: Side) -> None:
    assert all(carried_is_sound(how, side, p) for p in CONDITIONS.values()) is (side in PRESERVED[how])


def shown_key(how: JoinType, row: tuple[Value, Value]) -> Value:
    """The key of a join by name in one row of its result."""
    return row[1] if how == "right" or (how == "full" and row[0] is None) else row[0]


@pytest.mark.parametrize("how", get_args(JoinType))
@pytest.mark.parametrize("sides", [("left",), ("right",), ("left", "right")])
def test_a_filter_on_the_key_may_be_copied_to_either_side(how: JoinType, sides: tuple[Side, ...]) -> None:
    for p in CONDITIONS.values():
        for left in TABLES:
            for right in TABLES:
                inputs = [
                    [x for x in rows if p(x)] if side in sides else rows
                    for side, rows in (("left", left), ("right", right))
                ]
                whole = joined(how, left, right, lambda a, b: True)
                less = joined(how, inputs[0], inputs[1], lambda a, b: True)
                kept = [{r: n for r, n in rows.items() if p(shown_key(how, r))} for rows in (whole, less)]
                assert kept[0] == kept[1], (how, sides, left, right)


NULLS = {
    "m > 1": True, "m > 1 OR m IS NULL": False, "coalesce(m, 5) > 1": False, "m IS NULL": False, "m IS NOT NULL": True,
    "NOT (m > 1)": True, "NOT (m <=> 1)": False, "m IN (1, 2)": True, "m + n > 1 OR m > 3": True, "m > n": True,
    "(m > 1) IS NULL": False, "m > 1 AND n IS NULL": True, "m IS NULL OR n > 1": False,
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NULLS.items())
def test_what_rejects_nulls(text: str, expected: bool) -> None:
    found = last(f'spark.read.schema("m double, n double").parquet("p").filter("{text}")')
    assert rejects_nulls(filter.condition(found)) is expected


AGG = 'a = df.groupBy("k").agg(F.max("x").alias("m"))\n'
B = 'b = spark.read.schema("h string, n int").parquet("q")\n'
ABOVE = {
    "a preserved side above a boundary": ('a.join(b, a.k == b.h, "left").filter("m > 1")', "agg: (m' > 1)"),
    "the other side": ('a.join(b, a.k == b.h, "left").filter("n IS NULL")', "null-supplying-side"),
    "the other side, NULL rejected": ('b.join(a, a.k == b.h, "left").filter("m > 1")', "agg: (m' > 1)"),
    "a left column below a right join": ('a.join(b, a.k == b.h, "right").filter(a.m.isNull())', "null-supplying-side"),
    "its preserved side": ('b.join(a, a.k == b.h, "right").filter(a.m > 1)', "agg: (m' > 1)"),
    "either side of a full join": ('a.join(b, a.k == b.h, "outer").filter("n IS NULL")', "null-supplying-side"),
    "the key of a full join": ('a.join(b.withColumnRenamed("h", "k"), "k", "full").filter("k > \'a\'")', "agg: (k' > 'a')"),
    "a key of a left join": ('a.join(b.withColumnRenamed("h", "k"), "k", "left").filter("k > \'a\'")', "agg: (k' > 'a')"),
    "a column of one side, aggregated": ('a.join(b, a.k == b.h).groupBy("h").agg(F.max(a.m).alias("q")).filter("q > 1")', "attribute-capture"),
    "a column of one side, projected": ('a.join(b, a.k == b.h, "left").withColumn("q", F.coalesce(b.n, a.m)).filter("q > 1")', "null-supplying-side"),
    "both sides": ('a.join(b, a.k == b.h).filter("m > n")', "attribute-capture"),
    "a semi join": ('a.join(b, a.k == b.h, "left_semi").filter("m > 1")', "agg: (m' > 1)"),
    "a cross join": ('a.crossJoin(b).filter("m > 1")', "agg: (m' > 1)"),
    "a broadcast side": ('a.join(F.broadcast(b), a.k == b.h, "left").filter("n IS NULL")', "null-supplying-side"),
    "a column of both by its name": ('a.join(df, a.k == df.k, "left").filter("k > \'a\'")', "opaque"),
    "a column of both by its frame": ('a.join(df, a.k == df.k, "left").filter(a.k > "a")', "attribute-capture"),
    "names that differ in case": ('a.join(b.withColumnRenamed("n", "M"), a.k == b.h, "left").filter(a.m > 1)', "attribute-capture"),
    "a column that can only be of the other side": ('a.join(raw, a.k == raw.h, "left").filter("q IS NULL")', "null-supplying-side"),
    "columns that are not known": ('raw.join(a.join(raw, "k"), a.k == raw.h, "left").filter("q > 1")', "opaque"),
    "a column that one side has for certain": ('raw.join(a, a.k == raw.h, "left").filter("m > 1")', "agg: (m' > 1)"),
    "a column made on one side": ('raw.withColumn("m", F.lit(1)).join(a.join(raw, "k").drop("m"), "k").filter("m > 1")', "no boundary"),
    "a column that both sides have": ('raw.filter("m > 1").join(a.join(raw, "k"), "k").filter("m > 1")', "opaque"),
    "dropped, and read below": ('raw.drop("q").filter("q > 1").join(a.join(raw, "k"), "k").filter("q > 1")', "opaque"),
    "read above a source": ('raw.filter("q > 1").join(a.join(raw, "k"), "k").filter("q > 1")', "no boundary"),
    "renamed, if it is there": ('raw.withColumnRenamed("p", "q").join(a.join(raw, "k"), "k").filter("q > 1")', "opaque"),
    "a field, or a column of what is called so": ('raw.filter("s.f > 1").join(a.join(raw, "k"), "k").filter("s.f > 1")', "opaque"),
    "a type of join that is not known": ('a.join(b, a.k == b.h, how).filter("m > 1")', "opaque"),
    "after a filter": ('a.join(b, a.k == b.h, "left").filter("m > 1").join(raw, "k", "right").filter("n > 1")', "no boundary"),
    "plain sources": ('b.join(df, df.k == b.h).filter("n > 1")', "no boundary"),
    "plain sources, the wrong side": ('b.join(df, df.k == b.h, "left").filter("x > 1")', "no boundary"),
    "both of plain sources": ('b.join(df, df.k == b.h).filter("n > x")', "no boundary"),
    "union of plain sources": ('b.union(b).filter("n > 1")', "no boundary"),
    "distinct over a plain source": ('b.distinct().filter("n > 1")', "no boundary"),
    "exploded, another column": ('b.withColumn("e", F.explode("es")).filter("n > 1")', "no boundary"),
    "ranked, the partition column": ('b.withColumn("r", F.rank().over(Window.partitionBy("n"))).filter("n > 1")', "no boundary"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), ABOVE.values(), ids=ABOVE.keys())
def test_outcomes(code: str, expected: str) -> None:
    assert outcome(AGG + B + code, HEAD + "from pyspark.sql import Window\n") == expected


ON = {
    "kept by the join": ('a.join(b, (a.k == b.h) & (a.m > 1), "left_outer")', "join-on-clause"),
    "kept on the right": ('b.join(a, (a.k == b.h) & (a.m > 1), "right")', "join-on-clause"),
    "kept by both": ('b.join(a, [a.k == b.h, a.m > 1], "full")', "join-on-clause"),
    "anti, the left": ('a.join(b, (a.k == b.h) & (F.col("m") > 1), "anti")', "join-on-clause"),
    "anti, the right": ('b.join(a, (a.k == b.h) & (a.m > 1), "anti")', "agg: (m' > 1)"),
    "filtered by the join": ('b.join(a, (a.k == b.h) & (a.m > 1), "left")', "agg: (m' > 1)"),
    "an inner join": ("b.join(a, (a.k == b.h) & (a.m > 1))", "agg: (m' > 1)"),
    "keys only": ("b.join(a, a.k == b.h)", "none"),
    "a condition on the other side": ('a.join(b, (a.k == b.h) & (b.n > 1), "left")', "none"),
    "of neither for certain": ('a.join(raw, (a.k == raw.h) & (F.col("q") > 1), "left")', "none"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), ON.values(), ids=ON.keys())
def test_on_clauses(code: str, expected: str) -> None:
    assert outcome(AGG + B + code) == expected


def test_a_frame_of_many_branches() -> None:
    union = AGG + "b = df.groupBy('k').agg(F.max('x').alias('m'))\n" + "c = b" + ".union(df.select('k', 'x'))" * 40
    assert outcome(f"{union}\nc.filter('k > 1')") in ("opaque", "agg: (k' > 1)")


@pytest.mark.parametrize("grow", ["a = a.join(a, 'k')", "a = a.join(a, a.zzz == a.yyy)", "a = a.union(a)"])
def test_a_frame_put_together_with_itself_again_and_again(grow: str) -> None:
    code = AGG + "\n".join([grow] * 60) + '\na.filter(a.zzz > 1)\na.filter("m > 1")'
    assert outcome(code) != "none"


BOUNDS = {
    ("bigint", "<", "a >= 5"): ">",
    ("bigint", "<", "a = 5"): ">",
    ("bigint", "<=", "a >= 5"): ">=",
    ("bigint", "<=", "a > 5"): ">",
    ("bigint", "<", "a >= 5.0D"): ">",
    ("bigint", "<", "a >= 9007199254740992.0D"): ">=",
    ("bigint", "<", "a > 9007199254740992.0D"): ">",
    ("bigint", "<", "a >= bound"): ">=",
    ("bigint", "<", "a > bound"): ">",
    ("bigint", ">", "a <= bound"): "<=",
    ("bigint", ">", "a < bound"): "<",
    ("bigint", ">", "a <= 5"): "<",
    ("int", "<", "a >= bound"): ">",
    ("double", "<", "a >= bound"): ">",
    ("string", "<", "a >= bound"): ">",
}
"""Types of both columns, the order in which they meet, what is asked of one, and what that says of the other."""


@pytest.mark.parametrize(("kind", "relation", "asked"), BOUNDS)
def test_a_bound_is_sharp_where_nothing_is_rounded(kind: str, relation: str, asked: str) -> None:
    """Two longs may be one double (2**53 and 2**53 + 1), so ``a >= bound`` and ``a < b`` do not say ``b > bound``."""
    column, op, bound = asked.split()
    condition = f'F.col("{column}") {op} bound' if bound == "bound" else f'"{asked}"'
    source = (
        f'import sys\nbound = sys.argv[1]\nleft = spark.read.schema("a {kind}").parquet("p")\n'
        f'right = spark.read.schema("k {kind}, b {kind}").parquet("q").groupBy("k").agg(F.max("b").alias("b"))\n'
        f"left.join(right, left.a {relation} right.b).filter({condition})"
    )
    found = [m.problem.predicate for m in moves(last(source)) if isinstance(m, Moved)]
    assert [e.op for e in found if isinstance(e, Compare)] == [BOUNDS[kind, relation, asked]]
