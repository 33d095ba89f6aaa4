"""What the statements of one scope do with a frame that gets a copy (``world``).

Values of variables are joined over all assignments of the scope, in whatever order they run; then every statement is
checked once more with these. Functions of the file that are given the frame, or may run before the copy, are followed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.libraries.builtins import EXCEPTIONS
from headwater.syntax.source.bindings import bound_names, own_nodes, parameters

from . import forms
from .definitions import NoBranch
from .names import free_names
from .region import check_text
from .values import SCALAR, UNKNOWN, Evaluator, Value

if TYPE_CHECKING:
    from .world import World

_Function = ast.FunctionDef
_MOST_ROUNDS = 20
_DEEPEST = 3


class Body:
    """The statements of one scope: the module, the function with the copy, or one that is called with ``given``."""

    def __init__(
        self, world: World, scope: ast.Module | _Function, given: Mapping[str, Value], caller: Body | None = None
    ) -> None:
        self.world, self.scope, self.caller = world, scope, caller
        self.depth: int = 0 if caller is None else caller.depth + 1
        self.env = dict(given)
        self.local = bound_names(scope.body) | set(given)
        self.results = Value("unset")
        self.evaluator = Evaluator(world.names, self, is_query)
        self.strict: bool = caller is not None and caller.strict
        self.checking = self.early = False
        self.changed = False

    # --- what the evaluator asks (``Variables``)

    def variable(self, node: ast.Name) -> Value:
        """What a variable holds."""
        if node.id in self.world.names.rebound:
            found = replace(UNKNOWN, original=self.env.get(node.id, UNKNOWN).original)
        elif node.id in self.local:
            found = self.env.get(node.id, Value("unset"))
        elif self.caller is not None and isinstance(self.world.scope, ast.Module):
            outer = self.caller
            while outer.caller is not None:
                outer = outer.caller
            found = outer.variable(node)
        else:
            found = self.world.module_variable(node.id)
        if found.kind == "unset" and self.checking:
            found = replace(UNKNOWN, original=found.original)
        if found.kind == "unknown" and self.caller is None and node.id in self.world.copied.frames:
            found = replace(found, kind="rdd" if self.world.copied.frames[node.id] else "frame")
        if found.kind == "unknown" and self.world.context.function(node.id) is not None:
            found = replace(found, kind="function")
        return found

    def given(self, node: ast.expr) -> Value | None:
        """The value of an expression that is known already."""
        if node is self.world.copied.read:
            name = self.world.copied.read.id
            return Value("rdd" if self.world.copied.originals[name] else "frame", free=False)
        return Value("column") if id(node) in self.world.known else None

    def is_strict(self, node: ast.expr) -> bool:
        """Whether ``node`` may be evaluated before the copy."""
        return self.caller is None and id(node) in self.world.region.parts

    def is_udf(self, node: ast.Name) -> bool:
        """Whether calling what the variable holds makes a column."""
        return self.world.context.times_bound(node.id) == 1 and self.world.holding.is_udf(node)

    def called(self, function: ast.Name, call: ast.Call, arguments: list[Value]) -> Value | None:
        """The result of a function of the file; None if it is not understood."""
        found = self.world.context.function(function.id)
        if any(a.kind == "unset" for a in arguments):
            return Value("unset")
        if found is None or not (self.strict or any(a.original for a in arguments)) or self.depth == _DEEPEST:
            return None
        given = _bound(found, call, arguments)
        if given is None or any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in own_nodes(found)):
            return None
        if self.strict:
            span = self.world.context.span(found)
            check_text(self.world.context, span.start, span.end)
        return Body(self.world, found, given, self).run(check=self.checking)

    # --- statements

    def run(self, *, check: bool = True) -> Value:
        """Join the values of all assignments, and then ``check`` every statement; the value that is returned."""
        for _ in range(_MOST_ROUNDS):
            self.changed = False
            self._block(self.scope.body)
            if not self.changed:
                break
        else:
            raise NoBranch("the variables of the file are not understood")
        self.checking = check
        if check:
            self._block(self.scope.body)
        return SCALAR if self.results.kind == "unset" else self.results

    def originals(self) -> list[str]:
        """The variables that may hold the original, or what is made of it."""
        return [name for name, value in self.env.items() if value.original]

    def _block(self, block: Iterable[ast.stmt]) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, s: ast.stmt) -> None:
        before = self.strict, self.early
        region = self.world.region
        whole = self.strict or (self.caller is None and id(s) in region.whole)
        self.strict = whole or (self.caller is None and id(s) in region.heads)
        if self.caller is None:
            self.early = self.world.context.span(s).start < self.world.copy_starts
        else:
            self.early = self.caller.early
        try:
            self._run(s, whole)
        finally:
            self.strict, self.early = before

    def _run(self, s: ast.stmt, whole: bool) -> None:
        match s:
            case ast.Pass() | ast.Break() | ast.Continue():
                return
            case ast.Import() | ast.ImportFrom():
                return self._import(s)
            case ast.Expr(value=value):
                self.evaluator.value(value)
                return
            case ast.Assign(targets=targets, value=value):
                found = self._defined(s) or self.evaluator.value(value)
                for target in targets:
                    self._assign(target, value, found)
                return
            case ast.AnnAssign(target=target, annotation=annotation, value=assigned):
                self._annotation(annotation)
                if assigned is not None:
                    self._assign(target, assigned, self._defined(s) or self.evaluator.value(assigned))
                return
            case ast.AugAssign(target=ast.Name(id=name) as target, value=value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                both = [self.evaluator.value(read), self.evaluator.value(value)]
                if {b.kind for b in both} <= {"scalar", "unset"}:
                    return self._bind(name, SCALAR, s)
                return self._bind(name, self.evaluator.unknown(s, both, f"`{name}`"), s)
            case ast.Return(value=result):
                return self._return(s, SCALAR if result is None else self.evaluator.value(result))
            case ast.Raise(exc=exception, cause=None) if exception is None or self._is_error(exception):
                return
            case ast.Assert(test=test, msg=message):
                self._test(test)
                if message is not None:
                    self._test(message)
                return
            case ast.If(test=test):
                self._test(test)
            case ast.While(test=test):
                self._test(test)
            case ast.For(target=target, iter=items):
                self._assign(target, None, self.evaluator.element(items))
            case ast.Try():
                pass
            case ast.FunctionDef():
                return self._definition(s)
            case ast.Delete(targets=targets) if not self.strict and all(isinstance(t, ast.Name) for t in targets):
                return
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                shared = [self.env.get(n, Value("unset")) for n in names]
                self.evaluator.unknown(s, shared, "a variable of another scope")
                return
            case _:
                return self._unlisted(s, whole)
        self._inside(s, whole)

    def _inside(self, s: ast.stmt, whole: bool) -> None:
        """The blocks of a compound statement."""
        kept, self.strict = self.strict, whole
        for child in ast.iter_child_nodes(s):
            if isinstance(child, ast.stmt):
                self._statement(child)
            elif isinstance(child, ast.ExceptHandler):
                if child.name:
                    self._bind(child.name, UNKNOWN, child)
                self._block(child.body)
            elif isinstance(child, ast.match_case):
                self._block(child.body)
        self.strict = kept

    def _unlisted(self, s: ast.stmt, whole: bool) -> None:
        """A statement of no listed form: nothing of the original may be in it."""
        if isinstance(s, (ast.ClassDef, ast.AsyncFunctionDef)):
            own = {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
            found = [self.env[n] for n in own if n in self.env]
        else:
            found = [self.evaluator.value(e) for e in _heads(s)]
        self.evaluator.unknown(s, found)
        for name in {*bound_names(c for c in ast.iter_child_nodes(s) if not isinstance(c, ast.stmt)), _name_of(s)}:
            if name:
                self._bind(name, UNKNOWN, s)
        if not isinstance(s, (ast.ClassDef, ast.AsyncFunctionDef)):
            self._inside(s, whole)

    def _import(self, s: ast.Import | ast.ImportFrom) -> None:
        if isinstance(s, ast.ImportFrom):
            names = forms.IMPORTS.get(s.module or "", frozenset()) if not s.level else frozenset()
            listed = s.module in forms.MODULES and not s.level and all(a.name != "*" for a in s.names)
            listed = listed or all(a.name in names for a in s.names)
        else:
            listed = all(a.name in forms.MODULES for a in s.names)
        if not listed:
            self.evaluator.unknown(s, [], "an import")

    def _definition(self, s: _Function) -> None:
        """A function that is defined reads what is around it when it is called, whoever calls it."""
        free = [self.variable(n) for n in free_names(s) if n.id in self.local]
        if any(v.original for v in free):
            self.evaluator.unknown(s, free, f"`{s.name}`")
        annotations = [s.returns, *(p.annotation for p in parameters(s))]
        for annotation in annotations:
            if annotation is not None:
                self._annotation(annotation)
        made = [*s.decorator_list, *s.args.defaults, *(d for d in s.args.kw_defaults if d is not None)]
        simple = all(isinstance(d, ast.Constant) or self.is_udf_decorator(d) for d in made)
        if not simple:
            self.evaluator.unknown(s, [self.evaluator.value(e) for e in made], f"`{s.name}`")
        self._bind(s.name, Value("function"), s)

    def is_udf_decorator(self, node: ast.expr) -> bool:
        """``@F.udf("bigint")``: it notes the function, and runs nothing."""
        function = node.func if isinstance(node, ast.Call) else node
        given = [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
        of_spark = self.world.names.function(function) in ("udf", "pandas_udf")
        return of_spark and all(isinstance(a, ast.Constant) for a in given)

    def _annotation(self, node: ast.expr) -> None:
        """An annotation is evaluated where it stands."""
        match node:
            case ast.Constant():
                return
            case ast.Name() | ast.Attribute() if self.world.names.resolve(node) is not None:
                return
            case ast.Subscript(value=inner, slice=index):
                self._annotation(inner)
                self._annotation(index)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                for item in items:
                    self._annotation(item)
            case ast.BinOp(left=left, right=right):
                self._annotation(left)
                self._annotation(right)
            case _:
                self.evaluator.unknown(node, [self.evaluator.value(node)], "an annotation")

    def _is_error(self, node: ast.expr) -> bool:
        call = node if isinstance(node, ast.Call) else None
        origin = self.world.names.resolve(call.func if call else node) or ""
        arguments = [self.evaluator.value(a) for a in call.args] if call else []
        plain = all(a.kind in ("scalar", "data", "unset") for a in arguments)
        return plain and origin in EXCEPTIONS

    def _test(self, node: ast.expr) -> None:
        found = self.evaluator.value(node)
        if found.kind not in ("scalar", "data", "unset"):
            self.evaluator.unknown(node, [found], "a test")

    def _return(self, s: ast.stmt, found: Value) -> None:
        if self.caller is not None:
            joined = self.results.joined(found)
            self.changed |= joined != self.results
            self.results = joined
        elif found.original and not (self.early and self.world.may_leave):
            self.evaluator.unknown(s, [found], "the caller")

    def _defined(self, s: ast.stmt) -> Value | None:
        """The original, if ``s`` is what defines it."""
        if self.caller is None and any(s is d for d in self.world.copied.definitions):
            (name,) = bound_names([s])
            return Value("rdd") if self.world.copied.originals[name] else Value("frame", original=True)
        return None

    def _assign(self, target: ast.expr, node: ast.expr | None, found: Value) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, found, target)
            case ast.Tuple(elts=targets) | ast.List(elts=targets) if (
                isinstance(node, ast.Tuple)
                and not any(isinstance(t, ast.Starred) for t in (*targets, *node.elts))
                and len(targets) == len(node.elts)
            ):
                for inner, value in zip(targets, node.elts, strict=True):
                    self._assign(inner, value, self.evaluator.value(value))
            case ast.Tuple(elts=targets) | ast.List(elts=targets) if found.kind in ("data", "unset"):
                for inner in targets:
                    self._assign(inner, None, found)
            case ast.Starred(value=inner) if found.kind in ("data", "unset"):
                self._assign(inner, None, found)
            case _:
                stored = [self.evaluator.value(e) for e in ast.iter_child_nodes(target) if isinstance(e, ast.expr)]
                self.evaluator.unknown(target, [found, *stored], "what is stored into")
                for name in bound_names([target]):
                    self._bind(name, UNKNOWN, target)

    def _bind(self, name: str, found: Value, at: ast.AST) -> None:
        if found.kind == "columns":  # others may put something into a container
            found = self.evaluator.unknown(at, [found], f"`{name}`")
        if self.early:
            found = replace(found, free=True)
        joined = self.env.get(name, Value("unset")).joined(found)
        self.changed |= joined != self.env.get(name)
        self.env[name] = joined
        if self.checking and self.strict and joined.kind in ("unknown", "unset"):
            self.evaluator.unknown(at, [], f"what `{name}` held")


def is_query(text: str) -> bool:
    """Whether a text is one query of SQL, which changes nothing: no command, and no call of a function that SQL does
    not have itself."""
    import sqlglot
    from sqlglot import exp

    try:
        found = sqlglot.parse(text, dialect="spark")
    except sqlglot.errors.SqlglotError:
        return False
    if len(found) != 1 or not isinstance(found[0], (exp.Select, exp.SetOperation)):
        return False
    others = (exp.Anonymous, exp.Command, exp.DDL, exp.DML, exp.QueryTransform, exp.Into)
    return found[0].find(*others) is None


def _bound(function: _Function, call: ast.Call, arguments: list[Value]) -> dict[str, Value] | None:
    """The parameters of ``function`` in ``call``; None for a form that is not followed."""
    a = function.args
    if function.decorator_list or a.vararg or a.kwarg or a.posonlyargs or a.kwonlyargs:
        return None
    names = [p.arg for p in a.args]
    if len(call.args) > len(names) or not all(isinstance(d, ast.Constant) for d in a.defaults):
        return None
    given = dict(zip(names[len(names) - len(a.defaults) :], [SCALAR] * len(a.defaults), strict=True))
    given |= dict(zip(names, arguments[: len(call.args)], strict=False))
    for keyword, value in zip(call.keywords, arguments[len(call.args) :], strict=True):
        if keyword.arg not in names:
            return None
        given[keyword.arg] = value
    return given if len(given) == len(names) else None


def _heads(s: ast.stmt) -> list[ast.expr]:
    """The expressions of ``s`` that stand in no statement below it."""
    found: list[ast.expr] = []
    todo = [c for c in ast.iter_child_nodes(s) if not isinstance(c, ast.stmt)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.expr):
            found.append(node)
        elif not isinstance(node, ast.stmt):
            todo += [c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.stmt)]
    return found


def _name_of(s: ast.stmt) -> str | None:
    return getattr(s, "name", None)
