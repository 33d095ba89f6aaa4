"""Loops over the rows of the group: the variables that the body changes are slots, the body is the step."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from headwater.python.builtins import named_containers
from headwater.python.exprs.assuming import assuming
from headwater.python.exprs.facts import Facts
from headwater.python.exprs.intervals import slot_ranges
from headwater.python.exprs.simplify import MAX_NODES, NONE, both, choose
from headwater.python.interpreter import bounded_loops
from headwater.python.interpreter.changed_names import augmented_names, keyed, mutated_names, only_grows
from headwater.python.interpreter.outcomes import Effect, End, Outcome, Path, as_next, collapse, matters
from headwater.python.values.append_only import ZERO, AppendOnly, Chosen, Collection, RunningFold, State, folded
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Unreadable, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import (
    aligned,
    blank,
    is_mutable,
    leaves,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.core import counted_while, early_exits
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import bound_names
from headwater_ir.expr import FALSE, TRUE, Expr, Lit, Raise, Slot, size, slots_of

from .loop_state import KINDS, LastSeen, Loop, not_set, placed
from .sequences import SequencesOfRows

_ROUNDS = 16


class FoldInterpreter(SequencesOfRows):
    """Adds loops over the rows of a group. Subclasses say what is such a sequence of rows."""

    def __init__(self, scope: Scope, slots: Slots) -> None:
        super().__init__(scope, slots)
        self.loops: list[Loop] = []
        self._filled: frozenset[int] = frozenset()

    def filled(self) -> frozenset[int]:
        """Slots that every row sets to something other than None, after a loop."""
        return frozenset() if self._inside or self._in_row is not None else self._filled

    def rows(self, node: ast.For, env: Env) -> tuple[Rows, Env] | None:
        """The rows that a loop runs over and what its targets mean; None if it is no loop over the group."""
        over = self.rows_at(node.iter, env)
        if over is None:
            return None
        bound = self.bind(node.target, over.element, {})
        changed = mutated_names(self, node.body) | augmented_names(node.body)
        if any(is_mutable(bound[name]) for name in changed & set(bound)):
            raise Refusal("side-effect", "a loop that changes the values that it goes through", node)
        return over, bound

    def any_value(self, node: ast.expr, env: Env) -> Value:
        """The value of ``node``. What a loop bound to each row in turn has afterwards what the last one had; which row
        that is depends on all of them, so that only what is the same in each may be read."""
        read = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else node
        last = env.get(read.id) if isinstance(read, ast.Name) else None
        if not isinstance(last, LastSeen) or not isinstance(read, ast.Name):
            return super().any_value(node, env)
        found = super().any_value(node, {**env, read.id: last.value})
        if isinstance(found, (AbstractObject, Raise)) or slots_of(found) or not self.same_in_group(found):
            raise Refusal("representative-choice", f"`{read.id}` is the last row that the loop saw", node)
        return found

    def _is_lazy(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and self.scope.origin(node.func) in ("builtins.map", "builtins.filter")

    def counted_rows(self, node: ast.While, env: Env, path: Path) -> Outcome | None:
        """The outcome of a loop over the numbers of the rows; None if it is no such loop."""
        found = counted_while.as_for(node)
        if found is None or env.get(found[1]) != ZERO or found[2] & mutated_names(self, node.body):
            return None
        return self.loop(found[0], env, path) if self._sequence(found[0].iter, env) is not None else None

    def loop(self, node: ast.For, env: Env, path: Path) -> Outcome | None:
        """The outcome of a loop over the group."""
        rows = self.rows(node, env)
        if rows is None:
            return None
        to_the_end = early_exits.left_by_state(node, env, lambda test: self._is_false(test, env))
        to_the_end = to_the_end or early_exits.run_to_the_end(node, env)
        if to_the_end is not None:
            if any(isinstance(n, ast.GeneratorExp) or self._is_lazy(n) for n in ast.walk(node.iter)):
                raise Refusal("opaque", "a loop that is left early, over a generator", node)
            return self.run(to_the_end, env, path)
        frame, row_env = rows
        if self.unless_empty((*self.called_on, *path), frame.mask) or self._inside:
            raise Refusal("opaque", "a loop over the group that runs only under a condition, or inside another", node)
        self.use_order(frame, node)
        loop = self._allocate(node, env, row_env)
        outer, self.effects, self._inside = self.effects, [], True
        try:
            self.scope.slot_ranges = {}  # not known while the body is run
            self._run_body(*self._guarded(node, env, frame, loop), env, row_env, loop)
            self.scope.slot_ranges = slot_ranges(self.slots.init, self.slots.step, self.scope.columns)
        finally:
            loop.effects, self.effects, self._inside = self.effects, outer, False
        self.loops.append(loop)
        changed = bound_names(node.body) | mutated_names(self, node.body)
        return End("next", self._after(env, row_env, frame, loop, changed))

    def _is_false(self, test: ast.expr, env: Env) -> bool:
        """Whether a test is certainly false, and computed of constants."""
        read = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
        if not all(isinstance(env.get(name), Lit) for name in read):
            return False
        return bounded_loops.decided(self.test(test, env)) == FALSE

    def _allocate(self, node: ast.For, env: Env, row_env: Env) -> Loop:
        stored = {
            n.id: None
            for s in node.body
            for n in ast.walk(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id not in row_env
        }
        mutated = mutated_names(self, node.body)
        loop = Loop({})
        ours = [n for n, v in env.items() if n not in row_env and isinstance(v, KINDS)]
        ordered = [n for n in env if n in stored or (n in mutated and n in ours)]
        for name in [*ordered, *(n for n in stored if n not in env)]:
            before = env.get(name, NONE)
            if name in env and (not isinstance(before, AbstractObject) or name in ours):
                self._start(loop, name, before, node)
            else:
                loop.state[name] = loop.slots[name] = slot = self.slots.allocate(name, NONE)
                loop.unset.add(slot.index)
        return loop

    def _start(self, loop: Loop, name: str, before: Value, node: ast.For) -> None:
        """The variable ``name`` as the loop finds it."""
        added_to = before.history if isinstance(before, Tally) else before
        if isinstance(added_to, (AppendOnly, Rows)):
            raise Refusal("opaque", f"`{name}` is added to by two loops", node)
        if isinstance(before, Tally) or keyed(name, before, node.body):
            loop.bags[name] = self._collection(loop, name, False)
            loop.state[name] = Tally(AppendOnly(loop.bags[name]), before.kind if isinstance(before, Tally) else "dict")
            return
        if isinstance(before, Items) and before.mutable and only_grows(self, name, node.body):
            loop.bags[name] = self._collection(loop, name, before.unique, before.items)
            loop.state[name] = AppendOnly(loop.bags[name])
            return
        if isinstance(before, Items) and before.unique:
            raise Refusal("opaque", f"the set `{name}` is not only added to", node)
        loop.inits[name] = before
        loop.fill(self.slots, name)

    def _collection(self, loop: Loop, name: str, unique: bool, start: tuple[Value, ...] = ()) -> Collection:
        def allocate(label: str, init: Expr) -> Slot:
            label = f"{name}.{label}" if name else label
            while label in loop.slots:
                label += "'"
            loop.slots[label] = self.slots.allocate(label, init)
            return loop.slots[label]

        made = Collection(name, unique, start, allocate=allocate)
        named_containers.each(
            self, AppendOnly(made), lambda element: named_containers.note(self, AppendOnly(made), element)
        )
        return made

    def collection(self, name: str, unique: bool) -> Collection:
        """A list or set of what the rows of the group contribute."""
        if self._inside:
            raise Refusal("opaque", "a comprehension over the group inside a loop over it")
        loop = Loop({})
        self.loops.append(loop)
        return self._collection(loop, name, unique)

    def heed(self, bag: AppendOnly, what: RunningFold) -> bool:
        """Note the errors of what is read of a list of rows, where the rows before a row tell how much of it is looked
        at; whether there may be some."""
        slots = bag.of.seen[what.key][1] if what.key in bag.of.seen else ()
        known = Facts((f, True) for f in self.scope.facts)
        some = False
        for loop in self.loops:
            mine = [self.slots.step[s.index] for s in slots if s in loop.slots.values()]
            errors = [((), e) for e in mine if matters(e) and not self.scope.defined(e, known)]
            loop.effects, some = [*loop.effects, *errors], some or bool(errors)
        return some

    def define(self, slots: State, steps: State) -> None:
        """Set the steps of slots."""
        for slot, step in zip(slots, steps, strict=True):
            assert isinstance(slot, Slot)
            if size(step) > MAX_NODES:
                raise Refusal("time-out", "the loop has too many paths")
            self.slots.step[slot.index] = step
        while self.slots.retype():
            pass
        if not self._inside:
            self._fill_in(s for s in slots if isinstance(s, Slot))
            self.scope.slot_ranges = slot_ranges(self.slots.init, self.slots.step, self.scope.columns)

    def _guarded(self, node: ast.For, env: Env, frame: Rows, loop: Loop) -> tuple[ast.For, Rows]:
        """A loop that has been left early is one over the rows before that."""
        guard = early_exits.guard(node)
        if guard is None:
            return node, frame
        still = self.test(guard.test, {**env, **loop.state})
        body = ast.copy_location(ast.For(node.target, node.iter, guard.body, []), node)
        return body, replace(frame, mask=both(frame.mask, still))

    def _run_body(self, node: ast.For, frame: Rows, env: Env, row_env: Env, loop: Loop) -> None:
        start: Path = () if frame.mask == TRUE else ((frame.mask, True),)
        unset = {n: not_set(n) for n, s in loop.slots.items() if s.index in loop.unset}
        refusal: Refusal | None = None
        masks = any(isinstance(n, (ast.BitOr, ast.BitAnd)) for s in node.body for n in ast.walk(s))
        if masks or any(isinstance(v, AbstractObject) or v == NONE for v in loop.inits.values()):
            refusal = self._guess(node, {**env, **loop.state, **loop.inits, **unset, **row_env}, start, loop)
        for _ in range(_ROUNDS):
            inside: Env = {**env, **loop.state, **unset, **row_env}
            try:
                after = self._once(node, inside, start)
            except Refusal as error:
                raise refusal or error from None
            before = self._state_facts(loop)
            for name in loop.bags:
                self._grown(node, name, after[name], frame, loop)
            for name, slot in [(n, s) for n, s in loop.slots.items() if s.index in loop.unset]:
                value = after[name]
                if isinstance(value, AbstractObject):
                    loop.partial.add(name)  # some path leaves it unset
                else:
                    self.slots.step[slot.index] = self._step(node, value, slot, frame)
            widened = [name for name in list(loop.inits) if self._widened(node, name, after[name], frame, loop)]
            while self.slots.retype():
                pass
            if not widened and before == self._state_facts(loop):
                return
        raise Refusal("opaque", "the types of the loop's variables do not settle", node)

    def _guess(self, node: ast.For, inside: Env, start: Path, loop: Loop) -> Refusal | None:
        """What the first iteration makes of the variables tells what they are made of; why, if it is not understood."""
        numpy, divisions = list(self.scope.numpy), list(self.scope.divisions)
        try:
            after = self._once(node, inside, start)
        except Refusal as error:
            return error
        finally:
            self.scope.numpy, self.scope.divisions = numpy, divisions
            for collection in loop.bags.values():
                collection.holds_none = collection.holds_nan = False
                for element in collection.start:
                    named_containers.note(self, AppendOnly(collection), element)
        for name, init in list(loop.inits.items()):
            pair = aligned(init, placed(after[name]))
            if pair is not None and blank(pair[0]) != blank(init):
                loop.inits[name] = pair[0]
                loop.fill(self.slots, name)
        return None

    def _once(self, node: ast.For, inside: Env, start: Path) -> Env:
        self.effects = []
        outer, self.breakable = self.breakable, False
        try:
            tree = collapse(as_next(self.run(node.body, inside, start)), start, self.effect)
        finally:
            self.breakable = outer
        assert isinstance(tree, End)
        if tree.kind == "raise":
            self.effects.append((start, Raise(tree.reason)))
        self.effects = [e for effect in self.effects if (e := self._simpler(effect)) is not None]
        return inside if tree.kind == "raise" else tree.env

    def _simpler(self, effect: Effect) -> Effect | None:
        """``effect`` as it stands in the steps; None if it is on no path or raises nothing."""
        known = Facts((f, True) for f in self.scope.facts)
        path: list[tuple[Expr, bool]] = []
        for cond, outcome in effect[0]:
            if known.decide(cond) is (not outcome):
                return None
            if known.decide(cond) is None:
                path.append((assuming(cond, known), outcome))
            known = known.plus(cond, outcome)
        e = assuming(effect[1], known)
        if isinstance(e, Raise) or (matters(e, tuple(path)) and not self.scope.defined(e, known)):
            return tuple(path), e
        return None

    def _state_facts(self, loop: Loop) -> object:
        """What the run of the body took to be so."""
        bags = {n: (c.holds_none, c.holds_nan, len(c.seen)) for n, c in loop.bags.items()}
        return dict(self.scope.slots), dict(self.scope.slot_missing), bags

    def _grown(self, node: ast.For, name: str, value: Value, frame: Rows, loop: Loop) -> None:
        collection = loop.bags[name]
        value = value.history if isinstance(value, Tally) else value
        if not isinstance(value, AppendOnly) or value.of is not collection:
            raise Refusal("opaque", f"`{name}` is not only added to", node)
        log = value.log if frame.mask == TRUE else (Chosen(frame.mask, value.log, ()),)
        for what, slots in collection.seen.values():
            self.define(slots, folded(log, slots, what))
        loop.logs[name] = log

    def _widened(self, node: ast.For, name: str, value: Value, frame: Rows, loop: Loop) -> bool:
        """Set the steps of a variable; whether it has become more than its slots can hold."""
        if isinstance(value, Unreadable):
            raise Refusal(value.obstruction, value.reason, node)
        init = loop.inits[name]
        pair = aligned(init, placed(value))
        if pair is None:
            raise Refusal("opaque", f"`{name}` holds something that is not a scalar", node)
        if blank(pair[0]) != blank(init):
            loop.inits[name] = pair[0]
            loop.fill(self.slots, name)
            return True
        for slot, leaf in zip(leaves(loop.state[name]), leaves(pair[1]), strict=True):
            if isinstance(slot, Slot):
                self.slots.step[slot.index] = self._step(node, leaf, slot, frame)
        return False

    def _step(self, node: ast.For, value: Expr, slot: Slot, frame: Rows) -> Expr:
        if size(value) > MAX_NODES:
            raise Refusal("time-out", "the loop has too many paths", node)
        known = Facts((f, True) for f in self.scope.facts)
        return choose(frame.mask, assuming(value, known.plus(frame.mask, True)), slot)

    def _fill_in(self, slots: Iterable[Slot]) -> None:
        if self.never_empty:
            known = Facts((f, True) for f in self.scope.facts)
            steps = ((s.index, self.slots.step[s.index]) for s in slots)
            self._filled |= {i for i, step in steps if "none" not in self.scope.of(step, known)}

    def _after(self, env: Env, row_env: Env, frame: Rows, loop: Loop, changed: set[str]) -> Env:
        for name, collection in loop.bags.items():
            collection.log, collection.order = loop.logs[name], frame.order
        self._fill_in(loop.slots.values())
        after: Env = {**env, **loop.state}
        for name, value in row_env.items():
            after[name] = LastSeen(value) if self.surely_some(frame) else not_set(name)
            if name in changed:
                after[name] = Unreadable("opaque", f"`{name}` is changed in its own loop")
        for name, slot in loop.slots.items():
            if slot.index in loop.unset and (frame.mask != TRUE or name in loop.partial):
                after[name] = not_set(name)
        return after

    def check_passes(self, kept: list[int]) -> None:
        """Refuse what needs more than one pass, and variables that a row may read before they are set."""
        for loop in self.loops:
            own = {s.index for s in loop.slots.values()}
            mine = [i for i in kept if i in own]
            read = {j for i in mine for j in slots_of(self.slots.step[i])}
            read |= {j for path, e in loop.effects for x in (e, *(c for c, _ in path)) for j in slots_of(x)}
            if not read <= own or any(slots_of(self.slots.init[i]) for i in mine):
                raise Refusal("opaque", "a second pass over the group reads what the first computed")
