"""Checks a ``CacheCertificate``: one action asks once for the rows that are kept, and any reading of them is as good.

Law. Let every operator that a frame is made by be a function of its input, and let one path alone lead from the frame
to an action that runs its plan once. Then its rows are computed once with the cache and once without it, in the same
run, and the action gets the same bag. Spark's cache is keyed by the plan: so what reads the frame beside the call of
``cache`` reads the cache too, and counts.

The uses are counted like tokens (``FrameUses``): making a frame gives one, each read of a variable one more; binding
and each use take one. A frame with one left over is used by somebody who is not listed, and nothing is proved.
"""

from __future__ import annotations

from headwater_ir import demand as ir
from headwater_ir.expr import Call, If, IsTrue, Slot, walk

from .checker import VERSION, Malformed

KEEPS = frozenset({"cache", "persist"})
ALL_ROWS = frozenset({"collect", "toPandas", "toArrow", "count"})
FIRST_ROWS = frozenset({"show", "display", "take", "head", "first", "tail", "isEmpty"})
_FORMATS = ("parquet", "csv", "json", "orc", "text")
WRITES = frozenset(
    {
        *(f"write.{f}" for f in _FORMATS), *(f"write.{f}.save" for f in (*_FORMATS, "delta")),
        "write.saveAsTable", "write.insertInto", *(f"write.{f}.saveAsTable" for f in (*_FORMATS, "delta")),
    }
)  # fmt: skip
"""They run the plan once."""
BELOW = frozenset(
    """
    Scan Filter Project Aggregate Distinct Explode UnionAll SetOperation Join Shared Cache Sort
    """.split()
)
"""Operators whose result, as a bag, is a function of their input, as far as their expressions are."""
CHOOSES = frozenset(
    """
    first first_value last last_value any_value max_by min_by mode nth_value collect_list collect_set array_agg
    listagg string_agg group_concat approx_percentile percentile_approx approx_count_distinct approxCountDistinct
    """.split()
)
"""Aggregates that depend on the order of rows, at least where some are equal."""
ABOVE = BELOW - {"Sort", "Scan"} | {"Limit", "DropDuplicates", "GroupMap", "RowUdf", "Window"}
"""Operators that read their input once, and run no job when they are made. A sort reads it twice, once for the bounds
of its partitions, unless only first rows are asked for."""


def check(certificate: ir.CacheCertificate) -> tuple[str, ...]:
    """Why the certificate proves nothing, in words; empty if it holds. ``Malformed`` if it is none."""
    if certificate.version != VERSION:
        raise Malformed(f"version {certificate.version}, not {VERSION}")
    uses = certificate.uses
    if certificate.operator not in KEEPS or not uses:
        raise Malformed("it speaks of no cache")
    for number, one in enumerate(uses):
        if any(not 0 < n < len(uses) for n in one.makes):
            raise Malformed(f"the frame {number} makes one that is not there")
    found = [f for n, one in enumerate(uses) if (f := _unbalanced(n, one)) is not None]
    found += [f for b in certificate.below if (f := _varies(b)) is not None]
    return tuple(found or _paths(uses))


def _unbalanced(number: int, one: ir.FrameUses) -> str | None:
    if min(one.held, one.reads) < 0 or 1 + one.reads != one.held + len(one.makes) + len(one.ends):
        return f"not every use of the frame {number} is known"
    return None


def _varies(one: ir.Below) -> str | None:
    """Why ``one`` may give other rows each time."""
    if one.operator not in BELOW:
        return f"`{one.operator}` is not known to give the same rows each time"
    if found := sorted(CHOOSES & {*one.words}):
        return f"`{found[0]}` depends on the order of rows"
    for part in (e for v in one.values for e in walk(v)):
        if isinstance(part, Call) and part.kind not in ("function", "unread"):
            return f"`{one.operator}` depends on the order of rows"
        if isinstance(part, If) and isinstance(part.cond, IsTrue) and isinstance(part.cond.operand, Slot):
            return f"`{one.operator}` keeps the first of some rows, or the last"
    return None


def _paths(uses: tuple[ir.FrameUses, ...]) -> list[str]:
    """What is wrong with the ways from the frame to those who ask for its rows."""
    todo: list[tuple[int, tuple[int, ...]]] = [(0, (0,))]
    ended: list[tuple[str, tuple[int, ...]]] = []
    while todo:
        at, path = todo.pop()
        if len(todo) + len(ended) > 2 * len(uses) + 4 or len(path) > len(uses):
            return ["the frame is read by many"]
        ended += [(end, path) for end in uses[at].ends if not _is_nothing(uses, path, end)]
        todo += [(made, (*path, made)) for made in uses[at].makes]
    if len(ended) > 1:
        return ["more than one action asks for its rows"]
    for end, path in ended:
        wrong = _wrong(end, [uses[n].made_by for n in path[1:]])
        if wrong is not None:
            return [wrong]
    return []


def _is_nothing(uses: tuple[ir.FrameUses, ...], path: tuple[int, ...], end: str) -> bool:
    """Whether ``end`` is the call of ``cache`` as a statement, which asks for no rows."""
    return end == "dropped" and len(path) > 1 and uses[path[-1]].made_by == "Cache"


def _wrong(end: str, operators: list[str]) -> str | None:
    if end not in ALL_ROWS | FIRST_ROWS | WRITES:
        return f"`{end}` is not known to ask for its rows once"
    for number, operator in enumerate(operators):
        later = operators[number + 1 :]
        bounded = (end in FIRST_ROWS and not later) or later[:1] == ["Limit"]
        if operator == "Sort" and bounded:
            continue
        if operator not in ABOVE:
            return f"`{operator}` is not known to read its rows once"
    return None
