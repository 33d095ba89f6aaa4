"""Dict literals, of which a value is looked up by a key that is not constant: ``RATES[kind]``,
``RATES.get(kind, 0)``, ``kind in RATES``.

Law: the value of the last key that equals the one looked up, an error or the default where there is none. Keys are
constants other than NaN, so that equality decides, and not identity: None equals None, ``1`` equals ``1.0`` and
``True``, and a NaN equals no key. Refused: lists, and 32-bit floats, which equal numbers that they are not hashed as.
Reference: the Python language reference, sections 3.3.1 and 6.10.1.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import choose, either, is_nan, may_raise
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, Expr, Lit, Raise
from headwater_ir.types import FLOAT32, STRING

from .scope import AbstractObject, Value
from .structures import RecordValue

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

MOST = 64
"""Keys of a dict, at most."""


@dataclass(frozen=True)
class Table(AbstractObject):
    """A dict of constants that nothing changes."""

    keys: tuple[Lit, ...]
    values: tuple[Expr, ...]


def table(node: ast.Dict, constant: Callable[[ast.expr], Value | None]) -> Table | None:
    """The dict ``node``, its parts read by ``constant``; None if they are no constants."""
    found: dict[object, tuple[Lit, Expr]] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        k, v = None if key is None else constant(key), constant(value)
        if not isinstance(k, Lit) or is_nan(k) != FALSE or v is None or isinstance(v, AbstractObject):
            return None
        found[k.value] = k, v  # as Python does: equal keys are one, and the last value stays
    if len(found) > MOST:
        return None
    return Table(tuple(k for k, _ in found.values()), tuple(v for _, v in found.values()))


def as_table(owner: Value) -> Table | None:
    """A dict as a table; None if it holds what is no scalar."""
    if isinstance(owner, RecordValue) and owner.access == "item" and owner.closed:
        scalars = tuple(v for v in owner.values if not isinstance(v, AbstractObject))
        keys = tuple(Lit(name, STRING) for name in owner.names)
        return Table(keys, scalars) if len(scalars) == len(keys) else None
    return owner if isinstance(owner, Table) else None


def read(s: Structured, node: ast.AST, owner: Table, key: Expr, absent: Expr) -> Expr:
    """The value of ``key``; ``absent`` where there is none."""
    result = absent
    for k, v in zip(reversed(owner.keys), reversed(owner.values), strict=True):
        result = choose(same_key(s, node, key, k), v, result)
    return result


def subscript(s: Structured, node: ast.AST, owner: Table, key: Value) -> Expr:
    """``owner[key]``."""
    return read(s, node, owner, s.plain(node, key), Raise("KeyError"))


def get(s: Structured, node: ast.Call, owner: Table, key: Value, default: Value) -> Expr:
    """``owner.get(key, default)``; what ``default`` raises is raised in any case."""
    otherwise = s.plain(node, default)
    if may_raise(otherwise):
        raise Refusal("may-throw", "a default that is not needed and may raise", node)
    return read(s, node, owner, s.plain(node, key), otherwise)


def contains(s: Structured, node: ast.AST, owner: Table, key: Value) -> Expr:
    """``key in owner``."""
    needle = s.plain(node, key)
    return either(*(same_key(s, node, needle, k) for k in owner.keys))


def same_key(s: Structured, node: ast.AST, key: Expr, k: Lit) -> Expr:
    """Whether a dict takes ``key`` for the constant ``k``."""
    if s.scope.type(key).name == "list" or s.scope.type(key) == FLOAT32:
        raise Refusal("opaque", "a key that cannot be hashed, or equals numbers of another hash", node)
    return s.compare(node, "==", key, k)
