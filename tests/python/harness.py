"""A Python function beside the fold that is read off its text: on real pandas, pyarrow or CPython, and on Spark.

A ``Case`` is a function of a group of rows. What each kind of function is given and what becomes of its result stands
in ``functions.py``, ``arrow/arrow_cases.py`` and ``udtf/udtf_cases.py``; what is asked of all of them stands here.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from headwater.semantics.interpreter import EvaluationError, run_fold
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.spark_versions import MEASURED, Targets
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Scalar
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold
from headwater_ir.types import (
    BOOL,
    DATE,
    DECIMAL,
    FLOAT,
    FLOAT32,
    INT32,
    INT64,
    OPAQUE,
    STRING,
    TIMESTAMP,
    Type,
    list_of,
)
from tests.mdtest.cases import fields_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Rows = Sequence[Mapping[str, Scalar]]
Stored = Mapping[str, Scalar] | str | None
"""The row that a function gives for a group; none; or ``ERROR``."""
ERROR = "error"
TYPES: dict[str, Type] = {
    "int": INT32, "long": INT64, "double": FLOAT, "float": FLOAT32, "string": STRING, "boolean": BOOL, "date": DATE,
    "timestamp": TIMESTAMP, "decimal": DECIMAL, "binary": OPAQUE, "array<string>": list_of(STRING),
}  # fmt: skip
VALUES: dict[str, list[Scalar]] = {
    "int": [None, 0, 1, 2, 6, 7, -3, 2**31 - 1],
    "float": [None, math.nan, 0.0, -0.0, 1.0, 2.5, 6.0, -1.0, math.inf, -math.inf],
    "string": [None, "", "a", "b", "time", "place", "premium"],
    "bool": [None, True, False],
    "date": [None, dt.date(2024, 1, 1), dt.date(2023, 12, 31)],
    "timestamp": [None, dt.datetime(2024, 1, 1), dt.datetime(2023, 12, 31, 23, 59, 59)],
}


def schema(ddl: str, complete: bool = True) -> Schema:
    """A schema from ``"a long, b string not null"``."""
    return Schema(tuple(Field(f.name, TYPES[f.type], f.nullable) for f in fields_of(ddl) if ddl), complete)


def context_of(text: str) -> Context:
    """A module for the version of Spark that is installed, which the tests run beside."""
    found = Context.of(text)
    Names(found, Targets(MEASURED[-1:]))
    return found


def run_module(source: str) -> dict[str, Any]:
    """The names that a module of ours defines."""
    namespace: dict[str, Any] = {}
    exec(_compiled(source), namespace)
    return namespace


@cache
def _compiled(source: str) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # random programs write `0 is None`
        return compile(source, "<case>", "exec")


def same(a: object, b: object) -> bool:
    """Equality of results; NaN equals NaN."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


@dataclass(frozen=True)
class Case:
    """The text of a function, the schema of its input (the first column is the key) and its declared output.

    ``known``: the front end is told the schema of the input; ``sorted_by``: the column by which the function sorts its
    rows; ``drops_errors``: an error that a single row causes may be missing in the fold.
    """

    source: str
    columns: str
    output: str
    known: bool = True
    sorted_by: str = ""
    drops_errors: bool = False
    prelude: ClassVar[str] = "import pandas as pd\nimport numpy as np\nimport math\nimport re\nimport datetime\n"

    @abstractmethod
    def read(self, ctx: Context, given: Schema) -> Fold:
        """The fold that the front end reads off the text over columns ``given``."""

    @abstractmethod
    def run(self, names: dict[str, Any], rows: Rows) -> Stored:
        """What Spark would store of the real function's result; ``names``: what the module defines. May raise."""

    def on_spark(self, frame: DataFrame) -> Iterator[Sequence[Any]]:
        """The rows that Spark gives for all groups, the key first; once for each way to run the function."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """The module."""
        return self.prelude + self.source

    @property
    def key(self) -> str:
        """The name of the key column."""
        return self.columns.split()[0]

    @property
    def given(self) -> Schema:
        """The schema that the front end is told."""
        return schema(self.columns) if self.known else Schema((), complete=False)

    @cache  # noqa: B019 - a case is a constant
    def fold(self) -> Fold:
        """The fold read off the text."""
        return self.read(context_of(self.text), self.given)

    def real(self, rows: Rows) -> Stored:
        """What Spark would store of the real function's result."""
        try:
            return self.run(run_module(self.text), rows)
        except Exception:
            return ERROR

    def model(self, rows: Rows) -> Stored:
        """What the fold computes; NULLs of columns of unknown type are NaN."""
        fold = self.fold()
        if (by := self.sorted_by) and rows:
            rows = sorted(rows, key=lambda r: (r[by] is None or r[by] != r[by], r[by] or 0))
        ghosts = {c.name: False for c in fold.columns if c.ghost}
        try:
            return run_fold(fold, [{**row, **ghosts} for row in rows])
        except EvaluationError:
            return ERROR

    def groups(self) -> Iterator[Rows]:
        """Groups of one to five rows; the key is the same in each."""
        key, *others = schema(self.columns).fields
        for value in [v for v in VALUES[key.type.name] if v != ""][:3]:
            for size, seed in itertools.product((1, 2, 3, 5), range(12)):
                chance = random.Random(f"{value}{size}{seed}")
                # A third of the groups has no None.
                pools = {f.name: VALUES[f.type.name][1 if seed % 3 == 0 else 0 :] for f in others}
                yield [{key.name: value, **{n: chance.choice(p) for n, p in pools.items()}} for _ in range(size)]


AnyCase = TypeVar("AnyCase", bound=Case)


def dropping_errors(cases: dict[str, AnyCase], *beginnings: str) -> dict[str, AnyCase]:
    """The cases, those with such names as ones that may drop the errors of single rows."""
    return {n: replace(c, drops_errors=True) if n.startswith(beginnings) else c for n, c in cases.items()}


def outcomes(case: Case) -> set[str]:
    """What the function gives for its groups, ``ERROR`` where it raises: for each the fold gives the same."""
    found = set()
    for rows in case.groups():
        real, model = case.real(rows), case.model(rows)
        found.add(ERROR if real == ERROR else repr(real))
        assert same(model, real) or (real == ERROR and case.drops_errors), (case.source, rows, model, real)
    return found


def understood(case: Case) -> bool:
    """Whether a fold is read off a random function, and it ran: where it does, the fold gives what it gives. (Errors of
    a row alone are not modelled: where the function raises, the fold may give a value.)"""
    try:
        case.fold()
    except Refusal:
        return False
    return outcomes(replace(case, drops_errors=True)) != {ERROR}


@dataclass(frozen=True)
class Refused:
    """A function of which no fold is read. ``obstruction``: one of those between ``|``, or any; ``words``: a pattern
    that the reason fits."""

    case: Case
    obstruction: str = ""
    words: str = ""


def agrees_on_spark(case: Case, spark: SparkSession) -> None:
    """Spark gives for each group what the fold gives for one permutation of its rows, which have no order there."""
    given = groups_without_errors(case)
    assert len(given) > 5
    names = [f.name for f in schema(case.columns).fields]
    frame = spark.createDataFrame([tuple(row[n] for n in names) for g in given.values() for row in g], case.columns)
    expected = {key: [case.model(p) for p in map(list, itertools.permutations(g))] for key, g in given.items()}
    outputs = [f.name for f in case.fold().outputs]
    for rows in case.on_spark(frame):
        found = {row[0]: dict(zip(outputs, row[len(row) - len(outputs) :], strict=True)) for row in rows}
        assert len(found) == len(rows)
        for key, possible in expected.items():
            assert any(same(found.get(key), e) for e in possible), (case.source, given[key], found.get(key), possible)


def groups_without_errors(case: Case) -> dict[Scalar, Rows]:
    """Groups of up to three rows whose function raises in no order, each with its own key: of every other one."""
    t, found = schema(case.columns).fields[0].type, dict[Scalar, Rows]()
    for n, rows in enumerate(itertools.islice(case.groups(), 0, None, 2)):
        keys: dict[str, Scalar] = {"string": f"k{n}", "date": dt.date(2024, 1, 1) + dt.timedelta(n)}
        own = keys.get(t.name, n) if n else None
        renamed = [{**row, case.key: own} for row in rows]
        if len(rows) <= 3 and all(case.real(p) != ERROR for p in map(list, itertools.permutations(renamed))):
            found[own] = renamed
    return found
