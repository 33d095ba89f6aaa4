"""The checker of caches: it lets go of what has one reader, and of nothing else."""

from __future__ import annotations

import pytest

from headwater.proof.demand.caches import check
from headwater.proof.demand.checker import VERSION, Malformed
from headwater_ir.demand import Below, CacheCertificate, FrameUses
from headwater_ir.expr import Col, Compare, Lit
from headwater_ir.types import INT64

from .planted import faults_of_caches

SCAN = FrameUses("Scan", makes=(1,))
CONDITION = Compare(">", Col("x"), Lit(1, INT64), "sql")
HOLDS: dict[str, tuple[FrameUses, ...]] = {
    "in one expression": (SCAN, FrameUses("Cache", ends=("collect",))),
    "in a variable": (SCAN, FrameUses("Cache", 1, 1, ends=("toPandas",))),
    "a statement": (FrameUses("Scan", 1, 2, (1,), ("write.parquet",)), FrameUses("Cache", ends=("dropped",))),
    "a filter of it": (SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Filter", 1, 1, ends=("count",))),
    "first rows in order": (SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Sort", ends=("show",))),
    "a limit in order": (
        SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Sort", makes=(3,)), FrameUses("Limit", ends=("collect",)),
    ),
    "nobody": (SCAN, FrameUses("Cache", 1, 0)),
    "columns of the first rows in order": (
        SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Sort", makes=(3,)), FrameUses("Columns", ends=("head",)),
    ),
    "other partitions": (SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Repartition", ends=("write.parquet",))),
    "freed": (SCAN, FrameUses("Cache", 1, 2, ends=("collect", "unpersist"))),
    "a transformer": (SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Transformer", ends=("display",))),
    "a frame that nobody asks for": (
        SCAN, FrameUses("Cache", 1, 2, makes=(2,), ends=("collect",)), FrameUses("Lazy", 1, 0),
    ),
}  # fmt: skip


def refused(uses: tuple[FrameUses, ...], below: tuple[Below, ...] = ()) -> tuple[str, ...]:
    return check(CacheCertificate(VERSION, "cache", uses, below))


@pytest.mark.parametrize("name", HOLDS)
def test_one_reader_is_seen(name: str) -> None:
    assert refused(HOLDS[name], (Below("Filter", (CONDITION,)), Below("Groups"), Below("Scan"))) == ()


@pytest.mark.parametrize(
    "below",
    [
        (Below("RowUdf"), Below("Scan")),
        (Below("Lazy", (), ("withColumn", "score")), Below("Scan")),
        (Below("Transformer"),),
    ],
)
@pytest.mark.parametrize("made_by", ["Project", "Columns", "Aggregate", "Repartition", "Limit"])
def test_a_function_is_called_once_where_no_condition_can_be_moved(below: tuple[Below, ...], made_by: str) -> None:
    assert refused((SCAN, FrameUses("Cache", makes=(2,)), FrameUses(made_by, ends=("collect",))), below) == ()


def test_what_is_kept_already_has_any_readers() -> None:
    twice = (FrameUses("Cache", 1, 9, (1, 1), ("count", "leaves")), FrameUses("Cache", ends=("dropped",)))
    assert refused(twice, (Below("Shared"), Below("Cache"), Below("Scan"))) == ()


@pytest.mark.parametrize("name", faults_of_caches())
def test_every_other_cache_is_kept(name: str) -> None:
    assert refused(*faults_of_caches()[name])


@pytest.mark.parametrize(
    "certificate",
    [
        CacheCertificate(VERSION + 1, "cache", HOLDS["nobody"], ()),
        CacheCertificate(VERSION, "checkpoint", HOLDS["nobody"], ()),
        CacheCertificate(VERSION, "cache", (), ()),
        CacheCertificate(VERSION, "cache", (FrameUses("Scan", makes=(1,)),), ()),
        CacheCertificate(VERSION, "cache", (FrameUses("Scan", makes=(0,)),), ()),
    ],
)
def test_a_certificate_that_means_nothing(certificate: CacheCertificate) -> None:
    with pytest.raises(Malformed):
        check(certificate)


def test_frames_that_are_made_of_each_other() -> None:
    around = (SCAN, FrameUses("Cache", makes=(2,)), FrameUses("Filter", makes=(1,)))
    assert refused(around)
