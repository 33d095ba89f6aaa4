"""Comprehensions and generator expressions over the rows of the group, or over a list that is only added to."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, both, either, negate
from headwater.python.values import append_only
from headwater.python.values.append_only import Added, AppendOnly, Chosen, Trace
from headwater.python.values.rows import KeyTuple, Rows
from headwater.python.values.scope import Env, Items, Unreadable, Value
from headwater.python.values.structures import BoundedList, leaves
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Expr, slots_of

from . import dispatch
from .named_containers import as_bag, constant_items, container_at, each, elements_in, note

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


def sequence(s: Structured, node: ast.expr, env: Env, *, whole: bool = False) -> Value | None:
    """What a call goes through that is given ``node``: rows, or a container; None if it is neither. ``whole``: it asks
    a generator for all that it has, whatever that is."""
    rows = s.rows_at(node, env)
    if rows is not None:
        return rows
    found: Value | None = spelled_out(s, node, env) if whole and isinstance(node, ast.GeneratorExp) else None
    found = dispatch.call(s, node, env, "all") if whole and isinstance(node, ast.Call) else found
    found = container_at(s, node, env) if found is None else found
    if found is None and isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        found = comprehension(s, node, env)
    return None if found is None or found == NONE else elements_in(found)


def listed(s: Structured, node: ast.AST, of: Value, *, ordered: bool = True) -> AppendOnly:
    """A sequence as a history of additions. ``ordered``: what is read of it depends on their order."""
    found = s.as_list(node, of, ordered=ordered) if isinstance(of, Rows) else as_bag(s, node, of)
    if found is None:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    return found


def of_rows(s: Structured, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, env: Env) -> Rows | None:
    """What a comprehension makes of rows: of each some value, or nothing; None if it is over something else.

    A part that may raise is evaluated for each row of the group, whatever is made of the list: so it must not stand
    where Python may not come.
    """
    part = node.generators[0]
    source = s.rows_at(part.iter, env) if len(node.generators) == 1 and not part.is_async else None
    if source is None:
        return None
    with s.inside_row(node, source):
        inside = s.bind(part.target, source.element, env)
        mask = source.mask
        with ExitStack() as stack:
            for test in part.ifs:
                wanted = s.test(test, inside)
                s.certain(test, wanted)
                mask = both(mask, wanted)
                stack.enter_context(s.knowing(wanted, True))
            element = s.any_value(node.elt, inside)
            if isinstance(element, Unreadable):
                raise Refusal(element.obstruction, element.reason, node)
            for leaf in leaves(element):
                s.certain(node, leaf)
    if any(slots_of(e) for e in (mask, *leaves(element))):
        raise Refusal("opaque", "a second pass over the group reads what the first computed", node)
    fails = isinstance(node, ast.GeneratorExp) and (source.fails or s.raised_unseen())
    return replace(source, element=element, mask=mask, collects=True, sorting=None, fails=fails)


def derived(s: Structured, bag: AppendOnly, change: Callable[[Value], Trace], *, unique: bool = False) -> AppendOnly:
    """A list made of another's elements."""
    assert bag.of.log is not None
    made = s.collection(bag.of.name, unique)
    made.log = append_only.mapped(bag.of.log, change)
    made.start = tuple(v for e in bag.of.start for v in append_only.elements(change(e)))
    if bag.of.start and any(not isinstance(e, Added) for v in bag.of.start for e in change(v)):
        raise Refusal("opaque", "a comprehension over a list that does not start empty")
    result = AppendOnly(made, append_only.mapped(bag.log, change))
    each(s, result, lambda element: note(s, result, element))
    return result


def comprehension(s: Structured, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, env: Env) -> Value | None:
    """A comprehension over the rows of the group, or over a list of ours."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        return None
    constants = spelled_out(s, node, env) if isinstance(node, ast.ListComp) else None
    if constants is not None:
        return constants
    part = node.generators[0]
    unique = isinstance(node, ast.SetComp)
    rows = of_rows(s, node, env)
    if rows is not None and isinstance(node, ast.GeneratorExp):
        raise Refusal("opaque", "a generator: who reads it first uses it up", node)
    if rows is not None and unique:
        return derived(s, listed(s, node, rows, ordered=False), lambda v: (Added(v),), unique=True)
    if rows is not None:
        return rows
    source = container_at(s, part.iter, env)
    if isinstance(source, AppendOnly) and not source.of.unique and source.of.log is not None:

        def change(v: Value) -> Trace:
            log = one(s, node, s.bind(part.target, v, env))
            if not append_only.slots_read(log) <= append_only.slots_read((Added(v),)):
                raise Refusal("opaque", "a second pass over the group reads what the first computed", node)
            return log

        return derived(s, source, change, unique=unique)
    if isinstance(source, (BoundedList, Items)) and not (isinstance(source, Items) and source.unique):
        bag = as_bag(s, node, source)
        assert bag is not None
        log = append_only.mapped(bag.log, lambda v: one(s, node, s.bind(part.target, v, env)))
        made = AppendOnly(append_only.Collection("list", unique, log=()), log)
        each(s, made, lambda element: note(s, made, element))
        return made
    return None


def spelled_out(s: Structured, node: ast.ListComp | ast.GeneratorExp, env: Env) -> Items | None:
    """The list that a comprehension makes of each of some literals; None if it is no such one."""
    items = _items(s, node, env)
    if items is None or node.generators[0].ifs:
        return None
    made: list[Value] = []
    for item in items:
        found = s.any_value(node.elt, s.bind(node.generators[0].target, item, env))
        if isinstance(found, Unreadable):
            raise Refusal(found.obstruction, found.reason, node)
        made.append(s.element(node, found))
    for leaf in (leaf for v in made for leaf in leaves(v)):
        s.effect(s.path, leaf)
    return Items(tuple(made), True, s.solid(tuple(made)))


def decided(s: Structured, node: ast.GeneratorExp, every: bool, env: Env) -> Expr | None:
    """``any`` or, for ``every``, ``all`` of what a generator yields for each of some literals: it is
    asked no further than the first that decides."""
    items = _items(s, node, env)
    if items is None:
        return None
    parts: list[Expr] = []
    with ExitStack() as stack:
        for item in items:
            inside = s.bind(node.generators[0].target, item, env)
            with ExitStack() as inner:
                tests: list[Expr] = []
                for test in (*node.generators[0].ifs, node.elt):
                    tests.append(s.test(test, inside))
                    inner.enter_context(s.knowing(tests[-1], True))
            wanted = both(*tests[:-1])
            parts.append(either(negate(wanted), tests[-1]) if every else both(wanted, tests[-1]))
            stack.enter_context(s.knowing(parts[-1], every))
    return both(*parts) if every else either(*parts)


def _items(s: Structured, node: ast.ListComp | ast.GeneratorExp, env: Env) -> tuple[Value, ...] | None:
    if len(node.generators) != 1 or node.generators[0].is_async:
        return None
    over = node.generators[0].iter
    with s.unheard():
        found = constant_items(container_at(s, over, env))
    bound = env.get(over.id) if isinstance(over, ast.Name) else None
    return s.unpack(bound, over) if found is None and isinstance(bound, KeyTuple) else found


def one(s: Structured, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, env: Env) -> Trace:
    """What one iteration of a comprehension adds. Its target is visible in ``env``."""
    wanted = both(*(s.test(c, env) for c in node.generators[0].ifs))
    s.require_defined(node, wanted)
    found = s.under(wanted, True, node.elt, env)
    if isinstance(found, Unreadable):
        raise Refusal(found.obstruction, found.reason, node)
    element = s.element(node, found)
    with s.knowing(wanted, True):
        for leaf in leaves(element):
            s.require_defined(node, leaf)
    added: Trace = (Added(element),)
    return added if wanted == TRUE else (Chosen(wanted, added, ()),)
