"""Processes that die, and neighbours that mean harm: the next request works, and nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from .editor import Editor, run
from .processes import alive, children
from .programs import BEST, TWO

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")


@pytest.fixture(autouse=True)
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers and workers are started as an editor starts them."""
    monkeypatch.setattr(Editor, "warm", False)


def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(1))
        await e.published(uri, "HW190")
        for round_ in range(2, 4):
            for pid in children(e.process):
                os.kill(pid, signal.SIGKILL)
            e.change(uri, BEST.format(round_))
            await e.published(uri, "HW190")
        e.save(uri)
        for _ in range(2):
            await asyncio.sleep(0.1)
            for pid in children(e.process):
                os.kill(pid, signal.SIGKILL)
        await e.idle()
        e.save(uri)
        await e.published(uri, "HW101")

    run(scenario, tmp_path, tmp_path / "cache")


def test_a_text_that_always_kills_its_worker_is_left_alone(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(1))
        await e.published(uri, "HW190")
        killed = 0
        e.change(uri, BEST.format(2))
        while not (e.status and e.status[-1].state == "error"):
            for pid in children(e.process):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            await asyncio.sleep(0.01)
        assert "left alone until it changes" in e.status[-1].message
        assert killed >= 2
        e.change(uri, BEST.format(3))
        await e.published(uri, "HW190")

    run(scenario, tmp_path, tmp_path / "cache")


@pytest.mark.parametrize("how", ["kill", "hang up", "shutdown"])
def test_a_server_that_ends_leaves_no_process(tmp_path: Path, how: str) -> None:
    async def scenario() -> None:
        e = Editor(tmp_path, tmp_path / "cache")
        await e.start()
        for i in range(3):
            e.save(e.open(f"job{i}.py", TWO.format(i, i)))
        await e.until(lambda: any(s.state == "proving" for s in e.status))
        below = children(e.process)
        assert below
        server = e.client._server
        assert server is not None
        if how == "kill":
            os.kill(e.process, signal.SIGKILL)
        elif how == "hang up":
            assert server.stdin is not None
            server.stdin.close()
        else:
            await e.stop()
        end = time.monotonic() + 10
        while alive([e.process, *below] if how != "shutdown" else below) and time.monotonic() < end:
            await asyncio.sleep(0.05)
        assert alive(below) == []
        with contextlib.suppress(ProcessLookupError):
            await asyncio.wait_for(server.wait(), 10)
        if how != "shutdown":
            e.client._stop_event.set()

    asyncio.run(scenario())


def test_two_servers_share_a_cache(tmp_path: Path) -> None:
    async def scenario() -> None:
        editors = [Editor(tmp_path, tmp_path / "cache") for _ in range(2)]
        await asyncio.gather(*(e.start() for e in editors))
        uris = [[e.open(f"job{i}.py", BEST.format(i)) for i in range(4)] for e in editors]
        for mine, e in zip(uris, editors, strict=True):
            for uri in mine:
                e.save(uri)
        for mine, e in zip(uris, editors, strict=True):
            for uri in mine:
                await e.published(uri, "HW101")
        await asyncio.gather(*(e.stop() for e in editors))

    asyncio.run(scenario())


def test_a_workspace_with_modules_of_our_names_is_not_imported(tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'sprung')!r}, 'a').write(__name__ + chr(10))\n"
    for name in (
        "z3",
        "libcst",
        "sqlglot",
        "pygls",
        "lsprotocol",
        "headwater",
        "asyncio",
        "sitecustomize",
        "platformdirs",
    ):
        (tmp_path / f"{name}.py").write_text(trap)
    (tmp_path / "job.py").write_text(trap + BEST.format(5))

    async def scenario() -> None:
        e = Editor(tmp_path, tmp_path / "cache")
        await e.start()
        uri = e.open("job.py", trap + BEST.format(5))
        e.save(uri)
        await e.published(uri, "HW101")
        await e.stop()

    asyncio.run(scenario())
    assert not (tmp_path / "sprung").exists()
