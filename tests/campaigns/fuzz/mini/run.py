"""Runs a program's text with this Spark in place of PySpark."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

import pyspark.sql.types
from pyspark.sql import Row

from . import functions
from .column import Column
from .frame import DataFrame, Parts, schema_of
from .typed_rows import framed
from .window import Window

Inputs = Mapping[str, Parts]
"""The partitions of each table."""


@dataclass(frozen=True)
class Failed:
    """The program raised."""

    reason: str


class Session:
    """What the programs call ``spark``."""

    def __init__(self, tables: Mapping[str, str], inputs: Inputs) -> None:
        self.tables, self.inputs = tables, inputs
        self.builder = SimpleNamespace(getOrCreate=lambda: self)
        self.read = SimpleNamespace(table=self.table)

    def createDataFrame(self, rdd: Any, schema: Any = None) -> DataFrame:
        return framed(rdd, schema)

    def table(self, name: str) -> DataFrame:
        return DataFrame(schema_of(self.tables[name]), self.inputs[name])


def run(source: str, tables: Mapping[str, str], inputs: Inputs) -> Sequence[Any] | Failed:
    """The rows of ``result``, or why there are none. ``tables``: the DDL of each."""
    found = result_of(source, tables, inputs)
    rows: Sequence[Any] | Failed = found if isinstance(found, Failed) else found.rows()
    return rows


def result_of(source: str, tables: Mapping[str, str], inputs: Inputs) -> Any:
    """What the program leaves in ``result``, a frame or an RDD; or ``Failed``."""
    session = Session(tables, inputs)
    modules = _modules()

    def imported(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] != "pyspark":
            return builtins.__import__(name, *rest, **more)
        from_list = rest[2] if len(rest) > 2 else None
        return modules[name] if from_list else modules["pyspark"]

    namespace: dict[str, Any] = {
        "__name__": "fuzzed", "spark": session, "__builtins__": {**vars(builtins), "__import__": imported},
    }  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(_compiled(source), namespace)
            return namespace["result"]
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")


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
