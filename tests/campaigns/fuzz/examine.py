"""One program from its seed to a verdict."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

from tests.results import Failed, Result

from .folds import broken
from .judge import Difference, Trial, judged, smaller
from .marks import contradicted
from .reading import misread, reading
from .regression import Regression
from .shrink import shrunk
from .tool import Answer, Rewriter, answer
from .write import Recorded, Writer, write

TABLES = 24
GROUPS = 60
READINGS = 6
SHRINKING_SECONDS = 60.0


@dataclass(frozen=True)
class Record:
    """What became of one program.

    ``compared``: tables on which both texts ran, with ``rows`` rows in their results; ``failing``: those on which the
    original raises; ``groups``: those of the interpreter; ``read``: tables on which the fold did what the program does;
    ``digest``: of the text; ``wrong``: what was wrong, or None; ``table``, the two texts and ``assumptions``, those of
    the certificates, only if it was rewritten.
    """

    seed: int
    shape: str
    outcome: str
    why: str
    compared: int
    failing: int
    rows: int
    groups: int
    read: int
    seconds: float
    digest: int = 0
    wrong: str | None = None
    table: str = ""
    original: str | None = None
    rewritten: str | None = None
    assumptions: tuple[str, ...] = ()


def examined(seed: int, rewriter: Rewriter | None = None, shrink: bool = True, writer: Writer = write) -> Record:
    """Write, rewrite and run program number ``seed``; a failure is shrunk and kept as a regression."""
    start = time.process_time()
    choices = Recorded(seed=seed)
    program = writer(choices)
    found = (rewriter or _rewriter(seed))(program)
    trial, groups, wrong = tried(found, seed)
    tables = 0
    if wrong is not None and shrink:
        wrong = f"{wrong}\n{kept(choices.taken, seed, rewriter or _rewriter(seed), writer=writer)}"
    if wrong is None and (known := reading(program)) is not None:
        tables, wrong = misread(program, known, seed, READINGS)
    seconds = round(time.process_time() - start, 3)
    texts = (program.spelled, program.source, found.text, found.assumptions) if found.proved else ()
    return Record(
        seed, program.shape, found.outcome, found.why, trial.compared, trial.failing, trial.rows, groups, tables,
        seconds, crc32(program.source.encode()), wrong, *texts,
    )  # fmt: skip


def _rewriter(seed: int) -> Rewriter:
    """Most programs are rewritten in one round; some until nothing is left, some by pre-filters alone."""
    return partial(answer, again=seed % 8 == 0, only_prefilter=seed % 8 == 5)


def tried(found: Answer, seed: int) -> tuple[Trial, int, str | None]:
    """What running a rewritten program comes to; how many groups the interpreter saw; what was wrong, or None."""
    trial = judged(found, seed, TABLES)
    if trial.differences:
        return trial, 0, f"{found.program.shape}: {in_words(trial.differences[0])}"
    told = contradicted(found)
    if told is not None:
        return trial, 0, f"{found.program.shape}: {told}"
    groups = 0
    for o in found.report.opportunities:
        wrong = broken(o, seed + 1_000_003, GROUPS)
        groups += GROUPS
        if wrong is not None:
            told = f"on the interpreter {wrong.rows} gives {wrong.rewritten}, not {wrong.original}"
            return trial, groups, f"{found.program.shape}: {told}"
    return trial, groups, None


def in_words(difference: Difference) -> str:
    """A difference in one line."""
    return f"on {difference.tables} {_listed(difference.original)} became {_listed(difference.rewritten)}"


def _listed(found: Result) -> str:
    return found.reason if isinstance(found, Failed) else repr(sorted(found.elements(), key=repr))


def kept(
    choices: list[int], seed: int, rewriter: Rewriter, seconds: float = SHRINKING_SECONDS, writer: Writer = write
) -> str:
    """Shrink the program and write it down; the answer says where it is."""

    def seen_by(candidate: Sequence[int]) -> tuple[bool, bool]:
        """Whether running it shows that it is wrong, and whether that or the interpreter does."""
        trial, _, told = tried(rewriter(writer(Recorded(candidate))), seed)
        return bool(trial.differences), told is not None

    runs = seen_by(choices)[0]

    def wrong(candidate: Sequence[int]) -> bool:
        try:
            return seen_by(candidate)[0 if runs else 1]
        except Exception:  # another failure than the one that is being shrunk
            return False

    simplest = writer(Recorded(shrunk(choices, wrong, seconds)))
    found = rewriter(simplest)
    trial = judged(found, seed, TABLES)
    if not trial.differences:
        return f"{simplest.spelled}\n{simplest.source}"
    difference = smaller(found, trial.differences[0])
    return str(Regression(in_words(difference), simplest, difference.tables["t"]).write())
