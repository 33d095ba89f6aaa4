"""Midnights at which the time of a clock and the order of moments agree, in every time zone.

A timestamp is a moment; ``year(ts)`` looks at what the clock of the session's time zone shows then. ``ts >=
'2020-01-01'`` compares with the first moment at which it shows that midnight. Both say the same unless a clock is
set back or forward *across* that midnight: at 00:01 back to 23:01 it shows the old day again. Of all zones of the
time zone database (2025a) and all years from 1800 to 2110, the midnights of ``ACROSS`` are those. Where a clock is
set back to midnight, or forward from it, both still agree. Governments may change the rules of years to come: from
``NEXT`` on nothing is said.

A midnight that a clock shows twice begins its day twice: a moment that is cut off to a month is the one or the other
(``TWICE``, of the first days of months). A whole day that no clock of a zone has shown begins with the next one
(``SKIPPED``).

``tests/proof/ranges/test_checker.py`` computes the tables from the rules of Java, which Spark uses.
"""

from __future__ import annotations

import datetime as dt

from .calendar import number

ACROSS = frozenset(
    """1867-10-19 1919-03-31 1944-01-01 1944-10-01 1969-01-26 1987-10-25 1988-10-30 1989-10-29 1990-10-28 1991-10-27
    1992-10-25 1993-10-31 1994-10-30 1995-10-29 1996-10-27 1997-10-26 1998-10-25 1999-10-31 2000-10-29 2001-10-28
    2002-10-27 2003-10-26 2004-10-31 2005-10-30 2006-10-29 2007-11-04 2008-11-02 2009-11-01 2010-03-05
    2010-11-07""".split()
)
TWICE = frozenset(
    """1888-01-01 1892-05-01 1912-01-01 1916-10-01 1916-11-01 1922-01-01 1933-10-01 1939-10-01 1942-09-01 1944-01-01
    1944-10-01 1945-11-01 1955-07-01 1972-10-01 1978-10-01 1979-10-01 2004-10-01 2006-10-01 2009-11-01 2015-11-01
    2020-11-01""".split()
)
SKIPPED = frozenset("1844-12-31 1993-08-21 1994-12-31 2011-12-30".split())
NEXT = dt.date(2026, 1, 1)


def is_plain(day: int) -> bool:
    """Whether at the midnight that begins the day of that number the clocks of all zones agree with the order of
    moments."""
    return _FIRST <= day < number(NEXT) and day not in _ACROSS


def is_once(day: int) -> bool:
    """Whether the clocks of all zones show once the midnight that begins the day of that number, the first of a
    month."""
    return day < number(NEXT) and day not in _TWICE


def may_be_skipped(day: int) -> bool:
    """Whether the clock of some zone has left out, or may leave out, the day of that number."""
    return number(NEXT) <= day < _RULES_ALONE or day in _SKIPPED


_RULES_ALONE = number(dt.date(2200, 1, 1))
"""From here on zones have rules for all years alike, which leave out hours at most."""
_FIRST = number(dt.date(1, 1, 2))
_ACROSS, _TWICE, _SKIPPED = (
    frozenset(number(dt.date.fromisoformat(d)) for d in table) for table in (ACROSS, TWICE, SKIPPED)
)
