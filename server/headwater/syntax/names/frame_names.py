"""Whether a frame of the file is called by a name, so that ``name.column`` may be a column of it."""

from __future__ import annotations

import ast

from .resolve import Names


def names_a_frame(name: str, names: Names) -> bool:
    """Whether a frame of the file may be called ``name``: by ``alias``, or for the table that it is."""
    for node in names.calls_of("alias"):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if not (isinstance(owner, ast.Call) and names.function(owner.func)):
            texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
            if len(texts) != 1 or str(texts[0]).lower() == name.lower():
                return True
    for node in (*names.calls_of("table"), *names.calls_of("sql")):
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if len(texts) != 1 or name.lower() in str(texts[0]).lower():
            return True
    return False
