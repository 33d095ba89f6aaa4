"""Functions of the array that an aggregate collects, as aggregates of its elements: ``size(collect_list(x))``,
``sort_array(collect_set(x))[0]``, ``exists(collect_list(x), e -> …)``, ``aggregate(collect_list(x), 0, …)``.

Law: ``collect_list``, ``array_agg`` and ``collect_set`` pass over NULL, so the array holds no NULL and is never NULL
itself; over no value it is empty. Its order is that of the rows, until it is sorted. A place that an array does not
have is NULL, or an error under ANSI mode (``get`` and ``try_element_at``: NULL).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.pyspark.columns import spark_functions
from headwater.pyspark.frames.typed_terms import Term, compare, kind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And, Call, Compare, Expr, If, In, IsNull, Lit, Not, Or, StringTest
from headwater_ir.types import ANY, BOOL, NULL

from .aggregate import Native
from .struct_aggregates import Struct

COLLECTIONS = frozenset("collect_set collect_list array_agg".split())
_EXTREMES = {"array_max": "max", "array_min": "min"}


@dataclass(frozen=True)
class Function:
    """A lambda of ``arity`` parameters."""

    arity: int
    of: Callable[..., Term]


Argument = Term | Function


@dataclass(frozen=True, kw_only=True)
class Collected(Term):
    """What is collected of ``element`` in the rows where ``where`` is TRUE; None: in all of them. ``distinct``: each
    value once. ``descending``: how it is sorted; None: by the order of the rows."""

    element: Term
    distinct: bool = False
    where: Expr | None = None
    descending: bool | None = None

    def kept(self) -> Term:
        """The element, NULL in rows that it leaves out."""
        return self.element if self.where is None else spark_functions.case(((self.where, self.element),), None)

    def rows(self, condition: Expr) -> Term:
        """Whether a row gives an element of which ``condition`` holds."""
        given = [] if self.where is None else [self.where]
        return Term(And((Not(IsNull(self.element.expr)), *given, condition)), BOOL)


Add = Callable[[Native], Term]
"""The value of one more aggregate."""


def collected(function: str, element: Term, add: Add) -> Collected:
    """``collect_list(element)`` and its like."""
    made = add(Native(function, element))
    return Collected(made.expr, made.type, element=element, distinct=function == "collect_set")


Law = Callable[[str, Collected, Sequence[Argument], Add], Term | None]
"""The value of a function of this name, of an array and these further arguments; None where it has no model."""
_LAWS: dict[str, Law] = {}


def laws() -> Mapping[str, Law]:
    """The functions of a collected array that have a model, by name; ``[]`` is a subscript."""
    return _LAWS


def function(names: str) -> Callable[[Law], Law]:
    """Register the law of the functions of these names."""

    def give(law: Law) -> Law:
        _LAWS.update(dict.fromkeys(names.split(), law))
        return law

    return give


def call(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    """``name(array, *rest)``; None where it has no model."""
    return _LAWS[name](name, array, rest, add) if name in _LAWS else None


@function("size cardinality array_size")
def _size(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    if rest:
        return None
    if array.where is not None and not array.distinct:
        return add(Native("count_if", array.rows(array.where)))
    return add(Native("count_distinct" if array.distinct else "count", array.kept()))


@function("array_max array_min")
def _extreme_of(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    return None if rest else _extreme(_EXTREMES[name], array, add)


@function("array_contains")
def _contains(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match rest:
        case [Term() as sought]:
            _comparable(array, [sought], name)
            return add(Native("exists", array.rows(compare("==", array.element, sought))))
    return None


@function("arrays_overlap")
def _overlap(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match rest:
        case [Term(expr=Call(name="spark.array", args=options))] if options:
            terms = [Term(o, o.type) for o in options if isinstance(o, Lit)]
            if len(terms) < len(options) or array.element.type.name not in ("int", "string", "date", "bool"):
                return None
            _comparable(array, terms, name)
            return add(Native("exists", array.rows(spark_functions.is_in(array.element, tuple(terms)).expr)))
    return None


@function("exists forall")
def _exists(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match rest:
        case [Function(arity=1) as test]:
            holds = _condition(test, array, never_null=True)
            found = add(Native("exists", array.rows(holds if name == "exists" else Not(holds))))
            return found if name == "exists" else replace(found, expr=Not(found.expr))
    return None


@function("filter")
def _filtered(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match rest:
        case [Function(arity=1) as test]:
            # Of values that a set takes for one, -0.0 and 0.0, the test must say the same.
            holds = _condition(test, array, never_null=array.distinct)
            return _collect(replace(array, where=holds if array.where is None else And((array.where, holds))), add)
    return None


@function("sort_array array_sort reverse")
def _in_order(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match name, rest:
        case (("sort_array" | "array_sort"), []):
            return _sorted(replace(array, descending=False))
        case "sort_array", [Term(expr=Lit(value=bool() as ascending))]:
            return _sorted(replace(array, descending=not ascending))
        case "reverse", [] if array.descending is not None:
            return _sorted(replace(array, descending=not array.descending))
    return None


@function("array_distinct")
def _distinct(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    return None if rest else _collect(replace(array, distinct=True), add)


@function("array_compact")
def _compact(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    return None if rest else array


@function("element_at try_element_at get []")
def _element(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match name, rest:
        case (("element_at" | "try_element_at"), [Term(expr=Lit(value=int() as number))]) if number in (1, -1):
            return _at(number == 1, array, name == "try_element_at", add)
        case (("get" | "[]"), [Term(expr=Lit(value=int() as place))]) if place == 0:
            return _at(True, array, name == "get", add)
    return None


@function("aggregate reduce")
def _reduced(name: str, array: Collected, rest: Sequence[Argument], add: Add) -> Term | None:
    match rest:
        case [Term() as zero, Function(arity=2) as merge, *finish]:
            return _aggregate(array, zero, merge, finish, add)
    return None


def _comparable(array: Collected, sought: Sequence[Term], name: str) -> None:
    """Spark converts nothing here, and refuses NULL."""
    constants = all(isinstance(s.expr, Lit) and s.expr.value is not None for s in sought)
    if not constants or any(kind(array.element.type) not in (kind(s.type), "any") for s in sought):
        raise Refusal("opaque", f"`{name}` of something other than constants of the type of the elements")


def _condition(test: Function, array: Collected, *, never_null: bool) -> Expr:
    holds = spark_functions.boolean(test.of(array.element))
    if never_null and not _never_null(holds, array.element.expr):
        raise Refusal("three-valued-logic", "a condition on elements that may be NULL")
    return holds


def _never_null(e: Expr, element: Expr) -> bool:
    """Whether ``e`` is TRUE or FALSE for each ``element`` that is not NULL, and alike for equal ones."""
    match e:
        case Compare(left=left, right=right):
            sides = (left, right)
            return all(s == element or (isinstance(s, Lit) and s.value is not None) for s in sides)
        case In(operand=operand, options=options):
            return operand == element and all(isinstance(o, Lit) and o.value is not None for o in options)
        case StringTest(text=text, needle=Lit(value=str())):
            return text == element
        case And(operands=operands) | Or(operands=operands):
            return all(_never_null(o, element) for o in operands)
        case Not(operand=operand):
            return _never_null(operand, element)
    return False


def _collect(array: Collected, add: Add) -> Collected:
    """``array`` as the aggregate that collects its elements."""
    if isinstance(array.element, Struct):
        raise Refusal("opaque", "a part of an array of structs")
    made = add(Native("collect_set" if array.distinct else "collect_list", array.kept()))
    return _sorted(replace(array, expr=made.expr)) if array.descending is not None else replace(array, expr=made.expr)


def _sorted(array: Collected) -> Collected:
    inner = array.expr.args[0] if isinstance(array.expr, Call) else array.expr
    return replace(array, expr=Call(f"spark.sort_array:{array.descending}", (inner,), ANY, total=True))


def _extreme(function: str, array: Collected, add: Add) -> Term:
    if isinstance(array.element, Struct) and array.where is not None:
        raise Refusal("opaque", "a part of an array of structs")
    return add(Native(function, array.kept()))


def _at(first: bool, array: Collected, safe: bool, add: Add) -> Term | None:
    """The first or the last element of a sorted array."""
    if array.descending is None:
        return None
    found = _extreme("max" if array.descending == first else "min", array, add)
    if safe:
        return found
    if not isinstance(found, Struct):
        return replace(found, expr=_or_error(found, found.expr))
    fields = tuple((n, replace(t, expr=_or_error(found, t.expr))) for n, t in found.fields)
    return replace(found, expr=_or_error(found, found.expr), fields=fields)


def _or_error(element: Term, value: Expr) -> Expr:
    """``value`` of the element; if there is none NULL, and perhaps an error."""
    nothing = Lit(None, NULL)
    error = Call("spark.element_at", (element.expr,), ANY)
    return If(IsNull(element.expr), If(IsNull(error), nothing, nothing), value)


def _aggregate(array: Collected, zero: Term, merge: Function, finish: Sequence[Argument], add: Add) -> Term | None:
    """``aggregate(array, zero, merge, finish)``: element by element in the order of the array."""
    if array.distinct or array.descending is not None or not isinstance(zero.expr, Lit) or zero.expr.value is None:
        return None  # each element once, or in an order of its own
    state = spark_functions.sized(zero)
    found = add(Native("aggregate", array.kept(), (state,), update=merge.of))
    match finish:
        case []:
            return found
        case [Function(arity=1) as last]:
            return last.of(found)
    return None
