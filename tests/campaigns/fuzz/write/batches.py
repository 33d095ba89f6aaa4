"""Functions over batches and series: some look at each row alone, some only seem to."""

from __future__ import annotations

from .bodies import indented
from .conditions import CONSTANTS, Output, Test
from .grouped import Boundary
from .pen import Pen
from .tables import Source

_DDL = {"bigint": "long"}
_PANDAS = ("import pandas as pd",)


def _ddl(outputs: list[Output]) -> str:
    return ", ".join(f"{o.name} {_DDL.get(o.type, o.type)}" for o in outputs)


def _literal(pen: Pen, kind: str) -> str:
    return repr(pen.of(CONSTANTS[kind]))


def mask(pen: Pen, frame: str, types: dict[str, str]) -> str:
    """A test of the rows of ``frame``."""
    name = pen.of(list(types))
    x = pen.one(f"{frame}.{name}", f'{frame}["{name}"]')
    test = pen.one(
        f"({x} {pen.one('>', '>=', '<', '==', '!=')} {_literal(pen, types[name])})",
        f"{x}.notna()",
        f"{x}.isna()",
        f"{x}.isin([{_literal(pen, types[name])}, {_literal(pen, types[name])}])",
    )
    if pen.chance(20):
        test = f"~{test}"
    return f"{test} {pen.one('&', '|')} {mask(pen, frame, types)}" if pen.chance(20) else test


def _series(pen: Pen, x: str, y: str) -> str:
    """Arithmetic on columns of doubles; some of it over all rows of the batch."""
    return pen.one(
        f"{x} * 2", f"{x} + {y}", f"{x} - 1.5", f"{x}.fillna(0) + {y}", f"{x} * {y}", f"{x}", f"-{x}",
        f"{x}.fillna(1.0)", f"{x}.abs()", f"{x}.where({y} > 1)",
        pen.one(f"{x} - {x}.mean()", f"{x}.cumsum()", f"{x}.shift(1)", f"{x}.rank()", f"{x}.fillna({x}.max())",
                f"{x} / {y}"),
    )  # fmt: skip


def in_pandas(pen: Pen, source: Source) -> Boundary:
    """``mapInPandas``."""
    types, doubles = dict(source.types), source.of("double")
    lines: list[str] = []
    for _ in range(pen.upto(1, 3)):
        match pen.one("mask", "loc", "dropna", "assign", "assign", "set", "fill", "drop", "odd"):
            case "mask":
                lines.append(f"pdf = pdf[{mask(pen, 'pdf', types)}]")
            case "loc":
                lines.append(f"pdf = pdf.loc[{mask(pen, 'pdf', types)}]")
            case "dropna":
                lines.append(f'pdf = pdf.dropna(subset=["{pen.of(list(types))}"])')
            case "assign" | "set" as how if doubles:
                x, y = (f'pdf["{pen.of(doubles)}"]' for _ in "xy")
                name = pen.one("z", "z", pen.of(doubles))
                value = _series(pen, x, y)
                types[name] = "double"
                lines.append(f"pdf = pdf.assign({name}={value})" if how == "assign" else f'pdf["{name}"] = {value}')
            case "fill" if doubles:
                x = pen.of(doubles)
                lines.append(f'pdf["{x}"] = pdf["{x}"].fillna({pen.one("0", "1.0")})')
            case "drop" if len(types) > 2:
                name = pen.of([n for n in types if n not in ("k", *doubles)] or ["z"])
                if name in types:
                    lines.append(f'pdf = pdf.drop(columns=["{name}"])')
                    del types[name]
            case "odd" if pen.chance(50):
                lines.append(pen.one("pdf = pdf.head(1)", "pdf = pdf.drop_duplicates()", "pdf = pdf[len(pdf) > 1:]",
                                     'pdf["k"] = pdf["k"].shift(1)', 'pdf = pdf.sort_values("k")'))  # fmt: skip
    outputs = [Output(n, t) for n, t in types.items()]
    if pen.chance(40):
        outputs = pen.some(outputs, 1, len(outputs))
        lines.append(f"pdf = pdf[[{', '.join(f'{chr(34)}{o.name}{chr(34)}' for o in outputs)}]]")
    body = ["def f(batches):", *indented(["for pdf in batches:", *indented([*lines, "yield pdf"])])]
    return Boundary(body, f'{{}}.mapInPandas(f, "{_ddl(outputs)}")', outputs, _PANDAS)


def in_arrow(pen: Pen, source: Source) -> Boundary:
    """``mapInArrow``."""
    tests = []
    for _ in range(pen.upto(0, 2)):
        name = pen.of(list(source.types))
        word = pen.one("greater", "less", "equal", "greater_equal", "not_equal")
        tests.append(pen.one(f'pc.{word}(batch["{name}"], {_literal(pen, source.types[name])})',
                             f'pc.is_valid(batch["{name}"])', f'pc.is_null(batch["{name}"])'))  # fmt: skip
    whole = tests[0] if len(tests) == 1 else f"pc.and_({', '.join(tests)})" if tests else ""
    lines = [f"batch = batch.filter({whole})"] if tests else []
    if pen.chance(15):
        lines.append(pen.one("batch = batch.slice(0, 1)", 'batch = batch.sort_by("k")'))
    body = ["def f(batches):", *indented(["for batch in batches:", *indented([*lines, "yield batch"])])]
    outputs = [Output(n, t) for n, t in source.types.items()]
    return Boundary(body, f'{{}}.mapInArrow(f, "{_ddl(outputs)}")', outputs, ("import pyarrow.compute as pc",))


def series_udf(pen: Pen, source: Source) -> Boundary:
    """``withColumn("c", f("x", …))`` with a pandas UDF from series to series."""
    body, call, out = _series_function(pen, source)
    others = [Output(n, t) for n, t in source.types.items() if pen.chance(30)]
    return Boundary(
        body, f'{{}}.withColumn("c", {call})', [out, out, out, *others], (*_PANDAS, "from typing import Iterator")
    )


def _series_function(pen: Pen, source: Source) -> tuple[list[str], str, Output]:
    doubles = source.of("double")
    columns = pen.some(list(source.types), 1, 2)
    if doubles and pen.chance(60):
        columns = pen.some(doubles, 1, 2)
    tests = not doubles or columns[0] not in doubles or pen.chance(30)
    kind = "boolean" if tests else "double"
    names = [f"{c}_" for c in columns]
    value = (
        _test(pen, dict(zip(names, (source.types[c] for c in columns), strict=True)))
        if tests
        else _series(pen, names[0], names[-1])
    )
    likely = (Test("c", "true"),) if tests else (Test("c", pen.one(">", "<=", "=="), (pen.of(CONSTANTS["double"]),)),)
    call = f"f({', '.join(f'{chr(34)}{c}{chr(34)}' for c in columns)})"
    if len(names) == 1 and pen.chance(20):
        head = [f'@F.pandas_udf("{kind}")', "def f(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:"]
        return [*head, f"    for {names[0]} in batches:", f"        yield {value}"], call, Output("c", kind, likely)
    typed = ", ".join(f"{n}: pd.Series" for n in names)
    head = [f'@F.pandas_udf("{kind}")', f"def f({typed}) -> pd.Series:"]
    return [*head, f"    return {value}"], call, Output("c", kind, likely)


def _test(pen: Pen, types: dict[str, str]) -> str:
    name = pen.of(list(types))
    test = pen.one(
        f"({name} {pen.one('>', '>=', '<', '==', '!=')} {_literal(pen, types[name])})",
        f"{name}.notna()", f"{name}.isna()", f"{name}.isin([{_literal(pen, types[name])}])",
        f"{name}.isin([{_literal(pen, types[name])}, {_literal(pen, types[name])}])",
    )  # fmt: skip
    if pen.chance(25):
        test = f"~{test}"
    return f"{test} {pen.one('&', '|')} {_test(pen, types)}" if pen.chance(30) else test
