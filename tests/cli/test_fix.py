"""``headwater fix``: writes what is proved, once, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from headwater.cli import fix as fix_module
from headwater.cli.app import app
from headwater.engine.files import fixing
from headwater.engine.workers import pool
from tests.engine.pipelines import FIXED_PEAKS, KEYS, PEAKS, TOP2

from .conftest import Run

SEEN = "1 file, 1 of them PySpark with 1 filter.\n"


def test_fix_and_fix_again(run_cold: Run) -> None:
    path = Path("peaks.py")
    path.write_text(PEAKS)
    path.chmod(0o640)
    first = run_cold("fix", ".")
    assert first.returncode == 0
    assert first.stdout.startswith("peaks.py: HW101 `amount >= 950000` can run before `agg`")
    assert path.read_text() == FIXED_PEAKS
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in Path().iterdir()] == ["peaks.py"]
    second = run_cold("fix", ".")
    assert (second.returncode, second.stdout) == (0, SEEN)
    assert run_cold("scan", ".").returncode == 0


def test_diff_writes_nothing(run: Run) -> None:
    path = Path("peaks.py")
    path.write_text(PEAKS)
    done = run("fix", "--diff", "peaks.py")
    assert done.returncode == 1
    assert "--- a/peaks.py\n+++ b/peaks.py\n" in done.stdout
    assert '+peaks = payments.filter(F.col("amount") >= 950000).groupBy("account")' in done.stdout
    assert path.read_text() == PEAKS
    path.write_text(KEYS)
    nothing = run("fix", "--diff", "peaks.py")
    assert (nothing.returncode, nothing.stdout) == (0, "")


def test_only_the_prefilter(run: Run) -> None:
    path = Path("peaks.py")
    path.write_text(PEAKS)
    assert run("fix", "--only", "prefilter", ".").returncode == 0
    assert path.read_text() == FIXED_PEAKS.replace("peaks.write", 'peaks.filter(F.col("peak") >= 950_000).write')
    assert run("fix", "--only", "prefilter", ".").stdout == SEEN.replace("1 filter", "2 filters")


def test_split(run: Run) -> None:
    path = Path("top.py")
    path.write_text(TOP2)
    assert run("fix", ".").returncode == 0
    text = path.read_text()
    assert 'scores.filter(F.col("score") >= 90).groupBy("team")' in text
    assert 'best.filter(F.col("second").isNotNull()).write' in text


def test_line_ends_byte_order_mark_and_encoding_stay(run: Run) -> None:
    crlf = PEAKS.replace("\n", "\r\n")
    Path("bom.py").write_bytes(b"\xef\xbb\xbf" + crlf.encode())
    Path("latin.py").write_bytes(("# coding: latin-1\n# é\n" + PEAKS).encode("latin-1"))
    assert run("fix", ".").returncode == 0
    assert Path("bom.py").read_bytes() == b"\xef\xbb\xbf" + FIXED_PEAKS.replace("\n", "\r\n").encode()
    assert Path("latin.py").read_bytes() == ("# coding: latin-1\n# é\n" + FIXED_PEAKS).encode("latin-1")


def test_a_link_stays_a_link(run: Run) -> None:
    Path("real").mkdir()
    Path("real/peaks.txt").write_text(PEAKS)
    Path("peaks.py").symlink_to("real/peaks.txt")
    assert run("fix", "peaks.py").returncode == 0
    assert Path("peaks.py").is_symlink()
    assert Path("real/peaks.txt").read_text() == FIXED_PEAKS


def test_a_file_that_changed_meanwhile_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("peaks.py")
    path.write_text(PEAKS)
    real = pool.run

    def slow(*arguments: Any) -> Iterator[Any]:
        for answer in real(*arguments):
            path.write_text("# edited\n")
            yield answer

    monkeypatch.setattr(pool, "run", slow)
    done = CliRunner().invoke(app, ["fix", "peaks.py"])
    assert done.exit_code == 2
    assert "changed while it was analysed" in done.stderr
    assert path.read_text() == "# edited\n"


def test_a_result_that_does_not_parse_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("peaks.py").write_text(PEAKS)
    monkeypatch.setattr(fixing, "apply_edits", lambda text, edits: text + "(")
    monkeypatch.setattr(pool, "run", lambda function, calls, *_: (function(*call) for call in calls))
    assert CliRunner().invoke(app, ["fix", "peaks.py"]).exit_code == 1
    assert Path("peaks.py").read_text() == PEAKS


def test_bad_files_do_not_stop_the_rest(run: Run) -> None:
    Path("a.py").write_bytes(b"\xff # PySpark")
    Path("b.py").write_text("def f(:  # PySpark\n")
    Path("c.py").write_text(PEAKS)
    done = run("fix", ".")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "a.py:1:1: not UTF-8: byte 0xff at offset 0",
        "b.py:1:7: syntax error: invalid syntax",
    ]
    assert Path("c.py").read_text() == FIXED_PEAKS


def test_a_rewrite_that_comes_back_is_not_applied() -> None:
    from headwater.engine.analysis.analyse import analyse

    found = analyse(PEAKS)
    fixed = fixing.fix_text(PEAKS, lambda text: found)  # always the same finding
    assert (fixed.text, fixed.applied) == (PEAKS, ())


def test_unwritable(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.engine.files.discovery import read_source

    path = Path("latin.py")
    path.write_bytes(b"# coding: latin-1\n")
    before = read_source(path)
    problem = fix_module._write(path, before, "x = '🦆'")
    assert problem is not None
    assert "cannot be stored in this file's encoding" in problem


def test_the_proofs_of_all_rounds_are_one_chain(run: Run) -> None:
    from headwater_ir.chain import Chain, Round, broken_link, text_digest
    from headwater_ir.codec import dumps, loads
    from tests.engine.test_fixed_point import TWICE

    Path("twice.py").write_text(TWICE)
    assert run("fix", "--proofs", "proofs", "twice.py").returncode == 0
    (written,) = Path("proofs").iterdir()
    chain = loads(written.read_text(), Chain)
    first, second = chain.rounds
    assert (first.before, second.after) == (text_digest(TWICE), text_digest(Path("twice.py").read_text()))
    done = run("verify", str(written))
    assert done.returncode == 0
    assert "links: proved" in done.stdout
    assert done.stdout.count("z3: proved") == 2
    proof = second.proofs[0]
    other = replace(proof, change=replace(proof.change, pre_filter=proof.certificate.problem.predicate))
    kept = replace(proof, change=replace(proof.change, residual=proof.certificate.problem.predicate))
    for rounds in (
        (),
        (second, first),
        (first, replace(second, before=first.before)),
        (first, replace(second, after=second.before)),
        (first, Round(second.before, second.after, ())),
        (first, replace(second, proofs=(proof, proof))),
        (first, replace(second, proofs=(other,))),
        (first, replace(second, proofs=(kept,))),
    ):
        assert broken_link(replace(chain, rounds=rounds)) is not None
    assert broken_link(replace(chain, version=0)) is not None
    Path("wrong.json").write_text(dumps(replace(chain, rounds=(second, first))))
    assert run("verify", "wrong.json").returncode == 1
