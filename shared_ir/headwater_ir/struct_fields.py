"""Fields of structs in expressions: ``x.f`` is a function of ``x`` that never raises, and NULL where ``x`` is."""

from __future__ import annotations

from .expr import Call, Col, Expr, Lit, transform
from .types import ANY, STRING

_GET = "getField"


def field_of(struct: Expr, name: str) -> Expr:
    """The field ``name`` of ``struct``."""
    return Call(_GET, (struct, Lit(name, STRING)), ANY, total=True)


def is_field(e: Expr) -> bool:
    """Whether ``e`` is a field of a struct."""
    return isinstance(e, Call) and e.name == _GET


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
