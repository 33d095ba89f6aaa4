"""The frames that a function of the file is given wherever the file calls it, as the expressions that make them.

``def best(df): …`` and ``best(spark.read.schema(S).parquet(p))``, or a variable that was assigned such an expression on
the way to the call. Used for what they say of the types of columns, and only where the file is a program: it runs code
at its top level that comes to these calls. A library may be called by others with other frames.

Nothing is followed here but assignments in straight lines: what a loop, a ``try`` or a function binds is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

from headwater.syntax.source.bindings import NESTED, bound_names, head_targets

from .pyspark_symbols import FUNCTION_NAMES
from .statement_notes import notes_of

if TYPE_CHECKING:
    from .module_scope import Context

_MOST_ASSIGNMENTS = 30
_MOST_CALLS = 8
_MOST_CALLERS = 2
_OWNERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_Blocks = tuple[tuple[Union[ast.stmt, None], Sequence[ast.stmt], int], ...]
_EveryCall = tuple[list[tuple[ast.Call, _Blocks]], dict[int, int]]
_MEMO = "_calls_in_blocks"
_STRAIGHT = (ast.If, ast.With)
"""Statements whose bodies run at most once, after what stands before them."""


@dataclass(frozen=True)
class Made:
    """A frame: the assignments that run before, in order, and the expression that gives it."""

    assignments: tuple[ast.Assign, ...]
    expression: ast.expr


@dataclass(frozen=True)
class Given:
    """``made``: what makes the frame at each call; ``texts`` tell whether that is still the same after an edit."""

    texts: tuple[str, ...]
    made: tuple[Made, ...] = field(compare=False)


@dataclass(frozen=True)
class _Place:
    """A statement in the blocks around it, the innermost last: each with the statement that it is a block of, and the
    number of the statement of it that is meant."""

    blocks: _Blocks

    @property
    def owner(self) -> ast.stmt | None:
        """The function or class that the statement stands in; None for the top level."""
        owners = [o for o, _, _ in self.blocks if isinstance(o, _OWNERS)]
        return owners[-1] if owners else None


def frames_given(ctx: Context, function: str, parameter: str) -> Given | None:
    """What the file gives the parameter of a function of its top level wherever it calls it; None if that is not known,
    or if others may call it. Of no ``function``: what makes the frame that a variable of the top level holds."""
    if not function:
        return _of_variable(ctx, parameter)
    definition = ctx.function(function)
    if definition is None or definition not in ctx.tree.body or definition.decorator_list:
        return None
    calls = list(_calls(ctx, function, 0))
    if not calls or len(calls) > _MOST_CALLS:
        return None
    made = []
    for call, place in calls:
        argument = None if call is None else _argument(definition, call, parameter)
        needed = dict[int, ast.Assign]()
        if argument is None or not _needs(argument, place, ctx, needed):
            return None
        inside = {id(n) for n in ast.walk(place.owner)} if place.owner else set()
        ordered = sorted(needed.values(), key=lambda s: (id(s) in inside, s.lineno, s.col_offset))
        made.append(Made(tuple(ordered), argument))
    return Given(tuple(ast.unparse(n) for m in made for n in (*m.assignments, m.expression)), tuple(made))


def _of_variable(ctx: Context, name: str) -> Given | None:
    """What makes the frame that a variable of the top level holds, once it holds one; None if that is not known."""
    needed = dict[int, ast.Assign]()
    end = _Place(((None, ctx.tree.body, len(ctx.tree.body)),))
    binding = [s for s in ctx.naming(name) if name in bound_names([s])]
    starred = any(not m.startswith("pyspark") for m in ctx.star_modules) or (
        ctx.star_modules and name in FUNCTION_NAMES
    )
    if len(binding) != 1 or starred:
        return None
    read = ast.copy_location(ast.Name(name, ast.Load()), binding[0])
    if not _needs(read, end, ctx, needed):
        return None
    ordered = sorted(needed.values(), key=lambda s: (s.lineno, s.col_offset))
    return Given(tuple(ast.unparse(s) for s in ordered), (Made(tuple(ordered), read),))


def _calls(ctx: Context, function: str, depth: int) -> Iterator[tuple[ast.Call | None, _Place]]:
    """The calls of ``function`` with their places; None among them where it is used otherwise, or in what may never
    run, or be called by others."""
    nowhere = (None, _Place(()))
    for s in ctx.naming(function):
        notes = notes_of(s)
        if function in notes.attributes or function in notes.strings:
            yield nowhere
        reads = {id(n) for n in notes.reads.get(function, ())}
        found = list(_calls_in(s, ctx.tree.body, reads)) if reads else []
        if len(found) != len(reads):
            yield nowhere
        for call, place in found:
            yield (call, place) if _runs(place.owner, ctx, depth) else nowhere


def _runs(owner: ast.stmt | None, ctx: Context, depth: int) -> bool:
    """Whether the code of ``owner`` runs, if the program runs, and is called from nowhere else."""
    if owner is None:
        return True
    if not isinstance(owner, ast.FunctionDef) or owner not in ctx.tree.body or depth > _MOST_CALLERS:
        return False
    callers = list(_calls(ctx, owner.name, depth + 1))
    return bool(callers) and all(call is not None for call, _ in callers)


def _calls_in(s: ast.stmt, body: Sequence[ast.stmt], reads: set[int]) -> Iterator[tuple[ast.Call, _Place]]:
    """The calls ``f(…)`` and ``df.transform(f, …)`` in ``s`` of the functions that ``reads`` name."""
    at, (calls, by_function) = body.index(s), _every_call(s)
    for i in sorted({by_function[read] for read in reads & by_function.keys()}):
        node, blocks = calls[i]
        yield node, _Place(((None, body, at), *blocks))


def _every_call(s: ast.stmt) -> _EveryCall:
    """The calls in ``s``, which nobody changes any more, with the blocks in it that they stand in; and which of them
    call a name, by its identity."""
    kept: _EveryCall | None = getattr(s, _MEMO, None)
    if kept is None:
        known: list[tuple[ast.Call, _Blocks]] = []
        todo: list[tuple[ast.stmt, _Blocks]] = [(s, ())]
        while todo:
            statement, blocks = todo.pop()
            for name in ("body", "orelse", "finalbody"):
                block = getattr(statement, name, None) or []
                todo += [(inner, (*blocks, (statement, block, i))) for i, inner in enumerate(block)]
            for handler in getattr(statement, "handlers", ()):
                todo += [(inner, (*blocks, (statement, handler.body, i))) for i, inner in enumerate(handler.body)]
            known += [(node, blocks) for node in _own(statement) if isinstance(node, ast.Call)]
        kept = known, {id(m): i for i, (node, _) in enumerate(known) for m in _meant(node)}
        setattr(s, _MEMO, kept)  # a table would keep the tree, of which this speaks
    return kept


def _meant(node: ast.Call) -> Iterator[ast.expr]:
    """The functions that ``node`` calls: ``f(…)`` and ``df.transform(f, …)``."""
    yield node.func
    if isinstance(node.func, ast.Attribute) and node.func.attr == "transform" and node.args:
        yield node.args[0]


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without the statements in it and functions without a name."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        todo += [
            c for c in ast.iter_child_nodes(node)
            if not isinstance(c, (ast.stmt, ast.ExceptHandler, ast.match_case, *NESTED))
        ]  # fmt: skip


def _argument(function: ast.FunctionDef, call: ast.Call, parameter: str) -> ast.expr | None:
    """What ``call`` gives ``parameter``."""
    a = function.args
    positional = list(call.args)
    if isinstance(call.func, ast.Attribute):  # df.transform(function, …)
        positional[0] = call.func.value
    if a.vararg or a.kwarg or any(isinstance(p, ast.Starred) for p in positional):
        return None
    order = [p.arg for p in (*a.posonlyargs, *a.args)]
    given = dict(zip(order, positional, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    return given.get(parameter) if len(positional) <= len(order) and all(k.arg for k in call.keywords) else None


def _needs(node: ast.expr, place: _Place, ctx: Context, needed: dict[int, ast.Assign]) -> bool:
    """Whether it is known which assignments, on the way to ``place``, give the variables of ``node`` their values; they
    are added to ``needed``."""
    if len(needed) > _MOST_ASSIGNMENTS:
        return False
    if any(isinstance(n, (*NESTED, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(node)):
        return False
    root = _session(node)
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and n is not root and ctx.times_bound(n.id):
            found = _assigned(n.id, place, ctx)
            if found is None or _may_change(n.id, ctx):
                return False
            assignment, at = found
            if id(assignment) not in needed:
                needed[id(assignment)] = assignment
                if not _needs(assignment.value, at, ctx, needed):
                    return False
    return True


def _may_change(name: str, ctx: Context) -> bool:
    """Whether something may change the value of ``name`` in place, or bind it from elsewhere."""
    return any(name in notes.mutated or name in notes.rebound for notes in map(notes_of, ctx.naming(name)))


def _session(node: ast.expr) -> ast.AST | None:
    """The variable that a chain of calls begins with, if it is a session: of what its methods make a frame."""
    at: ast.AST = node
    while isinstance(at, (ast.Call, ast.Attribute)):
        owner = at.func if isinstance(at, ast.Call) else at.value
        if isinstance(at, ast.Attribute) and at.attr in ("read", "table", "sql", "range", "createDataFrame"):
            return owner if isinstance(owner, ast.Name) else None
        at = owner
    return None


def _assigned(name: str, place: _Place, ctx: Context) -> tuple[ast.Assign, _Place] | None:
    """What ``name`` was assigned last where ``place`` is reached, and where."""
    for depth in range(len(place.blocks), 0, -1):
        around, block, number = place.blocks[depth - 1]
        for i in range(number - 1, -1, -1):
            match block[i]:
                case ast.Assign(targets=[ast.Name(id=target)]) as found if target == name:
                    return found, _Place((*place.blocks[: depth - 1], (around, block, i)))
                case s if name in bound_names([s]):
                    return None
        if isinstance(around, ast.FunctionDef):
            return _global(name, ctx) if ctx.times_bound(name) == 1 else None
        if around is not None and (not isinstance(around, _STRAIGHT) or name in head_targets(around)):
            return None
    return None


def _global(name: str, ctx: Context) -> tuple[ast.Assign, _Place] | None:
    """The value of a name that one assignment of the top level binds and nothing else does."""
    for i, s in enumerate(ctx.tree.body):
        match s:
            case ast.Assign(targets=[ast.Name(id=target)]) as found if target == name:
                return found, _Place(((None, ctx.tree.body, i),))
    return None
