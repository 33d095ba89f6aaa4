"""Where the import of the functions module goes, and that nothing else changes."""

from __future__ import annotations

import ast

import pytest

from headwater.rewrite.edits import apply_edits
from headwater.rewrite.imports import import_functions
from headwater.rewrite.tokens import CannotEdit


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\n", "from pyspark.sql import functions as F\n\nx = 1\n"),
        ("import os\r\nx = 1\r\n", "import os\r\nfrom pyspark.sql import functions as F\r\n\r\nx = 1\r\n"),
        (
            "from pyspark.sql import SparkSession  # the session\nx = 1\n",
            "from pyspark.sql import SparkSession, functions as F  # the session\nx = 1\n",
        ),
        (
            "from pyspark.sql import SparkSession, types as T, window\nx = 1\n",
            "from pyspark.sql import SparkSession, functions as F, types as T, window\nx = 1\n",
        ),
        (
            "from pyspark.sql import (\n    DataFrame,\n    SparkSession,\n)\nx = 1\n",
            "from pyspark.sql import (\n    DataFrame,\n    SparkSession,\n    functions as F,\n)\nx = 1\n",
        ),
        (
            "from pyspark.sql import (\n    DataFrame,  # a\n    SparkSession,  # b\n)\nx = 1\n",
            "from pyspark.sql import (\n    functions as F, DataFrame,  # a\n    SparkSession,  # b\n)\nx = 1\n",
        ),
        ('"""Doc."""\nx = "\U0001f600"\n', '"""Doc."""\nfrom pyspark.sql import functions as F\n\nx = "\U0001f600"\n'),
        ("import os\n\x0c\nx = 1\n", "import os\nfrom pyspark.sql import functions as F\n\x0c\nx = 1\n"),
    ],
)
def test_added_at_the_top(before: str, after: str) -> None:
    assert apply_edits(before, [import_functions(before, "F")]) == after


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\nfrom pyspark.sql import SparkSession\n",
        "def f():\n    from pyspark.sql import SparkSession\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pyspark.sql import DataFrame\nx = 1\n",
        "try:\n    from pyspark.sql import SparkSession\nexcept ImportError:\n    pass\n",
    ],
)
def test_never_behind_the_code_that_needs_it(source: str) -> None:
    """LibCST would extend these imports, which may run too late or not at all."""
    try:
        changed = apply_edits(source, [import_functions(source, "F")])
    except CannotEdit:
        return
    assert changed.index("functions as F") < min(changed.index(w) for w in ("x = 1", "def f", "try:") if w in changed)


@pytest.mark.parametrize(
    "head",
    [
        "",
        '"""Doc."""\n',
        "import os\n",
        "from __future__ import annotations\nimport os; import sys\n",
        "# c\n\nimport os  # d\n\n\n# e\n",
        "import os; \\\n",
        "from pyspark.sql import (\n    DataFrame,\n)\n\n",
    ],
)
@pytest.mark.parametrize("first", ["x = 1\n", "@d\nclass A:\n    x = 1\n", "if x:\n    import os\n", "from_ = 1\n"])
def test_only_the_head_is_read(head: str, first: str) -> None:
    """LibCST would take seconds for the rest of a long file."""
    if head.endswith("\\\n") and not first.startswith(("x", "from")):
        return
    source = head + first
    edit = import_functions(source, "F")
    assert import_functions(f"{source}no Python\n", "F") == edit
    changed = apply_edits(source, [edit])
    assert changed.endswith(first)
    ast.parse(changed)
