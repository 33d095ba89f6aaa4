"""Random functions of an array, analysed, and run beside what is claimed of them: of a row whose list passes the filter
the pre-filter must be TRUE, whatever ``size`` says of NULL; of an exact one nowhere else. Issue 6.

``python -m tests.python.test_random_lists SEED PROGRAMS`` runs more of them.
"""

from __future__ import annotations

import copy
import random
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any
from unittest import mock

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.engine.report.report import Opportunity
from headwater.python.builtins import list_lengths
from tests.planted import Fault

CONDITIONS = (
    "{v}", "{v} != 'x'", "{v} and len({v}) > 1", "{v} is not None", "{v} in ('x', 'yy')", "not {v}", "True",
)  # fmt: skip
ELEMENTS = ("{v}", "str({v})", "({v} or '')", "{v}.upper()", "int({v})")
LISTS = (
    "[{e} for a in {s} if {c}]", "[{e} for a in {s}]", "sorted({s}, key=str)", "list({s})", "list(filter(None, {s}))",
    "list(map(str, {s}))", "list(set({s}))", "{s}[:2]", "{s}[1:]", "{s}[::2]", "({s} or [])", "({s} if {n} else [])",
    "[b for a in {s} for b in (a, a)]", "{s} + {s}", "[a for a, b in zip({s}, {n})]",
)  # fmt: skip
BODIES = (
    "if {c}:\n    {n}.append({e})", "{n}.append({e})", "if {c}:\n    continue\n{n}.append(a)",
    "if {c}:\n    break\n{n}.append(a)", "{n}.append(a)\nif {c}:\n    {n}.append(a)",
    "if {c}:\n    {n}.append(a)\nelse:\n    {n}.append('z')", "{n}.extend([a, a])", "{n} = {n} + [a]", "{n} += [a]",
    "{n}.insert(0, a)", "if a not in {n}:\n    {n}.append(a)", "if len({n}) < 2:\n    {n}.append(a)",
    "for f in a or '':\n    {n}.append(f)", "{n}.append(a)\n{n}.pop()", "{n}.append(a) or {n}.append(a)",
    "try:\n    {n}.append(int(a))\nexcept (TypeError, ValueError):\n    {n}.append('q')\n    {n}.append('r')",
)  # fmt: skip
CHANGES = ("append(1)", "pop()", "clear()", "sort(key=str)", "extend([1, 2])", "remove(None)")
ARRAYS: tuple[list[Any] | None, ...] = (
    None, [], ["x"], ["x", "yy"], [None], [None, None], ["1", "2"], ["1", "2", "3"], ["x", "x", "x"],
    ["yy", None, "1", "2"], ["1"] * 5,
)  # fmt: skip


class Program:
    """One random function, with a filter above it."""

    def __init__(self, draw: random.Random) -> None:
        self.draw, self.names = draw, ["xs"]
        lines = [line for _ in range(draw.randrange(4)) for line in self._statement()]
        last = self._list()
        self.counts = draw.random() < 0.3
        kept = f"len({last})" if draw.random() < 0.5 else f"sum(1 for q in {last} if {self._of(CONDITIONS, 'q')})"
        lines.append(f"return {kept if self.counts else last}")
        self.function = "def f(xs):\n" + "".join(f"    {line}\n" for line in lines)
        self.operator, self.bound = draw.choice((">", ">=", "==", "<", "<=", "!=")), draw.randrange(-1, 4)
        self.nullable = draw.random() < 0.6

    @property
    def source(self) -> str:
        measured, made = ("F.col('out')", "int") if self.counts else ("F.size('out')", "array<string>")
        return (
            "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"
            f"{self.function}made = spark.table('t').withColumn('out', F.udf(f, '{made}')('xs'))\n"
            f"result = made.filter({measured} {self.operator} {self.bound})\n"
        )

    def _of(self, choices: tuple[str, ...], name: str) -> str:
        return self.draw.choice(choices).format(v=name)

    def _list(self, depth: int = 0) -> str:
        name = self.draw.choice(self.names)
        if depth > 2 or self.draw.random() < 0.1:
            return name
        shape = self.draw.choice(LISTS)
        parts = {"e": self._of(ELEMENTS, "a"), "c": self._of(CONDITIONS, "a"), "n": self.draw.choice(self.names)}
        return shape.format(s=self._list(depth + 1), **parts)

    def _statement(self) -> list[str]:
        draw, name, source = self.draw, f"v{len(self.names)}", self.draw.choice(self.names)
        match draw.randrange(8):
            case 0 | 1:
                found = [f"{name} = {self._list()}"]
            case 2 | 3 | 4:
                parts = {"c": self._of(CONDITIONS, "a"), "e": self._of(ELEMENTS, "a"), "n": name}
                body = draw.choice(BODIES).format(**parts).split("\n")
                start = draw.choice(("[]", "[]", "[]", "[1]"))
                found = [f"{name} = {start}", f"for a in {source}:", *(f"    {line}" for line in body)]
            case 5:
                test = draw.choice(("{n} is None", "not {n}", "len({n}) > 2", "{n}")).format(n=source)
                return [f"if {test}:", f"    return {draw.choice(('None', '[]', source, '[1, 2, 3]'))}"]
            case 6:
                return [f"{source}.{draw.choice(CHANGES)}"]
            case _:
                other = draw.choice(("[]", source, "[0, 0]"))
                found = [f"if {source}:", f"    {name} = {self._list()}", "else:", f"    {name} = {other}"]
        self.names.append(name)
        return found


def refuted(program: Program, claim: Opportunity) -> Iterator[tuple[object, object]]:
    """Arrays, with what the function makes of them, that show the claim to be wrong."""
    namespace: dict[str, Any] = {}
    exec(program.function, namespace)
    asked = claim.prefilter_sql
    condition = "0" if asked is None else asked.replace("size(xs)", "s").replace("<=> true", "IS 1")
    database = sqlite3.connect(":memory:")
    for xs in ARRAYS if program.nullable else ARRAYS[1:]:
        for of_none in (None, -1):
            size = of_none if xs is None else len(xs)
            kept = database.execute(f"select ({condition}) from (select ? as s)", (size,)).fetchone()[0] == 1
            try:
                out = namespace["f"](copy.deepcopy(xs))
            except Exception:  # an error of the original excuses its row
                continue
            value = out if program.counts else of_none if out is None else len(out)
            passes = value is not None and bool(eval(f"{value} {program.operator} {program.bound}"))
            if (passes and not kept) or (claim.kind == "exact" and kept and not passes):
                yield xs, out


def run(seed: int, programs: int) -> tuple[int, list[str]]:
    """How many programs something is claimed of, and those of which it is wrong."""
    draw, claims, wrong = random.Random(seed), 0, list[str]()
    for _ in range(programs):
        program = Program(draw)
        schema = "xs array<string>" + ("" if program.nullable else " not null")
        report = analyse(program.source, Options(schemas={"t": schema}))
        for claim in (o for o in report.opportunities if o.status == "verified"):
            if claim.prefilter_sql is None and claim.code != "HW302":
                continue
            claims += 1
            wrong += [f"{claim.prefilter_sql}: {xs} -> {out}\n{program.source}" for xs, out in refuted(program, claim)]
    return claims, wrong


def test_what_is_claimed_of_random_list_functions_holds() -> None:
    claims, wrong = run(seed=6, programs=50)
    assert not wrong, wrong[0]
    assert claims >= 5


def faults() -> Iterator[Fault]:
    """A bound of the length is taken for the length."""
    longer = partial(
        mock.patch.object, list_lengths, "shorter", lambda _, of, kind="list": list_lengths.as_long(of, kind)
    )
    yield Fault("lists", "a bound is the length", lambda: bool(run(seed=6, programs=40)[1]), longer)


if __name__ == "__main__":
    seed, programs = map(int, sys.argv[1:])
    claims, wrong = run(seed, programs)
    print(f"{programs} programs, {claims} claims, {len(wrong)} wrong", *wrong[:3], sep="\n")
