"""Loops over the rows of the group: the variables that the body changes are slots, the body is the step."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from headwater_ir.expr import TRUE, Expr, Raise, Slot, slots_of

from ..context import Refusal
from .frames import Frame
from .ranges import slot_ranges
from .scope import Env, Scope, Thing, Unreadable, Value
from .simplify import MAX_NODES, NONE, choose, size
from .slots import Slots
from .statements import Interpreter
from .trees import Branch, Effect, Leaf, Path, as_next, collapse

_ROUNDS = 8


@dataclass
class Loop:
    """One loop: the slots of its variables, and what its body evaluates for its errors."""

    slots: dict[str, Slot]
    unset: set[int] = field(default_factory=set)
    """Slots of variables that were not set before the loop: to be read only after the body has set them."""
    partial: set[str] = field(default_factory=set)
    """Those of them that the body sets on some paths only, or to something that is no scalar."""
    effects: list[Effect] = field(default_factory=list)


class FoldInterpreter(Interpreter):
    """Adds loops over the rows of a group. Subclasses say what such a loop looks like."""

    def __init__(self, scope: Scope, slots: Slots) -> None:
        super().__init__(scope)
        self.slots = slots
        self.loops: list[Loop] = []
        self._inside = False
        self._order: int | None = None

    def rows(self, node: ast.For, env: Env) -> tuple[Frame, Env] | None:
        """The rows that a loop runs over and what its targets mean; None if it is no loop over the group."""
        return None

    def use_order(self, frame: Frame, node: ast.AST) -> None:
        """All that depends on the row order must see the same order: the fold reads the rows once."""
        if self._order is None:
            self._order = frame.order
        if self._order != frame.order:
            raise Refusal("row-context", "the rows are read in two different orders", node)

    def loop(self, node: ast.For, env: Env, path: Path) -> Env | None:
        """The environment after a loop over the group."""
        rows = self.rows(node, env)
        if rows is None:
            return None
        frame, row_env = rows
        if path or self._inside:
            raise Refusal("opaque", "a loop over the group that runs only under a condition, or inside another", node)
        self.use_order(frame, node)
        loop = self._allocate(node, env, row_env)
        outer, self.effects, self._inside = self.effects, [], True
        try:
            self.scope.slot_ranges = {}  # not known while the body is run
            self._run_body(node, env, row_env, frame, loop)
            self.scope.slot_ranges = slot_ranges(self.slots.init, self.slots.step, self.scope.columns)
        finally:
            loop.effects, self.effects, self._inside = self.effects, outer, False
        self.loops.append(loop)
        return self._after(env, row_env, frame, loop)

    def _allocate(self, node: ast.For, env: Env, row_env: Env) -> Loop:
        stored = {
            n.id: None
            for s in node.body
            for n in ast.walk(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id not in row_env
        }
        loop = Loop({})
        ordered = [n for n in env if n in stored] + [n for n in stored if n not in env]
        for name in ordered:
            before = env.get(name, NONE)
            known = not isinstance(before, Thing)
            slot = self.slots.allocate(name, before if not isinstance(before, Thing) else NONE)
            loop.slots[name] = slot
            if name not in env or not known:
                loop.unset.add(slot.index)
        return loop

    def _run_body(self, node: ast.For, env: Env, row_env: Env, frame: Frame, loop: Loop) -> None:
        for _ in range(_ROUNDS):
            self.effects = []
            start: Path = () if frame.mask == TRUE else ((frame.mask, True),)
            unset = {n: _unset(n) for n, s in loop.slots.items() if s.index in loop.unset}
            inside: Env = {**env, **loop.slots, **unset, **row_env}
            tree = collapse(as_next(self.run(node.body, inside, start)), start, self.effect)
            if isinstance(tree, Branch) or tree.kind == "return":
                raise Refusal("opaque", "the function returns from inside the loop", node)
            if tree.kind == "raise":
                self.effects.append((start, Raise(tree.reason)))
                tree = Leaf("next", inside)
            before = dict(self.scope.slots)
            for name, slot in loop.slots.items():
                value = tree.env[name]
                if slot.index in loop.unset and isinstance(value, Thing):
                    loop.partial.add(name)  # some path leaves it unset
                else:
                    self.slots.step[slot.index] = self._step(node, name, slot, value, frame)
            while self.slots.retype():
                pass
            if before == self.scope.slots:
                return
        raise Refusal("opaque", "the types of the loop's variables do not settle", node)

    def _step(self, node: ast.For, name: str, slot: Slot, value: Value, frame: Frame) -> Expr:
        if isinstance(value, Thing):
            raise Refusal("opaque", f"`{name}` holds something that is not a scalar", node)
        if size(value) > MAX_NODES:
            raise Refusal("time-out", "the loop has too many paths", node)
        return choose(frame.mask, value, slot)

    def _after(self, env: Env, row_env: Env, frame: Frame, loop: Loop) -> Env:
        after: Env = {**env, **loop.slots}
        for name in row_env:
            after[name] = Unreadable("opaque", f"`{name}` is the last row that the loop saw")
        for name, slot in loop.slots.items():
            if slot.index in loop.unset and (frame.mask != TRUE or name in loop.partial):
                after[name] = _unset(name)
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


def _unset(name: str) -> Unreadable:
    return Unreadable("may-throw", f"`{name}` may be read before it is set")
