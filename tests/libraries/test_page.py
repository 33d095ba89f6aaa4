"""The page of library functions is what the registries hold, and each function with a value has cases."""

from __future__ import annotations

from .page import PAGE, families, page, reasons


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.libraries.page"


def test_every_value_has_cases() -> None:
    assert not [name for family in families().values() for name, cases in family.values.items() if not cases]


def test_reasons_are_read_off_the_source() -> None:
    source = 'def f(call, x):\n    raise Refusal("opaque", f"`{x}` of a set", call)\n    raise call.refusal("a column")'
    assert list(reasons(source)) == ["`…` of a set (opaque)", "`…` of a column (opaque)"]
