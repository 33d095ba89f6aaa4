"""``make campaign NAME=name [ARGS=…]``: what takes minutes to hours and is no unit test."""

from __future__ import annotations

import sys

from benchmarks.by_name import Program, run

CAMPAIGNS = {
    "adversarial": Program(
        "programs that try to make a wrong rewrite look proved; ARGS=--resume goes on where the last run ended",
        (("tests.campaigns.adversarial", "--programs", "20000", "--spark", "1500", "--jobs", "2"),),
    ),
    "validation": Program(
        "the function of every boundary of the suite, the examples and the specifications beside its fold: how many, "
        "why not, and the processor time; then every wrong translation",
        (("tests.campaigns.validation",), ("tests.planted", "validation")),
    ),
    "certificates": Program(
        "every certificate of every edit, checked by both solvers in a process that cannot import what found it",
        (("tests.campaigns.certificates",),),
    ),
    "planted": Program(
        "every planted fault, tables of measured facts included: its check must see it; ARGS=tables takes one family",
        (("tests.planted", "--spark"),),
    ),
    "fuzz": Program(
        "20,000 generated programs, rewritten and run before and after, 1,000 of them on Spark; ARGS=--resume",
        (("tests.campaigns.fuzz", "--programs", "20000", "--spark", "1000", "--jobs", "2"),),
    ),
    "demand": Program(
        "3,000 programs whose driver code looks at collected rows, before and after, 300 of them on Spark",
        (("tests.campaigns.demand", "--programs", "3000", "--spark", "300", "--jobs", "2"),),
    ),
    "ranges": Program(
        "conditions on dates and moments and their ranges (HW201), on every day from 1890 to 2110 in six time zones, "
        "on the model and on Spark; ARGS='--years 2020 2024' takes some",
        (("tests.campaigns.ranges",),),
    ),
    "metamorphic": Program(
        "every problem of the suite in other formulations of the same meaning; ARGS='--formulations 8' takes some",
        (("tests.metamorphic",),),
    ),
    "exhaustive": Program(
        "every plan of at most two operators on every small table; ARGS='--share 1' takes every filter (hours)",
        (("tests.campaigns.exhaustive",),),
    ),
    "mutation": Program(
        "proved solutions and the trusted base, altered; ARGS='--file proof/conditions.py --shard 0/10' takes a part",
        (("tests.campaigns.mutation", "--part", "all"),),
    ),
    "conformance": Program(
        "the tables of docs/semantics.md measured anew, errors included", (("tests.conformance", "check"),)
    ),
    "versions": Program(
        "an environment for each version of Spark, every probe of tests/versions asked of it, and the rewrites of the "
        "specifications run before and after on it; ARGS='replays 8' replays every eighth only",
        (("tests.versions",),),
    ),
    "hostile": Program("files made to take long: each must end", (("tests.hostile.large",),)),
    "edits": Program(
        "thousands of edits: reading again must say what a first reading says",
        (("pytest", "-q", "tests/pyspark/test_incremental.py"),),
        {"HEADWATER_EDITS": "40"},
    ),
    "interleavings": Program(
        "a language server under 10,000 random edits, saves, requests and cancellations, and killed",
        (("tests.campaigns.editor.kills",), ("tests.campaigns.editor.interleavings",)),
    ),
    "parity": Program(
        "the command line and the language server on every example, problem and specification",
        (("tests.campaigns.editor.parity",),),
    ),
    "cluster": Program(
        "a scan on a standalone Spark cluster that loses a worker",
        (("pytest", "-q", "tests/scan/test_cluster.py"),),
        {"HEADWATER_CLUSTER": "1"},
    ),
    "hook": Program(
        "the pre-commit hook, installed by pre-commit and run",
        (("pytest", "-q", "tests/scan/test_hook.py"),),
        {"HEADWATER_HOOK": "1"},
    ),
    "vscode": Program(
        "the packed extension in a real VS Code: all scenarios; on a busy machine with HEADWATER_PATIENCE=3",
        (("tests/vscode/run", "--grep-invert", "@pictures"),),
    ),
    "screenshots": Program(
        "docs/images, taken in a real VS Code", (("tests/vscode/run", "--grep", "@pictures"), ("tests.vscode.tour",))
    ),
}

if __name__ == "__main__":
    sys.exit(run("campaign", CAMPAIGNS, sys.argv[1:]))
