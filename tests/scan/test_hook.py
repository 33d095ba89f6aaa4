"""Issue 9: the pre-commit hook and the GitHub Action, run for real."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from headwater.scan.documents import Scan
from headwater.scan.result import FileResult
from headwater.scan.sarif import sarif_text
from tests.engine.pipelines import FIXED_PEAKS, PEAKS

ROOT = Path(__file__).parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a pipeline that can be rewritten, and one that says that it is none of our business."""
    repository = tmp_path / "workspace"
    repository.mkdir()
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for key in [k for k in os.environ if k.startswith("GIT_")]:
        monkeypatch.delenv(key)
    (repository / "peaks.py").write_text(PEAKS)
    (repository / "generated.py").write_text(PEAKS)
    (repository / "pyproject.toml").write_text("[tool.headwater]\nexclude = ['generated.py']\n")
    (repository / "notes.txt").write_text("nothing\n")
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    return repository


def pre_commit(repository: Path, config: dict[str, Any], *arguments: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("pre_commit")
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [config]}))
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    command = [sys.executable, "-m", "pre_commit", *arguments]
    return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)


def test_the_manifest_is_one() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib")
    assert [h["id"] for h in clientlib.load_manifest(ROOT / ".pre-commit-hooks.yaml")] == ["headwater", "headwater-fix"]


def check_hooks(repository: Path, config: dict[str, Any]) -> None:
    found = pre_commit(repository, config, "run", "headwater", "--all-files")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "peaks.py:5:7 HW101" in found.stdout
    assert "generated.py" not in found.stdout
    fixed = pre_commit(repository, config, "run", "headwater-fix", "--files", "peaks.py")
    assert fixed.returncode == 1
    assert "files were modified by this hook" in fixed.stdout
    assert (repository / "peaks.py").read_text() == FIXED_PEAKS
    clean = pre_commit(repository, config, "run", "--all-files", "headwater")
    assert clean.returncode == 0, clean.stdout + clean.stderr


def test_the_hooks_run(workspace: Path) -> None:
    """By pre-commit, with this environment's Headwater in the place of one that it installs."""
    check_hooks(workspace, {"repo": "local", "hooks": [{**hook, "language": "system"} for hook in HOOKS]})


@pytest.mark.skipif("HEADWATER_HOOK" not in os.environ, reason="installs Headwater anew: `make campaign NAME=hook`")
def test_the_hooks_install_and_run(workspace: Path, tmp_path: Path) -> None:
    """As a user has them: from a clone, in an environment that pre-commit makes."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True, check=True).stdout
    hooks = [{"id": hook["id"]} for hook in HOOKS]
    check_hooks(workspace, {"repo": str(clone), "rev": head.strip(), "hooks": hooks})


def script(name: str) -> str:
    (step,) = (s for s in ACTION["runs"]["steps"] if s.get("name") == name)
    return str(step["run"])


def test_no_input_becomes_a_part_of_a_script() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"
        for value in [*step.get("env", {}).values(), *step.get("with", {}).values()]:
            name = str(value).partition("inputs.")[2].partition(" ")[0]
            assert not name or name in ACTION["inputs"]
    assert all("description" in i and "default" in i for i in ACTION["inputs"].values())


@pytest.mark.parametrize(
    ("answer", "fail", "code"), [(0, "true", 0), (1, "true", 1), (1, "false", 0), (2, "false", 2), (130, "true", 130)]
)
def test_the_action_scans(tmp_path: Path, results: list[FileResult], answer: int, fail: str, code: int) -> None:
    """Its own script, with a stand-in that keeps its arguments, gives a report and answers with a code."""
    (tmp_path / "given.sarif").write_text(sarif_text(Scan(results, 1.0)))
    stand_in = tmp_path / "bin" / "headwater"
    stand_in.parent.mkdir()
    stand_in.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > arguments\ncp given.sarif out.sarif\nexit {answer}\n')
    stand_in.chmod(0o755)
    hostile = "$(touch sprung); `touch sprung`\n--bounded"
    environment = {
        "PATH": f"{stand_in.parent}:{Path(sys.executable).parent}:/usr/bin:/bin",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "INPUT_PATHS": "src\na b\n", "INPUT_ARGS": hostile, "INPUT_SINCE": "", "INPUT_BASELINE": "known.json",
        "INPUT_SARIF": "out.sarif", "INPUT_FAIL": fail,
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script("Scan")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    given = (tmp_path / "arguments").read_text().splitlines()
    fixed = ["scan", "--format", "sarif", "--output=out.sarif", "--baseline=known.json"]
    assert given == [*fixed, *hostile.split("\n"), "--", "src", "a b"]
    assert not (tmp_path / "sprung").exists()
    if answer != 130:
        assert (tmp_path / "output").read_text() == "findings=5\n"
        assert "peaks.py:5: `amount >= 950000` can run before" in done.stdout
        assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
