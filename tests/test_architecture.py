"""The packages of the product: no import circle, no crowded folder, and a page that names each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import headwater
import headwater_ir
from headwater.operators.registry import OPERATORS

ROOT = Path(__file__).parents[1]
MOST_FILES = 25
CROWDED = {
    "headwater.operators": 15 + len(OPERATORS),  # one file for each operator
}
"""Packages with more files than ``MOST_FILES``, and how many they may have: numbers that may only fall."""

Graph = Mapping[str, frozenset[str]]


def modules() -> dict[str, Path]:
    """All modules of the product by name."""
    tops = [Path(p.__path__[0]) for p in (headwater, headwater_ir)]
    return {_name(path, top.parent): path for top in tops for path in sorted(top.rglob("*.py"))}


def _name(path: Path, top: Path) -> str:
    return ".".join(path.relative_to(top).with_suffix("").parts).removesuffix(".__init__")


def imports(name: str, text: str, is_package: bool, known: frozenset[str]) -> frozenset[str]:
    """The modules of ``known`` that the module imports when it runs, in functions too."""
    package = name if is_package else name.rpartition(".")[0]
    found: set[str] = set()
    for node in _at_run_time(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {inner if (inner := f"{base}.{a.name}") in known else base for a in node.names}
    return frozenset(found & known - {name})


def _at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _at_run_time(child)


def circles(graph: Graph) -> list[list[str]]:
    """The sets of modules that import each other, over others or directly."""
    reach = {name: _reachable(name, graph) for name in graph}
    found = {frozenset(m for m in reach[name] if name in reach[m]) for name in graph if name in reach[name]}
    return sorted(sorted(c) for c in found)


def _reachable(name: str, graph: Graph) -> set[str]:
    found: set[str] = set()
    todo = list(graph[name])
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += graph[module]
    return found


def test_no_modules_import_each_other() -> None:
    paths = modules()
    known = frozenset(paths)
    graph = {n: imports(n, p.read_text(encoding="utf-8"), p.stem == "__init__", known) for n, p in paths.items()}
    assert circles(graph) == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"p.a": "from .b import x", "p.b": "def f():\n    from p import a"}, [["p.a", "p.b"]]),
        ({"p.a": "import p.b", "p.b": "from . import c", "p.c": "from p.a import y"}, [["p.a", "p.b", "p.c"]]),
        ({"p.a": "from .b import x", "p.b": "if TYPE_CHECKING:\n    from .a import y"}, []),
        ({"p.a": "from .b import x", "p.b": "import ast"}, []),
    ],
)
def test_circles_are_seen(texts: dict[str, str], expected: list[list[str]]) -> None:
    graph = {name: imports(name, text, False, frozenset(texts)) for name, text in texts.items()}
    assert circles(graph) == expected


def test_no_folder_is_crowded() -> None:
    sizes: dict[str, int] = {}
    for name, path in modules().items():
        if path.stem != "__init__":
            package = name.rpartition(".")[0]
            sizes[package] = sizes.get(package, 0) + 1
    assert {p: n for p, n in sizes.items() if n > CROWDED.get(p, MOST_FILES)} == {}
    assert {p for p in CROWDED if sizes.get(p, 0) <= MOST_FILES} == set()


def test_the_page_names_every_package() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    packages = {n.partition(".")[2] for n, p in modules().items() if p.stem == "__init__" and n.count(".") in (1, 2)}
    rooms = {
        p for p in packages if p.count(".") == 0 or p.partition(".")[0] in ("engine", "syntax", "python", "pyspark")
    }
    assert {r for r in rooms if f"`{r.replace('.', '/')}" not in page} == set()
