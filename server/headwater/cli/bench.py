"""``headwater bench``: what a rewrite buys. The one command that runs the code it is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from .common import BAD_INPUT, FOUND, NoCache, Timeout, fail, make_cache, prepare, printable, say_problem

if TYPE_CHECKING:
    from headwater.bench.job import Job, Measured
    from headwater.engine.analysis.options import Options
    from headwater.engine.files.fixing import FixedFile


def bench(
    pipeline: Annotated[
        Path, typer.Argument(metavar="PIPELINE.py", help="A PySpark script.", exists=True, dir_okay=False)
    ],
    arguments: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Argument(metavar="[ARG]…", help="Arguments of the script; paths in them do not matter."),
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="Rows of each generated table.")] = 1_000_000,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Timed runs of each version.")] = 3,
    kept: Annotated[
        float, typer.Option("--kept", metavar="PERCENT", min=0, max=100, help="Rows that pass the pre-filter.")
    ] = 5.0,
    schema: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--schema", metavar="SOURCE=DDL", help="Columns of a source that the script does not state."),
    ] = None,
    master: Annotated[str, typer.Option("--master", metavar="URL", help="Where Spark runs.")] = "local[*]",
    timeout: Timeout = None,
    no_cache: NoCache = False,
) -> None:
    """Run a pipeline before and after its rewrite on generated data, on Spark.

    This RUNS the script, twice over, in a process of its own: its reads go to generated data and its writes to nowhere,
    but whatever else it does, it does. How much a rewrite saves depends on the share of rows that the pre-filter keeps:
    here you choose it. What a rewrite assumes of data files is checked again. Exit code 0 if the rows are equal and the
    files as assumed, 1 if not, 2 if there was nothing to run.
    """
    from headwater.bench.client import missing
    from headwater.bench.job import Failed

    absent = missing()
    if absent is not None:
        fail(absent)
    if pipeline.suffix != ".py":
        fail(f"{pipeline} is not a Python script")
    run = prepare([pipeline], timeout, show_all=True)
    fixed = _fixed(pipeline, run.options, no_cache)
    if not fixed.fixed.applied:
        fail(f"nothing to measure: no proved rewrite in {pipeline}")
    schemas = {**_of_data(fixed, run.options), **run.options.schemas, **_stated(schema or [])}
    for o in fixed.fixed.applied:
        typer.echo(printable(f"{pipeline}: {o.code} {o.message}"))
    try:
        answer = _measured(pipeline, fixed, arguments or [], rows, runs, kept / 100, schemas, master)
    except Failed as failed:
        for line in failed.details.rstrip().splitlines()[-12:]:
            typer.echo(printable(line), err=True)
        fail(str(failed))
    _show(answer, runs, master)
    holds = _recheck(fixed, run.options)
    if not answer["equal"] or not holds:
        raise typer.Exit(FOUND)


def _fixed(pipeline: Path, options: Options, no_cache: bool) -> FixedFile:
    from headwater.engine.files.fixing import MAX_ROUNDS, fix_file
    from headwater.engine.report.report import SourceProblem
    from headwater.engine.workers.isolated import WorkerLost
    from headwater.engine.workers.pool import run

    call = (pipeline.absolute(), options, make_cache(no_cache), False, True)
    (done,) = run(fix_file, [call], 1, MAX_ROUNDS * options.file_seconds)
    problem = SourceProblem(str(done)) if isinstance(done, WorkerLost) else done
    if isinstance(problem, SourceProblem):
        say_problem(str(pipeline), problem)
        raise typer.Exit(BAD_INPUT)
    return problem


def _of_data(fixed: FixedFile, options: Options) -> dict[str, str]:
    """The columns of sources of which data files in the workspace say all of them."""
    from headwater.bench.facts import ddl_of
    from headwater.data_facts.model import PRINTED
    from headwater.engine.files.data import with_data

    found = ((d.place, ddl_of(d)) for d in with_data(fixed.before.text, options).data if d.form != PRINTED)
    return {place: ddl for place, ddl in found if ddl is not None}


def _recheck(fixed: FixedFile, options: Options) -> bool:
    """Whether data files are as the applied rewrites assume; prints a line for each assumption about them."""
    from headwater.bench.facts import recheck
    from headwater.engine.files.data import with_data

    assumed = [text for o in fixed.fixed.applied for text in o.assumptions]
    now = with_data(fixed.before.text, options).data
    lines = recheck(assumed, now, Path(options.data_root or "."))
    for line, _ in lines:
        typer.echo(printable(f"files    {line}"))
    return all(holds for _, holds in lines)


def _stated(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, sign, ddl = pair.partition("=")
        if not (name.strip() and sign and ddl.strip()):
            raise typer.BadParameter(f"{pair!r} is not SOURCE=DDL", param_hint="--schema")
        found[name.strip()] = ddl.strip()
    return found


def _measured(
    pipeline: Path,
    fixed: FixedFile,
    arguments: list[str],
    rows: int,
    runs: int,
    kept: float,
    schemas: dict[str, str],
    master: str,
) -> Measured:
    import tempfile

    from rich.console import Console

    from headwater.bench.client import measured

    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as scratch:
        for name, text in (("before.py", fixed.before.text), ("after.py", fixed.fixed.text)):
            (Path(scratch) / name).write_text(text, encoding="utf-8")
        job: Job = {
            "before": str(Path(scratch) / "before.py"),
            "after": str(Path(scratch) / "after.py"),
            "name": str(pipeline.absolute()),
            "arguments": arguments,
            "modules": [str(pipeline.absolute().parent)],
            "rows": rows,
            "runs": runs,
            "kept": kept,
            "tables": {},
            "schemas": schemas,
            "prefilters": [o.prefilter_sql for o in fixed.fixed.applied if o.prefilter_sql],
            "master": master,
            "conf": {},
            "scratch": scratch,
        }
        console = Console(stderr=True)
        with console.status("") as status:
            return measured(job, lambda step: status.update(f"{pipeline.name}: {step}"))


def _show(m: Measured, runs: int, master: str) -> None:
    from statistics import median

    before, after = (median(m[side]["seconds"]) for side in ("before", "after"))
    kept = m["rows_kept"]
    share = "" if kept is None else f", of which the pre-filter keeps {100 * kept / m['rows_in']:.1f} %"
    said = [
        f"data     {m['rows_in']:,} generated rows{share}; {m['rows_out']:,} rows come out",
        f"before   {before:.2f} s, reads {_size(m['before']['bytes_read'])}",
        f"after    {after:.2f} s, reads {_size(m['after']['bytes_read'])}",
        f"ratio    {before / after:.1f} ({100 * (1 - after / before):.0f} % of the time saved; median of {runs})",
        f"rows     {'equal' if m['equal'] else 'DIFFERENT'}",
        f"Spark    {m['spark']}, {master}",
    ]
    new = [c for c in m["after"]["pushed"] if c not in m["before"]["pushed"]]
    said += [f"pushed   {condition}" for condition in new]
    for line in [*said, *m["differences"]]:
        typer.echo(printable(line))


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"
