"""The frame in a variable that a job is asked of, and the filters between both."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import ANY_FORMAT, QUERY
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unknown
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.parts import Schema
from headwater_ir.plan import UNKNOWN_SCHEMA, Filter, Opaque, Plan, Scan
from headwater_ir.walks import below, untranslated

from .inner_conjunctions import has_inner_conjunction
from .measures import Spelled, alternatives, condition
from .places import Places

FILTERS = ("filter", "where")
_OF_SPARK = frozenset(
    """
    createOrReplaceTempView createTempView dropDuplicates groupBy printSchema selectExpr unionByName withColumn
    withColumnRenamed withColumns
    """.split()
)
"""Methods that of all frames only Spark's have."""
_OF_POLARS = {"filter", "select"}
"""Methods that frames of polars have, too."""
_OWN_ATTRIBUTES = ("__getattr__", "__getattribute__", "__setattr__", "__slots__")


class Below(NamedTuple):
    """The frame in the variable ``name``, read at ``base``, behind the filters ``conditions``."""

    base: ast.Name | ast.Attribute
    name: str
    plan: Plan
    schema: Schema
    conditions: tuple[Spelled, ...]

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What has to be true for that."""
        return (*if_plain(self.name), *(a for s in self.conditions for a in s.assumed))

    @property
    def steps(self) -> ir.Reading:
        """What the filters do."""
        return tuple(ir.Where(s.conditions) for s in self.conditions)

    def by_alternatives(self, scope: ApiContext) -> ir.Reading:
        """What the filters do, of which each may keep the rows of several conditions."""
        return tuple(ir.AnyOf(alternatives(s.node, scope.names)) for s in self.conditions)


def below_of(of: ast.expr, plan: Plan, scope: ApiContext, places: Places | None = None) -> Below | None:
    """What ``of`` is, of which ``plan`` is the plan; None if it is not known. With ``places``, a frame that is made of
    another one's by filters counts as that one behind them."""
    base, conditions = filtered(of)
    if places is not None:
        while (made := made_by_filters(base, scope, places)) is not None:
            base, conditions = made[0], [*made[1], *conditions]
    name, of_base = name_of(base, scope), _plan_below(plan, len(conditions))
    if not isinstance(base, (ast.Name, ast.Attribute)) or name is None or of_base is None:
        return None
    spelled, frame = [condition(c, name, scope) for c in conditions], frame_in(base, scope)
    if None in spelled:
        return None
    known = tuple(s for s in spelled if s is not None)
    if frame is not None:
        return Below(base, name, frame.plan, frame.known_schema, known)
    unknown = isinstance(base, ast.Attribute) and scope.lookup(name) is None and is_plain(base, scope)
    return Below(base, name, of_base, UNKNOWN_SCHEMA, known) if unknown else None


def conditions_of(spelled: Iterable[Spelled], scope: ApiContext) -> tuple[ir.Part, ...]:
    """Where the conditions ``spelled`` are."""
    span = scope.names.ctx.span
    return tuple(ir.Part(span(s.node), s.style, has_inner_conjunction(s.node, scope)) for s in spelled)


def parts_of(spelled: Iterable[Spelled], scope: ApiContext) -> tuple[ir.Part, ...]:
    return tuple(ir.Part(scope.names.ctx.span(s.node), s.style) for s in spelled)


def texts_of(spelled: Iterable[Spelled]) -> tuple[str, ...]:
    return tuple(c for s in spelled for c in s.conditions)


def texts_of_measure(reading: ir.Reading) -> list[str]:
    """The conditions and the aggregates that ``reading`` asks for."""
    measures = [m for s in reading if isinstance(s, ir.Measured) for m in s.measures]
    where = [c for s in reading if isinstance(s, ir.Where) for c in s.conditions]
    folded = [m.text for m in measures if isinstance(m, ir.Folded)]
    return [*where, *(c for m in measures for c in m.conditions), *folded]


def variable(node: ast.expr, scope: ApiContext) -> str:
    """The variable that ``node`` begins with."""
    while name_of(node, scope) is None and isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return name_of(node, scope) or ""


def name_of(node: ast.expr, scope: ApiContext) -> str | None:
    """The variable that ``node`` reads: one of the scope, or an attribute of the object whose method it is."""
    return node.id if isinstance(node, ast.Name) else scope.attribute(node)


def filtered(of: ast.expr) -> tuple[ast.expr, list[ast.expr]]:
    """The frame below the filters that ``of`` ends with, and their conditions, the lowest first."""
    conditions: list[ast.expr] = []
    while (below := _below_filter(of)) is not None:
        of, conditions = below[0], [below[1], *conditions]
    return of, conditions


def _below_filter(of: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The frame and the condition of the filter ``of``; of ``frame[…]``, which filters by a Column alone."""
    match of:
        case ast.Call(func=ast.Attribute(value=frame, attr=method), args=args, keywords=keywords) if method in FILTERS:
            given = [*args, *(k.value for k in keywords if k.arg == "condition")]
            known = len(given) == 1 == len(args) + len(keywords) and not isinstance(given[0], ast.Starred)
            return (frame, given[0]) if known else None
        case ast.Subscript(value=frame, slice=at) if not isinstance(at, (ast.Constant, ast.JoinedStr, ast.Slice)):
            return frame, at
    return None


def made_by_filters(node: ast.AST, scope: ApiContext, places: Places) -> tuple[ast.Name, list[ast.expr]] | None:
    """The variable of which the frame in the variable ``node`` has the rows that these conditions keep, each of which
    would be the same if it were written where ``node`` is."""
    if not isinstance(node, ast.Name) or node.id in scope.names.rebound:
        return None
    made = places.made_once(node)
    statement = None if made is None else places.statement(made)
    if made is None or statement is None or not places.comes_before(statement, node):
        return None
    base, conditions = filtered(made)
    if not conditions or not isinstance(base, ast.Name):
        return None
    read = {n.id for c in conditions for n in ast.walk(c) if isinstance(n, ast.Name)} - {base.id}
    same = all(_is_unchanged(n, scope, places) for n in {base.id, *read} if scope.names.resolve(_name(n)) is None)
    return (base, conditions) if same else None


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _is_unchanged(name: str, scope: ApiContext, places: Places) -> bool:
    """Whether the variable ``name`` holds one thing wherever the scope reads it, which nobody changes."""
    names, ctx, stored = scope.names, scope.names.ctx, places.times_bound(name)
    if name in names.rebound or name in names.mutated or ctx.bound_otherwise(name) or ctx.binds_unseen:
        return False
    if any(isinstance(n.ctx, ast.Del) for n in places.named(name)):
        return False
    return stored == 0 or (stored == 1 and ast.arg not in ctx.bound_by(name))


def _plan_below(plan: Plan, number: int) -> Plan | None:
    """What is below the filters, if so many are on top, and no model refuses one of them for more than what it does
    not know."""
    for _ in range(number):
        if isinstance(plan, Opaque) and plan.obstruction == "opaque" and "filter" in plan.causes:
            if plan.child is None:
                return None
            plan = plan.child
            continue
        if not isinstance(plan, Filter):
            return None
        hidden = untranslated(plan)
        if hidden is not None and (hidden.obstruction != "opaque" or hidden.child is None):
            return None
        plan = plan.child if hidden is None or hidden.child is None else hidden.child
    return plan


def frame_in(base: ast.Name | ast.Attribute, scope: ApiContext) -> TrackedFrame | None:
    """The frame in the variable ``base``."""
    bound = scope.lookup(name_of(base, scope) or "")
    if bound is None or not is_plain(base, scope):
        return None
    found = bound.frame or bound.value
    return found if isinstance(found, TrackedFrame) else None


def is_surely_a_frame(base: ast.expr, plan: Plan, scope: ApiContext) -> bool:
    """Whether the variable holds a frame of Spark's for another reason than that its methods are called like those:
    pandas has a ``where`` as well."""
    bound = scope.lookup(name_of(base, scope) or "")
    annotated = bound is not None and isinstance(bound.value, Unknown) and bound.value.is_frame
    bottoms = [n for n in below(plan) if isinstance(n, Scan) or (isinstance(n, Opaque) and n.child is None)]
    made = (isinstance(n, Scan) and (n.format != "unknown" or n.origin in (QUERY, ANY_FORMAT)) for n in bottoms)
    return annotated or all(made)


def is_plain(base: ast.expr, scope: ApiContext) -> bool:
    """Whether only the assignments that can be seen change what the variable holds."""
    if isinstance(base, ast.Attribute):
        return is_plain_attribute(base, scope) and not scope.names.ctx.binds_unseen
    return isinstance(base, ast.Name) and base.id not in scope.names.rebound and not scope.names.ctx.binds_unseen


def is_plain_attribute(node: ast.Attribute, scope: ApiContext) -> bool:
    """Whether the class whose method it is says nothing of the attribute ``node`` of its object: it is no property."""
    if scope.owner is None or scope.attribute(node) is None:
        return False
    ctx = scope.names.ctx
    own = classes_of(scope.owner, scope).here
    return not any(ctx.class_binds((of, name)) for of in own for name in (node.attr, *_OWN_ATTRIBUTES))


class Classes(NamedTuple):
    """A class and those that it is made of which are in the file. ``more``: whether some are elsewhere."""

    here: list[ast.ClassDef]
    more: bool


def classes_of(owner: ast.ClassDef, scope: ApiContext) -> Classes:
    """``owner``, and what it is made of."""
    todo, found, more = [owner], list[ast.ClassDef](), False
    while todo:
        of = todo.pop()
        if any(of is c for c in found):
            continue
        found.append(of)
        named = [(b, scope.names.ctx.class_definition(b.id) if isinstance(b, ast.Name) else None) for b in of.bases]
        todo += [c for _, c in named if c is not None]
        more |= any(c is None and not _is_plain_base(b, scope) for b, c in named)
    return Classes(found, more)


def _is_plain_base(base: ast.expr, scope: ApiContext) -> bool:
    origin = scope.names.resolve(base)
    return origin == "abc.ABC" or (isinstance(base, ast.Name) and base.id == "object")


def is_used_as_a_frame(base: ast.expr, scope: ApiContext, places: Places) -> bool:
    """Whether the variable, which holds one thing all the time, is asked elsewhere for what only Spark's frames do."""
    if not isinstance(base, ast.Name):
        return False
    bound = scope.lookup(base.id)
    given = bound is not None and isinstance(bound.value, Unknown) and not places.times_bound(base.id)
    if not given and places.times_bound(base.id) != 1:
        return False
    if not scope.names.uses_pyspark:
        return False
    columns = (a for call in places.calls_on(base.id) for a in call.args)
    return bool(_OF_SPARK & places.attributes_of(base.id)) or any(
        isinstance(n, ast.Call) and scope.names.function(n.func) is not None for a in columns for n in ast.walk(a)
    )


def if_plain(name: str) -> tuple[Assumption, ...]:
    """What has to be true for the variable ``name`` to hold one thing until the method assigns it."""
    text = f"`{name}` is a plain attribute, which nothing else assigns while the method runs"
    return (Assumption("program", text),) if "." in name else ()


def if_of_spark(of: ast.expr, below: Below, scope: ApiContext) -> Assumption | None:
    """What says that the variable of ``below`` holds a frame of Spark's, if ``of``, made of it, is made by a method
    that frames of pandas and polars do not have, or do not use like that. What is filtered by SQL text may be a query
    of a library for databases."""
    methods = set[str]()
    while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute):
        methods.add(of.func.attr)
        of = of.func.value
    by_text = {"where"} if any(s.style == "sql" for s in below.conditions) else set[str]()
    shown = methods & {"distinct", "dropDuplicates"} or (
        methods & (_OF_POLARS | by_text) and not scope.names.ctx.mentions("polars")
    )
    shown = shown and scope.names.uses_pyspark
    return Assumption("type", f"`{below.name}` is a DataFrame of Spark") if shown else None
