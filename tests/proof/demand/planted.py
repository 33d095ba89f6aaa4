"""Claims on demand that do not hold, each the mistake of a rule that could be made."""

from __future__ import annotations

from headwater_ir.demand import (
    Claim,
    Column,
    ColumnAt,
    Each,
    Empty,
    Item,
    Limited,
    Not,
    Selected,
    Size,
    Skipped,
    Test,
    Truth,
)


def faults() -> dict[str, Claim]:
    """By what is wrong."""
    return {
        "one row too few for an item": Claim((Item(2),), (Limited(2), Item(2))),
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
    }
