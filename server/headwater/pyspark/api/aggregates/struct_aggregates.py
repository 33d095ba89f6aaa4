"""``max(struct(a, b))`` and ``min(struct(a, b))``: the greatest and the least of structs, field by field.

Law (``PhysicalStructType.ordering`` in Spark): structs compare by their first fields, if these are equal by the second
ones, and so on; a field that is NULL is less than every other value, NaN is greatest, -0.0 equals 0.0. A struct that is
written out is never NULL, so every row counts; of equal structs the first one stays. Without any row the result is
NULL, and so is each of its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And, Call, Compare, Expr, If, IsNull, Lit, Not, Or, Same, Slot
from headwater_ir.struct_fields import field_of
from headwater_ir.types import ANY, STRING

from .aggregate_slots import NONE, Part, extreme


@dataclass(frozen=True)
class Struct(Term):
    """A struct with known ``fields``, in their order. A struct that is written out is represented by an unknown text,
    never NULL."""

    fields: tuple[tuple[str, Term], ...] = ()

    def field(self, name: str) -> Term:
        """One field; Refusal if there is none of that name, or several."""
        found = [term for n, term in self.fields if n.lower() == name.lower()]
        if len(found) != 1:
            raise Refusal("attribute-capture", f"`{name}` is not one field of the struct")
        return found[0]


def struct(fields: list[tuple[str | None, Term]]) -> Struct:
    """The struct of ``fields``; Refusal unless each has a name."""
    named = tuple((name, term) for name, term in fields if name is not None)
    if not named or len(named) < len(fields):
        raise Refusal("opaque", "a struct with a field that has no plain name")
    if any(t.type.name in ("list", "null", "opaque") for _, t in named):
        raise Refusal("opaque", "a struct with a field whose order has no model")
    made = Call("struct:", tuple(t.expr for _, t in named), STRING, total=True)
    return Struct(If(IsNull(made), Lit("", STRING), made), ANY, fields=named)


def with_fields(made: Term, of: Struct) -> Struct:
    """``made``, which is a struct with the fields of ``of``."""
    fields = tuple((n, Term(field_of(made.expr, n), t.type, name=n)) for n, t in of.fields)
    return Struct(made.expr, made.type, fields=fields)


def extreme_of_structs(function: str, of: Struct) -> Part:
    """``max(of)`` or ``min(of)``: the slots are the struct, represented by an unknown text, and its fields."""
    terms = [t for _, t in of.fields]
    first = extreme(function, terms[0].expr, terms[0].type)

    def better(new: list[Expr], old: list[Expr]) -> Expr:
        # NULL is least: before the first row there is what no struct is less than, and the greatest of which is not
        # distinguished from a struct of NULLs but by the text.
        if function == "min":
            return Or((IsNull(old[0]), _less(new[1:], old[1:])))
        return Or((_less(old[1:], new[1:]), And((IsNull(old[0]), Not(_less(new[1:], old[1:]))))))

    def step(b: int) -> tuple[Expr, ...]:
        new, old = [of.expr, *(t.expr for t in terms)], [Slot(b + i) for i in range(len(terms) + 1)]
        found = [If(better(new, [*old]), n, o) for n, o in zip(new, old, strict=True)]
        return _with_first(found, first.step(b + 1)[0])

    def merge(b: int) -> tuple[Expr, ...]:
        left, right = ([Slot(b + i, side) for i in range(len(terms) + 1)] for side in (1, 2))
        wins = And((Not(IsNull(right[0])), better([*right], [*left])))
        return _with_first([If(wins, r, o) for r, o in zip(right, left, strict=True)], first.merge(b + 1)[0])

    def _with_first(found: Sequence[Expr], greatest: Expr) -> tuple[Expr, ...]:
        # The first field of the greatest struct is the greatest first field.
        return (found[0], greatest, *found[2:]) if function == "max" else tuple(found)

    places = tuple((name, i + 1) for i, (name, _) in enumerate(of.fields))
    types = (STRING, *(t.type for t in terms))
    return Part(types, tuple(NONE for _ in types), step, merge, Slot, ANY, places)


def _less(new: list[Expr], old: list[Expr]) -> Expr:
    """Whether a struct with the fields ``new`` is less than one with the fields ``old``."""
    a, b = new[0], old[0]
    less = Or((And((IsNull(a), Not(IsNull(b)))), Compare("<", a, b, "sql")))
    return less if len(new) == 1 else Or((less, And((Same(a, b), _less(new[1:], old[1:])))))
