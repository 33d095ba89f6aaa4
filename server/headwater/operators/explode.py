"""Explode: ``explode``, ``posexplode``, ``inline`` and their ``outer`` kin.

Law: ``σ_P(χ(d)) = χ(σ_P(d))`` for a P over columns that pass through.
Condition: P reads no column that is made here, and cannot raise. Spark moves such filters itself, as far as the next
boundary.
Why sound: all rows that come of one row have its other columns, so P keeps or drops them together. Of a row without
elements P is not asked above, and below it is: so it must not raise.
Counterexample without the condition: ``e > 90`` is no condition on a row whose array is ``[10, 95]``.

As a boundary, for a P over made columns:
Law: ``σ_P(χ_{e in xs}(d)) = χ_{e in filter(xs, e -> P)}(d)``, and the keys and values of a map likewise.
Condition: of an array or a map that ``explode`` is called of. Of ``explode_outer`` only a P that drops the row which
stands for no elements, with NULL in their place, and then the filter stays.
Why sound: the rows that come of one row are its elements, one by one, NULL elements among them; ``filter`` keeps those
of which P is TRUE, as the filter above does; of NULL and of an empty array come no rows either way. So each element is
a row of a fold of its own that gives it back, and what is proved of that fold is what ``filter`` may ask of it. What P
reads of other columns, it reads of the row that the array is in. A field of a struct is one more column of the fold:
any value that it has with the element, it may have there. So is what Spark computes of the element (``native``), which
raises on none of its type.
That ``filter`` is asked of the very array that there is, once for each row, whatever the array is a function of
(``varies``: a parameter may hold any Column, ``rand()`` too). But no row may go before: others would be drawn then.
Counterexample without the condition: ``explode_outer([1])`` with ``e > 5 OR e IS NULL`` gives nothing; of the filtered
array, which is empty, it gives a row with NULL, which passes.
``posexplode`` of an array counts its elements, and of fewer it would count others. For a P over the element e:
Law: ``σ_P(χ_{i, e in xs}(d)) = σ_P(χ_{i, e in xs}(σ_{∃ e in xs: P}(d)))``; the filter stays.
Condition: P does not read the place i; of a filter that also asks for places, what else it says. Of the outer one as
above.
Why sound: of a row no element of which satisfies P, no row passes; all others keep their whole array.
Counterexample to filtering the array: in ``["a", "b"]`` the place of ``"b"`` is 1, and in ``["b"]`` it is 0.
``unpivot`` and ``stack``, for a P over made columns: one row makes as many as there are columns to unpivot, ``a_i`` of
each, or as are written out.
Law: ``σ_P(υ(d)) = σ_P(υ(σ_G(d)))`` with ``G = ⋁ P[variable := 'a_i', value := a_i]``; the filter stays.
Condition: P cannot raise, and no column changes its type when it becomes one with the others.
Why sound: of a row on which no disjunct is TRUE, no row passes.
Counterexample to moving P itself: of the row ``a = 1, b = 9`` one row passes ``value > 5``, and ``a > 5`` drops both.
Reference: ANCHORS.md, *Explode, unpivot: columns that it does not generate*; Spark ``PushPredicateThroughNonJoin``,
``ArrayFilter``, ``Explode``; THEORY.md section 2 (``rows`` are elements); facts, section C *explode-e*, *unpivot-val*.
"""

from __future__ import annotations

from itertools import pairwise

from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Call, Col, Expr, Lit, columns_of, conjoin, conjuncts, disjoin, transform
from headwater_ir.native import FUNCTIONS, as_native, native_facts, parts_of, with_natives
from headwater_ir.plan import Explode, Plan
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.struct_fields import as_columns
from headwater_ir.types import ANY, Type

from .boundary import on_row_columns, over_outputs
from .null_extended import rejects_nulls
from .outcome import Stop, alike, may_raise
from .protocol import EVERY_COLUMN, Columns, Inputs, Operator


def through(predicate: Expr, node: Explode, inputs: Inputs) -> Expr:
    """``predicate`` below ``node``: unchanged, if it reads other columns only."""
    made = sorted(columns_of(predicate) & set(node.made))
    if made:
        raise Stop("multiplicity", f"`{made[0]}` is one of several values that come of one row")
    if node.varies:
        raise Stop("opaque", "what is taken apart is not known to be a deterministic function of the row")
    if may_raise(predicate):
        raise Stop("may-throw", "the filter may raise on rows that have no elements")
    return predicate


def is_met(predicate: Expr, node: Explode) -> bool:
    """Whether ``node`` is a boundary to ``predicate``: it reads what is made here, and that could be said inside."""
    return node.boundary is not None and bool(columns_of(predicate) & set(node.made))


def meet(predicate: Expr, node: Explode, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """The elements as rows of a fold that gives them back, the predicate over its outputs, and the conjuncts on
    columns that pass through."""
    if node.arms:
        return _of_arms(predicate, node, inputs)
    made = frozenset(node.made)
    predicate = as_columns(predicate, made)
    if node.placed:
        predicate = _without_place(predicate, node.made[0])
    if node.varies and not all(any(map(node.makes, columns_of(c))) for c in conjuncts(predicate)):
        raise Stop("opaque", "what is taken apart is not known to be a deterministic function of the row")
    if len(node.made) == 1 + node.placed:
        predicate = with_natives(predicate, {node.made[-1]: node.element})
    fields = frozenset(p for c in columns_of(predicate) - made if node.makes(c) for p in parts_of(c) or (c,))
    made = made | fields
    if node.outer and not rejects_nulls(predicate, made):
        raise Stop("multiplicity", f"`{node.made[0]}` is NULL in a row that stands for no elements, and that may pass")
    read = sorted(columns_of(predicate) | made)
    types = {n: ANY if n in made else inputs.type_of_column(node.child, n) for n in read}
    if len(node.made) == 1 + node.placed:
        types[node.made[-1]] = node.element
    types |= {n: FUNCTIONS[native[0]][1] for n in read if (native := as_native(n)) is not None}
    columns = tuple(Column(n, types[n]) for n in read)
    outputs = tuple(OutputColumn(n, types[n], Col(n)) for n in read)
    structs = [(f, f.partition(".")[0]) for f in sorted(fields) if as_native(f) is None]
    named = tuple(
        Assumption("names", f"`{f}` is a field of `{of}`, not a column of a frame of that name") for f, of in structs
    )
    facts = tuple(fact for f in sorted(fields) for fact in native_facts(f))
    fold = Fold("explode", "explode", columns, (), (), (), outputs, rows="one", facts=facts, assumptions=named)
    over = over_outputs(predicate, fold)
    return fold, over, on_row_columns(over, fold, frozenset(read) - made)


def _without_place(predicate: Expr, place: str) -> Expr:
    """What ``predicate`` says beside what it says of the place."""
    parts = [c for c in conjuncts(predicate) if place not in columns_of(c)]
    if not parts or (may_raise(predicate) and len(parts) < len(conjuncts(predicate))):
        raise Stop("multiplicity", f"`{place}` counts the elements: of fewer it would count others")
    return conjoin(parts)


def _of_arms(predicate: Expr, node: Explode, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """Rows as folds that give them back, and the condition that one of the rows which come of a row may pass."""
    made = frozenset(node.made)
    own = conjoin([c for c in conjuncts(predicate) if columns_of(c) & made])
    if may_raise(own):
        raise Stop("may-throw", "the filter may raise on a row of which another one passes")
    for name in sorted(columns_of(own) & made):
        kinds = [_type(dict(arm)[name], node.child, inputs) for arm in node.arms]
        if {alike(a, b) for a, b in pairwise(kinds)} - {True}:
            raise Stop("opaque", f"`{name}` may have values of several types in it")
    parts = [_in_arm(own, dict(arm)) for arm in node.arms]
    whole = disjoin(list(dict.fromkeys(parts)))
    read = sorted(columns_of(whole))
    columns = tuple(Column(n, inputs.type_of_column(node.child, n)) for n in read)
    outputs = tuple(OutputColumn(c.name, c.type, Col(c.name)) for c in columns)
    facts = tuple(f for f in node.facts if columns_of(f) <= set(read))
    fold = Fold("unpivot", "explode", columns, (), (), (), outputs, rows="one", facts=facts)
    return fold, over_outputs(whole, fold), ()


def _type(value: Expr, child: Plan, inputs: Inputs) -> Type:
    if isinstance(value, Col):
        return inputs.type_of_column(child, value.name)
    return value.type if isinstance(value, (Lit, Call)) else ANY


def _in_arm(condition: Expr, arm: dict[str, Expr]) -> Expr:
    return transform(condition, lambda n: arm.get(n.name) if isinstance(n, Col) else None)


def columns(node: Explode) -> Columns:
    """Those that it makes, and all others of its input."""
    return Columns(dict.fromkeys(node.made, node.element if len(node.made) == 1 else ANY), node.child)


OPERATOR = Operator(Explode, "explode", through, columns, lambda _: EVERY_COLUMN, meet=meet)
