"""What one analysis of one source text found. Immutable, comparable, and in code-point offsets of that text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Union

from headwater.rewrite.edit import Edit
from headwater_ir.change import AnyChange
from headwater_ir.demand import (
    CacheCertificate,
    DemandCertificate,
    ExtremeCertificate,
    GroupsCertificate,
    MatchCertificate,
)
from headwater_ir.ranges import RangeCertificate
from headwater_ir.span import Span
from headwater_ir.verdict import Certificate, Condition, Kind, Obstruction

Code = Literal[
    "HW101",
    "HW102",
    "HW103",
    "HW104",
    "HW105",
    "HW190",
    "HW201",
    "HW203",
    "HW301",
    "HW302",
    "HW401",
    "HW402",
    "HW403",
    "HW404",
    "HW405",
    "HW406",
    "HW407",
]
Status = Literal["verified", "assumed", "bounded"]
SourceUse = Literal["exact", "inexact", "unsupported"]

AnyCertificate = Union[
    Certificate,
    DemandCertificate,
    CacheCertificate,
    ExtremeCertificate,
    GroupsCertificate,
    MatchCertificate,
    RangeCertificate,
]
UNUSED = "HW902"
CODE_OF_KIND: dict[Kind, Code] = {"exact": "HW101", "split": "HW102", "partial": "HW103"}


@dataclass(frozen=True)
class SourceClass:
    """What the data source can do with one conjunct of the pre-filter, and why."""

    conjunct: str
    use: SourceUse
    why: str


@dataclass(frozen=True)
class Opportunity:
    """A filter that can run earlier, or that nothing can pass; or a call that can ask a frame for less.

    * ``id``: the same for the same finding, wherever it moves to in the file.
    * ``filter_span``: the call from its dot to its closing parenthesis; the squiggle.
    * ``prefilter_span``: where the pre-filter goes (empty span).
    * ``residual_text``: what stays of the filter; None if nothing stays.
    * ``status``: ``verified`` holds for every input that the original program runs on, ``assumed`` only where the
      ``assumptions`` are true, ``bounded`` is not proved. ``notes`` limit nothing.
    * ``invariant_text``: ψ in words; ``atoms``: its conjuncts as formulas.
    * ``edits``: the whole rewrite; ``prefilter_edits``: only the pre-filter added. Both empty unless proved;
      those of an ``assumed`` finding are applied only where the user accepts the assumptions.
    * ``certificate``: the proof; for HW104 the proof under the named fact.
    * ``validation``: on how many sampled groups the user's function gave what the proof takes it to give, or why it was
      not evaluated; empty where there is no such function, or nothing is proved.
    * ``change``: what ``edits`` do to the plans of the text, or of the text after the edits ``copy``, which give the
      filter a branch of its own; None where nothing is edited. ``confirmed``: the edited text was read and compared.
    * ``fix``: what the rewrite does, in the imperative; empty where that follows from the pre-filter.
    """

    id: str
    code: Code
    name: str
    kind: Kind
    status: Status
    operator: str
    function: str | None
    boundary_span: Span
    filter_span: Span
    filter_text: str
    prefilter_text: str
    prefilter_sql: str | None
    prefilter_span: Span
    residual_text: str | None
    residual_sql: str | None
    invariant_text: str
    atoms: tuple[str, ...]
    conditions: tuple[Condition, ...]
    source: tuple[SourceClass, ...]
    assumptions: tuple[str, ...]
    notes: tuple[str, ...]
    benefit: tuple[tuple[str, str], ...]
    edits: tuple[Edit, ...]
    prefilter_edits: tuple[Edit, ...]
    certificate: AnyCertificate | None
    ms: float
    message: str
    validation: str = ""
    change: AnyChange | None = None
    copy: tuple[Edit, ...] = ()
    fix: str = ""
    confirmed: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Skipped:
    """A filter that stays where it is, and why."""

    span: Span
    obstruction: Obstruction
    reason: str


@dataclass(frozen=True)
class Unused:
    """A comment that hides nothing (``codes`` empty), or codes in it that do not. ``edit`` takes them away."""

    span: Span
    codes: tuple[str, ...]
    edit: Edit
    message: str


@dataclass(frozen=True)
class SourceProblem:
    """Why a text could not be analysed at all; zero-based position, ``character`` in UTF-16 units."""

    message: str
    line: int = 0
    character: int = 0


@dataclass(frozen=True)
class Report:
    """The findings of one text, in source order. ``error``: the text could not be read; then nothing else is there.
    ``untried``: where the calls of filters end that nobody has tried yet in a branch of their own. ``filters``: how
    many filters of DataFrames and RDDs the text has. ``spark``: the versions of Spark that the findings hold on.
    ``imports``: other files of the project whose definitions the findings rest on, as named from around the file."""

    opportunities: tuple[Opportunity, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    error: SourceProblem | None = None
    unused: tuple[Unused, ...] = ()
    untried: tuple[int, ...] = ()
    filters: int = 0
    spark: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
