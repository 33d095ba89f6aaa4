"""What makes and reads lists, sets, tuples and records: displays, subscripts, attributes, operators."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, both, choose, either, is_boolean, is_null, negate, number_of
from headwater.python.interpreter.broadcasts import value_of_broadcast
from headwater.python.values import append_only, dict_tables, short_lists
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import (
    BitMask,
    BoundedList,
    OptionalValue,
    RecordValue,
    bits,
    is_mutable,
    leaves,
    merged,
    rebuilt,
)
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Expr, Lit, Raise

from . import comprehensions, container_methods, dispatch, records, sorting, tallies
from .named_containers import (
    MAX_TOP,
    LastOnly,
    SortedAppendOnly,
    constant,
    container_at,
    elements_in,
    grow,
    pattern,
    require_flat,
)

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


def value(s: Structured, node: ast.expr, env: Env) -> Value | None:
    """The meaning of ``node`` if it makes or reads one of our containers."""
    match node:
        case ast.Dict():
            return _record(s, node, env)
        case ast.Set():
            return Items(tuple(s.any_value(e, env) for e in node.elts), True, unique=True)
        case ast.Subscript():
            own = s.at_number(node, env)
            if own is not None:
                return own
            rows = s.rows_at(node.value, env)
            owner = container_at(s, node.value, env) if rows is None else _ends(s, node, rows)
            return None if owner is None else subscript(s, node, owner, env)
        case ast.Attribute():
            constant_value = value_of_broadcast(s.scope, node, env)
            if constant_value is not None:
                return constant_value
            owner = container_at(s, node.value, env)
            return None if owner is None else _attribute(s, node, owner)
        case ast.IfExp():
            return _conditional(s, node, env)
        case ast.BoolOp():
            return _either_of(s, node, env)
        case ast.BinOp():
            return _binary(s, node, env)
        case ast.Call(func=function):
            found = dispatch.call(s, node, env)
            found = records.made(s, node, env) if found is None else found
            method = found is None and isinstance(function, ast.Attribute)
            return container_methods.call(s, node, env) if method else found
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            return comprehensions.comprehension(s, node, env)
    return None


def _ends(s: Structured, node: ast.Subscript, rows: Rows) -> Value:
    return sorting.sorted_list(s, node, rows) or s.as_list(node, rows)


def _record(s: Structured, node: ast.Dict, env: Env) -> Value:
    found = None if all(map(_is_text, node.keys)) else dict_tables.table(node, lambda part: s.any_value(part, env))
    if found is not None:
        return found
    names: dict[str, Value] = {}
    for key, part in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = s.any_value(part, env)
            require_flat(node, inner)
            if not isinstance(inner, RecordValue) or inner.access != "item":
                raise Refusal("opaque", f"`**{s.scope.ctx.text(part)}`", node)
            names |= dict(zip(inner.names, inner.values, strict=True))
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            names[key.value] = s.any_value(part, env)
        else:
            raise Refusal("opaque", "a dict whose keys are not string literals", node)
    values = tuple(names.values())
    return RecordValue(tuple(names), values, solid=s.solid(values), closed=None not in node.keys)


def _is_text(key: ast.expr | None) -> bool:
    return key is None or (isinstance(key, ast.Constant) and isinstance(key.value, str))


def subscript(s: Structured, node: ast.Subscript, owner: Value, env: Env) -> Value:
    """``owner[index]``."""
    if isinstance(node.slice, ast.Slice):
        return _sliced(s, node, node.slice, owner, env)
    if isinstance(owner, Tally):
        return tallies.element(s, node, owner, s.any_value(node.slice, env))
    owner, index = elements_in(owner), constant(s, node.slice, env)
    if owner == NONE:
        return Raise("None is not subscriptable")
    if isinstance(owner, OptionalValue):
        inner = subscript(s, node, owner.inner, env)
        return _guarded(owner.present, inner)
    lookup = dict_tables.as_table(owner) if index is ... or isinstance(owner, dict_tables.Table) else None
    if lookup is not None:
        return dict_tables.subscript(s, node, lookup, s.any_value(node.slice, env))
    if isinstance(owner, RecordValue) and owner.access in ("item", "both") and isinstance(index, str):
        found = owner.get(index)
        return Raise("KeyError") if found is None else found
    if index is ... and isinstance(owner, Items) and not owner.unique and len(owner.items) >= 2:
        place = s.any_value(node.slice, env)
        test = place if not isinstance(place, AbstractObject) and is_boolean(place) else None
        chosen = None if test is None else merged(test, owner.items[1], owner.items[0])
        if chosen is not None and not any(map(is_mutable, owner.items)):
            return chosen
    if type(index) is not int:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`: an index that is not constant", node)
    if isinstance(owner, RecordValue) and owner.access == "attribute":
        raise Refusal("opaque", "a row read by position", node)
    if isinstance(owner, Items) and not owner.unique:
        n = len(owner.items)
        return owner.items[index] if -n <= index < n else Raise("IndexError")
    if isinstance(owner, BoundedList):
        return _cell(s, node, owner, index)
    if isinstance(owner, LastOnly) and (index == -1 or (index == 0 and owner.alone)):
        return owner.last
    if isinstance(owner, SortedAppendOnly):
        count = index + 1 if index >= 0 else -index
        ends = sorting.top(
            s, node, owner.bag, sorting.reversed_if(owner.ordering, index < 0), count, owner.key, turned=index < 0
        )
        return _cell(s, node, ends, index)
    if isinstance(owner, AppendOnly) and not owner.of.unique and index in (0, -1):
        return end(s, node, owner, index)
    if isinstance(owner, AppendOnly):
        raise Refusal("may-throw", f"`{s.scope.ctx.text(node)}`: a group may have too few rows", node)
    raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)


def _guarded(present: Expr, inner: Value) -> Value:
    absent = Raise("None has no parts")
    return rebuilt(inner, (choose(present, leaf, absent) for leaf in list(leaves(inner))))


def _cell(s: Structured, node: ast.AST, owner: BoundedList, index: int) -> Value:
    if owner.heap and index != 0:
        raise Refusal("opaque", "a heap's inner order", node)
    cell = short_lists.at(owner, index)
    s.note_chain(short_lists.length(owner)[1])
    return short_lists.read(cell)


def end(s: Structured, node: ast.AST, owner: AppendOnly, index: int) -> Value:
    """The first or last element of a list; an error if it has none."""
    like, rows = pattern(s, node, owner), owner.of.rows if owner.of_rows else None
    if rows is not None and s.surely_some(rows) and all(map(s.same_in_group, leaves(like))):
        return like
    flagged = owner.of.holds_none
    parts = s.observe(owner, append_only.end(like, index, flagged=flagged))
    if rows is not None and s.surely_some(rows):
        return rebuilt(like, iter(parts))
    some = parts[-1] if flagged else negate(is_null(parts[0]))
    return rebuilt(like, (append_only.or_raise(some, p, "IndexError") for p in parts))


def _sliced(s: Structured, node: ast.Subscript, part: ast.Slice, owner: Value, env: Env) -> Value:
    low, high = (None if e is None else constant(s, e, env) for e in (part.lower, part.upper))
    plain = part.step is None and all(v is None or type(v) is int for v in (low, high))
    if isinstance(owner, Items) and plain and not owner.unique:
        require_flat(node, owner)
        keep = range(len(owner.items))[low:high]  # type: ignore[index]  # `plain`: both are numbers or None
        solid = frozenset(n for n, i in enumerate(keep) if i in owner.solid)
        return Items(tuple(owner.items[i] for i in keep), owner.mutable, solid)
    if not plain or (isinstance(owner, BoundedList) and owner.heap):
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    if isinstance(owner, BoundedList):
        return sorting.cut(s, node, owner, low, high)
    if isinstance(owner, SortedAppendOnly) and type(high) is int and low in (None, 0) and 0 < high <= MAX_TOP:
        return sorting.top(s, node, owner.bag, owner.ordering, high, owner.key)
    if isinstance(owner, SortedAppendOnly) and type(low) is int and high is None and 0 > low >= -MAX_TOP:
        return sorting.top(s, node, owner.bag, sorting.reversed_if(owner.ordering, True), -low, owner.key, turned=True)
    raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)


def _attribute(s: Structured, node: ast.Attribute, owner: Value) -> Value | None:
    if owner == NONE:
        return Raise(f"None has no `{node.attr}`")
    present, inner = (owner.present, owner.inner) if isinstance(owner, OptionalValue) else (TRUE, owner)
    if not isinstance(inner, RecordValue) or inner.access == "item":
        return None
    found = inner.get(node.attr)
    if found is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}` is not a column of the row", node)
    return _guarded(present, found)


def _conditional(s: Structured, node: ast.IfExp, env: Env) -> Value | None:
    branches = (node.body, node.orelse)
    with s.unheard():
        if not any(container_at(s, b, env) is not None or isinstance(b, (ast.Tuple, ast.List)) for b in branches):
            return None
    test = s.test(node.test, env)
    a, b = s.under(test, True, node.body, env), s.under(test, False, node.orelse, env)
    if any(isinstance(v, (AppendOnly, SortedAppendOnly)) for v in (a, b)):
        raise Refusal("opaque", "one of two lists", node)
    s.effect(s.path, test)
    found = merged(test, a, b)
    if found is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}` is of two kinds", node)
    return found


def _either_of(s: Structured, node: ast.BoolOp, env: Env) -> Value | None:
    """``a or b`` and ``a and b`` as values: the first operand that decides, or the last."""
    with s.unheard():
        if not any(isinstance(container_at(s, n, env), AbstractObject) for n in node.values):
            return None
    earlier: list[tuple[Value, Expr]] = []
    with ExitStack() as stack:
        for operand in node.values[:-1]:
            earlier.append((s.any_value(operand, env), s.test(operand, env)))
            s.effect(s.path, earlier[-1][1])
            stack.enter_context(s.knowing(earlier[-1][1], isinstance(node.op, ast.And)))
        found = s.any_value(node.values[-1], env)
    for this, holds in reversed(earlier):
        pair = (this, found) if isinstance(node.op, ast.Or) else (found, this)
        together = None if any(isinstance(v, (AppendOnly, SortedAppendOnly)) for v in pair) else merged(holds, *pair)
        if together is None:
            raise Refusal("opaque", f"`{s.scope.ctx.text(node)}` is of two kinds", node)
        found = together
    return found


def _binary(s: Structured, node: ast.BinOp, env: Env) -> Value | None:
    if isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.LShift)):
        return _bitwise(s, node.op, s.any_value(node.left, env), s.any_value(node.right, env))
    left, right = container_at(s, node.left, env), container_at(s, node.right, env)
    if isinstance(node.op, ast.Mult) and isinstance(left, Items) and not left.unique:
        times = constant(s, node.right, env)
        require_flat(node, left)
        if type(times) is int and len(left.items) * times <= 16:
            items = left.items * times
            return Items(items, left.mutable, s.solid(items))
        raise Refusal("opaque", "a list of a length that is not constant", node)
    if isinstance(node.op, ast.Add) and left is not None and right is not None:
        require_flat(node, left)
        require_flat(node, right)
        if isinstance(left, Items) and isinstance(right, Items) and left.mutable == right.mutable:
            items = (*left.items, *right.items)
            return Items(items, left.mutable, s.solid(items))
        if isinstance(right, Items) and right.mutable and not right.unique:
            grown: Value = left
            for item in right.items:
                grown = grow(s, node, grown, item)
            return grown
    return None


def _bitwise(s: Structured, op: ast.operator, a: Value, b: Value) -> Value | None:
    if isinstance(op, ast.LShift):
        left, by = number_of(a), number_of(b)
        if not isinstance(a, Lit) or not isinstance(left, int) or not isinstance(by, int) or not 0 <= by < 31:
            return None
        return Lit(left << by, s.scope.type(a))
    x, y = bits(a), bits(b)
    if x is None or y is None:
        return None
    used = sorted({n for n, _ in (*x.flags, *y.flags)})
    join = either if isinstance(op, ast.BitOr) else both
    return BitMask(tuple((n, join(x.flag(n), y.flag(n))) for n in used))
