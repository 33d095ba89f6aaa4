"""Calls of functions of the same file, followed for what they say of the frame that comes out.

``clean(df)``, ``load(spark)``, ``df.transform(clean)``, ``df.transform(lambda d: …)``. The function's text may have
other callers, so nothing is ever written into it: its filters are hidden conditions here, and its boundaries stop every
filter. One exception: a boundary whose input is nothing but the function's argument, perhaps sorted. What goes before
it goes behind the argument, in the caller.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.constant_text import assigned, text_of
from headwater.pyspark.frames.tracked_values import Grouped, Rdd, TrackedFrame, Unevaluated, Unknown, Value
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import NESTED, leaves, own_nodes, plain_parameters
from headwater_ir.plan import (
    Aggregate,
    Explode,
    Filter,
    GroupMap,
    Join,
    Limit,
    Opaque,
    Plan,
    RowUdf,
    Scan,
    SetOperation,
    Sort,
    UnionAll,
    Window,
)
from headwater_ir.walks import below

if TYPE_CHECKING:
    from .expressions import Expressions

Function = ast.FunctionDef | ast.Lambda
_DEEPEST = 3
_NOT_FOLLOWED = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.NamedExpr)
_PLAIN: WeakKeyDictionary[ast.FunctionDef, bool] = WeakKeyDictionary()
_GENERATORS: WeakKeyDictionary[ast.FunctionDef, bool] = WeakKeyDictionary()


@dataclass(frozen=True)
class Argument:
    """``insert_at``: where a call joins the expression that gives ``value``; ``inside``: in the parentheses of
    the call that it is an argument of."""

    value: Value
    insert_at: int | None = None
    inside: bool = False


def called(node: ast.Call, given: list[Value], caller: Expressions) -> TrackedFrame | None:
    """The frame that ``function(…)`` returns; None if that is not known."""
    plain = None if node is caller.unused else _named(node.func, caller)
    function = plain or _reader(node.func, given, caller)
    if function is None:
        return None
    matched = _matched(function, _itself(node.func, caller), node, node.args, given, caller)
    made = None if matched is None else _follow(function, matched, node, caller)
    return made if plain is not None and (made is None or _trusted(node.func, caller)) else None


def transformed(receiver: TrackedFrame, node: ast.Call, given: list[Value], caller: Expressions) -> TrackedFrame | None:
    """The frame that ``receiver.transform(function, …)`` returns; None if that is not known."""
    assert isinstance(node.func, ast.Attribute)
    if not node.args or node.func.attr in caller.names.patches.methods:
        return None
    alone = _lambda(node.args[0]) if len(node.args) == 1 and not node.keywords else None
    if alone is not None and plain_parameters(alone.args) == [a.arg for a in alone.args.args[:1]]:
        return _in_place(alone, receiver, caller)
    function = _lambda(node.args[0]) or _named(node.args[0], caller)
    if function is None:
        return None
    try:
        first = Argument(receiver, call_spans.receiver_end(caller.names.ctx, node.func))
    except Refusal:
        return None
    matched = _matched(function, [*_itself(node.args[0], caller), first], node, node.args[1:], given[1:], caller)
    made = None if matched is None else _follow(function, matched, node, caller)
    return made if made is None or _trusted(node.args[0], caller) else None


def _in_place(function: ast.Lambda, receiver: TrackedFrame, caller: Expressions) -> TrackedFrame | None:
    """The value of a lambda that nothing but this call runs, once: what it does is done where it stands."""
    if len(caller.following) >= _DEEPEST:
        return None
    scope = caller.inside(function, {function.args.args[0].arg: receiver}, caller.place)
    _hold(scope, caller)
    made = scope.result(function)
    return made if isinstance(made, TrackedFrame) else None


def _lambda(node: ast.expr) -> ast.Lambda | None:
    if not isinstance(node, ast.Lambda) or any(isinstance(n, (*NESTED, *_NOT_FOLLOWED)) for n in ast.walk(node.body)):
        return None
    return node


def _itself(node: ast.expr, caller: Expressions) -> list[Argument]:
    """The object that ``node`` is a method of."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and caller.is_itself(node.value)):
        return []
    return [Argument(Unknown(f"parameter {node.value.id}", never_frame=True))]


def _trusted(node: ast.expr, caller: Expressions) -> bool:
    """True. Of a method it is taken for granted that it is the one in this file."""
    if isinstance(node, ast.Attribute) and caller.owner is not None:
        caller.names.ctx.trusts(f"no other file overrides or replaces `{caller.owner.name}.{node.attr}`")
    return True


def _named(node: ast.expr, caller: Expressions) -> ast.FunctionDef | None:
    """The function of the top level of the file that ``node`` names, or the method of the object that the code is a
    method of; None if its body is no plain code that returns at its end, or in branches, what may be a frame."""
    names = caller.names
    if isinstance(node, ast.Attribute):
        if caller.owner is None or not caller.is_itself(node.value) or names.reflective:
            return None
        method = names.ctx.method((caller.owner, node.attr))
        return method if method is not None and _is_plain(method) else None
    if not isinstance(node, ast.Name) or names.reflective:
        return None
    if node.id in names.imported or node.id in names.rebound:
        return None
    key = f"function {node.id}"
    if key not in names.ctx.memo:
        names.ctx.memo[key] = _plain(node.id, names)
    found = names.ctx.memo[key]
    return found if isinstance(found, ast.FunctionDef) else None


def _reader(node: ast.expr, given: list[Value], caller: Expressions) -> ast.FunctionDef | None:
    """The function that ``node`` names, if it is given frames, and who reads them matters: somewhere rows are kept."""
    ctx = caller.names.ctx
    if not any(isinstance(v, TrackedFrame) for v in given) or not (ctx.mentions("cache(") or ctx.mentions("persist(")):
        return None
    function = defined(node, caller)
    if function is None or any(isinstance(n, _NOT_FOLLOWED) for n in own_nodes(function)):
        return None
    return function if isinstance(node, ast.Name) and function in ctx.tree.body else None


def defined(node: ast.expr, caller: Expressions) -> ast.FunctionDef | None:
    """The function of the file, or the method of the object, that ``node`` calls, if nothing stands around it that
    changes what it returns."""
    function = _meant(node, caller)
    if function is None or function.decorator_list or caller.names.reflective:
        return None
    return None if _is_generator(function) else function


def _is_generator(function: ast.FunctionDef) -> bool:
    if function not in _GENERATORS:
        _GENERATORS[function] = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(function))
    return _GENERATORS[function]


def _meant(node: ast.expr, caller: Expressions) -> ast.FunctionDef | None:
    names = caller.names
    if isinstance(node, ast.Attribute):
        own = caller.owner if caller.is_itself(node.value) else None
        return None if own is None else names.ctx.method((own, node.attr))
    if not isinstance(node, ast.Name) or node.id in names.imported or node.id in names.rebound:
        return None
    return names.ctx.function(node.id)


def _plain(name: str, names: Names) -> ast.FunctionDef | None:
    function = names.ctx.function(name)
    if function is None or function not in names.ctx.tree.body or not _is_plain(function):
        return None
    return function


def _is_plain(function: ast.FunctionDef) -> bool:
    if function not in _PLAIN:
        _PLAIN[function] = _returns_at_its_ends(function)
    return _PLAIN[function]


def _returns_at_its_ends(function: ast.FunctionDef) -> bool:
    inside = list(own_nodes(function))
    returns = [n for n in inside if isinstance(n, ast.Return)]
    if not returns or function.decorator_list or any(isinstance(n, _NOT_FOLLOWED) for n in inside):
        return False
    return len(list(_returns(function.body))) == len(returns) and leaves(function.body) and all(map(_may_give, returns))


def _may_give(statement: ast.Return) -> bool:
    """Whether a frame may come out by ``statement``; by one without a value, nothing that anything is called on."""
    return statement.value is None or isinstance(statement.value, (ast.Name, ast.Call, ast.Attribute))


def _returns(body: list[ast.stmt]) -> Iterator[ast.Return]:
    """The ``return`` statements of ``body``, also those in branches, and in branches of these."""
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement
        elif isinstance(statement, ast.If):
            yield from (*_returns(statement.body), *_returns(statement.orelse))


def _matched(
    function: Function,
    positional: list[Argument],
    node: ast.Call,
    args: list[ast.expr],
    given: list[Value],
    caller: Expressions,
) -> dict[str, Argument] | None:
    """What each parameter is given; None if that is not plain to see."""
    a = function.args
    if (
        a.vararg
        or a.kwarg
        or any(isinstance(e, ast.Starred) for e in args)
        or any(k.arg is None for k in node.keywords)
    ):
        return None
    expressions = [*args, *(k.value for k in node.keywords)]
    arguments = [_argument(e, value, caller) for e, value in zip(expressions, given, strict=True)]
    positional = [*positional, *arguments[: len(args)]]
    order = [p.arg for p in (*a.posonlyargs, *a.args)]
    by_name = {p.arg for p in (*a.args, *a.kwonlyargs)}
    if len(positional) > len(order):
        return None
    found = dict(zip(order, positional, strict=False))
    for keyword, argument in zip(node.keywords, arguments[len(args) :], strict=True):
        if keyword.arg is None or keyword.arg in found or keyword.arg not in by_name:
            return None
        found[keyword.arg] = argument
    defaults: dict[str, ast.expr | None] = dict(zip(reversed(order), reversed(a.defaults), strict=False))
    defaults |= {p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)}
    for name in [*order, *(p.arg for p in a.kwonlyargs)]:
        default = defaults.get(name)
        if name not in found and default is None:
            return None
        if name not in found:
            found[name] = Argument(Unevaluated(default) if isinstance(default, ast.Constant) else _NOT_KNOWN)
    return found


_NOT_KNOWN = Unknown("an argument", "an argument of a call that is followed")


def _argument(node: ast.expr, value: Value, caller: Expressions) -> Argument:
    if isinstance(value, TrackedFrame):
        plain = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) and _stands_there(node, caller)
        return Argument(value, caller.names.ctx.span(node).end if plain else None, inside=True)
    if isinstance(value, Unknown):
        return Argument(value if value.never_frame or value.why else Unknown(value.origin))
    text = text_of(node, caller.names, caller.lookup)
    if text is not None:
        return Argument(Unevaluated(ast.copy_location(ast.Constant(text), node)))
    found = assigned(node, caller.names, caller.lookup)
    items = found.elts if isinstance(found, (ast.List, ast.Tuple)) else [found]
    return Argument(Unevaluated(found) if all(isinstance(i, ast.Constant) for i in items) else _NOT_KNOWN)


def _stands_there(node: ast.expr, caller: Expressions) -> bool:
    """Whether the text at the place of ``node`` is its text: in an f-string, older Pythons say another place."""
    try:
        found = ast.parse(f"({caller.names.ctx.text(node)}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return ast.dump(found) == ast.dump(node)


def _follow(
    function: Function, given: Mapping[str, Argument], node: ast.Call, caller: Expressions
) -> TrackedFrame | None:
    world, place = caller.world, (*caller.place, id(node))
    frames = [a for a in given.values() if isinstance(a.value, TrackedFrame)]
    if len(caller.following) >= _DEEPEST or function in caller.following:
        return None
    if not frames and "spark" not in caller.names.ctx.text(function).lower():
        return None
    with world.follow_again(place, function) as allowed:
        if not allowed:
            return None
        scope = caller.inside(function, {name: a.value for name, a in given.items()}, place)
        _hold(scope, caller)
        made, followed = scope.result(function), world.uses
    if not isinstance(made, TrackedFrame) or node is caller.unused:
        world.uses.inside(followed, made, None)
        return None
    foreign = _Foreign(getattr(function, "name", "lambda"), frames, _each_read_once(scope), caller)
    outside = replace(made, plan=foreign.seen_from_outside(made.plan))
    world.uses.inside(followed, made, outside)
    return outside


def _hold(scope: Expressions, caller: Expressions) -> None:
    """The parameters of a function that is followed hold what they are given."""
    for name, binding in scope.env.items():
        caller.world.uses.bound_to_variable(binding.value, binding.ident, scope.merged.get(name, 0))


def _each_read_once(scope: Expressions) -> bool:
    """Whether no frame in a function that was followed has a second consumer there."""
    bound = [b for b in scope.log if isinstance(b.value, (TrackedFrame, Grouped, Rdd)) or b.frame is not None]
    return not any(b.meets or scope.world.reads.get(b.ident, 0) > 1 for b in bound)


class _Foreign:
    """The operators that a function adds to the plans of its arguments, as its caller may use them."""

    def __init__(self, name: str, arguments: list[Argument], once: bool, caller: Expressions) -> None:
        self.name, self.arguments, self.once, self.caller = name, arguments, once, caller
        plans = [a.value.plan for a in arguments if isinstance(a.value, TrackedFrame)]
        self.own = {id(p) for plan in plans for p in below(plan)}
        self.done: dict[int, Plan] = {}

    def seen_from_outside(self, plan: Plan) -> Plan:
        """``plan`` without anything that an edit of the function's text could follow from."""
        if id(plan) in self.own or isinstance(plan, Scan):
            return plan
        if id(plan) not in self.done:
            self.done[id(plan)] = self._replaced(plan)
        return self.done[id(plan)]

    def _replaced(self, plan: Plan) -> Plan:
        if isinstance(plan, (Join, UnionAll, SetOperation)):
            return replace(plan, left=self.seen_from_outside(plan.left), right=self.seen_from_outside(plan.right))
        if isinstance(plan, Scan) or plan.child is None:
            return plan
        child = self.seen_from_outside(plan.child)
        if isinstance(plan, Filter):
            return replace(plan, child=child, conjuncts=(), unread=plan.unread or f"a filter of `{self.name}`")
        if isinstance(plan, (Explode, Window, Limit)):
            return replace(plan, child=child, boundary=None)
        if not isinstance(plan, (RowUdf, Aggregate, GroupMap)):
            return replace(plan, child=child)
        alone = not isinstance(plan, GroupMap) or plan.right is None
        argument = self._input(plan.child) if alone else None
        if argument is None or argument.insert_at is None:
            where = plan.boundary.operator
            reason = f"`{where}` is called in `{self.name}`, which may have other callers"
            return Opaque(child, "opaque", reason, plan.boundary.span, frozenset({"no effects"}))
        boundary = replace(plan.boundary, insert_at=argument.insert_at, in_argument=argument.inside)
        self.caller.world.bound_at[boundary] = self.caller.snapshot()
        return replace(plan, child=child, boundary=boundary)

    def _input(self, plan: Plan) -> Argument | None:
        """The argument that ``plan`` is, sorted or not, and that has no other consumer."""
        while isinstance(plan, Sort) and id(plan) not in self.own:
            plan = plan.child
        found = [a for a in self.arguments if isinstance(a.value, TrackedFrame) and a.value.plan is plan]
        return found[0] if len(found) == 1 and self.once else None
