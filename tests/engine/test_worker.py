"""A worker between two calls."""

from __future__ import annotations

import gc
import queue
import threading

import pytest

from headwater.engine.workers import worker


def test_garbage_is_looked_for_while_no_call_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", collected.append)
    calls: queue.SimpleQueue[worker.Call] = queue.SimpleQueue()
    call: worker.Call = (len, ("abc",))
    calls.put(call)
    assert worker._next(calls) is call
    assert collected == []
    threading.Timer(0.05, calls.put, [call]).start()
    assert worker._next(calls) is call
    assert collected == [0]
