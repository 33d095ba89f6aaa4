"""What a smaller demand saves: fewer columns handed over, a first row for all of them, one job for several.

Each number is one that ``docs/benchmarks/spark.md`` or the rules' pages measured, on two cores. As of a pre-filter, the
estimate is an interval, and what it hangs on is said: how long texts are, whether a row passes the filters, and how
much of a pass over the rows the further numbers take.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from headwater_ir.types import Type

from .estimate import ASSUMED_ROWS, READ_MICROSECONDS, TEST_MICROSECONDS
from .gains import START_SECONDS

ROW = {"toPandas": 0.03}
NUMBER = {"toPandas": 0.03}
TEXT = {"toPandas": (0.1, 0.17, 0.5)}
"""Microseconds for a row that is handed over, for each number in it, and for each text, of 8, 12 and 64 characters; by
the method, if it does not make an object of each row (``programs/unread_columns``, ``programs/driver_masks``)."""
ROW_OBJECT, NUMBER_OF_ROW, TEXT_OF_ROW = 4.0, 0.2, (1.0, 1.1, 2.0)
"""The same where each row becomes an object of Python's (``programs/rdd_columns``)."""
SHORT, LONG, BYTE = 8, 64, 0.005
"""How long the shortest and the longest of these are, and what a byte of longer ones takes: the same for both, between
texts of 500 and of 2,000 characters 0.007 of processor time, of which Spark and Python do a part at once."""
MOST_NAMED = 3
"""Columns whose texts are said to be how long."""
COUNTED_MICROSECONDS = 0.012
"""A row that is counted where no column has to be read for it."""
REGEX_MICROSECONDS = 0.45
"""A row that a regular expression tests (``programs/emptiness``)."""
FURTHER = (0.35, 0.15, 0.05)
"""What each further number takes of a pass over the rows: four counts of files (``programs/repeated_scan``), as a rule,
and of kept rows, or behind a join."""
HARDLY = 1.05
_SMALL = ("bool", "int", "float", "number", "date", "timestamp", "decimal", "null")


@dataclass(frozen=True)
class Saved:
    """Expected time before ÷ after: at least, likely and at most. ``hangs_on``: between what; ``assumed``: of what
    rows."""

    low: float
    likely: float
    high: float
    hangs_on: str
    assumed: str

    @property
    def cannot_pay(self) -> bool:
        """Whether next to nothing is saved even at most."""
        return self.high < HARDLY

    def in_words(self) -> tuple[tuple[str, str], ...]:
        """As the report's ``benefit``: a name and a value each, as ``estimate.in_words``."""
        low, likely, high = (f"{round(value, 1):g}" for value in (self.low, self.likely, self.high))
        span = low if low == high else f"{low} to {high}"
        return (("estimated speed-up", likely), (self.hangs_on, span), ("assumed", self.assumed))


def _of(rows: int | None) -> str:
    return f"{ASSUMED_ROWS:,} rows" if rows is None else f"the data files have {rows:,} rows"


def of_columns(
    operator: str,
    every: Sequence[tuple[str, Type]],
    read: Collection[str],
    rows: int | None,
    lengths: Mapping[str, float] = MappingProxyType({}),
) -> Saved:
    """A call that hands over the columns ``read`` for ``every``; ``operator`` as ``Wall`` names it; ``lengths``: how
    many bytes the texts of a column have on average, where that is known."""
    start = START_SECONDS * 1e6 / max(1, ASSUMED_ROWS if rows is None else rows)
    kept = [(name, t) for name, t in every if name in read]
    of_text, number = TEXT.get(operator, TEXT_OF_ROW), NUMBER.get(operator, NUMBER_OF_ROW)

    def seconds(columns: Sequence[tuple[str, Type]], text: int) -> float:
        each = 0.0
        for name, t in columns:
            if t.name in _SMALL:
                each += number
            else:
                each += _text(of_text, lengths[name]) if name in lengths else of_text[text]
        scanned = READ_MICROSECONDS * len(columns) / max(1, len(every))
        return start + scanned + ROW.get(operator, ROW_OBJECT) + each

    low, likely, high = (seconds(every, text) / seconds(kept, text) for text in range(3))
    low, high = min(low, high), max(low, high)
    said = f"{_of(rows)}, {len(kept)} of {len(every)} columns are read"
    known = [(name, lengths[name]) for name, t in every if t.name not in _SMALL and name in lengths]
    if known:
        said += f"; texts have {_listed(known)} on average, by the files"
    open_ = any(t.name not in _SMALL and name not in lengths for name, t in every)
    hangs_on = "if texts have 8 to 64 characters" if open_ or not known else "with the texts of the files"
    return Saved(low, likely, high, hangs_on, said)


def _text(of_text: tuple[float, float, float], length: float) -> float:
    """A text of so many bytes; shorter ones take no less than the shortest that was measured."""
    short, _, long = of_text
    if length > LONG:
        return long + BYTE * (length - LONG)
    return short + (long - short) * max(0.0, length - SHORT) / (LONG - SHORT)


def _listed(known: Sequence[tuple[str, float]]) -> str:
    longest = sorted(known, key=lambda k: -k[1])[:MOST_NAMED]
    return ", ".join(f"{length:,.0f} bytes in `{name}`" for name, length in longest)


def of_emptiness(operator: str, rows: int | None, filtered: bool, tests: float) -> Saved:
    """A question whether there are any of ``rows``, that takes the first one for all. ``operator``: the method that
    makes these; ``filtered``: a filter stands between; ``tests``: microseconds that each row takes in Python and in
    regular expressions."""
    each = (READ_MICROSECONDS + TEST_MICROSECONDS if filtered else COUNTED_MICROSECONDS) + tests
    if operator != "count":
        each += ROW.get(operator, ROW_OBJECT)
    every = START_SECONDS + each * (ASSUMED_ROWS if rows is None else rows) / 1e6
    best = every / START_SECONDS
    hangs_on = "if no row passes, or one of the first" if filtered else "where the first row is enough"
    return Saved(1.0 if filtered else best, best, best, hangs_on, f"{_of(rows)} in front of it")


def of_one_pass(jobs: int, rows: int | None) -> Saved:
    """One pass for ``jobs`` over the same rows."""
    low, likely, high = (jobs / (1 + (jobs - 1) * share) for share in FURTHER)
    hangs_on = f"if a further number takes {FURTHER[0]:.0%} to {FURTHER[2]:.0%} of a pass"
    return Saved(low, likely, high, hangs_on, f"{_of(rows)}, through which {jobs} jobs go")
