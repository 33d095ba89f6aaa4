"""Methods of Arrow tables, columns and scalars: none changes its object."""

from __future__ import annotations

from .entry import Columns, Constants, known, without
from .registry import register


def _selected(given: Constants) -> Columns:
    names = known(given, "columns", None)
    return Columns(only=tuple(names) if isinstance(names, (list, tuple)) else ())


def _without_field(given: Constants) -> Columns:
    """Of the columns that were there before, all but the one that is set."""
    name = known(given, "field_", None)
    return without(name if isinstance(name, str) else None)


register("pyarrow.Table", "other", "select(columns)", columns=_selected)
register(
    "pyarrow.Table",
    "other",
    """
drop(columns)
drop_columns(columns)
""",
    columns=lambda given: without(known(given, "columns", None)),
)
register(
    "pyarrow.Table",
    "other",
    """
append_column(field_, column)
set_column(i, field_, column)
add_column(i, field_, column)
""",
    columns=_without_field,
)
register(
    "pyarrow.Table",
    "other",
    """
remove_column(i)
cast(target_schema, **kwargs)
rename_columns(names)
""",
    columns=lambda given: Columns(only=()),
)
register("pyarrow.Table", "other", "take(indices)", columns=lambda given: Columns(only=(), rows="any"))
register(
    "pyarrow.Table",
    "rows",
    """
filter(mask, null_selection_behavior: "drop" = "drop")
slice(offset=0, length=None)
sort_by(sorting, **kwargs)
drop_null()
combine_chunks(**kwargs)
unify_dictionaries(**kwargs)
""",
)
register(
    "pyarrow.Table",
    "other",
    """
join(right_table, keys, right_keys=None, join_type: "left outer" | "inner" | "full outer" | "right outer" | "left
    semi" | "left anti" = "left outer", left_suffix=None, right_suffix=None, coalesce_keys: True = True, use_threads:
    True | False = True, **kwargs)
column(i)
to_pylist(**kwargs)
to_pydict(**kwargs)
to_batches(**kwargs)
to_pandas(memory_pool: never = None, categories: never = None, strings_to_categorical: never = False, zero_copy_only:
    never = False, integer_object_nulls: never = False, date_as_object: never = True, timestamp_as_object: never =
    False, use_threads: True | False = True, **kwargs)
itercolumns()
equals(other, **kwargs)
field(i)
group_by(keys, use_threads: True | False = True)
""",
)
register(
    "pyarrow.ChunkedArray",
    "values",
    """
filter(mask, null_selection_behavior: "drop" = "drop")
slice(offset=0, length=None)
drop_null()
combine_chunks(**kwargs)
unify_dictionaries(**kwargs)
unique()
to_pylist(**kwargs)
to_numpy(**kwargs)
""",
)
register(
    "pyarrow.ChunkedArray pyarrow.Array",
    "other",
    """
take(indices)
cast(target_type=None, **kwargs)
fill_null(fill_value)
is_null(*, nan_is_null: True | False = False)
is_valid()
index(value, start=None, end=None, **kwargs)
value_counts()
equals(other)
to_pandas(memory_pool: never = None, categories: never = None, strings_to_categorical: never = False, zero_copy_only:
    never = False, integer_object_nulls: never = False, date_as_object: never = True, timestamp_as_object: never =
    False, use_threads: True | False = True, **kwargs)
""",
)
register(
    "pyarrow.Array",
    "values",
    """
filter(mask, *, null_selection_behavior: "drop" = "drop")
slice(offset=0, length=None)
drop_null()
unique()
to_pylist(**kwargs)
""",
)
register(
    "pyarrow.Array",
    "other",
    """
to_numpy(**kwargs)
""",
)
register(
    "pyarrow.Scalar",
    "other",
    """
as_py(**kwargs)
equals(other)
cast(target_type=None, **kwargs)
""",
)
register(
    "pyarrow.TableGroupBy",
    "other",
    """
aggregate(aggregations)
""",
)
register(
    "pyarrow.Schema",
    "other",
    """
get_field_index(name)
field(i)
empty_table()
""",
)
