"""Which turns of loops, and which branches in them, a job is in: as the clauses of a comprehension that has an element
for each time that it is run, in the same order.

``for x in xs: y = f(x); if y: job`` has those of ``[… for x in xs for y in [f(x)] if y]``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from headwater.syntax.names.resolve import Names

from ..places import Places

LOOPS = (ast.For, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_GOES_THROUGH = frozenset("dict frozenset list max min set sorted sum tuple".split())
"""Python's functions that go through all of a generator."""


class Clause(NamedTuple):
    """``for target in value``, or ``if value`` where there is no ``target``. ``at``: what is written as ``value``, or
    as the one element of it, or as what it is the contrary of."""

    target: ast.expr | None
    value: ast.expr
    at: ast.expr


def clauses_of(loop: ast.AST, job: ast.AST, places: Places) -> list[Clause] | None:
    """The clauses of what is around ``job`` from ``loop`` on; None if something there may leave a job out, or do it
    twice, for another reason."""
    around = [job, *places.outward(job)]
    inside = around[: next(i for i, n in enumerate(around) if n is loop) + 1]
    found = list[Clause]()
    for outer, part in zip(inside[:0:-1], inside[-2::-1], strict=True):
        clauses = _between(outer, part, places)
        if clauses is None:
            return None
        found += clauses
    return found


def _between(outer: ast.AST, part: ast.AST, places: Places) -> list[Clause] | None:
    """The clauses for what ``outer`` does with its ``part``."""
    match outer:
        case ast.For(target=target, iter=over, body=body, orelse=[]):
            before = None if part is over else _before(part, body)
            return None if before is None else [_loop(target, over), *before]
        case ast.If(test=test, body=body, orelse=orelse):
            if part is test:
                return []
            block = body if any(s is part for s in body) else orelse
            before = _before(part, block)
            return None if before is None else [_test(test, contrary=block is orelse), *before]
        case ast.IfExp(test=test, orelse=orelse):
            return [] if part is test else [_test(test, contrary=part is orelse)]
        case ast.BoolOp(op=op, values=values):
            first = values[: next(i for i, v in enumerate(values) if v is part)]
            return [_test(v, contrary=isinstance(op, ast.Or)) for v in first]
        case ast.Compare(comparators=[_, *more]):
            return None if any(c is part for c in more) else []
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            if isinstance(part, ast.comprehension):  # of the parts of a clause, the first list alone is not in a turn
                return None
            if isinstance(outer, ast.GeneratorExp) and not _is_gone_through(outer, places):
                return None
            return None if any(g.is_async for g in outer.generators) else [*of_generators(outer.generators)]
        case ast.stmt():
            return [] if isinstance(outer, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) else None
        case ast.expr() | ast.keyword():
            return None if isinstance(outer, (ast.Lambda, ast.NamedExpr)) else []
    return None


def of_generators(generators: list[ast.comprehension]) -> Iterator[Clause]:
    """Those of a comprehension."""
    for clause in generators:
        yield _loop(clause.target, clause.iter)
        yield from (Clause(None, test, test) for test in clause.ifs)


def _before(part: ast.AST, block: list[ast.stmt]) -> list[Clause] | None:
    """What the statements of ``block`` in front of ``part`` bind, and on what they go on to it; None if that is not
    seen."""
    found = list[Clause]()
    for s in block[: next(i for i, s in enumerate(block) if s is part)]:
        match s:
            case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
                found.append(Clause(target, ast.List([value], ast.Load()), value))
            case ast.If(test=test, body=[*_, ast.Continue()], orelse=[]):
                found.append(_test(test, contrary=True))
            case _ if _goes_on(s):
                return None
    return found


def _goes_on(node: ast.AST) -> bool:
    """Whether ``node`` may go on to the next turn of the loop that it is in."""
    within = (n for n in ast.iter_child_nodes(node) if not isinstance(n, (ast.For, ast.While)))
    return isinstance(node, ast.Continue) or any(map(_goes_on, within))


def _loop(target: ast.expr, over: ast.expr) -> Clause:
    return Clause(target, over, over)


def _test(test: ast.expr, *, contrary: bool) -> Clause:
    if not contrary:
        return Clause(None, test, test)
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=denied):
            return Clause(None, denied, denied)
    return Clause(None, ast.UnaryOp(ast.Not(), test), test)


def _is_gone_through(generator: ast.GeneratorExp, places: Places) -> bool:
    match places.around(generator):
        case ast.Call(func=ast.Name(id=name), args=[only, *_]):
            return only is generator and name in _GOES_THROUGH
    return False


def bound_by(clause: Clause) -> frozenset[str]:
    """The variables that ``clause`` binds."""
    return frozenset() if clause.target is None else names_in(clause.target)


def names_in(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def needed(clauses: Sequence[Clause], read: frozenset[str], names: Names) -> list[Clause]:
    """``clauses`` without what is bound for nobody: ``read`` is what the job reads."""
    found = list[Clause]()
    for clause in reversed(clauses):
        bound = bound_by(clause)
        if clause.value is not clause.at and clause.target is not None and not bound & read:
            continue
        short = _shorter(clause, read, names)
        found.append(short)
        read = (read - bound) | names_in(short.value)
    return found[::-1]


def _shorter(clause: Clause, read: frozenset[str], names: Names) -> Clause:
    """``clause`` without the numbers of ``enumerate``, or the types of ``dtypes``, where they are not ``read``."""
    match clause:
        case Clause(ast.Tuple(elts=[count, target]), ast.Call(func=ast.Name() as function, args=[over, *_])):
            if names.resolve(function) == "builtins.enumerate" and not names_in(count) & read:
                return _loop(target, over)
        case Clause(ast.Tuple(elts=[name, kind]), ast.Attribute(value=frame, attr="dtypes") as pairs):
            if not names_in(kind) & read:
                columns = ast.copy_location(ast.Attribute(frame, "columns", ast.Load()), pairs)
                return Clause(name, columns, columns)
    return clause
