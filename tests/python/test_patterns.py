"""What ``re`` finds and what a text is split into, as tests of the text: on every short text beside CPython."""

from __future__ import annotations

import itertools
import re

import pytest

from headwater.python.builtins.slice_tests import split_test
from headwater.python.exprs.patterns import finds
from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.expr import Call, Col, Lit
from headwater_ir.types import STRING

FUNCTIONS = ("search", "match", "fullmatch")
READ = (
    "a",
    "ab",
    "^a",
    "^ab",
    "a$",
    "^a$",
    "ab$",
    "a|b",
    "^a|b",
    "a$|b",
    "^(a|b)",
    "(a|b)$",
    "^(a|b)c$",
    "(ab|c)",
    "(?:ab|c)b",
    "[ab]c",
    "[a-c]",
    "a\\.b",
    "a\nb",
    r"a\Z",
    r"^a\Z",
    ".*a",
    "a.*",
    "^a.*",
    ".*a.*",
    ".*(a|b).*|c",
    "a|b|c",
    "(a|ab)(c|)",
    "(a)(b)",
)
"""Patterns of which at least one function has a meaning."""
NOT_READ = (
    "",
    "^",
    "$",
    "a|",
    "|a",
    "a+",
    "a?",
    "a*",
    "(ab)?c",
    "(ab)+",
    "a{2}",
    ".",
    "a.b",
    r"\d",
    r"a\b",
    "[^a]",
    "(?i)a",
    "(a",
    "a)",
    "^.*a",
    "a.*b",
    "a.*$",
    "(?=a)",
    r"(a)\1",
    "(?P<x>a)",
    "(a|)b|",
    "^^a",
    "a$$",
)
TEXTS = ["".join(t) for n in range(4) for t in itertools.product("abc.\n", repeat=n)]


@pytest.mark.parametrize("pattern", [*READ, *NOT_READ])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_finds_what_python_finds(function: str, pattern: str) -> None:
    found = finds(function, pattern, Col("s"))
    if found is None:
        return
    for text in TEXTS:
        real = getattr(re, function)(pattern, text) is not None
        assert evaluate(found, Env(row={"s": text})) is real, text
    with pytest.raises(EvaluationError):
        evaluate(found, Env(row={"s": None}))


@pytest.mark.parametrize("pattern", READ)
def test_has_a_meaning(pattern: str) -> None:
    assert any(finds(f, pattern, Col("s")) is not None for f in FUNCTIONS)


@pytest.mark.parametrize("pattern", NOT_READ)
def test_has_none(pattern: str) -> None:
    assert all(finds(f, pattern, Col("s")) is None for f in FUNCTIONS)


PARTS = {
    "str.first": (lambda s: s.split(".")[0], lambda s: s.partition(".")[0], lambda s: s.split(".", 1)[0]),
    "str.last": (lambda s: s.split(".")[-1], lambda s: s.rpartition(".")[2], lambda s: s.rsplit(".", 1)[-1]),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_what_stands_beside_the_separator(part: str) -> None:
    call = Call(part, (Col("s"), Lit(".", STRING)), STRING)
    for value in ("", "a", "ab", "a.", "."):
        said = split_test("==", call, value)
        assert said is not None
        for text in TEXTS:
            found = {evaluate(said, Env(row={"s": text})), *(f(text) == value for f in PARTS[part])}
            assert len(found) == 1, (text, value)
