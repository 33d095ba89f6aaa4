"""What we say of a predicate at a format beside what Spark does: rows that leave the scan, of 512 in eight files.

``python -m tests.source.cells`` measures every cell on Spark, records it in ``measured.json`` and writes
docs/sources.md. The test compares what we say with the whole record, and measures a share of it again.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.pyspark.frames.schema import parse_ddl
from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater.source.classify import Classified, Source, classify
from headwater.source.formats import FORMATS, Class
from headwater_ir.expr import Expr, conjoin

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TOTAL = 512
DDL = (
    "i int, l bigint, d double, f float, m decimal(10,2), s string, b boolean, dt date, t timestamp, n int, k int, "
    "j int, st struct<a:int>, q int, qs string"
)
"""``i``, ``l``, ``d``, ``f``, ``m``, ``s``, ``dt`` and ``t`` rise from file to file; ``n`` is NULL below 300;
``k`` is one value in each file, ``q`` and ``qs`` in each partition of two files."""
_ROWS = f"""
select cast(id as int) i, id*10 l, cast(id+0.5 as double) d, cast(id+0.5 as float) f,
  cast(id + 0.25 as decimal(10,2)) m, concat('n', lpad(cast(id as string),3,'0')) s, id >= 250 b,
  date_add(DATE'2020-06-01', cast(id as int)) dt, timestamp_seconds(1590969600 + id*86400) t,
  if(id<300, null, cast(id as int)) n, cast(id div 64 as int) k, cast({TOTAL - 1}-id as int) j,
  named_struct('a', cast(id as int)) st, cast(id div 128 as int) q, concat('a', cast(id div 128 as string)) qs
from range(0,{TOTAL},1,8)"""
_TEXTS = """
i > 400|400 < i|i >= 400|i < 100|i <= 100|i = 77|i <=> 77|i IN (5, 77)|i IN (5)|i IN (1,2,3,4,5,6,7,8,9,10,11,12)
i IN (5, NULL)|n > 400|n = 400|n IS NULL|n IS NOT NULL|NOT n IS NULL|k != 3|NOT k = 3|NOT (k <=> 3)|NOT k IN (3)
NOT k IN (3, 4)|l > 4000|l = 770|l > 4000.5D|i > 400.5D|f > 400|f > 400.5D
d > 400|d > 400.7D|d = 400.5D|m > 400|isnan(d)|NOT isnan(d)|st.a > 400|st.a IS NULL
s = 'n077'|s > 'n400'|s >= 'n400'|s < 'n100'|s IN ('n005','n077')|s <=> 'n077'|startswith(s, 'n4')
startswith(s, 'n_')|NOT startswith(qs, 'a2')|contains(qs, '2')|endswith(qs, '2')
NOT contains(qs, '2')|NOT endswith(qs, '2')
b|NOT b|b = true|b <=> true
dt > DATE'2021-01-10'|dt = DATE'2021-01-10'|dt = '2021-01-10'|dt IN (DATE'2021-01-10', DATE'2021-01-11')
t > TIMESTAMP'2021-01-10 00:00:00'|t = TIMESTAMP'2021-01-10 00:00:00'|t > DATE'2021-01-10'|t > '2021-01-10'
i + 1 > 400|i * 2 > 800|-i < -400|i > j|i % 100 = 5|upper(s) = 'N077'|length(s) = 4|coalesce(i, 0) > 400
i > 400 AND s < 'n450'|i > 400 AND isnan(d)|i > 400 AND i + 1 > 405|isnan(d) AND i % 2 = 0|i > 400 OR s < 'n050'
i > 400 OR isnan(d)|i > 400 OR i % 100 = 5|(i > 400 AND i % 2 = 0) OR (i < 50 AND i % 2 = 1)
(i > 400 AND startswith(s, 'n4')) OR i < 50|i > 400 OR startswith(s, 'n0')|(i > 400 AND s > 'n450') OR i < 50
NOT (i > 100 AND s > 'n050')|NOT (i > 100 OR isnan(d))|NOT (i > 100 AND isnan(d))|NOT (i > 100)
i > 400 AND (s < 'n450' OR s > 'n500')
q > 2|q = 2|q + 1 = 3|q % 2 = 1|upper(qs) = 'A2'|q = 2 OR i > 400|q = 2 AND i > 300
q = 2 AND isnan(d)|q = 2 AND i % 2 = 0
(q = 2 AND i % 2 = 0) OR (q = 1 AND i % 2 = 1)|(q = 2 AND i > 300) OR (q = 1 AND i < 200)|q > i|q IS NULL|q IN (1, 2)
q <=> 2|NOT (q = 2)|coalesce(q, 0) = 2|startswith(qs, 'a2')|q * 100 + i > 450|q * 100 >= 200
"""
PREDICATES: tuple[str, ...] = tuple(p for line in _TEXTS.strip().split("\n") for p in line.split("|"))
_HEAD = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
_PARTITIONS = frozenset({"q", "qs"})
_TYPES = {f.name: f.type for f in parse_ddl(DDL).fields}
_READ = ("parquet", "orc", "csv", "json", "jdbc")
SOURCES: Mapping[str, Source] = {
    **{name: Source(name, _TYPES) for name in _READ},
    "jdbc, `pushDownPredicate` off": Source("jdbc", _TYPES, pushes=False),
    **{f"{name}, partitioned": Source(name, _TYPES, partitions=_PARTITIONS) for name in ("parquet", "orc", "csv")},
    "memory": Source("memory", _TYPES),
}
RECORD = Path(__file__).with_name("measured.json")
DOCUMENT = Path(__file__).parents[2] / "docs" / "sources.md"
Seen = Mapping[str, str]
"""Of a predicate, by the name of a source: ``result/rows`` that leave the scan, or ``error``."""


@cache
def condition(text: str) -> Expr:
    """``text`` as the front end reads it in a filter."""
    source = f'{_HEAD}spark.table("t").filter({text!r})\n'
    (found,) = read_module(source, FrontendOptions(schemas=(("t", DDL),))).filters
    assert found.unread is None, text
    return conjoin([c.condition for c in found.conjuncts])


def says(text: str, source: str) -> Classified:
    """What we say of a cell."""
    return classify(condition(text), SOURCES[source])


def does(cell: str) -> Class:
    """What Spark was seen to do in a cell of the record. Where Spark fails, nothing is skipped."""
    if cell == "error":
        return "unsupported"
    result, rows = map(int, cell.split("/"))
    return "unsupported" if rows == TOTAL else "exact" if rows == result else "inexact"


def is_wrong(kind: Class, seen: Class) -> bool:
    """Whether the class of a cell is contradicted. Row groups that end where a predicate ends look exact."""
    return kind != seen and (kind, seen) != ("inexact", "exact")


_SETTINGS = {
    "spark.sql.files.openCostInBytes": "0",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}
_DRIVER = {"driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver"}


@contextmanager
def frames(spark: SparkSession, settings: Mapping[str, str] | None = None) -> Iterator[Callable[[str], Any]]:
    """The rows in a source, to be read under further ``settings``; written when it is first asked for."""
    chosen = {**_SETTINGS, **(settings or {})}
    for key, value in chosen.items():
        spark.conf.set(key, value)
    with tempfile.TemporaryDirectory() as directory:
        yield cache(lambda source: _frame(spark, source, directory))
    for key in chosen:
        spark.conf.unset(key)


def _frame(spark: SparkSession, source: str, directory: str) -> Any:
    rows = spark.sql(_ROWS)
    if not has(source, "st.a"):
        rows = rows.drop("st")
    form, _, more = source.partition(", ")
    if form == "memory":
        return spark.createDataFrame(rows.collect(), rows.schema)
    if form == "jdbc":
        name, texts = ("off" if more else "plain"), {"createTableColumnTypes": "s VARCHAR(10), qs VARCHAR(10)"}
        url = "jdbc:derby:memory:headwater;create=true"
        rows.write.mode("overwrite").jdbc(url, name, properties={**_DRIVER, **texts})
        reader = spark.read.option("pushDownPredicate", "false") if more else spark.read
        return reader.jdbc(url, name, properties=_DRIVER)
    writer = rows.write.partitionBy("q", "qs") if more else rows.write
    writer.format(form).save(f"{directory}/{source}")
    return spark.read.schema(rows.schema).format(form).load(f"{directory}/{source}")


def measured(frame: Any, text: str) -> str:
    """A cell of the record."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        filtered = frame.filter(text)
        result = len(filtered.collect())
        scan = filtered._jdf.queryExecution().executedPlan().collectLeaves().head()
        return f"{result}/{scan.metrics().get('numOutputRows').get().value()}"
    except (Py4JJavaError, PySparkException):
        return "error"


def has(source: str, text: str) -> bool:
    """Whether the source has the columns of the predicate: neither csv nor a database holds structs."""
    return "st." not in text or source in ("parquet", "orc", "json", "parquet, partitioned", "orc, partitioned")


def cells() -> list[tuple[str, str]]:
    """Every predicate and source."""
    return [(p, s) for p in PREDICATES for s in SOURCES if has(s, p)]


def recorded() -> Mapping[str, Seen]:
    """The record, by predicate."""
    found: Mapping[str, Seen] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def document(record: Mapping[str, Seen]) -> str:
    """The page."""
    wrong = sum(is_wrong(says(p, s).kind, does(record[p][s])) for p, s in cells())
    lines = [_INTRO.format(cells=len(cells()), predicates=len(PREDICATES), sources=len(SOURCES), wrong=wrong)]
    lines += ["| form | " + " | ".join(FORMATS) + " |", "| --- |" + " --- |" * len(FORMATS)]
    for form in next(iter(FORMATS.values())):
        lines.append(f"| {form} | " + " | ".join(answers[form].kind for answers in FORMATS.values()) + " |")
    lines += [_FORMS, "| predicate | " + " | ".join(SOURCES) + " |", "| --- |" + " --- |" * len(SOURCES)]
    for text in PREDICATES:
        shown = [_cell(text, s, record) if has(s, text) else "" for s in SOURCES]
        lines.append(f"| `{text}` | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def _cell(text: str, source: str, record: Mapping[str, Seen]) -> str:
    return f"{says(text, source).kind} ({record[text][source]})"


_INTRO = """# What a source can do with a filter

<!-- Generated by `python -m tests.source.cells`; tests/source/test_cells.py fails if it is stale. -->

Headwater says of each part of a pre-filter that reaches a source, in the hover and as `source` in the JSON report:

* **exact**: no row for which the part is not TRUE leaves the source;
* **inexact**: the source leaves out some of them, by statistics of files, row groups or pages; Spark applies the part
  to the rest;
* **unsupported**: the source reads everything.

A conjunction is exact if each part is, unsupported if none goes down, and inexact otherwise: the reasons name the parts
that go down and those that Spark alone applies. A disjunction is as weak as its weakest branch. A negation is moved to
the leaves, where it is a form of its own. On partition columns alone any deterministic expression is exact.

A session may turn filters off (`spark.sql.parquet.filterPushdown` and its like), and Python data sources are handed
none unless `spark.sql.python.filterPushdown.enabled` is on; both count as what Spark does by default.

## Forms and formats

A form is a test of one bare column with constants: *order* is `<`, `<=`, `>`, `>=`; *equal* also `<=>` and a boolean
column; *differ* `!=`; *not same* the negation of `<=>`; *part* `contains` and `endswith`. Delta and Iceberg follow the
documentation of the formats; the others are measured below.
"""
_FORMS = """
A decimal is compared with a whole number by itself if it has the digits of that: `decimal(5, 2) > 100000` tests a cast
of it, which no source does. Parquet files hold timestamps as INT96 unless `spark.sql.parquet.outputTimestampType` says
otherwise, and of those nothing is skipped.
The json reader hands on a record that lacks the field. A database may compare text by a
collation of its own, and Spark does not compare again. With a NULL in a list (`i IN (5, NULL)`) the ORC reader
and databases that know no bare NULL there fail, where Spark alone would not.

## Measured on Spark 4.3

In each cell what we say, and in parentheses the rows of the result and the rows that left the scan, of 512 in eight
files (Parquet, ORC, CSV, JSON), in a table of Derby, or in memory. The partitions are `q` and `qs`. Parquet timestamps
are microseconds.
"""


def main(spark: SparkSession) -> None:
    """Measures, records and writes the page."""
    with frames(spark) as found:
        record = {p: {s: measured(found(s), p) for s in SOURCES if has(s, p)} for p in PREDICATES}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    DOCUMENT.write_text(document(record), encoding="utf-8")


if __name__ == "__main__":
    from tests.replay import session

    with session() as local:
        main(local)
    print(DOCUMENT)
