"""Checks a ``RangeCertificate``: a condition over a column passes the same rows as a test of the bare column.

Either the test is what ``substitution`` makes of the condition. Or the values of the column are cut into parts, at
the constants of the test and at the cuts that the certificate names. On each part both conditions are evaluated
once, for all its values (``meaning``); NULL is a part by itself. The test may replace the condition if on each part
both are TRUE or neither is, and stand beside it if it is TRUE wherever the condition can be. An error of the
condition counts as what is not known: what may raise is never replaced.

Of timestamps, the parts are days, as the clock of the session shows them. A test that replaces the condition must begin
and end at midnights inside of no change of a clock (``midnights``). One beside it that does not is asked of a day more
on both sides: no clock has been changed by more.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from headwater_ir.expr import Expr, Lit, StringTest, columns_of, walk
from headwater_ir.ranges import RangeCertificate

from .calendar import number
from .meaning import Value, column, ends_of, truths
from .midnights import is_plain
from .range import NoRange
from .substitution import of_bare_column

VERSION = 1
MOST_CUTS = 2000


class Malformed(Exception):
    """What is no certificate."""


def check(certificate: RangeCertificate) -> tuple[str, ...]:
    """Where the two differ, in words; empty if nowhere. ``Malformed`` if the certificate is none."""
    if certificate.version != VERSION:
        raise Malformed(f"version {certificate.version}, not {VERSION}")
    for e in (certificate.before, certificate.after):
        if columns_of(e) != {certificate.column}:
            raise Malformed("a condition of other columns")
    if not certificate.beside and of_bare_column(certificate.before, certificate.type) == certificate.after:
        return ()
    if any(isinstance(n, StringTest) for n in walk(certificate.after)):
        raise Malformed("a test of text of a column that holds none")
    try:
        return _of_parts(certificate)
    except NoRange as error:
        raise Malformed(str(error)) from None


def _of_parts(certificate: RangeCertificate) -> tuple[str, ...]:
    before, after, t = certificate.before, certificate.after, certificate.type
    low, high = ends_of(t)
    days = t.name == "timestamp"
    if days:
        asked = _moments(before) if certificate.beside else [*_moments(before), *_moments(after)]
        inside = [m for m in asked if not is_plain(m)]
        if inside:
            return (f"a clock has been changed at {inside[0]}, and no test of the bare column says so",)
    margin = 1 if days and certificate.beside and not all(map(is_plain, _moments(after))) else 0
    starts = sorted({low, *(c for c in _cuts(certificate) if low < c <= high)})
    if len(starts) > MOST_CUTS:
        raise Malformed(f"{len(starts)} parts")
    wrong = _differ(before, after, None, None, beside=certificate.beside)
    if wrong:
        return (f"of NULL {wrong}",)
    for start, end in zip(starts, [*(s - 1 for s in starts[1:]), high], strict=True):
        around = max(low, start - margin), min(high, end + margin)
        wrong = _differ(before, after, column(t, start, end), column(t, *around), beside=certificate.beside)
        if wrong:
            return (f"of {start} to {end} {wrong}",)
    return ()


def _differ(before: Expr, after: Expr, x: Value, around: Value, *, beside: bool) -> str:
    was, now = truths(before, x), truths(after, around)
    if True not in was:
        return "" if beside or True not in now else "the test may pass, and the condition does not"
    if now != {True}:
        return "the condition may pass, and the test may not"
    return "" if beside or was == {True} else "the test passes, and the condition may not"


def _cuts(certificate: RangeCertificate) -> Iterator[int]:
    yield from certificate.cuts
    for constant in (n.value for n in walk(certificate.after) if isinstance(n, Lit)):
        match constant:
            case bool():
                pass
            case int() as n:
                yield from (n, n + 1)
            case dt.datetime() as moment:
                yield number(moment.date())
            case dt.date() as day:
                yield from (number(day), number(day) + 1)


def _moments(e: Expr) -> list[dt.datetime]:
    return [n.value for n in walk(e) if isinstance(n, Lit) and isinstance(n.value, dt.datetime)]
