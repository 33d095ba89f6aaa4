"""Every law of ``pyarrow.compute`` has a case in which it is run, and another law in its place is seen."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from headwater.python.arrow import compute
from headwater.python.arrow.table import ArrowScalar, Chunked, Extremes, GroupTable
from headwater.python.exprs.simplify import NONE, choose, is_null
from headwater.python.values.scope import Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, Expr, Lit
from headwater_ir.types import FLOAT, INT, STRING
from tests.python.harness import Case, outcomes

from .compute_cases import COMPUTE

ENTRIES = sorted(compute.laws())
_CONSTANTS = {"bool": TRUE, "int": Lit(77, INT), "float": Lit(77.0, FLOAT), "string": Lit("other", STRING)}


def _wrong(value: Value) -> Value:
    """Another value of the same kind."""
    match value:
        case Extremes():
            return Extremes(_other(value.least), _other(value.greatest))
        case ArrowScalar():
            return _other(value)
        case Chunked():
            return replace(value, element=_another(value.element, value.type.name))
    assert isinstance(value, GroupTable)
    return replace(value, mask=FALSE)


def _other(value: ArrowScalar) -> ArrowScalar:
    return replace(value, value=_another(value.value, value.type.name if value.type else "int"))


def _another(e: Expr, name: str) -> Expr:
    return choose(is_null(e), _CONSTANTS[name], NONE)


def seen(entry: str) -> bool:
    """Whether another law in place of that of ``entry`` is found."""
    law, reads = compute.laws()[entry]
    name = entry.rpartition(".")[2]
    for case in (c for n, c in COMPUTE.items() if n.split(",")[0].split()[0] == name):
        Case.fold.cache_clear()
        with mock.patch.dict(compute.laws(), {entry: (lambda call: _wrong(law(call)), reads)}):
            try:
                outcomes(case)
            except (AssertionError, Refusal):
                return True
            finally:
                Case.fold.cache_clear()
    return False


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_wrong_law_is_seen(entry: str) -> None:
    assert seen(entry)
