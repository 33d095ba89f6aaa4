# ruff: noqa: E501 - programs and tables, one to a line
"""Random small group functions: wherever the front end gives a fold, the fold is the function.

Where the real function raises, the fold may also yield a value: errors of a row alone are not modelled. It must never raise
where the real function does not, and never yield another value."""

from __future__ import annotations

import random

import pytest

from headwater.frontend.context import Refusal

from .harness import ERROR, Case, same
from .test_conformance import groups

COLUMNS = "k string, x double, n long, i int, s string, b boolean"
VARIABLES = ("a", "c", "d")


class Writer:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def number(self, depth: int) -> str:
        if depth == 0 or self.chance.random() < 0.3:
            return self.pick(
                "r.x", "r.n", "r.i", *VARIABLES, *VARIABLES, "0", "1", "2.5", "-1", "None", "math.nan", "math.inf"
            )
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({a} {self.pick('+', '-', '*', '/', '//', '%')} {b})", f"max({a}, {b})", f"min({a}, {b})", f"(-{a})",
            f"({a} if {self.test(depth - 1)} else {b})", f"({a} or {b})", f"({a} and {b})", f"help({a}, {b})",
        )  # fmt: skip

    def test(self, depth: int) -> str:
        if self.chance.random() < 0.3:
            return self.pick(
                'r.s == "a"', 'r.s != "b"', 'r.s in ("a", "b")', '"a" in r.s', "r.b", "not r.b", "r.s", 'r.s.startswith("p")',
                "r.s is None", "r.i in [6, 7, None]",
            )  # fmt: skip
        a, b = self.number(depth), self.number(depth)
        if depth > 0 and self.chance.random() < 0.3:
            return f"({self.test(depth - 1)} {self.pick('and', 'or')} {self.test(depth - 1)})"
        return self.pick(
            f"{a} {self.pick('<', '<=', '>', '>=', '==', '!=')} {b}", f"{a} is None", f"pd.notna({a})", f"not {a}",
            f"{a} < {b} <= {self.number(0)}", f"{a} is not None and {a} > {b}", f"{a} is None or {b} > {a}", f"math.isnan({a})",
        )  # fmt: skip

    def body(self, depth: int, indent: str) -> list[str]:
        lines: list[str] = []
        for _ in range(self.chance.randint(1, 3)):
            lines += self.statement(depth, indent)
        return lines

    def statement(self, depth: int, indent: str) -> list[str]:
        kind = self.chance.random()
        if depth > 0 and kind < 0.45:
            lines = [f"{indent}if {self.test(1)}:", *self.body(depth - 1, indent + "    ")]
            if self.chance.random() < 0.5:
                lines += [f"{indent}else:", *self.body(depth - 1, indent + "    ")]
            return lines
        if kind < 0.55:
            return [
                f"{indent}if {self.test(1)}:",
                f"{indent}    {self.pick('continue', 'continue', 'raise ValueError()')}",
            ]
        if kind < 0.65:
            return [f"{indent}{self.pick(*VARIABLES)}, {self.pick('e', 'd')} = {self.number(1)}, {self.number(1)}"]
        if kind < 0.75:
            return [f"{indent}{self.pick(*VARIABLES)} {self.pick('+', '-', '*')}= {self.number(1)}"]
        return [f"{indent}{self.pick(*VARIABLES)} = {self.number(2)}"]

    def source(self) -> str:
        lines = [
            "def help(p, q):",
            "    if p is None:",
            "        return q",
            "    return p if p == p else q",
            "",
            "def f(key, pdf):",
        ]
        lines += [f"    {v} = {self.pick('None', '0', '-1.0', 'math.inf')}" for v in VARIABLES]
        lines += ["    for r in pdf.itertuples():", *self.body(2, "        ")]
        if self.chance.random() < 0.4:
            lines.append(
                f"    if {self.pick(*VARIABLES)} is None:\n        return pd.DataFrame(columns=['k', 'a', 'c', 'd'])"
            )
        if self.chance.random() < 0.3:
            lines.append(
                f"    d = {self.pick('len(pdf)', 'a', 'max(c, d)', 'pdf.x.max()', '(pdf.n > 1).sum()', 'sum(pdf.i)')}"
            )
        return "\n".join([*lines, "    return pd.DataFrame([{'k': key[0], 'a': a, 'c': c, 'd': d}])", ""])


def check(seed: int, out: str) -> bool:
    """Whether the program was understood and ran."""
    source = Writer(seed).source()
    case = Case(source, COLUMNS, f"k string, a {out}, c {out}, d {out}")
    try:
        case.fold()
    except Refusal:
        return False
    ran = False
    for rows in groups(case):
        real = case.real(rows)
        if real != ERROR:
            ran = True
            model = case.model(rows)
            assert same(model, real), (source, rows, model, real)
    return ran


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_random_programs(start: int) -> None:
    understood = [check(seed, "long" if seed % 4 == 0 else "double") for seed in range(start, start + 20)]
    assert any(understood)
