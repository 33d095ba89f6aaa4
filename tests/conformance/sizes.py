"""How large the conformance tables are."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.python.effects import purity
from headwater_ir.expr import Expr
from headwater_ir.types import Type
from tests.python.more_cases import PANDAS
from tests.strategies import ADVERSARIAL

from . import cases, column_cases, paths, test_aggregates, test_columns, test_opaque_python, transfer
from .covered import families, programs

Line = tuple[str, int, int]


def lines() -> list[Line]:
    """For each table its name, cases and value rows (cases × inputs that each is run on)."""
    python = [(s, t, cases.expressions(s, t, "python")) for s, t in cases.PAIRS + cases.MIXED]
    sql = [(s, t, cases.expressions(s, t, "sql")) for s, t in cases.PAIRS]
    columns = len(column_cases.COLUMNS) + len(column_cases.SQL)
    opaque = sum(1 for given in column_cases.OPAQUE.values() if given)
    functions = len(purity.NUMERIC_CALLS) + len(purity.TEXT_CALLS)
    methods = len(purity.STRING_METHODS)
    bodies = len(programs())
    per_body = len(list(PANDAS["tolist"].groups()))
    one_row = len(test_aggregates.INTS) * len(test_aggregates.FLOATS)
    natives = len(test_aggregates.AGGREGATES)
    small_groups = one_row + one_row**2
    return [
        ("expressions, beside CPython", sum(len(e) for *_, e in python), _values(python)),
        ("expressions, beside Spark", sum(len(e) for *_, e in sql), _values(sql)),
        ("columns and SQL texts, beside Spark", columns, columns * len(test_columns.table(False))),
        ("uninterpreted functions of Spark", opaque, opaque * 2 * len(test_columns.table(False))),
        (
            "uninterpreted functions of Python",
            functions + methods,
            functions * len(test_opaque_python.NUMBERS) + methods * len(test_opaque_python.TEXTS),
        ),
        ("native aggregates, beside Spark", natives, natives * small_groups),
        ("uninterpreted aggregates of Spark", len(test_aggregates.OPAQUE), 2 * len(test_aggregates.OPAQUE)),
        ("Python functions, beside pandas, Arrow and CPython", bodies, bodies * per_body),
        ("into Python, APIs × values", len(paths.INTO), 2 * len(transfer.IN_VALUES) * len(paths.INTO)),
        ("out of Python, APIs × values", len(paths.OUT), len(transfer.OUT_VALUES) * len(paths.OUT)),
        ("pandas columns out, APIs × columns", len(paths.COLUMNS), len(transfer.OUT_COLUMNS) * len(paths.COLUMNS)),
    ]  # fmt: skip


def _values(found: Sequence[tuple[Type, Type, Sequence[Expr]]]) -> int:
    """Expressions × pairs of adversarial values, NULL among them."""
    return sum(len(e) * (len(ADVERSARIAL[s.name]) + 1) * (len(ADVERSARIAL[t.name]) + 1) for s, t, e in found)


def table() -> str:
    """Both tables: constructs by family, then cases and value rows."""
    found = families()
    head = [f"{'constructs':52}{'there':>8}{'missing':>9}"]
    head += [f"{name:52}{len(f.there):8}{len(f.missing):9}" for name, f in found.items()]
    head += [f"{'all':52}{sum(len(f.there) for f in found.values()):8}", ""]
    head += [f"{'tables':52}{'cases':>8}{'values':>9}"]
    head += [f"{name:52}{n:8}{rows:9}" for name, n, rows in lines()]
    head += [f"{'all':52}{sum(n for _, n, _ in lines()):8}{sum(r for *_, r in lines()):9}"]
    return "\n".join(head)
