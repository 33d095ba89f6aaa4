"""Runs a program and a formulation of it on the same rows, in CPython and pandas, on the small Spark of the tests."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from zlib import crc32

from tests.mdtest.cases import Table, fields_of
from tests.results import Failed, Result
from tests.small_spark import run
from tests.suite.rows import random_rows

from .scopes import parsed
from .units import Unit

TABLES = 2
DRAWS = 4
"""Of a dozen rows each, from other pools of values."""


class _Sources(ast.NodeTransformer):
    """``spark.read.schema("…").parquet("x")`` is ``spark.table("x")``; the schemas are collected."""

    def __init__(self) -> None:
        self.ddl: dict[str, str] = {}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                ast.Attribute(
                    ast.Call(ast.Attribute(ast.Attribute(_, "read"), "schema"), [ast.Constant(str() as ddl)])
                ),
                [ast.Constant(str() as path)],
            ):
                self.ddl[path] = ddl
                return parsed(f"spark.table({path!r})")
        return node


def runnable(text: str) -> tuple[str, dict[str, str]]:
    """The program over tables of the session, and the schema of each."""
    sources = _Sources()
    tree = sources.visit(ast.parse(text))
    tree.body = [s for s in tree.body if "SparkSession" not in ast.unparse(s)]
    return ast.unparse(ast.fix_missing_locations(tree)), sources.ddl


def inputs(unit: Unit, count: int = TABLES) -> Iterator[dict[str, list[list[tuple[object, ...]]]]]:
    """Rows for the program's tables, the same on every run."""
    _, ddl = runnable(unit.text)
    draw = random.Random(crc32(unit.name.encode()))
    for _ in range(count):
        yield {
            name: [[row for _ in range(DRAWS) for row in random_rows(draw, _table(name, text), unit.text)]]
            for name, text in (*ddl.items(), *unit.schemas)
        }


def _table(name: str, ddl: str) -> Table:
    return Table(name, ddl, fields_of(ddl), (), True)


def compared(unit: Unit, text: str, count: int = TABLES) -> tuple[int, str]:
    """On how many tables both ran, and the first difference in words. What the original raises on tells nothing."""
    ran = 0
    for rows in inputs(unit, count):
        before = _result(unit, unit.text, rows)
        if isinstance(before, Failed):
            continue
        after = _result(unit, text, rows)
        if before != after:
            return ran, f"on {rows}:\n{before}\nbecame\n{after}"
        ran += 1
    return ran, ""


def _result(unit: Unit, text: str, rows: dict[str, list[list[tuple[object, ...]]]]) -> Result:
    source, ddl = runnable(text)
    return run(source, {**ddl, **dict(unit.schemas)}, rows)
