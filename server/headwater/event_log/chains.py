"""What the jobs of a call compute: the frames or RDDs that it is called on, and what those are made of.

Read off the text: methods of which a table says that their result is computed from what they are called on,
variables that the whole text binds once, and functions of the file that return in one place. ``checkpoint`` is none of
them: the jobs behind it read what it wrote.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_FRAMES = """agg alias avg cache coalesce count crossJoin cube distinct drop dropDuplicates drop_duplicates dropna
    exceptAll fill fillna filter groupBy groupby hint intersect intersectAll join limit mapInArrow mapInPandas max mean
    melt min offset orderBy persist pivot repartition repartitionByRange replace rollup sample select selectExpr sort
    sortWithinPartitions subtract sum to toDF union unionAll unionByName unpivot where withColumn withColumnRenamed
    withColumns withColumnsRenamed withWatermark applyInPandas applyInArrow apply"""
_RDDS = """aggregateByKey cartesian cogroup combineByKey flatMap flatMapValues foldByKey fullOuterJoin glom groupByKey
    groupWith keyBy keys leftOuterJoin map mapPartitions mapPartitionsWithIndex mapValues partitionBy reduceByKey
    rightOuterJoin sortBy sortByKey subtractByKey values zip zipWithIndex zipWithUniqueId"""
_WRITERS = "bucketBy clusterBy format mode option options partitionBy sortBy"
_KEEP = frozenset([*_FRAMES.split(), *_RDDS.split(), *_WRITERS.split()])
_TAKE_ANOTHER = frozenset(
    """cartesian cogroup crossJoin exceptAll fullOuterJoin groupWith intersect intersectAll join leftOuterJoin
    rightOuterJoin subtract subtractByKey union unionAll unionByName zip""".split()
)
"""Those whose first argument is another frame, RDD or grouping."""
_VIEWS = frozenset(("rdd", "na", "write"))
End = tuple[int, int]
"""Where a call ends: its line from 1, and the column in bytes of UTF-8."""


@dataclass(frozen=True)
class Bindings:
    """What the names stand for that are bound in one place of the text: ``values`` of those that are assigned, and what
    the functions of the file return, where it is one expression."""

    values: Mapping[str, ast.expr] = field(default_factory=dict)
    returned: Mapping[str, ast.expr] = field(default_factory=dict)


def bindings(tree: ast.Module) -> Bindings:
    """Those of a text."""
    count: Counter[str] = Counter()
    values: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        count.update(_names(node))
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values[name] = value
            case ast.ImportFrom(names=[ast.alias(name="*")]) if node.col_offset or node.lineno > _first_code(tree):
                return Bindings()
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.decorator_list]
    returned = {f.name: given for f in functions if count[f.name] == 1 and (given := _returned(f))}
    return Bindings({name: value for name, value in values.items() if count[name] == 1}, returned)


def _returned(function: ast.FunctionDef) -> ast.expr | None:
    """The only value that a function returns, where there is one place in which it does."""
    values: list[ast.expr | None] = []
    left: list[ast.AST] = [*function.body]
    while left:
        match left.pop():
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                pass
            case ast.Yield() | ast.YieldFrom():
                return None
            case ast.Return(value=given):
                values.append(given)
                left += [given] if given else []
            case node:
                left += ast.iter_child_nodes(node)
    return values[0] if len(values) == 1 else None


def _first_code(tree: ast.Module) -> int:
    """The line of the first statement that is no import and no text."""
    others = (n.lineno for n in tree.body if not isinstance(n, (ast.Import, ast.ImportFrom, ast.Expr)))
    return next(others, 10**9)


def _names(node: ast.AST) -> list[str]:
    """The names that ``node`` itself binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str() as name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name.partition(".")[0]]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return names * 2
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
    return []


def computed(call: ast.Call, known: Bindings) -> Iterator[End]:
    """Where the calls end that the jobs of ``call``, a call of a method, compute."""
    assert isinstance(call.func, ast.Attribute)
    yield _end(call)
    left: list[ast.expr] = [call.func.value]
    seen: set[str] = set()
    while left:
        match left.pop():
            case ast.Call(func=ast.Attribute(value=of, attr=method)) as at if method in _KEEP:
                yield _end(at)
                left.append(of)
                if method in _TAKE_ANOTHER and at.args:
                    left.append(at.args[0])
            case ast.Attribute(value=of, attr=view) if view in _VIEWS:
                left.append(of)
            case ast.Name(id=name) if name in known.values and name not in seen:
                seen.add(name)
                left.append(known.values[name])
            case ast.Call(func=ast.Name(id=name)) if name in known.returned and name not in seen:
                seen.add(name)
                left.append(known.returned[name])


def _end(call: ast.Call) -> End:
    return call.end_lineno or 0, call.end_col_offset or 0
