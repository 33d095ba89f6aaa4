"""``headwater verify``: re-prove certificates, knowing nothing of how they were found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import BAD_INPUT, FOUND, printable

if TYPE_CHECKING:
    from headwater.engine.files.verifying import NoCertificate, Proof
    from headwater.engine.workers.isolated import WorkerLost

SECONDS = 600.0
"""Wall time for one certificate."""


def verify(
    certificates: Annotated[
        list[Path], typer.Argument(metavar="CERT…", help="Certificate files.", exists=True, dir_okay=False)
    ],
) -> None:
    """Re-prove certificates with Z3 and, where it is installed, with cvc5; of a chain that `headwater fix --proofs` has
    written, each certificate, and that each round begins with the text that the one before ended with.

    Exit code 1 if one fails, 2 if a file is no certificate.
    """
    from headwater.engine.files.verifying import verify_file
    from headwater.engine.workers.pool import run

    answers = run(verify_file, [(path.absolute(),) for path in certificates], 1, SECONDS)
    raise typer.Exit(max(_say(path, answer) for path, answer in zip(certificates, answers, strict=True)))


def _say(path: Path, answer: NoCertificate | tuple[Proof, ...] | WorkerLost) -> int:
    """Print what came of one file; the answer is what it makes of the exit code."""
    if not isinstance(answer, tuple):
        problem = f"not proved: {answer}" if isinstance(answer, Exception) else f"not a certificate: {answer.reason}"
        typer.echo(printable(f"{path}: {problem}"), err=True)
        return FOUND if isinstance(answer, Exception) else BAD_INPUT
    for proof in answer:
        typer.echo(printable(f"{path}: {proof.solver}: {_words(proof)}"))
        for name, before, after in proof.way if proof.solver == "z3" else ():
            typer.echo(printable(f"{path}:   {name}: {before if before == after else f'{before} becomes {after}'}"))
    return 0 if all(proof.proved for proof in answer) else FOUND


def _words(proof: Proof) -> str:
    if proof.malformed:
        return f"FAILED: {proof.malformed}"
    refuted = any(c.status == "failed" for c in proof.conditions)
    word = "proved" if proof.proved else "FAILED" if refuted else "not proved"
    if proof.solver == "links":  # of a chain, not of one certificate
        return "proved (each round begins with the text that the one before ended with)"
    parts = ", ".join(f"{c.name} {c.status} {c.ms:.0f} ms" for c in proof.conditions)
    return f"{word} ({parts or 'no conditions'})"
