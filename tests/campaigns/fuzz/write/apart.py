"""Frames that others read as well: shown, counted, checkpointed, and then filtered."""

from __future__ import annotations

import re

from .conditions import Output, condition
from .grouped import Boundary
from .program import Program
from .ways import Way

_NUMBERS = ("double", "bigint", "int")


class OwnBranch(Way):
    """``best.show()``, and then ``best.filter(…)``; what ``best`` is made of may have changed in between."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        self.chain = 'spark.table("t")'
        self._below()
        self._named("df")
        if not self.chain.isidentifier():
            raise AssertionError(self.chain)
        frame = self.chain
        boundary = self.make(pen, self.source)
        outputs = list({o.name: o for o in boundary.outputs}.values())
        numbers = [n for n, t in self.source.types.items() if t in _NUMBERS and n != "k"]
        odd = pen.one(
            *[""] * 12, "rebound", "rebound", "number", "list", "cached", "loop", "column", "later", "own name"
        )
        chain = frame
        if odd == "number" and numbers:
            self.lines.append("bonus = 1")
            x = pen.of(numbers)
            chain += f'.withColumn("{x}", F.col("{x}") + bonus)'
        elif odd == "list":
            self.lines.append(f'columns = ["{pen.of(list(self.source.types))}"]')
            chain += ".dropna(subset=columns)"
        name = frame if odd == "own name" else "best"
        made = boundary.call.format(chain)
        if "asTable" in boundary.call and chain != frame:
            made = boundary.call.format(frame)
        if pen.chance(25):
            self.lines.append(f"first = {made}")
            made = 'first.withColumn("w2", F.lit(1))' if pen.chance(50) else "first.distinct()"
        self.lines.append(f"{name} = {made}{'.cache()' if odd == 'cached' else ''}")
        seen = pen.one(f"seen = {name}.count()", f"seen = {name}.count()", f"{name}.printSchema()",
                       f"seen = len({name}.collect())", f"{name}.count()")  # fmt: skip
        self.lines.append(seen)
        between = {
            "rebound": f"{frame} = {frame}.{pen.one('limit(0)', 'filter(F.lit(False))', 'distinct()', 'dropna()')}",
            "number": "bonus = 2", "list": f'columns.append("{pen.of(list(self.source.types))}")',
            "later": f"{name}.cache()",
        }.get(odd if odd != "number" or numbers else "")  # fmt: skip
        if between:
            self.lines.append(between)
        if pen.chance(20):
            self.lines.append(f"seen = {name}.count()")
        asked = self.spelled(condition(pen, boundary.outputs, 1))
        if pen.chance(30):
            asked = asked.replace('F.col("', f'{name}["')
            asked = asked.replace('")', '"]') if f'{name}["' in asked else asked
        line = f"high = {name}.filter({asked})"
        if odd == "loop":
            self.lines += ["for turn in range(2):", f"    {line}", f"    {frame} = {frame}.distinct()"]
        else:
            self.lines.append(line)
        self.chain = "high"
        if pen.chance(20):
            o = pen.of(outputs)
            self.chain += f".filter({self.spelled(condition(pen, [o], 1))})"
        if odd == "column":
            self.chain = pen.one(
                f"high.select({name}.{outputs[0].name})", f"high.union({name})", f"high.unionByName({name})"
            )
        elif pen.chance(45):
            self.lines.append(f"total = {name}.count()")
            self.chain += '.withColumn("of", F.lit(total))'
        return self._finish(boundary, table)


class Checkpointed(Way):
    """``best.localCheckpoint().filter(…)``, with who else reads it and numbers that change meanwhile."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        boundary, _ = self.made()
        numbers = [o for o in boundary.outputs if o.type in _NUMBERS and o.name != "k"]
        keep = pen.one("localCheckpoint()", "localCheckpoint()", "checkpoint()", "checkpoint(eager=False)", "persist()",
                       "localCheckpoint(False)")  # fmt: skip
        bound = numbers and pen.chance(30)
        if bound:
            self.lines.append(pen.one("least = 1", 'least = spark.table("t").count()'))
        self.chain += f".{keep}"
        if pen.chance(15):
            self.chain += pen.one(".distinct()", '.orderBy("k")' if "k" in self._names(boundary) else ".distinct()")
        self.lines.append(f"kept = {self.chain}")
        if bound and pen.chance(50):
            self.lines.append(pen.one("least = 3 * least - 5", "least = 90", "least = -1"))
        if pen.chance(15):
            self.lines.append("seen = kept.count()")
        asked = self.spelled(condition(pen, boundary.outputs, 1))
        if bound:
            asked = f'F.col("{pen.of(numbers).name}") {pen.one(">=", ">", "<")} least'
        self.chain = f"kept.filter({asked})"
        if pen.chance(15):
            self.chain += '.withColumn("of", F.lit(kept.count()))'
        return self._finish(boundary, table)

    @staticmethod
    def _names(boundary: Boundary) -> set[str]:
        return {o.name for o in boundary.outputs}


class UnnamedKeys(Way):
    """A function that is given the columns to group by."""

    def program(self) -> Program:
        """The program."""
        pen, table = self.pen, self.source.table
        self.chain = 'spark.table("t")'
        self._below()
        boundary = self.make(pen, self.source)
        call = boundary.call
        if "groupBy" not in call:
            call = call.replace("{}", '{}.groupBy("k")', 1)
        parameter, keys, given = pen.one(
            ("keys", "*keys", '["k"]'), ("keys", "*keys", '["k"]'), ("keys", "keys", '["k"]'),
            ("key: str", "key", '"k"'), ("key: str", "key", '"k"'), ("*keys", "*keys", '"k"'),
            ("keys=()", "*keys", '["k"]'), ("keys=()", "*keys", "[]"),
            ("keys", "*keys", f'["k", "{pen.of([n for n in self.source.types if n != "k"])}"]'),
        )  # fmt: skip
        call = re.sub(r'groupBy\((?:"k"|F\.col\("k"\))\)', f"groupBy({keys})", call, count=1)
        outputs = [o for o in boundary.outputs if o.name != "k"] or [Output("k", self.source.types["k"])]
        lines = [f"grouped = {call.format('d')}"]
        if pen.chance(20):
            lines.append("grouped = grouped.distinct()")
        lines.append(f"return grouped.filter({self.spelled(condition(pen, outputs, 1))})")
        self.lines += ["", "", f"def best(d, {parameter}):", *(f"    {line}" for line in lines), "", ""]
        self.chain = f"best({self.chain}, {given})" if given != "[]" else f"best({self.chain})"
        return self._finish(boundary, table)
