"""The definitions that a file imports, with all that they use, as text that can stand behind the text of the file."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from headwater.syntax.names.statement_notes import Import
from headwater.syntax.source.linked import PREFIX

from .asked import Asked
from .attributes import Modules, Read, modules_read
from .foreign import Foreign
from .modules import submodule

_MOST_CHARACTERS = 60_000
"""Of definitions that are taken: more would make the analysis slow, and no real program was found to need them."""
_DEEPEST = 20


class _Unknown(Exception):
    """What a name means is not certain."""


@dataclass(frozen=True)
class Taken:
    """``statements``: the text of each definition by its name, after what it uses; ``named``: by which name each
    definition of another file is read."""

    statements: dict[str, str] = field(default_factory=dict)
    named: dict[tuple[Path, str], str] = field(default_factory=dict)


class Definitions:
    """What is taken for a file that is ``asked``."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._bound: dict[tuple[Path, str], str] = {}
        """Under which names the file imports definitions."""
        self.taken = Taken()
        self.shared: set[str] = set()
        """Names, in their own files, of what may be changed in place by all who import it."""
        self.handed_on: set[tuple[Path, str]] = set()
        """What files bind that others define, by its name there."""
        self._importer: Path | None = None
        self._modules: dict[Path, Modules] = {}

    def take(self, imports: Sequence[tuple[str, str, str]], importer: Path) -> list[str]:
        """Take what the file ``importer`` imports: of a module a name, under a name of its own. Gives those of them
        whose meaning is certain."""
        self._importer = importer
        wanted: list[tuple[Foreign, str, str]] = []
        for module, name, bound in imports:
            with suppress(_Unknown):
                foreign, own = self._defined_in(module, name, importer)
                wanted.append((foreign, own, bound))
                self._bound.setdefault((foreign.path, own), bound)
        return [bound for foreign, name, bound in wanted if self._is_taken(foreign, name, bound)]

    def is_taken(self, module: str, name: str, importer: Path) -> bool:
        """Whether ``name`` of ``module`` is among what is taken, or may be."""
        try:
            foreign, own = self._defined_in(module, name, importer)
        except _Unknown:
            return any(name == own for _, own in self.taken.named)
        return (foreign.path, own) in self.taken.named

    def _is_taken(self, foreign: Foreign, name: str, bound: str) -> bool:
        before = Taken(dict(self.taken.statements), dict(self.taken.named))
        with suppress(_Unknown):
            known = self._define(name, foreign, 0)
            if known == bound and sum(map(len, self.taken.statements.values())) <= _MOST_CHARACTERS:
                return True
        self.taken = before
        return False

    def _defined_in(self, module: str, name: str, importer: Path, depth: int = 0) -> tuple[Foreign, str]:
        """The file in which ``name`` of ``module`` is defined, and its name there."""
        path = self.asked.file(module, importer)
        if path is None or path == self._importer or depth > _DEEPEST:
            raise _Unknown
        foreign = self.asked.foreign(path)
        if any(self.asked.foreign(package) is None for package in self.asked.packages(path)) or foreign is None:
            raise _Unknown  # what runs before the file may change it
        again = foreign.imported(name)
        if again is not None and isinstance(again.node, ast.ImportFrom):  # handed on, as packages do
            self.handed_on.add((path, name))
            return self._defined_in(_module_of(again), _name_of(again), foreign.path, depth + 1)
        if submodule(path, name) is not None:
            raise _Unknown  # Python binds the name to that, too, once it is imported
        return foreign, name

    def _define(self, name: str, foreign: Foreign, depth: int) -> str:
        """By which name to read what ``foreign`` defines as ``name``."""
        known = self.taken.named.get((foreign.path, name))
        if known is not None:
            return known
        found = foreign.function(name) or foreign.class_definition(name) or foreign.value(name)
        if found is None or depth > _DEEPEST:
            raise _Unknown
        bound = self._bound.get((foreign.path, name))
        others = {*self.taken.statements, *self.taken.named.values()}
        taken = self.asked.mentions(name) or name in others or hasattr(builtins, name)
        here = bound or (f"{PREFIX}{name}" if taken else name)
        if here in others:
            raise _Unknown
        if foreign.is_shared(found):
            self.shared.add(name)
        self.taken.named[foreign.path, name] = here
        text = self._text(found, foreign, depth)
        bound_here = rf"^(def\s+|class\s+|){name}\b"
        text, times = re.subn(bound_here, rf"\g<1>{here}", text, count=1, flags=re.MULTILINE)
        if not times:
            raise _Unknown  # the name is written in another way there
        self.taken.statements[here] = text
        return here

    def _text(self, definition: ast.stmt, foreign: Foreign, depth: int) -> str:
        text, start = foreign.text_of(definition)
        renamed: list[tuple[int, str, str]] = []
        of_modules = self._modules_of(foreign).reads
        for node in foreign.reads(definition):
            read = of_modules.get(id(node))
            known = None if read is None else self._read(read, foreign, depth)
            if read is not None and known is not None:
                renamed.append((read.start - start, read.shown, known))
            elif (new := self._used(node.id, foreign, depth)) != node.id:
                renamed.append((foreign.ctx.span(node).start - start, node.id, new))
        for at, old, new in sorted(renamed, reverse=True):
            if re.compile(rf"{re.escape(old)}\b").match(text, at) is None:
                raise _Unknown  # in an f-string, of whose parts Python 3.11 does not say where they stand
            text = text[:at] + new + text[at + len(old) :]
        return text

    def _read(self, read: Read, foreign: Foreign, depth: int) -> str | None:
        """By which name to ``read`` what ``foreign`` reads of a module, if that is certain."""
        before = Taken(dict(self.taken.statements), dict(self.taken.named))
        with suppress(_Unknown):
            defined, own = self._defined_in(read.module, read.name, foreign.path, depth + 1)
            return self._define(own, defined, depth + 1)
        self.taken = before
        return None

    def _modules_of(self, foreign: Foreign) -> Modules:
        if foreign.path not in self._modules:
            ctx = foreign.ctx
            self._modules[foreign.path] = modules_read(ctx.tree, ctx.source, foreign.path, self.asked)
        return self._modules[foreign.path]

    def _used(self, name: str, foreign: Foreign, depth: int) -> str:
        """By which name a definition reads what its file calls ``name``."""
        if foreign.is_builtin(name):
            return name if self.asked.only_calls(name) else self._import(name, f"from builtins import {name}")
        imported = foreign.imported(name)
        if imported is None:
            origin = foreign.starred(name)
            if origin is not None and origin.startswith("pyspark."):
                module, _, last = origin.rpartition(".")
                return self._import(name, f"from {module} import {last}")
            return self._define(name, foreign, depth + 1)
        if isinstance(imported.node, ast.ImportFrom):
            module = _module_of(imported)
            if module.startswith(".") or self.asked.file(module, foreign.path) is not None:
                defined, own = self._defined_in(module, _name_of(imported), foreign.path, depth + 1)
                return self._define(own, defined, depth + 1)
            return self._import(name, f"from {module} import {_name_of(imported)}")
        if self.asked.file(imported.whole, foreign.path) is not None or (imported.origin != imported.whole):
            raise _Unknown
        return self._import(name, f"import {imported.whole}")

    def _import(self, name: str, statement: str) -> str:
        alias = f"{PREFIX}{name}"
        text = f"{statement} as {alias}"
        if alias in self.taken.named.values() or self.taken.statements.setdefault(alias, text) != text:
            raise _Unknown  # two files give one name two meanings
        return alias


def _module_of(imported: Import) -> str:
    node = imported.node
    assert isinstance(node, ast.ImportFrom)
    return "." * node.level + (node.module or "")


def _name_of(imported: Import) -> str:
    return imported.whole.rpartition(".")[2]
