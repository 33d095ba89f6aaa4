"""Whether functions do more than to compute their values is known after an edit as at first sight."""

from __future__ import annotations

import pytest

from headwater.pyspark.reading import effects_kept
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import read_module

TEXT = """\
import math

from pyspark.sql import functions as F

LIMITS = {"a": 1}


def helper(x):
    return math.floor(x) + LIMITS["a"]


def inner(x):
    return helper(x) + 1


class Job:
    def run(self, df):
        return df.select(F.udf(lambda v: inner(v), "int")("a")).filter("a > 1")


@F.udf("int")
def marked(x):
    return inner(x)


other = spark.table("t").withColumn("b", marked("a")).filter("b > 1")
print(other.count())
"""
EDITS = [
    ("return math.floor(x) +", "print(x)\n    return math.floor(x) +"),
    ("return helper(x) + 1", "open('f', 'w').write(x)"),
    ("import math", "from mine import math"),
    ("LIMITS = ", "LIMITS = make() or "),
    ("print(other", "LIMITS['a'] = 2\nprint(other"),
    ("print(other", "helper = print\nprint(other"),
    ('@F.udf("int")\n', ""),
    ("functions as F", "functions as F\nimport random as math"),
    ("lambda v: inner(v)", "lambda v: print(v)"),
    ("lambda v: inner(v)", "print"),
    ("print(other", "import pandas\npandas.isna = None\nprint(other"),
    ("F.udf(lambda", "F.mine(lambda"),
    ("class Job:", "# a comment\nclass Job:"),
]


def differs() -> list[str]:
    """The edits after which, or after which are taken back, something else is found than at first sight."""
    found = list[str]()
    for old, new in EDITS:
        document = Document()
        for text in (TEXT, TEXT.replace(old, new), TEXT):
            found += [new] if document.read(text) != read_module(text) else []
    return found


def test_after_edits() -> None:
    assert not differs()


def test_the_edits_matter() -> None:
    assert not read_module(TEXT).effects
    assert sum(read_module(TEXT.replace(old, new)).effects for old, new in EDITS) >= 3


def test_notices_what_is_kept_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects_kept.EffectsKept, "_holds", lambda self, seen: True)
    assert differs()


def test_nothing_is_looked_at_again_after_an_edit_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document()
    document.read(TEXT)
    monkeypatch.setattr(effects_kept, "is_seen_to_do_more", None)
    edited = TEXT.replace("print(other.count())", "print(other.count(), 1)")
    assert document.read(edited) == read_module(edited)
    assert document.context is not None  # not read whole
