"""What the variables of one scope hold while its code is followed.

One under ``global``, ``nonlocal`` or ``:=`` always holds something unknown. Nothing is ever run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext, ModuleAnalysis
from headwater.pyspark.api.merging import merged
from headwater.pyspark.columns.udf import udf_of_call, udf_of_definition
from headwater.pyspark.frames.annotations import by_annotation, says_frame
from headwater.pyspark.frames.identities import WAYS
from headwater.pyspark.frames.tracked_values import (
    Binding,
    Grouped,
    Rdd,
    TrackedFrame,
    Udf,
    Unevaluated,
    Unknown,
    Value,
)
from headwater.pyspark.frames.uses_found import Site
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import names_in
from headwater.syntax.source.bindings import asked_for_columns, bound_names, captured_names
from headwater_ir.assumptions import Assumption


def _as_frame(value: Value, assumed: Assumption | None, names: Names) -> Unknown | None:
    """``value`` as one that is known to be a frame; None if it is known to be something else, or what it is."""
    match value:
        case Unknown(never_frame=False, why=None):
            return replace(value, is_frame=True, assumed=assumed)
        case Unevaluated(node=ast.Call() as call):
            return Unknown(f"the result of `{names.ctx.text(call.func)}`", is_frame=True, assumed=assumed)
    return None


class Variables(ApiContext):
    """The variables of one module or function body."""

    def __init__(
        self,
        world: ModuleAnalysis,
        body: list[ast.stmt],
        arguments: list[ast.arg],
        *,
        is_module: bool = False,
        is_class: bool = False,
    ) -> None:
        self.world, self.names = world, world.names
        self.body = body
        self.is_module = is_module
        self.is_class = is_class
        self.env: dict[str, Binding] = {}
        self.outer: dict[str, Binding] = {}
        self.own = frozenset(bound_names(body)) - {a.arg for a in arguments}
        self.local = bound_names(body) | {a.arg for a in arguments}
        self.loops: tuple[int, ...] = ()
        self.place: tuple[int, ...] = ()
        """The calls that are followed to here."""
        self.following: tuple[ast.AST, ...] = ()
        """The functions that are followed to here."""
        self.log: list[Binding] = []
        """Every assignment so far, in order."""
        self.seen: set[int] = set()
        """The names in expressions that were evaluated, by identity."""
        self.transformed: dict[int, TrackedFrame] = {}
        """The calls of a method ``transform`` of what is no frame with one, by identity."""
        self.merged = {name: world.fresh(WAYS + name) for name in sorted(self.local)}
        """Counts reads of a variable where several assignments of it may meet; such a read consumes each of them."""
        for argument in arguments:
            self.bind(argument.arg, self._parameter(argument))

    def _parameter(self, argument: ast.arg) -> Value:
        origin = f"parameter {argument.arg}"
        if argument.annotation is None:
            return Unknown(origin)
        annotation = argument.annotation
        if says_frame(annotation, self.names):
            return Unknown(origin, is_frame=True, assumed=by_annotation(f"`{argument.arg}`"))
        known = self.names.resolve(annotation) or ""
        return Unknown(origin, never_frame=known.startswith(("pandas.", "polars.", "builtins.", "numpy.")))

    # --- variables

    def bind(self, name: str, value: Value) -> Binding:
        """Assign ``value`` to ``name``."""
        binding = Binding(name, self.world.fresh(name), value, self.loops)
        if isinstance(value, Unevaluated):
            read = names_in(value.node)
            binding.seen = {n: found.ident for n in read if (found := self.lookup(n)) is not None}
        self.env[name] = binding
        self.log.append(binding)
        # What a class body binds is an attribute that any code may read; `eval` and its like read anything.
        if isinstance(value, (TrackedFrame, Grouped, Rdd)) and (self._seen_elsewhere(name) or self.names.reflective):
            self.world.read(binding.ident, 2, Site("inside", name))
        if isinstance(value, TrackedFrame) and self._described_elsewhere(name):
            self.world.uses.described(value)
        return binding

    def bindings_of(self, name: str) -> list[Binding]:
        return [b for b in self.log if b.name == name]

    def _seen_elsewhere(self, name: str) -> bool:
        captured = self.world.captured
        if not self.is_class and id(self.body) not in captured:
            captured[id(self.body)] = captured_names(self.body) - asked_for_columns(self.body)
        return self.is_class or captured[id(self.body)][name] > 0

    def _described_elsewhere(self, name: str) -> bool:
        """Whether functions inside this scope, or readers of an attribute, may ask for the columns of a variable."""
        described = self.world.described
        if not self.is_class and id(self.body) not in described:
            described[id(self.body)] = asked_for_columns(self.body)
        return self.is_class or described[id(self.body)][name] > 0

    def forget(self, names: set[str], why: str, *, in_loop: bool = False) -> None:
        """What ``names`` hold from here on is not known. ``in_loop``: a loop assigns them."""
        for name in sorted(names):
            self.bind(name, Unknown(f"variable {name}", why, in_loop=in_loop))

    def narrow(self, nodes: Iterable[ast.expr]) -> dict[str, Binding]:
        """From here on each of ``nodes`` is a frame of Spark's, for a check of its type says so, and so is every other
        variable that holds the same object. The assignments that this takes the place of."""
        before: dict[str, Binding] = {}
        for node in () if self.names.reflective else nodes:
            value, assumed = self._object(node)
            known = None if value is None else _as_frame(value, assumed, self.names)
            for name, other in [*self.env.items()] if known is not None else ():
                if other.value is value and known is not None:
                    before.setdefault(name, other)
                    self.env[name] = replace(other, value=known, frame=None)
                    self.log.append(self.env[name])
        return before

    def _object(self, node: ast.expr) -> tuple[Value | None, Assumption | None]:
        """What ``node`` evaluates to, where a check of its type speaks of variables, and what that rests on."""
        if not isinstance(node, ast.Name) or node.id in self.names.rebound:
            return None, None
        bound = self.env.get(node.id)
        return (None if bound is None else bound.value), None

    def meet(self, names: set[str], ways: Sequence[Sequence[Binding]], why: str, at: ast.AST) -> None:
        """Code follows that several ways lead to; in each of ``ways`` one of its assignments holds, or is unbound."""
        for name in sorted(names):
            found = list({id(b): b for way in ways for b in way if b.name == name}.values())
            if len(found) == 1:
                self.env[name] = found[0]
            else:
                self.bind(name, merged(found, name, why, self.names.ctx.span(at), self)).meets = True

    def values_of(self, names: set[str], env: Mapping[str, Binding]) -> list[Binding]:
        """What ``names`` hold in ``env``. One that is surely unbound there is left out: reading it fails."""
        own = not self.is_module and not self.is_class and not self.names.reflective
        unsure = (n for n in names if n not in env and not (own and n in self.local))
        fresh = self.world.fresh_value
        unknown = [Binding(n, fresh(), Unknown(f"variable {n}", "bound elsewhere")) for n in sorted(unsure)]
        return [*(env[n] for n in sorted(names) if n in env), *unknown]

    def lookup(self, name: str) -> Binding | None:
        if name in self.names.rebound:
            return self.outer.setdefault(
                name, Binding(name, self.world.fresh_value(), Unknown(f"variable {name}", "rebound"))
            )
        if name in self.env:
            return self.env[name]
        if name in self.local:
            return None
        if name not in self.outer:
            found = self._global(name)
            if found is None:
                return None
            self.outer[name] = found
        return self.outer[name]

    def _global(self, name: str) -> Binding | None:
        """A name from outside: one that is bound once, and so has one value, or something unknown."""
        ctx = self.names.ctx
        once = ctx.times_bound(name) + (name in self.names.imported) == 1
        if self.is_module or not once or self.names.reflective:
            if not ctx.times_bound(name):
                return None
            return Binding(name, self.world.fresh_value(), Unknown(f"variable {name}", "bound elsewhere"))
        constant = ctx.constant(name)
        value: Value = Unevaluated(constant) if constant is not None else Unknown(f"variable {name}")
        if isinstance(constant, ast.Call) and (udf := self._made_udf(constant)):
            value = udf
        return Binding(name, self.world.global_ident(name), value)

    def snapshot(self) -> dict[str, int]:
        return {name: binding.ident for name, binding in self.env.items()}

    def _made_udf(self, call: ast.Call) -> Udf | None:
        try:
            return udf_of_call(call, self.names)
        except Refusal:
            return None

    def udf(self, node: ast.expr) -> Udf | None:
        made = node.func if isinstance(node, ast.Call) else node
        if isinstance(made, ast.Attribute) and made.attr == "asNondeterministic":
            raise Refusal("volatile", "the UDF is marked as nondeterministic", node)
        if isinstance(node, ast.Call):
            return udf_of_call(node, self.names)
        if not isinstance(node, ast.Name):
            return None
        definition = self.names.ctx.function(node.id)
        if definition is not None and node.id not in self.names.imported:
            return udf_of_definition(definition, self.names)
        bound = self.lookup(node.id)
        if bound is None or node.id in self.names.rebound:
            return None
        if isinstance(bound.value, Udf):
            return bound.value
        if isinstance(bound.value, Unevaluated) and isinstance(bound.value.node, ast.Call):
            udf = udf_of_call(bound.value.node, self.names)
            if "asNondeterministic" in self.names.ctx.text(bound.value.node):
                raise Refusal("volatile", f"`{node.id}` is marked as nondeterministic", node)
            return udf
        return None
