"""Large files of several sorts, made of the programs of this repository."""

from __future__ import annotations

import ast
import builtins
import random
import re
import textwrap
from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.frontend.programs import ROOT, Program, file_of, programs

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names

_HEAD = "from pyspark.sql import SparkSession\n\nspark = SparkSession.builder.getOrCreate()\n\n\n"
_LOOKS_UP = re.compile(r"\b(?:vars|globals|locals|dir|eval|exec)\(")
_VIEWS = re.compile(r"TempView\(['\"](\w+)")
_DEMAND = re.compile(r"\b(?:collect|toPandas|count|first|head|take|cache|persist|isEmpty)\(")


def dense(lines: int) -> str:
    """Programs of every specification, each in functions: some 130 filters in 1,000 lines."""
    return file_of(lines, 1)


def functions(lines: int) -> str:
    """Programs that hand rows to the driver, each as a function."""
    return _put_together(lines, 2, [p for p in programs() if _DEMAND.search(p.body)], _as_function)


def mixed(lines: int) -> str:
    """Programs as functions, programs at the top level and functions that have nothing to do with Spark, in turn."""
    plain, number = iter(_plain_functions()), count()

    def made(program: Program, at: int) -> str:
        turn = next(number) % 8
        if turn == 0:
            return _at_top(program, at)
        return _as_function(program, at) if turn < 4 else next(plain)

    return _put_together(lines, 3, list(programs()), made)


def module_code(lines: int, seed: int = 4) -> str:
    """Programs at the top level, as in a notebook, each with variables of its own; none that looks its variables up by
    texts, or binds what the others mean as well: of those that are beside it nothing is known then."""
    alone = [p for p in programs() if not any(map(_LOOKS_UP.search, _code(p))) and not _binds_of_others(p)]
    return _put_together(lines, seed, alone, _at_top)


SORTS: dict[str, Callable[[int], str]] = {
    "dense": dense, "mixed": mixed, "functions": functions, "module": module_code,
}  # fmt: skip


def _put_together(lines: int, seed: int, known: list[Program], made: Callable[[Program, int], str]) -> str:
    order = known[:]
    random.Random(seed).shuffle(order)
    imports: dict[str, str] = {}
    parts: list[str] = []
    total = 0
    for number in count():
        program = order[number % len(order)]
        bound = {a.asname or a.name: line for line in program.imports for a in _aliases(line)}
        if any(imports.get(name, line) != line for name, line in bound.items()):
            continue
        if _replaces_operators(program):  # nothing is known of programs beside it
            continue
        imports |= bound
        parts.append(made(program, number))
        total = sum(p.count("\n") for p in parts) + len(set(imports.values()))
        if total >= lines:
            break
    return "".join(f"{line}\n" for line in sorted(set(imports.values()))) + _HEAD + "".join(parts)


def _replaces_operators(program: Program) -> bool:
    text = "\n".join([*program.imports, _definitions(program), program.body])
    return Names(Context.of(text)).patches.of_columns


def _aliases(line: str) -> list[ast.alias]:
    node = ast.parse(line).body[0]
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    return node.names


def _as_function(program: Program, number: int) -> str:
    body = f"def pipeline_{number}(spark):\n{textwrap.indent(program.body, '    ')}\n\n\n"
    return _renamed(_definitions(program) + body, program.names, number)


def _at_top(program: Program, number: int) -> str:
    stored = {
        n.id for s in ast.parse(program.body).body for n in ast.walk(s) if isinstance(n, ast.Name) and _is_bound(n)
    }
    text = _definitions(program) + program.body.rstrip("\n") + "\n\n"
    for view in sorted(set(_VIEWS.findall(text))):  # of its own as well
        text = re.sub(rf"\b{view}\b", f"{view}_{number}", text)
    return _renamed(text, (*program.names, *sorted(stored - {"spark"})), number)


def _code(program: Program) -> tuple[str, ...]:
    return *program.definitions, program.body


def _binds_of_others(program: Program) -> bool:
    """Whether ``program`` imports something inside of its code, or binds a name of Python's own."""
    nodes = [n for text in _code(program) for n in ast.walk(ast.parse(text))]
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and _is_bound(n)}
    bound |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    bound |= {n.name for n in nodes if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")}
    return any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in nodes) or any(hasattr(builtins, b) for b in bound)


def _is_bound(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _definitions(program: Program) -> str:
    return "".join(f"{d}\n\n\n" for d in program.definitions)


def _renamed(text: str, names: tuple[str, ...], number: int) -> str:
    for name in names:
        text = re.sub(rf"(?<![\w.'\"]){name}(?![\w'\"])(?!=[^=])", f"{name}_{number}", text)
    return text


def _plain_functions() -> Iterator[str]:
    """The functions of our own code, which do not speak of Spark, again and again."""
    found = []
    for path in sorted((ROOT / "server/headwater/engine").rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.parse(text).body:
            part = ast.get_source_segment(text, node) or ""
            plain = isinstance(node, ast.FunctionDef) and not node.args.defaults  # these may need an import
            if plain and 6 < part.count("\n") < 40 and "spark" not in part.lower():
                found.append(part.replace(f"def {node.name}(", f"def {node.name}_{{0}}(", 1) if "{" not in part else "")
    found = [f for f in found if f]
    for number in count():
        yield found[number % len(found)].replace("{0}", str(number)) + "\n\n\n"
