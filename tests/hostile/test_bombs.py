"""Issue 4, hostile input: files made to hang, to crash or to fill the memory. The good file beside them is found."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_file

from .inputs import BOMBS, FOLDS, LARGE, PEAKS

pytestmark = pytest.mark.xdist_group("bombs")  # one scan for all
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())
GIVEN_UP = {
    **dict.fromkeys("parentheses lists dicts calls subscripts walrus patterns".split(), "too many nested parentheses"),
    **dict.fromkeys("lambdas minus nots ternaries powers sums comparisons".split(), "nested too deeply"),
    **dict.fromkeys("attributes chain elifs string_sums column_ands".split(), "nested too deeply"),
    **dict.fromkeys("fstrings format_specs".split(), "nested|f-string"),
    "awaits": "invalid syntax|nested too deeply",
    "ifs": "too many levels of indentation",
    "cells": "more than 1,000 parts of the notebook are not Python",
    "sql_sums": "nested too deeply",
}


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One scan over all of them, and what it took."""
    top = tmp_path_factory.mktemp("bombs")
    for name, make in BOMBS.items():
        (top / f"{name}.py").write_bytes(make())
    (top / "good.py").write_text(PEAKS)
    (top / "zz_large.py").write_bytes(LARGE["fifty_megabytes"]())
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-I", "-m", "headwater", "scan", ".", "-f", "json", "-j", "2"],
        cwd=top, capture_output=True, text=True, timeout=400, check=False,
        env={**os.environ, "HEADWATER_CACHE_DIR": str(top / "cache")},
    )  # fmt: skip
    return {
        "report": json.loads(done.stdout),
        "code": done.returncode,
        "stderr": done.stderr,
        "seconds": time.perf_counter() - start,
        "memory": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
    }


def test_the_rest_of_the_scan_goes_on(scan: dict[str, Any]) -> None:
    jsonschema.validate(scan["report"], SCHEMA, cls=jsonschema.Draft202012Validator)
    assert (scan["code"], scan["stderr"]) == (2, "")
    files = {f["path"]: f for f in scan["report"]["files"]}
    assert files.keys() == {f"{name}.py" for name in (*BOMBS, "good", "zz_large")}
    (found,) = files["good.py"]["opportunities"]
    assert (found["code"], found["filter"]["range"]["start"]) == ("HW101", {"line": 4, "character": 6})
    assert files["zz_large.py"]["error"].startswith("zz_large.py:1:1: the file is too large (48,0")


@pytest.mark.parametrize("name", BOMBS)
def test_one_clear_line_or_an_analysis(scan: dict[str, Any], name: str) -> None:
    (file,) = (f for f in scan["report"]["files"] if f["path"] == f"{name}.py")
    error = file["error"]
    if name not in GIVEN_UP:
        assert error is None
        return
    assert error is not None
    assert error.startswith(f"{name}.py:")
    assert "\n" not in error
    assert len(error) < 200
    assert any(words in error for words in GIVEN_UP[name].split("|")), error


def test_bounded_memory(scan: dict[str, Any]) -> None:
    assert scan["memory"] < 2 << 30


@pytest.mark.parametrize("name", FOLDS)
def test_a_fold_that_grows_without_bound_gets_a_verdict(tmp_path: Path, name: str) -> None:
    """In processor time, for the machine may be busy; what hangs is killed."""
    from headwater.engine.workers.isolated import Worker

    (tmp_path / "a.py").write_text(FOLDS[name])
    worker = Worker()
    try:
        report = worker.call(120, analyse_file, tmp_path / "a.py", Options(timeout_seconds=1), None).report
        assert report.error is None
        assert report.opportunities or report.skipped
        assert worker.call(20, time.process_time) < 15
    finally:
        worker.close()
