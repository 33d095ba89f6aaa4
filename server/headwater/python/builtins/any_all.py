"""``any`` and ``all``. Law: Python goes through the elements up to the first that decides, and looks at none behind.

An error of an element is therefore one only where no element before it decides: it is one of the fold's step, also
where nothing reads the result.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.values import append_only
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound

from . import comprehensions
from .comprehensions import listed, sequence
from .dispatch import builtin
from .named_containers import elements_of

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.any", "builtins.all")
def decide(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``any(iterable)`` and ``all(iterable)``."""
    over = bound.arguments["iterable"]
    if isinstance(over, ast.GeneratorExp):
        decided = comprehensions.decided(s, over, bound.name == "all", env)
        if decided is not None:
            return decided
    of = sequence(s, over, env)
    if of is None:
        return None
    if isinstance(of, Rows) and of.fails:
        raise Refusal("may-throw", f"`{bound.name}` of what may fail, of which it looks at a part", node)
    bag = listed(s, node, of, ordered=False)
    if any(isinstance(e, AbstractObject) for e in elements_of(bag)):
        raise Refusal("opaque", f"`{bound.name}` of tuples", node)
    what = append_only.ANY_TRUE if bound.name == "any" else append_only.ALL_TRUE
    found = s.observe(bag, what)[0]
    if isinstance(of, Rows) and s.heed(bag, what):
        s.as_list(node, of)  # where it stops, and which errors there are, depends on their order
    return found
