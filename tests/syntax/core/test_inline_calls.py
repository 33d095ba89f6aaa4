"""Calls written out in place, and variables for what a loop runs over, beside CPython; wrong rules must be seen."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from headwater.syntax.core import inline_calls, passing_variables
from headwater.syntax.core.lower import lowered
from headwater.syntax.source.bindings import local_names

from .lowering import inputs, outcome

INLINED = {
    "an expression": """
        def hot(r, at): return r.a is not None and see(r.b) == at
        def f(rows):
            n = 0
            for r in rows:
                if hot(r, 1):
                    n += 1
            return n
    """,
    "a comprehension": """
        def hot(r): return r.a == 1
        def f(rows):
            return [see(r.b) for r in rows if hot(r)], n(rows)
        def n(r): return sum(1 for hot in r if hot.a)
    """,
    "a step": """
        def step(r, n, best):
            if r.a is None:
                return n, best
            n += 1
            x = see(r.b)
            return n, x
        def f(rows):
            n, best, x = 0, None, 'mine'
            for r in rows:
                n, best = step(r, n, best)
            return n, best, x
    """,
    "returns in branches": """
        def kind(r, n):
            if r.a == 1:
                return see('one')
            elif r.b is None:
                if n > 1:
                    return 'none'
            else:
                n = see(n + 1)
            see('behind')
            return n
        def f(rows):
            n = 0
            for r in rows:
                k = kind(r, n)
                if k == 'one':
                    n += 1
            return n, k if rows else None
    """,
    "nothing returned": """
        def push(kept, r):
            if r.a is None:
                return
            kept.append(see(r.b))
        def f(rows):
            kept = []
            for r in rows:
                push(kept, r)
                n = push(kept, r)
            return kept, n if rows else 0
    """,
    "the work": """
        def work(rows):
            for r in rows:
                if see(r.a) == 1:
                    return r.b
            see('end')
        def f(rows):
            return work(rows)
    """,
    "a condition of statements": """
        def skip(r):
            a = see(r.a)
            if a is None:
                return True
            return a == 2
        def f(rows):
            n = 0
            for r in rows:
                if r.b == 1:
                    n += 10
                elif skip(r):
                    continue
                n += 1
            return n
    """,
    "a closure": """
        def f(rows):
            n, last = 0, None
            def step(r):
                nonlocal n, last
                if r.a is not None:
                    n += 1
                last = see(r.b)
            for r in rows:
                step(r)
            return n, last
    """,
    "a closure that reads": """
        def f(rows):
            n = 0
            def reached(r): return n > 1 and see(r.a) == 1
            for r in rows:
                if reached(r):
                    return 'reached'
                n += 1
            return n
    """,
    "a parameter that is bound again": """
        def cut(rows):
            rows = [r for r in rows if r.a]
            rows.append(1)
            return rows
        def f(rows):
            kept = cut(rows)
            return kept, rows
    """,
    "the state is given and changed": """
        def f(rows):
            n = 0
            def step(r, before):
                nonlocal n
                n = n + 1
                return (before, n)
            for r in rows:
                pair = step(r, n)
                see(pair)
            return n
    """,
    "the argument is evaluated once": """
        def twice(r, x):
            y = (x, r.a)
            return (x, y)
        def f(rows):
            for r in rows:
                x, y = twice(r, see(r.b))
            return 0
    """,
    "functions in functions": """
        def inner(r): return r.a
        def outer(r, x): return see(inner(r)) if x else inner(r)
        def f(rows):
            return [outer(r, 1) for r in rows]
    """,
    "raises": """
        def check(r):
            if r.a == 2:
                raise ValueError(see('two'))
            return (r.a, r.b)
        def f(rows):
            for r in rows:
                a, b = check(r)
            return 0
    """,
    "an iterator": """
        def f(rows):
            if rows:
                items = iter(rows)
                for r in items:
                    see(r.a)
            return 0
    """,
    "a list that a function makes": """
        def nothing(): return []
        def first(top): return top[:2]
        def f(rows):
            top = nothing()
            for r in rows:
                top.append(see(r.a))
                top = first(top)
            return top, 1
    """,
    "a list": """
        def f(rows):
            made = [see(r.a) for r in rows]
            kept = made
            kept.append(1)
            answer = (kept, see(2))
            return answer
    """,
}
STAY = {
    "a return in a loop": """
        def first(rows):
            for r in rows:
                if r.a: return r
        def f(rows):
            x = first(rows)
            return x, 1
    """,
    "scalars": """
        def add(a, b): return a + b
        def f(rows):
            n = 0
            n = add(n, 1)
            return n
    """,
    "a generator": """
        def each(rows):
            for r in rows: yield r.a
        def f(rows):
            x = each(rows)
            return list(x)
    """,
    "recursion": """
        def last(rows): return rows[-1] if len(rows) < 2 else last(rows)
        def f(rows):
            return 0 if not rows else rows[:0]
    """,
    "a name that the caller binds": """
        N = 1
        def over(r): return r.a == N
        def f(rows):
            N = 2
            return [over(r) for r in rows], N
    """,
    "a closure handed on": """
        def f(rows):
            def key(r): return str(r.a)
            return sorted(rows, key=key)
    """,
    "an iterator that is read again": """
        def f(rows):
            items = iter(rows)
            for r in items:
                break
            return list(items)
    """,
}


def changed(source: str) -> tuple[ast.Module, ast.Module, bool]:
    """The module, the module with the body of ``f`` changed, and whether it is."""
    plain = ast.parse(textwrap.dedent(source))
    made = copy.deepcopy(plain)
    known = {s.name: s for s in made.body if isinstance(s, ast.FunctionDef)}
    f = known["f"]
    before = passing_variables.without_them(lowered(f.body))
    after = inline_calls.in_place(before, local_names(f), {"rows"}, {"rows"}, known.get)
    written_out = after is not before or any(a is not b for a, b in zip(before, f.body, strict=False))
    f.body = after
    return plain, ast.fix_missing_locations(made), written_out or len(before) != len(f.body)


def run(module: ast.Module) -> Callable[..., Any]:
    """``f`` of the module, in which helpers find ``see`` as a global name."""
    names: dict[str, Any] = {}
    exec(compile(module, "<program>", "exec"), names)

    def called(rows: list[Any], see: Callable[[Any], Any]) -> Any:
        names["see"] = see
        return names["f"](rows)

    return called


def difference(source: str) -> str | None:
    """Where the changed program does something else; None if nowhere."""
    plain, made, _ = changed(source)
    one, other = run(plain), run(made)
    for rows in inputs(0, 25):
        _, log = outcome(one, rows, None)
        for fails in (None, *range(min(len(log), 6))):
            expected, found = outcome(one, rows, fails), outcome(other, rows, fails)
            if found != expected:
                return f"{ast.unparse(made)}\n{rows} {fails}: {expected} became {found}"
    return None


@pytest.mark.parametrize("name", INLINED)
def test_what_is_written_out_does_the_same(name: str) -> None:
    _, made, written_out = changed(INLINED[name])
    assert written_out, ast.unparse(made)
    assert difference(INLINED[name]) is None


@pytest.mark.parametrize("name", STAY)
def test_other_calls_stay(name: str) -> None:
    _, made, written_out = changed(STAY[name])
    assert not written_out, ast.unparse(made)


def test_a_body_without_names_of_its_own_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = inline_calls.with_own_names
    monkeypatch.setattr(inline_calls, "with_own_names", lambda node, prefix, own, names: real(node, "", own, names))
    assert difference(INLINED["a step"]) is not None


def test_an_argument_that_is_evaluated_where_it_is_read_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline_calls, "_direct", lambda value, parameter, rebound, outer: True)
    assert difference(INLINED["the argument is evaluated once"]) is not None


def test_state_that_is_read_too_late_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    source = INLINED["the state is given and changed"]
    assert difference(source) is None
    monkeypatch.setattr(inline_calls, "_direct", lambda value, parameter, rebound, outer: isinstance(value, ast.Name))
    assert difference(source) is not None


def test_a_name_of_the_caller_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline_calls, "_free", lambda function: set())
    assert difference(STAY["a name that the caller binds"]) is not None


def branches_that_may_return(depth: int) -> str:
    """A helper with ``depth`` branches of which each may return, so that what follows is written into both sides."""
    branches = "".join(
        f"    if r.a == {i}:\n        see({i})\n        if r.b == {i}:\n            return ({i}, 0)\n"
        for i in range(depth)
    )
    return f"def kind(r):\n{branches}    return (0, 1)\n" + "\n".join(
        ["def f(rows):", "    n = 0", "    for r in rows:", "        n, m = kind(r)", "    return n"]
    )


def test_a_body_that_doubles_at_each_branch_stays() -> None:
    assert changed(branches_that_may_return(2))[2]
    assert difference(branches_that_may_return(2)) is None
    made = changed(branches_that_may_return(60))[1]
    assert len(list(ast.walk(made))) < 50_000
