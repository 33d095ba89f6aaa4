"""What the jobs of a call compute: the frames or RDDs that it is called on, and what those are made of.

Read off the text: methods of which a table says that their result is computed from what they are called on, and
variables that the whole text binds once. ``checkpoint`` is none of them: the jobs behind it read what it wrote.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

_FRAMES = """agg alias avg cache coalesce count crossJoin cube distinct drop dropDuplicates drop_duplicates dropna
    exceptAll fill fillna filter groupBy groupby hint intersect intersectAll join limit mapInArrow mapInPandas max mean
    melt min offset orderBy persist pivot repartition repartitionByRange replace rollup sample select selectExpr sort
    sortWithinPartitions subtract sum to toDF union unionAll unionByName unpivot where withColumn withColumnRenamed
    withColumns withColumnsRenamed withWatermark applyInPandas applyInArrow apply"""
_RDDS = """aggregateByKey cartesian cogroup combineByKey flatMap flatMapValues foldByKey fullOuterJoin glom groupByKey
    groupWith keyBy keys leftOuterJoin map mapPartitions mapPartitionsWithIndex mapValues partitionBy reduceByKey
    rightOuterJoin sortBy sortByKey subtractByKey values zip zipWithIndex zipWithUniqueId"""
_KEEP = frozenset([*_FRAMES.split(), *_RDDS.split()])
_TAKE_ANOTHER = frozenset(
    """cartesian cogroup crossJoin exceptAll fullOuterJoin groupWith intersect intersectAll join leftOuterJoin
    rightOuterJoin subtract subtractByKey union unionAll unionByName zip""".split()
)
"""Those whose first argument is another frame, RDD or grouping."""
_VIEWS = frozenset(("rdd", "na"))
End = tuple[int, int]
"""Where a call ends: its line from 1, and the column in bytes of UTF-8."""


def bound_once(tree: ast.Module) -> dict[str, ast.expr]:
    """The values of the names that are bound in one place of the text, by an assignment to nothing else."""
    bindings: Counter[str] = Counter()
    values: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        bindings.update(_names(node))
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values[name] = value
            case ast.ImportFrom(names=[ast.alias(name="*")]) if node.col_offset or node.lineno > _first_code(tree):
                return {}
    return {name: value for name, value in values.items() if bindings[name] == 1}


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


def computed(call: ast.Call, values: Mapping[str, ast.expr]) -> Iterator[End]:
    """Where the calls end that the jobs of ``call``, a call of a method, compute; ``values``: of names bound once."""
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
            case ast.Name(id=name) if name in values and name not in seen:
                seen.add(name)
                left.append(values[name])


def _end(call: ast.Call) -> End:
    return call.end_lineno or 0, call.end_col_offset or 0
