"""The page's tables, from outcomes alone."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from .cases import CASES
from .outcome import Outcome, Push
from .soundness import Timed

_STOPS_ALL = ("row-context", "cardinality-barrier", "representative-choice", "volatile", "empty-input-row")
_NOT_READ = ("opaque", "time-out", "side-effect", "may-throw", "attribute-capture")
By = Callable[[Outcome], Push]
COLUMNS: tuple[tuple[str, By], ...] = (
    ("nine rules", lambda o: o.rules),
    ("Spark alone", lambda o: o.spark or "none"),
    ("Headwater", lambda o: o.headwater),
    ("Spark with Headwater", lambda o: o.together),
)


def told(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those whose filter is not constant."""
    return [o for o in outcomes if not o.constant]


def pushed(outcomes: Sequence[Outcome], by: By) -> tuple[int, int]:
    """How many are pushed, and how many of these whole."""
    found = Counter(map(by, outcomes))
    return found["superset"] + found["equal"], found["equal"]


def by_kind(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each kind: pushed by each, and whole in parentheses."""
    heads = ["", "the paper's operator", "instances", *(name for name, _ in COLUMNS), "best of all"]
    lines = _head(heads, 2)
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for o in outcomes:
        groups.setdefault((o.kind, o.core), []).append(o)
    for (kind, core), those in groups.items():
        lines.append(f"| {kind} | {core} | {_cells(those)} |")
    return [*lines, f"| **all** | | {_cells(outcomes)} |"]


def _cells(those: Sequence[Outcome]) -> str:
    best = sum(o.together != "none" or o.rules != "none" for o in those)
    cells = [f"{a} ({b})" for a, b in (pushed(those, by) for _, by in COLUMNS)]
    return " | ".join([str(len(those)), *cells, str(best)])


def _head(heads: Sequence[str], left: int) -> list[str]:
    return [f"| {' | '.join(heads)} |", "|" + " --- |" * left + " ---: |" * (len(heads) - left)]


def coverage(operators: Sequence[Outcome], functions: Sequence[Outcome]) -> list[str]:
    """The paper's Table 3: how many are understood, and why the others are not."""
    lines = _head(["", "covered", "operator stops every filter of this kind", "not read"], 1)
    for name, those, paper in (
        ("operators", operators, "92.9 % | 6.7 % (unhandled operator) | 0.4 % (black-box function)"),
        ("functions", functions, "99.7 % | - | 0.3 % (black-box function)"),
    ):
        stopped = sum(_is(o, _STOPS_ALL) for o in those)
        unread = sum(_is(o, _NOT_READ) for o in those)
        total = len(those) or 1
        shares = [f"{100 * n / total:.1f} %" for n in (len(those) - stopped - unread, stopped, unread)]
        lines += [f"| {name}, here | {' | '.join(shares)} |", f"| {name}, the paper | {paper} |"]
    return lines


def _is(o: Outcome, obstructions: Sequence[str]) -> bool:
    return o.together == "none" and o.obstruction in obstructions


def reasons(outcomes: Iterable[Outcome], most: int = 12) -> list[str]:
    """Why nothing is pushed, neither by Spark nor by Headwater: the commonest reasons."""
    lost = [o for o in outcomes if o.together == "none"]
    found = Counter((o.obstruction or "no boundary below it", _general(o.reason)) for o in lost)
    lines = _head(["obstruction", "reason", "instances"], 2)
    return [*lines, *(f"| {a} | {_cell(b)} | {n} |" for (a, b), n in found.most_common(most))]


def _general(reason: str) -> str:
    """A reason without the names that it speaks of."""
    parts = reason.split("`")
    return "".join(p if i % 2 == 0 else "`…`" for i, p in enumerate(parts))


def missed(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """What the rules push, and neither Spark nor Headwater."""
    return [o for o in outcomes if o.rules != "none" and o.together == "none"]


def cases(outcomes: Sequence[Outcome]) -> list[str]:
    """The paper's examples side by side."""
    lines = _head(["example", "", "MagicPush", "its pre-filter", "nine rules", "Spark alone", "Headwater", "here"], 8)
    for case, o in zip(CASES, outcomes, strict=True):
        here = f"`{_cell(o.prefilter)}`" if o.prefilter else "Spark moves it" if o.spark != "none" else _cell(o.reason)
        asked = f"`{_cell(case.prefilter)}`" if case.prefilter != "-" else "none"
        cells = [case.place, case.what, case.expects, asked, o.rules, str(o.spark), o.headwater, here]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def times(parts: Sequence[tuple[str, Sequence[Outcome]]]) -> list[str]:
    """Processor time of an analysis."""
    lines = _head(["", "analyses", "mean", "median", "p95", "max"], 1)
    for name, those in parts:
        taken = sorted(o.seconds for o in those)
        if taken:
            p95 = taken[min(len(taken) - 1, int(0.95 * len(taken)))]
            figures = (statistics.mean(taken), statistics.median(taken), p95, taken[-1])
            lines.append(f"| {name} | {len(taken)} | " + " | ".join(f"{s:.3f} s" for s in figures) + " |")
    return lines


def slowest(outcomes: Iterable[Outcome], most: int = 5) -> list[str]:
    """The analyses that took longest."""
    those = sorted(outcomes, key=lambda o: -o.seconds)[:most]
    return [f"- {o.seconds:.2f} s: {o.kind}, seed {o.seed}, {o.headwater} {o.obstruction}".rstrip() for o in those]


def slowdowns(found: Sequence[Timed]) -> list[str]:
    """The timed instances, slowest rewrite first."""
    lines = _head(["kind", "mode", "before", "after", "times as fast", "pre-filter"], 2)[:1]
    lines.append("| --- | --- | ---: | ---: | ---: | --- |")
    for t in sorted((t for t in found if not t.raised), key=lambda t: t.ratio):
        cells = [t.kind, t.mode, f"{t.before:.2f} s", f"{t.after:.2f} s", f"{t.ratio:.2f}", f"`{_cell(t.prefilter)}`"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines
