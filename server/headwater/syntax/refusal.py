"""How the front end says no."""

from __future__ import annotations

import ast

from headwater_ir.verdict import Obstruction


class Refusal(Exception):
    """Something without a model. Becomes ``Opaque`` with this obstruction and reason, placed at ``node``."""

    def __init__(self, obstruction: Obstruction, reason: str, node: ast.AST | None = None) -> None:
        super().__init__(reason)
        self.obstruction: Obstruction = obstruction
        self.reason = reason
        self.node = node
