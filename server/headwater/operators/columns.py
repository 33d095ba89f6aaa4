"""The type of a column of a plan, as far as the plan tells."""

from __future__ import annotations

from headwater_ir.expr import Col, Lit
from headwater_ir.plan import Aggregate, Filter, GroupMap, Plan, Project, RowUdf, Scan, Shared, Sort
from headwater_ir.types import ANY, Type


def type_of_column(plan: Plan, name: str) -> Type:
    """The type of column ``name`` in the output of ``plan``; ANY where it is not known."""
    match plan:
        case Scan(schema=schema):
            field = schema.field(name)
            return field.type if field else ANY
        case Filter(child=child) | Sort(child=child) | Shared(child=child):
            return type_of_column(child, name)
        case Project(child=child, columns=columns):
            value = dict(columns).get(name, Col(name))
            if isinstance(value, Col):
                return type_of_column(child, value.name)
            return value.type if isinstance(value, Lit) else ANY
        case RowUdf(child=child, fold=fold):
            return next((o.type for o in fold.outputs if o.name == name), None) or type_of_column(child, name)
        case Aggregate(fold=fold) | GroupMap(fold=fold):
            return next((o.type for o in fold.outputs if o.name == name), ANY)
        case _:  # any other operator may make columns or change their types
            return ANY
