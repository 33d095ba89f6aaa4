"""Columns that the output of a plan has for certain, among others that are not known.

Source: each operator's own columns, and what a filter reads, which is a column of the frame that it filters, unless
Spark resolved it further down, to one that a projection below the filter has dropped (``ResolveReferences``; see
``visible``): so only where a source, a join, a union or an aggregate stands below it with nothing between that drops
the column, and not where anything may, as in a frame that is a parameter. What a Python function reads of the elements
of an RDD is not asked of an RDD without elements. A rename of what may not exist makes a column that may not exist.
"""

from __future__ import annotations

from headwater_ir.expr import columns_of
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    GroupMap,
    Join,
    JoinInput,
    Limit,
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
from headwater_ir.unread import why_unread

_SAME = (Sort, Limit, Sample, Distinct, DropDuplicates, Cache, Shared, JoinInput)
_MOST_NODES = 2000
"""That are looked at: a frame joined with itself again and again has very many ways down."""


def surely_has(plan: Plan) -> frozenset[str]:
    """Names of columns of ``plan``, perhaps not of all."""
    found: set[str] = set()
    # With each plan: the names that are dropped further up, lower case, and what filters further up read.
    todo: list[tuple[Plan, frozenset[str], frozenset[str]]] = [(plan, frozenset(), frozenset())]
    for _ in range(_MOST_NODES):
        if not todo:
            break
        at, gone, read = todo.pop()
        own, ends = _own(at), False
        match at:
            case Filter(child=child, conjuncts=conjuncts, style="column" | "sql"):
                read |= _kept(frozenset[str]().union(*(columns_of(c.condition) for c in conjuncts)), gone)
                todo.append((child, gone, read))
            case Project(child=child, keeps_others=True, dropped=dropped):
                names = frozenset(n.lower() for n in dropped)
                todo.append((child, gone | names, _kept(read, names)))
            case Window(child=child, keeps_others=True) | RowUdf(child=child) | Explode(child=child):
                todo.append((child, gone, read))
            case Join(left=left, right=right, how=how):
                ends = True
                todo += [(side, gone, frozenset()) for side in ((left,) if how in ("semi", "anti") else (left, right))]
            case Scan():
                ends = at.format != "unknown"
            case Aggregate() | GroupMap() | UnionAll() | SetOperation():
                ends = True
            case _ if isinstance(at, _SAME):
                todo.append((at.child, gone, read))
        found |= _kept(own | read if ends else own, gone)
    return frozenset(found)


def _own(plan: Plan) -> frozenset[str]:
    """The columns that ``plan`` itself makes, or says that there are."""
    match plan:
        case Project(columns=columns):
            return frozenset(n for n, value in columns if why_unread(value) is None)
        case Window(windows=windows, columns=columns):
            return frozenset((*(w.name for w in windows), *(n for n, v in columns if why_unread(v) is None)))
        case RowUdf(fold=fold) | Aggregate(fold=fold) | GroupMap(fold=fold):
            return frozenset(o.name for o in fold.outputs)
        case Explode(made=made):
            return frozenset(made)
        case Scan(schema=schema):
            return frozenset(f.name for f in schema.fields)
        case Join(using=using):
            return frozenset(using)
    return frozenset()


def _kept(names: frozenset[str], gone: frozenset[str]) -> frozenset[str]:
    return frozenset(n for n in names if n.lower() not in gone)
