"""The command line in a directory of its own, with a cache of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm

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
    """``headwater …`` as a process of its own; ``run_cold`` starts it as a user does."""
    return warm.run if sys.platform == "linux" else _cold


@pytest.fixture
def run_cold() -> Run:
    """``headwater …`` from the start of the interpreter."""
    return _cold


def _cold(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from headwater.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)
