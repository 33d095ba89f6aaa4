"""The versions of Spark that a project runs on, by what it states itself: settings, lock files, requirements.

The first that says something counts: the setting ``targetSpark``; the lock files of a folder, which name one version;
its requirements, all of which may apply; what is installed in its ``.venv``, by the names of folders; the folder above,
up to the root of the repository; the PySpark that is installed beside Headwater. ``databricks-connect`` brings a Spark
of its own, which is not measured: nothing is known then. Files are read as text, never run.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from headwater.syntax.names.spark_versions import ANY, MEASURED, Targets

from .regular_file import read_regular
from .settings import MOST_STEPS, Settings
from .version_specifiers import targets_of

MAX_BYTES = 20_000_000
MAX_TOML_BYTES = 1_000_000
MAX_PARENTS = 64
MAX_FILES = 50
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;@#)]*)")
_LOCKED = re.compile(r'^name = "(pyspark|databricks-connect)"\r?\nversion = "([^"\n]+)"', re.MULTILINE)
_SPARK, _DATABRICKS = "pyspark", "databricks-connect"
_INSTALLED, _ON_WINDOWS = (f".venv/{lib}/site-packages/pyspark-*.dist-info" for lib in ("lib/python*", "Lib"))
_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
STATING_FILES = ("pyproject.toml", "requirements*.txt", "Pipfile.lock", *_LOCKS)
"""The files that are read here, as patterns on their names."""


@dataclass(frozen=True)
class Stated:
    """The targets of a project. ``problems``: a line for each file that could not be read, which then says nothing."""

    targets: Targets = ANY
    problems: tuple[str, ...] = ()


Requirement = tuple[str, str]
"""A package and the versions of it that are asked for."""


def targets_at(start: Path, settings: Settings) -> Stated:
    """The targets of the code at ``start``: what the settings say, else what the project states."""
    if settings.target_spark is not None:
        return Stated(targets_of(settings.target_spark, "headwater.targetSpark"))
    stated = stated_by_project(start)
    return stated if stated.problems or stated.targets != ANY else Stated(installed())


def installed() -> Targets:
    """The version of PySpark in the environment that Headwater runs in, by its metadata; every one if there is none."""
    try:
        return targets_of(f"=={version(_SPARK)}", "this environment")
    except PackageNotFoundError:
        return ANY


def stated_by_project(start: Path) -> Stated:
    """What the project of the file or folder ``start`` states."""
    start = start.resolve()
    problems: list[str] = []
    folders = (start, *start.parents) if start.is_dir() else tuple(start.parents)
    for folder in folders[:MAX_PARENTS]:
        for files in (_locked, _required, _installed):
            found = [(path, r) for path, wanted in files(folder, problems) for r in wanted]
            if found:
                return Stated(_together(found), tuple(problems))
        if problems or (folder / ".git").exists():
            break
    return Stated(ANY, tuple(problems))


def _together(found: list[tuple[Path, Requirement]]) -> Targets:
    """Every version that one of the requirements admits; of those that are not measured, what the first one says."""
    origin = ", ".join(dict.fromkeys(path.name for path, _ in found))
    if any(name == _DATABRICKS for _, (name, _) in found):
        return Targets(MEASURED, origin)
    each = [targets_of(wanted, origin) for _, (_, wanted) in found]
    unmeasured = next((t.unmeasured for t in each if t.unmeasured), "")
    return Targets(tuple(sorted({v for t in each for v in t.versions})), origin, unmeasured)


def _locked(folder: Path, problems: list[str]) -> Iterator[tuple[Path, list[Requirement]]]:
    """What lock files say: they are written by machines, and name and version are two lines of them."""
    for name in _LOCKS:
        text = _text(folder / name, MAX_BYTES, problems)
        if text is not None:
            yield folder / name, [(m[1], f"=={m[2]}") for m in _LOCKED.finditer(text)]
    text = _text(folder / "Pipfile.lock", MAX_BYTES, problems)
    if text is not None:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            problems.append(f"{folder / 'Pipfile.lock'}: {_reason(error)}")
            return
        groups = [data.get(g) for g in ("default", "develop")] if isinstance(data, dict) else []
        yield folder / "Pipfile.lock", [r for g in groups for r in _of_table(g)]


def _required(folder: Path, problems: list[str]) -> Iterator[tuple[Path, list[Requirement]]]:
    try:
        files = sorted(p for p in folder.glob("requirements*.txt") if p.is_file())[:MAX_FILES]
    except OSError:
        files = []
    for path in files:
        text = _text(path, MAX_TOML_BYTES, problems)
        if text is not None:
            yield path, list(_of_lines(text.replace("\\\n", " ").splitlines()))
    path = folder / "pyproject.toml"
    text = _text(path, MAX_TOML_BYTES, problems)
    if text is not None and (_SPARK in text.lower() or "databricks" in text.lower()):
        yield path, list(_of_pyproject(path, text, problems))


def _installed(folder: Path, _: list[str]) -> Iterator[tuple[Path, list[Requirement]]]:
    """What the names of folders in ``.venv`` say; nothing in there is opened."""
    try:
        found = [p for p in folder.glob(_INSTALLED) if p.is_dir()] + [p for p in folder.glob(_ON_WINDOWS) if p.is_dir()]
    except OSError:
        found = []
    for path in sorted(found)[:MAX_FILES]:
        yield folder / ".venv", [(_SPARK, f"=={path.name.removesuffix('.dist-info').partition('-')[2]}")]


def _of_pyproject(path: Path, text: str, problems: list[str]) -> Iterator[Requirement]:
    try:
        if sum(line.count(".") ** 2 for line in text.splitlines()) > MOST_STEPS:
            raise ValueError("a name has too many parts")
        data = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads(text)
    except (ValueError, ImportError, RecursionError) as error:
        problems.append(f"{path}: {_reason(error)}")
        return
    project, poetry = _at(data, "project"), _at(data, "tool", "poetry")
    lists = [project.get("dependencies"), *_at(project, "optional-dependencies").values()]
    lists += _at(data, "dependency-groups").values()
    for entries in lists:
        yield from _of_lines(e for e in entries if isinstance(e, str)) if isinstance(entries, list) else ()
    groups = [_at(group, "dependencies") for group in _at(poetry, "group").values()]
    for table in (_at(poetry, "dependencies"), _at(poetry, "dev-dependencies"), *groups):
        yield from _of_table(table)


def _at(table: Any, *keys: str) -> dict[str, Any]:
    """The table below ``keys``; an empty one where there is none."""
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _of_lines(lines: Iterable[str]) -> Iterator[Requirement]:
    """Requirements as pip reads them."""
    for line in lines:
        found = _NAME.match(line)
        name = _normal(found[1]) if found else ""
        if found and name in (_SPARK, _DATABRICKS):
            yield name, found[2].split(" --")[0].strip()


def _of_table(table: Any) -> Iterator[Requirement]:
    """Requirements as Poetry and Pipenv write them: a text, or a table or a list of tables with a ``version``."""
    for name, value in table.items() if isinstance(table, dict) else ():
        if _normal(str(name)) in (_SPARK, _DATABRICKS):
            for entry in value if isinstance(value, list) else [value]:
                wanted = entry.get("version", "") if isinstance(entry, dict) else entry
                yield _normal(str(name)), wanted if isinstance(wanted, str) else ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _text(path: Path, limit: int, problems: list[str]) -> str | None:
    """The text of a file; None if there is none, or with a problem if it cannot be read."""
    try:
        return read_regular(path, limit).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        problems.append(f"{path}: {_reason(error)}")
        return None


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
