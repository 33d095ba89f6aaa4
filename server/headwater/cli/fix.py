"""``headwater fix``: write verified rewrites into the files; with ``--accept-assumptions`` also assumed ones."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.rules.sentences import grouped

from .common import BAD_INPUT, FOUND, NoCache, NoData, Paths, Timeout, make_cache, prepare, printable, say_problem
from .render import seen_line

if TYPE_CHECKING:
    from headwater.engine.files.discovery import SourceFile
    from headwater.engine.files.fixing import FixedFile
    from headwater.engine.report.report import Opportunity


class Only(str, Enum):
    """Parts of a rewrite that can be applied alone."""

    prefilter = "prefilter"


def fix(
    paths: Paths = [Path()],  # noqa: B006
    diff: Annotated[bool, typer.Option("--diff", help="Print the changes instead of writing them.")] = False,
    only: Annotated[Only | None, typer.Option("--only", help="Add pre-filters; leave the filters as they are.")] = None,
    accept: Annotated[
        bool,
        typer.Option("--accept-assumptions", help="Apply rewrites that rest on assumptions too; they are printed."),
    ] = False,
    proofs: Annotated[
        Path | None,
        typer.Option("--proofs", help="Write the certificates of what was applied, a file for each rewritten one."),
    ] = None,
    timeout: Timeout = None,
    no_cache: NoCache = False,
    no_data: NoData = False,
) -> None:
    """Rewrite files: every verified rewrite, until there is nothing more to do.

    A rewrite that rests on facts which the program does not guarantee is left alone and listed with them;
    --accept-assumptions applies it.

    Exit code 0 if nothing is left, 1 if something is (with --diff: if there are changes), 2 if a file that mentions
    Spark could not be read, or a file not written.
    """
    from headwater.engine.files.fixing import MAX_ROUNDS, fix_file
    from headwater.engine.files.unreadable import file_concerns_spark, mentions_spark
    from headwater.engine.report.report import SourceProblem
    from headwater.engine.workers.isolated import WorkerLost
    from headwater.engine.workers.pool import run as run_all

    run = prepare(paths, timeout, data=not no_data)
    options = replace(run.options, show_all=False)  # what is hidden by default is not worth an edit unasked
    cache = make_cache(no_cache)
    calls = [(path.absolute(), options, cache, only is not None, accept) for path in run.files]
    worst = spark_files = filters = unread = 0
    for path, done in zip(run.files, run_all(fix_file, calls, 1, MAX_ROUNDS * run.options.file_seconds), strict=True):
        problem = SourceProblem(str(done)) if isinstance(done, WorkerLost) else done
        outcome = 0
        if not isinstance(problem, SourceProblem):
            outcome = max(_apply(path, problem, diff), _prove(path, problem, None if diff else proofs))
            spark_files += mentions_spark(problem.before.data)
            filters += problem.fixed.report.filters
        elif file_concerns_spark(path, problem):
            say_problem(str(path), problem)
            outcome = BAD_INPUT
        else:
            unread += 1
        worst = max(worst, outcome)
    typer.echo(f"{seen_line(len(run.files), spark_files, filters, unread)}.", err=diff)
    if worst:
        raise typer.Exit(worst)


def _apply(path: Path, done: FixedFile, diff: bool) -> int:
    """What this file makes of the exit code."""
    before, fixed = done.before, done.fixed
    if fixed.text != before.text:
        if diff:
            for line in (line for o in fixed.applied for line in _assumptions(o)):
                typer.echo(printable(f"# {path}: {line}"))
            _print_diff(path, before.text, fixed.text)
            _say_left(path, done, err=True)
            return FOUND
        problem = _write(path, before, fixed.text)
        if problem is not None:
            typer.echo(printable(f"{path}: {problem}"), err=True)
            return BAD_INPUT
        for o in fixed.applied:
            for line in (f"{o.code} {o.message}", *_assumptions(o)):
                typer.echo(printable(f"{path}: {line}"))
    _say_left(path, done, err=diff)
    return FOUND if fixed.report.opportunities else 0


def _prove(path: Path, done: FixedFile, directory: Path | None) -> int:
    """Write the proofs of what was applied to a file; what that makes of the exit code."""
    from headwater_ir.codec import dumps

    if directory is None or not done.fixed.chain.rounds:
        return 0
    target = directory / f"{path.stem}-{done.fixed.chain.rounds[-1].after[:12]}.json"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        target.write_text(dumps(done.fixed.chain), encoding="ascii")
    except OSError as error:
        typer.echo(printable(f"{target}: cannot be written: {error.strerror or error}"), err=True)
        return BAD_INPUT
    return 0


def _assumptions(o: Opportunity) -> list[str]:
    return [f"  assuming {a}" for a in grouped(o.assumptions)]


def _say_left(path: Path, done: FixedFile, *, err: bool) -> None:
    """The rewrites that rest on assumptions and were not applied: what they are, on what they rest, how to apply them.
    On standard error where standard output is a patch."""
    from headwater.engine.files.jupyter import lines_of

    left, text = done.fixed.left, done.fixed.text
    for o in left:
        place = lines_of(str(path), text).place(o.filter_span.start)
        for line in (f"not applied: {o.code} {o.message}", *_assumptions(o)):
            typer.echo(printable(f"{path}:{place}: {line}"), err=err)
    if left:
        hint = "run `headwater fix --accept-assumptions` to apply what rests on assumptions, if they are true"
        typer.echo(printable(f"{path}: {hint}"), err=err)


def _write(path: Path, analysed: SourceFile, text: str) -> str | None:
    """Put ``text`` in the place of the file, or say why not."""
    from headwater.engine.files.cache import write_atomically

    target = path.resolve()  # a link stays a link
    try:
        if analysed.encode(analysed.text) != analysed.data:  # some encodings have two codes for one character
            return f"cannot be written: other lines would change, stored as {analysed.stored_as}"
        data = analysed.encode(text)
    except UnicodeEncodeError as error:
        return f"the rewrite cannot be stored in this file's encoding: {error}"
    try:
        mode = target.stat().st_mode & 0o7777
        if target.read_bytes() != analysed.data:
            return "the file changed while it was analysed; nothing was written"
        write_atomically(target, data, mode)
    except OSError as error:
        return f"cannot be written: {error.strerror or error}"
    return None


def _print_diff(path: Path, before: str, after: str) -> None:
    import difflib
    import sys

    lines = difflib.unified_diff(
        _lines(before), _lines(after), f"a/{path.as_posix().lstrip('/')}", f"b/{path.as_posix().lstrip('/')}"
    )
    out = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    if sys.stdout.isatty():
        colours = {"+": "green", "-": "red", "@": "cyan"}
        for line in _lines(out):
            bold = line.startswith(("+++", "---"))
            typer.secho(
                printable(line.rstrip("\n")) + "\n", nl=False, fg=None if bold else colours.get(line[0]), bold=bold
            )
    else:
        typer.echo(out, nl=False)


def _lines(text: str) -> list[str]:
    found = text.split("\n")
    return [line + "\n" for line in found[:-1]] + ([found[-1]] if found[-1] else [])
