"""Each code is one file, and everything that is shown of it comes from there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from headwater import rules
from headwater.engine.report.report import Code
from headwater.rules.registry import RULES, pages
from headwater.rules.sentences import grouped

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs" / "rules"


def test_the_list_has_every_file() -> None:
    files = sorted(p.stem for p in Path(rules.__path__[0]).glob("hw*.py"))
    assert files == [f"{r.code.lower()}_{r.name.replace('-', '_')}" for r in RULES.values()]


def test_opportunities_have_the_codes_of_the_report() -> None:
    assert {code for code, rule in RULES.items() if rule.opportunity} == {*get_args(Code)}


@pytest.mark.parametrize("code", RULES)
def test_the_page_is_the_docstring(code: str) -> None:
    """`python -m headwater.rules docs/rules` writes the pages."""
    assert (DOCS / f"{code}.md").read_text(encoding="utf-8") == pages()[code]


def test_no_page_without_a_rule() -> None:
    assert {p.stem for p in DOCS.glob("*.md")} == {*RULES}


@pytest.mark.parametrize("code", RULES)
def test_a_page_answers_the_same_questions(code: str) -> None:
    titles = re.findall(r"^## (.*)$", pages()[code], re.MULTILINE)
    assert titles[:2] == ["What it does", "Why it matters"]
    assert "Fix safety" in titles


def test_what_is_assumed_alike_of_several_names_is_one_entry() -> None:
    columns = [f"`{c}` {fact}" for c in "abc" for fact in ("holds numbers", "holds no NULL")]
    whole = ["no function has a side effect", *columns, "`a` holds numbers", "`f` is Python's own function"]
    assert grouped(whole) == [
        "no function has a side effect",
        "`a` holds numbers; the same for `b`, `c`",
        "`a` holds no NULL; the same for `b`, `c`",
        "`f` is Python's own function",
    ]
