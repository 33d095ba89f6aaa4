"""Tests of a group run in one process, so that what is analysed for one is known to the others."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("groups")
def test_a_group_is_kept_together(request: pytest.FixtureRequest) -> None:
    """pytest-xdist adds the name of the group to that of the test, by an attribute that pytest 9.2 does not have any
    more: the tests of each specification were then spread over all processes, which analysed it once more each."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@groups")
