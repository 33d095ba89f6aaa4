"""docs/benchmarks/magicpush.md, from the outcomes."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.campaigns.fuzz.judge import Trial
from tests.campaigns.fuzz.on_spark import Replay

from . import tables
from .outcome import Outcome
from .soundness import Timed

_INTRO = """# The evaluation of MagicPush, restated

Written by `make bench NAME=magicpush`; do not edit by hand. The paper: *Predicate Pushdown for Data Science Pipelines*, SIGMOD 2023
(MagicPush, [related work](../related-work.md)). What it reports stands beside ours. Its implementation, its notebooks and its
pipelines were not used: all programs here are generated, or written after the examples that it prints."""
_SETUP = """## What differs in the set-up

| | the paper | here |
| --- | --- | --- |
| programs | pandas, in memory; 1,000 operators and 1,000 UDFs sampled from notebooks on GitHub, 200 pipelines, 18 queries \
of TPC-H | PySpark, generated: {operators} operators, {functions} functions, the paper's {cases} examples |
| weight | as often as notebooks have an operator | every kind equally often: totals do not compare, lines do |
| filter | the pipeline's own | generated over the columns made, often one that cannot be pushed at all |
| what pushes | nothing but the tool: pandas has no optimizer | Spark's optimizer, and Headwater what it leaves undone: \
a filter that Spark moves is no finding |
| semantics | NULL indicators; integers without bound | Spark's and CPython's: NaN, NULL, overflow, errors and -0.0 count \
against a rewrite |
| baseline | nine rules from seven sources | the same nine (`benchmarks/magicpush/rules.py`), over Headwater's plan |
| covered | the operator is one of 14 and the UDF has no black box | a filter above it is decided: pushed, left to Spark, \
or refused because no pre-filter of the search space is right |
| machine | 2.4 GHz, 64 GB | {cpu}, {cores} cores, {memory_gb} GB |"""
_ARTEFACTS = """## Tables and figures of the paper

| of the paper | figures | here |
| --- | --- | --- |
| Figures 1 to 3, listings 1 to 6 | examples | [The paper's examples](#the-papers-examples) |
| Figures 4 to 8, tables 1 and 2 | the method; 14 operators, 7 pre-conditions | the operator names below are those of \
Table 1; the laws are in [crossings](../crossings.md) |
| section 7.2 (TPC-H) | 18 of 18 plans as PostgreSQL's, by MagicPush and by the rules | `make bench NAME=tpch` |
| Table 3 | 92.9 % of operators, 99.7 % of UDFs covered; 18.7 % of UDFs call libraries | [Coverage](#coverage) |
| Table 4 | 200 pipelines: 5 to 100 operators, median 13; 0.01 to 390 MB; 0.005 to 183 s, median 0.5 s | no pipelines here; \
real repositories: `make bench NAME=corpus` |
| Figure 9 (a) | pushed to the input in 105 pipelines of 200, by the rules in 74; more selective in 42, by 46 % on \
average, up to 99 %; never worse | [By operator](#by-operator), [What the rules push and we do not](#what-only-the-rules-push) |
| Figure 9 (b), (c) | of the 42 pipelines 35 faster than by the rules (38 on scaled data), by 10 % (26 %) on average, up to \
53 % (99 %); some slower | [Time of the rewritten programs](#time-of-the-rewritten-programs); `make bench NAME=spark` |
| Figure 10 (a) | under 0.2 s a query, 0.1 s on average | [Time of a search](#time-of-a-search) |
| Figure 10 (b) | under 0.8 s in 98 pipelines, 0.33 s on average; outliers 128, 42 and 36.5 s | the same |"""
_DEFINED = """*Pushed* means below the operator that the filter stands above; in parentheses, how often whole: the \
filter itself goes away (the paper's equivalent pushdown). The others add a weaker or an equal filter below and leave \
the filter where it is (superset pushdown). *Spark alone* is what its optimized plan shows; a condition that calls the \
Python function again is not counted. *Best of all* is how many any of them pushes: what is left is mostly filters that \
cannot be pushed."""


@dataclass(frozen=True)
class Results:
    """Everything that was measured. ``explained``: whether Spark was asked for plans."""

    outcomes: Sequence[Outcome]
    machine: Mapping[str, Any]
    seed: int
    trial: Trial = field(default_factory=Trial)
    replay: Replay = field(default_factory=Replay)
    timed: Sequence[Timed] = ()
    rows: int = 0

    def of(self, part: str) -> list[Outcome]:
        """The outcomes of a part, constant filters left out."""
        return tables.told(o for o in self.outcomes if o.part == part)


def page(r: Results) -> str:
    """The whole page."""
    operators, functions = r.of("operators"), r.of("functions")
    examples = [o for o in r.outcomes if o.part == "cases"]
    constant = sum(o.constant for o in r.outcomes)
    assumed = sum(o.assumed for o in r.outcomes)
    m = r.machine
    counts = Counter(o.part for o in r.outcomes)
    setup = _SETUP.format(operators=counts["operators"], functions=counts["functions"], cases=len(examples), **m)
    return "\n".join([
        _INTRO, "",
        f"Seed {r.seed}; revision {m['revision']}{' with changes' if m['changed_since'] else ''}, {m['date']}; "
        f"{m['cpu']}, {m['cores']} cores, {m['memory_gb']} GB, Python {m['python']}, Z3 {m['z3']}; load average at the end "
        f"{', '.join(map(str, m['load']))}.", "", *_headline(operators, functions, r), "",
        setup, "", _ARTEFACTS, "",
        "## Coverage", "",
        f"{constant} instances whose filter lets nothing pass, or everything, are left out here and below. "
        f"{assumed} findings rest on assumptions that the certificate lists.", "",
        *tables.coverage(operators, functions), "",
        "Why neither Spark nor Headwater pushes anything:", "", *tables.reasons([*operators, *functions]), "",
        "## By operator", "", _DEFINED, "", *tables.by_kind(operators), "",
        "## By kind of function", "",
        "Spark has no plan of an RDD; no rule looks into a function.", "", *tables.by_kind(functions), "",
        "## The paper's examples", "", *tables.cases(examples), "",
        "## What only the rules push", "", *_missed([*operators, *functions]), "",
        "## Time of a search", "",
        "Processor time of the whole analysis of a text: reading, search, proof and the rewritten text. The paper's is of "
        "a whole pipeline: 0.33 s on average, 0.1 s for a query of TPC-H.", "",
        *tables.times((("operators", [o for o in r.outcomes if o.part == "operators"]),
                       ("functions", [o for o in r.outcomes if o.part == "functions"]), ("examples", examples))), "",
        *tables.slowest(r.outcomes), "",
        "## Soundness", "", *_soundness(r), "",
        "## Time of the rewritten programs", "", *_times(r),
    ]).rstrip() + "\n"  # fmt: skip


def _headline(operators: Sequence[Outcome], functions: Sequence[Outcome], r: Results) -> list[str]:
    lines = []
    for name, those in (("operators", operators), ("functions", functions)):
        cells = [f"{label} {tables.pushed(those, by)[0]}" for label, by in tables.COLUMNS]
        lines.append(f"- Of {len(those)} filters over {name} pushed: {', '.join(cells)}.")
    both = [*operators, *functions]
    more = sum(o.together != "none" and o.rules == "none" for o in both)
    lines.append(f"- Pushed by Spark with Headwater and by no rule: {more}; by a rule and by neither: "
                 f"{len(tables.missed(both))}.")  # fmt: skip
    wrong = len(r.replay.wrong) + len(r.trial.differences)
    lines.append(f"- Rewritten programs on Spark before and after: {r.replay.programs}; all of them on small tables: "
                 f"{r.trial.compared:,} tables. Wrong: {wrong}.")  # fmt: skip
    return lines


def _missed(outcomes: Sequence[Outcome]) -> list[str]:
    found = tables.missed(outcomes)
    lines = [f"{len(found)} instances. The paper has none: what a rule finds, MagicPush finds. Spark adds conditions "
             "`IS NOT NULL` of its own, so that those of a filter are not told from them, and count as not pushed; and a "
             "program that Spark refuses to plan has no plan.", ""]  # fmt: skip
    for o in found[:10]:
        code = [line for line in o.source.splitlines() if line and not line.startswith(("import ", "from "))]
        rules = ", ".join(map(str, o.rule))
        lines += [f"{o.kind}, rule {rules}: {o.obstruction or 'no finding'} {o.reason}".rstrip(), "", "```text", *code,
                  "```", ""]  # fmt: skip
    return lines[:-1]


def _soundness(r: Results) -> list[str]:
    found, trial = r.replay, r.trial
    rewritten = sum(o.rewritten is not None for o in r.outcomes)
    return [
        f"All {rewritten} rewritten programs on up to 24 small tables and more that are made to pass, on CPython with the "
        f"tests' own small Spark: {trial.compared:,} tables on which both ran ({trial.failing:,} more on which the "
        f"original raises), {trial.rows:,} rows, differences: {len(trial.differences)}.", "",
        "A share of them on Spark, of every kind in turn:", "",
        found.summary, "", "Every other one has the pre-filter alone, the others the filter taken away. Rows are compared "
        "as bags.", "",
        "The paper proves its rewrites by a solver and a Coq proof of its pre-conditions, and reports no replay.",
    ]  # fmt: skip


def _times(r: Results) -> list[str]:
    ran = [t for t in r.timed if not t.raised]
    if not ran:
        return ["Not measured."]
    slower = sum(t.ratio < 0.95 for t in ran)
    return [
        f"One rewritten instance of each kind on {r.rows:,} generated rows of some hundred keys in Parquet, local Spark: "
        f"{len(ran)} ran, {len(r.timed) - len(ran)} raised on these rows before the rewrite or after it. "
        f"{slower} are slower by more than 5 %; median {statistics.median(t.ratio for t in ran):.2f} times as fast. Small data "
        "on a machine that others use: the order of magnitude counts, and what is slow. A filter that keeps nearly every "
        "row buys nothing here as in the paper.", "", *tables.slowdowns(ran),
    ]  # fmt: skip
