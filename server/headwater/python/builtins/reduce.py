"""``functools.reduce`` and the last state of ``itertools.accumulate``. Law: CPython's loop: the state is ``initial``,
or the first element where that is not given; each further element makes the next state of it. Without either ``reduce``
raises a TypeError.

The function is evaluated as it stands, so that an error of it is one of the step. Reference: ``functools_reduce`` in
CPython's ``Modules/_functoolsmodule.c``, ``accumulate_next`` in ``Modules/itertoolsmodule.c``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, choose
from headwater.python.values.append_only import RunningFold, State
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Value
from headwater.python.values.structures import blank, leaves, rebuilt
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import FALSE, TRUE, Raise

from .comprehensions import listed, sequence
from .dispatch import builtin
from .named_containers import LastOnly, constant_none, pattern
from .sorting import key_text

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("functools.reduce")
def reduced(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``functools.reduce(function, iterable, initial=…)`` of rows."""
    start = s.any_value(bound.arguments["initial"], env) if "initial" in bound else None
    return _reduced(s, node, bound, bound.arguments["function"], start, env)


@builtin("itertools.accumulate", reads="all")
def accumulated(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``itertools.accumulate(iterable, func=operator.add, *, initial=None)`` of rows, of which all states are computed:
    the last one is what ``functools.reduce`` gives."""
    given, start = bound.get("func"), bound.get("initial")
    added = ast.parse("lambda state, element: state + element", mode="eval").body
    function = ast.copy_location(added, node) if given is None or constant_none(given) else given
    first = None if start is None or constant_none(start) else s.any_value(start, env)
    last = _reduced(s, node, bound, ast.fix_missing_locations(function), first, env)
    return None if last is None else LastOnly(last)


def _reduced(
    s: Structured, node: ast.Call, bound: Bound, function: ast.expr, start: Value | None, env: Env
) -> Value | None:
    of = sequence(s, bound.arguments["iterable"], env, whole=True)
    if not isinstance(of, Rows):
        return None
    bag = listed(s, node, of)
    like = pattern(s, node, bag) if start is None else start
    init: State = (*(NONE for _ in leaves(like)), FALSE) if start is None else tuple(leaves(start))

    def update(state: State, element: Value) -> State:
        with s.inside_row(node, of):
            new = _called(s, function, rebuilt(like, iter(state)), element, env)
            if blank(new) != blank(like) or (start is None and blank(element) != blank(like)):
                raise Refusal("opaque", "a state whose parts change", node)
            for leaf in leaves(new):
                s.certain(node, leaf)
        if start is not None:
            return tuple(leaves(new))
        return (*(choose(state[-1], a, b) for a, b in zip(leaves(new), leaves(element), strict=True)), TRUE)

    perhaps = "" if s.surely_run(of) else ", perhaps"  # its step was seen not to raise
    example = (*leaves(like), TRUE) if start is None else ()
    what = RunningFold(f"reduce {key_text(function, env)} from {start!r}{perhaps}", init, update, example)
    parts = s.observe(bag, what)
    s.heed(bag, what)
    if start is not None or s.surely_some(of):
        return rebuilt(like, iter(parts))
    return rebuilt(like, (choose(parts[-1], part, Raise("reduce() of an empty sequence")) for part in parts[:-1]))


def _called(s: Structured, function: ast.expr, state: Value, element: Value, env: Env) -> Value:
    """``function(state, element)``."""
    if isinstance(function, ast.Lambda):
        names = plain_parameters(function.args)
        if names is None or len(names) != 2:
            raise Refusal("opaque", "a function with other than two parameters", function)
        return s.any_value(function.body, {**env, names[0]: state, names[1]: element})
    given: list[ast.expr] = [ast.copy_location(ast.Name(n, ast.Load()), function) for n in ("state#", "element#")]
    call = ast.copy_location(ast.Call(function, given, []), function)
    return s.any_value(call, {**env, "state#": state, "element#": element})
