"""The operands of methods on columns: where they are missing, and what they are elsewhere."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NAN, both, choose, either, negate, number_of
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import Env
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, Expr, If, Lit
from headwater_ir.types import FLOAT, STRING

from .. import masks
from ..arithmetic import of_literal, of_series
from .model import MethodCall

if TYPE_CHECKING:
    from ..values import PandasInterpreter

Part = tuple[Expr, Expr]
"""Where an operand is missing, and what it is elsewhere."""


def operator_on(call: MethodCall, op: ast.operator | ast.cmpop, right: ast.expr) -> Series:
    """``receiver op right``."""
    left = call.receiver
    spelled = ast.Compare(left, [op], [right]) if isinstance(op, ast.cmpop) else ast.BinOp(left, op, right)
    found = call.run.pandas(ast.fix_missing_locations(ast.copy_location(spelled, call.node)), call.env)
    if not isinstance(found, Series):
        raise call.refusal("opaque", f"`{call.method}` of such an operand")
    return found


def part(run: PandasInterpreter, value: ast.expr, node: ast.AST, env: Env) -> Part:
    """An operand that is a column of floats or a number."""
    found = run.pandas(value, env)
    if isinstance(found, Series):
        return floats_of(run, found, node)
    missing, number = of_literal(run, value, env)
    plain = number_of(number)
    assert plain is not None
    return missing, Lit(float(plain), FLOAT)


def floats_of(run: PandasInterpreter, series: Series, node: ast.AST) -> Part:
    """A column of floats as an operand. Refusal ("opaque") for another column."""
    found = of_series(run, series, node)
    if run.scope.type(found[1]).name != "float":
        raise Refusal("opaque", "a choice between columns that are not of floats", node)
    return found


def of_floats(like: Series, missing: Expr, raw: Expr) -> Series:
    """A column of the rows of ``like``: NaN where it is missing, else ``raw``."""
    return Series(like.frame, raw if missing == FALSE else If(missing, NAN, raw), present=missing == FALSE)


def text(run: PandasInterpreter, value: ast.expr, like: Series, env: Env) -> Expr | None:
    """A constant text, or a column of texts of the rows of ``like``; None for another operand. An array of texts drops
    a null character at their ends."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and not value.value.endswith("\0"):
        return Lit(value.value, STRING)
    found = run.pandas(value, env)
    if not isinstance(found, Series) or found.listed or not found.frame.alike(like.frame):
        return None
    return found.element if run.scope.type(found.element) == STRING else None


def condition(run: PandasInterpreter, test: ast.expr, like: Series, node: ast.AST, env: Env) -> Expr:
    """A mask of the rows of ``like`` as a condition on the row."""
    found = run.pandas(test, env)
    if not isinstance(found, Series) or not found.frame.alike(like.frame):
        raise Refusal("opaque", "a choice that is not made by a mask of the same rows", node)
    return masks.condition(found, node)


def chosen(like: Series, cond: Expr, a: Part, b: Part) -> Series:
    """``a`` where ``cond`` holds, else ``b``."""
    missing = either(both(cond, a[0]), both(negate(cond), b[0]))
    return of_floats(like, missing, choose(cond, a[1], b[1]))


def constant(node: ast.expr | None) -> object:
    """The value of a literal; None if there is none, Ellipsis for something else."""
    return None if node is None else node.value if isinstance(node, ast.Constant) else ...


def names_of(node: ast.expr) -> list[str] | None:
    """The names that are written out, one or a list of them; None for something else."""
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    names = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return names if len(names) == len(parts) else None
