"""The checker of claims on demand: it proves what holds, refuses what does not, and agrees with lists of Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.proof.demand.checker import VERSION, Malformed, check
from headwater.proof.demand.values import Fails, Truth, evaluate, table
from headwater_ir import demand as ir

from .planted import faults, slot

HOLDS = {
    "an item": ir.Claim((ir.Item(2),), (ir.Limited(3), ir.Item(2))),
    "a field of an item": ir.Claim((ir.Item(0), ir.ColumnAt(1)), (ir.Limited(1), ir.Item(0), ir.ColumnAt(1))),
    "a slice": ir.Claim((ir.Skipped(1), ir.Limited(2)), (ir.Limited(3), ir.Skipped(1), ir.Limited(2))),
    "more than none": ir.Claim((ir.Size(), ir.Test(">", 0)), (ir.Empty(), ir.Not())),
    "less than one": ir.Claim((ir.Size(), ir.Test("<", 1)), (ir.Empty(),)),
    "not none": ir.Claim((ir.Size(), ir.Truth(), ir.Not()), (ir.Empty(),)),
    "more than a hundred": ir.Claim((ir.Size(), ir.Test(">", 100)), (ir.Limited(101), ir.Size(), ir.Test(">", 100))),
    "a column": ir.Claim((ir.Column("a"),), (ir.Selected(("b", "a")), ir.Column("a"))),
    "a field of each": ir.Claim((ir.Each(), ir.Column("a")), (ir.Selected(("a",)), ir.Each(), ir.Column("a"))),
    "a column that a variable names": ir.Claim(
        (ir.ColumnBy("v"),), (ir.SelectedBy(("a",), ("v", "w")), ir.ColumnBy("v"))
    ),
    "a field of each that a variable names": ir.Claim(
        (ir.Each(), ir.ColumnBy("v")), (ir.SelectedBy((), ("v",)), ir.Each(), ir.ColumnBy("v"))
    ),
    "the number": ir.Claim((ir.Size(),), (ir.Selected(("a",)), ir.Size())),
    "columns of a limit": ir.Claim(
        (ir.Limited(2), ir.Column("a")), (ir.Selected(("a",)), ir.Limited(2), ir.Column("a"))
    ),
    "a value of a column": ir.Claim(
        (ir.Column("a"), ir.Item(1)), (ir.Limited(2), ir.Selected(("a",)), ir.Column("a"), ir.Item(1))
    ),
    "a value of a row": ir.Claim((ir.Column("a"), ir.Item(1)), (ir.Item(1), ir.Column("a"))),
    "the first values of a column": ir.Claim((ir.Column("a"), ir.Limited(2)), (ir.Limited(2), ir.Column("a"))),
    "a column behind a mask": ir.Claim(
        (ir.Where(("m",)), ir.Column("a")), (ir.Selected(("a", "b")), ir.Where(("m",)), ir.Column("a"))
    ),
    "whether any row passes": ir.Claim(
        (ir.Where(("m",)), ir.Empty()), (ir.Selected(("a",)), ir.Where(("m",)), ir.Empty())
    ),
    "all rows": ir.Claim((ir.Size(),), slot(1, ir.Counted(("a",)), ir.Counted())),
    "those that pass": ir.Claim((ir.Where(("a",)), ir.Size()), slot(0, ir.Counted(("a",)), ir.Counted())),
    "two filters": ir.Claim((ir.Where(("a",)), ir.Where(("b",)), ir.Size()), slot(0, ir.Counted(("b", "a")))),
    "of rows that some filter keeps": ir.Claim(
        (ir.Where(("a", "b")), ir.Size()),
        (ir.AnyOf((("c",), ("a",))), *slot(1, ir.Counted(("c",)), ir.Counted(("a", "b")))),
    ),
    "twice the same filter": ir.Claim((ir.Where(("a",)), ir.Where(("a",)), ir.Size()), slot(0, ir.Counted(("a",)))),
    "a measure": ir.Claim(slot(0, ir.Folded("max(x)")), slot(1, ir.Counted(), ir.Folded("max(x)"))),
    "a row as a value": ir.Claim(
        (ir.Measured((ir.Folded("max(x)"), ir.Counted()), ("m", "n")), ir.Item(0)),
        slot(1, ir.Counted(), ir.AsRow((ir.Folded("max(x)"), ir.Counted()), ("m", "n"))),
    ),
    "a number of a row": ir.Claim(slot(0, ir.Counted(("a",))), (ir.Where(("a",)), ir.Size())),
    "of many conditions those that are looked at": ir.Claim(
        (ir.Where(("a",)), ir.Size()), slot(0, ir.Counted(("a",)), *(ir.Counted((f"c{i}",)) for i in range(40)))
    ),
}


def refused(claim: ir.Claim) -> tuple[str, ...]:
    return check(ir.DemandCertificate(VERSION, "collect", (claim,)))


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(name: str) -> None:
    assert refused(HOLDS[name]) == ()


@pytest.mark.parametrize("name", faults())
def test_what_does_not_hold_is_refused(name: str) -> None:
    assert refused(faults()[name])


@pytest.mark.parametrize(
    "certificate",
    [
        ir.DemandCertificate(VERSION + 1, "collect", tuple(HOLDS.values())),
        ir.DemandCertificate(VERSION, "collect", ()),
        ir.DemandCertificate(VERSION, "collect", (ir.Claim((ir.Size(), ir.Size()), (ir.Size(),)),)),
        ir.DemandCertificate(VERSION, "collect", (ir.Claim((ir.Column("a"), ir.Column("a")), ()),)),
        ir.DemandCertificate(VERSION, "collect", (ir.Claim((ir.Item(10**9),), (ir.Item(10**9),)),)),
        ir.DemandCertificate(VERSION, "collect", (ir.Claim((ir.Limited(1),) * 9, ()),)),
        ir.DemandCertificate(
            VERSION, "collect", (ir.Claim((ir.SelectedBy(("a", "b"), ()), ir.Item(0), ir.ColumnAt(0)), ()),)
        ),
        ir.DemandCertificate(VERSION, "collect", (ir.Claim(tuple(ir.ColumnBy(c) for c in "abcdef"), ()),)),
        ir.DemandCertificate(VERSION, "agg", (ir.Claim((ir.ColumnBy("v"), ir.Where(("a",)), ir.Size()), ()),)),
        ir.DemandCertificate(VERSION, "agg", (ir.Claim((ir.Limited(1), ir.Where(("a",)), ir.Size()), ()),)),
        ir.DemandCertificate(VERSION, "agg", (ir.Claim((ir.Where(("a",)), ir.Item(0)), (ir.Item(0),)),)),
        ir.DemandCertificate(VERSION, "agg", (ir.Claim((ir.Measured(()), ir.Item(0)), (ir.Measured(()), ir.Item(0))),)),
        ir.DemandCertificate(VERSION, "agg", (ir.Claim((ir.Size(), ir.Where(("a",))), slot(0, ir.Counted())),)),
        ir.DemandCertificate(VERSION, "agg", (ir.Claim((ir.Where(tuple("abcdefghi")), ir.Size()), (ir.Size(),)),)),
    ],
)
def test_a_certificate_that_means_nothing(certificate: ir.DemandCertificate) -> None:
    with pytest.raises(Malformed):
        check(certificate)


COUNTS = st.integers(0, 4)
STEPS = st.one_of(
    st.builds(ir.Limited, COUNTS), st.builds(ir.Skipped, COUNTS), st.builds(ir.Item, COUNTS),
    st.builds(ir.Test, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), st.integers(-1, 5)),
    st.sampled_from((ir.Size(), ir.Truth(), ir.Not(), ir.Empty(), ir.Column("a"), ir.Selected(("b", "a")))),
)  # fmt: skip


@given(st.lists(STEPS, max_size=4), st.integers(0, 7))
def test_a_reading_is_what_a_program_does(steps: list[ir.Step], size: int) -> None:
    """The same steps on a list of rows with values."""
    rows: Any = [{"a": f"a{i}", "b": f"b{i}"} for i in range(size)]
    try:
        expected = _run(steps, rows)
    except (IndexError, KeyError):
        with pytest.raises(Fails):
            evaluate(steps, table(size))
        return
    except TypeError:
        with pytest.raises(TypeError):
            evaluate(steps, table(size))
        return
    assert _plain(evaluate(steps, table(size))) == expected


def _run(steps: list[ir.Step], at: Any) -> Any:
    for step in steps:
        rows = isinstance(at, list) and all(isinstance(r, dict) for r in at)
        number = isinstance(at, int) and not isinstance(at, bool)
        match step:
            case ir.Limited(n) if rows:
                at = at[:n]
            case ir.Skipped(n) if rows:
                at = at[n:]
            case ir.Item(n) if rows:
                at = at[n]
            case ir.Selected(names) if rows:
                at = [{n: r[n] for n in names} for r in at]
            case ir.Column(name) if rows and not _is_values(at):
                at = ("values", *(r[name] for r in at))
            case ir.Column(name) if isinstance(at, dict):
                at = at[name]
            case ir.Size() if rows:
                at = len(at)
            case ir.Empty() if rows:
                at = len(at) == 0
            case ir.Truth() if rows or number:
                at = bool(at)
            case ir.Not() if isinstance(at, bool):
                at = not at
            case ir.Test(op, of) if number:
                at = eval(f"{at} {op} {of}")
            case _:
                raise TypeError(step)
    return at


def _is_values(at: Any) -> bool:
    return isinstance(at, tuple)


def _plain(value: Any) -> Any:
    from headwater.proof.demand.values import Cell, Many, Row, Rows

    match value:
        case Rows(rows):
            return [_plain(r) for r in rows]
        case Row(place, columns):
            return {n: f"{n}{place}" for n in columns or ("a", "b")}
        case Cell(place, column):
            return f"{column}{place}"
        case Many(values):
            return ("values", *map(_plain, values))
    return value


@given(st.lists(STEPS, max_size=3), st.lists(STEPS, max_size=3))
def test_what_is_proved_holds_on_larger_tables(before: list[ir.Step], after: list[ir.Step]) -> None:
    """The argument of the checker: tables around the sums of the constants decide."""
    try:
        if refused(ir.Claim(tuple(before), tuple(after))):
            return
    except Malformed:
        return
    for size in range(40):
        try:
            expected = evaluate(before, table(size))
        except Fails:
            continue
        assert evaluate(after, table(size)) == expected


CONDITIONS = st.lists(st.sampled_from("ab"), max_size=2).map(tuple)
MEASURES = st.one_of(st.builds(ir.Counted, CONDITIONS), st.sampled_from((ir.Folded("f"), ir.Folded("g"))))
OF_CONDITIONS = st.lists(CONDITIONS.map(ir.Where), max_size=2).flatmap(
    lambda filters: st.one_of(
        st.just((*filters, ir.Size())),
        st.builds(lambda ms, i: (*filters, *slot(i % len(ms), *ms)), st.lists(MEASURES, min_size=1), st.integers(0, 3)),
    )
)


@given(OF_CONDITIONS, OF_CONDITIONS, st.data())
def test_what_is_proved_of_conditions_holds_on_larger_tables(
    before: ir.Reading, after: ir.Reading, data: st.DataObject
) -> None:
    """The argument of the checker: tables of at most two rows decide."""
    if refused(ir.Claim(before, after)):
        return
    each: st.SearchStrategy[Truth] = st.sampled_from(("TRUE", "FALSE", "NULL"))
    truths = data.draw(st.lists(st.fixed_dictionaries({"a": each, "b": each})))
    rows = table(len(truths), truths)
    assert evaluate(before, rows) == evaluate(after, rows) == _counted(before, truths)


def _counted(reading: ir.Reading, truths: list[dict[str, Truth]]) -> Any:
    """What ``reading`` gives by lists of Python."""
    from headwater.proof.demand.values import Folded

    kept = list(enumerate(truths))
    for step in reading:
        if isinstance(step, ir.Where):
            kept = [(i, t) for i, t in kept if all(t[c] == "TRUE" for c in step.conditions)]
        if isinstance(step, ir.Measured):
            last = reading[-1]
            assert isinstance(last, ir.ColumnAt)
            measure = step.measures[last.index]
            if isinstance(measure, ir.Folded):
                return Folded(measure.text, tuple(i for i, _ in kept))
            return sum(all(t[c] == "TRUE" for c in measure.conditions) for _, t in kept)
    return len(kept)
