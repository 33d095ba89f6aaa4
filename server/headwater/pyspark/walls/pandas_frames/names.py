"""The attributes of a frame of pandas, from 1.5 to 3.0: a column of such a name is read by its item alone. And which
arguments of its methods are constants: nothing with labels of its own, or that is handed a frame."""

from __future__ import annotations

import ast

PANDAS = frozenset(
    """
    T abs add add_prefix add_suffix agg aggregate align all any append apply applymap asfreq asof assign astype
    at at_time attrs axes backfill between_time bfill bool boxplot clip columns combine combine_first compare
    convert_dtypes copy corr corrwith count cov cummax cummin cumprod cumsum describe diff div divide dot drop
    drop_duplicates droplevel dropna dtypes duplicated empty eq equals eval ewm expanding explode ffill fillna
    filter first first_valid_index flags floordiv from_arrow from_dict from_records ge get get_value groupby gt
    head hist iat idxmax idxmin iloc index infer_objects info insert interpolate isetitem isin isna isnull items
    iteritems iterrows itertuples ix join keys kurt kurtosis last last_valid_index le loc lookup lt mad map mask
    max mean median melt memory_usage merge min mod mode mul multiply ndim ne nlargest notna notnull nsmallest
    nunique pad pct_change pipe pivot pivot_table plot pop pow prod product quantile query radd rank rdiv
    reindex reindex_like rename rename_axis reorder_levels replace resample reset_index rfloordiv rmod rmul
    rolling round rpow rsub rtruediv sample select_dtypes sem set_axis set_flags set_index set_value shape shift
    size skew slice_shift sort_index sort_values sparse squeeze stack std style sub subtract sum swapaxes
    swaplevel tail take to_clipboard to_csv to_dict to_excel to_feather to_gbq to_hdf to_html to_json to_latex
    to_markdown to_numpy to_orc to_parquet to_period to_pickle to_records to_sql to_stata to_string to_timestamp
    to_xarray to_xml transform transpose truediv truncate tshift tz_convert tz_localize unstack update
    value_counts values var where xs
    """.split()
)
COLUMN_GOES_ON = frozenset(
    """abs apply astype between copy cummax cummin cumsum diff drop_duplicates dropna fillna head isin isna isnull map
    nlargest notna notnull nsmallest round shift sort_values tail""".split()
)
"""Methods of a column that make a column, with some of its rows and their labels."""
MASKS = frozenset("between eq ge gt isin isna isnull le lt ne notna notnull".split())
"""Methods of a column that make a mask."""


def is_plain(node: ast.expr) -> bool:
    """Whether ``node`` is a constant or a display of such."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(is_plain, parts))
        case ast.Dict(keys=keys, values=values):
            return all(k is not None and is_plain(k) for k in keys) and all(map(is_plain, values))
        case ast.Name(id="int" | "float" | "str" | "bool"):
            return True
    return False


def is_plain_call(call: ast.Call) -> bool:
    """Whether all that ``call`` is given is a constant."""
    return all(map(is_plain, call.args)) and all(k.arg is not None and is_plain(k.value) for k in call.keywords)


def is_constant(node: ast.expr | None, value: bool) -> bool:
    """Whether ``node`` is written as TRUE, or as FALSE."""
    return isinstance(node, ast.Constant) and node.value is value
