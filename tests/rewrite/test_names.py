"""Whether an imported name is sure to be there where a pre-filter would use it, which the filter itself need not prove:
it may read other names."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.frontend.programs import file_of

from headwater.pyspark.reading.incremental import Document
from headwater.rewrite.imports import free_alias
from headwater.rewrite.names import Bindings
from headwater.syntax.names.module_scope import Context
from headwater_ir.span import Span
from tests.pyspark.edits import EDITS

IMPORT = "from pyspark.sql import functions as F\n"
INDENTED = "    " + IMPORT
HERE = {
    "above": IMPORT + "HERE\n",
    "in the function itself": "def g():\n" + INDENTED + "    return HERE\n",
    "above the function": IMPORT + "def g():\n    return HERE\n",
    "in the branch of the code itself, at the top as well": IMPORT + "if q:\n    HERE\n",
    "below a function that nothing has called": "def g():\n    return HERE\ndef h(x=1):\n    g()\n" + IMPORT + "g()\n",
    "in a try, for a function": "try:\n" + INDENTED + "except ImportError:\n    pass\ndef g():\n    HERE\n",
}
NOT_HERE = {
    "in a branch": "if q:\n" + INDENTED + "HERE\n",
    "for the type checker": "if TYPE_CHECKING:\n" + INDENTED + "HERE\n",
    "below the function, and something is called": "def g():\n    return HERE\nlist(map(g, [1]))\n" + IMPORT,
    "below the function, which is decorated": "@run\ndef g():\n    return HERE\n" + IMPORT,
    "below the function, for its defaults": "def g(x=HERE):\n    return x\n" + IMPORT,
    "in a try with others": "try:\n    import numpy\n"
    + INDENTED
    + "except ImportError:\n    pass\ndef g():\n    HERE\n",
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


def answers(context: Context) -> list[object]:
    """What the bindings of a text answer, at many places."""
    bindings, text = Bindings.of(context), context.source
    chance, found = Random(len(text)), list[object]()
    for name in ("F", "df", "LIMIT", "spark", "x", "pd"):
        found.append(bindings.free(name))
        for _ in range(20):
            at, use = sorted(chance.randrange(len(text) + 1) for _ in range(2))
            found += [
                bindings.same_value(name, at, use),
                bindings.bound_at(name, at),
                bindings.reads(name, Span(at, use)),
            ]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_after_edits_they_are_those_of_the_whole_text(seed: int) -> None:
    chance, document, text, compared = Random(seed), Document(), file_of(60, seed), 0
    for _ in range(40):
        edited = chance.choice(EDITS)(text, chance)
        try:
            fresh = Context.of(edited)
            document.read(edited)
        except (SyntaxError, ValueError):
            continue
        if document.context is not None:  # else it is read whole
            text, compared = edited, compared + 1
            assert answers(document.context) == answers(fresh), text
    assert compared > 5
