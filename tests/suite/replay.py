"""Runs chains of the suite on Spark, as they stand and rewritten by the tool, on small tables.

A chain is cut out of its file (the other annotated statements become blank lines, so that places stay), its sources are
redirected to the generated tables, and the rewrite is the tool's own edit of that text.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from benchmarks.synthesis.annotations import expectations
from benchmarks.synthesis.suite import Problem

from headwater_ir.verdict import Counterexample
from tests.mdtest.cases import Case, Table
from tests.mdtest.replay import run_all, run_both
from tests.results import Failed, Result, Rows

from .rows import guided, random_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AS_FRAME = "if not hasattr(result, 'select'): result = result.map(lambda x: x if isinstance(x, tuple) else (x,))\n"
TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True)
class Chain:
    """One chain alone in its file's text, leaving its value in ``result``; ``rewritten`` is None where the tool has
    nothing to rewrite. ``tables``: the sources that it reads."""

    problem: Problem
    source: str
    rewritten: str | None
    tables: tuple[Table, ...]

    @property
    def case(self) -> Case:
        """What the replay of the Markdown specifications takes."""
        name = self.problem.name
        return Case(name, self.problem.file.name, self.problem.expected.line, self.source, (), (), self.tables)


def chain_of(spark: SparkSession, problem: Problem) -> Chain | None:
    """The chain of ``problem``; None where it stands in a function, whose arguments nobody knows."""
    text = isolated(problem)
    if text is None:
        return None
    rewritten = rewrite(text)
    return Chain(problem, ending(text), rewritten and ending(rewritten), sources(spark, text))


def isolated(problem: Problem) -> str | None:
    """The file without the other annotated statements, the chain assigned to ``result``."""
    source = problem.file.read_text(encoding="utf-8")
    lines = source.splitlines()
    expected = problem.expected
    statement = next(
        (s for s in ast.parse(source).body if (s.lineno, s.end_lineno) == (expected.start, expected.end)), None
    )
    if not isinstance(statement, (ast.Expr, ast.Assign)):
        return None
    for other in expectations(source, problem.file.name):
        if other != expected:
            lines[other.start - 1 : other.end] = [""] * (other.end - other.start + 1)
    if isinstance(statement, ast.Expr):
        lines[expected.start - 1] = "result = " + lines[expected.start - 1]
    else:
        lines[expected.end - 1] += f"; result = {ast.unparse(statement.targets[0])}"
    return "\n".join(lines) + "\n"


def ending(text: str) -> str:
    """``text`` with an RDD's records made rows."""
    return text + _AS_FRAME


def rewrite(text: str) -> str | None:
    """The tool's own edits of ``text``, or None if it has none."""
    from headwater.engine.analysis.analyse import Options, analyse
    from headwater.rewrite.edits import apply_edits

    edits = [e for o in analyse(text, Options(timeout_seconds=TIMEOUT_SECONDS)).opportunities for e in o.edits]
    return apply_edits(text, tuple(edits)) if edits else None


def sources(spark: SparkSession, text: str) -> tuple[Table, ...]:
    """The tables that the text reads with a schema of its own, in order."""
    from pyspark.sql.types import StructType

    from .rows import fields_of

    with redirected(spark, to_views=False) as asked:
        exec(compile(text, "suite", "exec"), {"__name__": "suite"})
    found = {name: Table(name, ddl, fields_of(StructType.fromDDL(ddl)), (), True) for name, ddl in asked.items()}
    return tuple(found.values())


@contextmanager
def redirected(spark: SparkSession, to_views: bool = True) -> Iterator[dict[str, str]]:
    """While it is open, reads go to temporary views of the same name, or to empty frames. The answer: name → DDL of
    what was read."""
    reader = type(spark.read)
    asked: dict[str, str] = {}
    kept = {name: getattr(reader, name) for name in ("schema", "parquet", "orc", "json", "csv", "load", "table")}

    def schema(self: Any, ddl: Any) -> Any:
        self._headwater_ddl = ddl if isinstance(ddl, str) else ddl.toDDL()
        return kept["schema"](self, ddl)

    def read(self: Any, path: Any, *_: Any, **__: Any) -> Any:
        name = view_name(path)
        ddl = getattr(self, "_headwater_ddl", None)
        if ddl is None:
            raise AssertionError(f"{path} is read without a schema")
        asked.setdefault(name, ddl)
        return spark.table(name) if to_views else spark.createDataFrame([], ddl)

    replaced: dict[str, Any] = dict.fromkeys(kept, read) | {"schema": schema}
    for name, function in replaced.items():
        setattr(reader, name, function)
    try:
        yield asked
    finally:
        for name, function in kept.items():
            setattr(reader, name, function)


def view_name(path: object) -> str:
    """An identifier for a path."""
    return re.sub(r"\W+", "_", str(path)).strip("_")


def inputs(chain: Chain, tables: int) -> list[dict[str, Rows]]:
    """Rows drawn toward the filter, ``tables`` random sets of rows, and no rows at all; the same on every run. A
    grouped chain takes the first two together, for its groups do not meet."""
    draw = random.Random(crc32(chain.problem.name.encode()))
    found: list[dict[str, Rows]] = []
    if len(chain.tables) == 1 and chain.problem.problem is not None:
        (table,) = chain.tables
        found += [{table.name: rows} for rows in guided(draw, chain.problem.problem, table, chain.source)]
    found += [{t.name: random_rows(draw, t, chain.source) for t in chain.tables} for _ in range(tables)]
    if chain.problem.grouped:
        return [{t.name: [row for rows in found for row in rows[t.name]] for t in chain.tables}]
    return [*found, {t.name: [] for t in chain.tables}]


def compare(spark: SparkSession, chain: Chain, tables: int) -> tuple[list[str], int]:
    """What differs between the chain and its rewrite, in words, and how many rows came out of the chain in all. A
    rewrite may remove an error, never add one."""
    assert chain.rewritten is not None
    given = inputs(chain, tables)
    with redirected(spark):
        results = run_both(spark, chain.case, (chain.source, chain.rewritten), given)
    differences = [
        f"{chain.problem.name} on {rows}: {original} became {new}\n{chain.rewritten}"
        for rows, (original, new) in zip(given, results, strict=True)
        if not isinstance(original, Failed) and original != new
    ]
    return differences, sum(original.total() for original, _ in results if not isinstance(original, Failed))


def dropping(spark: SparkSession, chain: Chain, example: Counterexample) -> tuple[Result, Result] | None:
    """What the chain gives on the rows of a counterexample, and on those that are left of them; None where its columns
    are not those of the source."""
    if len(chain.tables) != 1:
        return None
    (table,) = chain.tables
    names = [f.name for f in table.fields]
    if any(name not in names for row in example.rows for name, _ in row):
        return None
    rows: Rows = [tuple(dict(row).get(name) for name in names) for row in example.rows]
    gone = {int(n) - 1 for n in re.findall(r"\d+", example.note)}
    left = [row for i, row in enumerate(rows) if i not in gone]
    with redirected(spark):
        whole, rest = run_all(spark, chain.case, chain.source, [{table.name: rows}, {table.name: left}])
    return whole, rest
