# ruff: noqa: E501 - programs and tables, one to a line
"""Random small group functions: wherever the front end gives a fold, the fold is the function.

Where the real function raises, the fold may also yield a value: errors of a row alone are not modelled. It must never raise
where the real function does not, and never yield another value."""

from __future__ import annotations

import random

import pytest

from .functions import GroupMap
from .harness import understood

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


def read_and_run(writer: type[Writer], seeds: range, long: bool = True) -> list[bool]:
    """Which of the writer's functions are understood; the outputs of every fourth are whole numbers."""
    outs = {seed: "long" if long and seed % 4 == 0 else "double" for seed in seeds}
    return [
        understood(GroupMap(writer(n).source(), COLUMNS, f"k string, a {o}, c {o}, d {o}")) for n, o in outs.items()
    ]


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_random_programs(start: int) -> None:
    assert any(read_and_run(Writer, range(start, start + 20)))


class ContainerWriter(Writer):
    """Writes functions whose state is a mix of lists, sets, tuples, dicts and masks beside the scalars."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.guarded = self.chance.random() < 0.8

    def whole(self) -> str:
        return (
            self.pick("r.n", "r.i", "1", "2", "(r.i - r.n)", "abs(r.n)")
            if self.guarded
            else self.pick("r.n", "r.x", "r.s")
        )

    def key(self) -> str:
        return self.pick("", "", ", key=lambda t: -t") + self.pick("", ", reverse=True")

    def read(self) -> str:
        return self.pick(
            "len(xs)", "sum(xs)", "max(xs, default=0)", "min(xs)", "(xs[0] if xs else 0)", "xs[-1]", "(1 if 2 in xs else 0)",
            "sorted(xs)[0]", "sorted(xs, reverse=True)[:2][-1]", "heapq.nlargest(2, xs)[-1]", "sum(1 for x in xs if x > 1)",
            "(1 if 'a' in seen else 0)", "(1 if {'a', 'b'} <= seen else 2)", "(0 if not seen else 1)",
            "len(top)", "top[0]", "(top[1] if len(top) > 1 else None)", "top[-1]", "sum(top)", "max(top)", "min(top, default=5)",
            "(best[0] if best is not None else None)", "best[1]", "(7 if best else 8)", "st['n']", "st['m']", "mask", "(mask & 2)",
            "len([x for x in xs if x != 1])", "(1 if any(xs) and mask & 1 else 0)", "(kept.n if kept is not None else -1)",
            "max((q.n for q in pdf.itertuples() if q.i == 1), default=3)", "(1 if 1 in top else 0)", "sorted(top)[0]",
        )  # fmt: skip

    def change(self, indent: str) -> list[str]:
        best = f"best = {self.pick('(%s, %s)', 'max(best or (0, 0), (%s, %s))')}" % (self.whole(), self.whole())
        top = self.pick(
            f"top.append({self.whole()}); top.sort({self.key().removeprefix(', ')}); top = top[:{self.pick('1', '2', '3')}]",
            f"top = sorted(top + [{self.whole()}]{self.key()})[:{self.pick('1', '2')}]",
            f"top.append({self.whole()}); top.sort(); top = top[-2:]",
            f"top.append({self.whole()}); top.sort(reverse=True); del top[{self.pick('1', '2')}:]",
            f"heapq.heappush(top, {self.whole()})\n{indent}if len(top) > 2: heapq.heappop(top)",
            f"top.append({self.whole()})\n{indent}if len(top) > 2: top.pop({self.pick('', '0')})",
        )
        line = self.pick(
            f"xs.append({self.whole()})", f"xs.append({self.whole()})", f"xs.extend([{self.whole()}, 3])", "seen.add(r.s)",
            "seen.add('a')", top, top, top, best, best, f"if best is None or {self.whole()} > best[0]: best = ({self.whole()}, r.i)",
            "best = None", f"st['n'] += {self.pick('1', 'len(top)', 'r.i')}",
            f"st['m'] = {self.whole()} if st['m'] is None else max(st['m'], {self.whole()})", "mask |= 1", "mask |= 2", "mask = mask | 5",
            "kept = r", f"if kept is None or {self.whole()} < kept.n: kept = r", "a = " + self.pick("len(xs)", "len(top)", "mask & 1", "st['n']"),
            f"if (w := {self.whole()}) > 1: c = w", "a = top[0] if top else -1", "c = 1 if 'b' in seen else 0",
        )  # fmt: skip
        return [f"{indent}{part}" for part in line.split("\n" + indent)]

    def statement(self, depth: int, indent: str) -> list[str]:
        kind = self.chance.random()
        if kind < 0.6:
            return self.change(indent)
        if depth > 0 and kind < 0.85:
            lines = [f"{indent}if {self.test(0)}:", *self.body(depth - 1, indent + "    ")]
            if self.chance.random() < 0.5:
                lines += [f"{indent}else:", *self.body(depth - 1, indent + "    ")]
            return lines
        return super().statement(depth, indent)

    def source(self) -> str:
        lines = ["import heapq", "def help(p, q):", "    return p if p == p else q", "", "def f(key, pdf):"]
        lines += [
            "    a = c = 0",
            "    xs, seen, top, best, kept = [], set(), [], None, None",
            "    d = 0",
            "    st, mask = {'n': 0, 'm': None}, 0",
        ]
        lines += ["    for r in pdf.itertuples():"]
        if self.guarded:
            lines += ["        if pd.isna(r.n) or pd.isna(r.i):", "            continue"]
        lines += self.body(2, "        ")
        lines += [f"    d_ = {self.read()}", f"    a = a if {self.pick('True', 'False')} else {self.read()}"]
        return "\n".join([*lines, "    return pd.DataFrame([{'k': key[0], 'a': a, 'c': c, 'd': d_}])", ""])


@pytest.mark.parametrize("start", range(0, 400, 40))
def test_random_containers(start: int) -> None:
    assert sum(read_and_run(ContainerWriter, range(start, start + 40), long=False)) > 3
