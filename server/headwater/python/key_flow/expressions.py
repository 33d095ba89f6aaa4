"""Expressions in a function of one group of which only this is asked: do the rows of the frames that it makes still
hold the group's key, and does it do nothing but compute?

Law: if a frame's column is said to hold key k, then in every row that the frame has on any run that reaches this place,
the column holds the value that pandas shows in column k of the group, whatever the rest of the code computes.
So rows may be dropped, moved and repeated, and other columns may get any values; nothing may make rows of its own, and
what has no entry here says nothing of keys. Traps: ``pdf[pdf > 3]`` is no selection of rows; a column set in a frame
without rows, from a list or a column of other rows, brings rows whose key is missing; ``pd.DataFrame`` of two columns
aligns their indexes; ``fillna`` fills the key too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from headwater.libraries import models, registry
from headwater.libraries.entry import Entry
from headwater.libraries.refused import refuse_call
from headwater.python.effects import library_calls
from headwater.python.effects.containers_read import Containers
from headwater.python.pandas.methods.names import PANDAS_NAMES, PROPERTIES
from headwater.python.values.scope import Scope
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import NotConstant
from headwater.syntax.signatures import literal as written_out

from . import subscripts
from .lattice import (
    OTHER,
    PLAIN,
    Array,
    Column,
    Constant,
    Entries,
    KeyFacts,
    KeyValue,
    Numbers,
    Other,
    Own,
    Parts,
    Ref,
    State,
    is_plain,
    join_values,
)
from .parts import appended, as_parts, column_method, elementwise, kinds_of, literal, other


class FrameValues:
    """Evaluates expressions."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.numbers = Numbers()
        self.frozen: int | None = None
        """Where code is read that may be run at another time, or any number of times: no frame made before this one may
        be changed by it."""

    def function(self, node: ast.AST, name: str, given: list[KeyValue] | None, state: State) -> KeyValue | None:
        """The result of one of the file's own functions, called with anything where ``given`` is None; None if there is
        no such function."""
        raise NotImplementedError

    def private(self, name: str) -> bool:
        """Whether nothing but the variable ``name`` ever holds the list in it."""
        raise NotImplementedError

    def new(self, held: KeyFacts, state: State) -> Ref:
        """A new frame."""
        at = self.numbers.fresh()
        state.heap[at] = replace(held, merged=False)
        return Ref(at)

    def some_rows(self, held: KeyFacts, state: State, *, some: bool = False) -> Ref:
        """A new frame with some of the rows."""
        return self.new(replace(held, rows=self.numbers.fresh(), some=some and held.some), state)

    # --- expressions

    def value(self, node: ast.expr, state: State) -> KeyValue:
        """What is known of the value of ``node``; Refusal if evaluating it may do more than compute."""
        match node:
            case ast.Constant(value=value):
                return Constant(value)
            case ast.Name():
                return self._name(node, state)
            case ast.Attribute():
                return self._attribute(node, state)
            case ast.Subscript():
                return self._subscript(node, state)
            case ast.BinOp(left=left, right=right):
                return self._binary(node, self.value(left, state), self.value(right, state))
            case ast.Compare(left=left, comparators=others):
                return elementwise([self.value(n, state) for n in (left, *others)])
            case ast.UnaryOp(operand=operand):
                return elementwise([self.value(operand, state)])
            case ast.BoolOp(values=values):
                return other([self.value(v, state) for v in values])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.value(test, state)
                return join_values(self.value(body, state), self.value(orelse, state))
            case ast.Call():
                return self.call(node, state)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return self._display(node, items, state)
            case ast.Dict(keys=names, values=values):
                return self._dict(names, values, state)
            case ast.JoinedStr(values=parts):
                for part in parts:
                    if isinstance(part, ast.FormattedValue):
                        self.value(part.value, state)
                return PLAIN
            case ast.Slice(lower=lower, upper=upper, step=step):
                return other([self.value(n, state) for n in (lower, upper, step) if n is not None])
            case ast.ListComp(elt=item, generators=loops) | ast.GeneratorExp(elt=item, generators=loops):
                return Parts((self._comprehended(item, loops, state),), repeated=True)
            case ast.DictComp(key=key, value=value, generators=loops):
                self._comprehended(ast.Tuple([key, value], ast.Load()), loops, state)
                return Own()
            case ast.Lambda():
                self.applied(node, [OTHER] * len(node.args.args), state)
                return OTHER
        raise Refusal("opaque", f"no model covers `{self.scope.ctx.text(node)}`", node)

    def _name(self, node: ast.Name, state: State) -> KeyValue:
        if node.id in state.names:
            return state.names[node.id]
        if node.id in self.scope.local_names:
            raise Refusal("may-throw", f"`{node.id}` may be read before it is set", node)
        origin = self.scope.origin(node)
        if origin is not None and library_calls.is_listed_value(origin):
            return OTHER
        with self.elsewhere():
            if self.function(node, node.id, None, state) is not None:
                return OTHER
        bound = self.scope.ctx.constant(node.id)
        if bound is None or self.scope.shadowed(node.id):
            raise Refusal("opaque", f"the value of `{node.id}` is not known", node)
        found = literal(bound)
        if found is None or (not is_plain(found) and not Containers.of(self.scope.names).only_read((node.id, False))):
            raise Refusal("opaque", f"`{node.id}` is not a constant", node)
        return found

    def _display(self, node: ast.expr, items: list[ast.expr], state: State) -> KeyValue:
        if any(isinstance(i, ast.Starred) for i in items):
            return other([self.value(i.value if isinstance(i, ast.Starred) else i, state) for i in items])
        values = [self.value(i, state) for i in items]
        if values and all(isinstance(v, Constant) for v in values):
            plain = [v.value for v in values if isinstance(v, Constant)]
            return Constant(tuple(plain) if isinstance(node, ast.Tuple) else plain)
        return Parts(tuple(values))

    def _dict(self, names: list[ast.expr | None], values: list[ast.expr], state: State) -> KeyValue:
        found = [self.value(v, state) for v in values]
        spelled = [n.value for n in names if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        for n in names:
            if n is not None and not isinstance(n, ast.Constant):
                self.value(n, state)
        if len(spelled) < len(names) or len(set(spelled)) < len(spelled):
            return Own()
        return Entries(tuple(zip(spelled, found, strict=True)))

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """While code is read that is not run here and now, once."""
        outer, self.frozen = self.frozen, self.numbers.fresh() if self.frozen is None else self.frozen
        try:
            yield
        finally:
            self.frozen = outer

    def _comprehended(self, item: ast.expr, loops: list[ast.comprehension], state: State) -> KeyValue:
        with self.elsewhere():
            return self._each(item, loops, state)

    def _each(self, item: ast.expr, loops: list[ast.comprehension], state: State) -> KeyValue:
        inner = State(dict(state.names), state.heap)
        for loop in loops:
            if loop.is_async:
                raise Refusal("opaque", "an asynchronous loop", loop.iter)
            self.value(loop.iter, inner)
            for n in ast.walk(loop.target):
                if isinstance(n, ast.Name):
                    inner.names[n.id] = OTHER
                elif isinstance(n, (ast.Attribute, ast.Subscript)):
                    raise Refusal("side-effect", "a loop that assigns to a part of an object", loop.target)
            for test in loop.ifs:
                self.value(test, inner)
        return self.value(item, inner)

    def applied(self, function: ast.Lambda, given: list[KeyValue], state: State) -> KeyValue:
        """The result of a lambda."""
        a = function.args
        if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or len(a.args) != len(given):
            raise Refusal("opaque", "a lambda with other than plain parameters", function)
        for default in a.defaults:
            self.value(default, state)
        names = {**state.names, **{p.arg: v for p, v in zip(a.args, given, strict=True)}}
        with self.elsewhere():
            return self.value(function.body, State(names, state.heap))

    # --- operators

    def _binary(self, node: ast.BinOp, left: KeyValue, right: KeyValue) -> KeyValue:
        if isinstance(node.op, ast.Mult) and isinstance(left, Parts):
            return replace(left, repeated=True) if len(left.parts) == 1 else OTHER
        if isinstance(node.op, ast.Add) and isinstance(left, Parts) and not left.repeated:
            more = right.parts if isinstance(right, Parts) and not right.repeated else as_parts(right)
            return OTHER if more is None else Parts((*left.parts, *more))
        return elementwise([left, right])

    def _attribute(self, node: ast.Attribute, state: State) -> KeyValue:
        origin = self.scope.origin(node)
        if origin is not None:
            if library_calls.is_listed_value(origin):
                return OTHER
            raise Refusal("opaque", f"nothing is known about `{self.scope.ctx.text(node)}`", node)
        owner = self.value(node.value, state)
        methods = registry.of_method(node.attr)
        if any(m.changes for m in methods) or (node.attr in PANDAS_NAMES - PROPERTIES and not methods):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` may be a method that is not listed", node)
        if isinstance(owner, Ref) and node.attr not in PANDAS_NAMES:
            held = state.heap[owner.at]
            return Column(held.rows, held.key_of(node.attr))
        if isinstance(owner, (Ref, Column)) and node.attr in ("empty", "size", "ndim"):
            return PLAIN
        if isinstance(owner, Column):
            if node.attr in ("str", "dt"):
                return Column(owner.rows, accessor=".str" if node.attr == "str" else ".dt")
            if node.attr in ("values", "array"):
                return Array(owner.key)
        return OTHER

    def _subscript(self, node: ast.Subscript, state: State) -> KeyValue:
        return subscripts.read(self, node, state)

    # --- calls

    def call(self, node: ast.Call, state: State) -> KeyValue:
        """The result of a call."""
        origin = self.scope.origin(node.func)
        if origin is None and isinstance(node.func, ast.Attribute):
            return self._method(node, node.func, self.value(node.func.value, state), state)
        given = self._given(node, state)
        if self.scope.is_assumed_pure(origin, self.scope.ctx.text(node.func)):
            return OTHER
        entry = registry.lookup(origin)
        if entry is not None:
            self.bind(entry, node, state)
            return self.library_call(entry, node, given, state)
        if origin is not None and library_calls.bind_builtin(origin, node):
            if origin in ("builtins.list", "builtins.dict"):
                return Own()
            plain = all(not isinstance(v, (Column, Ref)) or "len" in origin for v in given)
            return PLAIN if origin in library_calls.PLAIN and plain else OTHER
        own = isinstance(node.func, ast.Name) and node.func.id not in {*state.names, *self.scope.local_names}
        if origin is None and own and isinstance(node.func, ast.Name) and not node.keywords:
            found = self.function(node, node.func.id, given, state)
            if found is not None:
                return found
        raise refuse_call(self.scope.ctx, origin, node)

    def library_call(self, entry: Entry, node: ast.Call, given: list[KeyValue], state: State) -> KeyValue:
        """The result of a function of a library that ``entry`` covers."""
        if entry.name == "pandas.DataFrame":
            return self._table(node, state)
        if entry.name in library_calls.MERGES:
            merged = self.merged(node, given[: len(node.args)], state)
            return Other(entry.returns) if merged is None else merged
        return elementwise(given) if entry.yields == "per row" else Other(entry.returns)

    def bind(self, entry: Entry, node: ast.Call, state: State) -> dict[str, ast.expr]:
        """The arguments of the call of the function of ``entry`` by parameter; Refusal if it is not covered."""
        constant = self.constants(state)
        bound = entry.bind(node, constant)
        self._check(entry, node, state)
        return dict(bound.arguments)

    def _check(self, entry: Entry, node: ast.Call, state: State) -> None:
        local = {*state.names, *self.scope.local_names}

        def is_function(value: ast.expr) -> bool:
            inside = isinstance(value, ast.Name) and value.id in local
            return self.scope.origin(value) is not None or (
                isinstance(value, ast.Name) and not inside and self.scope.ctx.function(value.id) is not None
            )

        library_calls.check_arguments(entry, node, self.constants(state), is_function)
        if library_calls.reads_times(entry) and not all(isinstance(a, ast.Constant) for a in node.args):
            self.scope.assume(f"no text that `{entry.name}` reads is `now` or `today`")

    def constants(self, state: State) -> Callable[[ast.expr], object]:
        """What is known of arguments before they are evaluated: literals, and names of constants."""

        def constant(node: ast.expr) -> object:
            if not isinstance(node, ast.Name):
                return written_out(node)
            found = state.names.get(node.id)
            if found is None and node.id not in self.scope.local_names and not self.scope.shadowed(node.id):
                bound = self.scope.ctx.constant(node.id)
                found = None if bound is None else literal(bound)
            if isinstance(found, Constant) and is_plain(found):
                return found.value
            raise NotConstant

        return constant

    def _given(self, node: ast.Call, state: State) -> list[KeyValue]:
        values = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        return [self.value(v, state) for v in (*values, *(k.value for k in node.keywords))]

    def _method(self, node: ast.Call, func: ast.Attribute, owner: KeyValue, state: State) -> KeyValue:
        method = func.attr
        if isinstance(owner, Ref):
            return self.frame_method(node, method, owner, state)
        if isinstance(owner, (Own, Parts)) and isinstance(func.value, ast.Name):
            changes = any(e.changes for e in registry.of_method(method))
            if isinstance(owner, Own) and changes:
                self._given(node, state)
                return OTHER
            if isinstance(owner, Parts) and method == "append" and self.private(func.value.id):
                (row,) = self._given(node, state)
                state.names[func.value.id] = appended(owner, row)
                return OTHER
        entries = registry.bind_method(kinds_of(owner), node, self.constants(state))
        if all(e.kind == "python.value" for e in entries):
            models.require_method(node)
        for entry in entries:
            self._check(entry, node, state)
        given = self._given(node, state)
        if isinstance(owner, Column) and len(entries) == 1:
            return column_method(owner, entries[0], given)
        if is_plain(owner) and isinstance(owner, Constant):
            return PLAIN
        return Other(
            frozenset[str]().union(*(e.returns for e in entries)) if all(e.returns for e in entries) else frozenset()
        )

    def frame_method(self, node: ast.Call, method: str, owner: Ref, state: State) -> KeyValue:
        """The result of a method of a frame."""
        raise NotImplementedError

    def _table(self, node: ast.Call, state: State) -> KeyValue:
        """``pd.DataFrame(…)``."""
        raise NotImplementedError

    def merged(self, node: ast.Call, frames: list[KeyValue], state: State) -> KeyValue | None:
        """``pd.merge(…)`` of ``frames``; None where nothing is known of keys."""
        raise NotImplementedError
