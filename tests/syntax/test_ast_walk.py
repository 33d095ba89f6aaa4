"""Walks over syntax trees that are quicker than those of the library."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from headwater.syntax.source import ast_walk
from headwater.syntax.source.ast_walk import children
from tests.mdtest.cases import all_cases

EVERYTHING = """
def f(a, /, b=1, *c, d, e=2, **g) -> int:
    global x, y
    return {**a, "k": b, None: d}

async def h(*, i, j: int = 3):
    nonlocal_ = [await k async for k in l if k > 1]
    match m:
        case C(n, o=p) | {"q": r, **s} | [1, *t] if u:
            pass
    def inner():
        nonlocal nonlocal_
    print(f"{v!r:>{w}} {x=}", *y, end="", **z)
    lambda a, *b, c=1, **d: (yield)
    try:
        del a.b[1:2], c
    except* (D, E) as e:
        raise F from g
    with open() as (i, j), k:
        n: int = (o := 1)
        n += not -o ** 2 < 3 in 4
"""


def is_python(text: str) -> bool:
    """Whether Python reads the text as it is, without the commands of a notebook."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def differing(text: str) -> list[ast.AST]:
    """The nodes of ``text`` below which other nodes are found than by the library, contexts and operators left out."""
    kinds = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
    nodes = list(ast.walk(ast.parse(text)))
    return [n for n in nodes if children(n) != [c for c in ast.iter_child_nodes(n) if not isinstance(c, kinds)]]


def test_the_children_are_those_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = EVERYTHING if hasattr(ast, "TryStar") else EVERYTHING.replace("except*", "except")
    texts = [everything, *(case.source for case in list(all_cases())[::20] if is_python(case.source))]
    assert not [text for text in texts if differing(text)]
    monkeypatch.setattr(ast_walk, "_MIXED", frozenset[type]())
    assert differing(everything)


class _Noting(list[ast.stmt]):
    """A body that notes whether it is read."""

    read = False

    def __iter__(self) -> Iterator[ast.stmt]:
        self.read = True
        return super().__iter__()


def test_a_body_that_notes_who_reads_it_is_read() -> None:
    body = _Noting(ast.parse("a = 1\nb = 2").body)
    assert children(ast.Module(body, [])) == list(body)
    body.read = False
    assert children(ast.Module(body, []))
    assert body.read
