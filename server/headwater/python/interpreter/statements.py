"""Symbolic execution of statement lists.

An ``if`` whose branches fall through merges the environments; one that jumps splits the path. Everything else that
jumps, hides state or changes objects is refused: forgetting a case costs an opportunity, never a wrong answer.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager

from headwater.libraries import models
from headwater.libraries.refused import check_import
from headwater.python.builtins import named_containers
from headwater.python.builtins.comprehensions import sequence
from headwater.python.exprs.assuming import assuming
from headwater.python.exprs.simplify import MAX_NODES, choose, literal_truth
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import KeyTuple, Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Unreadable, Value
from headwater.python.values.structures import OptionalValue, RecordValue, is_mutable, leaves, rebuilt
from headwater.syntax.core import inline_calls, subset
from headwater.syntax.core.lower import body_of
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater.syntax.source.bindings import Function, local_names, plain_parameters
from headwater_ir.expr import Expr, Lit, Raise, size, transform
from headwater_ir.types import INT

from . import bounded_loops, local_functions, mutation, try_except
from .container_stores import require_fresh
from .containers_mixin import Structured
from .outcomes import Effect, End, Outcome, Path, Split, collapse, guarded, matters, uncovered, value_of

_COLLECTORS = {"append", "extend", "add", "insert", "update", "appendleft"}
_STEPS = 4000
_WITH_ENDS = (Rows, AppendOnly, named_containers.SortedAppendOnly, named_containers.LastOnly)
"""Lists whose first or last element may be known."""


class Interpreter(Structured):
    """Runs statements. ``effects``: what is evaluated on which path, as far as its errors matter."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.effects: list[Effect] = []
        self.called_on: Path = ()
        """The tests on the way to where the function that is run was called."""
        self.breakable = False
        """Whether the loop around what is run is one that is run iteration by iteration."""
        self._steps = 0

    def effect(self, path: Path, e: Expr) -> None:
        """Note that ``e`` is evaluated on ``path``."""
        if matters(e, (*self.called_on, *path)) or isinstance(e, Raise):
            self.effects.append((path, e))

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Forget the errors of what is evaluated."""
        before, self.effects = self.effects, []
        try:
            yield
        finally:
            self.effects = before

    def loop(self, node: ast.For, env: Env, path: Path) -> Outcome | None:
        """The outcome of a loop over the group; None if it is no such loop."""
        return None

    def counted_rows(self, node: ast.While, env: Env, path: Path) -> Outcome | None:
        """The outcome of a loop over the numbers of the rows; None if it is no such loop."""
        return None

    def parts_known(self, value: AbstractObject) -> bool:
        """Whether it is known which parts an object of the boundary has: reading another one of it would raise."""
        return False

    def returned(self, node: ast.expr, env: Env, path: Path) -> Value:
        """The value of a return statement."""
        return self.evaluated(node, env, path)

    def evaluated(self, node: ast.expr, env: Env, path: Path) -> Value:
        """The value of ``node``, evaluated on ``path``."""
        self.path = path
        value = self.kept_row(self.any_value(node, env), node)
        if isinstance(value, Unreadable):
            raise Refusal(value.obstruction, value.reason, node)
        for part in parts_of(value):
            self.effect(path, part)
        if not isinstance(value, AbstractObject):
            if size(value) > MAX_NODES:
                raise Refusal("time-out", "the function has too many paths", node)
            self.effect(path, value)
        return value

    def body(self, function: Function, env: Env) -> list[ast.stmt]:
        """The body of ``function`` in the core language, with the calls of the file's functions that are given objects
        written out. ``env``: what the parameters are."""
        objects = [name for name, value in env.items() if isinstance(value, AbstractObject)]
        return self.written_out(body_of(function), local_names(function), env, objects)

    def written_out(
        self,
        body: list[ast.stmt],
        own: Collection[str],
        given: Collection[str],
        objects: Iterable[str],
        methods: Mapping[str, ast.FunctionDef] | None = None,
    ) -> list[ast.stmt]:
        """``body`` with such calls written out, as ``inline_calls.in_place`` has it."""

        def known(name: str) -> ast.FunctionDef | None:
            found = self.scope.ctx.function(name)
            plain = found is not None and not self.scope.shadowed(name) and self.scope.ctx.at_top(found)
            return found if plain and name not in self.scope.assume_pure else None

        return inline_calls.in_place(body, own, given, objects, known, methods, self.scope.origin)

    def run(self, body: list[ast.stmt], env: Env, path: Path) -> Outcome:
        """The outcome of a statement list."""
        for i, statement in enumerate(body):
            self._steps += 1
            if self._steps > _STEPS:
                raise Refusal("time-out", "the function has too many paths", statement)
            subset.check(statement)
            self.path = path
            tree = collapse(self.statement(statement, env, path), path, self.effect)
            if isinstance(tree, Split):
                return self._continue(tree, body[i + 1 :], path)
            if tree.kind != "next":
                return tree
            env = tree.env
        return End("next", env)

    def _continue(self, tree: Outcome, rest: list[ast.stmt], path: Path) -> Outcome:
        if isinstance(tree, End):
            return self.run(rest, tree.env, path) if tree.kind == "next" else tree
        then = self._continue(tree.then, rest, (*path, (tree.cond, True)))
        return Split(tree.cond, then, self._continue(tree.otherwise, rest, (*path, (tree.cond, False))))

    def statement(self, node: ast.stmt, env: Env, path: Path) -> Outcome:
        """The outcome of one statement."""
        if isinstance(node, ast.Pass):
            return End("next", env)
        if isinstance(node, ast.If):
            return self._if(node, env, path)
        after = mutation.changed(self, node, env, path)
        if after is not None:
            return End("next", after)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return End("next", self._assign(node, env, path))
        if isinstance(node, ast.Return):
            value = self.returned(node.value, env, path) if node.value else None
            return End("return", env, value)
        if isinstance(node, ast.Continue):
            return End("continue", env)
        if isinstance(node, ast.Raise):
            return End("raise", reason=self.scope.ctx.text(node))
        if isinstance(node, ast.Assert):
            cond = self.condition(node.test, env, path)
            return Split(cond, End("next", env), End("raise", reason=self.scope.ctx.text(node)))
        if isinstance(node, ast.FunctionDef):
            return End(
                "next", {**env, node.name: local_functions.made(node, node.name, env, plain_parameters(node.args))}
            )
        if isinstance(node, ast.Break) and self.breakable:
            return End("break", env)
        if isinstance(node, ast.Try):
            return try_except.attempt(self, node, env, path)
        if isinstance(node, ast.While):
            return self.counted_rows(node, env, path) or bounded_loops.while_true(self, node, env, path)
        if isinstance(node, ast.For):
            return self.loop(node, env, path) or self._unrolled(node, env, path)
        if isinstance(node, ast.Expr):
            return self._bare(node, env, path)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return self._import(node, env)
        raise subset.unknown(node)

    def _unrolled(self, node: ast.For, env: Env, path: Path) -> Outcome:
        """A loop over a tuple or list literal, or over a range of constants."""
        items = named_containers.constant_items(self._constants(node.iter, env))
        if items is None:
            raise Refusal("opaque", "a loop over something that is not the group's rows", node)
        return bounded_loops.for_each(self, node, items, env, path)

    def _constants(self, node: ast.expr, env: Env) -> Value | None:
        name = self.scope.origin(node.func) if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or name not in ("builtins.range", "builtins.enumerate", "builtins.zip"):
            return self.any_value(node, env) if isinstance(node, (ast.Tuple, ast.List, ast.Name)) else None
        bound = models.bind(name, node)
        if name == "builtins.range":
            bounds = [named_containers.constant(self, a, env) for a in models.in_order(name, node)]
            whole = [b for b in bounds if type(b) is int]
            if len(whole) != len(bounds) or not 1 <= len(whole) <= 3 or (len(whole) == 3 and whole[2] == 0):
                return None
            numbers = range(*whole)
            return (
                Items(tuple(Lit(i, INT) for i in numbers), False)
                if len(numbers) <= named_containers.MAX_ROUNDS
                else None
            )
        over = bound.only("*").rest if name == "builtins.zip" else (bound.only("iterable").arguments["iterable"],)
        parts = [named_containers.constant_items(self._constants(a, env)) for a in over]
        if name == "builtins.enumerate" and len(parts) == 1 and parts[0] is not None:
            parts = [tuple(Lit(i, INT) for i in range(len(parts[0]))), parts[0]]
        if not parts or any(p is None for p in parts):
            return None
        return Items(tuple(Items(t, False) for t in zip(*(p for p in parts if p is not None), strict=False)), False)

    def condition(self, node: ast.expr, env: Env, path: Path) -> Expr:
        """A test, evaluated on ``path``."""
        self.path = path
        cond = self.test(node, env)
        if size(cond) > MAX_NODES:
            raise Refusal("time-out", "the function has too many paths", node)
        self.effect(path, cond)
        return cond

    def _if(self, node: ast.If, env: Env, path: Path) -> Outcome:
        cond = self.condition(node.test, env, path)
        cond = bounded_loops.decided(cond) if self.breakable else cond
        known = literal_truth(cond)
        if known is not None:
            return self.run(node.body if known else node.orelse, env, path)
        self.path = path
        inside, outside = mutation.narrowed(self, env, cond, True), mutation.narrowed(self, env, cond, False)
        then = self.run(node.body, dict(inside), (*path, (cond, True)))
        return Split(cond, then, self.run(node.orelse, dict(outside), (*path, (cond, False))))

    def _assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, env: Env, path: Path) -> Env:
        if isinstance(node, ast.AugAssign):
            self._check_target(node.target, env)
            read = ast.copy_location(ast.Name(getattr(node.target, "id", ""), ast.Load()), node.target)
            self.require_plain(node, read, env)
            left, right = self.numeric(read, env), self.numeric(node.value, env)
            result = self.arithmetic(node, node.op, left, right)
            self.effect(path, result)
            return self.bind(node.target, result, env)
        if node.value is None:
            return env
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                return {**env, name: local_functions.made(function, name, env, plain_parameters(function.args))}
            case ast.Assign(targets=[ast.Subscript() as item], value=given):
                changed = self.set_item(item, given, env, path)
                if changed is not None:
                    return changed
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._check_target(target, env)
        value = self._assigned(node, env, path)
        unpacked = isinstance(getattr(node, "targets", [None])[0], (ast.Tuple, ast.List))
        if unpacked and not isinstance(node.value, (ast.Tuple, ast.List)):
            named_containers.require_flat(node, value)
        else:
            require_fresh(node.value, Items(value.items, False) if unpacked and isinstance(value, Items) else value)
        if isinstance(node, ast.Assign) and len(node.targets) > 1 and is_mutable(value):
            raise Refusal("opaque", "two names for one list, set or dict", node)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            env = self.bind(target, value, env)
        return env

    def _assigned(self, node: ast.Assign | ast.AnnAssign, env: Env, path: Path) -> Value:
        """What is assigned; for a variable, also what is not known, if computing it does nothing else."""
        assert node.value is not None
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        scope = self.scope
        before = dict(scope.assumptions), list(self.effects), list(scope.numpy), list(scope.divisions), self.path
        try:
            if any(isinstance(n, ast.Starred) for n in ast.walk(targets[0])):
                self.path = path
                found = sequence(self, node.value, env, whole=True)
                if isinstance(found, _WITH_ENDS):
                    return found
            return self.evaluated(node.value, env, path)
        except Refusal as why:
            unread = self.unread(node.value, env, why) if isinstance(targets[0], ast.Name) else None
            if unread is None or len(targets) != 1:
                raise
            scope.assumptions, self.effects, scope.numpy, scope.divisions, self.path = before
            return unread

    def unread(self, node: ast.expr, env: Env, why: Refusal) -> Value | None:
        """A value without a model, which costs only itself if nothing reads it; None where computing it may do more."""
        return None

    def set_item(self, target: ast.Subscript, value: ast.expr, env: Env, path: Path) -> Env | None:
        """The environment after ``target = value``; None if what is set a part of is not one of the boundary's own
        objects."""
        return None

    def require_plain(self, node: ast.AST, read: ast.expr, env: Env) -> None:
        """Refuse ``+=`` on a list, which would change it in place."""
        if isinstance(env.get(getattr(read, "id", "")), AbstractObject):
            raise Refusal("opaque", "an augmented assignment to something that is no scalar", node)

    def _check_target(self, target: ast.expr, env: Env) -> None:
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            local = isinstance(target.value, ast.Name) and isinstance(env.get(target.value.id), Items)
            if local:
                raise Refusal("opaque", "values kept in a list or dict", target)
            raise Refusal("side-effect", f"`{self.scope.ctx.text(target)}` is assigned: an object changes", target)

    def bind(self, target: ast.expr, value: Value, env: Env) -> Env:
        """``env`` after ``target = value``."""
        self._check_target(target, env)
        if isinstance(target, ast.Name):
            return {**env, target.id: value}
        items = self.unpack(value, target)
        if isinstance(target, (ast.Tuple, ast.List)) and items is not None and len(items) == len(target.elts):
            for t, v in zip(target.elts, items, strict=True):
                env = self.bind(t, v, env)
            return env
        starred = self._starred(target, value, items)
        if starred is not None:
            for t, v in starred:
                env = self.bind(t, v, env)
            return env
        raise Refusal("opaque", f"the assignment to `{self.scope.ctx.text(target)}`", target)

    def _starred(
        self, target: ast.expr, value: Value, items: tuple[Value, ...] | None
    ) -> list[tuple[ast.expr, Value]] | None:
        """What ``a, *rest, b = value`` binds to each target; None if the parts of ``value`` are not known."""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
        at = next((i for i, t in enumerate(parts) if isinstance(t, ast.Starred)), None)
        if at is None:
            return None
        behind = len(parts) - at - 1
        names = [t.value if isinstance(t, ast.Starred) else t for t in parts]
        if items is not None and len(items) >= len(parts) - 1:
            ends = len(items) - behind
            rest = Items(items[at:ends], True)
            return list(zip(names, (*items[:at], rest, *items[ends:]), strict=True))
        if len(parts) != 2 or not isinstance(value, _WITH_ENDS):
            return None
        # The end of a list; it raises a ValueError where there is none.
        read = ast.Subscript(ast.Name("list#", ast.Load()), ast.Constant(0 if at else -1), ast.Load())
        found = self.any_value(ast.fix_missing_locations(ast.copy_location(read, target)), {"list#": value})
        too_few = Raise("not enough values to unpack")
        parts_ = [transform(e, lambda n: too_few if isinstance(n, Raise) else None) for e in leaves(found)]
        for part in parts_:
            self.effect(self.path, part)
        end = rebuilt(found, iter(parts_))
        rest_ = Unreadable("opaque", "all elements of a list but one")
        return [(names[at], rest_), (names[1 - at], end)]

    def unpack(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        """The elements of a tuple."""
        if isinstance(value, OptionalValue) and isinstance(value.inner, Items):
            absent, known = Raise("None has no parts"), self.known()
            return tuple(assuming(choose(value.present, leaf, absent), known) for leaf in leaves(value.inner))
        return value.items if isinstance(value, Items) else None

    def display_part(self, node: ast.expr, env: Env) -> tuple[Value, ...]:
        """Also those of a tuple or list whose length is known."""
        if not isinstance(node, ast.Starred):
            return super().display_part(node, env)
        of = named_containers.container_at(self, node.value, env)
        parts = None if of is None or (isinstance(of, Items) and of.unique) else self.unpack(of, node.value)
        if parts is None:
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`: how many there are is not known", node)
        return parts

    def _bare(self, node: ast.Expr, env: Env, path: Path) -> Outcome:
        call = node.value
        if isinstance(call, ast.Constant):
            return End("next", env)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _COLLECTORS:
            owner = call.func.value
            if isinstance(owner, ast.Name) and (owner.id in env or owner.id in self.scope.local_names):
                if call.args and isinstance(call.args[0], (ast.Dict, ast.Tuple, ast.List, ast.Call)):
                    raise Refusal("multiplicity", f"`{owner.id}` collects rows: a group may give several", node)
                raise Refusal("opaque", f"values are collected in `{owner.id}`", node)
        if isinstance(call, (ast.Yield, ast.YieldFrom, ast.Await)):
            raise Refusal("multiplicity", "a generator", node)
        self.evaluated(call, env, path)
        return End("next", env)

    def _import(self, node: ast.Import | ast.ImportFrom, env: Env) -> Outcome:
        check_import(node)
        return End("next", env)

    def local_call(self, function: AbstractObject, node: ast.Call, env: Env) -> Expr | None:
        """The value of a call of a function that was made in the function; None if it is none."""
        if not isinstance(function, local_functions.Local):
            return None
        return local_functions.call(self, function, node, env)

    def inline(self, name: str, node: ast.Call, env: Env) -> Expr | None:
        """The value of a call of a function of this module: its body, run on the arguments."""
        function = self.scope.ctx.function(name)
        if function is None or node.keywords or self.scope.shadowed(name) or not self.scope.ctx.at_top(function):
            return None
        names = plain_parameters(function.args)
        given = by_place(name, node)
        if function.decorator_list or names is None or len(names) != len(given):
            return None
        return self.called(function, node, {n: self.argument(a, env) for n, a in zip(names, given, strict=True)})

    def argument(self, node: ast.expr, env: Env) -> Value:
        """What a function of the file is given: a scalar, or an object that nothing can change in place."""
        value = self.any_value(node, env)
        return value if isinstance(value, AbstractObject) and self.is_fixed(value) else self.plain(node, value)

    def is_fixed(self, value: Value) -> bool:
        """Whether nothing can change the object in place; of rows of the group, nothing that is understood."""
        if isinstance(value, (Items, RecordValue)):
            return not is_mutable(value)
        fixed = (local_functions.Local, Rows, KeyTuple)
        return not isinstance(value, AbstractObject) or (isinstance(value, fixed) and not is_mutable(value))

    def called(
        self, function: Function, node: ast.AST, arguments: Mapping[str, Value], around: Env | None = None,
        *, name: str = "", outer: frozenset[str] = frozenset(),
    ) -> Expr:  # fmt: skip
        """What ``function`` returns, given ``arguments`` by parameter, after the errors of all that it evaluates.
        ``around``: variables that it reads besides; ``name`` and ``outer``: as ``Scope.entered`` has them."""
        effects, path, breakable, called_on = self.effects, self.path, self.breakable, self.called_on
        env: Env = {**(around or {}), **arguments}
        scalars = [e for e in arguments.values() if not isinstance(e, AbstractObject)]
        self.effects, self.breakable = [((), e) for e in scalars if matters(e, path)], False
        self.called_on = (*called_on, *path)
        try:
            with self.scope.entered(function, node, name=name, around=outer):
                value = value_of(self.run(self.body(function, env), env, ()))
            return guarded(uncovered(self.effects, [value]), value)
        finally:
            self.effects, self.path, self.breakable, self.called_on = effects, path, breakable, called_on


def parts_of(value: Value) -> tuple[Expr, ...]:
    """The scalars inside a tuple, or a frame's row, that are evaluated where it is built."""
    if not isinstance(value, AbstractObject):
        return ()
    items = getattr(value, "values", ())
    items = items if isinstance(items, tuple) else ()
    return (*leaves(value), *(i for i in items if not isinstance(i, AbstractObject)))
