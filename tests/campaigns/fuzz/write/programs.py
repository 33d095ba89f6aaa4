"""Whole programs: a source, operators, a boundary, operators, a filter, operators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from .conditions import CONSTANTS, Condition, Output, Style, Test, as_column, as_python, as_sql, condition, hoisted
from .grouped import Boundary, Make, aggregating_udf, grouped_in_arrow, grouped_in_pandas, table_function
from .pairs import pair_fold
from .pen import Choose, Pen
from .program import Program
from .rows import native, row_function
from .tables import Source, source

SHAPES: dict[str, tuple[int, Make]] = {
    "applyInPandas": (5, grouped_in_pandas), "applyInArrow": (4, grouped_in_arrow), "udtf": (4, table_function),
    "pandas_udf": (2, aggregating_udf), "rdd": (5, pair_fold), "udf": (4, row_function), "agg": (4, native),
}  # fmt: skip
"""Weight and writer of each boundary."""


@st.composite
def programs(draw: Callable[..., Any], shape: str | None = None) -> Program:
    """A program; ``shape``: through this API only."""
    return write(lambda low, high, _: draw(st.integers(low, high)), shape)


def write(choose: Choose, shape: str | None = None, plain: bool = False) -> Program:
    """The program that these choices make. ``plain``: nothing but filters around the boundary."""
    pen = Pen(choose)
    chosen = shape or pen.of([name for name, (weight, _) in SHAPES.items() for _ in range(weight)])
    given = source(pen)
    return Composer(pen, given, chosen, SHAPES[chosen][1], plain).program()


class Composer:
    """Writes a program around the boundary that ``make`` makes."""

    def __init__(self, pen: Pen, given: Source, shape: str, make: Make, plain: bool = False) -> None:
        self.pen, self.source, self.shape, self.make, self.plain = pen, given, shape, make, plain
        self.lines: list[str] = []
        self.chain = ""
        self.stated = pen.often(40)
        """Whether each operation is a statement of its own."""
        self.frames = 0
        self.variables: list[str] = []

    def program(self) -> Program:
        """The program."""
        pen = self.pen
        table = self.source.table
        self.chain = 'spark.table("t")'
        self._below()
        boundary = self.make(pen, self.source)
        if pen.often(50) or "asTable" in boundary.call:
            self._named("df")
        self.chain = boundary.call.format(self.chain)
        self._cut("out", 70)
        if boundary.rdd:
            self._python_filters(boundary)
        elif self.plain:
            self._filters(boundary.outputs)
        else:
            outputs = self._above(list(dict.fromkeys(boundary.outputs)), boundary)
            if self._reused():
                return self._finish(boundary, table)
            self._filters([*boundary.outputs, *outputs] if outputs == boundary.outputs else outputs)
            self._tail(outputs)
        return self._finish(boundary, table)

    def _finish(self, boundary: Boundary, table: object) -> Program:
        imports = [*boundary.imports, "from pyspark.sql import functions as F"]
        if any("col(" in line.replace("F.col(", "") for line in [*self.lines, self.chain]):
            imports.append("from pyspark.sql.functions import col")
        functions = [i for i in imports if i.startswith("import ")] + [
            i for i in imports if not i.startswith("import ")
        ]
        used = "\n".join(boundary.definitions) + self.chain + "\n".join(self.lines)
        if "is_big(" in used:
            functions += [
                "",
                "",
                "def is_big(v):",
                f"    return {self.pen.one('v is not None and v > 1', 'v > 1')}",
                "",
            ]
        if "LIMIT" in used:
            functions += ["", "LIMIT = 2"]
            if self.pen.chance(20):  # the functions run later, and see this
                self.lines.append("LIMIT = 1")
        body = [*functions, "", *([*["", *boundary.definitions], "", ""] if boundary.definitions else []), *self.lines]
        text = "\n".join([*body, f"result = {self.chain}", ""])
        return Program(self.shape, text, (table,))  # type: ignore[arg-type]

    # --- pieces

    def _named(self, base: str) -> str:
        """The chain so far, in a variable."""
        if self.chain.isidentifier():
            return self.chain
        self.frames += 1
        name = base if not any(line.startswith(f"{base} = ") for line in self.lines) else f"{base}{self.frames}"
        if self.frames > 1 and self.pen.often(15) and self.variables:
            name = self.variables[-1]  # df = df.filter(…)
        self.lines.append(f"{name} = {self.chain}")
        self.variables.append(name)
        self.chain = name
        return name

    def _cut(self, base: str, percent: int) -> None:
        if self.stated and self.pen.often(percent):
            self._named(base)

    def _below(self) -> None:
        """Operators between the source and the boundary."""
        pen, s = self.pen, self.source
        for _ in range(pen.one(0, 0, 0, 1, 1, 2)):
            columns = [n for n in s.types if n != "k"]
            others = () if self.plain else ("withColumn", "select", "sort", "rename")
            match pen.one("dropna", "dropna", "filter", *others):
                case "dropna" if columns:
                    chosen = pen.some(columns, 1, 2)
                    listed = ", ".join(f'"{c}"' for c in chosen)
                    self.chain += pen.spell(f".dropna(subset=[{listed}])", f".na.drop(subset=[{listed}])")
                    s.present |= set(chosen)
                    s.clean |= set(chosen)
                case "filter":
                    c = condition(pen, [Output(n, t) for n, t in s.types.items()], 1)
                    self._filter(c)
                    if isinstance(c, Test) and c.op not in ("null", "nan"):
                        s.present.add(c.column)
                case "withColumn":
                    numbers = s.of("double", "bigint", "int")
                    if numbers:
                        x = pen.of(numbers)
                        name = pen.one("z", x)
                        value, kind = self._computed(x, s.types[x])
                        self.chain += f'.withColumn("{name}", {value})'
                        s.types = {**s.types, name: kind}
                        s.nullable = {**s.nullable, name: True}
                        s.present.discard(name)
                case "select":
                    kept = ["k", *pen.some(columns, max(1, len(columns) - 1), len(columns))]
                    if any(s.types[c] in ("double", "bigint", "int") for c in kept[1:]):
                        self.chain += f".select({', '.join(repr(c) for c in kept).replace(chr(39), chr(34))})"
                        s.types = {n: s.types[n] for n in kept}
                case "sort":
                    self.chain += f'.{pen.spell("orderBy", "sort")}("{pen.of(columns)}")'
                case "rename":
                    old = pen.of(columns)
                    if "w" not in s.types and old != "z":
                        self.chain += f'.withColumnRenamed("{old}", "w")'
                        s.types = {("w" if n == old else n): t for n, t in s.types.items()}
                        s.nullable = {("w" if n == old else n): t for n, t in s.nullable.items()}
                        s.present = {"w" if n == old else n for n in s.present}
            self._cut("df", 50)
        # the table itself is written before anything below changes what is known of it

    def _computed(self, x: str, kind: str) -> tuple[str, str]:
        c = f'F.col("{x}")'
        if kind == "double":
            return self.pen.one(
                f"{c} + 1", f"{c} * 2", f"-{c}", f"F.coalesce({c}, F.lit(0.0))", f"F.when({c} > 1, {c})"
            ), kind
        return self.pen.one(f"{c} + 1", f"F.coalesce({c}, F.lit(0))", f"F.when({c} > 1, {c})", f"-{c}"), kind

    def _above(self, outputs: list[Output], boundary: Boundary) -> list[Output]:
        """Operators between the boundary and the filter."""
        pen = self.pen
        for _ in range(pen.one(0, 0, 0, 0, 1, 2)):
            plain = [o for o in outputs if o.type in ("double", "bigint", "int")]
            match pen.one("withColumn", "rename", "select", "sort", "drop", "aggregate"):
                case "withColumn" if plain:
                    o = pen.of(plain)
                    name = pen.one("z", o.name)
                    value, kind = self._computed(o.name, o.type)
                    self.chain += f'.withColumn("{name}", {value})'
                    outputs = [*(p for p in outputs if p.name != name), Output(name, kind)]
                case "rename":
                    o = pen.of(outputs)
                    if all(p.name != "w" for p in outputs):
                        self.chain += f'.withColumnRenamed("{o.name}", "w")'
                        moved = tuple(replace(t, column="w") for t in o.likely)
                        outputs = [Output("w", o.type, moved) if p == o else p for p in outputs]
                case "select" if len(outputs) > 1:
                    outputs = pen.some(outputs, 1, len(outputs))
                    self.chain += f".select({', '.join(f'{chr(34)}{o.name}{chr(34)}' for o in outputs)})"
                case "drop" if len(outputs) > 1 and "withColumn" not in boundary.call:
                    gone = pen.of(outputs)
                    outputs = [o for o in outputs if o != gone]
                    self.chain += f'.drop("{gone.name}")'
                case "sort":
                    self.chain += f'.{pen.spell("sort", "orderBy")}("{pen.of(outputs).name}")'
                case "aggregate" if plain and pen.chance(50):
                    o = pen.of(plain)
                    if pen.chance(40):
                        self._filters(outputs)
                    key = pen.of(outputs)
                    if key.type in ("double",) or key.name == o.name:
                        continue
                    self.chain += f'.groupBy("{key.name}").agg(F.max("{o.name}").alias("top"))'
                    constants = CONSTANTS[o.type]
                    outputs = [
                        Output(key.name, key.type),
                        Output("top", o.type, (Test("top", ">", (pen.of(constants),)),)),
                    ]
            self._cut("out", 50)
        return outputs

    def _filter(self, c: Condition) -> None:
        call = self._filter_call(c)  # may give the frame a name first
        self.chain += call

    def _filter_call(self, c: Condition) -> str:
        """``.filter(…)`` in one of its spellings."""
        pen = self.pen
        word = pen.spell("filter", "filter", "where")
        how = pen.spell("column", "column", "sql", "variable", "attribute", "subscript", "bare")
        if how == "sql":
            return f'.{word}("{as_sql(pen, c)}")'
        if how in ("attribute", "subscript"):
            owner = self._named("df")
            return f".{word}({as_column(pen, c, Style('F.', owner, how == 'subscript'))})"
        if pen.chance(8):
            name = f"limit{len(self.lines)}"
            c, value = hoisted(c, name)
            if value is not None:
                number = "int" if isinstance(value, int) else "float"
                self.lines.append(f"{name} = {pen.one(repr(value), f'{number}({str(value)!r})')}")
        text = as_column(pen, c, Style("" if how == "bare" else "F."))
        if how == "variable":
            self.lines.append(f"cond{self.frames} = {text}")
            return f".{word}(cond{self.frames})"
        return f".{word}({text})"

    def _filters(self, outputs: list[Output]) -> None:
        for _ in range(self.pen.one(1, 1, 1, 2)):
            self._filter(condition(self.pen, outputs))
            self._cut("out", 30)

    def _python_filters(self, boundary: Boundary) -> None:
        pen = self.pen
        if ".rdd" in self.chain and self.stated and pen.often(60):
            at = self.chain.index(".rdd") + 4
            self.lines.append(f"records = {self.chain[:at]}")
            self.chain = f"records{self.chain[at:]}"
        outputs = [*boundary.outputs, boundary.outputs[0]]
        for number in range(pen.one(1, 1, 1, 2)):
            self._cut("folded", 40)
            element = pen.spell("kv", "x", "pair")
            names = {name: text.replace("kv", element) for name, text in boundary.names}
            text = as_python(pen, condition(pen, outputs, 1), names, 25)
            match pen.spell("lambda", "lambda", "variable", "function"):
                case "lambda":
                    self.chain += f".filter(lambda {element}: {text})"
                case "variable":
                    self.lines.append(f"keep{number} = lambda {element}: {text}")
                    self.chain += f".filter(keep{number})"
                case _:
                    self.lines += ["", "", f"def keep{number}({element}):", f"    return {text}", "", ""]
                    self.chain += f".filter(keep{number})"

    def _reused(self) -> bool:
        """The frame is read twice: its second reader needs what the filter drops."""
        pen = self.pen
        if not pen.chance(6) or not self.chain.isidentifier():
            return False
        name = self.chain
        self.lines.append(f"kept = {name}.filter(F.col({self._a_column(name)}).isNotNull())")
        self.chain = f"kept.unionByName({name})"
        return True

    def _a_column(self, _: str) -> str:
        return '"k"'

    def _tail(self, outputs: list[Output]) -> None:
        """Operators above the filter."""
        pen = self.pen
        match pen.one("", "", "", "", "select", "sort", "limit", "count"):
            case "select":
                self.chain += f'.select("{pen.of(outputs).name}")'
            case "sort":
                self.chain += f'.orderBy("{pen.of(outputs).name}")'
            case "count":
                self.chain += '.agg(F.count("*").alias("rows"))'
