"""Issue 9: one file in, plain JSON out, whatever the file is."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.report.report import SourceProblem
from headwater.scan import result
from headwater.scan.documents import Scan, json_text, with_certificates
from headwater.scan.result import FileResult, content_of, failed, placed, scan_content
from headwater.scan.store import Store
from tests.engine.pipelines import PEAKS

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())


def test_it_is_json_and_follows_the_schema(results: list[FileResult], tmp_path: Path) -> None:
    assert json.loads(json.dumps(results)) == results
    text = json_text(Scan(with_certificates(results, tmp_path), 0.4))
    document = json.loads(text)
    jsonschema.validate(document, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert text.isascii()
    assert document["summary"] == {
        "files": 7, "spark_files": 6, "filters": 6, "opportunities": 5, "verified": 4, "assumed": 0, "seconds": 0.4,
    }  # fmt: skip
    (found,) = document["files"][0]["opportunities"]
    assert json.loads(Path(found["certificate"]).read_text())
    assert [len(r["shown"]) for r in results] == [len(r["file"]["opportunities"]) for r in results]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("a.py", b"\xff pyspark", "a.py:1:1: not UTF-8"),
        ("a.py", b"x = '\0'  # pyspark", "a.py:1:6: the file holds a null byte"),
        ("a.py", b"def f(:  # pyspark\n", "a.py:1:7: syntax error"),
        ("a.ipynb", b"{pyspark", "a.ipynb:1:2: not JSON"),
        ("a.ipynb", b"[" * 100_000 + b"pyspark", "a.ipynb:1:1: "),
    ],
)
def test_bad_files_are_results(name: str, content: bytes, error: str) -> None:
    found = scan_content(name, content, Options())
    assert found["file"]["error"].startswith(error)
    assert (found["file"]["opportunities"], found["shown"]) == ([], [])


@pytest.mark.parametrize("error", [RecursionError(), MemoryError(), KeyError("x\ny"), AssertionError()])
def test_it_never_raises(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(result, "analyse_text", fail)
    found = scan_content("a.py", PEAKS.encode(), Options())
    assert type(error).__name__ in found["file"]["error"]
    assert "\n" not in found["file"]["error"]


def test_another_name_changes_the_name_only(results: list[FileResult]) -> None:
    for found in results:
        moved = placed(placed(found, ""), found["file"]["path"])
        assert moved == found
    assert placed(results[5], "b.py")["file"]["error"].startswith("b.py:2:7: syntax error")


def test_the_store_gives_back_what_it_got(results: list[FileResult], tmp_path: Path) -> None:
    store, options = Store(tmp_path), Options()
    for i, found in enumerate(results):
        content = b"%d" % i
        store.store(found["file"]["path"], content, options, found)
        assert store.load(found["file"]["path"], content, options) == found
    assert store.load("other.py", b"0", options) == placed(results[0], "other.py")
    assert store.load("other.ipynb", b"0", options) is None
    assert store.load("peaks.py", b"0", Options(bounded=True)) is None
    assert store.load("peaks.py", b"0", Options(assume_pure=frozenset({"f"}))) is None
    late = json.loads(json.dumps(results[0]))
    late["file"]["skipped"] = [{"range": {}, "obstruction": "time-out", "reason": ""}]
    store.store("late.py", b"late", options, late)
    assert store.load("late.py", b"late", options) is None


def test_a_spoilt_entry_is_a_miss(results: list[FileResult], tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.store("a.py", b"0", Options(), results[0])
    (path,) = (p for p in tmp_path.rglob("*.json"))
    path.write_bytes(path.read_bytes().replace(b"exact", b"split"))
    assert store.load("a.py", b"0", Options()) is None
    assert not path.exists()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert content_of(tmp_path) == SourceProblem("cannot be read: not a regular file")
    assert isinstance(content_of(tmp_path / "gone.py"), SourceProblem)
    (tmp_path / "huge.py").write_bytes(b"#" * 5_000_001)
    problem = content_of(tmp_path / "huge.py")
    assert isinstance(problem, SourceProblem)
    assert "too large" in problem.message
    assert failed("huge.py", problem)["file"]["error"].startswith("huge.py:1:1: the file is too large")
