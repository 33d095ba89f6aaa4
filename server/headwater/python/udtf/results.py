"""What Spark stores of the values that a UDTF yields: those of the declared type as they are.

With Arrow others are converted, without it they become NULL: refused, unless the source says that Arrow is used.
"""

from __future__ import annotations

import ast

from headwater.python.exprs.intervals import SlotRanges, of_type, range_of, slot_ranges
from headwater.python.exprs.types import results
from headwater.python.values.exact_types import kinds, slot_kinds
from headwater.python.values.scope import Scope
from headwater.python.values.slots import Slots
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr
from headwater_ir.plan import Field, Schema
from headwater_ir.types import INT64


def check_results(
    scope: Scope, slots: Slots, values: list[Expr], output: Schema, arrow: bool | None, node: ast.AST
) -> None:
    """Refuse results that are not provably of the declared type."""
    held = slot_kinds(scope, slots)
    ranges = slot_ranges(slots.init, slots.step, scope.columns)
    for value, field in zip(values, output.fields, strict=True):
        for result in results(value):
            scope.hint(result, field.type)
        found = kinds(scope, value, held)
        allowed = {field.type.name} | ({"int"} if field.type.name == "float" and arrow else set())
        if not found <= allowed:
            reason = f"`{field.name}` is declared as {field.type} and may be {_words(min(found - allowed))}"
            raise Refusal("may-throw", f"{reason}: NULL without Arrow", node)
        if field.type.name == "int" and not arrow:
            _check_width(scope, value, field, ranges, node)


def _check_width(scope: Scope, value: Expr, field: Field, ranges: SlotRanges, node: ast.AST) -> None:
    """A whole number that does not fit raises with Arrow and wraps without."""
    found, allowed = range_of(value, scope.columns, ranges), of_type(field.type)
    if found is None or allowed is None or found.empty or not found.bounded:
        return
    if allowed.low <= found.low and found.high <= allowed.high:
        return
    if field.type != INT64:
        raise Refusal("may-throw", f"`{field.name}` may not fit {field.type}: it wraps without Arrow", node)
    scope.assume(f"`{field.name}` stays within 64 bits", "range")


def _words(kind: str) -> str:
    return {"int": "a whole number", "float": "a float", "any": "of another type"}.get(kind, f"a {kind}")
