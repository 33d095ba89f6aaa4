"""Python UDTF classes over a partitioned table: one instance per partition, ``eval`` per row, ``terminate`` at the end.

Law: for every sequence of rows of a partition, in every order, the fold's output is the row that Spark stores of what
``terminate`` yields. Attributes are slots, ``eval`` is the step. Measured on Spark 4.3, with Arrow and without:

* A NULL arrives as None and a NaN as NaN, and both leave so. Values are Python's own.
* A new instance is made where a key differs, by Python's ``!=``, from that of the row before; NaN differs from itself.
* A timestamp arrives as a naive ``datetime`` in the time zone of the worker's operating system, and leaves in it.
* A result of another type than the declared one is converted with Arrow and NULL without: refused.
* A partition without rows has no output, ``withSinglePartition`` over nothing included. But where Spark runs a task
  without any row, which adaptive execution avoids, it still calls ``terminate`` on a fresh instance, and fails if that
  yields a row.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, replace

from headwater.libraries import models
from headwater.python.exprs.simplify import NONE, choose
from headwater.python.interpreter.outcomes import End, Outcome, Path, Split, guarded
from headwater.python.rows.fold_builder import Assembly
from headwater.python.rows.outputs import at
from headwater.python.rows.row_loops import FoldInterpreter
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Items, Scope, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import RecordValue
from headwater.python.values.type_inference import read_function, stated_facts
from headwater.semantics.interpreter import Env as Bindings
from headwater.semantics.interpreter import EvaluationError, compile_expr
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import FALSE, TRUE, Col, Expr, If, IsNull, Lit, Raise, Slot, transform, walk
from headwater_ir.expr import Call as Opaque
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold
from headwater_ir.types import ANY, TIMESTAMP

from .class_parts import PREFIX, TableClass, take_apart
from .results import check_results
from .row import TableRow, TableRowColumns

_ROWS = "<the rows of the partition>"
_YIELDED = "<yielded>"
_NOTHING = Raise("nothing is yielded")
"""The values of a row on a path that yields none, which nothing reads."""


@dataclass(frozen=True)
class Call:
    """How the class is called. ``keys``: the partitioning columns, none for one partition of everything; ``arrow``:
    ``useArrow`` as far as it is stated; ``no_empty_task``: what to assume for Spark to run no task without rows, None
    if it may run one."""

    keys: tuple[str, ...]
    source: Schema
    output: Schema
    arrow: bool | None
    no_empty_task: Assumption | None
    facts: tuple[Expr, ...] = ()
    assume_pure: frozenset[str] = frozenset()


def fold_table_function(ctx: Context, node: ast.ClassDef, call: Call) -> Fold:
    """The fold of the class ``node``; Refusal where its meaning is not known."""
    if not call.output.complete or not call.output.fields:
        raise Refusal("opaque", "the declared output columns are not known", node)
    try:
        parts = take_apart(node)
    except Refusal as error:
        raise at(node, error) from None
    facts = stated_facts(call.facts, call.source)

    def attempt(scope: Scope) -> Fold:
        run = UdtfInterpreter(parts, call, scope)
        try:
            emit, values = run.outcome()
            check_results(scope, run.slots, values, call.output, call.arrow, node)
            assembly = Assembly(run, scope, facts, call.source, call.keys, api="udtf", nan_is_null=False)
            return assembly.fold(node.name, emit, list(values), call.output)
        except Refusal as error:
            raise at(node, error) from None

    return read_function(ctx, attempt, node, local=parts.names(), assume_pure=call.assume_pure, facts=facts)


class UdtfInterpreter(FoldInterpreter):
    """Runs the methods of one class."""

    def __init__(self, parts: TableClass, call: Call, scope: Scope) -> None:
        super().__init__(scope, Slots(scope))
        own, row = parts.names(), (parts.row,)
        step = self.written_out(parts.eval, own, row, row, parts.helpers)
        self.parts, self.call = replace(parts, eval=step), call
        self._columns = TableRowColumns(call.source, call.source.complete)
        self._terminating = False

    # --- the life of an instance

    def outcome(self) -> tuple[Expr, list[Expr]]:
        """Whether ``terminate`` yields a row, and its values."""
        place = self.parts.node
        for key in self.call.keys:
            self._check_key(key)
        env = self._attributes(self._straight(self.parts.init, {}))
        rows = ast.For(ast.Name(self.parts.row, ast.Store()), ast.Name(_ROWS, ast.Load()), self.parts.eval, [])
        tree = self.loop(ast.copy_location(rows, place), env, ())
        assert isinstance(tree, End)
        before, self.effects = self.effects, []
        self._terminating = True
        nothing: Env = {_YIELDED: FALSE, **{_output(i): _NOTHING for i in self._outputs}}
        tree = self.run(self.parts.terminate, {**self._attributes(tree.env), **nothing}, ())
        emit = self._emitted(tree)
        self._check_fresh(emit)
        self.effects = [*before, *self.effects]
        self._check_times([emit, *(self._value(tree, i) for i in self._outputs)])
        copies = self._key_copies()
        return _with_keys(emit, copies), [_with_keys(_asked_for(self._value(tree, i)), copies) for i in self._outputs]

    @property
    def _outputs(self) -> range:
        return range(len(self.call.output.fields))

    def _straight(self, body: list[ast.stmt], env: Env) -> Env:
        tree = self.run(body, env, ())
        if not isinstance(tree, End) or tree.kind != "next":
            raise Refusal("opaque", "`__init__` has several ends", self.parts.node)
        return tree.env

    def _attributes(self, env: Env) -> Env:
        return {name: v for name, v in env.items() if name.startswith(PREFIX)}

    def _check_key(self, key: str) -> None:
        """A partition ends where a key, as Python sees it, differs from the last one."""
        known = self.call.source.type_of(key)
        t = known if known != ANY else self.scope.assumed_types.get(key, ANY)
        if t.name in ("list", "opaque"):
            raise Refusal("opaque", f"when two values of the partitioning column `{key}` differ", self.parts.node)
        if t in (TIMESTAMP, ANY):
            self.scope.assume(f"no `{key}` lies in an hour that the workers' time zone repeats", "clock")

    def _check_fresh(self, emit: Expr) -> None:
        """What ``terminate`` does without any row: nothing, or Spark must not come to ask."""
        unset = self.loops[0].unset
        start = {
            i: Raise(f"`{self.slots.names[i]}` is not set") if i in unset else e for i, e in enumerate(self.slots.init)
        }
        condition = transform(
            guarded(self.effects, emit), lambda e: start.get(e.index) if isinstance(e, Slot) else None
        )
        if _is_false(condition):
            return
        if self.call.no_empty_task is None:
            raise Refusal(
                "may-throw",
                "`terminate` on an instance that has seen no row yields one or raises, at which Spark fails where a "
                "pre-filter leaves a task without rows: yield only if there were rows",
                self.parts.node,
            )
        self.scope.assume(self.call.no_empty_task.text, self.call.no_empty_task.kind)

    def _check_times(self, results: list[Expr]) -> None:
        """Refuse constant timestamps: those of columns are in the workers' time zone, a constant in none."""
        loop = (e for path, e in self.loops[0].effects for e in (e, *(c for c, _ in path)))
        after = (e for path, e in self.effects for e in (e, *(c for c, _ in path)))
        for e in (*results, *self.slots.init, *self.slots.step, *loop, *after):
            if any(isinstance(n, Lit) and n.value is not None and n.type == TIMESTAMP for n in walk(e)):
                reason = "a constant timestamp beside those of columns, which are in the workers' time zone"
                raise Refusal("opaque", reason, self.parts.node)

    def _key_copies(self) -> dict[int, Expr]:
        """Slots that hold a key column once there was a row: set in every ``eval``, or in the first."""
        found: dict[int, Expr] = {}
        for i, (init, step) in enumerate(zip(self.slots.init, self.slots.step, strict=True)):
            first = isinstance(step, If) and step.cond == IsNull(Slot(i)) and step.otherwise == Slot(i) and init == NONE
            value = step.then if first and isinstance(step, If) else step
            if isinstance(value, Col) and value.name in self.call.keys:
                found[i] = value
        return found

    # --- rows and results

    def iterated(self, node: ast.expr, env: Env) -> Rows | None:
        """The rows of the partition."""
        return Rows(TableRow()) if isinstance(node, ast.Name) and node.id == _ROWS else None

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name, or in a list: a record of all its columns."""
        if not isinstance(value, TableRow):
            return value
        names = self._columns.names(node)
        cells = tuple(self._columns.column(self.scope, n, node) for n in names)
        return RecordValue(names, cells, "both", False, self.solid(cells))

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """``row["x"]``, ``row.x`` and ``Row(a, b)``."""
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.value, ast.Name):
            if isinstance(env.get(node.value.id), TableRow):
                return self._columns.read(self.scope, node)
        if isinstance(node, ast.Call) and self.scope.names.resolve(node.func) in (
            "pyspark.sql.Row",
            "pyspark.sql.types.Row",
        ):
            given = models.bind("pyspark.sql.Row", node)
            if given.named:
                raise Refusal("opaque", "a Row whose values are named: their order is what counts", node)
            return Items(tuple(self.any_value(a, env) for a in given.rest), mutable=False)
        return super().object_at(node, env)

    def statement(self, node: ast.stmt, env: Env, path: Path) -> Outcome:
        """Adds ``yield``; ``raise`` must not be the signal to skip the rest of the partition."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and self._terminating:
            return End("next", self._yield(node.value, env, path))
        if isinstance(node, ast.Raise) and not _is_plain_error(self.scope, node):
            raise Refusal("opaque", "what is raised may only end the partition early", node)
        return super().statement(node, env, path)

    def _yield(self, node: ast.Yield, env: Env, path: Path) -> Env:
        if env.get(_YIELDED) != FALSE:
            raise Refusal("multiplicity", "a partition may give several rows", node)
        if node.value is None:
            raise Refusal("opaque", "a row without values", node)
        row = self.evaluated(node.value, env, path)
        return {**env, _YIELDED: TRUE, **{_output(i): v for i, v in enumerate(self._row(row, node))}}

    def _row(self, row: Value | None, node: ast.AST) -> list[Expr]:
        if not isinstance(row, Items):
            raise Refusal("opaque", "a row that is not written as a tuple", node)
        if len(row.items) != len(self._outputs):
            raise Refusal("may-throw", "the row has not as many values as are declared", node)
        return [self.plain(self.parts.node, v) for v in row.items]

    def _emitted(self, tree: Outcome) -> Expr:
        if isinstance(tree, Split):
            return choose(tree.cond, self._emitted(tree.then), self._emitted(tree.otherwise))
        if tree.kind == "raise":
            return Raise(tree.reason)
        if self.parts.generator:
            return self.plain(self.parts.node, tree.env[_YIELDED])
        return FALSE if self._returned(tree) is None else TRUE

    def _returned(self, leaf: End) -> list[Expr] | None:
        """The one row of the list that ``terminate`` returns; None for an empty list or None."""
        if leaf.value is None or leaf.value == NONE:
            return None
        if not isinstance(leaf.value, Items):
            raise Refusal("opaque", "`terminate` returns something other than a list of rows", self.parts.node)
        if len(leaf.value.items) > 1:
            raise Refusal("multiplicity", "a partition may give several rows", self.parts.node)
        return self._row(leaf.value.items[0], self.parts.node) if leaf.value.items else None

    def _value(self, tree: Outcome, index: int) -> Expr:
        if isinstance(tree, Split):
            return choose(tree.cond, self._value(tree.then, index), self._value(tree.otherwise, index))
        if tree.kind == "raise":
            return _NOTHING
        if self.parts.generator:
            return self.plain(self.parts.node, tree.env[_output(index)])
        row = self._returned(tree)
        return _NOTHING if row is None else row[index]

    # --- methods that compute a value

    def inline(self, name: str, node: ast.Call, env: Env) -> Expr | None:
        """The value of ``self.method(…)`` or of a function of the module."""
        helper = self.parts.helpers.get(name)
        if helper is None:
            return super().inline(name, node, env)
        names = plain_parameters(helper.args)
        arguments = by_place(name, node)
        if names is None or len(names) != len(arguments):
            return None
        given = {n: self.value(a, env) for n, a in zip(names, arguments, strict=True)}
        return self.called(helper, node, given, self._attributes(env))


def _is_false(condition: Expr) -> bool:
    """Whether a condition on nothing but constants is false, and raises nothing."""
    if any(isinstance(n, Opaque) for n in walk(condition)):
        return False
    try:
        return compile_expr(condition)(Bindings()) is False
    except EvaluationError:
        return False


def _output(index: int) -> str:
    return f"<output {index}>"


def _asked_for(e: Expr) -> Expr:
    """``e`` without the branches in which nothing is yielded."""
    if not isinstance(e, If):
        return e
    then, otherwise = _asked_for(e.then), _asked_for(e.otherwise)
    if _NOTHING in (then, otherwise):
        return otherwise if then == _NOTHING else then
    return choose(e.cond, then, otherwise)


def _with_keys(e: Expr, copies: dict[int, Expr]) -> Expr:
    return transform(e, lambda n: copies.get(n.index) if isinstance(n, Slot) else None)


def _is_plain_error(scope: Scope, node: ast.Raise) -> bool:
    """Whether the statement raises one of Python's own errors."""
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    module, _, name = ((raised and scope.origin(raised)) or "").rpartition(".")
    found = getattr(builtins, name, None) if module == "builtins" else None
    return isinstance(found, type) and issubclass(found, Exception)
