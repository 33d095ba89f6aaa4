"""Where the time goes: a sampling profile by phase of the synthesis.

A timer interrupts every millisecond of processor time. Python runs the handler as soon as it is back from C, so each
sample is weighted with the processor time since the last one, and long calls of the solver count in full.
"""

from __future__ import annotations

import signal
import time
from types import FrameType, TracebackType

INTERVAL = 0.001
DRIVERS = ("synthesis/algorithm", "synthesis/search")
"""Modules that only call the phases."""
PHASES = {
    "synthesis/universe": "analysis, universes",
    "synthesis/dataflow": "analysis, universes",
    "synthesis/monotone": "analysis, universes",
    "synthesis/normal_form": "analysis, universes",
    "synthesis/row_queries": "analysis, universes",
    "synthesis/row_functions/pythonic": "analysis, universes",
    "synthesis/concrete": "concrete runs",
    "synthesis/samples": "concrete runs",
    "synthesis/guidance": "concrete runs",
    "synthesis/masks": "concrete runs",
    "synthesis/runs": "concrete runs",
    "synthesis/session": "encoding",
    "synthesis/bounds": "bounds",
    "synthesis/bisimulation": "Houdini",
    "synthesis/residual": "residual",
    "synthesis/readable": "tidying",
    "synthesis/projection": "projection",
    "synthesis/obstruction": "naming the obstruction",
    "synthesis/row_functions/rowwise": "row functions",
    "proof/certificate": "writing the certificate",
    "proof/checker": "checker",
}
"""Start of a module's name in ``headwater`` → phase; the outermost one on the stack counts. Others go by their name."""


class Sampler:
    """A context in which time is attributed; ``seconds`` of processor time by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = 0.0

    def __enter__(self) -> Sampler:
        self._before = signal.signal(signal.SIGPROF, self._tick)
        self._last = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self._before)

    def _tick(self, _: int, frame: FrameType | None) -> None:
        now = time.process_time()
        phase = phase_of(frame)
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._last
        self._last = now


def phase_of(frame: FrameType | None) -> str:
    """The phase of the outermost frame that belongs to one."""
    found = "the rest"
    while frame is not None:
        name = frame.f_code.co_filename.replace("\\", "/").removesuffix(".py")
        _, inside, module = name.rpartition("/headwater/")
        if inside and module.startswith(("synthesis/", "proof/", "semantics/")) and module not in DRIVERS:
            found = next((phase for start, phase in PHASES.items() if module.startswith(start)), module)
        frame = frame.f_back
    return found
