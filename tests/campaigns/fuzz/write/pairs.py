"""Folds of key-value RDDs."""

from __future__ import annotations

from .bodies import Loop, guard, indented, parts, row_test
from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source


def pair_fold(pen: Pen, source: Source) -> Boundary:
    """``df.rdd.map(…)`` and a fold by key."""
    kind = pen.one("reduce", "aggregate", "aggregate", "indicator", "combine", "fold", "group", "group", "tuple")
    return _FOLDS[kind](pen, source)


def _row_loop(pen: Pen, source: Source) -> Loop:
    return Loop(pen, source, lambda c: f"r.{c}", known=set(source.present),
                columns=tuple(n for n in source.types if n != source.key))  # fmt: skip


def _number(pen: Pen, source: Source) -> str:
    """A number, rather one that is not missing."""
    numbers = source.of("double", "bigint", "int")
    return pen.of([c for c in numbers if c in source.present] * 4 + numbers)


def _present(pen: Pen, source: Source, column: str) -> str:
    """A filter of the frame that drops what is missing, or nothing."""
    if column in source.present or pen.chance(25):
        return ""
    return pen.one(
        f'.dropna(subset=["{column}"])',
        f'.filter("{column} IS NOT NULL")',
        f".filter(lambda r: r.{column} is not None)",
    )


def _receiver(present: str) -> str:
    return f"{{}}.rdd{present}" if "lambda" in present else f"{{}}{present}.rdd"


def _end(kind: str, op: str, pen: Pen) -> tuple[Test, ...]:
    return tuple(Test("v", o, (pen.of(CONSTANTS[kind]),)) for o in ((">=", ">") if op == "max" else ("<=", "<")))


_COUNTS = tuple(Test("v", o, (n,)) for o, n in ((">=", 2), (">", 0), (">=", 1), ("==", 2), (">", 1)))
_ADD = ("lambda a, b: a + b", "lambda a, b: a + b", "add")


def _boundary(pen: Pen, source: Source, call: str, out: Output, definitions: list[str] | None = None) -> Boundary:
    imports = ("from operator import add",) if "add)" in call or "add," in call else ()
    outputs = [out, Output("k", source.types["k"])]
    return Boundary(definitions or [], call, outputs, imports, True, (("v", "kv[1]"), ("k", "kv[0]")))


def _reduce(pen: Pen, source: Source) -> Boundary:
    column, word = _number(pen, source), pen.one("max", "max", "min")
    kind = source.types[column]
    sign = ">" if word == "max" else "<"
    function = pen.one(word, f"lambda a, b: {word}(a, b)", f"lambda a, b: a if a {sign} b else b",
                       f"lambda a, b: b if b {sign} a else a", f"lambda a, b: a if a {sign}= b else b")  # fmt: skip
    receiver = _receiver(_present(pen, source, column))
    return _boundary(pen, source, f"{receiver}.map(lambda r: (r.k, r.{column})).reduceByKey({function})",
                     Output("v", kind, _end(kind, word, pen)))  # fmt: skip


def _indicator(pen: Pen, source: Source) -> Boundary:
    test = row_test(_row_loop(pen, source))
    if pen.chance(40):
        function = pen.one("lambda a, b: a or b", "lambda a, b: a or b", "lambda a, b: a and b", "max")
        call = f"{{}}.rdd.map(lambda r: (r.k, {test})).reduceByKey({function})"
        return _boundary(pen, source, call, Output("v", "boolean", (Test("v", "true"),)))
    one, zero = pen.one(("1", "0"), ("1", "0"), ("2", "0"), ("1", "-1"), ("0", "1"))
    call = f"{{}}.rdd.map(lambda r: (r.k, {one} if {test} else {zero}))"
    call += pen.one(f".reduceByKey({pen.one(*_ADD)})", f".foldByKey({pen.one(0, 0, 1)}, {pen.one(*_ADD)})")
    return _boundary(pen, source, call, Output("v", "bigint", _COUNTS))


def _aggregate(pen: Pen, source: Source) -> Boundary:
    whole = pen.chance(50)
    if whole:
        loop = _row_loop(pen, source)
        make = pen.spell(".map(lambda r: (r.k, r))", ".keyBy(lambda r: r.k)")
    else:
        column = _number(pen, source)
        loop = _row_loop(pen, source)
        loop.read = lambda _: "r"
        loop.columns = (column,)
        make = f".map(lambda r: (r.k, r.{column}))"
    test = row_test(loop)
    column = pen.of(loop.numbers or list(loop.columns))
    x, kind = loop.read(column), source.types[column]
    present = _present(pen, source, column)
    choice = pen.one("count", "count", "flag", "sum", "max", "max")
    if kind in ("string", "boolean") and choice in ("sum", "max"):
        choice = "count"
    if choice == "count":
        seq, comb, zero = f"lambda a, r: a + 1 if {test} else a", pen.one(*_ADD), pen.one("0", "0", "0", "1")
        out = Output("v", "bigint", _COUNTS)
    elif choice == "flag":
        seq, comb, zero = f"lambda a, r: a or ({test})", "lambda a, b: a or b", pen.one("False", "False", "True")
        out = Output("v", "boolean", (Test("v", "true"),))
    elif choice == "sum":
        zero = "0.0" if kind == "double" else pen.one("0", "0", "1")
        seq, comb = f"lambda a, r: a + {x} if {test} else a", pen.one(*_ADD)
        out = Output("v", "double" if kind == "double" else "bigint", _end(kind, "max", pen))
    else:
        word = pen.one("max", "max", "min")
        infinite = f'float("{"-" if word == "max" else ""}inf")'
        zero = pen.one(infinite, infinite, "None", "0")
        if zero == "None":
            sign = ">" if word == "max" else "<"
            seq = f"lambda a, r: {x} if a is None or {x} {sign} a else a"
            comb = f"lambda a, b: b if a is None else a if b is None else {word}(a, b)"
        else:
            seq, comb = f"lambda a, r: {word}(a, {x})", word
        out = Output("v", kind, _end(kind, word, pen))
    return _boundary(pen, source, f"{_receiver(present)}{make}.aggregateByKey({zero}, {seq}, {comb})", out)


def _combine(pen: Pen, source: Source) -> Boundary:
    column = _number(pen, source)
    kind, test = source.types[column], row_test(_row_loop(pen, source))
    if pen.chance(50):
        word = pen.one("max", "max", "min")
        call = f".map(lambda r: (r.k, r.{column})).combineByKey(lambda v: v, {word}, {word})"
        out = Output("v", kind, _end(kind, word, pen))
    else:
        call = f".map(lambda r: (r.k, {test})).combineByKey(lambda f: {pen.one('1 if f else 0', 'f', '0')}, "
        call += "lambda n, f: n + 1 if f else n, lambda a, b: a + b)"
        out = Output("v", "bigint", _COUNTS)
    return _boundary(pen, source, _receiver(_present(pen, source, column)) + call, out)


def _fold(pen: Pen, source: Source) -> Boundary:
    column, word = _number(pen, source), pen.one("max", "max", "min", "add")
    kind = source.types[column]
    zero = {"max": pen.one('float("-inf")', "0", "-1"), "min": pen.one('float("inf")', "90"), "add": "0"}[word]
    call = f"{_receiver(_present(pen, source, column))}.map(lambda r: (r.k, r.{column})).foldByKey({zero}, {word})"
    return _boundary(pen, source, call, Output("v", kind, _end(kind, "min" if word == "min" else "max", pen)))


def _tuple(pen: Pen, source: Source) -> Boundary:
    """Two accumulators at once."""
    column = _number(pen, source)
    kind, loop = source.types[column], _row_loop(pen, source)
    zero, word = pen.one(('float("-inf")', "max"), ('float("inf")', "min"))
    test = row_test(loop)
    value = f"(s[0] or ({test}), {word}(s[1], r.{column}))"
    if pen.chance(30):
        value = f"({value[1:-1]}) if {row_test(loop)} else s"
    call = f"{_receiver(_present(pen, source, column))}.map(lambda r: (r.k, r)).aggregateByKey((False, {zero}), "
    call += f"lambda s, r: {value}, lambda a, b: (a[0] or b[0], {word}(a[1], b[1])))"
    outputs = [
        Output("seen", "boolean", (Test("seen", "true"),)),
        Output("v", kind, _end(kind, word, pen)),
        Output("k", source.types["k"]),
    ]
    names: tuple[tuple[str, str], ...] = (("seen", "kv[1][0]"), ("v", "kv[1][1]"), ("k", "kv[0]"))
    if pen.chance(30):
        at = pen.one(0, 1)
        call += f".mapValues(lambda s: s[{at}])"
        outputs, names = [outputs[at], outputs[2]], ((outputs[at].name, "kv[1]"), ("k", "kv[0]"))
    return Boundary([], call, outputs, (), True, names)


def _group(pen: Pen, source: Source) -> Boundary:
    """``groupByKey().mapValues(f)``."""
    if pen.chance(30):
        column = _number(pen, source)
        text, out = pen.one(
            ("max", Output("v", source.types[column], _end(source.types[column], "max", pen))),
            ("len", Output("v", "bigint", _COUNTS)),
            (
                f"lambda vs: any(v > {pen.of(CONSTANTS[source.types[column]])!r} for v in vs)",
                Output("v", "boolean", (Test("v", "true"),)),
            ),
            ("lambda vs: sum(1 for v in vs if v > 1)", Output("v", "bigint", _COUNTS)),
        )
        call = f"{_receiver(_present(pen, source, column))}.map(lambda r: (r.k, r.{column}))"
        call += f".groupByKey().mapValues({text})"
        return _boundary(pen, source, call, out)
    loop = _row_loop(pen, source)
    header = guard(loop)
    first = parts(loop)[0]
    lines = [*first.before, "for r in rows:", *indented([*header, *first.inside])]
    values = first.outputs
    outputs = [o for _, o in values]
    result = values[0][0] if len(values) == 1 else f"({', '.join(t for t, _ in values)})"
    body = ["def f(rows):", *indented([*lines, f"return {result}"])]
    call = f"{{}}.rdd.{pen.spell('map(lambda r: (r.k, r))', 'keyBy(lambda r: r.k)')}.groupByKey().mapValues(f)"
    names = tuple((o.name, "kv[1]" if len(values) == 1 else f"kv[1][{i}]") for i, o in enumerate(outputs))
    return Boundary(body, call, [*outputs, Output("k", source.types["k"])], (), True, (*names, ("k", "kv[0]")))


_FOLDS = {"reduce": _reduce, "aggregate": _aggregate, "indicator": _indicator, "combine": _combine, "fold": _fold,
          "group": _group, "tuple": _tuple}  # fmt: skip
