"""Classes that inherit from classes of other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import read_module

from .test_linked import IS_BIG, files, found, of

BASE = """class Job:
    def __init__(self, spark):
        self.spark = spark

    def read(self):
        return self.spark.read.schema("id long, name string, price double").parquet("/data/sales")

    def tidy(self, df):
        return df
"""
CLASS = f"""from pyspark.sql import functions as F
{{}}


{IS_BIG}

class Sales({{}}):
    def run(self):
        df = self.tidy(self.read().withColumn("b", F.udf(is_big, "boolean")("price")))
        return df.filter("b")
"""
SALES = CLASS.format("from base import Job", "Job")
MIDDLE = "from base import Job\n\n\nclass Middle(Job):\n    pass\n"
UNDERSTOOD = {
    "of another file": {"job.py": SALES, "base.py": BASE},
    "of a module": {"job.py": CLASS.format("import base", "base.Job"), "base.py": BASE},
    "in two steps": {
        "job.py": CLASS.format("from middle import Middle", "Middle"), "middle.py": MIDDLE, "base.py": BASE,
    },
    "of a class with bases of its own": {
        "job.py": SALES, "base.py": f"from abc import ABC\n\n\n{BASE.replace('Job:', 'Job(ABC):')}",
    },
}  # fmt: skip
OTHER = 'df.withColumn("b", ~F.col("b"))'
TWIN = f"def up(self, df):\n    return {OTHER}\n\n\n"
REFUSED = {
    "overridden between": {
        "job.py": CLASS.format("from middle import Middle", "Middle"), "base.py": BASE,
        "middle.py": f"{MIDDLE.replace('pass', 'def tidy(self, df):')}        return {OTHER}\n",
    },
    "overridden in a class of the file": {
        "job.py": f"{SALES}\n\nclass Other(Sales):\n    def tidy(self, df):\n        return {OTHER}\n", "base.py": BASE,
    },
    "of two bases": {
        "job.py": CLASS.format("from base import Job\nfrom more import More", "More, Job"), "base.py": BASE,
    },
    "with a metaclass": {
        "job.py": SALES, "base.py": f"from meta import M\n\n\n{BASE.replace('Job:', 'Job(metaclass=M):')}",
    },
    "with a decorator": {"job.py": SALES, "base.py": f"from meta import m\n\n\n@m\n{BASE}"},
    "bound again": {"job.py": SALES, "base.py": f"{BASE}\n\nJob = wrapped(Job)\n"},
    "replaced in the other file": {"job.py": SALES, "base.py": f"{BASE}\n\nJob.tidy = up\n"},
    "replaced in the file": {"job.py": f"{SALES}\n\n{TWIN}Job.tidy = up\n", "base.py": BASE},
    "replaced by its name": {"job.py": f"{SALES}\n\n{TWIN}setattr(Job, 'tidy', up)\n", "base.py": BASE},
    "replaced through the module": {
        "job.py": f"{CLASS.format('import base', 'base.Job')}\n\n{TWIN}base.Job.tidy = up\n", "base.py": BASE,
    },
    "of which the bases are set": {"job.py": f"{SALES}\n\nSales.__bases__ = (Twin,)\n", "base.py": BASE},
    "on a condition": {
        "job.py": CLASS.format("try:\n    from base import Job\nexcept ImportError:\n    Job = object", "Job"),
        "base.py": BASE,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_understood(name: str, tmp_path: Path) -> None:
    assert found(files(tmp_path, UNDERSTOOD[name])) in (['"price > 10 AND NOT isnan(price)"'],)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    assert found(files(tmp_path / "project", REFUSED[name])) == []


def test_an_edit_of_the_other_file(tmp_path: Path) -> None:
    """Read again, the text is what it is to somebody who reads it for the first time."""
    path, document = files(tmp_path, UNDERSTOOD["of another file"]), Document()
    document.read(of(path).text)
    for old, new in (
        ("return df", "return df.withColumn('b', ~df.b)"), ("Job:", "Job(metaclass=M):"), ("def tidy", "def tidied"),
        ("class Job", "@m\nclass Job"), ('"/data/sales"', '"/data/more"'),
    ):  # fmt: skip
        path.with_name("base.py").write_text(BASE.replace(old, new), encoding="utf-8")
        text = of(path).text
        assert document.read(text) == read_module(text), (old, new)
        path.with_name("base.py").write_text(BASE, encoding="utf-8")
        assert document.read(of(path).text) == read_module(of(path).text)
