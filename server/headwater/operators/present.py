"""Columns that the output of a plan has for certain, among others that are not known.

Source: each operator's own columns, and what a filter reads, which is a column of the frame that it filters, unless
Spark resolved it further down, to one that a projection below the filter has dropped (``ResolveReferences``; see
``visible``). A rename of what may not exist makes a column that may not exist.
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
    Shared,
    Sort,
    Window,
)
from headwater_ir.unread import why_unread

_SAME = (Sort, Limit, Sample, Distinct, DropDuplicates, Cache, Shared, JoinInput)
_MOST_NODES = 2000
"""That are looked at: a frame joined with itself again and again has very many ways down."""


def surely_has(plan: Plan) -> frozenset[str]:
    """Names of columns of ``plan``, perhaps not of all."""
    found: set[str] = set()
    todo: list[tuple[Plan, frozenset[str], frozenset[str]]] = [(plan, frozenset(), frozenset())]
    for _ in range(_MOST_NODES):
        if not todo:
            break
        # ``gone``: dropped further up; ``read``: by filters further up.
        at, gone, read = todo.pop()
        own: frozenset[str] = frozenset()
        match at:
            case Filter(child=child, conjuncts=conjuncts):
                todo.append((child, gone, read.union(*(columns_of(c.condition) - gone for c in conjuncts))))
                continue
            case Project(child=child, columns=columns, keeps_others=True, dropped=dropped):
                found |= {n for n, value in columns if why_unread(value) is None} - gone
                todo.append((child, gone.union(dropped), read.difference(dropped)))
                continue
            case Window(child=child, windows=windows, columns=columns, keeps_others=True):
                found |= ({w.name for w in windows} | {n for n, v in columns if why_unread(v) is None}) - gone
                todo.append((child, gone, read))
                continue
            case RowUdf(child=child, fold=fold):
                found |= {o.name for o in fold.outputs} - gone
                todo.append((child, gone, read))
                continue
            case Explode(child=child, made=made):
                found |= set(made) - gone
                todo.append((child, gone, read))
                continue
            case Project(columns=columns):
                own, read = frozenset(n for n, value in columns if why_unread(value) is None), frozenset()
            case Window(windows=windows, columns=columns):
                own, read = frozenset((*(w.name for w in windows), *(n for n, _ in columns))), frozenset()
            case Aggregate(fold=fold) | GroupMap(fold=fold):
                own = frozenset(o.name for o in fold.outputs)
            case Scan(schema=schema):
                own = frozenset(f.name for f in schema.fields)
            case Join(left=left, right=right, how=how, using=using):
                own = frozenset(using)
                todo += [(side, gone, frozenset()) for side in ((left,) if how in ("semi", "anti") else (left, right))]
            case _ if isinstance(at, _SAME):
                todo.append((at.child, gone, read))
                continue
        found |= (own | read) - gone
    return frozenset(found)
