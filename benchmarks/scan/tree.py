"""A tree of real files: the installed PySpark, repositories that lie somewhere, and packages beside PySpark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyspark

AT_LEAST = 2_000
_BESIDE = ("pandas", "numpy", "matplotlib", "mypy", "hypothesis", "sqlglot", "libcst", "rich", "pygments", "z3")


def build(target: Path, corpora: Iterable[Path]) -> dict[str, int]:
    """Copy the files; the answer is how many come from where. Packages are added as long as there are too few."""
    package = Path(pyspark.__file__).parent
    counts = {"pyspark": _copy(package, target / "pyspark")}
    for corpus in corpora:
        counts[corpus.name] = _copy(corpus, target / corpus.name)
    for name in _BESIDE:
        if sum(counts.values()) < AT_LEAST and (package.parent / name).is_dir():
            counts[name] = _copy(package.parent / name, target / name)
    return counts


def part(tree: Path, target: Path, share: int) -> None:
    """Every ``share``-th file of ``tree``."""
    for path in list(sources(tree))[::share]:
        copy = target / path.relative_to(tree)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def sources(tree: Path) -> Iterator[Path]:
    """Every file of ``tree`` that a scan has to say something of, by a walk that is not the scan's own."""
    for directory, inner, files in os.walk(tree):
        inner[:] = sorted(d for d in inner if not d.startswith("."))
        for name in sorted(files):
            path = Path(directory, name)
            if name.endswith(".py") and path.is_file() and not path.is_symlink():
                yield path


def _copy(source: Path, target: Path) -> int:
    """Names that a scan passes over, such as hidden ones, are none of ours."""
    count = 0
    for path in sources(source):
        relative = path.relative_to(source)
        if {"node_modules", "site-packages", "venv", "__pycache__"} & {*relative.parts}:
            continue
        copy = target / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        count += 1
    return count
