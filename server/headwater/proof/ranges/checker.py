"""Checks a ``RangeCertificate``: a condition over a column passes the same rows as a test of the bare column.

Either the test is what ``substitution`` makes of the condition, or says that it implies. Or the values of the column
are cut into parts, at the constants of the test and at the cuts that the certificate names. On each part both are
evaluated once, for all its values (``meaning``); NULL is a part by itself. The test may replace the condition if on
each part both are TRUE or neither is, and stand beside it if it is TRUE wherever the condition can be. An error of the
condition counts as what is not known: what may raise is never replaced.

Of timestamps, the parts are days, as the clock of the session shows them. A test that replaces the condition begins and
ends at midnights inside of no change of a clock (``midnights``): else it is not decided on the days around them.

Of doubles, a condition that NaN passes is not spoken of: some writers of Parquet leave it out of the greatest value,
and Spark then skips what holds it. Nor is a test of 0: Spark skips parts that hold -0.0 alone.

A column that is a date or a timestamp is asked as each of both.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

from headwater_ir.expr import Expr, Lit, StringTest, columns_of, transform, walk
from headwater_ir.ranges import RangeCertificate, date_of
from headwater_ir.types import DATE, TIMESTAMP, Type

from .calendar import number
from .meaning import Value, column, ends_of, truths
from .numbers import NAN, NAN_KEY, key
from .range import NoRange
from .substitution import implied, of_bare_column

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
    if certificate.other is not None:
        return check(replace(certificate, other=None)) or check(_of_the_other(certificate, certificate.other))
    if certificate.type.name == "float":
        if True in truths(certificate.before, NAN):
            return ("NaN passes, and files do not say whether they hold it",)
        if any(n.value == 0 for n in walk(certificate.after) if isinstance(n, Lit)):
            return ("files do not say whether they hold -0.0",)
    if not certificate.beside and of_bare_column(certificate.before, certificate.type) == certificate.after:
        return ()
    if certificate.beside and implied(certificate.before, certificate.type) == certificate.after:
        return ()
    if any(isinstance(n, StringTest) for n in walk(certificate.after)):
        raise Malformed("a test of text of a column that holds none")
    try:
        return _of_parts(certificate)
    except NoRange as error:
        raise Malformed(str(error)) from None


def _of_the_other(certificate: RangeCertificate, t: Type) -> RangeCertificate:
    """The same of a column of type ``t``, of which the days that are written as texts are dates or midnights."""
    if {certificate.type, t} != {DATE, TIMESTAMP}:
        raise Malformed(f"{certificate.type} or {t}")

    def typed(e: Expr) -> Expr | None:
        day = date_of(e)
        return None if day is None else Lit(dt.datetime.combine(day, dt.time()) if t == TIMESTAMP else day, t)

    if any(isinstance(n, Lit) and date_of(n) is None for n in walk(certificate.after)):
        raise Malformed("a constant that is no day")
    return replace(certificate, other=None, type=t, after=transform(certificate.after, typed))


def _of_parts(certificate: RangeCertificate) -> tuple[str, ...]:
    before, after, t = certificate.before, certificate.after, certificate.type
    low, high = ends_of(t)
    starts = sorted({low, *(c for c in (*_cuts(certificate), NAN_KEY) if low < c <= high)})
    if len(starts) > MOST_CUTS:
        raise Malformed(f"{len(starts)} parts")
    wrong = _differ(before, after, None, beside=certificate.beside)
    if wrong:
        return (f"of NULL {wrong}",)
    for start, end in zip(starts, [*(s - 1 for s in starts[1:]), high], strict=True):
        x = column(t, start, end)
        wrong = _differ(before, after, x, beside=certificate.beside)
        if wrong:
            return (f"of {start} to {end} {wrong}",)
    return ()


def _differ(before: Expr, after: Expr, x: Value, *, beside: bool) -> str:
    was, now = truths(before, x), truths(after, x)
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
            case float() as x:
                yield from (key(x), key(x) + 1)
            case dt.date() as day:
                yield from (number(day) + i for i in range(-1, 3))
