"""Loads the suite: each annotated filter of each file as a fold problem with what is expected of it.

Nothing of a suite file is run: the front end reads it as it reads a user's file.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import SourceFailure, read
from headwater.engine.report.positions import Lines
from headwater.operators.move import Moved, Stopped, move
from headwater.semantics.interpreter import EvaluationError, Machine, passes
from headwater_ir.expr import Expr
from headwater_ir.module import Module
from headwater_ir.plan import Filter
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span

from . import conditions
from .annotations import Expectation, FormatError, expectations

SUITE = Path(__file__).resolve().parents[1] / "suite"
_FILTERS = {"filter", "where"}


@dataclass(frozen=True)
class Problem:
    """One filter of the suite. ``moved`` is Stopped where the front end or an operator has no fold problem for it.

    ``prefilter`` and ``residual`` are the expected G and R as conditions, None where the file does not state them.
    """

    name: str
    file: Path
    expected: Expectation
    moved: Moved | Stopped
    prefilter: Expr | None
    residual: Expr | None

    @property
    def problem(self) -> FoldProblem | None:
        """What the synthesis is asked."""
        return self.moved.problem if isinstance(self.moved, Moved) else None

    @property
    def domain(self) -> str:
        """The folder."""
        return self.file.parent.name

    @property
    def grouped(self) -> bool | None:
        """Whether an empty input has no output row; None without a fold."""
        return self.problem.fold.grouped if self.problem else None

    @property
    def accepts_nothing(self) -> bool:
        """Whether this is a filter over groups that accepts the output of the initial state: a group of which every
        row was dropped would vanish, though it passes. False where the initial state depends on more than constants."""
        return self.problem is not None and _accepts_nothing(self.problem)


def _accepts_nothing(problem: FoldProblem) -> bool:
    fold = problem.fold
    if not fold.grouped or fold.rows == "one" or fold.params:
        return False
    keys = dict.fromkeys(fold.keys)
    try:
        machine = Machine(fold)
        out = machine.output(machine.initial(keys), keys)
        return out is not None and passes(problem.predicate, out)
    except EvaluationError:
        return False


def files(root: Path = SUITE) -> list[Path]:
    """Every suite file, in order."""
    return sorted(p for p in root.glob("*/*.py") if p.name != "__init__.py")


def load(path: Path) -> tuple[Problem, ...]:
    """The problems of one file. FormatError where an annotation and a filter do not belong together."""
    return parse(path.read_text(encoding="utf-8"), path)


def parse(source: str, path: Path) -> tuple[Problem, ...]:
    """The problems of one text."""
    shown = f"{path.parent.name}/{path.name}"
    expected = expectations(source, shown)
    if not expected:
        raise FormatError(f"{shown}:1: nothing is expected of this file")
    try:
        module = read(source, Options())
    except SourceFailure as failure:
        raise FormatError(f"{shown}: {failure}") from None
    lines = Lines(source)
    _no_filter_left_out(module, expected, lines, shown)
    return tuple(_problem(source, module, e, lines, path, shown) for e in expected)


def _no_filter_left_out(module: Module, expected: tuple[Expectation, ...], lines: Lines, shown: str) -> None:
    """Filters below which there is only a source need no annotation: Spark moves them itself."""
    for f in module.filters:
        line = _line(f, lines)
        if any(e.start <= line <= e.end for e in expected):
            continue
        moved = move(f)
        if not (isinstance(moved, Stopped) and moved.no_boundary):
            raise FormatError(f"{shown}:{line}: a filter without an annotation")


def _line(f: Filter, lines: Lines) -> int:
    return lines.line_of(f.call.end - 1) + 1


def _problem(source: str, module: Module, e: Expectation, lines: Lines, path: Path, shown: str) -> Problem:
    found = [f for f in module.filters if e.start <= _line(f, lines) <= e.end]
    if not found and not _filters_something(source, e):
        raise FormatError(f"{shown}:{e.line}: no filter in the statement below")
    moved = move(max(found, key=lambda f: f.call.end)) if found else _unseen()
    prefilter = residual = None
    if isinstance(moved, Moved):
        try:
            prefilter = conditions.prefilter(moved.problem, e.prefilter) if e.prefilter else None
            residual = conditions.residual(moved.problem, e.residual) if e.residual else None
        except ValueError as error:
            raise FormatError(f"{shown}:{e.line}: {error}") from None
    return Problem(f"{path.parent.name}/{path.stem}:{e.line}", path, e, moved, prefilter, residual)


def _unseen() -> Stopped:
    return Stopped("opaque", "the front end sees no filter here", Span(0, 0))


def _filters_something(source: str, e: Expectation) -> bool:
    """Whether the statement has a call that filters, as far as its text tells."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and (node.lineno, node.end_lineno) == (e.start, e.end):
            calls = [n for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
            return any(c.func.attr in _FILTERS or c.func.attr == "sql" for c in calls)  # type: ignore[attr-defined]
    return False
