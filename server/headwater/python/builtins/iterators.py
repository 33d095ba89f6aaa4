"""``next`` of an iterator that is made where it is read, and ``itertools.chain``.

Law: ``next(iterator, default)`` is the first element, the default where there is none, or a StopIteration. The elements
behind the first are not computed: refused where that may raise. ``chain`` has the elements of its arguments, one after
the other; all that are not rows are written as literals.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import choose, is_null, negate
from headwater.python.values import append_only
from headwater.python.values.append_only import Added, AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Items, Value
from headwater.python.values.structures import leaves, merged, rebuilt
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import Raise

from .comprehensions import listed, sequence
from .dispatch import builtin
from .named_containers import each, note, pattern

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.next")
def first(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``next((x for x in rows if …), default)`` and ``next(iter(rows))``."""
    over = bound.arguments["iterator"]
    if isinstance(over, ast.Call) and s.scope.origin(over.func) == "builtins.iter" and len(over.args) == 1:
        over = over.args[0]
    elif not isinstance(over, ast.GeneratorExp):
        return None  # an iterator in a variable, which is changed
    of = s.rows_at(over, env)
    if of is None:
        return None
    known = s.known()
    lazy = isinstance(over, ast.GeneratorExp)
    if of.fails or (lazy and not all(s.scope.defined(e, known) for e in (of.mask, *leaves(of.element)))):
        raise Refusal("may-throw", "`next` of what may fail, of which it looks at a part", node)
    default = s.any_value(bound.arguments["default"], env) if "default" in bound else None
    bag = listed(s, node, of)
    like, flagged = pattern(s, node, bag), bag.of.holds_none
    parts = s.observe(bag, append_only.end(like, 0, flagged=flagged))
    found = rebuilt(like, iter(parts))
    if s.surely_some(of):
        return found
    some = parts[-1] if flagged else negate(is_null(parts[0]))
    if default is None:
        return rebuilt(found, (choose(some, leaf, Raise("StopIteration")) for leaf in list(leaves(found))))
    together = merged(some, found, default)
    if together is None:
        raise Refusal("opaque", "the default of `next` is of another kind", node)
    return together


@builtin("itertools.chain")
def chained(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``chain(*iterables)``, one of which is rows."""
    return joined(s, node, bound.rest, env)


def joined(s: Structured, node: ast.expr, parts: tuple[ast.expr, ...], env: Env) -> AppendOnly | None:
    """The elements of ``parts`` one after the other; None if none or several of them are rows, or one is neither rows
    nor written as literals."""
    before: list[Value] = []
    bag: AppendOnly | None = None
    for part in parts:
        of = sequence(s, part, env)
        if isinstance(of, Rows) and bag is None and not of.fails:
            rows = listed(s, node, of)
            made = s.collection("joined", unique=False)
            made.log, made.start = rows.of.log, tuple(before)
            bag = AppendOnly(made)
            each(s, bag, lambda element, bag=bag: note(s, bag, element))  # type: ignore[misc]  # mypy infers no type of a default
        elif isinstance(of, Items) and not of.unique:
            elements = [s.element(node, item) for item in of.items]
            if bag is None:
                before += elements
            else:
                bag = AppendOnly(bag.of, (*bag.log, *map(Added, elements)))
                for element in elements:
                    note(s, bag, element)
        else:
            return None
    return bag
