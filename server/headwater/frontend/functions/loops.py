"""Loops over the rows of the group: the variables that the body changes are slots, the body is the step."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from headwater_ir.expr import TRUE, Expr, Raise, Slot, slots_of

from ..context import Refusal
from .frames import Frame, Group, Row, Series
from .pandas_values import PandasInterpreter
from .ranges import slot_ranges
from .scope import Env, Thing, Unreadable, Value
from .simplify import MAX_NODES, NONE, choose, size
from .slots import Slots
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


class GroupInterpreter(PandasInterpreter):
    """Adds loops."""

    def __init__(self, group: Group, slots: Slots) -> None:
        super().__init__(group, slots)
        self.loops: list[Loop] = []
        self._inside = False

    def loop(self, node: ast.For, env: Env, path: Path) -> Env | None:
        """The environment after a loop over the group."""
        rows = self._rows(node, env)
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

    def _rows(self, node: ast.For, env: Env) -> tuple[Frame, Env] | None:
        """The frame that a loop runs over and what its targets mean; None if it is no loop over the group."""
        over, target = node.iter, node.target
        series = self.pandas(over, env)
        if isinstance(series, Series) and isinstance(target, ast.Name):
            self._row_local(series, node)
            return series.frame, {target.id: series.element}
        if isinstance(over, ast.Call) and self.scope.origin(over.func) == "builtins.zip" and not over.keywords:
            return self._zip(over, target, env)
        if not (isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute)):
            return None
        frame = self.pandas(over.func.value, env)
        if not isinstance(frame, Frame):
            return None
        row = self._row_kind(over)
        if row.access == "both":
            if (
                isinstance(target, ast.Tuple)
                and len(target.elts) == 2
                and all(isinstance(t, ast.Name) for t in target.elts)
            ):
                index, name = (t.id for t in target.elts if isinstance(t, ast.Name))
                return frame, {index: Unreadable("row-context", "the index of a row"), name: row}
            return None
        return (frame, {target.id: row}) if isinstance(target, ast.Name) else None

    def _row_kind(self, over: ast.Call) -> Row:
        method = over.func.attr if isinstance(over.func, ast.Attribute) else ""
        keywords = {k.arg: k.value for k in over.keywords}
        values = [*over.args, *keywords.values()]
        if method == "itertuples" and not over.args and set(keywords) <= {"index"}:
            return Row("attribute")
        if method == "iterrows" and not values:
            return Row("both")
        records = len(values) == 1 and isinstance(values[0], ast.Constant) and values[0].value == "records"
        if method == "to_dict" and records and set(keywords) <= {"orient"}:
            return Row("item")
        raise Refusal("opaque", f"a loop over `{self.scope.ctx.text(over)}`", over)

    def _zip(self, over: ast.Call, target: ast.expr, env: Env) -> tuple[Frame, Env] | None:
        columns = [self.pandas(a, env) for a in over.args]
        if not isinstance(target, ast.Tuple) or len(target.elts) != len(columns) or not columns:
            return None
        bound: Env = {}
        frames: list[Frame] = []
        for t, c in zip(target.elts, columns, strict=True):
            if not isinstance(t, ast.Name) or not isinstance(c, Series):
                return None
            self._row_local(c, over)
            bound[t.id] = c.element
            frames.append(c.frame)
        if any(f != frames[0] for f in frames):
            raise Refusal("opaque", "columns of different frames side by side", over)
        return frames[0], bound

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
