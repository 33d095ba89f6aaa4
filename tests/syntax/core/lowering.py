"""Runs a function before and after its body was lowered, under CPython: results, errors, and effects in their order.

A program is a function ``f(rows, see)``. ``see(v)`` notes v and hands it back, or raises: each of its calls fails once.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
import random
import textwrap
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from headwater.syntax.core import early_exits
from headwater.syntax.core.lower import lowered
from headwater.syntax.source.bindings import bound_names

Row = namedtuple("Row", "a b")
VALUES = (None, math.nan, -1, 0, 1, 2, 2.5, True, "a")
_MOST = 200
"""So many steps: a loop that goes on is a difference, not a hang."""


class Failed(Exception):
    """What ``see`` raises."""


class Endless(BaseException):
    """The function does not stop."""


def functions(source: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The function as it stands, and lowered, with no ``for`` at its top that is left early."""
    function = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(function, ast.FunctionDef)
    changed = copy.deepcopy(function)
    before = {"rows", "see"}
    body: list[ast.stmt] = []
    for node in lowered(changed.body):
        exits = early_exits.run_to_the_end(node, before) if isinstance(node, ast.For) else None
        body += [node] if exits is None else exits
        before |= bound_names([node]) if isinstance(node, ast.Assign) else set()
    local = ast.Assign([ast.Name(n, ast.Store()) for n in sorted(bound_names(function.body))], ast.Constant(None))
    if not any(isinstance(n, ast.Return) and n.value is not None for s in body for n in ast.walk(s)):
        body = early_exits.run_through(body)
    changed.body = [*body, ast.If(ast.Constant(False), [local], [])]  # what is not reached makes names local as well
    return _made(function), _made(changed)


def _made(function: ast.FunctionDef) -> Callable[..., Any]:
    module = ast.fix_missing_locations(ast.Module([function], []))
    names: dict[str, Any] = {}
    exec(compile(module, "<program>", "exec"), names)
    return names[function.name]  # type: ignore[no-any-return]


def outcome(function: Callable[..., Any], rows: list[Row], fails: int | None) -> tuple[str, list[str]]:
    """What the function returns or raises, and what ``see`` saw. ``fails``: the call of it that raises."""
    log: list[str] = []

    def see(value: Any) -> Any:
        log.append(repr(value))
        if len(log) > _MOST:
            raise Endless
        if len(log) - 1 == fails:
            raise Failed
        return value

    try:
        return repr(function(list(rows), see)), log
    except Endless:
        return "endless", log
    except Exception as error:
        return f"{type(error).__name__}: {error}", log


def inputs(seed: int, count: int) -> Iterator[list[Row]]:
    """Rows that programs are run on."""
    yield []
    chosen = random.Random(seed)
    for a, b in itertools.product((None, math.nan, 0, 1, 2), repeat=2):
        yield [Row(a, b)]
    for _ in range(count):
        yield [Row(chosen.choice(VALUES), chosen.choice(VALUES)) for _ in range(chosen.randint(1, 5))]


def difference(source: str, count: int = 30, seed: int = 0) -> str | None:
    """Where the lowered program does something else; None if nowhere."""
    plain, low = functions(source)
    for rows in inputs(seed, count):
        expected, log = outcome(plain, rows, None)
        for fails in (None, *range(min(len(log), 12))):
            expected, log = outcome(plain, rows, fails)
            if (found := outcome(low, rows, fails)) != (expected, log):
                return f"{source}\n{rows} {fails}: {(expected, log)} became {found}"
    return None


def random_program(seed: int) -> str:
    """A function with one loop over the rows that may be left in any way."""
    r = random.Random(seed)
    tests = ("see(r.a) == 1", "r.b is None", "r.a == r.b", "x > 1", "see(y)", "r.a in (1, 2)")
    values = ("r.a", "see(r.b)", "x + 1", "y", "x", "(r.a, x)")

    def block(depth: int, inner: bool, indent: str) -> list[str]:
        lines: list[str] = []
        for _ in range(r.randint(1, 3)):
            kind = r.randint(0, 9 if depth else 5)
            name = r.choice("xyz")
            if kind <= 2:
                lines.append(f"{indent}{name} = {r.choice(values)}")
            elif kind == 3:
                lines.append(f"{indent}see(x)")
            elif kind == 4:
                lines.append(indent + r.choice(("break", "continue", f"return {r.choice(values)}", "return z")))
                return lines
            elif kind == 5:
                lines.append(f"{indent}x += 1")
            elif kind in (6, 7, 8) or inner:
                lines += [f"{indent}if {r.choice(tests)}:", *block(depth - 1, inner, indent + "    ")]
                if r.random() < 0.5:
                    lines += [f"{indent}else:", *block(depth - 1, inner, indent + "    ")]
            else:
                lines += [f"{indent}for i in (1, 2):", *block(depth - 1, True, indent + "    ")]
                if r.random() < 0.3:
                    lines += [f"{indent}else:", *block(depth - 1, inner, indent + "    ")]
        return lines

    lines = ["def f(rows, see):", "    x = y = 0", "    for r in rows:", *block(3, False, "        ")]
    if r.random() < 0.5:
        leaves = ("break", "continue")
        lines += [
            "    else:",
            *(s for s in block(0, False, "        ") if s.strip() not in leaves),
            "        see('else')",
        ]
    return "\n".join([*lines, "    return x, y, z", ""])
