"""The one row of a frame in a variable that is an aggregate of all rows: ``totals.first()``, ``totals.collect()[0]``.

Law: whatever its frame holds, an aggregate without keys has one row; so every way to take that row gives it.
"""

from __future__ import annotations

import ast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.walks import aggregated_below

from .job_frames import if_plain, is_plain, is_surely_a_frame, is_used_as_a_frame, name_of
from .places import Places
from .row_jobs import first_row

NEVER_CHANGED = frozenset("bool date decimal float int number string timestamp".split())
"""Types whose values cannot be changed in place."""


def held_row(
    node: ast.Call, receiver: TrackedFrame, scope: ApiContext, places: Places
) -> tuple[ast.expr, ir.Job] | None:
    """The expression that takes the row by the call ``node`` of a method of ``receiver``, as a job."""
    assert isinstance(node.func, ast.Attribute)
    base, ctx = node.func.value, scope.names.ctx
    name, made_of = name_of(base, scope), aggregated_below(receiver.plan)
    taken = first_row(node, places) if node.func.attr != "count" else None
    if taken is None or name is None or made_of is None or not isinstance(base, (ast.Name, ast.Attribute)):
        return None
    if not is_plain(base, scope):
        return None
    schema = receiver.known_schema
    fixed = schema.complete and {f.type.name for f in schema.fields} <= NEVER_CHANGED
    unchanged = () if fixed else (Assumption("program", f"nobody changes a list in the row of `{name}` in place"),)
    certain = is_surely_a_frame(base, made_of, scope) or is_used_as_a_frame(base, scope, places)
    of_spark = Assumption("type", f"`{name}` is a DataFrame of Spark") if scope.names.uses_pyspark else None
    return taken.row, ir.Job(
        name, ctx.span(taken.row), ctx.span(base), taken.steps, (), made_of, schema, receiver.plan, certain=certain,
        frame_if=None if certain else of_spark, assumed=(*if_plain(name), *unchanged),
    )  # fmt: skip
