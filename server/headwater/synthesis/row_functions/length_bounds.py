"""What follows for the size of an array from a condition on the length of a list that is made of it.

A length of which only bounds are known is a ghost column (``python.values.sized_lists``): no pre-filter may read it.
But ``n > 2`` and ``n <= size(x)`` imply ``size(x) > 2``. Candidates alone: which size bounds which length the proof
finds.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater_ir import expr as ir
from headwater_ir.array_sizes import array_of, asks_presence
from headwater_ir.expr import MIRRORED, CompareOp, Expr
from headwater_ir.problem import FoldProblem

Path = tuple[Expr, ...]
_AT_LEAST: dict[CompareOp, CompareOp] = {">": ">", ">=": ">=", "==": ">="}


def ghosts(problem: FoldProblem) -> frozenset[str]:
    """The columns that no pre-filter may read."""
    return frozenset(c.name for c in problem.fold.columns if c.ghost)


def without_ghosts(problem: FoldProblem, paths: list[Path]) -> Iterator[list[Path]]:
    """``paths`` as they are if they read no ghost; else with each condition on a ghost in terms of the size of an
    array, or left out."""
    hidden = ghosts(problem)
    if not any(ir.columns_of(c) & hidden for p in paths for c in p):
        yield from shorter(paths)
        return
    sizes = [c.name for c in problem.fold.columns if not c.ghost and array_of(c.name) is not None]
    for size in (*sizes, None):
        yield from shorter([_said(path, hidden, size) for path in paths])


def shorter(paths: list[Path]) -> Iterator[list[Path]]:
    """``paths`` without asking whether an array is there, if they ask for more; and as they are."""
    there = [tuple(c for c in path if not asks_presence(c)) or path for path in paths]
    if there != paths:
        yield there
    yield paths


def _said(path: Path, hidden: frozenset[str], size: str | None) -> Path:
    kept: list[Expr] = []
    for condition in path:
        found = _of_size(condition, hidden, size) if ir.columns_of(condition) & hidden else condition
        if found is not None and found not in kept:
            kept.append(found)
    return tuple(kept)


def _of_size(condition: Expr, hidden: frozenset[str], size: str | None) -> Expr | None:
    """``size`` in place of the ghost that ``condition`` says is large; None if it says something else."""
    inner = condition.operand if isinstance(condition, ir.IsTrue) else condition
    if size is None or not isinstance(inner, ir.Compare) or inner.dialect != "sql":
        return None
    op, left, right = inner.op, inner.left, inner.right
    if isinstance(right, ir.Col) and right.name in hidden:
        op, left, right = MIRRORED[op], right, left
    if op not in _AT_LEAST or not (isinstance(left, ir.Col) and left.name in hidden):
        return None
    return None if ir.columns_of(right) & hidden else ir.Compare(_AT_LEAST[op], ir.Col(size), right, "sql")
