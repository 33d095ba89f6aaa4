"""Every filter of a text with the boundaries before it: in its receiver, upstream through variables, in its scope.

A walk over ``ast``, independent of the product's front end, so that what that fails to see is counted too. It knows
nothing of meaning: ``upstream`` follows the variables of one scope backwards through the text, and ``scope`` is every
boundary that stands earlier in the same function body (or at module level).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .boundaries import Names, last_name, links

Position = tuple[int, int]
_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_READS = frozenset("read readStream table sql createDataFrame range parallelize textFile load parquet csv".split())


@dataclass(frozen=True)
class Site:
    """One filter. ``line``: of its name; ``end``: where the call ends (line from 1, UTF-8 column from 0).

    ``upstream``: boundaries that its rows come through, nearest first, in its chain or through variables; ``in_chain``:
    how many of them stand in the receiver itself. ``root``: what stands where the trail ends. ``call``: its text from
    the name on, without white space.
    """

    line: int
    end: Position
    style: str
    upstream: tuple[str, ...]
    in_chain: int
    scope: tuple[str, ...]
    root: str
    call: str


def sites(text: str) -> list[Site]:
    """The filters of ``text``, in order; SyntaxError if it does not parse."""
    tree = ast.parse(text)
    names = Names.of(tree, text)
    found: list[Site] = []
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, *_Function)):
            found += _Scope(scope, names, text).sites()
    return sorted(found, key=lambda s: (s.line, s.end))


class _Scope:
    def __init__(self, scope: ast.AST, names: Names, text: str) -> None:
        self.names, self.text = names, text
        self.nodes = sorted((n for n in _own(scope) if hasattr(n, "end_lineno")), key=_end)
        self.assigned: dict[str, list[tuple[ast.AST, ast.expr, bool]]] = {}
        self.loops: set[str] = set()
        arguments = scope.args if isinstance(scope, _Function) else None
        given = ast.walk(arguments) if arguments else ()
        self.parameters = {a.arg for a in given if isinstance(a, ast.arg)}
        top = {id(s) for s in getattr(scope, "body", [])} if not isinstance(scope, ast.Lambda) else set()
        for node in self.nodes:
            if isinstance(node, (ast.For, ast.AsyncFor)):
                self.loops |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    self._note(target, node, node.value, id(node) in top)
            elif isinstance(node, ast.AnnAssign) and node.value:
                self._note(node.target, node, node.value, id(node) in top)

    def _note(self, target: ast.expr, statement: ast.stmt, value: ast.expr, always: bool) -> None:
        if isinstance(target, (ast.Name, ast.Attribute)):
            self.assigned.setdefault(ast.unparse(target), []).append((statement, value, always))

    def sites(self) -> list[Site]:
        """The filters of this scope, nested functions left out."""
        before: list[str] = []
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and self.names.is_filter(node):
                chain, starts = self._chain(node.func.value)
                trail: list[str] = []
                root = self._trail(starts, _end(node), trail, set())
                line = node.func.end_lineno or node.lineno
                style = self._style(node.args[0] if node.args else node.keywords[0].value)
                call = squeezed(ast.get_source_segment(self.text, _from_name(node, node.func)) or "")
                found.append(Site(line, _end(node), style, (*chain, *trail), len(chain), tuple(before), root, call))
            kind = self.names.kind(node)
            if kind:
                before.append(kind)
        return found

    def _chain(self, node: ast.expr) -> tuple[list[str], ast.expr]:
        """The boundaries in a receiver, nearest first, and the expression that it starts with."""
        kinds: list[str] = []
        last = node
        for last in links(node):
            if isinstance(last, ast.Call) and last_name(last.func) in _READS:
                break
            own = self.names.kind(last)
            if own:
                kinds.append(own)
            if isinstance(last, ast.Call) and own not in ("join", "union") and isinstance(last.func, ast.Attribute):
                inside = (*last.args, *(k.value for k in last.keywords))
                kinds += [k for a in inside for n in ast.walk(a) if (k := self.names.kind(n)) and k != "join"]
        return kinds, last

    def _trail(self, start: ast.expr, before: Position, kinds: list[str], seen: set[int]) -> str:
        """Follow ``start`` back through the variables of the scope; what it ends at."""
        name = ast.unparse(start) if isinstance(start, (ast.Name, ast.Attribute)) else ""
        known = [a for a in self.assigned.get(name, []) if _end(a[0]) < before and id(a[0]) not in seen]
        if not known:
            return self._root(start)
        root = "other"
        for statement, value, always in reversed(known):
            seen.add(id(statement))
            more, at = self._chain(value)
            kinds += more
            root = self._trail(at, _start(statement), kinds, seen)
            if always:
                break
        return root

    def _root(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name) if name in self.parameters:
                return "self" if name in ("self", "cls") else "parameter"
            case ast.Name(id=name) if name in self.loops:
                return "loop variable"
            case ast.Name(id=name) if name in self.assigned or name in ("spark", "sc", "sqlContext"):
                return "read" if name not in self.assigned else "variable"
            case ast.Name(id=name):
                return "call elsewhere" if name in self.names.imported else "another scope"
            case ast.Call(func=func):
                name = last_name(func)
                if name in _READS:
                    return "read"
                return "call in this file" if name in self.names.functions else "call elsewhere"
        return "other"

    def _style(self, node: ast.expr) -> str:
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in self.names.functions):
            return "python"
        if isinstance(node, ast.Name) and (known := self.assigned.get(node.id)):
            return self._style(known[-1][1]) if not isinstance(known[-1][1], ast.Name) else "column"
        text = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        made = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.Add)) and _is_text(node.left)
        formatted = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
        return "sql" if text or made or formatted else "column"


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _from_name(call: ast.Call, func: ast.Attribute) -> ast.AST:
    """What stands where ``call`` does from the method's name on."""
    part = ast.copy_location(ast.Pass(), call)
    line, column = _end(func)
    part.lineno, part.col_offset = line, column - len(func.attr.encode())
    return part


def squeezed(text: str) -> str:
    """``text`` without white space."""
    return "".join(text.split())


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the functions in it; class bodies count as part of it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Function):
            waiting += ast.iter_child_nodes(node)


def _end(node: ast.AST) -> Position:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _start(node: ast.AST) -> Position:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]
