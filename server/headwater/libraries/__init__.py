"""Models of library functions: what they take, whether they are pure, and what they yield."""

from . import (  # noqa: F401 - they register their entries
    arrow_compute,
    arrow_functions,
    arrow_tables,
    builtins,
    containers,
    datetimes,
    other_methods,
    pandas_functions,
    pandas_groups,
    stdlib,
    text,
)
