"""Expressions without a model to the tool, disjunctions of which a part is implied, operators that rows pass, and
more native aggregates."""

from __future__ import annotations

from dataclasses import replace

from .conditions import CONSTANTS, Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary
from .pen import Pen
from .rows import native
from .sets import NUMBERS, quoted, whole
from .stacked import IMPORT, on_top
from .tables import Source

_COUNTS = ((">=", 2), (">", 0), (">=", 1), ("==", 2), (">", 1), ("==", 0))


def _unread(pen: Pen, columns: list[Output]) -> tuple[str, str]:
    """A column that has no meaning to the tool, and its type."""
    texts = [o.name for o in columns if o.type == "string"]
    if not texts:
        o = pen.of(columns)
        return f'F.format_string("%s!", F.col("{o.name}"))', "string"
    s = pen.of(texts)
    return pen.one((f'F.levenshtein(F.col("{s}"), F.lit("ab"))', "int"), (f'F.soundex("{s}")', "string"),
                   (f'F.octet_length("{s}")', "int"), (f'F.format_string("%s!", F.col("{s}"))', "string"))  # fmt: skip


def unread(pen: Pen, source: Source) -> Boundary:
    """Such columns below and above a boundary, and such parts of the filter."""
    base = pen.one(native, native, whole)(pen, source)
    outputs = list({o.name: o for o in base.outputs}.values())
    call = base.call
    if pen.chance(40):
        text, kind = _unread(pen, [Output(n, t) for n, t in source.types.items()])
        call = call.replace("{}", f'{{}}.withColumn("u", {text})', 1)
        if "groupBy" in call and ".agg(" in call and pen.chance(50) and "v" not in {o.name for o in outputs}:
            call = call.replace(".agg(", '.agg(F.max("u").alias("v"), ', 1) if ".alias(" in call else call
            outputs = [*outputs, Output("v", kind)] if 'alias("v"), ' in call else outputs
    if pen.chance(50) and "label" not in {o.name for o in outputs}:
        text, kind = _unread(pen, outputs)
        call += f'.withColumn("label", {text})'
        outputs = [*outputs, Output("label", kind)] if pen.chance(25) else outputs
    if pen.chance(55):
        x = pen.of(outputs)
        part = pen.one(f'F.octet_length(F.col("{x.name}").cast("string")) > 1', f'F.col("{x.name}").isNotNull()')
        if x.type == "string":
            part = pen.one(
                f'F.col("{x.name}").rlike("^a")', f'F.soundex("{x.name}") == "A000"', f'F.octet_length("{x.name}") > 1'
            )
        elif x.type in ("bigint", "int"):
            part = f'F.pmod(F.col("{x.name}"), F.lit(2)) == 0'
        first = as_column(pen, condition(pen, list(base.outputs), 0), Style("F."))
        call += f".filter({pen.one(f'({first}) & ({part})', f'({part}) & ({first})', f'({first}) | ({part})', part)})"
        if len(outputs) > 1 and pen.chance(30):
            outputs = outputs[:-1]
            call += f".select({quoted([o.name for o in outputs])})"
    return replace(base, call=call, outputs=outputs)


def implied(pen: Pen, source: Source) -> Boundary:
    """``(place = 1 AND team = 'a') OR (place = 2 AND team = 'b')`` above a window, a join or a list of elements."""
    base = on_top(
        pen.one("window", "window", "join", "explode beside", "unpivot above"), pen, source, whole(pen, source)
    )
    outputs = list({o.name: o for o in base.outputs}.values())
    mine = [o for o in outputs if o.name == "k" or pen.chance(50)] or outputs
    others = [o for o in outputs if o not in mine] or outputs
    arms = []
    for _ in range(pen.one(2, 2, 3)):
        a, b = (as_column(pen, condition(pen, [pen.of(side)], 0), Style("F.")) for side in (mine, others))
        arms.append(pen.one(f"(({a}) & ({b}))", f"(({b}) & ({a}))", f"(({a}) & ({b}))", f"({a})"))
    test = " | ".join(arms)
    if pen.chance(15):
        test = f"~({test})"
    return replace(base, call=f"{base.call}.filter({test})", outputs=outputs, imports=(*base.imports, IMPORT))


def passing(pen: Pen, source: Source) -> Boundary:
    """Operators that change nothing, or only names: ``toDF``, ``hint``, ``coalesce``, ``limit`` among them."""
    base = whole(pen, source)
    outputs, call = list(base.outputs), base.call
    for _ in range(pen.upto(1, 2)):
        o = pen.of(outputs)
        match pen.one(
            "toDF", "toDF", "withColumns", "renamed", "hint", "coalesce", "limit", "cross", "broadcast", "alias"
        ):
            case "toDF":
                names = [f"c{i}" for i in range(len(outputs))]
                if pen.chance(50):
                    names = [p.name for p in [*outputs[1:], outputs[0]]]
                call += f".toDF({quoted(names)})"
                outputs = [replace(p, name=n, likely=tuple(replace(t, column=n) for t in p.likely))
                           for p, n in zip(outputs, names, strict=True)]  # fmt: skip
            case "withColumns":
                number = [p for p in outputs if p.type in NUMBERS]
                twin = pen.of(number) if number else o
                value = f'F.col("{twin.name}") + 1' if number else f'F.upper(F.col("{o.name}").cast("string"))'
                call += f'.withColumns({{{{"z": {value}, "y2": F.lit(1)}}}})'
                if number and "z" not in {p.name for p in outputs}:
                    outputs = [*outputs, Output("z", twin.type)]
            case "renamed" if o.name + "_2" not in {p.name for p in outputs}:
                call += f'.withColumnsRenamed({{{{"{o.name}": "{o.name}_2"}}}})'
                new = replace(o, name=o.name + "_2", likely=tuple(replace(t, column=o.name + "_2") for t in o.likely))
                outputs = [new if p is o else p for p in outputs]
            case "hint":
                call += '.hint("rebalance")'
            case "coalesce":
                call += pen.one(".coalesce(1)", ".repartition(2)", f'.repartition("{o.name}")')
            case "limit":
                call += f".orderBy({quoted([p.name for p in outputs])}).limit({pen.one(1, 2, 5)})"
            case "cross" if not {"o2"} & {p.name for p in outputs}:
                call += '.crossJoin(spark.table("t").select(F.col("k").alias("o2")))'
                outputs = [*outputs, Output("o2", source.types["k"])]
            case "broadcast" if not {"j2"} & {p.name for p in outputs}:
                other = 'F.broadcast(spark.table("t").select(F.col("k").alias("j2")).distinct())'
                key = next((p for p in outputs if p.type == source.types["k"]), None)
                if key is not None:
                    call += f'.join({other}, F.col("{key.name}") == F.col("j2"), "{pen.one("inner", "left")}")'
            case "alias":
                call += '.alias("q")'
    return replace(base, call=call, outputs=outputs)


def drawn(pen: Pen, source: Source) -> Boundary:
    """A sample above a boundary, or below it: which rows it has depends on those before them."""
    base = pen.one(native, whole)(pen, source)
    sample = f".sample(fraction={pen.one(0.5, 0.7, 0.3)}, seed={pen.one(1, 2, 3)})"
    call = base.call.replace("{}", f"{{}}{sample}", 1) if pen.chance(20) else f"{base.call}{sample}"
    return replace(base, call=call)


def picks(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).agg(…)`` with sets, differences, picks, and aggregates that are computed with."""
    grouped = not pen.chance(12)
    made = [_pick(pen, source, label) for label in ("m", "p")[: pen.one(1, 1, 2)]]
    texts = ", ".join(f'{t}.alias("{o.name}")' for t, o in made)
    outputs = [o for _, o in made]
    if grouped:
        outputs = [*outputs, *outputs, Output("k", source.types["k"])]
    return Boundary([], f"{{}}{'.groupBy(' + chr(34) + 'k' + chr(34) + ')' if grouped else ''}.agg({texts})", outputs)


def dates(pen: Pen, source: Source) -> Boundary:
    """``groupBy(k).agg(max(at))``: the first and the last of dates and times."""
    made, outputs = [], []
    for label in ("m", "p")[: pen.one(1, 1, 2)]:
        name = pen.of(source.of("date", "timestamp") or ["k"])
        kind, other = source.types[name], pen.of(list(source.types))
        asked = as_column(pen, random_test(pen, Output(other, source.types[other])), Style("F."))
        word = pen.one("max", "max", "min")
        value = pen.one(f'"{name}"', f'"{name}"', f'F.when({asked}, F.col("{name}"))')
        made.append(f'F.{word}({value}).alias("{label}")')
        ops = (">=", ">") if word == "max" else ("<=", "<")
        outputs.append(Output(label, kind, tuple(Test(label, pen.of(ops), (pen.of(CONSTANTS[kind]),)) for _ in "ab")))
    key = Output("k", source.types["k"])
    return Boundary([], f'{{}}.groupBy("k").agg({", ".join(made)})', [*outputs, *outputs, key])


def union_types(pen: Pen, source: Source) -> Boundary:
    """A union of whole numbers with doubles, which makes doubles of them; filters where doubles are coarse."""
    word = pen.one("min", "max")
    ops = ("<=", "<", "==") if word == "min" else (">=", ">", "==")
    border = pen.one(2**53, 2**53 + 1, 2.0**53, -(2**53))
    own, theirs = pen.one(("n", "x"), ("n", "x"), ("n", "i"), ("i", "n"), ("x", "n"))
    out = Output("m", "double" if "x" in (own, theirs) else "bigint", (Test("m", pen.of(ops), (border,)),))
    mine = f'{{}}.groupBy("k").agg(F.{word}("{own}").alias("m"))'
    name = pen.one("m", "m", "v")
    other = f'spark.table("t").select("k", F.col("{theirs}").alias("{name}"))'
    call = f"{mine}.{pen.spell('union', 'unionAll')}({other})"
    if name == "m" and pen.chance(40):
        call = f"{mine}.unionByName({other})"
    elif name == "m" and pen.chance(30):
        call = f"{other}.union({mine})"
    return Boundary([], call, [out, out, out, Output("k", source.types["k"])])


def _pick(pen: Pen, source: Source, name: str) -> tuple[str, Output]:
    others = [n for n in source.types if n != "k"]
    numbers = source.of(*NUMBERS) or others
    x, y, s = pen.of(numbers), pen.of(numbers), pen.of(others)
    asked = as_column(pen, random_test(pen, Output(s, source.types[s])), Style("F."))
    c = pen.of(CONSTANTS[source.types[s]])
    counts = tuple(Test(name, o, (n,)) for o, n in _COUNTS)
    number = source.types[x] in NUMBERS
    match pen.one(
        "contains", "contains", "list", "distinct", "coalesce", "range", "cast", "mean", "any", "by", "lasting", "both"
    ):
        case "contains":
            return f'F.array_contains(F.collect_{pen.one("set", "list")}("{s}"), {c!r})', Output(
                name, "boolean", (Test(name, "true"),)
            )
        case "list":
            return f'F.size(F.collect_list(F.when({asked}, F.col("{s}"))))', Output(name, "int", counts)
        case "distinct":
            return f'F.countDistinct("{s}")', Output(name, "bigint", counts)
        case "coalesce":
            return f"F.coalesce(F.sum(F.when({asked}, 1)), F.lit(0))", Output(name, "bigint", counts)
        case "range" if number and source.types[y] == source.types[x]:
            return f'(F.max("{x}") - F.min("{y}"))', Output(
                name, source.types[x], (Test(name, ">", (pen.one(0, 1, 5),)),)
            )
        case "cast":
            return f'F.sum(({asked}).cast("int"))', Output(name, "bigint", counts)
        case "mean" if number:
            return f'F.mean("{x}")', Output(name, "double")
        case "any":
            return f'F.any_value("{s}"{pen.one("", ", ignoreNulls=True")})', Output(name, source.types[s])
        case "by":
            return f'F.max_by("{s}", "{x}")', Output(name, source.types[s])
        case "both" if number:
            return f'(F.max("{x}") + 1)', Output(name, source.types[x], (Test(name, ">", (pen.one(0, 1, 3),)),))
    test = f'F.last(F.when({asked}, F.col("{s}")), ignorenulls=True)'
    return test, Output(name, source.types[s], (Test(name, "present"),))
