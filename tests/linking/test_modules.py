"""``import rules``, and then ``rules.is_big``: names of modules of the project."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_file
from headwater.engine.linking.linked import _LATEST
from headwater.engine.report.own_part import as_analysed
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import SourceError, read_module
from headwater.rewrite.edit import Edit
from headwater.syntax.source.linked import MARK, header, own_end
from headwater_ir.span import Span

from .test_linked import IS_BIG, files, found, of

SALES = 'df = spark.read.schema("id long, name string, price double").parquet("/data/sales")\n'
HEAD = f"""from pyspark.sql import SparkSession
from pyspark.sql import functions as F
{{}}

spark = SparkSession.builder.getOrCreate()
{SALES}"""
USE = HEAD + 'df.withColumn("b", F.udf({}, "boolean")("price")).filter("b").write.parquet("/out")\n'
PLAIN = (['"price > 10 AND NOT isnan(price)"'], ['"NOT isnan(price) AND price > 10"'])
LIMITED = "LIMIT = 10\n\n" + IS_BIG.replace("> 10", "> LIMIT")
BESIDE = USE.format("import rules", "rules.is_big")
PACKAGE = {"p/__init__.py": "", "p/rules.py": LIMITED}
UDF = HEAD.format("import rules") + 'df.withColumn("b", rules.is_big("price")).filter("b").write.parquet("/out")\n'
UNDERSTOOD = {
    "a module": {"job.py": BESIDE, "rules.py": LIMITED},
    "under a short name": {"job.py": USE.format("import rules as r", "r.is_big"), "rules.py": LIMITED},
    "of a package": {"job.py": USE.format("from p import rules", "rules.is_big"), **PACKAGE},
    "of a package under another name": {"job.py": USE.format("from p import rules as r", "r.is_big"), **PACKAGE},
    "of a folder": {"job.py": USE.format("from p import rules", "rules.is_big"), "p/rules.py": LIMITED},
    "of its own package": {"p/job.py": USE.format("from . import rules", "rules.is_big"), **PACKAGE},
    "of the package above": {
        "p/q/job.py": USE.format("from .. import rules", "rules.is_big"), "p/q/__init__.py": "", **PACKAGE,
    },
    "by its whole name": {"job.py": USE.format("import p.rules", "p.rules.is_big"), **PACKAGE},
    "by its whole name under another": {"job.py": USE.format("import p.rules as r", "r.is_big"), **PACKAGE},
    "that the package imports": {
        "job.py": USE.format("from p import rules", "rules.is_big"), **PACKAGE,
        "p/__init__.py": "from . import rules\n",
    },
    "and another of the package": {
        "job.py": USE.format("import p.rules, p.more", "p.rules.is_big") + "p.more.f(p.rules.OTHER)\n", **PACKAGE,
        "p/more.py": "x = 1\n",
    },
    "of a package that defines": {
        "job.py": USE.format("import p", "p.is_big"), "p/__init__.py": LIMITED,
    },
    "of a package that hands on": {
        "job.py": USE.format("import p", "p.is_big"), **PACKAGE, "p/__init__.py": "from .rules import is_big\n",
    },
    "beside what is not understood": {
        "job.py": BESIDE + "print(rules.VERSION, rules.now())\n", "rules.py": f"VERSION = version()\n{LIMITED}",
    },
    "in text": {
        "job.py": HEAD.format("import rules")
        + 'df.withColumn(f"{rules.B}", F.udf(rules.is_big, "boolean")("price")).filter("b").write.parquet("/out")\n',
        "rules.py": f'B = "b"\n{LIMITED}',
    },
    "within the other file": {
        "job.py": USE.format("from rules import is_big", "is_big"), "limits.py": "LIMIT = 10\n",
        "rules.py": "import limits\n\n" + IS_BIG.replace("> 10", "> limits.LIMIT"),
    },
    "within the other file of a package": {
        "job.py": USE.format("from p import rules as r", "r.is_big"), **PACKAGE, "p/limits.py": "LIMIT = 10\n",
        "p/rules.py": "from . import limits as at\n\n" + IS_BIG.replace("> 10", "> at.LIMIT"),
    },
    "a constant": {
        "job.py": HEAD.format("import rules as r")
        + "def is_big(p):\n    return p is not None and p > r.LIMIT\n"
        + 'df.withColumn("b", F.udf(is_big, "boolean")("price")).filter("b").write.parquet("/out")\n',
        "rules.py": LIMITED,
    },
    "a UDF": {"job.py": UDF, "rules.py": f"from pyspark.sql.functions import udf\n\n\n@udf('boolean')\n{IS_BIG}"},
    "a UDF that is assigned": {
        "job.py": UDF.replace("is_big", "check"),
        "rules.py": f"from pyspark.sql import functions as F\n\n\n{IS_BIG}\n\ncheck = F.udf(is_big, 'boolean')\n",
    },
    "a UDF under another name": {
        "job.py": UDF.replace("import rules", "from rules import large as is_big").replace("rules.is_big", "is_big"),
        "rules.py": f"from pyspark.sql.functions import udf\n\n\n@udf('boolean')\n{IS_BIG.replace('is_big', 'large')}",
    },
    "a function of another function's name": {
        "job.py": BESIDE + "def is_big(p):\n    return True\n", "rules.py": LIMITED,
    },
    "named in a remark": {"job.py": BESIDE + "# rules.is_big says so\n", "rules.py": LIMITED},
    "reloaded by nobody": {"job.py": BESIDE + "from rules import now\nnow()\n", "rules.py": f"{LIMITED}now = f()\n"},
}  # fmt: skip
AFTER = {
    "set": "rules.LIMIT = 3",
    "set in a function": "def f():\n    rules.LIMIT = 3",
    "added to": "rules.LIMIT += 3",
    "deleted": "del rules.is_big",
    "bound by a loop": "for rules.LIMIT in (1, 2):\n    pass",
    "set by its name": "setattr(rules, 'LIMIT', 3)",
    "set by a method": "rules.__setattr__('LIMIT', 3)",
    "set in the dictionary": "rules.__dict__['LIMIT'] = 3",
    "set through variables": "vars(rules)['LIMIT'] = 3",
    "patched by a text": "from unittest.mock import patch\npatch('rules.LIMIT', 3).start()",
    "patched as an object": "from unittest import mock\nmock.patch.object(rules, 'LIMIT', 3).start()",
    "patched by a fixture": "def test(monkeypatch):\n    monkeypatch.setattr(rules, 'LIMIT', 3)",
    "under another name": "r = rules\nr.LIMIT = 3",
    "in a list": "for m in [rules]:\n    m.LIMIT = 3",
    "given away": "import tools\ntools.prepare(rules)",
    "imported once more": "import rules as r\nr.LIMIT = 3",
    "imported in a function": "def f():\n    import rules as r\n    r.LIMIT = 3",
    "the name bound again": "rules = 3",
    "the name bound by def": "def rules():\n    pass",
    "the name bound by a class": "class rules:\n    is_big = 3",
    "the name bound in a function": "def f():\n    global rules\n    import others as rules\nf()",
    "the name bound by a loop": "for rules in ():\n    pass",
    "the name bound by with": "with open('x') as rules:\n    pass",
    "the name bound by except": "try:\n    pass\nexcept OSError as rules:\n    pass",
    "the name bound by a pattern": "match 1:\n    case rules:\n        pass",
    "the name bound by a walrus": "print(rules := 3)",
    "the name deleted": "del rules",
    "a parameter": "def f(rules):\n    return rules.is_big",
    "a star import": "from others import *",
    "imported where something holds": "if spark:\n    import others as rules",
    "code in a text": "exec('rules.LIMIT = 3')",
    "a name that the file has": "rules_is_big = 3",
    "a text that names it": 'x = "rules.is_big"',
    "Python's table of modules": "import sys\nsys.modules['rules'].LIMIT = 3",
}
LISTED = "BIG = [11.0]\n\n" + IS_BIG.replace("p > 10", "p in BIG")
CONDITIONAL = "try:\n    import rules\nexcept ImportError:\n    import others as rules"
REFUSED = {
    **{name: {"job.py": f"{BESIDE}{text}\n", "rules.py": LIMITED} for name, text in AFTER.items()},
    "imported on a condition": {"job.py": USE.format(CONDITIONAL, "rules.is_big"), "rules.py": LIMITED},
    "imported in a branch": {
        "job.py": USE.format("import os\nif os.name == 'nt':\n    import rules", "rules.is_big"), "rules.py": LIMITED,
    },
    "imported for types": {
        "job.py": USE.format("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import rules", "rules.is_big"),
        "rules.py": LIMITED,
    },
    "only the package is bound": {"job.py": USE.format("import p.rules", "rules.is_big"), **PACKAGE},
    "two modules of one name": {
        "job.py": USE.format("import rules\nfrom p import rules", "rules.is_big"), **PACKAGE,
        "rules.py": LIMITED.replace("10", "3"),
    },
    "one of no project": {
        "job.py": USE.format("import rules\nimport others as rules", "rules.is_big"), "rules.py": LIMITED,
    },
    "a name of the package": {
        "job.py": USE.format("from p import rules", "rules.is_big"), **PACKAGE,
        "p/__init__.py": "from .more import rules\n", "p/more.py": "rules = 3\n",
    },
    "a name that the package binds later": {
        "job.py": USE.format("import p.rules as r", "r.is_big"), **PACKAGE,
        "p/__init__.py": "from .rules import rules\n",
    },
    "a star import of the package": {
        "job.py": USE.format("from p import rules", "rules.is_big"), **PACKAGE,
        "p/__init__.py": "from .more import *\n", "p/more.py": "rules = 3\n",
    },
    "what the package sets": {
        "job.py": USE.format("from p import rules", "rules.is_big"), **PACKAGE,
        "p/__init__.py": "from . import rules\nrules.LIMIT = 3\n",
    },
    "a file instead of the package": {
        "job.py": USE.format("from p import rules", "rules.is_big"), "p/rules.py": LIMITED, "p.py": "rules = 3\n",
    },
    "a module through another": {
        "job.py": USE.format("import more\nfrom rules import is_big", "is_big") + "more.rules.LIMIT = 3\n",
        "more.py": "import rules\n", "rules.py": LIMITED,
    },
    "a module through another by a name": {
        "job.py": USE.format("import more\nfrom rules import is_big", "is_big") + "m = more.rules\nm.LIMIT = 3\n",
        "more.py": "import rules\n", "rules.py": LIMITED,
    },
    "a module that hands on, by two names": {
        "job.py": USE.format("import more, more as m", "more.is_big") + "q = m\nq.is_big = 3\n", "rules.py": LIMITED,
        "more.py": "from rules import is_big\n",
    },
    "a module of a package as a value": {
        "job.py": USE.format("import p.rules", "p.rules.is_big") + "setattr(p.rules, 'LIMIT', 3)\n", **PACKAGE,
    },
    "a list that is changed": {"job.py": BESIDE + "rules.BIG.append(3.0)\n", "rules.py": LISTED},
    "a list that an item is set of": {"job.py": BESIDE + "rules.BIG[0] = 3.0\n", "rules.py": LISTED},
    "a list under another name": {"job.py": BESIDE + "b = rules.BIG\nb.append(3.0)\n", "rules.py": LISTED},
    "a list on two lines": {"job.py": BESIDE + "(rules\n    .BIG.append(3.0))\n", "rules.py": LISTED},
    "a list by an import": {"job.py": BESIDE + "from rules import BIG\nBIG.append(3.0)\n", "rules.py": LISTED},
    "a class by two names": {
        "job.py": USE.format("import rules\nfrom rules import is_big", "is_big") + "setattr(rules.Test, 'limit', f)\n",
        "rules.py": "class Test:\n    def limit(self):\n        return 10\n\n" + IS_BIG.replace("10", "Test().limit()"),
    },
    "within the other file, set": {
        "job.py": USE.format("from rules import is_big", "is_big"), "limits.py": "LIMIT = 10\n",
        "rules.py": "import limits\n\nlimits.LIMIT = 3\n\n" + IS_BIG.replace("> 10", "> limits.LIMIT"),
    },
    "within the other file, given away": {
        "job.py": USE.format("from rules import is_big", "is_big"), "limits.py": "LIMIT = 10\n",
        "rules.py": "import limits\nimport x\n\nx.f(limits)\n\n" + IS_BIG.replace("> 10", "> limits.LIMIT"),
    },
    "within the other file, on a condition": {
        "job.py": USE.format("from rules import is_big", "is_big"), "limits.py": "LIMIT = 10\n",
        "rules.py": f"{CONDITIONAL.replace('rules', 'limits')}\n\n" + IS_BIG.replace("> 10", "> limits.LIMIT"),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_understood(name: str, tmp_path: Path) -> None:
    path = files(tmp_path, UNDERSTOOD[name])
    linked, own = of(path).text, path.read_text(encoding="utf-8")
    assert own_end(linked) == len(own)
    assert [i for i, c in enumerate(own) if c == "\n"] == [i for i, c in enumerate(linked[: len(own)]) if c == "\n"]
    ast.parse(linked)
    assert found(path) in PLAIN


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    assert found(files(tmp_path / "project", REFUSED[name])) == []


def test_the_report_spells_names_as_the_file_does(tmp_path: Path) -> None:
    path = files(tmp_path, {"job.py": BESIDE, "rules.py": LIMITED})
    (o,) = analyse_file(path, Options(), None).report.opportunities
    assert "rules_is_big" not in repr((o.message, o.notes, o.edits, o.function, o.filter_text))
    assert o.function == "rules.is_big"


def test_an_edit_spells_names_as_the_file_does(tmp_path: Path) -> None:
    """And is that of the text that was analysed."""
    text = f"import rules_best\n{MARK}{header([('rules.best', 'best')], 'rules.py')}"
    edits = [Edit(Span(0, 0), ".filter(rules.best)"), Edit(Span(0, 0), "a.rules.best, rules.best_of")]
    assert [e.text for e in as_analysed(edits, text)] == [".filter(rules_best)", "a.rules.best, rules.best_of"]


def test_a_column_is_named_after_the_function(tmp_path: Path) -> None:
    """As Spark names it, and not as the file does that imports it."""
    head = "import pandas as pd\nfrom pyspark.sql.functions import pandas_udf\n\n\n"
    rules = f"{head}@pandas_udf('double')\ndef best(v: pd.Series) -> float:\n    return v.max()\n"
    made = HEAD.format("import rules") + 'df.groupBy("name").agg(rules.best("price"))'
    texts = (f'{made}.filter("`{name}(price)` > 3").write.parquet("/out")\n' for name in ("best", "rules_best"))
    paths = (files(tmp_path / str(i), {"job.py": text, "rules.py": rules}) for i, text in enumerate(texts))
    assert [len(found(path)) for path in paths] == [1, 0]


def _edited(rng: random.Random, text: str) -> str:
    """``text`` with one line changed, once more, gone or elsewhere."""
    lines = text.splitlines(keepends=True) or ["\n"]
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[i] = lines[i].replace("10", "3").replace("rules", "r") + "\n"
        case 1:
            lines.insert(j, lines[i])
        case 2:
            del lines[i]
        case 3:
            lines.insert(j, f"{rng.choice(list(AFTER.values()))}\n")
        case _:
            lines[i], lines[j] = lines[j], lines[i]
    return "".join(lines)


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_edits_of_either_file(name: str, tmp_path: Path) -> None:
    """Read again, a text is what it is to somebody who reads it for the first time, and so is what it is made of."""
    rng, document, texts = random.Random(name), Document(), UNDERSTOOD[name]
    path = files(tmp_path, texts)
    for _ in range(12):
        edited = rng.choice([n for n, text in texts.items() if text])
        (tmp_path / edited).write_text(_edited(rng, (tmp_path / edited).read_text(encoding="utf-8")), encoding="utf-8")
        again = of(path)
        _LATEST.clear()
        assert again == of(path)
        try:
            anew: object = read_module(again.text)
        except SourceError:
            with pytest.raises(SourceError):
                document.read(again.text)
        else:
            assert document.read(again.text) == anew
        if rng.random() < 0.4:
            files(tmp_path, texts)
            document.read(of(path).text)
