"""Claims on demand that do not hold, each the mistake of a rule that could be made."""

from __future__ import annotations

from headwater.proof.demand.checker import VERSION
from headwater_ir.demand import (
    AnyOf,
    AsRow,
    Below,
    Claim,
    Column,
    ColumnAt,
    ColumnBy,
    Counted,
    Each,
    Empty,
    ExtremeCertificate,
    Folded,
    FrameUses,
    GroupsCertificate,
    Item,
    Limited,
    MatchCertificate,
    Measure,
    Measured,
    Not,
    Reading,
    Selected,
    SelectedBy,
    Size,
    Skipped,
    Test,
    Truth,
    Where,
)
from headwater_ir.expr import Call, Col, If, IsTrue, Slot
from headwater_ir.parts import Order
from headwater_ir.types import ANY

_MAX, _MIN = Folded("max(x)"), Folded("min(x)")


def slot(place: int, *measures: Measure) -> Reading:
    """What is at ``place`` of one row of ``measures``."""
    return (Measured(measures), Item(0), ColumnAt(place))


def faults() -> dict[str, Claim]:
    """By what is wrong."""
    return {
        "one row too few for an item": Claim((Item(2),), (Limited(2), Item(2))),
        "one row too few for a value": Claim((Column("a"), Item(1)), (Limited(1), Column("a"), Item(1))),
        "one row too few for a slice": Claim((Limited(3),), (Limited(2),)),
        "what is skipped is not counted": Claim((Skipped(1), Limited(2)), (Limited(2), Skipped(1), Limited(2))),
        "a limit under a size": Claim((Size(),), (Limited(1), Size())),
        "a limit under all rows": Claim((), (Limited(100),)),
        "a limit under each row": Claim((Each(), Column("a")), (Limited(5), Each(), Column("a"))),
        "a limit under a column": Claim((Column("a"),), (Limited(5), Column("a"))),
        "a limit that is not moved": Claim((Limited(2), Size()), (Limited(1), Size())),
        "greater than 0, greater than 1": Claim((Size(), Test(">", 1)), (Empty(), Not())),
        "greater than 1 of one row": Claim((Size(), Test(">", 1)), (Limited(1), Size(), Test(">", 1))),
        "equal to 1 of one row": Claim((Size(), Test("==", 1)), (Limited(1), Size(), Test("==", 1))),
        "at least 2 of one row": Claim((Size(), Test(">=", 2)), (Limited(1), Size(), Test(">=", 2))),
        "the negation is lost": Claim((Size(), Test(">", 0)), (Empty(),)),
        "negated twice": Claim((Size(), Test("==", 0)), (Empty(), Not())),
        "at least 0": Claim((Size(), Test(">=", 0)), (Empty(), Not())),
        "less than 0": Claim((Size(), Test("<", 0)), (Empty(),)),
        "the truth of rows": Claim((Truth(),), (Empty(),)),
        "a column that is not selected": Claim((Column("a"),), (Selected(("b",)), Column("a"))),
        "a column that another variable names": Claim((ColumnBy("v"),), (SelectedBy((), ("w",)), ColumnBy("v"))),
        "a column that may be the one that a variable names": Claim(
            (Column("a"),), (SelectedBy((), ("v",)), Column("a"))
        ),
        "a variable that may name another column": Claim((ColumnBy("v"),), (Selected(("a",)), ColumnBy("v"))),
        "all columns that variables name": Claim((), (SelectedBy((), ("v",)),)),
        "a column that is not selected, behind a mask": Claim(
            (Where(("m",)), Column("a")), (Selected(("b",)), Where(("m",)), Column("a"))
        ),
        "another mask": Claim((Where(("m",)), Column("a")), (Selected(("a",)), Where(("n",)), Column("a"))),
        "no mask": Claim((Where(("m",)), Column("a")), (Selected(("a",)), Column("a"))),
        "whole rows that a mask takes": Claim((Where(("m",)),), (Selected(("a",)), Where(("m",)))),
        "one of two columns": Claim((Selected(("a", "b")),), (Selected(("a",)),)),
        "columns in another order": Claim((Selected(("a", "b")),), (Selected(("b", "a")),)),
        "a place among fewer columns": Claim((Item(0), ColumnAt(1)), (Selected(("a", "b")), Item(0), ColumnAt(1))),
        "a whole row of some columns": Claim((Item(0),), (Selected(("a",)), Item(0))),
        "all columns": Claim((), (Selected(("a", "b")),)),
        "an error that was none": Claim((Limited(1),), (Item(0),)),
        "another item": Claim((Item(0),), (Item(1),)),
        "the rows skipped twice": Claim((Skipped(2),), (Skipped(2), Skipped(2))),
        "a limit behind what is skipped": Claim((Skipped(3), Item(0)), (Limited(3), Skipped(3), Item(0))),
        "a comparison of another number": Claim((Size(), Test("<", 3)), (Size(), Test("<", 2))),
        "a comparison by another sign": Claim((Size(), Test("<", 3)), (Size(), Test("<=", 3))),
        "all rows for those that pass": Claim((Where(("a",)), Size()), slot(0, Counted())),
        "those that pass for all rows": Claim((Size(),), slot(0, Counted(("a",)))),
        "another condition": Claim((Where(("a",)), Size()), slot(0, Counted(("b",)))),
        "another slot": Claim((Where(("a",)), Size()), slot(0, Counted(), Counted(("a",)))),
        "the slots in another order": Claim((Where(("a",)), Size()), slot(1, Counted(("a",)), Counted(("b",)))),
        "a condition is lost": Claim((Where(("a",)), Where(("b",)), Size()), slot(0, Counted(("b",)))),
        "a condition is added": Claim((Where(("a",)), Size()), slot(0, Counted(("a", "b")))),
        "of two conditions another one": Claim((Where(("a", "b")), Size()), slot(0, Counted(("a", "c")))),
        "a measure of those that pass, of all": Claim((Where(("a",)), *slot(0, _MAX)), slot(0, _MAX)),
        "a measure of all, of those that pass": Claim(slot(0, _MAX), (Where(("a",)), *slot(0, _MAX))),
        "another measure": Claim(slot(0, _MAX), slot(0, _MIN)),
        "a measure in another slot": Claim(slot(0, _MAX), slot(0, _MIN, _MAX)),
        "a measure for a number": Claim((Size(),), slot(0, _MAX)),
        "a number for a measure": Claim(slot(0, _MAX), slot(0, Counted())),
        "a slot that is not there": Claim((Size(),), slot(1, Counted())),
        "the row for its value": Claim((Size(),), (Measured((Counted(),), ("n",)), Item(0))),
        "a row of other names": Claim((Measured((_MAX,), ("a",)), Item(0)), slot(0, AsRow((_MAX,), ("b",)))),
        "a row of another measure": Claim((Measured((_MAX,), ("a",)), Item(0)), slot(0, AsRow((_MIN,), ("a",)))),
        "a measure of another frame": Claim(slot(0, _MAX), (Where(("a",)), *slot(0, _MAX, Counted()))),
        "of rows that another filter keeps": Claim(
            (Where(("a",)), Size()), (AnyOf((("b",),)), *slot(0, Counted(("a",))))
        ),
        "of rows that two filters keep": Claim(
            (Where(("a",)), Size()), (AnyOf((("a", "b"), ("c",))), *slot(0, Counted(("a",))))
        ),
        "a number of all rows, of those that one keeps": Claim(
            (Size(),), (AnyOf((("a",), ("b",))), *slot(0, Counted()))
        ),
        "no rows": Claim((Where(("a",)), Size()), (AnyOf(()), *slot(0, Counted(("a",))))),
        "counted twice over": Claim((Where(("a",)), Size()), (Where(("b",)), *slot(0, Counted(("a",))))),
    }


def _uses(*frames: FrameUses) -> tuple[FrameUses, ...]:
    return (FrameUses("Scan", makes=(1,)), *frames)


def faults_of_caches() -> dict[str, tuple[tuple[FrameUses, ...], tuple[Below, ...]]]:
    """Uses of a frame, and operators below it, that keep its cache, by what is wrong with them."""
    one = _uses(FrameUses("Cache", 1, 1, ends=("collect",)))
    first = If(IsTrue(Slot(1, 0)), Slot(0, 0), Col("x"))
    state = Call("collect", (Col("x"),), ANY, kind="state")
    return {
        "two actions": (_uses(FrameUses("Cache", 1, 2, ends=("count", "collect"))), ()),
        "two actions on what is made of it": (
            _uses(FrameUses("Cache", 1, 1, makes=(2,)), FrameUses("Filter", 1, 2, ends=("count", "collect"))), ()
        ),
        "an action beside the cache": (
            (FrameUses("Scan", 1, 2, (1,), ("count",)), FrameUses("Cache", ends=("collect",))), ()
        ),
        "read twice by one frame": (
            _uses(FrameUses("Cache", 1, 2, makes=(2, 2)), FrameUses("Join", ends=("collect",))), ()
        ),
        "two frames that meet again": (
            _uses(
                FrameUses("Cache", 1, 2, makes=(2, 3)), FrameUses("Filter", makes=(4,)),
                FrameUses("Project", makes=(4,)), FrameUses("UnionAll", ends=("collect",)),
            ), (),
        ),
        "a reader that is not listed": (_uses(FrameUses("Cache", 1, 2, ends=("collect",))), ()),
        "a variable that is not listed": (_uses(FrameUses("Cache", 0, 1, ends=("collect",))), ()),
        "fewer than none": (_uses(FrameUses("Cache", -1, -1, ends=("collect",))), ()),
        "it leaves": (_uses(FrameUses("Cache", 1, 1, ends=("leaves",))), ()),
        "a view": (_uses(FrameUses("Cache", 1, 1, ends=("createOrReplaceTempView",))), ()),
        "a named view": (_uses(FrameUses("Cache", makes=(2,)), FrameUses("View", ends=("collect",))), ()),
        "an effect for each row": (_uses(FrameUses("Cache", 1, 1, ends=("foreach",))), ()),
        "a writer that is not known": (_uses(FrameUses("Cache", 1, 1, ends=("write.jdbc.save",))), ()),
        "a format that is computed": (_uses(FrameUses("Cache", 1, 1, ends=("write.?.save",))), ()),
        "what has no model": (_uses(FrameUses("Cache", makes=(2,)), FrameUses("Opaque", ends=("collect",))), ()),
        "a pivot, which looks for its values": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Pivot", ends=("collect",))), ()
        ),
        "all rows in order": (_uses(FrameUses("Cache", makes=(2,)), FrameUses("Sort", ends=("collect",))), ()),
        "all rows in order, and then some": (
            _uses(
                FrameUses("Cache", makes=(2,)), FrameUses("Sort", makes=(3,)), FrameUses("Filter", ends=("show",)),
            ), (),
        ),
        "a value of a statement that is more than the cache": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Filter", ends=("dropped",))), ()
        ),
        "a sample": (one, (Below("Sample"), Below("Scan"))),
        "any rows": (one, (Below("Limit"), Below("Scan"))),
        "some of each": (one, (Below("DropDuplicates"), Below("Scan"))),
        "a window": (one, (Below("Window"), Below("Scan"))),
        "nothing known": (one, (Below("Opaque"),)),
        "Python, and a condition": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Filter", ends=("collect",))),
            (Below("RowUdf"), Below("Scan")),
        ),
        "other code, and elements of it": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Explode", ends=("collect",))),
            (Below("Lazy"), Below("Scan")),
        ),
        "other code, and a join": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Join", ends=("collect",))),
            (Below("Transformer"),),
        ),
        "other code, and calls without a model": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Lazy", ends=("collect",))),
            (Below("Transformer"),),
        ),
        "other code, and rows dropped": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Rows", ends=("collect",))),
            (Below("Lazy"), Below("Scan")),
        ),
        "other code, and all rows in order": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Sort", ends=("collect",))),
            (Below("Lazy"), Below("Scan")),
        ),
        "other code and chance": (one, (Below("Lazy", (), ("F", "rand", "score")), Below("Scan"))),
        "other code and the order of rows": (one, (Below("Lazy", (), ("first", "score")), Below("Scan"))),
        "all rows in order, without the first": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Sort", makes=(3,)), FrameUses("Offset", ends=("show",))),
            (),
        ),
        "the last rows in order": (
            _uses(FrameUses("Cache", makes=(2,)), FrameUses("Sort", ends=("tail",))), ()
        ),
        "ranges": (_uses(FrameUses("Cache", makes=(2,)), FrameUses("Ranges", ends=("show",))), ()),
        "a job of a frame that nobody asks for": (
            _uses(FrameUses("Cache", 1, 2, makes=(2,), ends=("collect",)), FrameUses("Tail", 1, 0)), ()
        ),
        "a checkpoint": (_uses(FrameUses("Cache", makes=(2,)), FrameUses("Checkpoint", ends=("collect",))), ()),
        "checkpointed before, with two readers": (
            _uses(FrameUses("Cache", 1, 2, ends=("count", "collect"))), (Below("Checkpoint"), Below("Scan"))
        ),
        "kept before by another operator's frame": (
            _uses(FrameUses("Cache", 1, 2, ends=("count", "collect"))), (Below("Filter"), Below("Cache"), Below("Scan"))
        ),
        "an array that varies": (one, (Below("Explode of what varies"),)),
        "the first of some": (one, (Below("Aggregate", (first,)), Below("Scan"))),
        "in the order of rows": (one, (Below("Aggregate", (state,)), Below("Scan"))),
        "collected": (one, (Below("Aggregate", (), ("F", "agg", "collect_list")), Below("Scan"))),
    }  # fmt: skip


def faults_of_extremes() -> dict[str, ExtremeCertificate]:
    """Ranks that find other rows than those that equal an extreme, by what is wrong with them."""

    def of(
        function: str, *, descending: bool, nulls_first: bool, rank: int = 1, present: bool = True
    ) -> ExtremeCertificate:
        return ExtremeCertificate(VERSION, function, "x", Order("x", descending, nulls_first), rank, present)

    return {
        "a group without values": of("max", descending=True, nulls_first=False, present=False),
        "a minimum without values": of("min", descending=False, nulls_first=False, present=False),
        "the least for the greatest": of("max", descending=False, nulls_first=False),
        "the greatest for the least": of("min", descending=True, nulls_first=False),
        "NULL comes first": of("min", descending=False, nulls_first=True),
        "NULL comes first of the greatest": of("max", descending=True, nulls_first=True),
        "the second": of("max", descending=True, nulls_first=False, rank=2),
        "none": of("max", descending=True, nulls_first=False, rank=0),
    }


def faults_of_matches() -> dict[str, MatchCertificate]:
    """Semi and anti joins that make other rows, by what is wrong with them."""
    return {
        "several matches": MatchCertificate(VERSION, "semi", ("k",)),
        "unique in more than the keys": MatchCertificate(VERSION, "semi", ("k",), ("k", "x")),
        "unique in another column": MatchCertificate(VERSION, "semi", ("k",), ("x",)),
        "unique in more than both keys": MatchCertificate(VERSION, "semi", ("k", "m"), ("k", "m", "x")),
        "a column is read": MatchCertificate(VERSION, "semi", ("k",), ("k",), unread=("x",), read=("y",)),
        "another column may be NULL": MatchCertificate(VERSION, "anti", ("k",), tested="x"),
        "another column of two keys": MatchCertificate(VERSION, "anti", ("k", "m"), tested="x"),
        "a column without a match is read": MatchCertificate(VERSION, "anti", ("k",), tested="k", read=("x",)),
    }


def faults_of_groups() -> dict[str, GroupsCertificate]:
    """Aggregates in the place of joins that make other rows, by what is wrong with them."""

    def of(keys: str, known: str, *below: Below) -> GroupsCertificate:
        return GroupsCertificate(VERSION, "groupBy", (*keys,), (*known,), 2, below or (Below("Scan"),))

    return {
        "a group of a NULL key": of("k", ""),
        "a group of a NULL key beside another": of("km", "k"),
        "groups of NULL keys, of many": of("klmn", "kln"),
        "other rows each time": of("k", "k", Below("Limit"), Below("Scan")),
    }
