"""What was tried on Spark and is sound is proved or told why not; what was refuted is never proved (issue 6)."""

from __future__ import annotations

import pytest

from .catalyst_claims import CLAIMS, Claim
from .catalyst_rows import DOCUMENT, analysed, document, proved

pytestmark = pytest.mark.xdist_group("claims")  # what is analysed for one is known to the others
NAMED = {claim.names[0]: claim for claim in CLAIMS}
RUN = [name for name, claim in NAMED.items() if claim.program]


def test_every_claim_is_listed_once() -> None:
    names = [n for claim in CLAIMS for n in claim.names]
    assert len(names) == len(set(names)) == 273


@pytest.mark.parametrize("name", RUN)
def test_what_is_said(name: str) -> None:
    claim = NAMED[name]
    found = proved(analysed(claim))
    if claim.sound:
        assert bool(found) is not bool(claim.why), found
    else:
        assert claim.wrong not in found


def test_a_refuted_claim_names_its_pre_filter() -> None:
    told = [c for c in CLAIMS if not c.sound]
    assert all(bool(c.wrong) or bool(c.why) for c in told)
    assert all(c.program or c.why for c in CLAIMS)


def test_a_wrong_answer_would_be_seen() -> None:
    claim = Claim(("max>c",), False, 't.groupBy("k").agg(F.max("v").alias("m")).filter("m > 3")', "v > 3")
    assert claim.wrong in proved(analysed(claim))


def test_the_document_is_fresh() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `python -m tests.conformance.catalyst_rows`"
