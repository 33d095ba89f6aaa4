"""Values that have no meaning here, though they are deterministic functions of their row."""

from __future__ import annotations

from .expr import Call, Expr, walk
from .types import ANY

_UNREAD = "opaque:"


def unread_column(reason: str) -> Expr:
    """The value of a projected column that has no meaning here, though it is a deterministic function of the row: of
    which columns is not known."""
    return Call(_UNREAD + reason, (), ANY)


def why_unread(value: Expr) -> str | None:
    """Why ``value`` has no meaning here; None if it has one."""
    found = (e.name for e in walk(value) if isinstance(e, Call) and e.name.startswith(_UNREAD))
    name = next(found, None)
    return None if name is None else name[len(_UNREAD) :]
