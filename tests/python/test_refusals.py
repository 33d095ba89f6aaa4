"""What has no sound meaning is refused, with the obstruction that says why."""

from __future__ import annotations

import pytest

from headwater.syntax.refusal import Refusal

from . import refused_cases
from .arrow import arrow_refused
from .functions import RowCase
from .udtf import udtf_refused

REFUSED = {**refused_cases.REFUSED, **arrow_refused.REFUSED, **udtf_refused.REFUSED}


@pytest.mark.parametrize("name", REFUSED)
def test_refusal(name: str) -> None:
    refused = REFUSED[name]
    with pytest.raises(Refusal, match=refused.words or None) as caught:
        refused.case.fold()
    assert not refused.obstruction or caught.value.obstruction in refused.obstruction.split("|"), caught.value.reason
    assert caught.value.node is not None or isinstance(refused.case, RowCase)
