"""What is analysed in place of a file binds its names to what Python binds them to."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.analysis.options import Options, Place
from headwater.engine.files.imports import together
from headwater.syntax.source.linked import own_end

from .programs import MAIN, meaning, program, understood
from .test_linked import IS_BIG, PLAIN, USE, files, found, of

PROGRAMS = 400
LIMITED = "LIMIT = 10\n\n" + IS_BIG.replace("> 10", "> LIMIT")
IN_LIST = IS_BIG.replace("p > 10", "p in BIG")
IMPORT = "from rules import is_big"
EARLIER = USE.format("rules", "is_big").replace("from rules", "{}\nfrom rules")
LATER = USE.format("rules", "is_big").replace("import is_big", "import is_big\n{}")


def test_names_mean_what_they_mean_to_python(tmp_path: Path) -> None:
    compared = of_modules = 0
    for seed in range(PROGRAMS):
        path = files(tmp_path / str(seed), program(seed))
        linked = understood(path)
        real = meaning(path, [name for name in linked or () if "." in name])
        if linked is not None and real is not None:  # which it is where the program ends with an error
            compared += 1
            of_modules += any("." in name for name in linked)
            own = {name: value for name, value in linked.items() if name in real}
            assert own == {name: real[name] for name in own}, (seed, program(seed))
    assert compared > PROGRAMS / 4
    assert of_modules > PROGRAMS / 10


REFUSED = {
    "an attribute of the module": {"job.py": LATER.format("import rules\nrules.LIMIT = 3"), "rules.py": LIMITED},
    "the module by another name": {"job.py": LATER.format("import rules as r\nr.LIMIT = 3"), "rules.py": LIMITED},
    "an attribute of a module that hands on": {
        "job.py": EARLIER.format("import more\nmore.is_big = 3").replace("from rules", "from more"), "rules.py": IS_BIG,
        "more.py": "from rules import is_big\n",
    },
    "in a function": {"job.py": LATER.format("def f():\n    import rules\n    rules.LIMIT = 3"), "rules.py": LIMITED},
    "the module of a package": {
        "job.py": USE.format("p.rules", "is_big\nfrom p import (  # a )\n    rules)\nrules.LIMIT = 3"),
        "p/rules.py": LIMITED,
    },
    "by way of the package": {
        "job.py": USE.format("p.rules", "is_big\nimport p as q\nq.rules.LIMIT = 3"), "p/rules.py": LIMITED,
    },
    "a text that names it": {
        "job.py": LATER.format("from unittest.mock import patch\npatch('rules.LIMIT', 3).start()"), "rules.py": LIMITED,
    },
    "the package changes it": {
        "job.py": USE.format("p.rules", "is_big"), "p/__init__.py": "from . import rules\nrules.LIMIT = 3\n",
        "p/rules.py": LIMITED,
    },
    "another folder is searched first": {
        "a/job.py": EARLIER.format("import sys\nsys.path.insert(0, '../b')"), "a/rules.py": LIMITED,
        "b/rules.py": LIMITED.replace("10", "3"),
    },
    "a star import behind what is handed on": {
        "job.py": USE.format("p", "is_big"), "p/__init__.py": "from .rules import is_big\nfrom .more import *\n",
        "p/rules.py": IS_BIG, "p/more.py": IS_BIG.replace("10", "3"),
    },
    "a module of the package with the name of the function": {
        "job.py": USE.format("p", "is_big"), "p/__init__.py": f"{IS_BIG}from .is_big import x\n",
        "p/is_big.py": "x = 1\n",
    },
    "a list with another name": {
        "job.py": USE.format("rules", "is_big"), "rules.py": f"BIG = [11.0]\nB = BIG\nB.append(3.0)\n{IN_LIST}",
    },
    "a list that is given away": {
        "job.py": USE.format("rules", "is_big"),
        "rules.py": f"import x\n\nBIG = [11.0]\nx.f(BIG)\n{IN_LIST}",
    },
    "a list that is imported once more": {
        "job.py": LATER.format("def f():\n    from rules import BIG\n    BIG.append(3.0)"),
        "rules.py": f"BIG = [11.0]\n{IN_LIST}",
    },
    "an import of the same name": {
        "job.py": USE.format("rules", "is_big"), "rules.py": f"{IS_BIG}from more import is_big\n",
        "more.py": IS_BIG.replace("10", "3"),
    },
    "a name that one import binds twice": {
        "job.py": USE.format("rules", "is_big, other as is_big"),
        "rules.py": IS_BIG + IS_BIG.replace("10", "3").replace("is_big", "other"),
    },
    "a value of the file itself": {
        "job.py": "LIMIT = 10\n" + USE.format("rules", "is_big"),
        "rules.py": "from job import LIMIT\n" + IS_BIG.replace("10", "LIMIT"),
    },
    "two statements in a line": {"job.py": USE.format("rules", "is_big"), "rules.py": f"x = 1; {LIMITED}"},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    path = files(tmp_path / "project", REFUSED[name])
    assert of(path).text == path.read_text(encoding="utf-8")
    assert found(path) == []


def test_a_function_named_like_one_of_python_is_its_own_file_s(tmp_path: Path) -> None:
    large = "def is_big(p):\n    return p is not None and max(p, 0.0) > 10\n"
    small = "def max(a, b):\n    return a if a < b else b\n\n\ndef small(p):\n    return max(p, 1)\n"
    text = USE.format("one", "small\nfrom two import is_big")
    path = files(tmp_path, {"job.py": text, "one.py": small, "two.py": large})
    alone = files(tmp_path / "alone", {"job.py": USE.format("two", "is_big"), "two.py": large})
    assert found(path) == found(alone) != []


def test_two_functions_of_one_name_behind_each_other(tmp_path: Path) -> None:
    outer = "from two import above as check\n\ndef above(p):\n    return check(p) and p < 20\n\n"
    path = files(
        tmp_path,
        {
            "job.py": USE.format("one", "is_big"), "one.py": outer + IS_BIG.replace("p > 10", "above(p)"),
            "two.py": "def above(p):\n    return p > 10\n",
        },
    )  # fmt: skip
    assert found(path) == ['"price > 10 AND price < 20"']


@pytest.mark.parametrize(
    "short",
    [
        "from.import Z\nfrom .q import is_big",
        "from.q\\\nimport Z\nfrom .q import is_big",
        "from .q import(\nZ)\nfrom .q import is_big",
    ],
)
def test_every_character_keeps_its_place(short: str, tmp_path: Path) -> None:
    text = USE.replace("from {} import {}", short).replace("'/out'", "Z")
    path = files(tmp_path, {"p/job.py": text, "p/__init__.py": "Z = '/out'\n", "p/q.py": f"Z = '/out'\n{IS_BIG}"})
    linked = of(path).text
    assert own_end(linked) == len(text)
    assert [i for i, c in enumerate(text) if c == "\n"] == [i for i, c in enumerate(linked[: len(text)]) if c == "\n"]
    assert found(path) == PLAIN


def test_a_cell_that_is_no_python_at_the_end(tmp_path: Path) -> None:
    text = "# %%\n" + USE.format("rules", "is_big") + "\n# %%\n%%bash\nls\n"
    assert found(files(tmp_path, {"job.py": text, "rules.py": IS_BIG})) == PLAIN


def test_a_file_that_ends_within_a_line_is_not_mended(tmp_path: Path) -> None:
    path = files(tmp_path, {"job.py": USE.format("rules", "is_big") + "x = 1 \\\n", "rules.py": IS_BIG})
    assert of(path).text == path.read_text(encoding="utf-8")


def test_a_file_that_an_editor_has_emptied_is_empty(tmp_path: Path) -> None:
    path = files(tmp_path, {"job.py": USE.format("rules", "is_big"), "rules.py": IS_BIG})
    text = path.read_text(encoding="utf-8")
    place = Place(str(path), ((str(path.with_name("rules.py")), ""),))
    assert together(text, Options(place=place)) == text


def test_a_link_to_a_file_of_another_folder(tmp_path: Path) -> None:
    real = files(tmp_path, {"a/job.py": USE.format("rules", "is_big"), "a/rules.py": IS_BIG, "b/rules.py": IS_BIG})
    link = tmp_path / "b" / MAIN
    link.symlink_to(real)
    assert of(link).text == real.read_text(encoding="utf-8")
