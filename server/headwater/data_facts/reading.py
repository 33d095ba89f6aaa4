"""What the data files that a text names say, and in one line each why others say nothing.

Only paths that the text writes out are looked at, relative to the workspace or absolute, and only files inside of it;
nothing is opened that is no regular file, and of a file only its footer is read.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import BinaryIO

from . import orc, parquet
from .bounds import Known, Part, of_text
from .delta import LOG, read_log
from .footer import Footer
from .iceberg import is_iceberg, read_metadata
from .listing import Budget, Listed, Unclear, files_of
from .model import ColumnFacts, DataFacts
from .partitions import NULL, partition_column
from .places import places
from .thrift import Malformed

SECONDS, MOST_BYTES = 3.0, 32_000_000
_WRITES = re.compile(
    r"\.write\b|\.writeTo\b|\.writeStream\b|to_parquet|write_table|write_deltalake|DeltaTable|rmtree|unlink|remove|rename|move"
    r"|\b(?i:insert|merge|update|delete|truncate|copy|restore|alter|drop|call)\b"
)
"""What writes files, in Python or in SQL text."""
Opened = Callable[[Path], BinaryIO]


def look(
    text: str, root: Path, opened: Opened, clock: Callable[[], float] = time.monotonic
) -> tuple[tuple[DataFacts, ...], tuple[str, ...]]:
    """What is known of the data at the paths that ``text`` writes out, in a workspace at ``root``, and in a line each
    why others say nothing. ``opened`` opens a regular file."""
    root = root.resolve()
    budget = Budget(clock, SECONDS, MOST_BYTES)
    found, lines = list[DataFacts](), list[str]()
    named = places(text, root)
    for place in named:
        try:
            if _written_here(text, place, named, root):
                raise Unclear("the program may write it")
            if "chdir" in text:
                raise Unclear("the program may change its directory")
            found.append(facts_of(place, root, opened, budget))
        except Unclear as why:
            lines.append(f"nothing is taken from `{place}`: {why}")
        except (OSError, ValueError, RecursionError) as error:
            lines.append(f"nothing is taken from `{place}`: it cannot be read ({type(error).__name__})")
    return tuple(found), tuple(lines)


def facts_of(place: str, root: Path, opened: Opened, budget: Budget) -> DataFacts:
    """What the files at ``place``, of Parquet or ORC or of a Delta or Iceberg table, say; ``Unclear`` if that is
    nothing."""
    day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    table = root / place
    if (table / LOG).is_dir():
        log, version = read_log(table, root, opened, budget)
        source = f"version {version} of the Delta table `{place}` ({_files(len(log.files), '')})"
        found = log.facts(place, source)
    elif is_iceberg(table):
        found = read_metadata(place, root, opened, budget)
    else:
        found = _plain(place, root, opened, budget)
    return replace(found, columns=_quotable(found.columns), day=day)


def _files(number: int, form: str) -> str:
    return f"{number:,} {form}file{'' if number == 1 else 's'}"


def _plain(place: str, root: Path, opened: Opened, budget: Budget) -> DataFacts:
    files = files_of(root / place, root, budget)
    if not files:
        raise Unclear("it holds no files")
    read = [_footer(f, opened, budget) for f in files]
    forms, footers = {form for form, _ in read}, [footer for _, footer in read]
    if len(forms) > 1:
        raise Unclear("some of its files are of Parquet, and others of ORC")
    shape = [(c.name, c.ddl) for c in footers[0].columns]
    if any([(c.name, c.ddl) for c in footer.columns] != shape for footer in footers):
        raise Unclear("its files do not have the same columns")
    columns = [
        ColumnFacts(name, ddl, _sum(footer.columns[i].nulls for footer in footers))
        for i, (name, ddl) in enumerate(shape)
    ]
    names = [name for name, _ in files[0].values]
    columns = [c for c in columns if c.name.lower() not in {n.lower() for n in names}]
    above = [partition_column(n, (f.values[i][1] for f in files)) for i, n in enumerate(names)]
    parts = tuple(
        Part(
            part.rows,
            {
                **part.columns,
                **{c.name: _of_value(c.ddl, v, part.rows) for c, (_, v) in zip(above, f.values, strict=True)},
            },
        )
        for f, footer in zip(files, footers, strict=True)
        for part in footer.parts()
    )
    form = forms.pop()
    source = f"{_files(len(files), 'ORC ' if form == 'orc' else 'Parquet ')} of `{place}`"
    return DataFacts(place, form, (*columns, *above), tuple(names), sum(f.rows for f in footers), source, parts=parts)


def _of_value(ddl: str, value: str, rows: int) -> Known:
    """What a directory says of the ``rows`` in it."""
    return Known(rows) if value == NULL else Known(0, of_text(ddl, value))


def _quotable(columns: tuple[ColumnFacts, ...]) -> tuple[ColumnFacts, ...]:
    lower = [c.name.lower() for c in columns]
    if len({*lower}) < len(lower) or any(re.search(r"[`\n\r\0]", c.name) or not c.name for c in columns):
        raise Unclear("two of its columns differ in case alone, or a name cannot be quoted")
    return columns


def _written_here(text: str, place: str, named: tuple[str, ...], root: Path) -> bool:
    """Whether ``text`` may write what it reads at ``place``: it writes something, and the path, one below it or one
    above it stands elsewhere too than in one call alone. ``named``: the paths that it writes out."""
    if _WRITES.search(text) is None:
        return False
    quoted = re.findall(rf"""(\(\s*[rRuU]?)?["']{re.escape(place)}["'](\s*\))?""", text)
    here = (root / place).resolve()
    others = [(root / other).resolve() for other in named if other != place]
    near = any(here.is_relative_to(other) or other.is_relative_to(here) for other in others)
    above = [part for part in here.relative_to(root).parts[:-1] if re.search(rf"""["']{re.escape(part)}/?["']""", text)]
    return len(quoted) != 1 or not all(quoted[0]) or text.count(os.path.normpath(place)) != 1 or near or bool(above)


def _footer(file: Listed, opened: Opened, budget: Budget) -> tuple[str, Footer]:
    """The format of a file, and what its footer says."""
    with opened(file.path) as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        is_orc = stream.read(len(orc.MAGIC)) == orc.MAGIC
        try:
            footer, read = (orc if is_orc else parquet).read_footer(stream, size)
        except (Malformed, Unclear) as error:
            raise Unclear(f"`{file.path.name}`: {error}") from None
    budget.spend(bytes=read)
    return "orc" if is_orc else "parquet", footer


def _sum(numbers: Iterable[int | None]) -> int | None:
    counts = list(numbers)
    return None if None in counts else sum(n for n in counts if n is not None)
