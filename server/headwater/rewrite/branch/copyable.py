"""Whether the expression of a frame may be evaluated once more: it builds a plan, and does nothing else.

No action runs in it, nothing is drawn from a generator whose seed the first evaluation has fixed, no file is listed
anew, no view is looked up again, no rows are picked by their number, and no code of the user runs on the driver:
functions are handed over only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from headwater.syntax.names.pyspark_symbols import FOREIGN, FRAME_ATTRIBUTES, VOLATILE

from .definitions import NoBranch
from .names import BUILDERS, CHANGERS, Holding, free_names

_OF_FRAMES = frozenset(
    """
    select selectExpr withColumn withColumns withColumnRenamed withColumnsRenamed drop filter where groupBy groupby agg
    rollup cube orderBy sort sortWithinPartitions distinct dropDuplicates drop_duplicates dropna fillna replace alias
    hint repartition repartitionByRange coalesce unpivot melt fill asTable partitionBy
    """.split()
)
_OF_TWO = frozenset(
    "join crossJoin union unionAll unionByName intersect intersectAll subtract exceptAll cogroup".split()
)
_OF_GROUPS = frozenset("count sum max min avg mean".split())
_GROUPINGS = frozenset("groupBy groupby rollup cube".split())
_TAKING_FUNCTIONS = frozenset(
    """
    applyInPandas applyInArrow mapInPandas mapInArrow map flatMap mapValues flatMapValues keyBy mapPartitions
    reduceByKey aggregateByKey foldByKey combineByKey sortBy sortByKey groupByKey keys values filter
    """.split()
)
NARROW = frozenset(
    """
    map flatMap mapValues flatMapValues keyBy mapPartitions filter keys values where select selectExpr withColumn
    withColumns withColumnRenamed withColumnsRenamed drop dropna fillna fill replace alias hint
    """.split()
)
"""Methods after which nothing is shuffled. What an RDD has shuffled for one action Spark keeps for the next
(``ShuffleMapStage``), so a copy would do once more what the original need not: measured, 10 s instead of 0.7 s."""
KEEPING = frozenset("cache persist checkpoint localCheckpoint".split())
"""Methods after which a frame is not computed anew for whoever asks."""
_BUILTINS = frozenset(f"builtins.{n}" for n in "len range str int float bool tuple list enumerate zip".split())
_TEXT_METHODS = frozenset("split format join lower upper strip replace".split())
_OF_CONTAINERS = frozenset("items keys values get".split())
_DRAWS = re.compile(rf"\b({'|'.join(sorted(VOLATILE))})\s*\(", re.IGNORECASE)
_NAMES_TABLES = re.compile(r"\b(select|from|table)\b", re.IGNORECASE)
"""What a subquery has: ``k IN (SELECT k FROM v)``. The view may have been created anew since."""


class Copyable:
    """A look at the expression of one frame. ``frames``: the variables of frames that it reads."""

    def __init__(self, holding: Holding) -> None:
        self.holding, self.names = holding, holding.names
        self.frames: set[str] = set()

    def check(self, chain: ast.expr) -> ast.Name:
        """The variable that the chain of calls starts with; NoBranch if the chain may do more than build a plan."""
        self._frames_of(chain)
        return self._chain(chain, is_root=True)

    def _frames_of(self, node: ast.expr) -> None:
        while not isinstance(node, ast.Name):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in _OF_TWO and node.args:
                    self._frames_of(node.args[0])
                node = node.func.value
            elif isinstance(node, ast.Call) and self.names.function(node.func) == "broadcast" and node.args:
                node = node.args[0]
            elif isinstance(node, ast.Attribute):
                node = node.value
            else:
                raise NoBranch("a frame is not made by calls of methods on a variable")
        self.frames.add(node.id)

    def _chain(self, node: ast.expr, *, is_root: bool = False) -> ast.Name:
        while not isinstance(node, ast.Name):
            if isinstance(node, ast.Attribute) and node.attr in ("rdd", "na"):
                node = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                node = self._method(node, node.func)
            elif isinstance(node, ast.Call) and self.names.function(node.func) == "broadcast" and len(node.args) == 1:
                node = node.args[0]
            else:
                raise NoBranch("a frame is not made by calls of methods on a variable")
        if self.names.resolve(node):
            raise NoBranch(f"`{node.id}` is no variable of a frame")
        if not is_root:
            self.holding.check_frame(node.id)
        return node

    def _method(self, call: ast.Call, function: ast.Attribute) -> ast.expr:
        """The receiver of a call whose arguments have been looked at."""
        name, arguments = function.attr, [*call.args, *(k.value for k in call.keywords)]
        on_groups = isinstance(function.value, ast.Call) and _method_name(function.value) in _GROUPINGS
        known = name in _OF_FRAMES | _OF_TWO | _TAKING_FUNCTIONS or (name in _OF_GROUPS and on_groups)
        if not known or name in self.names.patches.methods:
            raise NoBranch(f"`{name}` may not be called once more")
        if name in _OF_TWO and call.args:
            self._chain(arguments.pop(0))
        for argument in arguments:
            handed_over = isinstance(argument, ast.Lambda) and name in _TAKING_FUNCTIONS
            self._value(argument, runs_here=not handed_over)
        return function.value

    def _value(self, node: ast.expr, *, runs_here: bool = True) -> None:
        """What is no frame: what it reads must be the same, and what runs here may do nothing else. A function that is
        handed over does not run here."""
        columns: set[ast.AST] = set()
        _check_texts(node)
        for part in ast.walk(node):
            match part:
                case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                    raise NoBranch("a variable is bound inside an expression")
                case ast.Attribute(value=ast.Name() as owner) | ast.Subscript(value=ast.Name() as owner):
                    columns.add(owner)
        free = [*free_names(node)]
        for call in (n for n in ast.walk(node) if isinstance(n, ast.Call) and runs_here):
            self._call(call, {n.id for n in free})
        for name in free:
            if name.id not in self.frames:
                self.holding.check(name)
                _check_texts(self.holding.value_of(name.id))
            elif name not in columns:
                raise NoBranch(f"`{name.id}` is a frame, and handed over as something else")
            else:
                self.holding.check_frame(name.id)

    def _call(self, call: ast.Call, free: set[str]) -> None:
        """Refuse a call that may do more than make a column or another value."""
        origin = self.names.resolve(call.func)
        if origin is not None:
            if not origin.startswith(BUILDERS) and origin not in _BUILTINS:
                raise NoBranch(f"`{origin}` would be called once more")
            if origin.rpartition(".")[2] in VOLATILE | FOREIGN:
                raise NoBranch(f"`{origin}` may give another value the next time")
        elif isinstance(call.func, ast.Attribute):
            self._method_of_value(call.func, free)
        elif not isinstance(call.func, ast.Name) or call.func.id not in free or not self.holding.is_udf(call.func):
            raise NoBranch("a function of the file would be called once more")

    def _method_of_value(self, function: ast.Attribute, free: set[str]) -> None:
        """Refuse a method of anything but a column, a window, a text or a container."""
        root, part = function.value, function.attr
        while not isinstance(root, (ast.Name, ast.Constant)) and not self.names.resolve(root):
            match root:
                case ast.Call(func=inner) | ast.Subscript(value=inner):
                    root, part = inner, ""
                case ast.Attribute(value=inner, attr=attr):
                    root, part = inner, attr
                case ast.BinOp(left=inner) | ast.Compare(left=inner) | ast.UnaryOp(operand=inner):
                    root, part = inner, ""
                case _:
                    raise NoBranch(f"`{function.attr}` would be called once more")
        if isinstance(root, ast.Constant):
            known = function.attr in _TEXT_METHODS
        elif self.names.resolve(root):
            known = True  # `_call` looks at what is called
        elif isinstance(root, ast.Name) and root.id not in free:
            known = function.attr not in CHANGERS  # a column that a function of Spark hands in, or a name in a list
        elif isinstance(root, ast.Name) and root.id in self.frames:
            known = part not in FRAME_ATTRIBUTES
        else:
            assert isinstance(root, ast.Name)
            of_spark = isinstance(self.holding.value_of(root.id), ast.Call)  # see `Holding.check`
            known = of_spark or self.holding.is_udf(root) or function.attr in _OF_CONTAINERS | _TEXT_METHODS
        if not known:
            raise NoBranch(f"`{function.attr}` would be called once more")


def _check_texts(node: ast.AST | None) -> None:
    """Refuse texts that may be another condition the next time."""
    for part in ast.walk(node) if node is not None else ():
        match part:
            case ast.Constant(value=str(text)) if _DRAWS.search(text):
                raise NoBranch("a function in a text may give another value the next time")
            case ast.Constant(value=str(text)) if _NAMES_TABLES.search(text):
                raise NoBranch("a table that a text names may be another one the next time")


def shuffles(chain: ast.expr) -> str | None:
    """A method in ``chain`` after which Spark keeps what an RDD has shuffled, if there is one."""
    while isinstance(chain, (ast.Call, ast.Attribute)):
        if isinstance(chain, ast.Call) and isinstance(chain.func, ast.Attribute) and chain.func.attr not in NARROW:
            return chain.func.attr
        chain = chain.func if isinstance(chain, ast.Call) else chain.value
    return None


def _method_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def kept(tree: ast.Module, names: Iterable[str]) -> str | None:
    """Which of the variables ``names`` the file caches or checkpoints, if it does one."""
    asked = set(names)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in asked and attr in KEEPING:
                return name
            case ast.Attribute(attr="cacheTable"):
                return "a table"
            case ast.Constant(value=str(text)) if re.match(r"\s*cache\s+(lazy\s+)?table\b", text, re.IGNORECASE):
                return "a table"
    return None
