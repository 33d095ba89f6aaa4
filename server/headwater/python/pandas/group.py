"""How a group looks inside the pandas DataFrame that Spark hands to the function (measured: Spark 4.3, pandas 2.3).

| column type | NULL is shown as |
| --- | --- |
| integers | NaN; the column's other values of this group turn into floats |
| float, double | NaN |
| timestamp | NaT, which compares as NaN does |
| string, boolean, date, decimal | None |
| not known | None or NaN, the engine's choice: a ghost column stands for it |
"""

from __future__ import annotations

from headwater.python.exprs.simplify import NAN, NAT, NONE
from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.scope import Scope
from headwater.python.values.type_inference import read_type
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, If, IsNull, Lit, Not
from headwater_ir.plan import Schema
from headwater_ir.types import BOOL, Type


class Group:
    """The columns of the group as the function sees them."""

    def __init__(
        self,
        scope: Scope,
        source: Schema,
        keys: tuple[str, ...],
        facts: tuple[Expr, ...],
    ) -> None:
        self.scope, self.source, self.keys = scope, source, keys
        self._facts = frozenset(facts)
        self._not_null = {f.name for f in source.fields if not f.nullable}
        for fact in facts:
            operand = getattr(fact, "operand", None)
            if isinstance(operand, IsNull) and isinstance(operand.operand, Col):
                self._not_null.add(operand.operand.name)

    def type(self, name: str) -> Type:
        """The type of a column; refused where its values have no scalar meaning."""
        t = read_type(self.scope, self.source, name)
        if t.name == "list":
            raise Refusal("opaque", f"`{name}` holds lists")
        if t.name == "timestamp":
            self.scope.assume(f"no `{name}` lies in an hour that the session's time zone repeats or skips", "clock")
        return t

    def view(self, name: str) -> Expr:
        """The value of column ``name`` in a row, as pandas shows it."""
        t = self.type(name)
        column = Col(name)
        if (
            t.name in ("int", "number")
            and (t.bits is None or t.bits > 32)
            and name not in self._not_null | set(self.keys)
        ):
            self.scope.assume(
                f"integers in `{name}` beyond 2**53 do not share a group with NULL (pandas holds them as floats)",
                "range",
            )
        if t.name in ("string", "bool", "date", "decimal") or Not(IsNull(column)) in self._facts:
            return column  # only what the proof knows too may be left out of the view
        if t.name in ("number", "any"):
            shown = self.scope.ghost(f"NULL of `{name}` is None", BOOL)
            self.scope.unknown_nulls.add(shown.name)
            return If(IsNull(column), If(shown, NONE, NAN), column)
        missing = NAT if t.name == "timestamp" else Lit(NAN.value, t) if t.name == "float" else NAN
        return If(IsNull(column), missing, column)

    def as_returned(self, name: str) -> Expr:
        """What the column ``name`` holds in a row where a frame is returned with it as it came."""
        return self.view(name)

    def uncertain(self, e: Expr) -> bool:
        """Whether ``e``, a value made of columns, may be more than ``view`` says: never, of these types."""
        return False

    def certain(self, name: str) -> bool:
        """Whether no value of the column ``name`` is missing."""
        return name in self._not_null

    def series(self, frame: RowSequence, name: str) -> Series:
        """``frame[name]``."""
        found = next((m for m in frame.made if m.name == name), None)
        if found is None:
            return Series(frame, self.view(name), name)
        if found.element is None:
            why = f"there is no column `{name}` any more" if found.gone else f"what `{name}` is set to is not known"
            raise Refusal("opaque", why)
        return Series(frame, found.element, found.column, found.present)

    def numpy_scalar(self, name: str, where: str) -> None:
        """Note that values of ``name`` arrive as numpy scalars, which overflow silently and divide by zero."""
        t = self.type(name)
        if t.name == "float" and t.bits == 32:
            raise Refusal("opaque", f"{where} yields 32-bit floats, which numpy compares in 32 bits")
        if t.name in ("number", "any"):
            self.scope.assume(f"`{name}` holds no 32-bit floats (schema unknown)", "type")
        if t.name in ("int", "number", "float", "any"):
            self.scope.numpy.append(where)

    def exact_as_float(self, name: str, where: str) -> None:
        """Note that pandas turns the integers of ``name`` into 64-bit floats."""
        self.scope.as_floats.add(name)
        t = self.type(name)
        if t.name in ("int", "number", "any") and (t.bits or 64) > 32:
            self.scope.assume(f"integers in `{name}` stay within 2**53, for {where} turns them into floats", "range")

    def rows_are_objects(self) -> bool:
        """Whether a row of ``iterrows`` certainly holds Python's own objects: one column of strings is enough."""
        return any(f.type.name in ("string", "date", "decimal") for f in self.source.fields)
