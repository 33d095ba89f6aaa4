"""Values without a model: deterministic functions of their row, of which nothing else is known."""

from __future__ import annotations

from typing import cast

from .expr import Call, Col, Expr, Lit, Slot, walk
from .types import ANY, STRING, Type
from .verdict import Obstruction


def unread_column(reason: str) -> Expr:
    """The value of a projected column without a model: a deterministic function of the row, of which columns is not
    known."""
    return Call(reason, (), ANY, kind="unread")


def why_unread(value: Expr) -> str | None:
    """Why no model covers ``value``; None if one does."""
    return next((e.name for e in walk(value) if isinstance(e, Call) and e.kind == "unread"), None)


def hidden_value(function: str, of: Slot | Col, name: str, obstruction: Obstruction, why: str, type_: Type) -> Expr:
    """The value of an output that ``function`` computes of ``of``, a state or a row, in a way without a model."""
    words = (Lit(text, STRING) for text in (name, obstruction, why))
    return Call(function, (of, *words), type_, total=True, kind="hidden")


def why_hidden(value: Expr) -> tuple[Obstruction, str] | None:
    """Why no model covers the value of an output; None if one does."""
    match value:
        case Call(kind="hidden", args=(_, _, Lit(value=obstruction), Lit(value=str() as why))):
            return cast(Obstruction, obstruction), why
    return None
