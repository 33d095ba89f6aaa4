"""Functions of the groups that two frames have for one key."""

from __future__ import annotations

from .batches import _ddl, mask
from .bodies import indented
from .conditions import CONSTANTS, Output, Style, Test, as_column, random_test
from .grouped import Boundary
from .pen import Pen
from .sets import of_table
from .tables import Source

_COUNTS = ((">=", 2), (">", 0), ("==", 0), ("==", 1))


def cogroup(pen: Pen, source: Source) -> Boundary:
    """``left.groupBy(k).cogroup(right.groupBy(j)).applyInPandas(f, schema)``, both frames made of the table."""
    known = of_table(source)
    names = [n for n in known if n != "k"] or ["k"]
    key = pen.of(["k", "k", "k", pen.of(list(known))])
    theirs = pen.one(key, key, "j")
    value = pen.of([n for n in names if n != key] or names)
    left = {n: t for n, t in source.types.items() if n != "o"}
    right = {theirs: known[key], "o": known[value]}
    first = f'F.col("{key}")'
    if known[key] in ("int", "bigint") and pen.chance(10):
        right[theirs] = "double"
        first += '.cast("double")'
    other = f'spark.table("t").select({first}.alias("{theirs}"), F.col("{value}").alias("o"))'
    if pen.chance(60):
        asked = random_test(pen, pen.of([Output(n, t) for n, t in right.items()]))
        other += f".filter({as_column(pen, asked, Style('F.'))})"
    with_key = pen.chance(70)
    lines, outputs = _body(pen, key, theirs, with_key, left, right)
    body = [f"def f({'key, ' if with_key else ''}left, right):", *indented(lines)]
    groups = pen.one(f'.groupBy("{key}").cogroup({other}.groupBy("{theirs}"))',
                     f'.groupBy(F.col("{key}")).cogroup({other}.groupBy(F.col("{theirs}")))')  # fmt: skip
    call = f'{{}}{groups}.applyInPandas(f, "{_ddl(outputs)}")'
    first_one = Output(key, outputs[0].type, _near(pen, key, outputs[0].type))
    return Boundary(body, call, [first_one, first_one, first_one, *outputs[1:2]], ("import pandas as pd",))


def _near(pen: Pen, name: str, kind: str) -> tuple[Test, ...]:
    if kind == "boolean":
        return (Test(name, "true"),)
    return tuple(Test(name, pen.one("==", ">", "<=", "!="), (pen.of(CONSTANTS[kind]),)) for _ in range(2))


def _body(
    pen: Pen, key: str, theirs: str, with_key: bool, left: dict[str, str], right: dict[str, str]
) -> tuple[list[str], list[Output]]:
    """Statements, and what the rows that they return hold; the key first."""
    this = "key[0]" if with_key else pen.one(f'left["{key}"].iloc[0]', f'right["{theirs}"].iloc[0]')
    match pen.one("counts", "counts", "counts", "left", "left", "merge", "merge", "merge", "concat", "odd"):
        case "counts":
            sizes = [pen.one("len(left)", f'left["{pen.of(list(left))}"].count()'), "len(right)"]
            outputs = [Output(n, "bigint", tuple(Test(n, o, (c,)) for o, c in _COUNTS)) for n in ("a", "b")]
            early = [f"if len({pen.one('left', 'right')}) {pen.one('== 0', '> 1')}:",
                     f'    return pd.DataFrame({{"{key}": [], "a": [], "b": []}})']  # fmt: skip
            made = f'return pd.DataFrame({{"{key}": [{this}], "a": [{sizes[0]}], "b": [{sizes[1]}]}})'
            return [*(early if pen.chance(25) else []), made], [Output(key, left[key]), *outputs]
        case "left":
            types = {n: t for n, t in left.items() if t in CONSTANTS}
            step = pen.one(
                "", f"left = left[{mask(pen, 'left', types)}]", "left = left.head(1)",
                f'left = left.sort_values("{pen.of(list(left))}")', "left = left.head(len(right))",
                f"left = left.fillna({pen.one(0, 1)})",
            )  # fmt: skip
            outputs = [Output(key, left[key]), *(Output(n, t) for n, t in left.items() if n != key)]
            return [*([step] if step else []), "return left"], outputs
        case "merge":
            rename = [f'right = right.rename(columns={{"{theirs}": "{key}"}})'] if theirs != key else []
            how = pen.one("inner", "left", "outer", "right")
            outputs = [Output(n, t) for n, t in {**{key: left[key]}, **left, "o": right["o"]}.items()]
            by = pen.one(f'on="{key}"', f'on=["{key}"]')
            return [*rename, f'return left.merge(right, {by}, how="{how}")'], outputs
        case "concat":
            theirs_too = f'right.rename(columns={{"{theirs}": "{key}"}})[["{key}"]]'
            return [f'return pd.concat([left[["{key}"]], {theirs_too}])'], [Output(key, left[key])]
    odd = pen.one(f"{this}", "None", f'left["{key}"].max()', f'left["{pen.of(list(left))}"].max()')
    if left[key] in CONSTANTS and left[key] not in ("string", "boolean"):
        odd = pen.one(odd, f"{this} + 1", f"-{this}")
    counted = Output("a", "bigint", tuple(Test("a", o, (c,)) for o, c in _COUNTS))
    return [f'return pd.DataFrame({{"{key}": [{odd}], "a": [len(left)]}})'], [Output(key, left[key]), counted]
