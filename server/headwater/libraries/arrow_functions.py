"""Functions of ``pyarrow`` that make tables, columns, schemas and types."""

from __future__ import annotations

from .registry import register

register(
    "pyarrow",
    "other",
    """
table(data, names=None, schema=None, **kwargs)
array(obj, type=None, mask: never = None, size: never = None, from_pandas: True | False | None = None, safe: True =
    True, **kwargs)
chunked_array(arrays, type=None)
concat_tables(tables, memory_pool: never = None, promote_options: "none" | "default" = "none", **kwargs)
schema(fields, **kwargs)
field(name, type=None, nullable: True | False = None, **kwargs)
scalar(value, type=None, *, from_pandas: True | False | None = None, **kwargs)
""",
)
register(
    "pyarrow.Table",
    "other",
    """
from_pydict(mapping, schema=None, **kwargs)
from_pylist(mapping, schema=None, **kwargs)
from_arrays(arrays, names=None, schema=None, **kwargs)
from_pandas(df, schema=None, preserve_index: never = None, nthreads: never = None, columns: never = None, safe: True =
    True)
""",
)
register(
    "pyarrow",
    "other",
    """
int8()
int16()
int32()
int64()
float16()
float32()
float64()
string()
utf8()
bool_()
date32()
date64()
timestamp(unit, tz=None)
binary(length=-1)
large_string()
null()
list_(value_type, list_size=-1)
struct(fields)
decimal128(precision, scale=0)
""",
)
