"""Worker processes for an event loop: calls are awaited, and cancelling one ends its worker.

A process whose call is no longer wanted is killed, and its place taken by a fresh one, warmed up in the background, so
that the next call need not wait for a start.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from .isolated import Worker, WorkerLost

T = TypeVar("T")
START_SECONDS = 60.0


class AsyncPool:
    """Up to ``size`` calls at once; more wait for their turn. Each worker calls ``first`` when it starts."""

    def __init__(self, size: int, first: Callable[[], object]) -> None:
        self._first = first
        self._free = asyncio.Semaphore(size)
        self._idle: list[_PooledWorker] = []
        self._all: set[_PooledWorker] = set()
        self._closed = False

    async def call(self, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        """``function(*arguments)`` in a worker; ``WorkerLost`` if there is no answer within ``seconds``.

        Cancelling ends the worker in the middle of its work.
        """
        async with self._free:
            worker = self._idle.pop() if self._idle else self._new_worker()
            try:
                result = await worker.call(seconds, function, *arguments)
            except asyncio.CancelledError:
                self._retire(worker)
                self.warm_up()
                raise
            except BaseException:
                self._idle.append(worker)
                raise
            self._idle.append(worker)
            return result

    def warm_up(self) -> None:
        """Start a worker before it is needed, unless one waits already."""
        if not self._idle and not self._closed:
            self._idle.append(self._new_worker())

    def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in list(self._all):
            self._retire(worker)

    def _new_worker(self) -> _PooledWorker:
        worker = _PooledWorker(self._first)
        self._all.add(worker)
        return worker

    def _retire(self, worker: _PooledWorker) -> None:
        self._all.discard(worker)
        with suppress(ValueError):
            self._idle.remove(worker)
        worker.stop()


class _PooledWorker:
    """A worker and the thread that talks to it. The thread is a daemon: nothing that it waits for may keep the server
    from ending."""

    def __init__(self, first: Callable[[], object]) -> None:
        self._worker = Worker()
        self._calls: list[tuple[float, Callable[..., Any], tuple[Any, ...], _Answer | None]]
        self._calls = [(START_SECONDS, first, (), None)]
        self._wake = threading.Condition()
        self._stopped = False
        threading.Thread(target=self._run, daemon=True, name="headwater-worker").start()

    async def call(self, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        answer = _Answer()
        with self._wake:
            self._calls.append((seconds, function, arguments, answer))
            self._wake.notify()
        result: T = await answer.future
        return result

    def stop(self) -> None:
        """End the process, whatever it does; a call under way has nobody to answer to."""
        with self._wake:
            self._stopped = True
            self._wake.notify()
        self._worker.stop("superseded")

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._calls or self._stopped)
                if self._stopped:
                    break
                seconds, function, arguments, answer = self._calls.pop(0)
            try:
                result = self._worker.call(seconds, function, *arguments)
            except WorkerLost as lost:
                if answer:
                    answer.fail(lost)
            except Exception as error:
                if answer:
                    answer.fail(WorkerLost(f"internal error: {type(error).__name__}: {error}"))
            else:
                if answer:
                    answer.give(result)
        self._worker.close()


class _Answer:
    """A result on its way from a thread to the event loop that waits for it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self._loop.create_future()

    def give(self, result: object) -> None:
        self._later(self.future.set_result, result)

    def fail(self, error: BaseException) -> None:
        self._later(self.future.set_exception, error)

    def _later(self, tell: Callable[[Any], None], what: object) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it whoever asked
            self._loop.call_soon_threadsafe(self._unless_cancelled, tell, what)

    def _unless_cancelled(self, tell: Callable[[Any], None], what: object) -> None:
        if not self.future.done():
            tell(what)
