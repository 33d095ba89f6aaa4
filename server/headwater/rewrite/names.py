"""Whether a name means the same at the place where the pre-filter goes as at the filter.

``limit = 90`` between the boundary and the filter is fine where it stands, but a pre-filter that reads ``limit`` before
the boundary would meet no value, or another one. In doubt the answer is no.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from headwater.syntax.names.module_scope import Context
from headwater_ir.span import Span

Scope = ast.AST
_SCOPES = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


@dataclass
class Bindings:
    """Where each name is bound, by scope: offsets in the text.

    Class bodies count as part of the scope around them, which can only make more names ambiguous.
    """

    context: Context
    _found: dict[str, dict[Scope, list[int]]] = field(default_factory=dict)
    _unsure: set[str] = field(default_factory=set)

    @staticmethod
    def of(context: Context) -> Bindings:
        """Collect the bindings of a module."""
        found = Bindings(context)
        found._visit(context.tree, context.tree)
        return found

    def same_value(self, name: str, at: int, use: int) -> bool:
        """Whether ``name`` at offset ``at`` is bound, to what it is bound to at the later offset ``use``."""
        scope = self._scope(name, use)
        if name in self._unsure or scope is None or self._scope(name, at) is not scope:
            return False
        offsets = self._found[name][scope]
        inner_at, inner_use = self._innermost(at), self._innermost(use)
        if inner_at is scope and inner_use is scope:
            return all(o < at for o in offsets)
        return len(offsets) == 1 and (inner_at is not scope or offsets[0] < at)

    def bound_at(self, name: str, at: int) -> bool:
        """Whether ``name``, an import that the file does not rebind to anything else, is sure to be there at offset
        ``at``: no import in a branch, further down or in a class is."""
        scope = self._scope(name, at)
        if scope is None:
            return bool(self.context.star_modules)
        body: list[ast.stmt] = [] if isinstance(scope, ast.Lambda) else getattr(scope, "body", [])
        imports = [s for s in body if isinstance(s, (ast.Import, ast.ImportFrom))]
        sure = {self.context.span(s).start for s in imports} & set(self._found[name][scope])
        return any(o < at for o in sure)

    def reads(self, name: str, where: Span) -> bool:
        """Whether ``name`` is read as the code at ``where`` is evaluated."""
        inner = self._innermost(where.start)
        loads = (n for n in ast.walk(self.context.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        spans = (self.context.span(n) for n in loads if n.id == name)
        return any(where.start <= s.start and s.end <= where.end and self._innermost(s.start) is inner for s in spans)

    def free(self, name: str) -> bool:
        """Whether nothing in the file binds ``name``."""
        return name not in self._found and name not in self._unsure

    def _scope(self, name: str, at: int) -> Scope | None:
        scopes = self._found.get(name, {})
        return next((s for s in reversed(self._chain(at)) if s in scopes), None)

    def _innermost(self, at: int) -> Scope:
        return self._chain(at)[-1]

    def _chain(self, at: int) -> list[Scope]:
        chain: list[Scope] = [self.context.tree]
        for node in ast.walk(self.context.tree):  # breadth first: outer scopes come before inner ones
            if isinstance(node, _SCOPES[1:]):
                span = self.context.span(node)
                if span.start <= at < span.end:
                    chain.append(node)
        return chain

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        for name, place in _bound_by(node):
            offset = self.context.span(place).start
            self._found.setdefault(name, {}).setdefault(scope, []).append(offset)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            self._unsure.update(node.names)
        inner = node if isinstance(node, _SCOPES) else scope
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)


def _bound_by(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name, node
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, node
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name.split(".")[0], node
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, node
        case ast.MatchMapping(rest=str(name)):
            yield name, node
        case _:
            return
