"""What a filter asks of a column, as a column of its own: ``y = 'ab'`` of the column ``y``, named so that no code can
spell it (as in ``native``).

A fold may know the answer to a condition on one of its outputs, where it has no model for the output itself. The name
is the condition, so that whoever meets the column knows what it stands for: on every row, the value of the condition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container
from functools import cache
from typing import cast

from .codec import dumps, from_json
from .expr import Col, Compare, Expr, In, IsNull, Out, StringTest, transform

_NAME = re.compile(r"asked\(`(.+)`\)", re.DOTALL)
_CONDITIONS = (Compare, In, StringTest, IsNull)


def asked_column(condition: Expr) -> str:
    """The name of the column that holds the value of ``condition`` on columns."""
    return f"asked(`{dumps(condition)}`)"


@cache
def condition_of(name: str) -> Expr | None:
    """The condition that the column ``name`` stands for; None for any other column."""
    found = _NAME.fullmatch(name)
    return cast(Expr, from_json(json.loads(found[1]), Expr)) if found else None


def in_asked_columns(e: Expr, known: Container[str]) -> Expr:
    """``e`` with those conditions as columns of their own that are ``known`` as such; they may be asked of outputs."""

    def column(n: Expr) -> Expr | None:
        if not isinstance(n, _CONDITIONS):
            return None
        of_columns = transform(n, lambda m: Col(m.name) if isinstance(m, Out) else None)
        name = asked_column(of_columns)
        return (Col if of_columns == n else Out)(name) if name in known else None

    return transform(e, column)
