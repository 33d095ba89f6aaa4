"""Whether a file hands a function to Spark that does more than compute its value.

Such a function may be below each frame of which the file does not say what makes it: one that another function of the
file gives, or that is handed in.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Union

from headwater.pyspark.frames.placed import placed
from headwater.python.effects.scoped_program import effect
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.statement_notes import notes_of
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


Handed = Union[ast.FunctionDef, ast.Lambda]


def does_more(names: Names, alone: Callable[[Handed], bool]) -> bool:
    """Whether some function that the file hands to Spark is seen to do more than to compute its value: one of which
    ``alone`` says so."""
    return any(map(alone, _handed_over(names)))


def is_seen_to_do_more(names: Names, assume_pure: frozenset[str], function: Handed) -> bool:
    """Whether ``function`` is."""
    why = effect(names, assume_pure, function)
    return why is not None and why.obstruction == "side-effect"


def _handed_over(names: Names) -> Iterator[Handed]:
    ctx, seen = names.ctx, set[int]()
    words = _TAKES | (_OF_RDDS if ctx.mentions("rdd") or ctx.mentions("parallelize") else frozenset())
    words |= {n for n in names.imported if (names.function(ast.Name(n, ast.Load())) or "") in _TAKES}
    statements = {id(s): s for word in sorted(words) for s in ctx.naming(word)}
    for given in (g for s in statements.values() for g in _given(s, words)):
        function = ctx.function(given) if isinstance(given, str) else given
        if isinstance(function, (ast.FunctionDef, ast.Lambda)) and id(function) not in seen:
            seen.add(id(function))
            yield function


def _given(statement: ast.stmt, words: frozenset[str]) -> Iterator[str | Handed]:
    """The functions in ``statement`` that calls of ``words`` are given, or that are marked with one; and the names that
    these calls are given."""
    calls = placed(statement).calls
    for call in (c for word in sorted(words & calls.keys()) for c in calls[word]):
        for given in (n for a in (*call.args, *(k.value for k in call.keywords)) for n in walk(a)):
            if isinstance(given, ast.Name):
                yield given.id
            elif isinstance(given, ast.Lambda):
                yield given
    for made in (n for nodes in notes_of(statement).bindings.values() for n in nodes):
        if isinstance(made, ast.FunctionDef) and any(_is_mark(d, words) for d in made.decorator_list):
            yield made


def _is_mark(decorator: ast.expr, words: frozenset[str]) -> bool:
    return _last_word(decorator.func if isinstance(decorator, ast.Call) else decorator) in words


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
