"""``mapInPandas`` and ``mapInArrow`` with a generator that treats each row by itself: ``for pdf in it: …; yield …``.

Law: each row that comes out is made of one row that goes in, and a row gives at most one. So for a filter P of what
comes out, ``σ_P(f(d)) = f(σ_{P ∘ f}(d))`` whichever rows f itself drops: a row that it drops is gone with and without
the filter, so ``emit`` plays no part. (MagicPush section 4.2, ROW-TO-ROW and row filters.)
Condition: what is put into a row depends on that row alone, however Spark cuts the batches. So only operators on
columns whose value in a row is an expression over that row, as in ``series_rows``. Integers beside a NULL are ``Int64``
here, not floats: a comparison is ``<NA>`` then. Such a value has no name here, and arithmetic on it is refused, for
with a NaN in the other operand the result is NaN or NULL depending on the rest of the batch.
Side conditions: the declared type is the column's own, for pandas' two integer types do not convert alike.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from headwater.python.exprs.simplify import NAN
from headwater.python.rows.outputs import at, converted
from headwater.python.rows.row_sequences import Made, RowSequence, Series
from headwater.python.values.scope import Env, Scope, Value
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import known_columns, read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import Arith, Col, Expr, If, IsNull, Lit, columns_of, slots_of, walk
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import STRING
from headwater_ir.unread import hidden_value

from .functions import Array
from .group import Group
from .map_in_arrow import passes_rows
from .series_udf import SeriesReader, of_batches

ROW = "the row"
"""A ghost column that stands for all that the function may read of a row."""
_UNCERTAIN = ("int", "number", "any", "bool")
"""Types whose columns look otherwise beside a NULL."""


@dataclass(frozen=True)
class Batch(RowSequence):
    """A batch of rows, with the columns that were set since, and those that were dropped or not chosen."""

    only: frozenset[str] | None = None
    dropped: frozenset[str] = frozenset()


class BatchGroup(Group):
    """The columns of a batch as the function sees them."""

    def series(self, frame: RowSequence, name: str) -> Series:
        """``frame[name]``."""
        assert isinstance(frame, Batch)
        found = next((m for m in frame.made if m.name == name), None)
        if found is None:
            return super().series(frame, name)
        if found.element is None:
            raise Refusal("opaque", f"`{name}` is computed of what looks otherwise beside a NULL")
        if found.column is not None:
            return Series(frame, self.view(found.column), found.column)
        return Series(frame, found.element, present=found.present)

    def view(self, name: str) -> Expr:
        """The value of column ``name`` in a row. Integers stay integers beside a NULL; what shows it, plays no part."""
        if self.type(name).name == "int" and name not in self._not_null:
            return If(IsNull(Col(name)), NAN, Col(name))
        return super().view(name)

    def uncertain(self, e: Expr) -> bool:
        """Whether ``e`` reads a column that looks otherwise beside a NULL."""
        return any(self.type(n).name in _UNCERTAIN and n not in self._not_null for n in columns_of(e) if "#" not in n)


class BatchInterpreter(SeriesReader):
    """Gives a meaning to what is done to a batch."""

    group: BatchGroup

    def _filtered(self, frame: RowSequence, index: ast.expr, node: ast.AST, env: Env) -> RowSequence | None:
        names = _names(index)
        if names is not None and isinstance(frame, Batch):
            return replace(frame, only=frozenset(names) & (frame.only if frame.only is not None else frozenset(names)))
        return super()._filtered(frame, index, node, env)

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """The pandas meaning of ``node``; ``pdf.loc[mask]`` is ``pdf[mask]``."""
        match node:
            case ast.Subscript(value=ast.Attribute(value=owner, attr="loc"), slice=index) if isinstance(
                frame := self.pandas(owner, env), Batch
            ):
                return self._placed(frame, index, node, env)
        return super().object_at(node, env)

    def _placed(self, frame: Batch, index: ast.expr, node: ast.AST, env: Env) -> Value | None:
        """``pdf.loc[mask]``, ``pdf.loc[mask, ["a", "b"]]`` and ``pdf.loc[mask, "a"]``, where ``:`` is every row."""
        rows, columns = index, None
        if isinstance(index, ast.Tuple):
            if len(index.elts) != 2:
                raise Refusal("opaque", "`loc` with other than rows and columns", node)
            rows, columns = index.elts
        found: RowSequence | None = frame
        if not (isinstance(rows, ast.Slice) and (rows.lower, rows.upper, rows.step) == (None, None, None)):
            if isinstance(rows, ast.Slice) or _names(rows) is not None:
                raise Refusal("opaque", "`loc` with something other than a condition", node)
            found = self._filtered(frame, rows, node, env)
        if found is None or columns is None:
            return found
        if isinstance(columns, ast.Constant) and isinstance(columns.value, str):
            return self.group.series(found, columns.value)
        if _names(columns) is None:
            raise Refusal("opaque", "`loc` with columns that are not written out", node)
        return self._filtered(found, columns, node, env)

    def with_column(self, owner: RowSequence, name: str, value: Value, node: ast.AST) -> Batch:
        """``owner`` with a column set to a column of the same rows, or to a constant."""
        assert isinstance(owner, Batch)
        value = value.series if isinstance(value, Array) else value
        if isinstance(value, Series) and value.frame.alike(owner) and not slots_of(value.element):
            element: Expr | None = value.element
            if value.column is not None:
                made = Made(name, Col(value.column), column=value.column)
            else:
                uncertain = self.group.uncertain(value.element)
                if uncertain and any(isinstance(n, Arith) for n in walk(value.element)):
                    raise Refusal("opaque", "arithmetic on whole numbers, which NULL makes `<NA>`", node)
                made = Made(name, None if uncertain else element, value.present)
        elif isinstance(value, Lit) and value.value is not None:
            made = Made(name, value, present=True)
        else:
            raise Refusal("row-context", f"`{name}` is not set to a column of these rows, or to a constant", node)
        others = tuple(m for m in owner.made if m.name != name)
        only = owner.only if owner.only is None else owner.only | {name}
        return replace(owner, made=(*others, made), only=only, dropped=owner.dropped - {name})

    def without(self, owner: RowSequence, gone: frozenset[str]) -> Batch:
        """``owner`` without the columns ``gone``."""
        assert isinstance(owner, Batch)
        only = owner.only if owner.only is None else owner.only - gone
        kept = tuple(m for m in owner.made if m.name not in gone)
        return replace(owner, made=kept, only=only, dropped=owner.dropped | gone)

    def names_in(self, owner: RowSequence) -> frozenset[str] | None:
        """The names of the columns of ``owner``; None if they are not known."""
        assert isinstance(owner, Batch)
        there = super().names_in(owner)
        if there is None:
            return None
        return (there if owner.only is None else there & owner.only) - owner.dropped


def fold_frame_rows(
    ctx: Context,
    function: ast.FunctionDef,
    *,
    operator: str,
    source: Schema,
    output: Schema,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The fold (``rows="one"``) of ``function``; Refusal where it may look at more than one row at a time."""
    parameters = plain_parameters(function.args)
    if parameters is None or len(parameters) != 1 or function.decorator_list:
        raise Refusal("opaque", "parameters other than the iterator, or a decorated function", function)
    if not output.complete or not output.fields:
        raise Refusal("opaque", "the declared output columns are not known", function)
    facts = stated_facts(facts, source)
    body, batch = of_batches(function, parameters)

    def attempt(scope: Scope) -> Fold:
        group = BatchGroup(scope, source, (), facts)
        try:
            if operator == "mapInArrow":
                passes_rows(body, batch[0], scope)
                made = Batch()
            else:
                made = _run(BatchInterpreter(group, Slots(scope)), body, {batch[0]: Batch()})
            outputs = [_output(f, made, group, function, operator) for f in output.fields]
        except Refusal as error:
            raise at(function, error) from None
        read = known_columns(scope, source, (), [o.value for o in outputs if not _hidden(o)], facts)
        columns = (*read, Column(ROW, STRING, ghost=True))
        return Fold(
            function.name, operator, columns, (), (), (), tuple(outputs), rows="one", facts=facts,
            assumptions=tuple(scope.assumptions),
        )  # fmt: skip

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts, exact_numbers=False)


def _run(run: BatchInterpreter, body: list[ast.stmt], env: Env) -> Batch:
    """What a batch becomes; the last statement returns it."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                env[name] = run.any_value(value, env)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as column))], value=value):  # fmt: skip # noqa: E501
                frame = env.get(name)
                if not isinstance(frame, Batch) or any(v == frame for n, v in env.items() if n != name):
                    raise Refusal("side-effect", f"`{name}` may be known under another name as well", statement)
                env[name] = run.with_column(frame, column, run.any_value(value, env), value)
            case ast.Return(value=ast.expr() as value):
                found = run.any_value(value, env)
                if isinstance(found, Batch):
                    return found
            case _:
                raise Refusal("opaque", "a statement that is more than an assignment", statement)
    raise Refusal("opaque", "what is yielded is not a batch of rows")


def _output(f: Field, batch: Batch, group: BatchGroup, function: ast.FunctionDef, operator: str) -> OutputColumn:
    if f.name in batch.dropped or (batch.only is not None and f.name not in batch.only):
        raise Refusal("may-throw", f"there is no column `{f.name}` in what is yielded")
    made = next((m for m in batch.made if m.name == f.name), Made(f.name, Col(f.name)))
    why = f"`{f.name}` is computed of what looks otherwise beside a NULL"
    if made.element is None:
        return OutputColumn(f.name, f.type, hidden_value(function.name, Col(ROW), f.name, "opaque", why, f.type))
    for name in sorted(columns_of(made.element)):
        known = group.source.field(name)
        if known is not None and known.type == f.type and f.type.name in ("decimal", "list", "opaque"):
            why = f"`{name}` has a type without a model"
            return OutputColumn(f.name, f.type, hidden_value(function.name, Col(ROW), f.name, "opaque", why, f.type))
        group.type(name)
    if operator == "mapInArrow":
        group.scope.hint(made.element, f.type)
        if group.scope.type(made.element) != f.type:
            raise Refusal("may-throw", f"`{f.name}` is declared as another type than it has")
        return OutputColumn(f.name, f.type, made.element)
    return OutputColumn(f.name, f.type, converted(group.scope, made.element, f, {}))


def _hidden(output: OutputColumn) -> bool:
    return ROW in columns_of(output.value)


def _names(node: ast.expr) -> list[str] | None:
    """The texts of a list, or of one text."""
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
    names = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return names if names and len(names) == len(parts) else None
