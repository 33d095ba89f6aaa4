"""Random programs: frames, calls that hand their rows to the driver, and all kinds of code that looks at them.

Much of that code reads more than it seems to: it changes a list, keeps it under another name, reads it in a function
or in a branch, in a loop's next turn, or behind a name that means something else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .filters import filters
from .jobs import jobs
from .joins import joins
from .masks import masks
from .uses import uses
from .whole import whole

COLUMNS = ("a", "b", "c", "d")
TYPES = {"a": "int", "b": "double", "c": "string", "d": "bigint"}
VALUES = {
    "a": [None, -1, 0, 1, 2, 5], "b": [None, float("nan"), -0.0, 0.0, 1.5, 2.0, float("inf")],
    "c": [None, "", "x", "y", "xy"], "d": [None, 0, 1, 7],
}  # fmt: skip


@dataclass(frozen=True)
class Program:
    """``ddl``: of its table ``t``; ``required``: the columns without NULL."""

    seed: int
    source: str
    ddl: str
    required: frozenset[str]


@dataclass
class Writer:
    """One program being written. ``lines``: so far; ``lists``, ``rows``, ``frames``, ``numbers``: variables."""

    random: Random
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def pick(self, *of: str) -> str:
        return self.random.choice(of)

    def maybe(self, share: float) -> bool:
        return self.random.random() < share

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def add(self, *lines: str) -> None:
        self.lines += lines

    def column(self) -> str:
        return self.pick(*COLUMNS)

    def literal(self, column: str) -> str:
        known = [v for v in VALUES[column] if v is not None and v == v and v not in (float("inf"),)]
        return repr(self.random.choice(known))

    # --- frames

    def frame(self) -> str:
        """A frame with all columns."""
        text = "t"
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            c = self.column()
            text += self.pick(
                f'.filter(F.col("{c}") == {self.literal(c)})', f'.filter(F.col("{c}").isNotNull())',
                f'.withColumn("{c}", F.col("{c}"))', ".distinct()", f'.orderBy("{c}")', ".limit(3)", ".cache()",
                f'.dropDuplicates(["{c}"])', '.select("a", "b", "c", "d")', ".union(t)",
            )  # fmt: skip
        return text

    # --- what is handed over

    def wall(self) -> None:
        """A statement or two about what a frame hands over."""
        if self.maybe(0.4):
            f = self.fresh("f")
            self.add(f"{f} = {self.frame()}")
        else:
            f = self.frame()
        kind = self.random.choice(("rows", "rows", "frame", "frame", "count", "count", "loop", "flag"))
        if kind == "rows":
            made = f + self.pick(".collect()", ".collect()", ".rdd.collect()", ".select('a', 'b', 'c', 'd').collect()")
            self.held(made, "rows")
        elif kind == "frame":
            self.held(f"{f}.toPandas()", "frame")
        elif kind == "count":
            self.held(f + self.pick(".count()", ".count()", ".rdd.count()"), "count")
        elif kind == "flag":
            made = f + self.pick(".rdd.isEmpty()", ".isEmpty()")
            self.add(f"out.append({self.pick('', 'not ')}{made})")
        else:
            self.loop(f + self.pick(".collect()", ".toLocalIterator()"))

    def held(self, made: str, kind: str) -> None:
        """Code that looks at ``made``, directly or through a variable."""
        if self.maybe(0.35):
            self.shown(made, kind)
            return
        name = self.pick("v", self.fresh("v"), self.fresh("v"))
        self.add(f"{name} = {made}")
        for _ in range(self.random.choice((1, 1, 2, 3))):
            if self.maybe(0.18):
                self.add(*self.trap(name, kind))
            else:
                self.shown(name, kind)

    def shown(self, value: str, kind: str) -> None:
        """A statement that looks at a part of ``value``."""
        part = {"rows": self.of_rows, "frame": self.of_frame, "count": self.of_count}[kind](value)
        form = self.random.choice(("plain", "plain", "plain", "if", "try", "branch", "assert", "lambda", "fstring"))
        match form:
            case "if":
                self.add(
                    f"if {part if kind != 'frame' else 'True'}:",
                    '    out.append("yes")',
                    "else:",
                    '    out.append("no")',
                )
            case "try":
                self.add("try:", f"    out.append({part})", "except (IndexError, KeyError):", '    out.append("none")')
            case "branch":
                self.add(f"if len(out) > {self.random.randrange(3)}:", f"    out.append({part})")
            case "assert" if kind == "count":
                self.add(f"assert {part} or True", f"out.append({part})")
            case "lambda":
                self.add(f"late = lambda: {part}", "out.append(late())")
            case "fstring":
                self.add(f"part = {part}", 'out.append(f"{part}")')
            case _:
                self.add(f"out.append({part})")

    # --- parts

    def of_rows(self, v: str) -> str:
        n, c = self.random.choice((0, 0, 0, 1, 2)), self.column()
        return self.pick(
            f"{v}[{n}]", f"{v}[{n}][{self.random.randrange(4)}]", f'{v}[{n}]["{c}"]', f"{v}[{n}].{c}", f"{v}[:{n}]",
            f"{v}[{n}:{n + 2}]", f"len({v}) {self.sign()} {n}", f"len({v})", f"{v}[-1]", f"{v}[::2]", f"bool({v})",
            f"not {v}", f"[r.{c} for r in {v}]", f'[r["{c}"] for r in {v}][0]',
            f"[r for r in {v} if r.{c} is not None]",
            f'{{r.a: r["{c}"] for r in {v}}}', f"list({v})", f"{v}", f"len({v}[{n}])", f"{v}[{n}].asDict()",
            f"[r.{c} for r in {v} if r.{c} == {self.literal(c)}]", f"[r[0] for r in {v}]", f"({v} or [None])[0]",
            f"[(r.{c}, s) for r in {v} for s in (1, 2)]", f"[x for r in {v} for x in r]", f"sum(1 for r in {v})",
            f"next(iter({v}))", f"{v}[{n}] if {v} else None", f"{v}[{n} - 0]", f"{v}[{n}:]", f"[v for v in {v}]",
            f"[r for r in {v} if r.d is None or r.d > {self.random.randrange(3)}]", f"any(r.{c} == 1 for r in {v})",
        )  # fmt: skip

    def of_frame(self, v: str) -> str:
        n, c, other = self.random.choice((0, 1, 2, 3)), self.column(), self.column()
        two = f'["{c}", "{other}"]' if c != other else f'["{c}"]'
        return self.pick(
            f"{v}.head({n})", f"{v}.head()", f"{v}[:{n}]", f"{v}.iloc[{n}]", f"{v}.iloc[:{n}]", f"{v}.iloc[{n}, 1]",
            f'{v}["{c}"]', f"{v}.{c}", f"{v}[{two}]", f'{v}["{c}"].tolist()', f"{v}.groupby('c')['{c}'].count()",
            f"{v}.empty", f"len({v})", f"{v}.shape", f"{v}.shape[0] {self.sign()} {n}", f"{v}.shape[1]",
            f'{v}[{v}["{c}"] == {self.literal(c)}]', f"{v}.tail({n})", f"{v}.columns.tolist()", f"{v}",
            f"len({v}) == 0",
            f'{v}.head({n})["{c}"]', f'{v}["{c}"].head({n})', f'{v}.iloc[{n}]["{c}"]', f"{v}.describe()",
            f'{v}.sort_values("{c}").head({n})', f"{v}.head(-1)", f"{v}[1:{n + 1}]", f'{v}.loc[:, "{c}"]', f"{v}.T",
            f"{v}[{two}].head({n})", f"not {v}.empty", f"{v}.iloc[-1]", f"{v}.dtypes.astype(str).tolist()",
        )  # fmt: skip

    def sign(self) -> str:
        return self.pick("==", "!=", ">", ">=", "<", "<=")

    def of_count(self, v: str) -> str:
        n = self.random.choice((0, 0, 0, 1, 2, -1))
        return self.pick(
            f"{v} {self.sign()} {n}", f"{n} {self.sign()} {v}", f"not {v}", f"bool({v})", v, f"{v} + 1",
            f"0 < {v} < 3", f"{v} == 0 or {v} > 2", f"not {v} {self.sign()} {n}", f"{v} == 0.0", f"{v} is None",
            f"{v} and 5", f"({v} > 0) + 1", f"{v} == True", f"str({v})", f"not ({v} == {n})", f"{v} in (0, 1)",
        )  # fmt: skip

    # --- loops and traps

    def loop(self, made: str) -> None:
        c, n = self.column(), self.random.randrange(4)
        test = self.pick(
            f"r.{c} is None", f'r["{c}"] == {self.literal(c)}', f"r.{c} in ({self.literal(c)}, 5)", f"not r.{c}",
            f"r.{c} is not None and r.{c} != {self.literal(c)}", f"r.{c} in seen", "len(out) > 3", f"r.a == k{n}",
        )  # fmt: skip
        self.add("seen = [1]", f"k{n} = 1", f"for r in {made}:")
        body = [f"    out.append(r.{c})", '    out.append((r["a"], r.b))', "    seen.append(r.a)", f"    k{n} = 2",
                "    out.append(r)", "    last = r"]  # fmt: skip
        kept = self.random.sample(body, self.random.choice((1, 2, 2)))
        form = self.random.randrange(5)
        if form == 0:
            self.add(*kept)
        elif form == 1:
            self.add(f"    if {test}:", "        continue", *kept)
        elif form == 2:
            self.add(f"    if {test}:", *("    " + line for line in kept))
        elif form == 3:
            self.add(f"    if {test}:", "        break", *kept)
        else:
            self.add(*kept, f"    if {test}:", '        out.append("more")')
        if self.maybe(0.15):
            self.add("out.append(seen)")
        if self.maybe(0.1):
            self.add("try:", "    out.append(r)", "except NameError:", "    pass")

    def trap(self, v: str, kind: str) -> list[str]:
        """Code that reads more of the variable than an expression at its name shows."""
        always = [
            [f"other = {v}", "out.append(other)"],
            ["def later():", f"    return {v}", "out.append(later())"],
            [f"(w := {v})", "out.append(w)"],
            [f"held = [{v}]", "out.append(held[0])"],
            ["for turn in range(2):", f"    out.append({v})", f"    {v} = 0"],
            [f"out.append([{v} for _ in (1, 2)])"],
            [f"out.append((lambda x={v}: x)())"],
            [f"box = dict(x={v})", "out.append(box['x'])"],
            [f"match {v}:", "    case other:", "        out.append(other)"],
            [f'out.append(eval("{v}"))'],
        ]
        rows = [
            [f"{v}.append(None)", f"out.append({v}[0])"], [f"del {v}[:1]", f"out.append({v}[:1])"],
            [f"{v}.reverse()", f"out.append({v}[:1])"], [f"{v} += [1]", f"out.append({v}[:1])"],
            [f"head, *rest = {v} or [0]", "out.append(head)"], [f"{v}.sort(key=str)", f"out.append({v}[:1])"],
            [f"{v} = {v}[::-1]", f"out.append({v}[:1])"], [f"{v} = {v}[:2]", f"out.append({v}[:1])"],
            [f"{v}[0:1] = [3]", f"out.append({v}[:1])"],
            ["def len(x):", "    return x", f"out.append(len({v}) == 0)", "del len"],
        ]  # fmt: skip
        frames = [
            [f'{v}["new"] = 1', f"out.append({v}.head(1))"],
            [f"{v}.drop(columns='a', inplace=True)", f"out.append({v}.head(1))"],
            [f"{v} = {v}.iloc[::-1]", f"out.append({v}.head(1))"],
            [f"{v}.index = {v}.index + 1", f"out.append({v}.head(1))"],
            [f'{v}["a"] = {v}["d"]', f'out.append({v}["a"])'], [f"{v}.head = lambda n: n", f"out.append({v}.head(1))"],
        ]  # fmt: skip
        more = {"rows": rows, "frame": frames}.get(kind, [[f"{v} += 1", f"out.append({v} > 0)"]])
        return self.random.choice([*always, *more, *more])


def _whole(w: Writer) -> None:
    whole(w, (jobs, masks, joins, joins, uses, filters, filters, filters, lambda _: w.wall()), w.lines)


PARTS = {"jobs": jobs, "masks": masks, "joins": joins, "uses": uses, "filters": filters, "whole": _whole}
"""What a program may be made of besides what is handed to the driver; ``whole``: of all, in other surroundings."""


def write(seed: int, *, only: str = "") -> Program:
    """The program of ``seed``; one that is made of the parts ``only`` names, if that is not empty."""
    random = Random(seed)
    writer = Writer(random)
    writer.add("from pyspark.sql import functions as F", "", 't = spark.table("t")', "out = []")
    inside = random.random() < 0.3
    start = len(writer.lines)
    for _ in range(random.choice((1, 1, 2, 3))):
        if only:
            PARTS[only](writer)
        elif random.random() < 0.25:
            jobs(writer)
        else:
            writer.wall()
    if inside:
        body = ["    " + line for line in writer.lines[start:]]
        writer.lines[start:] = ["def report(t, out):", *body, "    return out", "", "report(t, out)"]
    writer.add("result = out")
    required = frozenset(c for c in COLUMNS if random.random() < 0.5)
    ddl = ", ".join(f"{c} {TYPES[c]}{' not null' if c in required else ''}" for c in COLUMNS)
    return Program(seed, "\n".join(writer.lines) + "\n", ddl, required)


def tables(program: Program, count: int) -> list[list[tuple[object, ...]]]:
    """Rows for it: none, few, and some more."""
    random = Random(program.seed * 7 + 1)
    found: list[list[tuple[object, ...]]] = [[]]
    for n in range(1, count):
        kinds = [[v for v in VALUES[c] if v is not None or c not in program.required] for c in COLUMNS]
        found.append([tuple(random.choice(k) for k in kinds) for _ in range(random.choice((1, 2, 3, 5, n + 2)))])
    return found
