"""Whether two plans, each read off a text of its own, are one plan at other places.

Places are compared as a relation: what stands at one place in the first text stands at one place in the second, and the
other way round. So operators that are one in one text, or read one frame, are so in the other. A fold of the user's
Python is the same if the code and what it is called with are: its terms may be simpler where more is known of the rows,
as it is behind a pre-filter. Every other fold, condition and value is compared as such.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from headwater_ir.codec import dumps
from headwater_ir.expr import Expr, is_expr
from headwater_ir.parts import WindowColumn
from headwater_ir.plan import Aggregate, Boundary, Explode, Filter, Limit, Opaque, Plan, Project, Shared, Window
from headwater_ir.problem import Fold
from headwater_ir.span import Span

from .conditions import Form, form, forms

NOWHERE = Span(0, 0)
"""The place of what the first text does not have. It is compared by identity."""
_NOT_COMPARED: dict[type, frozenset[str]] = {
    Filter: frozenset({"ways", "native", "conjuncts", "reads"}),  # the first two are derived of other plans
    Boundary: frozenset({"insert_at", "function_span", "sql_argument", "sql_where"}),  # the texts are compared as such
    Shared: frozenset({"filters"}),
    WindowColumn: frozenset({"of_bag"}),  # of a rank it may be known where it is not of the first value
}


class Different(Exception):
    """Two plans are not one; the text says in what."""


class Equality:
    """Compares plans of two texts. ``known``: conditions that hold of rows of the second text and need not hold of
    those of the first: what a pre-filter says. ``added``: the conditions of filters that only the second text has:
    below what has no model, which nothing passes, they may stand as well. ``apart``: what is one in the first text,
    read by several, may stand twice in the second. ``read_less``: what is read by several in the first text may be
    read by fewer in the second."""

    def __init__(
        self, first: str, second: str, known: frozenset[Form] = frozenset(), added: frozenset[Span] = frozenset(),
        *, apart: bool = False, read_less: bool = False,
    ) -> None:  # fmt: skip
        self.apart, self.read_less = apart, read_less
        self.first, self.second, self.known, self.added = first, second, known, added
        self._there: dict[Span, Span] = {}
        self._back: dict[Span, Span] = {}
        self._done: dict[tuple[int, int], tuple[object, object]] = {}

    def check(self, a: Plan, b: Plan) -> None:
        """``Different`` unless ``a`` of the first text is ``b`` of the second."""
        self._value(a, b, type(a).__name__)

    def _value(self, a: Any, b: Any, at: str) -> None:
        a, b = self._without_nothing(a), self._without_nothing(b)
        if self.apart and _is_of_shared_rdd(a):
            return  # of which nothing is known but that others read it
        if type(a) is not type(b):
            raise Different(f"{at}: {_shown(a)} is {_shown(b)}")
        if isinstance(a, Span):
            self._span(a, b, at)
        elif isinstance(a, tuple):
            if len(a) != len(b):
                raise Different(f"{at}: {_shown(a)} is {_shown(b)}")
            for i, (x, y) in enumerate(zip(a, b, strict=True)):
                self._value(x, y, f"{at}[{i}]")
        elif is_expr(a):
            if form(a) != form(b):
                raise Different(f"{at}: {_shown(a)} is {_shown(b)}")
        elif not is_dataclass(a):
            if a != b:
                raise Different(f"{at}: {_shown(a)} is {_shown(b)}")
        elif (id(a), id(b)) not in self._done:
            self._done[id(a), id(b)] = a, b
            self._fields(a, b, at)

    def _without_nothing(self, plan: Any) -> Any:
        """What is below projections that change nothing, as a query in SQL text has them for each table."""
        while True:
            same = isinstance(plan, Project) and plan.keeps_others and not plan.columns and not plan.dropped
            if not same and not ((self.apart or self.read_less) and isinstance(plan, Shared)):
                return plan
            plan = plan.child

    def _fields(self, a: Any, b: Any, at: str) -> None:
        left_out = _NOT_COMPARED.get(type(a), frozenset())
        if isinstance(a, Filter):
            self._filter(a, b, at)
            left_out |= {"style", "unread"} if a.call is NOWHERE else frozenset()
        for field in fields(a):
            x, y, where = getattr(a, field.name), getattr(b, field.name), f"{at}.{field.name}"
            if field.name in left_out:
                continue
            if isinstance(a, Opaque) and isinstance(y, Filter) and y.condition in self.added and field.name == "child":
                self._value(x, y if isinstance(x, Filter) and x.call is NOWHERE else y.child, where)
            elif isinstance(x, Fold) and isinstance(y, Fold):
                self._fold(x, y, where, of_user=not isinstance(a, Aggregate) or bool(a.boundary.code))
            elif field.name == "facts" and isinstance(a, (Window, Limit, Explode)):
                if a.span is not NOWHERE:  # else they are what is known of the input, which is compared itself
                    self._facts(x, y, where)
            else:
                self._value(x, y, where)

    def _filter(self, a: Filter, b: Filter, at: str) -> None:
        """The conjuncts, in the order of the proof where they are a pre-filter; else that matters to nobody, for of
        those that were moved none can raise."""
        x, y = (forms(c.condition for c in f.conjuncts) for f in (a, b))
        if a.call is not NOWHERE:
            x, y = sorted(x, key=repr), sorted(y, key=repr)
        if x != y:
            shown = [_shown(tuple(c.condition for c in f.conjuncts)) for f in (a, b)]
            raise Different(f"{at}.conjuncts: {shown[0]} is {shown[1]}")

    def _span(self, a: Span, b: Span, at: str) -> None:
        if a is NOWHERE or self.apart:
            return
        if self._there.setdefault(a, b) != b or self._back.setdefault(b, a) != a:
            raise Different(f"{at}: {_shown(a.text(self.first))} is {_shown(b.text(self.second))} at another place")

    def _facts(self, a: tuple[Expr, ...], b: tuple[Expr, ...], at: str) -> None:
        x, y = {*forms(a)}, {*forms(b)}
        if x - y or y - x - self.known:
            raise Different(f"{at}: {_shown(a)} is {_shown(b)}")

    def _fold(self, a: Fold, b: Fold, at: str, *, of_user: bool) -> None:
        if of_user:
            told = [(f.name, f.api, f.rows, f.grouped, [(o.name, o.type) for o in f.outputs]) for f in (a, b)]
            if told[0] != told[1]:
                raise Different(f"{at}: {_shown(told[0])} is {_shown(told[1])}")
            return
        for field in fields(Fold):
            x, y, where = getattr(a, field.name), getattr(b, field.name), f"{at}.{field.name}"
            if field.name == "facts":
                self._facts(x, y, where)
            elif dumps(x) != dumps(y):
                raise Different(f"{where}: {_shown(x)} is {_shown(y)}")


def _is_of_shared_rdd(plan: object) -> bool:
    node = plan.child if isinstance(plan, Filter) else plan
    return isinstance(node, Opaque) and node.obstruction == "shared-subplan"


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 160 else f"{text[:159]}…"
