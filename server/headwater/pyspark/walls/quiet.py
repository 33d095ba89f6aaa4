"""What may stand between jobs that become one: expressions of which it is known that they do nothing but compute a
value, read frames, or write output. Whatever is not named here may do anything.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Container, Set
from typing import TypeGuard, cast

from headwater.libraries.registry import EFFECTS
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.determinism import METHODS
from headwater.pyspark.frames import session_names
from headwater.pyspark.frames.tracked_values import Binding, Unevaluated, Unknown
from headwater.python.effects.sessions import PROVIDED
from headwater.python.effects.uses import LISTED
from headwater.python.values.spark_row import METHODS as ROW
from headwater.syntax.names.special_methods import LOGGED
from headwater_ir.assumptions import Assumption

from .column_choice import own_function
from .each_turn.turns import Inside
from .job_frames import classes_of
from .pythons import Pythons

_BUILTINS = frozenset(
    """
    abs bool dict enumerate float format int isinstance len list max min print range repr round set sorted str sum tuple
    zip
    """.split()
)
_TAKES_ALL = frozenset("dict list max min set sorted sum tuple".split())
"""Those that go through all values of what they are given."""
_OF_TEXT = frozenset("center format join ljust lower rjust strip title upper zfill".split())
_OF_VALUES = frozenset("date isoformat lower replace strftime strip timestamp upper weekday".split())
"""Methods of texts, dates and times, which a row may hold."""
_LAZY = frozenset(
    """
    agg alias coalesce crossJoin distinct drop dropDuplicates drop_duplicates dropna exceptAll fillna filter groupBy
    groupby hint intersect intersectAll join limit orderBy repartition select selectExpr sort subtract union unionAll
    unionByName where withColumn withColumnRenamed withColumns
    """.split()
)
"""Methods of frames and grouped frames that make another frame, and nothing else."""
_READS = frozenset("csv format json load option options orc parquet read schema table text".split())
"""Methods of sessions and their readers that make a frame of a source."""
_FORMATS = ("avro", "csv", "delta", "iceberg", "jdbc", "json", "orc", "parquet", "text")
_LOOKS = frozenset(
    "approxQuantile collect count describe first head isEmpty printSchema show summary take toPandas".split()
)
"""Methods of frames that look at it."""
VIEWS = frozenset("items keys values".split())
"""Methods of a dict for what is in it."""
_GIVES_A_LIST = frozenset("dict list set sorted tuple".split())
_NO_COMPARISON = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
"""Operators that ask two values for nothing, or go through one of them, which is asked for apart."""
_MOST = 3
_DEEPEST = 4
_TODAY = "datetime.date.today"
"""A clock by which nobody measures how long a job takes."""


class Quiet:
    """The expressions of one scope. ``frames``: variables that hold frames, beside those of which that is known;
    ``jobs``: by identity, expressions that give a number or a row."""

    def __init__(self, scope: ApiContext, frames: Container[str], jobs: Container[int]) -> None:
        self.scope, self.frames, self.jobs = scope, frames, jobs
        self.begin()

    def begin(self, bound: Container[str] = ()) -> None:
        """Nothing was taken for granted yet of the statement that is looked at, which binds the names ``bound``."""
        self._bound = bound
        self.pythons = Pythons(self.scope)
        self._of_others = set[str]()
        self._own: dict[int, bool] = {}
        """Of functions of the file, by identity, whether they only show."""

    def taken(self) -> set[Assumption]:
        """What was taken for granted of the statement."""
        return {*self.pythons.assumed(), *(Assumption("purity", t) for t in self._of_others)}

    def assumed(self, since: Set[Assumption] = frozenset()) -> tuple[Assumption, ...]:
        """What was taken for granted of the statement and of those ``since``, and that what expressions may run of the
        file's classes has no effect."""
        own = sorted(self.scope.names.ctx.run_by_expressions)
        text = " and ".join(f"`{m}`" for m in own[:_MOST]) + (f" and {len(own) - _MOST} more" if own[_MOST:] else "")
        more = (Assumption("purity", f"{text} has no side effect"),) if own else ()
        return (*sorted(since | self.taken()), *more)

    def _takes_for_granted(self, text: str) -> None:
        """Note what has to be true of a value whose class is not here."""
        self._of_others.add(text)

    def is_quiet(self, node: ast.AST) -> bool:
        """Whether ``node``, once its parts are evaluated, does nothing but compute a value, read frames, or write
        output."""
        for given in filter(self._is_given, (*_looked_into(node), *self._operands(node))):
            self._takes_for_granted(f"using `{given.id}` has no side effect")
        match node:
            case ast.Name(id=name) if self._is_from_elsewhere(node):
                self._takes_for_granted(f"using `{name}` has no side effect")
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
            case ast.comprehension(is_async=is_async, iter=over):
                return not is_async and not self.runs_code(over)
            case ast.Starred(value=over):
                return not self.runs_code(over)
            case ast.Compare(ops=ops, comparators=among) if any(isinstance(o, (ast.In, ast.NotIn)) for o in ops):
                return not self.runs_code(*among)
            case ast.Call():
                return self._is_known(node)
            case ast.Attribute() if self.scope.owner is not None and self.scope.attribute(node) is not None:
                return is_log(node) or self._is_stored(node)
        return True

    def _is_from_elsewhere(self, node: ast.Name) -> bool:
        """Whether ``node`` reads what another module, which is not known, defines."""
        name, names = node.id, self.scope.names
        if isinstance(node.ctx, ast.Store) or is_log(node):
            return False
        if name in names.imported:
            return (names.resolve(node) or "").split(".")[0] not in LISTED
        free = not names.ctx.times_bound(name) and self.scope.lookup(name) is None
        return free and not hasattr(builtins, name) and name not in PROVIDED

    def _is_given(self, node: ast.expr) -> TypeGuard[ast.Name]:
        """Whether ``node`` reads a parameter of which nothing says what it is: its class may be anywhere."""
        if not isinstance(node, ast.Name) or node.id in self.frames or node.id in PROVIDED:
            return False
        if self.scope.attribute(ast.Attribute(node, "_", ast.Load())) is not None:
            return False  # the object whose method it is
        bound = self.scope.lookup(node.id)
        held = [bound] if node.id not in self._bound else self.scope.bindings_of(node.id)
        return any(b is not None and self._may_be_given(b, _DEEPEST) for b in held)

    def _may_be_given(self, bound: Binding, deep: int) -> bool:
        """Whether ``bound`` holds a parameter of which nothing says what it is, perhaps under another name."""
        held = bound.value
        if isinstance(held, Unknown):
            known = held.never_frame or held.is_frame or bound.frame is not None
            return not known and held.origin == f"parameter {bound.name}"
        made = held.node if isinstance(held, Unevaluated) and deep else None
        parts = [made.body, made.orelse] if isinstance(made, ast.IfExp) else [made]
        parts = made.values if isinstance(made, ast.BoolOp) else parts
        named = (self.scope.lookup(n.id) for n in parts if isinstance(n, ast.Name))
        return any(b is not None and b is not bound and self._may_be_given(b, deep - 1) for b in named)

    def _operands(self, node: ast.AST) -> list[ast.expr]:
        """What ``node`` calculates or compares with, the operators of whose classes it runs. A Column's run none of
        these."""
        match node:
            case ast.BinOp(left=left, right=right):
                operands = [left, right]
            case ast.Compare(left=left, ops=ops, comparators=others) if not isinstance(ops[0], _NO_COMPARISON):
                operands = [left, *others]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=operand):
                operands = [operand]
            case _:
                return []
        return [] if any(map(self._is_of_column, operands)) else operands

    def _is_stored(self, node: ast.Attribute) -> bool:
        """Whether reading the attribute of the method's object runs no code of the file."""
        assert self.scope.owner is not None
        classes = classes_of(self.scope.owner, self.scope)
        if any(self.scope.names.ctx.class_binds((c, node.attr)) for c in classes.here):
            return False
        if classes.more:
            self._takes_for_granted(f"reading `{ast.unparse(node)}` has no side effect")
        return True

    def _is_known(self, call: ast.Call) -> bool:
        """Whether the function that is called has no effect but output."""
        names = self.scope.names
        if names.function(call.func) is not None or self._only_computes_by_table(call):
            return True
        if isinstance(call.func, ast.Name):
            if (own := own_function(call.func, self.scope)) is not None:
                return all(k.arg for k in call.keywords) and self._only_shows(own)
            origin = names.resolve(call.func) or ""
            if any(k.arg in (None, "key", "file") for k in call.keywords):
                return False
            compares = call.func.id in ("max", "min") and len(call.args) > 1
            if call.func.id in _TAKES_ALL and not compares and self.runs_code(*call.args):
                return False
            if call.func.id == "print" and names.patches.touch("sys.stdout"):
                return False
            shown = call.func.id == "display" and origin == "" and self.scope.lookup("display") is None
            if call.func.id in _BUILTINS and call.func.id in self.pythons:
                return True
            return shown or (origin.startswith("builtins.") and origin.removeprefix("builtins.") in _BUILTINS)
        if not isinstance(call.func, ast.Attribute) or call.func.attr in names.patches.methods:
            return False
        of, method = call.func.value, call.func.attr
        if names.resolve(call.func) == _TODAY:
            return True
        if method in LOGGED:
            return is_log(of)
        if method in _OF_TEXT and isinstance(of, (ast.Constant, ast.JoinedStr)):
            return method != "join" or not self.runs_code(*call.args)
        if self._is_of_job(of) and method in ROW:
            return True
        if id(of) in self.jobs or (isinstance(of, ast.Call) and names.resolve(of.func) == _TODAY):
            return method in _OF_VALUES
        if method == "append":
            return isinstance(of, ast.Name)
        if method in VIEWS and not call.args and not call.keywords:
            return isinstance(of, (ast.Name, ast.Attribute, ast.Dict))
        if self._is_of_frame(of):
            return method in _LAZY | _LOOKS | METHODS
        if method in _READS:
            return self._reads_a_source(call)
        return method in METHODS and self._is_of_column(of)

    def _only_computes_by_table(self, call: ast.Call) -> bool:
        """Whether a function of one of Python's modules is called that computes a value of its arguments, and calls
        none of them."""
        entry = EFFECTS.get(self.scope.names.resolve(call.func) or "")
        if entry is None or entry.receiver is not None or entry.name.startswith("builtins.") or not entry.pure:
            return False
        given, signature = {k.arg for k in call.keywords}, entry.signature
        called = {name for name, _ in entry.calls}
        by_name = {p.name for p in signature.parameters if p.kind == "keyword"} if signature is not None else set[str]()
        if None in given or called & given or not called <= by_name:
            return False
        return entry.scalar is not None or not self.runs_code(*call.args, *(k.value for k in call.keywords))

    def _is_of_job(self, of: ast.expr) -> bool:
        """Whether ``of`` is what a job gives, or a variable holds it."""
        if isinstance(of, ast.Name) and of.id not in self.scope.names.rebound:
            bound = self.scope.lookup(of.id)
            held = None if bound is None else bound.value
            return isinstance(held, Unevaluated) and id(held.node) in self.jobs
        return id(of) in self.jobs

    def _only_shows(self, function: ast.FunctionDef) -> bool:
        """Whether ``function`` of the file does nothing but compute a value, or write output, whatever it is given."""
        if id(function) not in self._own:
            self._own[id(function)] = False  # while it is asked whether it calls itself
            nodes = [n for s in function.body for n in ast.walk(s)]
            named = [n for n in nodes if isinstance(n, ast.Name)]
            inside = Quiet(cast("ApiContext", Inside(self.scope, frozenset(n.id for n in named))), (), ())
            inside._own = self._own
            known = not any(map(self._is_from_elsewhere, named))
            self._own[id(function)] = known and all(map(inside._only_computes, nodes))
        return self._own[id(function)]

    def _only_computes(self, node: ast.AST) -> bool:
        """As ``is_quiet``, of a node in a function that binds variables of its own alone."""
        match node:
            case ast.Assign(targets=targets):
                return all(isinstance(t, ast.Name) for t in targets)
            case ast.Attribute(attr="append") | ast.Lambda():
                return False
            case ast.stmt():
                return isinstance(node, (ast.Expr, ast.Return, ast.If, ast.Pass))
        return self.is_quiet(node)

    def _reads_a_source(self, call: ast.Call) -> bool:
        """``spark.table(…)``, ``spark.read.….parquet(…)``: a frame; of its source nothing is read but the schema."""
        at: ast.expr = call
        while isinstance(at, (ast.Call, ast.Attribute)):
            if isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute) and at.func.attr == "format":
                if [getattr(a, "value", None) in _FORMATS for a in at.args] != [True]:
                    return False  # the file may define a source of its own
            if isinstance(at, ast.Attribute) and at.attr not in _READS:
                break
            at = at.func if isinstance(at, ast.Call) else at.value
        return session_names.reads_as(at, "session", self.scope.names, self.scope.lookup)

    def runs_code(self, *given: ast.AST) -> bool:
        """Whether going through the values of ``given`` may run code of the file that a generator has put off. That it
        runs no other code is noted."""
        for node in (a for a in given if not self._is_a_list(a)):
            self._takes_for_granted(f"going through `{ast.unparse(node)}` has no side effect")
        found = (n for a in given if not self._lists_columns(a) for n in ast.walk(a))
        return any(isinstance(n, (ast.Name, ast.Attribute)) for n in found) and self.scope.names.ctx.puts_off

    def _is_a_list(self, node: ast.AST, deep: int = _DEEPEST) -> bool:
        """Whether ``node`` is surely a list, a text or the like, whose values are all there."""
        if id(node) in self.jobs or self._lists_columns(node) or not deep:
            return bool(deep)
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                return True
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return True
            case ast.GeneratorExp(generators=parts):  # its parts are looked at themselves
                return all(self._is_a_list(p.iter, deep - 1) for p in parts)
            case ast.Call(func=ast.Name(id=name), args=args) if name in self.pythons:
                if name in _GIVES_A_LIST | {"range", "str", "repr"}:
                    return True
                return name in ("enumerate", "zip") and all(self._is_a_list(a, deep - 1) for a in args)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._is_a_list(left, deep - 1) and self._is_a_list(right, deep - 1)
            case ast.Call(func=ast.Attribute(value=of, attr=view), args=[], keywords=[]) if view in VIEWS:
                return self._is_a_list(of, deep - 1)
            case ast.Name(id=name) if name not in self.scope.names.rebound:
                bound = self.scope.lookup(name)
                held = None if bound is None else bound.value
                return isinstance(held, Unevaluated) and self._is_a_list(held.node, deep - 1)
        return False

    def _lists_columns(self, node: ast.AST) -> bool:
        match node:
            case ast.Attribute(value=ast.Name() | ast.Attribute() as of, attr="columns" | "dtypes"):
                return self._is_of_frame(of)
        return False

    def _is_of_frame(self, of: ast.expr) -> bool:
        """Whether ``of`` is a frame in a variable, or made of one."""
        while isinstance(of, (ast.Call, ast.Attribute, ast.Subscript)):
            if (self.scope.attribute(of) or "") in self.frames:
                return True
            of = of.func if isinstance(of, ast.Call) else of.value
        bound = self.scope.lookup(of.id) if isinstance(of, ast.Name) else None
        return bound is not None and bound.is_frame

    def _is_of_column(self, of: ast.expr) -> bool:
        while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute):
            if self.scope.names.function(of.func) is not None:  # ``F.when`` is no method of ``F``
                return True
            if of.func.attr not in METHODS:
                return False
            of = of.func.value
        return isinstance(of, ast.Call) and self.scope.names.function(of.func) is not None


def _looked_into(node: ast.AST) -> list[ast.expr]:
    """What ``node`` shows as text, or takes a part of: that may run code of its class."""
    match node:
        case ast.FormattedValue(value=of) | ast.Attribute(value=of) | ast.Subscript(value=of):
            return [] if isinstance(node, ast.Attribute) and node.attr == "append" else [of]
        case ast.BinOp(left=ast.Constant(value=str()) | ast.JoinedStr(), op=ast.Mod(), right=shown):
            return shown.elts if isinstance(shown, ast.Tuple) else [shown]
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="format"), args=args, keywords=named):
            return [*args, *(k.value for k in named)]
        case ast.Dict(keys=keys, values=values):
            return [v for k, v in zip(keys, values, strict=True) if k is None]
        case ast.Call(func=ast.Name(id="print" | "str" | "repr" | "format"), args=args):
            return args
        case ast.Call(func=ast.Attribute(value=of, attr=method), args=args) if method in LOGGED and is_log(of):
            return args
    return []


def is_log(node: ast.expr) -> bool:
    return re.fullmatch(r"_*(?:\w+_)?(?:log|logs|logger|logging)_*", _last_name(node).lower()) is not None


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
