"""The places of benchmarks/corpus judged by reading: whole, distinct, and counted as their description says."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from benchmarks import corpus

ROOM = Path(corpus.__file__).parent
PLACES = [json.loads(line) for line in (ROOM / "places.jsonl").read_text(encoding="utf-8").splitlines()]
FIELDS = ["repo", "commit", "path", "line", "class", "verdict", "proposal", "why_safe", "value", "needs"]
VERDICTS = ("true", "trap", "unclear")
CLASSES = {
    "first-rows",
    "emptiness",
    "driver-filter",
    "unread-columns",
    "repeated-scan",
    "semi-or-anti-join",
    "group-extreme",
    "single-use-cache",
    "dishonest-source",
}


def test_each_place_is_whole() -> None:
    for place in PLACES:
        assert list(place) == FIELDS, place
        assert all(isinstance(place[f], str) and place[f].strip() for f in FIELDS if f != "value"), place
        assert place["class"] in CLASSES, place
        assert place["verdict"] in VERDICTS, place
        assert place["value"] in (1, 2, 3), place
        assert re.fullmatch(r"[0-9a-f]{40}", place["commit"]), place
        assert re.fullmatch(r"[1-9]\d*|cell \d+:[1-9]\d*", place["line"]), place
        assert place["path"].endswith(".ipynb") == place["line"].startswith("cell "), place


def test_each_class_has_true_places_and_traps() -> None:
    assert {(p["class"], p["verdict"]) for p in PLACES} >= {(c, v) for c in CLASSES for v in ("true", "trap")}


def test_no_place_is_judged_twice() -> None:
    seen = Counter((p["repo"], p["path"], p["line"], p["class"]) for p in PLACES)
    assert [place for place, times in seen.items() if times > 1] == []


def test_a_repository_has_one_commit() -> None:
    assert len({(p["repo"], p["commit"]) for p in PLACES}) == len({p["repo"] for p in PLACES})


def test_the_description_counts_what_is_there() -> None:
    counted = Counter((p["class"], p["verdict"]) for p in PLACES)
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (\d+) \| (\d+) \| (\d+) \|", (ROOM / "README.md").read_text(encoding="utf-8"), re.M
    )
    assert {(row[0], v): int(n) for row in rows for v, n in zip(VERDICTS, row[1:], strict=True)} == {
        (c, v): counted[c, v] for c in CLASSES for v in VERDICTS
    }
