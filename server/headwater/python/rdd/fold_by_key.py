"""Key-value RDDs: ``df.rdd.map(…)``, then ``aggregateByKey`` and its kin, or ``groupByKey().mapValues(f)``.

Law: for every way in which Spark deals the rows of a key to partitions, in every order, the fold's output is the
element that the chain yields for that key. Spark copies the zero value for each key of each partition (``deepcopy``),
so that a partial state is ``seq(zero, first value)`` and so on; partial states are merged by ``comb``, in any order,
and only such as exist. ``groupByKey`` merges lists of values, never states: ``merge`` is None there.

A key is compared as Python compares: refused for floats, whose NaN is a key of its own each time.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from headwater.python.exprs.facts import Facts
from headwater.python.exprs.lift_branches import branched
from headwater.python.exprs.neutral_elements import neutral
from headwater.python.exprs.possible_constants import ambiguous
from headwater.python.exprs.simplify import MAX_NODES, NONE, choose
from headwater.python.exprs.to_sql import conditions
from headwater.python.exprs.value_tags import ColumnValues, of_columns, required, settled
from headwater.python.interpreter.outcomes import Effect, guarded, uncovered
from headwater.python.values.nested_leaves import leaves, like, one_shape, paths, placed, scalars
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Items, Scope, Value
from headwater.python.values.slots import Slots, renumber
from headwater.python.values.structures import blank, is_mutable
from headwater.python.values.type_inference import known_columns, read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, Col, Expr, IsNaN, IsNull, Lit, Not, Slot, size, slots_of
from headwater_ir.plan import Schema
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot
from headwater_ir.types import BOOL, join_types

from .functions import Function
from .group_by_key import KeyValuesInterpreter
from .method_calls import AGGREGATORS, Call, Elements, function_name
from .row_objects import Columns, RddRow
from .to_frame import hint

ROOT = "kv"
"""What the outputs of the fold are called after: ``kv[0]``, ``kv[1][0]``."""
_ROUNDS = 8
_KEY_TYPES = frozenset({"string", "int", "date", "bool", "decimal"})


def fold_pairs(
    ctx: Context,
    names: Names,
    calls: Sequence[Call],
    *,
    columns: Columns,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
    predicate: ast.expr | None = None,
    declared: Schema | None = None,
) -> tuple[Fold, Elements]:
    """The fold of a chain of RDD methods and its elements; Refusal where its meaning is not known. ``predicate`` is the
    filter that follows, ``declared`` the columns that the elements become: they only tell of types."""
    source = columns.source
    facts = stated_facts(facts, source)
    found: list[Elements] = []

    def attempt(scope: Scope) -> Fold:
        chain = KeyFold(KeyValuesInterpreter(scope, Slots(scope), columns, facts), facts)
        chain.declared = declared
        fold, elements = chain.fold(calls, predicate)
        found[:] = [elements]
        return fold

    fold = read_function(ctx, attempt, names=names, assume_pure=assume_pure, facts=facts)
    return fold, found[0]


class KeyFold:
    """One attempt at one chain."""

    def __init__(self, run: KeyValuesInterpreter, facts: tuple[Expr, ...]) -> None:
        self.run, self.scope, self.slots, self.facts = run, run.scope, run.slots, facts
        self.merge: list[Expr] | None = None
        self.after: list[Effect] = []
        self.keys: list[Column] = []
        self.declared: Schema | None = None

    def fold(self, calls: Sequence[Call], predicate: ast.expr | None) -> tuple[Fold, Elements]:
        """The fold and its elements."""
        at = next(i for i, c in enumerate(calls) if c.method in AGGREGATORS)
        element: Value = RddRow()
        for call in calls[:at]:
            element = self._step(call, element)
        element = self.run.as_tuple(element)
        if not isinstance(element, Items) or len(element.items) != 2:
            raise Refusal("opaque", "the elements are not known to be pairs", calls[at].node)
        return self.above(calls, at, element, predicate)

    def above(
        self, calls: Sequence[Call], at: int, pair: Items, predicate: ast.expr | None
    ) -> tuple[Fold, Elements]:  # fmt: skip
        """The fold of the aggregation at ``at`` over elements like ``pair``, and its elements."""
        key = self._key(pair.items[0], calls[at].node)
        element: Value = Items((key, self._aggregated(calls[at], pair.items[1])), mutable=False)
        for call in calls[at + 1 :]:
            element = self._step(call, element)
        if predicate is not None:
            self.run.truth(self.run.function(predicate), element)
        if self.declared is not None:
            hint(self.scope, element, self.declared)
        name = "groupByKey.mapValues" if calls[at].method == "groupByKey" else calls[at].method
        return self._assembled(name, function_name(calls, at), element)

    # --- methods that go element by element

    def _step(self, call: Call, element: Value) -> Value:
        """The elements after one such method."""
        self.run.place = call.node
        match call.method, call.arguments:
            case "map", (f,):
                return self._applied(f, element)
            case "keyBy", (f,) if not is_mutable(element):
                return Items((self._applied(f, element), element), mutable=False)
            case "filter", (f,) if not self.slots.names:
                self._kept(f, element)
                return element
            case "values" | "keys", ():
                return self._pair(element, call)[1 if call.method == "values" else 0]
            case "mapValues", (f,):
                k, v = self._pair(element, call)
                return Items((k, self._applied(f, v)), mutable=False)
        raise Refusal("opaque", f"`{call.method}` of an RDD has no model", call.node)

    def _kept(self, function: ast.expr, element: Value) -> None:
        """A filter below the aggregation that drops missing values: what it says of a column is a fact.

        A pre-filter also meets the rows that this filter drops. It raises on none of them that is special for a NULL or
        a NaN, for in SQL these make no operator raise; of other conditions that could not be said.
        """
        truth = self.run.truth(self.run.function(function), element)
        parts = conditions(truth, ColumnValues(of_columns(self.scope.columns, self.facts)))
        for part in parts:
            match part:
                case Not(operand=IsNull(operand=Col()) | IsNaN(operand=Col())):
                    self.facts = (*self.facts, part)
                case _:
                    raise Refusal("opaque", "a filter on the RDD below the aggregation", function)
        self.run.facts = self.scope.facts = self.facts

    def _applied(self, function: ast.expr, argument: Value) -> Value:
        if isinstance(argument, Rows) and self.scope.origin(function) is not None:
            argument_name = ast.copy_location(ast.Name("values", ast.Load()), function)
            call = ast.copy_location(ast.Call(function, [argument_name], []), function)
            return self.run.any_value(call, {"values": argument})
        value = self.run.apply(self.run.function(function), [argument])
        self.after += [((), e) for e in scalars(value) if slots_of(e)]
        return value

    def _pair(self, element: Value, call: Call) -> tuple[Value, Value]:
        element = self.run.as_tuple(element)
        if not isinstance(element, Items) or len(element.items) != 2:
            raise Refusal("opaque", f"`{call.method}` of what is not known to be pairs", call.node)
        return element.items[0], element.items[1]

    # --- keys

    def _key(self, key: Value, node: ast.AST) -> Value:
        """The key as output columns: a plain column is itself, anything else computed is a column of the engine's."""
        return like(key, iter([self._key_part(i, e, node) for i, e in enumerate(leaves(key))]))

    def _key_part(self, index: int, e: Expr, node: ast.AST) -> Expr:
        t = self.scope.type(e)
        if isinstance(e, Lit):
            return e
        if t.name in ("any", "number"):
            name = e.name if isinstance(e, Col) else "the key"
            self.scope.assume(f"`{name}` holds no floats (schema unknown)", "type")
        elif t.name not in _KEY_TYPES:
            raise Refusal("opaque", f"a key of type {t}: Python's equality is not that of the proof", node)
        if isinstance(e, Col):
            self.keys = [*(k for k in self.keys if k.name != e.name), Column(e.name, t, is_key=True)]
            return e
        if t.name not in ("string", "int", "date", "bool"):
            raise Refusal("opaque", "a computed key whose type is not known", node)
        ghost = Column(f"key[{index}]#computed", t, is_key=True, ghost=True)
        self.scope.columns[ghost.name] = t
        self.keys.append(ghost)
        return Col(ghost.name)

    # --- aggregation

    def _aggregated(self, call: Call, value: Value) -> Value:
        """The state of one key, allocating its slots."""
        self.run.place = call.node
        match call.method, call.arguments:
            case "groupByKey", ():
                return Rows(value)
            case "aggregateByKey", (zero, seq, comb):
                return self._states(call, self._zero(zero), value, None, self._f(seq), self._f(comb))
            case "foldByKey", (zero, func):
                return self._states(call, self._zero(zero), value, None, self._f(func), self._f(func))
            case "reduceByKey", (func,):
                return self._states(call, value, value, value, self._f(func), self._f(func))
            case "combineByKey", (create, seq, comb):
                first = self.run.apply(self._f(create), [value])
                return self._states(call, first, value, first, self._f(seq), self._f(comb))
        raise Refusal("opaque", f"`{call.method}` with these arguments", call.node)

    def _f(self, node: ast.expr) -> Function:
        return self.run.function(node)

    def _zero(self, node: ast.expr) -> Value:
        """The zero value: constants in tuples or lists. Spark copies it deeply for each key."""
        value = self.run.any_value(node, {})
        if isinstance(node, (ast.Set, ast.Dict)) or not all(isinstance(e, Lit) for e in leaves(value)):
            raise Refusal("opaque", "a zero value that is not made of constants", node)
        return value

    def _states(
        self, call: Call, zero: Value, value: Value, first: Value | None, seq: Function, comb: Function
    ) -> Value:  # fmt: skip
        """The state. ``first``: what the first value of a key makes, where that is not ``seq(zero, value)``; its shape
        is then that of ``zero``."""
        zero = zero if first is not None else self._guess(zero, value, seq)
        for _ in range(_ROUNDS):
            base = len(self.slots.names)
            own, started = self._allocate(zero, first)
            state = like(zero, iter(own))
            wider = self._settle(call, own, started, (zero, first, value), seq, comb)
            if wider is None:
                return state
            for index in reversed(range(base, len(self.slots.names))):
                self.slots.forget(Slot(index))
            zero, first = wider, None if first is None else wider
        raise Refusal("opaque", "what the state is made of does not settle", call.node)

    def _guess(self, zero: Value, value: Value, seq: Function) -> Value:
        """The zero value in the shape that its first step gives the state, if that is known."""
        try:
            shaped = one_shape([zero, self.run.apply(seq, [zero, value])])
        except Refusal:
            return zero
        return zero if shaped is None else shaped[0]

    def _allocate(self, zero: Value, first: Value | None) -> tuple[list[Slot], Slot | None]:
        initial = leaves(zero) if first is None else [NONE for _ in leaves(zero)]
        own = [self.slots.allocate(p, e) for p, e in zip(paths(zero, "state"), initial, strict=True)]
        known = Facts((f, True) for f in self.scope.facts)
        for slot, e in zip(own, leaves(first) if first is not None else (), strict=False):
            self.scope.slots[slot.index] = self.scope.type(e)
            self.scope.flows[slot.index] = self.scope.sources(e)
            # The functions are called on what a first value made, never on the None that stands for no value yet.
            self.scope.slot_missing[slot.index] = self.scope.missing(e, known)
        return own, None if first is None else self.slots.allocate("started", FALSE)

    def _settle(
        self, call: Call, own: list[Slot], started: Slot | None, start: tuple[Value, Value | None, Value],
        seq: Function, comb: Function,
    ) -> Value | None:  # fmt: skip
        """Set the steps and the merge of the slots; or a wider shape of the zero value, if the state needs one."""
        zero, first, value = start
        state = like(zero, iter(own))
        for _ in range(_ROUNDS):
            before = self._state_facts(own)
            changed = self.run.apply(seq, [state, value])
            sides = [like(zero, iter([Slot(s.index, side) for s in own])) for side in (1, 2)]
            shaped = one_shape([zero, changed, self.run.apply(comb, sides)])
            if shaped is None:
                raise Refusal("opaque", "states of different shapes", call.node)
            if blank(shaped[0]) != blank(placed(zero)):
                return shaped[0]
            self.merge = leaves(shaped[2])
            step = leaves(shaped[1])
            if started is not None and first is not None:
                step = [choose(started, e, f) for e, f in zip(step, leaves(first), strict=True)]
            self._define(own, step, self.merge)
            if before == self._state_facts(own):
                break
        else:
            raise Refusal("opaque", "the types of the state do not settle", call.node)
        if started is not None and first is not None:
            self._start(started, own, leaves(shaped[1]), leaves(first))
        return None

    def _state_facts(self, own: list[Slot]) -> object:
        """What a run of the functions takes to be so of the state."""
        scope = self.scope
        return [(scope.slots[s.index], scope.flows[s.index], scope.slot_missing[s.index]) for s in own]

    def _start(self, started: Slot, own: list[Slot], changed: list[Expr], first: list[Expr]) -> None:
        """Tell the first value of a key from later ones.

        Not at all, where it goes on from a neutral element; by a slot that is None before it and never after; by one
        that may be None after it but then raises when another value comes, on whichever side: with the pre-filter as
        without, for the values that meet are there in both runs. If there is none, by the slot ``started``.
        """
        assert self.merge is not None
        columns = of_columns(self.scope.columns, self.facts)
        begun = [ColumnValues(columns).of(f) for f in first]
        reached = [b | r for b, r in zip(begun, settled(columns, first, changed, self.merge), strict=True)]
        self.slots.step[started.index] = TRUE
        self.merge = [*self.merge, TRUE]
        none = neutral(own, changed, first, ColumnValues(columns))
        if none is not None:
            self._forget(started)
            for slot, e, n in zip(own, changed, none, strict=True):
                self.slots.init[slot.index], self.slots.step[slot.index] = n, e
            return
        needed = [frozenset[Expr]().union(*map(required, es)) for es in (changed, self.merge)]

        def tells(slot: Slot, value: Expr) -> bool:
            sides = {Slot(slot.index, 1), Slot(slot.index, 2)}
            return "none" not in reached[slot.index] or ({slot, value} <= needed[0] and sides <= needed[1])

        sentinel = next((s for s, f in zip(own, first, strict=True) if tells(s, f)), None)
        if sentinel is None:
            return
        self._forget(started)
        for slot, e, f in zip(own, changed, first, strict=True):
            self.slots.step[slot.index] = choose(IsNull(sentinel), f, e)

    def _forget(self, started: Slot) -> None:
        assert self.merge is not None
        self.merge.pop()
        self.slots.forget(started)

    def _define(self, own: list[Slot], step: list[Expr], merged: list[Expr]) -> None:
        known = Facts((f, True) for f in self.scope.facts)
        for slot, e, m in zip(own, step, merged, strict=True):
            if size(e) > MAX_NODES or size(m) > MAX_NODES:
                raise Refusal("time-out", "the function has too many paths")
            self.slots.step[slot.index] = e
            t = join_types(self.scope.slots[slot.index], self.scope.type(e))
            self.scope.slots[slot.index] = join_types(t, self.scope.type(m))
            flow = self.scope.sources(e) | self.scope.sources(m)
            self.scope.flows[slot.index] = self.scope.flows[slot.index] | flow
            missing = self.scope.missing(e, known) | self.scope.missing(m, known)
            self.scope.slot_missing[slot.index] = self.scope.slot_missing[slot.index] | missing

    # --- putting it together

    def _assembled(self, api: str, name: str, element: Value) -> tuple[Fold, Elements]:
        element = placed(element)
        values = leaves(element)
        emit = guarded(uncovered(self.after, values), TRUE)
        types = [self.scope.type(e) for e in values]
        kept, step = self._steps([emit, *values])
        init = [renumber(self.slots.init[i], kept) for i in kept]
        emit, values = renumber(emit, kept), [renumber(e, kept) for e in values]
        if any(size(e) > MAX_NODES for e in (emit, *values, *step)):
            raise Refusal("time-out", "the function has too many paths")
        step = branched(of_columns(self.scope.columns, self.facts), init, step, self.merge)
        columns = self._columns([*init, *step, emit, *values])
        state = self.slots.state(kept)
        state += tuple(StateSlot(f"check{i}", BOOL) for i in range(len(step) - len(kept)))
        init += [FALSE] * (len(step) - len(kept))
        merge = None if self.merge is None else tuple(self.merge)
        outputs = [OutputColumn(p, t, e) for p, t, e in zip(paths(element, ROOT), types, values, strict=True)]
        fold = Fold(
            name, api, columns, state, tuple(init), tuple(step), tuple(outputs), merge, emit,
            facts=self.facts, assumptions=tuple(self.scope.assumptions),
        )  # fmt: skip
        return fold, self._elements(fold, element)

    def _steps(self, roots: list[Expr]) -> tuple[list[int], list[Expr]]:
        """The slots to keep and their steps, with the errors of loops that no kept step would show."""
        if self.merge is not None:
            return list(range(len(self.slots.names))), list(self.slots.step)
        run = self.run
        for loop in run.loops:
            loop.effects = [e for e in loop.effects if slots_of(e[1]) or any(slots_of(c) for c, _ in e[0])]
            roots += [x for path, e in loop.effects for x in (e, *(c for c, _ in path))]
        kept = self.slots.live(roots)
        run.check_passes(kept)
        step, checks = {i: self.slots.step[i] for i in kept}, list[Expr]()
        for loop in run.loops:
            own = [s.index for s in loop.slots.values() if s.index in step]
            lost = uncovered(loop.effects, [step[i] for i in own])
            if lost and own:
                step[own[0]] = guarded(lost, step[own[0]])
            elif lost:
                checks.append(guarded(lost, FALSE))
        return kept, [renumber(e, kept) for e in (*(step[i] for i in kept), *checks)]

    def _columns(self, read: list[Expr]) -> tuple[Column, ...]:
        ghosts = {k.name: k for k in self.keys if k.ghost}
        plain = tuple(k.name for k in self.keys if not k.ghost)
        found = known_columns(self.scope, self.run.record_columns.source, plain, read, self.facts)
        return tuple(ghosts.get(c.name, c) for c in found)

    def _elements(self, fold: Fold, element: Value) -> Elements:
        tags = of_columns({c.name: c.type for c in fold.columns}, fold.facts)
        reached = settled(tags, fold.init, fold.step, fold.merge)
        analysis = ColumnValues(tags, reached)
        found = {o.name: analysis.of(o.value) for o in fold.outputs}
        over = like(element, iter([Col(o.name) for o in fold.outputs]))
        return Elements(over, {o.name: o.type for o in fold.outputs}, found, ambiguous(fold))
