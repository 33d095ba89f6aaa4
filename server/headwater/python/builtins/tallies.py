"""``collections.Counter``, ``collections.defaultdict`` and dicts that count: what is read of them under a constant key.

Law: the value under a key is what was added under keys that are equal to it, one after the other; a ``Counter`` has 0
and a ``defaultdict`` its default where there is none, a dict raises a KeyError. A constant other than NaN decides by
equality: ``1`` is ``1.0`` and ``True``. Refused: what depends on all keys (``most_common``, ``items``), and how many
keys a ``defaultdict`` has, which reading it changes. Reference: the Python library reference, ``collections``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, choose, either, is_boolean, is_nan, negate
from headwater.python.values import append_only, dict_tables
from headwater.python.values.append_only import ZERO, Added, AppendOnly, Chosen, RunningFold, State, Trace
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import RecordValue
from headwater.python.values.tallies import Kind, Tally
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, Expr, Lit, Raise

from .comprehensions import derived, listed, sequence
from .dispatch import MethodCall, builtin, method
from .named_containers import elements_of, note

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

_FACTORIES: dict[str, Kind] = {"builtins.int": "numbers", "builtins.list": "list", "builtins.set": "set"}
_NOTHING = Items((), mutable=True)


@builtin("collections.Counter")
def counter(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``Counter()`` and ``Counter(iterable)``."""
    if bound.named:
        raise Refusal("opaque", "a `Counter` of counts that are given", node)
    if "iterable" not in bound:
        return Tally(_NOTHING, "Counter")
    of = sequence(s, bound.arguments["iterable"], env, whole=True)
    return None if of is None or isinstance(of, RecordValue) else counted(s, node, of)


def counted(s: Structured, node: ast.AST, of: Value) -> Tally:
    """The counter of the elements of a sequence."""
    return Tally(listed(s, node, of, ordered=False), "Counter", paired=False)


@builtin("collections.defaultdict")
def with_default(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``defaultdict(int)``, of lists and of sets; ``lambda: 0`` is ``int``."""
    factory = bound.only("default_factory").get("default_factory")
    match factory:
        case ast.Lambda(args=ast.arguments(args=[], vararg=None, kwarg=None), body=ast.Constant(value=int() as zero)):
            return Tally(_NOTHING, "numbers") if zero == 0 and not isinstance(zero, bool) else None
    kind = _FACTORIES.get(s.scope.origin(factory) or "") if factory is not None else None
    return None if kind is None else Tally(_NOTHING, kind)


def added(s: Structured, node: ast.AST, owner: Tally, key: Value, part: Value) -> Tally:
    """``owner`` with ``part`` added under ``key``. Refusal where that may raise, or is added to by no loop."""
    if isinstance(key, AbstractObject):
        raise Refusal("opaque", "a key that is no scalar", node)
    if owner.kind in ("Counter", "numbers", "dict"):
        number = s.plain(node, part)
        s.require_number(node, number)
        if "none" in s.missing(number):
            raise Refusal("may-throw", "None is added up", node)
    if isinstance(owner.history, Items) or not owner.paired:
        raise Refusal("opaque", "a dict of counts that is changed outside of one loop", node)
    entry = Items((key, s.element(node, part)), mutable=False)
    note(s, owner.history, entry)
    return replace(owner, history=AppendOnly(owner.history.of, (*owner.history.log, Added(entry))))


def element(s: Structured, node: ast.AST, owner: Tally, key: Value) -> Value:
    """``owner[key]``."""
    constant = _constant(node, key)
    if owner.kind in ("list", "set"):
        return _under(s, node, owner, constant)
    total = _total(s, node, owner, constant)
    return choose(present(s, node, owner, constant), total, Raise("KeyError")) if owner.kind == "dict" else total


def present(s: Structured, node: ast.AST, owner: Tally, key: Value) -> Expr:
    """``key in owner``."""
    if owner.kind in ("numbers", "list", "set"):
        raise Refusal("opaque", "which keys a `defaultdict` has, to which reading adds", node)
    constant = _constant(node, key)
    if isinstance(owner.history, Items):
        return FALSE
    what = RunningFold(
        f"key {constant!r}", (FALSE,), lambda s_, v: (either(s_[0], _is(s, node, _parts(owner, v)[0], constant)),)
    )
    return s.observe(owner.history, what)[0]


@method("collections.Counter.get", "collections.defaultdict.get")
def found_or_default(c: MethodCall) -> Value | None:
    """``owner.get(key, default)``, which adds no key. To a ``defaultdict`` reading another key adds it, so that its own
    default must be asked for."""
    assert isinstance(c.owner, Tally)
    s, node, owner = c.s, c.node, c.owner
    key, *given = (s.any_value(a, c.env) for a in c.given)
    constant = _constant(node, key)
    if owner.kind in ("list", "set"):
        empty = given and isinstance(given[0], Items) and not given[0].items and given[0].mutable
        if not empty or given[0].unique != (owner.kind == "set"):  # type: ignore[union-attr]
            raise Refusal("opaque", "which keys a `defaultdict` has, to which reading adds", node)
        return _under(s, node, owner, constant)
    default = s.plain(node, given[0]) if given else NONE
    total = _total(s, node, owner, constant)
    return total if default == ZERO else choose(present(s, node, owner, constant), total, default)


@method("collections.Counter.total")
def added_up(c: MethodCall) -> Value | None:
    """``counter.total()``."""
    assert isinstance(c.owner, Tally)
    return _sum(c.s, c.owner, "total", lambda key: None)


@method("collections.Counter.keys", "builtins.dict.keys")
def keys(c: MethodCall) -> Value | None:
    """``owner.keys()``, of a dict of counts: each once."""
    return distinct_keys(c.s, c.owner) if isinstance(c.owner, Tally) else None


def distinct_keys(s: Structured, owner: Tally) -> Value | None:
    """The keys of a counter, or a dict of counts, each once; None for what reading adds keys to."""
    if owner.kind not in ("Counter", "dict") or isinstance(owner.history, Items) or owner.history.of.log is None:
        return None
    return derived(s, owner.history, lambda entry: (Added(_parts(owner, entry)[0]),), unique=True)


def occurrences(s: Structured, node: ast.AST, bag: AppendOnly, needle: Value) -> Expr:
    """How many elements of a list are equal to ``needle``."""
    return _total(s, node, Tally(bag, "Counter", paired=False), _constant(node, needle))


def _constant(node: ast.AST, key: Value) -> Lit:
    if not isinstance(key, Lit) or is_nan(key) != FALSE:
        raise Refusal("opaque", "a count that is looked up by something other than a constant", node)
    return key


def _parts(owner: Tally, entry: Value) -> tuple[Value, Value]:
    if not owner.paired:
        return entry, append_only.ONE
    assert isinstance(entry, Items)
    return entry.items[0], entry.items[1]


def _is(s: Structured, node: ast.AST, key: Value, constant: Lit) -> Expr:
    """Whether a key is ``constant``."""
    if isinstance(key, AbstractObject):
        raise Refusal("opaque", "a constant looked up among tuples", node)
    if isinstance(constant.value, bool) and is_boolean(key):
        return key if constant.value else negate(key)
    return dict_tables.same_key(s, node, key, constant)


def _total(s: Structured, node: ast.AST, owner: Tally, constant: Lit) -> Expr:
    return _sum(s, owner, f"count {constant!r}", lambda key: _is(s, node, key, constant))


def _sum(s: Structured, owner: Tally, name: str, wanted: Callable[[Value], Expr | None]) -> Expr:
    """The sum of what is added under the keys that are ``wanted``."""
    if isinstance(owner.history, Items):
        return ZERO
    adding = append_only.total(nones=False, passed=False).update

    def update(state: State, entry: Value) -> State:
        key, part = _parts(owner, entry)
        test = wanted(key)
        more = adding(state, part)[0]
        return (more if test is None else choose(test, more, state[0]),)

    for entry in elements_of(owner.history):  # refused here where the keys do not compare
        update((ZERO,), entry)
    return s.observe(owner.history, RunningFold(name, (ZERO,), update))[0]


def _under(s: Structured, node: ast.AST, owner: Tally, constant: Lit) -> Value:
    """The list, or set, under one key: it is read, and may be changed under no other name."""
    unique = owner.kind == "set"
    if isinstance(owner.history, Items):
        return replace(_NOTHING, unique=unique)

    def under(entry: Value) -> Trace:
        key, part = _parts(owner, entry)
        return (Chosen(_is(s, node, key, constant), (Added(part),), ()),)

    return derived(s, owner.history, under, unique=unique)


def increment(owner: Tally, target: ast.Subscript, value: ast.expr) -> ast.expr | None:
    """What ``n[k] = n.get(k, 0) + x`` adds, or, where there is a default, ``n[k] = n[k] + x``; None for another
    assignment."""
    own, key = ast.unparse(target.value), ast.unparse(target.slice)
    match value:
        case ast.BinOp(left=before, op=ast.Add(), right=more):
            read = {f"{own}.get({key}, 0)", *((f"{own}[{key}]",) if owner.kind in ("Counter", "numbers") else ())}
            return more if ast.unparse(before) in read and owner.kind in ("Counter", "numbers", "dict") else None
    return None
