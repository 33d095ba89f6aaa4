"""Calls that reduce lists and sets: ``len``, ``sum``, ``max``, ``sorted``, ``heapq.nlargest`` and their kin."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, choose, is_null, may_raise, negate
from headwater.python.libraries import models
from headwater.python.values import append_only, dict_tables, short_lists
from headwater.python.values.append_only import Added, AppendOnly, RunningFold
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import (
    BoundedList,
    Ordering,
    RecordValue,
    is_mutable,
    leaves,
    merged,
    rebuilt,
    short,
)
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater.syntax.source.bindings import parameters
from headwater_ir.expr import Expr, Lit, Raise

from . import comparison, comprehensions
from .named_containers import (
    MAX_TOP,
    Key,
    SortedAppendOnly,
    as_bag,
    constant,
    constant_none,
    container_at,
    each,
    first_is_there,
    pattern,
    require_flat,
    set_contents,
)

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


_REDUCTIONS = ("len", "max", "min", "sum", "any", "all", "sorted", "list", "tuple", "set")
_EXHAUSTING = ("max", "min", "sum", "sorted", "list", "tuple")
"""Those that ask a generator for all that it has, whatever that is."""


def call(s: Structured, node: ast.Call, env: Env) -> Value | None:
    """The meaning of a call that reduces, sorts or copies a list or set; None if it does not."""
    name = s.scope.origin(node.func)
    if name in ("heapq.nlargest", "heapq.nsmallest"):
        return _heap_ends(s, node, name.endswith("nlargest"), env)
    if name is not None and name.startswith("builtins."):
        return _builtin(s, node, name.removeprefix("builtins."), env)
    if isinstance(node.func, ast.Attribute):
        owner = container_at(s, node.func.value, env)
        return None if owner is None or owner == NONE else _method(s, node, node.func.attr, owner, env)
    return None


def _method(s: Structured, node: ast.Call, method: str, owner: Value, env: Env) -> Value | None:
    if isinstance(owner, RecordValue) and owner.access == "item" and method == "get":
        given = models.in_order("builtins.dict.get", node)
        key = constant(s, given[0], env)
        table = dict_tables.as_table(owner) if key is ... else None
        if table is not None:
            return _looked_up(s, node, table, given, env)
        if not isinstance(key, str):
            raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`: a key that is no constant text", node)
        found = owner.get(key)
        default = s.any_value(given[1], env) if len(given) == 2 else NONE
        if found is not None and any(may_raise(leaf) for leaf in leaves(default)):
            raise Refusal("may-throw", "a default that is not needed and may raise", node)
        value = default if found is None else found
        if is_mutable(value):
            raise Refusal("opaque", "two names for one list, set or dict", node)
        return value
    if isinstance(owner, dict_tables.Table) and method == "get":
        return _looked_up(s, node, owner, models.in_order("builtins.dict.get", node), env)
    if method == "copy" and not isinstance(owner, AppendOnly):
        models.bind("builtins.list.copy", node)
        require_flat(node, owner)
        return owner
    if method in ("issuperset", "issubset"):
        (other,) = models.in_order(f"builtins.set.{method}", node)
        sides = (owner, container_at(s, other, env))
        return comparison.superset(s, node, *(sides if method == "issuperset" else sides[::-1]))
    return None


def _looked_up(
    s: Structured, node: ast.Call, table: dict_tables.Table, given: tuple[ast.expr, ...], env: Env
) -> Value:  # fmt: skip
    key, *default = (s.any_value(a, env) for a in given)
    return dict_tables.get(s, node, table, key, default[0] if default else NONE)


def _builtin(s: Structured, node: ast.Call, name: str, env: Env) -> Value | None:
    if name not in (*_REDUCTIONS, "dict", "bool"):
        return None
    bound = models.bind(f"builtins.{name}", node)
    if name == "dict" and not bound.arguments:
        values = tuple(s.any_value(v, env) for v in bound.named.values())
        return RecordValue(tuple(bound.named), values, solid=s.solid(values))
    if name in ("list", "set", "tuple") and not bound.arguments:
        return Items((), name != "tuple", unique=name == "set")
    if name == "bool" and bound.arguments:
        known = container_at(s, bound.arguments["object"], env)
        return None if known is None or known == NONE else comparison.truth(s, node, known)
    if name in ("max", "min") and len(bound.rest) > 1:
        return _best_of(s, node, name, bound, env)
    if name not in _REDUCTIONS or not node.args:
        return None
    over = node.args[0]
    if name in ("any", "all") and isinstance(over, ast.GeneratorExp):
        decided = comprehensions.decided(s, over, name == "all", env)
        if decided is not None:
            return decided
    whole = name in _EXHAUSTING and isinstance(over, ast.GeneratorExp)
    listed = comprehensions.spelled_out(s, over, env) if whole and isinstance(over, ast.GeneratorExp) else None
    of = container_at(s, over, env) if listed is None else listed
    if of is None and isinstance(over, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        of = comprehensions.comprehension(s, over, env)
    if of is None or of == NONE:
        return None
    return _reduce(s, node, name, of, bound, env)


def _reduce(s: Structured, node: ast.Call, name: str, of: Value, bound: Bound, env: Env) -> Value | None:
    if name == "len":
        return _length(s, node, of)
    if name in ("list", "tuple", "sorted") and isinstance(of, SortedAppendOnly):
        raise Refusal("opaque", "a sorted list that is copied", node)
    if name == "list" and isinstance(of, BoundedList) and not of.heap:
        return of
    bag = as_bag(s, node, of)
    if name == "set" and bag is not None and bag.of.log is not None:
        return comprehensions.derived(s, bag, lambda v: (Added(v),), unique=True)
    if bag is None or name in ("list", "tuple", "set"):
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    if name == "sorted":
        return _sorted(s, node, of, bag, bound, env)
    if name in ("max", "min"):
        front = isinstance(of, BoundedList) and not bound.arguments and of.order is not None and of.order.key == ""
        if isinstance(of, BoundedList) and of.order is not None and front and of.cells and not of.pending:
            first = of.order.descending != of.turned
            return short_lists.read(of.cells[0] if (name == "max") == first else short_lists.end(of.cells))
        return _extreme(s, node, name, bag, bound, env)
    if bag.of.unique and name == "sum":
        raise Refusal("opaque", "the sum of a set", node)
    for element in append_only.elements((*(bag.of.log or ()), *bag.log)):
        if isinstance(element, AbstractObject):
            raise Refusal("opaque", f"`{name}` of tuples", node)
    if name in ("any", "all"):
        return s.observe(bag, append_only.ANY_TRUE if name == "any" else append_only.ALL_TRUE)[0]
    return _sum(s, node, bag, s.value(bound.arguments["start"], env) if "start" in bound else None)


def _sum(s: Structured, node: ast.Call, bag: AppendOnly, start: Expr | None) -> Expr:
    for element in append_only.elements((*(bag.of.log or ()), *bag.log)):
        s.require_number(node, append_only.scalar(element))
        if s.scope.type(append_only.scalar(element)).name not in ("int", "bool"):
            s.scope.assume(
                "`sum` adds fractions one after the other (CPython 3.12 and later carry what rounding loses)",
                "rounding",
            )
    parts = s.observe(bag, append_only.total(nones=bag.of.holds_none))
    found = parts[0] if start is None else s.arithmetic(node, ast.Add(), start, parts[0])
    return found if len(parts) == 1 else choose(parts[1], Raise("a sum with None"), found)


def _length(s: Structured, node: ast.AST, of: Value) -> Expr | None:
    if isinstance(of, BoundedList):
        total, taken = short_lists.length(of)
        s.note_length(total, taken)
        return total
    if isinstance(of, Items) and not of.unique:
        return Lit(len(of.items), append_only.ZERO.type)
    if isinstance(of, RecordValue) and of.access == "item":
        return Lit(len(of.names), append_only.ZERO.type)
    if isinstance(of, AppendOnly):
        if not of.of.unique:
            return s.observe(of, append_only.LENGTH)[0]
        return s.observe(of, set_contents(s, node, of))[1]
    raise Refusal("opaque", "the length of something that is no list or set", node)


def _best_of(s: Structured, node: ast.Call, name: str, bound: Bound, env: Env) -> Value | None:
    given = bound.only("key", "*")
    if "key" not in given and not any(container_at(s, a, env) is not None for a in given.rest):
        return None
    key = key_function(s, given.arguments["key"], env) if "key" in given else None
    values = [s.any_value(a, env) for a in given.rest]
    if any(map(is_mutable, values)):
        raise Refusal("opaque", "two names for one list, set or dict", node)
    best = values[0]
    for v in values[1:]:
        pair = (v, best) if key is None else (key(v), key(best))
        wins = comparison.compare(s, node, ast.Gt() if name == "max" else ast.Lt(), *pair)
        if wins is None:
            plain = [s.plain(node, p) for p in pair]
            wins = s.compare(node, ">" if name == "max" else "<", *plain)
        s.effect(s.path, wins)
        found = merged(wins, v, best)
        if found is None:
            raise Refusal("opaque", f"`{name}` of unlike values", node)
        best = found
    return best


def _extreme(s: Structured, node: ast.Call, name: str, bag: AppendOnly, bound: Bound, env: Env) -> Value:
    keywords = bound.arguments
    key = key_function(s, keywords["key"], env) if "key" in keywords else None
    like = pattern(s, node, bag)
    tuples = isinstance(like, AbstractObject) or key is not None
    if tuples:
        each(s, bag, lambda element: first_is_there(s, node, element))
        each(s, bag, lambda element: s.require_order(node, element, key))
    elif bag.of.unique and (bag.of.holds_nan or bag.of.holds_none):
        raise Refusal("three-valued-logic", f"`{name}` of a set that may hold NaN or None", node)
    text = ast.unparse(keywords["key"]) if "key" in keywords else ""
    nones = bag.of.holds_none and not tuples
    what = append_only.extreme(f"{name}{text}", s.order(node, key), like, nones=nones)
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


def _sorted(s: Structured, node: ast.Call, of: Value, bag: AppendOnly, bound: Bound, env: Env) -> Value:
    ordering, key = ordering_of(s, node, bound, env)
    if isinstance(of, AppendOnly):
        return SortedAppendOnly(of, ordering, key)
    as_list = short(of)
    if as_list is None:
        raise Refusal("three-valued-logic", "a list to be sorted may hold None", node)
    return sort(s, node, as_list, ordering, key)


def ordering_of(s: Structured, node: ast.Call, bound: Bound, env: Env) -> tuple[Ordering, Key | None]:
    """``key=`` and ``reverse=`` of ``sorted`` and ``list.sort``."""
    keywords = bound.arguments
    reverse = constant(s, keywords["reverse"], env) if "reverse" in keywords else False
    if not isinstance(reverse, bool):
        raise Refusal("opaque", "a direction that is not constant", node)
    if "key" not in keywords or constant_none(keywords["key"]):
        return Ordering("", reverse), None
    key = key_function(s, keywords["key"], env)
    return Ordering(ast.unparse(keywords["key"]), reverse), key


def sort(s: Structured, node: ast.AST, of: BoundedList, ordering: Ordering, key: Key | None) -> BoundedList:
    """``of`` in order."""
    s.orders[ordering.key] = key
    for element in (*(c.value for c in of.cells), *(v for _, v in of.pending)):
        s.require_order(node, element, key, full=of.full)
    return short_lists.ordered(of, ordering, s.order(node, key))


def key_function(s: Structured, node: ast.expr, env: Env) -> Key:
    """The function that ``key=`` names: a lambda of one argument, or ``operator.itemgetter`` of a constant."""
    if isinstance(node, ast.Call) and s.scope.origin(node.func) == "operator.itemgetter":
        item = models.bind("operator.itemgetter", node).only("item").arguments["item"]
        getter = ast.parse("lambda element: element[0]", mode="eval").body
        assert isinstance(getter, ast.Lambda)
        assert isinstance(getter.body, ast.Subscript)
        getter.body.slice = item
        node = ast.fix_missing_locations(ast.copy_location(getter, node))
    if not isinstance(node, ast.Lambda) or len(parameters(node)) != 1 or node.args.defaults or node.args.kw_defaults:
        raise Refusal("opaque", "a key function that is no lambda of one argument", node)
    name, body = parameters(node)[0].arg, node.body
    read = {n.id for n in ast.walk(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if (read - {name}) & (s.scope.local_names | set(env)):
        # Orders are told apart by their text, which then says not all.
        raise Refusal("opaque", "a key function that reads a variable", node)
    return lambda element: s.any_value(body, {**env, name: element})


def _heap_ends(s: Structured, node: ast.Call, largest: bool, env: Env) -> Value:
    keywords = models.bind(f"heapq.{'nlargest' if largest else 'nsmallest'}", node).arguments
    count = constant(s, keywords["n"], env)
    if type(count) is not int or not 0 < count <= MAX_TOP:
        raise Refusal("opaque", "a number of elements that is not a literal from 1 to 5", node)
    of = container_at(s, keywords["iterable"], env) or s.any_value(keywords["iterable"], env)
    bag = as_bag(s, node, of)
    if bag is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    key = key_function(s, keywords["key"], env) if "key" in keywords else None
    ordering = Ordering(ast.unparse(keywords["key"]) if "key" in keywords else "", largest)
    if isinstance(of, BoundedList):
        return cut(s, node, sort(s, node, of, ordering, key), None, count)
    return top(s, node, bag, ordering, count, key)


def top(
    s: Structured,
    node: ast.AST,
    bag: AppendOnly,
    ordering: Ordering,
    count: int,
    key: Key | None,
    *,
    turned: bool = False,
) -> BoundedList:
    """The first ``count`` elements of a list without a bound by ``ordering``. ``turned``: it is the end of the opposite
    order that is wanted."""
    if bag.of.unique:
        raise Refusal("opaque", "a set that is sorted", node)
    like = pattern(s, node, bag)
    each(s, bag, lambda element: first_is_there(s, node, element))
    each(s, bag, lambda element: s.require_order(node, element, key))
    order = s.order(node, key)
    wanted = reversed_if(ordering, turned)
    template = BoundedList(order=wanted, turned=turned)
    for _ in range(count):
        template = short_lists.ordered(short_lists.appended(template, like), wanted, order, turned=turned)
    width = len(list(leaves(template)))

    def update(state: append_only.State, element: Value) -> append_only.State:
        now = rebuilt(template, iter(state))
        assert isinstance(now, BoundedList)
        grown = short_lists.ordered(short_lists.appended(now, element), wanted, order, turned=turned)
        return tuple(leaves(BoundedList(grown.cells[:count])))

    what = RunningFold(f"{'-' if turned else ''}top{count} {ordering}", (NONE,) * width, update)
    found = rebuilt(template, iter(s.observe(bag, what)))
    assert isinstance(found, BoundedList)
    return found


def cut(s: Structured, node: ast.AST, owner: BoundedList, low: object, high: object) -> BoundedList:
    """``owner[low:high]``, of an end."""
    order = s.order_by(node, owner.order)
    if low in (None, 0) and type(high) is int and high >= 0:
        return short_lists.first_cells(owner, high, order)
    if type(low) is int and low < 0 and high is None:
        return short_lists.last_cells(owner, -low, order)
    if low in (None, 0) and high is None:
        return owner
    raise Refusal("opaque", "a slice from the middle of a list", node)


def reversed_if(ordering: Ordering, reverse: bool) -> Ordering:
    """``ordering``, the other way round if ``reverse``."""
    return Ordering(ordering.key, ordering.descending != reverse)
