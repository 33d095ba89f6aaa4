"""``len``. Law: how many elements there are, whatever they are; in a set, how many that differ; in a text, letters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.values import append_only, short_lists
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Items, Value
from headwater.python.values.structures import BoundedList, RecordValue
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import Call, Expr, Lit
from headwater_ir.types import INT, STRING

from .comprehensions import sequence
from .dispatch import builtin
from .named_containers import SortedAppendOnly, set_contents

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.len")
def length(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``len(obj)``."""
    of = s.measured(bound.arguments["obj"], env) or sequence(s, bound.arguments["obj"], env)
    return None if of is None else length_of(s, node, of)


def length_of(s: Structured, node: ast.AST, of: Value) -> Expr:
    """The number of elements of a container."""
    of = of.bag if isinstance(of, SortedAppendOnly) else of
    if isinstance(of, Rows):
        return s.count(node, of)
    if isinstance(of, BoundedList):
        total, taken = short_lists.length(of)
        s.note_length(total, taken)
        return total
    if isinstance(of, Items) and not of.unique:
        return Lit(len(of.items), INT)
    if isinstance(of, RecordValue) and of.access == "item":
        return Lit(len(of.names), INT)
    if isinstance(of, AppendOnly):
        if not of.of.unique:
            return s.observe(of, append_only.LENGTH)[0]
        return s.observe(of, set_contents(s, node, of))[1]
    raise Refusal("opaque", "the length of something that is no list or set", node)


@builtin("builtins.len", reads="scalars")
def length_of_text(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr:
    """``len(text)``."""
    text = s.value(bound.arguments["obj"], env)
    s.scope.hint(text, STRING)
    if s.scope.type(text).name not in ("string", "any"):
        raise Refusal("may-throw", f"`len` of a {s.scope.type(text)}", node)
    return Call("len", (text,), INT)
