"""Sequences of rows in function bodies: what of an expression is one, and what is read of it.

Law: a list of a value of each row is never built. What is read of it (its length, its maximum, its first element) is a
slot of the fold, updated with each row (``values/append_only.py``); a loop over it is a loop over the rows.
Condition: its elements are computed from their row alone, so that the rows which a pre-filter leaves make a part of the
list, in the same order. A row's own error is then one of the original as well; so is that of two values that do not
compare or add up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from headwater.python.builtins import comprehensions, dispatch, named_containers
from headwater.python.exprs.simplify import both, choose, either, may_raise
from headwater.python.interpreter.outcomes import Path
from headwater.python.interpreter.statements import Interpreter
from headwater.python.values.append_only import ONE, ZERO, Added, AppendOnly, Chosen, Collection
from headwater.python.values.rows import UNORDERED, RowNumber, Rows
from headwater.python.values.scope import Env, Items, Scope, Value
from headwater.python.values.slots import Slots
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, And, Arith, Compare, Expr, Lit, Not, Truthy, columns_of, slots_of

_SOME = {(">", 0, True), (">=", 1, True), ("!=", 0, True), ("==", 0, False), ("<=", 0, False), ("<", 1, False)}
"""Comparisons of a length with a constant, and outcomes, that say that it is not 0."""
_LISTS = frozenset(f"builtins.{n}" for n in "list tuple sorted".split())
"""Functions that make a sequence of rows of others."""


class SequencesOfRows(Interpreter):
    """Reads sequences of rows. A boundary says which of its objects are some (``iterated``)."""

    never_empty = False
    """Whether the function only ever sees groups with a row."""
    keys: tuple[str, ...] = ()
    """Columns that are the same in all rows of the group, as the function sees them."""

    def __init__(self, scope: Scope, slots: Slots) -> None:
        super().__init__(scope)
        self.slots = slots
        self._inside = False
        self._in_row: bool | None = None
        """Inside a comprehension or key function: whether Python may not come to it."""
        self._unseen = False
        """Whether what was last evaluated for each row may raise beside its value."""
        self._order: int | None = None
        self._orders_made = 0
        self._counts: dict[Expr, Expr] = {}
        self._any_rows: dict[Expr, Expr] = {}
        self._lists: dict[tuple[Value, Expr], AppendOnly] = {}

    def iterated(self, node: ast.expr, env: Env) -> Rows | None:
        """An object of the boundary as a sequence with a value for each row; None if it is none."""
        return None

    def is_list(self, node: ast.expr, env: Env) -> bool:
        """Whether ``node`` is a list or tuple with a value for each row, which has their methods."""
        if isinstance(node, ast.Name):
            return getattr(env.get(node.id), "collects", False) and isinstance(env[node.id], Rows)
        return isinstance(node, ast.ListComp) or (isinstance(node, ast.Call) and self.scope.origin(node.func) in _LISTS)

    def in_a_pass(self) -> bool:
        """Whether what is evaluated is evaluated for each row."""
        return self._inside or self._in_row is not None

    def rows_at(self, node: ast.expr, env: Env) -> Rows | None:
        """``node`` as a sequence with a value for each row; None if it is something else."""
        found = self._sequence(node, env)
        if found is not None and (self._in_row is not None or self._inside):
            raise Refusal("opaque", "a pass over the group for each of its rows", node)
        return found

    def _sequence(self, node: ast.expr, env: Env) -> Rows | None:
        match node:
            case ast.Name(id=name) if isinstance(bound := env.get(name), (Rows, AppendOnly)):
                return bound if isinstance(bound, Rows) else bound.as_rows
            case ast.ListComp() | ast.GeneratorExp():
                return comprehensions.of_rows(self, node, env)
            case ast.Call():
                found = dispatch.call(self, node, env, "rows")
                assert found is None or isinstance(found, Rows)
                return found or self.iterated(node, env)
        return self.iterated(node, env)

    def numbered(self, number: Value) -> Rows | None:
        """The rows of which ``number`` is the count; None if it is no count of rows."""
        masks = [m for m, n in self._counts.items() if n == number]
        return Rows(TRUE, masks[0]) if masks else None

    def at_number(self, node: ast.Subscript, env: Env) -> Value | None:
        """``values[i]``, where ``i`` is the number of the row: the row's own value; None for another subscript."""
        number = env.get(node.slice.id) if isinstance(node.slice, ast.Name) else None
        of = self._sequence(node.value, env) if isinstance(number, RowNumber) else None
        if of is None or not isinstance(number, RowNumber):
            return None
        if (of.mask, of.order) != (number.mask, number.order) or of.order == UNORDERED or of.fails:
            raise Refusal("row-context", "a value of another row", node)
        return of.element

    # --- what is read of them

    def as_list(self, node: ast.AST, rows: Rows, *, ordered: bool = True) -> AppendOnly:
        """The list of the values of rows. ``ordered``: what is read of it depends on their order."""
        if self._inside:
            raise Refusal("opaque", "a pass over the group inside a loop over it", node)
        if ordered:
            self.use_order(rows, node)
        known = self._lists.get((rows.element, rows.mask))
        if known is None:
            made = self.collection("", False)
            known = self._lists[rows.element, rows.mask] = AppendOnly(made)
            with self.inside_row(node, rows):
                value = self._element(node, self.kept_row(rows.element, node))
                named_containers.note(self, known, value)
            made.rows, made.log = rows, (Added(value),)
            made.log = made.log if rows.mask == TRUE else (Chosen(rows.mask, made.log, ()),)
        return known

    def _element(self, node: ast.AST, value: Value) -> Value:
        if isinstance(value, Items) and any(isinstance(v, Items) for v in value.items):
            items = tuple(self._element(node, v) for v in value.items)
            return Items(items, False, self.solid(items))
        return self.element(node, value)

    def collection(self, name: str, unique: bool) -> Collection:
        """A list or set of what the rows of the group contribute."""
        raise NotImplementedError

    def count(self, node: ast.AST, rows: Rows) -> Expr:
        """How many rows there are."""
        return self.counted("n_rows", rows.mask)

    def counted(self, name: str, condition: Expr) -> Expr:
        """How many rows there are for which ``condition`` holds."""
        if condition not in self._counts:
            slot = self.slots.allocate(name, ZERO)
            step = choose(condition, Arith("+", slot, ONE, "python"), slot)
            self._counts[condition] = self.slots.define(slot, step)
        return self._counts[condition]

    def some(self, node: ast.AST, rows: Rows) -> Expr:
        """Whether there are any rows."""
        if self.surely_some(rows):
            return TRUE
        if rows.mask not in self._any_rows:
            slot = self.slots.allocate("some", FALSE)
            self._any_rows[rows.mask] = self.slots.define(slot, either(slot, rows.mask))
        return self._any_rows[rows.mask]

    def surely_some(self, rows: Rows) -> bool:
        """Whether there is a row in every group that the function sees."""
        return self.never_empty and rows.mask == TRUE

    def same_in_group(self, e: Expr) -> bool:
        """Whether ``e`` is the same for all rows of a group."""
        return not slots_of(e) and columns_of(e) <= set(self.keys)

    # --- orders

    def new_order(self) -> int:
        """The number of an order that no other sequence of rows has."""
        self._orders_made += 1
        return self._orders_made

    def use_order(self, rows: Rows, node: ast.AST) -> None:
        """All that depends on the row order must see the same order: the fold reads the rows once."""
        if rows.order == UNORDERED:
            raise Refusal("opaque", "rows sorted by values among which may be NaN", node)
        if self._order is None:
            self._order = rows.order
        if self._order != rows.order:
            raise Refusal("row-context", "the rows are read in two different orders", node)

    # --- errors under a condition

    @contextmanager
    def inside_row(self, node: ast.AST, rows: Rows) -> Iterator[None]:
        """Evaluate what is evaluated for each of ``rows``, on whichever path the function goes through them."""
        if self._in_row is not None:
            raise Refusal("opaque", "a pass over the group for each of its rows", node)
        outer = self.path, self.effects
        self._in_row, self._unseen = not self.surely_run(rows), False
        self.path, self.effects = (), []
        try:
            with self.knowing(rows.mask, True):
                yield
            if any(slots_of(e) for path, part in self.effects for e in (part, *(c for c, _ in path))):
                raise Refusal("opaque", "an error that depends on other rows is not part of the value", node)
        finally:  # other errors are those of the row alone, which the original has as well
            self._in_row, (self.path, self.effects) = None, outer

    def effect(self, path: Path, e: Expr) -> None:
        """Note that ``e`` is evaluated on ``path``; for each row too, where its error is no part of the value."""
        if self._in_row is not None and (may_raise(e) or any(may_raise(c) for c, _ in path)):
            known = self.known()
            for cond, outcome in path:
                known = known.plus(cond, outcome)
            if not self.scope.defined(e, known):
                self._unseen = True
                if self._in_row:
                    raise Refusal("may-throw", "a computation over the group that may fail, run under a condition")
        super().effect(path, e)

    def raised_unseen(self) -> bool:
        """Whether what was last evaluated for each row may raise beside its value."""
        return self._unseen

    def surely_run(self, rows: Rows) -> bool:
        """Whether Python certainly comes to what goes through ``rows`` here, if there are any."""
        return not self.unless_empty((*self.called_on, *self.path), rows.mask)

    def certain(self, node: ast.AST, e: Expr) -> None:
        """Refuse what may raise where Python may not evaluate it: it is evaluated for every row of the group, and the
        error would be taken for one of the original, which excuses everything."""
        if self._in_row and not self.scope.defined(e, self.known()):
            raise Refusal("may-throw", "a computation over the group that may fail, run under a condition", node)

    def unless_empty(self, path: Path, mask: Expr) -> Path:
        """``path`` without tests that only say that there are rows: where there are none, nothing runs over them."""
        parts = mask.operands if isinstance(mask, And) else ()
        masks = [TRUE, mask, *(both(*parts[: n + 1]) for n in range(len(parts)))]
        return tuple(step for step in path if step != (TRUE, True) and not any(self._tells(*step, m) for m in masks))

    def _tells(self, cond: Expr, outcome: bool, mask: Expr) -> bool:
        """Whether ``cond`` having this outcome says that there is a row for which ``mask`` holds."""
        if isinstance(cond, Not):
            return self._tells(cond.operand, not outcome, mask)
        if cond == self._any_rows.get(mask):
            return outcome
        count = self._counts.get(mask)
        if isinstance(cond, Truthy):
            return outcome and cond.operand == count
        if isinstance(cond, Compare) and cond.left == count and isinstance(cond.right, Lit):
            return (cond.op, cond.right.value, outcome) in _SOME
        return False
