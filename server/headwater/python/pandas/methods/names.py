"""Names that attribute access to a column or a frame reaches: of its methods and properties, never of a column.

``OTHERS`` are those that no entry declares. The test beside the installed pandas sees to it that none is missing.
"""

from __future__ import annotations

from headwater.libraries import registry

from . import (
    arithmetic,
    arrays,
    best_rows,
    columns,
    conversions,
    groups,
    index,
    masks,
    missing,
    queries,
    reductions,
    rows,
    strings,
    windows,
)
from .model import FRAME, SERIES, TEXTS

FAMILIES = (
    arithmetic, arrays, best_rows, columns, conversions, groups, index, masks, missing, queries, reductions, rows,
    strings, windows,
)  # fmt: skip
"""The modules whose entries are read below."""
registry.changes(FRAME, "insert isetitem pop update")
registry.changes(SERIES, "pop update")
registry.not_covered(FRAME, "equals first last pad take")
registry.not_covered(SERIES, "cat equals factorize first last pad take unstack")
registry.not_covered(TEXTS, "decode partition repeat rindex rpartition translate")
registry.not_covered("pandas.Index", "equals factorize format groupby join map reindex take")
PROPERTIES = frozenset(
    """
    T array at axes columns dtype dtypes dt empty hasnans iat iloc index is_unique loc name nbytes ndim shape size str
    values
    """.split()
)
"""Attributes that are no methods, and only read."""
OTHERS = frozenset(
    """
    add_prefix add_suffix align applymap asfreq asof at_time attrs autocorr backfill between_time bool boxplot case_when
    combine compare convert_dtypes corrwith divide divmod dot droplevel first_valid_index flags from_dict
    from_records hist infer_objects info is_monotonic_decreasing is_monotonic_increasing kurtosis last_valid_index list
    memory_usage multiply pipe plot product radd rdiv rdivmod reindex_like reorder_levels resample rfloordiv rmod rmul
    rpow rsub rtruediv sample set_axis set_flags sparse struct style subtract swapaxes swaplevel to_clipboard to_csv
    to_excel to_feather to_gbq to_hdf to_html to_json to_latex to_markdown to_orc to_parquet to_period to_pickle
    to_records to_sql to_stata to_string to_timestamp to_xarray to_xml truncate tz_convert tz_localize view xs
    """.split()
)
"""Methods that no model covers, and attributes that more than read."""
PANDAS_NAMES = (
    frozenset(e.method for e in registry.entries().values() if e.kind in (SERIES, FRAME)) | PROPERTIES | OTHERS
)
