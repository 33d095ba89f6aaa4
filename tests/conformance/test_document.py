"""The comparison of ``docs/semantics.md`` with a measurement sees what it should."""

from __future__ import annotations

import pytest

from . import paths, transfer


@pytest.mark.parametrize("name", ["into", "out", "columns"])
def test_a_changed_cell_is_seen(name: str) -> None:
    text = transfer.documented(name).split("\n\n", 1)[1].removesuffix(transfer.END.format(name)).removesuffix("\n")
    assert not transfer.difference(name, text)
    assert transfer.difference(name, text.replace("NaT", "None", 1).replace("NULL", "`0`", 1))


def test_errors_are_read_back() -> None:
    """Which rows raise by which API, as the document's table of results says."""
    row = transfer.OUT_VALUES.index(("long", "90.5"))
    raises = {api for api in paths.OUT if row in transfer.raising("out", api)}
    assert "applyInPandas" in raises
    assert not {"udf", "udf(useArrow=False)", "udtf"} & raises


def test_equal_columns_are_one() -> None:
    column = ("1",) * len(transfer.OUT_VALUES)
    text = transfer.out_markdown(transfer.OUT_VALUES, {"a": column, "b": column, "c": ("2", *column[1:])})
    assert "- **A** a; b" in text
    assert "- **B** c" in text
    assert "| long | `None` | `1` | `2` |" in text
