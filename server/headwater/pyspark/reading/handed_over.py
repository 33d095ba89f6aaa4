"""Whether a file hands a function to Spark that does more than compute its value.

Such a function may be below each frame of which the file does not say what makes it: one that another function of the
file gives, or that is handed in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.python.effects.scoped_program import effect
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import walk

_TAKES = frozenset(
    """
    udf pandas_udf arrow_udf udtf arrow_udtf register apply applyInPandas applyInPandasWithState applyInArrow
    mapInPandas mapInArrow transformWithState transformWithStateInPandas foreachBatch
    """.split()
)
_OF_RDDS = frozenset(
    """
    map flatMap filter mapPartitions mapPartitionsWithIndex mapValues flatMapValues keyBy sortBy groupBy reduceByKey
    foldByKey aggregateByKey combineByKey
    """.split()
)


def does_more(names: Names, assume_pure: frozenset[str]) -> bool:
    """Whether some function that the file hands to Spark is seen to do more than to compute its value."""
    found = (effect(names, assume_pure, f) for f in _handed_over(names))
    return any(why is not None and why.obstruction == "side-effect" for why in found)


def _handed_over(names: Names) -> Iterator[ast.FunctionDef | ast.Lambda]:
    ctx, seen = names.ctx, set[int]()
    words = _TAKES | (_OF_RDDS if ctx.mentions("rdd") or ctx.mentions("parallelize") else frozenset())
    words |= {n for n in names.imported if (names.function(ast.Name(n, ast.Load())) or "") in _TAKES}
    statements = {id(s): s for word in sorted(words) if ctx.mentions(word) for s in ctx.naming(word)}
    for node in (n for s in statements.values() for n in walk(s)):
        given: list[ast.AST] = []
        if isinstance(node, ast.Call) and _last_word(node.func) in words:
            given = [n for a in (*node.args, *(k.value for k in node.keywords)) for n in ast.walk(a)]
        elif isinstance(node, ast.FunctionDef) and any(_is_mark(d, words) for d in node.decorator_list):
            given = [node]
        for at in given:
            function = ctx.function(at.id) if isinstance(at, ast.Name) else at
            if isinstance(function, (ast.FunctionDef, ast.Lambda)) and id(function) not in seen:
                seen.add(id(function))
                yield function


def _is_mark(decorator: ast.expr, words: frozenset[str]) -> bool:
    return _last_word(decorator.func if isinstance(decorator, ast.Call) else decorator) in words


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
