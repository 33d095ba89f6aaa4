# ruff: noqa: E501 - programs and tables, one to a line
"""Pandas UDFs from series to one value: the folds against CPython and real pandas, then against Spark."""

from __future__ import annotations

import ast
import itertools
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from headwater.python.pandas.udaf import SeriesCall, fold_series_aggregates
from headwater.semantics.interpreter import EvaluationError, run_fold
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Scalar
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold

from .harness import ERROR, TYPES, Case, Rows, run_module, same, schema, spark_frame, stored
from .test_conformance import groups

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODULE = "import pandas as pd\nimport numpy as np\nimport math\nimport datetime\n"


@dataclass(frozen=True)
class Series:
    """A function ``f`` of all columns but the first, which is the key, and its declared return type."""

    source: str
    columns: str
    returns: str = "double"
    known: bool = True

    @cache  # noqa: B019 - a case is a constant
    def fold(self) -> Fold:
        """The fold read off the text."""
        ctx = Context.of(MODULE + self.source)
        given = schema(self.columns)
        call = SeriesCall(function(ctx), tuple(f.name for f in given.fields[1:]), Field("o", TYPES[self.returns]))
        return fold_series_aggregates(
            ctx, [call], source=given if self.known else Schema((), complete=False), keys=(given.fields[0].name,)
        )

    def real(self, rows: Rows) -> Mapping[str, Scalar] | str:
        """What Spark would store of the real function's result."""
        columns = schema(self.columns)
        frame = spark_frame(rows, columns)
        key = columns.fields[0].name
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # numpy's word on inf - inf, which yields NaN
                value = run_module(self.source)["f"](*(frame[f.name] for f in columns.fields[1:]))
            made = stored(pd.DataFrame({"o": pd.Series([value])}), schema(f"o {self.returns}"))
        except Exception:
            return ERROR
        assert made is not None
        return {key: rows[0][key], **made}

    def model(self, rows: Rows) -> Mapping[str, Scalar] | str | None:
        """What the fold computes."""
        fold = self.fold()
        ghosts = {c.name: False for c in fold.columns if c.ghost}
        try:
            return run_fold(fold, [{**row, **ghosts} for row in rows])
        except EvaluationError:
            return ERROR


def function(ctx: Context) -> ast.FunctionDef | ast.Lambda:
    """The function ``f``, or the lambda that ``f`` is."""
    found = ctx.function("f") or ctx.constant("f")
    assert isinstance(found, (ast.FunctionDef, ast.Lambda))
    return found


def short(expression: str, columns: str = "k string, v double", returns: str = "double", known: bool = True) -> Series:
    """A function of one expression."""
    names = ", ".join(c.split()[0] for c in columns.split(", ")[1:])
    return Series(f"def f({names}):\n    return {expression}\n", columns, returns, known)


LONG, INT, TEXT, FLAG, DAY = (
    "k string, v long",
    "k string, v int",
    "k string, v string",
    "k string, v boolean",
    "k string, v date",
)
TWO = "k string, v double, w long"
STATUS = "k string, v double, s string"
CASES: dict[str, Series] = {
    "max": short("v.max()"),
    "max long": short("v.max()", LONG, "long"),
    "max int as double": short("v.max()", INT),
    "max unknown": short("v.max()", known=False),
    "float of max": short("float(v.max())"),
    "min": short("v.min()"),
    "max of a timestamp": short("v.max()", "k string, v timestamp", "timestamp"),
    "sum": short("v.sum()", INT, "double"),
    "sum whole": short("v.sum()", INT, "long"),
    "mean": short("v.mean()", INT),
    "count": short("v.count()", returns="long"),
    "len": short("len(v)", returns="int"),
    "size": short("v.size", TEXT, "long"),
    "any": short("(v > 5).any()", returns="boolean"),
    "bool of any": short("bool((v > 5).any())", returns="boolean"),
    "all": short("(v > 1).all()", returns="boolean"),
    "how many": short("(v > 1).sum()", returns="long"),
    "int of how many": short("int((v > 1).sum())", returns="long"),
    "share": short("(v > 1).mean()"),
    "share of one": short("(v == 6).mean()", LONG),
    "missing": short("v.isna().sum()", returns="long"),
    "all missing": short("v.isnull().all()", TEXT, "boolean"),
    "text equal": short("(v == 'a').sum()", TEXT, "long"),
    "text not equal": short("(v != 'a').sum()", TEXT, "long"),
    "text in": short("v.isin(['a', 'b']).any()", TEXT, "boolean"),
    "dropna max": short("v.dropna().max()"),
    "dropna len": short("len(v.dropna())", TEXT, "long"),
    "masked max": short("v[v > 1].max()"),
    "masked by another": short("v[w > 1].max()", TWO),
    "masked by text": short("v[s == 'time'].max()", STATUS),
    "masked twice": short("v[(s == 'time') & (v < 6)].min()", STATUS),
    "masked count": short("v[s.isin(['time', 'place'])].count()", STATUS, "long"),
    "masked len": short("len(v[~(v > 1)])", returns="long"),
    "difference": short("v.max() - v.min()"),
    "computed max": short("(v - w).max()", TWO),
    "computed max of one": short("(v * 2.0 - 1).max()", LONG, "double"),
    "computed min of whole": short("(v + w).min()", "k string, v double, w int"),
    "computed sum": short("(v * w).sum()", "k string, v double, w int"),
    "computed mean": short("(2.0 * v + 1).mean()", INT),
    "computed count": short("(v - w).count()", TWO, "long"),
    "computed mask": short("((v - w) > 1).sum()", TWO, "long"),
    "computed not equal": short("((v - w) != 1).sum()", TWO, "long"),
    "computed masked": short("(v * w)[v > 0].max()", TWO),
    "computed twice": short("((v - w) * (v - w)).max()", TWO),
    "computed in a loop": Series("def f(v, w):\n    best = None\n    for d in v - w:\n        if d == d and (best is None or d > best):\n            best = d\n    return best", TWO),
    "conditional": short("v.max() if len(v) >= 2 else None"),
    "or zero": short("0.0 if (v > 1).sum() == 0 else v[v > 1].min()"),
    "first": short("v.iloc[0]"),
    "first text": short("v.iloc[0]", TEXT, "string"),
    "flags": short("any(v)", FLAG, "boolean"),
    "flags equal": short("(v == True).sum()", FLAG, "long"),
    "two columns compared": short("(v > w).any()", TWO, "boolean"),
    "label": short("'high' if v.max() > 5 else 'low'", returns="string"),
    "lambda": Series("f = lambda v: v.max()", "k string, v double"),
    "loop": Series("def f(v):\n    best = None\n    for x in v:\n        if x == x and (best is None or x > best):\n            best = x\n    return best", "k string, v double"),
    "loop guarded": Series("def f(v):\n    n = 0\n    for x in v:\n        if pd.isna(x) or x < 2:\n            continue\n        n += 1\n    return n", "k string, v long", "int"),
    "loop over texts": Series("def f(v):\n    n = 0\n    for x in v:\n        if x is not None and x.startswith('p'):\n            n += 1\n    return n", TEXT, "long"),
    "loop over dates": Series("def f(v):\n    last = None\n    for d in v:\n        if d is not None and (last is None or d > last):\n            last = d\n    return last", DAY, "date"),
    "loop over flags": Series("def f(v):\n    for_all = True\n    for b in v:\n        if b is not None and not b:\n            for_all = False\n    return for_all", FLAG, "boolean"),
    "zip": Series("def f(v, s):\n    best = -1.0\n    for x, t in zip(v, s):\n        if t == 'time' and x > best:\n            best = x\n    return best", STATUS),
    "zip argmax": Series("def f(v, s):\n    best, label = None, None\n    for x, t in zip(v, s):\n        if x == x and (best is None or x > best):\n            best, label = x, t\n    return label", STATUS, "string"),
    "early return": Series("def f(v):\n    if v.isna().all():\n        return None\n    top = v.max()\n    if top > 5:\n        return top\n    return -1.0", "k string, v double"),
    "helper": Series("LIMIT = 2\n\ndef good(x):\n    return x is not None and x == x and x > LIMIT\n\ndef f(v):\n    n = 0\n    for x in v:\n        if good(x):\n            n += 1\n    return n", "k string, v double", "long"),
    "raises": Series("def f(v):\n    if v.max() > 5:\n        raise ValueError('too high')\n    return len(v)", "k string, v double", "long"),
    "None compared": Series("def f(v):\n    n = 0\n    for x in v:\n        if x > 'b':\n            n += 1\n    return n", TEXT, "long"),
}  # fmt: skip


def groups_of(case: Series) -> Iterator[Rows]:
    """Groups of one to five adversarial rows."""
    return groups(Case("", case.columns, ""))


@pytest.mark.parametrize("name", sorted(CASES))
def test_fold_is_the_function(name: str) -> None:
    case = CASES[name]
    outcomes = set()
    for rows in groups_of(case):
        real, model = case.real(rows), case.model(rows)
        assert same(model, real), (name, rows, model, real)
        outcomes.add(real == ERROR)
    assert False in outcomes, "the case never runs"


def test_shape_of_the_fold() -> None:
    fold = CASES["max"].fold()
    assert fold.merge is None
    assert fold.grouped
    assert [o.name for o in fold.outputs] == ["k", "o"]
    assert [s.name for s in fold.slots] == ["max(v)"]


def test_functions_side_by_side() -> None:
    ctx = Context.of(MODULE + "def f(v):\n    return v.max()\n\ndef g(v, w):\n    return len(w)\n")
    first, second = ctx.function("f"), ctx.function("g")
    assert first is not None
    assert second is not None
    calls = [
        SeriesCall(first, ("v",), Field("top", TYPES["double"])),
        SeriesCall(second, ("v", "w"), Field("n", TYPES["long"])),
    ]
    fold = fold_series_aggregates(ctx, calls, source=schema("k string, v double, w long"), keys=())
    assert fold.grouped, "df.agg(…) of a pandas UDF has no row over nothing"
    assert run_fold(fold, []) is None
    assert run_fold(fold, [{"v": 1.0, "w": 1}, {"v": None, "w": None}]) == {"top": 1.0, "n": 2}


REFUSED: dict[str, tuple[str, str]] = {
    "def f(v):\n    return v.std()": ("opaque", "std"),
    "def f(v):\n    return v": ("opaque", "scalar"),
    "def f(v, w):\n    return v.max()": ("may-throw", "arguments"),
    "def f(v, low=0):\n    return v.max()": ("opaque", "default"),
    "def f(*v):\n    return 1.0": ("opaque", "variable"),
    "def f(v):\n    return np.random.rand()": ("volatile", "random"),
    "def f(v):\n    print(v)\n    return v.max()": ("side-effect", "print"),
    "def f(v):\n    v[0] = 1.0\n    return v.max()": ("side-effect", "changes"),
    "def f(v):\n    return v.iloc[1]": ("may-throw", "too few"),
    "def f(v):\n    return v.dropna().iloc[0]": ("may-throw", "none"),
    "def f(v):\n    return v.sort_values().iloc[0]": ("opaque", "sort_values"),
    "def f(v):\n    m = v.max()\n    return (v == m).sum()": ("opaque", "second pass"),
    "def f(v):\n    return v.max(skipna=False)": ("opaque", "skipna"),
    "def f(v):\n    return (v / 2).max()": ("opaque", "scalar"),
    "def f(v):\n    return (v - v.max()).min()": ("opaque", "constant"),
    "def f(v):\n    return ((v > 1) + (v > 2)).max()": ("opaque", "mask"),
    "def f(v, n):\n    return (n + 1).max()": ("opaque", "wraps"),
    "def f(v):\n    return (v * 3000000000).max()": ("opaque", "constant"),
    "def f(v):\n    return str(v.max())": ("opaque", "prints"),
}  # fmt: skip


@pytest.mark.parametrize("source", sorted(REFUSED))
def test_refused(source: str) -> None:
    obstruction, word = REFUSED[source]
    ctx = Context.of(MODULE + source + "\n")
    columns = ("v", "n") if "(v, n)" in source else ("v",)
    call = SeriesCall(function(ctx), columns, Field("o", TYPES["double"]))
    with pytest.raises(Refusal) as caught:
        fold_series_aggregates(ctx, [call], source=schema("k string, v double, n int"), keys=("k",))
    assert caught.value.obstruction == obstruction, caught.value.reason
    assert word in caught.value.reason


# --- on Spark


@pytest.mark.spark
@pytest.mark.parametrize("name", sorted(set(CASES) - {"raises", "None compared", "max unknown"}))
def test_spark_agrees(name: str, spark: SparkSession) -> None:
    """Rows inside a group have no order: Spark's result must be that of some permutation."""
    from pyspark.sql.functions import PandasUDFType, pandas_udf

    case = CASES[name]
    fields = schema(case.columns).fields
    given: list[tuple[Scalar, Rows]] = []
    for rows in groups_of(case):
        own = None if not given else f"k{len(given)}"
        renamed = [{**row, "k": own} for row in rows]
        if len(rows) <= 3 and all(case.real(list(p)) != ERROR for p in itertools.permutations(renamed)):
            given.append((own, renamed))
    assert len(given) > 5
    rows_of_all = [tuple(row[f.name] for f in fields) for _, group in given for row in group]
    frame = spark.createDataFrame(rows_of_all, case.columns.replace(" ", ": ").replace(",:", ","))
    made: Any = pandas_udf(run_module(case.source)["f"], case.returns, PandasUDFType.GROUPED_AGG)
    found = {
        r["k"]: r.asDict() for r in frame.groupBy("k").agg(made(*(f.name for f in fields[1:])).alias("o")).collect()
    }
    for key, group in given:
        expected = [case.model(list(p)) for p in itertools.permutations(group)]
        assert any(same(found[key], e) for e in expected), (group, found[key], expected)


@pytest.mark.spark
def test_how_spark_runs_them(spark: SparkSession) -> None:
    """No row over nothing, not even without keys; generated names; native aggregates beside them are refused."""
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions as F

    def length(v: pd.Series) -> int:
        return len(v)

    udf: Any = F.pandas_udf(length, "long")
    frame = spark.createDataFrame([("a", 1.0), ("a", None)], "k string, v double")
    nothing = frame.filter("v > 5")
    for empty in (nothing, spark.createDataFrame([], "k string, v double")):
        assert empty.agg(udf("v")).collect() == []
        assert empty.groupBy().agg(udf("v")).collect() == []
        assert empty.groupBy("k").agg(udf("v")).collect() == []
    assert frame.agg(udf(frame.v)).columns == ["length(v)"]
    assert frame.groupBy("k").agg(udf("v")).collect()[0]["length(v)"] == 2
    with pytest.raises(AnalysisException, match="INVALID_PANDAS_UDF_PLACEMENT"):
        frame.groupBy("k").agg(udf("v"), F.count("*")).collect()


@pytest.mark.spark
def test_what_the_hints_say(spark: SparkSession) -> None:
    """The kinds that ``pyspark.api.user_functions.pandas_udf`` tells apart are Spark's."""
    from pyspark.sql.functions import PandasUDFType, pandas_udf

    def hinted(v: pd.Series) -> float:
        return 0.0

    def mapping(v: pd.Series) -> pd.Series:
        return v

    def plain(v):  # type: ignore[no-untyped-def]
        return 0.0

    kinds = [
        pandas_udf(hinted, "double"), pandas_udf(mapping, "double"), pandas_udf(plain, "double"),
        pandas_udf(plain, "double", PandasUDFType.GROUPED_AGG), pandas_udf("double", PandasUDFType.GROUPED_AGG)(plain),
        pandas_udf(returnType="double")(hinted),
    ]  # fmt: skip
    aggregate, scalar = PandasUDFType.GROUPED_AGG, PandasUDFType.SCALAR
    assert [k.evalType for k in kinds] == [aggregate, scalar, scalar, aggregate, aggregate, aggregate]
