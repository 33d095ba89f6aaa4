"""The command line in a directory of its own, with a cache of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests of this package: what one test proves the next need not prove again."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(shared_cache))


@pytest.fixture
def run() -> Run:
    """``headwater …`` as a process of its own."""

    def start(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from headwater.cli import main; main()", *arguments]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)

    return start
