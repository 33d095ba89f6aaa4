"""``make bench NAME=synthesis``: runs the suite in every mode and writes results, a report and a plot.

Exit code 1 if an expectation of the suite is not met, a certificate is not accepted by cvc5, or the bounded check
excludes what the search proves.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from headwater_ir.codec import to_json

from . import judge, machine, report
from .annotations import FormatError
from .modes import BOUNDED, COMPARED, MODES, PROFILE, SEARCHES, SPACER
from .plot import draw
from .runner import Child, Outcome
from .suite import Problem, files, load

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REPORT = ROOT / "docs" / "benchmarks" / "synthesis.md"
Outcomes = dict[str, dict[str, Outcome]]


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.synthesis", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="problems whose name (domain/file:line) holds a TEXT")
    parser.add_argument("--modes", nargs="+", metavar="MODE", choices=MODES, default=list(MODES), help=", ".join(MODES))
    parser.add_argument("--seconds", type=float, default=60.0, help="limit per problem (default: %(default)s)")
    parser.add_argument(
        "--jobs", type=int, default=1, help="problems side by side (default: %(default)s, for fair times)"
    )
    parser.add_argument("--no-cvc5", action="store_true", help="do not put the certificates to cvc5")
    parser.add_argument("--output", type=Path, help="results file (default: results/<date>.json; nothing with --only)")
    parser.add_argument("--report", type=Path, metavar="RESULTS", help="only write the report and plot of RESULTS anew")
    options = parser.parse_args()
    if "full" not in options.modes:
        options.modes = ["full", *options.modes]
    options.modes.sort(key=MODES.index)
    return options


def measure(options: argparse.Namespace, problems: dict[str, Problem], console: Console) -> Outcomes:
    """The outcomes of each mode. The modes take turns problem by problem, each in its process, so that a machine that
    is now slower and now faster is so for all of them."""
    asked = [name for name, p in problems.items() if p.problem is not None]
    paths = tuple(sorted({p.file for p in problems.values()}))
    outcomes: Outcomes = {mode: {} for mode in options.modes}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(asked) * len(options.modes))

        def share(names: list[str]) -> None:
            with ExitStack() as stack:
                children = {m: stack.enter_context(Child(m, paths, options.seconds)) for m in options.modes}
                for number, name in enumerate(names):
                    for mode in _in_turn(options.modes, number):
                        given = _solution(problems[name], outcomes["full"][name]) if mode == SPACER else None
                        if mode != SPACER or given is not None:
                            outcomes[mode][name] = children[mode].ask(name, given)
                        progress.update(task, description=f"{name} {mode}", advance=1)

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(share, [asked[i :: options.jobs] for i in range(options.jobs)]))
    return outcomes


def _in_turn(modes: list[str], number: int) -> list[str]:
    """The searches, another one first each time, and then the rest."""
    searches = [m for m in modes if m in SEARCHES]
    first = number % len(searches)
    return [*searches[first:], *searches[:first], *(m for m in modes if m not in SEARCHES)]


def _solution(problem: Problem, outcome: Outcome) -> Any:
    """What ``full`` found, as Spacer is given it; None where that is nothing."""
    solution = judge.found_by(problem, outcome).solution
    return None if solution is None else to_json(solution)


def results(options: argparse.Namespace, problems: dict[str, Problem], outcomes: Outcomes) -> dict[str, Any]:
    """Everything that is known of the run, for the results file."""
    found: dict[str, Any] = {
        "machine": machine.describe(),
        "seconds": options.seconds,
        "jobs": options.jobs,
        "files": len({p.file for p in problems.values()}),
        "searches": {},
    }
    full = outcomes["full"]
    for mode in (m for m in SEARCHES if m in outcomes):
        cvc5 = mode == "full" and not options.no_cvc5
        found["searches"][mode] = [judge.judged(p, outcomes[mode].get(n, {}), cvc5) for n, p in problems.items()]
    if SPACER in outcomes:
        found[SPACER] = [judge.against_spacer(problems[n], full[n], o) for n, o in outcomes[SPACER].items()]
    if BOUNDED in outcomes:
        found[BOUNDED] = [
            {
                "problem": n,
                "wall": round(o.get("wall", 0.0), 5),
                "agrees": judge.bounded_agrees(problems[n], o, full[n]),
            }
            for n, o in outcomes[BOUNDED].items()
        ]
    if "no-projection" in outcomes:
        plain = outcomes["no-projection"]
        gains = {n: judge.projection_gain(p, full.get(n, {}), plain.get(n, {})) for n, p in problems.items()}
        found["projection"] = {n: g for n, g in gains.items() if g is not None}
    if PROFILE in outcomes:
        found[PROFILE] = [{"problem": n, "phases": o.get("phases", {})} for n, o in outcomes[PROFILE].items()]
    found["projection_expected"] = [n for n, p in problems.items() if p.expected.projection]
    return found


def dumped(found: dict[str, Any]) -> str:
    """JSON with one record per line, so that two runs can be compared."""
    lines = []
    for key, value in found.items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[\n" + ",\n".join(f"  {json.dumps(v)}" for v in value) + "\n ]"
        elif key == "searches":
            parts = []
            for mode, records in value.items():
                parts.append(f'  "{mode}": [\n' + ",\n".join(f"   {json.dumps(r)}" for r in records) + "\n  ]")
            text = "{\n" + ",\n".join(parts) + "\n }"
        lines.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """The exit code."""
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 150)
    if options.report:
        publish(json.loads(options.report.read_text(encoding="utf-8")), options.report, console)
        return 0
    try:
        problems = {p.name: p for path in files() for p in load(path)}
    except FormatError as error:
        console.print(str(error), style="red", markup=False)
        return 2
    if options.only:
        problems = {n: p for n, p in problems.items() if any(text in n for text in options.only)}
    if not problems:
        console.print("no problem of that name", style="red")
        return 2
    found = results(options, problems, measure(options, problems, console))
    output = options.output
    if output is None and not options.only:
        output = HERE / "results" / f"{found['machine']['date']}.json"
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(dumped(found), encoding="utf-8")
    if not options.only and set(COMPARED) <= set(options.modes):
        publish(found, output, console)
    else:
        console.print(report.short(found), markup=False)
    failures = report.failures(found)
    for line in failures:
        console.print(line, style="red", markup=False)
    return 1 if failures else 0


def publish(found: dict[str, Any], results_file: Path, console: Console) -> None:
    """The report and its plot: in ``docs`` for results that are part of the repository, else beside the results."""
    results_file = results_file.resolve()
    target = REPORT if results_file.is_relative_to(HERE) else results_file.with_suffix(".md")
    target.parent.mkdir(parents=True, exist_ok=True)
    picture = target.with_suffix(".png")
    draw(found, picture)
    shown = results_file.relative_to(ROOT) if results_file.is_relative_to(ROOT) else results_file
    target.write_text(report.markdown(found, shown, picture.name), encoding="utf-8")
    console.print(report.short(found), markup=False)
    console.print(f"written: {results_file}, {target}, {picture}", markup=False)


if __name__ == "__main__":
    sys.exit(main())
