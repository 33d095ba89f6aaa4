"""Whether a file hands a function to Spark that does more than compute its value.

Such a function may be below each frame of which the file does not say what makes it: one that another function of the
file gives, or that is handed in.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Union

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


Handed = Union[ast.FunctionDef, ast.Lambda]
_MEMO = "_handed_over"


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


def _given(statement: ast.stmt, words: frozenset[str]) -> tuple[str | Handed, ...]:
    """The functions in ``statement``, which nobody changes any more, that calls of ``words`` are given, or that are
    marked with one; and the names that these calls are given."""
    known = getattr(statement, _MEMO, None)
    if not isinstance(known, tuple) or known[0] != words:
        known = words, tuple(_found(statement, words))
        setattr(statement, _MEMO, known)  # a table would keep the tree
    found: tuple[str | Handed, ...] = known[1]
    return found


def _found(statement: ast.stmt, words: frozenset[str]) -> Iterator[str | Handed]:
    for node in walk(statement):
        if isinstance(node, ast.Call) and _last_word(node.func) in words:
            for given in (n for a in (*node.args, *(k.value for k in node.keywords)) for n in ast.walk(a)):
                if isinstance(given, ast.Name):
                    yield given.id
                elif isinstance(given, ast.Lambda):
                    yield given
        elif isinstance(node, ast.FunctionDef) and any(_is_mark(d, words) for d in node.decorator_list):
            yield node


def _is_mark(decorator: ast.expr, words: frozenset[str]) -> bool:
    return _last_word(decorator.func if isinstance(decorator, ast.Call) else decorator) in words


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
