"""What is taken of other files, and what never is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_file
from headwater.engine.linking.linked import Linked, link
from headwater.syntax.source.linked import own_end

HEAD = """from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from {} import {}

spark = SparkSession.builder.getOrCreate()
df = spark.read.schema("id long, name string, price double").parquet("/data/sales")
"""
USE = HEAD + 'df.withColumn("b", F.udf(is_big, "boolean")("price")).filter("b").write.parquet("/out")\n'
IS_BIG = "def is_big(p):\n    return p is not None and p > 10\n"


def files(folder: Path, texts: dict[str, str]) -> Path:
    """The files, below a folder that is a project; the first of them is the answer."""
    folder.mkdir(exist_ok=True)
    (folder / "pyproject.toml").touch()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / next(iter(texts))


def of(path: Path) -> Linked:
    return link(path.read_text(encoding="utf-8"), path, lambda other: other.read_text(encoding="utf-8"))


def found(path: Path) -> list[str]:
    report = analyse_file(path, Options(), None).report
    assert report.error is None
    return [o.prefilter_text for o in report.opportunities]


NOTEBOOK = """# Databricks notebook source
{}

# COMMAND ----------

from pyspark.sql import functions as F

df = spark.read.schema("id long, name string, price double").parquet("/data/sales")
df.withColumn("b", F.udf(is_big, "boolean")("price")).filter("b").write.parquet("/out")
"""
RULES = f"""# Databricks notebook source
# MAGIC %md what is large

# COMMAND ----------

import math
LIMIT = 10

# COMMAND ----------

{IS_BIG.replace("> 10", "> LIMIT")}"""
RUN_RULES = NOTEBOOK.format("# MAGIC %run ./rules")
CELL = "\n\n# COMMAND ----------\n\n"
PLAIN = ['"price > 10 AND NOT isnan(price)"']
UNDERSTOOD = {
    "beside the file": {"job.py": USE.format("rules", "is_big"), "rules.py": IS_BIG},
    "relative": {"p/job.py": USE.format(".rules", "is_big"), "p/__init__.py": "", "p/rules.py": IS_BIG},
    "of the package above": {
        "p/q/job.py": USE.format("..rules", "is_big"), "p/__init__.py": "", "p/q/__init__.py": "", "p/rules.py": IS_BIG,
    },
    "from the root of the project": {"p/job.py": USE.format("p.q.rules", "is_big"), "p/q/rules.py": IS_BIG},
    "from src": {"jobs/job.py": USE.format("p.rules", "is_big"), "src/p/rules.py": IS_BIG},
    "handed on by a package": {
        "job.py": USE.format("p", "is_big"), "p/__init__.py": "from .rules import is_big\n", "p/rules.py": IS_BIG,
    },
    "handed on under another name": {
        "job.py": USE.format("p", "is_big"), "p/__init__.py": "from .rules import large as is_big\n",
        "p/rules.py": IS_BIG.replace("is_big", "large"),
    },
    "under another name": {
        "job.py": USE.format("rules", "large as is_big"), "rules.py": IS_BIG.replace("is_big", "large"),
    },
    "in brackets": {"job.py": USE.format("rules", "(\n    is_big,  # this\n)"), "rules.py": IS_BIG},
    "on two lines": {
        "job.py": USE.format("rules", "VERSION, \\\n    is_big"), "rules.py": f"VERSION = version()\n{IS_BIG}",
    },
    "on the second of them": {
        "job.py": USE.format("rules", "is_big, \\\n    VERSION"), "rules.py": f"VERSION = version()\n{IS_BIG}",
    },
    "of a module of that name": {"p/job.py": USE.format("p.is_big", "is_big"), "p/is_big.py": IS_BIG},
    "beside a name that is not understood": {
        "job.py": USE.format("rules", "(\n    Other,\n    is_big,\n    VERSION)"),
        "rules.py": f"class Other: pass\n\nVERSION = version()\n\n{IS_BIG}",
    },
    "with a constant": {
        "job.py": USE.format("rules", "is_big"), "rules.py": "LIMIT = 10\n\n" + IS_BIG.replace("> 10", "> LIMIT"),
    },
    **{
        f"with a constant, {line}": {
            "job.py": USE.format("rules", "is_big"),
            "rules.py": f"import typing\nfrom typing import Final\n\n{line}\n\n" + IS_BIG.replace("> 10", "> LIMIT"),
        }
        for line in (
            "LIMIT: int = 10", "LIMIT: Final = 10", "LIMIT: Final[int] = 10", "LIMIT: typing.Final = 10  # cents",
            "LIMIT: 'int' = 10", "LIMIT: (int) = (\n    10\n)", "LIMIT: Money = 10",
            "LIMIT: typing.Union[\n  int, float] = 10",
        )
    },
    "a constant with an annotation": {
        "job.py": USE.format("rules", "LIMIT").replace("df =", IS_BIG.replace("> 10", "> LIMIT") + "df ="),
        "rules.py": "LIMIT: int = 10\n",
    },
    "with a constant of which the file has another": {
        "job.py": USE.format("rules", "is_big") + "LIMIT = 3\n",
        "rules.py": "LIMIT = 10\n\n" + IS_BIG.replace("> 10", "> LIMIT"),
    },
    "with a constant of a third file": {
        "p/job.py": USE.format("p.rules", "is_big"), "p/limits.py": "LIMIT = 10\n",
        "p/rules.py": "from .limits import LIMIT\n\n" + IS_BIG.replace("> 10", "> LIMIT"),
    },
    "with another function": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": IS_BIG.replace("p > 10", "above(p)") + "\n\ndef above(p):\n    return p > 10\n",
    },
    "with one that the file imports, too": {
        "job.py": USE.format("rules", "above, is_big"),
        "rules.py": IS_BIG.replace("p > 10", "above(p)") + "\n\ndef above(p):\n    return p > 10\n",
    },
    "with a function that the file has another of": {
        "job.py": USE.format("rules", "is_big") + "def above(p):\n    return p > 3\n",
        "rules.py": IS_BIG.replace("p > 10", "above(p)") + "\n\ndef above(p):\n    return p > 10\n",
    },
    "with an import that means another thing in the file": {
        "job.py": USE.format("rules", "is_big") + "import numpy as m\n",
        "rules.py": "import pandas as m\n\n" + IS_BIG.replace("p is not None", "not m.isna(p)"),
    },
    "with a built-in that the file replaces": {
        "job.py": USE.format("rules", "is_big").replace("import Spark", "import *\nfrom pyspark.sql import Spark"),
        "rules.py": IS_BIG.replace("p > 10", "max(p, 0.0) > 10"),
    },
    "a notebook that runs": {"n/job.py": RUN_RULES, "n/rules.py": RULES},
    "a notebook with an annotation": {"n/job.py": RUN_RULES, "n/rules.py": RULES.replace("LIMIT =", "LIMIT: int =")},
    "a notebook of another folder": {
        "n/job.py": NOTEBOOK.format('# MAGIC %run "../lib/rules"'), "lib/rules.py": RULES,
    },
    "two that run": {
        "job.py": NOTEBOOK.format(f"# MAGIC %run ./a{CELL}# MAGIC %run ./rules"), "rules.py": RULES,
        "a.py": "def f(x):\n    return x\n",
    },
    "one that runs, and an import": {
        "job.py": NOTEBOOK.format(f"# MAGIC %run ./a{CELL}from rules import is_big"), "rules.py": RULES,
        "a.py": "LIMIT = 3\n",
    },
}  # fmt: skip
REFUSED = {
    "two files of that name": {"a/job.py": USE.format("rules", "is_big"), "a/rules.py": IS_BIG, "rules.py": IS_BIG},
    "a module of Python": {"job.py": USE.format("types", "is_big"), "types.py": IS_BIG},
    "a library": {"job.py": USE.format("pandas", "is_big"), "pandas.py": IS_BIG},
    "outside of the project": {"a/job.py": USE.format("...rules", "is_big"), "../rules.py": IS_BIG},
    "defined twice": {"job.py": USE.format("rules", "is_big"), "rules.py": IS_BIG + IS_BIG.replace("10", "20")},
    "defined in a branch": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": "if flag:\n    def is_big(p):\n        return p > 10\nelse:\n    from other import is_big\n",
    },
    "replaced afterwards": {"job.py": USE.format("rules", "is_big"), "rules.py": IS_BIG + "is_big = wrap(is_big)\n"},
    "a constant that is set elsewhere": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"LIMIT = 10\n\n{IS_BIG.replace('> 10', '> LIMIT')}\n"
        "def set(n):\n    global LIMIT\n    LIMIT = n\n",
    },
    "a list that is changed in place": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"BIG = [11.0]\nBIG.append(12.0)\n\n{IS_BIG.replace('p > 10', 'p in BIG')}",
    },
    "a constant with an annotation that is set elsewhere": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"LIMIT: int = 10\n\n{IS_BIG.replace('> 10', '> LIMIT')}\nLIMIT = 3\n",
    },
    "a constant that is declared": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"LIMIT: int\nLIMIT = 10\n\n{IS_BIG.replace('> 10', '> LIMIT')}",
    },
    "a list with an annotation that is changed in place": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"BIG: list[float] = [11.0]\nBIG.append(12.0)\n\n{IS_BIG.replace('p > 10', 'p in BIG')}",
    },
    "a value with an annotation that a call gives": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"LIMIT: int = load()\n\n{IS_BIG.replace('> 10', '> LIMIT')}",
    },
    "a notebook with an annotation that may do more": {
        "job.py": RUN_RULES, "rules.py": RULES.replace("LIMIT = 10", "LIMIT: make() = 10"),
    },
    "a value that a call gives": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"LIMIT = load()\n\n{IS_BIG.replace('> 10', '> LIMIT')}",
    },
    "an unknown decorator": {"job.py": USE.format("rules", "is_big"), "rules.py": f"@wrapped\n{IS_BIG}"},
    "code that nobody sees": {"job.py": USE.format("rules", "is_big"), "rules.py": f"{IS_BIG}exec(open('x').read())\n"},
    "a star import that may replace it": {
        "job.py": USE.format("rules", "is_big") + "from other import *\n", "rules.py": IS_BIG,
    },
    "a second import": {
        "job.py": USE.format("rules", "is_big") + "def f():\n    from other import is_big\n", "rules.py": IS_BIG,
    },
    "a second import on two lines": {
        "job.py": USE.format("rules", "is_big") + "def f():\n    from other import a, \\\n        is_big\n",
        "rules.py": IS_BIG,
    },
    "an import in a text": {
        "job.py": '"""\n' + USE.format("rules", "is_big") + '"""\nspark = 1\n', "rules.py": IS_BIG,
    },
    "not Python": {"job.py": USE.format("rules", "is_big"), "rules.py": "def is_big(:\n"},
    "a notebook that does more": {"job.py": RUN_RULES, "rules.py": f"{RULES}\nspark.conf.set('a', 'b')\n"},
    "a notebook that runs a third": {"job.py": RUN_RULES, "rules.py": f"{RULES}{CELL}# MAGIC %run ./a\n", "a.py": ""},
    "a notebook of which a name has another meaning": {
        "job.py": NOTEBOOK.format(f"LIMIT = 3{CELL}# MAGIC %run ./rules"), "rules.py": RULES,
    },
    "notebooks that define one name": {
        "job.py": NOTEBOOK.format(f"# MAGIC %run ./rules{CELL}# MAGIC %run ./a"), "rules.py": RULES,
        "a.py": "LIMIT = 3\n",
    },
    "a notebook with arguments": {"job.py": NOTEBOOK.format("# MAGIC %run ./rules $n=3"), "rules.py": RULES},
    "a notebook that is not there": {"job.py": RUN_RULES},
    "files that import each other": {
        "job.py": USE.format("rules", "is_big"), "rules.py": "from more import is_big\n",
        "more.py": "from rules import is_big\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_understood(name: str, tmp_path: Path) -> None:
    path = files(tmp_path, UNDERSTOOD[name])
    linked = of(path)
    own = path.read_text(encoding="utf-8")
    end = own_end(linked.text)
    assert end == len(own), "every character keeps its place"
    assert [a == b for a, b in zip(own.splitlines(), linked.text[:end].splitlines(), strict=True)].count(False) <= 4
    ast.parse(linked.text)
    assert found(path) in (PLAIN, ['"NOT isnan(price) AND price > 10"'])


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    path = files(tmp_path / "project", REFUSED[name])
    assert of(path).text == path.read_text(encoding="utf-8")
    assert found(path) == []


def test_no_edit_of_another_file_is_offered(tmp_path: Path) -> None:
    """Nor one that names what only the other file imports."""
    best = "def best(df):\n    return df.groupBy('name').agg(sf.max('price').alias('m'))\n"
    helpers = f"from pyspark.sql import functions as sf\n\n{best}"
    text = HEAD.format("helpers", "best").replace("from pyspark.sql import functions as F\n", "")
    path = files(
        tmp_path, {"job.py": f"{text}best(df).filter('m > 10').write.parquet('/out')\n", "helpers.py": helpers}
    )
    report = analyse_file(path, Options(), None).report
    assert not report.opportunities
    assert all(s.span.end <= len(path.read_text(encoding="utf-8")) for s in report.skipped)


def test_the_files_are_named(tmp_path: Path) -> None:
    path = files(tmp_path, UNDERSTOOD["with a constant of a third file"])
    (o,) = analyse_file(path, Options(), None).report.opportunities
    assert [n for n in o.notes if "this project" in n] == [
        "`limits.py` of this project is what the file imports from, and no other code changes it",
        "`rules.py` of this project is what the file imports from, and no other code changes it",
    ]
    assert [p.name for p in of(path).files] == ["limits.py", "rules.py"]
    assert analyse_file(path, Options(), None).report.imports == ("limits.py", "rules.py")


def test_what_the_code_around_tells_is_seen(tmp_path: Path) -> None:
    """Functions of other files stand behind the text, and in front of it in the order in which they are bound."""
    asks = (
        'counted = spark.read.format("jdbc").option("dbtable", "(SELECT count(*) AS n FROM t) t").load()\n'
        'print(counted.collect()[0]["n"])\nprint(df.collect()[0]["id"])\n'
    )
    many = "".join(f"def is_{n}(p):\n    return p == {n}\n" for n in range(20))
    big = f"def is_big(p):\n    return {' or '.join(f'is_{n}(p)' for n in range(20))}\n"
    path = files(tmp_path / "p", {"main.py": USE.format("rules", "is_big") + asks, "rules.py": many + big})
    report = analyse_file(path, Options(), None).report
    assert of(path).text != path.read_text(encoding="utf-8")
    at = [o.boundary_span.start for o in report.opportunities if o.code == "HW402"]
    assert [path.read_text(encoding="utf-8").count("\n", 0, start) for start in at] == [9]
