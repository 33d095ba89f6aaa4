"""Midnights at which the time of a clock and the order of moments agree, in every time zone.

A timestamp is a moment; ``year(ts)`` looks at what the clock of the session's time zone shows then. ``ts >=
'2020-01-01'`` compares with the first moment at which it shows that midnight. Both say the same unless a clock is
set back or forward *across* that midnight: at 00:01 back to 23:01 it shows the old day again. Of all zones of the
time zone database (2025a) and all years from 1800 to 2110, the midnights of ``ACROSS`` are those. Where a clock is
set back to midnight, or forward from it, both still agree. Governments may change the rules of years to come: from
``NEXT`` on nothing is said.

``tests/proof/ranges/test_checker.py`` computes the table from the rules of Java, which Spark uses.
"""

from __future__ import annotations

import datetime as dt

ACROSS = frozenset(
    """1867-10-19 1919-03-31 1944-01-01 1944-10-01 1969-01-26 1987-10-25 1988-10-30 1989-10-29 1990-10-28 1991-10-27
    1992-10-25 1993-10-31 1994-10-30 1995-10-29 1996-10-27 1997-10-26 1998-10-25 1999-10-31 2000-10-29 2001-10-28
    2002-10-27 2003-10-26 2004-10-31 2005-10-30 2006-10-29 2007-11-04 2008-11-02 2009-11-01 2010-03-05
    2010-11-07""".split()
)
NEXT = dt.date(2026, 1, 1)


def is_plain(moment: dt.datetime) -> bool:
    """Whether ``moment`` is a midnight at which the clocks of all zones agree with the order of moments."""
    day = moment.date()
    return moment.time() == dt.time() and dt.date(1, 1, 2) <= day < NEXT and day.isoformat() not in ACROSS
