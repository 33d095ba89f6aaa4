"""A certificate file, proved again: what ``headwater verify`` asks of a worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headwater_ir.codec import CodecError, loads
from headwater_ir.verdict import Certificate, Condition

from .regular_file import read_regular

MAX_BYTES = 50_000_000


@dataclass(frozen=True)
class NoCertificate:
    """The file is none, and why."""

    reason: str


@dataclass(frozen=True)
class Proof:
    """What one solver says of a certificate. ``malformed``: why its conditions cannot even be stated."""

    solver: str
    proved: bool
    conditions: tuple[Condition, ...] = ()
    malformed: str = ""


def verify_file(path: Path) -> NoCertificate | tuple[Proof, ...]:
    """The certificate in ``path``, proved with Z3 and, where it is installed, with cvc5."""
    try:
        certificate = loads(read_regular(path, MAX_BYTES).decode("utf-8"), Certificate)
    except RecursionError:
        return NoCertificate("nested too deeply")
    except (OSError, CodecError, ValueError) as error:
        return NoCertificate((str(error).splitlines() or [type(error).__name__])[0])
    return tuple(_prove(certificate, solver) for solver in _solvers())


def _solvers() -> list[Literal["z3", "cvc5"]]:
    from headwater.proof import cvc5_backend

    return ["z3", "cvc5"] if cvc5_backend.available() else ["z3"]


def _prove(certificate: Certificate, solver: Literal["z3", "cvc5"]) -> Proof:
    from headwater.proof.checker import MalformedCertificate, accepted, check

    try:
        conditions = tuple(check(certificate, solver=solver))
    except MalformedCertificate as error:
        return Proof(solver, False, malformed=str(error))
    return Proof(solver, accepted(conditions), conditions)
