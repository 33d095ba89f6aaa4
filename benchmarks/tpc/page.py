"""The page of a benchmark, from the outcomes of its queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .data import Kit
from .outcome import Outcome

QUIET = 0.2
"""How many processors other work may take; above that times are no figures."""


def page(kit: Kit, outcomes: Sequence[Outcome], machine: Mapping[str, Any], scale: float, runs: int) -> str:
    """All of the page. ``machine``: as it was before the first run."""
    return "\n".join([*_head(kit, len(outcomes), machine, scale, runs), *_table(outcomes), *_fates(outcomes)]) + "\n"


def is_quiet(machine: Mapping[str, Any]) -> bool:
    """Whether nothing else of weight ran when ``machine`` was described: less than ``QUIET`` processors."""
    return bool(machine["others"] <= QUIET)


def _head(kit: Kit, queries: int, machine: Mapping[str, Any], scale: float, runs: int) -> Iterator[str]:
    m = machine
    yield f"# {kit.title} with Python functions\n"
    yield (
        f"{queries} queries as PySpark programs with their conditions written late: in Python functions, in and behind "
        "pandas functions of groups, in RDDs, on the driver, behind caches "
        f"(`benchmarks/tpc/{kit.name}`). `headwater fix --accept-assumptions` rewrites them; both versions are "
        "compared with the answer that DuckDB gives to the query in SQL. A query without a finding is run all the "
        "same: its ratio is noise.\n"
    )
    yield (
        f"Written by `make bench NAME={kit.name}`. Scale factor {scale:g}, {runs} run{'' if runs == 1 else 's'} of "
        "each version in turn after one to warm up, median seconds: elapsed, and in parentheses the processor time of "
        "Spark, its Python workers "
        f"and the driver. Machine: {m['cpu']}, {m['cores']} cores, {m['memory_gb']} GB, {m['system']}; Python "
        f"{m['python']}, Spark {m['spark']}; revision {m['revision']}, {m['date']}; other work took "
        f"{m['others']:.2f} processors when it began.\n"
    )
    if runs and not is_quiet(m):
        yield "**The machine was busy: the times of this run are no figures.**\n"
    yield (
        "The last three columns count conditions that come to a table: by the nine rules that the paper on MagicPush "
        "takes for its baseline ([magicpush](magicpush.md)), by Spark's optimizer alone, and those that are there "
        "after the rewrite only. The rules know no function of Python, no group function, RDD or cache, and keys that "
        "are computed in `groupBy` are not in the plan that they see."
    )
    if kit.name == "tpch":
        yield (
            "The paper moves filters of the plain queries by hand and has them moved back in 18 of 18, by the rules "
            "and by MagicPush."
        )
    yield ""


def _table(outcomes: Iterable[Outcome]) -> Iterator[str]:
    yield "| query | findings | before | after | times as fast | answer | nine rules | Spark alone | Headwater adds |"
    yield "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |"
    for o in outcomes:
        codes = ", ".join(dict.fromkeys(code for code, _ in o.findings))
        moved = " | ".join(str(len(c)) for c in (o.by_rules, o.by_spark, o.by_headwater))
        said = "right" if o.correct else "**wrong**"
        yield f"| {o.name} | {codes} | {_times(o)} | {said} | {moved} |"
    yield ""


def _times(outcome: Outcome) -> str:
    if outcome.medians is None:
        return " | | "
    before, after = outcome.medians
    ratio = before[0] / after[0], before[1] / max(after[1], 0.01)
    return " | ".join(f"{elapsed:.2f} ({processor:.2f})" for elapsed, processor in (before, after, ratio))


def _fates(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "## Every predicate\n"
    count = Counter(fate.who for o in outcomes for fate in o.fates)
    yield (
        "The predicates of the queries in SQL, but for those that join by equal columns, and who moves them to their "
        f"table: {', '.join(f'{who} {n}' for who, n in count.most_common())}. They are followed by their columns: a "
        "condition at a table that reads one of them is taken to be made of it, and it may be weaker than the "
        "predicate. *No table has it*: it reads aggregates, subqueries or several tables. Why something is not moved "
        "are the tool's own words for filters of the program.\n"
    )
    for o in outcomes:
        yield f"### {o.name}\n"
        yield f"{o.what}\n"
        yield "| predicate | moved by | as, or why not |"
        yield "| --- | --- | --- |"
        for fate in o.fates:
            said = [*map(_code, fate.conditions), *fate.reasons]
            yield f"| {_cell(_code(fate.predicate))} | {fate.who} | {_cell('; '.join(said))} |"
        yield ""
        yield from _list("found", (f"{code} {_code(text)}" for code, text in o.findings))
        yield from _list("moved by the nine rules", map(_code, o.by_rules))
        yield from _list("not moved", (f"{_code(code)}: {why}" for code, why in o.left))
        yield ""


def _list(what: str, texts: Iterable[str]) -> Iterator[str]:
    yield from (f"- {what}: {text}" for text in texts)


def _code(text: str) -> str:
    return f"`{' '.join(text.split())}`" if text.strip() else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
