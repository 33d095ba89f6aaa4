"""What a program asks of the rows of a frame, and of the jobs, caches and joins that make them."""

from __future__ import annotations

from .group_extremes import ExtremeCertificate, GroupExtreme
from .jobs import Asked, Clause, FunctionOf, InTurns, Job, Part, Turns
from .kept_frames import Below, CacheCertificate, FrameUses, KeptFrame, UnlistedKind, UnlistedUse
from .plain_joins import GroupsCertificate, KeyPair, KeyType, MatchCertificate, NullTest, PlainJoin
from .readings import (
    BY_ROW,
    SQL,
    AnyOf,
    AsRow,
    Claim,
    Column,
    ColumnAt,
    ColumnBy,
    Counted,
    DemandCertificate,
    Different,
    Each,
    Empty,
    Folded,
    Item,
    Kinds,
    Limited,
    Measure,
    Measured,
    Not,
    Reader,
    Reading,
    Selected,
    SelectedBy,
    Size,
    Skipped,
    Step,
    Test,
    Truth,
    Wall,
    Where,
)

__all__ = [
    "AnyOf", "AsRow", "Asked", "BY_ROW", "Below", "CacheCertificate", "Claim", "Clause", "Column",
    "ColumnAt", "ColumnBy", "Counted", "DemandCertificate", "Different", "Each", "Empty", "ExtremeCertificate",
    "Folded", "FrameUses", "FunctionOf", "GroupExtreme", "GroupsCertificate", "InTurns", "Item", "Job", "KeptFrame",
    "KeyPair", "KeyType",
    "Kinds", "Limited", "MatchCertificate", "Measure", "Measured", "Not", "NullTest", "Part", "PlainJoin",
    "Reader", "Reading", "SQL", "Selected", "SelectedBy", "Size", "Skipped", "Step", "Test", "Truth", "Turns",
    "UnlistedKind", "UnlistedUse", "Wall", "Where",
]  # fmt: skip
