"""``%run ./other``: the code of another notebook, which runs in the names of this one.

It is understood where the other notebook does nothing but import and define: then all that it leaves behind are its
names. https://docs.databricks.com/en/notebooks/notebook-workflows.html,
https://ipython.readthedocs.io/en/stable/interactive/magics.html#magic-run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headwater.syntax.source import notebook
from headwater.syntax.source.bindings import bound_names

from .asked import Asked
from .foreign import Foreign
from .modules import within_project

_RUN = re.compile(
    r"""^(?:\#[ ]MAGIC[ \t]+)?%run[ \t]+(?P<quote>["']?)(?P<path>[\w./-]+)(?P=quote)[ \t]*$(?!\n\#[ ]MAGIC)""",
    re.MULTILINE | re.VERBOSE,
)
_CELL = re.compile(r"^# %% headwater:cell \d+\n", re.MULTILINE)
_SUFFIXES = ("", ".py", ".ipynb")


@dataclass(frozen=True)
class Run:
    """The magic from ``start`` to ``end`` runs ``of``, and leaves these ``names``."""

    start: int
    end: int
    of: Foreign
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The code that runs."""
        return _CELL.sub("", self.of.ctx.source)


def runs(text: str, path: Path, asked: Asked) -> list[Run]:
    """What the notebook ``text`` of the file ``path`` runs; nothing, unless it is understood to the last magic."""
    if "%run" not in text or not (notebook.is_notebook(text) or path.suffix == ".ipynb"):
        return []
    found: list[Run] = []
    for magic in _RUN.finditer(text):
        file = _file(path.parent / magic["path"], path)
        foreign = None if file is None else asked.foreign(file)
        if foreign is None or not foreign.only_defines():
            return []
        found.append(Run(*magic.span(), foreign, tuple(sorted(bound_names(foreign.ctx.tree.body)))))
    named = [name for run in found for name in run.names]
    without = without_magics(text, found)
    own = _bound(without)
    if len({*named}) < len(named) or own is None or own & {*named}:
        return []  # a name with two meanings, one in front of the magic
    return found


def without_magics(text: str, found: list[Run]) -> str:
    """``text`` with a statement that does nothing in the place of each magic."""
    for run in found:
        text = text[: run.start] + "pass".ljust(run.end - run.start) + text[run.end :]
    return text


def _file(place: Path, notebook_path: Path) -> Path | None:
    named = (place.with_name(place.name + suffix) for suffix in _SUFFIXES)
    files = [p for p in named if p.suffix in _SUFFIXES[1:] and within_project(p, notebook_path)]
    return files[0] if len(files) == 1 else None


@lru_cache(maxsize=16)
def _bound(text: str) -> frozenset[str] | None:
    """The names that ``text`` binds anywhere but in functions; None if it runs code that is not here."""
    try:
        read = notebook.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any(h.effect in ("anything", "names") for h in read.hidden):
        return None
    declared = (n for g in _globals(read.tree) for n in g.names)
    return frozenset(bound_names(read.tree.body)).union(declared)


def _globals(tree: ast.Module) -> Iterator[ast.Global]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.Global))
