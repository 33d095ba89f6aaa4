"""Issue 22, part 5: which event logs there are, how they are stored, and what is said of those that cannot be read."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import asdict
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.event_log import compression
from headwater.event_log.limits import LIMITS, Limits
from headwater.event_log.model import EventLogError, Logs
from headwater.event_log.reading import read_logs

from .logs import SECRET, query, simple, text


def names(logs: Logs) -> list[str]:
    return sorted(a.name for a in logs.applications)


def problem(place: Path, limits: Limits = LIMITS) -> str:
    with pytest.raises(EventLogError) as error:
        read_logs(place, limits)
    return str(error.value)


def read_or_said(place: Path) -> Logs | str:
    try:
        return read_logs(place)
    except EventLogError as error:
        return str(error)


def lz4_java(data: bytes, block: int = 100) -> bytes:
    """As lz4-java's ``LZ4BlockOutputStream``: blocks, every other one not compressed, and an empty one at the end."""
    parts = [data[at : at + block] for at in range(0, len(data), block)]
    out = b""
    for i, part in enumerate([*parts, b""]):
        packed = part if i % 2 or not part else pyarrow.Codec("lz4_raw").compress(part, asbytes=True)
        token = (0x10 if packed is part else 0x20) | 6
        lengths = len(packed).to_bytes(4, "little") + len(part).to_bytes(4, "little")
        out += b"LZ4Block" + bytes([token]) + lengths + b"\0\0\0\0" + packed
    return out


def snappy_java(data: bytes, chunk: int = 300) -> bytes:
    parts = [data[at : at + chunk] for at in range(0, len(data), chunk)]
    packed = [pyarrow.Codec("snappy").compress(part, asbytes=True) for part in parts]
    head = b"\x82SNAPPY\0" + (1).to_bytes(4, "big") * 2
    return head + b"".join(len(p).to_bytes(4, "big") + p for p in packed)


def zstd(data: bytes) -> bytes:
    """Several frames, as Spark writes one with each flush."""
    codec = pyarrow.Codec("zstd")
    return b"".join(codec.compress(line, asbytes=True) for line in data.splitlines(True))


PACKED = {
    "plain": lambda data: data, "gzip": gzip.compress, "zstd": zstd, "lz4": lz4_java, "snappy": snappy_java,
    "two of lz4": lambda data: lz4_java(data[:50]) + lz4_java(data[50:]),
    "two of snappy": lambda data: snappy_java(data[:50]) + snappy_java(data[50:]),
}  # fmt: skip


@pytest.mark.parametrize("how", PACKED)
def test_compressed_logs(how: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(PACKED[how](simple()))
    (run,) = read_logs(tmp_path).applications
    (cost,) = run.costs.values()
    assert (cost.bytes, cost.rows, cost.seconds) == (2_000_000, 1000, 2460.0)


@pytest.mark.parametrize("how", [name for name in PACKED if name != "plain"])
def test_half_a_compressed_log(how: str, tmp_path: Path) -> None:
    whole = PACKED[how](simple())
    log = tmp_path / "app-1.inprogress"
    log.write_bytes(whole[: len(whole) * 2 // 3])
    said = read_or_said(log)
    problems = (said,) if isinstance(said, str) else said.problems
    assert [p for p in problems if not p.startswith(f"{log}: not read to its end: ")] == []


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise compression.NotReadable("compressed logs need pyarrow: pip install pyarrow")

    monkeypatch.setattr(compression, "_pyarrow", missing)
    (tmp_path / "a").write_bytes(simple(name="app-a"))
    (tmp_path / "b").write_bytes(zstd(simple(name="app-b")))
    logs = read_logs(tmp_path)
    assert names(logs) == ["app-a"]
    assert logs.problems == (f"{tmp_path / 'b'}: compressed logs need pyarrow: pip install pyarrow",)


def test_a_directory(tmp_path: Path) -> None:
    (tmp_path / "app-1").write_bytes(simple(name="app-1"))
    (tmp_path / "app-2.zstd.inprogress").write_bytes(zstd(simple(name="app-2")))
    (tmp_path / ".app-1.crc").write_bytes(b"crc\0")
    (tmp_path / "notes.txt").write_text("no log\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "other.json").write_text('{"a": 1}\n' * 1000)
    (tmp_path / "old").mkdir()
    os.mkfifo(tmp_path / "pipe")
    rolled = tmp_path / "eventlog_v2_app-3"
    rolled.mkdir()
    lines = simple(name="app-3").splitlines(True)
    (rolled / "appstatus_app-3").write_text("")
    for number, part in ((1, lines[:4]), (2, lines[4:6]), (10, lines[6:])):
        (rolled / f"events_{number}_app-3").write_bytes(b"".join(part))
    logs = read_logs(tmp_path)
    assert names(logs) == ["app-1", "app-2", "app-3"]
    assert len({json.dumps([asdict(c) for c in a.costs.values()]) for a in logs.applications}) == 1
    assert logs.problems == ()
    assert names(read_logs(rolled)) == ["app-3"]


def test_a_rolled_log_that_was_compacted(tmp_path: Path) -> None:
    rolled = tmp_path / "eventlog_v2_app-3"
    rolled.mkdir()
    lines = simple(name="app-3").splitlines(True)
    (rolled / "events_1_app-3").write_bytes(simple("take at /jobs/daily.py:1", "app-0"))
    (rolled / "events_2_app-3.compact").write_bytes(b"".join(lines[:5]))
    (rolled / "events_3_app-3").write_bytes(b"".join(lines[5:]))
    (run,) = read_logs(tmp_path).applications
    assert [site.method for site in run.costs] == ["collect"]
    assert run.name == "app-3"


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    assert problem(tmp_path / "nowhere") == f"{tmp_path / 'nowhere'}: No such file or directory"
    assert problem(tmp_path / "here") == f"{tmp_path / 'here'}: no event logs"
    (tmp_path / "x").write_bytes(b"\x89PNG\r\n")
    assert problem(tmp_path / "x") == f"{tmp_path / 'x'}: not an event log"
    (tmp_path / "x").write_bytes(b"ZV\x01...")
    assert "LZF is not read" in problem(tmp_path / "x")
    assert "\n" not in problem(tmp_path / "x\0y")


def test_broken_lines_and_half_a_line(tmp_path: Path) -> None:
    lines = simple().splitlines(True)
    broken = [
        b'{"Event":"SparkListenerJobStart","Job ID":\n',
        b"\xff\xfe\n",
        b'{"Event":"SparkListenerJobEnd"' + b"[" * 99_999 + b"\n",
    ]
    (tmp_path / "log").write_bytes(b"".join([*lines[:5], *broken, *lines[5:-1], b'{"Event":"Spark']))
    logs = read_logs(tmp_path)
    assert [c.bytes for a in logs.applications for c in a.costs.values()] == [2_000_000]
    assert logs.problems == (f"{tmp_path / 'log'}: 3 lines are broken",)


def test_limits(tmp_path: Path) -> None:
    for i in range(4):
        (tmp_path / f"app-{i}").write_bytes(simple(name=f"app-{i}"))
        os.utime(tmp_path / f"app-{i}", (i, i))
    newest = read_logs(tmp_path, Limits(logs=2))
    assert names(newest) == ["app-2", "app-3"]
    assert newest.problems == (f"{tmp_path}: only the newest 2 event logs are read",)
    size = len(simple())
    some = read_logs(tmp_path, Limits(total=size * 5 // 2))
    assert names(some) == ["app-2", "app-3"]
    assert some.problems == (
        f"{tmp_path}: 2 of 4 event logs are read: the limit is {size * 5 // 2:,} bytes of all logs",
    )
    assert "the limit is 0 s" in problem(tmp_path, Limits(seconds=0))
    assert "too many jobs" in problem(tmp_path, Limits(entries=1))


def test_long_lines_are_left_out_whole(tmp_path: Path) -> None:
    long = query(9, "take at /jobs/daily.py:4", details='x\n{"Event":"SparkListenerJobStart"}' * 9_000)
    lines = simple().splitlines(True)
    (tmp_path / "log").write_bytes(b"".join([*lines[:3], text(long), *lines[3:]]))
    logs = read_logs(tmp_path, Limits(line=4096))
    assert logs.problems == (f"{tmp_path / 'log'}: 1 lines are longer than 4,096 bytes",)
    assert [c.rows for a in logs.applications for c in a.costs.values()] == [1000]


def test_a_bomb_ends_at_the_limit(tmp_path: Path) -> None:
    (tmp_path / "log.zstd").write_bytes(pyarrow.Codec("zstd").compress(simple() + b"x" * (64 << 20), asbytes=True))
    assert "the limit is 1,000,000 bytes" in problem(tmp_path, Limits(total=1_000_000, line=65_536))


HOSTILE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2), st.just(10**400), st.just("collect at /a.py:1"),
    st.just([[1, 2], [3]]),
    st.just({"metrics": 1, "children": [None, 3, {"metrics": [{"name": "size of files read"}]}]}),
)  # fmt: skip


@st.composite
def hostile_lines(draw: st.DrawFn) -> bytes:
    """The lines of a log with values exchanged, bytes cut, doubled or spoilt, in another order."""
    lines = []
    for line in simple().splitlines(True):
        event = json.loads(line)
        for key in draw(st.lists(st.sampled_from(sorted(event)), max_size=2)):
            if key != "Event":
                event[key] = draw(HOSTILE)
        raw = text(event)
        cut = draw(st.integers(0, len(raw)))
        lines.append(draw(st.sampled_from([raw, raw, raw, raw[:cut], raw + raw, raw[:cut] + b"\xff\0" + raw[cut:]])))
    return b"".join(draw(st.permutations(lines)))


@given(hostile_lines(), st.sampled_from(sorted(PACKED)), st.booleans())
def test_hostile_logs(tmp_path_factory: pytest.TempPathFactory, data: bytes, how: str, spoilt: bool) -> None:
    log = tmp_path_factory.mktemp("hostile") / "log"
    packed = PACKED[how](data)
    log.write_bytes(packed[: len(packed) // 2] + b"\x07" + packed[len(packed) // 2 :] if spoilt else packed)
    logs = read_or_said(log)
    if isinstance(logs, str):
        assert "\n" not in logs
        assert SECRET not in logs
        return
    assert SECRET not in repr(logs)
    for run in logs.applications:
        for cost in run.costs.values():
            assert cost.jobs >= 1
            assert min(cost.bytes, cost.rows, cost.file_bytes, cost.seconds) >= 0
