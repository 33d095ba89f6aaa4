"""Following the code of one scope, statement by statement, with what each variable holds.

Straight-line code is followed exactly. A variable that a branch, loop, ``try`` or ``with`` may rebind holds something
unknown afterwards; one under ``global``, ``nonlocal`` or ``:=`` always does. Nothing is ever run.
"""

from __future__ import annotations

import ast

from .bindings import bound_names, head_targets, parameters
from .context import star_may_bind
from .expressions import Expressions
from .values import Frame, Unknown, Value, origin


class Scope(Expressions):
    """One module or function body."""

    def run(self) -> None:
        """Follow the whole body."""
        self.block(self.body)

    def block(self, statements: list[ast.stmt]) -> None:
        """Follow statements one after the other."""
        for statement in statements:
            self.statement(statement)

    def statement(self, s: ast.stmt) -> None:
        """Follow one statement."""
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, s.lineno, self.eval(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._assign(name, s.lineno, self.eval(value))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._definition(s)
            case ast.ClassDef():
                self._class(s)
            case ast.If(test=test, body=body, orelse=orelse):
                self.eval(test)
                self._branches([body, orelse], s)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(s)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self._branches([body, *(h.body for h in handlers), orelse], s)
                self.block(final)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    self.eval(item.context_expr)
                self._branches([body], s)
            case ast.Match(subject=subject, cases=cases):
                self.eval(subject)
                guarded = ([ast.Expr(c.guard), *c.body] if c.guard else c.body for c in cases)
                self._branches(list(guarded), s)
            case _:
                self._other(s)

    def _assign(self, name: str, line: int, value: Value) -> None:
        self.bind(name, value)
        if isinstance(value, Frame):
            self.world.frames.append((name, line - 1, value.schema, origin(value.plan)))

    def _other(self, s: ast.stmt) -> None:
        # `a = b = df…` makes two names of one frame: both are consumers.
        shared = isinstance(s, ast.Assign)
        if isinstance(s, ast.ImportFrom) and any(a.name == "*" for a in s.names):
            module = "." * s.level + (s.module or "")
            self.forget({n for n in self.env if star_may_bind(module, n)}, "a star import may bind it")
        for child in ast.iter_child_nodes(s):
            if isinstance(child, ast.expr):
                self.eval(child)
        self.forget(
            bound_names([s]), "assigned together with others" if shared else "bound in a way that is not followed"
        )

    def _definition(self, s: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for e in (*s.decorator_list, *s.args.defaults, *(d for d in s.args.kw_defaults if d)):
            self.eval(e)
        Scope(self.world, s.body, parameters(s)).run()
        self.bind(s.name, Unknown(f"function {s.name}", "a function", never_frame=True))

    def _class(self, s: ast.ClassDef) -> None:
        for e in (*s.decorator_list, *s.bases):
            self.eval(e)
        Scope(self.world, s.body, [], is_class=True).run()
        self.bind(s.name, Unknown(f"class {s.name}", "a class", never_frame=True))

    def _branches(self, blocks: list[list[ast.stmt]], whole: ast.stmt) -> None:
        """Each block starts from here; afterwards nothing is known of what any of them binds."""
        before = dict(self.env)
        bound = bound_names([whole])
        for number, block in enumerate(blocks):
            self.env = dict(before)
            if isinstance(whole, ast.Try) and number > 0:
                self.forget(bound, "assigned where an exception may have come before")
            elif isinstance(whole, (ast.With, ast.AsyncWith, ast.Match)):
                self.forget(bound - bound_names(block), "bound by the statement")
                self.forget(bound_names([whole]) & head_targets(whole), "bound by the statement")
            self.block(block)
        self.env = before
        self.forget(bound, "assigned in a branch")

    def _loop(self, s: ast.For | ast.AsyncFor | ast.While) -> None:
        """A body may run any number of times: what it binds is not known when it starts nor when it ends."""
        if not isinstance(s, ast.While):
            self.eval(s.iter)
        self.loops = (*self.loops, self.world.fresh())
        self.forget(bound_names([s]), "assigned in a loop")
        targets = set() if isinstance(s, ast.While) else bound_names([s.target])
        for name in sorted(targets):
            self.bind(name, Unknown(f"variable {name}"))
        if isinstance(s, ast.While):
            self.eval(s.test)
        self.block(s.body)
        self.loops = self.loops[:-1]
        self.forget(bound_names([s]), "assigned in a loop")
        self.block(s.orelse)
        self.forget(bound_names(s.orelse), "assigned in a branch")
