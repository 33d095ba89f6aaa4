"""Issue 9: the files of a scan are those that git itself would not ignore; ``--since`` asks git."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from headwater.engine.files.discovery import discover
from headwater.engine.files.settings import Settings
from headwater.scan.since import SinceError, changed_since

PATTERNS = """
*.py !a.py /a.py b/ /b/ b/*.py b/** **/c.py **/b/ a/**/c.py !b/ !/b/a.py c* !c.py [ab].py ?.py /a/ a/b !a/b/ \\!a.py
#a.py \\#a.py a.py\\  *.[!p]y !*.py / * !*/
""".split()
NAMES = ["a.py", "b.py", "c.py", "#a.py", "!a.py", "a.ipynb"]


def git(directory: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "core.excludesFile=", "-C", str(directory)]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=True).stdout


def by_git(root: Path) -> set[str]:
    listed = git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return {name for name in listed if name.endswith((".py", ".ipynb"))}


def found(root: Path, top: Path | None = None) -> set[str]:
    return {p.relative_to(root).as_posix() for p in discover([top or root])}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    git(root, "init", "-q")
    for directory in ("", "a", "b", "a/b", "b/a", "a/b/c", "c"):
        (root / directory).mkdir(exist_ok=True)
        for name in NAMES:
            (root / directory / name).touch()
    return root


@pytest.mark.parametrize("seed", range(40))
def test_it_ignores_what_git_ignores(tree: Path, seed: int) -> None:
    """Random patterns in nested files, with git as the oracle."""
    choose = random.Random(seed)
    for path in tree.rglob(".gitignore"):
        path.unlink()
    for directory in choose.sample(["", "a", "b", "a/b", "b/a"], 3):
        lines = choose.choices(PATTERNS, k=choose.randint(1, 5))
        (tree / directory / ".gitignore").write_text("\n".join(lines) + "\n")
    (tree / ".git" / "info" / "exclude").write_text(choose.choice(PATTERNS) + "\n" if seed % 3 == 0 else "")
    assert found(tree) == by_git(tree)


def test_rules_of_parents_hold_below_and_named_files_are_wanted(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "src" / "gen").mkdir(parents=True)
    for name in ("src/a.py", "src/gen/b.py", "src/c.py"):
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("c.py\nsrc/gen/\n")
    assert found(tmp_path, tmp_path / "src") == {"src/a.py"}
    assert found(tmp_path, tmp_path / "src" / "gen") == {"src/gen/b.py"}
    assert found(tmp_path, tmp_path / "src" / "c.py") == {"src/c.py"}
    assert len(discover([tmp_path], gitignore=False)) == 3
    assert discover([tmp_path], False, lambda d: d.name != "gen") == [tmp_path / "src/a.py", tmp_path / "src/c.py"]


def test_an_inner_repository_has_its_own_rules(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "inner"):
        root.mkdir(exist_ok=True)
        git(root, "init", "-q")
        (root / "a.py").touch()
    (tmp_path / ".gitignore").write_text("a.py\n")
    assert found(tmp_path) == {"inner/a.py"}


@pytest.mark.parametrize(
    "text", [b"\xff\xfe\n*.py[\n[\n!\n", b"*a" * 40 + b"b\n", b"**/a/" * 40 + b"b\n", b"\0\n", b"!" * 100, b"\\\n"]
)
def test_hostile_patterns_end(tmp_path: Path, text: bytes) -> None:
    (tmp_path / ("a" * 200 + ".py")).touch()
    (tmp_path / ".gitignore").write_bytes(text)
    start = time.process_time()
    assert len(discover([tmp_path])) == 1
    assert time.process_time() - start < 2


def test_a_gitignore_that_is_no_file(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").mkdir()
    (tmp_path / "a.py").touch()
    assert found(tmp_path) == {"a.py"}


@pytest.mark.parametrize(
    ("pattern", "entered"),
    [
        ("gen/*", {"a", "a/gen", "b"}),
        ("gen/**", {"a", "a/gen", "b"}),
        ("**/gen/**", {"a", "b"}),
        ("a/*", {"b", "gen"}),
        ("a/*/*", {"a", "b", "gen"}),
        ("gen", {"a", "a/gen", "b", "gen"}),
        ("*.py", {"a", "a/gen", "b", "gen"}),
    ],
)
def test_what_is_excluded_as_a_whole_is_not_entered(tmp_path: Path, pattern: str, entered: set[str]) -> None:
    settings = Settings(root=tmp_path, exclude=(pattern,))
    seen = []
    for name in ("a", "a/gen", "b", "gen"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.py").touch()

    def enter(directory: Path) -> bool:
        seen.append(directory.relative_to(tmp_path).as_posix())
        return settings.enters(directory)

    kept = {p for p in discover([tmp_path], True, enter) if settings.wants(p)}
    assert {name for name in seen if settings.enters(tmp_path / name)} == entered
    assert kept == {p for p in discover([tmp_path]) if settings.wants(p)}


def test_since(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "sub").mkdir()
    for name in ("same.py", "edited.py", "gone.py", "sub/committed.py", "old.py"):
        (tmp_path / name).write_text(f"'{name}'\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / "sub" / "committed.py").write_text("2\n")
    git(tmp_path, "commit", "-qam", "two")
    (tmp_path / "edited.py").write_text("3\n")
    (tmp_path / "gone.py").unlink()
    (tmp_path / "old.py").rename(tmp_path / "nëw.py")
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    (tmp_path / "ignored.py").touch()
    names = {p.relative_to(tmp_path).as_posix() for p in changed_since("HEAD~1", [tmp_path / "sub", tmp_path])}
    assert names == {".gitignore", "edited.py", "nëw.py", "sub/committed.py"}
    assert {p.name for p in changed_since("HEAD", [tmp_path / "same.py"])} == {".gitignore", "edited.py", "nëw.py"}


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "-h", ""])
def test_since_nothing_that_git_knows(tmp_path: Path, revision: str) -> None:
    with pytest.raises(SinceError, match="git in "):
        changed_since(revision, [tmp_path])
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").touch()
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    with pytest.raises(SinceError, match="git in "):
        changed_since(revision, [tmp_path])
    assert {p.name for p in tmp_path.iterdir()} == {".git", "a.py"}


def test_git_runs_nothing_of_the_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\nexit 1\n")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "diff.x.textconv",
        "diff.x.command",
        "core.sshCommand",
    ):
        git(tmp_path, "config", key, str(trap))
    (tmp_path / ".gitattributes").write_text("*.py diff=x filter=y\n")
    (tmp_path / "a.py").write_text("2\n")
    subprocess.run(["git", "diff", "HEAD"], cwd=tmp_path, capture_output=True, check=False)
    (tmp_path / "sprung").unlink()  # the trap works
    assert {p.name for p in changed_since("HEAD", [tmp_path])} == {"a.py", ".gitattributes", "trap.sh"}
    assert not (tmp_path / "sprung").exists()
