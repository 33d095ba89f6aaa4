"""The packed extension brings every library of the server (issue 8)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "vscode-client"
COMMAND_LINE = {"rich", "typer"}
"""What only the command line needs."""


def names(lines: list[str]) -> set[str]:
    """The names of requirements."""
    return {m[0].lower() for line in lines if (m := re.match(r"[A-Za-z][\w.-]*", line))}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="reads TOML")
def test_every_dependency_is_packed() -> None:
    """A new dependency of the server has to be bundled, with hashes, and to be asked for where the server is not."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    needed = names([*project["dependencies"], *project["optional-dependencies"]["lsp"]]) - COMMAND_LINE
    assert names((CLIENT / "requirements.in").read_text(encoding="utf8").splitlines()) == needed
    pinned = (CLIENT / "requirements.txt").read_text(encoding="utf8")
    assert {name for name in needed if not re.search(rf"^{name}==[^\n]*\\\n +--hash=", pinned, re.M)} == set()
    probed = (CLIENT / "src" / "server" / "candidates.ts").read_text(encoding="utf8")
    imported = {"z3" if name == "z3-solver" else name for name in needed - {"tomli", "typing-extensions"}}
    assert {name for name in imported if f'"{name}"' not in probed} == set()
