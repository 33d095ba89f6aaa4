"""Truth, membership and comparison of lists, sets, tuples and masks."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NONE, both, choose, either, is_nan, negate
from headwater.python.values import append_only, dict_tables, short_lists
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Items, Value
from headwater.python.values.structures import BitMask, BoundedList, OptionalValue, RecordValue, bits
from headwater.python.values.tallies import Tally
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, CompareOp, Expr, Lit, Raise

from . import tallies
from .named_containers import OURS, SortedAppendOnly, as_bag, elements_in, set_contents

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


def truth(s: Structured, node: ast.AST, of: Value) -> Expr:
    """``bool(of)``."""
    of = of.bag if isinstance(of, SortedAppendOnly) else elements_in(of)
    if isinstance(of, OptionalValue):
        return both(of.present, truth(s, node, of.inner))
    if isinstance(of, BitMask):
        return either(*(flag for _, flag in of.flags))
    if isinstance(of, BoundedList):
        total, taken = short_lists.length(of)
        s.note_length(total, taken)
        return short_lists.longer(taken, 0)
    if isinstance(of, Rows):
        return s.some(node, of)
    if isinstance(of, AppendOnly):
        return s.observe(of, append_only.FILLED)[0]
    if isinstance(of, Items):
        return TRUE if of.items else FALSE
    if isinstance(of, dict_tables.Table):
        return TRUE if of.keys else FALSE
    if isinstance(of, RecordValue) and of.access != "both":
        return TRUE if of.names else FALSE
    raise Refusal("opaque", "the truth of something that is no list, set or tuple", node)


def member(s: Structured, node: ast.AST, needle: Value, of: Value) -> Expr | None:
    """``needle in of``; None if ``of`` is no list or set of ours."""
    of = s.as_list(node, of, ordered=False) if isinstance(of, Rows) else elements_in(of)
    if isinstance(of, Tally):
        return tallies.present(s, node, of, needle)
    if isinstance(of, RecordValue) and of.access == "item" and isinstance(needle, Lit):
        return TRUE if needle.value in of.names else FALSE
    table = dict_tables.as_table(of)
    if table is not None:
        return dict_tables.contains(s, node, table, needle)
    bag = as_bag(s, node, of) if isinstance(of, BoundedList) else of if isinstance(of, AppendOnly) else None
    if bag is None:
        return None
    if isinstance(needle, AbstractObject):
        raise Refusal("opaque", "a tuple looked up in a list or set", node)
    if isinstance(needle, Lit) and is_nan(needle) == FALSE:
        for element in append_only.elements((*(bag.of.log or ()), *bag.log)):
            if isinstance(element, AbstractObject):
                raise Refusal("opaque", "a constant looked up among tuples", node)
        return s.observe(bag, append_only.holds(needle, lambda x: s.equal(node, x, needle)))[0]
    if not bag.of.unique:
        raise Refusal("opaque", "a value looked up in a list", node)
    if "nan" in s.missing(needle):
        raise Refusal("three-valued-logic", "a value that may be NaN looked up in a set", node)
    token, n = s.observe(bag, set_contents(s, node, bag))
    return append_only.contains(token, n, needle)


def superset(s: Structured, node: ast.AST, big: Value | None, small: Value | None) -> Expr:
    """Whether ``big`` holds all of ``small``, a set of constants."""
    if not isinstance(small, Items) or not isinstance(big, AppendOnly):
        raise Refusal("opaque", "a subset test between sets that are not constant", node)
    return both(*(f for item in small.items if (f := member(s, node, item, big)) is not None))


def compare(s: Structured, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Expr | None:
    """A comparison that involves one of our containers; None if none does."""
    if isinstance(op, (ast.Is, ast.IsNot)) and NONE in (a, b):
        other = a if b == NONE else b
        if not isinstance(other, OURS):
            return None
        none = negate(other.present) if isinstance(other, OptionalValue) else FALSE
        return none if isinstance(op, ast.Is) else negate(none)
    if isinstance(op, (ast.In, ast.NotIn)):
        found = member(s, node, a, b)
        return found if found is None or isinstance(op, ast.In) else negate(found)
    names: dict[type[ast.cmpop], CompareOp] = {
        ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    }  # fmt: skip
    if type(op) not in names:
        return None
    name = names[type(op)]
    if isinstance(a, BitMask) or isinstance(b, BitMask):
        return _compare_bits(name, a, b)
    if isinstance(a, (OptionalValue, Items)) or isinstance(b, (OptionalValue, Items)):
        if isinstance(a, (OptionalValue, Items)) and isinstance(b, (OptionalValue, Items)):
            return tuples(s, node, name, a, b)
        if NONE in (a, b) and name in ("==", "!="):
            other = a if b == NONE else b
            none = negate(other.present) if isinstance(other, OptionalValue) else FALSE
            return none if name == "==" else negate(none)
        if NONE in (a, b):
            return both(Raise("None is not ordered"))
    if isinstance(a, AppendOnly) and isinstance(b, Items) and a.of.unique and b.unique and name == ">=":
        return superset(s, node, a, b)
    if isinstance(b, AppendOnly) and isinstance(a, Items) and b.of.unique and a.unique and name == "<=":
        return superset(s, node, b, a)
    return None


def _compare_bits(op: CompareOp, a: Value, b: Value) -> Expr | None:
    x, y = bits(a), bits(b)
    if x is None or y is None or op not in ("==", "!="):
        return None
    used = sorted({n for n, _ in (*x.flags, *y.flags)})
    equal = both(*(choose(x.flag(n), y.flag(n), negate(y.flag(n))) for n in used))
    return equal if op == "==" else negate(equal)


def tuples(s: Structured, node: ast.AST, op: CompareOp, a: Value, b: Value) -> Expr:
    """``a op b`` of tuples: by the first parts that differ."""
    absent = Raise("None is not ordered")
    present = both(*(v.present for v in (a, b) if isinstance(v, OptionalValue)))
    x, y = (v.inner if isinstance(v, OptionalValue) else v for v in (a, b))
    if not isinstance(x, Items) or not isinstance(y, Items) or x.mutable or y.mutable:
        raise Refusal("opaque", "a comparison of lists", node)
    if present != TRUE and op in ("==", "!="):
        raise Refusal("opaque", "tuples that may be None are compared for equality", node)
    for part in (*x.items, *y.items):
        if isinstance(part, AbstractObject) or "nan" in s.missing(part):
            raise Refusal("three-valued-logic", "a part of a tuple that is compared may be NaN", node)
    return choose(present, lexicographic(s, node, op, x, y), absent)


def lexicographic(s: Structured, node: ast.AST, op: CompareOp, x: Items, y: Items) -> Expr:
    """``x op y`` of tuples of scalars without NaN."""
    pairs = list(zip(x.items, y.items, strict=False))
    n, m = len(x.items), len(y.items)
    lengths = {"==": n == m, "!=": n != m, "<": n < m, "<=": n <= m, ">": n > m, ">=": n >= m}
    result = TRUE if lengths[op] else FALSE
    strict: dict[CompareOp, CompareOp] = {"<=": "<", ">=": ">"}
    for v, w in reversed(pairs):
        if isinstance(v, AbstractObject) or isinstance(w, AbstractObject):
            raise Refusal("opaque", "a comparison of nested tuples", node)
        differ = TRUE if op == "!=" else FALSE if op == "==" else s.compare(node, strict.get(op, op), v, w)
        result = choose(s.compare(node, "==", v, w), result, differ)
    return result
