"""Which columns a scan reads below a wall that asks for some: those, and those of the filters on the way.

Readers of Parquet and ORC read nothing else of the files; columns that are directories are in none.
``tests/source/test_columns_read.py`` compares this with the ``ReadSchema`` of Spark's plans.
"""

from __future__ import annotations

from collections.abc import Collection

from headwater_ir.expr import columns_of
from headwater_ir.plan import Filter, Plan, Scan, Shared, View

_BY_COLUMN = frozenset({"parquet", "orc"})


def note_of_scan(plan: Plan, asked: Collection[str]) -> str | None:
    """What the scan below ``plan`` reads where no more than the columns ``asked`` are, in words; None if it is no scan
    of files by columns right below filters, if that is not known, or if it reads all of them anyway."""
    wanted = set(asked)
    while not isinstance(plan, Scan):
        match plan:
            case Filter(unread=None):
                wanted |= {c for part in plan.conjuncts for c in columns_of(part.condition)}
                plan = plan.child
            case Shared() | View():
                plan = plan.child
            case _:
                return None
    directories = {p.lower() for p in plan.partitions}
    names = [f.name for f in plan.schema.fields if f.name.lower() not in directories]
    if plan.format not in _BY_COLUMN or not plan.schema.complete or not wanted <= {f.name for f in plan.schema.fields}:
        return None
    read = [n for n in names if n in wanted]
    if not 0 < len(read) < len(names):
        return None
    return f"the scan of the {plan.format} files then reads {len(read)} of {len(names)} columns: {', '.join(read)}"
