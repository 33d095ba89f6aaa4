"""Which columns a subscript names: by a text that stands in the file, or by the text that a variable holds.

Law: ``frame[name]`` behind the wall and ``select(name)`` in front of it name the same column if the variable holds the
same text at both. Conditions: nothing binds it in between. A parameter that the function never binds has one value in
each call; so has a variable that one statement binds, in a block around the wall and outside of loops; and any variable
inside one plain statement that does not bind it. That it holds a text, and no list, mask or place, is assumed.
Counterexample: ``for c in names: if frame is None: frame = df.toPandas()`` reads ``frame[c]`` with another ``c`` later.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from copy import copy

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.constant_text import assigned, elements, text_of
from headwater.pyspark.frames.tracked_values import Binding, Unevaluated, Unknown
from headwater.syntax.source.bindings import bound_names

from .places import Places

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_MADE = (ast.Call, ast.Subscript, ast.Attribute, ast.JoinedStr, ast.BinOp)
"""Expressions that may give a text."""


class ColumnChoice:
    """The names of columns behind the ``wall``, in a scope with this ``body`` (of a ``function``, if it is one).
    ``attributes``: the variables of the scope are attributes of a class, which other code reads."""

    def __init__(
        self, wall: ast.Call, scope: ApiContext, places: Places,
        function: ast.FunctionDef | ast.AsyncFunctionDef | None, *, attributes: bool,
    ) -> None:  # fmt: skip
        self._wall, self._scope, self._places, self._function = wall, scope, places, function
        self._variables = not attributes and not scope.names.reflective
        self._calls = not scope.names.reflective

    def resolve(self, node: ast.expr) -> str | None:
        """The full name of the function that ``node`` is."""
        return self._scope.names.resolve(node)

    @property
    def draws(self) -> bool:
        """Whether pandas draws by matplotlib, as far as the file tells; what else draws is handed the whole frame."""
        return not self._scope.names.ctx.mentions("plotting")

    def function(self, call: ast.Call) -> ast.FunctionDef | None:
        """The function that ``call`` calls, if the file defines it once, at its top level, and nothing changes it."""
        return None if not self._calls else own_function(call.func, self._scope)

    def of_constants(self) -> ColumnChoice:
        """The same inside a function of the file, where variables are others."""
        found = copy(self)
        found._variables = found._calls = False
        return found

    def text(self, node: ast.expr) -> str | None:
        """The text that ``node`` surely is."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr) and all(isinstance(p, ast.Constant) for p in node.values):
            return text_of(node, self._scope.names, lambda _: None)
        return text_of(node, self._scope.names, self._lookup) if self._variables else None

    def number(self, node: ast.expr) -> int | None:
        """The whole number that ``node`` surely is."""
        match self.constant(node):
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                return value
            case ast.UnaryOp(operand=ast.Constant(value=int() as value)) if not isinstance(value, bool):
                return -value
        return None

    def constant(self, node: ast.expr) -> ast.expr | None:
        """The number, text or flag that ``node`` surely is, as it is written."""
        if self._variables and isinstance(node, (ast.Name, ast.Attribute)):
            node = assigned(node, self._scope.names, self._lookup)
        match node:
            case ast.Constant(value=int() | float() | str()):
                return node
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
                return node
        return None

    def constants(self, nodes: Iterable[ast.AST]) -> dict[str, ast.expr]:
        """What those variables in ``nodes`` hold of which that is known; ``@name`` in a text may name one."""
        found: dict[str, ast.expr] = {}
        for node in (n for whole in nodes for n in ast.walk(whole)):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            for name in [node.id] if isinstance(node, ast.Name) else re.findall(r"@(\w+)", text):
                held = self.constant(ast.Name(name, ast.Load()))
                if held is not None:
                    found[name] = held
        return found

    def texts(self, node: ast.expr) -> tuple[str, ...] | None:
        """The different texts of the list that ``node`` surely is."""
        node = self._not_changed_yet(node) or node
        if not self._is_list(node):
            return None  # of a tuple, pandas takes one column
        items = node.elts if isinstance(node, ast.List) else None
        if self._variables:
            items = elements(node, self._scope.names, self._lookup)
        found = [t for item in items or () if (t := self.text(item)) is not None]
        return tuple(found) if items and len({*found}) == len(items) else None

    def _not_changed_yet(self, node: ast.expr) -> ast.List | None:
        """The list of texts that the variable ``node`` was assigned, where nothing has read it in between that may have
        changed it or kept it: whoever does so behind it comes too late."""
        if not isinstance(node, ast.Name) or not self._variables or node.id in self._scope.names.rebound:
            return None
        made = self._places.made_once(node)
        if not isinstance(made, ast.List) or self._lookup(node.id) is None:
            return None
        plain = all(isinstance(e, ast.Constant) for e in made.elts)
        return made if plain and self._places.is_untouched(node.id, node) else None

    def _is_list(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name) and self._variables:
            node = assigned(node, self._scope.names, self._lookup)
        match node:
            case ast.BinOp(left=left, op=ast.Add()):
                return self._is_list(left)
        return isinstance(node, (ast.List, ast.ListComp))

    def one_or_more(self, node: ast.expr) -> tuple[str, ...] | None:
        """The text, or the texts of the list."""
        name = self.text(node)
        return self.texts(node) if name is None else (name,)

    def variable(self, node: ast.expr) -> str | None:
        """The variable ``node``, which may hold a text, the same as at the wall."""
        if not isinstance(node, ast.Name) or not self._variables or node.id in self._scope.names.rebound:
            return None
        bound = self._scope.lookup(node.id)
        if bound is None or not self._is_own(node) or self._may_come_by_a_star(node.id):
            return None
        if isinstance(bound.value, Unknown) and bound.value.origin == f"parameter {node.id}":
            return node.id if self._is_never_bound(node.id) and self._takes_text(node.id) else None
        if not _may_be_text(bound):
            return None
        return node.id if self._is_bound_before(node.id) or self._is_in_one_statement(node) else None

    def is_one_text(self, name: str) -> bool:
        """Whether the variable ``name`` of ``variable`` is a text by its annotation, its default or what is assigned to
        it. pandas takes a list of names as well; ``Row`` takes none."""
        argument, default = self._parameter(name)
        if argument is not None:
            return argument.annotation is not None or default is not None
        bound = self._scope.lookup(name)
        return (
            bound is not None and isinstance(bound.value, Unevaluated) and isinstance(bound.value.node, ast.JoinedStr)
        )

    def _lookup(self, name: str) -> Binding | None:
        """What the variable ``name`` holds wherever it is read: one that is bound once, before the wall, or behind it
        to a literal."""
        if self._scope.names.ctx.times_bound(name) != 1 and not self._is_bound_once_here(name):
            return None
        if self._may_come_by_a_star(name):
            return None
        return self._scope.lookup(name) or self._bound_later(name)

    def _may_come_by_a_star(self, name: str) -> bool:
        """Whether a star import behind the wall may bind the variable."""
        scope = self._scope
        is_local = not scope.is_module and name in scope.own
        return not is_local and scope.names.ctx.starred_after(name, self._wall.lineno)

    def _is_bound_once_here(self, name: str) -> bool:
        """Whether one assignment alone binds the variable ``name`` of the function that the wall is in."""
        scope, others = self._scope, self._scope.names.ctx.bound_by(name) - {ast.Name, ast.arg}
        plain = name not in scope.names.imported and not others
        return not scope.is_module and name in scope.own and plain and self._places.times_bound(name) == 1

    def _bound_later(self, name: str) -> Binding | None:
        stores = [n for n in self._places.named(name) if isinstance(n.ctx, ast.Store)]
        made = self._places.around(stores[0]) if len(stores) == 1 else None
        if not isinstance(made, ast.Assign) or made.targets != stores or self._places.scope_of(made) is not None:
            return None
        parts = made.value.elts if isinstance(made.value, ast.List) else [made.value]
        return Binding(name, -1, Unevaluated(made.value)) if all(isinstance(p, ast.Constant) for p in parts) else None

    def _is_own(self, node: ast.Name) -> bool:
        """Whether ``node`` reads the variable of the scope that the wall is in, and not one of a function or
        comprehension around it."""
        around = {id(n) for n in self._places.outward(self._wall)}
        inner = (n for n in self._places.outward(node) if id(n) not in around)
        return not any(self._places.binds(n, node.id) for n in inner)

    def _takes_text(self, name: str) -> bool:
        """Whether the parameter ``name`` may be given a text, for all that is written of it."""
        argument, default = self._parameter(name)
        if argument is None or not (default is None or self.text(default) is not None):
            return False
        return argument.annotation is None or self._scope.names.resolve(argument.annotation) == "builtins.str"

    def _parameter(self, name: str) -> tuple[ast.arg | None, ast.expr | None]:
        """The parameter ``name`` of the function, and its default."""
        if self._function is None:
            return None, None
        given = self._function.args
        plain = [*given.posonlyargs, *given.args]
        defaults = dict(zip((a.arg for a in reversed(plain)), reversed(given.defaults), strict=False))
        defaults |= {a.arg: d for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d is not None}
        return next((a for a in (*plain, *given.kwonlyargs) if a.arg == name), None), defaults.get(name)

    def _is_never_bound(self, name: str) -> bool:
        stores = any(not isinstance(n.ctx, ast.Load) for n in self._places.named(name))
        return not stores and name not in bound_names(self._places.body)

    def _is_bound_before(self, name: str) -> bool:
        """Whether one statement in a block around the wall, in front of it and in no loop, binds the variable."""
        stores = [n for n in self._places.named(name) if not isinstance(n.ctx, ast.Load)]
        made = self._places.statement(stores[0]) if len(stores) == 1 else None
        if not isinstance(made, (ast.Assign, ast.AnnAssign)) or self._places.around(stores[0]) is not made:
            return False
        names = self._scope.names  # a definition, an import or a pattern may bind it too
        if name in names.imported or not names.ctx.bound_by(name) <= {ast.Name, ast.arg}:
            return False
        if any(isinstance(n, _LOOPS) for n in self._places.outward(made)):
            return False
        return self._places.comes_before(made, self._wall)

    def _is_in_one_statement(self, node: ast.Name) -> bool:
        """Whether the wall and ``node`` are evaluated by one statement, in one scope, which binds no such variable."""
        mine = self._places.statement(node)
        if mine is not self._places.statement(self._wall) or not isinstance(mine, _PLAIN):
            return False
        if self._places.scope_of(node) is not self._places.scope_of(self._wall):
            return False
        return node.id not in bound_names([mine])


def _may_be_text(bound: Binding) -> bool:
    match bound.value:
        case Unknown(never_frame=False):
            return not bound.is_frame
        case Unevaluated(node=node):
            return isinstance(node, _MADE)
    return False


def own_function(node: ast.expr, scope: ApiContext) -> ast.FunctionDef | None:
    """The function that the variable ``node`` holds, if the file defines it once, at its top level, and plainly."""
    if not isinstance(node, ast.Name) or node.id in scope.names.rebound:
        return None
    bound = scope.lookup(node.id)
    if bound is None or bound.is_frame:
        return None
    function = scope.names.ctx.function(node.id)
    if not isinstance(function, ast.FunctionDef) or function.decorator_list or not scope.names.ctx.at_top(function):
        return None
    return function
