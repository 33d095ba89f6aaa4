"""Calls on whole pandas columns: ``where``, ``mask``, ``np.where``, ``.str``, ``map`` of a dict, ``%`` and ``//``."""

from __future__ import annotations

from .batches import mask
from .bodies import indented
from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long"}
_IMPORTS = ("import numpy as np", "import pandas as pd")
_PATTERNS = ('"a."', '"^b"', '"A"')
_DICTS = (
    '{"a": 3.0, "b": 0.5}',
    '{"a": 0.5, "b": 3.0, "": 1.0}',
    '{"ab": 2.5, "c": 0.0}',
    '{"a": 2.0}',
    '{"b": 1, "": 2}',
    '{"a": None, "ab": 1.0}',
)


class _Columns:
    """Columns of a frame, or arguments of a function: how each is spelled."""

    def __init__(self, pen: Pen, types: dict[str, str], spelled: dict[str, str]) -> None:
        self.pen, self.types, self.spelled = pen, types, spelled

    def of(self, *kinds: str) -> str | None:
        """A column of these types."""
        names = [n for n in self.spelled if self.types[n] in kinds]
        return self.spelled[self.pen.of(names)] if names else None

    def test(self, depth: int = 1) -> str:
        """A mask."""
        pen = self.pen
        options: list[str] = []
        if x := self.of("double", "bigint", "int"):
            low, high = sorted((pen.of(CONSTANTS["bigint"]), pen.of(CONSTANTS["bigint"])))
            options += [f"({x} {pen.one('>', '>=', '<', '==', '!=')} {pen.of(CONSTANTS['double'])!r})", f"{x}.notna()",
                        f"{x}.between({low}, {high})"]  # fmt: skip
            n = self.of("bigint", "int") or x
            by = pen.one(2, 3, 3, 5, 2, 3, -3, 2.0, 0)
            options += [f"({n} % {by} {pen.one('==', '>', '!=')} {pen.one(0, 1, 2, -1)})",
                        f"({n} // {pen.one(2, 3, 10, 2.0)} {pen.one('==', '>', '<')} {pen.one(0, 1, -1)})"]  # fmt: skip
        if s := self.of("string"):
            filled = pen.one("", "", ", na=False", ", na=False", ", na=True")
            options += [
                f'{s}.str.{pen.one("startswith", "endswith")}({pen.one(*self._texts)}{filled})',
                f'{s}.str.contains({pen.one(*self._texts, *_PATTERNS)}{pen.one("", "", ", regex=False")}{filled})',
                f"({s}.str.len() {pen.one('>', '==', '<')} {pen.one(0, 1, 2)})",
                f'({s}.str.{pen.one("upper", "lower", "strip")}() == {pen.one(*self._texts)})',
                f"({s}.map({pen.of(_DICTS)}) {pen.one('>', '==')} {pen.one('1', '0.5')})",
                f"{s}.isin([{pen.one(*self._texts)}])",
            ]  # fmt: skip
        test = pen.of(options or [f"{next(iter(self.spelled.values()))}.notna()"])
        if pen.chance(15):
            test = f"~{test}"
        return f"{test} {pen.one('&', '|')} {self.test(0)}" if depth and pen.chance(25) else test

    _texts = ('"a"', '"b"', '""', '"ab"')

    def value(self) -> str:
        """A column of doubles, chosen row by row; some of it by other rows."""
        pen, x = self.pen, self.of("double")
        c = pen.one("0.5", "0.0", "5.0", "2.5", "np.nan", "3")
        s = self.of("string")
        mapped = [f"{s}.map({pen.of(_DICTS)})", f"{s}.map({pen.of(_DICTS)}).fillna({c})"] if s else []
        if not x:
            return pen.of([*mapped, f"pd.Series(np.where({self.test()}, {c}, 1.0))"])
        y = self.of("double")
        return pen.of([
            f"pd.Series(np.where({self.test()}, {x}, {c}))", f"pd.Series(np.where({self.test()}, {c}, {x}))",
            f"{x}.where({self.test()}, {c})", f"{x}.where({self.test()})", f"{x}.mask({self.test()}, {c})",
            f"{x}.mask({self.test()})", f"{x}.where({self.test()}, {y})", f"{x}.mask({self.test()}, {y} * 2)",
            f"np.where({self.test()}, {x}, {y})", f"{x}.where({x} > {x}.mean(), {c})", *mapped,
        ])  # fmt: skip


def column_calls(pen: Pen, source: Source) -> Boundary:
    """A pandas UDF from series to series."""
    names = pen.some([n for n in source.types if n != "k"], 1, 2)
    if source.types["k"] == "string" and pen.chance(35):
        names = ["k", *names[:1]]
    columns = _Columns(pen, source.types, {n: f"{n}_" for n in names})
    kind = pen.one("boolean", "double")
    value = columns.test() if kind == "boolean" else columns.value()
    typed = ", ".join(f"{n}_: pd.Series" for n in names)
    body = [f'@F.pandas_udf("{kind}")', f"def f({typed}) -> pd.Series:", f"    return {value}"]
    given = ", ".join(f'"{n}"' for n in names)
    out = Output("c", kind, (Test("c", "true"),) if kind == "boolean" else _bounds(pen, "c"))
    return Boundary(
        body, f'{{}}.withColumn("c", f({given}))', [out, out, Output(names[0], source.types[names[0]])], _IMPORTS
    )


def _bounds(pen: Pen, name: str) -> tuple[Test, ...]:
    return tuple(Test(name, pen.one(">", "<=", "==", ">=", "null"), (pen.one(1.0, 2.0, 0.5, 2.5),)) for _ in range(2))


def batch_calls(pen: Pen, source: Source) -> Boundary:
    """``mapInPandas`` with a column that is chosen, and a mask."""
    columns = _Columns(pen, source.types, {n: f'pdf["{n}"]' for n in source.types})
    lines = []
    outputs = [Output(n, t) for n, t in source.types.items()]
    if pen.chance(65):
        value = columns.value()
        inner = value[10:-1] if value.startswith("pd.Series(np") and pen.chance(60) else value
        lines.append(f'pdf["z"] = {inner}')
        outputs = [*outputs, *[Output("z", "double", _bounds(pen, "z"))] * 3]
    if pen.chance(60) or not lines:
        lines.append(f"pdf = {pen.one('pdf', 'pdf', 'pdf.loc')}[{columns.test()}]")
    body = ["def f(batches):", *indented(["for pdf in batches:", *indented([*lines, "yield pdf"])])]
    ddl = ", ".join(f"{o.name} {_DDL.get(o.type, o.type)}" for o in dict.fromkeys(outputs))
    return Boundary(body, f'{{}}.mapInPandas(f, "{ddl}")', outputs, _IMPORTS)


def group_calls(pen: Pen, source: Source) -> Boundary:
    """``applyInPandas`` with a mask of such calls and a reduction of what is left."""
    columns = _Columns(pen, source.types, {n: f'pdf["{n}"]' for n in source.types if n != "k"})
    numbers = source.of("double", "bigint", "int")
    test = columns.test() if pen.chance(80) else mask(pen, "pdf", {n: t for n, t in source.types.items() if n != "k"})
    if numbers and pen.chance(70):
        x = pen.of(numbers)
        kept = pen.one(f'pdf.loc[{test}, "{x}"]', f'pdf[{test}]["{x}"]')
        word = pen.one("max", "max", "min")
        c = pen.of(CONSTANTS[source.types[x]])
        out = Output("m", source.types[x], (Test("m", ">=" if word == "max" else "<=", (c,)), Test("m", "present")))
        value = f"{kept}.{word}()"
    elif pen.chance(50):
        out = Output("m", "bigint", tuple(Test("m", o, (n,)) for o, n in ((">=", 2), (">", 0), ("==", 1))))
        value = pen.one(f"int(({test}).sum())", f"len(pdf[{test}])")
    else:
        out = Output("m", "boolean", (Test("m", "true"),))
        value = f"bool(({test}).{pen.one('any', 'any', 'all')}())"
    body = ["def f(key, pdf):", f'    return pd.DataFrame({{"k": [key[0]], "m": [{value}]}})']
    ddl = f"k {_DDL.get(source.types['k'], source.types['k'])}, m {_DDL.get(out.type, out.type)}"
    return Boundary(
        body, f'{{}}.groupBy("k").applyInPandas(f, "{ddl}")', [out, out, Output("k", source.types["k"])], _IMPORTS
    )
