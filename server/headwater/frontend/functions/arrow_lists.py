"""What is computed from lists of a group's rows, or of a column's values: comprehensions, ``sorted``, ``max``, ``sum``.

Law: as for a loop over the list. Errors that a list raises as soon as it holds two values of which one is None are
passed over: a list that holds more raises as well.
"""

from __future__ import annotations

import ast

from headwater_ir.expr import FALSE, TRUE, Col, CompareOp, Expr, Raise, Slot, slots_of
from headwater_ir.types import DATE

from ..context import Refusal
from .arrow_group import ArrowGroup, ArrowScalar, ChosenRow, FirstRow, frame_of
from .frames import Frame, KeyTuple, Row, Series
from .loops import FoldInterpreter
from .reductions import Reductions
from .scope import Env, Items, Thing, Value
from .simplify import NONE, both, choose, either, is_boolean, is_null, negate
from .slots import Slots


class RowLists(FoldInterpreter):
    """Gives a meaning to lists of rows and of columns."""

    def __init__(self, group: ArrowGroup, slots: Slots) -> None:
        super().__init__(group.scope, slots)
        self.group = group
        self.reductions = Reductions(group, slots)
        self._orders = 0
        self._extremes: dict[tuple[str, Expr, Expr], tuple[Slot, Expr]] = {}
        self._carried: dict[tuple[Expr, str], Slot] = {}

    def arrow(self, node: ast.expr, env: Env) -> Thing | None:
        """``node`` as a table, list of rows, row or column; None if it is something else."""
        raise NotImplementedError

    def key_part(self, name: str) -> ArrowScalar:
        """A part of the key."""
        return ArrowScalar(name, self.group.view(name))

    def new_order(self) -> int:
        """The number of an order that no other list has."""
        self._orders += 1
        return self._orders

    def each(self, over: Thing | None, target: ast.expr) -> Env | None:
        """What the target of an iteration means."""
        if not isinstance(target, ast.Name):
            return None
        if isinstance(over, Frame):
            return {target.id: Row("item")}
        return {target.id: over.element} if isinstance(over, Series) else None

    def cell(self, row: Row | FirstRow | ChosenRow, name: str, node: ast.AST) -> Expr:
        """``row["name"]``."""
        if self.group.has(name) is False:
            raise Refusal("may-throw", f"there is no column `{name}`", node)
        if isinstance(row, ChosenRow):
            return self._chosen(row, name)
        return self.first(row.frame, name, node) if isinstance(row, FirstRow) else self.group.view(name)

    def first(self, frame: Frame, name: str, node: ast.AST) -> Expr:
        """The column's value in the first of the rows."""
        value = self.group.view(name)
        if frame.mask != TRUE:
            raise Refusal("may-throw", "the first of rows that may be none", node)
        if name in self.group.keys:
            return value
        self.use_order(frame, node)
        return self.reductions.first(Series(frame, value, name))

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp, env: Env) -> Value | None:
        """A list of rows or of what each contributes, or of the parts of the key."""
        first = node.generators[0]
        if len(node.generators) != 1 or first.is_async:
            return None
        over = self.arrow(first.iter, env)
        if isinstance(over, KeyTuple) and isinstance(first.target, ast.Name) and not first.ifs:
            parts = (self.key_part(n) for n in over.names)
            return Items(tuple(self.any_value(node.elt, {**env, first.target.id: p}) for p in parts), mutable=False)
        if self._inside and isinstance(over, (Frame, Series)):
            raise Refusal("opaque", "a pass over the group for each of its rows", node)
        bound = self.each(over, first.target)
        if bound is None or not isinstance(over, (Frame, Series)):
            return None
        inside: Env = {**env, **bound}
        mask = both(frame_of(over).mask, *(self.test(c, inside) for c in first.ifs))
        self._row_local(mask, node)
        frame = Frame(mask, frame_of(over).order)
        element = self.any_value(node.elt, inside)
        if isinstance(element, Row):
            return frame
        if isinstance(element, Thing):
            return None
        self._row_local(element, node)
        return Series(frame, element, element.name if isinstance(element, Col) else None)

    def _row_local(self, e: Expr, node: ast.AST) -> None:
        if slots_of(e):
            raise Refusal("opaque", "a second pass over the group reads what the first computed", node)

    def total(self, node: ast.Call, name: str, over: Series) -> Expr:
        """``sum``, ``any`` and ``all`` of a list."""
        if name == "sum" and is_boolean(over.element):
            return self.reductions.count("n", both(over.frame.mask, over.element))
        if name == "sum":
            self.use_order(over.frame, node)
        return self.reductions.builtin(node, name, over)

    def extreme(self, node: ast.Call, name: str, over: Frame | Series, env: Env) -> Value:
        """``max(values)``, ``max(values, default=None)``, ``max(rows, key=…)``.

        CPython keeps the first value unless a later one compares as better. A None beside another value raises, and
        does so as well where a pre-filter has dropped none of the two; here it is passed over.
        """
        keywords = {k.arg: k.value for k in node.keywords}
        frame = frame_of(over)
        self.use_order(frame, node)
        if isinstance(over, Frame):
            keys = self._sort_key(keywords.pop("key", None), over, env)
            if keywords or keys is None or len(keys) != 1 or frame.mask != TRUE:
                raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
            best, better = self._best(node, name, frame, keys[0])
            if isinstance(keys[0], Col):
                self._carried[better, keys[0].name] = best
            return ChosenRow(better)
        if set(keywords) - {"default"}:
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        best, _ = self._best(node, name, frame, over.element)
        seen = self.some(frame)
        if "default" in keywords:
            return choose(seen, best, self.value(keywords["default"], env))
        return choose(seen, best, Raise(f"{name}() of no values"))

    def some(self, frame: Frame) -> Expr:
        """Whether there are any such rows."""
        if frame.mask == TRUE:
            return TRUE
        slot = self._extremes.get(("some", frame.mask, TRUE))
        if slot is None:
            found = self.slots.allocate("some", FALSE)
            slot = self._extremes["some", frame.mask, TRUE] = found, TRUE
            self.slots.define(found, either(found, frame.mask))
        return slot[0]

    def _best(self, node: ast.AST, name: str, frame: Frame, value: Expr) -> tuple[Slot, Expr]:
        """The best value so far, and whether a row's is better."""
        known = self._extremes.get((name, frame.mask, value))
        if known is None:
            slot = self.slots.allocate(name, NONE)
            op: CompareOp = ">" if name == "max" else "<"
            beats = both(negate(is_null(value)), self.compare(node, op, value, slot))
            better = both(frame.mask, either(is_null(slot), beats))
            self.slots.define(slot, choose(better, value, slot))
            self.compare(node, op, value, slot)  # refused, now that the slot has its type, if they do not compare
            known = self._extremes[name, frame.mask, value] = slot, better
        return known

    def _chosen(self, row: ChosenRow, name: str) -> Expr:
        """A column of the row that ``max(rows, key=…)`` chose."""
        value = self.group.view(name)
        if name in self.group.keys:
            return value
        known = self._carried.get((row.better, name))
        if known is None:
            known = self.slots.allocate(name, NONE)
            self.slots.define(known, choose(row.better, value, known))
            self._carried[row.better, name] = known
        return known

    def sorted_list(self, node: ast.Call, over: Frame | Series, env: Env) -> Thing:
        """A list in another order. What raises on a None does so in every list that holds it and something else; NaN
        has no place in an order, so floats do not sort."""
        keywords = {k.arg: k.value for k in node.keywords}
        reverse = keywords.pop("reverse", None)
        if len(node.args) != 1 or set(keywords) - {"key"} or not (reverse is None or isinstance(reverse, ast.Constant)):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        frame = frame_of(over)
        keys = [over.element] if isinstance(over, Series) else None
        if "key" in keywords:
            keys = self._sort_key(keywords["key"], over, env)
        if keys is None or not all(isinstance(k, Col) for k in keys):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        for key in keys:
            t = self.scope.type(key)
            if t.name not in ("int", "string", "bool", "timestamp") and t != DATE:
                raise Refusal("opaque", f"rows sorted by a {t}, among which may be NaN", node)
        order = Frame(frame.mask, self.new_order())
        return Series(order, over.element, over.column) if isinstance(over, Series) else order

    def _sort_key(self, key: ast.expr | None, over: Frame | Series, env: Env) -> list[Expr] | None:
        if not (isinstance(key, ast.Lambda) and len(key.args.args) == 1):
            return None
        bound = self.each(over, ast.Name(key.args.args[0].arg, ast.Store()))
        parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
        values = [self.value(p, {**env, **(bound or {})}) for p in parts]
        for v in values:
            self._row_local(v, key)
        return values
