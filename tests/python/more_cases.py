# ruff: noqa: E501 - programs, one to a line
"""Programs with what no other table of functions has: each function and method that the front end knows by name."""

from __future__ import annotations

from .arrow.arrow_cases import ArrowCase
from .body_cases import body, top
from .cases import reduction
from .functions import GroupMap

OUT = '[{"k": key[0], "v": v}]'
PANDAS: dict[str, GroupMap] = {
    "tolist": reduction('max(pdf["x"].tolist())'),
    "to_list": reduction('sum(pdf["x"].to_list())', "shop string, x long"),
    "copy of a column": reduction('pdf["x"].copy().max()'),
    "copy of a frame": reduction('pdf.copy()["x"].min()'),
    "iat": reduction('pdf["x"].iat[0]'),
    "reset index": reduction('pdf.dropna(subset=["x"]).reset_index(drop=True)["x"].max()'),
    "notnull": reduction('pdf["x"].notnull().sum()', out="long"),
    "isnull": reduction('pdf["x"].isnull().any()', "shop string, x string", "boolean"),
    "empty": reduction('-1.0 if pdf[pdf["x"] > 1].empty else pdf["x"].max()'),
    "empty column": reduction('-1.0 if pdf["x"].dropna().empty else pdf["x"].dropna().max()'),
    "pd.isnull": body("v = 0.0", "if pd.isnull(r.x): continue\nv = max(v, r.x)", "pass"),
    "pd.notnull": body("n = 0", "if pd.notnull(r.s): n += 1", "pass", "n long"),
    "np.isnan": body("v = 0.0", "if not np.isnan(r.x): v = max(v, r.x)", "pass"),
    "list cleared": top("if r.s == 'a': h.clear()\nh.append(r.n)\nh.sort(reverse=True)\nh = h[:2]"),
    "list copied": top("g = h.copy()\ng.append(r.n)\ng.sort(reverse=True)\nh = g[:2]"),
    "set subset": body("seen = set()", "seen.add(r.s)", "v = {'a', 'b'}.issubset(seen)", "v boolean"),
    "set superset": body("seen = set()", "seen.add(r.s)", "v = seen.issuperset({'a', 'b'})", "v boolean"),
    "heapify": top("heapq.heapify(h)\nheapq.heappush(h, r.n)\nif len(h) > 2: heapq.heappop(h)", "a, b = h[0], len(h)"),
    "insort left": top("bisect.insort_left(h, r.n)\nh = h[:2]"),
    "insort right": top("bisect.insort_right(h, r.n)\nh = h[-2:]"),
    "time constants": body("n = 0", "if pd.to_datetime('2023-12-31') < r.t <= datetime.datetime(2024, 1, 1): n += 1", "pass", "n long", "k string, t timestamp"),
}  # fmt: skip
ROWS = "\n    v = None\n    for r in table.to_pylist():\n        if r['x'] is not None and (v is None or r['x'] > v):\n            v = r['x']\n    "
ARROW: dict[str, ArrowCase] = {
    name: ArrowCase(f"S = pa.schema([('k', pa.string()), ('v', pa.float64())])\ndef f(key, table):{ROWS}return {made}\n", "k string, x double", "k string, v double")
    for name, made in {
        "from_pydict": "pa.Table.from_pydict({'k': [key[0].as_py()], 'v': [v]}, schema=S)",
        "from_arrays": "pa.Table.from_arrays([pa.array([key[0].as_py()], pa.string()), pa.array([v], pa.float64())], names=['k', 'v'])",
        "from_arrays with schema": "pa.Table.from_arrays([pa.array([key[0].as_py()], pa.string()), pa.array([v], pa.float64())], schema=S)",
        "empty_table": "S.empty_table() if v is None else pa.Table.from_pydict({'k': [key[0].as_py()], 'v': [v]}, schema=S)",
    }.items()
}  # fmt: skip
