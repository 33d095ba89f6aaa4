"""The proleptic Gregorian calendar of Spark's dates, as numbers of days since 1970-01-01, of any size.

Java's ``LocalDate`` counts so; Python's ``date`` ends at the year 9999, and Spark's does not.
"""

from __future__ import annotations

import datetime as dt

EPOCH = dt.date(1970, 1, 1).toordinal()
_ERA = 146_097
"""Days of 400 years."""


def number(day: dt.date) -> int:
    """The number of a day."""
    return day.toordinal() - EPOCH


def civil(day: int) -> tuple[int, int, int]:
    """Year, month and day of the month; the year 0 comes before the year 1."""
    era, rest = divmod(day + 719_468, _ERA)
    year = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
    of_year = rest - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return (
        year + era * 400 + (month >= 10),
        month + 3 if month < 10 else month - 9,
        of_year - (153 * month + 2) // 5 + 1,
    )


def first(year: int, month: int) -> int:
    """The number of the first day of a month; ``month`` counts from 1 and may be beyond 12."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    shifted = year - (month <= 2)
    era, of_era = divmod(shifted, 400)
    of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5
    return era * _ERA + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def length(year: int, month: int) -> int:
    """The days of a month."""
    return first(year, month + 1) - first(year, month)


def plus_months(day: int, months: int) -> int:
    """The same day of a month ``months`` later, or the last one of it."""
    year, month, of_month = civil(day)
    return first(year, month + months) + min(of_month, length(year, month + months)) - 1
