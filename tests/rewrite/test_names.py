"""Whether an imported name is sure to be there where a pre-filter would use it, which the filter itself need not prove:
it may read other names."""

from __future__ import annotations

import pytest

from headwater.rewrite.imports import free_alias
from headwater.rewrite.names import Bindings
from headwater.syntax.names.module_scope import Context
from headwater_ir.span import Span

IMPORT = "from pyspark.sql import functions as F\n"
INDENTED = "    " + IMPORT
HERE = {
    "above": IMPORT + "HERE\n",
    "in the function itself": "def g():\n" + INDENTED + "    return HERE\n",
    "above the function": IMPORT + "def g():\n    return HERE\n",
    "in the branch of the code itself, at the top as well": IMPORT + "if q:\n    HERE\n",
}
NOT_HERE = {
    "in a branch": "if q:\n" + INDENTED + "HERE\n",
    "for the type checker": "if TYPE_CHECKING:\n" + INDENTED + "HERE\n",
    "in a try": "try:\n" + INDENTED + "except ImportError:\n    pass\nHERE\n",
    "below": "HERE\n" + IMPORT,
    "below the function, which may have been called": "def g():\n    return HERE\ng()\n" + IMPORT,
    "further down in the function": "def g():\n    HERE\n" + INDENTED,
    "in a branch of the function": "def g():\n    if q:\n    " + INDENTED + "    HERE\n",
    "in a class": "class A:\n" + INDENTED + "HERE\n",
    "in a class, for its methods": "class A:\n" + INDENTED + "    def g(self):\n        return HERE\n",
    "in another function": "def g():\n" + INDENTED + "HERE\n",
}


@pytest.mark.parametrize("source", HERE.values(), ids=HERE.keys())
def test_surely_imported(source: str) -> None:
    assert Bindings.of(Context.of(source)).bound_at("F", source.index("HERE"))


@pytest.mark.parametrize("source", NOT_HERE.values(), ids=NOT_HERE.keys())
def test_perhaps_not_imported(source: str) -> None:
    assert not Bindings.of(Context.of(source)).bound_at("F", source.index("HERE"))


@pytest.mark.parametrize(
    ("call", "read"),
    [
        ('agg(F.max("x"))', True),
        ('agg(G.max("x"))', False),
        ('agg(max("F"))', False),
        ("agg(*(lambda: [F.max('x')])())", False),
    ],
)
def test_the_boundary_reads_the_name(call: str, read: bool) -> None:
    source = f"if q:\n{INDENTED}df.groupBy('k').{call}\n"
    start = source.index("agg(")
    assert Bindings.of(Context.of(source)).reads("F", Span(start, start + len(call))) is read


def test_a_name_that_the_file_deletes_is_taken() -> None:
    assert free_alias(Bindings.of(Context.of(IMPORT + "del F\n"))) == "sf"
