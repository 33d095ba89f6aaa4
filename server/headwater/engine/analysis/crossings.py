"""The way from the filter to the boundary as a step of a verdict: a proof of the boundary alone edits nothing."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater_ir.verdict import Certificate, Condition, Proved

if TYPE_CHECKING:
    from headwater.operators.move import Moved

SECONDS = 5.0
"""For each condition of a crossing."""
HELD = 4000
_known: OrderedDict[bytes, tuple[Certificate, Condition] | str] = OrderedDict()


class NotCrossed(Exception):
    """It is not proved that the filter may pass what lies above the boundary; the text says what of."""


def crossed(moved: Moved, verdict: Proved) -> Proved:
    """``verdict`` with a certificate of the whole way. ``NotCrossed`` if that is not proved."""
    key = pickle.dumps((moved.path, verdict.certificate), pickle.HIGHEST_PROTOCOL)
    found = _known.get(key)
    if found is None:
        found = _known[key] = _crossed(moved, verdict.certificate)
        if len(_known) > HELD:
            _known.popitem(last=False)
    if isinstance(found, str):
        raise NotCrossed(found)
    certificate, condition = found
    return replace(verdict, certificate=certificate, conditions=(*verdict.conditions, condition))


def _crossed(moved: Moved, certificate: Certificate) -> tuple[Certificate, Condition] | str:
    from headwater.proof.checker import decide
    from headwater.proof.crossings.encoding import OutOfReach
    from headwater.proof.crossings.whole import with_path
    from headwater.semantics.values import UnsupportedTerm, fresh_context

    if moved.path is None:
        return "it goes no way that is known"
    fresh_context()
    try:
        whole = with_path(certificate, moved.path)
    except (OutOfReach, UnsupportedTerm) as reason:
        return str(reason)
    ways = tuple(s for s in whole.scripts if s[0] == "Crossing")
    for script in ways:
        (condition,) = decide(replace(whole, scripts=(script,)), seconds=SECONDS)
        if condition.status != "proved":
            return script[1].partition("\n")[0].strip("; ").removesuffix(": unsat means proved")
    return whole, Condition("Crossing", "proved", 0.0)
