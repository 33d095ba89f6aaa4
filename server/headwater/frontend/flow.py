"""Following the code of one scope, statement by statement, with what each variable holds.

Straight-line code is followed exactly. A variable that a branch, loop, ``try`` or ``with`` may rebind holds something
unknown afterwards; one under ``global``, ``nonlocal`` or ``:=`` always does. Nothing is ever run.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater_ir.plan import UNKNOWN_SCHEMA, Opaque, Plan, Scan, Shared

from . import dataframe, groupby, rdd, udtf
from .bindings import bound_names, captured_names, head_targets, parameters
from .context import Refusal, star_may_bind
from .names import looks_at_scope
from .sources import read_source
from .spark_names import FRAME_ATTRIBUTES
from .udf import udf_of_call, udf_of_definition
from .values import Binding, Frame, Grouped, Rdd, TableArgument, Text, Udf, Unknown, Value, has_boundary, origin
from .world import Reader, World

_NO_DATA = frozenset("columns schema dtypes printSchema explain isStreaming sparkSession".split())
"""Attributes of a frame that tell of its columns only, which no pre-filter changes."""

_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


class Scope(Reader):
    """One module or function body."""

    def __init__(
        self,
        world: World,
        body: list[ast.stmt],
        arguments: list[ast.arg],
        *,
        is_module: bool = False,
        is_class: bool = False,
    ) -> None:
        self.world = world
        self.body = body
        self.is_module = is_module
        self.is_class = is_class
        self.env: dict[str, Binding] = {}
        self.outer: dict[str, Binding] = {}
        self.local = bound_names(body) | {a.arg for a in arguments}
        self.loops: tuple[int, ...] = ()
        self.merged = {name: world.fresh() for name in sorted(self.local)}
        """Counts reads of a variable where several assignments of it may meet; such a read consumes each of them."""
        for argument in arguments:
            self.bind(argument.arg, self._parameter(argument))

    def _parameter(self, argument: ast.arg) -> Unknown:
        origin = f"parameter {argument.arg}"
        if argument.annotation is None:
            return Unknown(origin)
        annotation = argument.annotation
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            return Unknown(origin)
        known = self.names.resolve(annotation) or ""
        return Unknown(origin, never_frame=known.startswith(("pandas.", "polars.", "builtins.", "numpy.")))

    # --- variables

    def bind(self, name: str, value: Value) -> Binding:
        """Assign ``value`` to ``name``."""
        binding = Binding(name, self.world.fresh(), value, self.loops)
        if isinstance(value, Text):
            read = {n.id for n in ast.walk(value.node) if isinstance(n, ast.Name)}
            binding.seen = {n: found.ident for n in read if (found := self.lookup(n)) is not None}
        self.env[name] = binding
        # What a class body binds is an attribute that any code may read; `eval` and its like read anything.
        if isinstance(value, (Frame, Grouped, Rdd)) and (self._seen_elsewhere(name) or self.names.reflective):
            self.world.read(binding.ident, 2)
        return binding

    def _seen_elsewhere(self, name: str) -> bool:
        captured = self.world.captured
        if id(self.body) not in captured:
            captured[id(self.body)] = captured_names(self.body)
        return self.is_class or captured[id(self.body)][name] > 0

    def forget(self, names: set[str], why: str) -> None:
        """What ``names`` hold from here on is not known."""
        for name in sorted(names):
            self.bind(name, Unknown(f"variable {name}", why))

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
        once = len(ctx.bindings(name)) + (name in self.names.imported) == 1
        if self.is_module or not once or self.names.reflective:
            if not ctx.bindings(name):
                return None
            return Binding(name, self.world.fresh_value(), Unknown(f"variable {name}", "bound elsewhere"))
        constant = ctx.constant(name)
        value: Value = Text(constant) if constant is not None else Unknown(f"variable {name}")
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
        if isinstance(node, ast.Attribute) and node.attr == "asNondeterministic":
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
        if isinstance(bound.value, Text) and isinstance(bound.value.node, ast.Call):
            made = udf_of_call(bound.value.node, self.names)
            if "asNondeterministic" in self.names.ctx.text(bound.value.node):
                raise Refusal("volatile", f"`{node.id}` is marked as nondeterministic", node)
            return made
        return None

    # --- statements

    def run(self) -> None:
        """Follow the whole body."""
        self.block(self.body)

    def block(self, statements: list[ast.stmt]) -> None:
        """Follow statements one after the other."""
        for statement in statements:
            self.statement(statement)

    def statement(self, s: ast.stmt) -> None:
        """Follow one statement."""
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, s.lineno, self.eval(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._assign(name, s.lineno, self.eval(value))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._definition(s)
            case ast.ClassDef():
                self._class(s)
            case ast.If(test=test, body=body, orelse=orelse):
                self.eval(test)
                self._branches([body, orelse], s)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(s)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self._branches([body, *(h.body for h in handlers), orelse], s)
                self.block(final)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    self.eval(item.context_expr)
                self._branches([body], s)
            case ast.Match(subject=subject, cases=cases):
                self.eval(subject)
                guarded = ([ast.Expr(c.guard), *c.body] if c.guard else c.body for c in cases)
                self._branches(list(guarded), s)
            case _:
                self._other(s)

    def _assign(self, name: str, line: int, value: Value) -> None:
        self.bind(name, value)
        if isinstance(value, Frame):
            self.world.frames.append((name, line - 1, value.schema, origin(value.plan)))

    def _other(self, s: ast.stmt) -> None:
        # `a = b = df…` makes two names of one frame: both are consumers.
        shared = isinstance(s, ast.Assign)
        if isinstance(s, ast.ImportFrom) and any(a.name == "*" for a in s.names):
            module = "." * s.level + (s.module or "")
            self.forget({n for n in self.env if star_may_bind(module, n)}, "a star import may bind it")
        for child in ast.iter_child_nodes(s):
            if isinstance(child, ast.expr):
                self.eval(child)
        self.forget(
            bound_names([s]), "assigned together with others" if shared else "bound in a way that is not followed"
        )

    def _definition(self, s: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for e in (*s.decorator_list, *s.args.defaults, *(d for d in s.args.kw_defaults if d)):
            self.eval(e)
        Scope(self.world, s.body, parameters(s)).run()
        self.bind(s.name, Unknown(f"function {s.name}", "a function", never_frame=True))

    def _class(self, s: ast.ClassDef) -> None:
        for e in (*s.decorator_list, *s.bases):
            self.eval(e)
        Scope(self.world, s.body, [], is_class=True).run()
        self.bind(s.name, Unknown(f"class {s.name}", "a class", never_frame=True))

    def _branches(self, blocks: list[list[ast.stmt]], whole: ast.stmt) -> None:
        """Each block starts from here; afterwards nothing is known of what any of them binds."""
        before = dict(self.env)
        bound = bound_names([whole])
        for number, block in enumerate(blocks):
            self.env = dict(before)
            if isinstance(whole, ast.Try) and number > 0:
                self.forget(bound, "assigned where an exception may have come before")
            elif isinstance(whole, (ast.With, ast.AsyncWith, ast.Match)):
                self.forget(bound - bound_names(block), "bound by the statement")
                self.forget(bound_names([whole]) & head_targets(whole), "bound by the statement")
            self.block(block)
        self.env = before
        self.forget(bound, "assigned in a branch")

    def _loop(self, s: ast.For | ast.AsyncFor | ast.While) -> None:
        """A body may run any number of times: what it binds is not known when it starts nor when it ends."""
        if not isinstance(s, ast.While):
            self.eval(s.iter)
        self.loops = (*self.loops, self.world.fresh())
        self.forget(bound_names([s]), "assigned in a loop")
        targets = set() if isinstance(s, ast.While) else bound_names([s.target])
        for name in sorted(targets):
            self.bind(name, Unknown(f"variable {name}"))
        if isinstance(s, ast.While):
            self.eval(s.test)
        self.block(s.body)
        self.loops = self.loops[:-1]
        self.forget(bound_names([s]), "assigned in a loop")
        self.block(s.orelse)
        self.forget(bound_names(s.orelse), "assigned in a branch")

    # --- expressions

    def eval(self, node: ast.expr) -> Value:
        """What ``node`` evaluates to; counts every frame that it consumes, and finds the filters in it."""
        match node:
            case ast.Name():
                return self._read(node)
            case ast.Call():
                return self._call(node)
            case ast.Attribute(attr="rdd"):
                owned = self._receiver(node.value, "rdd")
                if isinstance(owned, Frame):
                    return rdd.of_frame(owned, node, self)
                return Unknown("an RDD", never_frame=True)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if self._frame_named(owner):
                if attr not in FRAME_ATTRIBUTES:
                    return Unknown("a Column", "a column")
                if attr not in _NO_DATA:
                    self.eval(node.value)
                return Unknown(f"the attribute `{attr}`", never_frame=True)
            case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str())) if self._frame_named(owner):
                return Unknown("a Column", "a column")
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                # What they read was counted when it was bound; no filter inside one is followed.
                return Text(node)
            case ast.Attribute() | ast.Subscript() | ast.IfExp() | ast.Await():
                parts = [self.eval(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                if parts and _no_frame(node, parts[0]):
                    return Unknown(f"the expression `{self.names.ctx.text(node)}`", never_frame=True)
                return Unknown(f"the expression `{self.names.ctx.text(node)}`") if _is_place(node) else Text(node)
        for part in ast.iter_child_nodes(node):
            for child in [part] if isinstance(part, ast.expr) else ast.walk(part):
                if isinstance(child, ast.expr):
                    self.eval(child)
        return Text(node)

    def _frame_named(self, name: str) -> bool:
        bound = self.lookup(name)
        return bound is not None and (bound.frame is not None or isinstance(bound.value, Frame))

    def _read(self, node: ast.Name) -> Value:
        bound = self.lookup(node.id)
        if bound is None:
            return Unknown(f"variable {node.id}")
        # Read in a loop that it was not bound in, it is consumed again and again.
        times = 1 if self.loops == bound.loops[: len(self.loops)] else 2
        self.world.read(bound.ident, times)
        value = bound.value
        together = self.merged.get(node.id, 0)
        if isinstance(value, Unknown) and value.why:
            self.world.read(together, 2)
        total = self.world.total_reads
        many = total.get(bound.ident, 0) + total.get(together, 0)
        if many > 1 and isinstance(value, Frame) and has_boundary(value.plan):
            return replace(value, plan=Shared(value.plan, many, self.names.ctx.span(node)))
        if many > 1 and isinstance(value, Grouped):
            return replace(value, refusal=Refusal("shared-subplan", f"`{node.id}` is aggregated more than once"))
        if many > 1 and isinstance(value, Rdd):
            return replace(value, refusal=Refusal("shared-subplan", f"`{node.id}` is used more than once"))
        return bound.frame or value

    def _call(self, node: ast.Call) -> Value:
        if looks_at_scope(node):
            self.forget(set(self.env), "code that is not here may bind it")
        source = read_source(node, self)
        if source is not None or not isinstance(node.func, ast.Attribute):
            given = self._arguments(node)
            return source if source is not None else self._plain_call(node, given)
        method = node.func.attr
        if method in _NO_DATA and isinstance(node.func.value, ast.Name) and self._frame_named(node.func.value.id):
            return Unknown(f"the result of `{method}`")
        if isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "na":
            frame = self._receiver(node.func.value.value, "dropna")
            self._arguments(node)
            return dataframe.na_method(frame, node, self) if isinstance(frame, Frame) else Text(node)
        receiver = self._receiver(node.func.value, method)
        given = self._arguments(node)
        if isinstance(receiver, Frame):
            return dataframe.method(receiver, node, self, given)
        if isinstance(receiver, TableArgument):
            return udtf.method(receiver, node, self)
        if isinstance(receiver, Grouped):
            return groupby.method(receiver, node, self)
        if isinstance(receiver, Rdd):
            return rdd.method(receiver, node, self)
        if isinstance(receiver, Unknown) and receiver.never_frame:
            return Unknown(receiver.origin, never_frame=True)
        return self._plain_call(node, given)

    def _plain_call(self, node: ast.Call, given: list[Value]) -> Value:
        table = next((v for v in given if isinstance(v, TableArgument)), None)
        if table is not None:
            return udtf.call_with_table(table, node, self)
        if self.names.function(node.func) == "broadcast" and given and isinstance(given[0], Frame):
            return given[0]  # a hint, and the same rows
        made = self._made_udf(node)
        return made if made is not None else Text(node)

    def _arguments(self, node: ast.Call) -> list[Value]:
        return [self.eval(argument) for argument in (*node.args, *(k.value for k in node.keywords))]

    def _receiver(self, node: ast.expr, method: str) -> Value:
        """The receiver of a method call; one of unknown origin is a frame if the method shows it."""
        value = self.eval(node)
        if (
            isinstance(value, (Frame, Grouped, Rdd, Udf))
            or method not in dataframe.RECOGNISE
            or not self.names.uses_pyspark
        ):
            return value
        if not isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) or self.names.resolve(node):
            return value
        if isinstance(value, Unknown) and value.never_frame:
            return value
        root: ast.expr = node
        while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
            root = root.func if isinstance(root, ast.Call) else root.value
        if (
            isinstance(root, ast.Constant)
            or self.names.resolve(root)
            or (isinstance(value, Text) and _is_literal(value.node))
        ):
            return value
        return self._discover(node, value)

    def _discover(self, node: ast.expr, value: Value) -> Frame:
        bound = self.lookup(node.id) if isinstance(node, ast.Name) else None
        if bound is not None and bound.frame is not None:
            return bound.frame
        origin = value.origin if isinstance(value, Unknown) else f"the result of `{_short(self.names.ctx.text(node))}`"
        span = self.names.ctx.span(node)
        plan: Plan = Scan(origin, "unknown", UNKNOWN_SCHEMA, span)
        if isinstance(value, Unknown) and value.why:
            plan = Opaque(None, "opaque", f"what the frame holds is not known: {value.why}", span)
        frame = self.frame(plan, UNKNOWN_SCHEMA)
        if bound is not None and bound.ident in {b.ident for b in (*self.env.values(), *self.outer.values())}:
            bound.frame = frame
        return frame


def _is_literal(node: ast.expr) -> bool:
    return isinstance(
        node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.Lambda)
    )


def _no_frame(node: ast.expr, owner: Value) -> bool:
    """Whether an attribute of a frame (``df.rdd``, ``df.write``), or of what is no frame."""
    if isinstance(node, ast.Attribute) and isinstance(owner, (Frame, Grouped)):
        return True
    return isinstance(owner, Unknown) and owner.never_frame


def _is_place(node: ast.expr) -> bool:
    return isinstance(node, (ast.Attribute, ast.Subscript))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:37] + "…"
