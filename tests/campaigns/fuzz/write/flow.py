"""Ways of data through the code, around the programs of ``programs``: names for every step, branches, loops, functions
and ``transform``, several consumers, outputs that are dropped or read later, and texts put together of constants.

Each program is one of ``programs`` taken apart into its calls and put together again. It need not do what that one
does: what is compared is only what the tool makes of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from .pen import Choose, Pen
from .program import Program
from .programs import write

SHAPES = ("agg", "agg", "agg", "applyInPandas", "applyInArrow", "udf", "pandas_udf")
"""Boundaries whose programs are chains of methods."""
_FUSED = ("groupBy", "groupby")
_COLUMN = re.compile(r'F\.col\("(\w+)"\)')
_SELECT = re.compile(r'\.select\(("\w+"(?:, "\w+")*)\)')
_BOUND = re.compile(r'"([^"{}%]*[<>]=? )(\d+)"')


def write_flow(choose: Choose) -> Program:
    """The program that these choices make."""
    pen = Pen(choose)
    return _Flow(pen, write(choose, pen.of(SHAPES))).program()


def _links(node: ast.expr, source: str) -> tuple[str, list[str]]:
    """``a.b(…).c(…)`` as ``a`` and ``.b(…)``, ``.c(…)``; a grouping and what is made of it are one."""
    found: list[str] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        below = node.func.value
        while isinstance(below, ast.Attribute):  # `.na.drop(…)`
            below = below.value
        if isinstance(below, ast.Name) and below.id in ("spark", "F"):
            break
        whole, inner = ast.get_source_segment(source, node) or "", ast.get_source_segment(source, below) or ""
        found.insert(0, whole[len(inner) :])
        node = below
    fused: list[str] = []
    for link in found:
        if fused and fused[-1].lstrip(".").startswith(_FUSED):
            fused[-1] += link
        else:
            fused.append(link)
    return ast.get_source_segment(source, node) or "", fused


_WAYS = """
    chain chain chain name name name same branch else loop call call transform transform lambda try with counted
    """.split()


class _Flow:
    def __init__(self, pen: Pen, base: Program) -> None:
        self.pen, self.base = pen, base
        self.head: list[str] = []
        self.lines: list[str] = []
        self.number = 0
        self.noted: list[str] = []
        self.frames = {"spark"}

    def program(self) -> Program:
        source = self.base.source
        for statement in ast.parse(source).body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._is_frame(value):
                    self._frame(name, value, source)
                case _:
                    marks = getattr(statement, "decorator_list", [])
                    start = min(m.lineno for m in (statement, *marks)) - 1
                    self.lines.append("\n".join(source.splitlines()[start : statement.end_lineno]))
        notes = "".join(f'.withColumn("{n}", F.lit({n}))' for n in self.noted)
        self.lines.append(f"result = {self._tail('result')}{notes}")
        at = max(i for i, line in enumerate(self.lines) if line.startswith(("import ", "from "))) + 1
        lines = [*self.lines[:at], "from contextlib import nullcontext", *self.head, *self.lines[at:], ""]
        return Program(f"flow {self.base.shape}", "\n".join(lines), self.base.tables)

    def _is_frame(self, value: ast.expr) -> bool:
        root = value
        while isinstance(root, (ast.Call, ast.Attribute)):
            root = root.func if isinstance(root, ast.Call) else root.value
        return isinstance(root, ast.Name) and root.id in self.frames

    def _name(self, base: str) -> str:
        self.number += 1
        return f"{base}{self.number}"

    def _constant(self, base: str, value: str) -> str:
        name = self._name(base)
        self.head.append(f"{name} = {value}")
        return name

    # --- frames

    def _frame(self, name: str, value: ast.expr, source: str) -> None:
        at, links = _links(value, source)
        for link in links:
            if ".agg(F." in link and self.pen.chance(50):
                link = link.replace(".agg(", '.agg(F.count("*").alias("hid"), ', 1)
            at = self._step(at, self._texts(link))
        if name == "result" and links and links[-1].startswith((".filter", ".where")) and self.pen.chance(12):
            at = self._second_filter(at, links[-1])
        self.frames.add(name)
        self.lines.append(f"{name} = {at}")

    def _step(self, at: str, link: str) -> str:
        """``at`` with ``link`` called on it, in one of many ways; what it is called afterwards."""
        pen, made = self.pen, at + link
        way = pen.of(_WAYS)
        name = self._name("df")
        match way:
            case "chain":
                return made
            case "name":
                self.lines.append(f"{name} = {made}")
            case "same":
                self.lines += [f"{name} = {at}", f"{name} = {name}{link}"]
            case "branch":
                flag = self._constant("FLAG", pen.one("True", "False"))
                self.lines += [f"{name} = {at}", f"if {flag}:", f"    {name} = {name}{link}"]
            case "else":
                flag = self._constant("FLAG", pen.one("True", "False"))
                self.lines += [f"if {flag}:", f"    {name} = {made}", "else:", f"    {name} = {pen.one(made, at)}"]
            case "loop":
                items = pen.one('["once"]', '["a", "b"]', "[]", "range(1)")
                self.lines += [f"{name} = {at}", f"for item in {items}:", f"    {name} = {name}{link}"]
            case "call" | "transform":
                step = self._function([f"    return d{link}"])
                self.lines.append(f"{name} = " + (f"{step}({at})" if way == "call" else f"{at}.transform({step})"))
            case "counted":
                seen, note = self._constant("seen", "[]"), self._name("note")
                step = self._function([self._counting("d", seen), f"    return d{link}"])
                self.noted.append(note)
                self.lines += [f"{name} = {step}({at})", f"{note} = {seen}[0]"]
            case "lambda":
                self.lines.append(f"{name} = {at}.transform(lambda d: d{link})")
            case "try":
                self.lines += ["try:", f"    {name} = {made}", "except ValueError:", f"    {name} = {at}"]
            case "with":
                self.lines += ["with nullcontext():", f"    {name} = {made}"]
        if pen.chance(12):
            self._consumer(name)
        return name

    def _function(self, body: list[str]) -> str:
        name = self._name("step")
        self.lines += ["", "", f"def {name}(d):", *body, "", ""]
        return name

    def _counting(self, frame: str, seen: str) -> str:
        return self.pen.one(
            f"    {seen}.append({frame}.count())",
            f'    {seen}.append(getattr({frame}, "count")())',
            f"    (lambda {frame}={frame}: {seen}.append({frame}.count()))()",
            f"    def look({frame}={frame}):\n        {seen}.append({frame}.count())\n\n    look()",
        )

    def _consumer(self, frame: str) -> None:
        """Another reader of ``frame``, whose rows show in the result."""
        note = self._name("note")
        self.noted.append(note)
        self.lines += self.pen.one(
            [f"{note} = {frame}.count()"],
            [f'{note} = getattr({frame}, "count")()'],
            [f"{note} = (lambda: {frame}.count())()"],
            [f"{note} = [d.count() for d in [{frame}]][0]"],
            [f'box = {{"frame": {frame}}}', f'{note} = box["frame"].count()'],
            [f"{note} = ({frame}.count if {frame} is not None else print)()"],
            ["", "", f"def look{note}(d={frame}):", "    return d.count()", "", "", f"{note} = look{note}()"],
            [f"other = {frame}", f"{note} = other.count()"],
            ["class Box:", f"    {note} = {frame}.count()", "", "", f"{note} = Box.{note}"],
        )

    def _second_filter(self, at: str, link: str) -> str:
        """What another filter of the same frame keeps, beside what the last one does."""
        shared = self._name("df")
        if at.endswith(link):
            at = at[: -len(link)]
        self.lines.append(f"{shared} = {at}")
        other = re.sub(r"\b\d+\b", lambda m: str(int(m[0]) + self.pen.upto(0, 2) - 1), link)
        self.lines += [f"one = {shared}{link}", f"other = {shared}{other}"]
        return "one.unionByName(other)"

    def _tail(self, at: str) -> str:
        """What becomes of the result: which of its columns anybody reads."""
        pen = self.pen
        names = list(dict.fromkeys(re.findall(r'alias\("(\w+)"\)', "\n".join(self.lines))))
        if not names or not pen.chance(60):
            return at
        name = pen.of(names)
        if pen.often(50):
            self.lines.append(f"last = {at}")
            at = "last"
        return at + pen.one(
            f'.select("{name}")',
            '.select("k")',
            f'.select("k", "{name}")',
            f'.drop("{name}")',
            f'.selectExpr("k", "{name} AS seen")',
            f'.select(*["k", "{name}"])',
            f'.select([F.col(c) for c in ["k", "{name}"]])',
            f'.select(F.col("{name}").alias("k"))',
            f'.withColumn("{name}", F.lit(1))',
            f'.groupBy("k").agg(F.max("{name}").alias("top"))',
            '.groupBy("k").agg(F.count("*").alias("top"))',
            f'.drop("{name}").withColumn("{name}", F.lit(2))',
            f'.filter(F.col("{name}").isNotNull()).select("k")',
            f'.orderBy("{name}").select("k")',
        )

    # --- texts

    def _texts(self, link: str) -> str:
        """``link`` with its texts put together of constants, which may change on the way."""
        for pattern, spelled in ((_COLUMN, self._column), (_SELECT, self._select), (_BOUND, self._bound)):
            if self.pen.often(25):
                link = pattern.sub(spelled, link, count=1)
        return link

    def _column(self, found: re.Match[str]) -> str:
        name = self._constant("COL", f'"{found[1]}"')
        if self.pen.chance(10):
            self.lines.append(f'{name} = "k"')
        return f"F.col({self.pen.one(name, f'f{chr(34)}{{{name}}}{chr(34)}', f'{chr(34)}%s{chr(34)} % {name}')})"

    def _select(self, found: re.Match[str]) -> str:
        name = self._constant("COLS", f"[{found[1]}]")
        for change in (f'{name}.append("k")', f'more = {name}\nmore.append("k")', f"{name} = {name}[:1]"):
            if self.pen.chance(5):
                self.lines.append(change)
        return f".select({self.pen.one(name, f'*{name}', f'*[F.col(c) for c in {name}]', f'[c for c in {name}]')})"

    def _bound(self, found: re.Match[str]) -> str:
        name = self._constant("BOUND", found[2])
        if self.pen.chance(10):
            self.lines.append(f"{name} = {int(found[2]) + 1}")
        return self.pen.one(f'f"{found[1]}{{{name}}}"', f'"{found[1]}%s" % {name}', f'"{found[1]}{{}}".format({name})')


Writer = Callable[[Choose], Program]
