"""A file's text with the definitions that it imports from other files of its project behind it.

The imports of what is found are blanked out, so that each name has one meaning, and what the file reads of a module,
``rules.best``, is one name, ``rules_best``; every other character keeps its place.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headwater.syntax.source import notebook
from headwater.syntax.source.lines import split_lines
from headwater.syntax.source.linked import MARK, PREFIX, header

from .asked import Answers, Asked
from .attributes import Modules, Read, may_read_modules, modules_read
from .definitions import Definitions
from .foreign import SEARCHED
from .places import Places
from .runs import runs, without_magics

_IMPORT = re.compile(r"^from[ \t]+(?P<module>\.*[\w.]*)[ \t]+import\b", re.MULTILINE)
_ANY_IMPORT = re.compile(r"^(?:from|import)[ \t]", re.MULTILINE)
_WORD = re.compile(r"\w+")
_STAR = re.compile(r"^[ \t]*from[ \t]+(?!pyspark\b)\S+[ \t]+import[ \t]*\(?[ \t]*\*", re.MULTILINE)
_CLAUSE = re.compile(r"\bimport\b[ \t]*(?:\((?:[^)#]|#[^\n]*)*\)|(?:\\\r?\n|[^\n;])*)")
"""What an import names."""
_FROM = re.compile(r"\bfrom\b[\s\\]*[\w.]+[\s\\]+(?=import\b)")
_NOTHING = "import io as _0"
"""Stands for an import of which nothing is left: one still, for edits look for the imports of a file, and no longer
than the shortest there is."""


@dataclass(frozen=True)
class Linked:
    """``text`` to analyse in place of the file's own; ``files``: those that it was made of, besides that one."""

    text: str
    files: tuple[Path, ...] = ()


def link(text: str, path: Path, read: Callable[[Path], str | None]) -> Linked:
    """``text`` of the file ``path``, which need not be there; ``read`` gives the text of another file, if it has
    one."""
    if "spark" not in text.lower() or MARK in text or PREFIX in text or ("_0" in text and re.search(r"\b_0\b", text)):
        return Linked(text)
    if SEARCHED.search(text) or text.rstrip("\r\n").endswith("\\") or path.is_symlink():
        return Linked(text)  # of a link Python looks in the folder of what it links to, if it is what is run
    looked = Asked(text, read)
    run = runs(text, path, looked)
    own = without_magics(text, run)
    statements = [] if _STAR.search(own) or notebook.runs_others(own) else [*_imports(own, path, looked)]
    names = [(s, a, a.asname or a.name) for s in statements for a in s.names]
    bound_by = Counter(_WORD.findall("\n".join(_CLAUSE.findall(own)))) if names else Counter[str]()
    wanted = [(s, a, bound) for s, a, bound in names if bound_by[bound] <= 1 + (a.asname == a.name)]
    imports = tuple((_module(s), a.name, bound) for s, a, bound in wanted)
    modules, files = _modules(own, path, looked), set[Path]()
    for of in (modules, Modules()) if modules.reads else (modules,):  # what a module forbids is no matter without it
        asked = Asked("\n".join([own, *(r.text for r in run)]), read)
        reads = [r for r in of.reads.values() if not asked.mentions(r.bound)]
        of_modules = dict.fromkeys((r.module, r.name, r.bound) for r in reads)
        definitions, taken = _taken(asked, (*imports, *of_modules), path)
        linked = {id(a) for _, a, bound in wanted if bound in taken}
        reads = [r for r in reads if r.bound in taken]
        left = _without(own, statements, linked)
        shown = {r.bound: r.shown for r in reads}
        by_file: dict[Path, list[tuple[str, str]]] = {r.of.path: [(name, name) for name in r.names] for r in run}
        for (file, name), here in definitions.taken.named.items():
            by_file.setdefault(file, []).append((shown.get(here, here), name))
        others = [*of.others, *(r for r in of.reads.values() if r not in reads)]
        again = any(definitions.is_taken(r.module, r.name, path) for r in others)
        files |= asked.files
        if by_file and not again and not _gets_at(_without_modules(left, of, reads), by_file, definitions):
            break
    else:
        return Linked(text, tuple(sorted(files | looked.files)))
    heads = [header(names, _shown(file, path)) for file, names in by_file.items() if names]
    parts = [*(r.text for r in run), *definitions.taken.statements.values()]
    cell = "# %%\n" if notebook.is_notebook(own) else ""  # the last cell may be no Python
    behind = [MARK, *heads, cell, "\n\n", "\n\n\n".join(parts), "\n"]
    whole = "".join([_with_names(left, reads), "\n", *behind])
    return Linked(whole, tuple(sorted(files | looked.files)))


def _modules(text: str, path: Path, asked: Asked) -> Modules:
    """What ``text`` reads of modules."""
    if _STAR.search(text) or notebook.runs_others(text) or not may_read_modules(text, path, asked):
        return Modules()
    tree = _whole(text)
    return Modules() if tree is None else modules_read(tree, text, path, asked)


@lru_cache(maxsize=4)
def _whole(text: str) -> ast.Module | None:
    try:
        return notebook.parse(text).tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _with_names(text: str, reads: Iterable[Read]) -> str:
    """``text`` with one name for each of ``reads``."""
    for r in reads:
        text = text[: r.start] + r.bound + text[r.end :]
    return text


def _without_modules(text: str, modules: Modules, reads: Sequence[Read]) -> str:
    """``text`` without ``reads``, and the names of the ``modules`` of which it has no more than attributes."""
    places = Places(text)
    for start, end in map(places.of, modules.imports):
        text = text[:start] + _blank(text[start:end]) + text[end:]
    for r in modules.reads.values():
        end = r.end if r in reads else r.end - len(r.name) - 1
        text = text[: r.start] + " " * (end - r.start) + text[end:]
    return text


def _gets_at(left: str, files: Iterable[Path], definitions: Definitions) -> bool:
    """Whether what is ``left`` of a text may change what the modules ``files`` bind: it has the modules themselves, or
    once more one of the names of what may be changed in place; or the names that other modules hand on."""
    modules, handed_on = set(map(_stem, files)), {(_stem(path), name) for path, name in definitions.handed_on}
    without = _FROM.sub("", left)
    imported = {word for m in _CLAUSE.finditer(without) for word in _WORD.findall(m.group())}
    known = "|".join(map(re.escape, modules))
    return (
        bool(imported & (modules | definitions.shared))
        or re.search(rf"\.\s*(?:{known})\b|[\"'](?:{known})\.", without) is not None
        or any(module in imported or _has(module, name, imported, without) for module, name in handed_on)
    )


def _stem(path: Path) -> str:
    return path.parent.name if path.name == "__init__.py" else path.stem


def _has(module: str, name: str, imported: set[str], text: str) -> bool:
    """Whether ``text`` names ``name`` of ``module``, or has the module by way of one that is ``imported``."""
    if re.search(rf"\b{module}\s*\.\s*{name}\b", text):
        return True
    ways = re.finditer(rf"\b(\w+)(?:\s*\.\s*\w+)*?\s*\.\s*{module}\b", text)
    return any(way[1] in imported for way in ways)


_Imports = tuple[tuple[str, str, str], ...]
_LATEST: OrderedDict[tuple[Path, _Imports], tuple[Definitions, list[str], Answers]] = OrderedDict()
"""What was taken last, with all that it depends on, by the file that it was taken for and its imports: most edits
change nothing of it."""


def _taken(asked: Asked, imports: _Imports, path: Path) -> tuple[Definitions, list[str]]:
    """What the file ``path`` takes of its ``imports``, and under which names."""
    latest = _LATEST.pop((path, imports), None)
    if latest is None or not asked.still(latest[2]):
        definitions = Definitions(asked)
        latest = definitions, definitions.take(imports, path), {**asked.answers}
    latest[0].asked = asked  # who has the same answers, and reads what is there now
    _LATEST[path, imports] = latest
    if len(_LATEST) > 32:
        _LATEST.popitem(last=False)
    return latest[:2]


def _shown(file: Path, importer: Path) -> str:
    """``file`` as people name it who look at ``importer``."""
    for folder in importer.parents:
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    return file.name


def imports_anything(text: str) -> bool:
    """Whether ``text`` may import names of other files: a cheap look, which may err on this side."""
    return "%run" in text or bool(_ANY_IMPORT.search(text))


def _module(statement: ast.ImportFrom) -> str:
    return "." * statement.level + (statement.module or "")


def _imports(text: str, path: Path, asked: Asked) -> Iterator[ast.ImportFrom]:
    """The statements at the head of ``text`` that import from other files of the project."""
    last = [m for m in _IMPORT.finditer(text) if asked.file(m["module"], path) is not None]
    if not last:
        return
    lines = split_lines(text)
    line = text.count("\n", 0, last[-1].start())
    for end in range(line + 1, min(line + 60, len(lines)) + 1):  # until its parentheses close
        nodes = _head("".join(lines[:end]))
        if nodes is not None:
            break
    else:
        return
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.col_offset == 0 and asked.file(_module(node), path) is not None:
            first = lines[node.lineno - 1].rstrip("\r\n")
            whole = first.encode()[: node.end_col_offset].decode() if node.end_lineno == node.lineno else first
            if len(whole) >= len(_NOTHING) and "\\" not in whole[: len(_NOTHING)]:
                yield node


@lru_cache(maxsize=16)
def _head(text: str) -> tuple[ast.stmt, ...] | None:
    try:
        read = notebook.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if read.hidden else tuple(read.tree.body)


def _without(text: str, statements: list[ast.ImportFrom], linked: set[int]) -> str:
    """``text`` without the ``linked`` names of its imports, each in as many characters."""
    places = Places(text)
    for s in statements:
        gone = [a for a in s.names if id(a) in linked]
        if len(gone) == len(s.names):
            start, end = places.of(s)
            text = text[:start] + _NOTHING + _blank(text[start + len(_NOTHING) : end]) + text[end:]
            continue
        for i, a in enumerate(s.names):
            if id(a) in linked:
                start, end = places.of(a)
                if i + 1 < len(s.names):
                    end = places.of(s.names[i + 1])[0]
                else:
                    start = places.of(next(b for b in reversed(s.names) if id(b) not in linked))[1]
                text = text[:start] + _blank(text[start:end]) + text[end:]
    return text


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n\\]|\\(?![\r\n])", " ", text)  # a backslash at its end goes on with a line
