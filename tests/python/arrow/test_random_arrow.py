# ruff: noqa: E501 - programs and tables, one to a line
"""Random functions over Arrow tables: wherever the front end gives a fold, the fold is the function."""

from __future__ import annotations

import re

import pytest

from tests.python.harness import understood
from tests.python.test_random_programs import COLUMNS, VARIABLES, Writer

from .arrow_cases import ArrowCase

TYPES = {"double": "float64", "long": "int64", "int": "int32"}

HELP = """
def help(p, q):
    if p is None:
        return q
    return p if p == p else q

def known(p):
    return p is not None and p == p
"""


class ArrowWriter(Writer):
    """Writes the same loops over dict rows, and reductions of lists of rows."""

    def source_for(self, out: str) -> str:
        """A function whose three outputs are declared as ``out``."""
        lines = [f"    {v} = {self.pick('None', '0', '-1.0', 'math.inf')}" for v in VARIABLES]
        keeps = self.chance.random() < 0.3
        lines += ["    best = None"] if keeps else []
        lines += ["    for r in rows:", *self.body(2, "        "), *(self.kept() if keeps else [])]
        body = [re.sub(r"\br\.([xnisb])\b", self.pick(r'r["\1"]', r'r.get("\1")'), line) for line in lines]
        body = [re.sub(r"pd\.notna\(", "known(", line) for line in body]
        types = ", ".join(f'("{n}", pa.{TYPES[out]}())' for n in "acd")
        tail = [] if self.chance.random() < 0.5 else [f"    d = {self.reduction()}"]
        if keeps:
            read = self.pick('best["x"]', 'best["i"] if best else None', 'best["n"] if best is not None else a')
            tail.append(f"    c = {read}")
        schema = self.pick("OUT", "OUT", "OUT", "None")
        if self.chance.random() < 0.4:
            tail.append(f"    if {self.pick(*VARIABLES)} is None:\n        return pa.Table.from_pylist([], schema=OUT)")
        value = "{'k': key[0].as_py(), 'a': a, 'c': c, 'd': d}"
        tail.append(f"    return pa.Table.from_pylist([{value}], schema={schema})")
        head = [
            f'OUT = pa.schema([("k", pa.string()), {types}])',
            HELP,
            "def f(key, table):",
            "    rows = table.to_pylist()",
        ]
        return "\n".join([*head, *body, *tail, ""])

    def kept(self) -> list[str]:
        """Statements that keep a row."""
        column = self.pick("x", "n", "i")
        guard = self.pick(f'r["{column}"] is not None', 'r["s"] == "a"', f'r["{column}"]')
        better = f'r["{column}"] {self.pick(">", "<", ">=")} best["{self.pick(column, "x")}"]'
        return [f"        if {guard} and (best is None or {better}):", "            best = r"]

    def reduction(self) -> str:
        """A value computed from all rows."""
        column = self.pick("x", "n", "i")
        guard = self.pick(
            f'q["{column}"] is not None', 'q["s"] == "a"', f'q["{column}"] is not None and q["{column}"] > 1', 'q["b"]'
        )
        listed = self.pick(f'q["{column}"] for q in rows', f'q["{column}"] for q in rows if {guard}')
        return self.pick(
            "len(rows)", f"len([{listed}])", f"sum(1 for q in rows if {guard})", f"sum({listed})", f"max({listed})",
            f"min(({listed}), default=None)", f"max(({listed}), default={self.pick('0', '-1.0', 'a')})", f"1 if any({guard} for q in rows) else 0",
            f'max(rows, key=lambda q: q["{column}"])["{self.pick("x", "n", "i")}"]', f'rows[0]["{column}"]',
        )  # fmt: skip


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_random_programs(start: int) -> None:
    outs = {seed: "double" if seed % 4 else "long" for seed in range(start, start + 20)}
    cases = [
        ArrowCase(ArrowWriter(n).source_for(o), COLUMNS, f"k string, a {o}, c {o}, d {o}") for n, o in outs.items()
    ]
    assert sum(understood(case) for case in cases)
