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
        assumed_types: dict[str, Type],
    ) -> None:
        self.scope, self.source, self.keys, self.assumed_types = scope, source, keys, assumed_types
        self._facts = frozenset(facts)
        self._not_null = {f.name for f in source.fields if not f.nullable}
        for fact in facts:
            operand = getattr(fact, "operand", None)
            if isinstance(operand, IsNull) and isinstance(operand.operand, Col):
                self._not_null.add(operand.operand.name)

    def type(self, name: str) -> Type:
        """The type of a column; refused where its values have no scalar meaning."""
        t = read_type(self.scope, self.source, name, self.assumed_types)
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

    def certain(self, name: str) -> bool:
        """Whether no value of the column ``name`` is missing."""
        return name in self._not_null

    def series(self, frame: RowSequence, name: str) -> Series:
        """``frame[name]``."""
        found = next((m for m in frame.made if m.name == name), None)
        if found is None:
            return Series(frame, self.view(name), name)
        if found.element is None:
            raise Refusal("opaque", f"there may be no column `{name}` any more")
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


# Methods and properties of pandas' Series and DataFrame: attribute access does not reach a column of that name.
PANDAS_NAMES = frozenset(
    """
    T a abs add add_prefix add_suffix agg aggregate align all any apply applymap argmax argmin argsort array
    asfreq asof assign astype at at_time attrs autocorr axes backfill between between_time bfill bool boxplot
    case_when cat clip columns combine combine_first compare convert_dtypes copy corr corrwith count cov
    cummax cummin cumprod cumsum describe diff div divide divmod dot drop drop_duplicates droplevel dropna dt
    dtype dtypes duplicated empty eq equals eval ewm expanding explode factorize ffill fillna filter first
    first_valid_index flags floordiv from_dict from_records ge get groupby gt hasnans head hist iat idxmax
    idxmin iloc index infer_objects info insert interpolate is_monotonic_decreasing is_monotonic_increasing
    is_unique isetitem isin isna isnull item items iterrows itertuples join keys kurt kurtosis last
    last_valid_index le list loc lt map mask max mean median melt memory_usage merge min mod mode mul multiply
    name nbytes ndim ne nlargest notna notnull nsmallest nunique pad pct_change pipe pivot pivot_table plot
    pop pow prod product quantile query radd rank ravel rdiv rdivmod reindex reindex_like rename rename_axis
    reorder_levels repeat replace resample reset_index rfloordiv rmod rmul rolling round rpow rsub rtruediv
    sample searchsorted select_dtypes sem set_axis set_flags set_index shape shift size skew sort_index
    sort_values sparse squeeze stack std str struct style sub subtract sum swapaxes swaplevel tail take
    to_clipboard to_csv to_dict to_excel to_feather to_frame to_gbq to_hdf to_html to_json to_latex to_list
    to_markdown to_numpy to_orc to_parquet to_period to_pickle to_records to_sql to_stata to_string
    to_timestamp to_xarray to_xml tolist transform transpose truediv truncate tz_convert tz_localize unique
    unstack update value_counts values var view where xs
    """.split()
) - {"a"}  # the probe column of the listing
