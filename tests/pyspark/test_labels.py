"""What is read of masked rows without their labels is the same without the rows that no mask takes, and what shows the
labels is known to: each reading of the tables beside the installed pandas."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from headwater.pyspark.walls.column_choice import ColumnChoice
from headwater.pyspark.walls.pandas_frames import labels
from headwater.pyspark.walls.pandas_frames.labels import Labels, LabelsSeenError
from headwater.pyspark.walls.places import Places
from tests.driver_values import canonical

UNSEEN = """
len(m)
m.shape
m.shape[0]
m.empty
m.size
m.ndim
list(m.columns)
m.values
m.iloc[1:].values
m[["tier", "x"]].to_numpy()
m[m.x > 2].to_numpy()
m.loc[m["x"] > 2].to_numpy()
m[(m.x > 2) & ~m.tier.isin(["b"]) | m.tier.isna()].to_numpy()
m[m.x.between(1, 4)].to_numpy()
m[m.x.eq(2.5)].to_numpy()
m[m.x.ne(2.5)].to_numpy()
m[m.x.ge(2.5)].to_numpy()
m[m.x.gt(2.5)].to_numpy()
m[m.x.le(2.5)].to_numpy()
m[m.x.lt(2.5)].to_numpy()
m[m.tier.isnull() | m.x.notnull() | m.x.notna()].to_numpy()
m.to_numpy()
m.copy().to_dict("records")
m.head(2).to_dict(orient="list")
m.tail(1).to_dict("records")
m.sort_values("x").to_dict("records")
m.sort_values("x", ignore_index=True)
m.drop_duplicates("tier").to_dict("records")
m.drop_duplicates(ignore_index=True)
m.dropna().to_dict("records")
m.dropna(ignore_index=True)
m.nlargest(2, "x").to_dict("records")
m.nsmallest(2, "x").to_dict("records")
m.fillna({"tier": "none"}).to_dict("records")
m.reset_index(drop=True)
m.drop(columns=["x"]).to_dict("records")
m.rename(columns={"x": "y"}).to_dict("records")
m.rename(columns={"x": "y"})["y"].tolist()
m.to_csv(index=False)
m.to_string(index=False)
m.to_html(index=False)
m.to_json(orient="records")
m.to_json(orient="values")
list(m.itertuples(index=False))
m.melt(id_vars="tier")
m.pivot_table(index="tier", values="x")
m.set_index("tier")
m.count()
m.max(numeric_only=True)
m.mean(numeric_only=True)
m.median(numeric_only=True)
m.min(numeric_only=True)
m.nunique()
m.std(numeric_only=True)
m.sum(numeric_only=True, skipna=True)
m.var(numeric_only=True)
m.merge(names, on="tier")
m.merge(right=names, how="left", left_on="tier", right_on="tier")
pd.merge(m, names, on="tier")
m.groupby("tier")["x"].sum()
m.groupby(["tier"], as_index=False)[["x", "n"]].mean()
m.groupby("tier").agg("max")
m.groupby("tier").agg({"x": "sum"})
m.groupby("tier", dropna=False).size()
m.groupby("tier")["x"].first()
m.groupby("tier")["x"].last()
m.groupby("tier").aggregate({"x": "std"})
m["x"].tolist()
m.x.to_list()
m.x.to_numpy()
m.x.values
m.x.iloc[0]
m.x.iloc[-1]
m.x.sum()
m.x.prod()
m.x.max()
m.x.min()
m.x.mean()
m.x.median()
m.x.std()
m.x.var()
m.x.quantile(0.5)
m.x.count()
m.x.nunique()
m.tier.unique()
m.tier.mode()
m.tier.value_counts()
m.flag.any()
m.flag.all()
m.x.size
m.x.shape
m.x.empty
m.x.ndim
m.x.dtype
m.x.abs().tolist()
m.x.apply(lambda v: v + 1).tolist()
m.tier.map(lambda v: str(v)).tolist()
m.tier.map({"a": "A"}).tolist()
m.x.astype(str).tolist()
m.x.between(1, 3).tolist()
m.x.copy().tolist()
m.x.cumsum().tolist()
m.x.cummax().tolist()
m.x.cummin().tolist()
m.x.diff().tolist()
m.x.shift(1).tolist()
m.tier.drop_duplicates().tolist()
m.tier.dropna().tolist()
m.tier.fillna("none").tolist()
m.x.head(2).tolist()
m.x.tail(2).tolist()
m.tier.isin(["a"]).sum()
m.tier.isna().sum()
m.tier.isnull().sum()
m.tier.notna().sum()
m.tier.notnull().sum()
m.x.nlargest(2).tolist()
m.x.nsmallest(2).tolist()
m.x.round(0).tolist()
m.x.sort_values().tolist()
m.tier.str.upper().tolist()
m.tier.str.len().max()
m.when.dt.year.tolist()
len(m.x)
list(m.x)
sorted(m.x)
set(m.x)
tuple(m.x)
sum(m.x)
max(m.x)
min(m.x)
any(m.flag)
all(m.flag)
list(zip(m.tier, m.x))
list(enumerate(m.x))
[v for v in m.x]
"""
"""Readings that the tables let pass."""
SEEN = """
m
m.x
m.index
m.x.index
m.to_dict()
m.to_dict("index")
m.to_csv()
m.to_json()
m.to_string()
m.reset_index()
m.itertuples()
m.sort_values("x")
m.head(2)
m[["x"]]
m.iloc[0]
m.loc[1]
m.x.to_dict()
m.x.sort_values()
m.x.head(1)
m.x.apply(lambda v: v)
m.x.idxmax()
m.sum(axis=1, numeric_only=True)
m.max(axis=1, numeric_only=True)
m.x + 1
m.x == 2.5
dict(m.x)
m.x.items()
m.groupby("tier").apply(lambda g: g.index[0])
m.groupby("tier")["x"].agg(lambda s: s.index[0])
m.groupby("tier")["x"].cumsum()
m.groupby("tier").groups
m.sort_values("x", key=lambda s: -s.index)
m.query("index > 1")["x"].tolist()
m.merge(names, left_index=True, right_index=True)
m.melt(ignore_index=False)
m.set_index("tier", append=True)
m.rename(index={1: 9})
m.pivot(columns="tier", values="x")
m[m.index > 1].to_numpy()
m[other.x > 2].to_numpy()
m[m.x.shift() > 2].to_numpy()
m.join(other, rsuffix="_")
m.agg(lambda s: s.index[0])
m.T
m.describe(include="all").T
m.x.reset_index()
m.x.str.cat(other.tier)
1 in m.x
other.join(m)
print(m)
repr(m)
str(m.x)
format(m)
f"{m}"
"""
"""Readings that show the labels, or may do so."""
HANDED = """
ax.plot(m.x)
ax.hist(m.x)
ax.boxplot(m.x)
model.fit(m)
"""
"""Readings that show the labels, or give them to code that is not here: they must not matter there."""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


ASSUMED: dict[str, list[str]] = {}
"""What must be so where each reading passes."""


class Constants(ColumnChoice):
    """Columns that texts in the reading name; no variable names any."""

    def __init__(self) -> None:
        self._variables = self._calls = False


def looked_at(reading: str) -> object:
    """The columns that ``reading`` looks at of ``m``; LabelsSeenError where it may look at labels."""
    body = ast.parse(f"m = start\nresult = ({reading}, 0)").body
    origin = body[0]
    assert isinstance(origin, ast.Assign)
    names = {"len", "list", "sorted", "set", "tuple", "sum", "max", "min", "any", "all", "zip", "enumerate", "dict"}
    names |= {"print", "repr", "str", "format"}

    def resolve(node: ast.expr) -> str | None:
        text = ast.unparse(node)
        return f"builtins.{text}" if text in names else "pandas.merge" if text == "pd.merge" else None

    found = Labels(Places(body), lambda _: False, resolve, Constants())
    columns = found.looked_at(origin.value, "frame")
    ASSUMED[reading] = [a.text for a in found.assumed()]
    return columns


def frames() -> tuple[Any, Any]:
    """Masked rows of a whole frame, and of one without the others."""
    import pandas as pd

    when = pd.to_datetime(["2024-01-01", "2023-05-05", "2022-01-01", "2021-01-01", "2020-01-01", "2019-01-01"])
    whole = pd.DataFrame({
        "tier": ["c", "a", "c", None, "a", "b"], "x": [9.5, 2.5, 8.5, 4.0, -1.5, 2.5], "n": [1, 2, 3, 4, 5, 6],
        "flag": [True, False, True, True, False, True], "when": when,
    })  # fmt: skip
    part = whole[whole.tier != "c"].reset_index(drop=True)
    return whole[whole.tier != "c"], part[part.tier != "c"]


def evaluated(reading: str, m: Any) -> object:
    import pandas as pd

    names = pd.DataFrame({"tier": ["a", "b"], "name": ["A", "B"]})
    other = pd.DataFrame({"tier": list("abcdef"), "x": [9.0, 1.0, 9.0, 9.0, 1.0, 1.0]})
    return canonical(eval(reading, {"m": m, "pd": pd, "names": names, "other": other}))


@pytest.mark.parametrize("reading", lines(UNSEEN))
def test_a_reading_that_passes_is_the_same_without_the_other_rows(reading: str) -> None:
    looked_at(reading)
    whole, part = frames()
    assert evaluated(reading, whole) == evaluated(reading, part)


@pytest.mark.parametrize("reading", lines(SEEN))
def test_a_reading_that_may_show_labels_is_refused(reading: str) -> None:
    with pytest.raises(LabelsSeenError):
        looked_at(reading)


@pytest.mark.parametrize("reading", lines(HANDED))
def test_that_labels_do_not_matter_is_assumed(reading: str) -> None:
    looked_at(reading)
    (assumed,) = ASSUMED[reading]
    assert assumed.startswith("the labels of the rows, their places in the whole frame, do not matter in `")


@pytest.mark.parametrize("reading", lines(UNSEEN))
def test_nothing_is_assumed_where_labels_are_not_looked_at(reading: str) -> None:
    looked_at(reading)
    assert ASSUMED[reading] == []


TABLES = [v for n, v in vars(labels).items() if isinstance(v, frozenset) and all(isinstance(x, str) for x in v)]


def test_every_entry_of_the_tables_is_tried() -> None:
    spoken = {
        w
        for line in lines(UNSEEN + HANDED)
        for n in ast.walk(ast.parse(line))
        for w in (getattr(n, "attr", ""), getattr(n, "id", ""))
    }
    files = {"to_excel", "to_markdown", "to_parquet", "to_sql"}  # they need a file, or another library
    wanted = frozenset[str]().union(*(t for t in TABLES if t is not labels.PANDAS)) - files
    assert wanted - spoken == set()


def test_columns_that_are_looked_at() -> None:
    assert looked_at('m[["tier", "x"]].to_numpy()') == {"tier", "x"}
    assert looked_at("m.x.sum()") == {"x"}
    assert looked_at("len(m)") == set()
    assert looked_at('m.groupby("tier")["x"].sum()') == {"tier", "x"}
    assert looked_at('m.rename(columns={"x": "y"})["y"].tolist()') is None
    assert looked_at("m.to_numpy()") is None
