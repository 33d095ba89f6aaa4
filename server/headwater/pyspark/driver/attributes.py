"""What ``self.df`` holds in a method, from where the method assigns it to where other code may see it.

Straight-line code only: ``self.df = self.df.groupBy(…).agg(…)``, ``self.df = self.df.filter(…)``. What was assigned has
one consumer if the next statements do nothing but read it and assign it anew; whatever else runs may read and bind it:
a call of what is not Spark's, a branch or a loop, ``self`` itself given away, the end of the method. One that was not
assigned here is a frame of unknown origin.
"""

from __future__ import annotations

import ast
from functools import cached_property

from headwater.pyspark.columns.determinism import METHODS
from headwater.pyspark.frames.tracked_values import Grouped, Rdd, TrackedFrame, Udf, Unknown, Value
from headwater.python.effects.sessions import BUILDERS
from headwater.syntax.names.pyspark_symbols import CALLING, function_of, is_type, window_member
from headwater.syntax.source.bindings import NESTED
from headwater_ir.assumptions import Assumption

from .variables import Variables

_BUILTINS = frozenset(f"builtins.{n}" for n in "len int float str bool range".split())
_COLUMN_METHODS = METHODS | frozenset(
    "over asc desc asc_nulls_first asc_nulls_last desc_nulls_first desc_nulls_last".split()
)
_OF_SESSIONS = frozenset(
    f"{builder}.{method}" for builder in BUILDERS for method in ("appName", "config", "getOrCreate", "master")
)
_RUNS_CODE = frozenset("transform foreachBatch".split())
"""Methods of a frame that call what they are given here and now."""
_OWN_ATTRIBUTES = ("__getattribute__", "__setattr__", "__slots__")
_PLAIN = (ast.Expr, ast.Return, ast.Pass, ast.Assign, ast.AnnAssign)


def _is_load(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


class Attributes(Variables):
    """The attributes of the object whose method it is, as variables that have a dot in their names."""

    itself: str | None = None
    """The first parameter of that method."""

    @cached_property
    def copies(self) -> dict[str, Value]:
        """What the method has assigned to attributes of the object."""
        return {}

    def belongs_to(self, owner: ast.ClassDef, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Note that it is the body of a method of ``owner``. What a decorated one is given is not known."""
        first = [*function.args.posonlyargs, *function.args.args][:1]
        special = function.name.startswith("__") and function.name not in ("__init__", "__call__", "__enter__")
        if first and not function.decorator_list and not special:
            self.owner, self.itself = owner, first[0].arg

    def is_itself(self, node: ast.AST) -> bool:
        """Whether ``node`` is the object whose method it is."""
        if self.owner is None or not isinstance(node, ast.Name) or node.id != self.itself:
            return False
        bound = self.lookup(node.id)
        value = bound.value if bound is not None and bound.frame is None else None
        return isinstance(value, Unknown) and value.why is None and value.origin == f"parameter {node.id}"

    def attribute(self, node: ast.AST) -> str | None:
        """The attribute of the object that ``node`` is, as a name; None if it is none."""
        if isinstance(node, ast.Attribute) and self.is_itself(node.value):
            return f"{self.itself}.{node.attr}"
        return None

    def may_hold(self, node: ast.Attribute, value: Value) -> bool:
        """Whether what ``value`` is assigned to is a plain attribute, to follow what it holds."""
        if self.owner is None or self.names.reflective or not isinstance(value, TrackedFrame):
            return False
        ctx, where = self.names.ctx, f"`{node.attr}` of `{self.owner.name}`"
        return ctx.plain_attribute((self.owner, node.attr)) and ctx.trusts(
            f"{where} is a plain attribute, which nobody else uses while a method assigns it"
        )

    def note_copy(self, s: ast.Assign, attribute: str, value: Value) -> None:
        """Note that ``self.name = parameter`` gives a value another name, until the method assigns that anew."""
        self.copies.pop(attribute, None)
        if self.owner is None or not any(t is s for t in self.body):
            return
        name, nodes = attribute.partition(".")[2], [n for t in self.body for n in ast.walk(t)]
        stores = [n for n in nodes if isinstance(n, ast.Attribute) and n.attr == name and not _is_load(n)]
        plain = [n for n in nodes if isinstance(n, ast.Assign) and len(n.targets) == 1 and n.targets[0] in stores]
        said = (self.names.ctx.class_binds((self.owner, n)) for n in (name, *_OWN_ATTRIBUTES))
        if len(plain) == len(stores) and not any(said):
            self.copies[attribute] = value

    def _object(self, node: ast.expr) -> tuple[Value | None, Assumption | None]:
        attribute = self.attribute(node)
        if attribute is None:
            return super()._object(node)
        text = f"`{attribute}` is a plain attribute, which nothing else assigns before its type is checked"
        return self.copies.get(attribute), Assumption("program", text)

    def seen_by_others(self) -> None:
        """Code that is not followed may read and bind every attribute."""
        for name in [n for n in self.env if "." in n]:
            binding = self.env.pop(name)
            if isinstance(binding.value, (TrackedFrame, Grouped, Rdd)):
                self.world.read(binding.ident, 2)

    def before_statement(self, s: ast.stmt) -> None:
        """Note that ``s`` begins, perhaps several ways."""
        if not isinstance(s, _PLAIN):
            self.seen_by_others()

    def after_statement(self, s: ast.stmt) -> None:
        """Note what else than to evaluate its expressions ``s`` may do."""
        targets = s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, ast.AnnAssign) else []
        plain = isinstance(s, _PLAIN) and all(isinstance(t, ast.Name) for t in targets)
        followed = isinstance(s, ast.Assign) and len(targets) == 1 and self.attribute(targets[0])
        if self.owner is not None and not plain and not followed:
            self.seen_by_others()

    def after_expression(self, node: ast.expr, receiver: Value | None = None) -> None:
        """Note that ``node`` was evaluated; ``receiver``: of a method call."""
        if self.owner is None:
            return
        if isinstance(node, ast.Call):
            told = not self._is_sparks(node, receiver)
        elif isinstance(node, NESTED):
            told = any(isinstance(n, ast.Name) and n.id == self.itself for n in ast.walk(node))
        elif isinstance(node, ast.Attribute):
            told = any("." in name for name in self.env) and not self._is_only_read(node)
        else:
            told = isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)) or self.is_itself(node)
        if told:
            self.seen_by_others()

    def _is_only_read(self, node: ast.Attribute) -> bool:
        """Whether reading ``node`` runs no code, as a property would."""
        if self.owner is not None and self.is_itself(node.value):
            return self.names.ctx.plain_attribute((self.owner, node.attr))
        bound = self.lookup(node.value.id) if isinstance(node.value, ast.Name) else None
        return (bound is not None and bound.is_frame) or self.names.resolve(node) is not None

    def _is_sparks(self, node: ast.Call, receiver: Value | None) -> bool:
        """Whether nothing but Spark, or the language itself, runs in the call ``node``."""
        origin = self.names.resolve(node.func) or ""
        if origin in _BUILTINS or is_type(origin) or window_member(origin) or origin in _OF_SESSIONS:
            return True
        function = function_of(origin)
        if function is not None:
            return function.name not in CALLING
        if not isinstance(node.func, ast.Attribute) or node.func.attr in _RUNS_CODE:
            return False
        if isinstance(receiver, (TrackedFrame, Grouped, Rdd, Udf)):
            return True
        owner = node.func.value
        return node.func.attr in _COLUMN_METHODS and self._is_column(owner)

    def _is_column(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Call):
            return False
        if function_of(self.names.resolve(node.func) or "") is not None:
            return True
        func = node.func
        return isinstance(func, ast.Attribute) and func.attr in _COLUMN_METHODS and self._is_column(func.value)
