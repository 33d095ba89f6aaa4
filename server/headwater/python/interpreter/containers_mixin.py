"""Evaluation of expressions over lists, sets, tuples and records, and what the path to a place tells about values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace

from headwater.python.builtins import comparison as compared
from headwater.python.builtins import containers, dispatch
from headwater.python.builtins.datetimes import literal_time
from headwater.python.builtins.named_containers import MAX_ROUNDS, Key, SortedAppendOnly
from headwater.python.exprs.assuming import assuming
from headwater.python.exprs.facts import Facts, Tags
from headwater.python.exprs.simplify import both, choose, either, is_boolean, negate, truthy
from headwater.python.exprs.types import arithmetic
from headwater.python.values import append_only
from headwater.python.values.append_only import AppendOnly, Collection, RunningFold, State, Trace
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Unreadable, Value
from headwater.python.values.short_lists import Order, compare_length
from headwater.python.values.structures import BitMask, Ordering, RecordValue, leaves, rebuilt
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import MIRRORED, Arith, CompareOp, Expr, If, IsNull, Lit, Slot, size
from headwater_ir.types import BOOL, INT, NUMBER

from .outcomes import Path
from .scalars import Scalars


class Structured(Scalars):
    """Adds containers. ``path``: the tests on the way to what is being evaluated."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.path: Path = ()
        self.orders: dict[str, Key | None] = {"": None}
        self._chains: dict[tuple[Expr, ...], None] = {}
        self._lengths: dict[Expr, tuple[Expr, ...]] = {}
        self._known: tuple[Path, tuple[int, int], Facts] | None = None

    # What is known here

    @contextmanager
    def knowing(self, cond: Expr, outcome: bool) -> Iterator[None]:
        """Evaluate where ``cond`` has had this outcome."""
        before = self.path
        self.path = (*before, (cond, outcome))
        try:
            yield
        finally:
            self.path = before

    def known(self) -> Facts:
        """What the facts and the tests on the path tell."""
        filled = self.filled()
        state = (len(self._chains), len(filled))
        if self._known is None or self._known[0] is not self.path or self._known[1] != state:
            there = ((IsNull(Slot(i)), False) for i in filled)
            found = Facts((*((f, True) for f in self.scope.facts), *there, *self.path))
            for chain in self._chains:  # a list fills from the front
                taken = [i for i, p in enumerate(chain) if found.decide(p) is True]
                free = [i for i, p in enumerate(chain) if found.decide(p) is False]
                found = Facts(((p, True) for p in chain[: max(taken, default=0)]), found)
                found = Facts(((p, False) for p in chain[min(free, default=len(chain)) :]), found)
            self._known = self.path, state, found
        return self._known[2]

    def filled(self) -> frozenset[int]:
        """Slots that are not None here: every row sets them, and there has been one."""
        return frozenset()

    def missing(self, e: Expr) -> Tags:
        """Which of None and NaN ``e`` may be here."""
        return self.scope.missing(e, self.known())

    def solid(self, values: tuple[Value, ...]) -> frozenset[int]:
        """Which of ``values`` cannot be None; of a tuple, its first part."""
        found: set[int] = set()
        for i, v in enumerate(values):
            first = (
                next(leaves(v), None)
                if isinstance(v, (Items, RecordValue))
                else None
                if isinstance(v, AbstractObject)
                else v
            )
            if first is not None and "none" not in self.missing(first):
                found.add(i)
        return frozenset(found)

    def under(self, cond: Expr, outcome: bool, node: ast.expr, env: Env) -> Value:
        """The value of ``node`` where ``cond`` has had this outcome."""
        with self.knowing(cond, outcome):
            return self.any_value(node, env)

    def note_chain(self, taken: tuple[Expr, ...]) -> None:
        """Remember that each of these conditions implies those before it."""
        if len(taken) > 1:
            self._chains[taken] = None

    def note_length(self, total: Expr, taken: tuple[Expr, ...]) -> None:
        """Remember that ``total`` counts how many of ``taken`` hold."""
        self.note_chain(taken)
        self._lengths[total] = taken

    # Evaluation

    def any_value(self, node: ast.expr, env: Env) -> Value:
        """The value of ``node``, a scalar or not."""
        found = super().any_value(node, env)
        if isinstance(found, Items) and isinstance(node, (ast.Tuple, ast.List)):
            return Items(found.items, found.mutable, self.solid(found.items))
        return found

    def container(self, node: ast.expr, env: Env) -> Value | None:
        """The meaning of ``node`` if it makes or reads a container, or computes a constant point in time."""
        if isinstance(node, (ast.BinOp, ast.Name)):
            time = literal_time(self.scope, node, env)
            if time is not None:
                return time
        found = containers.value(self, node, env)
        if found is None or isinstance(found, (AppendOnly, SortedAppendOnly, Rows)):
            return found
        if not isinstance(found, AbstractObject) and found in self._lengths:
            return found
        known = self.known()
        return rebuilt(found, (assuming(leaf, known) for leaf in list(leaves(found))))

    def of_scalars(self, node: ast.Call, env: Env) -> Value | None:
        """The value of a call of a builtin with scalar arguments; None if it has no model."""
        return dispatch.call(self, node, env, "scalars")

    def test(self, node: ast.expr, env: Env) -> Expr:
        """The truth of ``node``. Later operands are read knowing the earlier ones."""
        if isinstance(node, ast.BoolOp):
            conjunction = isinstance(node.op, ast.And)
            parts: list[Expr] = []
            with ExitStack() as stack:
                for operand in node.values:
                    parts.append(self.test(operand, env))
                    stack.enter_context(self.knowing(parts[-1], conjunction))
            return both(*parts) if conjunction else either(*parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return super().test(node, env)
        found = self.any_value(node, env)
        if isinstance(found, AbstractObject) and not isinstance(found, Unreadable):
            return compared.truth(self, node, found)
        return super().test(node, env)

    def compare_things(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Expr | None:
        """A comparison of containers."""
        return compared.compare(self, node, op, a, b)

    def compare(self, node: ast.AST, op: CompareOp, a: Expr, b: Expr) -> Expr:
        """``a op b``; the length of a short list compared with a constant is whether a place is taken."""
        for x, y, name in ((a, b, op), (b, a, MIRRORED[op])):
            constant = getattr(y, "value", None)
            if x in self._lengths and type(constant) is int:
                return compare_length(name, self._lengths[x], constant)
        return super().compare(node, op, a, b)

    def arithmetic(self, node: ast.AST, operator: ast.operator, left: Expr, right: Expr) -> Expr:
        """``left operator right``; what is added or subtracted under a condition is a branch: ``n + (a == b)`` is
        ``n + 1 if a == b else n``."""
        if isinstance(operator, (ast.BitOr, ast.BitAnd, ast.BitXor)):
            return self._logic(node, operator, left, right)
        found = super().arithmetic(node, operator, left, right)
        if not isinstance(found, Arith) or found.op not in ("+", "-"):
            return found
        for this, other, turned in ((right, left, False), (left, right, True)):
            branches = _numbers(this)
            if branches is None:
                continue
            cond, then, otherwise = branches
            if size(other) > _SMALL:
                number = If(cond, then, otherwise)
                left, right = (number, other) if turned else (other, number)
                return Arith(found.op, left, right, "python")
            a, b = (self.arithmetic(node, operator, *((p, other) if turned else (other, p))) for p in (then, otherwise))
            return choose(cond, a, b)
        zero, other = (right, left) if right == _ZERO else (left, right)
        whole = self.scope.type(other).name == "int" and not self.missing(other)
        return other if zero == _ZERO and whole and (found.op == "+" or zero is right) else found

    def _logic(self, node: ast.AST, operator: ast.operator, left: Expr, right: Expr) -> Expr:
        """``a | b``, ``a & b`` and ``a ^ b`` of what is True or False; unlike with ``or``, b is evaluated anyway."""
        if any(self.scope.type(e) != BOOL or "none" in self.missing(e) for e in (left, right)):
            raise Refusal("opaque", "a bit operator on something that is not known to be True or False", node)
        self.effect(self.path, left)
        test = truthy(right)
        if isinstance(operator, ast.BitXor):
            return choose(test, negate(truthy(left)), left)
        return choose(test, _TRUE, left) if isinstance(operator, ast.BitOr) else choose(test, left, _FALSE)

    def equal(self, node: ast.AST, a: Expr, b: Expr) -> Expr:
        """``a == b``, by which lists and sets look for a value."""
        return self.compare(node, "==", a, b)

    def order(self, node: ast.AST, key: Key | None) -> Order:
        """The comparison of elements by ``key``."""

        def compare(op: CompareOp, a: Value, b: Value) -> Expr:
            x, y = (a, b) if key is None else (key(a), key(b))
            if isinstance(x, Items) and isinstance(y, Items):
                return compared.lexicographic(self, node, op, x, y)
            if isinstance(x, AbstractObject) or isinstance(y, AbstractObject):
                raise Refusal("opaque", "elements that have no order here", node)
            return self.compare(node, op, x, y)

        return compare

    def order_by(self, node: ast.AST, ordering: Ordering | None) -> Order:
        """The comparison that a list was sorted by."""
        if ordering is None:
            return self.order(node, None)
        return self.order(node, self.orders.get(ordering.key))

    def require_order(self, node: ast.AST, element: Value, key: Key | None, *, full: bool | None = None) -> None:
        """Refuse elements that may be None or NaN where sorting compares them. ``full``: of an element of a short list,
        whether all its parts are known to be there."""
        compared = element if key is None else key(element)
        first = next(leaves(element), None)
        for leaf in leaves(compared):
            if key is not None and full is None:
                self.require_defined(node, leaf)
            missing = self.missing(leaf)
            none = "none" in missing and (full is None or (not full and leaf != first))
            if none or "nan" in missing:
                what = "None" if none else "NaN"
                raise Refusal("three-valued-logic", f"what is sorted may be {what}", node)

    def require_defined(self, node: ast.AST, e: Expr) -> None:
        """Refuse what may raise where Python may not evaluate it, or evaluates it only later: the error would be taken
        for one of the original, which excuses everything."""
        if not self.scope.defined(e, self.known()):
            raise Refusal("may-throw", "a comprehension or a key function that may raise", node)

    def require_number(self, node: ast.AST, value: Expr) -> None:
        """Refuse what cannot be added up."""
        self.scope.hint(value, NUMBER)
        t = self.scope.type(value)
        if not (arithmetic(t) or t.name in ("any", "null")) or t.name == "decimal":
            raise Refusal("opaque", f"the sum of values of type {t}", node)

    def element(self, node: ast.AST, value: Value) -> Value:
        """``value`` as an element of a list: a scalar, or a tuple or record of scalars."""
        if isinstance(value, Unreadable):
            raise Refusal(value.obstruction, value.reason, node)
        if isinstance(value, BitMask):
            return value.number
        if isinstance(value, Items) and not value.unique and value.items:
            items = tuple(v for v in value.items if not isinstance(v, AbstractObject))
            if len(items) == len(value.items):
                return Items(items, False, self.solid(items))
        if (
            isinstance(value, RecordValue)
            and value.names
            and not any(isinstance(v, AbstractObject) for v in value.values)
        ):
            return RecordValue(value.names, value.values, value.access, False, self.solid(value.values))
        if isinstance(value, AbstractObject):
            raise Refusal("opaque", "an element that is no scalar or tuple of scalars", node)
        return value

    # Lists without a bound

    def collection(self, name: str, unique: bool) -> Collection:
        """A new list or set that the rows of the group are added to."""
        raise Refusal("opaque", "a list of the group's rows")

    # Rows of the group

    def rows_at(self, node: ast.expr, env: Env) -> Rows | None:
        """``node`` as a sequence with a value for each row; None if it is something else."""
        return None

    def is_list(self, node: ast.expr, env: Env) -> bool:
        """Whether ``node`` is a list or tuple with a value for each row, which has their methods."""
        return False

    def numbered(self, number: Value) -> Rows | None:
        """The rows of which ``number`` is the count; None if it is no count of rows."""
        return None

    def at_number(self, node: ast.Subscript, env: Env) -> Value | None:
        """``values[i]``, where ``i`` is the number of the row: the row's own value; None for another subscript."""
        return None

    def measured(self, node: ast.expr, env: Env) -> Rows | None:
        """An object of the boundary that has a length, which is the number of these rows."""
        return None

    def inside_row(self, node: ast.AST, rows: Rows) -> AbstractContextManager[None]:
        """Evaluate what is evaluated for each of ``rows``, on whichever path the function goes through them."""
        raise Refusal("opaque", "a list of the group's rows", node)

    def certain(self, node: ast.AST, e: Expr) -> None:
        """Refuse what may raise where Python may not evaluate it: it is evaluated for every row of the group, and the
        error would be taken for one of the original, which excuses everything."""

    def raised_unseen(self) -> bool:
        """Whether what was last evaluated for each row may raise beside its value."""
        return False

    def heed(self, bag: AppendOnly, what: RunningFold) -> bool:
        """Note the errors of what is read of a list of rows, where the rows before a row tell how much of it is looked
        at; whether there may be some."""
        return False

    def as_list(self, node: ast.AST, rows: Rows, *, ordered: bool = True) -> AppendOnly:
        """The list of the values of rows. ``ordered``: what is read of it depends on their order."""
        raise Refusal("opaque", "a list of the group's rows", node)

    def count(self, node: ast.AST, rows: Rows) -> Expr:
        """How many rows there are."""
        raise NotImplementedError

    def some(self, node: ast.AST, rows: Rows) -> Expr:
        """Whether there are any rows."""
        raise NotImplementedError

    def surely_run(self, rows: Rows) -> bool:
        """Whether Python certainly comes to what goes through ``rows`` here, if there are any."""
        return False

    def surely_some(self, rows: Rows) -> bool:
        """Whether there is a row in every group that the function sees."""
        return False

    def same_in_group(self, e: Expr) -> bool:
        """Whether ``e`` is the same for all rows of a group."""
        return isinstance(e, Lit)

    def new_order(self) -> int:
        """The number of an order that no other sequence of rows has."""
        raise Refusal("opaque", "rows in another order")

    def observe(self, bag: AppendOnly, what: RunningFold) -> State:
        """The value of ``what`` for the list as it is here."""
        of = bag.of
        if of.log == () or of.allocate is None:
            return append_only.folded(bag.log, of.initial(what), what)
        if what.key not in of.seen:
            init = of.initial(what)
            slots = tuple(of.allocate(what.key if len(init) == 1 else f"{what.key}.{i}", e) for i, e in enumerate(init))
            of.seen[what.key] = what, slots
            if of.log is not None and what.example:  # for the types alone
                self.define(slots, append_only.folded(of.log, slots, replace(what, update=lambda s, v: what.example)))
            if of.log is not None:
                self._settle(of.log, slots, what)
        return append_only.folded(bag.log, of.seen[what.key][1], what)

    def _settle(self, log: Trace, slots: tuple[Slot, ...], what: RunningFold) -> None:
        """Set the steps of slots, until the steps and what they are taken to hold agree."""
        for _ in range(MAX_ROUNDS):
            before = [(self.scope.slots[s.index], self.scope.slot_missing[s.index]) for s in slots]
            self.scope.slot_ranges = {}  # not known before the steps are
            self.define(slots, append_only.folded(log, slots, what))
            if before == [(self.scope.slots[s.index], self.scope.slot_missing[s.index]) for s in slots]:
                return
        raise Refusal("opaque", "the types of what is read of a list do not settle")

    def define(self, slots: State, steps: State) -> None:
        """Set the steps of slots."""
        raise NotImplementedError

    def effect(self, path: Path, e: Expr) -> None:
        """Note that ``e`` is evaluated on ``path``, for its errors."""

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Evaluate to see of what kind something is: Python may not evaluate it here, so that an error of it must not
        be taken for one of the original, which excuses everything."""
        yield

    def bind(self, target: ast.expr, value: Value, env: Env) -> Env:
        """``env`` after ``target = value``."""
        raise NotImplementedError

    def unpack(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        """The elements of a tuple."""
        raise NotImplementedError

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row that is bound to another name: a record of its columns."""
        return value


def _numbers(e: Expr) -> tuple[Expr, Expr, Expr] | None:
    """A condition, and the constants that ``e`` is where it holds and where not; None if it is no such number."""
    if isinstance(e, If) and all(isinstance(p, Lit) and type(p.value) is int for p in (e.then, e.otherwise)):
        return e.cond, e.then, e.otherwise
    return (e, Lit(1, INT), _ZERO) if is_boolean(e) and not isinstance(e, Lit) else None


_TRUE, _FALSE, _ZERO = Lit(True, BOOL), Lit(False, BOOL), Lit(0, INT)
_SMALL = 16
"""The size of a number that may be written twice."""
