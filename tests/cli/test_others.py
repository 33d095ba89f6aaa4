"""``headwater explain``, ``verify`` and ``schema``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from headwater_ir.codec import dumps, loads
from headwater_ir.verdict import Certificate
from tests.engine.pipelines import KEYS, PEAKS, TOP2

from .conftest import Run


def test_explain_a_filter_and_its_boundary(run: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    for line in (4, 5):
        done = run("explain", f"peaks.py:{line}")
        assert done.returncode == 0
        assert "HW101" in done.stdout
        assert "Kind        exact: the whole filter moves" in done.stdout
        assert "As SQL      amount >= 950000" in done.stdout
        assert "Conditions  Init     proved in" in done.stdout
    assert "no filter on line 1" in run("explain", "peaks.py:1").stdout
    assert run("explain", "peaks.py:99").returncode == 2


def test_explain_why_a_filter_stays(run: Run) -> None:
    Path("keys.py").write_text(KEYS)
    done = run("explain", "keys.py:4")
    assert done.returncode == 0
    assert "keys.py:4:7 stays where it is (no-prefilter): Spark moves this filter itself" in done.stdout


def test_explain_a_broken_file(run: Run) -> None:
    Path("bad.py").write_text("x = (\n")
    done = run("explain", "bad.py:1")
    assert done.returncode == 2
    assert done.stderr.startswith("bad.py:1:5: syntax error")


@pytest.fixture
def certificate(run: Run) -> Path:
    Path("peaks.py").write_text(PEAKS)
    done = run("scan", "peaks.py", "--format", "json")
    return Path(json.loads(done.stdout)["files"][0]["opportunities"][0]["certificate"])


def test_verify_accepts_and_refuses(run: Run, certificate: Path) -> None:
    assert run("verify", str(certificate)).returncode == 0
    text = certificate.read_text()
    Path("stronger.json").write_text(text.replace('"op":">="', '"op":">"', 1))
    done = run("verify", str(certificate), "stronger.json")
    assert done.returncode == 1
    assert "stronger.json: z3: FAILED" in done.stdout


def test_verify_of_a_boundary_alone(run: Run, certificate: Path) -> None:
    """No edit rests on it. That a filter can never be true is proved of its conditions, and moves no filter."""
    whole = loads(certificate.read_text(), Certificate)
    scripts = tuple(s for s in whole.scripts if s[0] != "Crossing")
    Path("alone.json").write_text(dumps(replace(whole, path=None, scripts=scripts)))
    done = run("verify", "alone.json")
    assert done.returncode == 1
    assert "no way from a filter to it" in done.stdout
    Path("never.py").write_text('t = spark.read.schema("x int").parquet("t")\nt.filter("x > 5 AND x < 3").show()\n')
    (found,) = json.loads(run("scan", "never.py", "--format", "json").stdout)["files"][0]["opportunities"]
    assert found["code"] == "HW302"
    assert run("verify", found["certificate"]).returncode == 0


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b"[1]", b'{"$": "Certificate"}', b"[" * 100_000])
def test_verify_of_something_else(run: Run, content: bytes) -> None:
    Path("cert.json").write_bytes(content)
    done = run("verify", "cert.json")
    assert done.returncode == 2
    assert done.stderr.startswith("cert.json: not a certificate: ")
    assert len(done.stderr.splitlines()) == 1


def test_schema(run: Run) -> None:
    Path("top.py").write_text(TOP2)
    done = run("schema", "top.py")
    assert done.returncode == 0
    assert "scores" in done.stdout
    assert "score float64" in done.stdout
    Path("bad.py").write_text("x = (\n")
    assert run("schema", "bad.py").returncode == 2


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("headwater ")
