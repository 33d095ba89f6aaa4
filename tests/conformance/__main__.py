"""``python -m tests.conformance``: how large the conformance tables are. ``… write`` measures the tables of
``docs/semantics.md`` and writes them, ``… check`` compares all of them, errors included."""

from __future__ import annotations

import sys
import warnings

from tests.replay import campaign_session

from . import paths, sizes, transfer


def _measured() -> dict[str, str]:
    """The blocks of the document, all measured."""
    with campaign_session() as spark:
        paths.ship_by_value()
        into = {api: transfer.into(spark, api) for api in paths.INTO}
        out = {api: transfer.out(spark, api, transfer.raising("out", api)) for api in paths.OUT}
        columns = {api: transfer.columns_out(spark, api, transfer.raising("columns", api)) for api in paths.COLUMNS}
    return {
        "into": transfer.into_markdown(into),
        "out": transfer.out_markdown(transfer.OUT_VALUES, out),
        "columns": transfer.out_markdown(transfer.OUT_COLUMNS, columns),
    }


def main(command: str) -> int:
    """The exit code."""
    if command == "sizes":
        print(sizes.table())
        return 0
    warnings.simplefilter("ignore")
    blocks = _measured()
    differences = [d for name, text in blocks.items() if (d := transfer.difference(name, text))]
    print("\n".join(differences) or "docs/semantics.md says what was measured")
    if command == "write":
        for name, text in blocks.items():
            transfer.write(name, text)
        return 0
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "sizes"))
