"""View: a frame that is read under the name of a temporary view.

Law: ``σ_P(view(d)) = view(σ_P(d))``: a view is its query, computed where it is read.
Condition: nobody else reads the view (a frame with two consumers is ``Shared``), and it is the one that this file has
registered. That no code outside the file (another program, a module that it imports) replaces or reads it is an
assumption, for the names are those of the session.
Why sound: a view yields the rows of its frame as they are, and a filter decides each by itself.
Counterexample: another notebook cell reads all rows of the view; with the pre-filter below, some are missing.
Reference: ``createOrReplaceTempView`` in the API of Spark: its lifetime is that of the session.
"""

from __future__ import annotations

from headwater_ir.assumptions import Assumption
from headwater_ir.plan import View

from .protocol import EVERY_COLUMN, Operator, passes_as_it_is, same_columns


def alone(node: View) -> Assumption:
    """What a verdict on rows that are read through the view rests on."""
    return Assumption("program", f"no code outside this file replaces or reads the temporary view `{node.name}`")


# A filter above sees no column that was dropped below, and those that are there are all seen.
OPERATOR = Operator(
    View, "view", passes_as_it_is, same_columns, lambda _: EVERY_COLUMN, renames=lambda _: False, rows_of_input=True
)
