"""Functions that are made inside a function: ``def`` and ``lambda``, called by the name that they are bound to.

Law: a call runs the body on its arguments. What the body reads of the variables around it, it reads when it is called:
so they must hold what they held when the function was made, and nothing that can be changed in place. Reference: the
Python language reference, section 4.2.2.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.values.scope import AbstractObject, Env
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater.syntax.source.bindings import local_names, plain_parameters
from headwater_ir.expr import Expr

if TYPE_CHECKING:
    from .statements import Interpreter


@dataclass(frozen=True, eq=False)
class Local(AbstractObject):
    """A function, and the variables around it when it was made."""

    function: ast.FunctionDef | ast.Lambda
    name: str
    around: Env


def made(node: ast.FunctionDef | ast.Lambda, name: str, env: Env, parameters: list[str] | None) -> Local:
    """The function that ``node`` makes."""
    if parameters is None or (isinstance(node, ast.FunctionDef) and node.decorator_list):
        raise Refusal("opaque", "a function inside a function that is decorated, or has other parameters", node)
    return Local(node, name, dict(env))


def call(run: Interpreter, local: Local, node: ast.Call, env: Env) -> Expr:
    """The value of a call of ``local``."""
    names, own = plain_parameters(local.function.args) or [], local_names(local.function)
    arguments = by_place(local.name, node)
    if len(arguments) != len(names):
        raise Refusal("opaque", f"`{local.name}` is called with other arguments than it has", node)
    read = {n.id for n in ast.walk(local.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - own
    around: Env = {}
    for name in sorted(read & (set(local.around) | set(env))):
        before, now = local.around.get(name), env.get(name)
        if before is None or not (before is now or before == now) or not run.is_fixed(before):
            raise Refusal("opaque", f"`{name}` may not be what it was when `{local.name}` was made", node)
        around[name] = before
    given = {n: run.argument(a, env) for n, a in zip(names, arguments, strict=True)}
    return run.called(local.function, node, given, around, name=f"<{local.name}>", outer=run.scope.local_names)
