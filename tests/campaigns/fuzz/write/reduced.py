"""Groups that library functions reduce: builtins, functions of ``itertools``, ``functools``, ``collections``, ``heapq``
and ``statistics``, reductions of pandas, numpy and pyarrow, over rows, columns or lists that a UDTF keeps."""

from __future__ import annotations

from dataclasses import dataclass

from .bodies import Loop, indented, row_test
from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long"}
_ARROW = {"double": "pa.float64()", "bigint": "pa.int64()", "int": "pa.int32()", "string": "pa.string()",
          "boolean": "pa.bool_()"}  # fmt: skip
_MODULES = ("collections", "functools", "heapq", "itertools", "operator", "statistics")
_NUMBERS = ("double", "bigint", "int")


@dataclass(frozen=True)
class Reduced:
    """Statements, the expression that they make possible, and its output."""

    lines: list[str]
    text: str
    output: Output


def _counts(pen: Pen, name: str) -> tuple[Test, ...]:
    return tuple(Test(name, *pen.one((">=", (2,)), (">", (0,)), (">=", (1,)), ("==", (1,)), (">", (1,)))) for _ in "12")


def _count(loop: Loop, rows: str, name: str) -> Reduced:
    """How many rows pass a test."""
    t = row_test(loop)
    text = loop.pen.one(
        f"sum(1 for r in {rows} if {t})", f"sum(bool({t}) for r in {rows})", f"len([r for r in {rows} if {t}])",
        f"len(list(filter(lambda r: {t}, {rows})))", f"collections.Counter(bool({t}) for r in {rows})[True]",
        f"sum(map(lambda r: 1 if {t} else 0, {rows}))", f"[bool({t}) for r in {rows}].count(True)",
        f"functools.reduce(lambda n, r: n + 1 if {t} else n, {rows}, 0)", f"sum([{t} for r in {rows}])",
        f"operator.countOf([bool({t}) for r in {rows}], True)", f"sum({{True: 1}}.get(bool({t}), 0) for r in {rows})",
        f"len(list(itertools.takewhile(lambda r: {t}, {rows})))",
        f"max(itertools.accumulate([1 if {t} else 0 for r in {rows}]), default=0)",
        f"sum(1 for i, r in enumerate({rows}) if {t}{loop.pen.one('', '', ' and i > 0')})",
    )  # fmt: skip
    return Reduced([], text, Output(name, "bigint", _counts(loop.pen, name)))


def _flag(loop: Loop, rows: str, name: str) -> Reduced:
    """Whether some row, or every row, passes a test."""
    t = row_test(loop)
    text = loop.pen.one(
        f"any({t} for r in {rows})", f"all({t} for r in {rows})", f"not all(not ({t}) for r in {rows})",
        f"next((True for r in {rows} if {t}), False)", f"next((r for r in {rows} if {t}), None) is not None",
        f"bool([r for r in {rows} if {t}])", f"True in [bool({t}) for r in {rows}]",
        f"max((bool({t}) for r in {rows}), default=False)", f"any(map(lambda r: {t}, {rows}))",
        f"functools.reduce(operator.or_, (bool({t}) for r in {rows}), False)", f"any([{t} for r in {rows}])",
        f"any(itertools.chain((bool({t}) for r in {rows}), [{loop.pen.one('False', 'False', 'True')}]))",
    )  # fmt: skip
    return Reduced([], f"bool({text})", Output(name, "boolean", (Test(name, "true"), Test(name, "==", (True,)))))


def _values(loop: Loop, rows: str, column: str) -> str:
    """A list of a column's values, perhaps of those that are not missing, of rows that pass a test."""
    x, pen = loop.read(column), loop.pen
    tests = []
    if column not in loop.known and pen.chance(80):
        missing = loop.missing == "NaN" and loop.source.types[column] in _NUMBERS
        tests.append(f"pd.notna({x})" if missing else f"{x} is not None")
    if pen.chance(35):
        tests.append(row_test(loop))
    return f"[{x} for r in {rows}{''.join(f' if {t}' for t in tests)}]"


def _end(loop: Loop, rows: str, name: str) -> Reduced:
    """The largest or the smallest value, or the second of them."""
    pen, column = loop.pen, loop.pen.of(loop.numbers)
    kind, xs = loop.source.types[column], _values(loop, rows, column)
    c = tuple(pen.of(CONSTANTS[kind]) for _ in "12")
    up = not pen.chance(35)
    word, largest = ("max", "nlargest") if up else ("min", "nsmallest")
    output = Output(name, kind, (Test(name, ">=" if up else "<=", c[:1]), Test(name, ">" if up else "<", c[1:])))
    v = loop.var("xs")
    zero = repr(pen.of(CONSTANTS[kind]))
    text = pen.one(
        f"{word}({v}, default=None)", f"{word}({v}) if {v} else None", f"{word}([{zero}, *{v}])",
        f"{word}({v}, default={zero})", f"functools.reduce({word}, {v}, {zero})", f"{word}({v} or [{zero}])",
        f"sorted({v}, reverse={up})[0] if {v} else None", f"next(iter(sorted({v}, reverse={up})), None)",
        f"(heapq.{largest}(1, {v}) or [None])[0]", f"(heapq.{largest}(2, {v}) + [None, None])[1]",
        f"{word}(set({v}), default=None)", f"sorted({v})[{'-1' if up else '0'}] if {v} else None",
        f"{word}(itertools.chain({v}, [{zero}]))", f"{word}({v}, key=lambda x: x, default=None)",
        f"sorted({v})[{'-2' if up else '1'}] if len({v}) > 1 else None", f"list(itertools.accumulate({v}, {word}))[-1]",
        f"statistics.median_high({v}) if {v} else None", f"(list(collections.deque({v}, maxlen=1)) or [None])[0]",
    )  # fmt: skip
    return Reduced([f"{v} = {xs}"], text, output)


def _tally(loop: Loop, rows: str, name: str) -> Reduced:
    """How often a value occurs, how many there are, or how often the most frequent one does."""
    pen = loop.pen
    column = pen.of(loop.of("string", "boolean", "bigint", "int") or list(loop.columns))
    x, v, c = loop.read(column), loop.var("seen"), pen.of(CONSTANTS[loop.source.types[column]])
    xs = _values(loop, rows, column)
    lines = pen.one(
        [f"{v} = collections.Counter({xs})"],
        [f"{v} = collections.Counter()", f"for x in {xs}:", f"    {v}[x] += 1"],
        [f"{v} = collections.defaultdict(int)", f"for x in {xs}:", f"    {v}[x] += 1"],
        [f"{v} = {{}}", f"for x in {xs}:", f"    {v}[x] = {v}.get(x, 0) + 1"],
        [f"{v} = {{}}", f"for r in {rows}:", f"    {v}.setdefault({x}, 0)", f"    {v}[{x}] += 1"],
        [f"{v} = collections.Counter()", f"{v}.update({xs})"],
        [f"{v} = {{}}", f"for x in {xs}:", f"    if x not in {v}:", f"        {v}[x] = 0", f"    {v}[x] += 1"],
    )
    text = pen.one(
        f"{v}.get({c!r}, 0)", f"{v}.get({c!r}, 0)", f"len({v})", f"max({v}.values(), default=0)",
        f"sum({v}.values())", f"sum(1 for n in {v}.values() if n > 1)",
    )  # fmt: skip
    return Reduced(lines, text, Output(name, "bigint", _counts(pen, name)))


def _stopped(loop: Loop, rows: str, name: str) -> Reduced:
    """A loop that is left early, or one with an index."""
    pen, v, t = loop.pen, loop.var("found"), row_test(loop)
    likely = (Test(name, "true"), Test(name, "==", (True,)))
    given = loop.var("given")
    match pen.one("else", "break", "index", "flag", "nonlocal", "numbered"):
        case "else":
            lines = [f"for r in {rows}:", f"    if {t}:", f"        {v} = True", "        break", "else:",
                     f"    {v} = False"]  # fmt: skip
        case "break":
            lines = [f"{v} = False", f"for r in {rows}:", f"    if {t}:", f"        {v} = True", "        break"]
        case "index":
            i = loop.var("i")
            lines = [f"{given} = list({rows})", f"{i} = 0", f"while {i} < len({given}):", f"    r = {given}[{i}]",
                     f"    if {t}:", "        break", f"    {i} += 1", f"{v} = {i} < len({given})"]  # fmt: skip
        case "flag":
            lines = [f"{v} = False", f"for r in {rows}:", f"    {v} |= bool({t})"]
        case "nonlocal" if not loop.prefix:
            lines = [f"{v} = False", "", f"def see_{v}(r):", f"    nonlocal {v}", f"    if {t}:", f"        {v} = True",
                     "", f"for r in {rows}:", f"    see_{v}(r)"]  # fmt: skip
        case _:
            n = loop.var("n")
            lines = [f"{n} = 0", f"for r in {rows}:", f"    if {t}:", f"        {n} += 1"]
            return Reduced(lines, n, Output(name, "bigint", _counts(pen, name)))
    return Reduced(lines, v, Output(name, "boolean", likely))


def _generated(loop: Loop, rows: str, name: str) -> Reduced:
    """What is read of a generator."""
    pen, t, column = loop.pen, row_test(loop), loop.pen.of(loop.numbers)
    x, kind, g = loop.read(column), loop.source.types[column], loop.var("made")
    keep = f"{x} is not None" if column not in loop.known and loop.missing != "NaN" else t
    made = pen.one(
        [f"for r in {rows}:", f"    if {t}:", f"        yield {x}"], [f"for r in {rows}:", f"    yield {x}"],
        [f"for r in {rows}:", f"    if {keep}:", f"        yield {x}"],
        [f"yield from [{x} for r in {rows} if {t}]"],
        [f"for r in {rows}:", f"    if {t}:", "        return", f"    yield {x}"],
    )  # fmt: skip
    lines, c = [f"def {g}():", *indented(made), ""], tuple(pen.of(CONSTANTS[kind]) for _ in "12")
    flag = Output(name, "boolean", (Test(name, "true"), Test(name, "==", (True,))))
    match pen.one("count", "any", "loop", "end", "end"):
        case "count":
            text = pen.one(f"len(list({g}()))", f"sum(1 for _ in {g}())", f"sum(v == {c[0]!r} for v in {g}())")
            return Reduced(lines, text, Output(name, "bigint", _counts(pen, name)))
        case "any":
            text = pen.one(
                f"any(v == {c[0]!r} for v in {g}())", f"all(v != {c[0]!r} for v in {g}())", f"any({g}())",
                f"next((True for v in {g}() if v == {c[0]!r}), False)", f"{c[0]!r} in set({g}())",
            )  # fmt: skip
            return Reduced(lines, f"bool({text})", flag)
        case "loop":
            v = loop.var("found")
            more = [f"{v} = False", f"for v in {g}():", f"    if v == {c[0]!r}:", f"        {v} = True"]
            return Reduced([*lines, *more, *pen.one([], ["        break"])], v, flag)
    up = not pen.chance(35)
    word = "max" if up else "min"
    text = pen.one(
        f"{word}({g}(), default=None)", f"{word}({g}(), default={c[1]!r})",
        f"functools.reduce({word}, {g}(), {c[1]!r})", f"{word}((v for v in {g}() if v != {c[1]!r}), default=None)",
    )  # fmt: skip
    output = Output(name, kind, (Test(name, ">=" if up else "<=", c[:1]), Test(name, ">" if up else "<", c[1:])))
    return Reduced(lines, text, output)


_KINDS = (
    (5, _count, False),
    (5, _flag, False),
    (5, _end, True),
    (2, _tally, False),
    (3, _stopped, False),
    (4, _generated, True),
)
"""Weight, writer, whether it needs a number."""


def reductions(loop: Loop, rows: str) -> list[Reduced]:
    """One or two of them."""
    kinds = [make for weight, make, number in _KINDS if loop.numbers or not number for _ in range(weight)]
    return [loop.pen.of(kinds)(loop, rows, name) for name in ("m", "p")[: loop.pen.one(1, 1, 2)]]


def _loop(pen: Pen, source: Source, **more: object) -> Loop:
    columns = tuple(n for n in source.types if n != source.key)
    return Loop(pen, source, lambda c: f"r.{c}", known=set(source.present), columns=columns, **more)  # type: ignore[arg-type]


def _imports(lines: list[str], *more: str) -> tuple[str, ...]:
    text = "\n".join(lines)
    return (*(f"import {m}" for m in _MODULES if f"{m}." in text), *more)


def _ddl(outputs: list[Output]) -> str:
    return ", ".join(f"{o.name} {_DDL.get(o.type, o.type)}" for o in outputs)


def pandas_reduced(pen: Pen, source: Source) -> Boundary:
    """``applyInPandas``: lists of rows, or masks and reductions of columns."""
    if pen.chance(50):
        found = [_of_columns(pen, source, name) for name in ("m", "p")[: pen.one(1, 1, 2)]]
    else:
        loop = _loop(pen, source, missing="NaN")
        rows = pen.one("pdf.itertuples()", "list(pdf.itertuples(index=False))", 'pdf.to_dict("records")')
        if "records" in rows:
            loop.read = lambda c: f'r["{c}"]'
        found = reductions(loop, rows)
    lines = [line for f in found for line in f.lines]
    cells = ", ".join(f'"{f.output.name}": [{f.text}]' for f in found)
    body = ["def f(key, pdf):", *indented([*lines, f'return pd.DataFrame({{"k": [key[0]], {cells}}})'])]
    outputs = [Output("k", source.types["k"]), *(f.output for f in found)]
    call = f'{{}}.groupBy("k").applyInPandas(f, "{_ddl(outputs)}")'
    more = ("import numpy as np",) if "np." in "".join(body) else ()
    return Boundary(body, call, [*outputs[1:], *outputs], _imports(body, *more, "import pandas as pd"))


def _mask(pen: Pen, source: Source, owner: str = "pdf") -> str:
    column = pen.of([n for n in source.types if n != "k"])
    x, kind = f'{owner}["{column}"]', source.types[column]
    c = pen.of(CONSTANTS[kind])
    if kind in _NUMBERS:
        low, high = sorted(pen.of(CONSTANTS[kind]) for _ in "12")
        word = pen.one("gt", "ge", "lt", "le", "eq", "ne")
        return pen.one(f"({x} {pen.one('>', '>=', '<', '<=', '==', '!=')} {c!r})", f"{x}.{word}({c!r})",
                       f"{x}.between({low!r}, {high!r})", f"{x}.isin([{low!r}, {high!r}])", f"{x}.notna()")  # fmt: skip
    if kind == "string":
        return pen.one(f"({x} == {c!r})", f"{x}.eq({c!r})", f'{x}.isin(["a", "b"])', f"{x}.notna()",
                       f'{x}.str.startswith("a", na=False)', f"({x} != {c!r})")  # fmt: skip
    return pen.one(f"({x} == True)", f"{x}.notna()", f"({x} == {c!r})")


def _of_columns(pen: Pen, source: Source, name: str) -> Reduced:
    """A reduction of a frame."""
    mask = _mask(pen, source)
    if pen.chance(25):
        mask = f"({mask} {pen.one('&', '|')} {_mask(pen, source)})"
    if pen.chance(10):
        mask = f"(~{mask})"
    numbers = source.of(*_NUMBERS)
    match pen.one("count", "any", "end", "end", "distinct") if numbers else pen.one("count", "any", "distinct"):
        case "count":
            text = pen.one(
                f"int({mask}.sum())", f"len(pdf[{mask}])", f"pdf[{mask}].shape[0]", f"len(pdf.loc[{mask}])",
                f"int(np.sum({mask}))", f"int({mask}.astype(int).sum())", f"len(pdf[{mask}].index)",
                f"int(np.count_nonzero({mask}))", f'int(pdf[{mask}]["k"].size)', f"sum({mask})",
                f"int(np.where({mask}, 1, 0).sum())", f"int({mask}.cumsum().max())",
            )  # fmt: skip
            return Reduced([], text, Output(name, "bigint", _counts(pen, name)))
        case "any":
            text = pen.one(
                f"bool({mask}.any())", f"bool({mask}.all())", f"bool(np.any({mask}))", f"not pdf[{mask}].empty",
                f"bool({mask}.max())", f"bool({mask}.sum() > 0)", f"any({mask})", f"True in {mask}.tolist()",
                f"bool(len(pdf[{mask}]))", f"bool(pdf[{mask}].shape[0] > 1)",
            )  # fmt: skip
            return Reduced([], text, Output(name, "boolean", (Test(name, "true"), Test(name, "==", (True,)))))
        case "distinct":
            column = pen.of([n for n in source.types if n != "k"])
            x, c = f'pdf["{column}"]', pen.of(CONSTANTS[source.types[column]])
            text = pen.one(
                f"{x}.nunique()", f"int({x}.value_counts().get({c!r}, 0))", f"len({x}.unique())",
                f'len(pdf.drop_duplicates("{column}"))', f"int({x}.count())", f"len(set({x}))",
                f'int(pdf.groupby("{column}").size().max())', f'len(pdf.dropna(subset=["{column}"]))',
                f'int(pdf.groupby("{column}")["k"].size().get({c!r}, 0))', f"int({mask}.value_counts().get(True, 0))",
            )  # fmt: skip
            return Reduced([], text, Output(name, "bigint", _counts(pen, name)))
    column = pen.of(numbers)
    c = tuple(pen.of(CONSTANTS[source.types[column]]) for _ in "12")
    x = pen.one(f'pdf["{column}"]', f'pdf.loc[{mask}, "{column}"]', f'pdf[{mask}]["{column}"]', f"pdf.{column}")
    up = not pen.chance(35)
    word, many = ("max", "nlargest") if up else ("min", "nsmallest")
    text = pen.one(
        f"{x}.{word}()", f"np.{word}({x})", f'{x}.agg("{word}")', f"{x}.dropna().{word}()", f"{word}({x})",
        f"{x}.sort_values(ascending={not up}).iloc[0]", f"{x}.{many}(1).{word}()", f"{x}.fillna({c[0]!r}).{word}()",
        f'pdf.{many}(1, "{column}")["{column}"].iloc[0]', f'pdf.loc[pdf["{column}"].idx{word}(), "{column}"]',
        f"{x}.clip({c[0]!r}).{word}()", f"{x}.quantile({'1.0' if up else '0.0'})", f"{x}.to_numpy().{word}()",
        f"float({x}.{word}())", f"{x}.iloc[-1] if len({x}) else None", f"{x}.cum{word}().iloc[-1]",
        f"{x}.{many}(2).iloc[-1]", f'pdf.sort_values("{column}", ascending={not up}).head(1)["{column}"].iloc[0]',
        f'pdf.loc[pdf["{column}"].idx{word}()]["{pen.of(numbers)}"]', f'pdf.{many}(2, "{column}")["{column}"].{word}()',
        f'pdf.groupby("k")["{column}"].{word}().get({"x"!r}, {c[0]!r})',
    )  # fmt: skip
    return Reduced([], text, Output(name, "double", (Test(name, ">=" if up else "<=", c[:1]), Test(name, "present"))))


def arrow_reduced(pen: Pen, source: Source) -> Boundary:
    """``applyInArrow``: lists of rows, or functions of ``pyarrow.compute``."""
    if pen.chance(40):
        found = [_of_arrow(pen, source)]
    else:
        loop = _loop(pen, source)
        loop.read = lambda c: f'r["{c}"]'
        found = reductions(loop, "table.to_pylist()")
    lines = [line for f in found for line in f.lines]
    outputs = [Output("k", source.types["k"]), *(f.output for f in found)]
    types = ", ".join(f'("{o.name}", {_ARROW[o.type]})' for o in outputs)
    cells = ", ".join(f'"{f.output.name}": [{f.text}]' for f in found)
    made = f'return pa.table({{"k": [key[0].as_py()], {cells}}}, schema=OUT)'
    body = [f"OUT = pa.schema([{types}])", "", "", "def f(key, table):", *indented([*lines, made])]
    call = f'{{}}.groupBy("k").applyInArrow(f, "{_ddl(outputs)}")'
    more = ("import pyarrow.compute as pc",) if "pc." in "".join(body) else ()
    return Boundary(body, call, [*outputs[1:], *outputs], _imports(body, "import pyarrow as pa", *more))


def _of_arrow(pen: Pen, source: Source) -> Reduced:
    column = pen.of([n for n in source.types if n != "k"])
    x, kind, c = f'table["{column}"]', source.types[column], pen.of(CONSTANTS[source.types[column]])
    word = pen.one("greater", "greater_equal", "less", "equal", "not_equal") if kind in _NUMBERS else "equal"
    mask = f"pc.{word}({x}, {c!r})"
    if pen.chance(20):
        mask = f"pc.{pen.one('and_', 'or_', 'and_kleene', 'or_kleene')}({mask}, pc.is_valid({x}))"
    if kind in _NUMBERS and pen.chance(40):
        up = not pen.chance(35)
        end = "max" if up else "min"
        text = pen.one(f"pc.{end}({x}).as_py()", f'pc.min_max({x})["{end}"].as_py()',
                       f"pc.{end}(table.filter({mask})[{column!r}]).as_py()", f"max({x}.to_pylist())")  # fmt: skip
        return Reduced([], text, Output("m", kind, (Test("m", ">=" if up else "<=", (c,)), Test("m", "present"))))
    if pen.chance(50):
        text = pen.one(f"pc.sum({mask}).as_py()", f"table.filter({mask}).num_rows", f"len(table.filter({mask}))",
                       f"pc.count({x}).as_py()", f"pc.count_distinct({x}).as_py()", f"{x}.to_pylist().count({c!r})",
                       f"{mask}.to_pylist().count(True)", f"{x}.null_count")  # fmt: skip
        return Reduced([], text, Output("m", "bigint", _counts(pen, "m")))
    text = pen.one(f"pc.any({mask}).as_py()", f"pc.all({mask}).as_py()", f"{c!r} in {x}.to_pylist()",
                   f"table.filter({mask}).num_rows > 0", f"any({mask}.to_pylist())")  # fmt: skip
    return Reduced([], text, Output("m", "boolean", (Test("m", "true"), Test("m", "==", (True,)))))


def rdd_reduced(pen: Pen, source: Source) -> Boundary:
    """``groupByKey().mapValues(f)`` and ``groupBy(f)``."""
    found = reductions(_loop(pen, source), "rows")
    lines = [line for f in found for line in f.lines]
    result = found[0].text if len(found) == 1 else f"({', '.join(f.text for f in found)})"
    body = ["def f(rows):", *indented([*lines, f"return {result}"])]
    if not lines and pen.often(50):
        body, how = [], f"lambda rows: {result.replace('{', '{{').replace('}', '}}')}"
    else:
        how = "f"
    pairs = pen.spell(".map(lambda r: (r.k, r)).groupByKey()", ".keyBy(lambda r: r.k).groupByKey()",
                      ".groupBy(lambda r: r.k)")  # fmt: skip
    names = tuple((f.output.name, "kv[1]" if len(found) == 1 else f"kv[1][{i}]") for i, f in enumerate(found))
    outputs = [f.output for f in found]
    call = f"{{}}.rdd{pairs}.mapValues({how})"
    imports = _imports([*body, call])
    return Boundary(body, call, [*outputs, Output("k", source.types["k"])], imports, True, (*names, ("k", "kv[0]")))


def table_function_reduced(pen: Pen, source: Source) -> Boundary:
    """A UDTF that keeps rows, or values of them, and reduces them at its end."""
    loop = _loop(pen, source, prefix="")
    loop.read = lambda c: f'r["{c}"]'
    found = reductions(loop, "self.rows")
    lines = [line for f in found for line in f.lines]
    outputs = [Output("k", source.types["k"]), *(f.output for f in found)]
    keep = pen.one([], [], ["if " + row_test(loop).replace('r["', 'row["') + ":", "    return"])
    body = [
        f'@udtf(returnType="{_ddl(outputs)}")', "class Fold:", "    def __init__(self):", "        self.k = None",
        "        self.rows = []", "", "    def eval(self, row):", '        self.k = row["k"]',
        *indented([*keep, "self.rows.append(row)"], "        "), "", "    def terminate(self):",
        *indented([*lines, f"yield self.k, {', '.join(f.text for f in found)}"], "        "),
    ]  # fmt: skip
    call = 'Fold({}.asTable().partitionBy("k"))'
    imports = _imports(body, "from pyspark.sql.functions import udtf")
    return Boundary(body, call, [*outputs[1:], *outputs], imports)
