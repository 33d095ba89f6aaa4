"""Modules and classes that the file changes: ``F.max = F.min``, ``setattr(pd, "isna", f)``, ``del np.nan``.

What such a name means is then not known.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping

from .pyspark_methods import COLUMN

_ANYTHING, _SOME = "", "*"
Change = tuple[list[str], str]
"""A changed object, as the names on the way to it, with the attribute; ``_ANYTHING`` where its attributes are at hand,
and ``_SOME`` where one is set whose name is not written out."""
OWN = ("self", "cls")
"""Names of objects of the file's own classes, where they are the first parameter of a method."""
_FILTERS = frozenset({"filter", "where"})
"""One of them calls the other, and what is proved may be written by either."""
_COLUMN = frozenset(COLUMN) - {"name"}
_OPERATORS = frozenset(
    f"__{n}__"
    for n in """
    eq ne lt le gt ge add radd sub rsub mul rmul truediv rtruediv mod rmod pow rpow neg invert and rand or ror contains
    getitem getattr getattribute call iter bool
    """.split()
)
"""What Python calls for the operators of columns and frames."""
_BY_TEXT = ("patch", "setattr", "delattr")
"""May be given all names in one text: ``mock.patch("pandas.isna")``, ``monkeypatch.setattr("pandas.isna", f)``."""
_LIBRARIES = ("pandas", "numpy", "pyarrow")
_OPTIONS = "pandas.options."
"""How pandas prints, and the like: no value depends on it."""


class Patches:
    """The changed attributes of imported objects. ``origins``: name → where the imports of the file take it from;
    ``own``: the names that stand for objects of its own classes alone."""

    def __init__(self, found: Iterable[Change], origins: Mapping[str, set[str]], own: Container[str]) -> None:
        self._changed: set[str] = set()
        self.methods: set[str] = set()
        """Attributes of PySpark's own classes that are replaced."""
        self._of_others: set[str] = set()
        """Attributes of objects that a variable holds: perhaps a module or class of PySpark by another name."""
        unnamed = False
        for path, named in found:
            root, *rest = path
            known = [o for o in origins.get(root, ()) if not o.startswith("pyspark")]
            unnamed = unnamed or (named == _SOME and root not in own and not known)
            attribute = _ANYTHING if named == _SOME else named
            if root not in origins and root not in own and attribute:
                self._of_others.add(attribute)
                self.methods.add(attribute)
            for origin in origins.get(root, ()):
                # `import a.b` binds `a`, `import a.b as c` binds `c` to `a.b`
                whole = ".".join([root if origin.split(".")[0] == root else origin, *rest])
                self._changed.add(f"{whole}.{attribute}" if attribute else whole)
                if origin.startswith("pyspark"):
                    self.methods.add(attribute)
        columns = any(".Column." in f"{c}." for c in self._changed)
        self.of_columns = columns or unnamed or bool(self.methods & _OPERATORS or self._of_others & _COLUMN)
        """Whether an expression of columns may mean something else than it says, or the parts of a frame."""
        if self.methods & _FILTERS:
            self.methods |= _FILTERS

    @property
    def of_libraries(self) -> frozenset[str]:
        """What is changed of pandas, numpy and pyarrow: a method of a frame is found through its class, and not by a
        name of the file."""
        return frozenset(c for c in self._changed if c.split(".")[0] in _LIBRARIES and not c.startswith(_OPTIONS))

    def touch(self, origin: str) -> bool:
        """Whether ``origin``, a dotted name, may not mean what it says."""
        if origin.rpartition(".")[2] in self._of_others:
            return True
        return any(origin == c or origin.startswith(c + ".") for c in self._changed)


def own_object(member: ast.stmt) -> list[ast.arg]:
    """The parameter of ``member``, a statement of a class body, that is the object or class it is called on."""
    if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
        bound = all(_last(d) != "staticmethod" for d in member.decorator_list)
        return [*member.args.posonlyargs, *member.args.args][:1] if bound else []
    return []


def changes(attributes: Iterable[ast.Attribute], calls: Iterable[ast.Call]) -> Iterator[Change]:
    """What some code changes, of which these are all attributes and calls."""
    for node in attributes:
        if not isinstance(node.ctx, ast.Load):
            yield _path(node.value) or [_ANYTHING], node.attr
        elif node.attr == "__dict__" and (path := _path(node.value)):
            yield path, _ANYTHING
    for call in calls:
        match call:
            case ast.Call(func=ast.Attribute(value=owner, attr="__setattr__"), args=[ast.Constant(value=str(name)), _]):
                yield _path(owner) or [_ANYTHING], name
            case ast.Call(args=[ast.Constant(value=str(whole)), *_]) if _last(call.func) in _BY_TEXT:
                *path, name = whole.split(".")
                if path:
                    yield path, name
                continue
            case ast.Call(func=ast.Name(id="vars"), args=[owner]):
                yield _path(owner) or [_ANYTHING], _ANYTHING
        if len(call.args) > 1 and _last(call.func) in ("setattr", "delattr", "object"):
            named = call.args[1]
            yield _path(call.args[0]) or [_ANYTHING], str(named.value) if isinstance(named, ast.Constant) else _SOME


def _last(node: ast.expr) -> str:
    """The last part of a function's name: also of ``monkeypatch.setattr`` and ``mock.patch.object``."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _path(node: ast.expr) -> list[str] | None:
    """The names of ``a.b.c``."""
    rest: list[str] = []
    while isinstance(node, ast.Attribute):
        rest.insert(0, node.attr)
        node = node.value
    return [node.id, *rest] if isinstance(node, ast.Name) else None
