"""Code that hands a frame to pandas and takes rows of it by masks, and code that looks at more of it than that."""

from __future__ import annotations

from .jobs import Lines


def masks(w: Lines) -> None:
    """A frame of pandas, and statements about some of its rows."""
    p = w.fresh("p")
    w.add(f"{p} = {w.frame()}.toPandas()")
    if w.maybe(0.25):
        w.add(*_set(w, p))
    if w.maybe(0.15):
        w.add(*_turns(w, p))
        return
    if w.maybe(0.3):
        w.add(f"{p} = {_masked(w, p)}")
        if w.maybe(0.3):
            w.add(*_set(w, p))
        for _ in range(w.random.choice((1, 2))):
            w.add(f"out.append({_seen(w, p)})")
        return
    for _ in range(w.random.choice((1, 1, 2, 3))):
        _statement(w, p)


def _set(w: Lines, p: str) -> list[str]:
    """A column that is set to what is computed of each row, or of others."""
    c, d = w.column(), w.pick("new", "new", "a", "b", "c", "d")
    value = w.pick(
        f'{p}["{c}"]', f'{p}["{c}"].astype(str)', f'{p}["a"].astype(float)', f'{p}["b"] * 2', f'{p}["c"].str.upper()',
        f'{p}["c"].fillna("none")', f'{p}["{c}"].isna()', f'{p}["a"] + {p}["b"]', "1", '"x"', f'{p}["b"].round(1)',
        f'{p}["c"].str.len()', f'{p}["b"].fillna(0)', f'{p}["b"].cumsum()',
        f'{p}["a"] - {p}["a"].mean()', f'{p}["c"].astype("category")', f"range(len({p}))", f'{p}["a"].shift()',
    )  # fmt: skip
    return [f'{p}["{d}"] = {value}']


def _turns(w: Lines, p: str) -> list[str]:
    """Masks in a loop over constants."""
    c, x, y = w.column(), w.fresh("x"), w.fresh("x")
    values = ", ".join(w.literal(c) for _ in range(w.random.choice((1, 2, 3))))
    name, over = w.pick(
        (x, f"[{values}]"), (x, f"({values},)"), (f"i, {x}", f"enumerate([{values}])"),
        (f"{x}, i", f"zip([{values}], [1, 2])"), (f"i, ({x}, j)", f'enumerate(zip([{values}], "xyz"))'),
        (x, "values"), (x, "values"), (x, f"sorted([{values}], key=str)"),
    )  # fmt: skip
    first = [f"values = [{values}]"] if over == "values" else []
    if first and w.maybe(0.2):
        first.append(w.pick("values.append(0)", "values[0] = 1", "values += [2]", "other = values", "values = [1]"))
    mask = w.pick(f'{p}["{c}"] == {x}', f"{p}.{c} == {x}", f'{p}[f"{c}"] != {x}')
    body = [f"{y} = {p}[{mask}]"]
    if w.maybe(0.2):
        body.insert(0, w.pick(f"{x} = {w.literal(c)}", f"{p} = {p}.head(2)", "if len(out) == 2: continue"))
    if w.maybe(0.3):
        body.append(f'{y} = {y}[{y}["{w.column()}"].notna()]')
    return [*first, f"for {name} in {over}:", *(f"    {b}" for b in body), f"    out.append({_seen(w, y)})"]


def _statement(w: Lines, p: str) -> None:
    x, m = w.fresh("x"), w.fresh("m")
    form = w.random.choice(("plain", "plain", "plain", "bound", "bound", "named", "loop", "trap"))
    if form == "plain":
        w.add(f"out.append({_seen(w, _masked(w, p))})")
    elif form == "bound":
        w.add(f"{x} = {_masked(w, p)}", f"out.append({_seen(w, x)})")
        if w.maybe(0.4):
            w.add(f"out.append({_seen(w, x)})")
    elif form == "named":
        w.add(f"{m} = {_mask(w, p)}", f"out.append({_seen(w, w.pick(f'{p}[{m}]', f'{p}[~{m}]', f'{p}.loc[{m}]'))})")
        if w.maybe(0.2):
            w.add(f"out.append({w.pick(f'{m}.sum()', f'len({m})', f'{m}.any()')})")
    elif form == "loop":
        row = w.pick(f"for i, r in {_masked(w, p)}.iterrows():", f"for r in {_masked(w, p)}.itertuples():")
        w.add(row, f"    out.append({w.pick('str(r.a)', 'str(r.c)', 'str(r.c)', 'str(r)')})")
    else:
        w.add(f"out.append({_seen(w, _masked(w, p))})", *_trap(w, p))


def _mask(w: Lines, p: str) -> str:
    c = w.column()
    of = w.pick(f'{p}["{c}"]', f"{p}.{c}")
    one = w.pick(
        f"{of} {w.sign()} {w.literal(c)}", f"{of} == {w.literal(c)}", f"{of}.isna()", f"{of}.notna()",
        f"{of}.notnull()",
        f"{of}.isin([{w.literal(c)}, {w.literal(c)}])", f'{p}["a"].between(0, 2)', f'{p}["c"] != "x"',
        f"{of} != {of}", f'{p}["c"].str.startswith("x", na=False)', f"{of}.eq({w.literal(c)})",
    )  # fmt: skip
    if w.maybe(0.06):
        one = w.pick(
            f"{of}.duplicated()", f'{p}["a"] > {p}["a"].mean()', f'{p}["a"].shift() == 1', f"{p}.index < 2",
            f'{p}["a"].rank() > 1',
        )  # fmt: skip
    if w.maybe(0.2):
        one = f"~({one})"
    return one if w.maybe(0.75) else f"({one}) {w.pick('&', '&', '|')} ({_mask(w, p)})"


def _masked(w: Lines, p: str) -> str:
    m, c = _mask(w, p), w.column()
    text = w.pick("a > 1", "c == 'x'", "a >= 0 and d < 7", "c in ['x', 'y']", "b == b")
    made = w.pick(
        f"{p}[{m}]", f"{p}[{m}]", f"{p}[{m}]", f"{p}.loc[{m}]", f"{p}.loc[{m}, :]", f'{p}.query("{text}")',
        f'{p}.dropna(subset=["{c}"])', f'{p}.dropna(subset=["{c}", "a"])',
    )  # fmt: skip
    return made if w.maybe(0.85) else f'{made}[{made}["{c}"].notna()]'


def _seen(w: Lines, rows: str) -> str:
    c, d = w.column(), w.column()
    two = f'["{c}", "{d}"]' if c != d else f'["{c}"]'
    return w.pick(
        f'{rows}["{c}"].tolist()', f"{rows}.{c}.tolist()", f"len({rows})", f"{rows}.shape[0]", f"{rows}.empty",
        f'{rows}["a"].sum()', f'{rows}["d"].max()', f'{rows}["{c}"].nunique()', f"{rows}.to_dict('records')",
        f"{rows}.values.tolist()", f"{rows}.reset_index(drop=True)", f"{rows}[{two}].values.tolist()",
        f'{rows}["{c}"].iloc[:1].tolist()', f'{rows}.sort_values("{c}")["{c}"].tolist()',
        f'set({rows}["{c}"].map(str))',
        f'{rows}.groupby("c")["a"].sum().to_dict()', f'{rows}.drop_duplicates()["{c}"].tolist()', f"{rows}.shape",
        f"{rows}.index.tolist()", f"{rows}", f'{rows}["{c}"]', f"{rows}.iloc[0].tolist()", f"{rows}.head(1)",
        f'{rows}["{c}"].to_dict()', f"{rows}.dtypes.astype(str).tolist()", f'{rows}["a"].idxmax()', f"{rows}.to_csv()",
        f"{rows}.isna().sum().tolist()", f'{rows}["{c}"].value_counts().to_dict()', f"{rows}.to_csv(index=False)",
    )  # fmt: skip


def _trap(w: Lines, p: str) -> list[str]:
    """Code that looks at all rows of the frame, or makes another one of it."""
    q = w.fresh("q")
    return w.random.choice(
        (
            [f"out.append(len({p}))"], [f'out.append({p}["a"].sum())'], [f"{q} = {p}", f"out.append({q}.shape)"],
            [f'{p}["new"] = 1', f"out.append({_seen(w, _masked(w, p))})"],
            [f'{p}.loc[{_mask(w, p)}, "a"] = 9', f"out.append({_seen(w, _masked(w, p))})"],
            [f"{q} = [{p}]", f"out.append({q}[0].shape)"], [f"out.append({p}.head(1))"],
            [f"{p}.reset_index(inplace=True)", f"out.append({_seen(w, _masked(w, p))})"],
            [f"{p}.index = {p}.index[::-1]", f"out.append({_seen(w, _masked(w, p))})"],
            [f"out.append((lambda: {p})().shape)"],
        )
    )  # fmt: skip
