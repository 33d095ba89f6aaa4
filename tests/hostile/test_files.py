"""Issue 4, hostile input: encodings, line ends, things that are no files, names that break lines."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache as once
from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.engine.analysis.solver import synthesis
from headwater.engine.files.cache import Cache
from headwater.engine.files.discovery import Unreadable, decode_source, discover, read_source
from headwater.engine.files.fixing import fix_text
from headwater.engine.files.service import FileReport, analyse_file
from headwater.engine.report.positions import Lines, Position
from headwater.engine.workers.pool import analyse_files
from headwater.scan.json_report import range_json
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span
from headwater_ir.verdict import Verdict

from .inputs import PEAKS

MOVED = PEAKS.replace("payments.groupBy", 'payments.filter(F.col("amount") >= 950000).groupBy').replace(
    '.filter(F.col("peak") >= 950_000)', ""
)
FILTER = 'filter(F.col("peak") >= 950_000)'


def headwater(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", "-m", "headwater", *arguments],
        cwd=cwd, capture_output=True, timeout=120, check=False,
        env={**os.environ, "HEADWATER_CACHE_DIR": str(cwd.parent / "cache"), **environment},
    )  # fmt: skip


UNREADABLE = {
    "invalid UTF-8": (b"x = 1\ny = '\xc3\x28'\n", 1, 5, "not UTF-8: byte 0xc3"),
    "overlong": (b"x = '\xc0\xaf'\n", 0, 5, "not UTF-8"),
    "a surrogate in UTF-8": (b"x = '\xed\xa0\x80'\n", 0, 5, "not UTF-8"),
    "UTF-16 with a mark": ("x = 1\n".encode("utf-16"), 0, 0, "not UTF-8: byte 0xff"),
    "UTF-16 of the other order": (codecs.BOM_UTF16_BE + "x = 1\n".encode("utf-16-be"), 0, 0, "not UTF-8"),
    "UTF-32": ("x = 1\n".encode("utf-32"), 0, 0, "not UTF-8"),
    "an executable": (b"\x7fELF\x02\x01\x01\0\x90\xff" * 50, 0, 8, "not UTF-8"),
    "an unknown cookie": (b"# coding: klingon\nx = 1\n", 0, 0, "unknown encoding"),
    "a cookie of another charset": (b"# coding: ascii\nx = '\xe9'\n", 1, 5, "not ASCII"),
    "a mark and another cookie": (b"\xef\xbb\xbf# coding: latin-1\n", 0, 0, "contradicts the byte order mark"),
    "UTF-7": (b"# coding: utf-7\n+AAo-import os\n", 0, 0, "source in utf-7 is not read"),
    "rot13": (b"# coding: rot13\nvzcbeg bf\n", 0, 0, "rot-13 is not read"),
    "zip": (b"# coding: zlib_codec\nx\n", 0, 0, "zlib"),
    "hex": (b"# coding: hex\n00\n", 0, 0, "hex"),
    "escapes": (b"# coding: unicode_escape\n\\x6fs\n", 0, 0, "is not read"),
    "raw escapes": (b"# coding: raw_unicode_escape\n", 0, 0, "is not read"),
    "punycode": (b"# coding: punycode\nx-\n", 0, 0, "is not read"),
    "idna": (b"# coding: idna\nx\n", 0, 0, "is not read"),
    "undefined": (b"# coding: undefined\nx\n", 0, 0, "is not read"),
    "UTF-16 cookie": (b"# coding: utf-16\nx\n", 0, 0, "is not read"),
    "stateful": (b"# coding: iso2022_jp\nx\n", 0, 0, "is not read"),
    "EBCDIC": (b"# coding: cp037\nx\n", 0, 0, "is not read"),
    "a path": (b"# coding: ../../evil\nx\n", 0, 0, "unknown encoding: .."),
    "a module": (b"# coding: os.path\nx\n", 0, 0, "unknown encoding"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_text(name: str) -> None:
    data, line, character, message = UNREADABLE[name]
    with pytest.raises(Unreadable) as caught:
        decode_source(data)
    problem = caught.value.problem
    assert (problem.line, problem.character) == (line, character)
    assert message in problem.message
    assert "\n" not in problem.message


TEXTS: dict[str, tuple[str, bytes, bytes]] = {
    # name: (encoding, in front of everything, in the place of the line's start)
    "UTF-8": ("utf-8", b"", "'é🦆'; ".encode()),
    "with a mark": ("utf-8", codecs.BOM_UTF8, "'🦆🦆'; ".encode()),
    "a mark and its cookie": ("utf-8", codecs.BOM_UTF8 + b"# coding: utf-8\n", b""),
    "latin-1": ("latin-1", b"# -*- coding: latin-1 -*-\n", b"'\xe9\xff\x85'; "),
    "latin-1 in the second line": ("latin-1", b"#!/bin/python\n# vim: set fileencoding=iso-8859-1 :\n", b"'\xe9'; "),
    "cp1252": ("cp1252", b"# coding: windows-1252\n", b"'\x80'; "),
    "shift_jis": ("shift_jis", b"# coding: sjis\n", b"'\x83\x5c'; "),
    "gbk": ("gbk", b"# coding: gbk\n", b"'\x81\x5c'; "),
    "euc_jp": ("euc_jp", b"# coding: euc-jp\n", b"'\xa4\xa2'; "),
    "form feed": ("utf-8", b"\x0c\n", b"\x0c"),
    "vertical tab in a text": ("utf-8", b"'\x0b'\n", b"'\x0b'; "),
    "line separators": ("utf-8", "# \u2028\x85\x1c\n'''\u2028'''\n".encode(), "'\u2028\u2029\x85'; ".encode()),
    "escapes of surrogates": ("utf-8", b"'\\ud800\\udfff'\n", b"'\\udc80'; "),
    "combining": ("utf-8", "# e\u0301\n".encode(), "'e\u0301\u200d'; ".encode()),
}  # fmt: skip
ENDS = {"LF": ["\n"], "CRLF": ["\r\n"], "CR": ["\r"], "mixed": ["\r\n", "\n", "\r"]}


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("name", TEXTS)
def test_positions_and_edits_in_strange_texts(tmp_path: Path, name: str, ends: str) -> None:
    """Each is analysed as if it were plain; ranges are those of an editor; an edit changes no other byte."""
    encoding, front, prefix = TEXTS[name]
    if ends == "CR" and b"coding" in front and encoding != "utf-8":
        pytest.skip("the cookie's lines end at line feeds only")

    def stored(text: str) -> bytes:
        first, last = text.encode(encoding).split(b"\npeaks = ")
        kept = b"\npeaks = " + last.replace(b"\npeaks.", b"\n" + prefix + b"peaks.")
        lines = (front + first + kept).split(b"\n")
        marks = [ENDS[ends][i % len(ENDS[ends])].encode() for i in range(len(lines) - 1)] + [b""]
        return b"".join(line + mark for line, mark in zip(lines, marks, strict=True))

    path = tmp_path / "a.py"
    path.write_bytes(stored(PEAKS))
    file = read_source(path)
    text = file.text
    (found,) = analyse(text, Options(), proved_once).opportunities
    assert found.code == "HW101"
    place = range_json(Lines(text), found.filter_span)
    assert _cut(text, place["start"], place["end"]) == FILTER
    fixed = fix_text(text, lambda rewritten: analyse(rewritten, Options(), proved_once))
    assert file.encode(fixed.text) == stored(MOVED)


@once
def proved_once(problem: FoldProblem, seconds: float) -> Verdict:
    """The problem is the same in every spelling of the text."""
    return synthesis(problem, 10)


def _cut(text: str, start: dict[str, int], end: dict[str, int]) -> str:
    """As an editor does it: lines end at \\n, \\r\\n, \\r; characters are UTF-16 units."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert start["line"] == end["line"]
    units = lines[start["line"]].encode("utf-16-le", "surrogatepass")
    return units[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")


def test_positions_agree_with_the_editor_on_every_offset() -> None:
    text = "a\r\nb\rc\n\x0c\x0b\u2028🦆\u2029é\x85\x1c\r\r\n\n🦆"
    lines = Lines(text)
    for offset in range(len(text) + 1):
        at = lines.position(offset)
        before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        if text[offset - 1 : offset + 1] == "\r\n":
            continue  # between the two: the end of the line
        assert at.line == before.count("\n")
        assert at.character == len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
        assert lines.offset(at) == offset
    assert lines.range(Span(0, 0))[0] == Position(0, 0)


def test_an_edit_never_changes_the_code_of_another_character(tmp_path: Path) -> None:
    """In cp932 two codes mean ∪: written back, the text would be the same and the file another."""
    path = tmp_path / "a.py"
    data = b"# coding: cp932\n# \x87\x9b\n" + PEAKS.encode()
    assert data.decode("cp932").encode("cp932") != data
    path.write_bytes(data)
    done = headwater("fix", "a.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"1 file, 1 of them PySpark with 1 filter.\n")
    assert b"other lines would change" in done.stderr
    assert path.read_bytes() == data


# --- what is no file, or not for long


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(path.parent)  # the name of a socket is short
        made.bind(path.name)
        os.chdir(here)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


NO_FILES: dict[str, Callable[[Path], None]] = {"fifo.py": _fifo, "socket.py": _socket}


def test_no_files_links_and_names(tmp_path: Path) -> None:
    """One scan over a directory in which everything goes wrong that may go wrong with files."""
    top = tmp_path / "work"
    top.mkdir()
    (top / "good.py").write_text(PEAKS)
    for name, make in NO_FILES.items():
        make(top / name)
    (top / "directory.py").mkdir()
    (top / "directory.py" / "inner.py").write_text("def f(:  # pyspark\n")
    (top / "loop").symlink_to(top)
    (top / "self.py").symlink_to("self.py")
    (top / "gone.py").symlink_to("nowhere.py")
    (top / "again.py").symlink_to("good.py")
    (top / "twice.py").hardlink_to(top / "good.py")
    (top / "device.py").symlink_to("/dev/zero")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("def f(:  # pyspark\n")
    (top / "out").symlink_to(outside)
    (top / "out.py").symlink_to(outside / "secret.py")
    (top / "a\nb\x1b[31m\u202e\u2028.py").write_text("def f(:  # pyspark\n")
    (top / os.fsdecode(b"\xff\xfe.py")).write_text("def f(:  # pyspark\n")
    (top / ".py").write_text("def f(:  # pyspark\n")
    (top / "python2.py").write_text("print 'x'\nexec 'filter'\n")
    (top / "empty.py").touch()
    (top / "blank.py").write_text("\n\x0c\n")
    deep = top
    for _ in range(150):
        deep /= "d" * 10
        deep.mkdir()
    lines = headwater("scan", ".", cwd=top)
    assert lines.returncode == 2
    assert lines.stdout.count(b" HW101 ") == 2  # good.py, and the file that is the same but for its name
    assert b"python2.py" not in lines.stderr  # it does not mention Spark
    said = lines.stderr.decode().splitlines()
    assert sorted(said) == sorted(
        [
            ".py:1:7: syntax error: invalid syntax",
            "a\\nb\\x1b[31m\\u202e\\u2028.py:1:7: syntax error: invalid syntax",
            "directory.py/inner.py:1:7: syntax error: invalid syntax",
            "fifo.py:1:1: cannot be read: not a regular file",
            "socket.py:1:1: cannot be read: not a regular file",
            "\\udcff\\udcfe.py:1:7: syntax error: invalid syntax",
        ]
    )
    for encoding in ("ascii", "utf-8", "latin-1"):
        report = json.loads(headwater("scan", ".", "-f", "json", cwd=top, PYTHONIOENCODING=encoding).stdout)
        paths = [f["path"] for f in report["files"]]
        assert os.fsdecode(b"\xff\xfe.py") in paths
        assert len(paths) == len(set(paths)) == 11
        assert sum(f["error"] is not None for f in report["files"]) == 6
    for path in (top / "fifo.py", top / "device.py", top / "self.py"):
        named = headwater("scan", str(path), cwd=top)
        assert named.returncode == 2, path
        assert b"Traceback" not in named.stderr


def test_a_file_that_is_gone_or_closed_when_its_turn_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a.py", "b.py", "c.py"]
    for name in names:
        (tmp_path / name).write_text(PEAKS)
    paths = discover([tmp_path])
    (tmp_path / "b.py").unlink()
    reports = list(analyse_files(paths, Options(), None, 1))
    assert [r.report.error and r.report.error.message for r in reports] == [
        None, "cannot be read: No such file or directory", None,
    ]  # fmt: skip

    def closed(path: object, *_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", closed)
    with pytest.raises(Unreadable, match="cannot be read: Permission denied"):
        read_source(tmp_path / "a.py")


# --- settings and cache


@pytest.mark.parametrize(
    "text",
    [
        b"[tool.headwater",
        b"[tool.headwater]\nworkers = inf\ntimeoutSeconds = 'x'\n",
        b"[tool.headwater]\ntimeoutSeconds = nan\n",
        b"[tool.headwater]\nschemas = '/dev/zero'\n",
        b"[tool.headwater]\nschemas = '../fifo'\n",
        b"[tool.headwater]\nschemas = 'a\\u0000b'\n",
        b"[tool.headwater]\nschemas = 'deep.json'\n",
        b"[tool.headwater]\nseverity = {HW101 = 'loud'}\n",
        b"[tool.headwater]\nexclude = '*'\n",
        b'[tool.headwater]\n"\\u001b[31m\\n" = 1\n',
        b"# headwater\nx = " + b"[" * 100_000,
        b"# headwater\n" + b"x = 1\n" * 300_000,
        b"# headwater \xff\n",
    ],
    ids=lambda text: str(text[:60]),  # the name of a test is handed on to the processes that it starts
)
def test_hostile_settings_are_one_line(tmp_path: Path, text: bytes) -> None:
    os.mkfifo(tmp_path / "fifo")
    top = tmp_path / "work"
    top.mkdir()
    (top / "pyproject.toml").write_bytes(text)
    (top / "deep.json").write_text("[" * 100_000)
    (top / "good.py").write_text(PEAKS)
    done = headwater("scan", ".", cwd=top)
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"Error: {top / 'pyproject.toml'}: ")
    assert "\x1b" not in line


def test_settings_cannot_wear_out_the_machine(tmp_path: Path) -> None:
    from headwater.engine.files.settings import MAX_SECONDS, load_settings

    (tmp_path / "pyproject.toml").write_text("[tool.headwater]\nworkers = 1e300\ntimeoutSeconds = inf\n")
    found = load_settings(tmp_path)
    assert (found.workers, found.timeout_seconds) == (os.cpu_count(), MAX_SECONDS)


def _entry(directory: Path) -> Path:
    (entry,) = (p for p in (directory / "reports").rglob("*.json"))
    return entry


def _link_to(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return make


def _replace(data: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data) and None  # type: ignore[func-returns-value]


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "spoil",
    [
        _replace(b""), _replace(b"\xff" * 1000), _replace(b"cos\nsystem\n(S'touch canary'\ntR."),
        _replace(b"\x80\x04\x95\x00"), _replace(b"{}"), _replace(b"0" * 64 + b"\n" + b"[" * 200_000),
        _link_to("/dev/zero"), _link_to("/etc/passwd"), _link_to("nowhere"), _pipe, _directory,
    ],
)  # fmt: skip
@pytest.mark.usefixtures("one_minute")
def test_a_hostile_cache_entry_is_a_miss(
    tmp_path: Path, filled: tuple[Path, FileReport], spoil: Callable[[Path], None]
) -> None:
    directory, first = filled
    cache = Cache(shutil.copytree(directory, tmp_path / "cache"))
    (tmp_path / "a.py").write_text(PEAKS)
    assert analyse_file(tmp_path / "a.py", Options(), cache).cached
    spoil(_entry(cache.directory))
    second = analyse_file(tmp_path / "a.py", Options(), cache, proved_once)
    assert not second.cached
    assert [o.id for o in second.report.opportunities] == [o.id for o in first.report.opportunities]
    assert not (tmp_path / "canary").exists()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, FileReport]:
    top = tmp_path_factory.mktemp("filled")
    (top / "a.py").write_text(PEAKS)
    return top / "cache", analyse_file(top / "a.py", Options(), Cache(top / "cache"), proved_once)


@pytest.fixture
def one_minute() -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("place", ["/dev/null", "/proc/nothing", "file", "link"])
def test_a_cache_that_cannot_be_is_done_without(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("link")
    (tmp_path / "a.py").write_text(PEAKS)
    done = headwater("scan", "a.py", cwd=tmp_path, HEADWATER_CACHE_DIR=place)
    assert (done.returncode, done.stderr) == (1, b"")
    assert (tmp_path / "file").read_text() == "mine"
