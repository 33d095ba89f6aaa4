"""Python over the elements of an RDD: rows of a frame, tuples, and the values of one key."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.libraries import models
from headwater.python.builtins import dispatch
from headwater.python.exprs.simplify import NONE, choose
from headwater.python.exprs.types import arithmetic
from headwater.python.interpreter.changed_names import augmented_names, mutated_names
from headwater.python.interpreter.outcomes import Effect, Outcome, Split, guarded, matters, uncovered
from headwater.python.rows.row_loops import FoldInterpreter
from headwater.python.values.nested_leaves import joined, mapped, scalars
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Value
from headwater.python.values.slots import Slots
from headwater.python.values.spark_row import METHODS
from headwater.python.values.structures import RecordValue, is_mutable
from headwater.syntax.names.closures import made_function
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater.syntax.source.bindings import parameters, plain_parameters
from headwater_ir.expr import CompareOp, Expr, Raise
from headwater_ir.types import NUMBER

from .row_objects import Columns, RddRow

Function = ast.Lambda | ast.FunctionDef | str
"""A function as it is handed to Spark; a string is the dotted name of one of Python's own."""

OPERATORS: dict[str, ast.operator] = {"operator.add": ast.Add(), "operator.mul": ast.Mult()}
_TUPLE = "builtins.tuple"
_ROWS = frozenset({"pyspark.sql.Row", "pyspark.sql.types.Row"})
EXTREMES: dict[str, CompareOp] = {"builtins.max": ">", "builtins.min": "<"}


class PairInterpreter(FoldInterpreter):
    """Evaluates the functions handed to an RDD on elements and states."""

    def __init__(self, scope: Scope, slots: Slots, columns: Columns, facts: tuple[Expr, ...] = ()) -> None:
        super().__init__(scope, slots)
        self.record_columns, self.facts = columns, facts
        self.place: ast.AST = ast.Module([], [])
        """The call that is being read, for refusals."""

    def parts_known(self, value: AbstractObject) -> bool:
        """Of a row of the frame: whether the schema is complete."""
        return isinstance(value, RddRow) and self.record_columns.source.complete

    # --- applying functions

    def apply(self, function: Function, arguments: list[Value], *, test: bool = False) -> Value:
        """The value of ``function(*arguments)``, with the errors of all that it evaluates. ``test``: that of a lambda
        as a condition, which keeps ``a or b`` apart from the operand that it yields."""
        if isinstance(function, str):
            return self._own(function, arguments)
        names = plain_parameters(function.args)
        if names is None or len(names) != len(arguments):
            raise Refusal("opaque", "a function with other parameters than Spark passes", function)
        effects, path = self.effects, self.path
        self.effects = [((), e) for a in arguments for e in scalars(a) if matters(e, path)]
        called_on, self.called_on = self.called_on, (*self.called_on, *path)
        try:
            env: Env = dict(zip(names, arguments, strict=True))
            with self.scope.entered(function, function):
                if isinstance(function, ast.Lambda):
                    value = self.test(function.body, env) if test else self.any_value(function.body, env)
                else:
                    value = self.outcome(self.run(self.body(function, env), env, ()))
            return self.with_effects(self.effects, value)
        except Refusal as refusal:
            refusal.node = refusal.node or function
            raise
        finally:
            self.effects, self.path, self.called_on = effects, path, called_on

    def with_effects(self, effects: list[Effect], value: Value) -> Value:
        """``value``, after the errors of ``effects`` that evaluating it would not show."""
        found = scalars(value)
        lost = uncovered(effects, found)
        if not lost:
            return value
        if not found:
            raise Refusal("opaque", "an error that depends on the state is hidden")
        first = iter([guarded(lost, found[0])])
        return mapped(value, lambda leaf: next(first, leaf))

    def outcome(self, tree: Outcome) -> Value:
        """The value that a body returns."""
        if isinstance(tree, Split):
            then, otherwise = self.outcome(tree.then), self.outcome(tree.otherwise)
            if isinstance(then, Raise) and isinstance(otherwise, AbstractObject):
                then = mapped(otherwise, lambda _: then)  # type: ignore[arg-type,return-value]
            elif isinstance(otherwise, Raise) and isinstance(then, AbstractObject):
                otherwise = mapped(then, lambda _: otherwise)  # type: ignore[arg-type,return-value]
            return joined(tree.cond, then, otherwise)
        if tree.kind == "raise":
            return Raise(tree.reason)
        return NONE if tree.value is None else tree.value

    def as_tuple(self, value: Value) -> Value:
        """A row as the tuple of its columns, which it is, where their order is known; anything else as it is."""
        columns = self.record_columns
        if isinstance(value, RecordValue) and value.access == "both" and columns.ordered:
            return Items(value.values, mutable=False)  # a row that is kept has all columns in their order
        if not isinstance(value, RddRow) or not columns.ordered:
            return value
        items = (columns.column(self.scope, f.name, self.place) for f in columns.source.fields)
        return Items(tuple(items), mutable=False)

    def unpack(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        """Also the columns of a row."""
        return super().unpack(self.as_tuple(value), node)

    def _own(self, name: str, arguments: list[Value]) -> Value:
        if name == _TUPLE and isinstance(made := self.as_tuple(arguments[0]), Items) and not made.mutable:
            return made
        if len(arguments) != 2 or any(isinstance(a, AbstractObject) for a in arguments):
            raise Refusal("opaque", f"`{name}` of something else than two scalars", self.place)
        a, b = scalars(Items(tuple(arguments), mutable=False))
        if name in OPERATORS:
            for e in (a, b):
                self.number(e)
            return self.arithmetic(self.place, OPERATORS[name], a, b)
        return choose(self.compare(self.place, EXTREMES[name], b, a), b, a)

    def number(self, e: Expr) -> None:
        """Refuse arithmetic on what is not known to be a number."""
        self.scope.hint(e, NUMBER)
        t = self.scope.type(e)
        if not (arithmetic(t) or t.name == "null") or t.name == "decimal":
            raise Refusal("opaque", f"arithmetic on a {t}", self.place)

    # --- expressions

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """Rows, tuples, calls of the module's own functions, and conditionals between tuples."""
        match node:
            case ast.Call(func=ast.Attribute(value=of, attr="asDict"), args=[], keywords=[]):
                row = self._owner(of, env)
                kept = self.kept_row(row, node) if isinstance(row, RddRow) else row
                if isinstance(kept, RecordValue) and kept.access == "both":
                    return replace(kept, access="item", mutable=True)
            case ast.Call(func=made) if (name := self.scope.origin(made)) in _ROWS:
                bound = models.bind(name or "", node)
                names = tuple(bound.named)
                if names and not bound.rest and not METHODS & set(names):
                    values = tuple(self.part_of(v, env) for v in bound.named.values())
                    return RecordValue(names, values, "both", False, self.solid(values))
            case ast.Attribute():
                owner = self._owner(node.value, env)
                if isinstance(owner, RddRow):
                    struct = self.record_columns.struct(node)
                    return struct or self.record_columns.attribute(self.scope, node)
                return self.record_columns.field(self.scope, owner, node)
            case ast.Subscript():
                return self._subscript(node, env)
            case ast.IfExp():
                return self._conditional(node, env)
            case ast.Call(func=ast.Name(id=name)) if name not in env:
                return self._call(name, node, env)
        return None

    def part_of(self, node: ast.expr, env: Env) -> Value:
        """The value of a part of an element."""
        return self.any_value(node, env)

    def _owner(self, node: ast.expr, env: Env) -> Value | None:
        """``node`` as a row or tuple; None if it is something else."""
        if isinstance(node, ast.Name):
            return env.get(node.id)
        if isinstance(node, (ast.Subscript, ast.Attribute, ast.IfExp, ast.Call)):
            return self.object_at(node, env)
        return None

    def _subscript(self, node: ast.Subscript, env: Env) -> Value | None:
        owner = self._owner(node.value, env)
        if isinstance(owner, RddRow):
            struct = self.record_columns.struct(node)
            return struct or self.record_columns.item(self.scope, node)
        if not isinstance(owner, Items):
            return self.record_columns.field(self.scope, owner, node)
        index = _index(node.slice)
        if index is None:
            raise Refusal("opaque", f"the subscript `{self.scope.ctx.text(node)}`", node)
        if not -len(owner.items) <= index < len(owner.items):
            raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}` is beyond the end", node)
        return owner.items[index]

    def _conditional(self, node: ast.IfExp, env: Env) -> Value:
        cond = self.test(node.test, env)
        then, otherwise = self.under(cond, True, node.body, env), self.under(cond, False, node.orelse, env)
        if isinstance(then, AbstractObject) or isinstance(otherwise, AbstractObject):
            self.effect(self.path, cond)
            return joined(cond, then, otherwise)
        return choose(cond, then, otherwise)

    def _call(self, name: str, node: ast.Call, env: Env) -> Value | None:
        function = self.scope.ctx.function(name)
        known = function is not None and not self.scope.shadowed(name) and name not in self.scope.local_names
        if function is None or not known or node.keywords:
            return None
        if not self.scope.ctx.at_top(function) or function.decorator_list:
            return None
        given = [self.any_value(a, env) for a in by_place(name, node)]
        lent = {p.arg for p, v in zip(parameters(function), given, strict=False) if is_mutable(v)}
        if lent and (mutated_names(self, function.body) or augmented_names(function.body) & lent):
            raise Refusal("side-effect", f"`{name}` changes what it is given", node)
        result = self.apply(function, given)
        if lent and is_mutable(result) and _handed_on(function.body) & lent:
            raise Refusal("opaque", "two names for one list, set or dict", node)
        return result

    def function(self, node: ast.expr) -> Function:
        """The function that ``node`` stands for."""
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, ast.Name):
            found = self.scope.ctx.function(node.id)
            if found is not None and node.id not in self.scope.names.imported:
                if found.decorator_list:
                    raise Refusal("opaque", f"`{node.id}` is decorated", node)
                return found
        made = made_function(node, self.scope.names)
        if made is not None:
            return made
        known = self.scope.origin(node)
        if known in EXTREMES or known in OPERATORS or known == _TUPLE:
            return str(known)
        if known is not None and known.startswith("operator.") and (known, "containers") in dispatch.known():
            body = ast.Call(node, [ast.Name("a#", ast.Load()), ast.Name("b#", ast.Load())], [])
            parameters = ast.arguments([], [ast.arg("a#"), ast.arg("b#")], None, [], [], None, [])
            return ast.fix_missing_locations(ast.copy_location(ast.Lambda(parameters, body), node))
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` is not a function of this file", node)

    def truth(self, function: Function, argument: Value) -> Expr:
        """``bool(function(argument))``."""
        value = self.apply(function, [argument], test=True)
        if isinstance(value, AbstractObject):
            raise Refusal("opaque", "the truth of what is no scalar", self.place)
        return self.truth_of(value)


def _handed_on(body: list[ast.stmt]) -> set[str]:
    """Names whose objects, or parts of them, a body may return."""
    todo: list[ast.AST] = [n.value for s in body for n in ast.walk(s) if isinstance(n, ast.Return) and n.value]
    found: set[str] = set()
    while todo:
        match todo.pop():
            case ast.Name(id=name):
                found.add(name)
            case ast.Call() | ast.BinOp() | ast.ListComp() | ast.Subscript(slice=ast.Slice()):
                pass  # these make something new
            case other:
                todo.extend(ast.iter_child_nodes(other))
    return found


def _index(node: ast.expr) -> int | None:
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    if not isinstance(inner, ast.Constant) or type(inner.value) is not int:
        return None
    return inner.value if inner is node else -inner.value
