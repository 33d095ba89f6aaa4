"""Checks a ``DemandCertificate``: each claim on every table size that can tell the two readings apart.

Small-model argument. A step never looks at the value of a cell, so that a reading gives the same cells whatever they
hold, and one table of each size stands for all tables of that size. The number of rows enters by the constants of the
steps alone (a count, a place, a number that a size is compared with), and what a reading gives changes its form only
where the size passes a sum of some of them: below and above such a size each row more gives one more of the same, or
nothing more, and a comparison stays what it is. So two readings that agree on the tables around each of these sums
agree on all.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater_ir import demand as ir

from .values import Fails, Value, evaluate, table

VERSION = 1
MOST_ROWS, MOST_CONSTANTS = 20_000, 8
"""A claim that would take greater tables, or more of them, is refused."""


class Malformed(Exception):
    """The certificate is none; the text says why."""


def check(certificate: ir.DemandCertificate) -> tuple[str, ...]:
    """What is wrong with the claims, in words; empty if each of them is proved. ``Malformed`` if one means nothing."""
    if certificate.version != VERSION:
        raise Malformed(f"version {certificate.version}, not {VERSION}")
    if not certificate.claims:
        raise Malformed("it claims nothing")
    return tuple(f for c in certificate.claims if (f := _refuted(c)) is not None)


def _refuted(claim: ir.Claim) -> str | None:
    """A table on which the readings of ``claim`` differ; None if there is none."""
    for size in _sizes(claim):
        try:
            before = _value(claim.before, size)
            after = _value(claim.after, size)
        except TypeError as error:
            raise Malformed(str(error)) from None
        if before is not None and before != after:
            return f"of {size} rows, the first reading gives {before}, the second {after}"
    return None


def _sizes(claim: ir.Claim) -> list[int]:
    """The sizes of tables around every sum of constants of the claim."""
    constants = [*_constants(claim.before), *_constants(claim.after)]
    if len(constants) > MOST_CONSTANTS:
        raise Malformed(f"a claim with {len(constants)} constants")
    sums = {0}
    for constant in constants:
        sums |= {s + constant for s in sums}
    if max(sums) > MOST_ROWS:
        raise Malformed(f"a claim on {max(sums)} rows")
    return sorted({max(0, s + d) for s in sums for d in (-2, -1, 0, 1, 2)})


def _value(reading: ir.Reading, size: int) -> Value | None:
    try:
        return evaluate(reading, table(size))
    except Fails:
        return None


def _constants(steps: Sequence[ir.Step]) -> list[int]:
    """The constants of ``steps`` that a number of rows meets."""
    found = []
    for step in steps:
        match step:
            case ir.Limited(n) | ir.Skipped(n) | ir.Item(n) | ir.Test(_, n):
                found.append(abs(n))
    return found
