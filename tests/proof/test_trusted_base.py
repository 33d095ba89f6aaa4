"""The trusted base stays small and imports nothing that it checks (ARCHITECTURE.md, *Trusted base*)."""

from __future__ import annotations

import ast
from pathlib import Path

import headwater.proof
import headwater.semantics

MAX_LINES = 1500
FILES = [p for package in (headwater.proof, headwater.semantics) for p in Path(package.__path__[0]).glob("*.py")]
CROSSINGS = [p for p in (Path(headwater.proof.__path__[0]) / "crossings").glob("*.py") if p.name != "laws.py"]
"""What checks a path; the lemmas are run by tests alone."""


def test_it_has_fewer_than_1500_lines() -> None:
    """Blank lines aside."""
    assert _lines(FILES) < MAX_LINES


def test_what_checks_a_path_has_fewer_than_900_lines() -> None:
    assert _lines(CROSSINGS) < 900


def _lines(files: list[Path]) -> int:
    return sum(1 for p in files for line in p.read_text("utf-8").splitlines() if line.strip())


_UNTRUSTED = ("synthesis", "operators", "pyspark", "python", "syntax")


def test_it_imports_neither_synthesis_nor_front_end() -> None:
    for path in (*FILES, *CROSSINGS):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(part in name.split(".") for name in names for part in _UNTRUSTED)
