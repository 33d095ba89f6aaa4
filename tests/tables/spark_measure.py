"""What real Spark does with a column expression: the kind of a function, read off the analysed plan and its values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

VIEW = """SELECT id, CAST(i AS int) i, CAST(i AS bigint) l, CAST(i AS double) d, CAST(i AS float) f,
  CAST(i AS decimal(10,2)) n, i > 2 AS b, s, js, CAST(dt AS date) dt, CAST(ts AS timestamp) ts,
  CAST(ts AS timestamp_ntz) tn, CAST(s AS binary) x, array(i, 3, i) ai, array(s, 'b', 'a') sa,
  array(array(i), array(2)) aa, map(s, i, 'k', 2) m, named_struct('a', i, 'b', s) st,
  array(named_struct('k', s, 'v', i)) ast, array(CAST(i AS float), CAST(2 AS float)) af, make_dt_interval(i) iv,
  make_ym_interval(1, i) ym, CAST(substr(ts, 12) AS time) tm, parse_json(js) v
  FROM VALUES (1L, 1, 'a', '{"a": 1}', '2024-01-01', '2024-01-01 10:00:00'),
    (2L, 2, 'b', '{"a": 2}', '2024-02-01', '2024-01-01 11:00:00'),
    (3L, 3, 'c', '{"b": 2}', '2023-02-01', '2024-01-02 11:00:01') AS t(id, i, s, js, dt, ts)"""
"""A row for each ``id``, with a column of each type."""

SETTINGS = {
    "spark.sql.timeType.enabled": "true",
    "spark.sql.geospatial.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
_EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions."
_MARKS = {
    "aggregate": _EXPRESSIONS + "aggregate.AggregateFunction",
    "generator": _EXPRESSIONS + "Generator",
    "window": _EXPRESSIONS + "WindowFunction",
    "session": _EXPRESSIONS + "Unevaluable",
    "partitioning": _EXPRESSIONS + "PartitionTransformExpression",
    "random": _EXPRESSIONS + "Nondeterministic",
}
"""The classes of Catalyst that make a function the kind that it is."""
_BY_NAME = {
    "foreign": {"PythonUDF"},
    "order": {"SortOrder"},
    "partition": {
        "MonotonicallyIncreasingID", "SparkPartitionID", "InputFileName", "InputFileBlockStart", "InputFileBlockLength",
    },
    "session": {"CurrentDate", "CurrentTimestamp", "Now", "LocalTimestamp", "CurrentTime"},
}  # fmt: skip
_PLACEHOLDERS = {"CommonExpressionRef", "CommonExpressionDef", "With"}
"""Classes that stand for a part of the same expression: they have no value of their own, and hide none."""
_ORDER = (
    "foreign",
    "order",
    "partition",
    "generator",
    "window",
    "aggregate",
    "partitioning",
    "session",
    "random",
)


class Measured:
    """Measures column expressions on one session."""

    def __init__(self, spark: Any) -> None:
        from pyspark.sql import functions

        self.spark, self.functions = spark, functions
        for key, value in SETTINGS.items():
            spark.conf.set(key, value)
        spark.udf.register("measured_function", lambda x: x, "int")
        spark.sql(VIEW).createOrReplaceTempView("measured_rows")
        self.rows = spark.table("measured_rows")
        self.loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
        self.marking = {kind: self.loader.loadClass(name) for kind, name in _MARKS.items()}
        self._marks: dict[str, frozenset[str]] = {}
        self.plain = frozenset(self._nodes(self.rows.select("id")))

    def column(self, text: str) -> Any:
        """What the Python expression ``text`` over ``F``, and the rows ``T``, yields."""
        return eval(text, {"F": self.functions, "T": self.rows})

    def kind(self, text: str) -> str:
        """The kind of the function that ``text`` calls outermost, "row" if the analysed plan shows nothing else;
        "error: …" where Spark refuses the plan."""
        from pyspark.errors import AnalysisException
        from pyspark.sql import Column, DataFrame, Window

        column = self.column(text)
        if isinstance(column, DataFrame):
            return "frame"
        if not isinstance(column, Column):
            return "udf"
        try:
            made = self.rows.select("id", column)
        except AnalysisException as error:
            message = str(error)
            try:
                over = column.over(Window.partitionBy("b").orderBy("id"))
                self.rows.select("id", over)
                return "window" if self._has(self.rows.select(over), "window") else "aggregate"
            except AnalysisException:
                pass
            try:
                made = self.rows.groupBy("b").agg(column.alias("r"))
            except AnalysisException:
                try:
                    self.rows.cube("b").agg(column.alias("r"))
                except AnalysisException:
                    return self._refused(message)
                return "aggregate"  # Spark takes it for several groupings only; ``cube`` itself multiplies the rows
        return self._of_plan(made)

    def kinds(self, texts: Mapping[str, str]) -> dict[str, str]:
        """The kind of each expression, by name. Most are of a kind that one plan of many of them shows: as long as such
        a plan shows nothing else each is "row", otherwise its halves are looked at, and each alone in the end."""
        if len(texts) == 1:
            return {name: self.kind(text) for name, text in texts.items()}
        if self._are_rows(texts.values()):
            return dict.fromkeys(texts, "row")
        items = list(texts.items())
        half = len(items) // 2
        return {**self.kinds(dict(items[:half])), **self.kinds(dict(items[half:]))}

    def _are_rows(self, texts: Iterable[str]) -> bool:
        """Whether all expressions are of the kind "row"."""
        from pyspark.errors import AnalysisException
        from pyspark.sql import Column

        columns = [self.column(t) for t in texts]
        if not all(isinstance(c, Column) for c in columns):
            return False
        try:
            return self._of_plan(self.rows.select("id", *columns)) == "row"
        except AnalysisException:
            return False

    def _refused(self, message: str) -> str:
        if "PARTITION_TRANSFORM" in message:
            return "partitioning"
        return f"error: {message[:200]}"

    def _has(self, frame: Any, kind: str) -> bool:
        return any(kind in self._marks_of(c) for c in set(self._nodes(frame)) - self.plain)

    def _of_plan(self, frame: Any) -> str:
        nodes = set(self._nodes(frame)) - self.plain
        found = set().union(*(self._marks_of(c) for c in nodes))
        for kind in _ORDER:
            if kind in found:
                return kind
        plans = {c for c in nodes if ".plans.logical." in c} - {_PROJECT}
        if plans:
            return "rows"
        return "row" if frame._jdf.queryExecution().analyzed().deterministic() else "random"

    @staticmethod
    def _nodes(frame: Any) -> Iterator[str]:
        def walk(value: Any) -> Iterator[str]:
            if isinstance(value, dict):
                if isinstance(value.get("class"), str):
                    yield value["class"]
                value = list(value.values())
            if isinstance(value, list):
                for part in value:
                    yield from walk(part)

        return walk(json.loads(frame._jdf.queryExecution().analyzed().toJSON()))

    def _marks_of(self, name: str) -> frozenset[str]:
        if name not in self._marks:
            short = name.rpartition(".")[2]
            marks = {k for k, names in _BY_NAME.items() if short in names}
            try:
                cls = self.loader.loadClass(name)
                marks |= {k for k, c in self.marking.items() if c.isAssignableFrom(cls)}
            except Exception:
                marks.add("random")  # a class that cannot be looked at may do anything
            if short in _PLACEHOLDERS:
                marks = set()
            self._marks[name] = frozenset(marks)
        return self._marks[name]

    # --- values

    def differing(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Which of the expressions, by name, do not yield the same value for a row each time: evaluated again, over the
        rows in another order, and over some of the rows; with how."""
        found: dict[str, str] = {}
        for some in batches(texts.items(), 40):
            found |= self._differing(dict(some))
        return found

    def _differing(self, texts: dict[str, str], *, as_text: bool = False) -> dict[str, str]:
        try:
            runs = self._runs(texts, as_text=as_text)
        except Exception as error:
            if len(texts) == 1 and not as_text:
                return self._differing(texts, as_text=True)  # a type that Python has no values for
            if len(texts) > 1:
                items = list(texts.items())
                half = len(items) // 2
                return self._differing(dict(items[:half])) | self._differing(dict(items[half:]))
            return {next(iter(texts)): f"raises {str(error)[:160]}"}
        found = {}
        for place, name in enumerate(texts):
            values = [{row[0]: repr(row[place + 1]) for row in run} for run in runs]
            whole = values[0]
            if any(v != {k: whole[k] for k in v} for v in values):
                found[name] = f"gives {values}"
        return found

    def _runs(self, texts: dict[str, str], *, as_text: bool) -> list[list[Any]]:
        columns = [self.column(t) for t in texts.values()]
        columns = [c.cast("string") for c in columns] if as_text else columns
        rows = self.rows
        orders = (rows, rows, rows.orderBy(rows.id.desc()), rows.where("id <> 2"))
        return [frame.select("id", *columns).collect() for frame in orders]


_PROJECT = "org.apache.spark.sql.catalyst.plans.logical.Project"


def batches(items: Iterable[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    """``items`` in lists of at most ``size``."""
    listed = list(items)
    for start in range(0, len(listed), size):
        yield listed[start : start + size]
