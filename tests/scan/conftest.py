"""Results to make reports of, scanned once."""

from __future__ import annotations

import json

import pytest

from headwater.engine.analysis.options import Options
from headwater.scan.documents import Scan
from headwater.scan.result import FileResult, scan_content
from tests.engine.pipelines import KEYS, PEAKS, TOP2

NEVER = 'import pyspark\nspark.table("t").filter("a = NULL").show()\n'
NOTEBOOK = json.dumps(
    {"nbformat": 4, "cells": [{"cell_type": "markdown"}, {"cell_type": "code", "source": PEAKS.splitlines(True)}]}
)
FILES = {
    "peaks.py": PEAKS,
    "sub dir/ünï#%?.py": TOP2.replace("\n", "\r\n"),
    "never.py": NEVER,
    "keys.py": KEYS,
    "note.ipynb": NOTEBOOK,
    "broken.py": "x = 1\ndef f(:\n# PySpark\n",
    "guess.py": PEAKS,
}


@pytest.fixture(scope="session")
def results() -> list[FileResult]:
    """One file of each sort; ``guess.py`` by the quick check."""
    return [scan_content(n, t.encode(), Options(bounded=n == "guess.py")) for n, t in FILES.items()]


@pytest.fixture
def scan(results: list[FileResult]) -> Scan:
    return Scan(results, 1.5)
