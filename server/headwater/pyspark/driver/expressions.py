"""What the expressions of a scope evaluate to: every frame that they consume is counted, and the filters in them are
found."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace

from headwater.pyspark.api import dataframe
from headwater.pyspark.api.aggregates import groupby
from headwater.pyspark.api.merging import frame_of, merged
from headwater.pyspark.api.sources import read_source
from headwater.pyspark.api.user_functions import cogroup, udtf
from headwater.pyspark.frames.annotations import by_annotation, checked, says_frame
from headwater.pyspark.frames.columns_handed_in import HandedIn, columns_handed_in
from headwater.pyspark.frames.constant_text import text_of
from headwater.pyspark.frames.consumers import ENDS
from headwater.pyspark.frames.tracked_values import (
    EVERYTHING,
    Binding,
    Cogrouped,
    Grouped,
    Rdd,
    TableArgument,
    TrackedFrame,
    Unevaluated,
    Unknown,
    Value,
    has_boundary,
)
from headwater.pyspark.frames.uses_found import Site
from headwater.pyspark.rdd import rdd, sources, to_frame
from headwater.pyspark.sql_text import query, views
from headwater.pyspark.walls import driver_filters, jobs, record, shown
from headwater.syntax.names.module_scope import path_of
from headwater.syntax.names.pyspark_symbols import FRAME_ATTRIBUTES
from headwater.syntax.names.reflection import looks_at_scope
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import children
from headwater.syntax.source.bindings import NESTED, own_reads
from headwater_ir.plan import Shared, View

from . import followed_calls, kept
from .around_expressions import DESCRIBE, AroundExpressions
from .taken_frames import short

_VIEW = "view "
"""How the variable of a temporary view begins, which no code can spell."""
_NO_DATA = DESCRIBE | {"explain", "isStreaming", "sparkSession"}
"""Attributes of a frame that ask for none of its rows, so that no pre-filter changes them."""


class Expressions(AroundExpressions):
    """The expressions of one module or function body."""

    unused: ast.expr | None = None
    """The expression that the statement is, of which nobody sees the value."""
    _in_turn = False
    """Whether this is evaluated for each element of a comprehension: nothing is noted but what its rows are asked."""

    @abstractmethod
    def inside(
        self, function: ast.FunctionDef | ast.Lambda, given: Mapping[str, Value], place: tuple[int, ...]
    ) -> Expressions:
        """The body of ``function`` as a call at ``place`` with the arguments ``given`` runs it."""

    @abstractmethod
    def result(self, function: ast.FunctionDef | ast.Lambda) -> Value:
        """What ``function``, whose scope this is, returns."""

    def count_the_rest(self, nodes: Iterable[ast.stmt]) -> None:
        """Code of this scope that was not evaluated may consume each frame that a variable in it ever held. (What
        nested functions read was counted when it was bound.)"""
        for binding in self.log:
            if binding.name.startswith(_VIEW) and views.others_read(binding.name[len(_VIEW) :], self.seen, self.names):
                self.world.read(binding.ident, 2, Site("elsewhere", binding.name))
        read = {n.id for s in nodes for n in own_reads(s) if id(n) not in self.seen}
        for binding in self.log:
            if binding.name in read and (isinstance(binding.value, (Grouped, Rdd)) or binding.is_frame):
                self.world.read(binding.ident, 2, Site("elsewhere", binding.name))

    def eval(self, node: ast.expr) -> Value:
        """What ``node`` evaluates to; counts every frame that it consumes, and finds the filters in it."""
        value = self._value(node)
        if self.owner is not None and not isinstance(node, ast.Call):
            self.after_expression(node)
        return value

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Name():
                return self._read(node, node.id)
            case ast.Call():
                return self._call(node)
            case ast.Constant():
                return Unevaluated(node)
            case ast.Attribute(value=ast.Name() as owner) if (name := self.attribute(node)) and name in self.env:
                self.seen.add(id(owner))
                return self._read(node, name)
            case ast.Attribute(attr="rdd"):
                owned = self._receiver(node.value, "rdd")
                if isinstance(owned, TrackedFrame):
                    self._show(owned, node.value)
                    return rdd.of_frame(owned, node, self)
                return Unknown("an RDD", never_frame=True)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if self._frame_named(owner):
                self.seen.add(id(node.value))
                if attr not in FRAME_ATTRIBUTES:
                    return Unknown("a Column", "a column")
                if attr in DESCRIBE:
                    self._described(owner)
                if attr not in _NO_DATA:
                    owned = self.eval(node.value)
                    if attr in ENDS:
                        self.world.uses.ends(owned, kept.end_of(node, self._places_here()))
                return Unknown(f"the attribute `{attr}`", never_frame=True)
            case ast.Subscript(value=ast.Name(id=owner), slice=at) if (
                self._frame_named(owner) and text_of(at, self.names, self.lookup) is not None
            ):
                self.seen.add(id(node.value))
                self.eval(at)
                return Unknown("a Column", "a column")
            case ast.Subscript():
                parts = [self.eval(node.value), self.eval(node.slice)]
                made = dataframe.of_subscript(parts[0], node, self) if isinstance(parts[0], TrackedFrame) else None
                if made is not None:
                    self._note_handed_in(parts[0], made, node)
                    self.world.uses.operator((parts[0],), made, self._site(node))
                    return made
                if _no_frame(node, parts[0]):
                    return Unknown(f"the expression `{self.names.ctx.text(node)}`", never_frame=True)
                return Unknown(f"the expression `{self.names.ctx.text(node)}`")
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                # What is evaluated for each element was counted when it was bound; no filter there is followed.
                self.eval(node.generators[0].iter)
                self._each_turn(node)
                if self._is_alone() and not self._is_test():
                    jobs.note_in_turns(node, self, self._places_here(), self.world.jobs)
                return Unevaluated(node)
            case ast.Lambda():
                return Unevaluated(node)
            case ast.BoolOp():
                return self._short_circuit(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.eval(test)
                ways = [Binding("", self.world.fresh_value(), self._annotated_frame(n)) for n in (body, orelse)]
                if any(frame_of(b) is None for b in ways):
                    return Unevaluated(node)
                return merged(ways, "", "one of two frames", self.names.ctx.span(node), self)
            case ast.Attribute() | ast.Await():
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and self.attribute(node):
                    parts = [self._read(node.value, node.value.id)]
                elif isinstance(node, ast.Attribute):
                    parts = [self.eval(node.value)]
                else:
                    parts = [self.eval(child) for child in children(node) if isinstance(child, ast.expr)]
                if isinstance(node, ast.Attribute) and node.attr in ENDS:
                    self.world.uses.ends(parts[0], kept.end_of(node, self._places_here()))
                if parts and _no_frame(node, parts[0]):
                    return Unknown(f"the expression `{self.names.ctx.text(node)}`", never_frame=True)
                return (
                    Unknown(f"the expression `{self.names.ctx.text(node)}`") if _is_place(node) else Unevaluated(node)
                )
        for part in children(node):
            for child in [part] if isinstance(part, ast.expr) else ast.walk(part):
                if isinstance(child, ast.expr):
                    self.eval(child)
        return Unevaluated(node)

    def _is_alone(self) -> bool:
        """Whether this is the code as it stands, neither followed for a call nor for an element."""
        return not self.place and not self._in_turn

    def _each_turn(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """Follow what ``node`` evaluates for each element, for the calls in it that hand rows to the driver."""
        attributes = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
        if not self._is_alone() or attributes.isdisjoint(record.WALLS):
            return
        place = (id(node), 0)
        with self.world.follow_again(place, node) as allowed:
            if not allowed:
                return
            env, log, loops, self.log = dict(self.env), self.log, self.loops, []
            self.loops, self._in_turn = (*loops, self.world.fresh("a loop")), True
            for number, generator in enumerate(node.generators):
                if number:
                    self.eval(generator.iter)
                for name in sorted({n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}):
                    self.bind(name, Unknown(f"variable {name}"))
                for test in generator.ifs:
                    self.eval(test)
            for made in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
                self.eval(made)
            self.env, self.log, self.loops, self._in_turn = env, log, loops, False

    def _annotated_frame(self, node: ast.expr) -> Value:
        """What ``node`` evaluates to, as the frame that it is said to be."""
        value = self.eval(node)
        return self._taken(node, value) if isinstance(value, Unknown) and value.is_frame else value

    def _short_circuit(self, node: ast.BoolOp) -> Value:
        """``a and b``: what is evaluated behind a check of a type knows its outcome. (``:=`` is read as everywhere.)"""
        narrowed: dict[str, Binding] = {}
        for value in node.values:
            self.eval(value)
            narrowed = self.narrow(checked(value, isinstance(node.op, ast.And), self.names)) | narrowed
        self.env.update({name: b for name, b in narrowed.items() if self.env.get(name, b).ident == b.ident})
        return Unevaluated(node)

    def _read(self, node: ast.expr, name: str) -> Value:
        self.seen.add(id(node))
        bound = self.lookup(name)
        if bound is None:
            return Unknown(f"variable {name}")
        # Read in a loop that it was not bound in, it is consumed again and again.
        times = 1 if self.loops == bound.loops[: len(self.loops)] else 2
        self.world.read(bound.ident, times, Site("" if times == 1 else "again", name, node, self._around))
        value = bound.value
        together = self.merged.get(name)
        if together is not None and (bound.meets or (isinstance(value, Unknown) and value.why)):
            self.world.read(together, 2, Site("ways", name))
        total = self.world.total_reads
        many = total.get(bound.ident, 0) + total.get(together or 0, 0)
        if isinstance(value, (TrackedFrame, Grouped, Rdd)):
            plan = value.plan if isinstance(value, TrackedFrame) else None
            self.world.doubtful.append((bound.ident, together or 0, plan))
        if many > 1 and isinstance(value, TrackedFrame) and has_boundary(value.plan):
            shared = Shared(value.plan, many, self.names.ctx.span(node))
            self.world.uses.shared(value.plan, shared)
            return replace(value, plan=shared)
        if many > 1 and isinstance(value, Grouped):
            return replace(value, refusal=Refusal("shared-subplan", f"`{name}` is aggregated more than once"))
        if many > 1 and isinstance(value, Rdd):
            refusal = Refusal("shared-subplan", f"`{name}` is used more than once")
            return replace(value, refusal=refusal, shared=len(value.calls))
        return bound.frame or value

    def _call(self, node: ast.Call) -> Value:
        if looks_at_scope(node):
            self.forget(set(self.env), "code that is not here may bind it")
        source = query.read(node, self) or read_source(node, self)
        if source is not None or not isinstance(node.func, ast.Attribute):
            self.eval(node.func)
            given = self._arguments(node)
            if source is None:
                self.after_expression(node)
            source = to_frame.created(node, given, self) or source
            return source if source is not None else self._plain_call(node, given)
        method = node.func.attr
        if method in _NO_DATA and isinstance(node.func.value, ast.Name) and self._frame_named(node.func.value.id):
            self.seen.add(id(node.func.value))
            if method in DESCRIBE:
                self._described(node.func.value.id)
            self._arguments(node)
            return Unknown(f"the result of `{method}`")
        if isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "na":
            frame = self._receiver(node.func.value.value, "dropna")
            self._arguments(node)
            if not isinstance(frame, TrackedFrame):
                return Unevaluated(node)
            made = dataframe.na_method(frame, node, self)
            self.world.uses.operator((frame,), made, self._site(node))
            return made
        is_shown = self._is_shown(node.func.value, method)
        is_frame = dataframe.joins_frames(node) or is_shown or self._is_shown(node.func.value, method, by_maker=True)
        receiver = self._receiver(node.func.value, method, is_frame=is_frame)
        given = self._arguments(node)
        if method in dataframe.TAKES_A_FRAME and given and isinstance(given[0], TrackedFrame):
            receiver = self._taken(node.func.value, receiver)
        if is_shown or (isinstance(receiver, TrackedFrame) and self._shows(node)):
            self._show(receiver, node.func.value)
        if isinstance(receiver, TrackedFrame) and method in dataframe.TAKES_A_FRAME and node.args:
            given[0] = self._taken(node.args[0], given[0])
        if method == "transform" and isinstance(receiver, TrackedFrame):
            self.after_expression(node, receiver)
            transformed = followed_calls.transformed(receiver, node, given, self)
            if transformed is not None:
                return transformed
        elif method == "transform" and len(node.args) == len(given) == 1 and isinstance(given[0], TrackedFrame):
            self.transformed[id(node)] = given[0]
        self.after_expression(node, receiver)
        if method in record.WALLS and not self.place and not self._is_test():
            wall = record.noted(
                node, receiver, self, self._places_here(), repeated=bool(self.loops), attributes=self.is_class,
                function=self.function,
            )  # fmt: skip
            self.world.walls += [] if wall is None else [wall]
            if isinstance(receiver, TrackedFrame) and not self._in_turn:
                asked = driver_filters.filter_of(node, receiver, self, self._places_here(), attributes=self.is_class)
                self.world.filters += [] if asked is None else [asked]
        if method in jobs.JOBS and self._is_alone() and not self._is_test():
            jobs.note(node, receiver, self, self._places_here(), self.world.jobs)
        made = self._method(receiver, node, given)
        self._note_handed_in(receiver, made, node)
        if method in dataframe.TAKES_A_FRAME and isinstance(made, TrackedFrame):
            self.world.show_together(made.plan)
        self.world.uses.operator((receiver, *given), made, self._site(node))
        if method in kept.KEEPS and self._is_alone():
            keeps = kept.noted(node, receiver, made, self, repeated=bool(self.loops))
            self.world.kept += [] if keeps is None else [keeps]
        if isinstance(receiver, TrackedFrame) and method == "unpersist" and node is self.unused and self._is_alone():
            self.world.uses.frees(receiver, self.names.ctx.span(node))
        if isinstance(receiver, TrackedFrame) and method in views.REGISTERS:
            self._registered(receiver, node, given)
            if self._bound_to_view(receiver, node):
                return made
        if method in ENDS and method not in self.names.patches.methods and not isinstance(made, TrackedFrame):
            self.world.uses.ends(receiver, method)
        return made

    def _note_handed_in(self, receiver: Value, made: Value, node: ast.Call | ast.Subscript) -> None:
        """Note what ``node``, which makes a frame of ``receiver``, may be given as columns of other code."""
        if isinstance(made, TrackedFrame):
            given = children(node) if isinstance(receiver, Grouped) else children(node)[1:]
            found = {o for g in given for o in columns_handed_in(g, self.names, self.lookup)}
            if found:
                self.world.handed_in[id(made.plan)] = HandedIn(made.plan, tuple(sorted(found)), bool(self.place))

    def _bound_to_view(self, frame: TrackedFrame, node: ast.Call) -> bool:
        """Whether ``node`` gives ``frame`` a name that is followed, which then holds it like a variable."""
        own_code = node is self.unused and not self.place and not self.is_class
        name = views.followed(node, self.body, self.names) if own_code else None
        if name is None:
            return False
        plan = View(frame.plan, name, self.names.ctx.span(node))
        made = self.frame(
            plan, frame.schema, frame, changed=EVERYTHING, facts=frame.facts, no_nulls=frame.no_nulls
        )  # fmt: skip
        self.world.uses.operator((frame,), made)
        binding = self.bind(_VIEW + name, made)
        self.world.uses.bound_to_variable(made, binding.ident, 0)
        return True

    def view(self, name: str, node: ast.Call) -> TrackedFrame | None:
        if _VIEW + name.lower() not in self.env:
            return None
        found = self._read(node, _VIEW + name.lower())
        return found if isinstance(found, TrackedFrame) else None

    def _registered(self, frame: TrackedFrame, node: ast.Call, given: list[Value]) -> None:
        """Note the views that ``node`` makes of ``frame``."""
        found = (v.node for v in given if isinstance(v, Unevaluated))
        for name in (n.value.lower() for n in found if isinstance(n, ast.Constant) and isinstance(n.value, str)):
            self.world.views.add(name)
            if frame.may_hold_text():
                self.world.text_views.add(name)

    def _method(self, receiver: Value, node: ast.Call, given: list[Value]) -> Value:
        if isinstance(receiver, TrackedFrame):
            return dataframe.method(receiver, node, self, given)
        if isinstance(receiver, TableArgument):
            return udtf.method(receiver, node, self)
        if isinstance(receiver, Cogrouped):
            return cogroup.method(receiver, node, self)
        if isinstance(receiver, Grouped) and isinstance(node.func, ast.Attribute) and node.func.attr == "cogroup":
            return cogroup.cogrouped(receiver, node, given, self)
        if isinstance(receiver, Grouped):
            return groupby.method(receiver, node, self)
        if isinstance(receiver, Rdd):
            return rdd.method(receiver, node, self)
        if isinstance(receiver, Unknown) and receiver.never_frame:
            return Unknown(receiver.origin, never_frame=True)
        made = sources.made(receiver, node, self)
        return made if made is not None else self._plain_call(node, given)

    def _plain_call(self, node: ast.Call, given: list[Value]) -> Value:
        table = next((v for v in given if isinstance(v, TableArgument)), None)
        if table is not None:
            return udtf.call_with_table(table, node, self)
        if given and isinstance(given[0], TrackedFrame) and self.names.function(node.func) == "broadcast":
            return given[0]  # a hint, and the same rows
        if self._displays(node) and given:
            shown_frame = given[0]
            made_of = self._transformed(node.args[0], shown_frame)
            if made_of is not None:
                shown_frame = self._taken(node.args[0], shown_frame, of_other_code=True)
                self._of_transformer(node.args[0], shown_frame, made_of)
            self.world.uses.shown(shown_frame, "display")
        udf = self._made_udf(node)
        if udf is not None:
            return udf
        made = followed_calls.called(node, given, self)
        function = followed_calls.defined(node.func, self)
        what = f"what `{self.names.ctx.text(node.func)}` returns"
        said = None if function is None else self.annotated(node, function.returns, what)
        if made is not None and said is not None and said.assumed is not None:
            self.world.assume(made.plan, said.assumed)
        return made or said or Unevaluated(node)

    def annotated(self, node: ast.Call, annotation: ast.expr | None, what: str) -> Unknown | None:
        """The result of the call ``node``, if ``annotation`` says of ``what`` that it is a frame."""
        if not says_frame(annotation, self.names):
            return None
        origin = f"the result of `{short(self.names.ctx.text(node))}`"
        return Unknown(origin, is_frame=True, assumed=by_annotation(what))

    def _displays(self, node: ast.Call) -> bool:
        """Whether ``node`` calls the function of notebooks that shows a frame, which no file defines."""
        mine = isinstance(node.func, ast.Name) and node.func.id == "display" and not node.keywords
        return mine and not self.names.ctx.times_bound("display") and "display" not in self.names.imported

    def _arguments(self, node: ast.Call) -> list[Value]:
        return [self.eval(argument) for argument in (*node.args, *(k.value for k in node.keywords))]

    def _receiver(self, node: ast.expr, method: str, *, is_frame: bool = False) -> Value:
        """The receiver of a method call; one of unknown origin is a frame if the method, or the call, shows it."""
        value = self.eval(node)
        made = self._transformed(node, value)
        may_be = method in shown.IN_CHAINS and _is_plain_call(node) and not self._is_of_spark(node)
        alone = may_be and shown.ends_as_frame(node, self._places_here(), self.names)
        is_kept = made is not None and kept.ends_kept(node, self._places_here())
        is_frame = (
            is_frame
            or alone
            or is_kept
            or method in dataframe.RECOGNISE
            or (method in shown.SAME_KIND and shown.leads_to(node, dataframe.RECOGNISE, self._places_here()))
            or (method == "groupby" and shown.groups_as_frame(node, self._places_here()))
            or (isinstance(value, Unknown) and value.is_frame)
        )
        if not is_frame or not self.names.uses_pyspark or isinstance(value, TrackedFrame):
            return value
        found = value if self._may_be_missing(node) else self._taken(node, value, of_other_code=alone or is_kept)
        return self._of_transformer(node, found, made)

    def _of_transformer(self, node: ast.expr, found: Value, made: TrackedFrame | None) -> Value:
        """``found``, what ``node`` evaluates to, which a transformer has ``made`` of that frame."""
        if made is not None and isinstance(found, TrackedFrame):
            self.world.uses.transformer(made, found, Site("", kept.TRANSFORMED, node, self._around))
        return found

    def _transformed(self, node: ast.expr, value: Value) -> TrackedFrame | None:
        """The frame that a transformer made ``node`` of, which has the ``value`` and is not read but here; None if that
        is not known."""
        if not isinstance(node, ast.Name):
            return self.transformed.get(id(node))
        made = self.transformed.get(id(value.node)) if isinstance(value, Unevaluated) else None
        if made is None:
            return None
        bound, places = self.lookup(node.id), self._places_here()
        alone = len(places.named(node.id)) == 2 and not self.is_class and not self.names.reflective
        late = any(isinstance(n, NESTED) for n in places.outward(node))
        return made if alone and not late and bound is not None and bound.loops == self.loops else None


def _is_plain_call(node: ast.expr) -> bool:
    """Whether ``node`` is a call of a function by its name."""
    return isinstance(node, ast.Call) and path_of(node.func) is not None


def _no_frame(node: ast.expr, owner: Value) -> bool:
    """Whether an attribute of a frame (``df.rdd``, ``df.write``), or of what is no frame."""
    if isinstance(node, ast.Attribute) and isinstance(owner, (TrackedFrame, Grouped)):
        return True
    return isinstance(owner, Unknown) and owner.never_frame


def _is_place(node: ast.expr) -> bool:
    return isinstance(node, (ast.Attribute, ast.Subscript))
