"""Every way to call a declared function binds as Python binds it, or is refused by the name of what is not covered."""

from __future__ import annotations

import ast
import inspect

import pytest

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Signature

DECLARED = Signature.of('f(a, /, b, c: 1 | "one" = 1, *, d: True | False = False, e: never = None)')


def call(text: str) -> ast.Call:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    return node


def real(a, /, b, c=1, *, d=False, e=None):  # type: ignore[no-untyped-def]
    """What ``DECLARED`` declares, with a parameter that it does not cover."""


@pytest.mark.parametrize("text", ["f(1, 2)", "f(1, b=2)", "f(1, 2, 1)", 'f(1, 2, c="one", d=True)', "f(*x, b=3)"])
def test_binds_as_python_does(text: str) -> None:
    node = call(text)
    if any(isinstance(a, ast.Starred) for a in node.args):
        with pytest.raises(Refusal, match=r"`\*`"):
            DECLARED.bind(node)
        return
    given = [ast.literal_eval(a) for a in node.args], {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
    bound = inspect.signature(real).bind(*given[0], **given[1])
    assert {n: ast.literal_eval(v) for n, v in DECLARED.bind(node).arguments.items()} == dict(bound.arguments)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("f(1, 2, 3)", "c=3"),
        ("f(1, 2, True)", "c=True"),  # equal to 1, and another value
        ("f(1, 2, c=x)", "`c` that is not known"),
        ("f(1, 2, e=None)", "parameter `e`"),
        ("f(1, 2, keep=False)", "parameter `keep`"),
        ("f(1, 2, a=3)", "parameter `a`"),
        ("f(1, 2, 1, 4)", "argument 4"),
        ("f(*x)", r"`\*`"),
        ("f(1, 2, **x)", r"`\*\*`"),
        ("f(1)", "without `b`"),
        ("f(1, 2, b=2)", "`b` twice"),
    ],
)
def test_what_is_not_covered_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(Refusal, match=named):
        DECLARED.bind(call(text))


def test_any_number_of_arguments() -> None:
    bound = Signature.of("g(*items, key=None)").bind(call("g(1, 2, key=h)"))
    assert len(bound.rest) == 2
    assert "key" in bound
