"""``make bench NAME=name [ARGS=…]``: one of the benchmarks. On a quiet machine."""

from __future__ import annotations

import sys

from .by_name import Program, run

BENCHMARKS = {
    "demo": Program(
        "the demo with more data and more runs; writes demo-out/bench.json",
        (("benchmarks.demo", "--rows", "5000000", "--runs", "3", "--output", "demo-out/bench.json"),),
    ),
    "synthesis": Program(
        "the synthesis on benchmarks/suite, with ablations; writes docs/benchmarks/synthesis.md",
        (("benchmarks.synthesis",),),
    ),
    "frontend": Program(
        "time and memory of the front end, cold and after edits; with ARGS='--corpus DIR', its large files as well",
        (("benchmarks.frontend",),),
    ),
    "lsp": Program("how long an editor waits for the language server", (("benchmarks.lsp",),)),
    "editor": Program(
        "processor time of the quick check after edits of large files; ARGS='--against TREE'",
        (("benchmarks.editor",),),
    ),
    "scan": Program(
        "files and lines per second of a scan, by engine, cold and warm, and its memory; ARGS='--corpus DIR'",
        (("benchmarks.scan",),),
    ),
    "spark": Program(
        "pipelines before and after on millions of rows; writes docs/benchmarks/spark.md; ARGS='--rows N --resume'",
        (("benchmarks.spark",),),
    ),
    "tpch": Program(
        "the 22 queries of TPC-H with Python functions, before and after; writes docs/benchmarks/tpch.md",
        (("benchmarks.tpc", "tpch"),),
    ),
    "tpcds": Program(
        "ten queries of TPC-DS in the same way; writes docs/benchmarks/tpcds.md; ARGS='--scale 0.1 --runs 1'",
        (("benchmarks.tpc", "tpcds"),),
    ),
    "magicpush": Program(
        "what rules, Spark and Headwater push, after the paper on MagicPush; writes docs/benchmarks/magicpush.md",
        (("benchmarks.magicpush",),),
    ),
    "conditions": Program(
        "what conditions take for a row of Spark's, and in which order; writes docs/benchmarks/conditions.md",
        (("benchmarks.spark.conditions",),),
    ),
    "corpus": Program(
        "coverage of real PySpark: ARGS='--root DIR', with one checked-out directory OWNER+NAME a repository",
        (("benchmarks.corpus",),),
    ),
    "places": Program(
        "judged places of smaller demand beside what is found: ARGS='--root DIR', with the same directories",
        (("benchmarks.corpus.places",),),
    ),
    "vscode": Program(
        "how long a window takes to its first finding, activation, size",
        (("tests/vscode/run", "--config", "bench.config.ts"),),
    ),
}

if __name__ == "__main__":
    sys.exit(run("bench", BENCHMARKS, sys.argv[1:]))
