"""Opaque: an operator without a model. No filter passes; its obstruction and reason say why.

Why: forgetting an operator costs an opportunity, never a wrong answer (ARCHITECTURE.md, *Default is refusal*).
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import Opaque

from .outcome import Stop
from .protocol import UNKNOWN, Inputs, Operator


def through(predicate: Expr, node: Opaque, inputs: Inputs) -> NoReturn:
    """Always stops."""
    raise Stop(node.obstruction, node.reason)


OPERATOR = Operator(Opaque, "opaque", through, lambda _: UNKNOWN, lambda _: UNKNOWN)
