"""A worker process and the calls that it answers: whatever goes wrong in there costs the one call.

A worker starts as ``python -I`` in a directory of ours, so that neither its imports nor Z3's search for its library
(which begins in the current directory) see the workspace. It ends with this process, by the end of its standard input.
A call may be waited for in any thread; ``stop`` from another one ends it.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from .search_path import trusted

T = TypeVar("T")
_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from headwater.engine.workers.worker import main; main()"
_HOME = Path(__file__).parent


class WorkerLost(Exception):
    """There is no answer: the worker crashed, took too long, ran out of memory or was stopped. The text says which."""


def command() -> list[str]:
    """What starts a worker."""
    return [sys.executable, "-I", "-c", _BOOT, *trusted()]


class Worker:
    """One process, started at the first call and again after it was lost."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = ""  # why, if it was

    def call(self, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        """``function(*arguments)``, computed over there within ``seconds`` of wall time; else ``WorkerLost``.

        The function is found again by its name; arguments and result must pickle.
        """
        self._stopped = ""
        process = self._started()
        late = threading.Timer(seconds, self.stop, (f"took longer than {seconds:g} s",))
        late.daemon = True
        late.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump((function, arguments), process.stdin)
            process.stdin.flush()
            done, result, worn = pickle.load(process.stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            with suppress(subprocess.TimeoutExpired):  # its own end tells more than ours would
                process.wait(1)
            self._end()
            raise WorkerLost(self._stopped or f"the analyser crashed ({_status(process.returncode)})") from None
        except BaseException:
            self._end()
            raise
        finally:
            late.cancel()
            late.join()
        if worn or not done or self._stopped:
            self._end()
        if not done:
            raise WorkerLost(str(result))
        answer: T = result
        return answer

    def stop(self, reason: str = "stopped") -> None:
        """End the process; a call that is under way raises ``WorkerLost`` with ``reason``."""
        self._stopped = reason
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process and wait for its end."""
        self._end()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_HOME
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        process.wait()


def _status(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return f"signal {-code}"
