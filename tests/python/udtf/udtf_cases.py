# ruff: noqa: E501 - programs and tables, one to a line
"""UDTF classes as people write them, run by CPython as Spark's worker runs them, beside the fold read off their text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pyspark.sql.types import Row

from headwater.python.udtf.udtf import Call, fold_table_function
from headwater.syntax.names.module_scope import Context
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Scalar
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold
from headwater_ir.types import Type
from tests.python.harness import Case, Rows, Stored, run_module, schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_STORED = {"int": int, "float": float, "string": str, "bool": bool, "date": dt.date, "timestamp": dt.datetime}
NO_EMPTY_TASK = Assumption("setting", "Spark runs no task on an empty partition")


@dataclass(frozen=True)
class UdtfCase(Case):
    """A class ``T``. ``single``: one partition; ``arrow``: how its rows travel, either way if None; ``no_empty_task``:
    what is assumed of empty partitions."""

    prelude: ClassVar[str] = "import math\nimport datetime\nfrom pyspark.sql import Row\n"
    single: bool = False
    arrow: bool | None = None
    no_empty_task: Assumption | None = NO_EMPTY_TASK

    def read(self, ctx: Context, given: Schema) -> Fold:
        node = ctx.class_definition("T")
        assert node is not None
        keys = () if self.single else (self.key,)
        return fold_table_function(
            ctx, node, Call(keys, given, schema(self.output), self.arrow, self.no_empty_task, ())
        )

    def run(self, names: dict[str, Any], rows: Rows) -> Stored:
        instance = names["T"]()
        for row in rows:
            assert instance.eval(Row(**row)) is None
        found = list(instance.terminate() or ())
        assert len(found) < 2
        fields = schema(self.output).fields
        return {f.name: self._stored(v, f.type) for f, v in zip(fields, found[0], strict=True)} if found else None

    def _stored(self, value: Scalar, t: Type) -> Scalar:
        """The value as it is: no other type than the declared one may come here, for what becomes of it depends."""
        if value is None:
            return None
        if self.arrow and t.name == "float" and type(value) is int:
            return float(value)
        assert type(value) is _STORED[t.name], (value, t)
        return value

    def on_spark(self, frame: DataFrame) -> Iterator[Sequence[Any]]:
        """With Arrow and without, where the case does not say which."""
        key = self.columns.split(",")[0].replace(self.key, "its_key", 1)
        for arrow in (True, False) if self.arrow is None else (self.arrow,):
            function = made(self.source + WITH_KEY.format(key=self.key), f"{key}, {self.output}", arrow)
            yield function(frame.asTable().partitionBy(self.key)).collect()


WITH_KEY = """
class Plain(T):
    def eval(self, row):
        self.its_key = row["{key}"]
        return super().eval(row)

    def terminate(self):
        for values in super().terminate() or ():
            yield (self.its_key, *values)


T = Plain
"""
"""The class yields the key before its own values."""


def made(source: str, output: str, arrow: bool | None) -> Any:
    """The class as a UDTF."""
    from pyspark.sql.functions import udtf

    return udtf(run_module(UdtfCase.prelude + source)["T"], returnType=output, useArrow=arrow)


TOP2 = '''
class T:
    """The two best scores."""

    def __init__(self):
        self.k = None
        self.first, self.second = None, None

    def eval(self, row: Row):
        self.k = row["k"]
        score = row["x"]
        if score is None:
            return
        if self.first is None or score > self.first:
            self.first, self.second = score, self.first
        elif self.second is None or score > self.second:
            self.second = score

    def terminate(self):
        yield self.k, self.first, self.second
'''
GUARDED = """
class T(object):
    best: float
    LIMIT = 2

    def __init__(self) -> None:
        super().__init__()
        self.best = float("-inf")
        self.tag = ""
        self.n = 0

    def eval(self, row) -> None:
        if row.x is None or math.isnan(row.x):
            return None
        self.n += 1
        if row.x > self.best:
            self.best = row.x
            self.tag = row.s

    def terminate(self):
        if self.n >= self.LIMIT:
            yield (self.best, self.tag, self.n)
"""
RETURNED = """
class T:
    def __init__(self):
        self.n = 0
        self.last = None

    def eval(self, r):
        if r.t is not None:
            if self.last is None:
                self.last = r.t
            elif r.t >= self.last:
                self.last = r.t
            self.n = self.n + 1

    def terminate(self):
        if self.n == 0:
            return []
        return [(self.last, self.n)]
"""
HELPERS = """
LIMIT = 6


def clip(v, low):
    if v is None:
        return low
    return v if v > low else low


class T:
    __slots__ = ("high", "warned", "first")

    def __init__(self):
        self.high = 0
        self.warned = False

    def _over(self, v):
        return v is not None and v > self.high

    def eval(self, row):
        self.first = row["k"]
        value = clip(row["n"], -5)
        if self._over(value):
            self.high = value
        if row["n"] is not None and row["n"] >= LIMIT:
            self.warned = True

    def terminate(self):
        if self.warned:
            yield Row(self.first, self.high, True)
        else:
            yield self.first, -1, False
"""
MEAN = """
class T:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def eval(self, row):
        self.total += row["x"]
        self.n += 1

    def terminate(self):
        yield self.total / self.n, self.n, row_kind(self.n)


def row_kind(n):
    if n > 2:
        return "many"
    return "few"
"""
CLASS_ATTRIBUTES = """
class T:
    seen = 0
    name = None

    def eval(self, row):
        self.seen += 1
        if row["s"] == "a" or self.name is None:
            self.name = row["s"]
        self.last = row["n"]

    def terminate(self):
        yield [self.seen, self.name, self.last]
"""
EARLY = """
class T:
    def __init__(self):
        self.a = None
        self.b = 0

    def eval(self, row):
        if row["b"]:
            self.b += 2
            return
        if row["b"] is None:
            self.a = row["n"] * 2
            return
        self.b -= 1

    def terminate(self):
        if self.b < 0:
            return
        self.b = self.b + 1
        if self.a is None:
            yield self.b, None
            return
        yield self.b, self.a
"""
MAYBE_RAISES = """
class T:
    def __init__(self):
        self.ratio = 1.0
        self.first = None

    def eval(self, row):
        if self.first is None:
            self.first = row["x"]
        if row["x"] > 2:
            self.ratio = row["x"] / (self.ratio - 2.5)
        assert self.ratio != 6.0

    def terminate(self):
        if self.ratio < 0:
            raise ValueError("negative")
        yield (self.ratio,)
"""
UNSET = """
class T:
    def eval(self, row):
        self.v = row["i"] if row["i"] is not None else 0
        self.d = row["d"]

    def terminate(self):
        yield self.v + 1 > 2, self.d
"""
ARROW = """
class T:
    def __init__(self):
        self.total = 0

    def eval(self, row):
        if row["x"] is not None and row["x"] > 0:
            self.total += row["x"]

    def terminate(self):
        yield (self.total,)
"""
METHODS = """
class T:
    def __init__(self):
        self._reset()
        self.best = None

    def _reset(self):
        self.run = 0

    def _offer(self, row, bonus):
        '''Keep the best.'''
        value = row["n"]
        if value is not None:
            value = value // 2 + bonus
            if self.best is None or value > self.best:
                old = self.best
                self.best = value
                self._note(old)
        else:
            self._reset()

    def _note(self, run):
        if run is not None:
            self.run += 1

    def eval(self, row):
        self._offer(row, self.run)
        value = -3
        if row["n"] == 7:
            self._offer(row, value)
            return
        self._note(value)

    def terminate(self):
        yield self.best, self.run
"""
CONTAINERS = """
class T:
    def __init__(self):
        self.best = []
        self.counts = {"a": 0, "b": 0}
        self.pair = [0, 0]

    def eval(self, row):
        if row["s"] == "a":
            self.counts["a"] += 1
        elif row["s"] == "b":
            self.counts["b"] += 1
        if row["n"] is None:
            self.pair[0] += 1
            return
        self.pair[1] += 1
        self.best.append(row["n"])
        self.best.sort(reverse=True)
        self.best = self.best[:2]

    def terminate(self):
        if self.best:
            yield self.best[-1], len(self.best), self.counts["a"] - self.counts["b"], self.pair[0]
"""
LEFT = """
class T:
    def __init__(self):
        self.k = None
        self.best = 0
        self.seen = False
        self.small = 0

    def offer(self, value, extra):
        for limit in (1, 5):
            if value == limit:
                self.small += 1
                return
        if value <= self.best:
            return
        self.best = value
        self.seen |= extra

    def eval(self, row):
        self.k = row["k"]
        match row["n"]:
            case None:
                return
            case n if n > 100:
                self.small -= 1
        for limit in (2, 3):
            if n == limit:
                self.best = 7
                return
        self.offer(n, n == 6)
        self.small += n > 4

    def terminate(self):
        if self.k is not None and (small := self.small) < 5:
            yield self.k, self.best, self.seen, small
"""
CASES: dict[str, UdtfCase] = {
    "methods that are left early": UdtfCase(LEFT, "k string, n long", "k string, best long, seen boolean, small long"),
    "top2 long": UdtfCase(TOP2, "k string, x long", "k string, first long, second long"),
    "top2 double": UdtfCase(TOP2, "k string, x double", "k string, first double, second double"),
    "top2 string": UdtfCase(TOP2, "k long, x string", "k long, first string, second string"),
    "top2 date": UdtfCase(TOP2, "k string, x date", "k string, first date, second date"),
    "top2 timestamp": UdtfCase(TOP2, "k string, x timestamp", "k string, first timestamp, second timestamp"),
    "top2 unknown": UdtfCase(TOP2, "k string, x long", "k string, first long, second long", known=False),
    "top2 single": UdtfCase(TOP2, "k string, x double", "k string, first double, second double", single=True),
    "guarded": UdtfCase(GUARDED, "k string, x double, s string", "best double, tag string, n long"),
    "guarded single": UdtfCase(GUARDED, "k string, x double, s string", "best double, tag string, n long", single=True),
    "returned": UdtfCase(RETURNED, "k string, t timestamp", "last timestamp, n long"),
    "helpers": UdtfCase(HELPERS, "k string, n long", "first string, high long, warned boolean"),
    "mean": UdtfCase(MEAN, "k string, x double", "mean double, n long, kind string"),
    "class attributes": UdtfCase(CLASS_ATTRIBUTES, "k string, s string, n long", "seen long, name string, last long"),
    "early returns": UdtfCase(EARLY, "k string, b boolean, n long", "b long, a long"),
    "containers": UdtfCase(CONTAINERS, "k string, n long, s string", "low long, held long, diff long, missing long"),
    "methods": UdtfCase(METHODS, "k string, n long", "best long, run long"),
    "maybe raises": UdtfCase(MAYBE_RAISES, "k string, x double", "ratio double"),
    "unset": UdtfCase(UNSET, "k string, i int, d date", "v boolean, d date"),
    "arrow": UdtfCase(ARROW, "k string, x double", "total double", arrow=True),
}  # fmt: skip
