"""A certificate file, proved again: what ``headwater verify`` asks of a worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Union

from headwater_ir.chain import Chain, broken_link
from headwater_ir.codec import CodecError, loads
from headwater_ir.demand import (
    CacheCertificate,
    DemandCertificate,
    ExtremeCertificate,
    GroupsCertificate,
    MatchCertificate,
)
from headwater_ir.expr import FALSE
from headwater_ir.ranges import RangeCertificate
from headwater_ir.verdict import Certificate, Condition

from .regular_file import read_regular

MAX_BYTES = 50_000_000
_Small = Union[
    DemandCertificate, CacheCertificate, ExtremeCertificate, GroupsCertificate, MatchCertificate, RangeCertificate
]
_KINDS: Any = Union[Certificate, _Small, Chain]


@dataclass(frozen=True)
class NoCertificate:
    """The file is none, and why."""

    reason: str


@dataclass(frozen=True)
class Proof:
    """What one solver says of a certificate, or what the links of a chain of them come to. ``malformed``: why its
    conditions cannot even be stated; ``way``: each operator between filter and boundary, with the condition before and
    after it."""

    solver: str
    proved: bool
    conditions: tuple[Condition, ...] = ()
    malformed: str = ""
    way: tuple[tuple[str, str, str], ...] = ()


def verify_file(path: Path) -> NoCertificate | tuple[Proof, ...]:
    """The certificate in ``path``, or each of a chain of them, proved with Z3 and, where it is installed, with cvc5."""
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8")
        found: Certificate | _Small | Chain = loads(text, _KINDS)
    except RecursionError:
        return NoCertificate("nested too deeply")
    except (OSError, CodecError, ValueError) as error:
        return NoCertificate((str(error).splitlines() or [type(error).__name__])[0])
    if not isinstance(found, Chain):
        return _proofs(found)
    broken = broken_link(found)
    proofs = (p.certificate for r in found.rounds for p in r.proofs)
    return (
        Proof("links", broken is None, malformed=broken or ""),
        *(proof for certificate in proofs for proof in _proofs(certificate)),
    )


def _proofs(certificate: Certificate | _Small) -> tuple[Proof, ...]:
    """One of each solver, or of the check that a demand takes."""
    if isinstance(certificate, Certificate):
        return tuple(_prove(certificate, solver) for solver in _solvers())
    from headwater.proof.demand import caches, checker, extremes, groups, matches
    from headwater.proof.demand.checker import Malformed

    if isinstance(certificate, RangeCertificate):
        return (_range(certificate),)
    name = "uses" if isinstance(certificate, CacheCertificate) else "tables"
    try:
        if isinstance(certificate, CacheCertificate):
            wrong = caches.check(certificate)
        elif isinstance(certificate, ExtremeCertificate):
            wrong = extremes.check(certificate)
        elif isinstance(certificate, MatchCertificate):
            wrong = matches.check(certificate)
        elif isinstance(certificate, GroupsCertificate):
            wrong = groups.check(certificate)
        else:
            wrong = checker.check(certificate)
    except Malformed as error:
        return (Proof(name, False, malformed=str(error)),)
    return (Proof(name, not wrong, malformed="; ".join(wrong)),)


def _range(certificate: RangeCertificate) -> Proof:
    from headwater.proof.ranges.checker import Malformed, check

    try:
        wrong = check(certificate)
    except Malformed as error:
        return Proof("parts", False, malformed=str(error))
    return Proof("parts", not wrong, malformed="; ".join(wrong))


def _solvers() -> list[Literal["z3", "cvc5"]]:
    from headwater.proof import cvc5_backend

    return ["z3", "cvc5"] if cvc5_backend.available() else ["z3"]


def _prove(certificate: Certificate, solver: Literal["z3", "cvc5"]) -> Proof:
    from headwater.engine.analysis.messages import way
    from headwater.proof.checker import MalformedCertificate, accepted, check

    if certificate.path is None and certificate.solution.pre_filter != FALSE:  # FALSE is no pre-filter, but HW302
        return Proof(solver, False, malformed="it proves a boundary, and no way from a filter to it")
    try:
        conditions = tuple(check(certificate, solver=solver))
    except MalformedCertificate as error:
        return Proof(solver, False, malformed=str(error))
    return Proof(solver, accepted(conditions), conditions, way=way(certificate.path))
