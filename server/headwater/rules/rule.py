"""What a code stands for, wherever it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "information", "hint", "off"]
Wording = Literal["prefilter", "replacement"]


@dataclass(frozen=True)
class Rule:
    """One code. ``summary``: when it is reported, in a sentence. ``severity``: unless the user sets another.

    ``proved``: whether a proof stands behind it. ``own_branch``: whether it is reported of a filter that is copied into
    a branch of its own. ``becomes``: the codes that a finding may have once it is proved. ``wording``: what the words
    of a rewrite speak of, a pre-filter that is added or a condition that replaces another. ``opportunity``: whether it
    is a finding of a report, and counts for the exit code. ``by_hand``: its edit gives the job other rows, which people
    decide on in the editor; `headwater fix` leaves it alone.
    """

    code: str
    name: str
    summary: str
    severity: Severity = "information"
    proved: bool = True
    own_branch: bool = False
    becomes: tuple[str, ...] = ()
    wording: Wording = "prefilter"
    opportunity: bool = True
    by_hand: bool = False
