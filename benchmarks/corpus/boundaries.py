"""Which calls are boundaries, told from the text alone: the product's front end has no part in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

METHODS = {
    **dict.fromkeys("applyInPandas applyInArrow applyInPandasWithState".split(), "grouped map"),
    **dict.fromkeys("mapInPandas mapInArrow".split(), "map in pandas"),
    **dict.fromkeys("agg pivot".split(), "aggregate"),
    **dict.fromkeys("crossJoin lateralJoin".split(), "join"),
    **dict.fromkeys("union unionAll unionByName intersect intersectAll exceptAll subtract".split(), "union"),
    **dict.fromkeys("distinct dropDuplicates drop_duplicates".split(), "distinct"),
    **dict.fromkeys("limit sample sampleBy offset".split(), "limit"),
    **dict.fromkeys("cache persist checkpoint localCheckpoint".split(), "cache"),
    "over": "window",
    "asTable": "udtf",
}
"""Methods that are a boundary wherever they are called."""
_AGGREGATES = frozenset("count sum avg mean max min".split())
_GROUPS = frozenset("groupBy groupby rollup cube pivot".split())
_EXPLODES = frozenset("explode explode_outer posexplode posexplode_outer inline inline_outer stack".split())
_EXPLODE_SQL = re.compile(r"\b(pos)?(explode|inline)(_outer)?\s*\(|\bstack\s*\(", re.I)
_RDD_METHODS = frozenset(
    """
    flatMap mapPartitions mapPartitionsWithIndex reduceByKey groupByKey aggregateByKey combineByKey foldByKey mapValues
    flatMapValues sortByKey keyBy zipWithIndex
    """.split()
)
_RDD_FILE = re.compile(r"rdd|\bsc\b|sparkContext|parallelize|textFile", re.I)
_MAKERS = frozenset("udf pandas_udf arrow_udf".split())


@dataclass
class Names:
    """What the names of one file stand for, as far as its text shows."""

    imported: set[str] = field(default_factory=set)
    udfs: set[str] = field(default_factory=set)
    udtfs: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    has_rdds: bool = False

    @staticmethod
    def of(tree: ast.Module, text: str) -> Names:
        """The names of one file."""
        names = Names(has_rdds=bool(_RDD_FILE.search(text)))
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names.imported |= {a.asname or a.name.split(".")[0] for a in node.names}
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.functions.add(node.name)
                made = {last_name(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
                names.udfs |= {node.name} if made & _MAKERS else set()
                names.udtfs |= {node.name} if "udtf" in made else set()
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                maker = last_name(node.value.func)
                targets = {t.id for t in node.targets if isinstance(t, ast.Name)}
                names.udfs |= targets if maker in _MAKERS or maker == "register" else set()
                names.udtfs |= targets if maker == "udtf" else set()
        return names

    def kind(self, node: ast.AST) -> str | None:
        """The boundary that ``node`` is by itself, its parts left aside."""
        if isinstance(node, ast.Attribute) and node.attr == "rdd":
            return "rdd"
        if not isinstance(node, ast.Call):
            return None
        name = last_name(node.func)
        if name in _EXPLODES:
            return "explode"
        if name in ("expr", "selectExpr", "select") and any(_sql_explodes(a) for a in node.args):
            return "explode"
        if name in self.udtfs:
            return "udtf"
        if name not in _MAKERS and (name in self.udfs or ("udf" in name.lower() and isinstance(node.func, ast.Name))):
            return "udf"
        return self._method(node, name) if isinstance(node.func, ast.Attribute) else None

    def _method(self, node: ast.Call, name: str) -> str | None:
        assert isinstance(node.func, ast.Attribute)
        on = node.func.value
        if isinstance(on, ast.Name) and on.id in self.imported and name != "agg":
            return None
        if name == "join":
            plain = isinstance(on, (ast.Constant, ast.JoinedStr)) or last_name(on) == "path"
            return None if plain or (len(node.args) < 2 and not node.keywords) else "join"
        if name in _AGGREGATES and isinstance(on, ast.Call) and last_name(on.func) in _GROUPS:
            return "aggregate"
        if name in _RDD_METHODS or (name == "map" and self.has_rdds and len(node.args) == 1):
            return "rdd"
        return METHODS.get(name)

    def is_filter(self, node: ast.AST) -> bool:
        """Whether ``node`` is a filter on a frame or RDD, as far as its text shows."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        if node.func.attr not in ("filter", "where") or len(node.args) + len(node.keywords) != 1:
            return False
        if node.keywords and node.keywords[0].arg not in ("condition", "f"):
            return False
        on = node.func.value
        if isinstance(on, ast.Name) and on.id in self.imported:
            return False  # `F.filter`, `np.where`
        return not (node.args and isinstance(node.args[0], (ast.List, ast.Tuple, ast.Starred)))


def last_name(node: ast.AST) -> str:
    """``c`` of ``a.b.c``, ``a`` of ``a``, else an empty text."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _sql_explodes(node: ast.expr) -> bool:
    return any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and _EXPLODE_SQL.search(n.value)
        for n in ([] if isinstance(node, ast.Call) else ast.walk(node))
    )


def links(node: ast.expr) -> Iterator[ast.expr]:
    """The calls, attributes and subscripts of a chain, last first; the last one given is where it starts."""
    at: ast.expr = node
    while True:
        yield at
        if isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute):
            at = at.func.value
        elif isinstance(at, (ast.Attribute, ast.Subscript)):
            at = at.value
        else:
            return
