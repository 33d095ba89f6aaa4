"""The programs that are rewritten: each problem of the suite alone, each example, each specification."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.demo.pipelines import PIPELINES
from benchmarks.synthesis.annotations import Expectation, expectations
from benchmarks.synthesis.suite import files

from tests.mdtest.cases import all_cases

from .registry import printed
from .scopes import assign, reads, writes


@dataclass(frozen=True)
class Unit:
    """A program as ``ast.unparse`` prints it. ``schemas``: what the analysis is told."""

    name: str
    text: str
    schemas: tuple[tuple[str, str], ...] = ()


SOURCES = ("suite", "examples", "specifications")


def units(source: str) -> Iterator[Unit]:
    """The programs of one of ``SOURCES``."""
    if source == "suite":
        for path in files():
            yield from problems(path)
    elif source == "examples":
        for pipeline in PIPELINES:
            yield Unit(pipeline.name, printed(pipeline.path.read_text(encoding="utf-8")))
    else:
        for case in all_cases():
            try:
                text = printed(case.source)
            except SyntaxError:  # a notebook
                continue
            yield Unit(case.name, text, tuple(case.schemas.items()))


def problems(path: Path) -> Iterator[Unit]:
    """Each annotated filter of a suite file with what it needs of the file, its value in ``result``."""
    source = path.read_text(encoding="utf-8")
    expected = expectations(source, path.name)
    for one in expected:
        tree = ast.parse(source)
        _without(tree, {e.start for e in expected if e != one}, one)
        yield Unit(f"{path.parent.name}/{path.stem}:{one.line}", ast.unparse(ast.fix_missing_locations(tree)))


def _without(tree: ast.Module, others: set[int], one: Expectation) -> None:
    """Leave out the other problems, and what nothing reads then."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                block[:] = [s for s in block if s.lineno not in others or hasattr(s, "body")] or [ast.Pass()]
    for i, statement in enumerate(tree.body):
        if (statement.lineno, statement.end_lineno) == (one.start, one.end) and isinstance(statement, ast.Expr):
            tree.body[i] = assign("result", statement.value)
    before = -1
    while before != len(tree.body):
        before = len(tree.body)
        last = tree.body[-1]
        tree.body = [s for s in tree.body if s is last or not _unread(tree, s)]


def _unread(tree: ast.Module, statement: ast.stmt) -> bool:
    """Whether the statement only binds names that no other one reads."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if not isinstance(statement, (ast.Assign, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
        return False
    others = [s for s in tree.body if s is not statement]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return not {(a.asname or a.name).split(".")[0] for a in statement.names} & reads(*others)
    if isinstance(statement, ast.FunctionDef) and statement.lineno and "filter" in ast.unparse(statement):
        return False
    texts = " ".join(
        n.value for s in others for n in ast.walk(s) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )
    bound = {statement.name} if not isinstance(statement, ast.Assign) else writes(statement)
    return "result" not in bound and not bound & reads(*others) and not any(b in texts for b in bound)
