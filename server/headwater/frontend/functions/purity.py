"""Which functions may be treated as pure, and why others are refused.

A function that is in no list is refused as opaque. Purity here means: the result depends on the arguments alone,
and the call changes nothing. "Same on equal numbers" is stronger: 1 and 1.0, 0.0 and -0.0 give equal results; only
such functions may see a number out of a pandas frame, where a NULL elsewhere in the group turns integers into floats.
"""

from __future__ import annotations

import ast

from headwater_ir.types import ANY, BOOL, FLOAT, INT, STRING, Type

from ..context import Context, Refusal

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
"""Methods of ``str`` that yield scalars. ``split`` yields a list, which has no meaning here."""

_VOLATILE = {"random", "secrets", "time", "uuid", "numpy.random"}
_VOLATILE_CALLS = {
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
    "pandas.Timestamp.now",
    "pandas.Timestamp.today", "pandas.Timestamp.utcnow", "builtins.id", "builtins.hash", "builtins.input", "os.getpid",
    "os.urandom", "os.getenv", "builtins.globals", "builtins.locals", "builtins.vars",
}  # fmt: skip
_EFFECTS = {
    "os", "sys", "requests", "urllib", "socket", "subprocess", "shutil", "logging", "pathlib", "io", "boto3",
    "http", "sqlite3",
    "threading", "multiprocessing", "pickle", "importlib", "tempfile", "pyspark", "smtplib", "ftplib", "warnings",
}  # fmt: skip
_EFFECT_CALLS = {
    "builtins.print", "builtins.open", "builtins.exec", "builtins.eval", "builtins.setattr", "builtins.delattr",
    "builtins.compile", "builtins.__import__", "builtins.breakpoint", "builtins.exit", "builtins.quit", "builtins.next",
}  # fmt: skip
QUIET_MODULES = {"pandas", "numpy", "math", "datetime", "decimal", "statistics", "re", "typing", "collections", "heapq",
    "bisect", "operator", "itertools", "functools", "copy",
}  # fmt: skip
"""Importing these inside a function changes nothing that matters."""


def refuse_call(ctx: Context, name: str | None, node: ast.Call) -> Refusal:
    """Why the call ``node`` of the function ``name`` has no meaning here."""
    written = ctx.text(node.func)
    if name:
        roots = {name.rsplit(".", n)[0] for n in range(1, name.count(".") + 1)}
        if name in _VOLATILE_CALLS or roots & _VOLATILE:
            return Refusal("volatile", f"`{written}()` may give another result on each call", node)
        if name in _EFFECT_CALLS or roots & _EFFECTS:
            return Refusal("side-effect", f"`{written}()` does more than compute a value", node)
    last = written.rpartition(".")[2]
    if last in (
        "append",
        "extend",
        "add",
        "update",
        "insert",
        "pop",
        "remove",
        "clear",
        "write",
        "setdefault",
        "put",
        "send",
    ):
        return Refusal("side-effect", f"`{written}()` changes an object", node)
    if last in ("getattr", "setattr", "eval", "exec"):
        return Refusal("opaque", f"`{written}` hides what is read", node)
    return Refusal("opaque", f"nothing is known about the function `{written}`", node)
