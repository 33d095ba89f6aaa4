"""The tables of ``docs/semantics.md`` on the way into and out of Python: what is put in, how it is measured, and how
the measurement is printed. ``python -m tests.conformance write`` writes them anew."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import paths

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOCUMENT = Path(__file__).parents[2] / "docs" / "semantics.md"
ZONE = "spark.sql.session.timeZone"
BEGIN, END = "<!-- measured: {} -->", "<!-- end of measured: {} -->"

IN_VALUES: tuple[tuple[str, str], ...] = (
    ("tinyint", "1"), ("int", "-2**31"), ("bigint", "2**53 + 1"), ("bigint", "-2**63"),
    ("float", "0.1"), ("double", "1.5"), ("double", "nan"), ("double", "-0.0"), ("double", "-inf"),
    ("decimal(10,2)", "Decimal('1.5')"), ("string", "''"), ("string", "'\U0001f600'"), ("boolean", "True"),
    ("date", "date(1, 1, 1)"), ("date", "date(9999, 12, 31)"), ("timestamp", "datetime(2024, 2, 29, 12, tzinfo=UTC)"),
    ("timestamp_ntz", "datetime(2024, 2, 29, 12)"), ("binary", "b'a'"), ("array<int>", "[1, None]"),
)  # fmt: skip
"""Spark type and value of each column that goes into Python."""

_RETURNED = {
    "long": "None nan 90.0 90.5 2**53+1 2**63 True '7' Decimal('7')",
    "int": "7.0 2**31",
    "double": "None nan inf -0.0 1 2**53+1 True '1.5' Decimal('1.5')",
    "float": "0.1 1e39 1",
    "string": "None nan '' '\U0001f600' 5 2.5 True",
    "boolean": "None nan 0 1 0.0 'true' ''",
    "date": "None nan date(1,1,1) date(9999,12,31) datetime(2024,2,29,12) '2024-02-29' 1",
    "timestamp": "None nan datetime(2024,2,29,12) datetime(2024,2,29,12,tzinfo=UTC) date(2024,2,29)",
    "decimal(10,2)": "None Decimal('1.5') Decimal('1.234') 1 1.5 Decimal('NaN')",
}
_COLUMNS = {
    "long": "[1,None] [2**53+1,None] [1.0,nan] [1.5,nan] [True,None] pd.array([1,None],'Int64')",
    "double": "[1,None] [1.5,None] [1.5,nan] [inf,pd.NA]",
    "string": "['a',None] ['a',nan] ['',pd.NaT] ['a',1]",
    "boolean": "[True,None] [True,nan] [1,nan] pd.array([True,None],'boolean')",
    "date": "[date(2024,2,29),None] [date(2024,2,29),nan] [date(2024,2,29),pd.NaT] [pd.Timestamp('2024-02-29'),pd.NaT]",
    "timestamp": "[pd.Timestamp('2024-02-29'),None] [datetime(2024,2,29),nan] [pd.NaT,None]",
}
Cases = tuple[tuple[str, str], ...]


def _cases(by_type: Mapping[str, str]) -> Cases:
    return tuple((t, v) for t, values in by_type.items() for v in values.split(" "))


OUT_VALUES = _cases(_RETURNED)
"""Declared type and returned value, one column each."""
OUT_COLUMNS = _cases(_COLUMNS)
"""Declared type and returned pandas column."""

Column = tuple[str, ...]
"""What one API makes of each row of a table."""


def value_of(text: str) -> Any:
    """The value that a table spells."""
    import pandas

    return eval(text, {**paths.NAMES, "pd": pandas})


def into(spark: SparkSession, api: str) -> Column:
    """What Python sees by ``api``: of each value alone, and beside a NULL. The session's time zone is another than that
    of the operating system."""
    zone = str(spark.conf.get(ZONE))
    spark.conf.set(ZONE, "Asia/Tokyo")
    try:
        return _seen(spark, api)
    finally:
        spark.conf.set(ZONE, zone)


def _seen(spark: SparkSession, api: str) -> Column:
    values = [value_of(v) for _, v in IN_VALUES]
    schema = ", ".join(f"c{i} {t}" for i, (t, _) in enumerate(IN_VALUES))
    alone = spark.createDataFrame([tuple(values)], schema).coalesce(1)
    beside = spark.createDataFrame([(None,) * len(values), tuple(values)], schema).coalesce(1)
    return (*paths.INTO[api](alone), *paths.INTO[api](beside))


Skip = Callable[[int], bool]


def out(spark: SparkSession, api: str, raising: Iterable[int] = (), skip: Skip = lambda _: False) -> Column:
    """What Spark stores by ``api`` of each value. ``raising``: the rows that are thought to raise; the others are
    tried all at once, these one by one, but those that ``skip`` names are believed."""

    def stored(types: list[str], values: list[Any]) -> list[str]:
        return [shown(v) for v in paths.OUT[api](spark, types, values)]

    return _measured(OUT_VALUES, stored, frozenset(raising), skip)


def columns_out(spark: SparkSession, api: str, raising: Iterable[int] = (), skip: Skip = lambda _: False) -> Column:
    """What Spark stores by ``api`` of each pandas column."""

    def stored(types: list[str], values: list[Any]) -> list[str]:
        rows = paths.COLUMNS[api](spark, types, values).collect()
        return [", ".join(map(shown, column)) for column in zip(*rows, strict=True)]

    return _measured(OUT_COLUMNS, stored, frozenset(raising), skip)


def shown(value: object) -> str:
    """A stored value."""
    return "NULL" if value is None else paths.image(value)


def _measured(
    cases: Cases, stored: Callable[[list[str], list[Any]], list[str]], raising: frozenset[int], skip: Skip
) -> Column:
    def tried(rows: Sequence[int]) -> list[str] | None:
        types, values = [cases[i][0] for i in rows], [value_of(cases[i][1]) for i in rows]
        try:
            return stored(types, values)
        except Exception:  # whatever ends the user's job is an error of the pipeline
            return None

    good = [i for i in range(len(cases)) if i not in raising]
    found: dict[int, str] = {i: "error" for i in raising if skip(i)}
    found |= dict(zip(good, tried(good) or (), strict=False))
    for i in range(len(cases)):
        if i not in found:
            found[i] = (tried([i]) or ["error"])[0]
    return tuple(found[i] for i in range(len(cases)))


# --- Markdown


def grouped(columns: Mapping[str, Column]) -> dict[Column, list[str]]:
    """The APIs, those together that do the same."""
    found: dict[Column, list[str]] = {}
    for api, column in columns.items():
        found.setdefault(column, []).append(api)
    return found


def into_markdown(columns: Mapping[str, Column]) -> str:
    """One table for each way in which APIs show values; of one much like an earlier, the rows that differ."""
    lines: list[str] = []
    half, earlier = len(IN_VALUES), dict[Column, str]()
    for column, apis in grouped(columns).items():
        nearest = min(earlier, key=lambda c: len(_differing(c, column)), default=None)
        rows = list(range(half)) if nearest is None else sorted({i % half for i in _differing(nearest, column)})
        like = ""
        if nearest is not None and len(rows) <= half / 2:
            like = f", as {earlier[nearest]} but for:"
        else:
            rows = list(range(half))
        lines += [f"**{'; '.join(apis)}**{like}", "", "| Spark | alone | NULL, then it |", "| --- | --- | --- |"]
        lines += [f"| {' '.join(_cell(IN_VALUES[i]))} | {code(column[i])} | {code(column[half + i])} |" for i in rows]
        lines.append("")
        earlier[column] = apis[0]
    return "\n".join(lines)


def _differing(a: Column, b: Column) -> list[int]:
    return [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]


def _cell(case: tuple[str, str]) -> tuple[str, str]:
    return case[0], f"`{case[1]}`"


def out_markdown(cases: Cases, columns: Mapping[str, Column]) -> str:
    """One table; a letter stands for APIs that do the same."""
    groups = grouped(columns)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(groups)]
    lines = [f"- **{letter}** {'; '.join(apis)}" for letter, apis in zip(letters, groups.values(), strict=True)]
    lines += ["", f"| declared | returned | {' | '.join(letters)} |", f"|{' --- |' * (len(groups) + 2)}"]
    for i, case in enumerate(cases):
        lines.append(f"| {' | '.join(_cell(case))} | {' | '.join(code(column[i]) for column in groups)} |")
    return "\n".join([*lines, ""])


def code(text: str) -> str:
    """A cell; words are left plain."""
    return text if text in ("NULL", "error", "") else f"`{text}`"


def block(name: str, text: str) -> str:
    """``text`` between its marks."""
    return f"{BEGIN.format(name)}\n\n{text}\n{END.format(name)}"


def documented(name: str) -> str:
    """The block of that name in the document, marks included."""
    whole = DOCUMENT.read_text(encoding="utf-8")
    start = whole.index(BEGIN.format(name))
    return whole[start : whole.index(END.format(name)) + len(END.format(name))]


def raising(name: str, api: str) -> frozenset[int]:
    """The rows of a table of results that the document says raise by ``api``."""
    letter: str | None = None
    rows: list[list[str]] = []
    for line in documented(name).splitlines():
        if line.startswith("- **") and api in line[8:].split("; "):
            letter = line[4]
        elif line.startswith("| ") and not line.startswith("| --- "):
            rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    if letter is None:
        return frozenset()
    place = rows[0].index(letter)
    return frozenset(i for i, row in enumerate(rows[1:]) if row[place] == "error")


def write(name: str, text: str) -> None:
    """Put a measured block into the document."""
    whole = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(whole.replace(documented(name), block(name, text)), encoding="utf-8")


def difference(name: str, text: str) -> str:
    """What the document says otherwise than the measurement; empty if nothing."""
    said, measured = documented(name).splitlines(), block(name, text).splitlines()
    return "\n".join(difflib.unified_diff(said, measured, "docs/semantics.md", "measured", lineterm="", n=0))
