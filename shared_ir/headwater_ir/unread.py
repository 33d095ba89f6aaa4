"""Values that have no meaning here, though they are deterministic functions of their row."""

from __future__ import annotations

from typing import cast

from .expr import Call, Col, Expr, Lit, Slot, walk
from .types import ANY, STRING, Type
from .verdict import Obstruction

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


def hidden_value(function: str, of: Slot | Col, name: str, obstruction: Obstruction, why: str, type_: Type) -> Expr:
    """The value of an output that ``function`` makes of ``of``, a state or a row, in a way that has no meaning here."""
    words = (Lit(text, STRING) for text in (name, obstruction, why))
    return Call(function, (of, *words), type_, total=True)


def why_hidden(value: Expr) -> tuple[Obstruction, str] | None:
    """Why an output has no meaning here; None if it has one."""
    match value:
        case Call(args=(Slot() | Col(), Lit(type=said), Lit(value=str() as obstruction), Lit(value=str() as why))):
            return (cast(Obstruction, obstruction), why) if said == STRING else None
    return None
