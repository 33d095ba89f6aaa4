"""RDDs row by row, keys of any fold by key, functions of groups that pass the key through, functions in the filter."""

from __future__ import annotations

from .batches import _ddl, _literal, _series_function, mask
from .bodies import indented
from .conditions import CONSTANTS, Output, Style, as_column, random_test
from .grouped import Boundary
from .pen import Pen
from .rows import row_function
from .tables import Source


def _made(pen: Pen, source: Source) -> str:
    """Something computed of a row."""
    name = pen.of(list(source.types))
    x = f"r.{name}"
    if source.types[name] in ("double", "bigint", "int"):
        return pen.one(f"{x} * 2", f"{x} + 1", f"str({x})", f"{x} is None", f"{x} // 2", f"abs({x})", x)
    if source.types[name] == "string":
        return pen.one(f"{x}.upper()", f"len({x})", f'{x}.split("a")', f"{x} or 1", f'{x} + "a"', x)
    return pen.one(f"not {x}", x)


def row_chain(pen: Pen, source: Source) -> Boundary:
    """``df.rdd.map(…)`` and its kin."""
    shown = ["k", *pen.some([n for n in source.types if n != "k"], 1, 3)]
    outputs = [Output(n, source.types[n]) for n in shown]
    body: list[str] = []
    cells = [f"r.{n}" for n in shown]
    extra = pen.chance(50)
    tuple_ = f"({', '.join([*cells, *([_made(pen, source)] if extra else [])])})"
    at = {n: f"kv[{i}]" for i, n in enumerate(shown)}
    match pen.one("rows", "map", "map", "dict", "keyBy", "flatMap", "partitions", "values", "flatMapValues"):
        case "rows":
            call = "{}.rdd"
            at = {n: pen.one(f"kv.{n}", f'kv["{n}"]', f"kv[{list(source.types).index(n)}]") for n in shown}
            at = {n: f"kv.{n}" if "[" in t and not t.endswith('"]') else t for n, t in at.items()}
        case "map":
            call = f"{{}}.rdd.map(lambda r: {tuple_})"
        case "dict":
            pairs = ", ".join(f'"{n}": r.{n}' for n in shown)
            body = ["def made(r):", f"    return {{{pairs}}}"]
            call = "{}.rdd.map(made)"
            at = {n: f'kv["{n}"]' for n in shown}
        case "keyBy":
            call = f"{{}}.rdd.keyBy(lambda r: r.k).mapValues(lambda r: ({', '.join(cells[1:])},))"
            at = {n: "kv[0]" if n == "k" else f"kv[1][{i - 1}]" for i, n in enumerate(shown)}
        case "values":
            call = f"{{}}.rdd.map(lambda r: (r.k, {tuple_})).values()"
        case "flatMap":
            twin = pen.of(shown)
            second = tuple_.replace(f"r.{twin}", pen.one(f"r.{twin}", f"r.{twin}", "None", _made(pen, source)), 1)
            call = f"{{}}.rdd.flatMap(lambda r: [{tuple_}, {second}])"
        case "flatMapValues":
            call = (
                f"{{}}.rdd.map(lambda r: (r.k, {cells[1]})).flatMapValues(lambda v: [v, {pen.one('v', 'None', '1')}])"
            )
            at = {"k": "kv[0]", shown[1]: "kv[1]"}
            outputs = outputs[:2]
        case _:
            odd = pen.chance(25)
            inner = [f"if {pen.one(f'r.{shown[-1]} is not None', f'r.{shown[-1]} != r.k')}:"] if pen.chance(40) else []
            lines = [*inner, *indented([f"yield {tuple_}"])] if inner else [f"yield {tuple_}"]
            if odd:
                lines = pen.one(["next(rows, None)", *lines], ["if seen < 1:", "    seen += 1", *indented(lines)],
                                [*lines, "break"])  # fmt: skip
            body = ["def made(rows):", "    seen = 0", "    for r in rows:", *indented(indented(lines))]
            call = "{}.rdd.mapPartitions(made)"
    if pen.chance(30):
        call += pen.one(".repartition(2)", ".cache()", ".sortBy(lambda t: str(t))", ".distinct()")
    return Boundary(body, call, outputs, (), True, tuple(at.items()))


def key_filter(pen: Pen, source: Source) -> Boundary:
    """``reduceByKey`` and its kin, with a filter of the keys."""
    texts = [n for n, t in source.types.items() if t == "string"]
    names = list(source.types)
    kind = pen.one("words", "column", "column", "pair", "mixed", "computed")
    if kind == "words" and not texts:
        kind = "column"
    at, keys = {"k": "kv[0]"}, [Output("k", "string")]
    if kind == "words":
        parts = f'r.{pen.of(texts)}.split("{pen.one("a", " ")}")'
        call = f"{{}}.rdd.flatMap(lambda r: {parts}).map(lambda w: (w, {pen.one('1', 'len(w)')}))"
    else:
        first, second = pen.of(names), pen.of(names)
        value = pen.one("1", f"r.{second}", f"str(r.{second})", f"(r.{second},)")
        keys = [Output("k", source.types[first])]
        key = f"r.{first}"
        if kind == "pair":
            key, at = f"(r.{first}, r.{second})", {"k": "kv[0][0]", "p": "kv[0][1]"}
            keys.append(Output("p", source.types[second]))
        elif kind == "mixed":
            key = f"r.{first} or r.{second}"
        elif kind == "computed":
            key = pen.one(f"r.{first} or 0", f"str(r.{first})", f"r.{first} is None")
        call = f"{{}}.rdd.map(lambda r: ({key}, {value}))"
    call += pen.one(
        ".reduceByKey(lambda a, b: a)", '.reduceByKey(lambda a, b: f"{{a}}{{b}}")', ".groupByKey().mapValues(len)",
        ".groupByKey().mapValues(lambda vs: sorted(map(str, vs)))", ".reduceByKey(lambda a, b: a + b)",
        ".aggregateByKey(0, lambda n, v: n + 1, lambda a, b: a + b)", ".groupByKey().mapValues(list)",
        ".combineByKey(lambda v: [v], lambda vs, v: [*vs, v], lambda a, b: a + b)",
        ".groupByKey().mapValues(lambda vs: len(set(vs)))",
    )  # fmt: skip
    if pen.chance(25):
        call += ".map(lambda kv: (kv[1], kv[0]))"
        at = {n: t.replace("kv[0]", "kv[1]", 1) for n, t in at.items()}
    elif pen.chance(20):
        call += pen.one(".sortBy(lambda t: str(t[0]))", ".repartition(2)", ".mapValues(lambda v: (v, v))")
    return Boundary([], call, [keys[0], *keys], (), True, tuple(at.items()))


def key_through(pen: Pen, source: Source) -> Boundary:
    """``applyInPandas`` with a function of which only the key matters."""
    key = pen.of(["k", "k", "k", *[n for n in source.types if n != "k"]])
    types = dict(source.types)
    outputs = [Output(key, types[key]), Output(key, types[key]), *(Output(n, t) for n, t in types.items() if n != key)]
    numbers = source.of("double", "bigint", "int")
    lines: list[str] = []
    for _ in range(pen.upto(1, 2)):
        x = pen.of(numbers or list(types))
        lines.append(_step(pen, key, types[key], x, types))
    returned = "pdf"
    if pen.chance(25):
        outputs = [Output(key, types[key]), Output(key, types[key]), Output("size", "bigint")]
        first = pen.one("key[0]", f'pdf["{key}"].iloc[0]')
        returned = f'pd.DataFrame({{"{key}": [{first}], "size": [len(pdf)]}})'
    head = "def f(key, pdf):" if "key[0]" in returned or pen.chance(40) else "def f(pdf):"
    body = [head, *indented([*lines, f"return {returned}"])]
    shown = list(dict.fromkeys(outputs))
    call = f'{{}}.groupBy("{key}").applyInPandas(f, "{_ddl(shown)}")'
    return Boundary(body, call, outputs, ("import pandas as pd",))


def _step(pen: Pen, key: str, kind: str, x: str, types: dict[str, str]) -> str:
    """Something that is done to a group; the last of it is done to the key as well."""
    return pen.one(
        f"pdf = pdf[{mask(pen, 'pdf', types)}]",
        f'pdf = pdf.sort_values("{x}")',
        "pdf = pdf.head(1)",
        "pdf = pdf.drop_duplicates()",
        f'pdf = pdf.dropna(subset=["{x}"])',
        "pdf = pdf.iloc[:2]",
        f'pdf = pdf.assign({x}=pdf["{x}"].{pen.one("max()", "cummax()", "shift(1)")})',
        f'pdf["{x}"] = pdf["{x}"].rank()',
        f'pdf = pdf.loc[pdf["{x}"] == pdf["{x}"].max()]',
        "pdf = pdf.reset_index(drop=True)",
        f'pdf = pdf.fillna({{"{x}": 0}})',
        "if len(pdf) < 2:\n        return pdf.iloc[:0]",
        pen.one(
            "pdf = pdf.fillna(0)",
            "pdf = pdf.ffill()",
            f'pdf["{key}"] = {_literal(pen, kind)}',
            "pdf = pdf.shift(1)",
            f'pdf["{key}"] = pdf["{key}"].iloc[::-1].values',
        ),
    )


def in_filter(pen: Pen, source: Source) -> Boundary:
    """A Python function called in the filter itself."""
    if pen.chance(35):
        body, called, out = _series_function(pen, source)
        imports: tuple[str, ...] = ("import pandas as pd", "from typing import Iterator")
    else:
        base = row_function(pen, source)
        body, out, imports = base.definitions, base.outputs[0], ()
        start = base.call.index("f(")
        called = base.call[start : base.call.index(")", _last_argument(base.call, start)) + 1]
    test = called if out.type == "boolean" else f"({called} {pen.one('==', '>', '<=')} {pen.of(CONSTANTS[out.type])!r})"
    if pen.chance(20):
        test = f"~{test}"
    others = [Output(n, t) for n, t in source.types.items()]
    first, second = (as_column(pen, random_test(pen, pen.of(others)), Style("F.")) for _ in range(2))
    test = pen.one(test, test, f"({test}) & ({first})", f"({first}) & ({test})", f"({test}) | ({first})",
                   f"(({first}) & {test}) | (({second}) & ~{test})")  # fmt: skip
    return Boundary(body, f"{{}}.filter({test})", others, imports)


def _last_argument(call: str, start: int) -> int:
    """Where the arguments of the call at ``start`` end, short of its parenthesis."""
    depth = 0
    for at in range(start, len(call)):
        depth += {"(": 1, ")": -1}.get(call[at], 0)
        if depth == 0 and call[at] == ")":
            return at
    raise AssertionError(call)
