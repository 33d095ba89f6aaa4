"""Probes of SQL: casts and arithmetic under the default ANSI mode, comparisons of mixed types, NaN and -0.0 as keys."""

from __future__ import annotations

from collections.abc import Iterator

from .probes import Probe, of_sql

_ONE = "select {} as r from values (1, 'x', array(1, 2), map('a', 1), 2147483647, 9223372036854775807, -2147483648, \
double('nan'), cast(null as array<int>), cast(1e10 as double), true, date'2020-01-02', '7') \
as t(i, s, a, m, most, huge, least, nan, none, far, b, d, n)"
ANSI = [
    "most + 1", "huge + 1", "-least", "abs(least)", "most * 2", "i / 0", "i % 0", "i div 0", "pmod(i, 0)", "nan / 0",
    "cast(s as int)", "cast(n as int)", "cast(s as double)", "cast(s as date)", "cast(s as boolean)",
    "cast(far as int)", "cast(nan as int)", "cast(most as smallint)", "cast(b as int)", "cast(i as boolean)",
    "cast(s as timestamp)", "to_date(s)", "to_timestamp(s)", "to_date(s, 'yyyy')", "a[5]", "element_at(a, 5)",
    "element_at(a, 0)", "m['z']", "element_at(m, 'z')", "size(none)", "cardinality(none)", "i = s", "i = n", "s < 1",
    "n < 10", "n = 7.0", "i in ('7', 'x')", "b = 1", "b = 'true'", "d = '2020-01-02'", "d = s", "d > timestamp'2020-01-01 00:00:00'",
    "i + n", "i + s", "coalesce(i, s)", "greatest(i, n)", "if(b, i, s)", "case when b then i else n end", "d + 1",
    "concat(i, s)", "s || i", "cast(123456 as decimal(4, 1))", "cast(1.55 as decimal(2, 1))", "round(2.5)",
    "bround(2.5)", "round(most, -9)", "log(0)", "sqrt(-1)", "array_contains(a, '1')", "nvl(i, n)", "nullif(i, n)",
    "float('1e40')", "int('1.5')", "int(' 1 ')", "make_date(2020, 13, 1)", "next_day(d, 'x')", "elt(5, s)",
    "conv('zz', 36, 10)", "substr(s, 0)", "try_divide(i, 0)", "try_add(most, 1)", "try_cast(s as int)",
    "try_to_timestamp(s)", "try_element_at(a, 5)", "try_mod(i, 0)", "count_if(b)", "nan = nan", "nan > 1",
    "least(nan, 1)", "greatest(nan, 1)", "max(nan)", "-0.0D = 0.0D", "cast(-0.0D as string)", "array(0.0D) = array(-0.0D)",
    "array_distinct(array(0.0D, -0.0D))", "hash(0.0D) = hash(-0.0D)", "nan in (nan)", "sum(huge) over ()", "sum(most)",
    "typeof(sum(most))", "avg(huge)", "typeof(i / 2)", "typeof(i + 1.5)", "typeof(i div 2)", "typeof(most + huge)",
    "typeof(count(*))", "typeof(coalesce(i, n))", "typeof(round(1.5D))", "typeof(size(a))", "typeof(date_add(d, 1))",
    "typeof(d - d)", "typeof(ceil(1.5))", "split('a,b', ',')", "len('ab')", "char_length('ab ')", "endswith(s, 'x')",
    "contains(s, 'x')", "s like 'x'", "s ilike 'X'", "s rlike 'x'", "s between 'a' and 'z'",
    "upper('ß')", "lower('İ')", "initcap('a-b')", "trim(' \t x')", "instr(s, 'x')", "string(1.0D)", "string(1e7D)",
    "string(float(0.1))", "string(1e-5D)", "string(timestamp'2020-01-01 00:00:00')", "date_format(d, 'y')",
    "dayofweek(d)", "month(s)", "year('2020-01-01')", "unix_timestamp(s)", "bool_or(b)", "any_value(i)",
    "mode(i)", "median(i)", "max_by(i, s)", "percentile(i, 0.5)", "collect_set(nan)", "count(distinct nan)",
    "array_agg(i)", "listagg(s)", "string_agg(s)", "first(i)", "try_avg(i)", "regr_count(i, i)", "product(i)",
]  # fmt: skip
_FLOATS = "values (0.0D, 1), (-0.0D, 2), (double('nan'), 3), (double('nan'), 4), (cast(null as double), 5)"
QUERIES = {
    "group by NaN and -0.0": f"select k, count(*) from {_FLOATS} t(k, v) group by k",
    "distinct of NaN and -0.0": f"select distinct k from {_FLOATS} t(k, v)",
    "join on NaN and -0.0": f"select a.v, b.v from {_FLOATS} a(k, v) join {_FLOATS} b(k, v) on a.k = b.k",
    "null-safe join": f"select a.v, b.v from {_FLOATS} a(k, v) join {_FLOATS} b(k, v) on a.k <=> b.k",
    "semi join on NaN": f"select a.v from {_FLOATS} a(k, v) left semi join {_FLOATS} b(k, v) on a.k = b.k",
    "anti join on NaN": f"select a.v from {_FLOATS} a(k, v) left anti join {_FLOATS} b(k, v) on a.k = b.k",
    "partition by NaN and -0.0": f"select v, count(*) over (partition by k) from {_FLOATS} t(k, v)",
    "order of NaN and NULL": f"select v, rank() over (order by k) from {_FLOATS} t(k, v)",
    "except of NaN": f"select k from {_FLOATS} t(k, v) except select double('nan')",
    "intersect of -0.0": f"select k from {_FLOATS} t(k, v) intersect select 0.0D",
    "max and min with NaN": f"select max(k), min(k) from {_FLOATS} t(k, v)",
    "filter by a cast of -0.0 as key": f"select k, count(*) from {_FLOATS} t(k, v) group by k having string(k) = '0.0'",
    "aggregate of no rows": "select sum(id), count(*), max(id), collect_list(id) from range(0)",
    "grouped aggregate of no rows": "select id, count(*) from range(0) group by id",
    "rollup of no rows": "select id, count(*) from range(0) group by rollup(id)",
    "grouping sets () of no rows": "select count(*) from range(0) group by grouping sets (())",
    "pivot of NULL": "select * from values (1, null), (1, 2) t(k, v) pivot (count(*) for v in (2))",
    "not in with NULL": "select i from values (1), (2) t(i) where i not in (select * from values (2), (null))",
    "explode of NULL and empty": "select i, explode(a) from values (1, null), (2, array()), (3, array(1)) t(i, a)",
    "outer explode": "select i, explode_outer(a) from values (1, null), (2, array()), (3, array(1)) t(i, a)",
    "lateral join": "select * from range(2) a, lateral (select a.id + 1 as j)",
    "group by all": "select id, count(*) from range(2) group by all",
    "order by all": "select id from range(2) order by all",
    "qualify": "select id from range(2) qualify row_number() over (order by id) = 1",
    "pipe syntax": "from range(2) |> where id = 1",
    "lateral column alias": "select id + 1 as a, a + 1 as b from range(1)",
    "parameter of a query": "select * from range(2) where id = any(array(1L))",
    "is distinct from": "select id is distinct from null from range(1)",
    "recursive query": "with recursive r(n) as (select 1 union all select n + 1 from r where n < 3) select n from r",
    "filter clause": "select count(*) filter (where id > 0) from range(2)",
    "ordinal in group by": "select id % 2, count(*) from range(3) group by 1",
    "double-quoted text": "select \"a\" = 'a' from range(1)",
    "group by alias": "select id % 2 as p, count(*) from range(3) group by p",
    "having without group by": "select count(*) as n from range(3) having n > 5",
    "union of int and string": "select 1 as v union all select 'x'",
    "tablesample": "select count(*) from range(10) tablesample (100 percent)",
}


def probes() -> Iterator[Probe]:
    yield from of_sql("SQL expression", {e: _ONE.format(e) for e in ANSI})
    yield from of_sql("SQL query", QUERIES)
    names = ["ansi.enabled", "adaptive.enabled", "legacy.sizeOfNull", "groupByOrdinal", "groupByAliases",
             "retainGroupColumns", "parser.quotedRegexColumnNames", "ansi.doubleQuotedIdentifiers",
             "execution.arrow.pyspark.enabled", "execution.pandas.convertToArrowArraySafely",
             "execution.pythonUDTF.arrow.enabled", "experimental.optimizer.transpilePyUDFs",
             "optimizer.avoidDoubleFilterEval", "parquet.filterPushdown", "legacy.timeParserPolicy",
             "storeAssignmentPolicy", "caseSensitive", "python.filterPushdown.enabled",
             "legacy.execution.pythonUDF.pandas.conversion.enabled", "mapKeyDedupPolicy"]  # fmt: skip
    for name in names:
        yield Probe("default", f"spark.sql.{name}", lambda spark, n=name: str(spark.conf.get(f"spark.sql.{n}")))
