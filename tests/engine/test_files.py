"""Discovery and reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.files import discovery
from headwater.engine.files.discovery import Unreadable, decode_source, discover, read_source


def test_discovery(tmp_path: Path) -> None:
    for name in ("a.py", "b.txt", "sub/c.py", ".hidden/d.py", "__pycache__/e.py", "node_modules/f.py", ".venv/g.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "env" / "h.py").touch()
    found = [p.relative_to(tmp_path).as_posix() for p in discover([tmp_path])]
    assert found == ["a.py", "sub/c.py"]
    assert discover([tmp_path / "b.txt"]) == [tmp_path / "b.txt"]
    assert [p.name for p in discover([tmp_path / ".hidden", tmp_path / ".hidden" / "d.py"])] == ["d.py"]


def test_links_do_not_loop(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").touch()
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "again.py").symlink_to(tmp_path / "sub" / "a.py")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    assert len(discover([tmp_path])) == 1


def test_encodings() -> None:
    assert decode_source(b"\xef\xbb\xbfx = 1").text == "x = 1"
    latin = decode_source(b"# -*- coding: latin-1 -*-\nx = '\xe9'\r\n")
    assert latin.text.endswith("'é'\r\n")
    assert latin.encode(latin.text) == latin.data
    with_bom = decode_source(b"\xef\xbb\xbfx = 1")
    assert with_bom.encode("y") == b"\xef\xbb\xbfy"


@pytest.mark.parametrize(
    ("data", "line", "character", "message"),
    [
        (b"\xff", 0, 0, "not UTF-8: byte 0xff at offset 0"),
        ("é🦆".encode() + b"\r\nab\xc3", 1, 2, "not UTF-8: byte 0xc3 at offset 10"),
        (b"# coding: klingon\n", 0, 0, "unknown encoding"),
        (b"# coding: ascii\n\xe9", 1, 0, "not ASCII"),
        (b"# coding: rot13\n", 0, 0, ""),
    ],
)
def test_not_a_text(data: bytes, line: int, character: int, message: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decode_source(data)
    assert (caught.value.problem.line, caught.value.problem.character) == (line, character)
    assert message in caught.value.problem.message


def test_too_large_and_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        read_source(tmp_path / "nope.py")
    with pytest.raises(Unreadable, match="cannot be read"):
        read_source(tmp_path)
    monkeypatch.setattr(discovery, "MAX_BYTES", 3)
    (tmp_path / "a.py").write_text("x = 1")
    with pytest.raises(Unreadable, match="too large"):
        read_source(tmp_path / "a.py")
