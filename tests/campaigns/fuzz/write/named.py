"""Columns that are told by the name of their frame, and fields of structs in functions of rows."""

from __future__ import annotations

from dataclasses import replace

from .conditions import CONSTANTS, Output, Style, Test, as_column, condition, random_test
from .grouped import Boundary
from .pen import Pen
from .sets import of_table, quoted, whole
from .tables import Source


def qualified(pen: Pen, source: Source) -> Boundary:
    """``df.alias("a").join(other.alias("b"), …).filter(F.col("b.m") > 1)``, though both have such a column."""
    base = whole(pen, source)
    mine = base.outputs
    types = of_table(source)
    one, two = pen.one(("a", "b"), ("b", "a"), ("t", "u"), ("k", "m"))
    theirs = [Output("k", source.types["k"])]
    named = pen.of([n for n in types if n != "k"])
    value = pen.one(mine[-1].name, mine[-1].name, "o")
    if value != "k":
        theirs.append(Output(value, types[named]))
    other = 'spark.table("t").select("k")' if value == "k" else (
        f'spark.table("t").select("k", F.col("{named}").alias("{value}"))')  # fmt: skip
    if value != "k" and pen.chance(40):
        other = f'spark.table("t").groupBy("k").agg(F.{pen.one("max", "min")}("{named}").alias("{value}"))'
    left, right = f'{base.call}.alias("{one}")', f'{other}.alias("{two}")'
    sides = {one: mine, two: theirs}
    if pen.chance(15):
        left = f'{base.call}.alias("z").alias("{one}")'
    elif pen.chance(12):
        gone = pen.of(mine[1:] or mine)
        if pen.chance(70):  # nothing has that name any more
            sides[one] = [o for o in mine if o is not gone]
        left += f'.withColumn("{gone.name}", {_again(pen, gone)})'
    elif pen.chance(15):
        left += f".select({quoted([o.name for o in mine])})"
    keys = [o for o in mine if o.type == source.types["k"]]
    meets = [f'F.col("{one}.{o.name}") == F.col("{two}.k")' for o in keys if o.name == "k"]
    meets = meets or [f'F.col("{one}.{o.name}") == F.col("{two}.k")' for o in keys]
    if pen.chance(15) and mine[-1].type == theirs[-1].type:
        meets = [f'F.col("{one}.{mine[-1].name}") {pen.one("<", ">=", "==")} F.col("{two}.{theirs[-1].name}")']
    how = pen.one("inner", "inner", "left", "right", "full", "left_semi", "left_anti")
    on = pen.of(meets) if meets else f'F.col("{two}.k").isNotNull()'
    first = pen.chance(60)
    call = f'{left}.join({right}, {on}, "{how}")' if first else f'{right}.join({left}, {on}, "{how}")'
    if how in ("left_semi", "left_anti"):
        sides = {one: sides[one]} if first else {two: theirs}
    if pen.chance(15) and "third" not in types:
        owner = next(iter(sides))
        if any(o.name == "k" for o in sides[owner]):
            third = 'spark.table("t").select("k").distinct().alias("w2")'
            call += f'.join({third}, F.col("{owner}.k") == F.col("w2.k"))'
            sides = {**sides, "w2": [Output("k", source.types["k"])]}
    told = [replace(o, name=f"{label}.{o.name}", likely=_under(o, f"{label}.{o.name}"))
            for label, outputs in sides.items() for o in outputs]  # fmt: skip
    if not told:
        return base
    asked = [pen.of(told), *(o for o in told if o.name.startswith(f"{one}."))]
    c = condition(pen, asked, 1)
    test = as_column(pen, c, Style("F."))
    if pen.chance(70):
        call += f".filter({test})"
    shown: list[str] = []
    outputs: list[Output] = []
    for number, o in enumerate(told):
        name = o.name.split(".")[1]
        name = name if name not in {p.name for p in outputs} else f"{name}_{number}"
        shown.append(f'F.col("{o.name}").alias("{name}")')
        outputs.append(replace(o, name=name, likely=_under(o, name)))
    return replace(base, call=f"{call}.select({', '.join(shown)})", outputs=outputs)


def _under(o: Output, name: str) -> tuple[Test, ...]:
    return tuple(replace(t, column=name) for t in o.likely)


def _again(pen: Pen, o: Output) -> str:
    x = f'F.col("{o.name}")'
    return f"{x} + 1" if o.type in ("int", "bigint", "double") else f"F.coalesce({x}, F.lit({CONSTANTS[o.type][0]!r}))"


def struct_rows(pen: Pen, source: Source) -> Boundary:
    """``df.rdd.map(lambda r: (r["item"]["x"], r.k)).filter(…)``: a ``Row`` inside of a ``Row``."""
    names = [n for n in source.types if n != "k"]
    inside = pen.some(names, 1, 3)
    types = dict(source.types)
    own_key = not pen.chance(12)
    texts = {n: f'"{n}"' for n in inside}
    if not own_key:  # a field that is called as a column beside it
        old, inside = inside[0], ["k", *inside[1:]]
        types["k"], texts["k"] = types[old], f'F.col("{old}").alias("k")'
    deep = pen.of(inside) if len(inside) > 1 and pen.chance(35) else None
    plain = [n for n in inside if n != deep]
    cells = [texts[n] for n in plain]
    if deep:
        cells.append(f'F.struct({texts[deep]}).alias("part")')
    made = f"F.struct({', '.join(cells)})"
    test = random_test(pen, pen.of([Output(n, t) for n, t in source.types.items()]))
    missing = pen.chance(30)
    if missing:
        made = f"F.when({as_column(pen, test, Style('F.'))}, {made})"
    label = pen.one("item", "item", "x") if "x" not in inside else "item"
    call = f'{{}}.select("k", {made}.alias("{label}"))'
    if missing and pen.chance(30):
        call += f'.filter(F.col("{label}").isNotNull())'
    if pen.chance(10 if own_key else 60):
        call += f'.alias("{pen.one(label, "rows")}")'

    def read(owner: str, n: str) -> str:
        part = pen.one(f'{owner}["part"]', f"{owner}.part") if n == deep else owner
        return pen.one(f'{part}["{n}"]', f"{part}.{n}")

    outputs = [Output(n, types[n]) for n in inside]
    key = [Output("k", source.types["k"])] if own_key else []
    item = pen.one(f'r["{label}"]', f"r.{label}")
    at: dict[str, str] = {}
    body: list[str] = []
    match pen.one("map", "map", "map", "struct", "rows", "caught"):
        case "map":
            listed = [read(item, n) for n in inside]
            call += f".rdd.map(lambda r: ({', '.join([*listed, 'r.k'])}))"
            at = {"k": f"kv[{len(inside)}]", **{n: f"kv[{i}]" for i, n in enumerate(inside)}}
            outputs += key
        case "struct":
            call += f".rdd.map(lambda r: {item})"
            at = {n: read("kv", n) for n in inside}
        case "rows":
            call += ".rdd"
            at = {"k": "kv.k", **{n: read(pen.one(f'kv["{label}"]', f"kv.{label}"), n) for n in inside}}
            outputs += key
        case _:
            n = pen.of(inside)
            caught = pen.one("TypeError", "(KeyError, TypeError)", "ValueError")
            other = repr(pen.of(CONSTANTS[types[n]])).replace("'", '"')
            body = ["def made(r):", "    try:", f"        return ({read(item, n)}, r.k)", f"    except {caught}:",
                    f"        return ({other}, r.k)"]  # fmt: skip
            call += ".rdd.map(made)"
            at = {"k": "kv[1]", n: "kv[0]"}
            outputs = [Output(n, types[n]), *key]
    return Boundary(body, call, outputs, (), True, tuple(at.items()))
