"""The type of a column of a plan, as far as the plan tells."""

from __future__ import annotations

from typing_extensions import assert_never

from headwater_ir.expr import Col, Expr, Lit
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    GroupingSets,
    GroupMap,
    Join,
    JoinInput,
    Limit,
    Opaque,
    Pivot,
    Plan,
    Project,
    RowUdf,
    Sample,
    Scan,
    SetOperation,
    Shared,
    Sort,
    UnionAll,
    Window,
)
from headwater_ir.types import ANY, OPAQUE, Type


def type_of_column(plan: Plan, name: str) -> Type:
    """The type of column ``name`` in the output of ``plan``; ANY where it is not known."""
    match plan:
        case Scan(schema=schema):
            field = schema.field(name)
            return field.type if field else ANY
        case (
            Filter(child=child) | Sort(child=child) | Limit(child=child) | Sample(child=child) | Distinct(child=child)
            | DropDuplicates(child=child) | Cache(child=child) | Shared(child=child) | JoinInput(child=child)
        ):  # fmt: skip
            return type_of_column(child, name)
        case Project(child=child, columns=columns):
            return _defined(child, dict(columns).get(name, Col(name)))
        case Window(child=child, windows=windows, columns=columns):
            made = any(w.name == name for w in windows)
            return ANY if made else _defined(child, dict(columns).get(name, Col(name)))
        case Explode(child=child, made=names, element=element):
            if name in names:
                return element if names == (name,) else ANY
            return type_of_column(child, name)
        case RowUdf(child=child, fold=fold):
            return next((o.type for o in fold.outputs if o.name == name), None) or type_of_column(child, name)
        case Aggregate(fold=fold) | GroupMap(fold=fold):
            return next((o.type for o in fold.outputs if o.name == name), ANY)
        case GroupingSets() | Pivot() | UnionAll() | SetOperation() | Join() | Opaque():
            return ANY
        case _:
            assert_never(plan)


def _defined(child: Plan, value: Expr) -> Type:
    if isinstance(value, Col):
        return type_of_column(child, value.name)
    return value.type if isinstance(value, Lit) else ANY


def alike(left: Type, right: Type) -> bool | None:
    """Whether Spark takes columns of two types together without changing a value of either; None if that is not
    known."""
    if OPAQUE in (left, right):
        return False
    return None if {left.name, right.name} & {"any", "number"} else left.name == right.name
