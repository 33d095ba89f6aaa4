"""The measure of judged places: which finding belongs to which place, and what is counted."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.corpus.places import examined, figures, judged, unlisted

_FILE = "frame = spark.table('t')\nfirst = frame.collect()[0]\nmany = frame.count() > 0\n"


def _place(line: str, of: str, verdict: str) -> dict[str, object]:
    return {"repo": "a/b", "path": "f.py", "line": line, "class": of, "verdict": verdict, "value": 1}


def test_a_place_is_found_by_its_line_and_class(tmp_path: Path) -> None:
    """A finding near the line of a place and of its class is that place; any other is one that nobody has judged."""
    (tmp_path / "f.py").write_text(_FILE, encoding="utf-8")
    cells = [{"cell_type": "markdown", "source": ""}, {"cell_type": "code", "source": _FILE, "metadata": {}}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}), encoding="utf-8")
    records = {("a/b", "f.py"): examined(tmp_path / "f.py"), ("a/b", "n.ipynb"): examined(tmp_path / "n.ipynb")}
    places = [
        _place("2", "first-rows", "true"),
        _place("3", "unread-columns", "trap"),
        _place("9", "emptiness", "true"),
    ]
    found = judged([*places, _place("2", "another-class", "true")], records)
    assert [p["outcome"] for p in found] == ["reported", "quiet", "quiet"]
    counted = figures(found, records)
    assert counted["classes"]["first-rows"]["true"] == {"reported": 1, "of": 1}
    assert counted["classes"]["unread-columns"]["trap"] == {"reported": 0, "of": 1}
    assert counted["findings"] == {"HW402": 2, "HW403": 2}
    others = [(u["path"], u["line"], u["code"]) for u in unlisted(places, records)]
    assert others == [("f.py", "3", "HW403"), ("n.ipynb", "cell 1:2", "HW402"), ("n.ipynb", "cell 1:3", "HW403")]
