"""Why a call that no model covers is refused: what is known to do more than compute, by function, module or method.

These names only say how a refusal is put into words: what stands in no table is refused anyway.
"""

from __future__ import annotations

import ast
from typing import Protocol

from headwater.syntax.refusal import Refusal

from .registry import EFFECTS

_VOLATILE = {"random", "secrets", "time", "uuid", "numpy.random"}
_EFFECTS = {
    "os", "sys", "requests", "urllib", "socket", "subprocess", "shutil", "logging", "pathlib", "io", "boto3", "http",
    "sqlite3", "threading", "multiprocessing", "pickle", "importlib", "tempfile", "pyspark", "smtplib", "ftplib",
    "warnings",
}  # fmt: skip
CHANGERS = frozenset(
    """
    append appendleft extend extendleft add update insert pop popleft popitem remove discard clear write setdefault put
    send sort reverse rotate move_to_end subtract
    """.split()
)
"""Methods that change what they are called on, whatever that is."""
NEUTRAL_MODULES = frozenset(
    """
    ast base64 binascii bisect calendar collections copy datetime decimal functools hashlib heapq html itertools json
    math numbers numpy operator pandas re statistics string typing unicodedata zlib
    collections.abc numpy.linalg numpy.random pyspark.sql pyspark.sql.types urllib.parse
    """.split()
)
"""Importing these inside of a function changes nothing."""


def check_import(node: ast.Import | ast.ImportFrom) -> None:
    """Refusal ("side-effect") unless all modules that ``node`` imports are listed."""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if (isinstance(node, ast.ImportFrom) and node.level) or not NEUTRAL_MODULES.issuperset(names):
        raise Refusal("side-effect", "importing a module runs its code", node)


class Source(Protocol):
    """Where the code stands."""

    def text(self, node: ast.AST) -> str:
        """The source text of ``node``."""


def refuse_call(source: Source, name: str | None, node: ast.Call) -> Refusal:
    """Why the call ``node`` of the function ``name`` is not understood."""
    written = source.text(node.func)
    if name is not None:
        known = _known(name, f"{written}()", node)
        if known is not None:
            return known
    last = written.rpartition(".")[2]
    if last in CHANGERS:
        return Refusal("side-effect", f"`{written}()` changes an object", node)
    if last in ("getattr", "setattr", "eval", "exec"):
        return Refusal("opaque", f"`{written}` hides what is read", node)
    return Refusal("opaque", f"nothing is known about the function `{written}`", node)


def refuse_name(source: Source, name: str, node: ast.AST) -> Refusal:
    """Why the object of this full name is not understood."""
    written = source.text(node)
    return _known(name, written, node) or Refusal("opaque", f"nothing is known about `{written}`", node)


def _known(name: str, written: str, node: ast.AST) -> Refusal | None:
    entry = EFFECTS.get(name)
    roots = {name.rsplit(".", n)[0] for n in range(1, name.count(".") + 1)}
    obstruction = None if entry is None else "side-effect" if entry.changes else entry.refused
    if obstruction == "volatile" or roots & _VOLATILE:
        return Refusal("volatile", f"`{written}` may give another result on each call", node)
    if obstruction == "side-effect" or roots & _EFFECTS:
        return Refusal("side-effect", f"`{written}` does more than compute a value", node)
    return None
