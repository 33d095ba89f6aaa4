"""What the operations of a Python function take: microseconds of one core, each measured alone.

``python -m benchmarks.spark.operations`` measures them again and prints them beside this table, which is of CPython
3.11 and pandas 2.3. What matters is how they compare: a test for NaN by pandas takes as long as ten comparisons.
"""

from __future__ import annotations

READ, OPERATION, ASSIGNMENT, CALL = 0.028, 0.02, 0.01, 0.06
"""An attribute or a subscript; a comparison, arithmetic or ``in``; a statement; a call that no table names."""
CALLS = {
    **dict.fromkeys(("isna", "isnull", "notna", "notnull"), 0.25),
    **dict.fromkeys(("min", "max", "sum"), 0.2),
    **dict.fromkeys(("append", "len", "abs", "get"), 0.02),
    **dict.fromkeys(("search", "match", "fullmatch", "findall", "sub"), 0.5),
    **dict.fromkeys(("split", "replace", "join", "startswith", "endswith", "lower", "upper", "strip"), 0.1),
    **dict.fromkeys(("round", "str", "format"), 0.5),
    **dict.fromkeys(("strptime", "to_datetime"), 5.0),
    **dict.fromkeys(("loads", "dumps"), 1.5),
    **dict.fromkeys(("md5", "sha1", "sha256"), 0.5),
}
"""By the last part of the name that is called, whatever has it."""
COLUMN = 0.01
"""An operation on whole columns, for a row of them."""
ROWS = {
    "itertuples": (0.3, 0.07),
    "iterrows": (15.0, 0.2),
    "to_dict": (0.45, 0.12),
    "to_pylist": (0.05, 0.13),
    "": (0.06, 0.06),
}
"""A row on its way into a loop, and a column of it, by the method that makes the rows; a loop over one or more columns
has no name."""
ONE_COLUMN = {"to_pylist": 0.05}
"""The same where each method is given one column."""
