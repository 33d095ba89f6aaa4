"""Checks a ``CacheCertificate``: one action asks once for the rows that are kept, and any reading of them is as good.

Law. Let every operator that a frame is made by be a function of its input, and let one path alone lead from the frame
to an action that runs its plan once. Then its rows are computed once with the cache and once without it, in the same
run, and the action gets the same bag. Spark's cache is keyed by the plan: so what reads the frame beside the call of
``cache`` reads the cache too, and counts.

An operator of which it is not known what it computes may call a function for each row. Without the cache, Spark may
move a condition on the path in front of it, or infer one from a join or a generator, and then calls the function once
for the condition and once for the column. So such a frame may only be read through operators that keep rows by no
condition (``ONCE``); then each function is called for each row once, or not at all where nobody reads the row or its
column.

A frame that is kept already is not kept again: the call does nothing, whoever reads it.

The uses are counted like tokens (``FrameUses``): making a frame gives one, each read of a variable one more; binding
and each use take one. A frame with one left over is used by somebody who is not listed, and nothing is proved.
"""

from __future__ import annotations

from headwater_ir import demand as ir
from headwater_ir.expr import Call, If, IsTrue, Slot, walk

from .checker import VERSION, Malformed

KEEPS = frozenset({"cache", "persist"})
ALL_ROWS = frozenset({"collect", "toPandas", "toArrow", "count"})
FIRST_ROWS = frozenset({"show", "display", "take", "head", "first", "isEmpty"})
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
    Scan Filter Project Aggregate Distinct Explode UnionAll SetOperation Join Shared Cache Sort Columns Rows Repartition
    Ranges Checkpoint Groups
    """.split()
)
"""Operators whose result, as a bag, is a function of their input, as far as their expressions are. ``Groups``: a window
without an order, or one whose function gives equal rows the same."""
UNKNOWN = frozenset({"Lazy", "Transformer", "RowUdf"})
"""Operators that read their input once and may call a function for each row."""
CHOOSES = frozenset(
    """
    first first_value last last_value any_value max_by min_by mode nth_value collect_list collect_set array_agg
    listagg string_agg group_concat approx_percentile percentile_approx approx_count_distinct approxCountDistinct
    """.split()
)
"""Aggregates that depend on the order of rows, at least where some are equal."""
VARIES = frozenset(
    """
    rand randn random randstr uuid shuffle sample monotonically_increasing_id spark_partition_id input_file_name
    row_number rank dense_rank percent_rank ntile lag lead cume_dist limit
    """.split()
)
"""Words of a call without a model by which it may depend on the order of rows or on chance, too."""
ABOVE = BELOW - {"Sort", "Ranges", "Scan", "Checkpoint"} | {
    "Limit", "Offset", "DropDuplicates", "GroupMap", "RowUdf", "Window", "Lazy", "Transformer"
}  # fmt: skip
"""Operators that read their input once, and run no job when they are made. A sort reads it twice, once for the bounds
of its partitions, unless only first rows are asked for. Of a ``Transformer`` that is an assumption."""
ONCE = frozenset(
    """
    Project Columns Aggregate Distinct DropDuplicates UnionAll Shared Cache Repartition Limit Offset Transformer
    """.split()
)
"""Operators that Spark moves no condition from to what they read, and that call no function of it a second time."""


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
    below = certificate.below
    kept = next((b.operator for b in below if b.operator != "Shared"), "")
    if kept == "Cache":
        return ()
    found = [f for n, one in enumerate(uses) if (f := _unbalanced(n, one)) is not None]
    found += [f"`{u.made_by}` may run a job" for u in uses[1:] if u.made_by not in ABOVE | {"Sort"}]
    found += [f for b in below if (f := varies(b)) is not None]
    return tuple(found or _paths(uses, ONCE if any(b.operator in UNKNOWN for b in below) else ABOVE))


def _unbalanced(number: int, one: ir.FrameUses) -> str | None:
    if min(one.held, one.reads) < 0 or 1 + one.reads != one.held + len(one.makes) + len(one.ends):
        return f"not every use of the frame {number} is known"
    return None


def varies(one: ir.Below) -> str | None:
    """Why ``one`` may give other rows each time."""
    if one.operator not in BELOW | UNKNOWN:
        return f"`{one.operator}` is not known to give the same rows each time"
    if found := sorted((CHOOSES | VARIES if one.operator in UNKNOWN else CHOOSES) & {*one.words}):
        return f"`{found[0]}` depends on the order of rows"
    for part in (e for v in one.values for e in walk(v)):
        if isinstance(part, Call) and part.kind not in ("function", "unread"):
            return f"`{one.operator}` depends on the order of rows"
        if isinstance(part, If) and isinstance(part.cond, IsTrue) and isinstance(part.cond.operand, Slot):
            return f"`{one.operator}` keeps the first of some rows, or the last"
    return None


def _paths(uses: tuple[ir.FrameUses, ...], through: frozenset[str]) -> list[str]:
    """What is wrong with the ways from the frame to those who ask for its rows, if they may go ``through`` these."""
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
        wrong = _wrong(end, [uses[n].made_by for n in path[1:]], through)
        if wrong is not None:
            return [wrong]
    return []


def _is_nothing(uses: tuple[ir.FrameUses, ...], path: tuple[int, ...], end: str) -> bool:
    """Whether ``end`` asks for no rows: the call of ``cache`` as a statement, and what frees those that are kept."""
    return end == "unpersist" or (end == "dropped" and len(path) > 1 and uses[path[-1]].made_by == "Cache")


def _wrong(end: str, operators: list[str], through: frozenset[str]) -> str | None:
    if end not in ALL_ROWS | FIRST_ROWS | WRITES:
        return f"`{end}` is not known to ask for its rows once"
    for number, operator in enumerate(operators):
        if operator == "Sort" and _is_bounded(operators[number + 1 :], end):
            continue
        if operator not in through:
            return f"`{operator}` is not known to read its rows once"
    return None


def _is_bounded(later: list[str], end: str) -> bool:
    """Whether of what a sort gives only first rows are asked for, by ``later`` operators or at the ``end``: Spark then
    keeps the first rows of each partition, and needs no bounds."""
    rest = next((n for n, operator in enumerate(later) if operator not in ("Project", "Columns", "Sort")), len(later))
    return later[rest] == "Limit" if rest < len(later) else end in FIRST_ROWS
