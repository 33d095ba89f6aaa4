"""Generators that are read to the end where they are called, with the body of the generator in the place of the call.

Law: the body runs as far as its reader asks. What each reader does with a value stands in the place of the ``yield``:

    sum(f(x) for x in values(rows) if x.ok)     made = []
                                                for row in rows:          # the body of `values`
                                                    x = row.value         # of `yield row.value`
                                                    if x.ok:
                                                        made.append(f(x))
                                                sum(made)

``any``, ``all``, ``next`` and a loop that is left return from the body instead. A list holds the values of a reader
that asks for all of them; an error of the body is one of the reader then, whichever value it comes behind.

Conditions: the reader stands where the statement certainly evaluates it, and what stands before it changes nothing;
the generator belongs to the file, yields in statements of their own, outside of ``try`` and ``with``, and returns no
value. Others stay calls, which have no model. Reference: the Python language reference, section 6.2.9.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from headwater.syntax.refusal import Refusal
from headwater.syntax.source import ast_walk
from headwater.syntax.source.bindings import own_nodes

from . import build, early_exits

Origin = Callable[[ast.expr], "str | None"]
"""The full name of what an expression means."""
_ALL = {
    **dict.fromkeys("builtins.max builtins.min builtins.sum builtins.sorted builtins.list builtins.tuple".split(), 0),
    "builtins.set": 0, "collections.Counter": 0, "functools.reduce": 1, "heapq.nlargest": 1, "heapq.nsmallest": 1,
    "math.fsum": 0,
}  # fmt: skip
"""Functions that ask an iterator for all that it has, by the place of that argument."""
_SOME = {"builtins.any", "builtins.all", "builtins.next"}
_PURE = {*_ALL, *_SOME, *(f"builtins.{n}" for n in "len int float bool abs".split())} - {"builtins.next"}
"""Functions that change nothing but the iterators that they are given."""
_INSIDE = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.BinOp, ast.UnaryOp, ast.keyword, ast.Subscript, ast.Attribute)
"""Expressions of which all parts are evaluated, and nothing else happens that a body could see."""
_STILL = (ast.Name, ast.Constant, ast.Lambda, ast.Attribute)


@dataclass(frozen=True)
class Reader:
    """``node``, an expression or a loop, reads the generator ``call``. ``kind``: ``all``, ``any``, ``every``, ``first``
    or ``loop``. ``each``: the comprehension around the call, which makes of each value another."""

    node: ast.expr | ast.For
    call: ast.Call
    kind: str
    each: ast.GeneratorExp | ast.ListComp | None = None


def yields(function: ast.FunctionDef) -> bool:
    """Whether the function is a generator."""
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(function))


def is_plain(function: ast.FunctionDef) -> bool:
    """Whether a generator yields in statements of their own, outside of ``try`` and ``with``, and returns no value."""
    inside = list(own_nodes(function))
    found = [n for n in inside if isinstance(n, (ast.Yield, ast.YieldFrom))]
    statements = [n for n in inside if isinstance(n, ast.Expr) and isinstance(n.value, (ast.Yield, ast.YieldFrom))]
    other = (ast.Try, ast.With, ast.AsyncWith, ast.AsyncFor, ast.Nonlocal, ast.Global)
    returned = any(isinstance(n, ast.Return) and n.value is not None for n in inside)
    return len(found) == len(statements) and not returned and not any(isinstance(n, other) for n in inside)


def readers(s: ast.stmt, origin: Origin) -> Iterator[Reader]:
    """Where the statement certainly reads what a call returns, before it does anything that the call could see."""
    match s:
        case ast.For(iter=value):
            if isinstance(value, ast.Call) and not s.orelse:
                yield Reader(s, value, "loop")
            yield from _within(value, origin)
        case ast.Assign(value=value) | ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
            yield from _within(value, origin)
        case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(target=ast.Name(), value=value):
            yield from _within(value, origin)
        case ast.If(test=value):
            yield from _within(value, origin)


class _End(Exception):
    """What is evaluated from here on, a body may see, or may not be evaluated."""


def _within(node: ast.AST, origin: Origin) -> Iterator[Reader]:
    try:
        yield from _evaluated(node, origin)
    except _End:
        return


def _evaluated(node: ast.AST, origin: Origin) -> Iterator[Reader]:
    """Readers in the order of their evaluation."""
    match node:
        case ast.Name() | ast.Constant() | ast.expr_context() | ast.operator() | ast.unaryop() | ast.Lambda():
            return
        case ast.Call(func=func):
            yield from _call(node, origin)
            for part in (func, *node.args, *node.keywords):
                yield from _evaluated(part, origin)
            if origin(func) in _PURE:
                return
        case ast.ListComp(generators=[ast.comprehension(iter=ast.Call() as call, is_async=0), *_]):
            yield from _of(node, node, "all")
            yield from _evaluated(call, origin)
        case ast.Compare(left=left, comparators=[right, *more]):
            yield from _evaluated(left, origin)
            yield from _evaluated(right, origin)
            if not more:
                return
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first):
            yield from _evaluated(first, origin)
        case _ if isinstance(node, _INSIDE):
            for part in ast.iter_child_nodes(node):
                yield from _evaluated(part, origin)
            return
    raise _End


def _call(node: ast.Call, origin: Origin) -> Iterator[Reader]:
    name = origin(node.func)
    if name in ("builtins.any", "builtins.all") and len(node.args) == 1 and not node.keywords:
        yield from _of(node, node.args[0], "any" if name == "builtins.any" else "every")
    elif name == "builtins.next" and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
        yield from _of(node, node.args[0], "first")
    elif name in _ALL and _ALL[name] < len(node.args):
        given = node.args[_ALL[name]]
        others = (*(a for a in node.args if a is not given), *(k.value for k in node.keywords))
        if all(isinstance(a.operand if isinstance(a, ast.UnaryOp) else a, _STILL) for a in others):
            yield from _of(given, given, "all")


def _of(node: ast.expr, given: ast.expr, kind: str) -> Iterator[Reader]:
    match given:
        case ast.Call():
            yield Reader(node, given, kind)
        case ast.GeneratorExp(generators=[part]) | ast.ListComp(generators=[part]):
            if isinstance(part.iter, ast.Call) and not part.is_async:
                yield Reader(node, part.iter, kind, given)


Renamed = Callable[[ast.AST, Collection[str], Mapping[str, ast.expr]], ast.AST]
"""A copy of a tree, where these variables get names of their own and those are replaced."""


def read(reader: Reader, body: list[ast.stmt], name: str, renamed: Renamed, *, private: bool) -> list[ast.stmt]:
    """The ``body`` of a generator, whose variables have names of its own, with what ``reader`` does with a value in
    place of each ``yield``. ``name``: the variable that its result has then; ``private``: nothing but the loop reads
    its target. Refusal for exits without a rule."""
    loop = _loop_body(reader.node) if isinstance(reader.node, ast.For) else []

    def each(value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
        if isinstance(reader.node, ast.For):
            target = reader.node.target
            if not isinstance(target, ast.Name) or not isinstance(value, ast.Name) or not private:
                return [_store(target, value, at), *loop]
            found = [renamed(s, (), {target.id: value}) for s in loop]
            return [s for s in found if isinstance(s, ast.stmt)]
        if reader.each is None:
            return end(value, at)
        (part,) = reader.each.generators
        own = {n.id for n in ast.walk(part.target) if isinstance(n, ast.Name)}
        names: dict[str, ast.expr] = {}
        if isinstance(value, ast.Name) and isinstance(part.target, ast.Name):
            names = {part.target.id: value}
        every = [renamed(n, own, names) for n in (part.target, reader.each.elt, *part.ifs)]
        made, element, *tests = (e for e in every if isinstance(e, ast.expr))
        inner = end(element, at)
        for test in tests[::-1]:
            inner = [build.branch(test, inner, [], at)]
        return inner if names else [_store(made, value, at), *inner]

    def end(value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
        leave = ast.copy_location(ast.Return(None), at)
        if reader.kind == "all":
            append = ast.copy_location(ast.Attribute(build.read(name, at), "append", ast.Load()), at)
            return [ast.copy_location(ast.Expr(ast.copy_location(ast.Call(append, [value], []), at)), at)]
        if reader.kind == "first":
            return [build.assign(name, value, at), leave]
        decides = value if reader.kind == "any" else build.negated(value)
        found = build.constant(reader.kind == "any", at)
        return [build.branch(decides, [build.assign(name, found, at), leave], [], at)]

    def statement(s: ast.stmt) -> list[ast.stmt]:
        match s:
            case ast.Expr(value=ast.Yield(value=value)):
                return each(value or build.constant(None, s), s)
            case ast.Expr(value=ast.YieldFrom(value=value)):
                part = f"{name} part"
                inner = each(build.read(part, s), s)
                target = ast.copy_location(ast.Name(part, ast.Store()), s)
                return [ast.copy_location(ast.For(target, value, inner, []), s)]
        made = s
        for block in ("body", "orelse"):
            old = getattr(s, block, None)
            if isinstance(old, list):
                made = ast.copy_location(type(s)(**{**dict(ast.iter_fields(made)), block: block_of(old)}), s)
        return [made]

    def block_of(statements: list[ast.stmt]) -> list[ast.stmt]:
        return [made for s in statements for made in statement(s)]

    return block_of(body)


def initial(reader: Reader, name: str) -> list[ast.stmt]:
    """What the variable ``name`` holds before anything is read."""
    at = reader.node
    if isinstance(at, ast.For):
        return []
    if reader.kind == "all":
        return [build.assign(name, ast.copy_location(ast.List([], ast.Load()), at), at)]
    if reader.kind == "first":
        assert isinstance(at, ast.Call)
        return [build.assign(name, at.args[1], at)]
    return [build.assign(name, build.constant(reader.kind == "every", at), at)]


def _loop_body(loop: ast.For) -> list[ast.stmt]:
    """What the loop does with a value; a ``return`` for each ``break``."""
    kinds = {type(s) for s in _jumps(loop.body)}
    if len(kinds) > 1 or any(isinstance(n, ast.Return) for s in loop.body for n in (s, *own_nodes(s))):
        raise Refusal("opaque", "a loop over a generator that is left in two ways", loop)
    body = _returning(loop.body)
    return early_exits.run_through(body) if ast.Continue in kinds else body


def _jumps(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Where the loop around ``body`` is left or goes on. Refusal where that is no place of branches alone."""
    for s in body:
        if isinstance(s, (ast.Break, ast.Continue)):
            yield s
        elif isinstance(s, ast.If):
            yield from _jumps([*s.body, *s.orelse])
        elif any(isinstance(n, (ast.Break, ast.Continue)) for n in ast_walk.walk(s)):
            raise Refusal("opaque", "a loop over a generator with such statements in it", s)


def _returning(body: list[ast.stmt]) -> list[ast.stmt]:
    """``body`` with a ``return`` in place of each ``break`` and ``continue``."""
    return [
        ast.copy_location(ast.Return(None), s)
        if isinstance(s, (ast.Break, ast.Continue))
        else build.branch(s.test, _returning(s.body), _returning(s.orelse), s)
        if isinstance(s, ast.If)
        else s
        for s in body
    ]


def _store(target: ast.expr, value: ast.expr, at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([target], value), at)
