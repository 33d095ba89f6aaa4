"""Every file of the corpus: what its text shows (census) beside what the tool makes of it (probe)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from headwater.engine.files.discovery import discover

from . import census, texts
from .pool import probe_all

Record = dict[str, Any]


def files(root: Path) -> list[Path]:
    """Every ``.py`` and ``.ipynb`` file below ``root``."""
    return sorted(p for p in root.rglob("*") if p.suffix in (".py", ".ipynb") and p.is_file())


def survey(root: Path, timeout: float, wall: float, jobs: int, done: Callable[[], None]) -> list[Record]:
    """One record per file. ``state``: analysed, not PySpark, or error; with the reason then."""
    paths = files(root)
    looked_at = {p.resolve() for p in discover([root])}
    asked = [p for p in paths if p.resolve() in looked_at]
    answers = dict(zip(asked, probe_all(asked, root, timeout, wall, jobs, done), strict=True))
    return [_record(p, p.relative_to(root), answers.get(p)) for p in paths]


def _record(path: Path, name: Path, answer: Record | None) -> Record:
    record: Record = {"repo": name.parts[0].replace("+", "/", 1), "path": str(Path(*name.parts[1:]))}
    record |= {"notebook": path.suffix == ".ipynb", "error": None, "sites": [], "lost_cells": 0, "extra": 0}
    if answer is None:
        answer = {"error": "a notebook, not looked at" if record["notebook"] else "left out by the scan", "filters": []}
    record |= {k: v for k, v in answer.items() if k != "filters"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = texts.load(path)
            found = census.sites(text.text) if text.is_pyspark else []
    except (ValueError, SyntaxError, RecursionError) as error:
        record |= {"state": "error", "error": record["error"] or f"not counted: {error}"}
        return record
    record["state"] = "not PySpark" if not text.is_pyspark else "error" if record["error"] else "analysed"
    record["lost_cells"] = text.lost
    seen = answer["filters"]
    for site in found:
        # The tool's own text of a notebook may be laid out in another way: there the nth filter of one text is meant.
        same = (f for f in seen if (f["call"] == site.call if record["notebook"] else tuple(f["end"]) == site.end))
        match = next(same, None)
        if match is not None:
            seen.remove(match)
        record["sites"].append(asdict(site) | {"place": text.place(site.line), "seen": match})
    record["extra"] = len(seen)
    return record
