"""Measures the forms that a copy of a frame's expression lets pass (``headwater.rewrite.branch.forms``).

Each listed call is made on Spark or CPython. It must give what the table says, and change nothing: no setting, view,
table, registered function, cached plan, file, variable of the environment, and no object that it is given; and it must
run no code that it is given on the driver. ``ENTRIES`` are forms that are not listed; each would be seen if it were.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater.rewrite.branch import forms

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass
class Bench:
    """Objects of each kind, and all that a call may change."""

    spark: SparkSession
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp()))
    calls: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        from pyspark.sql import functions as F
        from pyspark.sql.window import Window

        self.frame = self.spark.createDataFrame([("a", 1), ("b", 2)], "k string, x bigint")
        (self.folder / "in.json").write_text('{"k": "a"}')
        self.data: list[Any] = [3, 1, 2]
        self.keyed: dict[str, Any] = {"a": 1}
        self.receivers: dict[str, Any] = {
            "frame": self.frame, "groups": self.frame.groupBy("k"), "column": F.col("x"), "na": self.frame.na,
            "window": Window.orderBy("k"), "rdd": self.frame.rdd, "session": self.spark, "scalar": "a b",
            "pandas": self.frame.toPandas(), "data": self.data,
        }  # fmt: skip

    def called(self, *values: object) -> object:
        """A function of the user's: that it runs on the driver is seen."""
        self.calls.append(values)
        return values[0] if values else None

    def state(self) -> dict[str, object]:
        """All that a second evaluation of an expression could notice."""
        state = self.spark._jsparkSession.sessionState()
        catalog = state.catalog()
        return {
            "settings": dict(self.spark.conf.getAll),
            "views": catalog.listLocalTempViews("*").toString(),
            "global views": catalog.globalTempViewManager().listViewNames("*").toString(),
            "functions": state.functionRegistry().listFunction().size(),
            "database": catalog.getCurrentDatabase(),
            "cached": self.spark._jsparkSession.sharedState().cacheManager().numCachedEntries(),
            "tags": sorted(self.spark.getTags()),
            "files": sorted(str(p) for p in self.folder.rglob("*")),
            "environment": dict(os.environ),
            "objects": repr((self.data, self.keyed)),
            "calls": list(self.calls),
            "mode": sys.getrecursionlimit(),
        }


def _classes() -> dict[str, Callable[[Any], bool]]:
    from pandas import DataFrame as Pandas
    from pandas import Series
    from pyspark import RDD
    from pyspark.sql import (
        Column,
        DataFrame,
        DataFrameReader,
        DataFrameWriter,
        DataFrameWriterV2,
        GroupedData,
        SparkSession,
    )
    from pyspark.sql.dataframe import DataFrameNaFunctions
    from pyspark.sql.window import WindowSpec

    def is_any(*classes: type) -> Callable[[Any], bool]:
        return lambda value: isinstance(value, classes)

    return {
        "frame": is_any(DataFrame), "groups": is_any(GroupedData), "column": is_any(Column), "rdd": is_any(RDD),
        "window": is_any(WindowSpec), "na": is_any(DataFrameNaFunctions), "reader": is_any(DataFrameReader),
        "writer": is_any(DataFrameWriter, type(None)), "table writer": is_any(DataFrameWriterV2, type(None)),
        "session": is_any(SparkSession), "pandas": is_any(Pandas, Series), "scalar": _is_scalar, "data": _is_data,
    }  # fmt: skip


def _is_scalar(value: Any) -> bool:
    import datetime

    return value is None or isinstance(value, (bool, int, float, str, bytes, datetime.date, datetime.timedelta))


def _is_data(value: Any) -> bool:
    """Plain values, and containers of such without any other object in them."""
    from pyspark.sql import Row
    from pyspark.sql.types import StructType

    if _is_scalar(value) or isinstance(value, (StructType, range)):
        return True
    if isinstance(value, dict):
        return all(map(_is_data, [*value.keys(), *value.values()]))
    if isinstance(value, (list, tuple, set, Row, type({}.keys()), type({}.values()), type({}.items()))):
        return all(map(_is_data, value))
    return isinstance(value, (enumerate, zip, type(reversed([])))) and all(map(_is_data, value))


ARGUMENTS: dict[str, Callable[[Bench], tuple[Any, ...]]] = {
    "frame.take": lambda b: (1,), "frame.head": lambda b: (1,), "frame.tail": lambda b: (1,),
    **{f"frame.{n}": lambda b: ("k",) for n in "select drop groupBy groupby rollup cube orderBy sort".split()},
    "frame.sortWithinPartitions": lambda b: ("k",), "frame.alias": lambda b: ("a",),
    "frame.selectExpr": lambda b: ("x + 1 AS y",), "frame.withColumn": lambda b: ("y", b.receivers["column"]),
    "frame.withColumns": lambda b: ({"y": b.receivers["column"]},), "frame.limit": lambda b: (1,),
    "frame.withColumnRenamed": lambda b: ("k", "j"), "frame.withColumnsRenamed": lambda b: ({"k": "j"},),
    "frame.filter": lambda b: ("x > 1",), "frame.where": lambda b: ("x > 1",),
    "frame.agg": lambda b: ({"x": "max"},), "frame.fillna": lambda b: (0,), "frame.replace": lambda b: (1, 2),
    "frame.hint": lambda b: ("broadcast",), "frame.repartition": lambda b: (1,), "frame.coalesce": lambda b: (1,),
    "frame.unpivot": lambda b: (["k"], ["x"], "n", "v"), "frame.melt": lambda b: (["k"], ["x"], "n", "v"),
    "frame.sample": lambda b: (0.5,), "frame.toDF": lambda b: ("a", "b"), "frame.writeTo": lambda b: ("t",),
    **{f"frame.{n}": lambda b: (b.frame,) for n in forms.TWO_FRAMES}, "frame.join": lambda b: (b.frame, "k"),
    "groups.agg": lambda b: ({"x": "max"},), "groups.pivot": lambda b: ("x", [1]),
    "na.fill": lambda b: (0,), "na.replace": lambda b: (1, 2), "rdd.take": lambda b: (1,),
    **{f"column.{n}": lambda b: (1,) for n in "bitwiseAND bitwiseOR bitwiseXOR contains eqNullSafe getItem".split()},
    **{f"column.{n}": lambda b: ("a",) for n in "alias name endswith startswith like rlike ilike dropFields".split()},
    **{f"column.{n}": lambda b: ("int",) for n in ("cast", "astype")},
    "column.getField": lambda b: ("a",), "column.between": lambda b: (1, 2), "column.isin": lambda b: (1, 2),
    "column.over": lambda b: (b.receivers["window"],), "column.substr": lambda b: (1, 2),
    "column.withField": lambda b: ("a", b.receivers["column"]),
    "window.partitionBy": lambda b: ("k",), "window.orderBy": lambda b: ("k",),
    "window.rowsBetween": lambda b: (0, 1), "window.rangeBetween": lambda b: (0, 1),
    "session.table": lambda b: ("measured",), "session.range": lambda b: (3,),
    "session.createDataFrame": lambda b: ([(1,)], "a int"),
    "reader.format": lambda b: ("json",), "reader.option": lambda b: ("a", "b"), "reader.options": lambda b: (),
    "reader.schema": lambda b: ("k string",), "reader.table": lambda b: ("measured",),
    **{f"scalar.{n}": lambda b: ("a",) for n in "endswith find index rfind startswith".split()},
    **{f"scalar.{n}": lambda b: ("a",) for n in ("removeprefix", "removesuffix")},
    **{f"scalar.{n}": lambda b: (9,) for n in "center ljust rjust zfill".split()},
    "scalar.join": lambda b: (["a"],), "scalar.replace": lambda b: ("a", "b"), "scalar.partition": lambda b: (" ",),
    "scalar.strftime": lambda b: ("%Y",), "data.index": lambda b: (3,), "data.count": lambda b: (3,),
    "data.get": lambda b: ("a",), "pandas.head": lambda b: (1,), "pandas.tail": lambda b: (1,),
    **{f"builtins.{n}": lambda b: (b.data,) for n in "print len sum any all repr list tuple set sorted".split()},
    **{f"builtins.{n}": lambda b: (b.data,) for n in "enumerate zip min max reversed".split()},
    **{f"builtins.{n}": lambda b: ("1",) for n in "str int float bool".split()}, "builtins.dict": lambda b: (b.keyed,),
    "builtins.round": lambda b: (1.5,), "builtins.abs": lambda b: (-1,), "builtins.range": lambda b: (3,),
    **{f"functions.math.{n}": lambda b: (2.0,) for n in "sqrt floor ceil log exp".split()},
    "functions.datetime.date": lambda b: (2024, 1, 1), "functions.datetime.datetime": lambda b: (2024, 1, 1),
    "functions.datetime.timedelta": lambda b: (1,), "functions.collections.Counter": lambda b: (b.data,),
    "functions.collections.OrderedDict": lambda b: (b.keyed,),
}  # fmt: skip
"""The arguments of the listed calls; none where nothing is said."""


def _receiver(bench: Bench, entry: str) -> Any:
    import datetime

    kind, _, name = entry.partition(".")
    if kind == "reader":
        return bench.spark.read
    if kind == "data":
        return {"items": bench.keyed, "keys": bench.keyed, "values": bench.keyed, "get": bench.keyed}.get(
            name, bench.frame.first() if name == "asDict" else bench.data
        )
    if kind == "scalar":
        other = {"isoformat": datetime.date(2024, 1, 1), "strftime": datetime.date(2024, 1, 1), "is_integer": 1.5}
        return {**other, "total_seconds": datetime.timedelta(1)}.get(name, "a b")
    if kind == "column" and name in ("when", "otherwise"):
        from pyspark.sql import functions as F

        return F.when(F.col("x") > 1, 1)
    return bench.receivers[kind]


def _listed_call(bench: Bench, entry: str) -> Any:
    import importlib

    kind, _, name = entry.partition(".")
    arguments = ARGUMENTS[entry](bench) if entry in ARGUMENTS else ()
    if kind in ("builtins", "functions"):
        owner, *path = name.split(".") if kind == "functions" else ("builtins", name)
        function: Any = importlib.import_module(owner)
        for part in path:
            function = getattr(function, part)
        return function(*arguments)
    if kind == "reader" and name in ("load", "parquet", "csv", "json", "orc", "text"):
        return _read(bench, name)
    if entry in ("column.when", "column.otherwise"):
        arguments = (bench.receivers["column"] > 1, 2) if name == "when" else (2,)
    return getattr(_receiver(bench, entry), name)(*arguments)


def _read(bench: Bench, name: str) -> Any:
    path = str(bench.folder / "in.json")
    if name in ("parquet", "orc"):
        return getattr(bench.spark.read.schema("k string"), name)(path)
    return bench.spark.read.load(path, format="json") if name == "load" else getattr(bench.spark.read, name)(path)


def listed() -> Iterator[tuple[str, str]]:
    """Every entry of the tables of methods and functions, with its kind."""
    for kind, methods in forms.METHODS.items():
        yield from ((f"{kind}.{name}", result) for name, result in methods.items())
    yield from ((f"builtins.{name}", kind) for name, kind in forms.BUILTINS.items())
    yield from ((f"functions.{name}", kind) for name, kind in forms.FUNCTIONS.items())


def complaints(bench: Bench, entries: Iterator[tuple[str, str]], call: Callable[[Bench, str], Any]) -> list[str]:
    """What the ``entries``, each a form with the kind that a table gives it, do otherwise than the table says."""
    classes = _classes()
    found = []
    before = bench.state()
    for entry, kind in entries:
        try:
            result = call(bench, entry)
        except Exception as error:
            found.append(f"{entry}: fails: {type(error).__name__}: {str(error).splitlines()[0]}")
            continue
        after = bench.state()
        found += [f"{entry}: changes the {name}" for name in before if before[name] != after[name]]
        if not classes[kind](result):
            found.append(f"{entry}: gives {type(result).__name__}, no {kind}")
        before = after
    return found


def _sets(bench: Bench, name: str, *values: object) -> None:
    bench.spark.conf.set(name, *values)


REFUSED: dict[str, tuple[str, Callable[[Bench], Any]]] = {
    "frame.createOrReplaceTempView": ("scalar", lambda b: b.frame.createOrReplaceTempView("refused_1")),
    "frame.createTempView": ("scalar", lambda b: b.frame.createTempView("refused_2")),
    "frame.createGlobalTempView": ("scalar", lambda b: b.frame.createGlobalTempView("refused_3")),
    "frame.createOrReplaceGlobalTempView": ("scalar", lambda b: b.frame.createOrReplaceGlobalTempView("refused_4")),
    "frame.cache": ("frame", lambda b: b.frame.withColumnRenamed("x", "cached").cache()),
    "frame.persist": ("frame", lambda b: b.frame.filter("x > 7").persist()),
    "frame.transform": ("frame", lambda b: b.frame.transform(b.called)),
    "frame.foreach": ("scalar", lambda b: b.frame.coalesce(1).foreach(_writer(b.folder / "foreach"))),
    "frame.foreachPartition": ("scalar", lambda b: b.frame.coalesce(1).foreachPartition(_writer(b.folder / "parts"))),
    "frame.write": ("scalar", lambda b: b.frame.write.json(str(b.folder / "out"))),
    "frame.sparkSession": ("data", lambda b: b.frame.sparkSession),
    "frame.rdd": ("data", lambda b: b.frame.rdd),
    "frame.stat": ("data", lambda b: b.frame.stat),
    "frame.toLocalIterator": ("data", lambda b: b.frame.toLocalIterator()),
    "frame.getitem as data": ("data", lambda b: b.frame["x"]),
    "frame.select as data": ("data", lambda b: b.frame.select("x")),
    "groups.count as scalar": ("scalar", lambda b: b.frame.groupBy("k").count()),
    "session.conf.set": ("scalar", lambda b: b.spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")),
    "session.sql SET": ("frame", lambda b: b.spark.sql("SET spark.sql.ansi.enabled = false")),
    "session.sql CREATE": ("frame", lambda b: b.spark.sql("CREATE TEMP VIEW refused_5 AS SELECT 1")),
    "session.sql CREATE FUNCTION": (
        "frame",
        lambda b: b.spark.sql("CREATE TEMPORARY FUNCTION refused_f() RETURNS INT RETURN 1"),
    ),
    "session.builder": (
        "session",
        lambda b: type(b.spark).builder.config("spark.sql.session.timeZone", "Europe/Oslo").getOrCreate(),
    ),
    "session.udf": ("data", lambda b: b.spark.udf.register("refused_g", _one)),
    "session.catalog": ("scalar", lambda b: b.spark.catalog.cacheTable("measured")),
    "session.addTag": ("scalar", lambda b: b.spark.addTag("refused")),
    "session.newSession": ("data", lambda b: b.spark.newSession()),
    "session.sparkContext": ("data", lambda b: b.spark.sparkContext),
    "data.append": ("scalar", lambda b: b.data.append(4)),
    "data.extend": ("scalar", lambda b: b.data.extend([4])),
    "data.insert": ("scalar", lambda b: b.data.insert(0, 4)),
    "data.pop": ("scalar", lambda b: b.data.pop()),
    "data.remove": ("scalar", lambda b: b.data.remove(3)),
    "data.sort": ("scalar", lambda b: b.data.sort()),
    "data.reverse": ("scalar", lambda b: b.data.reverse()),
    "data.clear": ("scalar", lambda b: b.data.clear()),
    "data.update": ("scalar", lambda b: b.keyed.update(b=2)),
    "data.setdefault": ("scalar", lambda b: b.keyed.setdefault("c", 3)),
    "data.popitem": ("data", lambda b: b.keyed.popitem()),
    "builtins.sorted with a key": ("data", lambda b: sorted([1, 2], key=b.called)),  # type: ignore[arg-type]
    "builtins.map": ("data", lambda b: [*map(b.called, [1])]),
    "builtins.filter": ("data", lambda b: [*filter(b.called, [1])]),
    "builtins.open": ("data", lambda b: (b.folder / "opened").open("w").close()),
    "builtins.getattr": ("data", lambda b: b.frame.x),
    "builtins.iter": ("data", lambda b: iter([1])),
    "builtins.exec": ("scalar", lambda b: exec("bench.data.append(9)", {"bench": b})),
    "functions.os.putenv": ("scalar", lambda b: os.environ.update(HEADWATER_REFUSED="1")),
    "functions.collections.defaultdict": ("data", lambda b: _defaulted(b)),
    "functions.operator.setitem": ("scalar", lambda b: __import__("operator").setitem(b.keyed, "z", 1)),
    "columns.transform": ("column", lambda b: _functions().transform(b.frame.x, b.called)),
    "columns.filter": ("column", lambda b: _functions().filter(b.frame.x, b.called)),
    "columns.udf": ("column", lambda b: _functions().udf(b.called)),
    "columns.broadcast": ("column", lambda b: _functions().broadcast(b.frame)),
}
"""Forms that no table lists, each with the kind that a careless entry would give it."""
ENTRIES = tuple(REFUSED)


def _functions() -> Any:
    from pyspark.sql import functions

    return functions


def _one() -> int:
    return 1


def _defaulted(bench: Bench) -> object:
    from collections import defaultdict

    kept: dict[str, object] = defaultdict(lambda: bench.called(1))
    return kept["absent"]


def _writer(path: Path) -> Callable[[Any], None]:
    def write(_: Any) -> None:
        path.write_text("1")

    return write


@cache
def _bench() -> Bench:
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession() or SparkSession.builder.master("local[1]").getOrCreate()
    spark.range(1).createOrReplaceTempView("measured")
    return Bench(spark)


def seen(entry: str) -> bool:
    """Whether a measurement shows that ``entry`` may not be listed."""
    bench, (kind, call) = _bench(), REFUSED[entry]
    settings = dict(bench.spark.conf.getAll)
    try:
        return bool(complaints(bench, iter([(entry, kind)]), lambda b, _: call(b)))
    finally:
        _clean(bench, settings)


def _clean(bench: Bench, settings: dict[str, str]) -> None:
    """Undo what a refused call has changed, so that the next one is seen."""
    spark = bench.spark
    for name, value in dict(spark.conf.getAll).items():
        if name not in settings:
            spark.conf.unset(name)
        elif settings[name] != value:
            spark.conf.set(name, settings[name])
    for number in range(1, 6):
        spark.catalog.dropTempView(f"refused_{number}")
        spark.catalog.dropGlobalTempView(f"refused_{number}")
    for name in ("refused_f", "refused_g"):
        spark.sql(f"DROP TEMPORARY FUNCTION IF EXISTS {name}")
    spark.catalog.clearCache()
    spark.clearTags()
    os.environ.pop("HEADWATER_REFUSED", None)
    for path in bench.folder.iterdir():
        if path.name != "in.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    bench.data[:], bench.calls[:] = [3, 1, 2], []
    bench.keyed.clear()
    bench.keyed["a"] = 1


@pytest.mark.spark
def test_listed_forms_do_what_the_tables_say(spark: SparkSession) -> None:
    assert not complaints(_bench(), listed(), _listed_call)


@pytest.mark.spark
def test_attributes_are_what_the_tables_say(spark: SparkSession) -> None:
    bench, classes = _bench(), _classes()
    for kind, attributes in forms.ATTRIBUTES.items():
        for name, result in attributes.items():
            assert classes[result](_plain(getattr(bench.receivers[kind], name))), f"{kind}.{name}"


def _plain(value: Any) -> Any:
    """The names of the columns of pandas as a list."""
    return list(value) if type(value).__name__ == "Index" else value


@pytest.mark.spark
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_form_that_is_not_listed_would_be_seen(spark: SparkSession, entry: str) -> None:
    assert seen(entry)


def test_refused_forms_are_not_listed() -> None:
    tables = {entry for entry, _ in listed()}
    assert not tables & set(ENTRIES)
    assert not {e.partition(".")[2] for e in ENTRIES if e.startswith("columns.")} & forms.COLUMN_FUNCTIONS


@pytest.mark.spark
def test_functions_of_columns_make_columns(spark: SparkSession) -> None:
    """With columns, numbers and texts for arguments; nothing is changed by it."""
    from pyspark.sql import Column
    from pyspark.sql import functions as F

    bench = _bench()
    before = bench.state()
    x = F.col("x")
    tries: list[tuple[Any, ...]] = [(x,) * n for n in range(8)]
    tries += [
        ("a",),
        (1,),
        (x, 256),
        (x, "a", 1),
        (x, "a"),
        (x, 1),
        (x, 1, 2),
        (x, "a", "b"),
        ("a", x),
        ("a", x, x),
        (1, x),
        (x, x, 1),
        (x, 1, "a"),
    ]
    unmade = []
    for name in sorted(n for n in forms.COLUMN_FUNCTIONS if hasattr(F, n)):
        for arguments in tries:
            try:
                made = getattr(F, name)(*arguments)
            except Exception:
                continue
            assert isinstance(made, Column), name
            break
        else:
            unmade.append(name)
    assert not unmade, unmade
    assert bench.state() == before
