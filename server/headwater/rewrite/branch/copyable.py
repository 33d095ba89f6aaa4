"""Whether the expression of a frame may be evaluated once more: it builds a plan, and does nothing else.

No action runs in it, nothing is drawn from a generator whose seed the first evaluation has fixed, no file is listed
anew, no rows are picked by their number, and no code of the user runs on the driver: functions are handed over only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from headwater.frontend.build import VOLATILE

from .definitions import NoBranch
from .names import Holding

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
KEEPING = frozenset("cache persist checkpoint localCheckpoint".split())
"""Methods after which a frame is not computed anew for whoever asks."""
_BUILTINS = frozenset(f"builtins.{n}" for n in "len range str int float bool tuple list enumerate zip".split())
_TEXT_METHODS = frozenset("split format join lower upper strip replace".split())
_OF_CONTAINERS = frozenset("items keys values get".split())
_DRAWS = re.compile(rf"\b({'|'.join(sorted(VOLATILE))})\s*\(", re.IGNORECASE)
_NEVER = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


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
            if isinstance(argument, ast.Lambda) and name in _TAKING_FUNCTIONS:
                self._runs_elsewhere(argument)
            else:
                self._value(argument, frozenset())
        return function.value

    def _runs_elsewhere(self, function: ast.Lambda) -> None:
        """A function that Spark calls: what it reads must be the same, what it does is not done here."""
        own = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, _NEVER):
                raise NoBranch("a variable is bound inside an expression")
            if isinstance(node, ast.comprehension):
                own |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        outside = {n.id for d in function.args.defaults for n in ast.walk(d) if isinstance(n, ast.Name)}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in own - outside:
                self.holding.check(node)

    # --- values that are evaluated here

    def _value(self, node: ast.AST, own: frozenset[str]) -> None:
        match node:
            case ast.Constant(value=str(text)) if _DRAWS.search(text):
                raise NoBranch("a function in a text may give another value the next time")
            case ast.Name(id=name):
                if name in self.frames:
                    raise NoBranch(f"`{name}` is a frame, and handed over as something else")
                if name not in own:
                    self.holding.check(node)
                return
            case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)) if name in self.frames:
                self.holding.check_frame(name)
                if isinstance(node, ast.Subscript):
                    self._value(node.slice, own)
                return
            case ast.Call():
                self._call(node)
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                own |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
                own |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                if own & self.frames:
                    raise NoBranch("a variable of an expression has the name of a frame")
            case _ if isinstance(node, _NEVER):
                raise NoBranch("a variable is bound inside an expression")
        for child in ast.iter_child_nodes(node):
            self._value(child, own)

    def _call(self, call: ast.Call) -> None:
        """Refuse a call that may do more than make a column or another value."""
        origin = self.names.resolve(call.func)
        name = (origin or "").rpartition(".")[2]
        if origin is not None:
            if not origin.startswith("pyspark.") and origin not in _BUILTINS:
                raise NoBranch(f"`{origin}` would be called once more")
            if name in VOLATILE:
                raise NoBranch(f"`{name}` may give another value the next time")
            return
        if isinstance(call.func, ast.Name):
            if not self.holding.is_udf(call.func):
                raise NoBranch(f"`{call.func.id}` would be called once more")
            return
        assert isinstance(call.func, ast.expr)
        if not isinstance(call.func, ast.Attribute):
            raise NoBranch("the result of a call is called")
        self._method_of_value(call.func)

    def _method_of_value(self, function: ast.Attribute) -> None:
        root: ast.expr = function.value
        if isinstance(root, ast.Name) and root.id in self.frames:
            raise NoBranch(f"`{function.attr}` of a frame would be called once more")
        while isinstance(root, (ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.UnaryOp)):
            match root:
                case ast.Call():
                    root = root.func
                case ast.Attribute() | ast.Subscript():
                    if self.names.resolve(root):
                        return  # a column that a function of Spark makes
                    root = root.value
                case ast.BinOp():
                    root = root.left
                case ast.Compare():
                    root = root.left
                case ast.UnaryOp():
                    root = root.operand
        if isinstance(root, ast.Constant) and function.attr in _TEXT_METHODS:
            return
        if not isinstance(root, ast.Name):
            raise NoBranch(f"`{function.attr}` would be called once more")
        if self.names.resolve(root) or root.id in self.frames or self.holding.is_udf(root):
            return
        value = self.holding.value_of(root.id)
        of_spark = isinstance(value, ast.Call)  # which ``Holding.check`` asks of every variable
        if not of_spark and function.attr not in _OF_CONTAINERS | _TEXT_METHODS:
            raise NoBranch(f"`{function.attr}` would be called once more")


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
