"""The trusted base stays small and imports nothing that it checks (ARCHITECTURE.md, *Trusted base*)."""

from __future__ import annotations

import ast
from pathlib import Path

import headwater.proof
import headwater.semantics

MAX_LINES = 1500
FILES = [p for package in (headwater.proof, headwater.semantics) for p in Path(package.__path__[0]).glob("*.py")]


def test_it_has_fewer_than_1500_lines() -> None:
    """Blank lines aside."""
    assert sum(1 for p in FILES for line in p.read_text("utf-8").splitlines() if line.strip()) < MAX_LINES


_UNTRUSTED = ("synthesis", "operators", "pyspark", "python", "syntax")


def test_it_imports_neither_synthesis_nor_front_end() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(part in name.split(".") for name in names for part in _UNTRUSTED)
