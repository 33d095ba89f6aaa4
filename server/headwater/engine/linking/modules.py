"""Which file of a project an import means. Nothing is imported, and nothing outside of the project is looked at.

https://docs.python.org/3/reference/import.html. Where Python looks depends on how the program is started; a name is
understood only if exactly one file of the project can be meant, wherever it may be started.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_MOST_ABOVE = 12
_PACKAGE = "__init__.py"
_LIBRARIES = frozenset("pyspark pandas numpy pyarrow py4j delta databricks sklearn scipy torch tensorflow".split())
"""Packages that everyone installs: a folder of such a name in a project is not what an import means for certain."""


def file_of(module: str, importer: Path) -> Path | None:
    """The file of the project that ``module``, with the dots of a relative import, is in the file ``importer``; None if
    it is none of the project or more than one can be meant."""
    name = module.lstrip(".")
    dots, parts = len(module) - len(name), [p for p in name.split(".") if p]
    if not all(p.isidentifier() for p in parts):
        return None
    if dots:
        base = importer.parent
        for _ in range(dots - 1):
            base = base.parent
        inside = any(base.is_relative_to(root) for root in _roots(importer.parent))
        return next(_files(base, parts), None) if inside else None
    if not parts or parts[0] in sys.stdlib_module_names or parts[0] in _LIBRARIES:
        return None
    found = dict.fromkeys(f for root in _roots(importer.parent) for f in _files(root, parts))
    return next(iter(found)) if len(found) == 1 else None


def packages_of(path: Path) -> Iterator[Path]:
    """The files of the packages that Python runs before ``path``."""
    folder = path.parent.parent if path.name == _PACKAGE else path.parent
    while _is(folder / _PACKAGE):
        yield folder / _PACKAGE
        folder = folder.parent


def submodule(path: Path, name: str) -> Path | None:
    """The module ``name`` of the package ``path``, if it is one."""
    return next(_files(path.parent, [name]), None) if path.name == _PACKAGE else None


def within_project(path: Path, importer: Path) -> bool:
    """Whether ``path`` is a file of the project that the file ``importer`` is in."""
    try:
        place = path.resolve()
    except (OSError, RuntimeError, ValueError):
        return False
    return _is(place) and any(place.is_relative_to(root.resolve()) for root in _roots(importer.parent))


def _files(base: Path, parts: list[str]) -> Iterator[Path]:
    at = base.joinpath(*parts)
    package, plain = at / _PACKAGE, at.with_name(f"{at.name}.py")
    if _is(package):  # Python prefers it
        yield package
    elif parts and _is(plain):
        yield plain


def _is(path: Path, folder: bool = False) -> bool:
    try:
        return path.is_dir() if folder else path.is_file()
    except OSError:  # a name that is too long, a folder that may not be entered
        return False


@lru_cache(maxsize=256)
def _roots(folder: Path) -> tuple[Path, ...]:
    """The folders that imports of a file in ``folder`` may begin in: that one, and those around it up to the root of
    the project. Where a project ends hardly ever changes, and each import asks for it."""
    above = [folder, *folder.parents][:_MOST_ABOVE]
    roots = (i for i, folder in enumerate(above) if any(_is(folder / m) or _is(folder / m, True) for m in _ROOTS))
    root = next(roots, None)
    if root is None:  # no project: the folder, and those around the package that it is in
        root = next((i for i, folder in enumerate(above) if not _is(folder / "__init__.py")), 0)
    return tuple(place for one in above[: root + 1] for place in (one, one / "src") if place is one or _is(place, True))
