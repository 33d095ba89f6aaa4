"""Filters of keys: of subtotals, below a native aggregate, and of functions of Arrow tables."""

from __future__ import annotations

from dataclasses import replace

from .batches import _ddl, _literal
from .bodies import indented
from .chains import key_through
from .conditions import CONSTANTS, Output, Style, Test, as_column, random_test
from .elements import explode_elements, unpivot_values, window_order
from .grouped import Boundary, grouped_in_pandas
from .pen import Pen
from .rows import _native, row_function
from .sets import of_table, quoted
from .tables import Source

_ARROW = ("import pyarrow as pa", "import pyarrow.compute as pc")


def _near(pen: Pen, name: str, kind: str) -> tuple[Test, ...]:
    """Tests of a key that keep some groups."""
    if kind == "boolean":
        return (Test(name, "true"), Test(name, "null"))
    return tuple(Test(name, pen.one("==", ">", "<=", "!="), (pen.of(CONSTANTS[kind]),)) for _ in range(2))


def totals(pen: Pen, source: Source) -> Boundary:
    """``rollup(k, n).agg(…)``, ``cube(k).count()``; filters of the keys, of their absence, of both."""
    keys = pen.some(list(source.types), 1, 3)
    listed = [pen.one(f'"{n}"', f'"{n}"', f'F.col("{n}")') for n in keys]
    outputs = [Output(n, source.types[n], _near(pen, n, source.types[n])) for n in keys]
    if pen.chance(8):
        listed[0] = f'F.upper(F.col("{keys[0]}").cast("string")).alias("{keys[0]}")'
        outputs[0] = Output(keys[0], "string", _near(pen, keys[0], "string"))
    call = f"{{}}.{pen.one('rollup', 'cube')}({', '.join(listed)})"
    if pen.chance(25):
        call += '.count().withColumnRenamed("count", "m")'
        made = [Output("m", "bigint", (Test("m", ">", (1,)), Test("m", ">=", (2,))))]
    else:
        aggregates = [_native(pen, source, label) for label in ("m", "p")[: pen.one(1, 1, 2)]]
        call += f".agg({', '.join(f'{t}.alias({chr(34)}{o.name}{chr(34)})' for t, o in aggregates)})"
        made = [o for _, o in aggregates]
    if len(outputs) > 1 and pen.chance(30):  # a subtotal alone
        here, gone = outputs[0], outputs[-1]
        if here.type != "boolean":
            test = as_column(pen, here.likely[0], Style("F."))
            missing = pen.one(
                f'F.col("{gone.name}").isNull()', f'F.coalesce(F.col("{gone.name}") == F.lit(None), F.lit(True))'
            )
            call += f".filter(({test}) & {missing})"
    return Boundary([], call, [*outputs, *outputs, *outputs, *made])


def keys_below(pen: Pen, source: Source) -> Boundary:
    """A native aggregate above another boundary; filters of its keys, and of those alone Spark takes care."""
    makers = (explode_elements, explode_elements, unpivot_values, row_function, row_function, window_order,
              grouped_in_pandas, key_through)  # fmt: skip
    base = pen.one(*makers)(pen, source)
    shown = list({o.name: o for o in base.outputs}.values())
    keys = [pen.of([*base.outputs, *base.outputs[:1]])]
    if pen.chance(25):
        keys += [o for o in [pen.of(shown)] if o.name != keys[0].name]
    call, outputs = base.call, []
    listed = []
    for o in keys:
        kind, text = o.type, f'"{o.name}"'
        if pen.chance(15):  # another column of the same name, or of a new one
            name = pen.one(o.name, "key")
            if kind == "string":
                text = f'F.{pen.one("upper", "lower", "trim")}("{o.name}").alias("{name}")'
            elif kind in ("int", "bigint", "double"):
                text = f'(F.col("{o.name}") + 1).alias("{name}")'
            else:
                text = f'F.col("{o.name}").alias("{name}")'
            outputs.append(Output(name, kind, _near(pen, name, kind)))
        elif kind == "double" and pen.chance(30):
            call = f'{call}.withColumn("{o.name}", F.col("{o.name}").cast("string"))'
            outputs.append(Output(o.name, "string", tuple(Test(o.name, "==", (v,)) for v in ("-0.0", "1.0"))))
        else:
            likely = o.likely or _near(pen, o.name, kind)
            outputs.append(replace(o, likely=likely))
        listed.append(text)
    value = pen.of(shown)
    made = pen.one(f'F.max("{value.name}")', 'F.count("*")', f'F.count("{value.name}")', f'F.min("{value.name}")')
    label = pen.one("most", "most", value.name) if value.name not in {o.name for o in outputs} else "most"
    counts = Output(label, value.type if "max" in made or "min" in made else "bigint")
    call = f'{call}.groupBy({", ".join(listed)}).agg({made}.alias("{label}"))'
    first = outputs[0]
    if first.type == "double" and pen.chance(40):  # texts of keys that are one to the grouping
        call += f'.filter(F.length(F.col("{first.name}").cast("string")) {pen.one("==", ">")} {pen.one(3, 4)})'
    elif first.type == "string" and pen.chance(30):
        call += f'.filter(F.length("{first.name}") {pen.one("==", ">", "<")} {pen.one(1, 2)})'
    return replace(base, call=call, outputs=[*outputs, *outputs, *outputs, counts])


def arrow_keys(pen: Pen, source: Source) -> Boundary:
    """``applyInArrow`` with a function of which only the key matters; of one table or two."""
    two = pen.chance(35)
    known = of_table(source)
    names = list(known if two else source.types)
    types = {n: (known if two else source.types)[n] for n in names}
    key = pen.of(["k", "k", "k", *names])
    shown = dict(types)
    lines: list[str] = []
    for _ in range(pen.upto(1, 2)):
        lines += _step(pen, key, shown, "table")
    returned = "table"
    if pen.chance(25):
        first = pen.one("key[0].as_py()", f'table["{key}"][0].as_py()') if not two else "key[0].as_py()"
        number = pen.one("table.num_rows", "table.num_rows", f'pc.count_distinct(table["{pen.of(names)}"]).as_py()')
        kinds = f'[("{key}", {_kind(types[key])}), ("size", pa.int64())]'
        rows = pen.one(f'[{{"{key}": {first}, "size": {number}}}]',
                       f'[{{"{key}": {first}, "size": n}} for n in range({number})]')  # fmt: skip
        returned = f"pa.Table.from_pylist({rows}, schema=pa.schema({kinds}))"
        shown = {key: types[key], "size": "bigint"}
    outputs = [Output(n, t, _near(pen, n, t) if n == key else ()) for n, t in shown.items()]
    here = [o for o in outputs if o.name == key] or outputs[:1]
    imports = _ARROW
    if not two:
        head = "def f(key, table):" if "key[0]" in returned or pen.chance(40) else "def f(table):"
        body = [head, *indented([*lines, f"return {returned}"])]
        call = f'{{}}.groupBy("{key}").applyInArrow(f, "{_ddl(outputs)}")'
        return Boundary(body, call, [*here * 8, outputs[-1]], imports)
    value = pen.of(names)
    other = f'spark.table("t").select("{key}", F.col("{value}").alias("o"))'
    if pen.chance(60):
        asked = random_test(pen, pen.of([Output(key, types[key]), Output("o", types[value])]))
        other += f".filter({as_column(pen, asked, Style('F.'))})"
    if returned == "table" and types[key] != "double" and pen.chance(60):
        how = pen.one("inner", "left outer", "right outer", "full outer", "left semi", "left anti")
        lines = [*lines, f'table = table.join(more, keys="{key}", join_type="{how}")']
        if key not in shown:
            lines = [lines[-1]]
            outputs = [Output(n, t, _near(pen, n, t) if n == key else ()) for n, t in types.items()]
            here = [o for o in outputs if o.name == key]
        if how not in ("left semi", "left anti"):
            outputs = [*outputs, Output("o", types[value])]
    elif returned == "table":
        lines = [f"if {pen.one('more.num_rows == 0', 'table.num_rows > more.num_rows')}:",
                 "    return table.slice(0, 0)" if shown == types else "    pass", *lines]  # fmt: skip
    head = "def f(key, table, more):" if "key[0]" in returned or pen.chance(40) else "def f(table, more):"
    body = [head, *indented([*lines, f"return {returned}"])]
    frame = f"{{}}.select({quoted(names)})"
    call = f'{frame}.groupBy("{key}").cogroup({other}.groupBy("{key}")).applyInArrow(f, "{_ddl(outputs)}")'
    return Boundary(body, call, [*here * 8, outputs[-1]], imports)


def _kind(kind: str) -> str:
    return {"double": "pa.float64()", "bigint": "pa.int64()", "int": "pa.int32()", "string": "pa.string()",
            "boolean": "pa.bool_()"}[kind]  # fmt: skip


def _step(pen: Pen, key: str, types: dict[str, str], table: str) -> list[str]:
    """Something that is done to a group's table; ``types`` are its columns, which it may change."""
    x = pen.of(list(types))
    kind = types[x]
    column = f'{table}["{x}"]'
    place = f'{table}.schema.get_field_index("{x}")'
    test = pen.one(f"pc.{pen.one('greater', 'less_equal', 'equal', 'not_equal')}({column}, {_literal(pen, kind)})",
                   f"pc.is_valid({column})", f"pc.is_null({column})")  # fmt: skip
    match pen.one("filter", "filter", "sort", "slice", "append", "set", "select", "concat", "take", "if", "odd"):
        case "filter":
            return [f"{table} = {table}.filter({test})"]
        case "sort":
            return [f'{table} = {table}.sort_by("{x}")']
        case "slice":
            return [f"{table} = {table}.slice({pen.one('0, 1', '1', '0, 2')})"]
        case "append" if "twin" not in types:
            types["twin"] = kind
            return [f'{table} = {table}.append_column("twin", {column})']
        case "set" if x != key and kind in ("int", "bigint", "double"):
            return [f'{table} = {table}.set_column({place}, "{x}", pc.negate({column}))']
        case "select" if len(types) > 2 and x != key:
            del types[x]
            return [f"{table} = {table}.select([{quoted(list(types))}])"]
        case "concat":
            return [f"{table} = pa.concat_tables([{table}, {table}])"]
        case "take":
            return [f"{table} = {table}.take([0])"]
        case "if":
            return [f"if {table}.num_rows {pen.one('< 2', '> 2')}:", f"    {table} = {table}.slice(0, 0)"]
        case "odd":
            own = f'{table}.schema.get_field_index("{key}")'
            values = f"pa.array([{_literal(pen, types[key])}] * {table}.num_rows, {_kind(types[key])})"
            twins = [n for n, t in types.items() if t == types[key] and n != key]
            swapped = [f'{table} = {table}.set_column({own}, "{key}", {values})']
            if twins and pen.chance(70):
                twin = pen.of(twins)
                renamed = [{key: twin, twin: key}.get(n, n) for n in types]
                swapped = pen.one(
                    [f"{table} = {table}.rename_columns([{quoted(renamed)}])"],
                    [f'{table} = {table}.set_column({own}, "{key}", {table}["{twin}"])'],
                )
            return swapped
    return [f'{table} = {table}.filter(pc.is_valid({table}["{key}"]))']
