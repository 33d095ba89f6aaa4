"""The harness itself: it notices a mutant that tests kill, and says so of one that they let live."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .equivalent import Equivalents
from .runner import ROOT

FORGOTTEN = "land(passes1, passes2, equal)  →  land(passes1, passes2)"


def mutate(tests: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.campaigns.mutation", "--file", "proof/conditions.py", "--only", FORGOTTEN]
    return subprocess.run([*command, "--tests", tests], cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_a_mutant_is_killed_by_the_tests_of_what_it_breaks() -> None:
    done = mutate("tests/proof/test_wrong_certificates.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "100.0%" in done.stdout


def test_a_mutant_lives_where_nothing_tests_it() -> None:
    done = mutate("tests/proof/test_trusted_base.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "survived" in done.stdout
    assert FORGOTTEN in done.stdout


def test_an_explanation_needs_an_argument_and_a_mutant(tmp_path: Path) -> None:
    file = tmp_path / "equivalent.toml"
    group = '[[equivalent]]\nfile = "proof/conditions.py"\nscope = "goals"\nbecause = "{}"\nchanges = [["a", "b"]]\n'
    file.write_text(group.format("it is the same"), "utf-8")
    with pytest.raises(ValueError, match="without an argument"):
        Equivalents.load(file)
    file.write_text(group.format("nothing reads it any more at all"), "utf-8")
    known = Equivalents.load(file)
    assert known.unused([], []) == [("proof/conditions.py", "goals", "a", "b", 0)]
    assert known.unused([], ["proof/checker.py"]) == []


def test_every_explanation_is_of_a_mutant_that_there_is() -> None:
    from .runner import all_mutants

    made = {m.key for m in all_mutants()}
    known = Equivalents.load()
    assert not [k for k in known.unused([], []) if k not in made]
