"""``import rules``, and then ``rules.best``: what a file reads of modules of its project.

A name is a module, wherever it is read, if imports of the top level bind it and nothing else does, and no package on
the way to the module binds it to anything else. A file that does nothing with that name but read attributes does not
have the module itself, by which it could change what that binds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from headwater.syntax.names.module_scope import star_may_bind
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import binds

from .asked import Asked
from .modules import submodule
from .places import Places

_IMPORT = re.compile(
    r"^(?:from[ \t]+(?P<of>\.*[\w.]*)[ \t]+)?import\b(?P<names>(?:[^\n(]*\([^)]*\)|(?:\\\r?\n|[^\n])*))", re.M
)
_DOTTED = re.compile(r"[\w.]+")
_Path = tuple[str, ...]


@dataclass(frozen=True)
class Read:
    """``name`` of ``module``, as an import spells that, is read from ``start`` to ``end`` of the text, as ``shown``."""

    module: str
    name: str
    shown: str
    start: int
    end: int

    @property
    def bound(self) -> str:
        """The one name, as long, that may stand there in its place."""
        return self.shown.replace(".", "_")


@dataclass
class Modules:
    """What a file reads of modules: ``reads``, by the identities of the names that these begin with; ``imports``: what
    binds these names; ``others``: what is read in a place that is not known."""

    reads: dict[int, Read] = field(default_factory=dict)
    imports: list[ast.alias] = field(default_factory=list)
    others: list[Read] = field(default_factory=list)


def may_read_modules(text: str, path: Path, asked: Asked) -> bool:
    """Whether ``text`` of the file ``path`` may import a module of its project: without a look at its syntax."""
    return any(
        asked.file(_joined(found["of"] or "", name), path) is not None
        for found in _IMPORT.finditer(text)
        for name in _DOTTED.findall(found["names"])
    )


def modules_read(tree: ast.Module, text: str, path: Path, asked: Asked) -> Modules:
    """What ``text`` of the file ``path``, whose syntax is ``tree``, reads of modules of the project."""
    bound: dict[_Path, str] = {}
    imports: dict[str, list[ast.alias]] = {}
    doubtful: set[str] = set()
    for statement in tree.body:
        for alias, names in _imported(statement, path, asked):
            for prefix, module in names:
                imports.setdefault(prefix[0], []).append(alias)
                if bound.setdefault(prefix, module) != module:
                    doubtful.add(prefix[0])
    return _Reader(tree, text, bound, imports, doubtful).found() if bound else Modules()


def _imported(statement: ast.stmt, path: Path, asked: Asked) -> Iterator[tuple[ast.alias, list[tuple[_Path, str]]]]:
    """Of each import of modules in ``statement`` the names by which these can be read then, with the modules."""
    if isinstance(statement, ast.Import):
        for a in statement.names:
            parts = a.name.split(".")
            ways = [((*parts[:n],), ".".join(parts[:n])) for n in range(1, len(parts) + 1)]
            if _is_module(a.name, path, asked):
                known = [(way, module) for way, module in ways if asked.file(module, path) is not None]
                yield a, [((a.asname,), a.name)] if a.asname else known
    elif isinstance(statement, ast.ImportFrom):
        package = "." * statement.level + (statement.module or "")
        of = asked.file(package, path)
        for a in statement.names:
            if of is not None and (not a.name.isidentifier() or submodule(of, a.name) is None):
                continue
            if _is_module(_joined(package, a.name), path, asked):
                yield a, [((a.asname or a.name,), _joined(package, a.name))]


def _joined(package: str, name: str) -> str:
    return package + name if not package or package.endswith(".") else f"{package}.{name}"


def _is_module(module: str, path: Path, asked: Asked) -> bool:
    """Whether ``module`` is one of the project, and an attribute of the package that it is in, and so on."""
    inner = asked.file(module, path)
    if inner is None:
        return False
    for outer in asked.packages(inner):
        name = inner.parent.name if inner.name == "__init__.py" else inner.stem
        package = asked.foreign(outer)
        if package is None or package.hides_module(name):
            return False
        inner = outer
    return True


class _Reader:
    """``bound``: which modules the names mean that ``imports`` bind; ``doubtful``: those of them that may be others."""

    def __init__(
        self, tree: ast.Module, text: str, bound: dict[_Path, str], imports: dict[str, list[ast.alias]],
        doubtful: set[str],
    ) -> None:  # fmt: skip
        self._tree, self._text, self._bound = tree, text, bound
        self._imports, self._doubtful = imports, doubtful
        self._tops: dict[int, list[ast.Attribute]] = {}
        """Of each name that attributes are read of, these, from the inside."""
        self._names: list[ast.Name] = []
        self._texts: list[ast.JoinedStr] = []
        self._strings: list[str] = []

    @cached_property
    def _places(self) -> Places:
        return Places(self._text)

    def found(self) -> Modules:
        """What is read of those modules that are certain."""
        self._look()
        for name in self._names:
            if id(name) not in self._tops or not self._is_read(name, self._tops[id(name)]):
                self._doubtful.add(name.id)
        certain = self._imports.keys() - self._doubtful
        found = Modules(imports=[a for root in sorted(certain) for a in self._imports[root]])
        inside = self._in_texts()
        strings = "\0".join(self._strings)
        for name in (n for n in self._names if n.id in certain):
            read = self._read(name, inside.get(id(name)))
            if read.start < 0 or re.search(rf"\b{re.escape(read.shown)}\b", strings):
                found.others.append(read)
            else:
                found.reads[id(name)] = read
        return found

    def _look(self) -> None:
        own = {id(a) for aliases in self._imports.values() for a in aliases}
        attributes: list[ast.Attribute] = []
        for node in walk(self._tree):
            match node:
                case ast.Attribute():
                    attributes.append(node)
                case ast.Name(ctx=ast.Load()):
                    self._names += [node] if node.id in self._imports else []
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    others = (a for a in names if id(a) not in own)
                    self._doubtful.update(a.asname or a.name.split(".")[0] for a in others)
                    if isinstance(node, ast.ImportFrom) and names[0].name == "*":
                        self._doubtful.update(r for r in self._imports if star_may_bind(node.module or "", r))
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    self._doubtful.update(names)
                case ast.arg(arg=name):
                    self._doubtful.add(name)
                case ast.JoinedStr():
                    self._texts.append(node)
                case ast.Constant(value=str(text)):
                    self._strings.append(text)
                case _:
                    self._doubtful.update(binds(node))
        inner = {id(a.value) for a in attributes}
        for top in (a for a in attributes if id(a) not in inner):
            chain: list[ast.Attribute] = []
            at: ast.expr = top
            while isinstance(at, ast.Attribute):
                chain.insert(0, at)
                at = at.value
            self._tops[id(at)] = chain

    def _is_read(self, name: ast.Name, chain: list[ast.Attribute]) -> bool:
        """Whether ``chain`` reads an attribute of a module, and none of Python's own."""
        attribute = self._attribute(name)[1]
        return isinstance(chain[-1].ctx, ast.Load) and bool(attribute) and not attribute.startswith("__")

    def _attribute(self, name: ast.Name) -> tuple[_Path, str]:
        """The way to the module that is read at ``name``, and its attribute; nothing, if it is no attribute."""
        path = (name.id, *(a.attr for a in self._tops[id(name)]))
        way = next(path[:n] for n in range(len(path), 0, -1) if path[:n] in self._bound or n == 1)
        return way, path[len(way)] if way in self._bound and len(way) < len(path) else ""

    def _in_texts(self) -> dict[int, tuple[int, int]]:
        """For each name in an f-string where in it these attributes may be read: Python does not say so before 3.12."""
        found: dict[int, tuple[int, int]] = {}
        nested = {id(n) for text in self._texts for n in walk(text) if n is not text}
        for text in (t for t in self._texts if id(t) not in nested):
            start, end = self._places.of(text)
            names = [n for n in walk(text) if isinstance(n, ast.Name) and id(n) in self._tops and n.id in self._imports]
            by_shown: dict[str, list[ast.Name]] = {}
            for name in names:
                way, attribute = self._attribute(name)
                by_shown.setdefault(".".join((*way, attribute)), []).append(name)
            for shown, alike in by_shown.items():
                places = re.finditer(rf"(?<![\w.]){re.escape(shown)}\b", self._text[start:end])
                spans = [(start + m.start(), start + m.end()) for m in places]
                nowhere = [(0, 0)] * len(alike)
                found.update(zip(map(id, alike), spans if len(spans) == len(alike) else nowhere, strict=True))
        return found

    def _read(self, name: ast.Name, in_text: tuple[int, int] | None) -> Read:
        way, attribute = self._attribute(name)
        shown = ".".join((*way, attribute))
        start, end = in_text or self._places.of(self._tops[id(name)][len(way) - 1])
        start = start if self._text[start:end] == shown else -1
        return Read(self._bound[way], attribute, shown, start, end)
