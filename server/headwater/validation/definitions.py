"""Definitions of functions and classes."""

from __future__ import annotations

import ast

from .errors import Errors
from .limits import NotEvaluated
from .program import Chain, bindings_of
from .statements import Step, is_doc
from .values import Member, UserClass
from .variables import Code, Frame, Scope


class Definitions(Errors):
    """Compiles definitions."""

    def _functiondef(self, node: ast.FunctionDef, scope: Scope | None, chain: Chain) -> Step:
        if node.decorator_list:
            return self.refused(f"`{node.name}` is decorated")
        code, store = self.world.function_code(node, scope, chain), self.store_name(node.name, scope)
        return lambda frame: store(frame, code(frame))

    def _classdef(self, node: ast.ClassDef, scope: Scope | None, chain: Chain) -> Step:
        code, store = self.class_code(node, scope, chain), self.store_name(node.name, scope)
        return lambda frame: store(frame, code(frame))

    def class_code(self, node: ast.ClassDef, scope: Scope | None, chain: Chain, mine: bool = False) -> Code:
        """Makes the class. ``mine``: its decorators say how Spark calls it."""
        if (node.decorator_list and not mine) or node.keywords:
            return self.refused(f"the class `{node.name}` is decorated")
        bases = [self.expression(b, scope, chain) for b in node.bases if not _is_object(b)]
        inner = Scope(frozenset(bindings_of(node)), scope)
        inner.kind = kind = list[UserClass]()
        steps: list[Step] = []
        for s in node.body:
            if isinstance(s, ast.FunctionDef):
                steps.append(self._method(s, scope, kind, chain))
            elif isinstance(s, (ast.Assign, ast.AnnAssign, ast.Pass)) or is_doc(s):
                steps.append(self.statement(s, inner, chain) if not is_doc(s) else _nothing)
            else:
                return self.refused(f"the class `{node.name}` holds a {type(s).__name__}")

        def make(frame: Frame) -> UserClass:
            above = tuple(b(frame) for b in bases)
            if not all(isinstance(b, UserClass) for b in above):
                raise NotEvaluated(f"what `{node.name}` inherits from")
            members = Frame(frame)
            for step in steps:
                step(members)
            kind[:] = [UserClass(node.name, above, members.names)]
            return kind[0]

        return make

    def _method(self, node: ast.FunctionDef, scope: Scope | None, kind: list[UserClass], chain: Chain) -> Step:
        marks = [d.id if isinstance(d, ast.Name) else "" for d in node.decorator_list]
        special = node.name.startswith("__") and node.name != "__init__"
        if special or len(marks) > 1 or not {*marks} <= {"staticmethod", "classmethod", "property"}:
            return self.refused(f"the method `{node.name}`")
        code = self.world.function_code(node, scope, chain, kind)

        def run(members: Frame) -> None:
            assert members.outer is not None
            made = code(members.outer)
            members.names[node.name] = Member(marks[0], made) if marks else made

        return run


def _nothing(_: Frame) -> None:
    """A statement without effect."""


def _is_object(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "object"
