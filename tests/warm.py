"""Programs that tests start as processes of their own, forked from one that has imported the product.

Most of the time of a short run is spent on importing: half a second for a command, as much again for each of its
workers and twice that for a server. ``Warm`` is started as ``subprocess.Popen`` is, and so are the workers of what it
runs. How processes really start and end is asked by tests/hostile, tests/scan and tests/lsp/test_processes.py.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import io
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, NoReturn

NAME = "HEADWATER_TESTS_WARM"
"""The variable that names the socket of the process that forks."""
COMMAND, WORKER = "command", "worker"
_LENGTH = 1 << 20


class Warm:
    """A process that was forked: ``kind`` says what it runs, with ``arguments``."""

    def __init__(
        self, kind: str, arguments: Sequence[str], fds: Sequence[int], cwd: str, env: Mapping[str, str] | None = None
    ) -> None:
        self.returncode: int | None = None
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LENGTH)
        self._socket.connect(_forker())
        said = {"kind": kind, "arguments": list(arguments), "cwd": cwd, "env": dict(os.environ if env is None else env)}
        socket.send_fds(self._socket, [json.dumps(said).encode()], list(fds))
        self.pid = int(self._socket.recv(100))

    def __del__(self) -> None:
        self._socket.close()

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""
        if self.returncode is None:
            self._socket.settimeout(timeout)
            try:
                self._note(self._socket.recv(100, socket.MSG_PEEK))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("warm", timeout or 0) from None
        assert self.returncode is not None
        return self.returncode

    async def ended(self) -> int:
        """Its exit code, when it has ended."""
        if self.returncode is None:
            self._socket.setblocking(False)
            self._note(await asyncio.get_running_loop().sock_recv(self._socket, 100))
        assert self.returncode is not None
        return self.returncode

    def _note(self, said: bytes) -> None:
        """The exit code as the forking process has ``said`` it. The socket stays open, for several threads may wait;
        it is closed with the object."""
        if self.returncode is None:
            self.returncode = int(said or -signal.SIGKILL)

    def kill(self) -> None:
        """End it."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(self.pid, signal.SIGKILL)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``headwater …`` to its end, in the current directory and with the current environment."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, Path(os.devnull).open("rb") as nothing:
        code = Warm(COMMAND, arguments, [nothing.fileno(), out.fileno(), err.fileno()], str(Path.cwd())).wait(120)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8").replace("\r\n", "\n"))
    return subprocess.CompletedProcess(arguments, code, *texts)


@cache
def _forker() -> str:
    """Start the process that forks, and wait until it has imported everything; its socket, which has no file."""
    if NAME in os.environ:  # this is one of those that were forked
        return "\0" + os.environ[NAME]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.warm"],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(process.communicate)
    assert process.stdout is not None
    return "\0" + process.stdout.readline().decode().strip()


# --- the process that forks


def main() -> None:
    """Import the product, then fork until standard input ends."""
    import gc

    import headwater.cli.app
    import headwater.lsp.start  # noqa: F401
    from headwater.engine.documents import on_demand

    on_demand.warm()
    assert len(os.listdir("/proc/self/task")) == 1, "what has threads must not be forked"  # noqa: PTH208
    gc.collect()
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    name = f"headwater-tests-{os.getpid()}"
    listener.bind("\0" + name)
    listener.listen(64)
    print(name, flush=True)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    waiting = selectors.DefaultSelector()
    for source in (0, woken, listener):
        waiting.register(source, selectors.EVENT_READ)
    askers: dict[int, socket.socket] = {}
    while True:  # until whoever started this process is gone
        ready = {key.fd for key, _ in waiting.select()}
        if 0 in ready:
            break
        if woken in ready:
            os.read(woken, 1000)
            _report_ends(askers)
        if listener.fileno() in ready:
            asker = listener.accept()[0]
            said, fds, *_ = socket.recv_fds(asker, _LENGTH, 3)
            pid = os.fork()
            if not pid:
                _become(json.loads(said), fds, name)
            askers[pid] = asker
            asker.send(str(pid).encode())
            for fd in fds:
                os.close(fd)
    for pid in askers:
        os.kill(pid, signal.SIGKILL)


def _report_ends(askers: dict[int, socket.socket]) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            with askers.pop(pid) as asker, contextlib.suppress(OSError):  # nobody may want to know
                asker.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(said: dict[str, object], fds: list[int], name: str) -> NoReturn:
    """Run in the child what was asked for, and end as an interpreter does."""
    code: object = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for at, fd in enumerate(fds):
            os.dup2(fd, at)
        os.closerange(3, 4096)
        environment = said["env"]
        assert isinstance(environment, dict)
        os.environ.clear()
        os.environ.update(environment | {NAME: name})
        os.chdir(str(said["cwd"]))
        encoding = environment.get("PYTHONIOENCODING", "utf-8")
        sys.stdout, sys.stderr = (io.TextIOWrapper(os.fdopen(fd, "wb"), encoding) for fd in (1, 2))
        arguments = said["arguments"]
        assert isinstance(arguments, list)
        code = _run(str(said["kind"]), arguments)
    except SystemExit as error:
        code = error.code
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def _run(kind: str, arguments: list[str]) -> int:
    if kind == WORKER:
        from headwater.engine.workers.worker import main as work

        sys.path[:] = arguments
        work()
    else:
        from headwater.cli import main as command
        from headwater.engine.workers.isolated import Worker

        Worker._started = _started_warm  # type: ignore[method-assign, assignment]
        sys.argv = ["headwater", *arguments]
        sys.modules["__main__"].__package__ = None  # else it is what help calls the command
        command()
    return 0


def _started_warm(self: object) -> Warm:
    """``Worker._started``, with a process that is forked."""
    from headwater.engine.workers import isolated

    assert isinstance(self, isolated.Worker)
    process: object = self._process
    if isinstance(process, Warm) and process.poll() is None:
        return process
    self._end()
    (calls, stdin), (stdout, answers) = os.pipe(), os.pipe()
    with Path(os.devnull).open("wb") as nothing:
        made = Warm(WORKER, isolated.trusted(), [calls, answers, nothing.fileno()], str(isolated._HOME))
    os.close(calls)
    os.close(answers)
    made.stdin, made.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
    self._process = made  # type: ignore[assignment]
    return made


if __name__ == "__main__":
    main()
