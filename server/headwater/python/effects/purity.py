"""Which functions may be treated as pure, and why others are refused.

A function that is in no list is refused as opaque. Purity here means: the result depends on the arguments alone,
and the call changes nothing. "Same on equal numbers" is stronger: 1 and 1.0, 0.0 and -0.0 give equal results; only
such functions may see a number out of a pandas frame, where a NULL elsewhere in the group turns integers into floats.
"""

from __future__ import annotations

from headwater_ir.types import ANY, BOOL, FLOAT, INT, STRING, Type

NUMERIC_CALLS: dict[str, Type] = {
    "builtins.abs": ANY, "builtins.round": ANY, "builtins.int": INT, "builtins.float": FLOAT,
    "math.floor": INT, "math.ceil": INT, "math.trunc": INT, "math.sqrt": FLOAT, "math.exp": FLOAT, "math.log": FLOAT,
    "math.log10": FLOAT, "math.log2": FLOAT, "math.log1p": FLOAT, "math.fabs": FLOAT, "math.pow": FLOAT,
    "math.sin": FLOAT, "math.cos": FLOAT, "math.tan": FLOAT, "math.hypot": FLOAT, "math.radians": FLOAT,
    "math.isinf": BOOL, "math.isfinite": BOOL,
}  # fmt: skip
"""Same on equal numbers."""

TEXT_CALLS: dict[str, Type] = {
    "builtins.str": STRING,
    "builtins.ord": INT,
    "builtins.chr": STRING,
    "builtins.repr": STRING,
}
"""Pure, but 1 and 1.0 print differently."""

STRING_METHODS: dict[str, Type] = {
    "strip": STRING, "lstrip": STRING, "rstrip": STRING, "lower": STRING, "upper": STRING, "title": STRING,
    "capitalize": STRING, "casefold": STRING, "swapcase": STRING, "replace": STRING, "zfill": STRING, "ljust": STRING,
    "rjust": STRING, "center": STRING, "removeprefix": STRING, "removesuffix": STRING, "find": INT, "rfind": INT,
    "count": INT, "index": INT, "isdigit": BOOL, "isalpha": BOOL, "isalnum": BOOL, "isspace": BOOL, "isupper": BOOL,
    "islower": BOOL, "isnumeric": BOOL, "isdecimal": BOOL, "istitle": BOOL, "isidentifier": BOOL,
}  # fmt: skip
"""Methods of ``str`` that yield scalars. ``split`` yields a list, which has no model."""
