"""Types that are assumed of columns without a schema, each of which can be said in a certificate."""

from __future__ import annotations

import pytest

from headwater.python.values.scope import Scope
from headwater.python.values.type_inference import WORDS, read_type
from headwater.syntax.refusal import Refusal
from headwater_ir import types as ty
from headwater_ir.assumptions import AssumptionKind
from headwater_ir.plan import Schema


class Noted(Scope):
    """A scope that keeps what it assumes."""

    def __init__(self, t: ty.Type) -> None:
        self.columns, self.assumed_types, self.said = {}, {"x": t}, list[str]()

    def assume(self, text: str, kind: AssumptionKind = "other") -> None:
        self.said.append(text)


BELIEVED = [ty.NUMBER, ty.INT, ty.FLOAT, ty.STRING, ty.BOOL, ty.DATE, ty.TIMESTAMP, ty.list_of(ty.ANY)]


@pytest.mark.parametrize("t", BELIEVED, ids=str)
def test_a_belief_is_said(t: ty.Type) -> None:
    scope = Noted(t)
    assert read_type(scope, Schema((), complete=False), "x") == t
    assert scope.said == [f"`x` {WORDS[t.name]} (schema unknown)"]


@pytest.mark.parametrize("t", [ty.OPAQUE, ty.NULL], ids=str)
def test_what_cannot_be_said_is_not_believed(t: ty.Type) -> None:
    with pytest.raises(Refusal) as caught:
        read_type(Noted(t), Schema((), complete=False), "x")
    assert caught.value.obstruction == "opaque"
