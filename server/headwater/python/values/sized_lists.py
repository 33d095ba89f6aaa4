"""Lists of which only the length is known: arrays of the row, and what comprehensions and their kin make of them.

Law: a list that is made of another by taking each element at most once is no longer than that one; it is as long if
each is taken. What the elements are has no model. The length of an array ``x`` is ``size(x)`` in Spark's words
(``headwater_ir.array_sizes``), and None has none: Python raises. A length of which only bounds are known is a ghost
column, any number that keeps to the bounds: so what is proved holds whatever the condition of a comprehension says.
Errors of the elements' own code are left out, which takes none of them for an excuse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from headwater.python.exprs.simplify import both, choose
from headwater.syntax.refusal import Refusal
from headwater_ir.array_sizes import fact_in_sizes, fact_of, is_there, size_column
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import (
    TRUE,
    And,
    Col,
    Compare,
    Expr,
    If,
    IsNull,
    IsTrue,
    Lit,
    Not,
    Or,
    Raise,
    columns_of,
    conjoin,
    walk,
)
from headwater_ir.plan import Schema
from headwater_ir.types import INT, INT32

from .native_parts import is_registered
from .scope import AbstractObject, Items, Scope, Value
from .type_inference import WORDS

OF_NONE = "length of `None`"
"""The ghost for the ``size`` of NULL, which is a matter of configuration."""
_NO_LENGTH = Raise("None has no length")
_ZERO = Lit(0, INT)
Kind = Literal["list", "tuple", "set", "iterator"]


@dataclass(frozen=True)
class Sized(AbstractObject):
    """Elements without a model, ``length`` of them; ``length`` raises where it is None. ``there``: whether it is not
    None. ``kind``: a list can be changed in place, an iterator runs out."""

    length: Expr
    there: Expr = TRUE
    kind: Kind = "list"

    @property
    def collects(self) -> bool:
        """Whether a second name would see changes made through the first."""
        return self.kind != "tuple"

    @property
    def filled(self) -> Expr:
        """``bool(…)``: false for None."""
        if isinstance(self.length, If) and self.length.cond == self.there and isinstance(self.length.otherwise, Raise):
            return IsTrue(Compare(">", self.length.then, _ZERO, "sql"))
        return both(self.there, Compare(">", self.length, _ZERO, "python"))


def array(scope: Scope, name: str) -> Sized:
    """The array in the column ``name``; Refusal if the file may have a function of its own called `size`."""
    if is_registered(scope.names, "size"):
        raise Refusal("opaque", "the file may register a function `size` for SQL")
    size = size_column(name)
    scope.columns[size.name] = INT32
    scope.arrays[name] = None
    return Sized(choose(is_there(name), size, _NO_LENGTH), is_there(name))


def as_sized(value: Value) -> Sized | None:
    """``value`` as a list of which the length is known; None if it is none."""
    if isinstance(value, Sized):
        return value
    if isinstance(value, Items) and not value.unique:
        return Sized(Lit(len(value.items), INT), kind="list" if value.mutable else "tuple")
    return None


def shorter(scope: Scope, of: Sized, kind: Kind = "list") -> Sized:
    """Some of the elements of ``of``, it is not known how many."""
    ghost = scope.ghost(f"length of `list {len(scope.lengths) + 1}` {scope.label}".rstrip(), INT32)
    scope.lengths[ghost.name] = of.length
    return Sized(_in_place_of(of.length, ghost), kind=kind)


def as_long(of: Sized, kind: Kind = "list") -> Sized:
    """As many elements as ``of`` has."""
    return Sized(of.length, kind=kind)


def _in_place_of(length: Expr, new: Expr) -> Expr:
    """``new``, with the errors of ``length``."""
    if isinstance(length, If):
        return choose(length.cond, _in_place_of(length.then, new), _in_place_of(length.otherwise, new))
    return length if isinstance(length, Raise) else new


def joined(cond: Expr, a: Value, b: Value) -> Sized | None:
    """``a`` where ``cond`` holds, else ``b``, if both are lists; None if not."""
    x, y = as_sized(a), as_sized(b)
    if x is None or y is None or x.kind != y.kind or not (isinstance(a, Sized) or isinstance(b, Sized)):
        return None
    return Sized(choose(cond, x.length, y.length), choose(cond, x.there, y.there), x.kind)


# --- what is known of lengths


def facts_of(scope: Scope, facts: tuple[Expr, ...], source: Schema) -> tuple[Expr, ...]:
    """``facts`` in terms of sizes, with what is known of sizes and lengths in general; without those of columns whose
    values have no model."""
    arrays = frozenset(scope.arrays)
    told = (fact_in_sizes(f, arrays) for f in facts) if arrays else facts
    hidden = {f.name for f in source.fields if f.type.name in ("list", "opaque")}
    known = [fact for fact in told if fact is not None and not columns_of(fact) & hidden]
    known += [fact_of(name) for name in arrays_in_order(scope)]
    if OF_NONE in scope.columns:
        known.append(Or((IsNull(Col(OF_NONE)), IsTrue(Compare("==", Col(OF_NONE), Lit(-1, INT), "sql")))))
    for name, bound in scope.lengths.items():
        known.append(IsTrue(Compare(">=", Col(name), _ZERO, "sql")))
        limit = _at_most(Col(name), bound)
        known += [limit] if limit is not None else []
    return tuple(known)


def arrays_in_order(scope: Scope) -> list[str]:
    """The arrays that were read, by name."""
    return sorted(scope.arrays)


def _at_most(ghost: Expr, bound: Expr) -> Expr | None:
    """A condition of SQL that is TRUE wherever ``bound`` has a value and ``ghost`` is not greater, and where it has
    none; None if there is none that is sure not to raise."""
    match bound:
        case Raise():
            return TRUE
        case Col() | Lit():
            return Or((IsNull(bound), IsTrue(Compare("<=", ghost, bound, "sql"))))
        case If(cond, then, otherwise) if all(_is_plain(n) for n in walk(cond)):
            first, second = _at_most(ghost, then), _at_most(ghost, otherwise)
            if first is None or second is None:
                return None
            yes = cond if isinstance(cond, IsTrue) else IsTrue(cond)
            parts: list[Expr] = [p for p in (Or((Not(yes), first)), Or((yes, second))) if TRUE not in p.operands]
            return conjoin(parts) if parts else TRUE
    return None


def _is_plain(e: Expr) -> bool:
    """Whether ``e`` raises nothing by itself."""
    if isinstance(e, Compare):
        return e.dialect == "sql" and all(isinstance(s, (Col, Lit)) for s in (e.left, e.right))
    return isinstance(e, (IsTrue, IsNull, Not, And, Or, Col, Lit))


def assumptions(scope: Scope, read: list[Expr]) -> tuple[Assumption, ...]:
    """What was taken on trust, but for what was taken of arrays of which no size is ``read``."""
    lengths = [scope.lengths[n] for e in read for n in columns_of(e) if n in scope.lengths]
    while more := [e for b in lengths for n in columns_of(b) if (e := scope.lengths.get(n)) and e not in lengths]:
        lengths += more
    asked = frozenset[str]().union(*map(columns_of, (*read, *lengths)))
    needless = {words(n) for n in scope.arrays if size_column(n).name not in asked}
    return tuple(a for a in scope.assumptions if a.text not in needless)


def words(array_name: str) -> str:
    """The assumption that a column whose type is not known holds arrays."""
    return f"`{array_name}` {WORDS['list']} (schema unknown)"
