"""``make bench NAME=conditions``: what conditions take for a row, and where the order of operands matters to Spark.

Each condition is true of every row and stands beside ``k < 10``, which is true of 1 % of them, in both orders, by
turns, after a run of each that is not counted. A time is the least of the runs: elapsed, and the processor time of
Spark with its Python workers (Linux). Writes ``docs/benchmarks/conditions.md`` and ``conditions.json``, beside which
``tests/cost/test_conditions.py`` puts the table of ``headwater.cost.conditions``.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.synthesis.machine import ROOT, describe
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

RESULT = Path(__file__).with_name("conditions.json")
PAGE = ROOT / "docs/benchmarks/conditions.md"
FEW = "k < 10"
WRITTEN = {
    "length": "length(s) > 3",
    "lower": "lower(s) != 'x'",
    "upper": "upper(s) != 'X'",
    "trim": "trim(s) != 'x'",
    "ltrim": "ltrim(s) != 'x'",
    "rtrim": "rtrim(s) != 'x'",
    "year": "year(day) >= 2020",
    "quarter": "quarter(day) >= 1",
    "month": "month(day) >= 1",
    "dayofmonth": "dayofmonth(day) >= 1",
    "dayofweek": "dayofweek(day) >= 1",
    "dayofyear": "dayofyear(day) >= 1",
    "weekofyear": "weekofyear(day) >= 1",
    "weekday": "weekday(day) >= 0",
    "contains": "NOT contains(s, 'mails')",
    "startswith": "NOT startswith(s, 'zz')",
    "endswith": "NOT endswith(s, 'zz')",
    "a number": "id >= 0",
    "arithmetic": "d * 0.9D >= 0",
    "isnan": "NOT isnan(d)",
    "a text": "s != 'abc'",
    "size": "size(xs) > 3",
    "20 numbers": f"k NOT IN ({', '.join(map(str, range(2000, 2020)))})",
    "5 texts": "s NOT IN ('t1', 't2', 't3', 't4', 't5')",
    "20 texts": f"s NOT IN ({', '.join(repr(f't{i}') for i in range(20))})",
}
"""What a pre-filter may be made of."""
OTHERS = {
    "like": "s LIKE '%mail%HTTP%'",
    "rlike": "s RLIKE 'HTTP/1[.]1 [0-9a-f]{32}$'",
    "regexp_extract": r"regexp_extract(s, r'/products/ (\d+)', 1) != '777'",
    "split": "split(s, ' ')[1] = 'GET'",
    "from_json": "from_json(js, 'a int').a >= 0",
    "get_json_object": "get_json_object(js, '$.a') != 'x'",
    "levenshtein": "levenshtein(s, 'a text of some length') < 900",
    "sha2": "sha2(s, 256) != 'a'",
    "exists": "exists(xs, x -> x >= 4)",
    "size of filter": "size(filter(xs, x -> x >= 4)) > 2",
    "array_contains": "NOT array_contains(xs, 77)",
    "date_format": "date_format(at, 'yyyy-MM') != '2025-01'",
}
"""What users write beside it. No pre-filter is made of these."""


Filters = tuple[str, ...]
"""Filters one behind the other."""
_SLOW, _REGEX, _UPPER = "slow(id)", OTHERS["rlike"], WRITTEN["upper"]
ORDERS: tuple[tuple[Filters, Filters], ...] = (
    ((f"{_SLOW} AND {FEW}",), (f"{FEW} AND {_SLOW}",)),
    ((_SLOW, FEW), (FEW, _SLOW)),
    ((f"{_SLOW} AND quick(k)",), (f"quick(k) AND {_SLOW}",)),
    ((_SLOW, "quick(k)"), ("quick(k)", _SLOW)),
    ((f"IF({FEW}, {_SLOW}, false)",), (f"{FEW} AND {_SLOW}",)),
    ((f"unsure(id) AND {FEW}",), (FEW, "unsure(id)")),
    (("unsure(id)", FEW), (FEW, "unsure(id)")),
    ((f"{_SLOW} OR k >= 10",), (f"k >= 10 OR {_SLOW}",)),
    ((_REGEX, FEW), (FEW, _REGEX)),
    ((f"{_REGEX} OR k >= 10",), (f"k >= 10 OR {_REGEX}",)),
    ((f"IF({_REGEX}, {FEW}, false)",), (f"IF({FEW}, {_REGEX}, false)",)),
    ((f"{_REGEX} AND k < 500",), (f"k < 500 AND {_REGEX}",)),
    ((f"{_REGEX} AND k < 900",), (f"k < 900 AND {_REGEX}",)),
    ((f"{_UPPER} AND k < 500",), (f"k < 500 AND {_UPPER}",)),
    ((f"{_UPPER} AND k < 900",), (f"k < 900 AND {_UPPER}",)),
)
"""Two ways to say the same. ``slow``, ``quick`` and ``unsure`` are functions of Python, the last one declared not to be
deterministic; those with ``slow`` or ``unsure`` are asked of a tenth of the rows."""
TEXT = """\
# What conditions cost, and in which order

Written by `make bench NAME=conditions` from `benchmarks/spark/conditions.json`; do not edit by hand.

Machine: {cpu}, {cores} cores, {memory_gb} GB, {system}; Python {python}, Spark {spark} (`local[*]`, its defaults);
revision {revision}, {date}, load average {load[0]} when it began. {rows} rows of generated Parquet in four files (texts
of some 90 characters); each way is counted by turns, one run that does not count and {runs} or more that do. A time is
the least of these: elapsed, and in parentheses the processor time of Spark and its Python workers, which other work on
the machine changes less. `k < 10` is true of 1 % of the rows, each other condition of all. *µs a row*: what the
processor times of both orders differ by, for each row that the condition is asked of in one and not in the other.

## What a pre-filter may be made of
"""
BESIDE = "## What users write beside it\n"
ELSEWHERE = """## Filters behind each other, functions of Python, other places than AND

Filters behind each other are separated by a semicolon. `slow` and `quick` are Python functions of a row, `unsure` is
one that is declared not to be deterministic; those with `slow` or `unsure` are asked of {fewer} rows.
"""
READING = """## What follows

Spark asks the operands of AND and OR in the order in which they are written, and joins filters behind each other in
their order: it does not reorder by cost. What is native it asks before a Python function, wherever it stands in the
conjunction; of two Python functions both are called for every row, in any order, and in filters behind each other too.
A Python function within a conditional is called for every row, whatever the condition says.

* A pre-filter that Headwater writes has what is costly (0.2 µs a row and more: `length`, `lower`, `upper`, `contains`)
  behind what is not, in AND and in OR (`headwater.cost.conditions`). The more rows the cheap part decides, the more is
  gained. In the other order no more could be gained than what the cheap part costs, a hundredth of a microsecond: how
  many rows pass is no part of the decision. All of a pre-filter is proved to raise on no row, in whatever order.
* A pre-filter has no regular expression and no other function of the second table: the checker accepts none.
* Users' own conditions stay as they are. With a regular expression first, and a comparison that few rows pass behind
  it, they gain as much as the tables say. But in 2,353 files with PySpark of 62 public repositories, with 2,763
  filters, 312 of them a conjunction, a costly function stood before a cheap comparison in 12, all of them in two
  projects and with `rlike`. No finding of Headwater is about the order of native conditions: there is nothing between
  them and the source that Spark does not see through.
* A native condition in a filter behind a Python function that is declared not to be deterministic is asked after it.
  Only whoever declared it knows what else may depend on how often it is called.
"""


def processes(pid: int) -> Iterator[int]:
    """``pid`` and all below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from processes(int(child))


def processor_times() -> dict[int, float]:
    """Processor seconds of this process, of Spark and of each Python worker so far, by process id."""
    found = {}
    for pid in processes(os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        found[pid] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    return found


def processor_seconds(since: Mapping[int, float]) -> float:
    """What has been taken ``since`` these ``processor_times``; a worker that has ended since then is left out, with
    all that it took before."""
    return sum(max(0.0, taken - since.get(pid, 0.0)) for pid, taken in processor_times().items())


def least(ways: Sequence[DataFrame], runs: int) -> list[tuple[float, float]]:
    """Elapsed and processor seconds of counting each; all have the same number of rows."""
    best = [(float("inf"), float("inf"))] * len(ways)
    counted = set()
    for run in range(runs + 1):
        for i, way in enumerate(ways):
            before, start = processor_times(), time.perf_counter()
            counted.add(way.count())
            took = time.perf_counter() - start, processor_seconds(before)
            if run:
                best[i] = (min(best[i][0], took[0]), min(best[i][1], took[1]))
    return [(round(elapsed, 3), round(processor, 3)) for elapsed, processor in best]


def made(spark: SparkSession, rows: int, place: Path) -> DataFrame:
    """The data: texts of some 90 characters, arrays of ten numbers, days, JSON documents of 50 characters."""
    some = "pmod(hash(id), 500)"
    spark.range(0, rows, 1, 4).selectExpr(
        "id",
        "cast(pmod(xxhash64(id), 1000) AS int) AS k",
        f"concat('GET /products/ ', {some}, ' ?ref=mail ', md5(string(id)), ' HTTP/1.1 ', md5(string(-id))) AS s",
        """concat('{"a": ', pmod(hash(id), 100), ', "b": "text of some length", "c": [1, 2, 3]}') AS js""",
        "sequence(pmod(hash(id), 5), pmod(hash(id), 5) + 9) AS xs",
        f"date_add(DATE '2020-01-01', {some}) AS day",
        f"{some} / 7.0D AS d",
        "timestamp_seconds(1600000000 + id) AS at",
    ).write.parquet(str(place))
    return spark.read.parquet(str(place))


def filtered(frame: DataFrame, *filters: str) -> DataFrame:
    """The rows that pass ``filters``."""
    for condition in filters:
        frame = frame.filter(condition)
    return frame


def of_conditions(frame: DataFrame, named: Mapping[str, str], rows: int, runs: int) -> dict[str, Any]:
    """Of each condition: the seconds of both orders, and microseconds of processor time for a row that it is asked
    of."""
    found = {}
    for name, text in named.items():
        behind, first = least([frame.filter(f"({text}) AND {FEW}"), frame.filter(f"{FEW} AND ({text})")], runs)
        each = max(0.0, round(1e6 * (behind[1] - first[1]) / (0.99 * rows), 3))
        found[name] = {"condition": text, "microseconds": each, "behind": behind, "first": first}
        print(f"{name:16} {each:6.3f} µs  {behind} {first}", flush=True)
    return found


def work(x: int) -> bool:
    """True, after some microseconds."""
    for _ in range(20):
        x = (x * 31 + 7) % 1000003
    return x >= 0


def of_orders(spark: SparkSession, frame: DataFrame, rows: int, runs: int) -> list[dict[str, Any]]:
    """The seconds of both ways."""
    for name, function in (
        ("slow", F.udf(work, "boolean")),
        ("quick", F.udf(lambda k: k < 10, "boolean")),
        ("unsure", F.udf(work, "boolean").asNondeterministic()),
    ):
        spark.udf.register(name, function)
    found = []
    for last, early in ORDERS:
        asked = frame.filter(f"id < {rows // 10}") if "(id)" in str(last) else frame
        behind, first = least([filtered(asked, *last), filtered(asked, *early)], runs)
        found.append({"one": last, "other": early, "behind": behind, "first": first})
        print(f"{last}  {behind} {first}", flush=True)
    return found


def page(record: dict[str, Any]) -> str:
    """The figures as a document."""
    heads = [
        "| condition | µs a row | it, then `k < 10` | `k < 10`, then it | times |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]

    def seconds(r: dict[str, Any]) -> str:
        (late, p1), (early, p2) = r["behind"], r["first"]
        return f"{late:.2f} s ({p1:.2f}) | {early:.2f} s ({p2:.2f}) | {late / early:.1f} ({p1 / max(p2, 0.01):.1f}) |"

    def table(names: Mapping[str, object]) -> list[str]:
        found = [record["conditions"][n] for n in names]
        return [*heads, *(f"| {_code(r['condition'])} | {r['microseconds']:.2f} | {seconds(r)}" for r in found), ""]

    orders = [
        f"| {_code('; '.join(r['one']))} | {_code('; '.join(r['other']))} | {seconds(r)}" for r in record["orders"]
    ]
    told = {
        **record["machine"],
        "rows": f"{record['rows']:,}",
        "fewer": f"{record['rows'] // 10:,}",
        "runs": record["runs"],
    }
    return "\n".join([
        TEXT.format(**told), *table(WRITTEN), BESIDE, *table(OTHERS), ELSEWHERE.format(**told),
        "| one way | the other | one way | the other | times |", "| --- | --- | ---: | ---: | ---: |", *orders, "",
        READING,
    ])  # fmt: skip


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """All figures, or some of them beside what was measured before."""
    named = {**WRITTEN, **OTHERS}
    record: dict[str, Any] = {"rows": options.rows, "runs": options.runs, "conditions": {}}
    if options.only:
        record = json.loads(RESULT.read_text(encoding="utf-8"))
        named = {name: named[name] for name in options.only}
    record["machine"] = describe() | {"spark": version("pyspark")}
    spark = SparkSession.builder.config("spark.ui.enabled", False).config("spark.driver.memory", "2g").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        frame = made(spark, record["rows"], Path(folder) / "rows")
        record["conditions"] |= of_conditions(frame, named, record["rows"], options.runs)
        if not options.only:
            record["orders"] = of_orders(spark, frame, record["rows"], options.runs)
        spark.stop()
    return record


def main() -> None:
    """Measures, and writes both files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark.conditions", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_500_000, help="(default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these conditions; all else stays as it was measured")
    parser.add_argument("--report", action="store_true", help="measure nothing: write the page of what is there")
    options = parser.parse_args()
    if not options.report:
        RESULT.write_text(json.dumps(measured(options), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(RESULT.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
