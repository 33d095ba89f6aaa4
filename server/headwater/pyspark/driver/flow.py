"""Following the code of one scope, statement by statement, with what each variable holds.

Straight-line code is followed exactly. Where several ways meet, after a branch, a ``try`` or a ``with``, a variable
holds what they have in common; one that a loop may rebind holds something unknown, unless the loop runs for items that
stand in the file. Nothing is ever run.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Union

from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater.pyspark.api.isolation import guarded
from headwater.pyspark.api.merging import are_row_by_row, made_in_turns, merged
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.annotations import checked
from headwater.pyspark.frames.tracked_values import (
    Binding,
    TrackedFrame,
    Unevaluated,
    Unknown,
    Value,
    has_boundary,
    origin,
)
from headwater.pyspark.walls import passes
from headwater.pyspark.walls.places import Places
from headwater.syntax.names.module_scope import star_may_bind
from headwater.syntax.source.ast_walk import children
from headwater.syntax.source.bindings import bound_names, head_targets, leaves, own_reads, parameters
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Scan
from headwater_ir.walks import below

from .context_managers import lets_out
from .expressions import Expressions
from .loops import Constants, each_item, each_time

Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOKUPS = ("getattr", "vars", "dir", "getmembers", "methodcaller", "attrgetter", "__dict__")
"""By these names a file may call functions whose names it does not say."""


class Scope(Expressions):
    """One module or function body."""

    returned: Sequence[Binding] = ()
    defines: ast.ClassDef | None = None
    """The class whose body it is."""

    def run(self) -> None:
        """Follow the whole body."""
        self.block(self.body)
        self.count_the_rest(self.body)

    def block(self, statements: list[ast.stmt]) -> None:
        """Follow statements one after the other."""
        together = None if self.place or self.is_class else passes.Block(self, self._places_here, self.world.jobs)
        for statement in statements:
            self.before_statement(statement)
            self.statement(statement)
            self.after_statement(statement)
            if together is not None:
                together.then(statement)
        self.seen_by_others()

    def statement(self, s: ast.stmt) -> None:
        """Follow one statement."""
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, s.lineno, self.eval(value))
            case ast.Assign(targets=[ast.Attribute() as target], value=value) if attribute := self.attribute(target):
                self.seen.add(id(target.value))
                held = self.eval(value)
                self.note_copy(s, attribute, held)
                self.env.pop(attribute, None)
                if self.may_hold(target, held):
                    self._assign(attribute, s.lineno, held)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                held = self.eval(value)
                if isinstance(held, Unevaluated) and isinstance(held.node, ast.Call):
                    held = self.annotated(held.node, annotation, f"`{name}`") or held
                self._assign(name, s.lineno, held)
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call(func=ast.Name() as function)) if (
                names := self._parts_of_other_code(parts, function)
            ):
                self._other(s)
                for name in names:
                    self.bind(name, Unknown(f"a part of the result of `{function.id}`"))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._definition(s)
            case ast.ClassDef():
                self._class(s)
            case ast.If():
                self._if(s)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(s)
            case ast.Try():
                self._try(s)
            case ast.With() | ast.AsyncWith():
                self._with(s)
            case ast.Match():
                self._cases(s)
            case _:
                self._other(s)

    def _parts_of_other_code(self, parts: Sequence[ast.expr], function: ast.Name) -> list[str]:
        """The variables ``parts``, which hold what a ``function`` gives that is not in this file, and so nothing that
        this file makes of columns."""
        names = [p.id for p in parts if isinstance(p, ast.Name)]
        different = len({*names}) == len(parts)
        return names if different and not self.names.ctx.times_bound(function.id) else []

    def _assign(self, name: str, line: int, value: Value) -> None:
        binding = self.bind(name, value)
        if name not in self.names.rebound:
            self.world.uses.bound_to_variable(value, binding.ident, self.merged.get(name, 0))
        if isinstance(value, TrackedFrame):
            self.world.frames.append((name, line - 1, value.schema, origin(value.plan)))

    def _other(self, s: ast.stmt) -> None:
        # `a = b = df…` makes two names of one frame: both are consumers.
        shared = isinstance(s, ast.Assign)
        if isinstance(s, ast.ImportFrom) and any(a.name == "*" for a in s.names):
            module = "." * s.level + (s.module or "")
            self.forget({n for n in self.env if star_may_bind(module, n)}, "a star import may bind it")
        self.unused = s.value if isinstance(s, ast.Expr) else None
        for child in children(s):
            if isinstance(child, ast.expr):
                value = self.eval(child)
                if isinstance(s, ast.Expr):
                    self.world.uses.ends(value, "dropped")
                elif isinstance(s, ast.Return):
                    self.returns(value)
        self.forget(
            bound_names([s]), "assigned together with others" if shared else "bound in a way that is not followed"
        )

    def returns(self, value: Value) -> None:
        """Only code that is not here may get what a function returns that no code here calls."""
        function = self.function
        if isinstance(value, TrackedFrame) and has_boundary(value.plan) and function and not function.decorator_list:
            asked = (function.name, *_LOOKUPS)
            if not function.name.startswith("__") and not any(map(self.names.is_used, asked)):
                self.world.uses.leaves(value)

    def _definition(self, s: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for e in (*s.decorator_list, *s.args.defaults, *(d for d in s.args.kw_defaults if d)):
            self.eval(e)
        self.within(s)
        self.define(s)

    def _class(self, s: ast.ClassDef) -> None:
        for e in (*s.decorator_list, *s.bases):
            self.eval(e)
        self.within(s)
        self.define(s)

    def define(self, s: Definition) -> None:
        """The definition ``s`` binds its name."""
        kind = "class" if isinstance(s, ast.ClassDef) else "function"
        self.bind(s.name, Unknown(f"{kind} {s.name}", f"a {kind}", never_frame=True))

    def within(self, s: Definition) -> None:
        """Follow the body of a function or class, which nothing here reaches; not if it is another file's."""
        if not self.names.ctx.is_linked(s):
            follow_alone(s, self.world, self.place, self.defines)

    def _if(self, s: ast.If) -> None:
        """What a branch binds that does not leave holds afterwards; where both come together, what they agree on."""
        self.eval(s.test)
        names, before, ends = bound_names([s]), dict(self.env), []
        for block, holds in ((s.body, True), (s.orelse, False)):
            self.env = dict(before)
            self.narrow(checked(s.test, holds, self.names))
            self.block(block)
            if not leaves(block):
                ends.append(self.values_of(names, self.env))
        self.env = before
        if leaves(s.body) != leaves(s.orelse):
            self.narrow(checked(s.test, leaves(s.orelse), self.names))
        self.meet(names, ends, "assigned in a branch", s)

    def _try(self, s: ast.Try) -> None:
        """A handler starts after any part of the body; what follows, after the body or a handler that does not leave.
        What ``finally`` reads is not known, for it runs after anything."""
        before, mark = dict(self.env), len(self.log)
        tried, names = bound_names(s.body), bound_names([s]) - bound_names(s.finalbody)
        self.block(s.body)
        anything = [*self.values_of(tried, before), *self.log[mark:]]
        self.block(s.orelse)
        ends = [] if leaves([*s.body, *s.orelse]) else [self.values_of(names, self.env)]
        for handler in s.handlers:
            self.env = dict(before)
            self.meet(tried, [anything], "assigned where an exception may have come before", s)
            self.forget({handler.name} if handler.name else set(), "bound by the statement")
            if handler.type:
                self.eval(handler.type)
            self.block(handler.body)
            if not leaves(handler.body):
                ends.append(self.values_of(names, self.env))
        self.env = before
        if s.finalbody:
            self.forget(bound_names([s]), "assigned in a branch")
            self.block(s.finalbody)
        self.meet(names, ends, "assigned in a branch", s)

    def _with(self, s: ast.With | ast.AsyncWith) -> None:
        """The body runs once. Unless the context manager lets every exception out, any part of it may be all that
        ran."""
        for item in s.items:
            self.eval(item.context_expr)
        before, mark, names = dict(self.env), len(self.log), bound_names([s])
        self.forget(head_targets(s), "bound by the statement")
        self.block(s.body)
        if not isinstance(s, ast.With) or not all(lets_out(item.context_expr, self.names) for item in s.items):
            anything = [*self.values_of(names, before), *self.log[mark:]]
            self.meet(names, [anything], "assigned where an exception may have come before", s)

    def _cases(self, s: ast.Match) -> None:
        """Each case starts from here; afterwards nothing is known of what any of them binds."""
        self.eval(s.subject)
        before, names = dict(self.env), bound_names([s])
        for case in s.cases:
            self.env = dict(before)
            block = [ast.copy_location(ast.Expr(case.guard), case.guard), *case.body] if case.guard else case.body
            self.forget(names - bound_names(block) | head_targets(s), "bound by the statement")
            self.block(block)
        self.env = before
        self.forget(names, "assigned in a branch")

    def _loop(self, s: ast.For | ast.AsyncFor | ast.While) -> None:
        """A body may run any number of times: what it binds is not known when it starts, nor when it ends, unless it
        runs for items that stand in the file."""
        before, times = dict(self.env), each_time(s, self.names, self.lookup)
        if not isinstance(s, ast.While):
            self.eval(s.iter)
        frames = self._frames_of(s)
        self._said_to_be_frames(s)
        self.loops = (*self.loops, self.world.fresh("a loop"))
        self.forget(bound_names([s]), "assigned in a loop", in_loop=True)
        targets = set() if isinstance(s, ast.While) else bound_names([s.target])
        for name in sorted(targets):
            self.bind(name, frames.get(name, Unknown(f"variable {name}")))
        if isinstance(s, ast.While):
            self.eval(s.test)
        start, mark = dict(self.env), len(self.log)
        self.block(s.body)
        self.loops = self.loops[:-1]
        found = made_in_turns(self.log[mark:], before, start, self)
        self.forget(bound_names([s]), "assigned in a loop", in_loop=True)
        why, span = "assigned in a loop", self.names.ctx.span(s)
        for name in sorted(n for n in found if n in self.env and n not in self.names.rebound):
            self.env[name].value = merged(found[name], name, why, span, self, in_loop=True, row_by_row=True)
            self.env[name].meets = True
        if times is not None:
            self._unrolled(s, before, times)
        self.block(s.orelse)
        self.forget(bound_names(s.orelse), "assigned in a branch")

    def _said_to_be_frames(self, s: ast.For | ast.AsyncFor | ast.While) -> None:
        """Take those variables for frames that the loop ``s`` assigns and that are said to be frames before."""
        for name in sorted(bound_names(s.body)):
            bound = self.env.get(name)
            if bound is not None and isinstance(bound.value, Unknown) and bound.value.is_frame and not bound.frame:
                read = next((n for n in own_reads(s) if n.id == name), None)
                if read is not None:
                    self._taken(read, bound.value)

    def _frames_of(self, s: ast.For | ast.AsyncFor | ast.While) -> dict[str, Unknown]:
        """The variables of the loop that hold a frame each time, made by nothing but filters and columns of Spark's."""
        found = {}
        places = Places([]) if self.is_class else self._places_here()
        for name, items in each_item(s, self.names, self.lookup, places).items():
            frames = [self._item(i) for i in items]
            plans = [f.plan for f in frames if isinstance(f, TrackedFrame)]
            spans = {p.span for plan in plans for p in below(plan) if isinstance(p, Scan)}
            if plans and len(plans) == len(frames) and are_row_by_row(plans, self) and not spans & self.world.guessed:
                doubt = Assumption("type", f"`{name}` is a DataFrame of Spark") if spans & {*self.world.taken} else None
                found[name] = Unknown(f"variable {name}", is_frame=True, assumed=doubt)
        return found

    def _item(self, node: ast.expr) -> Value | None:
        """What ``node`` evaluates to, which was evaluated before."""
        if isinstance(node, ast.Name):
            bound = self.lookup(node.id)
            return None if bound is None else bound.frame or bound.value
        place = (*self.place, id(node), 0)
        with self.world.follow_again(place, node) as allowed:
            outer, self.place = self.place, place
            made = self.eval(node) if allowed and isinstance(node, ast.Call) else None
            self.place = outer
        return made

    def _unrolled(
        self, s: ast.For | ast.AsyncFor | ast.While, before: dict[str, Binding], times: list[Constants]
    ) -> None:
        """Follow the body for each of its items, for what the frames that come out have in columns and facts."""
        place, after, log = self.place, self.env, self.log
        with self.world.follow_again((*place, id(s)), *([s] * len(times))) as allowed:
            if not allowed:
                return
            self.env, self.log = before, []
            for number, constants in enumerate(times):
                self.place = (*place, id(s), number)
                for name, value in constants.items():
                    self.bind(name, Unevaluated(value))
                self.block(s.body)
            self.place, self.env, self.log, unrolled = place, after, log, self.env
        for name in sorted(bound_names(s.body) & unrolled.keys()):
            binding = after[name]
            span = self.names.ctx.span(s)
            binding.value = merged([unrolled[name]], name, "assigned in a loop", span, self, in_loop=True)
            binding.meets = True

    # --- functions that are followed

    def inside(
        self, function: ast.FunctionDef | ast.Lambda, given: Mapping[str, Value], place: tuple[int, ...]
    ) -> Scope:
        """The body of ``function`` as a call at ``place`` with the arguments ``given`` runs it."""
        return Followed(self, function, given, place)

    def after(self, statements: Sequence[ast.stmt], node: ast.expr, place: tuple[int, ...]) -> Value:
        """What ``node`` evaluates to after ``statements``, all of another scope, followed at ``place``."""
        scope = Scope(self.world, list(statements), [])
        scope.place = place
        scope.block(scope.body)
        return scope.eval(node)

    def result(self, function: ast.FunctionDef | ast.Lambda) -> Value:
        """What ``function``, whose scope this is, returns; of several ways, what they have in common."""
        if isinstance(function, ast.Lambda):
            returned = self.eval(function.body)
            self.count_the_rest([ast.Expr(function.body)])
            return returned
        self.block(function.body)
        if not leaves(function.body):
            self.returns(Unevaluated(ast.Constant(None)))
        self.count_the_rest(function.body)
        if len(self.returned) == 1:
            return self.returned[0].value
        return merged(self.returned, "", "one of several is returned", self.names.ctx.span(function), self)


def code_of_module(body: list[ast.stmt], world: ModuleAnalysis) -> None:
    """Follow a whole module."""
    Scope(world, body, [], is_module=True).run()


def follow_alone(
    s: Definition, world: ModuleAnalysis, place: tuple[int, ...] = (), owner: ast.ClassDef | None = None
) -> None:
    """Follow the body of a function or class, which nothing here reaches; an internal error costs that alone.
    ``owner``: the class that it is a method of."""
    views = world.views, world.text_views
    world.views, world.text_views = (set(views[0]), set(views[1])) if place else (set(), set())
    with world.names.of_its_own(), guarded(s, place, world) as allowed:
        if allowed:
            scope = of_definition(s, world)
            if owner is not None and not isinstance(s, ast.ClassDef):
                scope.belongs_to(owner, s)
            scope.run()
    world.views, world.text_views = views


def of_definition(s: Definition, world: ModuleAnalysis) -> Scope:
    """The body of a function or class, as it is without any call."""
    if isinstance(s, ast.ClassDef):
        scope = Scope(world, s.body, [], is_class=True)
        scope.defines = s
        return scope
    scope = Scope(world, s.body, parameters(s))
    scope.function = s
    return scope


class Followed(Scope):
    """The body of a function as one call runs it. A lambda sees the variables of its caller; no condition may stay in
    terms of a variable, for it might be another one outside."""

    def __init__(
        self,
        caller: Scope,
        function: ast.FunctionDef | ast.Lambda,
        given: Mapping[str, Value],
        place: tuple[int, ...],
    ) -> None:
        self.given = given
        self.around = caller if isinstance(function, ast.Lambda) else None
        body = [] if isinstance(function, ast.Lambda) else function.body
        super().__init__(caller.world, body, parameters(function))
        self.place, self.following = place, (*caller.following, function)
        self.returned: list[Binding] = []
        if caller.owner is not None and isinstance(function, ast.FunctionDef) and function in caller.owner.body:
            self.belongs_to(caller.owner, function)

    def returns(self, value: Value) -> None:
        """One of the values that the call may give."""
        self.returned.append(Binding("", self.world.fresh_value(), value))

    def _parameter(self, argument: ast.arg) -> Value:
        return self.given[argument.arg]

    def lookup(self, name: str) -> Binding | None:
        """What ``name`` is bound to here; None if that is not known."""
        if self.around is not None and name not in self.local:
            return self.around.lookup(name)
        return super().lookup(name)

    def columns(self, frame: TrackedFrame, *, joins: bool = False) -> ColumnReader:
        """A reader of column expressions over ``frame`` in which every variable has a value that is known."""
        reader = super().columns(frame, joins=joins)
        reader.variables = False
        return reader

    def _seen_elsewhere(self, name: str) -> bool:
        return self.around is None and super()._seen_elsewhere(name)

    def within(self, s: Definition) -> None:
        """What is in it is found where it stands; what it reads of this scope was counted when it was bound."""
