"""Methods of Python's own values, where a receiver may be one of these as well as a frame, a column or an array.

``python.value`` stands for texts, numbers, dates, and containers that are read. Whatever arguments these methods are
given, they change nothing but iterators, of which none outlives the call.
"""

from __future__ import annotations

from .registry import changes, not_covered, register

register("python.value", "other", "\n".join(f"{name}(*items)" for name in """
    capitalize casefold center copy count date decode encode endswith find format get index isalnum isalpha isdecimal
    isdigit isidentifier islower isnumeric isoformat isspace istitle isupper items join keys ljust lower lstrip
    removeprefix removesuffix replace rfind rjust rsplit rstrip split startswith strftime strip swapcase time
    title total_seconds upper values weekday zfill
    """.split()))  # fmt: skip
changes("builtins.list", "append clear extend insert pop remove reverse sort")
changes("builtins.dict", "clear pop popitem setdefault update")
changes("builtins.set", "add clear difference_update discard intersection_update pop remove update")
changes("numpy.ndarray", "byteswap fill partition put resize setfield setflags sort")
not_covered("numpy.ndarray", "take")
not_covered("pyarrow.Array", "diff from_pandas sum tolist")
not_covered("pyarrow.ChunkedArray", "flatten format")
not_covered("pyarrow.Schema", "equals from_pandas")
not_covered("pyarrow.Table", "flatten")
