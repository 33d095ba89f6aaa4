"""``groupBy(keys).applyInPandas(f)`` where f returns rows of its own group, whatever else it computes.

Law: if each row that f returns holds the group's key, a condition on the key alone keeps all of them or none, and so
may drop the group before f runs. As a fold: the state is the sequence of the group's rows, and every other output, and
whether there is a row, is a function of it that has no name. f returns a list of rows; the j-th of them, with "there is
a j-th row" for ``emit``, is a function of that sequence too, so that what is proved for any such function holds of each
j, and the bags of rows are equal (THEORY.md section 1, section 4, *Multiplicity*).
Side conditions, each with a trap in ``tests/mdtest/pandas/apply_in_pandas_keys.md``: f passes the key through in every
row (``frame_values``); f does nothing but compute (``pandas_calls``); columns go by name, or the frame has none
(Spark's ``assignColumnsByName``); NaN and NULL of a key are both NULL on the way out, so they are one to the filter.
With ``applyInArrow`` the frames are tables (``arrow_frames``), and NaN and NULL of a key stay what they are.
``cogroup`` hands f the rows that two frames have for one key, of which one may have none: the state is both sequences.
A key that no row of either frame has is not there, so the pre-filter must drop it from both.
"""

from __future__ import annotations

import ast

from headwater.python.arrow.apply_in_arrow import refuse_batches
from headwater.python.pandas.apply_in_pandas import group_parameters, refuse_iterators
from headwater.python.pandas.group import Group
from headwater.python.rows.outputs import converted
from headwater.python.values.scope import Scope
from headwater.python.values.type_inference import read_function
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Call, Col, Expr, IsNull, Lit, Not, Slot, columns_of
from headwater_ir.plan import Schema
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot
from headwater_ir.types import ANY, BOOL, STRING, Type
from headwater_ir.unread import hidden_value

from .arrow import ArrowFrames
from .statements import FrameStatements

ROW = "the row"
"""A ghost column that stands for all that the function may read of a row."""
_TOKEN = STRING
_SAME_IN_PYTHON = ("int", "string", "bool", "date", "float")
"""Types of which a value that goes to Python and back is what it was."""


def fold_group_rows(
    ctx: Context,
    function: ast.FunctionDef,
    *,
    source: Schema,
    keys: tuple[str, ...],
    output: Schema,
    why: Refusal,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
    beside: tuple[str, ...] | None = None,
    arrow: bool = False,
) -> Fold:
    """The fold of ``function``; ``why``: what hides the rest of it. Refusal if it may return a row with another key, or
    do more than compute. ``beside``: what the keys are called in the other frame of a ``cogroup``; ``source`` and
    ``facts`` are then what is true of both. ``arrow``: its frames are Arrow tables."""
    group_parameters(function, frames=1 if beside is None else 2)
    (refuse_batches if arrow else refuse_iterators)(function)
    if not keys or not output.complete or not output.fields:
        raise Refusal("opaque", "there is no key, or the declared output columns are not known", function)
    stated = (Not(IsNull(Col(f.name))) for f in source.fields if not f.nullable)
    facts = tuple(f for f in dict.fromkeys((*facts, *stated)) if columns_of(f) <= set(keys))

    def attempt(scope: Scope) -> Fold:
        run = ArrowFrames(scope) if arrow else FrameStatements(scope)
        held = run.result(function, keys, beside)
        group = Group(scope, source, keys, facts)
        passed = {f.name: k for i, f in enumerate(output.fields) if (k := held.key_of(f.name) or held.key_of(i))}
        if not passed:
            raise Refusal("opaque", f"`{function.name}` does not pass a key through in every row", function)
        types = {k: group.type(k) for k in keys}
        if isinstance(run, ArrowFrames):
            types |= _as_declared(types, passed, output, run.converts, function)
        outputs = [
            OutputColumn(
                f.name, f.type, Col(passed[f.name]) if arrow else converted(scope, group.view(passed[f.name]), f, {})
            )
            if f.name in passed
            else OutputColumn(
                f.name, f.type, hidden_value(function.name, Slot(0), f.name, why.obstruction, why.reason, f.type)
            )
            for f in output.fields
        ]
        columns = (*(Column(k, types[k], is_key=True) for k in keys), Column(ROW, _TOKEN, ghost=True))
        step = Call("rows", (Slot(0), Col(ROW)), _TOKEN, total=True, kind="state")
        there = Call(function.name, (Slot(0),), BOOL, total=True)
        return Fold(
            function.name, "cogroup" if beside is not None else "applyInArrow" if arrow else "applyInPandas", columns,
            (StateSlot("rows of the group", _TOKEN),), (Lit("", _TOKEN),), (step,), tuple(outputs), emit=there,
            facts=facts, assumptions=tuple(scope.assumptions),
        )  # fmt: skip

    return read_function(ctx, attempt, function, assume_pure=assume_pure, facts=facts, exact_numbers=False)


def _as_declared(
    types: dict[str, Type], passed: dict[str, str], output: Schema, converts: bool, function: ast.FunctionDef
) -> dict[str, Type]:
    """The types of the keys that come out of Arrow, which Spark takes as they are declared, and not otherwise: so they
    had these, unless Python's values of them were given another type on the way (``converts``)."""
    found: dict[str, Type] = {}
    for field in output.fields:
        key = passed.get(field.name)
        if key is None:
            continue
        unsure = types[key] != field.type or field.type.name not in _SAME_IN_PYTHON
        if (converts and unsure) or types[key] not in (field.type, ANY):
            raise Refusal(
                "opaque", f"`{key}` is not known to have the type that `{field.name}` is declared with", function
            )
        found[key] = field.type
    return found
