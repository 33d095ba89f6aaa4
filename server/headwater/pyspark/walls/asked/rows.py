"""Which of the rows that a call hands to the driver are looked at, as a condition on each.

A list or iterator of rows is followed to everything that reads it: what keeps the rows in their order and hands each on
(``list``, ``sorted``, ``enumerate``, ``map``, a comprehension) is gone through, and what asks a condition of each is
read (``filter``, ``if`` in a comprehension, ``any`` and ``all``, the turn of a loop). A row is looked at where any of
the readers looks at it.

Law: a row that no reader looks at takes part in nothing. Conditions: nobody looks at the places or the number of the
rows; what is made of a row on the way is no more than columns of it (``is_plain``); what a condition reads besides is
the same for all rows; nobody looks at what a loop's variables hold behind it.
Counterexamples: ``for i, r in enumerate(rows): …`` with ``i`` read; ``seen.add(r.k)`` in a loop that asks ``r.k in
seen``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..places import Places
from .conditions import (
    FALSE,
    MOST,
    TRUE,
    Env,
    NotReadError,
    all_of,
    any_of,
    chosen,
    in_row,
    is_plain,
    negated,
)

_ROW = "row"
_ELEMENT = "element of rows"
"""A name that no code can spell."""
_HANDED_ON = frozenset({"builtins.list", "builtins.tuple", "builtins.iter"})
_MADE = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Asked(NamedTuple):
    """Rows of which ``condition``, on the row that ``variable`` holds, is true. ``tests``: the first one of each reader
    as the file has it."""

    variable: str
    condition: ast.expr
    tests: tuple[ast.expr, ...]

    def told(self) -> str:
        """The variable, behind ``not`` where the rows do not pass the first test; if there is more to the condition,
        that too."""
        match self.condition:
            case ast.UnaryOp(op=ast.Not(), operand=test) if test is self.tests[0]:
                return f"not {self.variable}"
        one = self.condition is self.tests[0]
        return self.variable if one else f"{self.variable}: {ast.unparse(self.condition)}"


class Around(NamedTuple):
    """What is known of the code around. ``columns``: of each row, in their order, or None; ``variable``: whether every
    place that may read or bind a variable is seen; ``resolve``: the full name of a function."""

    places: Places
    columns: tuple[str, ...] | None
    variable: Callable[[str], bool]
    resolve: Callable[[ast.expr], str | None]


def asked_of(node: ast.Call, around: Around) -> Asked | None:
    """Which of the rows that ``node`` hands over are looked at; None if all of them may be."""
    try:
        run = _Readers(node, around)
        condition = run.of(node, ast.copy_location(ast.Name(run.row, ast.Load()), node))
    except NotReadError:
        return None
    if condition is TRUE or condition is FALSE or sum(1 for _ in ast.walk(condition)) > MOST:
        return None
    return Asked(run.row, condition, tuple(run.tests)) if run.is_certain else None


class _Readers:
    def __init__(self, wall: ast.Call, around: Around) -> None:
        self._wall, self._around, self._places = wall, around, around.places
        self.row = next(self._targets(wall), _ROW)
        self.tests: list[ast.expr] = []
        self.is_certain = False
        """Whether some reader reads the rows whenever they are handed over."""

    def _targets(self, read: ast.expr) -> Iterator[str]:
        """What the first loop, comprehension or function that the rows are handed to calls a row."""
        match outer := self._places.around(read):
            case ast.Assign(targets=[ast.Name() as name]):
                for other in self._places.reads_of(name.id, outer) or ():
                    yield from self._targets(other)
            case ast.comprehension(target=ast.Name(id=name)) | ast.For(target=ast.Name(id=name)):
                yield name
            case ast.Call(args=[ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)])), of]) if of is read:
                yield name

    def of(self, read: ast.expr, element: ast.expr) -> ast.expr:
        """For which rows of ``read``, of each of which ``element`` is made, what is made is looked at."""
        match outer := self._places.around(read):
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self._variable(outer, name, element)
            case ast.Call(func=function, args=[*_, last]) if last is read:
                return self._called(outer, self._around.resolve(function), element)
            case ast.comprehension(iter=over) if over is read:
                return self._in_comprehension(outer, outer.target, element)
            case ast.For(iter=over) if over is read:
                return self._in_loop(outer, outer.target, element)
        raise NotReadError

    def _variable(self, made: ast.Assign, name: str, element: ast.expr) -> ast.expr:
        reads = self._places.reads_of(name, made) if self._around.variable(name) else None
        if not reads:
            raise NotReadError
        self.is_certain |= any(self._places.is_certain(r, self._wall, ()) for r in reads)
        return any_of(*(self.of(r, element) for r in reads))

    def _called(self, call: ast.Call, name: str | None, element: ast.expr) -> ast.expr:
        match name, call.args, call.keywords:
            case _, [_], [] if name in _HANDED_ON:
                return self.of(call, element)
            case "builtins.sorted", [_], given if all(map(self._is_order, given)):
                return self.of(call, element)
            case "builtins.enumerate", [_], _:
                return self._numbered(call, element)
            case "builtins.map", [function, _], []:
                return self.of(call, self._plain(*self._applied(function, element)))
            case "builtins.filter" | "itertools.filterfalse", [function, _], []:
                test, env = self._applied(function, element)
                self._require_same(call, [test], frozenset(env))
                self.tests.append(test if isinstance(function, ast.Lambda) else function)
                self.is_certain |= self._places.is_certain(call, self._wall, ())
                passes = in_row(test, env, self.row)
                return passes if name == "builtins.filter" else negated(passes)
        raise NotReadError

    def _is_order(self, given: ast.keyword) -> bool:
        """Whether what ``sorted`` is told does nothing but compute."""
        match given:
            case ast.keyword(arg="key", value=ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body)):
                return is_plain(body, {}, name)
        return given.arg == "reverse" and isinstance(given.value, ast.Constant)

    def _applied(self, function: ast.expr, element: ast.expr) -> tuple[ast.expr, Env]:
        """The value of ``function(element)``."""
        match function:
            case ast.Lambda(args=ast.arguments([], [ast.arg(arg=name)], None, [], [], None, [])):
                return function.body, {name: element}
            case ast.Name():
                handed = ast.copy_location(ast.Name(_ELEMENT, ast.Load()), function)
                return ast.copy_location(ast.Call(function, [handed], []), function), {_ELEMENT: element}
        raise NotReadError

    def _plain(self, made: ast.expr, env: Env) -> ast.expr:
        if not is_plain(made, env, self.row):
            raise NotReadError
        return in_row(made, env, self.row)

    def _numbered(self, call: ast.Call, element: ast.expr) -> ast.expr:
        """``enumerate(rows)`` of which nobody reads the numbers."""
        match outer := self._places.around(call):
            case (
                ast.For(target=ast.Tuple(elts=[ast.Name(id=number), target]))
                | ast.comprehension(target=ast.Tuple(elts=[ast.Name(id=number), target]))
            ):
                whole = outer if isinstance(outer, ast.For) else self._places.around(outer)
                names = (n for n in ast.walk(whole or outer) if isinstance(n, ast.Name) and n.id == number)
                if sum(1 for _ in names) > 1:
                    raise NotReadError
                if isinstance(outer, ast.comprehension):
                    return self._in_comprehension(outer, target, element)
                if not self._around.variable(number) or self._places.reads_of(number, outer) != ():
                    raise NotReadError
                return self._in_loop(outer, target, element)
        raise NotReadError

    def _bound(self, target: ast.expr, element: ast.expr) -> dict[str, ast.expr]:
        """What ``target`` binds."""
        match target:
            case ast.Name(id=name):
                return {name: element}
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                size = len(element.elts) if isinstance(element, ast.Tuple) else None
                if isinstance(element, ast.Name) and self._around.columns is not None:
                    size = len(self._around.columns)
                if size != len(parts):
                    raise NotReadError
                found: dict[str, ast.expr] = {}
                for place, part in enumerate(parts):
                    one = ast.Subscript(element, ast.Constant(place), ast.Load())
                    if isinstance(element, ast.Tuple):
                        found |= self._bound(part, element.elts[place])
                    else:
                        found |= self._bound(part, ast.fix_missing_locations(ast.copy_location(one, target)))
                return found
        raise NotReadError

    def _in_comprehension(self, generator: ast.comprehension, target: ast.expr, element: ast.expr) -> ast.expr:
        whole = self._places.around(generator)
        if not isinstance(whole, _MADE) or whole.generators[0] is not generator or generator.is_async:
            raise NotReadError
        env = self._bound(target, element)
        if generator.ifs:
            self._require_same(whole, generator.ifs, frozenset(env))
            return self._read(whole, generator.ifs, env)
        if not isinstance(whole, (ast.ListComp, ast.GeneratorExp)) or len(whole.generators) > 1:
            raise NotReadError
        outer = self._places.around(whole)
        taker = self._around.resolve(outer.func) if isinstance(outer, ast.Call) and outer.args == [whole] else None
        if taker in ("builtins.any", "builtins.all"):
            self._require_same(whole, [whole.elt], frozenset(env))
            found = self._read(whole, [whole.elt], env)
            return found if taker == "builtins.any" else negated(found)
        return self.of(whole, self._plain(whole.elt, env))

    def _read(self, whole: ast.expr, tests: list[ast.expr], env: Env) -> ast.expr:
        self.is_certain |= self._places.is_certain(whole, self._wall, ())
        self.tests.append(tests[0])
        return all_of(*(in_row(t, env, self.row) for t in tests))

    def _in_loop(self, loop: ast.For, target: ast.expr, element: ast.expr) -> ast.expr:
        env = self._bound(target, element)
        for name in env:  # the last row is what the variable holds afterwards
            reads = self._places.reads_of(name)
            if reads is None or not self._around.variable(name):
                raise NotReadError
            if not all(self._is_bound_around(r) for r in reads):
                raise NotReadError
        turn = _Turn(self._places, loop, self.row, self._around.variable)
        found = turn.of(loop.body, env)
        if not turn.tests:
            raise NotReadError
        self._require_same(loop, turn.read, turn.own | frozenset(env))
        self.is_certain |= self._places.is_certain(loop.iter, self._wall, ())
        self.tests.append(turn.tests[0])
        return found

    def _is_bound_around(self, read: ast.Name) -> bool:
        """Whether ``read`` stands in the body of a loop over its variable."""
        inside: ast.AST = read
        for outer in self._places.outward(read):
            if isinstance(outer, ast.For) and any(inside is s for s in outer.body):
                if any(isinstance(n, ast.Name) and n.id == read.id for n in ast.walk(outer.target)):
                    return True
            inside = outer
        return False

    def _require_same(self, whole: ast.AST, conditions: list[ast.expr], own: frozenset[str]) -> None:
        """Refuse where what ``conditions`` read besides the variables ``own`` is read or bound elsewhere in ``whole``,
        or, where that may run later, bound more than once."""
        mine = [n for c in conditions for n in ast.walk(c) if isinstance(n, ast.Name)]
        if any(not isinstance(n.ctx, ast.Load) for n in mine):
            raise NotReadError
        ids = {id(n) for n in mine}
        others = {n.id for n in ast.walk(whole) if isinstance(n, ast.Name) and id(n) not in ids}
        called = {
            n.func.id
            for c in conditions
            for n in ast.walk(c)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        }
        if ({n.id for n in mine} - own - called) & others:
            raise NotReadError


class _Turn:
    """What one turn of a loop does with its row."""

    def __init__(self, places: Places, loop: ast.For, row: str, variable: Callable[[str], bool]) -> None:
        self._places, self._loop, self._row, self._variable = places, loop, row, variable
        self.tests: list[ast.expr] = []
        self.read: list[ast.expr] = []
        """All that was read of the loop."""
        self.own: frozenset[str] = frozenset()
        """The variables that a turn binds before it reads them."""
        self._seen = 0

    def of(self, body: list[ast.stmt], env: Env) -> ast.expr:
        """For which rows the statements do more than go on with the next row."""
        self._seen += 1
        if self._seen > MOST:  # what stands behind branches is gone through for each of them
            raise NotReadError
        if not body:
            return FALSE
        first, rest = body[0], body[1:]
        match first:
            case ast.Pass() | ast.Expr(ast.Constant()):
                return self.of(rest, env)
            case ast.Continue():
                return FALSE
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._is_own(first, name, value, env):
                self.own |= {name}
                self.read.append(value)
                return self.of(rest, {**env, name: in_row(value, env, self._row)})
            case ast.If(test=test, body=then, orelse=otherwise):
                if not any(test is t for t in self.tests):
                    self.tests.append(test)
                    self.read.append(test)
                return chosen(
                    in_row(test, env, self._row), self.of([*then, *rest], env), self.of([*otherwise, *rest], env)
                )
        return TRUE

    def _is_own(self, made: ast.Assign, name: str, value: ast.expr, env: Env) -> bool:
        """Whether ``made`` puts columns of the row into a variable that only this turn reads, and behind it."""
        if name in env or not self._variable(name) or not is_plain(value, env, self._row):
            return False
        if not any(made is s for s in self._loop.body):
            return False
        reads = self._places.reads_of(name, made)
        place = made.end_lineno or 0, made.end_col_offset or 0
        return reads is not None and all(
            (r.lineno, r.col_offset) >= place and any(self._loop is n for n in self._places.outward(r)) for r in reads
        )
