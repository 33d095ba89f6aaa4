"""Runs a program's text with this Spark in place of PySpark."""

from __future__ import annotations

import builtins
import contextlib
import copy
import io
import sys
import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from types import CodeType, MappingProxyType, ModuleType, SimpleNamespace
from typing import Any

import pyspark.sql.types
from pyspark.sql import Row

from tests.results import Failed, Result, bag

from . import functions, sql
from .column import Column
from .frame import DataFrame, Parts, schema_of
from .typed_rows import framed
from .window import Window

Inputs = Mapping[str, Parts]
"""The partitions of each table."""


class Accumulator:
    """``sparkContext.accumulator(0)``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def add(self, more: Any) -> None:
        self.value += more

    def __iadd__(self, more: Any) -> Accumulator:
        self.add(more)
        return self


class Context:
    """``spark.sparkContext``: what workers are sent is a copy, each their own on Spark, and the same one here."""

    def __init__(self) -> None:
        self.accumulators: list[Accumulator] = []

    def broadcast(self, value: Any) -> Any:
        return SimpleNamespace(value=copy.deepcopy(value), unpersist=lambda *_: None, destroy=lambda *_: None)

    def accumulator(self, value: Any, *_: Any) -> Accumulator:
        self.accumulators.append(Accumulator(value))
        return self.accumulators[-1]


class Session:
    """What the programs call ``spark``."""

    def __init__(self, tables: Mapping[str, str], inputs: Inputs) -> None:
        self.tables, self.inputs = tables, inputs
        self.builder = SimpleNamespace(getOrCreate=lambda: self)
        self.read = SimpleNamespace(table=self.table)
        self.sparkContext = Context()

    def createDataFrame(self, rdd: Any, schema: Any = None) -> DataFrame:
        return framed(rdd, schema)

    def sql(self, text: str) -> DataFrame:
        return sql.query(text, self.table)

    def table(self, name: str) -> DataFrame:
        return DataFrame(schema_of(self.tables[name]), self.inputs[name])


def run(
    source: str,
    tables: Mapping[str, str],
    inputs: Inputs,
    effects: bool = False,
    modules: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """The rows of ``result``, or why there are none. ``tables``: the DDL of each; ``effects``: what the program prints
    and counts is a part of its result; ``modules``: the texts of files that it imports."""
    session, printed = Session(tables, inputs), io.StringIO()
    with contextlib.redirect_stdout(printed) if effects else contextlib.nullcontext():
        made = _left_by(source, session, modules)
    if not isinstance(made, Failed):
        made = bag(made.rows())
        if effects and printed.getvalue():
            made["printed", printed.getvalue()] += 1
        for i, counter in enumerate(session.sparkContext.accumulators if effects else ()):
            made["accumulator", i, counter.value] += 1
    for name in modules:
        sys.modules.pop(name, None)
    return made


def result_of(source: str, tables: Mapping[str, str], inputs: Inputs) -> Any:
    """What the program leaves in ``result``, a frame or an RDD; or ``Failed``."""
    return _left_by(source, Session(tables, inputs), {})


def namespace(session: Session | None, files: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """What a program finds: the session as ``spark``, and this Spark where it imports PySpark. ``files``: the texts of
    other modules that it may import."""
    modules, made = _modules(), dict[str, ModuleType]()

    def imported(name: str, *rest: Any, **more: Any) -> Any:
        if name in files:
            if name not in made:
                made[name] = sys.modules[name] = ModuleType(name)
                made[name].__dict__["__builtins__"] = given["__builtins__"]
                exec(_compiled(files[name]), made[name].__dict__)
            return made[name]
        if name.split(".")[0] != "pyspark":
            return builtins.__import__(name, *rest, **more)
        from_list = rest[2] if len(rest) > 2 else None
        return modules[name] if from_list else modules["pyspark"]

    given: dict[str, Any] = {"__name__": "generated", "__builtins__": {**vars(builtins), "__import__": imported}}
    return given if session is None else {**given, "spark": session}


def _left_by(source: str, session: Session, modules: Mapping[str, str]) -> Any:
    names = namespace(session, modules)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(_compiled(source), names)
            return names["result"]
    except Exception as error:
        return Failed.of(error)


@lru_cache(maxsize=64)
def _compiled(source: str) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(source, "<fuzzed>", "exec")


@cache
def _modules() -> dict[str, Any]:
    sql = ModuleType("pyspark.sql")
    sql.__dict__.update(
        functions=functions,
        Row=Row,
        Column=Column,
        DataFrame=DataFrame,
        types=pyspark.sql.types,
        SparkSession=None,
        Window=Window,
    )
    root = ModuleType("pyspark")
    root.__dict__["sql"] = sql
    return {
        "pyspark": root, "pyspark.sql": sql, "pyspark.sql.functions": functions, "pyspark.sql.types": pyspark.sql.types,
    }  # fmt: skip
