"""The program that a data source is written in, with the outside around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from headwater.validation.definitions import Definitions
from headwater.validation.library import TABLE, is_plain
from headwater.validation.limits import Meter, NotEvaluated
from headwater.validation.program import Binding, Chain, Program
from headwater.validation.statements import Step
from headwater.validation.values import Instance, UserClass
from headwater.validation.variables import Code, Frame, Scope
from headwater.validation.world import World

from . import arrow
from .databases import MODULES as DATABASES
from .databases import Managed, imported_of
from .outside import Outer, Outside, Silent
from .spark_objects import IMPORTED, Native, SparkType, StructType, TypeClass, text_of

_UNSEEN = ("__repr__", "__str__", "__del__")
"""Methods that nothing calls which is evaluated."""


class Statements(Definitions):
    """Compiles what data sources have besides: ``with``, data classes, and whatever touches the outside."""

    world: SourceWorld

    def attribute(self, value: Any, name: str) -> Any:
        if name == "__name__" and isinstance(value, UserClass):
            return value.name
        if name == "__class__" and isinstance(value, Instance):
            return value.kind
        found = super().attribute(value, name)
        if name == "join" and isinstance(value, str):
            return Native(lambda parts: found([*self.iterate(parts)]))
        return found

    def call(self, function: Any, args: list[Any], named: dict[str, Any]) -> Any:
        if (
            (function is str or function is repr)
            and len(args) == 1
            and not named
            and (text := text_of(args[0])) is not None
        ):
            return text
        return super().call(function, args, named)

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        if isinstance(owner, (Outside, Managed)):
            owner.set(name, value)
        else:
            super().set_attribute(owner, name, value)

    def _formattedvalue(self, node: ast.FormattedValue, scope: Scope | None, chain: Chain) -> Code:
        plain, value = super()._formattedvalue(node, scope, chain), self.expression(node.value, scope, chain)
        if any(isinstance(n, (ast.Call, ast.NamedExpr)) for n in ast.walk(node.value)):
            return plain  # is evaluated once

        def run(frame: Frame) -> Any:
            given = value(frame)
            if isinstance(given, Outside) and given.row is None:
                return f"<{given.path}>"
            text = text_of(given) if node.format_spec is None else None
            return plain(frame) if text is None else text

        return run

    def statement(self, node: ast.stmt, scope: Scope | None, chain: Chain) -> Step:
        step, at = super().statement(node, scope, chain), (node.lineno, node.col_offset)
        if id(node) not in self.world.traced:
            return step
        executed = self.world.executed

        def run(frame: Frame) -> Any:
            executed.add(at)
            return step(frame)

        return run

    def _with(self, node: ast.With, scope: Scope | None, chain: Chain) -> Step:
        items = [
            (
                self.expression(i.context_expr, scope, chain),
                self.target(i.optional_vars, scope, chain) if i.optional_vars is not None else None,
            )
            for i in node.items
        ]
        body = self.block(node.body, scope, chain)

        def run(frame: Frame) -> Any:
            for code, store in items:
                context = code(frame)
                if not isinstance(context, (Outside, Managed)) or "suppress" in getattr(context, "path", ""):
                    raise NotEvaluated("a context that is not known, or hides errors")
                if store is not None:
                    store(frame, context)
            return body(frame)

        return run

    def class_code(self, node: ast.ClassDef, scope: Scope | None, chain: Chain, mine: bool = False) -> Code:
        if not node.decorator_list:
            return super().class_code(node, scope, chain, mine)
        if not _is_dataclass(node.decorator_list[0]) or len(node.decorator_list) > 1:
            return self.refused(f"the class `{node.name}` is decorated")
        code = super().class_code(node, scope, chain, True)
        names = [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]

        def make(frame: Frame) -> UserClass:
            made: UserClass = code(frame)
            if made.bases and any(b.fields for b in made.bases):
                raise NotEvaluated("a data class of another one")
            defaults = {n: made.members[n] for n in names if n in made.members}

            def init(self: Instance, *args: Any, **named: Any) -> None:
                given = {**defaults, **dict(zip(names, args, strict=False)), **named}
                if {*given} != {*names} or len(args) > len(names):
                    raise TypeError("missing arguments")
                if any(isinstance(given[n], Outside) and n in defaults for n in names):
                    raise NotEvaluated("the default of a data class")
                self.names.update(given)

            made.members["__init__"], made.fields = Native(init), tuple(names)
            return made

        return make

    def _method(self, node: ast.FunctionDef, scope: Scope | None, kind: list[UserClass], chain: Chain) -> Step:
        if node.name in _UNSEEN:
            return lambda _: None
        kept = [d for d in node.decorator_list if not _is_unseen(d)]
        if len(kept) < len(node.decorator_list):
            changed = ast.FunctionDef(node.name, node.args, node.body, kept, node.returns)
            return super()._method(ast.copy_location(changed, node), scope, kind, chain)
        return super()._method(node, scope, kind, chain)


def _is_dataclass(node: ast.expr) -> bool:
    of = node.func if isinstance(node, ast.Call) else node
    return (of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")) == "dataclass"


def _is_unseen(node: ast.expr) -> bool:
    """A decorator that changes nothing: ``@override``, ``@abstractmethod``."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in ("override", "abstractmethod")


class SourceWorld(World):
    """Evaluates parts of the program beside ``outer``."""

    compiler = Statements
    outer: Outer

    def __init__(self, program: Program, meter: Meter) -> None:
        super().__init__(program, meter)
        self.traced: set[int] = set()
        self.executed: set[tuple[int, int]] = set()
        """Of the statements ``traced``, by identity, the places of those that have run."""
        self._own = {
            "isinstance": Native(_isinstance), "type": Native(self._type), "getattr": Native(self._getattr),
            "hasattr": Native(self._hasattr), "issubclass": Native(_issubclass),
        }  # fmt: skip

    def begin(self, outer: Outer) -> None:
        """A new run."""
        self.start({})
        self.outer = outer

    def iterated(self, value: Any) -> Iterator[Any]:
        """The elements of a value."""
        return self._run.iterate(value)

    def lookup(self, name: str, chain: Chain) -> Any:
        scopes = (*chain, self.program.tree)
        bound = [b for scope in scopes for b in self.program.bindings(scope).get(name, ())]
        if not bound:
            if name in self._own:
                return self._own[name]
            if name == "__name__":
                return "__main__"
            if f"builtins.{name}" not in TABLE and name in _OUTER_BUILTINS:
                return Outside(self.outer, name)
        known = {b.value for b in bound if isinstance(b.value, str)}
        if len(bound) > 1 and len(known) == 1 and known <= {*IMPORTED} and all(map(_is_stand_in, bound)):
            return IMPORTED[known.pop()]
        return super().lookup(name, chain)

    def _bound(self, name: str, binding: Binding, chain: Chain) -> Any:
        value = binding.value
        if isinstance(value, ast.ClassDef) and value.decorator_list:
            return self.value(value)
        return super()._bound(name, binding, chain)

    def imported(self, full: str) -> Any:
        if full in IMPORTED:
            return IMPORTED[full]
        if full == "logging" or full.startswith(("logging.", "warnings.")):
            return Silent()
        if (known := arrow.imported_of(full, self.outer)) is not None:
            return known
        if full.partition(".")[0] in DATABASES or full == "contextlib.closing":
            return imported_of(full, self.outer)
        try:
            return super().imported(full)
        except NotEvaluated:
            return Module(self, full)

    def _type(self, *args: Any) -> Any:
        (value,) = args
        if isinstance(value, Instance):
            return value.kind
        if isinstance(value, SparkType):
            return IMPORTED[f"pyspark.sql.types.{value.name}"]
        return self._run.call(TABLE["builtins.type"].function, [value], {})

    def _getattr(self, value: Any, name: Any, *default: Any) -> Any:
        if not isinstance(name, str):
            raise TypeError("attribute name must be string")
        try:
            return self._run.attribute(value, name)
        except AttributeError:
            if default:
                return default[0]
            raise

    def _hasattr(self, value: Any, name: Any) -> bool:
        if not isinstance(value, Instance) and not is_plain(value):
            raise NotEvaluated("what attributes a value has")
        try:
            self._run.attribute(value, name)
        except AttributeError:
            return False
        return True


def _is_stand_in(binding: Binding) -> bool:
    """An import, or what stands for what is imported where that is not installed."""
    return isinstance(binding.value, (str, ast.Constant))


_OUTER_BUILTINS = ("open", "input")


class Module(Outside):
    """A module or a name of one, of which nothing is known."""

    def __init__(self, world: SourceWorld, full: str) -> None:
        super().__init__(world.outer, full)
        self.world = world

    def attribute(self, name: str) -> Any:
        return self.world.imported(f"{self.path}.{name}")

    def __call__(self, *args: Any, **named: Any) -> Any:
        made = super().__call__(*args, **named)
        made.text = self.path in _OF_TEXTS
        return made


_OF_TEXTS = ("csv.DictReader",)
"""Makers of rows whose values are all texts."""


def _isinstance(value: Any, kinds: Any) -> bool:
    return any(_is_one(value, kind) for kind in _flat(kinds))


def _flat(kinds: Any) -> list[Any]:
    if not isinstance(kinds, tuple):
        return [kinds]
    return [one for kind in kinds for one in _flat(kind)]


def _is_one(value: Any, kind: Any) -> bool:
    if isinstance(value, (Outside, Managed)) or isinstance(kind, (Outside, Managed)):
        raise NotEvaluated("`isinstance` of a value that is not known")
    if isinstance(kind, UserClass):
        return isinstance(value, Instance) and value.kind.is_a(kind)
    if isinstance(kind, TypeClass):
        return isinstance(value, SparkType) and value.name == kind.name
    if isinstance(kind, type) and is_plain(value):
        return isinstance(value, kind)
    if isinstance(kind, type) and isinstance(value, (Instance, SparkType, StructType)):
        return False
    raise NotEvaluated("`isinstance` of a value that is not Python's own")


def _issubclass(*_: Any) -> bool:
    raise NotEvaluated("`issubclass`")
