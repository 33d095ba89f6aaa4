"""Which reads may see an assignment, beside what Python does: random programs are run, and no read may see what the
analysis leaves out."""

from __future__ import annotations

import ast
import contextlib
import random
from collections.abc import Callable, Iterator

import pytest

from headwater.pyspark.walls.reaching import reached

_PROGRAMS, _RUNS, _STEPS = 50, 20, 200


class _Writer:
    """A random function ``f(make, see, flip, risk, quiet)`` about its variable ``x``."""

    def __init__(self, random_: random.Random) -> None:
        self.random, self.labels = random_, 0

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def block(self, depth: int, *, loop: bool) -> list[str]:
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth, loop=loop)]
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, *, loop: bool) -> list[str]:
        kinds = ["bind", "bind", "see", "see", "risk", "pair"]
        kinds += ["if", "for", "loop", "while", "try", "finally", "with", "match"] if depth else []
        kinds += ["leave"] if loop else []
        kind, inner = self.random.choice(kinds), depth - 1
        match kind:
            case "bind":
                return [f"x = make({self.label()})"]
            case "pair":
                return [f"x, y = make({self.label()}), 1"]
            case "see":
                return [self.random.choice(["see(x)", "y = [see(x) for z in (1, 2)]", "y = flip() and see(x)"])]
            case "risk":
                return [self.random.choice(["risk()", "if flip(): return"])]
            case "leave":
                return [f"if flip(): {self.random.choice(['break', 'continue'])}"]
            case "if":
                return ["if flip():", *self.block(inner, loop=loop), "else:", *self.block(inner, loop=loop)]
            case "for":
                body = self.block(inner, loop=True)
                return [f"for x in many({self.label()}):", *body, *self.rest(inner, loop=loop)]
            case "loop":
                return ["for y in many(0):", *self.block(inner, loop=True), *self.rest(inner, loop=loop)]
            case "while":
                return ["while see(x) and flip():", *self.block(inner, loop=True), *self.rest(inner, loop=loop)]
            case "try":
                handler = ["except ValueError:", *self.block(inner, loop=loop)]
                return ["try:", *self.block(inner, loop=loop), *handler, *self.rest(inner, loop=loop)]
            case "finally":
                # what leaves a `finally` swallows the error
                return ["try:", *self.block(inner, loop=loop), "finally:", *self.block(inner, loop=loop)]
            case "with":
                return ["with quiet():", *self.block(inner, loop=loop)]
        case_ = [f"    {line}" for line in self.block(inner, loop=loop)]
        return ["match flip():", "    case True if see(x):", *case_]

    def rest(self, depth: int, *, loop: bool) -> list[str]:
        return ["else:", *self.block(depth, loop=loop)] if self.random.random() < 0.4 else []


def _observed(code: Callable[..., object], random_: random.Random) -> set[tuple[int, int]]:
    """Pairs of a label that was bound and the line on which it was seen, in one run."""
    import sys

    found: set[tuple[int, int]] = set()
    steps = 0

    def spent() -> None:
        nonlocal steps
        steps += 1
        if steps > _STEPS:
            raise KeyboardInterrupt

    def see(x: int) -> bool:
        spent()
        frame = sys._getframe(1)
        while frame.f_code.co_name != "f":
            assert frame.f_back is not None
            frame = frame.f_back
        found.add((x, frame.f_lineno))
        return True

    def flip() -> bool:
        spent()
        return random_.random() < 0.5

    def risk() -> None:
        if flip():
            raise ValueError

    def many(label: int) -> Iterator[int]:
        return iter([label] * random_.randint(0, 2))

    with contextlib.suppress(ValueError, NameError, KeyboardInterrupt):
        code(lambda label: label, see, flip, risk, lambda: contextlib.suppress(ValueError), many)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_no_read_is_left_out(seed: int) -> None:
    random_ = random.Random(seed)
    seen = 0
    for number in range(_PROGRAMS):
        text = "\n".join(
            ["def f(make, see, flip, risk, quiet, many):", *_Writer(random_).block(3, loop=False), "    see(x)"]
        )
        tree = ast.parse(text)
        names: dict[str, Callable[..., object]] = {}
        exec(compile(tree, f"program {seed}.{number}", "exec"), names)
        definition = tree.body[0]
        assert isinstance(definition, ast.FunctionDef)
        reads = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "x" and isinstance(n.ctx, ast.Load)]
        allowed = {label: _lines(reads, reached(definition.body, "x", s, reads)) for label, s in _labelled(tree)}
        for _ in range(_RUNS):
            for label, line in _observed(names["f"], random_):
                seen += 1
                assert line in allowed.get(label, {line}), f"line {line} sees {label}:\n{text}"
    assert seen > 500


def _labelled(tree: ast.AST) -> Iterator[tuple[int, ast.stmt]]:
    """The statements that bind the whole variable, each with its label."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="x")], value=ast.Call(args=[ast.Constant(value=int(label))])):
                yield label, node
            case ast.For(target=ast.Name(id="x"), iter=ast.Call(args=[ast.Constant(value=int(label))])):
                yield label, node


def _lines(reads: list[ast.Name], kept: frozenset[int]) -> set[int]:
    return {n.lineno for n in reads if id(n) in kept}


_SWALLOWED = "x = make(1)\nwith quiet():\n    x = make(2)\n    risk()\n    x = make(3)\nsee(x)\n"
_LEFT = (
    "for y in many(0):\n    try:\n        x = make(1)\n        risk()\n        x = make(2)\n"
    "    finally:\n        break\nsee(x)\n"
)


@pytest.mark.parametrize(("text", "seen"), [(_SWALLOWED, {1, 2, 3}), (_LEFT, {1, 2})])
def test_an_error_that_is_swallowed(text: str, seen: set[int]) -> None:
    tree = ast.parse(text)
    reads = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "x" and isinstance(n.ctx, ast.Load)]
    found = {label for label, s in _labelled(tree) if reached(tree.body, "x", s, reads)}
    assert found == seen
