"""``docs/trust.md``, made of the table and of the files that there are."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.campaigns.mutation.runner import name_of, targets

from .table import CHECKERS, TABLE, Line

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "trust.md"
_ROOTS = (ROOT / "server", ROOT / "shared_ir")
MUTATED = frozenset(map(name_of, targets()))
_NUMBER = re.compile(r"(?<![^\s(])\d+(?![^\s|,;:)])")
GOAL = 12_000
"""Of lines that have none of the four guards."""

_CHECKER_WORDS = {
    "proof": "the checker", "crossings": "the checker of crossings", "validation": "translation validation",
    "edits": "the edit check", "demand": "the checker of demand", "ranges": "the checker of ranges",
}  # fmt: skip


def files() -> dict[str, Path]:
    """Every file of the product by its name in the table."""
    product = {
        p.relative_to(ROOT / "server/headwater").as_posix(): p for p in (ROOT / "server/headwater").rglob("*.py")
    }
    return product | {p.relative_to(ROOT / "shared_ir").as_posix(): p for p in (ROOT / "shared_ir").rglob("*.py")}


def line_of(name: str) -> Line | None:
    """The line of the table that counts for a file."""
    mine = [line for line in TABLE if name == line.path or name.startswith(f"{line.path}/")]
    return max(mine, key=lambda line: len(line.path), default=None)


@cache
def size(path: Path) -> int:
    """The lines of a file, blank ones aside."""
    return sum(1 for line in path.read_text("utf-8").splitlines() if line.strip())


def path_of(module: str) -> Path | None:
    """The file of a module of the product or of the tests."""
    parts = module.split(".")
    for root in (*_ROOTS, ROOT):
        for path in (root.joinpath(*parts).with_suffix(".py"), root.joinpath(*parts) / "__init__.py"):
            if path.is_file():
                return path
    return None


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The files that a file imports, wherever in it; not what it imports for types alone."""
    found: set[Path] = set()
    tree = ast.parse(path.read_text("utf-8"))
    for_types = {id(n) for t in ast.walk(tree) if _is_for_types(t) for n in ast.walk(t)}
    for node in ast.walk(tree):
        if id(node) not in for_types:
            found |= {p for name in _names(node, path) if (p := path_of(name)) is not None}
    return frozenset(found)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _names(node: ast.AST, path: Path) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (a.name for a in node.names)
    elif isinstance(node, ast.ImportFrom):
        root = next(r for r in (*_ROOTS, ROOT) if path.is_relative_to(r))
        package = ".".join(path.relative_to(root).parent.parts)
        base = (
            importlib.util.resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module
        )
        if base:
            yield base
            yield from (f"{base}.{a.name}" for a in node.names)


STARTED = {"editor.py": ("headwater.lsp.server",)}
"""What a module of the tests starts as a process of its own."""


@cache
def reached(module: str) -> frozenset[Path]:
    """The files that a module needs, those that they need among them."""
    start = path_of(module)
    assert start is not None, module
    todo, seen = [start], {start}
    while todo:
        at = todo.pop()
        new = (_imported(at) | {p for p in map(path_of, STARTED.get(at.name, ())) if p is not None}) - seen
        seen |= new
        todo += new
    return frozenset(seen)


def guards(name: str, line: Line) -> str:
    """What guards a file, in words."""
    found = []
    if line.by is not None:
        found.append(_CHECKER_WORDS[line.by])
    if name in MUTATED:
        found.append("mutation; two solvers")
    found += [f"`{module}`" for module in line.beside]
    return ", ".join(found) or "its own tests alone"


INTRODUCTION = Path(__file__).with_name("introduction.md")
_SECTIONS = (
    (
        "core",
        "The proof itself",
        "Whatever is wrong here may be called proved. So it is small; each mutant of `proof` and `semantics` must be\n"
        "seen by a test, and both solvers must agree.",
    ),
    (
        "trusted",
        "What nothing re-checks",
        "While the program runs, nothing looks at what these files say. Tests run some of them beside the real thing:\n"
        "Spark, CPython, pandas, or an editor.",
    ),
    (
        "re-checked",
        "What independent code re-checks",
        "A fault here shows before anything is edited: as a proof that fails, or as an internal error.",
    ),
    (
        "check",
        "The checks",
        "A fault here hides another one; alone it makes nothing wrong. Planted faults show that they see it.",
    ),
)


def page() -> str:
    """The page."""
    by_class: dict[str, list[tuple[str, Line, int]]] = defaultdict(list)
    for name, path in sorted(files().items()):
        line = line_of(name)
        if line is not None and size(path):
            by_class[line.of].append((name, line, size(path)))
    parts = [INTRODUCTION.read_text(encoding="utf-8"), _summary(by_class)]
    for of, title, words in _SECTIONS:
        parts.append(f"## {title}\n\n{words}\n\n{_rows(by_class[of])}")
    rest = by_class["none"]
    rooms = sorted({name.partition("/")[0] for name, _, _ in rest})
    names = ", ".join(f"`{room}`" for room in rooms)
    parts.append(
        f"## What cannot make a wrong proof or edit\n\n{_lines(rest)} lines: what shows findings, finds files, "
        f"measures or generates data,\nand what can only leave a finding out. In {names}.\n"
    )
    return "\n".join(parts)


def _lines(rows: list[tuple[str, Line, int]]) -> int:
    return sum(n for _, _, n in rows)


def _summary(by_class: dict[str, list[tuple[str, Line, int]]]) -> str:
    trusted = by_class["trusted"]
    alone = [row for row in trusted if not row[1].beside]
    reading = [row for row in trusted if row[0].startswith(("pyspark/", "syntax/"))]
    beside = [row for row in trusted if row[1].beside]
    rows = [
        ("the proof itself", _lines(by_class["core"]), "mutation, two solvers, tests beside Spark and CPython"),
        (
            "re-checked by independent code",
            _lines(by_class["re-checked"]),
            "the checker, translation validation, the edit check",
        ),
        (
            "not re-checked, but run beside the real thing by tests",
            _lines(beside),
            "conformance tests and replays alone",
        ),
        ("neither", _lines(alone), "their own tests alone"),
        ("the checks", _lines(by_class["check"]), "planted faults"),
    ]
    lines = "".join(f"| {what} | {count} | {guard} |\n" for what, count, guard in rows)
    return (
        "| what | lines | guards |\n| --- | ---: | --- |\n" + lines + "\n"
        f"So {_lines(by_class['core']) + _lines(trusted)} lines are believed as the program runs: those of the proof "
        f"itself and the {_lines(trusted)} that nothing re-checks.\n"
        f"Of these {_lines(beside)} have only tests beside the real thing, and {_lines(alone)} not even these.\n\n"
        "What is left on trust can be counted in two ways:\n\n"
        "| counted are lines that | lines |\n| --- | ---: |\n"
        f"| no independent code looks at as the program runs, the proof itself aside | {_lines(trusted)} |\n"
        f"| have none of four guards: a checker, validation, conformance tests, mutation | {_lines(alone)} |\n\n"
        f"The aim of fewer than {GOAL} lines is one of the second count, and met there. By the first count it is not "
        "met:\nconformance tests look at examples and not at the program at hand, so that a fault which no example "
        f"shows goes unseen.\nThe reading of the driver's code, in `pyspark` and `syntax`, is {_lines(reading)} lines "
        "of that count.\n"
    )


def _rows(rows: list[tuple[str, Line, int]]) -> str:
    text = "| file | lines | a fault could mean | guards |\n| --- | ---: | --- | --- |\n"
    return text + "".join(f"| `{name}` | {n} | {line.fault} | {guards(name, line)} |\n" for name, line, n in rows)


def without_numbers(text: str) -> tuple[str, list[int]]:
    """A page without the numbers of lines, and these."""
    return _NUMBER.sub("#", text), [int(n) for n in _NUMBER.findall(text)]


__all__ = [
    "CHECKERS",
    "GOAL",
    "PAGE",
    "files",
    "guards",
    "line_of",
    "page",
    "path_of",
    "reached",
    "size",
    "without_numbers",
]
