"""Values of which only their use shows that they are frames, and what that rests on."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Sequence

from headwater.pyspark.api.sources import small
from headwater.pyspark.frames.schema import all_nullable
from headwater.pyspark.frames.tracked_values import (
    Grouped,
    Rdd,
    TrackedFrame,
    Udf,
    Unevaluated,
    Unknown,
    Value,
)
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import UNKNOWN_SCHEMA, Cause, Opaque, Plan, Scan
from headwater_ir.walks import below

from .attributes import Attributes


class TakenFrames(Attributes):
    """What an expression evaluates to where only a frame makes sense."""

    @abstractmethod
    def after(self, statements: Sequence[ast.stmt], node: ast.expr, place: tuple[int, ...]) -> Value:
        """What ``node`` evaluates to after ``statements``, all of another scope, followed at ``place``."""

    def _is_of_spark(self, node: ast.expr) -> bool:
        """Whether ``node`` calls something of PySpark, of which it is known what it gives: ``Window.partitionBy`` gives
        no frame, though that has an ``orderBy``, too."""
        full = self.names.resolve(node.func) if isinstance(node, ast.Call) else None
        return full is not None and full.split(".")[0] == "pyspark"

    def _taken(self, node: ast.expr, value: Value, *, of_other_code: bool = False) -> Value:
        """What ``node`` evaluates to where only a frame makes sense. ``of_other_code``: even if it is the result of a
        function that was imported, which may be another library's."""
        if isinstance(value, (TrackedFrame, Grouped, Rdd, Udf)):
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
            or (self.names.resolve(root) and not of_other_code)
            or (isinstance(value, Unevaluated) and is_literal(value.node))
        ):
            return value
        return self._discover(node, value)

    def _discover(self, node: ast.expr, value: Value) -> TrackedFrame:
        bound = self.lookup(node.id) if isinstance(node, ast.Name) else None
        if bound is not None and bound.frame is not None:
            return bound.frame
        origin = value.origin if isinstance(value, Unknown) else f"the result of `{short(self.names.ctx.text(node))}`"
        origin, span = origin + small(value.node if isinstance(value, Unevaluated) else node), self.names.ctx.span(node)
        given = self._given(value, node)
        schemas = {f.known_schema for f in given}
        schema = all_nullable(schemas.pop()) if len(schemas) == 1 else UNKNOWN_SCHEMA
        plan: Plan = Scan(origin, "unknown", schema, span)
        one_schema = schema != UNKNOWN_SCHEMA
        facts = tuple(fact for fact in given[0].facts if all(fact in f.facts for f in given)) if one_schema else ()
        if isinstance(value, Unknown) and value.why:
            causes = frozenset[Cause]({"loop"} if value.in_loop else ())
            plan = Opaque(None, "opaque", f"what the frame holds is not known: {value.why}", span, causes)
        elif isinstance(value, Unevaluated) and isinstance(value.node, (ast.IfExp, ast.BoolOp)):
            plan = Opaque(None, "opaque", "what the frame holds is not known: one of two frames", span, frozenset())
            self._note_doubt(value, node)
        elif not self._is_sure(value, given):
            self._note_doubt(value, node)
        frame = self.frame(plan, schema, facts=facts, no_nulls=one_schema and all(f.no_nulls for f in given))
        if bound is not None and bound.ident in {b.ident for b in (*self.env.values(), *self.outer.values())}:
            bound.frame = frame
        return frame

    def _is_sure(self, value: Value, given: Sequence[TrackedFrame]) -> bool:
        """Whether ``value`` is one of Spark's frames for certain: a check of its type says so, or it is one wherever
        the file ``given`` it."""
        checked = isinstance(value, Unknown) and value.is_frame and value.assumed is None
        doubtful = (p for f in given for p in below(f.plan) if isinstance(p, Scan) and p.span in self.world.taken)
        return checked or (bool(given) and not any(doubtful))

    def _note_doubt(self, value: Value, node: ast.expr) -> None:
        """Note what it rests on that ``node`` is a frame, as long as nothing shows it."""
        assumed = value.assumed if isinstance(value, Unknown) else None
        text, span = short(self.names.ctx.text(node)), self.names.ctx.span(node)
        if assumed is None:
            self.world.guessed.add(span)
        self.world.taken[span] = assumed or Assumption("type", f"`{text}` is a DataFrame of Spark")

    def _given(self, value: Value, node: ast.expr) -> list[TrackedFrame]:
        """The frames that a parameter of a function is given wherever the file calls it, or the one in a variable of
        the module that the function reads; none if that is not known of each."""
        function = self.function
        if function is None or self.place:
            return []
        if isinstance(node, ast.Name) and node.id not in self.local and node.id not in self.names.imported:
            if not self.names.ctx.at_top(function) or self.names.reflective:
                return []  # a function around it may bind the name
            about = ("", node.id)
        elif isinstance(value, Unknown):
            about = (function.name, value.origin.removeprefix("parameter "))
        else:
            return []
        given = self.names.ctx.frames_given(about)
        found: list[TrackedFrame] = []
        for made in given.made if given else ():
            place = (*self.place, id(made.expression))
            with self.world.follow_again(place, made.expression, *made.assignments) as allowed:
                frame = self.after(made.assignments, made.expression, place) if allowed else None
            if not isinstance(frame, TrackedFrame):
                return []
            found.append(frame)
        return found


def is_literal(node: ast.expr) -> bool:
    return isinstance(
        node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.Lambda)
    )


def short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:37] + "…"
