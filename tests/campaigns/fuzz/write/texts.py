"""Pairs that are not made of a frame row by row, but of texts and constants; filters on their values."""

from __future__ import annotations

from .conditions import Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_BOUNDS = (0, 1, 2, 3, 90, -1)


def value_filter(pen: Pen, source: Source) -> Boundary:
    """``lines.map(split).map(lambda t: (t[0], int(t[1]))).reduceByKey(max)``."""
    whole = source.of("bigint", "int")
    number = pen.of(whole or ["k"])
    kind = pen.one("line", "line", "line", "words", "counted", "pair", "pair", "float", "keys", "mixed")
    body: list[str] = []
    start, below = "{}", ""
    if whole and pen.chance(70):
        start = f'{{}}.dropna(subset=["{number}"])'
    if not whole and kind not in ("words", "counted", "float"):
        kind = "words"
    text = f'f"{{{{r.k}}}},{{{{r.{number}}}}},{{{{r.{pen.of(list(source.types))}}}}}"'
    split = '.map(lambda line: line.split(","))' if pen.chance(90) else ""
    if not split:
        body = ["def parsed(line):", '    return line.split(",")']
        split = ".map(parsed)"
    value, at, simple = "int(t[1])", "kv[1]", True
    match kind:
        case "words":
            pairs = f'.rdd.flatMap(lambda r: str(r.{pen.of(list(source.types))}).split("{pen.one("a", " ", ".")}"))'
            plain = ".map(lambda w: (w, len(w)))"
            below = pen.one(".map(lambda w: (w[0:1], len(w)))", plain, plain, ".keyBy(len).mapValues(len)",
                            ".map(lambda w: (len(w), len(w) - 1))")  # fmt: skip
        case "counted":
            pairs, below = f".rdd.map(lambda r: str(r.{pen.of(list(source.types))}))", ".map(lambda w: (w, 1))"
        case "pair":
            value, at, simple = pen.one("(int(t[1]), t[2])", "(int(t[1]), 1)", "(t[2], int(t[1]))"), "kv[1][0]", False
            at = "kv[1][1]" if value.startswith("(t[2]") else at
            pairs, below = f".rdd.map(lambda r: {text}){split}", f".map(lambda t: (t[0], {value}))"
        case "float":
            text = f'f"{{{{r.k}}}},{{{{r.{pen.of(source.of("double") or [number])}}}}}"'
            pairs, below = f".rdd.map(lambda r: {text}){split}", ".map(lambda t: (t[0], float(t[1])))"
        case "keys":
            pairs = f".rdd.map(lambda r: {text}){split}"
            key = pen.one("float(t[1])", "int(t[1]) % 2", "t[2]", "len(t)", "bool(t[2])")
            below = f".map(lambda t: ({key}, int(t[1])))"
        case "mixed":
            pairs = f".rdd.map(lambda r: {text}){split}"
            odd = pen.one("int(t[1]) or t[2]", "t[1]", "int(t[1]) if t[1] else None", "None")
            below = f".map(lambda t: (t[0], {odd}))"
        case _:
            pairs, below = f".rdd.map(lambda r: {text}){split}", ".map(lambda t: (t[0], int(t[1])))"
    if pen.chance(15):
        below += pen.one('.filter(lambda kv: kv[0] != "a")', ".repartition(2)", ".mapValues(lambda v: v)")
    call, at = _folded(pen, at, simple)
    tests = tuple(Test("v", pen.one(">=", ">", ">=", "<", "==", "!="), (pen.of(_BOUNDS),)) for _ in range(3))
    out = Output("v", "bigint", tests)
    its = Output("w", "string")
    names = [("v", at), ("w", "kv[0]")]
    if pen.chance(15):
        call += ".map(lambda kv: (kv[1], kv[0]))"
        names = [("v", at.replace("kv[1]", "kv[0]", 1)), ("w", "kv[1]")]
    elif pen.chance(15) and at == "kv[1]":
        call += ".mapValues(lambda v: (v, v))"
        names[0] = ("v", "kv[1][0]")
    return Boundary(body, f"{start}{pairs}{below}{call}", [out, out, out, its], (), True, tuple(names))


def _folded(pen: Pen, at: str, simple: bool) -> tuple[str, str]:
    """The aggregation by key, and where the value is afterwards."""
    if not simple:
        inner = at[5:]
        op = pen.one(">", ">=", "<")
        return pen.one(
            f".reduceByKey(lambda a, b: a if a{inner} {op} b{inner} else b)",
            f".reduceByKey(lambda a, b: b if b{inner} {op} a{inner} else a)",
            ".reduceByKey(max)",
        ), at
    choice = pen.one(
        ".reduceByKey(max)", ".reduceByKey(max)", ".reduceByKey(min)", ".reduceByKey(lambda a, b: a if a > b else b)",
        ".reduceByKey(lambda a, b: max(a, b))", ".reduceByKey(lambda a, b: a + b)", ".foldByKey(0, max)",
        f".aggregateByKey(0, lambda n, v: n + 1 if v > {pen.of(_BOUNDS)} else n, lambda a, b: a + b)",
        ".combineByKey(lambda v: v, max, max)", ".groupByKey().mapValues(max)", ".groupByKey().mapValues(len)",
        ".groupByKey().mapValues(sum)", ".groupByKey().mapValues(lambda vs: (min(vs), max(vs)))",
        ".reduceByKey(lambda a, b: b)",
    )  # fmt: skip
    return choice, pen.one("kv[1][0]", "kv[1][1]") if "(min" in choice else at
