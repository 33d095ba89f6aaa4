"""How many columns a frame of unknown origin has, as the file says where it makes it: in the calls of a function that
is handed it, and in the functions that return it.

Nothing is proved with it: another file may call a function. It tells what the program is about.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.bindings import own_nodes, parameters
from headwater_ir.plan import Filter, Limit, Opaque, Plan, Scan, Sort

from .nodes_around import nodes_around
from .scope_nodes import FUNCTIONS, Function, ScopeNodes, Scopes

_NAME_ALL = frozenset("select selectExpr toDF".split())
_KEEP_ALL = frozenset(
    """
    alias cache coalesce distinct dropDuplicates filter hint limit localCheckpoint orderBy persist repartition sample
    sort where
    """.split()
)


_SELECT = re.compile(r"\s*SELECT\s+(?:DISTINCT\s+)?([\w\s.,`]+?)\s+FROM\s", re.IGNORECASE)
"""A query of plain columns, up to where it begins to read."""


class ColumnsSaid:
    """What one file says of its frames."""

    def __init__(self, context: Context) -> None:
        self._context, self._scopes = context, Scopes(context.tree)

    def number(self, plan: Plan) -> int | None:
        """How many columns ``plan`` has; None if the file does not say."""
        while isinstance(plan, (Filter, Limit, Sort)) or (isinstance(plan, Opaque) and "filter" in plan.causes):
            if plan.child is None:
                return None
            plan = plan.child
        if isinstance(plan, Opaque) and isinstance(plan.child, Scan) and plan.child.span == plan.span:
            plan = plan.child  # a query of which no more is known than where its text stands
        if not isinstance(plan, Scan) or plan.format != "unknown":
            return None
        around = nodes_around(self._context, plan.span)
        scope = next((n for n in around if isinstance(n, FUNCTIONS)), self._context.tree)
        made = around[0] if around else None
        given = made if isinstance(made, (ast.Name, ast.Call)) else None
        return None if given is None else self._one(self._of(given, self._scopes.of(scope), ()))

    def _one(self, found: Iterator[int | None]) -> int | None:
        numbers = {*found}
        return numbers.pop() if len(numbers) == 1 else None

    def _of(self, node: ast.expr, scope: ScopeNodes, seen: tuple[object, ...]) -> Iterator[int | None]:
        """The numbers of columns of what ``node``, in ``scope``, may give; None for one that is not known."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEP_ALL:
            node = node.func.value
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[*given]) if method in _NAME_ALL:
                yield _count(given)
            case ast.Call(func=ast.Attribute(attr="sql"), args=[text, *_]):
                yield self._one(self._of_query(text, scope))
            case ast.Call(func=ast.Name(id=name)):
                yield from self._of_function(name, seen)
            case ast.Name(id=name):
                yield from self._of_variable(name, scope, seen)
            case _:
                yield None

    def _of_query(self, text: ast.expr, scope: ScopeNodes) -> Iterator[int | None]:
        """The numbers of columns that the SQL ``text`` selects, as far as it is written out."""
        match text:
            case ast.Constant(value=str(begin)) | ast.JoinedStr(values=[ast.Constant(value=str(begin)), *_]):
                found = _SELECT.match(begin)
                yield found[1].count(",") + 1 if found else None
            case ast.Call(func=ast.Attribute(value=inner)) | ast.BinOp(left=inner):
                yield from self._of_query(inner, scope)
            case ast.Name(id=name):
                made = [n for n in scope.bound if isinstance(n, ast.Assign) and _is_to(n, name)]
                for assignment in made:
                    yield from self._of_query(assignment.value, scope)
                yield from () if made else (None,)
            case _:
                yield None

    def _of_function(self, name: str, seen: tuple[object, ...]) -> Iterator[int | None]:
        function = self._context.function(name)
        if function is None or function in seen:
            yield None
            return
        for node in own_nodes(function):
            if isinstance(node, ast.Return):
                if node.value is None:
                    yield None
                else:
                    yield from self._of(node.value, self._scopes.of(function), (*seen, function))

    def _of_variable(self, name: str, scope: ScopeNodes, seen: tuple[object, ...]) -> Iterator[int | None]:
        key = (name, scope.function)
        if key in seen:
            return  # what is made of itself has as many
        made, bound = list[ast.expr](), 0
        for node in scope.bound.get(name, ()):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    made.append(value)
                case ast.Name(id=target) if target == name:
                    bound += 1
        if bound != len(made):
            yield None
        for value in made:
            yield from self._of(value, scope, (*seen, key))
        owner = scope.function
        if owner is not None and any(a.arg == name for a in parameters(owner)):
            yield from self._of_arguments(owner, name, (*seen, key))
        elif not made and owner is not None:
            yield from self._of_variable(name, self._scopes.of(self._context.tree), (*seen, key))

    def _of_arguments(self, function: Function, name: str, seen: tuple[object, ...]) -> Iterator[int | None]:
        """Of what each call of ``function`` gives its parameter ``name``."""
        places = [a.arg for a in function.args.args]
        place = places.index(name) if name in places else len(places)
        for scope in self._scopes.every:
            for call in scope.calls.get(function.name, ()):
                if isinstance(call.func, ast.Name):
                    named = [k.value for k in call.keywords if k.arg == name]
                    for value in named or call.args[place : place + 1]:
                        yield from self._of(value, scope, seen)


def _is_to(assignment: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in assignment.targets)


def _count(given: list[ast.expr]) -> int | None:
    """How many columns a call names."""
    if len(given) == 1 and isinstance(given[0], ast.List):
        given = given[0].elts
    single = all(not isinstance(g, ast.Starred) and not _has_star(g) for g in given)
    return len(given) if given and single and not isinstance(given[0], ast.Name) else None


def _has_star(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and "*" in node.value
