"""Programs of more than one chain: several consumers of a frame, methods that assign ``self.df``, functions that are
left early, filters that are marked as pre-filters, filters that contradict or imply those before them."""

from __future__ import annotations

from dataclasses import replace

from .conditions import Condition, Output, Style, Test, as_column, as_sql, condition, random_test
from .grouped import Boundary
from .program import Program
from .programs import Composer

_NUMBERS = ("double", "bigint", "int")


class Way(Composer):
    """What all of them share."""

    def made(self) -> tuple[Boundary, list[Output]]:
        """A boundary over the table, in ``chain``; and its outputs."""
        self.chain = 'spark.table("t")'
        self._below()
        boundary = self.make(self.pen, self.source)
        if "asTable" in boundary.call:
            self._named("df")
        self.chain = boundary.call.format(self.chain)
        return boundary, list({o.name: o for o in boundary.outputs}.values())

    def spelled(self, c: Condition) -> str:
        """A condition as an argument of ``filter``."""
        return f'"{as_sql(self.pen, c)}"' if self.pen.often(30) else as_column(self.pen, c, Style("F."))


class TwoConsumers(Way):
    """``high = best.filter(…)``, ``good = best.filter(…)``, and what becomes of both."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        boundary, outputs = self.made()
        self.lines.append(f"best = {self.chain}")
        first = condition(pen, [*boundary.outputs], 1)
        names = []
        for i in range(pen.one(2, 2, 2, 3)):
            asked = first if i == 0 else self._near(first) if pen.chance(70) else condition(pen, [*boundary.outputs], 1)
            sort = '.orderBy("k")' if any(o.name == "k" for o in outputs) else ".cache()"
            between = pen.one(".distinct()", sort, ".distinct()") if i and pen.chance(10) else ""
            names.append(f"part{i}")
            self.lines.append(f"part{i} = best{between}.filter({self.spelled(asked)})")
        shown = [o.name for o in outputs]
        if len(shown) > 1 and pen.chance(45):
            shown = pen.some(shown, 1, len(shown) - 1)
            listed = ", ".join(f'"{n}"' for n in shown)
            self.lines += [f"{n} = {n}.select({listed})" for n in names]
        word = pen.one("union", "unionByName", "union", "intersect", "subtract")
        self.chain = names[0] + "".join(f".{word}({n})" for n in names[1:])
        if pen.chance(15):
            self.chain += f'.withColumn("of", F.lit({pen.one("best", names[1])}.count()))'
        return self._finish(boundary, table)

    def _near(self, c: Condition) -> Condition:
        """The same test at another bound, or another way round."""
        number = isinstance(c, Test) and c.values and type(c.values[0]) in (int, float)
        if isinstance(c, Test) and number:
            by = self.pen.one(-1, 1, 2, -2, 0)
            op = c.op if self.pen.chance(80) else {">": "<", ">=": "<", "<": ">", "<=": ">"}.get(c.op, c.op)
            return Test(c.column, op, (c.values[0] + by, *(v + by for v in c.values[1:])))
        return c


class Method(Way):
    """A class whose method assigns ``self.df`` step by step."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        boundary, outputs = self.made()
        chain, call = self.chain, boundary.call
        below = chain[: chain.index(call[2:].format())] if call.startswith("{}") else None
        number = [o.name for o in outputs if o.type in _NUMBERS and o.name != "k"]
        run = [f"self.df = {below}", f"self.df = self.df{call[2:].format()}"] if below else [f"self.df = {chain}"]
        methods: list[str] = []
        odd = pen.one(*[""] * 9, "note", "note", "tidy", "override", "alias", "property", "branch", "late", "replaced")
        x = pen.of(number) if number else ""
        if odd in ("tidy", "override", "property", "replaced") and not x:
            odd = "note"
        change = f'.withColumn("{x}", -F.col("{x}"))' if x else ""
        head = [
            "def __init__(self):",
            "    self.seen = 0",
            *(["    self.tidy = lambda df: df"] if odd == "replaced" else []),
        ]
        match odd:
            case "note":
                methods = [
                    "def note(self):",
                    f"    self.seen = {pen.one('self.df.count()', 'len(self.df.columns)')}",
                    "",
                ]
                run.append("self.note()")
            case "tidy" | "override" | "replaced":
                inner = pen.one("df", f"df{change}")
                methods = ["def tidy(self, df):", f"    return {inner}", ""]
                run.append("self.df = self.tidy(self.df)")
            case "alias":
                run = ["same = self", *run, 'same.df = same.df.filter("k IS NOT NULL")' if x else "same.df = same.df"]
            case "property":
                methods = ["@property", "def least(self):", f"    self.df = self.df{change}", "    return 3", ""]
                run.append("least = self.least")
            case "branch":
                run += [
                    f"if {pen.one('self.seen', 'not self.seen')}:",
                    f"    self.df = self.df{pen.one('.distinct()', change)}",
                ]
        if pen.chance(25):
            o = pen.of(outputs)
            run.append(
                f"self.df = self.df{pen.one(f'.orderBy({chr(34)}{o.name}{chr(34)})', '.distinct()', '.cache()')}"
            )
        test = self.spelled(condition(pen, boundary.outputs, 1))
        run.append(f"self.df = self.df.filter({test})" if pen.chance(80) else f"self.high = self.df.filter({test})")
        run.append("return self.df" if run[-1].startswith("self.df") else "return self.high")
        body = [*head, "", *methods, "def run(self, spark):", *(f"    {line}" for line in run)]
        self.lines += ["", "", "class Job:", *(f"    {line}" if line else "" for line in body), "", ""]
        name = "Job"
        if odd == "override":
            self.lines += [
                "class Upside(Job):",
                "    def tidy(self, df):",
                f"        return df{pen.one(change, '')}",
                "",
                "",
            ]
            name = pen.one("Upside", "Upside", "Job")
        self.lines.append(f"job = {name}()")
        if pen.chance(20):
            self.lines.append(f"job.tidy = lambda df: df{change}")
        self.chain = "job.run(spark)"
        if odd == "late":
            self.lines.append(f"result = {self.chain}")
            self.chain = 'result.withColumn("of", F.lit(job.df.count()))'
        if odd == "note":
            self.lines.append(f"result = {self.chain}")
            self.chain = 'result.withColumn("of", F.lit(job.seen))'
        return self._finish(boundary, table)


class EarlyReturn(Way):
    """A function of frames with two ways to return, below or above the boundary."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        self.chain = 'spark.table("t")'
        self._below()
        boundary = self.make(pen, self.source)
        outputs = list({o.name: o for o in boundary.outputs}.values())
        where = pen.one("below", "below", "below", "above", "around")
        columns = [Output(n, t) for n, t in self.source.types.items()] if where == "below" else outputs
        numbers = [o for o in columns if o.type in _NUMBERS and o.name != "k"]
        call = "d" if where == "below" else boundary.call.format("d") if where == "around" else "d"
        if "asTable" in boundary.call:
            call, where = "d", "below"
        ways = [call, self._other(call, numbers)]
        if pen.chance(50):
            ways.reverse()
        test = pen.one("flag", "flag", "not flag", "d.count() > 3", "len(d.columns) > 2")
        default = pen.one("False", "True")
        name = "step"
        self.lines += ["", "", f"def {name}(d, flag={default}):", f"    if {test}:", f"        return {ways[0]}",
                       f"    return {ways[1]}", "", ""]  # fmt: skip
        given = pen.one("", "", ", True", ", flag=False", ", False")
        if where == "below":
            self._named("df")
            self.chain = boundary.call.format(f"{name}({self.chain}{given})")
            if "asTable" in boundary.call:
                self.lines.append(f"rows = {name}({self.lines[-1].split(' = ')[0]}{given})")
                self.chain = boundary.call.format("rows")
        elif where == "above":
            self.chain = f"{name}({boundary.call.format(self.chain)}{given})"
        else:
            self.chain = f"{name}({self.chain}{given})"
        self.lines.append(f"made = {self.chain}")
        self.chain = "made"
        self._filters(boundary.outputs)
        return self._finish(boundary, table)

    def _other(self, call: str, numbers: list[Output]) -> str:
        pen = self.pen
        if not numbers:
            return f"{call}.distinct()"
        o = pen.of(numbers)
        return pen.one(
            f'{call}.withColumn("{o.name}", -F.col("{o.name}"))',
            f"{call}.filter({as_column(pen, random_test(pen, o), Style('F.'))})",
            f"{call}.distinct()",
            f'{call}.withColumn("{o.name}", F.col("{o.name}").cast("double"))',
            f'{call}.dropna(subset=["{o.name}"])',
        )


class Marked(Way):
    """A filter that is marked as a pre-filter, a boundary, and a filter that may imply it."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        self.chain = 'spark.table("t")'
        if pen.chance(25):
            self._below()
        columns = [Output(n, t) for n, t in self.source.types.items() if n != "k" or pen.chance(20)]
        boundary = self.make(pen, self.source)
        asked = condition(pen, boundary.outputs, 1)
        values = asked.values if isinstance(asked, Test) else ()
        o = pen.of(columns)
        test: Condition = random_test(pen, o)
        same = [
            c
            for c in columns
            if values and type(values[0]) is {"double": float, "string": str, "boolean": bool}.get(c.type, int)
        ]
        if same and pen.chance(70):
            assert isinstance(asked, Test)
            test = Test(pen.of(same).name, asked.op, values)
        mark = "  # headwater: prefilter"
        self.lines.append(f"rows = {self.chain}.filter({self.spelled(test)}){mark}")
        if pen.chance(30):
            self.lines.append(f"rows = rows.filter({self.spelled(condition(pen, columns, 1))})")
        self.lines.append(f"made = {boundary.call.format('rows')}")
        self.chain = "made"
        self._filter(asked)
        return self._finish(boundary, table)


class ConstantAbove(Way):
    """Filters above operators that contradict those before them, or follow from them."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        boundary, outputs = self.made()
        o = pen.of(outputs)
        test = random_test(pen, o)
        self.chain += f".filter({self.spelled(test)})"
        between = pen.one("", "", "rename", "negate", "fill", "union", "sort", "distinct", "replace")
        x = f'F.col("{o.name}")'
        number = o.type in _NUMBERS
        match between:
            case "negate" if number:
                self.chain += f'.withColumn("{o.name}", -{x})'
            case "fill" if number:
                self.chain += f".fillna({pen.one(0, 1, -1)})"
            case "replace" if number:
                self.chain += f".replace(1, {pen.one(0, 90)})"
            case "union":
                self._named("out")
                self.chain += (
                    f".union({self.chain})"
                    if pen.chance(50)
                    else f'.unionByName({self.chain}.filter("k IS NULL OR true"))'
                )
            case "sort":
                self.chain += f'.orderBy("{o.name}")'
            case "distinct":
                self.chain += ".distinct()"
            case "rename" if o.name != "k":
                self.chain += f'.withColumnRenamed("{o.name}", "w")'
                o = replace(o, name="w")
        second: Condition = random_test(pen, o)
        if test.values and pen.chance(75):
            op = pen.one(">", "<", ">=", "<=", "==", "!=", "null", "present")
            second = Test(o.name, op, () if op in ("null", "present") else (test.values[0],))
            if o.type == "boolean":
                second = Test(o.name, pen.one("==", "!=", "null", "present"), test.values[:1])
                second = second if second.op in ("==", "!=") else Test(o.name, second.op)
        self.chain += f".filter({self.spelled(second)})"
        return self._finish(boundary, table)
