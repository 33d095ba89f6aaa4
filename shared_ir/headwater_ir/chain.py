"""The proofs of a text that was rewritten in several rounds, in order: each round begins with the text that the one
before ended with, so that together they are one proof of the last text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Union

from .change import AnyChange, Change, Matched, OneAggregate, Ranged, Ranked, Uncached
from .demand import CacheCertificate, DemandCertificate, ExtremeCertificate, GroupsCertificate, MatchCertificate
from .ranges import RangeCertificate
from .span import Span
from .verdict import Certificate

VERSION = 1


@dataclass(frozen=True)
class Proof:
    """One rewrite: what it does to the plans, and the certificate of it."""

    change: AnyChange
    certificate: Union[
        Certificate,
        DemandCertificate,
        CacheCertificate,
        ExtremeCertificate,
        GroupsCertificate,
        MatchCertificate,
        RangeCertificate,
    ]


@dataclass(frozen=True)
class Round:
    """``before``, ``after``: the digests of the texts. The text after was read, and had the plans that ``proofs`` speak
    of (``headwater.edit_check``)."""

    before: str
    after: str
    proofs: tuple[Proof, ...]


@dataclass(frozen=True)
class Chain:
    """The rounds, first one first."""

    version: int
    rounds: tuple[Round, ...]


def text_digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def broken_link(chain: Chain) -> str | None:
    """What in ``chain`` does not follow from what is before it, as far as it can be seen without the texts; None if all
    does. The certificates are a matter of their own."""
    if chain.version != VERSION:
        return f"version {chain.version} is not {VERSION}"
    if not chain.rounds:
        return "there is nothing in it"
    for number, (one, after) in enumerate(zip(chain.rounds, (*chain.rounds[1:], None), strict=True), 1):
        if after is not None and one.after != after.before:
            return f"round {number + 1} does not begin with the text that round {number} ends with"
        if one.before == one.after or not one.proofs:
            return f"round {number} does nothing"
        places = [(_place(p.change), p.change.operator) for p in one.proofs]
        if len({*places}) < len(places):
            return f"round {number} has two pre-filters in front of one boundary"
        for proof in one.proofs:
            if _other(proof.change) is not None or _other(proof.certificate) is not None:
                if _other(proof.change) != _other(proof.certificate):
                    return f"round {number} does something else than what is proved"
                continue
            if not isinstance(proof.change, Change) or not isinstance(proof.certificate, Certificate):
                if getattr(proof.change, "claims", None) != getattr(proof.certificate, "claims", ()):
                    return f"round {number} asks for less than what is proved to suffice"
                continue
            solution = proof.certificate.solution
            if proof.change.pre_filter != solution.pre_filter:
                return f"round {number} adds another pre-filter than the one that is proved"
            if proof.change.residual not in (None, solution.residual):
                return f"round {number} leaves another filter than the one that is proved"
    return None


def _other(one: object) -> object:
    """What ``one`` says of a cache that goes, of an extreme that becomes a rank, of a join that becomes another
    or one aggregate,
    or of a condition that becomes a range;
    None if it speaks of none of them."""
    match one:
        case CacheCertificate(operator=operator) | Uncached(operator=operator):
            return "cache", operator
        case ExtremeCertificate(operator=operator, order=order) | Ranked(operator=operator, order=order):
            return "extreme", operator, order
        case MatchCertificate(operator=operator) | Matched(operator=operator):
            return "join", operator
        case GroupsCertificate(operator=operator, keys=keys, sides=sides):
            return "groups", operator, keys, sides
        case OneAggregate(operator=operator, keys=keys, sides=calls):
            return "groups", operator, keys, len(calls)
        case (
            RangeCertificate(before=before, after=after, beside=beside)
            | Ranged(before=before, after=after, beside=beside)
        ):
            return "range", before, after, beside
    return None


def _place(change: AnyChange) -> Span:
    return change.boundary if isinstance(change, Change) else change.call
