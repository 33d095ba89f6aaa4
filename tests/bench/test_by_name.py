"""What ``make bench`` and ``make campaign`` run by name is there."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest
from benchmarks.__main__ import BENCHMARKS
from benchmarks.by_name import ROOT, Program, run

from tests.campaigns.__main__ import CAMPAIGNS

ALL = {f"{kind} {name}": p for kind, of in (("bench", BENCHMARKS), ("campaign", CAMPAIGNS)) for name, p in of.items()}


@pytest.mark.parametrize("program", ALL.values(), ids=ALL)
def test_each_command_is_there(program: Program) -> None:
    for target, *_ in program.commands:
        if "/" in target:
            assert os.access(ROOT / target, os.X_OK)
        else:
            assert importlib.util.find_spec(target), target


def test_a_name_that_is_not_there_lists_what_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", BENCHMARKS, ["nothing"]) == 2
    shown = capsys.readouterr()
    assert shown.err == "no bench is called 'nothing'\n"
    assert all(f"NAME={name}" in shown.out for name in BENCHMARKS)


def test_arguments_go_to_the_last_command(tmp_path: Path) -> None:
    made = tmp_path / "made"
    program = Program("", (("json.tool", "-h"), ("zipfile", "-c", str(made))))
    assert run("bench", {"it": program}, ["it", __file__]) == 0
    assert made.exists()
    assert run("bench", {"it": Program("", (("json.tool", "no such file"), ("zipfile", "-c", str(made))))}, ["it"]) != 0
