"""Wrong translations, each planted in the model of one function: validation must see it in a program that calls it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from unittest import mock

from headwater.python.arrow import compute
from headwater.python.builtins import dispatch
from headwater.python.interpreter.containers_mixin import Structured
from headwater.python.pandas.methods.model import laws
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater.validation.compare import Difference, NotValidated
from headwater_ir.expr import FALSE, Arith, Compare, Expr, If, Lit, transform
from headwater_ir.problem import Fold
from headwater_ir.types import INT
from tests.planted import Fault
from tests.python import builtin_laws
from tests.python.all_cases import CASES
from tests.python.arrow import test_compute
from tests.python.arrow.compute_cases import COMPUTE
from tests.python.functions import GroupMap
from tests.python.harness import ERROR, Case, same
from tests.python.pandas import law_cases
from tests.python.pandas.test_laws import ENTRIES as PANDAS

from .beside import validated


def differs(case: Case) -> bool:
    """Whether validation sees that the fold that is read now is not what the function does."""
    try:
        fold = Case.fold.__wrapped__(case)  # type: ignore[attr-defined] # read anew: a model has been replaced
    except (Refusal, AssertionError):
        return False
    return isinstance(validated(case, fold), Difference)


def builtin_seen(entry: dispatch.Entry) -> bool:
    """Whether another value of the model of a builtin is seen."""
    model = dispatch.known()[entry]
    ways = [builtin_laws._wrong(model), *([_without_rows(model)] if entry[1] == "rows" else [])]
    for wrong in ways:
        with mock.patch.dict(dispatch.known(), {entry: wrong}):
            if any(differs(CASES[name]) for name in builtin_laws.cases()[entry[0]]):
                return True
    return False


def _without_rows(model: dispatch.Model) -> dispatch.Model:
    """A model of a function of sequences of rows that forgets all of them."""

    def wrong(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
        value = model(s, node, bound, env)
        return replace(value, mask=FALSE) if isinstance(value, Rows) else value

    return wrong


def pandas_seen(name: str) -> bool:
    """Whether another law of a method of pandas is seen."""
    right = laws()[name]
    try:
        law_cases.wrong(name)
        for t, _, body in law_cases.programs(name):
            output = law_cases.output_of(body, t)
            if output is not None and differs(
                GroupMap(body, f"k string, x {t}, y double, n long", f"k string, v {output}")
            ):
                return True
        return False
    finally:
        laws()[name] = right


def arrow_seen(entry: str) -> bool:
    """Whether another law of a function of ``pyarrow.compute`` is seen."""
    law, reads = compute.laws()[entry]
    name = entry.rpartition(".")[2]
    with mock.patch.dict(compute.laws(), {entry: (lambda call: test_compute._wrong(law(call)), reads)}):
        return any(differs(case) for n, case in COMPUTE.items() if n.split(",")[0].split()[0] == name)


Change = Callable[[Expr], "Expr | None"]
CHANGES: dict[str, Change] = {
    "a strict comparison": lambda e: replace(e, op=e.op + "=") if isinstance(e, Compare) and e.op in "<>" else None,
    "a comparison turned": lambda e: (
        replace(e, op={"<": ">", ">": "<", "<=": ">=", ">=": "<="}[e.op])
        if isinstance(e, Compare) and e.op in ("<", ">", "<=", ">=")
        else None
    ),
    "branches swapped": lambda e: If(e.cond, e.otherwise, e.then) if isinstance(e, If) else None,
    "a branch forgotten": lambda e: e.otherwise if isinstance(e, If) else None,
    "one more": lambda e: Lit(e.value + 1, INT) if isinstance(e, Lit) and type(e.value) is int else None,
    "another sign": lambda e: replace(e, op="-") if isinstance(e, Arith) and e.op == "+" else None,
}
"""Ways in which the terms of a fold may be wrong."""


def changed(fold: Fold, change: Change) -> Fold | None:
    """``fold`` with the first of its terms changed that can be; None if none can."""
    left = [1]

    def once(e: Expr) -> Expr | None:
        found = change(e) if left[0] else None
        left[0] -= found is not None
        return found

    outputs = tuple(replace(o, value=transform(o.value, once)) for o in fold.outputs)
    step = tuple(transform(e, once) for e in fold.step)
    made = replace(fold, outputs=outputs, step=step)
    return None if made == fold else made


WAYS = ("row, ", "udtf, ", "group, ", "arrow, ", "series, ", "body, ")


def _outcomes(case: Case, fold: Fold) -> list[object]:
    """What a fold gives for the groups of a case."""
    with mock.patch.object(type(case), "fold", return_value=fold):
        return [case.model(rows) for rows in itertools.islice(case.groups(), 60)]


def change_seen(way: str, name: str) -> bool:
    """Whether a wrong term is seen in all but a few functions that are called in one way, of those in which it makes a
    difference to what the fold gives."""
    found = []
    for title, case in CASES.items():
        if title.startswith(way) and (fold := changed(case.fold(), CHANGES[name])) is not None:
            right, wrong = _outcomes(case, case.fold()), _outcomes(case, fold)
            if any(r != ERROR and not same(r, w) for r, w in zip(right, wrong, strict=True)) and not isinstance(
                validated(case), NotValidated
            ):
                found.append(isinstance(validated(case, fold), Difference))
    return bool(found) and sum(found) >= 0.9 * len(found)


def faults() -> Iterator[Fault]:
    """A wrong model of each function; wrong terms of folds, for each way in which functions are called."""
    for entry in builtin_laws.entries():
        yield Fault("validation", f"builtin {entry[0]} of {entry[1]}", partial(builtin_seen, entry), brief=False)
    for name in PANDAS:
        yield Fault("validation", f"pandas {name}", partial(pandas_seen, name), brief=False)
    for entry in test_compute.ENTRIES:
        yield Fault("validation", f"arrow {entry}", partial(arrow_seen, entry), brief=False)
    for way in WAYS:
        for name in CHANGES:
            yield Fault(
                "validation", f"{name} in {way.strip(', ')}", partial(change_seen, way, name), brief=way == "row, "
            )
