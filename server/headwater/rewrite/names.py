"""Whether a name means the same at the place where the pre-filter goes as at the filter.

``limit = 90`` between the boundary and the filter is fine where it stands, but a pre-filter that reads ``limit`` before
the boundary would meet no value, or another one. In doubt the answer is no.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.statement_notes import notes_of
from headwater.syntax.source.ast_walk import children
from headwater.syntax.source.unreadable_code import HIDDEN
from headwater_ir.span import Span

Scope = ast.AST
_SCOPES = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_IMPORTS = (ast.Import, ast.ImportFrom)
_MEMO = "_bindings"


@dataclass
class _Own:
    """What one statement of the top level binds. ``bound``: by name, each place and its scope, None for the module;
    ``scopes``: those inside, the outer ones first; ``unsure``: names under ``global`` or ``nonlocal``."""

    bound: dict[str, list[tuple[Scope | None, ast.AST]]] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)

    @staticmethod
    def of(statement: ast.stmt) -> _Own:
        """What ``statement`` binds: collected once, for a tree does not change once it is read, but for its places."""
        known = getattr(statement, _MEMO, None)
        if not isinstance(known, _Own):
            known = _Own()
            known._visit(statement, None)
            setattr(statement, _MEMO, known)  # a table would keep the tree, which it speaks of
        return known

    def _visit(self, node: ast.AST, scope: Scope | None) -> None:
        for name, place in _bound_by(node):
            self.bound.setdefault(name, []).append((scope, place))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            self.unsure.update(node.names)
        if isinstance(node, _SCOPES):
            scope = node
            self.scopes.append(node)
        for child in children(node):
            self._visit(child, scope)


class Bindings:
    """Where each name is bound, by scope: offsets in the text.

    Class bodies count as part of the scope around them, which can only make more names ambiguous.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self._own = [_Own.of(s) for s in context.tree.body]
        self._unsure = set[str]().union(*(own.unsure for own in self._own))
        self._found: dict[str, dict[Scope, list[int]]] = {}
        self._imported: dict[tuple[Scope, bool], frozenset[int]] = {}

    @staticmethod
    def of(context: Context) -> Bindings:
        """The bindings of a module."""
        return Bindings(context)

    def same_value(self, name: str, at: int, use: int) -> bool:
        """Whether ``name`` at offset ``at`` is bound, to what it is bound to at the later offset ``use``."""
        scope = self._scope(name, use)
        if name in self._unsure or scope is None or self._scope(name, at) is not scope:
            return False
        offsets = self._places(name)[scope]
        inner_at, inner_use = self._innermost(at), self._innermost(use)
        if inner_at is scope and inner_use is scope:
            return all(o < at for o in offsets)
        return len(offsets) == 1 and (inner_at is not scope or offsets[0] < at)

    def bound_at(self, name: str, at: int) -> bool:
        """Whether ``name``, an import that the file does not rebind to anything else, is sure to be there at offset
        ``at``: no import in a branch or in a class is. In a function, one further down is that nothing calls in front
        of it, and one of Spark's, without which there is no frame to look at."""
        scope = self._scope(name, at)
        if scope is None:
            return bool(self.context.star_modules)
        late = scope is self.context.tree and isinstance(self._innermost(at), (ast.FunctionDef, ast.AsyncFunctionDef))
        sure = self._imports(scope, late).intersection(self._places(name)[scope])
        return any(o < at or (late and self._is_called_behind(at, o)) for o in sure)

    def _imports(self, scope: Scope, late: bool) -> frozenset[int]:
        """Where the imports stand that are run whenever the code of ``scope`` is; ``late``: or of Spark's."""
        found = self._imported.get((scope, late))
        if found is None:
            body: list[ast.stmt] = [] if isinstance(scope, ast.Lambda) else getattr(scope, "body", [])
            imports = (s for b in body for s in ([b] if isinstance(b, _IMPORTS) else _of_spark(b) if late else []))
            found = self._imported[scope, late] = frozenset(self.context.span(s).start for s in imports)
        return found

    def _is_called_behind(self, at: int, until: int) -> bool:
        """Whether nothing calls the function that ``at`` is in before the statement at ``until`` of the module."""
        spans = [(self.context.span(s), s) for s in self.context.tree.body]
        inside = next((s for span, s in spans if span.start <= at < span.end), None)
        if not isinstance(inside, ast.FunctionDef):
            return False
        body = self.context.span(inside.body[0]).start
        if self.context.source[at:body].strip():
            return False  # it is in its head
        return not inside.decorator_list and all(_only_binds(s) for span, s in spans if at < span.start < until)

    def reads(self, name: str, where: Span) -> bool:
        """Whether ``name`` is read as the code at ``where`` is evaluated."""
        inner = self._innermost(where.start)
        loads = (n for s in self.context.naming(name) for n in notes_of(s).reads.get(name, ()))
        spans = (self.context.span(n) for n in loads)
        return any(where.start <= s.start and s.end <= where.end and self._innermost(s.start) is inner for s in spans)

    def free(self, name: str) -> bool:
        """Whether nothing in the file binds ``name``."""
        return not self._places(name) and name not in self._unsure

    def unused(self, name: str) -> bool:
        """Whether nothing in the file binds ``name``, nor reads it: code that is not here may bind it as well."""
        return self.free(name) and not any(name in notes_of(s).reads for s in self.context.naming(name))

    def shares_names(self, at: int) -> bool:
        """Whether what is bound at offset ``at`` is seen by notebooks that are run in between, which may use any
        name."""
        return HIDDEN in self.context.star_modules and self._innermost(at) is self.context.tree

    def _places(self, name: str) -> dict[Scope, list[int]]:
        """The offsets at which each scope binds ``name``."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = {}
            for scope, place in (bound for own in self._own for bound in own.bound.get(name, ())):
                found.setdefault(scope or self.context.tree, []).append(self.context.span(place).start)
        return found

    def _scope(self, name: str, at: int) -> Scope | None:
        scopes = self._places(name)
        return next((s for s in reversed(self._chain(at)) if s in scopes), None)

    def _innermost(self, at: int) -> Scope:
        return self._chain(at)[-1]

    def _chain(self, at: int) -> list[Scope]:
        starts, groups = self._groups
        place = bisect_right(starts, at) - 1
        inside = groups[place] if place >= 0 else []
        return [self.context.tree, *(scope for span, scope in inside if span.start <= at < span.end)]

    @cached_property
    def _groups(self) -> tuple[list[int], list[list[tuple[Span, Scope]]]]:
        """The scopes inside of each statement, and where the first of them begins, in order."""
        spans = [[(self.context.span(s), s) for s in own.scopes] for own in self._own if own.scopes]
        ordered = sorted(((min(span.start for span, _ in group), group) for group in spans), key=lambda pair: pair[0])
        return [start for start, _ in ordered], [group for _, group in ordered]


def _of_spark(statement: ast.stmt) -> list[ast.Import | ast.ImportFrom]:
    """The imports in a ``try`` that has nothing but imports from PySpark: where they fail there are no frames."""
    found = [s for s in statement.body if isinstance(s, _IMPORTS)] if isinstance(statement, ast.Try) else []
    origins = [a.name if isinstance(s, ast.Import) else s.module or "" for s in found for a in s.names]
    whole = isinstance(statement, ast.Try) and len(found) == len(statement.body)
    return found if whole and all(o.split(".")[0] == "pyspark" for o in origins) else []


def _only_binds(statement: ast.stmt) -> bool:
    """Whether ``statement`` calls nothing that the file defines."""
    match statement:
        case ast.FunctionDef(decorator_list=[], args=ast.arguments(defaults=given, kw_defaults=named)):
            return all(isinstance(g, (ast.Constant, ast.Name)) or g is None for g in (*given, *named))
        case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name()], value=ast.Constant() | ast.Name()):
            return True
    return isinstance(statement, _IMPORTS)


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
