"""Runs program texts on Spark and gives the rows of each as a bag: several texts over several tables in one job.

A text reads its tables by name (``spark.table("t")``) and leaves a frame, an RDD or a value on the driver in a
variable.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from .driver_values import canonical, is_on_driver
from .results import Failed, Result, Rows, bag

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PLANNED_ONCE = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""A program that runs once is interpreted faster than compiled."""
_RULES = ("PushDownPredicates", "PushPredicateThroughNonJoin", "PushPredicateThroughJoin")
NO_PUSHDOWN = {
    "spark.sql.optimizer.excludedRules": ",".join(f"org.apache.spark.sql.catalyst.optimizer.{r}" for r in _RULES)
}


@dataclass(frozen=True)
class Run:
    """A text and the tables that it reads. ``ddl``: the schema of each; ``only``: conditions by which tables are
    filtered first; ``partitions``: of each table, one of which keeps its rows in order."""

    source: str
    ddl: Mapping[str, str]
    rows: Mapping[str, Rows]
    only: Mapping[str, str] = field(default_factory=dict)
    partitions: int = 1
    name: str = "result"


@dataclass(frozen=True)
class OnDriver:
    """What a text leaves that is neither a frame nor an RDD."""

    value: Any


def results(spark: SparkSession, runs: Sequence[Run], *, alone: bool = False) -> list[Result]:
    """The result of each run: all frames in one job and all RDDs in another if none raises; or each ``alone``, for what
    ``sample`` draws depends on where in a job it stands."""
    made = [built(spark, run) for run in runs]
    found = dict[int, Result]()
    for group, together in ((_frames(made), _frames_together), (_rdds(made), _rdds_together)):
        if len(group) > 1 and not alone:
            with contextlib.suppress(Exception):  # one of them raises: run each by itself
                rows = {i: list[Any]() for i in group}
                for i, row in together(group):
                    rows[i].append(row)
                found |= {i: bag(those) for i, those in rows.items()}
    return [found[i] if i in found else collected(one) for i, one in enumerate(made)]


def result(spark: SparkSession, run: Run) -> Result:
    """The result of one run."""
    return collected(built(spark, run))


def built(spark: SparkSession, run: Run) -> Any:
    """The frame or RDD that the text leaves, not yet computed; or ``Failed``."""
    _set_back(spark)
    for name, ddl in run.ddl.items():
        given: Any = run.rows[name]
        if run.partitions > 1:
            frame = spark.createDataFrame(spark.sparkContext.parallelize(given, run.partitions), ddl)
        else:
            frame = spark.createDataFrame(given, ddl).coalesce(1)
        frame.filter(run.only.get(name, "true")).createOrReplaceTempView(name)
    # what a notebook binds
    namespace: dict[str, Any] = {"spark": spark, "sc": spark.sparkContext, "__name__": "replayed"}
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(run.source, "<replayed>", "exec", dont_inherit=True), namespace)
        made = namespace[run.name]
        return OnDriver(canonical(made)) if is_on_driver(made) else made
    except Exception as error:
        return Failed.of(error)


def collected(made: Any) -> Result:
    """The rows of a frame, or the elements of an RDD."""
    try:
        if isinstance(made, OnDriver):
            return bag([(repr(made.value),)])
        return made if isinstance(made, Failed) else bag(made.collect())
    except Exception as error:
        return Failed.of(error)


def _frames(made: Sequence[Any]) -> dict[int, Any]:
    return {i: one for i, one in enumerate(made) if hasattr(one, "sparkSession")}


def _rdds(made: Sequence[Any]) -> dict[int, Any]:
    return {i: one for i, one in enumerate(made) if hasattr(one, "mapPartitions") and not hasattr(one, "sparkSession")}


def _frames_together(frames: Mapping[int, DataFrame]) -> Iterator[tuple[int, Any]]:
    """A union with the columns of every schema side by side, NULL in those of the others."""
    from pyspark.sql import functions as F

    schemas = {i: tuple(kind for _, kind in frame.dtypes) for i, frame in frames.items()}
    wide = [(schema, n, kind) for schema in dict.fromkeys(schemas.values()) for n, kind in enumerate(schema)]
    marked = []
    for i, frame in frames.items():
        by_place = frame.toDF(*(f"c{n}" for n in range(len(frame.columns))))  # names may repeat
        cells = [F.col(f"c{n}") if schema == schemas[i] else F.lit(None).cast(kind) for schema, n, kind in wide]
        marked.append(by_place.select(F.lit(i), *cells))
    places = {i: [at for at, (schema, _, _) in enumerate(wide, 1) if schema == schemas[i]] for i in frames}
    for row in reduce(lambda a, b: a.unionAll(b), marked).collect():
        yield row[0], tuple(row[at] for at in places[row[0]])


def _rdds_together(rdds: Mapping[int, Any]) -> Iterator[tuple[int, Any]]:
    tagged = [rdd.map(lambda x, i=i: (i, x)) for i, rdd in rdds.items()]
    yield from tagged[0].context.union(tagged).collect()


# --- sessions and their settings


@dataclass(frozen=True)
class _Settings:
    """The configuration of a session at one time, and a copy of it in the JVM, which tells in one call whether it is
    still the same."""

    values: Mapping[str, str]
    in_the_jvm: Any

    @staticmethod
    def of(spark: SparkSession) -> _Settings:
        jvm: Any = spark._jvm
        return _Settings(_configuration(spark), jvm.java.util.HashMap(_live(spark)))


_SETTINGS: WeakKeyDictionary[SparkSession, _Settings] = WeakKeyDictionary()
"""The configuration of each session before its first program."""


def _live(spark: Any) -> Any:
    """What is set, as the JVM holds it."""
    return spark._jsparkSession.sessionState().conf().settings()


def _configuration(spark: SparkSession) -> dict[str, str]:
    """What is set. Spark 3.5 has no ``conf.getAll``."""
    return dict(spark.conf.getAll) if hasattr(spark.conf, "getAll") else dict(_live(spark))


def _set_back(spark: SparkSession) -> None:
    """What a program sets is set for the session, and would hold for the next one."""
    before = _SETTINGS.get(spark) or _SETTINGS.setdefault(spark, _Settings.of(spark))
    if _live(spark).equals(before.in_the_jvm):
        return
    now = _configuration(spark)
    for key in now.keys() - before.values.keys():
        spark.conf.unset(key)
    for key, value in before.values.items():
        if now.get(key) != value:
            spark.conf.set(key, value)


@contextlib.contextmanager
def setting(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Programs run under these settings."""
    _set_back(spark)
    before = _SETTINGS[spark]
    for key, value in settings.items():
        spark.conf.set(key, value)
    _SETTINGS[spark] = _Settings.of(spark)
    try:
        yield
    finally:
        _SETTINGS[spark] = before
        _set_back(spark)


@contextlib.contextmanager
def without_pushdown(spark: SparkSession) -> Iterator[None]:
    """Spark itself pushes filters into places where they raise: without that it is an oracle for errors."""
    with setting(spark, {**NO_PUSHDOWN, **PLANNED_ONCE}):
        yield


@contextlib.contextmanager
def active(own: SparkSession, otherwise: SparkSession) -> Iterator[None]:
    """``own`` is the session that a builder finds, afterwards ``otherwise``."""
    try:
        _activate(own)
        yield
    finally:
        _activate(otherwise)


def _activate(spark: Any) -> None:
    type(spark)._instantiatedSession = spark
    jvm = spark._jvm.SparkSession
    jvm.setDefaultSession(spark._jsparkSession)
    jvm.setActiveSession(spark._jsparkSession)


@contextlib.contextmanager
def session(settings: Mapping[str, str] | None = None, log: str = "ERROR") -> Iterator[SparkSession]:
    """A local session with few shuffle partitions, ANSI mode as by default, and a folder for checkpoints. The JVM
    compiles quickly rather than well, for it does not live long."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    usual = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2", "spark.default.parallelism": "2",
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", **(settings or {}),
    }  # fmt: skip
    builder = SparkSession.builder.master("local[2]").appName("headwater-tests")
    for name, value in usual.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel(log)
    try:
        with tempfile.TemporaryDirectory() as folder:
            spark.sparkContext.setCheckpointDir(folder)
            yield spark
    finally:
        spark.stop()


def campaign_session(settings: Mapping[str, str] | None = None) -> contextlib.AbstractContextManager[SparkSession]:
    """A session for many programs, each of which runs once and may raise."""
    return session({**PLANNED_ONCE, "spark.sql.shuffle.partitions": "1", **(settings or {})}, log="OFF")


__all__ = [
    "NO_PUSHDOWN", "PLANNED_ONCE", "Run", "active", "built", "campaign_session", "collected", "result", "results",
    "session", "setting", "without_pushdown",
]  # fmt: skip
