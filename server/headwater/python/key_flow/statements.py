"""Statements of a function of one group, for ``frame_values``: each path by itself, and what holds on all of them.

What jumps in ways that are not followed, hides state or changes objects that were not made here is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy

from headwater.libraries.builtins import EXCEPTIONS
from headwater.libraries.refused import check_import
from headwater.python.values.scope import Scope
from headwater.syntax.core.early_exits import has_break
from headwater.syntax.core.lower import body_of
from headwater.syntax.refusal import Refusal
from headwater.syntax.source import ast_walk
from headwater.syntax.source.bindings import local_names, plain_parameters

from .frame_methods import FrameCalls
from .lattice import (
    OTHER,
    PLAIN,
    Column,
    Constant,
    Entries,
    KeyFacts,
    KeyValue,
    Own,
    Parts,
    Plain,
    Ref,
    State,
    is_plain,
    join,
    joined,
)

_ROUNDS = 6
_KEEP_NOTHING = ("pandas.DataFrame", "builtins.len", "pyarrow.Table.from_pylist")
"""Functions that keep nothing of a list that they are given."""


class FrameStatements(FrameCalls):
    """Runs statements. ``returned``: what the function that is being run returned so far, on each path."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._returned: list[tuple[KeyValue, State]] = []
        self._jumps: list[State] = []
        self._private: frozenset[str] = frozenset()

    def result(
        self, function: ast.FunctionDef, keys: tuple[str, ...], beside: tuple[str, ...] | None = None
    ) -> KeyFacts:  # fmt: skip
        """What is known of the frame that a function of a group returns, with the columns that hold its keys.
        ``beside``: what the keys are called in the second frame that it is given; then either may have no rows."""
        parameters = plain_parameters(function.args) or []
        state = State({}, {})
        given = (keys,) if beside is None else (keys, beside)
        for parameter, columns in zip(parameters[-len(given) :], given, strict=True):
            held = KeyFacts(tuple(zip(columns, keys, strict=True)), self.numbers.fresh(), some=beside is None)
            state.names[parameter] = self.new(held, state)
        if len(parameters) > len(given):
            state.names[parameters[0]] = Parts(tuple(Plain(k) for k in keys))
        self._private = frozenset(_private(function, self.scope))
        end = self.block(body_of(function), state)
        if end is not None:
            raise Refusal("may-throw", "the function may return nothing", function)
        found: KeyFacts | None = None
        for value, at in self._returned:
            if not isinstance(value, Ref):
                raise Refusal("opaque", "the function is not known to return rows of its own group", function)
            held = at.heap[value.at]
            found = held if found is None else joined(found, held, self.numbers)
        if found is None:
            raise Refusal("no-prefilter", "the function never returns a row", function)
        return found

    def private(self, name: str) -> bool:
        """Whether nothing but the variable ``name`` ever holds the list in it."""
        return name in self._private

    def function(self, node: ast.AST, name: str, given: list[KeyValue] | None, state: State) -> KeyValue | None:
        """The result of one of the file's own functions: its body, run on what it is given."""
        function = self.scope.ctx.function(name)
        if function is None or self.scope.shadowed(name) or function not in self.scope.ctx.tree.body:
            return None
        parameters = plain_parameters(function.args)
        if function.decorator_list or parameters is None:
            return None
        given = [OTHER] * len(parameters) if given is None else given
        if len(given) != len(parameters):
            raise Refusal("opaque", f"`{name}` is called with other arguments than it has", node)
        outer = self._returned, self._jumps, self._private
        try:
            with self.scope.entered(function, node):
                self._returned, self._jumps, self._private = [], [], frozenset(_private(function, self.scope))
                inner = State(dict(zip(parameters, given, strict=True)), state.heap)
                end = self.block(body_of(function), inner)
                returned = [*self._returned, *([(Constant(None), end)] if end is not None else [])]
        finally:
            self._returned, self._jumps, self._private = outer
        return self._handed_back(returned, state)

    def _handed_back(self, returned: list[tuple[KeyValue, State]], state: State) -> KeyValue:
        """The one value that a function hands back, and what it did to the frames of its caller."""
        if not returned:
            return OTHER  # it always raises
        result = "return"  # no variable of this name
        paths = [State({**state.names, result: value}, at.heap) for value, at in returned]
        merged = join(paths, self.numbers)
        assert merged is not None
        heap = dict(merged.heap)
        state.heap.clear()
        state.heap.update(heap)
        found = merged.names.get(result, OTHER)
        state.names.update({n: v for n, v in merged.names.items() if n != result})
        return found

    # --- statements

    def block(self, body: list[ast.stmt], state: State | None) -> State | None:
        """What holds behind ``body``; None if that is not reached."""
        for statement in body:
            if state is None:
                return None
            state = self.statement(statement, state)
        return state

    def statement(self, node: ast.stmt, state: State) -> State | None:
        """What holds behind ``node``."""
        match node:
            case ast.Return(value=ast.IfExp() as chosen) | ast.Assign(value=ast.IfExp() as chosen):
                return self.statement(_as_branches(node, chosen), state)
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, state)
                for target in targets:
                    self._assign(target, value, found, state)
                return state
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, value, self.value(value, state), state)
                return state
            case ast.AugAssign():
                return self._augmented(node, state)
            case ast.Expr(value=value):
                self.value(value, state)
                return state
            case ast.If(test=test, body=body, orelse=orelse):
                self.value(test, state)
                paths = [self.block(body, state.copy()), self.block(orelse, state.copy())]
                return join([p for p in paths if p is not None], self.numbers)
            case ast.For(target=target, iter=over):
                self.value(over, state)
                return self._behind(node, self._loop(node.body, state, target))
            case ast.While(test=test):
                self.value(test, state)
                body = [ast.copy_location(ast.Expr(test), test), *node.body]
                return self._behind(node, self._loop(body, state, None))
            case ast.Try():
                return self._try(node, state)
            case ast.Return(value=value):
                found = self.value(value, state) if value is not None else Constant(None)
                self._returned.append((found, state))
                return None
            case ast.Raise(exc=exc):
                if exc is not None and not isinstance(exc, ast.Name):
                    self._raised(exc, state)
                return None
            case ast.Assert(test=test):
                self.value(test, state)
                return state
            case ast.Break() | ast.Continue():
                self._jumps.append(state)
                return None
            case ast.Pass():
                return state
            case ast.Import() | ast.ImportFrom():
                check_import(node)
                return state
        raise Refusal("side-effect", f"a `{type(node).__name__}` in code that is not understood", node)

    def _raised(self, exc: ast.expr, state: State) -> None:
        if not (isinstance(exc, ast.Call) and self.scope.origin(exc.func) in EXCEPTIONS):
            raise Refusal("opaque", "an exception of another kind than Python's own", exc)
        for argument in exc.args:
            self.value(argument, state)

    # --- assignments

    def _assign(self, target: ast.expr, node: ast.expr, value: KeyValue, state: State) -> None:
        match target:
            case ast.Name(id=name):
                mutable = isinstance(value, (Parts, Entries)) and isinstance(node, (ast.List, ast.Dict, ast.ListComp))
                state.names[name] = Own() if mutable and not self.private(name) else value
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                known = isinstance(value, Parts) and not value.repeated and len(value.parts) == len(parts)
                given = value.parts if known and isinstance(value, Parts) else (OTHER,) * len(parts)
                for part, one in zip(parts, given, strict=True):
                    self._assign(part.value if isinstance(part, ast.Starred) else part, node, one, state)
            case ast.Subscript(value=owner, slice=index):
                self._set_item(target, owner, index, value, state)
            case _:
                raise Refusal("side-effect", f"`{self.scope.ctx.text(target)}` is assigned: an object changes", target)

    def _set_item(self, node: ast.expr, owner: ast.expr, index: ast.expr, value: KeyValue, state: State) -> None:
        if isinstance(owner, ast.Attribute) and owner.attr == "loc":
            frame = self.value(owner.value, state)
            if isinstance(frame, Ref):
                return self._set_located(node, frame, index, value, state)
        held, at = self.value(owner, state), self.value(index, state)
        if isinstance(held, Own) and isinstance(owner, ast.Name):
            return None
        if not isinstance(held, Ref):
            raise Refusal("side-effect", f"`{self.scope.ctx.text(node)}` is assigned: an object changes", node)
        if not isinstance(at, Constant) or not isinstance(at.value, str):
            raise Refusal("opaque", f"which columns `{self.scope.ctx.text(node)}` sets is not known", node)
        self.set_column(held, at.value, value, state, node)

    def _set_located(self, node: ast.expr, frame: Ref, index: ast.expr, value: KeyValue, state: State) -> None:
        """``frame.loc[rows, column] = value``: in place, so that others that share the column change with it."""
        if not isinstance(index, ast.Tuple) or len(index.elts) != 2:
            raise Refusal("opaque", f"which columns `{self.scope.ctx.text(node)}` sets is not known", node)
        rows, column = (self.value(e, state) for e in index.elts)
        some = self.selects(index.elts[0], rows)
        if not some or not isinstance(column, Constant) or not isinstance(column.value, str):
            raise Refusal("opaque", f"which rows and columns `{self.scope.ctx.text(node)}` sets is not known", node)
        held = state.heap[frame.at]
        if held.key_of(column.value) is not None:
            raise Refusal("side-effect", f"`{self.scope.ctx.text(node)}` changes the key in place", node)
        self.set_column(frame, column.value, value if is_plain(value) or held.some else OTHER, state, node)

    def selects(self, spelled: ast.expr, index: KeyValue) -> bool:
        """Whether an index of ``loc`` picks rows that are there, so that none is made by an assignment to them."""
        whole = isinstance(spelled, ast.Slice) and (spelled.lower, spelled.upper, spelled.step) == (None, None, None)
        return whole or isinstance(index, Column)

    def _augmented(self, node: ast.AugAssign, state: State) -> State:
        value = self.value(node.value, state)
        if isinstance(node.target, ast.Name):
            old = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target), state)
            if not (is_plain(old) and is_plain(value)):
                raise Refusal("side-effect", "an augmented assignment may change an object in place", node)
            state.names[node.target.id] = PLAIN
            return state
        if isinstance(node.target, ast.Subscript):
            frame, name = self.value(node.target.value, state), self.value(node.target.slice, state)
            plain = isinstance(name, Constant) and isinstance(name.value, str)
            if isinstance(frame, Ref) and isinstance(name, Constant) and plain:
                held = state.heap[frame.at]
                if held.key_of(name.value) is None and (held.some or is_plain(value)):
                    self.change(frame, held, state, node)
                    return state
        raise Refusal("side-effect", "an augmented assignment may change an object in place", node)

    # --- loops and errors

    def _loop(self, body: list[ast.stmt], state: State, target: ast.expr | None) -> State:
        """What holds behind a loop: the same before and behind each round."""
        outer, self._jumps = self._jumps, []
        try:
            for _ in range(_ROUNDS):
                start = state.copy()
                if target is not None:
                    self._bind(target, start)
                self._jumps = []
                end = self.block(body, start)
                rounds = [state, *self._jumps, *([end] if end is not None else [])]
                after = join(rounds, self.numbers)
                assert after is not None
                if _settled(state, after):
                    return after
                state = after
        finally:
            self._jumps = outer
        raise Refusal("time-out", "what a loop does to the frames does not settle")

    def _behind(self, loop: ast.For | ast.While, after: State) -> State | None:
        """What holds behind the ``else`` of a loop, or behind a ``break`` that passes it over."""
        ends = [self.block(loop.orelse, after.copy()), after if has_break(loop) else None]
        return join([e for e in ends if e is not None], self.numbers) if loop.orelse else after

    def _bind(self, target: ast.expr, state: State) -> None:
        for n in ast_walk.walk(target):
            if isinstance(n, ast.Name):
                state.names[n.id] = OTHER
            elif isinstance(n, (ast.Attribute, ast.Subscript)):
                raise Refusal("side-effect", "a loop that assigns to a part of an object", target)

    def _in_steps(self, node: ast.stmt) -> bool:
        """Whether ``node`` does several things, of which an error may leave only the first ones done."""
        calls = [n for n in ast_walk.walk(node) if isinstance(n, ast.Call)]
        if any(isinstance(c.func, ast.Name) and self.scope.ctx.function(c.func.id) for c in calls):
            return True
        compound = isinstance(node, (ast.If, ast.For, ast.While, ast.Try))
        return compound and bool(calls or any(isinstance(n, ast.stmt) and n is not node for n in ast_walk.walk(node)))

    def _try(self, node: ast.Try, state: State) -> State | None:
        """An error may come behind any statement of the body."""
        places = [state.copy()]
        end: State | None = state
        for statement in node.body:
            if end is not None:
                if self._in_steps(statement):
                    raise Refusal("opaque", "`try` around statements that may be left half done", statement)
                end = self.statement(statement, end)
                places += [end.copy()] if end is not None else []
        caught = join(places, self.numbers)
        assert caught is not None
        paths = [self.block(node.orelse, end)]
        for handler in node.handlers:
            start = caught.copy()
            if handler.name:
                start.names[handler.name] = OTHER
            paths.append(self.block(handler.body, start))
        behind = join([p for p in paths if p is not None], self.numbers)
        if node.finalbody:
            raise Refusal("opaque", "`finally`", node)
        return behind


def _settled(before: State, after: State) -> bool:
    """Whether a round taught nothing new: names, keys, and which frames and columns have the same rows."""
    if before.names.keys() != after.names.keys() or _pattern(before) != _pattern(after):
        return False
    return all(_alike(before.names[n], after.names[n], before, after) for n in before.names) and all(
        _same(before.heap[at], after.heap[at]) for at in before.heap.keys() & after.heap.keys()
    )


def _pattern(state: State) -> list[int | None]:
    """Which names have the same rows, and which hold the same frame."""
    numbers: dict[tuple[str, int], int] = {}
    found: list[int | None] = []
    for name in sorted(state.names):
        value = state.names[name]
        at = value.at if isinstance(value, Ref) else None
        rows = state.heap[at].rows if at is not None else value.rows if isinstance(value, Column) else None
        for kind, number in (("frame", at), ("rows", rows)):
            found.append(None if number is None else numbers.setdefault((kind, number), len(numbers)))
    return found


def _alike(a: KeyValue, b: KeyValue, before: State, after: State) -> bool:
    if isinstance(a, Ref) and isinstance(b, Ref):
        return _same(before.heap[a.at], after.heap[b.at])
    if isinstance(a, Column) and isinstance(b, Column):
        return a.key == b.key
    return a == b


def _same(a: KeyFacts, b: KeyFacts) -> bool:
    return (a.keys, a.some, a.empty, a.merged) == (b.keys, b.some, b.empty, b.merged)


def _as_branches(node: ast.Return | ast.Assign, chosen: ast.IfExp) -> ast.If:
    """``x = a if c else b`` as ``if c: x = a`` and ``else: x = b``: a frame of the one branch is not the other's."""
    one, other = copy(node), copy(node)
    one.value, other.value = chosen.body, chosen.orelse
    return ast.copy_location(ast.If(chosen.test, [one], [other]), node)


def _private(function: ast.FunctionDef, scope: Scope) -> Iterator[str]:
    """Variables whose lists nothing else ever holds: they are made on the spot, appended to, and read by what keeps
    none of it."""
    parents = {id(c): p for p in ast_walk.walk(function) for c in ast_walk.children(p)}
    for name in local_names(function):
        uses = [n for n in ast_walk.walk(function) if isinstance(n, ast.Name) and n.id == name]
        if all(_keeps_to_itself(n, parents, scope) for n in uses) and name not in {a.arg for a in function.args.args}:
            yield name


def _keeps_to_itself(use: ast.Name, parents: dict[int, ast.AST], scope: Scope) -> bool:
    parent = parents[id(use)]
    if isinstance(use.ctx, ast.Store):
        made = isinstance(parent, ast.Assign) and isinstance(parent.value, (ast.List, ast.ListComp))
        return made and isinstance(parent, ast.Assign) and len(parent.targets) == 1
    if isinstance(parent, ast.Attribute):
        call = parents[id(parent)]
        return parent.attr == "append" and isinstance(call, ast.Call) and call.func is parent
    if isinstance(parent, ast.keyword):
        parent = parents[id(parent)]
    if isinstance(parent, (ast.If, ast.UnaryOp)):
        return True
    return isinstance(parent, ast.Call) and scope.origin(parent.func) in _KEEP_NOTHING
