"""What data files say, where a measured rewrite rests on it: the columns to generate, and whether it still holds.

A finding assumes that the files are as they were when they were read. They are read again here, and of Parquet and
ORC files also the values, for a footer may say that there is no NULL where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from headwater.data_facts.listing import Budget, Unclear, files_of
from headwater.data_facts.model import DataFacts
from headwater.pyspark.frames.known_data import evidence

_READ_ON = re.compile(r", read on \d{4}-\d\d-\d\d")
_ENOUGH_SECONDS, _ANY_BYTES = 60.0, 1 << 60


def ddl_of(facts: DataFacts) -> str | None:
    """The columns as DDL; None if the type of one has no name there."""
    if any(c.ddl in ("unknown", "decimal") for c in facts.columns):
        return None
    return ", ".join(f"`{c.name}` {c.ddl}{' NOT NULL' if facts.not_null(c) else ''}" for c in facts.columns)


def recheck(assumed: Iterable[str], now: tuple[DataFacts, ...], root: Path) -> tuple[tuple[str, bool], ...]:
    """A line for each assumption about data files, and whether it still holds. ``now``: what the files say now."""
    known = {_READ_ON.sub("", evidence(d)): d for d in now}
    found = []
    for text in dict.fromkeys(assumed):
        said = _READ_ON.search(text)
        if said is None:
            continue
        before = _READ_ON.sub("", text)
        facts = next(
            (d for e, d in known.items() if before.endswith(f"match {e}") or before.endswith(f"matches {e}")), None
        )
        if facts is None:
            found.append((f"CHANGED since then: {text}", False))
            continue
        lost = [c.name for c in facts.columns if f"`{c.name}` (" in text and "null count 0" in _of(text, c.name)]
        wrong = [] if facts.form not in ("parquet", "orc") else list(_nulls(facts, lost, root))
        found += [(f"WRONG: {w}, but {text}", False) for w in wrong] or [(f"as assumed: {text}", True)]
    return tuple(found)


def _of(text: str, column: str) -> str:
    """What an assumption says of one of its columns."""
    return text.split(f"`{column}` (", 1)[1].split(")", 1)[0]


def _nulls(facts: DataFacts, columns: list[str], root: Path) -> Iterator[str]:
    """The columns of ``columns`` that hold NULL in some file, by its values."""
    import time

    from pyarrow import ArrowException

    stored = [c for c in columns if c not in facts.partitions]
    if not stored:
        return
    try:
        for listed in files_of(root / facts.place, root, Budget(time.monotonic, _ENOUGH_SECONDS, _ANY_BYTES)):
            for batch in _batches(facts.form, listed.path, stored):
                for name in stored:
                    if count := batch.column(name).null_count:
                        yield f"`{name}` has {count} NULL in `{listed.path.name}`"
                        return
    except (ArrowException, OSError, KeyError, Unclear) as error:
        yield f"`{facts.place}` cannot be read ({type(error).__name__})"


def _batches(form: str, path: Path, columns: list[str]) -> Iterator[Any]:
    from pyarrow import orc, parquet

    if form == "orc":
        file = orc.ORCFile(str(path))
        yield from (file.read_stripe(i, columns=columns) for i in range(file.nstripes))
        return
    with parquet.ParquetFile(path) as found:
        yield from found.iter_batches(columns=columns)
