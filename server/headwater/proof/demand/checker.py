"""Checks a ``DemandCertificate``: each claim on every table size that can tell the two readings apart.

Small-model argument. A step never looks at the value of a cell, so that a reading gives the same cells whatever they
hold, and one table of each size stands for all tables of that size. The number of rows enters by the constants of the
steps alone (a count, a place, a number that a size is compared with), and what a reading gives changes its form only
where the size passes a sum of some of them: below and above such a size each row more gives one more of the same, or
nothing more, and a comparison stays what it is. So two readings that agree on the tables around each of these sums
agree on all. What variables hold, names of columns, enters by whether two names are equal: each way is looked at.

A claim with conditions or aggregates is another matter: of a row it says what each condition is, TRUE, FALSE or NULL.
Such a claim may have no step that a number of rows enters by, and what it reaches at last is a sum over the rows of 0
or 1 by the conditions on each row alone, whether any of these is 1, the cells of the rows that pass, one after the
other, or an unknown function of them. Two of these agree on all
tables if they agree on one row for every truth of the conditions, and on no row; tables of two rows are looked at as
well, for the few conditions that the readings look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from headwater_ir import demand as ir

from .values import Fails, Rows, Truth, Value, evaluate, table

VERSION = 1
MOST_ROWS, MOST_CONSTANTS, MOST_CONDITIONS, MOST_NAMES = 20_000, 8, 8, 2_000
"""A claim that would take greater tables, or more of them, is refused."""
_TRUTHS: tuple[Truth, ...] = ("TRUE", "FALSE", "NULL")
_OF_ROWS_ALONE = (
    ir.Where, ir.AnyOf, ir.Different, ir.Measured, ir.Size, ir.Column, ir.ColumnBy, ir.ColumnAt, ir.Each,
    ir.Selected, ir.SelectedBy, ir.Empty,
)  # fmt: skip
"""Steps into which the number of rows does not enter, beside the one row of a ``Measured``."""


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
    for rows in _tables(claim):
        try:
            before = _value(claim.before, rows)
            after = _value(claim.after, rows)
        except TypeError as error:
            raise Malformed(str(error)) from None
        if before is not None and before != after:
            said = "".join(f"; {dict(r.truths)}" for r in rows.rows if r.truths)
            return f"of {len(rows.rows)} rows, the first reading gives {before}, the second {after}{said}"
    return None


def _tables(claim: ir.Claim) -> Iterator[Rows]:
    """The tables that decide ``claim``."""
    steps = (*claim.before, *claim.after)
    if not any(isinstance(s, (ir.Where, ir.AnyOf, ir.Different, ir.Measured)) for s in steps):
        yield from (table(size, names=names) for names in _names(steps) for size in _sizes(claim))
        return
    for reading in (claim.before, claim.after):
        for before, step in zip((None, *reading), reading, strict=False):
            if not isinstance(step, _OF_ROWS_ALONE) and not (step == ir.Item(0) and isinstance(before, ir.Measured)):
                raise Malformed(f"{step} beside conditions")
        if reading[-1:] == (ir.Item(0),) and any(isinstance(s, ir.Measured) and s.names is None for s in reading):
            raise Malformed("a row of which the names are not known")
    looked_at = sorted({*_conditions(claim.before), *_conditions(claim.after)})
    if len(looked_at) > MOST_CONDITIONS:
        raise Malformed(f"a claim with {len(looked_at)} conditions")
    others = dict.fromkeys(_said(steps), _TRUTHS[1])
    rows = [{**others, **dict(zip(looked_at, t, strict=True))} for t in product(_TRUTHS, repeat=len(looked_at))]
    for names in _names(steps):
        yield table(0, names=names)
        yield from (table(1, [row], names) for row in rows)
        if len(looked_at) <= 3:
            yield from (table(2, pair, names) for pair in product(rows, repeat=2))


def _names(steps: Sequence[ir.Step]) -> Iterator[Mapping[str, str]]:
    """What the variables in ``steps`` may hold: each the name of any column that is named, or of another one. A step
    asks of two names only whether they are equal."""
    constants, variables = dict[str, None](), dict[str, None]()
    for step in steps:
        match step:
            case ir.Column(name):
                constants[name] = None
            case ir.Selected(columns):
                constants.update(dict.fromkeys(columns))
            case ir.ColumnBy(variable):
                variables[variable] = None
            case ir.SelectedBy(columns, given):
                constants.update(dict.fromkeys(columns))
                variables.update(dict.fromkeys(given))
    others = [f"{n} of no other name" for n in range(len(variables))]
    if (len(constants) + len(others)) ** len(variables) > MOST_NAMES:
        raise Malformed(f"a claim with {len(variables)} variables")
    for held in product((*constants, *others), repeat=len(variables)):
        yield dict(zip(variables, held, strict=True))


def _conditions(reading: ir.Reading) -> Iterator[str]:
    """The conditions on which the value at the end of ``reading`` depends."""
    last = reading[-1] if reading else None
    for step in reading:
        if isinstance(step, ir.Where):
            yield from step.conditions
        if isinstance(step, ir.AnyOf):
            yield from (c for a in step.alternatives for c in a)
        if isinstance(step, ir.Measured):
            taken = isinstance(last, ir.ColumnAt) and 0 <= last.index < len(step.measures)
            of = (step.measures[last.index],) if taken and isinstance(last, ir.ColumnAt) else step.measures
            yield from (c for m in of for c in m.conditions)


def _said(steps: Sequence[ir.Step]) -> Iterator[str]:
    """All conditions in ``steps``."""
    for step in steps:
        if isinstance(step, ir.Where):
            yield from step.conditions
        if isinstance(step, ir.AnyOf):
            yield from (c for a in step.alternatives for c in a)
        if isinstance(step, ir.Measured):
            yield from (c for m in step.measures for c in m.conditions)


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


def _value(reading: ir.Reading, rows: Rows) -> Value | None:
    try:
        return evaluate(reading, rows)
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
