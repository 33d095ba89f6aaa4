"""What a name means: nothing, where an import may have given it another meaning."""

from __future__ import annotations

import ast

import pytest

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names


@pytest.mark.parametrize(
    ("source", "name", "origin"),
    [
        ("x = max(1, 2)\n", "max", "builtins.max"),
        ("from .util import max\n", "max", None),
        ("from . import max\n", "max", None),
        ("def f():\n    from ..util import max\n", "max", None),
        ("from util import max\n", "max", "util.max"),
        ("from .util import F\n", "F", None),
        ("from pyspark.sql import functions as F\n", "F", "pyspark.sql.functions"),
        ("from pyspark.sql import functions as F\nfrom util import F\n", "F", None),
        ("from pyspark.sql import functions as F\ndef f():\n    import util as F\n", "F", None),
        ("from pyspark.sql import functions as F\nfrom .util import F\n", "F", None),
    ],
)
def test_imports(source: str, name: str, origin: str | None) -> None:
    ctx = Context.of(source)
    node = ast.parse(name, mode="eval").body
    assert ctx.qualified(node) == origin
    assert Names(ctx).resolve(node) == origin
