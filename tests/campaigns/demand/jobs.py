"""Code that asks one frame for several numbers, each a job of its own, and code between that may change them."""

from __future__ import annotations

from random import Random
from typing import Protocol

COLUMNS = ("a", "b", "c", "d")
NUMBERS = ("a", "d")


class Lines(Protocol):
    """What a program is written with."""

    random: Random

    def pick(self, *of: str) -> str:
        """One of these texts."""

    def maybe(self, share: float) -> bool:
        """True in this share of the calls."""

    def fresh(self, prefix: str) -> str:
        """A name that is not used yet."""

    def add(self, *lines: str) -> None:
        """Write these lines."""

    def column(self) -> str:
        """A column's name."""

    def literal(self, column: str) -> str:
        """A value of that column."""

    def frame(self) -> str:
        """A frame with all columns."""

    def sign(self) -> str:
        """A comparison."""


def jobs(w: Lines) -> None:
    """Several statements about one frame."""
    f = w.fresh("f")
    w.add("k, flag, seen, name = 1, len(out) == 0, [], 'a'", 'wanted = F.col("a") > 0', f"{f} = {w.frame()}")
    form = w.random.choice(("plain", "plain", "plain", "loop", "comprehension", "ways", "parts", "parts"))
    if form == "plain":
        for _ in range(w.random.choice((2, 2, 3, 4))):
            if w.maybe(0.25):
                w.add(*between(w, f))
            statement(w, f)
    elif form == "loop":
        loop(w, f)
    elif form == "ways":
        ways(w, f)
    elif form == "parts":
        parts(w, f)
    else:
        comprehension(w, f)


def condition(w: Lines, c: str = "") -> str:
    """A condition as a Column; of the column ``c``."""
    c = c or w.column()
    one = w.pick(
        f'F.col("{c}") {w.sign()} {w.literal(c)}', f'F.col("{c}").isNull()', f'F.col("{c}").isNotNull()', "wanted",
        f't["{c}"] == {w.literal(c)}', f'F.col("{c}").isin({w.literal(c)}, {w.literal(c)})', 'F.col("a") > k',
        f'F.isnull("{c}")', f'F.col("{c}") != {w.literal(c)}',
    )  # fmt: skip
    if w.maybe(0.04):
        one = w.pick('F.col("a") / F.col("d") > 1', 'F.col("c").cast("int") > 0')  # may fail
    return one if w.maybe(0.7) else f"({one}) {w.pick('&', '&', '|')} ({condition(w)})"


def rows(w: Lines, f: str) -> str:
    """``f`` behind filters, if any."""
    for _ in range(w.random.choice((0, 0, 1, 1, 1, 2))):
        given = condition(w) if w.maybe(0.65) else sql(w) if w.maybe(0.95) else "F.rand() < 2"
        f = f"{f}.{w.pick('filter', 'where')}({given})"
    return f


def sql(w: Lines) -> str:
    """A condition in SQL text."""
    text = w.pick(
        "a > 1", "c = 'x'", "b IS NULL", "a > 0 AND d < 7", "c IS NOT NULL OR a = 1", "a > {k}",
        "c = '{name}' AND d > 0", "a = 1 AND (b > 0 AND c = 'x')", "d BETWEEN 0 AND 3 AND a > {k}",
        "{name} IS NULL AND a > 0", "NOT a > 1 AND c = 'y'",
        "a / d > 1", "d > 0 AND CAST(c AS INT) > 0", "a = 1 OR b > 0 AND d = 1",
    )  # fmt: skip
    return f'f"{text}"' if "{" in text else f'"{text}"'


def count(w: Lines, f: str) -> str:
    """A number of rows, or of different ones."""
    of, c, d = rows(w, f), w.column(), w.column()
    return of + w.pick(
        ".count()", ".count()", ".count()", f'.select("{c}").count()', f'.select("{c}").distinct().count()',
        f'.dropDuplicates(["{c}"]).count()', f'.select("{c}", F.col("{d}")).distinct().count()',
        f'.select("{c}").dropDuplicates().count()', ".distinct().count()", f'.groupBy("{c}").count().count()',
    )  # fmt: skip


def measure(w: Lines, f: str) -> str:
    """An aggregate's value."""
    c = w.pick(*NUMBERS)
    made = w.pick(
        f'F.max("{c}")', f'F.min("{w.column()}")', f'F.sum("{c}")', f'F.avg(F.col("{c}"))', f'F.count("{w.column()}")',
        f'F.max(F.col("{c}") + 1)', f'F.sum(F.when({condition(w)}, F.col("{c}")))', f'F.countDistinct("{c}")',
        'F.count("*")', f'F.first("{c}")', f"F.count_if({condition(w)})",
    )  # fmt: skip
    row = w.pick(".collect()[0]", ".first()", ".head()")
    named = f'{w.pick("agg", "agg", "select")}({made}.alias("m")){row}["m"]'
    plain = f"{w.pick('agg', 'agg', 'select')}({made}){row}[0]"
    by_name = f'agg({{"{c}": "{w.pick("min", "max", "sum", "count")}"}}){row}[0]'
    text = w.pick(f"max({c})", f"min({w.column()})", f"sum({c} + 1)", "count(*)", f"count({w.column()})", f"avg({c})")
    in_sql = f"{w.pick('selectExpr', 'selectExpr', 'agg')}"
    in_sql += f'("{text}"){row}[0]' if in_sql == "selectExpr" else f'(F.expr("{text} AS m")){row}["m"]'
    new = w.pick(
        f'withColumn("{c}", F.col("a") + {w.random.randrange(3)})',
        f'select(F.col("{c}").alias("{c}"), "b")',
        f'withColumn("e", F.col("{c}"))',
        f'select("{c}", "c")',
        f'withColumn("{c}", F.lit(1))',
    )
    made = f'{new}.agg({w.pick("F.sum", "F.max", "F.avg", "F.count")}("{w.pick(c, c, "b")}")){row}[0]'
    return f"{rows(w, f)}.{w.pick(plain, plain, named, by_name, in_sql, made)}"


def job(w: Lines, f: str) -> str:
    """One of both."""
    return count(w, f) if w.maybe(0.65) else measure(w, f)


def statement(w: Lines, f: str) -> None:
    """A statement with a job or two."""
    x, n = w.fresh("x"), w.random.randrange(3)
    w.add(
        *w.random.choice(
            (
                [f"{x} = {job(w, f)}", f"out.append({x})"], [f"{x} = {job(w, f)}", f"out.append({x})"],
                [f"out.append({job(w, f)})"], [f"out.append((({job(w, f)}), [{job(w, f)}]))"],
                [f'out.append({{"n": {job(w, f)}, "m": {job(w, f)}}})'], [f"out.append({count(w, f)} > {n})"],
                [f"assert {count(w, f)} >= {n - 1}"], [f"if {count(w, f)} {w.sign()} {n}:", '    out.append("x")'],
                [f"if {count(w, f)} > {n + 3}:", '    raise ValueError("too many")'],
                [f"{x} = {count(w, f)} / ({count(w, f)} + 1)", f"out.append({x})"],
                [f"{x}, y = {job(w, f)}, {job(w, f)}", f"out += [{x}, y]"], [f"k = {count(w, f)}", "out.append(k)"],
                [f"out.append({job(w, f)} if flag else None)"], [f"out.append(flag and {count(w, f)})"],
                [f"print({job(w, f)}, f\"n={{{quoted(count(w, f))}}}\")"],
                ["try:", f"    out.append({job(w, f)})", "except Exception:", '    out.append("failed")'],
                [f"{f} = {f}.limit({count(w, f)})"],
            )
        )
    )  # fmt: skip


def parts(w: Lines, f: str) -> None:
    """Frames that are made of one by filters, and jobs of them all."""
    made = [f]
    for _ in range(w.random.choice((2, 2, 3, 4))):
        if w.maybe(0.6):
            of, g = w.random.choice(made), w.fresh("g")
            given = condition(w) if w.maybe(0.7) else sql(w)
            ends = w.pick("", "", "", "", ".cache()", ".limit(2)", f".filter({of}['a'] > 0)")
            w.add(f"{g} = {of}.{w.pick('filter', 'where')}({given}){ends}")
            made.append(g)
        if w.maybe(0.2):
            w.add(*between(w, w.random.choice(made)))
        statement(w, w.random.choice(made))
    for g in made:
        if w.maybe(0.5):
            statement(w, g)


def ways(w: Lines, f: str) -> None:
    """A function with several ways through it, which ask for the same more or less."""
    x, made, other = w.fresh("work"), job(w, "of"), job(w, "of")
    test = f"if n {w.sign()} {w.random.randrange(4)}:"
    first, second = (made, made) if w.maybe(0.7) else (made, other)
    before = w.random.choice(([], [], [], ["k = 2"], ['print("so")'], [f"m = {other}"], ["seen.append(k)"]))
    body = w.random.choice(
        (
            [test, *indented([*before, f"return n, {first}"]), f"return {second}, n"],
            [test, *indented([*before, f"n = {first}"]), "else:", *indented([f"n = [{second}]"]), "return n"],
            [test, *indented([*before, f"n = {first}"]), f"return n, {second}"],
            [test, *indented([*before, f"return [{first}]"]), "elif n == 1:", "    return n", f"return {second}"],
            [test, *indented(["if n == 2:", "    return n", *before, f"return [{first}]"]), f"return {second}"],
        )
    )  # fmt: skip
    w.add(f"def {x}(of, k, name):", *indented([f"n = {count(w, 'of')}", *body]), f"out.append({x}({f}, k, name))")


def indented(lines: list[str]) -> list[str]:
    """``lines`` in a block of their own."""
    return ["    " + line for line in lines]


def quoted(text: str) -> str:
    """``text`` as a part of an f-string."""
    return "0" if "'" in text else text.replace('"', "'")


def between(w: Lines, f: str) -> list[str]:
    """Code between two jobs."""
    return w.random.choice(
        (
            [f"{f} = {f}.filter({condition(w)})"], ["k = k + 1"], ["k += 1"],
            ['name = "d"'], ['wanted = F.col("d") > k'],
            ['print("so far", len(out))'], ["seen.append(k)"], [f"other = {f}.select('a')"], ["flag = not flag"],
            [f"{f} = t"], ["if flag:", "    k = 5"],
            ["for _ in range(2):", "    k = k + 1"],
            ["def later():", f"    return {f}"], ["if k > 9:", '    raise ValueError("k")'], ["out.append(k)"],
        )
    )  # fmt: skip


def turn(w: Lines, f: str, key: str, *, number: bool) -> str:
    """A job that reads the loop's variable, as a rule."""
    if number:
        of = w.pick(f'F.col("a") > {key}', f'F.col("d") == {key}', f'(F.col("a") >= {key}) & ({condition(w)})')
    else:
        of = w.pick(
            f"F.col({key}).isNull()", f"F.col({key}).isNotNull()", f"t[{key}].isNull()",
            f"{f}[{key}].isNull()", f"F.isnull({key})", f"F.col({key}).isNull() & ({condition(w)})", condition(w),
            f'F.col("c") == {key}',
        )  # fmt: skip
    ends = w.pick(
        ".count()", ".count()", ".count()", ".count()", '.select("a").distinct().count()', '.agg(F.max("a")).first()[0]'
    )
    if not number and w.maybe(0.25):
        return w.pick(
            f"{f}.agg(F.max({key})).first()[0]", f"{f}.select(F.count(F.col({key}))).head()[0]",
            f'{f}.agg({{{key}: "min"}}).collect()[0][0]', f'{f}.filter({of}).agg({{{key}: "max"}}).first()[0]',
        )  # fmt: skip
    return f"{f}.{w.pick('filter', 'where')}({of}){ends}"


def goes_through(w: Lines, f: str) -> tuple[str, str, bool]:
    """The target of a loop, what it goes through, and whether these are numbers."""
    number = w.maybe(0.3)
    over = w.pick("[1, 2]", "(0, 1, 5)", "numbers") if number else w.pick(
        '["a", "b"]', '("c", "d", "c")', "names", "names", f"{f}.columns", "t.columns", '["a"]', '["c", "d"]',
        f"[n for n in {f}.columns]",
    )  # fmt: skip
    w.add('names, numbers = ["a", "c"], [0, 1]')
    if w.maybe(0.5):
        w.add('names = ["a", "c", "d"]', "numbers = [2, 1]")
    if w.maybe(0.2):
        w.add(w.pick('names.append("b")', "same = names", "numbers += [7]", "names = names[:1]", "print(len(names))"))
    if w.maybe(0.2):
        return "i, v", f"enumerate({over})", number
    return "v", over, number


def loop(w: Lines, f: str) -> None:
    """A loop over names or numbers."""
    target, over, number = goes_through(w, f)
    made = turn(w, f, "v", number=number)
    body = w.random.choice(
        (
            [f"out.append({made})"], [f"n = {made}", "out.append((v, n))"], [f"seen.append({made})", "out.append(v)"],
            [f"n = {made}", "if n > 0:", "    print(v, n)", "    out.append(n)"],
            [f"if {made} > 0:", "    out.append(v)"], [f"n = {made}", "k += n", "out.append(n)"],
            [f"n = {made}", f"total = {f}.count()", "out.append((n, total))"],
        )
    )  # fmt: skip
    trap = w.random.choice(
        ([], [], [], ["if len(out) > 1:", "    break"], [f"{f} = {f}.filter({condition(w)})"], ["k = k + 1"],
         ['wanted = F.col("d") > k'], ["names = names + ['d']"], ["if len(out) > 2:", "    raise ValueError(v)"],
         [f"out.append({count(w, f)})"], ["v = 'a'"], ["flag = False"])
    )  # fmt: skip
    body = [*trap, *body] if w.maybe(0.3) else [*body, *trap]
    if w.maybe(0.1):
        body = ["if flag:", *("    " + line for line in body)]
    lines = [f"for {target} in {over}:", *("    " + line for line in body)]
    if w.maybe(0.1):
        lines = ["try:", *("    " + line for line in lines), "except Exception:", '    out.append("failed")']
    w.add(*lines)
    if w.maybe(0.3):
        statement(w, f)


def comprehension(w: Lines, f: str) -> None:
    """A comprehension over names or numbers."""
    target, over, number = goes_through(w, f)
    made = turn(w, f, "v", number=number)
    head = f"for {target} in {over}{w.pick('', '', '', '', ' if flag')}"
    x = w.fresh("x")
    w.add(
        *w.random.choice(
            (
                [f"out.append([{made} {head}])"], [f"{x} = {{v: {made} {head}}}", f"out.append(sorted({x}.items()))"],
                [f"{x} = [(v, {made}) {head}]", f"out.append({x})"], [f"out.append(sorted({{{made} {head}}}))"],
                [f"{x} = ({made} {head})", f"{f} = t.filter(wanted)", f"out.append(list({x}))"],
                [f"out.append(sum({made} {head}))"], [f"out.append([{made} > 0 and {made} {head}])"],
                [f"out.append([[{made} {head}] for w in (1, 2)])"],
            )
        )
    )  # fmt: skip
    if w.maybe(0.3):
        statement(w, f)
