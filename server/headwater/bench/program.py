"""Running a pipeline's source text as Python runs a script."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Arguments(list[str]):
    """``sys.argv``. What nobody gave is a name that stands for itself: it will be a path, and paths are redirected."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index >= len(self):
            return f"argument-{index}"
        return super().__getitem__(index)


def run(path: Path, name: str, arguments: list[str], modules: list[str]) -> Any:
    """Execute the file at ``path`` as ``__main__`` under the name ``name``; the value of its last statement if that is
    an expression, as a notebook shows it."""
    tree = ast.parse(path.read_text(encoding="utf-8"), name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    module = types.ModuleType("__main__")
    module.__file__ = name
    with _as_main(module, Arguments([name, *arguments]), modules):
        exec(compile(tree, name, "exec"), vars(module))
        if isinstance(last, ast.Expr):
            return eval(compile(ast.Expression(last.value), name, "eval"), vars(module))
    return None


@contextmanager
def _as_main(module: types.ModuleType, arguments: list[str], modules: list[str]) -> Iterator[None]:
    before = sys.modules["__main__"], sys.argv, list(sys.path)
    sys.modules["__main__"], sys.argv = module, arguments
    sys.path[:0] = modules
    try:
        yield
    finally:
        sys.modules["__main__"], sys.argv, sys.path[:] = before
