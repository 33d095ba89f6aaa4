"""``headwater fix``: write proved rewrites into the files."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import BAD_INPUT, FOUND, NoCache, Paths, Timeout, make_cache, prepare, say_problem

if TYPE_CHECKING:
    from headwater.engine.cache import Cache
    from headwater.engine.files import SourceFile
    from headwater.engine.options import Options
    from headwater.engine.report import Report


class Only(str, Enum):
    """Parts of a rewrite that can be applied alone."""

    prefilter = "prefilter"


def fix(
    paths: Paths = [Path()],  # noqa: B006
    diff: Annotated[bool, typer.Option("--diff", help="Print the changes instead of writing them.")] = False,
    only: Annotated[Only | None, typer.Option("--only", help="Add pre-filters; leave the filters as they are.")] = None,
    timeout: Timeout = None,
    no_cache: NoCache = False,
) -> None:
    """Rewrite files: every proved rewrite, until there is nothing more to do.

    Exit code 0 if nothing is left, 1 if something is (with --diff: if there are changes), 2 if a file could not be read
    or written.
    """
    run = prepare(paths, timeout)
    cache = make_cache(no_cache)
    outcomes = [_fix_file(path, run.options, cache, diff, only is not None) for path in run.files]
    if not outcomes or max(outcomes) == 0:
        return
    raise typer.Exit(max(outcomes))


def _fix_file(path: Path, options: Options, cache: Cache | None, diff: bool, only_prefilter: bool) -> int:
    """What this file makes of the exit code."""
    from headwater.engine.files import Unreadable, read_source
    from headwater.engine.fixing import fix_text
    from headwater.engine.service import analyse_cached

    try:
        before = read_source(path)
    except Unreadable as error:
        say_problem(str(path), error.problem)
        return BAD_INPUT

    def analyse(text: str) -> Report:
        return analyse_cached(text, options, cache)[0]

    fixed = fix_text(before.text, analyse, only_prefilter)
    if fixed.report.error is not None:
        say_problem(str(path), fixed.report.error)
        return BAD_INPUT
    if fixed.text != before.text:
        if diff:
            _print_diff(path, before.text, fixed.text)
            return FOUND
        problem = _write(path, before, fixed.text)
        if problem is not None:
            typer.echo(f"{path}: {problem}", err=True)
            return BAD_INPUT
        for o in fixed.applied:
            typer.echo(f"{path}: {o.code} {o.message}")
    return FOUND if fixed.report.opportunities else 0


def _write(path: Path, analysed: SourceFile, text: str) -> str | None:
    """Put ``text`` in the place of the file, or say why not."""
    from headwater.engine.cache import write_atomically

    target = path.resolve()  # a link stays a link
    try:
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
        for line in out.splitlines(keepends=True):
            bold = line.startswith(("+++", "---"))
            typer.secho(line, nl=False, fg=None if bold else colours.get(line[0]), bold=bold)
    else:
        typer.echo(out, nl=False)


def _lines(text: str) -> list[str]:
    found = text.split("\n")
    return [line + "\n" for line in found[:-1]] + ([found[-1]] if found[-1] else [])
