"""Frames whose rows are treated one by one: some of the rows, other columns, each value made of its own row.

Law: each row of such a frame is made of one row of the frame that a function is given, and of nothing else, and a row
makes at most one. So for a filter P of what comes out, ``σ_P(f(d)) = f(σ_{P ∘ f}(d))`` whichever rows f itself drops: a
row that it drops is gone with and without the filter, so ``emit`` plays no part. (MagicPush section 4.2, ROW-TO-ROW
and row filters.) A frame without rows gives none: whether f is called for it plays no part either.
Condition: what is put into a row depends on that row alone, however the rows are cut into frames; so not on the type
that pandas gives a column, which a NULL in another row may change. ``Group`` and its kin say how a column looks.
Counterexample without the condition: ``pdf.assign(share=pdf.x / pdf.x.sum())`` gives other shares of fewer rows.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.libraries import models
from headwater.python.exprs.simplify import MAX_NODES, choose, is_boolean
from headwater.python.interpreter.outcomes import End, Path
from headwater.python.rows.fold_builder import may_wrap
from headwater.python.rows.outputs import converted
from headwater.python.rows.row_sequences import Made, RowSequence, Series
from headwater.python.values.rows import KeyTuple
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import known_columns
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Arith, Col, Expr, Lit, columns_of, size, slots_of, walk
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import STRING
from headwater_ir.unread import hidden_value

from .functions import Array
from .group import Group
from .methods.operands import chosen, condition, floats_of, part
from .series_udf import SeriesReader

ROW = "the row"
"""A ghost column that stands for all that the function may read of a row."""


@dataclass(frozen=True)
class RowFrame(RowSequence):
    """Some of the rows that the function is given, with the columns that were set since, and those that were dropped or
    not chosen. ``own``: two frames of one number may be one object. ``deep``: it shares no values with another one."""

    only: frozenset[str] | None = None
    dropped: frozenset[str] = frozenset()
    own: int = 0
    deep: bool = False


class RowFrameReader(SeriesReader):
    """Gives a meaning to what is done to such a frame."""

    def __init__(self, group: Group, slots: Slots) -> None:
        super().__init__(group, slots)
        self._objects = 0

    def another(self, frame: RowSequence) -> RowSequence:
        """An object of its own with the rows of ``frame``."""
        assert isinstance(frame, RowFrame)
        self._objects += 1
        return replace(frame, own=self._objects, deep=False)

    def copied(self, frame: RowSequence) -> RowSequence:
        """A copy of ``frame``, values and all."""
        found = self.another(frame)
        assert isinstance(found, RowFrame)
        return replace(found, deep=True)

    def is_same(self, value: AbstractObject, frame: RowSequence) -> bool:
        """Whether both may be one object."""
        return isinstance(value, RowFrame) and isinstance(frame, RowFrame) and value.own == frame.own

    def restrict(self, frame: RowSequence, condition: Expr) -> RowSequence:
        """The rows of ``frame`` for which ``condition`` holds."""
        return self.another(super().restrict(frame, condition))

    def relabelled(self, frame: RowSequence) -> RowSequence:
        """``frame`` with new labels."""
        return self.another(super().relabelled(frame))

    def sorted_by(self, frame: RowSequence, by: object, column: tuple[str, bool] | None = None) -> RowSequence:
        """``frame`` in another order."""
        return self.another(super().sorted_by(frame, by, column))

    def _filtered(self, frame: RowSequence, index: ast.expr, node: ast.AST, env: Env) -> RowSequence | None:
        names = _names(index)
        if names is not None and isinstance(frame, RowFrame):
            there = frozenset(names) & (frame.only if frame.only is not None else frozenset(names))
            return self.another(replace(frame, only=there))
        return super()._filtered(frame, index, node, env)

    def _with_only(self, owner: RowSequence, listed: ast.List, node: ast.AST) -> RowSequence | None:
        return self._filtered(owner, listed, node, {})

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """The pandas meaning of ``node``; ``pdf.loc[mask]`` is ``pdf[mask]``."""
        match node:
            case ast.Subscript(value=ast.Attribute(value=owner, attr="loc"), slice=index) if isinstance(
                frame := self.pandas(owner, env), RowFrame
            ):
                return self._placed(frame, index, node, env)
            case ast.Call(func=function) if self.scope.origin(function) == "pandas.DataFrame":
                return self._built(node, env)
        return super().object_at(node, env)

    def _built(self, node: ast.Call, env: Env) -> RowFrame:
        """``pd.DataFrame({"a": frame["a"], "b": 1})``, of columns of the same rows, in which constants stand in every
        row."""
        data = models.bind("pandas.DataFrame", node).only("data").get("data")
        names = [k.value for k in data.keys if isinstance(k, ast.Constant)] if isinstance(data, ast.Dict) else []
        if not isinstance(data, ast.Dict) or len(names) != len(data.keys) or len({*names}) != len(names):
            raise Refusal("opaque", "a frame that is not built of columns by their names", node)
        columns = (c for v in data.values if isinstance(c := self._column_at(v, env), Series))
        of = next(columns, None)
        if of is None or not isinstance(of.frame, RowFrame):
            raise Refusal("opaque", "a frame that is not built of columns of the rows", node)
        found: RowSequence = self.another(replace(of.frame, made=(), only=frozenset(), dropped=frozenset()))
        for name, value in zip(names, data.values, strict=True):
            found = self.column_set(found, str(name), value, env)
        assert isinstance(found, RowFrame)
        return found

    def _column_at(self, node: ast.expr, env: Env) -> AbstractObject | None:
        try:
            return self.pandas(node, env)
        except Refusal:
            return None

    def _placed(self, frame: RowFrame, index: ast.expr, node: ast.AST, env: Env) -> Value | None:
        """``pdf.loc[mask]``, ``pdf.loc[mask, ["a", "b"]]`` and ``pdf.loc[mask, "a"]``, where ``:`` is every row."""
        rows, columns = index, None
        if isinstance(index, ast.Tuple):
            if len(index.elts) != 2:
                raise Refusal("opaque", "`loc` with other than rows and columns", node)
            rows, columns = index.elts
        found: RowSequence | None = frame
        if not _is_every(rows):
            if isinstance(rows, ast.Slice) or _names(rows) is not None:
                raise Refusal("opaque", "`loc` with something other than a condition", node)
            found = self._filtered(frame, rows, node, env)
        if found is None or columns is None or _is_every(columns):
            return found
        if isinstance(columns, ast.Constant) and isinstance(columns.value, str):
            return self.group.series(found, columns.value)
        if _names(columns) is None:
            raise Refusal("opaque", "`loc` with columns that are not written out", node)
        return self._filtered(found, columns, node, env)

    def with_column(self, owner: RowSequence, name: str, value: Value, node: ast.AST) -> RowFrame:
        """``owner`` with a column set to a column of the same rows, to a constant, or to a part of the key."""
        assert isinstance(owner, RowFrame)
        value = value.series if isinstance(value, Array) else value
        if isinstance(value, Series) and value.frame.alike(owner) and not slots_of(value.element) and not value.listed:
            element: Expr | None = value.element
            if value.column is not None:
                made = Made(name, Col(value.column), column=value.column)
            else:
                uncertain = self.group.uncertain(value.element)
                if uncertain and any(isinstance(n, Arith) for n in walk(value.element)):
                    raise Refusal("opaque", "arithmetic on whole numbers, which NULL makes `<NA>`", node)
                made = Made(name, None if uncertain else element, value.present, holds="other")
        elif isinstance(value, Lit):
            made = Made(name, value, present=value.value is not None)
        elif not isinstance(value, AbstractObject) and self._is_of_key(value):
            made = Made(name, value)
        else:
            raise Refusal("row-context", f"`{name}` is not set to a column of these rows, or to a constant", node)
        return self.with_made(owner, made)

    def _is_of_key(self, value: Expr) -> bool:
        return columns_of(value) <= {*self.group.keys} and not slots_of(value)

    def with_made(self, owner: RowSequence, made: Made) -> RowFrame:
        """``owner`` with this column set."""
        assert isinstance(owner, RowFrame)
        others = tuple(m for m in owner.made if m.name != made.name)
        only = owner.only if owner.only is None else owner.only | {made.name}
        found = replace(owner, made=(*others, made), only=only, dropped=owner.dropped - {made.name})
        another = self.another(found)
        assert isinstance(another, RowFrame)
        return replace(another, deep=owner.deep)

    def set_item(self, target: ast.Subscript, value: ast.expr, env: Env, path: Path) -> Env | None:
        """Also ``frame.loc[mask, "name"] = constant``."""
        match target:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=variable), attr="loc"),
                slice=ast.Tuple(elts=[mask, ast.Constant(value=str() as name)]),
            ) if isinstance(owner := env.get(variable), RowFrame):
                if path or self.called_on or self._inside or len(self.scope.inlining) != 1:
                    raise Refusal("side-effect", "values are set under a condition or in another function", target)
                if any(self._may_share(v, owner, name) for n, v in env.items() if n != variable):
                    raise Refusal("side-effect", f"values of `{variable}` may be known under another name", target)
                return {**env, variable: self._with_values(owner, name, mask, value, env, target)}
        return super().set_item(target, value, env, path)

    def _may_share(self, value: Value, owner: RowFrame, name: str) -> bool:
        """Whether ``value`` may be changed where values of ``owner`` are: of the column ``name``."""
        if isinstance(value, RowFrame):
            return not owner.deep or value.own == owner.own
        if isinstance(value, Series):
            view = self.group.series(owner, name).element if owner.mask == value.frame.mask else None
            return value.column is not None or not is_boolean(value.element) or value.element == view
        return isinstance(value, AbstractObject) and not isinstance(value, KeyTuple)

    def _with_values(
        self, owner: RowFrame, name: str, mask: ast.expr, value: ast.expr, env: Env, node: ast.AST
    ) -> RowFrame:
        """``owner`` with a constant in a column of floats or of texts, where ``mask`` holds."""
        known = self.names_in(owner)
        if known is None or name not in known:
            raise Refusal("opaque", f"`{name}` is not known to be a column before", node)
        before = self.group.series(owner, name)
        cond = condition(self, mask, before, node, env)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            if self.scope.type(before.element) != STRING:
                raise Refusal("opaque", "a text among values that are no texts", node)
            text = Lit(value.value, STRING)
            found = Series(before.frame, choose(cond, text, before.element), present=before.present)
        else:
            if isinstance(self.pandas(value, env), AbstractObject):
                raise Refusal("opaque", "values that are no constant are set", node)
            found = chosen(before, cond, part(self, value, node, env), floats_of(self, before, node))
        made = self.with_column(owner, name, found, node)
        return replace(made, own=owner.own)

    def without(self, owner: RowSequence, gone: frozenset[str]) -> RowFrame:
        """``owner`` without the columns ``gone``."""
        assert isinstance(owner, RowFrame)
        only = owner.only if owner.only is None else owner.only - gone
        kept = tuple(m for m in owner.made if m.name not in gone)
        found = self.another(replace(owner, made=kept, only=only, dropped=owner.dropped | gone))
        assert isinstance(found, RowFrame)
        return found

    def names_in(self, owner: RowSequence) -> frozenset[str] | None:
        """The names of the columns of ``owner``; None if they are not known."""
        assert isinstance(owner, RowFrame)
        there = super().names_in(owner)
        if there is None:
            return None
        return (there if owner.only is None else there & owner.only) - owner.dropped


def rows_made(run: RowFrameReader, body: list[ast.stmt], env: Env) -> RowFrame:
    """What the frame in ``env`` becomes; ``body`` returns it. Refusal where that is no frame whose rows are treated one
    by one."""
    tree = run.run(body, env, ())
    found = tree.value if isinstance(tree, End) and tree.kind == "return" else None
    if not isinstance(found, RowFrame):
        raise Refusal("opaque", "what is made of the rows is no frame of these rows")
    if slots_of(found.mask) or any(m.element is not None and slots_of(m.element) for m in found.made):
        raise Refusal("row-context", "what is made of a row looks at other rows")
    if run.effects or run.scope.divisions:
        raise Refusal("opaque", "more is computed than what is returned, or by a division")
    return found


def fold_of_rows(
    api: str, function: ast.FunctionDef, group: Group, made: RowFrame,
    output: Schema, facts: tuple[Expr, ...],
) -> Fold:  # fmt: skip
    """The fold (``rows="one"``) of a function that makes ``made`` of the rows of ``group``."""
    scope = group.scope
    outputs = [_output(f, made, group, function, arrow=api == "mapInArrow") for f in output.fields]
    values = [o.value for o in outputs if ROW not in columns_of(o.value)]
    if any(size(v) > MAX_NODES for v in values):
        raise Refusal("time-out", "the function has too many paths", function)
    if _any_wraps(group, (*values, made.mask)):
        scope.assume("integer arithmetic on values taken out of pandas stays within the column's width", "range")
    read = known_columns(scope, group.source, group.keys, values, facts)
    return Fold(
        function.name, api, (*read, Column(ROW, STRING, ghost=True)), (), (), (), tuple(outputs), rows="one",
        facts=facts, assumptions=tuple(scope.assumptions),
    )  # fmt: skip


def _any_wraps(group: Group, values: Sequence[Expr]) -> bool:
    return any(may_wrap(e, group.scope, {}) for v in values for e in walk(v))


def _output(f: Field, frame: RowFrame, group: Group, function: ast.FunctionDef, *, arrow: bool) -> OutputColumn:
    if f.name in frame.dropped or (frame.only is not None and f.name not in frame.only):
        raise Refusal("may-throw", f"there is no column `{f.name}` in what is made of the rows")
    made = next((m for m in frame.made if m.name == f.name), Made(f.name, Col(f.name), column=f.name))

    def hidden(why: str) -> OutputColumn:
        return OutputColumn(f.name, f.type, hidden_value(function.name, Col(ROW), f.name, "opaque", why, f.type))

    if made.unknown:
        if f.type.name not in (("string",) if made.holds == "texts" else ("int", "float")):
            raise Refusal("may-throw", f"`{f.name}` is declared as another type than what it is set to")
        return hidden(f"what `{f.name}` is set to is not known")
    if made.element is None:
        return hidden(f"`{f.name}` is computed of what looks otherwise beside a NULL")
    for name in sorted(columns_of(made.element)):
        known = group.source.field(name)
        if known is not None and known.type == f.type and f.type.name in ("decimal", "list", "opaque"):
            return hidden(f"`{name}` has a type without a model")
        group.type(name)
    if arrow:
        group.scope.hint(made.element, f.type)
        if group.scope.type(made.element) != f.type:
            raise Refusal("may-throw", f"`{f.name}` is declared as another type than it has")
        return OutputColumn(f.name, f.type, made.element)
    element = made.element if made.column is None else group.as_returned(made.column)
    return OutputColumn(f.name, f.type, converted(group.scope, element, f, {}))


def _is_every(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and (node.lower, node.upper, node.step) == (None, None, None)


def _names(node: ast.expr) -> list[str] | None:
    """The texts of a list, or of one text."""
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
    names = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return names if names and len(names) == len(parts) else None
