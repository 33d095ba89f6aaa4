"""Random programs of some files, and what Python makes of the names that the first of them imports."""

from __future__ import annotations

import ast
import importlib
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType

from headwater.engine.linking.linked import link
from headwater.syntax.source.linked import dotted, in_order, sources

NAMES = ("A", "B", "f", "g", "max", "abs")
MODULES = ("one", "two", "p.three", "p")
"""Each may import from those in front of it; a package from its own module."""
MAIN = "main"
GIVEN = (-40, 0, 3, 50)


class _Module:
    """A module that is being written: ``kinds`` says what its names are, a number, a list or a function."""

    def __init__(self, rng: random.Random, others: dict[str, _Module]) -> None:
        self._rng, self._others, self._is_main = rng, others, "p" in others
        self.kinds = {"max": "function", "abs": "function"}
        self.bound: set[str] = set()
        self._lists: set[str] = set()
        """Those that it may change: of another file's it is not seen who else does."""
        self.text = ""

    def add(self, kinds: int = 8) -> None:
        """One statement more."""
        rng, name, n = self._rng, self._rng.choice(NAMES), self._rng.randint(1, 30)
        kind = rng.randrange(kinds)
        if kind < 2 and self._others:
            self.imports()
        elif kind == 2 and self._others:
            self.reads()
        elif kind == 3:
            self._bind(name, "number", f"{name}{rng.choice(('', ': int'))} = {n}\n")
        elif kind == 4:
            self._bind(name, "list", f"{name}{rng.choice(('', ': list'))} = [{n}]\n")
            self._lists.add(name)
        elif kind < 8:
            self._define(name, n)
        else:
            self.change(name, n)

    def imports(self) -> None:
        """An import of one name or two."""
        module = self._rng.choice(list(self._others))
        names = sorted(self._others[module].bound)
        if not names:
            return
        parts = []
        for name in self._rng.sample(names, min(len(names), self._rng.choice((1, 1, 2)))):
            bound = self._rng.choice(NAMES) if self._rng.random() < 0.3 else name
            parts.append(f"{name} as {bound}" if bound != name else name)
            self._bind(bound, self._others[module].kinds[name], "")
            if self._is_main:
                self._lists.add(bound)
        self.text += f"from {module} import {', '.join(parts)}\n"

    def reads(self) -> None:
        """An import of a module, and something that reads an attribute of it."""
        module = self._rng.choice(list(self._others))
        names = sorted(self._others[module].bound)
        if not names:
            return
        package, _, last = module.rpartition(".")
        ways = [(f"import {module}", module), (f"import {module} as m{last}", f"m{last}")]
        ways += [(f"from {package} import {last}", last)] if package else []
        (statement, way), name = self._rng.choice(ways), self._rng.choice(names)
        self.text += f"{statement}\n"
        if self._is_main:
            self.text += f"x = {way}.{name}\n"
        else:
            self._define(self._rng.choice(NAMES), 3, f"{way}.{name}", self._others[module].kinds[name])

    def _bind(self, name: str, kind: str, text: str) -> None:
        self._lists.discard(name)
        self.kinds[name], self.text = kind, self.text + text
        self.bound.add(name)

    def _define(self, name: str, n: int, other: str = "", kind: str = "") -> None:
        other = other or self._rng.choice(sorted(self.kinds))
        bodies = {
            "number": [f"(v):\n    return v + {other}\n", f"(v, w={other}):\n    return v + w\n"],
            "list": [f"(v):\n    return v in {other}\n", f"(v):\n    return sum({other}) + v\n"],
            "function": [f"(v, *w):\n    return {other}(v, *w)\n", f"(v):\n    return max(v, {n}) - 1\n"],
        }
        self._bind(name, "function", f"def {name}{self._rng.choice(bodies[kind or self.kinds[other]])}")

    def change(self, name: str, n: int) -> None:
        """Something that may change what a name means."""
        names, rng = sorted(self.bound), self._rng
        name, last, module = (rng.choice(names) if names else name), "", ""
        if self._others:
            module = rng.choice(list(self._others))
            last = module.rpartition(".")[2]
            self.text += f"import {module}\n" if "." not in module else f"from p import {last}\n"
        lists = [x for x in sorted(self._lists) if self.kinds[x] == "list"]
        match rng.randrange(4 if self._is_main else 6):
            case 0 if last and self._is_main:
                ways = f"{last}.{name} = {n}", f"setattr({last}, {name!r}, {n})", f"q = {last}\nq.{name} = {n}"
                self.text += f"{rng.choice(ways)}\n"
            case 1 if last:
                self.text += f"from {module} import *\n"
                for bound in self._others[module].bound:
                    self._bind(bound, self._others[module].kinds[bound], "")
            case 2 if lists:
                self.text += f"{lists[0]}.append({n})\n"
            case 3 if lists:
                self.text += f"n = {lists[0]}\nn.append({n})\n"
            case 4:
                self._bind(name, "number", f"def h():\n    global {name}\n    {name} = {n}\nh()\n")
            case 5:
                self._bind(name, "number", f"x = {n}; {name} = {n}\n")
            case _:
                pass


def program(seed: int) -> dict[str, str]:
    """The files, by their names."""
    rng = random.Random(seed)
    done: dict[str, _Module] = {}
    for name in MODULES:
        done[name] = module = _Module(rng, {k: m for k, m in done.items() if k != "two" or rng.random() < 0.5})
        for _ in range(rng.randint(1, 6)):
            module.add(9)
    main = _Module(rng, done)
    for _ in range(rng.randint(1, 3)):
        rng.choice((main.imports, main.reads))()
    if rng.random() < 0.4:
        main.change(rng.choice(NAMES), rng.randint(1, 30))
    names = {name: "p/__init__" if name == "p" else name.replace(".", "/") for name in MODULES}
    return {f"{MAIN}.py": f"# spark\n{main.text}"} | {f"{names[m]}.py": done[m].text for m in MODULES}


def meaning(path: Path, read: Iterable[str]) -> dict[str, list[object]] | None:
    """What Python binds to ``NAMES`` in the file ``path``, and to what it ``read`` of modules; None if that cannot be
    run."""
    with _importing(path.parent):
        return _run(ast.parse(path.read_text(encoding="utf-8")), {name: name for name in (*NAMES, *read)})


def understood(path: Path) -> dict[str, list[object]] | None:
    """The same of the names that are defined in the text that is analysed in its place; None if there are none."""
    own = path.read_text(encoding="utf-8")
    text = link(own, path, lambda other: other.read_text(encoding="utf-8")).text
    if text == own:
        return None
    tree = ast.parse(text)
    body = in_order(tree.body, [s.lineno for s in tree.body], text)
    with _importing(path.parent):
        found = _run(ast.Module(body, []), {dotted(text).get(name, name): name for name in sources(text)})
    assert found is not None, text
    return {name: value for name, value in found.items() if name in NAMES or "." in name}


def _run(tree: ast.Module, names: Mapping[str, str]) -> dict[str, list[object]] | None:
    values: dict[str, object] = {}
    try:
        exec(compile(tree, MAIN, "exec"), values)
    except (AttributeError, ImportError, NameError, TypeError, RecursionError):
        return None
    known = (name for name, here in names.items() if here.split(".")[0] in values)
    return {name: _shown(eval(names[name], values)) for name in known}


def _shown(value: object) -> list[object]:
    if not isinstance(value, FunctionType):
        return [value if isinstance(value, (int, list)) else type(value).__name__]
    found: list[object] = []
    for v in GIVEN:
        try:
            found.append(value(v))
        except (NameError, TypeError, RecursionError) as error:
            found.append(type(error).__name__)
    return [f if isinstance(f, (int, str, list)) else type(f).__name__ for f in found]


@contextmanager
def _importing(folder: Path) -> Iterator[None]:
    before, written = {*sys.modules}, sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = written
        for name in {*sys.modules} - before:
            del sys.modules[name]
