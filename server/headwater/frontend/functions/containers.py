"""What expressions read of lists, sets, tuples and records: subscripts, lengths, reductions, comparisons."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater_ir.expr import FALSE, TRUE, CompareOp, Expr, Lit, Raise

from ..context import Refusal
from . import bags, lists
from .bags import Added, Bag, Chosen, Log, Observation
from .scope import Env, Items, Thing, Unreadable, Value
from .shapes import Bits, Maybe, Ordering, Record, Short, bits, leaves, merged, rebuilt, short
from .simplify import NONE, both, choose, either, is_nan, is_null, negate

if TYPE_CHECKING:
    from .structured import Structured

Key = Callable[[Value], Value]
OURS = (Items, Record, Maybe, Short, Bag, Bits)
MAX_TOP = 5


@dataclass(frozen=True)
class SortedBag(Thing):
    """``sorted(values)`` of a list without a bound: only its ends can be read."""

    bag: Bag
    ordering: Ordering
    key: Key | None


def value(s: Structured, node: ast.expr, env: Env) -> Value | None:
    """The meaning of ``node`` if it makes or reads one of our containers."""
    match node:
        case ast.Dict():
            return _record(s, node, env)
        case ast.Set():
            return Items(tuple(s.any_value(e, env) for e in node.elts), True, unique=True)
        case ast.Subscript():
            owner = held(s, node.value, env)
            return None if owner is None else subscript(s, node, owner, env)
        case ast.Attribute():
            owner = held(s, node.value, env)
            return None if owner is None else _attribute(s, node, owner)
        case ast.IfExp():
            return _conditional(s, node, env)
        case ast.BinOp():
            return _binary(s, node, env)
        case ast.Call():
            return _call(s, node, env)
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            return comprehension(s, node, env)
    return None


def held(s: Structured, node: ast.expr, env: Env) -> Value | None:
    """The container that ``node`` stands for; None if it is something else. A literal None counts as one."""
    if isinstance(node, ast.Name):
        found = env.get(node.id)
        return found if isinstance(found, (*OURS, SortedBag)) or found == NONE else None
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return s.any_value(node, env)
    if isinstance(node, (ast.Subscript, ast.Attribute, ast.Call, ast.BinOp, ast.IfExp)):
        found = s.thing(node, env)
        found = value(s, node, env) if found is None else found
        return found if isinstance(found, (*OURS, SortedBag)) or found == NONE else None
    return None


def _record(s: Structured, node: ast.Dict, env: Env) -> Value:
    names: dict[str, Value] = {}
    for key, part in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = s.any_value(part, env)
            if not isinstance(inner, Record) or inner.access != "item":
                raise Refusal("opaque", f"`**{s.scope.ctx.text(part)}`", node)
            names |= dict(zip(inner.names, inner.values, strict=True))
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            names[key.value] = s.any_value(part, env)
        else:
            raise Refusal("opaque", "a dict whose keys are not string literals", node)
    values = tuple(names.values())
    return Record(tuple(names), values, solid=s.solid(values))


def constant(s: Structured, node: ast.expr, env: Env) -> object:
    """The literal value of an index; Ellipsis if it is not constant."""
    if isinstance(node, ast.Slice):
        return ...
    found = s.any_value(node, env)
    return found.value if isinstance(found, Lit) else ...


def subscript(s: Structured, node: ast.Subscript, owner: Value, env: Env) -> Value:
    """``owner[index]``."""
    if isinstance(node.slice, ast.Slice):
        return _sliced(s, node, node.slice, owner, env)
    index = constant(s, node.slice, env)
    if owner == NONE:
        return Raise("None is not subscriptable")
    if isinstance(owner, Maybe):
        inner = subscript(s, node, owner.inner, env)
        return _guarded(owner.present, inner)
    if isinstance(owner, Record) and owner.access in ("item", "both") and isinstance(index, str):
        found = owner.get(index)
        return Raise("KeyError") if found is None else found
    if type(index) is not int:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`: an index that is not constant", node)
    if isinstance(owner, Record) and owner.access == "attribute":
        raise Refusal("opaque", "a row read by position", node)
    if isinstance(owner, Items) and not owner.unique:
        n = len(owner.items)
        return owner.items[index] if -n <= index < n else Raise("IndexError")
    if isinstance(owner, Short):
        return _cell(s, node, owner, index)
    if isinstance(owner, SortedBag):
        count = index + 1 if index >= 0 else -index
        ends = top(s, node, owner.bag, _ordering(owner.ordering, index < 0), count, owner.key, turned=index < 0)
        return _cell(s, node, ends, index)
    if isinstance(owner, Bag) and not owner.of.unique and index in (0, -1):
        return _end(s, node, owner, index)
    raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)


def _guarded(present: Expr, inner: Value) -> Value:
    absent = Raise("None has no parts")
    return rebuilt(inner, (choose(present, leaf, absent) for leaf in list(leaves(inner))))


def _cell(s: Structured, node: ast.AST, owner: Short, index: int) -> Value:
    if owner.heap and index != 0:
        raise Refusal("opaque", "a heap's inner order", node)
    cell = lists.at(owner, index)
    s.note_chain(lists.length(owner)[1])
    return lists.read(cell)


def _end(s: Structured, node: ast.AST, owner: Bag, index: int) -> Value:
    like = _like(s, node, owner)
    _no_nones(owner, node)
    what = bags.first(like) if index == 0 else bags.last(like)
    parts = s.observe(owner, what)
    return rebuilt(like, (bags.or_raise(negate(is_null(parts[0])), p, "IndexError") for p in parts))


def _no_nones(owner: Bag, node: ast.AST) -> None:
    if owner.of.holds_none:
        raise Refusal("three-valued-logic", f"`{owner.of.name}` may hold None", node)


def _like(s: Structured, node: ast.AST, owner: Bag) -> Value:
    """Any element, for its structure."""
    found = [*owner.of.start, *bags.elements((*(owner.of.log or ()), *owner.log))]
    if not found:
        return NONE
    shapes = {len(list(leaves(v))) if isinstance(v, Thing) else 0 for v in found}
    if len(shapes) > 1:
        raise Refusal("opaque", "a list of unlike elements", node)
    return found[0]


def _sliced(s: Structured, node: ast.Subscript, part: ast.Slice, owner: Value, env: Env) -> Value:
    low, high = (None if e is None else constant(s, e, env) for e in (part.lower, part.upper))
    plain = part.step is None and all(v is None or type(v) is int for v in (low, high))
    if isinstance(owner, Items) and plain and not owner.unique:
        keep = range(len(owner.items))[low:high]  # type: ignore[index]
        solid = frozenset(n for n, i in enumerate(keep) if i in owner.solid)
        return Items(tuple(owner.items[i] for i in keep), owner.mutable, solid)
    if not plain or (isinstance(owner, Short) and owner.heap):
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    if isinstance(owner, Short):
        return cut(s, node, owner, low, high)
    if isinstance(owner, SortedBag) and type(high) is int and low in (None, 0) and 0 < high <= MAX_TOP:
        return top(s, node, owner.bag, owner.ordering, high, owner.key)
    if isinstance(owner, SortedBag) and type(low) is int and high is None and 0 > low >= -MAX_TOP:
        return top(s, node, owner.bag, _ordering(owner.ordering, True), -low, owner.key, turned=True)
    raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)


def cut(s: Structured, node: ast.AST, owner: Short, low: object, high: object) -> Short:
    """``owner[low:high]``, of an end."""
    order = s.order_by(node, owner.order)
    if low in (None, 0) and type(high) is int and high >= 0:
        return lists.first_cells(owner, high, order)
    if type(low) is int and low < 0 and high is None:
        return lists.last_cells(owner, -low, order)
    if low in (None, 0) and high is None:
        return owner
    raise Refusal("opaque", "a slice from the middle of a list", node)


def _ordering(ordering: Ordering, reverse: bool) -> Ordering:
    return Ordering(ordering.key, ordering.descending != reverse)


def top(
    s: Structured, node: ast.AST, bag: Bag, ordering: Ordering, count: int, key: Key | None, *, turned: bool = False
) -> Short:
    """The first ``count`` elements of a list without a bound by ``ordering``. ``turned``: it is the end of the opposite
    order that is wanted."""
    if bag.of.unique:
        raise Refusal("opaque", "a set that is sorted", node)
    like = _like(s, node, bag)
    each(s, bag, lambda element: _first_is_there(s, node, element))
    each(s, bag, lambda element: s.require_order(node, element, key))
    order = s.order(node, key)
    wanted = _ordering(ordering, turned)
    template = Short(order=wanted, turned=turned)
    for _ in range(count):
        template = lists.ordered(lists.appended(template, like), wanted, order, turned=turned)
    width = len(list(leaves(template)))

    def update(state: bags.State, element: Value) -> bags.State:
        now = rebuilt(template, iter(state))
        assert isinstance(now, Short)
        grown = lists.ordered(lists.appended(now, element), wanted, order, turned=turned)
        return tuple(leaves(Short(grown.cells[:count])))

    what = Observation(f"{'-' if turned else ''}top{count} {ordering}", (NONE,) * width, update)
    found = rebuilt(template, iter(s.observe(bag, what)))
    assert isinstance(found, Short)
    return found


def _attribute(s: Structured, node: ast.Attribute, owner: Value) -> Value | None:
    if owner == NONE:
        return Raise(f"None has no `{node.attr}`")
    present, inner = (owner.present, owner.inner) if isinstance(owner, Maybe) else (TRUE, owner)
    if not isinstance(inner, Record) or inner.access == "item":
        return None
    found = inner.get(node.attr)
    if found is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}` is not a column of the row", node)
    return _guarded(present, found)


def _conditional(s: Structured, node: ast.IfExp, env: Env) -> Value | None:
    branches = (node.body, node.orelse)
    if not any(held(s, b, env) is not None or isinstance(b, (ast.Tuple, ast.List)) for b in branches):
        return None
    test = s.test(node.test, env)
    a, b = s.under(test, True, node.body, env), s.under(test, False, node.orelse, env)
    if any(isinstance(v, (Bag, SortedBag)) for v in (a, b)):
        raise Refusal("opaque", "one of two lists", node)
    s.effect(s.path, test)
    found = merged(test, a, b)
    if found is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}` is of two kinds", node)
    return found


def _binary(s: Structured, node: ast.BinOp, env: Env) -> Value | None:
    if isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.LShift)):
        return _bitwise(s, node.op, s.any_value(node.left, env), s.any_value(node.right, env))
    left, right = held(s, node.left, env), held(s, node.right, env)
    if isinstance(node.op, ast.Mult) and isinstance(left, Items) and not left.unique:
        times = constant(s, node.right, env)
        if type(times) is int and len(left.items) * times <= 16:
            items = left.items * times
            return Items(items, left.mutable, s.solid(items))
        raise Refusal("opaque", "a list of a length that is not constant", node)
    if isinstance(node.op, ast.Add) and left is not None and right is not None:
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
        whole = [v.value for v in (a, b) if isinstance(v, Lit) and type(v.value) is int]
        return Lit(whole[0] << whole[1], s.scope.type(a)) if len(whole) == 2 and 0 <= whole[1] < 31 else None  # type: ignore[arg-type]
    x, y = bits(a), bits(b)
    if x is None or y is None:
        return None
    used = sorted({n for n, _ in (*x.flags, *y.flags)})
    join = either if isinstance(op, ast.BitOr) else both
    return Bits(tuple((n, join(x.flag(n), y.flag(n))) for n in used))


def grow(s: Structured, node: ast.AST, owner: Value, element: Value) -> Value:
    """``owner`` with ``element`` added at its end."""
    element = s.element(node, element)
    if isinstance(owner, Bag):
        note(s, owner, element)
        return Bag(owner.of, (*owner.log, Added(element)))
    first = 0 in s.solid((next(leaves(element)),))
    full = s.solid(tuple(leaves(element))) == frozenset(range(len(list(leaves(element)))))
    as_list = short(owner)
    if as_list is None or not first:
        raise Refusal("three-valued-logic", "a list with an order may hold None", node)
    return lists.appended(as_list, element, full=full)


def note(s: Structured, owner: Bag, element: Value) -> None:
    """Remember whether the list may hold None or NaN."""
    for leaf in leaves(element):
        missing = s.missing(leaf)
        owner.of.holds_none |= missing.none
        owner.of.holds_nan |= missing.nan


def each(s: Structured, bag: Bag, visit: Callable[[Value], None]) -> None:
    """Visit every element that may be added, knowing the tests under which it is."""

    def walk(log: Log) -> None:
        for entry in log:
            if isinstance(entry, Added):
                visit(entry.value)
                continue
            for outcome, part in ((True, entry.then), (False, entry.otherwise)):
                with s.knowing(entry.cond, outcome):
                    walk(part)

    for element in bag.of.start:
        visit(element)
    walk(bag.of.log or ())
    walk(bag.log)


def as_bag(s: Structured, node: ast.AST, of: Value) -> Bag | None:
    """A short list, or a tuple or list that is spelled out, as a history of additions to nothing."""
    if isinstance(of, Bag):
        return of
    if isinstance(of, Short):
        placed = lists.placed(of)
        log: Log = tuple(Chosen(c.present, (Added(c.value),), ()) for c in placed.cells)
    elif isinstance(of, Items) and not of.unique:
        log = tuple(Added(v) for v in of.items)
    else:
        return None
    made = Bag(bags.Collection("list", unique=False, log=()), log)
    each(s, made, lambda element: note(s, made, element))
    return made


_REDUCTIONS = ("len", "max", "min", "sum", "any", "all", "sorted", "list", "tuple", "set")


def _call(s: Structured, node: ast.Call, env: Env) -> Value | None:
    name = s.scope.origin(node.func)
    if name in ("heapq.nlargest", "heapq.nsmallest"):
        return _heap_ends(s, node, name.endswith("nlargest"), env)
    if name is not None and name.startswith("builtins."):
        return _builtin(s, node, name.removeprefix("builtins."), env)
    if isinstance(node.func, ast.Attribute):
        owner = held(s, node.func.value, env)
        return None if owner is None or owner == NONE else _method(s, node, node.func.attr, owner, env)
    return None


def _method(s: Structured, node: ast.Call, method: str, owner: Value, env: Env) -> Value | None:
    if isinstance(owner, Record) and owner.access == "item" and method == "get" and node.args and not node.keywords:
        found = owner.get(str(constant(s, node.args[0], env)))
        if found is None and len(node.args) == 2:
            return s.any_value(node.args[1], env)
        return NONE if found is None else found
    if method == "copy" and not node.args and not isinstance(owner, Bag):
        return owner
    if method in ("issuperset", "issubset") and len(node.args) == 1:
        sides = (owner, held(s, node.args[0], env))
        return _superset(s, node, *(sides if method == "issuperset" else sides[::-1]))
    return None


def _keywords(s: Structured, node: ast.Call, allowed: set[str]) -> dict[str, ast.expr]:
    found = {k.arg: k.value for k in node.keywords if k.arg}
    if len(found) != len(node.keywords) or not set(found) <= allowed:
        raise Refusal("opaque", f"the arguments of `{s.scope.ctx.text(node.func)}`", node)
    return found


def _builtin(s: Structured, node: ast.Call, name: str, env: Env) -> Value | None:
    if name in ("list", "set", "dict", "tuple") and not node.args:
        if name == "dict":
            values = tuple(s.any_value(k.value, env) for k in node.keywords)
            names = tuple(k.arg or "" for k in node.keywords)
            return None if "" in names else Record(names, values, solid=s.solid(values))
        return Items((), name != "tuple", unique=name == "set") if not node.keywords else None
    if name == "bool" and len(node.args) == 1:
        known = held(s, node.args[0], env)
        return None if known is None or known == NONE else truth(s, node, known)
    if name in ("max", "min") and len(node.args) > 1:
        return _best_of(s, node, name, env)
    if name not in _REDUCTIONS or len(node.args) not in (1, 2 if name == "sum" else 1):
        return None
    over = node.args[0]
    of = held(s, over, env)
    if of is None and isinstance(over, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        of = comprehension(s, over, env)
    if of is None or of == NONE:
        return None
    return _reduce(s, node, name, of, env)


def _reduce(s: Structured, node: ast.Call, name: str, of: Value, env: Env) -> Value | None:
    if name == "len":
        return _length(s, node, of)
    if name in ("list", "tuple", "sorted") and isinstance(of, SortedBag):
        raise Refusal("opaque", "a sorted list that is copied", node)
    if name == "list" and isinstance(of, Short) and not of.heap:
        return of
    bag = as_bag(s, node, of)
    if name == "set" and bag is not None and bag.of.log is not None:
        return derived(s, bag, lambda v: (Added(v),), unique=True)
    if bag is None or name in ("list", "tuple", "set"):
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    if name == "sorted":
        return _sorted(s, node, of, bag, env)
    if name in ("max", "min"):
        front = isinstance(of, Short) and not node.keywords and of.order is not None and of.order.key == ""
        if isinstance(of, Short) and of.order is not None and front and of.cells and not of.pending:
            first = of.order.descending != of.turned
            return lists.read(of.cells[0] if (name == "max") == first else lists.end(of.cells))
        return _extreme(s, node, name, bag, env)
    given = [*node.args[1:], *_keywords(s, node, {"start"} if name == "sum" else set()).values()]
    if bag.of.unique and name == "sum":
        raise Refusal("opaque", "the sum of a set", node)
    for element in bags.elements((*(bag.of.log or ()), *bag.log)):
        if isinstance(element, Thing):
            raise Refusal("opaque", f"`{name}` of tuples", node)
    if name in ("any", "all"):
        return s.observe(bag, bags.ANY_TRUE if name == "any" else bags.ALL_TRUE)[0]
    return _sum(s, node, bag, s.value(given[0], env) if given else None)


def _sum(s: Structured, node: ast.Call, bag: Bag, start: Expr | None) -> Expr:
    for element in bags.elements((*(bag.of.log or ()), *bag.log)):
        s.require_number(node, bags.scalar(element))
    parts = s.observe(bag, bags.total(nones=bag.of.holds_none))
    found = parts[0] if start is None else s.arithmetic(node, ast.Add(), start, parts[0])
    return found if len(parts) == 1 else choose(parts[1], Raise("a sum with None"), found)


def _length(s: Structured, node: ast.AST, of: Value) -> Expr | None:
    if isinstance(of, Short):
        total, taken = lists.length(of)
        s.note_length(total, taken)
        return total
    if isinstance(of, Items) and not of.unique:
        return Lit(len(of.items), bags.ZERO.type)
    if isinstance(of, Record) and of.access == "item":
        return Lit(len(of.names), bags.ZERO.type)
    if isinstance(of, Bag):
        if not of.of.unique:
            return s.observe(of, bags.LENGTH)[0]
        return s.observe(of, set_contents(s, node, of))[1]
    raise Refusal("opaque", "the length of something that is no list or set", node)


def set_contents(s: Structured, node: ast.AST, of: Bag) -> Observation:
    """The token of a set; refused where NaN, which equals nothing but itself as an object, may be in it."""
    for element in bags.elements((*(of.of.log or ()), *of.log)):
        if isinstance(element, Thing):
            raise Refusal("opaque", "a set of tuples", node)
    if of.of.holds_nan:
        raise Refusal("three-valued-logic", f"`{of.of.name}` may hold NaN, which is in a set more than once", node)
    return bags.contents()


def _best_of(s: Structured, node: ast.Call, name: str, env: Env) -> Value | None:
    keywords = _keywords(s, node, {"key", "default"})
    if not keywords and not any(held(s, a, env) is not None for a in node.args):
        return None
    key = key_function(s, keywords["key"], env) if "key" in keywords else None
    values = [s.any_value(a, env) for a in node.args]
    best = values[0]
    for v in values[1:]:
        pair = (v, best) if key is None else (key(v), key(best))
        wins = compare(s, node, ast.Gt() if name == "max" else ast.Lt(), *pair)
        if wins is None:
            plain = [s.plain(node, p) for p in pair]
            wins = s.compare(node, ">" if name == "max" else "<", *plain)
        s.effect(s.path, wins)
        found = merged(wins, v, best)
        if found is None:
            raise Refusal("opaque", f"`{name}` of unlike values", node)
        best = found
    return best


def _extreme(s: Structured, node: ast.Call, name: str, bag: Bag, env: Env) -> Value:
    keywords = _keywords(s, node, {"default", "key"})
    key = key_function(s, keywords["key"], env) if "key" in keywords else None
    like = _like(s, node, bag)
    tuples = isinstance(like, Thing) or key is not None
    if tuples:
        each(s, bag, lambda element: _first_is_there(s, node, element))
        each(s, bag, lambda element: s.require_order(node, element, key))
    elif bag.of.unique and (bag.of.holds_nan or bag.of.holds_none):
        raise Refusal("three-valued-logic", f"`{name}` of a set that may hold NaN or None", node)
    text = ast.unparse(keywords["key"]) if "key" in keywords else ""
    nones = bag.of.holds_none and not tuples
    what = bags.extreme(f"{name}{text}", s.order(node, key), like, nones=nones)
    parts = s.observe(bag, what)
    empty = negate(parts[1]) if nones else is_null(parts[0])
    default = s.any_value(keywords["default"], env) if "default" in keywords else None
    if nones:
        best: Value = choose(parts[2], Raise("None is not ordered"), parts[0])
    else:
        best = rebuilt(like, iter(parts))
    if default is None:
        absent = Raise(f"{name}() of an empty sequence")
        return rebuilt(best, (choose(empty, absent, leaf) for leaf in list(leaves(best))))
    result = merged(empty, default, best)
    if result is None:
        raise Refusal("opaque", f"the default of `{name}` is of another kind", node)
    return result


def _first_is_there(s: Structured, node: ast.AST, element: Value) -> None:
    if s.missing(next(leaves(element))).none:
        raise Refusal("three-valued-logic", "the first part of an element may be None", node)


def _sorted(s: Structured, node: ast.Call, of: Value, bag: Bag, env: Env) -> Value:
    ordering, key = ordering_of(s, node, env)
    if isinstance(of, Bag):
        return SortedBag(of, ordering, key)
    as_list = short(of)
    if as_list is None:
        raise Refusal("three-valued-logic", "a list to be sorted may hold None", node)
    return sort(s, node, as_list, ordering, key)


def ordering_of(s: Structured, node: ast.Call, env: Env) -> tuple[Ordering, Key | None]:
    """``key=`` and ``reverse=`` of ``sorted`` and ``list.sort``."""
    keywords = _keywords(s, node, {"key", "reverse"})
    reverse = constant(s, keywords["reverse"], env) if "reverse" in keywords else False
    if not isinstance(reverse, bool):
        raise Refusal("opaque", "a direction that is not constant", node)
    if "key" not in keywords or constant_none(keywords["key"]):
        return Ordering("", reverse), None
    key = key_function(s, keywords["key"], env)
    return Ordering(ast.unparse(keywords["key"]), reverse), key


def constant_none(node: ast.expr) -> bool:
    """Whether ``node`` is ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def sort(s: Structured, node: ast.AST, of: Short, ordering: Ordering, key: Key | None) -> Short:
    """``of`` in order."""
    s.orders[ordering.key] = key
    for element in (*(c.value for c in of.cells), *(v for _, v in of.pending)):
        s.require_order(node, element, key, full=of.full)
    return lists.ordered(of, ordering, s.order(node, key))


def key_function(s: Structured, node: ast.expr, env: Env) -> Key:
    """The function that ``key=`` names: a lambda of one argument, or ``operator.itemgetter`` of a constant."""
    if isinstance(node, ast.Call) and s.scope.origin(node.func) == "operator.itemgetter" and len(node.args) == 1:
        getter = ast.parse("lambda element: element[0]", mode="eval").body
        assert isinstance(getter, ast.Lambda)
        assert isinstance(getter.body, ast.Subscript)
        getter.body.slice = node.args[0]
        node = ast.fix_missing_locations(ast.copy_location(getter, node))
    if not isinstance(node, ast.Lambda) or len(node.args.args) != 1 or node.args.defaults:
        raise Refusal("opaque", "a key function that is no lambda", node)
    name, body = node.args.args[0].arg, node.body
    return lambda element: s.any_value(body, {**env, name: element})


def _heap_ends(s: Structured, node: ast.Call, largest: bool, env: Env) -> Value:
    keywords = _keywords(s, node, {"key"})
    count = constant(s, node.args[0], env) if len(node.args) == 2 else None
    if type(count) is not int or not 0 < count <= MAX_TOP:
        raise Refusal("opaque", "a number of elements that is not a literal from 1 to 5", node)
    of = held(s, node.args[1], env) or s.any_value(node.args[1], env)
    bag = as_bag(s, node, of)
    if bag is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    key = key_function(s, keywords["key"], env) if "key" in keywords else None
    ordering = Ordering(ast.unparse(keywords["key"]) if "key" in keywords else "", largest)
    if isinstance(of, Short):
        return cut(s, node, sort(s, node, of, ordering, key), None, count)
    return top(s, node, bag, ordering, count, key)


def truth(s: Structured, node: ast.AST, of: Value) -> Expr:
    """``bool(of)``."""
    if isinstance(of, Maybe):
        return both(of.present, truth(s, node, of.inner))
    if isinstance(of, Bits):
        return either(*(flag for _, flag in of.flags))
    if isinstance(of, Short):
        total, taken = lists.length(of)
        s.note_length(total, taken)
        return lists.longer(taken, 0)
    if isinstance(of, Bag):
        return s.observe(of, bags.FILLED)[0]
    if isinstance(of, Items):
        return TRUE if of.items else FALSE
    if isinstance(of, Record) and of.access != "both":
        return TRUE if of.names else FALSE
    raise Refusal("opaque", "the truth of something that is no list, set or tuple", node)


def member(s: Structured, node: ast.AST, needle: Value, of: Value) -> Expr | None:
    """``needle in of``; None if ``of`` is no list or set of ours."""
    if isinstance(of, Record) and of.access == "item" and isinstance(needle, Lit):
        return TRUE if needle.value in of.names else FALSE
    bag = as_bag(s, node, of) if isinstance(of, Short) else of if isinstance(of, Bag) else None
    if bag is None:
        return None
    if isinstance(needle, Thing):
        raise Refusal("opaque", "a tuple looked up in a list or set", node)
    if isinstance(needle, Lit) and is_nan(needle) == FALSE:
        for element in bags.elements((*(bag.of.log or ()), *bag.log)):
            if isinstance(element, Thing):
                raise Refusal("opaque", "a constant looked up among tuples", node)
        return s.observe(bag, bags.holds(needle, lambda x: s.equal(node, x, needle)))[0]
    if not bag.of.unique:
        raise Refusal("opaque", "a value looked up in a list", node)
    if s.missing(needle).nan:
        raise Refusal("three-valued-logic", "a value that may be NaN looked up in a set", node)
    token = s.observe(bag, set_contents(s, node, bag))[0]
    return bags.contains(token, needle)


def _superset(s: Structured, node: ast.AST, big: Value | None, small: Value | None) -> Expr:
    if not isinstance(small, Items) or not isinstance(big, Bag):
        raise Refusal("opaque", "a subset test between sets that are not constant", node)
    return both(*(f for item in small.items if (f := member(s, node, item, big)) is not None))


def compare(s: Structured, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Expr | None:
    """A comparison that involves one of our containers; None if none does."""
    if isinstance(op, (ast.Is, ast.IsNot)) and NONE in (a, b):
        other = a if b == NONE else b
        if not isinstance(other, OURS):
            return None
        none = negate(other.present) if isinstance(other, Maybe) else FALSE
        return none if isinstance(op, ast.Is) else negate(none)
    if isinstance(op, (ast.In, ast.NotIn)):
        found = member(s, node, a, b)
        return found if found is None or isinstance(op, ast.In) else negate(found)
    names: dict[type[ast.cmpop], CompareOp] = {
        ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    }  # fmt: skip
    if type(op) not in names:
        return None
    name = names[type(op)]
    if isinstance(a, Bits) or isinstance(b, Bits):
        return _compare_bits(name, a, b)
    if isinstance(a, (Maybe, Items)) or isinstance(b, (Maybe, Items)):
        if isinstance(a, (Maybe, Items)) and isinstance(b, (Maybe, Items)):
            return tuples(s, node, name, a, b)
        if NONE in (a, b) and name in ("==", "!="):
            other = a if b == NONE else b
            none = negate(other.present) if isinstance(other, Maybe) else FALSE
            return none if name == "==" else negate(none)
        if NONE in (a, b):
            return both(Raise("None is not ordered"))
    if isinstance(a, Bag) and isinstance(b, Items) and a.of.unique and b.unique and name == ">=":
        return _superset(s, node, a, b)
    if isinstance(b, Bag) and isinstance(a, Items) and b.of.unique and a.unique and name == "<=":
        return _superset(s, node, b, a)
    return None


def _compare_bits(op: CompareOp, a: Value, b: Value) -> Expr | None:
    x, y = bits(a), bits(b)
    if x is None or y is None or op not in ("==", "!="):
        return None
    used = sorted({n for n, _ in (*x.flags, *y.flags)})
    equal = both(*(choose(x.flag(n), y.flag(n), negate(y.flag(n))) for n in used))
    return equal if op == "==" else negate(equal)


def tuples(s: Structured, node: ast.AST, op: CompareOp, a: Value, b: Value) -> Expr:
    """``a op b`` of tuples: by the first parts that differ."""
    absent = Raise("None is not ordered")
    present = both(*(v.present for v in (a, b) if isinstance(v, Maybe)))
    x, y = (v.inner if isinstance(v, Maybe) else v for v in (a, b))
    if not isinstance(x, Items) or not isinstance(y, Items) or x.mutable or y.mutable:
        raise Refusal("opaque", "a comparison of lists", node)
    if present != TRUE and op in ("==", "!="):
        raise Refusal("opaque", "tuples that may be None are compared for equality", node)
    for part in (*x.items, *y.items):
        if isinstance(part, Thing) or s.missing(part).nan:
            raise Refusal("three-valued-logic", "a part of a tuple that is compared may be NaN", node)
    return choose(present, lexicographic(s, node, op, x, y), absent)


def lexicographic(s: Structured, node: ast.AST, op: CompareOp, x: Items, y: Items) -> Expr:
    """``x op y`` of tuples of scalars without NaN."""
    pairs = list(zip(x.items, y.items, strict=False))
    n, m = len(x.items), len(y.items)
    lengths = {"==": n == m, "!=": n != m, "<": n < m, "<=": n <= m, ">": n > m, ">=": n >= m}
    result = TRUE if lengths[op] else FALSE
    strict: dict[CompareOp, CompareOp] = {"<=": "<", ">=": ">"}
    for v, w in reversed(pairs):
        if isinstance(v, Thing) or isinstance(w, Thing):
            raise Refusal("opaque", "a comparison of nested tuples", node)
        differ = TRUE if op == "!=" else FALSE if op == "==" else s.compare(node, strict.get(op, op), v, w)
        result = choose(s.compare(node, "==", v, w), result, differ)
    return result


def derived(s: Structured, bag: Bag, change: Callable[[Value], Log], *, unique: bool = False) -> Bag:
    """A list made of another's elements."""
    assert bag.of.log is not None
    made = s.collection(bag.of.name, unique)
    made.log = bags.mapped(bag.of.log, change)
    made.start = tuple(v for e in bag.of.start for v in bags.elements(change(e)))
    if bag.of.start and any(not isinstance(e, Added) for v in bag.of.start for e in change(v)):
        raise Refusal("opaque", "a comprehension over a list that does not start empty")
    result = Bag(made, bags.mapped(bag.log, change))
    each(s, result, lambda element: note(s, result, element))
    return result


def comprehension(s: Structured, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, env: Env) -> Value | None:
    """A comprehension over the rows of the group, or over a list of ours."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        return None
    part = node.generators[0]
    source = held(s, part.iter, env)
    unique = isinstance(node, ast.SetComp)
    if isinstance(source, Bag) and not source.of.unique and source.of.log is not None:

        def change(v: Value) -> Log:
            log = one(s, node, s.bind(part.target, v, env))
            if not bags.slots_read(log) <= bags.slots_read((Added(v),)):
                raise Refusal("opaque", "a second pass over the group reads what the first computed", node)
            return log

        return derived(s, source, change, unique=unique)
    if isinstance(source, (Short, Items)) and not (isinstance(source, Items) and source.unique):
        bag = as_bag(s, node, source)
        assert bag is not None
        log = bags.mapped(bag.log, lambda v: one(s, node, s.bind(part.target, v, env)))
        made = Bag(bags.Collection("list", unique, log=()), log)
        each(s, made, lambda element: note(s, made, element))
        return made
    rows = s.rows_of(part.target, part.iter, env)
    if rows is None:
        return None
    mask, row_env = rows
    found = Bag(s.collection("list", unique))
    with s.knowing(mask, True):
        log = one(s, node, {**env, **row_env})
    log = log if mask == TRUE else (Chosen(mask, log, ()),)
    if bags.slots_read(log):
        raise Refusal("opaque", "a second pass over the group reads what the first computed", node)
    found.of.log = log
    each(s, found, lambda element: note(s, found, element))
    return found


def one(s: Structured, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, env: Env) -> Log:
    """What one iteration of a comprehension adds. Its target is visible in ``env``."""
    wanted = both(*(s.test(c, env) for c in node.generators[0].ifs))
    found = s.under(wanted, True, node.elt, env)
    if isinstance(found, Unreadable):
        raise Refusal(found.obstruction, found.reason, node)
    element = s.element(node, found)
    added: Log = (Added(element),)
    return added if wanted == TRUE else (Chosen(wanted, added, ()),)
