"""Lists that functions make of arrays; filters on how long they are."""

from __future__ import annotations

from .bodies import indented
from .conditions import Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_BOUNDS = ((">", 1), (">=", 2), (">", 0), ("==", 2), ("<", 2), ("==", 0), ("!=", 1), ("<=", 1), (">=", 1))


def _array(pen: Pen, source: Source) -> tuple[str, str]:
    """An array, and the type of its elements."""
    lists = [n for n, t in source.types.items() if t.startswith("array")]
    if lists and pen.chance(80):
        name = pen.of(lists)
        return f'"{name}"', source.types[name][6:-1]
    texts = [n for n, t in source.types.items() if t == "string"]
    if texts and pen.chance(65):
        array, kind = f'F.split("{pen.of(texts)}", "{pen.one("a", "b", ",")}")', "string"
    else:
        kind = source.types[pen.of([n for n, t in source.types.items() if n != "k" and t[:5] != "array"] or ["k"])]
        same = source.of(kind)
        array = f"F.array({', '.join(f'{chr(34)}{pen.of(same)}{chr(34)}' for _ in range(pen.upto(1, 3)))})"
    if pen.chance(10):
        array = f'F.when(F.col("{pen.of(list(source.types))}").isNotNull(), {array})'
    return array, kind


def _test(pen: Pen, kind: str) -> str:
    """A condition on an element."""
    if kind == "string":
        return pen.one('v != "b"', "v", 'v == ""', "len(v) > 0", 'v not in ("a", "")', "v is not None")
    return pen.one("v is not None", "v", "str(v) > '1'", "v is None", "v is not None and v != 1")


def _list(pen: Pen, kind: str, xs: str) -> str:
    """A list made of ``xs`` in one expression; of some nothing is known."""
    test = _test(pen, kind)
    element = pen.one("v", "v", "v", "v.upper()" if kind == "string" else "v")
    return pen.one(
        f"[{element} for v in {xs} if {test}]", f"[{element} for v in {xs}]",
        f"[{element} for v in {xs} if {test}][:2]",
        f"sorted(set({xs}), key=str)", f"list(reversed({xs}))", f"[v for v in {xs} or [] if {test}]",
        f"list(filter(lambda v: {test}, {xs}))", f"[v for v in sorted({xs}, key=str) if {test}]",
        pen.one(f"[w for v in {xs} for w in (v, v)]", f"{xs} + {xs}", f"{xs}[1:]", f"[v for v in {xs}] + [None]",
                f"[v for v in {xs} for w in {xs}]", f"list(v for v in {xs} if {test})", f"[{xs}[0]]"),
    )  # fmt: skip


def _statements(pen: Pen, kind: str, xs: str) -> list[str]:
    """A body that returns a list."""
    guard = pen.one([], [], [f"if {xs} is None:", f"    return {pen.one('None', '[]')}"],
                    [f"if not {xs}:", "    return []"])  # fmt: skip
    if pen.chance(45):
        return [*guard, f"return {_list(pen, kind, xs)}"]
    test = _test(pen, kind)
    inside = pen.one(
        [f"if {test}:", "    out.append(v)"], ["out.append(v)"], [f"if not ({test}):", "    continue", "out.append(v)"],
        ["out.append(v)", f"if {test}:", "    out.append(v)"], ["out.extend([v, v])"],
        [f"if {test}:", "    out.append(v)", "else:", "    out.append(None)"],
        [f"if {test}:", "    break", "out.append(v)"],
    )  # fmt: skip
    start, end = pen.one("out = []", "out = []", "out = []", "out = [None]"), "return out"
    late = pen.one([], [], [], ["out.append(None)"], ["out.sort(key=str)"], ["out = out[:2]"])
    return [*guard, start, f"for v in {xs}:", *indented(inside), *late, end]


def _asked(pen: Pen) -> tuple[Test, ...]:
    return tuple(Test("m", o, (n,)) for o, n in (pen.of(_BOUNDS), pen.of(_BOUNDS)))


def list_lengths(pen: Pen, source: Source) -> Boundary:
    """``withColumn("ys", f("xs"))`` with a function that makes a list; filters on its size."""
    array, kind = _array(pen, source)
    lines = _statements(pen, kind, "xs")
    if len(lines) == 1 and pen.often(50):
        body = [f'f = F.udf(lambda xs: {lines[0][7:]}, "array<{kind}>")']
    else:
        body = [f'@F.udf("array<{kind}>")', "def f(xs):", *indented(lines)]
    plain = array.startswith('"')
    below = f'{{}}.withColumn("vs", {array})' if pen.chance(80) and not plain else "{}"
    given = '"vs"' if below != "{}" else array
    size = pen.one('F.size("ys")', 'F.size(F.col("ys"))')
    call = f'{below}.withColumn("ys", f({given}))'
    others = [Output(n, t) for n, t in source.types.items() if pen.chance(25)]
    if pen.chance(50):
        op, n = pen.of(_BOUNDS)
        call += pen.one(f".filter({size} {op} {n})", f'.filter("size(ys) {op.replace("==", "=")} {n}")')
        return Boundary(body, f'{call}.withColumn("m", {size})', [Output("m", "int"), *others])
    m = Output("m", "int", _asked(pen))
    return Boundary(body, f'{call}.withColumn("m", {size})', [m, m, m, *others])


def rdd_lengths(pen: Pen, source: Source) -> Boundary:
    """The same in an RDD, asked with ``len``, or for its truth."""
    array, kind = _array(pen, source)
    plain = array.startswith('"')
    name = array[1:-1] if plain else "vs"
    if pen.chance(50):
        body = []
        made = _list(pen, kind, pen.one(f"r.{name}", f'r["{name}"]'))
    else:
        lines = _statements(pen, kind, "xs")
        if pen.chance(30):  # a generator function
            lines = ["for v in xs:", f"    if {_test(pen, kind)}:", "        yield v", *pen.one([], [], ["yield None"])]
        body = ["def made(xs):", *indented(lines)]
        made = f"list(made(r.{name}))" if "yield v" in "".join(lines) else f"made(r.{name})"
    call = f"{{}}{'' if plain else f'.withColumn({chr(34)}vs{chr(34)}, {array})'}.rdd.map(lambda r: (r.k, {made}))"
    if pen.chance(20):
        call += pen.one(".mapValues(lambda ys: ys[:2])", ".mapValues(lambda ys: [v for v in ys if v])")
    m = Output("m", "bigint", _asked(pen))
    names = (("m", pen.one("len(kv[1])", "len(kv[1])", "len(kv[1])", "bool(kv[1])")), ("k", "kv[0]"))
    return Boundary(body, call, [m, m, Output("k", source.types["k"])], (), True, names)
