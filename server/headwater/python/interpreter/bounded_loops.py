"""Loops that run a bounded number of times: over a literal, over a range of constants, ``while`` a counter is
small.

Law: the loop does what its body does, written once for each iteration. ``break`` leaves for what follows the loop,
``else`` runs where nothing did, and ``return`` ends the function. Condition: after ``MOST`` iterations at the latest
the condition of a ``while`` is a constant that is false. Reference: the Python language reference, sections 8.2, 8.3.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from headwater.python.builtins import named_containers
from headwater.python.exprs.simplify import boolean, both, either, literal_truth, negate
from headwater.python.values.scope import Env, Items, Value
from headwater.semantics.interpreter import Env as Bindings
from headwater.semantics.interpreter import EvaluationError, evaluate
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And, Arith, Compare, Expr, Lit, Neg, Not, Or, walk

from . import mutation
from .outcomes import End, Outcome, Path, Split, as_next, collapse

if TYPE_CHECKING:
    from .statements import Interpreter


def for_each(run: Interpreter, node: ast.For, items: tuple[Value, ...], env: Env, path: Path) -> Outcome:
    """The outcome of a loop over ``items``."""
    named_containers.require_flat(node, Items(items, False))

    def after(n: int, env: Env, path: Path) -> Outcome:
        if n == len(items):
            return run.run(node.orelse, env, path)
        run.path = path
        return _once(run, node, run.bind(node.target, items[n], env), path, lambda e, p: after(n + 1, e, p))

    return after(0, env, path)


def while_true(run: Interpreter, node: ast.While, env: Env, path: Path) -> Outcome:
    """The outcome of a ``while`` loop."""

    def after(n: int, env: Env, path: Path) -> Outcome:
        cond = decided(run.condition(node.test, env, path))
        known = literal_truth(cond)
        if known is False:
            return run.run(node.orelse, env, path)
        if n == named_containers.MAX_ROUNDS:
            raise Refusal("opaque", "a `while` loop that is not seen to end", node)
        if known:
            return _once(run, node, env, path, lambda e, p: after(n + 1, e, p))
        inside, outside = mutation.narrowed(run, env, cond, True), mutation.narrowed(run, env, cond, False)
        then = _once(run, node, dict(inside), (*path, (cond, True)), lambda e, p: after(n + 1, e, p))
        return Split(cond, then, run.run(node.orelse, dict(outside), (*path, (cond, False))))

    return after(0, env, path)


def _once(
    run: Interpreter, node: ast.For | ast.While, env: Env, path: Path, then: Callable[[Env, Path], Outcome]
) -> Outcome:
    """The outcome of the body, and of ``then`` where it goes on."""
    before, run.breakable = run.breakable, True
    try:
        tree = run.run(node.body, env, path)
    finally:
        run.breakable = before
    return _continued(collapse(as_next(tree), path, run.effect), path, then)


def _continued(tree: Outcome, path: Path, then: Callable[[Env, Path], Outcome]) -> Outcome:
    if isinstance(tree, Split):
        first = _continued(tree.then, (*path, (tree.cond, True)), then)
        return Split(tree.cond, first, _continued(tree.otherwise, (*path, (tree.cond, False)), then))
    if tree.kind == "break":
        return End("next", tree.env)
    return then(tree.env, path) if tree.kind == "next" else tree


def decided(cond: Expr) -> Expr:
    """``cond`` with its comparisons of constants decided."""
    if isinstance(cond, (And, Or)):
        return (both if isinstance(cond, And) else either)(*map(decided, cond.operands))
    if isinstance(cond, Not):
        return negate(decided(cond.operand))
    if not isinstance(cond, Compare) or not all(isinstance(n, (Compare, Lit, Arith, Neg)) for n in walk(cond)):
        return cond
    try:
        return boolean(evaluate(cond, Bindings()) is True)
    except EvaluationError:
        return cond
