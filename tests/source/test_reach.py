"""A pre-filter reaches a scan through what leaves its columns alone, and nothing else."""

from __future__ import annotations

from headwater.source.reach import scan_below
from headwater_ir import expr as ir
from headwater_ir.plan import UNKNOWN_SCHEMA, Opaque, Plan, Project, Scan, Sort
from headwater_ir.span import Span

AT = Span(0, 1)
SCAN = Scan("read", "parquet", UNKNOWN_SCHEMA, AT)
X = frozenset({"x"})


def project(name: str, child: Plan = SCAN) -> Project:
    return Project(child, ((name, ir.Col("y")),), True, (), AT)


def test_through_sorts_and_other_columns() -> None:
    assert scan_below(Sort(project("z"), AT), X) is SCAN


def test_not_through_a_column_that_is_computed() -> None:
    assert scan_below(project("x"), X) is None


def test_not_through_a_selection_that_may_rename() -> None:
    assert scan_below(Project(SCAN, (("x", ir.Col("x")),), False, (), AT), X) is None


def test_not_through_anything_unknown() -> None:
    assert scan_below(Opaque(SCAN, "opaque", "?", AT), X) is None
    assert scan_below(None, X) is None
