"""What a file makes of values on the driver: frames in its variables and parameters, and tables that it fills.

Nothing is proved with it: another file may call a function, or write to a table. It tells what the program is about.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cached_property

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.bindings import own_nodes, parameters
from headwater_ir.plan import Plan, Scan
from headwater_ir.span import Span
from headwater_ir.walks import below

from .nodes_around import nodes_around
from .scope_nodes import FUNCTIONS, Function, ScopeNodes, Scopes
from .worth import made_of_values

_FILLS = frozenset({"saveAsTable", "insertInto"})
_FILES = frozenset("csv json orc parquet save".split())
"""Methods of writers that are given the path of the files."""
_WRITES = (*sorted(_FILLS), *sorted(_FILES), "sql")
_OF_TWO = frozenset("crossJoin exceptAll intersect intersectAll join subtract union unionAll unionByName".split())
_SUMMARIES = frozenset({"ComputeModelStatistics", "SummarizeData"})
"""Transformers of SynapseML that give a row of statistics, or one for each column."""
_INSERTED = re.compile(
    r"\s*insert\s+(?:into|overwrite)\s+(?:table\s+)?((?:\{[^{}]*\}|[^\s({])+)(?!.*\bselect\b).*\bvalues\b",
    re.IGNORECASE | re.DOTALL,
)


class DriverValues:
    """The frames of one file that hold values of the driver, and the tables that it writes such frames to."""

    def __init__(self, context: Context) -> None:
        self._context, self._scopes = context, Scopes.of_file(context)
        self._asked: dict[tuple[object, ...], bool] = {}

    def makes(self, plan: Plan) -> bool:
        """Whether all rows of ``plan`` come of values."""
        return made_of_values(plan, self._is_given)

    def of_model(self, plan: Plan) -> bool:
        """Whether the one source of ``plan`` is an attribute of a model that the file fits: its weights, or a curve."""
        sources = [at for at in below(plan) if isinstance(at, Scan)]
        if len(sources) != 1 or sources[0].format != "unknown":
            return False
        around = nodes_around(self._context, sources[0].span)
        root: ast.AST | None = around[0] if around and isinstance(around[0], ast.Attribute) else None
        while isinstance(root, ast.Attribute):
            root = root.value
        name = root.id if isinstance(root, ast.Name) else ""
        scope = next((n for n in around if isinstance(n, FUNCTIONS)), self._context.tree)
        made = [n for n in self._scopes.of(scope).bound.get(name, ()) if isinstance(n, ast.Assign)]
        of = [n.value for n in made if any(isinstance(t, ast.Name) and t.id == name for t in n.targets)]
        return bool(of) and all(map(_is_fitted, of))

    def fills(self, plan: Plan) -> bool:
        """Whether the one source of ``plan`` is a table, or the files at a path, that the file writes values to."""
        tables = [at for at in below(plan) if isinstance(at, Scan)]
        if len(tables) != 1 or tables[0].format in ("memory", "unknown"):
            return False
        call = next((n for n in nodes_around(self._context, tables[0].span) if isinstance(n, ast.Call)), None)
        return call is not None and len(call.args) == 1 and _template(call.args[0]) in self._filled

    @cached_property
    def _filled(self) -> set[str]:
        """The tables and paths that the file writes values to, as templates of their names."""
        found: set[str] = set()
        for scope in self._scopes.every:
            for node in (n for method in _WRITES for n in scope.calls.get(method, ())):
                match node:
                    case ast.Call(func=ast.Attribute(value=frame, attr=method), args=[name, *_]) if method in _FILLS:
                        found |= {_template(name)} if self._was_made(frame, scope) else set()
                    case ast.Call(func=ast.Attribute(value=writer, attr=method), args=[path, *_]) if method in _FILES:
                        written = _writes(writer) and not isinstance(path, ast.Name)  # many variables have one name
                        found |= {_template(path)} if written and self._was_made(writer, scope) else set()
                    case ast.Call(func=ast.Attribute(attr="sql"), args=[text, *_]):
                        inserted = _INSERTED.match(_template(text))
                        found |= set() if inserted is None else {inserted[1]}
        return found - {""}

    def _is_given(self, source: Span) -> bool:
        around = nodes_around(self._context, source)
        name = next((n for n in around if isinstance(n, ast.Name)), None)
        scope = next((n for n in around if isinstance(n, FUNCTIONS)), self._context.tree)
        return name is not None and self._holds(name.id, self._scopes.of(scope))

    def _is_made(self, node: ast.expr, scope: ScopeNodes) -> bool:
        """Whether every frame that ``node``, in ``scope``, may give is made of values, or of such a frame."""
        while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
            match node:
                case ast.Call(func=ast.Attribute(attr="createDataFrame")):
                    return True
                case ast.Call(func=ast.Attribute(value=ast.Name(), attr="range"), args=[*ends]) if ends:
                    return all(isinstance(e, ast.Constant) for e in ends)
                case ast.Call(func=ast.Attribute(attr="fit"), args=[frame, *_]):
                    return self._is_made(frame, scope)  # all that a model makes of itself is made of that
                case ast.Call(func=ast.Attribute(value=tool, attr="transform"), args=[frame]):
                    if self._summarizes(tool, scope) or self._is_made(frame, scope):
                        return True
                case ast.Call(func=ast.Name(id=name)):
                    return self._returns(name)
                case ast.Call(func=ast.Attribute(attr=method), args=[other, *_]) if method in _OF_TWO:
                    if not self._is_made(other, scope):
                        return False
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and self._holds(node.id, scope)

    def _summarizes(self, tool: ast.expr, scope: ScopeNodes) -> bool:
        """Whether ``tool`` is a transformer that gives few rows whatever it is given."""
        while isinstance(tool, ast.Call) and isinstance(tool.func, ast.Attribute):
            tool = tool.func.value  # a setter gives the tool itself
        match tool:
            case ast.Call(func=ast.Name(id=name)):
                return name in _SUMMARIES
            case ast.Name(id=name):
                made = (n for n in scope.bound.get(name, ()) if isinstance(n, ast.Assign))
                of = [n.value for n in made if isinstance(n.targets[0], ast.Name) and n.targets[0].id == name]
                return len(of) == 1 and not isinstance(of[0], ast.Name) and self._summarizes(of[0], scope)
        return False

    def _was_made(self, node: ast.expr, scope: ScopeNodes) -> bool:
        """As ``_is_made``, of what the last assignment above ``node`` gives its variable."""
        root = node
        while isinstance(root, (ast.Call, ast.Attribute, ast.Subscript)):
            root = root.func if isinstance(root, ast.Call) else root.value
        above = [
            n.value
            for n in (scope.bound.get(root.id, ()) if isinstance(root, ast.Name) else ())
            if isinstance(n, ast.Assign) and n.lineno < node.lineno
            if isinstance(n.targets[0], ast.Name) and isinstance(root, ast.Name) and n.targets[0].id == root.id
        ]
        last = max(above, key=lambda v: v.lineno, default=None)
        return self._is_made(node, scope) or (last is not None and self._is_made(last, scope))

    def _holds(self, name: str, scope: ScopeNodes) -> bool:
        """Whether the variable ``name`` of ``scope`` never holds another frame."""
        return self._once(("variable", name, scope.function), lambda: self._variable(name, scope))

    def _returns(self, function: str, place: int | None = None) -> bool:
        """Whether the function of that name returns no other frame, at a ``place`` of a tuple if one is given."""
        return self._once(("function", function, place), lambda: self._results(function, place))

    def _once(self, key: tuple[object, ...], answer: Callable[[], bool]) -> bool:
        if key not in self._asked:
            self._asked[key] = True  # what is made of itself is as everything else that it is made of
            self._asked[key] = answer()
        return self._asked[key]

    def _variable(self, name: str, scope: ScopeNodes) -> bool:
        made, bound = list[bool](), 0
        for node in scope.bound.get(name, ()):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    made.append(self._is_made(value, scope))
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call(func=ast.Name(id=function))):
                    places = (i for i, t in enumerate(targets) if isinstance(t, ast.Name) and t.id == name)
                    made += [self._returns(function, place) for place in places]
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call(func=ast.Attribute()) as value):
                    split = isinstance(value.func, ast.Attribute) and value.func.attr == "randomSplit"
                    parts = (t for t in targets if isinstance(t, ast.Name) and t.id == name)
                    made += [split and self._is_made(value, scope) for _ in parts]
                case ast.Name(id=target) if target == name:
                    bound += 1
        if bound != len(made) or not all(made):
            return False
        owner = scope.function
        if owner is not None and name in {a.arg for a in parameters(owner)}:
            made = list(self._arguments(owner, name))
            return bool(made) and all(made)
        return bool(made) or (owner is not None and self._holds(name, self._scopes.of(self._context.tree)))

    def _results(self, name: str, place: int | None) -> bool:
        function = self._context.function(name)
        if function is None:
            return False
        results = [n.value for n in own_nodes(function) if isinstance(n, ast.Return)]
        if place is not None:
            results = [r.elts[place] if isinstance(r, ast.Tuple) and place < len(r.elts) else None for r in results]
        return bool(results) and all(r is not None and self._is_made(r, self._scopes.of(function)) for r in results)

    def _arguments(self, function: Function, name: str) -> Iterator[bool]:
        """Of each call of ``function`` whether it gives the parameter ``name`` a frame of values."""
        if self._context.function(function.name) is not function:
            yield False
        place = [a.arg for a in function.args.args].index(name) if name in _plain(function) else None
        calls = ((c, scope) for scope in self._scopes.every for c in scope.calls.get(function.name, ()))
        for node, scope in ((c, scope) for c, scope in calls if isinstance(c.func, ast.Name)):
            named = [k.value for k in node.keywords if k.arg == name]
            placed = node.args[place : place + 1] if place is not None else []
            yield any(self._is_made(v, scope) for v in (*named, *placed))


def _is_fitted(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fit"


def _writes(node: ast.expr) -> bool:
    """Whether ``node`` is the writer of a frame."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return isinstance(node, ast.Attribute) and node.attr == "write"


def _plain(function: Function) -> set[str]:
    return {a.arg for a in function.args.args}


def _template(node: ast.expr) -> str:
    """A text with the expressions in it as they are written; empty for what is no text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_template, parts))
        case ast.FormattedValue(value=value):
            return f"{{{ast.unparse(value)}}}"
        case ast.Name(id=name):
            return f"{{{name}}}"
    return ""
