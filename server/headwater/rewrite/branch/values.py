"""What an expression makes of a frame that gets a copy, and whether it does anything that the copy could notice.

An abstract value says what kind of object it is, whether a column of the *original* frame is in it, and whether it is
sure to hold none of the copy. Spark gives each column that an expression computes an identity of its own, so a column
of the original is no column of the copy: where the two meet, the column is missing, or Spark takes another one.

Where code is *strict* (it may run between the definition and the copy) every form must be listed (``forms``). Elsewhere
an expression of no listed form is refused only where a value of the original is part of it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from headwater.python.effects.containers_read import Containers
from headwater.python.effects.sessions import BUILDERS
from headwater.syntax.names.module_scope import star_may_bind
from headwater.syntax.names.pyspark_symbols import FRAME_ATTRIBUTES, is_type, window_member
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import bound_names, parameters

from . import forms
from .builders import is_constant
from .definitions import NoBranch
from .forms import Kind

_PLAIN = frozenset[Kind](("scalar", "data", "pandas"))
_IN_COLUMNS = frozenset[Kind](("scalar", "data", "column", "columns"))
_OF_FRAMES = frozenset[Kind]("frame groups column columns window na writer session reader".split())  # type: ignore[arg-type]
_COLUMN_ATTRIBUTES = frozenset(forms.METHODS["column"]) | {"outer", "transform", "try_cast"}
_DATA_ATTRIBUTES = frozenset(a for t in (list, dict, set, tuple, str, int, float) for a in dir(t)) | {"add", "asDict"}
_BUILTIN_OPTIONS = frozenset("sep end reverse start strict default".split())


@dataclass(frozen=True)
class Value:
    """``original``: a column of the original may be in it; ``free``: sure to hold nothing of the copy."""

    kind: Kind
    original: bool = False
    free: bool = True

    def joined(self, other: Value) -> Value:
        """What holds where it may be either."""
        kinds = {self.kind, other.kind} - {"unset"}
        kind: Kind = "unset" if not kinds else "unknown"
        if len(kinds) == 1:
            (kind,) = kinds
        elif kinds == {"scalar", "data"}:
            kind = "data"
        return Value(kind, self.original or other.original, self.free and other.free)


UNKNOWN = Value("unknown", free=False)
SCALAR, DATA = Value("scalar"), Value("data")


class Variables(Protocol):
    """What the evaluator asks about the code around an expression."""

    strict: bool
    checking: bool
    """Whether what is refused is raised; before, kinds of variables are still collected."""

    early: bool
    """Whether the code can run only before the copy is made."""

    def variable(self, node: ast.Name) -> Value:
        """What a variable holds."""

    def given(self, node: ast.expr) -> Value | None:
        """The value of an expression that is known already: the copy itself."""

    def is_strict(self, node: ast.expr) -> bool:
        """Whether ``node`` may be evaluated before the copy although the code around it is not."""

    def called(self, function: ast.Name, call: ast.Call, arguments: list[Value]) -> Value | None:
        """The result of a function of the file; None if it is none, or one that is not understood."""

    def is_udf(self, node: ast.Name) -> bool:
        """Whether calling what the variable holds makes a column."""


class Evaluator:
    """Evaluates expressions of one scope."""

    def __init__(self, names: Names, around: Variables, is_query: Callable[[str], bool]) -> None:
        self.names, self.around, self.is_query = names, around, is_query
        self._own: list[dict[str, Value]] = []
        """Variables of comprehensions and lambdas around the expression, innermost last."""

    def value(self, node: ast.expr) -> Value:
        """The abstract value of ``node``; NoBranch if it is not understood and would have to be."""
        known = self.around.given(node)
        if known is not None:
            return known
        if not self.around.strict and self.around.is_strict(node):
            self.around.strict = True
            try:
                return self._value(node)
            finally:
                self.around.strict = False
        return self._value(node)

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return SCALAR
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.Subscript(value=inner, slice=index):
                found = self.value(index)
                if found.kind == "data" and not isinstance(index, (ast.List, ast.Slice)):
                    found = replace(found, kind="unknown") if self.value(inner).kind == "frame" else found
                return self._subscript(node, self.value(inner), found)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return self._plain(node, self._all(e for e in (lower, upper, step) if e is not None))
            case ast.JoinedStr(values=parts):
                self._plain(node, self._all(parts))
                return SCALAR
            case ast.FormattedValue(value=inner):
                return self._plain(node, [self.value(inner)])
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return self._container(node, self._all(items))
            case ast.Dict(keys=keys, values=values) if None not in keys:
                return self._container(node, self._all([*(k for k in keys if k is not None), *values]))
            case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item):
                return self._comprehension(node, node.generators, [item])
            case ast.DictComp(key=key, value=item):
                return self._comprehension(node, node.generators, [key, item])
            case ast.BinOp(left=left, right=right):
                return self._operation(node, [self.value(left), self.value(right)])
            case ast.UnaryOp(operand=operand):
                return self._operation(node, [self.value(operand)])
            case ast.Compare(left=left, comparators=others):
                found = self._operation(node, [self.value(left), *self._all(others)])
                return SCALAR if found.kind == "data" else found
            case ast.BoolOp(values=values):
                return self._plain(node, self._all(values))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self._plain(node, [self.value(test)])
                return self.value(body).joined(self.value(orelse))
            case ast.Lambda():
                return self._lambda(node)
        return self.unknown(node, self._all(_expressions(node)))

    def unknown(self, node: ast.AST, parts: Iterable[Value], what: str = "") -> Value:
        """The value of a form that is not listed, of which ``parts`` are known."""
        original = any(p.original for p in parts)
        if self.around.checking and original:
            raise NoBranch(f"{what or 'code that is not known'} is given the frame, or columns of it")
        if self.around.checking and self.around.strict:
            line = getattr(node, "lineno", 0)
            raise NoBranch(f"what line {line} does before the filter is not known{what and ': ' + what}")
        return replace(UNKNOWN, original=original)

    def _all(self, nodes: Iterable[ast.expr]) -> list[Value]:
        return [self.value(n) for n in nodes]

    def _plain(self, node: ast.expr, parts: list[Value]) -> Value:
        if any(p.kind == "unset" for p in parts):
            return Value("unset")
        kinds = {p.kind for p in parts}
        if not kinds <= _PLAIN:
            return self.unknown(node, parts)
        return Value("pandas") if "pandas" in kinds else DATA if "data" in kinds else SCALAR

    def _container(self, node: ast.expr, parts: list[Value]) -> Value:
        if any(p.kind == "unset" for p in parts):
            return Value("unset")
        kinds = {p.kind for p in parts}
        if kinds <= _PLAIN:
            return DATA
        return self._together("columns", node, parts) if kinds <= _IN_COLUMNS else self.unknown(node, parts)

    def _operation(self, node: ast.expr, parts: list[Value]) -> Value:
        kinds = {p.kind for p in parts}
        if "column" in kinds and kinds <= _IN_COLUMNS:
            return self._together("column", node, parts)
        return self._plain(node, parts)

    def _together(self, kind: Kind, node: ast.expr, parts: Iterable[Value]) -> Value:
        """A value that the columns of all of ``parts`` are in."""
        parts = list(parts)
        found = Value(kind, any(p.original for p in parts), self.around.early or all(p.free for p in parts))
        if kind in _PLAIN:
            return Value(kind)
        if found.original and not found.free and self.around.checking:
            raise NoBranch("columns of the frame may be asked of the copy, which has others of these names")
        return found

    def _name(self, node: ast.Name) -> Value:
        for own in reversed(self._own):
            if node.id in own:
                return own[node.id]
        found = self.around.variable(node)
        if found.kind in ("data", "pandas", "columns") and not Containers.of(self.names).never_changed(node.id):
            return replace(found, free=False)  # a column of the copy may have been put into it
        return found

    def _attribute(self, node: ast.Attribute) -> Value:
        origin = self.names.resolve(node)
        if origin is not None:
            return SCALAR if is_constant(origin) else self.unknown(node, [], f"`{origin}`")
        owner, name = self.value(node.value), node.attr
        kind = forms.ATTRIBUTES.get(owner.kind, {}).get(name)
        if kind is None and not self.around.strict:
            kind = forms.WRITING_ATTRIBUTES.get(owner.kind, {}).get(name)
        if owner.kind == "unset":
            return owner
        if name in self.names.patches.methods or name.startswith("_"):
            return self.unknown(node, [owner], f"`{name}`")
        if kind is not None:
            return Value(kind) if kind in (*_PLAIN, "rdd") else replace(owner, kind=kind)
        if (owner.kind == "frame" and name not in FRAME_ATTRIBUTES) or (
            owner.kind == "column" and name not in _COLUMN_ATTRIBUTES
        ):
            return replace(owner, kind="column")
        if owner.kind == "data" and name not in _DATA_ATTRIBUTES:
            return DATA  # a field of a row
        return self.unknown(node, [owner], f"`{name}`")

    def _subscript(self, node: ast.expr, owner: Value, index: Value) -> Value:
        if owner.kind == "unset" or index.kind == "unset":
            return Value("unset")
        if owner.kind == "frame" and index.kind in _IN_COLUMNS:
            return self._together("column" if index.kind == "scalar" else "frame", node, [owner, index])
        if owner.kind in ("scalar", "data") and index.kind in ("scalar", "data"):
            return DATA
        if owner.kind in ("column", "pandas") and index.kind == "scalar":
            return owner
        return self.unknown(node, [owner, index])

    @contextmanager
    def _with(self, own: dict[str, Value]) -> Iterator[None]:
        self._own.append(own)
        try:
            yield
        finally:
            self._own.pop()

    def _comprehension(self, node: ast.expr, loops: list[ast.comprehension], items: list[ast.expr]) -> Value:
        own: dict[str, Value] = {}
        with self._with(own):
            for loop in loops:
                element = self.element(loop.iter)
                own.update(dict.fromkeys(bound_names([loop.target]), element))
                for test in loop.ifs:
                    self._plain(test, [self.value(test)])
            return self._container(node, self._all(items))

    def element(self, node: ast.expr) -> Value:
        """What a loop over ``node`` gives at each turn."""
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not any(isinstance(e, ast.Starred) for e in node.elts):
            found = Value("unset")
            for item in node.elts:
                found = found.joined(self.value(item))
            return found
        of = self.value(node)
        if isinstance(node, ast.Attribute) and node.attr == "columns" and of.kind == "data":
            return SCALAR
        if of.kind in ("unset", "scalar"):
            return of
        if of.kind != "data":
            return self.unknown(node, [of])
        counts = isinstance(node, ast.Call) and self.names.resolve(node.func) == "builtins.range"
        return SCALAR if counts else DATA

    def _lambda(self, node: ast.Lambda) -> Value:
        """A function that is handed over. It may read plain values only."""
        own = dict.fromkeys({p.arg for p in parameters(node)} | bound_names([node.body]), UNKNOWN)
        free: list[Value] = []
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id not in own and self.names.resolve(part) is None:
                free.append(self._name(part))
        plain = all(v.kind in ("scalar", "unset") for v in free)
        return Value("function") if plain and not node.args.defaults else self.unknown(node, free)

    def _call(self, call: ast.Call) -> Value:
        function = call.func
        arguments = self._all([*call.args, *(k.value for k in call.keywords)])
        starred = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
        origin = self._origin(function)
        if origin is not None:
            found = None if starred else self._of_module(call, origin, arguments)
            return found or self.unknown(call, arguments, f"`{origin}`")
        if isinstance(function, ast.Attribute):
            owner = self.value(function.value)
            if owner.kind == "unset":
                return owner
            found = None if starred else self._method(call, owner, function.attr, arguments)
            return found or self.unknown(call, [owner, *arguments], f"`{function.attr}`")
        if isinstance(function, ast.Name) and not starred:
            if self.around.is_udf(function) and all(a.kind in (*_IN_COLUMNS, "unset") for a in arguments):
                return self._together("column", call, arguments)
            found = self.around.called(function, call, arguments)
            return found or self.unknown(call, arguments, f"`{function.id}`")
        return self.unknown(call, [self.value(function), *arguments])

    def _origin(self, function: ast.expr) -> str | None:
        """Where a function comes from; a builtin one also below a star import that has no such name."""
        origin = self.names.resolve(function)
        if origin is None and isinstance(function, ast.Name) and hasattr(builtins, function.id):
            ctx, name = self.names.ctx, function.id
            if not ctx.bindings(name) and not any(star_may_bind(module, name) for module in ctx.star_modules):
                return f"builtins.{name}"
        return origin

    def _of_module(self, call: ast.Call, origin: str, arguments: list[Value]) -> Value | None:
        """What a function of a module gives; None if it is not listed."""
        kinds, unset = {a.kind for a in arguments} - {"unset"}, any(a.kind == "unset" for a in arguments)
        name = self.names.function(call.func)
        if name in forms.COLUMN_FUNCTIONS and kinds <= _IN_COLUMNS:
            return self._together("column", call, arguments)
        if name == "broadcast" and len(arguments) == 1 and kinds <= {"frame"}:
            return arguments[0]
        if window_member(origin) in forms.METHODS["window"] and kinds <= _IN_COLUMNS:
            return self._together("window", call, arguments)
        if origin.removesuffix(".getOrCreate") in BUILDERS and not self.around.strict:
            return Value("session") if origin not in BUILDERS else None
        if not kinds <= _PLAIN:
            return None
        if is_type(origin):
            return DATA
        module, _, plain = origin.partition(".")
        if module == "builtins" and all(k.arg in _BUILTIN_OPTIONS for k in call.keywords):
            kind = forms.BUILTINS.get(plain)
        else:
            kind = forms.FUNCTIONS.get(origin)
        return Value("unset") if unset and kind else Value(kind) if kind else None

    def _method(self, call: ast.Call, owner: Value, name: str, arguments: list[Value]) -> Value | None:
        """What a method gives; None if it is not listed."""
        if name in self.names.patches.methods:
            return None
        kinds = {a.kind for a in arguments} - {"unset"}
        if owner.kind == "session" and name == "sql":
            text = call.args[0] if len(call.args) == 1 and not call.keywords else None
            query = isinstance(text, ast.Constant) and isinstance(text.value, str) and self.is_query(text.value)
            return Value("frame", free=False) if query else None
        if owner.kind == "rdd" and name in _RDD_STEPS:
            return owner if kinds <= {"function"} else None
        kind = forms.METHODS.get(owner.kind, {}).get(name)
        if kind is None and not self.around.strict:
            kind = forms.WRITES.get(owner.kind, {}).get(name) or self._builder(call, name)
        if kind is None:
            return None
        parts = [owner, *arguments]
        if owner.kind == "frame" and name in forms.TWO_FRAMES:
            other = arguments[0] if arguments and call.args else UNKNOWN
            given = other.kind in ("frame", "unset") or (isinstance(call.args[0], ast.Name) and other.free)
            kinds = {a.kind for a in arguments[1:]} if given else {"unknown"}
        allowed = _IN_COLUMNS | {"window"} if owner.kind in _OF_FRAMES else _PLAIN
        if owner.kind in ("session", "reader"):
            allowed = _PLAIN
        if not kinds - {"unset"} <= allowed:
            return None
        found = self._together(kind, call, parts)
        return replace(found, free=False) if owner.kind in ("session", "reader") and kind == "frame" else found

    def _builder(self, call: ast.Call, name: str) -> Kind | None:
        """Whether ``call`` ends ``SparkSession.builder….getOrCreate()``."""
        node: ast.expr = call
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        return "session" if name == "getOrCreate" and self.names.resolve(node) in BUILDERS else None


_RDD_STEPS = frozenset("map flatMap filter mapValues flatMapValues keyBy".split())
"""Steps of an RDD that only note the function that they are given."""


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions right below ``node``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif not isinstance(child, (ast.expr_context, ast.operator)):
            yield from _expressions(child)
