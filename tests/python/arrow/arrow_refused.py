# ruff: noqa: E501 - programs and tables, one to a line
"""Functions over Arrow tables of which no fold is read: each with the obstruction and words of the reason."""

from __future__ import annotations

import re

from tests.python.harness import Refused

from .arrow_cases import ArrowCase

COLUMNS = "k string, x double, n long, s string, t timestamp, raw binary"
OUT = 'pa.schema([("k", pa.string()), ("v", pa.float64())])'
ROWS = "table.to_pylist()"
GIVEN = 'return pa.Table.from_pylist([{"k": key[0].as_py(), "v": VALUE}], schema=' + OUT + ")"
BODIES: dict[str, tuple[str, str, str]] = {
    "another type": ("may-throw", 'return pa.table({"k": ["a"], "v": [1.0]}, schema=pa.schema([("k", pa.string()), ("v", pa.float32())]))', "declared"),
    "another column": ("may-throw", 'return pa.table({"k": ["a"], "w": [1.0]})', "not the declared ones"),
    "a column too few": ("may-throw", 'return pa.table({"k": ["a"]}, schema=' + OUT + ")", "no column `v`"),
    "int for double": ("may-throw", 'return pa.table({"k": ["a"], "v": [1]})', "declared as"),
    "nothing but None": ("may-throw", 'return pa.table({"k": ["a"], "v": [None]})', "depends on its value"),
    "empty columns": ("may-throw", 'return pa.table({"k": [], "v": []})', "of no type"),
    "two rows": ("multiplicity", 'return pa.table({"k": ["a", "b"], "v": [1.0, 2.0]})', "several rows"),
    "all rows": ("opaque", f"return pa.Table.from_pylist({ROWS}, schema={OUT})", "not literals"),
    "a slice": ("opaque", "return table.slice(0, 1)", "`slice` of an Arrow table"),
    "record batch": ("opaque", 'return pa.RecordBatch.from_pylist([{"k": "a", "v": 1.0}])', "RecordBatch"),
    "nothing": ("opaque", "pass", "does not return a frame"),
    "key of another type": ("may-throw", 'return pa.table({"k": [key[0]], "v": [key[1]]})', "no such part"),
    "no such part of the key": ("may-throw", GIVEN.replace("VALUE", "key[1].as_py()"), "no such part"),
    "no such column": ("may-throw", GIVEN.replace("VALUE", 'max(r["y"] for r in table.to_pylist())'), "no column `y`"),
    "second row": ("may-throw", GIVEN.replace("VALUE", f'{ROWS}[1]["x"]'), "too few rows"),
    "string in double": ("may-throw", GIVEN.replace("VALUE", f'{ROWS}[0]["s"]'), "its value is string"),
    "scalar compared": ("opaque", "if key[0] == 'a':\n        return table.schema.empty_table()\n    " + GIVEN.replace("VALUE", "1.0"), "not a scalar"),
    "compute": ("opaque", GIVEN.replace("VALUE", 'pa.compute.stddev(table["x"]).as_py()'), "nothing is known"),
    "sorted by doubles": ("opaque", GIVEN.replace("VALUE", f'sorted({ROWS}, key=lambda r: r["x"])[0]["x"]'), "may be NaN"),
    "sorted in place": ("side-effect", f'rows = {ROWS}\n    rows.sort(key=lambda r: r["n"])\n    ' + GIVEN.replace("VALUE", 'rows[0]["x"]'), "sort"),
    "rows changed": ("side-effect", f'for r in {ROWS}:\n        r["x"] = 0.0\n    ' + GIVEN.replace("VALUE", "1.0"), "an object changes"),
    "two passes": ("opaque", f'best = max(r["x"] for r in {ROWS})\n    n = sum(1.0 for r in {ROWS} if r["x"] == best)\n    ' + GIVEN.replace("VALUE", "n"), "second pass"),
    "a pass for each row": ("opaque", f'n = 0.0\n    rows = {ROWS}\n    for r in rows:\n        n += len([q for q in rows if q["x"] > r["x"]])\n    ' + GIVEN.replace("VALUE", "n"), "each of its rows"),
    "a comprehension inside another": ("opaque", GIVEN.replace("VALUE", f'1.0 * sum(1 for r in {ROWS} if any(q["x"] > r["x"] for q in {ROWS}))'), "each of its rows"),
    "columns one inside the other": ("opaque", GIVEN.replace("VALUE", '1.0 * len([x for x in table["x"].to_pylist() if any(y > x for y in table["n"].to_pylist())])'), "each of its rows"),
    "a pass inside a key": ("opaque", GIVEN.replace("VALUE", f'max({ROWS}, key=lambda r: len([q for q in {ROWS} if q["x"] > r["x"]]))["x"]'), "reads `table`"),
    "may fail under a condition": ("may-throw", f"rows = {ROWS}\n    v = 0.0\n    if len(rows) > 3:\n        v = max(r['x'] / r['n'] for r in rows)\n    " + GIVEN.replace("VALUE", "v"), "run under a condition"),
    "loop over others": ("opaque", f"rows = {ROWS}\n    if not [r for r in rows if r['x'] == 1]:\n        return pa.Table.from_pylist([])\n    v = 0.0\n    for r in rows:\n        v += r['x'] / r['n']\n    " + GIVEN.replace("VALUE", "v"), "only under a condition"),
    "may fail in a branch": ("may-throw", f"rows = {ROWS}\n    " + GIVEN.replace("VALUE", 'max(-r["x"] for r in rows) if len(rows) > 3 else 0.0'), "run under a condition"),
    "may fail behind and": ("may-throw", f"rows = {ROWS}\n    v = 0.0\n    if len(rows) > 3 and any(r['x'] > 3 for r in rows):\n        v = 1.0\n    " + GIVEN.replace("VALUE", "v"), "run under a condition"),
    "may fail in a chain": ("may-throw", f"rows = {ROWS}\n    v = 1.0 if 3 < len(rows) < sum(r['n'] // r['n'] for r in rows) else 0.0\n    " + GIVEN.replace("VALUE", "v"), "run under a condition"),
    "more than rows in batches": ("opaque", 'n = 0.0\n    for b in table.to_batches():\n        n += b.num_rows\n    ' + GIVEN.replace("VALUE", "n"), "more than go through"),
    "naive timestamp": ("may-throw", 'n = 0.0\n    for r in table.to_pylist():\n        if r["t"] and r["t"] > datetime.datetime(2024, 1, 1):\n            n += 1\n    ' + GIVEN.replace("VALUE", "n"), "naive"),
    "bytes": ("opaque", GIVEN.replace("VALUE", f'1.0 if {ROWS}[0]["raw"] else 0.0'), "without a model"),
    "keys of a row": ("opaque", f'n = 0.0\n    for r in {ROWS}:\n        if "x" in r:\n            n += 1\n    ' + GIVEN.replace("VALUE", "n"), "which columns a row has"),
    "values of a row": ("opaque", f'n = 0.0\n    for r in {ROWS}:\n        n += sum(r.values())\n    ' + GIVEN.replace("VALUE", "n"), "values"),
    "computed schema": ("opaque", 'return pa.table({"k": ["a"], "v": [1.0]}, schema=pa.schema([c for c in table.schema]))', "not written as a literal"),
}  # fmt: skip
REFUSED = {
    f"arrow, {n}": Refused(ArrowCase(f"\ndef f(key, table):\n    {body}\n", COLUMNS, "k string, v double"), obstruction, re.escape(words))
    for n, (obstruction, body, words) in BODIES.items()
}  # fmt: skip
