"""Code that hands rows and frames of pandas to functions of Python, of pandas and of its own, and loops that are left
in their middle."""

from __future__ import annotations

from .jobs import Lines


def uses(w: Lines) -> None:
    """A frame and what is made of its rows."""
    if w.maybe(0.3):
        _loop(w)
    elif w.maybe(0.5):
        _rows(w)
    else:
        _pandas(w)


def _loop(w: Lines) -> None:
    c, n, start = w.column(), w.random.randrange(4), w.random.randrange(3)
    given = f", {start}" if start else ""
    test = w.pick(f"i == {n}", f"i >= {n}", f"i > {n}", f"i == {n}", f"i < {n}", f"r.{c} is None", f"{n} == i")
    leave = [f"    if {test}:", w.pick("        break", "        break", "        continue", "        pass")]
    body = [f"    out.append(r.{c})"]
    other = w.pick(
        "", "", "", "    i = i + 1", "    if r.a == 1:\n        continue", "    out.append(i)", "    last = r"
    )
    lines = [*body, *leave] if w.maybe(0.5) else [*leave, *body]
    if other:
        lines.insert(w.random.randrange(len(lines) + 1) // 2 * 2 if lines[0] in leave else 1, other)
    if w.maybe(0.15):
        lines.append("    break")
    if w.maybe(0.1):
        lines += ["else:", '    out.append("all")']
    lines = [part for line in lines for part in line.split("\n")]
    rows = f"{w.frame()}.collect()"
    if w.maybe(0.3):
        w.add(f"rows = {rows}", f"for i, r in enumerate(rows{given}):", *lines)
        if w.maybe(0.3):
            w.add(w.pick("out.append(len(rows))", "out.append(rows[1])", "out.append(rows[0])"))
    else:
        w.add(f"for i, r in enumerate({rows}{given}):", *lines)


def _rows(w: Lines) -> None:
    v, c, d, n = w.fresh("v"), w.column(), w.column(), w.random.randrange(3)
    w.add(
        "from itertools import islice",
        "def shown(row):", f"    return {w.pick(f'row.{c}', f'(row.{c}, row[{d!r}])', 'row', 'len(row)')}",
        "def some(rows, n=1):",
        f"    return {w.pick('rows[:n]', f'[r.{c} for r in rows]', 'rows[0]', 'len(rows)', 'rows.pop()')}",
        f"{v} = {w.frame()}.collect()",
    )  # fmt: skip
    for _ in range(w.random.choice((1, 1, 2, 3))):
        w.add(f"out.append({_of_rows(w, v, c, d, n)})")


def _of_rows(w: Lines, v: str, c: str, d: str, n: int) -> str:
    return w.pick(
        f"[shown(r) for r in {v}]", f"some({v})", f"some(rows={v}, n=2)", f"list(map(lambda r: r.{c}, {v}))",
        f"list(map(lambda r: r.{c}, {v}))[{n}]", f"[r.{c} for r in {v}][:{n}]", f"list(islice({v}, {n}))",
        f"[r.{c} for r in islice({v}, 1, {n + 1})]", f"[r.{d} for r in sorted({v}, key=lambda r: str(r.{c}))]",
        f"sorted({v}, key=lambda r: str(r.{c}))[0].{d}", f"max({v}, key=lambda r: r.d or 0).{c}", f"max({v})",
        f"len(list(filter(lambda r: r.{c} is None, {v})))", f"[r.{d} for r in filter(lambda r: r.{c} is None, {v})]",
        f"next(iter({v}))", f"tuple({v})[{n}]", f"[(i, r.{c}) for i, r in enumerate({v})]",
        f"list(reversed({v}))[0].{c}",
        f"next(iter({v}), None)", f"[shown(r) for r in {v}][{n}]", f"list(map(shown, {v}))",
        f"sorted({v}, key=str)[0].{c}",
    )  # fmt: skip


def _pandas(w: Lines) -> None:
    p, q, c, d = w.fresh("p"), w.fresh("q"), w.column(), w.column()
    w.add(
        f"names = [{c!r}]",
        "def shown(frame):",
        f"    return {w.pick(f'frame[{c!r}].tolist()', 'frame.shape', 'frame[names].values.tolist()', 'len(frame)')}",
        f"{p} = {w.frame()}.toPandas()",
    )
    for _ in range(w.random.choice((0, 0, 1, 2))):
        w.add(*_put(w, p, c).split("\n"))
    if w.maybe(0.3):
        w.add(f"{q} = {_derived(w, p, c, d)}", f"out.append({_of_frame(w, q, c, d)})")
        if w.maybe(0.3):
            w.add(*_put(w, q, c).split("\n"), f"out.append({_of_frame(w, q, c, d)})")
    for _ in range(w.random.choice((1, 1, 2))):
        w.add(f"out.append({_of_frame(w, p if w.maybe(0.7) else _derived(w, p, c, d), c, d)})")


def _put(w: Lines, p: str, c: str) -> str:
    line = w.pick(
        f'{p}["new"] = 1', f"{p}[{c!r}] = {p}[{c!r}].map(str)", f'{p}["new"] = {p}["a"]', f"{p}[{c!r}] = 0",
        f"{p}.drop(columns=[{c!r}], inplace=True)", f'{p}["e"] = {p}.index', f"alias = {p}\nalias['new'] = 2",
    )  # fmt: skip
    return line if w.maybe(0.8) else "if len(out) > 1:\n" + "\n".join("    " + part for part in line.split("\n"))


def _derived(w: Lines, p: str, c: str, d: str) -> str:
    return w.pick(
        f"{p}.sort_values({c!r})", f"{p}.set_index({c!r})", f"{p}.dropna(subset=[{c!r}])", f"{p}.dropna()",
        f"{p}.drop_duplicates(subset=[{c!r}, {d!r}])" if c != d else f"{p}.drop_duplicates([{c!r}])", f"{p}.copy()",
        f"{p}.drop(columns=[{c!r}])", f"{p}.fillna(0)", f"{p}.tail(2)", f"{p}.reset_index(drop=True)",
        f"{p}.head(2)", f"{p}[names + [{d!r}]]" if c != d else f"{p}[names]", f"{p}.drop_duplicates()",
    )  # fmt: skip


def _of_frame(w: Lines, p: str, c: str, d: str) -> str:
    return w.pick(
        f"shown({p})", f"{p}[{d!r}].tolist()", f"len({p})", f"{p}.index.tolist()", f"{p}.head(1)", f"{p}",
        f"[t.{d} for t in {p}.itertuples()]", f"[t[1] for t in {p}.itertuples()]",
        f"{p}.groupby({c!r}).size().to_dict()",
        f'{p}.groupby({c!r}).agg({{"a": "max"}})', f"{p}.groupby({c!r}).agg(n=({d!r}, 'count'))",
        f"[r[{d!r}] for r in {p}.to_dict('records')]", f"{p}.to_dict('records')[0]", f"{p}.to_dict('records')[:1]",
        f"{p}[{d!r}].tolist()[0]", f'{p}.pivot_table(values="a", index="c", aggfunc="count")',
        f'{p}.melt(id_vars=["c"], value_vars=["a", "d"])',
        f'{p}["new"].tolist()', f"{p}.sort_values({d!r})[{c!r}].tolist()",
        f"[row[{d!r}] for _, row in {p}.iterrows()]", f"{p}.groupby({c!r})[{d!r}].count()",
        f"{p}.loc[:, {d!r}].tolist()",
    )  # fmt: skip
