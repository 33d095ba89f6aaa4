"""Probes of names: functions, methods and what ``import *`` binds."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from .probes import Probe

MEMBERS = {
    "pyspark.sql.DataFrame": "isEmpty rdd mapInPandas mapInArrow asTable lateralJoin unpivot melt offset toArrow \
toLocalIterator transpose scalar exists metadataColumn withColumnsRenamed observe dropDuplicatesWithinWatermark \
groupingSets checkpoint localCheckpoint cache zipWithIndex plot executionInfo to sameSemantics mergeInto repartitionById",
    "pyspark.sql.GroupedData": "applyInPandas applyInArrow applyInPandasWithState transformWithState \
transformWithStateInPandas cogroup pivot apply",
    "pyspark.sql.SparkSession": "tvf udtf udf sql createDataFrame addArtifacts addTag dataSource newSession",
    "pyspark.sql.Column": "isNaN try_cast transform outer astype isin eqNullSafe ilike rlike withField",
    "pyspark.RDD": "treeReduce aggregateByKey foldByKey cogroup zipWithIndex toDF histogram",
    "pyspark.sql.conf.RuntimeConfig": "get getAll set unset",
}


def probes() -> Iterator[Probe]:
    for owner, members in MEMBERS.items():
        for name in members.split():
            yield Probe("member", f"{owner.rpartition('.')[2]}.{name}", _has(owner, name))
    yield Probe("names", "functions that Headwater knows, missing", lambda _: _missing())
    yield Probe("names", "functions that Headwater does not know", lambda _: _more())
    yield Probe("names", "bound by `from pyspark.sql.functions import *`, not a function", lambda _: _star())
    yield Probe("names", "bound by `from pyspark.sql.types import *`, not known", lambda _: _types())
    yield Probe("names", "functions with other parameters", lambda _: _parameters())


def _has(owner: str, name: str) -> Callable[[Any], str]:
    def ask(_: Any) -> str:
        module, _, cls = owner.rpartition(".")
        return "yes" if hasattr(getattr(importlib.import_module(module), cls), name) else "no"

    return ask


def _bound(module: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(f"from {module} import *", found)
    del found["__builtins__"]
    return found


def _public() -> set[str]:
    import pyspark.sql.functions as F

    def own(value: Any) -> bool:
        return inspect.isfunction(value) and value.__module__.startswith("pyspark.sql.functions")

    return {n for n, v in vars(F).items() if not n.startswith("_") and own(v)}


def _missing() -> str:
    from headwater.syntax.names.pyspark_symbols import FUNCTIONS

    return " ".join(sorted(FUNCTIONS.keys() - _public()))


def _more() -> str:
    from headwater.syntax.names.pyspark_symbols import FUNCTIONS

    return " ".join(sorted(_public() - FUNCTIONS.keys()))


def _star() -> str:
    from headwater.syntax.names.pyspark_symbols import FUNCTIONS

    return " ".join(sorted(_bound("pyspark.sql.functions").keys() - FUNCTIONS.keys()))


def _types() -> str:
    from headwater.syntax.names.pyspark_symbols import TYPES

    return " ".join(sorted(_bound("pyspark.sql.types").keys() - TYPES))


def _parameters() -> str:
    import pyspark.sql.functions as F

    from headwater.syntax.names.pyspark_symbols import FUNCTIONS

    found = []
    for name in sorted(FUNCTIONS.keys() & _public()):
        declared = inspect.signature(eval(f"lambda {FUNCTIONS[name].declaration.partition('(')[2][:-1]}: 0"))
        there = inspect.signature(getattr(F, name))
        if [(p.name, p.kind) for p in declared.parameters.values()] != [
            (p.name, p.kind) for p in there.parameters.values()
        ]:
            found.append(f"{name}({', '.join(map(str, (p.name for p in there.parameters.values())))})")
    return " ".join(found)
