"""Grouping by columns that the file does not name: ``groupBy(*keys)``, ``groupBy(df.columns)``, ``groupBy(key)``.

Each group still has one value of each key, whatever they are called, so a fold of the rows of a group is what it is: it
is posed with no key known, over groups of any rows. That proves less, never more. What must hold all the same is taken
on trust, in words: that there is a key at all (without one there is a row for an empty input), and that a key is a
deterministic function of its row, as the name of a column is.
"""

from __future__ import annotations

import ast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.determinism import is_rowwise
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated, Unknown
from headwater.syntax.names.pyspark_methods import bind
from headwater.syntax.names.pyspark_symbols import FUNCTIONS
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption

AGGREGATIONS = frozenset("agg max min sum avg mean count".split())
"""What a fold is known of although no key is."""


def unnamed_keys(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Assumption | None:
    """What is taken on trust of the keys of ``frame.groupBy(…)``, None if that would not do."""
    given = [a.value if isinstance(a, ast.Starred) else a for a in call.args]
    if not given or call.keywords or not all(_is_key(a, reader) for a in given):
        return None
    texts = dict.fromkeys(reader.names.ctx.text(a) for a in given)
    named = ", ".join(f"`{' '.join(text.split())}`" for text in texts)
    return Assumption("keys", f"{named} names at least one column, and each key is a deterministic function of its row")


def _is_key(node: ast.expr, reader: ApiContext) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return bool(node.elts) and all(_is_key(e.value if isinstance(e, ast.Starred) else e, reader) for e in node.elts)
    if isinstance(node, ast.Attribute) and node.attr == "columns":
        return True
    if isinstance(node, ast.ListComp) and len(node.generators) == 1:  # some of the keys that another list holds
        loop = node.generators[0]
        return ast.dump(node.elt) == _as_read(loop.target) and _is_key(loop.iter, reader)
    if isinstance(node, ast.Name):
        bound = reader.lookup(node.id)
        # Of a list that the file changes nobody knows whether anything is left in it.
        if bound is None or node.id in reader.names.rebound | reader.names.mutated or bound.is_frame:
            return False
        if isinstance(bound.value, Unknown):
            # The default of a parameter that may be left out is not known.
            is_parameter = bound.value.origin == f"parameter {node.id}"
            return is_parameter and bound.value.why is None and not reader.names.is_optional(node.id)
        return isinstance(bound.value, Unevaluated) and _is_key(bound.value.node, reader)
    if isinstance(node, ast.Call) and is_time_window(node, reader):
        return True
    return isinstance(node, (ast.Constant, ast.Call)) and is_rowwise(node, reader.names, reader.lookup)


def is_time_window(node: ast.Call, reader: ApiContext) -> bool:
    """Whether ``node`` is ``F.window(…)`` of a time that is row-wise: a row is copied into each window that it is in,
    which its time alone tells, so the rows of a group are as independent of each other as those of the frame."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr="alias" | "name"), args=[ast.Constant()]):
            return not node.keywords and is_time_window(inner, reader)
    if reader.names.function(node.func) != "window":
        return False
    try:
        given = bind(FUNCTIONS["window"].declaration, node)
    except Refusal:
        return False
    time, *others = given.arguments.values()
    written = all(isinstance(o, ast.Constant) and isinstance(o.value, str) for o in others)
    return written and is_rowwise(time, reader.names, reader.lookup)


def _as_read(target: ast.expr) -> str:
    return ast.dump(ast.Name(target.id, ast.Load())) if isinstance(target, ast.Name) else ""
