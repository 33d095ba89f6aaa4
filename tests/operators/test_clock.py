"""The law of ``operators.clock``, against every time zone that there is."""

from __future__ import annotations

import datetime as dt
import random
import zoneinfo
from collections.abc import Iterator
from itertools import pairwise

import pytest

from headwater.operators.clock import APART, SKIPPED

ZONES = sorted(zoneinfo.available_timezones())
YEARS = range(1840, 2038)
Spans = list[tuple[zoneinfo.ZoneInfo, dt.datetime]]


def instant(zone: zoneinfo.ZoneInfo, shown: dt.datetime) -> dt.datetime:
    """When the clocks of ``zone`` show it first, or would have: as Java's ``atZone``, which moves a time in a gap on by
    the length of the gap, as does the offset from before it."""
    return shown.replace(tzinfo=zone).astimezone(dt.timezone.utc)


def changes(zone: zoneinfo.ZoneInfo) -> Iterator[dt.datetime]:
    """Days, local ones, around the changes of the clocks of ``zone``, as far as they last for months."""
    months = [dt.datetime(y, m, 1) for y in YEARS for m in (1, 4, 7, 10)]
    for low, high in pairwise(months):
        if low.replace(tzinfo=zone).utcoffset() != high.replace(tzinfo=zone).utcoffset():
            while high - low > dt.timedelta(days=1):
                middle = low + (high - low) // 2
                same = low.replace(tzinfo=zone).utcoffset() == middle.replace(tzinfo=zone).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            yield low.replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.fixture(scope="module")
def changed() -> Spans:
    assert len(ZONES) > 300, "pandas brings a database of time zones"
    found = [(z, day) for z in map(zoneinfo.ZoneInfo, ZONES) for day in changes(z)]
    assert len(found) > 20_000
    return found


def test_midnights_are_in_order_but_for_the_days_that_were_skipped(changed: Spans) -> None:
    skipped = set[dt.date]()
    for zone, day in changed:
        midnights = [day + dt.timedelta(days=k) for k in range(-1, 4)]
        for one, next_ in pairwise(midnights):
            assert instant(zone, one) <= instant(zone, next_)
            if instant(zone, one) == instant(zone, next_):
                skipped.add(one.date())
    assert skipped == SKIPPED


def test_times_far_apart_are_in_order(changed: Spans) -> None:
    chance = random.Random(1)
    for zone, day in changed:
        for _ in range(3):
            one = day + dt.timedelta(seconds=chance.randrange(-86_400, 86_400 * 2))
            assert instant(zone, one) < instant(zone, one + APART)


def test_times_close_to_one_another_are_not() -> None:
    berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    assert instant(berlin, dt.datetime(2024, 3, 31, 2, 30)) > instant(berlin, dt.datetime(2024, 3, 31, 3, 0))
