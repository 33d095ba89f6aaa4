"""Whether the expression of a frame may be evaluated once more: it builds a plan, and does nothing else.

No action runs in it, nothing is drawn from a generator whose seed the first evaluation has fixed, no file is listed
anew, no view is looked up again, no rows are picked by their number, and no code of the user runs on the driver:
functions are handed over only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import cast

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.pyspark_methods import FRAME, GROUPED, NA, RDD, TABLE, bind
from headwater.syntax.names.pyspark_symbols import FRAME_ATTRIBUTES
from headwater.syntax.refusal import Refusal

from .builders import METHODS, Made, check_call, is_constant, made_by
from .definitions import NoBranch
from .names import Holding, free_names
from .sql_texts import check_texts

_MEMO, _TABLE = "variables that are kept", "a table"
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
_DECLARED = (FRAME, GROUPED, NA, TABLE, RDD, {"cogroup": "cogroup(other)"})
"""The declared signatures of these methods, by class."""


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
        if not known or name in self.names.patches.methods or not _binds(name, call):
            raise NoBranch(f"`{name}` may not be called once more")
        check_texts(name, arguments, self.holding, self.frames)
        if name in _OF_TWO and call.args:
            self._chain(arguments.pop(0))
        for argument in arguments:
            handed_over = isinstance(argument, (ast.Lambda, ast.Name)) and name in _TAKING_FUNCTIONS
            self._value(argument, runs_here=not handed_over)
        return function.value

    def _value(self, node: ast.expr, *, runs_here: bool = True) -> None:
        """What is no frame: what it reads must be the same, and what runs here may do nothing else. A function that is
        handed over does not run here."""
        columns: set[ast.AST] = set()
        for part in ast.walk(node):
            match part:
                case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                    raise NoBranch("a variable is bound inside an expression")
                case ast.Attribute(value=ast.Name() as owner) | ast.Subscript(value=ast.Name() as owner):
                    columns.add(owner)
        free = [*free_names(node)]
        if runs_here:
            self._check_run(node, {n.id for n in free})
        elif isinstance(node, ast.Lambda):
            self.holding.check_body(node)
        for name in free:
            if name.id not in self.frames:
                self.holding.check(name)
            elif name not in columns:
                raise NoBranch(f"`{name.id}` is a frame, and handed over as something else")
            else:
                self.holding.check_frame(name.id)

    def _check_run(self, node: ast.expr, free: set[str]) -> None:
        """Refuse an expression that does more than make a column or another value when it is evaluated."""
        called = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                self._call(part, free)
            elif isinstance(part, ast.Name) and id(part) not in called:
                function = self.holding.scopes.context.function(part.id)
                if part.id in free and function is not None and not self.holding.is_udf(part):
                    raise NoBranch(f"`{part.id}` may be called once more")
        for read in self.holding.objects_in(node):
            origin = self.names.resolve(read) or ""
            if id(read) not in called and made_by(origin) is None and not is_constant(origin):
                raise NoBranch(f"nothing is known about `{origin}`")

    def _call(self, call: ast.Call, free: set[str]) -> None:
        """Refuse a call that may do more than make a column or another value."""
        origin = self.names.resolve(call.func)
        if origin is not None:
            check_call(origin, call)
            if origin.rpartition(".")[2] == "expr":
                check_texts("expr", [*call.args, *(k.value for k in call.keywords)], self.holding)
        elif isinstance(call.func, ast.Attribute):
            if call.func.attr in self.names.patches.methods:
                raise NoBranch(f"`{call.func.attr}` is replaced in the file")
            self._method_of_value(call.func, free)
        elif not isinstance(call.func, ast.Name) or call.func.id not in free or not self.holding.is_udf(call.func):
            raise NoBranch("a function of the file would be called once more")

    def _method_of_value(self, function: ast.Attribute, free: set[str]) -> None:
        """Refuse a method of anything but a column, a window, a type, a text or a container."""
        root, part = function.value, function.attr
        while not isinstance(root, (ast.Name, ast.Constant, ast.JoinedStr)) and not self.names.resolve(root):
            match root:
                case ast.Call(func=inner) | ast.Subscript(value=inner):
                    root, part = inner, ""
                case ast.Attribute(value=inner, attr=attr):
                    root, part = inner, attr
                case ast.BinOp(left=inner) | ast.Compare(left=inner) | ast.UnaryOp(operand=inner):
                    root, part = inner, ""
                case _:
                    raise NoBranch(f"`{function.attr}` would be called once more")
        kinds: tuple[Made, ...] = ("column",)
        origin = self.names.resolve(root)
        if isinstance(root, (ast.Constant, ast.JoinedStr)):
            kinds = ("data",)
        elif origin is not None:
            made = made_by(origin)
            kinds = ("data",) if made is None and is_constant(origin) else (made,) if made is not None else ()
        elif isinstance(root, ast.Name) and root.id not in free:
            kinds = ("column", "window", "data")  # what a function of Spark hands in, or an element of a container
        elif isinstance(root, ast.Name) and root.id in self.frames:
            kinds = ("column",) if part not in FRAME_ATTRIBUTES else ()
        elif isinstance(root, ast.Name) and not self.holding.is_udf(root):
            # a column, a window or a type by `Holding.check`, where it is made by a call
            made_here = isinstance(self.holding.value_of(root.id), ast.Call)
            kinds = ("column", "window") if made_here else ("data",)
        if not any(function.attr in METHODS[kind] for kind in kinds):
            raise NoBranch(f"`{function.attr}` would be called once more")


def _binds(name: str, call: ast.Call) -> bool:
    """Whether a class of PySpark declares the method ``name`` with the arguments of ``call``."""
    for declared in _DECLARED:
        if name in declared:
            try:
                bind(declared[name], call)
            except Refusal:
                continue
            return True
    return False


def shuffles(chain: ast.expr) -> str | None:
    """A method in ``chain`` after which Spark keeps what an RDD has shuffled, if there is one."""
    while isinstance(chain, (ast.Call, ast.Attribute)):
        if isinstance(chain, ast.Call) and isinstance(chain.func, ast.Attribute) and chain.func.attr not in NARROW:
            return chain.func.attr
        chain = chain.func if isinstance(chain, ast.Call) else chain.value
    return None


def _method_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def kept(context: Context, names: Iterable[str]) -> str | None:
    """Which of the variables ``names`` the file caches or checkpoints, if it does one."""
    if _MEMO not in context.memo:
        context.memo[_MEMO] = frozenset(_kept_in(context.tree))
    found = cast("frozenset[str]", context.memo[_MEMO])
    return _TABLE if _TABLE in found else next((n for n in names if n in found), None)


def _kept_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in KEEPING:
                yield name
            case ast.Attribute(attr="cacheTable"):
                yield _TABLE
            case ast.Constant(value=str(text)) if re.match(r"\s*cache\s+(lazy\s+)?table\b", text, re.IGNORECASE):
                yield _TABLE
