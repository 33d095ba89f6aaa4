"""Methods of an RDD that make elements of elements, one by one: what each element is made of, as far as that is known.

Law: every element of the RDD that the chain yields for a row is ``element``, whatever the parts are that have no
meaning here; a method that yields several elements, or none, yields only such. So a condition on the parts that are
known holds for all elements of a row or for none, and a row for which it does not hold can be dropped before the chain.
Condition: what has no model does nothing but compute its value (``python/effects``).
Counterexample without it: ``flatMap(lambda r: [(r.k, seen.add(1)), …])`` counts rows.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headwater.libraries import models
from headwater.python.builtins.list_lengths import Lists
from headwater.python.effects import scoped_program
from headwater.python.effects.analysis import Result
from headwater.python.interpreter.outcomes import Path
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Unreadable, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import RecordValue as Fields
from headwater.python.values.structures import is_mutable
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import local_names, plain_parameters
from headwater_ir.expr import Call as Opaque
from headwater_ir.expr import Col, Expr, IsNull, Not, Param
from headwater_ir.types import STRING

from .functions import Function
from .group_by_key import KeyValuesInterpreter
from .method_calls import AGGREGATORS, Call
from .row_objects import Columns, RddRow

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
PASSING = frozenset({"sortBy", "sortByKey", "repartition", "coalesce", "partitionBy", "setName", "cache", "persist"})
"""Methods that move whole elements, or do nothing with them."""


@dataclass(frozen=True)
class Texts(AbstractObject):
    """What ``split`` makes of the text ``of``: some texts. ``how``: the arguments."""

    of: Expr
    how: str


OF_KEY = Unreadable("opaque", "what is made of the values of a key has no model")


class ElementReader(Lists, KeyValuesInterpreter):
    """Reads functions of one element; a part of a tuple, list or dict that has no model is ``Unreadable``.

    ``guesses``: an element of a list of texts is a column of its own, which is not one of the frame's. ``variables``:
    a parameter of the code around is a driver variable.
    """

    def __init__(
        self, scope: Scope, columns: Columns, *, guesses: bool = False,
        variables: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(scope, Slots(scope), columns, scope.facts)
        self.guesses, self.variables = guesses, variables

    def any_value(self, node: ast.expr, env: Env) -> Value:
        """The value of ``node``."""
        if isinstance(node, ast.GeneratorExp):
            raise Refusal("opaque", "a generator: who reads it first uses it up", node)
        if isinstance(node, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in node.elts):
            items = tuple(self.part_of(e, env) for e in node.elts)
            return Items(items, isinstance(node, ast.List), self.solid(items))
        if isinstance(node, ast.Dict) and node.keys and all(_is_text(k) for k in node.keys):
            parts = [self.part_of(v, env) for v in node.values]
            fields = dict(zip((str(getattr(k, "value", "")) for k in node.keys), parts, strict=True))
            values = tuple(fields.values())
            return Fields(tuple(fields), values, solid=self.solid(values))
        return super().any_value(node, env)

    def part_of(self, node: ast.expr, env: Env) -> Value:
        """The value of a part of an element."""
        return self.part(node, lambda: self.any_value(node, env))

    def around(self, node: ast.Name) -> Value:
        """Also a parameter of the code around, which nothing sets anew: the functions of an RDD read it when they run,
        and a pre-filter when it is made."""
        if self.variables and self.scope.ctx.only_given(node.id) and not self.scope.shadowed(node.id):
            return Param(node.id)
        return super().around(node)

    def array_column(self, node: ast.expr, env: Env) -> str | None:
        """The column of arrays that a part of a row is."""
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(self._owner(node.value, env), RddRow):
            return self.record_columns.array(self.scope, node)
        return None

    # --- texts

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """Also the parts of a text."""
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="split" | "rsplit" | "splitlines" as method)):
                given = models.in_order(f"builtins.str.{method}", node)
                if all(isinstance(a, ast.Constant) for a in given):
                    text = self.any_value(owner, env)
                    if not isinstance(text, AbstractObject) and self.scope.type(text) == STRING:
                        return Texts(text, ast.unparse(ast.Tuple(list(given), ast.Load())))
            case ast.Subscript(value=owner, slice=ast.Constant(value=int() as index)):
                parts = env.get(owner.id) if isinstance(owner, ast.Name) else self.object_at(owner, env)
                if isinstance(parts, Texts):
                    return Opaque(f"str.split{parts.how}[{index}]", (parts.of,), STRING)
        return super().object_at(node, env)

    def any_text(self) -> Value:
        """An unknown text that is not None."""
        if not self.guesses:
            return Unreadable("opaque", "one of the parts of a text")
        name = f"text#{len(self.scope.columns)}"
        self.scope.columns[name] = STRING
        self.scope.facts = (*self.scope.facts, Not(IsNull(Col(name))))
        return Col(name)

    def _bound_by(self, generators: Sequence[ast.comprehension], env: Env) -> Env:
        """What the loops of a comprehension bind: a part of a text, or anything."""
        for g in generators:
            names = {n.id for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            found: Value = Unreadable("opaque", "an element of a list without a model")
            if isinstance(g.target, ast.Name):
                over = self.part(g.iter, lambda g=g, env=env: self.any_value(g.iter, env), "elements")  # type: ignore[misc]  # mypy infers no type of a default
                found = self.any_text() if isinstance(over, Texts) else found
            env = {**env, **dict.fromkeys(names, found)}
        return env

    def part(self, node: ast.AST, evaluate: Callable[[], Value], result: Result = "data") -> Value:
        """What ``evaluate`` gives for ``node``; ``Unreadable`` where that is refused and does nothing but compute
        plain data, which is what the functions further up are given."""
        before = dict(self.scope.assumptions), list(self.effects), self.path
        try:
            return evaluate()
        except Refusal as refusal:
            if refusal.obstruction in ("side-effect", "volatile"):
                raise
            self.scope.assumptions, self.effects, self.path = before
            scoped_program.require(self.scope, node, result=result)
            return Unreadable(refusal.obstruction, refusal.reason)

    def evaluated(self, node: ast.expr, env: Env, path: Path) -> Value:
        """The value of ``node``, evaluated on ``path``."""
        return self.part(node, lambda: super(ElementReader, self).evaluated(node, env, path))

    # --- methods

    def step(self, call: Call, element: Value) -> Value:
        """The elements after ``call``."""
        self.place = call.node
        match call.method, call.arguments:
            case "map", (f,):
                return self.apply(self.function(f), [element])
            case "keyBy", (f,) if not is_mutable(element):
                key = self.part(self._body(f), lambda: self.apply(self.function(f), [element]))
                return Items((key, element), mutable=False)
            case "keys" | "values", ():
                return self._pair(call, element)[call.method == "values"]
            case "mapValues", (f,):
                k, v = self._pair(call, element)
                return Items((k, self.part(self._body(f), lambda: self.apply(self.function(f), [v]))), mutable=False)
            case "flatMap", (f,):
                return self._each(self.function(f), element)
            case "flatMapValues", (f,):
                k, v = self._pair(call, element)
                return Items((k, self._each(self.function(f), v)), mutable=False)
            case "mapPartitions", (f,):
                return self._of_partition(self.function(f), element)
            case method, arguments if method in AGGREGATORS:
                return self._keyed(method, arguments, element)
            case _, functions if call.method in PASSING:
                for f in functions:
                    self.require_pure(f)
                return element
        raise Refusal("opaque", f"`{call.method}` of an RDD has no model", call.node)

    def _keyed(self, method: str, arguments: tuple[ast.expr, ...], element: Value) -> Value:
        """One element for each key: a row of it has the key, and its value is one of many."""
        if not isinstance(element, Items) or len(element.items) != 2:
            raise Refusal("opaque", "the elements are not known to be pairs", self.place)
        zero = arguments[:1] if method in ("aggregateByKey", "foldByKey") else ()
        for value in zero:
            scoped_program.require(self.scope, value, result="data")
        for function in arguments[len(zero) :]:
            self.require_pure(function)
        return Items((element.items[0], OF_KEY), mutable=False)

    def _pair(self, call: Call, element: Value) -> tuple[Value, Value]:
        if isinstance(element, Unreadable):  # whatever it is, it has these two parts
            return element, element
        if not isinstance(element, Items) or len(element.items) != 2:
            raise Refusal("opaque", f"`{call.method}` of what is not known to be pairs", call.node)
        return element.items[0], element.items[1]

    def _body(self, node: ast.expr) -> ast.AST:
        """The code of the function that ``node`` stands for; nothing for one that is known to be pure."""
        if scoped_program.is_listed(self.scope.origin(node)):
            return ast.Constant(None)
        function = self.function(node)
        return ast.Constant(None) if isinstance(function, str) else function

    def require_pure(self, node: ast.expr) -> None:
        """Refuse a function that may do more than compute a value."""
        scoped_program.require(self.scope, self._body(node), result="data")

    # --- methods that yield several elements

    def _each(self, function: Function, argument: Value) -> Value:
        """What each of the elements is that ``function(argument)`` lists."""
        if isinstance(function, str):
            raise Refusal("opaque", f"`{function}` as a list of elements", self.place)
        scoped_program.require(self.scope, function, result="elements")
        names = plain_parameters(function.args)
        made = returned(function)
        if names is None or len(names) != 1 or made is None:
            return Unreadable("opaque", "elements of a list that is not written as a literal")
        with_locals = self.scope.local_names
        self.scope.local_names = with_locals | local_names(function)
        try:
            return self.part(made, lambda: self._one_of(made, {names[0]: argument}), "elements")
        finally:
            self.scope.local_names = with_locals

    def _one_of(self, node: ast.expr, env: Env) -> Value:
        """What each element of the list ``node`` is."""
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and node.elts:
            found = [self.any_value(e, env) for e in node.elts]
            return alike(found)
        if isinstance(node, _COMPREHENSIONS):
            return self.any_value(node.elt, self._bound_by(node.generators, env))
        if isinstance(self.any_value(node, env), Texts):
            return self.any_text()
        raise Refusal("opaque", "elements of a list that is not written as a literal", node)

    def _of_partition(self, function: Function, element: Value) -> Value:
        """What each element is that a function of a whole partition yields, if it goes row by row."""
        each = None if isinstance(function, str) else _row_by_row(function)
        if each is None or isinstance(function, str):
            raise Refusal("row-context", "a function of a partition that is not seen to go row by row", self.place)
        scoped_program.require(self.scope, function, partition=True, result="elements")
        return self.part(each, lambda: self.apply(each, [element]))


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def returned(function: ast.Lambda | ast.FunctionDef) -> ast.expr | None:
    """What a function returns that does nothing else."""
    if isinstance(function, ast.Lambda):
        return function.body
    body = _statements(function)
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """The body without its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else function.body


def alike(values: Sequence[Value]) -> Value:
    """What is the same of all ``values``."""
    first = values[0]
    if all(v == first for v in values):
        return first
    if isinstance(first, Items) and not first.unique:
        rows = [v.items for v in values if isinstance(v, Items) and not v.unique and len(v.items) == len(first.items)]
        if len(rows) == len(values):
            mutable = any(isinstance(v, Items) and v.mutable for v in values)
            return Items(tuple(alike(column) for column in zip(*rows, strict=True)), mutable)
    if isinstance(first, Fields):
        if all(isinstance(v, Fields) and v.names == first.names and v.access == first.access for v in values):
            columns = zip(*(v.values for v in values if isinstance(v, Fields)), strict=True)
            return Fields(first.names, tuple(map(alike, columns)), first.access)
    return Unreadable("opaque", "one of several values")


def _row_by_row(function: ast.Lambda | ast.FunctionDef) -> ast.Lambda | ast.FunctionDef | None:
    """The function of one row that ``function`` of an iterator applies to each; None if it is not seen to be one.

    Either a comprehension over the iterator, or one loop over it that binds names afresh and then yields. Nothing else
    reads the iterator, and no name lives from one row to the next: it would be read before it is set.
    """
    names = plain_parameters(function.args)
    if names is None or len(names) != 1:
        return None
    rows = names[0]
    if sum(isinstance(n, ast.Name) and n.id == rows for n in ast.walk(function)) != 1:
        return None
    made = returned(function)
    if isinstance(made, (ast.ListComp, ast.GeneratorExp)) and len(made.generators) == 1:
        loop = made.generators[0]
        if _is(loop.iter, rows) and isinstance(loop.target, ast.Name):
            return ast.copy_location(ast.Lambda(_one(loop.target), made.elt), made)
    if not isinstance(function, ast.FunctionDef):
        return None
    body = _statements(function)
    loop_ = body[0]
    if len(body) != 1 or not isinstance(loop_, ast.For) or loop_.orelse or not isinstance(loop_.target, ast.Name):
        return None
    once = _yields_last(loop_.body)
    if not _is(loop_.iter, rows) or once is None:
        return None
    made_of = ast.FunctionDef(function.name, _one(loop_.target), once, [], None, None)
    return ast.copy_location(made_of, loop_)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _one(target: ast.Name) -> ast.arguments:
    parameter = ast.copy_location(ast.arg(target.id), target)
    return ast.arguments(posonlyargs=[], args=[parameter], kwonlyargs=[], kw_defaults=[], defaults=[])


def _yields_last(body: list[ast.stmt]) -> list[ast.stmt] | None:
    """``body``, which assigns and then yields, perhaps under a condition, with ``return`` in place of ``yield``.

    Where the condition does not hold nothing is yielded, so that what is said of the element is of no consequence.
    """
    *before, last = body
    if not all(isinstance(s, ast.Assign) for s in before):
        return None
    if isinstance(last, ast.If) and not last.orelse:
        inner = _yields_last(last.body)
        return None if inner is None else [*before, *inner]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Yield) and last.value.value is not None:
        return [*before, ast.copy_location(ast.Return(last.value.value), last)]
    return None
