"""``headwater verify``: re-prove certificates, knowing nothing of how they were found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .common import BAD_INPUT, FOUND

if TYPE_CHECKING:
    from headwater_ir.verdict import Certificate


def verify(
    certificates: Annotated[
        list[Path], typer.Argument(metavar="CERT…", help="Certificate files.", exists=True, dir_okay=False)
    ],
) -> None:
    """Re-prove certificates with Z3 and, where it is installed, with cvc5.

    Exit code 1 if one fails, 2 if a file is no certificate.
    """
    raise typer.Exit(max(_verify_file(path) for path in certificates))


def _verify_file(path: Path) -> int:
    """What this certificate makes of the exit code."""
    from headwater_ir.codec import CodecError, loads
    from headwater_ir.verdict import Certificate

    try:
        certificate = loads(path.read_text(encoding="utf-8"), Certificate)
    except (OSError, CodecError, ValueError) as error:
        typer.echo(f"{path}: not a certificate: {str(error).splitlines()[0]}", err=True)
        return BAD_INPUT
    outcomes = [_prove(path, certificate, solver) for solver in _solvers()]
    return FOUND if not all(outcomes) else 0


def _solvers() -> list[Literal["z3", "cvc5"]]:
    from headwater.proof import cvc5_backend

    return ["z3", "cvc5"] if cvc5_backend.available() else ["z3"]


def _prove(path: Path, certificate: Certificate, solver: Literal["z3", "cvc5"]) -> bool:
    from headwater.proof.checker import MalformedCertificate, accepted, check

    try:
        conditions = check(certificate, solver=solver)
    except MalformedCertificate as error:
        typer.echo(f"{path}: {solver}: FAILED: {error}")
        return False
    proved = accepted(conditions)
    refuted = any(c.status == "failed" for c in conditions)
    word = "proved" if proved else "FAILED" if refuted else "not proved"
    parts = ", ".join(f"{c.name} {c.status} {c.ms:.0f} ms" for c in conditions)
    typer.echo(f"{path}: {solver}: {word} ({parts or 'no conditions'})")
    return proved
