"""Python that makes lists of lists whose elements have no model: comprehensions, ``sorted``, ``filter``, loops
that append, generator functions.

Law: what each of these makes is as long as its source, or not longer (``values/sized_lists``). Condition: the code of
the elements does nothing but compute (``python/effects``), and nothing else is done to the list. Counterexample without
it: ``[seen.append(a) for a in xs if a not in seen]`` is longer or shorter depending on the rows before.
Two generators in one comprehension, and two ``append`` in one iteration, may make more than there was: no model.
Reference: the Python language reference, 6.2.4 to 6.2.9; THEORY.md section 4.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from headwater.libraries import models
from headwater.python.effects import loop_counting, scoped_program
from headwater.python.exprs.simplify import NONE, choose, negate
from headwater.python.interpreter.containers_mixin import Structured
from headwater.python.interpreter.outcomes import End, Outcome, Path, Split
from headwater.python.values import short_lists
from headwater.python.values.scope import AbstractObject, Env, Items, Unreadable, Value
from headwater.python.values.sized_lists import OF_NONE, Kind, Sized, array, as_long, as_sized, joined, shorter
from headwater.python.values.structures import BoundedList, is_mutable
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import TRUE, Col, Compare, Expr, Lit, Raise
from headwater_ir.types import ANY, INT, INT32, list_of

_COPIES: dict[str, Kind] = {
    "list": "list",
    "tuple": "tuple",
    "sorted": "list",
    "reversed": "iterator",
    "iter": "iterator",
    "enumerate": "iterator",
}
_SETS = ("set", "frozenset")
_FRESH = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Call)
_ZERO = Lit(0, INT)


class Lists(Structured):
    """Adds lists of which only the length is known."""

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """Also lists that are made of arrays."""
        found: Value | None = self._counted(node, env) if isinstance(node, ast.Call) else None
        if found is None:
            found = self.sized(node, env)
        return super().object_at(node, env) if found is None else found

    def test(self, node: ast.expr, env: Env) -> Expr:
        """The truth of ``node``: a list is true if it has an element."""
        found = self.sized(node, env)
        return super().test(node, env) if found is None else found.filled

    def compare_things(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Expr | None:
        """Also ``xs is None`` and ``xs == []``."""
        for one, other in ((a, b), (b, a)):
            found = _compared(one, op, other) if isinstance(one, Sized) else None
            if found is not None:
                return found if isinstance(op, (ast.Is, ast.Eq)) else negate(found)
        return super().compare_things(node, op, a, b)

    def array_column(self, node: ast.expr, env: Env) -> str | None:
        """The column that ``node`` reads, if it holds arrays; None if it is something else."""
        return None

    # --- lists

    def sized(self, node: ast.expr, env: Env) -> Sized | None:
        """``node`` as a list of which the length is known; None if it is none that is made of an array."""
        match node:
            case ast.Name(id=name):
                found = env.get(name)
                return self._named_list(found) if isinstance(found, Sized) else None
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self._made_in_place(node, env)
            case ast.Subscript(value=owner, slice=ast.Slice() as part):
                of = self.sized(owner, env)
                return None if of is None else self._cut(of, part, "tuple" if of.kind == "tuple" else "list")
            case ast.BoolOp(op=ast.Or(), values=[first, ast.List(elts=[]) | ast.Tuple(elts=[])]):
                of = self.sized(first, env)
                return None if of is None else replace(of, length=_or_none(of), there=TRUE)
            case ast.IfExp(test=test, body=ast.List() | ast.ListComp() | ast.Name() | ast.Call() as a, orelse=b):
                return self._one_of_two(test, a, b, env)
            case ast.Call(func=ast.Name(id=name)) if name not in env and name not in self.scope.local_names:
                return self._made_by(node, env)
            case ast.Attribute() | ast.Subscript():
                column = self.array_column(node, env)
                if column is not None:
                    return array(self.scope, column)
                part_of = super().object_at(node, env)
                return self._named_list(part_of) if isinstance(part_of, Sized) else None
        return None

    def _one_of_two(self, test: ast.expr, a: ast.expr, b: ast.expr, env: Env) -> Sized | None:
        """``a if test else b`` of two lists of which one is made of an array."""
        sides = [Items((), True) if isinstance(n, ast.List) and not n.elts else self.sized(n, env) for n in (a, b)]
        first, second = sides
        if first is None or second is None or not any(isinstance(v, Sized) for v in sides):
            return None
        return joined(self.test(test, env), first, second)

    def source(self, node: ast.expr, env: Env, target: ast.expr, uses: Iterable[ast.AST]) -> Sized | None:
        """What a loop over ``node`` runs over; None if it is no list of ours. Of a column whose type is not known it
        follows from what is done to the elements that it is no text."""
        found = self.sized(node, env)
        if found is not None:
            return found
        value = self._column_of_any_type(node, env)
        if value is None:
            return None
        if not _are_no_letters(target, uses):
            raise Refusal("opaque", f"whether `{value.name}` is an array or a text is not known", node)
        self.scope.hints.setdefault(value.name, list_of(ANY))
        raise Refusal("opaque", f"`{value.name}` has to be an array", node)

    def _column_of_any_type(self, node: ast.expr, env: Env) -> Col | None:
        if not isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)):
            return None
        found = env.get(node.id) if isinstance(node, ast.Name) else super().object_at(node, env)
        return found if isinstance(found, Col) and self.scope.type(found) == ANY else None

    def _named_list(self, of: Sized) -> Sized:
        """``of`` under a name; Refusal of an iterator, which runs out, and sees what becomes of its list meanwhile."""
        if of.kind == "iterator":
            raise Refusal("opaque", "an iterator under a name")
        return of

    def _cut(self, of: Sized, code: ast.AST | None, kind: Kind = "list") -> Sized:
        if code is not None:
            scoped_program.require(self.scope, code)
        return shorter(self.scope, of, kind)

    def _made_in_place(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, env: Env) -> Sized | None:
        part = node.generators[0]
        uses = [node.elt if len(node.generators) == 1 else node, *part.ifs]
        of = None if part.is_async else self.source(part.iter, env, part.target, uses)
        if of is None:
            return None
        if len(node.generators) > 1:
            raise Refusal("multiplicity", "a comprehension that may make more elements than there were", node)
        scoped_program.require(self.scope, node)
        if isinstance(node, ast.SetComp):
            return shorter(self.scope, of, "set")
        kind: Kind = "list" if isinstance(node, ast.ListComp) else "iterator"
        return shorter(self.scope, of, kind) if part.ifs else as_long(of, kind)

    def _made_by(self, node: ast.Call, env: Env) -> Sized | None:
        name = (self.scope.origin(node.func) or "").removeprefix("builtins.")
        if name not in ("map", "filter", *_COPIES, *_SETS, "zip"):
            return self._of_function(node, env)
        bound = models.bind(f"builtins.{name}", node)
        given = (*bound.arguments.values(), *bound.rest)
        if not given:
            return None
        if name in ("map", "filter"):
            if len(given) != 2:
                return None
            of = self.sized(given[1], env)
            if of is None:
                return None
            scoped_program.require(self.scope, node)
            return as_long(of, "iterator") if name == "map" else shorter(self.scope, of, "iterator")
        of = self.sized(
            bound.rest[0] if name == "zip" else bound.arguments["sequence" if name == "reversed" else "iterable"], env
        )
        if of is None:
            return None
        scoped_program.require(self.scope, node)
        if name in _COPIES:
            return as_long(of, _COPIES[name])
        return shorter(self.scope, of, "iterator" if name == "zip" else "set")

    def _counted(self, node: ast.Call, env: Env) -> Expr | None:
        """``len(xs)``, and ``sum(1 for x in xs if …)``, which counts."""
        name = self.scope.origin(node.func)
        if name not in ("builtins.len", "builtins.sum"):
            return None
        of, *start = models.in_order(name, node)
        if start:
            return None
        if name == "builtins.len":
            found = self.sized(of, env)
            return found.length if found is not None and found.kind != "iterator" else None
        ones = isinstance(of, (ast.GeneratorExp, ast.ListComp)) and loop_counting.is_one(of.elt)
        found = self.sized(of, env) if ones else None
        return None if found is None else found.length

    def size_of(self, tree: Outcome) -> Expr:
        """What Spark's ``size`` says of the list that a function returns: of None, NULL or -1 (``array_sizes``)."""
        if isinstance(tree, Split):
            return choose(tree.cond, self.size_of(tree.then), self.size_of(tree.otherwise))
        if tree.kind == "raise":
            return Raise(tree.reason)
        if tree.kind in ("continue", "break"):
            raise Refusal("opaque", "a jump out of a loop")
        of_none = self.scope.ghost(OF_NONE, INT32)
        if tree.value is None or tree.value == NONE:
            return of_none
        if isinstance(tree.value, BoundedList):
            return short_lists.length(tree.value)[0]
        found = as_sized(tree.value)
        if found is None or found.kind != "list":
            raise Refusal("opaque", "the function returns something that is not a list of which the length is known")
        return choose(found.there, found.length, of_none)

    # --- functions of the file

    def _of_function(self, node: ast.Call, env: Env) -> Sized | None:
        """What a function of the file makes of what it is given, if that is a list."""
        assert isinstance(node.func, ast.Name)
        scope, name = self.scope, node.func.id
        function = scope.ctx.function(name)
        if function is None or function.decorator_list or scope.shadowed(name) or node.keywords:
            return None
        names = plain_parameters(function.args)
        given = by_place(name, node)
        if names is None or len(names) != len(given):
            return None
        values = {n: self._argument(a, env) for n, a in zip(names, given, strict=True)}
        if not any(isinstance(v, (Sized, AbstractObject)) and not isinstance(v, Unreadable) for v in values.values()):
            return None
        read = self._yielded if loop_counting.yields(function) else self._returned
        with scope.entered(function, node):
            found = read(function, values)
        if found is not None:
            scoped_program.require(scope, node)  # what else is handed over
        return found

    def _argument(self, node: ast.expr, env: Env) -> Value:
        try:
            return self.any_value(node, env)
        except Refusal as refusal:
            return Unreadable(refusal.obstruction, refusal.reason)

    def _returned(self, function: ast.FunctionDef, env: Env) -> Sized | None:
        """What a function makes that does nothing else. One that hands back what it is given is none: that would then
        have two names."""
        body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, _FRESH):
            return None
        return self.sized(body[0].value, env)

    def _yielded(self, function: ast.FunctionDef, env: Env) -> Sized | None:
        """What a generator function yields: at most one element for each iteration of its only loop."""
        loops = [s for s in function.body if isinstance(s, ast.For)]
        rest = [s for s in function.body if not isinstance(s, ast.For)]
        if len(loops) != 1 or loops[0].orelse or any(loop_counting.yields(s) for s in rest):
            return None
        if any(not isinstance(s, (ast.Assign, ast.Expr)) for s in rest):
            return None
        loop = loops[0]
        bound = {n.id for s in rest for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        inside = {n: v for n, v in env.items() if n not in bound}
        of = self.source(loop.iter, inside, loop.target, loop.body)
        yields = [n for n in ast.walk(loop) if isinstance(n, (ast.Yield, ast.YieldFrom))]
        plain = [n for n in ast.walk(loop) if isinstance(n, ast.stmt) and loop_counting.is_yield(n)]
        if of is None or len(yields) != len(plain) or loop_counting.most(loop.body, loop_counting.is_yield) != 1:
            return None
        scoped_program.require(self.scope, function)
        return shorter(self.scope, of, "iterator")

    # --- loops that append

    def loop(self, node: ast.For, env: Env, path: Path) -> Outcome | None:
        """The outcome of a loop over a list of which the length is known."""
        of = None if node.orelse else self.source(node.iter, env, node.target, node.body)
        if of is None:
            return super().loop(node, env, path)  # type: ignore[misc,no-any-return]  # a mixin: the class beside it has the loop
        if any(isinstance(n, (ast.Return, ast.Yield, ast.YieldFrom)) for s in node.body for n in ast.walk(s)):
            raise Refusal("opaque", "a loop over an array that returns from inside", node)
        grown = {n for n, v in env.items() if isinstance(v, Sized) or (isinstance(v, Items) and v.mutable)}
        counted = {n for n, v in env.items() if isinstance(v, Lit) and type(v.value) is int}
        over = {n.id for n in ast.walk(node.iter) if isinstance(n, ast.Name)}
        scoped_program.require(self.scope, node, frozenset((grown | counted) - over))
        stored = {n for s in node.body for n in loop_counting.stored_names(s)} | loop_counting.target_names(node.target)
        after = dict(env)
        things = {n for n, v in env.items() if isinstance(v, AbstractObject)}
        for name in sorted((grown | stored | things) & loop_counting.mentioned_names(node)):
            after[name] = self._after_appending(name, env.get(name), node, of, name in stored)
        return End("next", after)

    def _after_appending(self, name: str, before: Value | None, node: ast.For, of: Sized, stored: bool) -> Value:
        """What a variable holds after a loop that mentions it."""
        lost = Unreadable("opaque", f"what `{name}` is after a loop over an array")
        fixed = isinstance(before, Items) and not is_mutable(before)
        if before is not None and not stored and (fixed or not loop_counting.changes_object(name, node.body)):
            return before
        if before == _ZERO and loop_counting.most(node.body, lambda s: loop_counting.counts(name, s)) == 1:
            return shorter(self.scope, of).length if loop_counting.only_counted(name, node.body) else lost
        empty = isinstance(before, Items) and not before.items and not before.unique
        if stored or not empty or loop_counting.most(node.body, lambda s: loop_counting.appends(name, s)) not in (0, 1):
            return lost
        if not loop_counting.only_appended(name, node.body):
            return lost
        each = any(loop_counting.appends(name, s) for s in node.body) and not any(
            isinstance(n, (ast.Break, ast.Continue)) for s in node.body for n in ast.walk(s)
        )
        return as_long(of) if each else shorter(self.scope, of)


def _compared(of: Sized, op: ast.cmpop, other: Value) -> Expr | None:
    """``of == other`` and ``of is other``; None where that has no model."""
    if other == NONE and isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        return negate(of.there)
    empty = isinstance(other, Items) and not other.items and not other.unique
    if isinstance(op, (ast.Eq, ast.NotEq)) and empty and of.kind == "list":
        return Compare("==", _or_none(of, Lit(-1, INT)), _ZERO, "python")
    return None


def _or_none(of: Sized, otherwise: Expr = _ZERO) -> Expr:
    """The length of ``of``, or ``otherwise`` where it is None."""
    return choose(of.there, of.length, otherwise)


def _are_no_letters(target: ast.expr, uses: Iterable[ast.AST]) -> bool:
    """Whether something is done to the elements that letters and bytes do not stand: a field is read, or parts are
    taken. What is iterated over is then no text."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return len(target.elts) > 1
    if not isinstance(target, ast.Name):
        return False
    for node in (n for use in uses for n in ast.walk(use)):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=field) if owner == target.id and not hasattr("", field):
                return not hasattr(0, field)
            case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str())) if owner == target.id:
                return True
    return False
