"""Whether nothing can tell a copy of a frame's expression from the frame: a closed world.

Law: a frame is a plan, so its expression may be evaluated once more if (1) nothing that its evaluation reads has
changed since the first time, and (2) no column of the original meets the copy, whose columns are others to Spark. Both
are shown by understanding code, not by looking for what is known to do harm: (1) of all code that may run between
definition and copy every statement is of a listed form, in functions of the file as well, and none is hidden; (2)
wherever the original or what is made of it is read, in the whole scope of its variable, the expression is of a listed
form that keeps no column of it, or gives a value that is followed in the same way, and combines it with nothing that
may be of the copy. It is stored in variables of that scope only: no container, attribute, view, closure or unknown call
may have it.
Why sound: the listed forms are measured (``forms``); values in variables are joined over all assignments.
Counterexample: ``kept = {}; alias = kept; alias["m"] = best["m"]``, and later ``top.select(kept["m"])``.
Reference: THEORY.md section 4, *Closed worlds* and *Multiplicity*.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from headwater.python.effects.containers_read import Containers
from headwater.python.effects.sessions import PROVIDED
from headwater.syntax.names.module_scope import Context, star_may_bind
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import own_nodes, parameters

from .definitions import NoBranch, Place
from .file_checks import check_file
from .names import Holding
from .region import Region, check_text, outermost_loop, region_of
from .statements import Body, is_query
from .values import SCALAR, UNKNOWN, Evaluator, Value

_Function = ast.FunctionDef


@dataclass(frozen=True)
class Copied:
    """The copy to be made. ``originals``: variable → is it an RDD; ``definitions``: the statements that bind these;
    ``since``, ``until``: the places of the first of them and of the copy; ``read``: the read of the original in whose
    place it stands, and ``respelled`` what becomes a column by name; ``frames``: variables that it reads frames
    from."""

    originals: Mapping[str, bool]
    definitions: Collection[ast.stmt]
    since: Place
    until: Place
    read: ast.Name
    respelled: Collection[ast.AST]
    frames: Mapping[str, bool]


class World:
    """The code of one file around one copy."""

    def __init__(self, context: Context, names: Names, holding: Holding, copied: Copied) -> None:
        self.context, self.names, self.holding, self.copied = context, names, holding, copied
        self.parents = holding.scopes.parents
        self.region: Region = region_of(copied.since, copied.until, copied.read, self.parents)
        self.known = {id(n) for n in copied.respelled}
        loop = outermost_loop(copied.until)
        top = loop or copied.until.statement
        self.copy_starts = context.span(top).start
        self.may_leave = loop is None and not any(isinstance(n, ast.Try) for n in own_nodes(self.scope))
        """Whether a ``return`` above the copy means that there will be none."""
        first = copied.since.statement
        end = context.span(loop).end if loop is not None else context.span(copied.read).start
        check_text(context, context.span(first).start, end)

    @property
    def scope(self) -> ast.Module | _Function:
        """What the variables of the original belong to."""
        node: ast.AST = self.copied.until.statement
        while not isinstance(node, (ast.Module, _Function)):
            node = self.parents[node]
        return node

    def check(self) -> None:
        """NoBranch, with the reason, if somebody could tell the copy from the original."""
        check_file(self.holding.scopes, self.names)
        scope = self.scope
        body = Body(self, scope, self._parameters(scope))
        body.run()
        for name in body.originals():
            if name in self.names.rebound:
                raise NoBranch(f"`{name}` may be read or bound by other functions")

    def _parameters(self, scope: ast.Module | _Function) -> dict[str, Value]:
        if isinstance(scope, ast.Module):
            return {}
        return {p.arg: self._parameter(scope, p) for p in parameters(scope)}

    def _parameter(self, function: _Function, parameter: ast.arg) -> Value:
        """What callers give: a number or text if all calls are in the file, and give one that is written out."""
        places = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        unknown = Value("unknown")
        if self.context.function(function.name) is not function or parameter.arg not in places:
            return unknown
        reads = [n for n in ast.walk(self.context.tree) if isinstance(n, ast.Name) and n.id == function.name]
        for read in reads:
            call = self.parents[read]
            if not isinstance(call, ast.Call) or call.func is not read or any(k.arg is None for k in call.keywords):
                return unknown
            given: list[ast.expr] = [k.value for k in call.keywords if k.arg == parameter.arg]
            before = call.args[: places.index(parameter.arg) + 1]
            if not given and len(before) > places.index(parameter.arg):
                given = [before[-1]]
            if not given or any(isinstance(a, ast.Starred) for a in before) or not isinstance(given[0], ast.Constant):
                return unknown
        return SCALAR if reads and not function.args.vararg else unknown

    def module_variable(self, name: str) -> Value:
        """What a variable of the module holds for a function that reads it."""
        starred = any(star_may_bind(module, name) for module in self.context.star_modules)
        bound = self.context.bindings(name) or name in self.names.imported or starred
        if PROVIDED.get(name) == "session" and not bound:
            return Value("session")
        if self.context.function(name) is not None:
            return Value("function")
        made = self.context.constant(name)
        if isinstance(made, ast.Constant):
            return SCALAR
        if made is not None:
            found = _alone(self, made)
            if found.kind in ("scalar", "session") or (
                found.kind == "data" and Containers.of(self.names).never_changed(name)
            ):
                return found
        return UNKNOWN


def _alone(world: World, node: ast.expr) -> Value:
    """The value of an expression of the module by itself."""
    try:
        return Evaluator(world.names, Body(world, ast.Module([], []), {}), is_query).value(node)
    except (NoBranch, RecursionError):
        return UNKNOWN
