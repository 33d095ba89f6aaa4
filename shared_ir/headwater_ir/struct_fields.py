"""Fields of structs in expressions: ``x.f`` is a function of ``x`` that never raises, and NULL where ``x`` is."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from .expr import Call, Col, Expr, Lit, Out, transform
from .types import ANY, STRING

_GET = "getField"
_COLUMN = re.compile(r"field\(`([^`]+)`\.`([^`]+)`\)")


def field_of(struct: Expr, name: str) -> Expr:
    """The field ``name`` of ``struct``."""
    return Call(_GET, (struct, Lit(name, STRING)), ANY, total=True)


def is_field(e: Expr) -> bool:
    """Whether ``e`` is a field of a struct."""
    return isinstance(e, Call) and e.name == _GET


def field_column(struct: str, name: str) -> str:
    """The field ``name`` of the column ``struct`` as a column of its own, named so that no code can spell it."""
    return f"field(`{struct}`.`{name}`)"


def path_of_column(name: str) -> str | None:
    """``x.f`` for a column that ``field_column`` names; None for any other."""
    found = _COLUMN.fullmatch(name)
    return found and f"{found[1]}.{found[2]}"


def in_field_columns(e: Expr, known: Container[str]) -> Expr:
    """``e`` with those fields as columns of their own that are ``known`` as such."""

    def column(n: Expr) -> Expr | None:
        match n:
            case Call(name="getField", args=((Col(struct) | Out(struct)) as of, Lit(value=str() as field))):
                name = field_column(struct, field)
                return replace(of, name=name) if name in known else None
        return None

    return transform(e, column)


def path_of(e: Expr) -> str | None:
    """``x.f`` for the field ``f`` of the column ``x``; None for anything else."""
    match e:
        case Call(name="getField", args=(Col(name), Lit(value=str() as field))):
            return f"{name}.{field}"
    return None


def as_columns(e: Expr, structs: frozenset[str]) -> Expr:
    """``e`` with each field of one of the columns ``structs`` as a column ``x.f`` of its own, which it may well be."""

    def replaced(n: Expr) -> Expr | None:
        path = path_of(n)
        return Col(path) if path is not None and path.partition(".")[0] in structs else None

    return transform(e, replaced)
