"""What operators read of the columns of their input by name, and which of these they hand on."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater_ir import plan as ops
from headwater_ir.expr import Col, columns_of
from headwater_ir.span import Span
from headwater_ir.unread import why_unread


@dataclass
class ByName:
    """What operators read by name, make, and what is not read of them but for their names, and whether there may be
    others, as in code that is not here; as in ``PlainJoin``."""

    read: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    unclear: list[Span] = field(default_factory=list)
    elsewhere: bool = False

    def notes(self, plan: ops.Plan) -> bool:
        """Note ``plan``; False if what it reads is not known."""
        match plan:
            case ops.Opaque() if has_rows_of_input(plan):
                self.unclear.append(plan.span)
                return True
            case ops.Filter():
                self.read.update(n for c in plan.conjuncts for n in columns_of(c.condition))
            case ops.Sort(by=by):
                self.read.update(by or ())
            case ops.DropDuplicates(keys=keys):
                self.read.update(keys or ())
            case ops.Project(columns=columns):
                self.made.update(n for n, _ in columns)
                if any(why_unread(e) is not None for _, e in columns):
                    self.unclear.append(plan.span)
        return reads_names(plan)


def mentions(plan: ops.Filter | ops.Project, name: str) -> bool:
    """Whether an expression of ``plan`` names the column ``name``, perhaps as a field or with a name of a frame."""
    given = [c.condition for c in plan.conjuncts] if isinstance(plan, ops.Filter) else [e for _, e in plan.columns]
    parts = {part for e in given for n in columns_of(e) for part in n.lower().split(".")}
    return name.lower() in parts or any(why_unread(e) is not None for e in given)


def chosen(plan: ops.Plan | None) -> ops.Project | None:
    """What ``plan`` reads of its input, as a projection to that; None if that is not known, as of keys without a name
    (``api.aggregates.unknown_keys``)."""
    if isinstance(plan, ops.Aggregate):
        if any(a.kind == "keys" for a in plan.fold.assumptions):
            return None
        names = dict.fromkeys((*plan.fold.keys, *(c.name for c in plan.fold.columns)))
        read = tuple((n, Col(n)) for n in names)
        return ops.Project(plan.child, read, False, (), plan.boundary.span)
    return plan if isinstance(plan, ops.Project) else None


def drops(plan: ops.Plan, name: str) -> bool:
    """Whether ``plan`` has no column ``name`` of its input."""
    match plan:
        case ops.Project():
            made = {n.lower() for n, _ in plan.columns}
            return name.lower() in made or not plan.keeps_others or name in plan.dropped
        case ops.Opaque():
            return bool(plan.chosen_by) and name.lower() not in {n.lower() for n in plan.chosen}
    return isinstance(plan, ops.Aggregate)


def passes_on(plan: ops.Plan, *names: str) -> bool:
    """Whether ``plan`` hands on rows of its input with the columns ``names``, without a look at the first of them."""
    match plan:
        case ops.Filter():
            return plan.unread is None and not mentions(plan, names[0])
        case ops.Project():
            others = {n.lower() for n in (*plan.dropped, *(n for n, _ in plan.columns))}
            kept = plan.keeps_others and not others & {n.lower() for n in names}
            return kept and not mentions(plan, names[0])
        case ops.Sort(by=by):
            return by is not None and names[0].lower() not in {n.lower() for n in by}
    return False


def has_rows_of_input(plan: ops.Opaque) -> bool:
    """Whether ``plan`` may have the columns of its input, as ``distinct`` has that may merge session windows."""
    return "columns" not in plan.causes or plan.obstruction == "row-context"


def hides(plan: ops.Plan, *, is_closed: bool) -> bool:
    """Whether nothing above ``plan`` reaches the columns below it; ``is_closed``: none but some of them are its
    input's."""
    return is_closed and isinstance(plan, (ops.Join, ops.UnionAll, ops.SetOperation))


def reads_names(plan: ops.Plan) -> bool:
    """Whether ``plan`` reads the columns of its input by their names alone, if any."""
    match plan:
        case ops.Filter(unread=unread):
            return unread is None
        case ops.Sort(by=by):
            return by is not None
        case ops.DropDuplicates(keys=keys):
            return keys is not None
        case ops.Join(using=using):
            return bool(using)
    return isinstance(
        plan,
        (ops.Project, ops.Aggregate, ops.Distinct, ops.Limit, ops.Cache, ops.Shared, ops.UnionAll, ops.SetOperation),
    )


def is_of_groups(plan: ops.Plan) -> bool:
    """Whether the rows of ``plan`` are those of an aggregate, whatever their columns are called."""
    while isinstance(plan, (ops.Shared, ops.Cache, ops.Project)):
        plan = plan.child
    return isinstance(plan, ops.Aggregate)
