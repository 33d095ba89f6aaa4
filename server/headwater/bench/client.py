"""Our side of the process that runs a pipeline: starting it, hearing of its steps, ending it and all its children."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from headwater.engine.workers.search_path import trusted

from .job import Failed, Job, Measured

_BOOT = "import sys; sys.path[:] = sys.argv[2:]; from headwater.bench.run import main; main()"
_TAIL = 3_000


def missing() -> str | None:
    """What has to be installed before anything can be measured."""
    absent = [name for name in ("pyspark", "pandas", "pyarrow") if find_spec(name) is None]
    return f"bench needs {', '.join(absent)}: pip install 'headwater[spark]'" if absent else None


def measured(job: Job, step: Callable[[str], None], seconds: float | None = None) -> Measured:
    """The answer to ``job``, within ``seconds``, or Failed; ``step`` is called with what happens next."""
    path = Path(job["scratch"]) / "job.json"
    path.write_text(json.dumps(job), encoding="utf-8")
    with tempfile.TemporaryFile() as noise:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", _BOOT, str(path), *trusted()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=noise,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        late = threading.Event()

        def give_up() -> None:
            late.set()
            _end(process)

        timer = threading.Timer(seconds or threading.TIMEOUT_MAX, give_up)
        timer.daemon = True
        timer.start()
        try:
            answer = _answer(process, step)
        finally:
            timer.cancel()
            _end(process)
        if answer is not None:
            return answer
        noise.seek(0)
        said = noise.read()[-_TAIL:].decode("utf-8", "replace")
    reason = f"took longer than {seconds:g} s" if late.is_set() else "the process that ran it ended without an answer"
    raise Failed(reason, said)


def _answer(process: subprocess.Popen[str], step: Callable[[str], None]) -> Measured | None:
    assert process.stdout is not None
    for line in process.stdout:
        message: dict[str, Any] = json.loads(line)
        if "step" in message:
            step(message["step"])
        elif "failure" in message:
            raise Failed(*message["failure"])
        else:
            answer: Measured = message["result"]
            return answer
    return None


def _end(process: subprocess.Popen[str]) -> None:
    """The process, Spark's JVM and its Python workers: they share a session of their own."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows
            process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
