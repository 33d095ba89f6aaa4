"""The inside of a worker process: calls come in on standard input, answers go out on standard output.

Everything that touches a user's text (parser, solver, LibCST) runs in here, for any of them may end the process. See
``isolated`` for the other side.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

MEMORY = 4 << 30
"""Bytes of address space; a solver by itself stops earlier (``synthesis.solving``)."""
WORN = 1 << 30
"""A worker that has ever held so much is replaced: the memory may never come back."""
_PR_SET_PDEATHSIG = 1
"""https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html"""
YOUNG = 200_000
"""How many objects more there are at least before those that are garbage are looked for in the middle of a call: a
keystroke makes fewer, and takes half as long again if it has to wait for that."""
PAUSE = 0.5
"""Seconds without a call after which what is no longer needed is collected, once."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]


def main() -> None:
    """Answer calls until standard input ends. What a library prints goes nowhere, so that it cannot garble answers."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the parent to decide
    _end_with_parent()
    _limit()
    gc.set_threshold(YOUNG, 10, 10)
    calls: queue.SimpleQueue[Call] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, calls), daemon=True).start()
    try:
        while True:
            pickle.dump((*answer(_next(calls)), _worn()), answers)
            answers.flush()
    finally:  # an exit that somebody asked for would wait for the other thread
        os._exit(1)


def _next(calls: queue.SimpleQueue[Call]) -> Call:
    """The next call. While there is none, what the last one made and ended is collected."""
    with suppress(queue.Empty):
        return calls.get_nowait()
    gc.collect(0)
    with suppress(queue.Empty):
        return calls.get(timeout=PAUSE)
    tidy()
    return calls.get()


def tidy() -> None:
    """Collect what is no longer needed, and leave what stays out of the collections in the middle of a call, of which a
    full one would take as long as the answer to a keystroke."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _receive(stream: BinaryIO, calls: queue.SimpleQueue[Call]) -> None:
    """Read calls beside the work, so that the end of the parent ends this process in the middle of it."""
    try:
        while True:
            calls.put(pickle.load(stream))
    finally:
        os._exit(0)


def answer(call: Call) -> tuple[bool, Any]:
    """(True, the result), or (False, what was raised in one line). The result is known to pickle."""
    function, arguments = call
    try:
        result = function(*arguments)
        pickle.dumps(result)
    except MemoryError:
        return False, "out of memory"
    except RecursionError:
        return False, "nested too deeply"
    except Exception as error:
        return False, f"internal error: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return True, result


def _end_with_parent() -> None:
    """Have the kernel end this process with the thread that started it, where it can: the end of standard input, which
    does it elsewhere, is noticed only when this process has its turn, and on a busy machine that may take seconds."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, bound in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        most = resource.getrlimit(what)[1]
        resource.setrlimit(what, (bound if most == resource.RLIM_INFINITY else min(bound, most), most))


def _worn() -> bool:
    try:
        import resource
    except ImportError:  # Windows
        return False
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > WORN
