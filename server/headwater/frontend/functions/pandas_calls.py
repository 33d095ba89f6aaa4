"""Functions and methods of pandas and numpy that do nothing but compute, for code whose values have no meaning here.

What is in no list counts as doing more. Not listed: what draws random numbers or reads the clock, reads or writes
files, changes what it is called on (``sort`` of an array, ``update``, ``pop``), and ``eval``.
"""

from __future__ import annotations

import ast

from ..context import Refusal
from .purity import NUMERIC_CALLS, STRING_METHODS, TEXT_CALLS

BUILTINS = frozenset(
    f"builtins.{n}"
    for n in "len sum min max any all sorted reversed list tuple dict range enumerate zip isinstance divmod".split()
)
PLAIN = frozenset(f"builtins.{n}" for n in "len int float str bool round abs".split()) | {
    *(name for name in NUMERIC_CALLS if name.startswith("math.")), "datetime.timedelta", "datetime.date",
}  # fmt: skip
"""Functions whose result is one plain value."""

_PANDAS = frozenset(
    f"pandas.{n}"
    for n in """
    Series DataFrame Index concat merge merge_asof merge_ordered to_datetime to_numeric to_timedelta isna isnull notna
    notnull Timestamp Timedelta date_range cut qcut get_dummies NA NaT pivot_table crosstab unique factorize DateOffset
    Categorical
    """.split()
)
_NUMPY = {
    **dict.fromkeys(
        "abs absolute sqrt exp log log2 log10 log1p floor ceil sign isnan isfinite isinf sort argsort".split(), 1
    ),
    **dict.fromkeys(
        """
        maximum minimum mean median std var sum max min amax amin argmax argmin cumsum diff nanmean nanmedian nanstd
        nanvar nansum nanmax nanmin array asarray zeros ones full concatenate unique round power mod dot searchsorted
        """.split(),
        2,
    ),
    **dict.fromkeys("where select clip linspace arange interp percentile quantile polyfit".split(), 3),
    **dict.fromkeys("float64 float32 int64 int32 bool_ nan inf pi timedelta64 ndarray".split(), 1),
}  # fmt: skip
"""With the number of positional arguments up to which none is an array to write to."""
MERGES = frozenset(f"pandas.{n}" for n in ("merge", "merge_asof", "merge_ordered"))
_NOW = frozenset(("now", "today", "utcnow"))

ROWWISE = frozenset(
    """
    shift diff cumsum cumprod cummax cummin rank pct_change fillna ffill bfill astype abs round clip isna isnull notna
    notnull map where mask between isin eq ne lt le gt ge add sub mul div truediv floordiv mod pow copy
    lower upper strip lstrip rstrip title len contains startswith endswith slice zfill
    """.split()
)
"""Methods of a column, or of its ``str``, whose result has one value for each of its rows, under the same index."""
REDUCING = frozenset("max min sum mean median std var sem count nunique any all prod skew kurt".split())
"""Methods of a column whose result is one plain value if they are given no argument."""
METHODS = (
    ROWWISE
    | REDUCING
    | frozenset(STRING_METHODS)
    | frozenset(
        """
        groupby agg aggregate apply transform rolling expanding ewm resample merge join head tail nlargest nsmallest
        sort_values sort_index reset_index set_index reindex drop dropna drop_duplicates duplicated rename rename_axis
        assign replace query melt pivot pivot_table stack unstack explode describe quantile mode idxmax idxmin
        value_counts unique tolist to_list to_numpy to_dict to_frame items iterrows itertuples keys values get size
        first last nth ngroup cumcount interpolate corr cov squeeze filter select_dtypes combine_first
        split rsplit join format replace extract findall get_dummies cat encode decode
        floor ceil normalize total_seconds strftime date time isoformat weekday day_name month_name tz_localize
        tz_convert
        dot reshape flatten ravel transpose argmax argmin argsort searchsorted item repeat
        """.split()
    )
)
"""Methods that change nothing, whatever of pandas, numpy or Python they are called on."""
CONTAINER_METHODS = frozenset("append extend insert sort reverse update setdefault add pop remove clear".split())
"""Methods that change a list or dict: harmless where that was made in the function."""


def is_listed(name: str, node: ast.Call) -> bool:
    """Whether the call ``node`` of the function ``name`` does nothing but compute."""
    if name.startswith("numpy."):
        most = _NUMPY.get(name.removeprefix("numpy."))
        return most is not None and len(node.args) <= most and not any(isinstance(a, ast.Starred) for a in node.args)
    return name in BUILTINS or name in PLAIN or name in _PANDAS or name in NUMERIC_CALLS or name in TEXT_CALLS


def is_listed_value(name: str) -> bool:
    """Whether the dotted name is a constant, type or function of these modules."""
    return name in _PANDAS or name.removeprefix("numpy.") in _NUMPY or name in BUILTINS | PLAIN or name in NUMERIC_CALLS


def check_arguments(node: ast.Call) -> None:
    """Refuse arguments by which a listed call changes something else, or reads the clock."""
    for keyword in node.keywords:
        value = keyword.value
        off = isinstance(value, ast.Constant) and not value.value
        if keyword.arg is None or (keyword.arg == "out" and not off) or (keyword.arg == "copy" and off):
            raise Refusal("side-effect", f"`{keyword.arg or '**'}` may change an object in place", node)
    for value in (*node.args, *(k.value for k in node.keywords)):
        if isinstance(value, ast.Constant) and value.value in _NOW:
            raise Refusal("volatile", "the time of the call", node)
