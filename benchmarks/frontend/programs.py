"""Large files made of the programs of this repository: those of the suite, of the examples and of the specifications.

Each program becomes one pipeline of the file: its functions and classes stand at the top level under names of their
own, the rest in a function ``pipeline_N``, and the imports of all come first.
"""

from __future__ import annotations

import ast
import random
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.pyspark_methods import FRAME, GROUPED
from headwater.syntax.names.resolve import Names

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"[ \t]*# (?:expect|wrong|kind|why|G):.*")
_SETS = re.compile(r"\.\w+\s*=[^=]|setattr|\bdel\b")
_LEFT_OUT = (
    "exec(", "eval(", "globals(", "setattr(", "global ", "conf.set", "ansi.enabled", "import *", "# headwater",
    "__exit__", "collat", "COLLAT", "StringType(\"", "session_window",
)  # fmt: skip
"""What would concern the whole file in which a program comes to stand."""


@dataclass(frozen=True)
class Program:
    """The parts of one program as text."""

    imports: tuple[str, ...]
    definitions: tuple[str, ...]
    names: tuple[str, ...]
    body: str


def file_of(lines: int, seed: int = 0) -> str:
    """A file of at least ``lines`` lines, and not many more: the programs in an order that ``seed`` decides."""
    order = list(programs())
    random.Random(seed).shuffle(order)
    imports: dict[str, str] = {}
    parts: list[str] = []
    number = total = 0
    while total < lines:
        program = order[number % len(order)]
        number += 1
        bound = dict(_bound(program.imports))
        if any(imports.get(name, line) != line for name, line in bound.items()):
            continue  # it gives a name another meaning
        imports |= bound
        parts.append(_pipeline(program, number))
        total = sum(p.count("\n") for p in parts) + len(set(imports.values()))
    return "".join(f"{line}\n" for line in sorted(set(imports.values()))) + "\n\n" + "".join(parts)


def _pipeline(program: Program, number: int) -> str:
    text = "".join(f"{d}\n\n\n" for d in program.definitions)
    text += f"def pipeline_{number}(spark):\n{textwrap.indent(program.body, '    ')}\n\n\n"
    for name in program.names:
        text = re.sub(rf"(?<![\w.'\"]){name}(?![\w'\"])", f"{name}_{number}", text)
    return text


def _bound(imports: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for line in imports:
        node = ast.parse(line).body[0]
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names:
            head = f"from {node.module} import" if isinstance(node, ast.ImportFrom) else "import"
            renamed = f" as {alias.asname}" if alias.asname else ""
            yield alias.asname or alias.name.split(".")[0], f"{head} {alias.name}{renamed}"


@cache
def programs() -> tuple[Program, ...]:
    """All programs of the repository that can stand beside others."""
    texts = [p.read_text("utf-8") for d in ("benchmarks/suite", "examples") for p in sorted((ROOT / d).rglob("*.py"))]
    for path in sorted((ROOT / "tests/mdtest").rglob("*.md"), key=lambda p: p.name):
        texts += _FENCE.findall(path.read_text("utf-8"))
    found = (_split(_EXPECTED.sub("", text)) for text in texts if not any(word in text for word in _LEFT_OUT))
    return tuple(p for p in found if p is not None and not _replaces(p))


def _replaces(program: Program) -> bool:
    """Whether ``program`` replaces a method of columns, frames or a library: nothing is known of programs beside it."""
    text = "\n".join([*program.imports, *program.definitions, program.body])
    if not _SETS.search(text):
        return False
    patches = Names(Context.of(text)).patches
    return bool(patches.of_columns or patches.of_libraries or patches.methods & (FRAME.keys() | GROUPED.keys()))


def _split(text: str) -> Program | None:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    lines = text.splitlines()
    imports, definitions, names, body = [], [], [], []
    for node in tree.body:
        decorators = getattr(node, "decorator_list", [])
        part = "\n".join(lines[min(n.lineno for n in (node, *decorators)) - 1 : node.end_lineno])
        if isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.level):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.append(part)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            definitions.append(part)
            names.append(node.name)
        else:
            body.append(part)
    return Program(tuple(imports), tuple(definitions), tuple(names), "\n".join(body)) if body else None
