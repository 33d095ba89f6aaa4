# ruff: noqa: E501 - programs and rules, one to a line
"""Each rule of ``headwater.syntax.core`` beside CPython, and wrong rules, which must be seen to be wrong."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from headwater.syntax.core import build, early_exits, match_case, subset, walrus
from headwater.syntax.core.lower import lowered
from headwater.syntax.refusal import Refusal

from .lowering import difference, functions, random_program

MATCH = """
def f(rows, see):
    for r in rows:
        match see(r.a):
            case 1 | 2:
                x = 'small'
            case None:
                return see('none')
            case _ if see(r.b) == 1:
                x = 'guard'
            case -1 | 2.5 as n:
                x = n
            case n if n == 'a':
                see(n)
                continue
            case _:
                x = see('other')
        see(x)
"""
PAIR = """
def f(rows, see):
    for r in rows:
        match (see(r.a), see(r.b)):
            case (1, 0 | 2):
                see('first')
            case (None, _):
                see('none')
            case (0, None) if see(r.b) is None:
                see('zero')
            case (n, 1):
                see(n)
            case _:
                see('other')
"""
WALRUS = {
    "condition": "if (n := see(r.a)) == 1:\n    see(n)",
    "behind a call": "if see(r.b) == (n := see(r.a)):\n    see(n)",
    "and": "if r.a is not None and (n := see(r.b)) == 1:\n    see(n)\nelse:\n    see('else')",
    "and of three": "if r.a is not None and (n := see(r.b)) == 1 and (m := see(r.a)) == 1:\n    see((n, m))\nelif r.a and (n := see(2)):\n    see(n)\nelse:\n    see('else')",
    "and, left inside": "if r.a is not None and (n := see(r.b)) == 1:\n    continue\nelse:\n    see('else')\nsee(r)",
    "or": "if r.a == 1 or (n := see(r.b)) == 1:\n    see('then')\nsee(r)",
    "values of and and or": "x = r.a and (n := see(r.b)) or (m := see(2))\nsee(x)",
    "not": "if not (r.a == 1 and (n := see(r.b))):\n    see('not')",
    "conditional": "x = (n := see(r.a)) if r.b == 1 else (m := see(r.b))\nsee(x)",
    "test of a conditional": "x = see(1) if (n := r.a) == 1 else see(2)\nsee((x, n))",
    "two": "x = ((n := see(r.a)), see(r.b), (m := see(n)))\nsee((x, m))",
    "read before it is set again": "n = 1\nx = (n, (n := see(r.a)), n)\nsee(x)",
    "argument": "see((see(r.a), (n := see(r.b))))\nsee(n)",
    "augmented": "x = 0\nx += 1 if (n := see(r.a)) == 1 else 2\nsee(x)",
    "return": "return see((n := r.a)), n",
    "assert": "assert (n := see(r.a)) != 1, see('failed')\nsee(n)",
    "while": "i = 0\nwhile (n := see(i)) < 2:\n    i += 1\n    if n == r.a:\n        continue\n    see(n)",
    "iterated": "for i in (n := (see(1), see(2))):\n    see(i)\nsee(n)",
    "in place": "see(1) if (n := r.a) else see(2)",
    "subscript": "x = [see(1), see(2)][(n := 1 if r.a == 1 else 0)]\nsee(x)",
}
EXITS = {
    "break": "if see(r.a) == 1:\n    break\nn += 1",
    "break in an else": "if see(r.a) != 1:\n    n += 1\nelse:\n    break\nsee(n)",
    "nested": "if see(r.a) == 1:\n    if r.b == 1:\n        break\n    n += 1\nsee(n)",
    "two breaks": "if see(r.a) == 1:\n    break\nif see(r.b) == 1:\n    n = 9\n    break\nsee(n)",
    "return": "if r.a == 1:\n    return see(n)\nn += 1",
    "return of the row": "n += 1\nif see(r.b) == 1:\n    return r.a, n",
    "return of what an iteration sets": "m = r.a\nif see(r.b) == 1:\n    return m\nm = 5",
    "return of two values": "m = r.b\nif see(r.a) == 1:\n    return r.a, m\nm = 5",
    "return and break": "if see(r.a) == 1:\n    return r.b\nif r.b == 1:\n    break\nsee(n)",
    "return of nothing": "if see(r.a) == 1:\n    return\nn += 1",
    "continue": "if see(r.a) == 1:\n    continue\nif r.b == 1:\n    break\nn += 1",
    "raise": "if see(r.a) == 1:\n    raise KeyError(n)\nif r.b == 1:\n    break\nn += 1",
    "return from an inner loop": "for i in (0, 1):\n    if see(r.a) == i:\n        return i, n\n    n += 1\nsee(n)",
    "break of an inner loop": "for i in (0, 1):\n    if see(r.a) == i:\n        break\nelse:\n    return 'none'\nn += 1",
    "break in a handler": "try:\n    n += see(r.a)\nexcept TypeError:\n    break\nsee(n)",
    "later rows would raise": "if r.a == 1:\n    break\nn += r.b",
}
ELSE = {
    "else": "m = r.a\nif see(r.a) == 1:\n    break",
    "else after a return": "m = 1\nif see(r.a) == 1:\n    return n",
    "else, set before some breaks": "see(1)\nif r.b == 1:\n    break\nm = see(r.a)\nif m == 1:\n    break",
    "else without a way out": "m = 1\nsee(r.a)",
}


def _loop(body: str, orelse: str = "", after: str = "return n") -> str:
    indented = "".join(f"        {line}\n" for line in body.splitlines())
    other = f"    else:\n        {orelse}\n" if orelse else ""
    return f"def f(rows, see):\n    n = 0\n    for r in rows:\n{indented}{other}    {after}\n"


def _in_a_row(body: str) -> str:
    return _loop(body, after="see('end')")


BODIES = {
    "return": "see(1)\nif r.a == 1:\n    return\nsee(2)",
    "return at once": "if r.a == 1:\n    see(1)\n    return\nelif r.b == 1:\n    see(2)\nelse:\n    return\nsee(3)",
    "return inside another test": "if r.a == 1:\n    if r.b == 1:\n        return\n    see(1)\nsee(2)",
    "return from a loop": "for i in (0, 1):\n    if see(r.a) == i:\n        see('found')\n        return\nelse:\n    see('none')\nsee(2)",
    "return from a handler": "try:\n    n = see(r.a) + 1\nexcept TypeError:\n    return\nsee(n)",
}
RULES: dict[str, dict[str, str]] = {
    "match": {"scalar": MATCH, "pair": PAIR},
    "walrus": {name: _in_a_row(body) for name, body in WALRUS.items()},
    "bodies": {
        name: "def f(rows, see):\n    r = rows[0] if rows else None\n"
        + "".join(f"    {line}\n" for line in body.splitlines())
        for name, body in BODIES.items()
    },
    "exits": {name: _loop(body) for name, body in EXITS.items()}
    | {name: _loop(body, "m = see('else')", "return n, m") for name, body in ELSE.items()}
    | {f"{name}, which is not read": _loop(body, "m = see('else')") for name, body in ELSE.items()},
}
PROGRAMS = {f"{rule}: {name}": source for rule, programs in RULES.items() for name, source in programs.items()}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_rule_changes_nothing(name: str) -> None:
    assert difference(PROGRAMS[name]) is None


@pytest.mark.parametrize("chunk", range(4))
def test_random_loops(chunk: int) -> None:
    read = 0
    for seed in range(chunk * 150, (chunk + 1) * 150):
        try:
            found = difference(random_program(seed), count=6, seed=seed)
        except Refusal:
            continue
        assert found is None, found
        read += 1
    assert read > 100


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_what_is_lowered_is_gone(name: str) -> None:
    function = ast.parse(PROGRAMS[name]).body[0]
    assert isinstance(function, ast.FunctionDef)
    body = lowered(function.body)
    assert not any(isinstance(n, (ast.Match, ast.NamedExpr)) for s in body for n in ast.walk(s))
    if PROGRAMS[name] in RULES["bodies"].values():
        assert not any(isinstance(n, ast.Return) for s in early_exits.run_through(body) for n in ast.walk(s))
        return
    loop = next(s for s in body if isinstance(s, ast.For))
    for node in early_exits.run_to_the_end(loop) or []:
        if isinstance(node, ast.For):
            assert not node.orelse
            assert not early_exits.leaves_early(node)


def _always(*_: object) -> ast.expr:
    return ast.Constant(True)


def _unconditional(node: Any, first: Any, others: Any, before: Any, truth: bool) -> ast.expr:
    values = [walrus._hoisted(v, before) for v in (first, *others)]
    return ast.BoolOp(node.op, values)


def _without_else(test: Any, body: Any, orelse: Any, at: Any) -> ast.stmt:
    return ast.copy_location(ast.If(test, body or [ast.Pass()], []), at)


def _swapped(place: Any) -> Any:
    real = walrus._places
    return lambda node: real(node)[::-1]


# rule -> what is wrong: the module, its name in it, and what takes its place
PLANTED: dict[str, tuple[str, Any, str, Any]] = {
    "match: alternatives are all needed": ("match", match_case, "_any", lambda patterns, subject, node: ast.Compare(ast.Name(subject, ast.Load()), [ast.Eq()], [patterns[0].value])),
    "match: branches without else": ("match", match_case, "_if", lambda tests, body, rest, node: ast.If(tests[0], body, [])),
    "match: the guard is forgotten": ("match", match_case, "_if", lambda tests, body, rest, node: ast.copy_location(ast.If(tests[0], body, rest), node)),
    "walrus: later operands always run": ("walrus", walrus, "_connective", _unconditional),
    "walrus: the other branch runs as well": ("walrus", walrus, "_one_inside_the_other", lambda node, first, rest: [ast.If(first, [ast.If(rest, node.body, [])], []), *node.orelse]),
    "walrus: order": ("walrus", walrus, "_places", _swapped(None)),
    "walrus: a test is turned round": ("walrus", build, "negated", lambda test: test),
    "walrus: one name for all values": ("walrus", walrus, "_name", lambda node: "n"),
    "bodies: what is behind a return runs": ("bodies", build, "none_of", _always),
    "bodies: each branch ends": ("bodies", early_exits, "_ends", lambda body: True),
    "exits: later iterations run": ("exits", build, "none_of", _always),
    "exits: no way out is seen": ("exits", early_exits, "_breaks", lambda node: False),
    "exits: what is returned is read behind the loop": ("exits", early_exits._Kept, "visit", lambda self, node: node),
    "exits: else runs anyway": ("exits", build, "branch", _without_else),
    "exits: each branch ends": ("exits", early_exits, "_ends", lambda body: True),
    "exits: what a break sets is taken for set": ("exits", early_exits, "_bound_behind", lambda node, bound: bound | {"m"}),
    "exits: one variable keeps all": ("exits", early_exits._Loop, "_keep", lambda self, what: "kept"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_a_wrong_rule_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rule, module, attribute, wrong = PLANTED[name]
    monkeypatch.setattr(module, attribute, wrong)
    assert any(_differs(source) for source in RULES[rule].values())


def _differs(source: str) -> bool:
    try:
        return difference(source) is not None
    except (Refusal, SyntaxError, TypeError, ValueError, KeyError, AttributeError):
        return True


REFUSED: dict[str, tuple[str, Callable[[ast.For], object]]] = {
    "break in try": ("try:\n    if r.a:\n        break\nexcept KeyError:\n    pass", early_exits.run_to_the_end),
    "return in finally": ("try:\n    pass\nfinally:\n    return 1", early_exits.run_to_the_end),
    "return of an error": ("try:\n    pass\nexcept KeyError as e:\n    return e", early_exits.run_to_the_end),
    "return of a comprehension": ("if r.a:\n    return [r.a for i in (1, 2)]", early_exits.run_to_the_end),
    "walrus in a comprehension": ("x = [n := r.a for i in (1, 2)]", lambda loop: subset.check(lowered(loop.body)[0])),
    "walrus in a chain": ("x = 1 < r.a < (n := 3)", lambda loop: subset.check(lowered(loop.body)[0])),
    "a class pattern": ("match r:\n    case Row():\n        pass", lambda loop: subset.check(lowered(loop.body)[0])),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused(name: str) -> None:
    body, rule = REFUSED[name]
    function = ast.parse(_loop(body)).body[0]
    assert isinstance(function, ast.FunctionDef)
    loop = next(s for s in function.body if isinstance(s, ast.For))
    with pytest.raises(Refusal):
        rule(loop)


def test_lines_lead_back_to_the_text() -> None:
    source = _loop("if (n := r.a) == 1:\n    return r.b\nmatch n:\n    case 2:\n        break")
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    loop = next(s for s in lowered(function.body) if isinstance(s, ast.For))
    every = [n for s in early_exits.run_to_the_end(loop) or [] for n in ast.walk(s) if hasattr(n, "lineno")]
    assert {n.lineno for n in every} <= set(range(3, 9))
    kept = next(n for n in every if isinstance(n, ast.Name) and n.id.startswith("<r.b") and n.lineno == 5)
    assert ast.get_source_segment(source, kept) == "r.b"


def test_the_harness_sees_functions() -> None:
    plain, low = functions(_loop("if r.a == 1:\n    break"))
    assert plain([], None) == low([], None) == 0
