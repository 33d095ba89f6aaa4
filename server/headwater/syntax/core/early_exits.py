"""Loops that are left early, as loops that run to the end: ``break``, ``for … else`` and ``return`` inside a loop.

Law: a variable says that the loop has been left; from then on an iteration does nothing. What is returned is computed
behind the loop, where every variable that the loop binds has the value of the iteration that returned.

    for row in rows:                    left = returned = False
        if row.bad:                     for row in rows:
            break                           if not left and not returned:
        if row.x > limit:                       if row.bad:
            return row.x                            left = True
        n += 1                                  else:
    else:                                           if row.x > limit:
        n = -1                                          x = row.x
                                                        returned = True
                                                    else:
                                                        n += 1
                                        if returned:
                                            return x
                                        if not left:
                                            n = -1

Conditions, for the reader that knows what the loop runs over: going on to the last element does nothing but bind the
target (no iterator that others read on from, no generator whose elements may raise, no ``set`` that the body changes);
reading a part of an element has no effect; nothing reads the target behind the loop. Reference: the Python language
reference, sections 8.3 and 8.4.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import reduce
from typing import Any
from weakref import WeakSet

from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import bound_names, own_nodes

from . import build

_LOOPS = (ast.For, ast.While)
_GUARDS: WeakSet[ast.stmt] = WeakSet()
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_STATE_TEST = (
    ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.expr_context, ast.boolop, ast.cmpop, ast.Not,
)  # fmt: skip
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def run_to_the_end(loop: ast.For, before: Collection[str] = ()) -> list[ast.stmt] | None:
    """Statements that do what ``loop`` does, in which no loop is left early; None if it is not left early anyway.
    ``before``: variables that have a value before the loop. Refusal for exits without a rule."""
    if not loop.orelse and not leaves_early(loop):
        return None
    return _Loop(loop, frozenset(before)).statements()


def left_by_state(loop: ast.For, before: Collection[str], false_before: Callable[[ast.expr], bool]) -> (
    list[ast.stmt] | None
):  # fmt: skip
    """Statements that do what ``loop`` does, whose only way out is ``if test: break`` (or ``return``) right behind all
    that sets the variables of ``test``: no flag says that it was left, for from then on ``test`` is true. None for
    another loop. ``before``: variables that have a value before the loop; ``false_before``: whether ``test``, which
    reads some of them, is false there."""
    found = _last_exit(loop.body)
    if found is None:
        return None
    exit_, inside, outside = found
    (jump,) = exit_.body
    read = {n.id for n in ast.walk(exit_.test) if isinstance(n, ast.Name)}
    returned = {n.id for n in ast.walk(jump) if isinstance(n, ast.Name)}
    unset = bound_names([loop.target]) | (bound_names(loop.body) - set(before))
    plain = all(isinstance(n, _STATE_TEST) for n in ast.walk(exit_.test))
    if not plain or (read | returned) & unset or read & bound_names(outside) or not false_before(exit_.test):
        return None
    still = build.negated(exit_.test)
    body = build.branch(ast.copy_location(still, exit_), inside, [], loop)
    _GUARDS.add(body)
    statements: list[ast.stmt] = [ast.copy_location(ast.For(loop.target, loop.iter, [body], []), loop)]
    if isinstance(jump, ast.Return):
        return [*statements, build.branch(exit_.test, [jump], [], exit_), *loop.orelse]
    return [*statements, build.branch(ast.copy_location(build.negated(exit_.test), exit_), loop.orelse, [], exit_)]


def _last_exit(body: list[ast.stmt]) -> tuple[ast.If, list[ast.stmt], list[ast.stmt]] | None:
    """The ``if test: break`` that ends the body, or a branch at its end, where nothing else leaves the loop or goes on
    to the next iteration; the body without it; and the statements outside of the block that it ends."""
    *first, last = body
    if not isinstance(last, ast.If) or any(isinstance(n, (ast.Continue, *_SCOPES)) for s in body for n in ast.walk(s)):
        return None
    if any(map(_exits, (*first, *last.orelse))):
        return None
    if len(last.body) == 1 and isinstance(last.body[0], (ast.Break, ast.Return)):
        return None if last.orelse else (last, first, [])
    inner = _last_exit(last.body)
    if inner is None:
        return None
    exit_, inside, outside = inner
    return exit_, [*first, build.branch(last.test, inside, last.orelse, last)], [*first, *last.orelse, *outside]


def run_through(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that do what a function's ``body`` does up to a ``return`` without a value, and hold none: they may
    stand in front of others. Refusal for exits without a rule."""
    returns = [n for s in body for n in _own(s) if isinstance(n, ast.Return)]
    if not returns:
        return body
    once = ast.copy_location(ast.For(ast.Name("_", ast.Store()), ast.Tuple([], ast.Load()), body, []), body[0])
    made, flag = _Loop(once, frozenset()), f"<the body of line {body[0].lineno} is left>"
    made._returns, made._flags = {id(n): flag for n in returns}, [flag]
    inside = made._block(body, frozenset()).body
    return [build.assign(flag, build.constant(False, once), once), *inside]


def guard(loop: ast.For) -> ast.If | None:
    """The ``if`` around the whole body of a loop that was left early; it is true of the first element. None if ``loop``
    is no such loop."""
    first = loop.body[0]
    return first if isinstance(first, ast.If) and first in _GUARDS else None


def leaves_early(loop: ast.For | ast.While) -> bool:
    """Whether a ``break`` leaves the loop, or a ``return`` inside it."""
    return any(map(_exits, loop.body))


def has_break(loop: ast.For | ast.While) -> bool:
    """Whether a ``break`` leaves the loop: its ``else`` does not run then."""
    return any(map(_breaks, loop.body))


def _exits(node: ast.stmt, nested: bool = False) -> bool:
    """Whether the statement may leave the loop around it. ``nested``: it stands in a loop inside that one."""
    if isinstance(node, ast.Return) or (isinstance(node, ast.Break) and not nested):
        return True
    if isinstance(node, _SCOPES):
        return False
    if isinstance(node, _LOOPS):
        return any(_exits(s, True) for s in node.body) or any(_exits(s, nested) for s in node.orelse)
    return any(_exits(s, nested) for s in _inner(node))


def _inner(node: ast.AST) -> list[ast.stmt]:
    """The statements directly inside a compound one."""
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            found.append(child)
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            found += child.body
    return found


@dataclass
class _Block:
    """A list of statements, lowered. ``exits``: the loop may have been left behind it; ``ends``: what follows it is
    never reached; ``bound``: variables that this iteration has certainly set behind it."""

    body: list[ast.stmt]
    exits: bool
    ends: bool
    bound: frozenset[str]


@dataclass
class _Return:
    """A ``return``: the variable that says that it was reached, and the statement as it stands behind the loop."""

    flag: str
    behind: ast.Return


@dataclass
class _Loop:
    loop: ast.For
    before: frozenset[str]
    returns: list[_Return] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Variables that hold a value for behind the loop."""
    breaks: list[frozenset[str]] = field(default_factory=list)
    """The variables that are set at each ``break``."""
    set_again: list[str] = field(default_factory=list)
    """Variables that every ``break`` has set, and ``else`` may set otherwise."""

    def __post_init__(self) -> None:
        place = f"the loop of line {self.loop.lineno}"
        self._left, self._place = f"<{place} is left>", place
        self._targets = frozenset(bound_names([self.loop.target]))
        own = [n for s in self.loop.body for n in _own(s)]
        self._bound = (self._targets | bound_names(self.loop.body)) - self.before
        self._passing = {n.name for n in own if isinstance(n, ast.ExceptHandler)}
        numbers = {id(n): i for i, n in enumerate((n for n in own if isinstance(n, ast.Return)), 1)}
        self._returns = {i: f"<{place} returns{f' ({n})' if len(numbers) > 1 else ''}>" for i, n in numbers.items()}
        self._flags = [*([self._left] if has_break(self.loop) else []), *self._returns.values()]

    def statements(self) -> list[ast.stmt]:
        """The loop and what comes before and behind it."""
        loop, body = self.loop, self.loop.body
        if loop.orelse and self._left in self._flags:
            self._block(body, self._targets)
            common = self.breaks[0].intersection(*self.breaks) if self.breaks else frozenset()
            self.set_again, self.returns = sorted((common & self._bound) - self._targets), []
        if self._flags:
            inside = self._block(body, self._targets).body
            body = [build.branch(build.none_of(self._flags, loop), inside, [], loop)]
            _GUARDS.add(body[0])
        found: list[ast.stmt] = [build.assign(f, build.constant(False, loop), loop) for f in self._flags]
        found += [build.assign(n, build.constant(None, loop), loop) for n in self.kept]
        found.append(ast.copy_location(ast.For(loop.target, loop.iter, body, []), loop))
        for made in self.returns:
            found.append(build.branch(build.read(made.flag, made.behind), [made.behind], [], made.behind))
        if loop.orelse and self._left in self._flags:
            again = [build.assign(n, build.read(self._keep(n), loop), loop) for n in self.set_again]
            found.append(build.branch(build.read(self._left, loop), again, loop.orelse, loop))
        else:
            found += loop.orelse
        return found

    def _keep(self, what: str) -> str:
        """The variable that keeps ``what``; one does for all ways out, of which only one is taken."""
        name = f"<{what} where {self._place} is left>"
        if name not in self.kept:
            self.kept.append(name)
        return name

    # --- statements of the loop's body

    def _block(self, body: list[ast.stmt], bound: frozenset[str]) -> _Block:
        found: list[ast.stmt] = []
        for i, node in enumerate(body):
            one = self._statement(node, bound)
            if one.ends or not one.exits:
                found += one.body
                bound = one.bound
                if one.ends:
                    return _Block(found, one.exits or self._any(body[:i]), True, bound)
                continue
            rest = self._block(body[i + 1 :], one.bound)
            if rest.body:
                one.body = self._behind(one.body, rest.body, node)
            return _Block([*found, *one.body], True, rest.ends, rest.bound)
        return _Block(found, self._any(body), False, bound)

    def _any(self, body: list[ast.stmt]) -> bool:
        return any(map(_exits, body))

    def _behind(self, first: list[ast.stmt], rest: list[ast.stmt], node: ast.stmt) -> list[ast.stmt]:
        """``rest`` behind statements that may have left the loop: in the branch that does not, if there is one."""
        last = first[-1]
        if isinstance(node, ast.If) and isinstance(last, ast.If):
            if _ends(node.body) and not self._any(node.orelse):
                return [*first[:-1], build.branch(last.test, last.body, [*last.orelse, *rest], node)]
            if _ends(node.orelse) and not self._any(node.body):
                return [*first[:-1], build.branch(last.test, [*last.body, *rest], last.orelse, node)]
        return [*first, build.branch(build.none_of(self._flags, node), rest, [], rest[0])]

    def _statement(self, node: ast.stmt, bound: frozenset[str]) -> _Block:
        if isinstance(node, ast.Break):
            self.breaks.append(bound)
            keep = [build.assign(self._keep(n), build.read(n, node), node) for n in self.set_again]
            return _Block([*keep, build.assign(self._left, build.constant(True, node), node)], True, True, bound)
        if isinstance(node, ast.Return):
            return _Block(self._returned(node, bound), True, True, bound)
        if isinstance(node, (ast.Continue, ast.Raise)):
            return _Block([node], False, True, bound)
        if not _exits(node):
            return _Block([node], False, False, _bound_behind(node, bound))
        if isinstance(node, ast.If):
            then, other = self._block(node.body, bound), self._block(node.orelse, bound)
            after = other.bound if then.ends else then.bound if other.ends else then.bound & other.bound
            made = build.branch(node.test, then.body, other.body, node)
            return _Block([made], True, then.ends and other.ends, after)
        if isinstance(node, _LOOPS):
            return _Block([self._nested(node, bound)], True, False, bound)
        if isinstance(node, ast.Try) and not node.finalbody and not self._any(node.body):
            changed, after = copy.copy(node), bound - bound_names([node])
            changed.orelse = self._block(node.orelse, after).body
            changed.handlers = [copy.copy(h) for h in node.handlers]
            for handler in changed.handlers:
                handler.body = self._block(handler.body, after).body
            return _Block([changed], True, False, after)
        raise Refusal("opaque", f"a loop that is left inside a `{type(node).__name__.lower()}` statement", node)

    def _nested(self, node: ast.For | ast.While, bound: frozenset[str]) -> ast.stmt:
        """A loop inside the loop: a ``return`` leaves it too."""
        inside = bound | bound_names([node.target]) if isinstance(node, ast.For) else bound
        changed = copy.copy(node)
        changed.body = self._left_by_return(node.body, inside)
        changed.orelse = self._block(node.orelse, bound).body
        return changed

    def _left_by_return(self, body: list[ast.stmt], bound: frozenset[str]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.Return):
                return [*found, *self._returned(node, bound), ast.copy_location(ast.Break(), node)]
            if not _exits(node, True):
                found.append(node)
            elif isinstance(node, ast.If):
                then, other = self._left_by_return(node.body, bound), self._left_by_return(node.orelse, bound)
                found.append(build.branch(node.test, then, other, node))
            else:
                raise Refusal("opaque", f"a `return` inside a `{type(node).__name__.lower()}` inside a loop", node)
            bound = _bound_behind(node, bound)
        return found

    def _returned(self, node: ast.Return, bound: frozenset[str]) -> list[ast.stmt]:
        """What stands in place of ``return``: values that later iterations change are kept."""
        flag = self._returns[id(node)]
        behind, keep = node, list[ast.stmt]()
        if node.value is not None:
            if any(isinstance(n, ast.Name) and n.id in self._passing for n in ast.walk(node.value)):
                raise Refusal("opaque", "a `return` of an error inside a loop", node)
            changed = _Kept(self._targets, bound & self._bound, self._keep)
            value: ast.expr = changed.visit(copy.deepcopy(node.value))
            behind = ast.copy_location(ast.Return(value), node)
            keep = [build.assign(name, what, what) for name, what in changed.found.items()]
        self.returns.append(_Return(flag, behind))
        return [*keep, build.assign(flag, build.constant(True, node), node)]


class _Kept(ast.NodeTransformer):
    """Reads of what an iteration binds → reads of variables that keep it. Of the loop's target it keeps the parts that
    are read. ``found``: variable → what it keeps."""

    def __init__(self, targets: frozenset[str], bound: frozenset[str], name: Callable[[str], str]) -> None:
        self._targets, self._bound, self._name = targets, bound, name
        self.found: dict[str, ast.expr] = {}

    def visit(self, node: ast.AST) -> Any:
        """One node."""
        if isinstance(node, _OWN_NAMES) and any(
            isinstance(n, ast.Name) and n.id in self._bound for n in ast.walk(node)
        ):
            raise Refusal("opaque", "a `return` inside a loop, of a function or comprehension over its variables", node)
        part = isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        )
        owner = node.value if part else None  # type: ignore[attr-defined]
        if isinstance(owner, ast.Name) and owner.id in self._targets and owner.id in self._bound:
            return self._kept(ast.unparse(node), node)  # type: ignore[arg-type]
        if isinstance(node, ast.Name) and node.id in self._bound:
            return self._kept(node.id, node)
        return self.generic_visit(node)

    def _kept(self, what: str, node: ast.expr) -> ast.expr:
        name = self._name(what)
        self.found[name] = node
        return build.read(name, node)


def _breaks(node: ast.stmt) -> bool:
    """Whether a ``break`` in the statement leaves the loop around it."""
    if isinstance(node, ast.Break):
        return True
    inner = node.orelse if isinstance(node, _LOOPS) else [] if isinstance(node, _SCOPES) else _inner(node)
    return any(map(_breaks, inner))


def _ends(body: list[ast.stmt]) -> bool:
    """Whether what follows ``body`` is never reached."""
    return any(
        isinstance(s, (ast.Break, ast.Return, ast.Continue, ast.Raise))
        or (isinstance(s, ast.If) and _ends(s.body) and _ends(s.orelse))
        for s in body
    )


def _own(node: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement that belong to the function around it."""
    return [] if isinstance(node, _SCOPES) else [node, *own_nodes(node)]


def _bound_behind(node: ast.stmt, bound: frozenset[str]) -> frozenset[str]:
    """Variables that certainly have a value behind the statement, if ``bound`` have one before it."""
    match node:
        case ast.Assign(targets=targets):
            return bound | bound_names(targets)
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
            return bound | bound_names([target])
        case ast.If(body=body, orelse=orelse):
            then, other = (reduce(lambda known, s: _bound_behind(s, known), b, bound) for b in (body, orelse))
            return other if _ends(body) else then if _ends(orelse) else then & other
        case ast.Pass() | ast.Expr() | ast.AnnAssign() | ast.Continue() | ast.Raise() | ast.Assert():
            return bound
    return bound - bound_names([node])  # which may be unbound there
