"""The rows that masks take of a whole frame of pandas, as a condition on each row: ``pdf[pdf.tier == "gold"]``.

Law: with ``m(r)`` for what a mask is in row ``r``, the rows that any of the masks takes are those for which one
``m(r)`` is true. Condition: a mask in a row is computed of that row alone (``row_by_row``), so it is the same in a
frame that lacks other rows; whole numbers that stand beside a NULL are floats in one and not in the other, which
compare alike up to 2**53. What ``toPandas`` shows is what a function of groups is shown (``group``).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headwater.python.exprs.simplify import MAX_NODES, either
from headwater.python.rows.fold_builder import may_wrap
from headwater.python.rows.row_sequences import Made, RowSequence, Series
from headwater.python.values.scope import Env, Scope
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import known_columns, read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import FALSE, TRUE, And, Col, Expr, If, IsNaN, IsNull, Not, Or, size, slots_of, walk
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import ANY, BOOL, NUMBER

from .columns import with_made
from .group import Group
from .series_udf import SeriesReader

PASSES = "taken by a mask"
"""The output that is TRUE for the rows that a mask takes."""


def fold_masks(
    ctx: Context,
    names: Names,
    frame: str,
    taken: Sequence[ast.expr],
    *,
    named: Mapping[str, ast.expr],
    source: Schema,
    kept: frozenset[str] | None,
    set_before: Sequence[tuple[str, ast.expr]] = (),
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> Fold:
    """The row function (``rows="one"``) whose output ``PASSES`` says whether one of ``taken``, expressions for some of
    the rows of the variable ``frame``, has a row. ``set_before``: the columns that are set in it before, each value of
    its own row. ``named``: the masks in variables; ``kept``: the columns that are
    looked at behind the masks, None for all. Refusal where a mask has no condition on a row alone."""
    facts = stated_facts(facts, source)

    def attempt(scope: Scope) -> Fold:
        group = Group(scope, source, (), facts)
        run = SeriesReader(group, Slots(scope))
        whole = _with_columns(run, frame, set_before)
        env: Env = {frame: whole}
        for name, mask in named.items():
            env[name] = run.any_value(mask, env)
        value = either(*(_condition(run, node, env, whole) for node in taken))
        if run.effects or scope.divisions:
            raise Refusal("opaque", "a mask that divides, or computes more than itself")
        if size(value) > MAX_NODES:
            raise Refusal("time-out", "the masks have too many parts")
        if any(may_wrap(e, scope, {}) for e in walk(value)):
            scope.assume("integer arithmetic on values taken out of pandas stays within the column's width", "range")
        read = known_columns(scope, source, (), [value], facts)
        return Fold(
            "<mask>", "toPandas", read, (), (), (), (OutputColumn(PASSES, BOOL, value),), rows="one", facts=facts,
            assumptions=(*scope.assumptions, *_of_types(source, kept, facts)),
        )  # fmt: skip

    return read_function(ctx, attempt, names=names, assume_pure=assume_pure, facts=facts, exact_numbers=False)


def without_nan(fold: Fold) -> Fold:
    """``fold`` with an output that is TRUE on more rows, perhaps: where nothing says of what type a column is, of which
    it takes no NaN, it takes any. (A filter cannot ask ``isnan`` of what may be a text.)"""
    unknown = frozenset(c.name for c in fold.columns if c.type == ANY)
    (output,) = fold.outputs
    return replace(fold, outputs=(replace(output, value=_weaker(output.value, unknown, sign=True)),))


def _weaker(e: Expr, unknown: frozenset[str], *, sign: bool) -> Expr:
    """What is TRUE wherever ``e``, of two values, is; where not ``sign``, FALSE wherever ``e`` is."""
    match e:
        case And(operands, dialect) | Or(operands, dialect):
            return type(e)(tuple(_weaker(o, unknown, sign=sign) for o in operands), dialect)
        case Not(operand, "python" as dialect):
            return Not(_weaker(operand, unknown, sign=not sign), dialect)
        case If(cond, then, otherwise):
            return If(cond, _weaker(then, unknown, sign=sign), _weaker(otherwise, unknown, sign=sign))
        case IsNaN(operand=Col(name)) if name in unknown:
            return TRUE if sign else FALSE
    return e


def _with_columns(run: SeriesReader, frame: str, columns: Sequence[tuple[str, ast.expr]]) -> RowSequence:
    """The frame with ``columns`` set: a number that is converted to one stays as it is, and nothing is known of any
    other column."""
    whole = RowSequence()
    for name, value in columns:
        again = any(m.name == name for m in whole.made)
        whole = with_made(whole, Made(name, None))
        match value:
            case (
                ast.Call(func=ast.Attribute(value=ast.Subscript() as of, attr="astype"), args=[ast.Name(id="float")])
                | ast.Call(func=ast.Attribute(attr="to_numeric"), args=[ast.Subscript() as of], keywords=[])
            ):
                series = run.pandas(of, {frame: RowSequence()})
                if isinstance(series, Series) and series.column == name and not again:
                    run.scope.hint(series.element, NUMBER)
                    if run.scope.type(series.element).name in ("int", "float", "number"):
                        run.group.exact_as_float(name, "converting the column")
                        whole = RowSequence(made=tuple(m for m in whole.made if m.name != name))
    return whole


def _condition(run: SeriesReader, node: ast.expr, env: Env, whole: RowSequence) -> Expr:
    found = run.pandas(node, env)
    if not isinstance(found, RowSequence) or found != replace(whole, mask=found.mask):
        raise Refusal("opaque", "what is taken of the frame is no rows by a mask", node)
    if slots_of(found.mask):
        raise Refusal("row-context", "a mask that looks at other rows", node)
    return found.mask


SHOWN_ALIKE = frozenset({"string", "float", "date", "decimal"})
"""Types of columns that pandas holds alike whether there is a NULL among the values or not (measured on Spark 3.5 to
4.3, with Arrow and without). Left out are timestamps, of which Spark 3.5 makes a frame without rows in other units."""


def _of_types(source: Schema, kept: frozenset[str] | None, facts: tuple[Expr, ...]) -> tuple[Assumption, ...]:
    """What must be so that the columns that are looked at have the same type of pandas' without the other rows."""
    present = {f.name for f in source.fields if not f.nullable}
    present |= {n for f in facts if (n := _not_null(f)) is not None}
    names = sorted(kept) if kept is not None else [f.name for f in source.fields]
    set_here = {n for n in names if source.complete and source.field(n) is None}
    may_change = [n for n in names if n not in present | set_here and source.type_of(n).name not in SHOWN_ALIKE]
    found = [
        Assumption("nulls", f"`{n}` holds no NULL, beside which pandas shows its values as another type")
        if source.type_of(n) != ANY
        else Assumption("nulls", f"`{n}` holds no NULL, or values that pandas shows alike beside one, such as texts")
        for n in may_change
    ]
    if kept is None and not source.complete:
        found.append(
            Assumption(
                "nulls", "other columns hold no NULL, or values that pandas shows alike beside one, such as texts"
            )
        )
    return tuple(found)


def _not_null(fact: Expr) -> str | None:
    match fact:
        case Not(IsNull(Col(name))):
            return name
    return None
