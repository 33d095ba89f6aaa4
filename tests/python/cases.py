# ruff: noqa: E501 - programs and tables, one to a line
"""Group functions as people write them, with the columns they read."""

from __future__ import annotations

from .functions import GroupMap

TOP2 = '''
def f(key, pdf):
    """The two best scores."""
    first = None
    second = None
    for r in pdf.itertuples():
        if first is None or r.score > first:
            first, second = r.score, first
        elif second is None or r.score > second:
            second = r.score
    return pd.DataFrame([{"team": key[0], "first": first, "second": second}])
'''
TOP2_INFINITE = """
def f(pdf):
    first = second = float("-inf")
    for _, r in pdf.iterrows():
        s = r["score"]
        if s > first:
            second = first
            first = s
        elif s > second:
            second = s
    return pd.DataFrame({"team": [pdf["team"].iloc[0]], "first": [first], "second": [second]})
"""
TRADES = """
def f(key, pdf):
    open_epoch, close_epoch = None, None
    open_price = -1
    close_price = 0
    for row in pdf.to_dict("records"):
        if open_epoch is None or row["epoch"] < open_epoch:
            open_epoch = row["epoch"]
            open_price = row["price"]
        if close_epoch is None or row["epoch"] > close_epoch:
            close_epoch = row["epoch"]
            close_price = row["price"]
    return pd.DataFrame([(key[0], open_price, close_price)], columns=["symbol", "open", "close"])
"""
EVENTS = """
def f(pdf):
    n_time = n_place = 0
    first, last = math.inf, -math.inf
    for r in pdf.itertuples(index=False):
        if r.action == "time":
            n_time += 1
        elif r.action == "place":
            n_place += 1
        else:
            continue
        first = min(first, r.ts)
        last = max(last, r.ts)
    return pd.DataFrame([{"user": pdf["user"].iloc[0], "n_time": n_time, "n_place": n_place, "first": first, "last": last}])
"""
LOOP = """
def f(pdf):
    v = 0
    for r in pdf.itertuples():
        {body}
    return pd.DataFrame([{{"shop": pdf["shop"].iloc[0], "v": v}}])
"""
GUARDED = """if pd.notna(r.revenue):
            v = max(v, r.revenue)
        else:
            v = max(v, r.quantity * r.price)"""
SALES = "shop string, revenue double, weekday int, quantity int, price double"


def loop(body: str, known: bool = True) -> GroupMap:
    """A loop that keeps ``v``."""
    return GroupMap(LOOP.format(body=body), SALES, "shop string, v double", known)


def reduction(value: str, columns: str = "shop string, x double", out: str = "double", known: bool = True) -> GroupMap:
    """A function that returns the key and one reduction."""
    body = f"\ndef f(pdf):\n    v = {value}\n    return pd.DataFrame([{{'shop': pdf['shop'].iloc[0], 'v': v}}])\n"
    return GroupMap(body, columns, f"shop string, v {out}", known)


def scores(t: str, known: bool = True, source: str = TOP2) -> GroupMap:
    """The top-2 function on scores of type ``t``."""
    return GroupMap(source, f"team string, score {t}", f"team string, first {t}, second {t}", known)


CASES: dict[str, GroupMap] = {
    "top2 long": scores("long"),
    "top2 int": scores("int"),
    "top2 double": scores("double"),
    "top2 unknown": scores("double", known=False),
    "top2 timestamp": scores("timestamp"),
    "top2 date": scores("date"),
    "top2 string": scores("string"),
    "top2 infinite long": scores("long", source=TOP2_INFINITE),
    "top2 infinite double": scores("double", source=TOP2_INFINITE),
    "trades": GroupMap(TRADES, "symbol string, epoch long, price double", "symbol string, open double, close double"),
    "trades unknown": GroupMap(
        TRADES, "symbol string, epoch long, price double", "symbol string, open double, close double", False
    ),
    "trades int key": GroupMap(TRADES, "symbol int, epoch long, price double", "symbol int, open double, close double"),
    "events": GroupMap(
        EVENTS, "user long, action string, ts long", "user long, n_time long, n_place int, first long, last long"
    ),
    "max if": loop("if r.revenue > v: v = r.revenue"),
    "max if unknown": loop("if r.revenue > v: v = r.revenue", known=False),
    "max call": loop("v = max(v, r.revenue)"),
    "max reversed": loop("v = max(r.revenue, v)"),
    "max weekend": loop("if r.weekday in (6, 7): v = max(v, r.revenue)"),
    "max not weekend": loop("if not (r.weekday in [6, 7]): v = max(v, r.revenue)"),
    "max guarded": loop(GUARDED),
    "max chained": loop("if 1 < r.weekday <= 6 and r.revenue == r.revenue: v = max(v, r.revenue)"),
    "last": loop("v = r.revenue"),
    "sum": loop("v += r.quantity"),
    "ratio": loop("v = max(v, r.revenue / r.weekday)"),
    "state error": loop("if r.quantity > 0:\n            v = 1 / v if r.weekday == 1 else r.quantity"),
    "assert": loop("assert v < 100\n        v += r.quantity"),
    "value of or": loop("v = r.revenue or v"),
    "value of and": loop("v = (r.weekday and r.quantity) or v"),
    "column max": reduction('pdf["x"].max()'),
    "column max long": reduction("pdf.x.max()", "shop string, x long", "long"),
    "column max unknown": reduction("pdf.x.max()", known=False),
    "column min": reduction('pdf["x"].min()'),
    "column max timestamp": reduction('pdf["x"].max()', "shop string, x timestamp", "timestamp"),
    "column count": reduction('pdf["x"].count()', out="long"),
    "column sum": reduction('pdf["x"].sum()', "shop string, x int"),
    "column mean": reduction('pdf["x"].mean()', "shop string, x int"),
    "length": reduction("len(pdf)", out="long"),
    "shape": reduction("pdf.shape[0]", out="int"),
    "mask any": reduction('(pdf["x"] > 5).any()', out="boolean"),
    "mask all": reduction('(pdf["x"] > 5).all()', out="boolean"),
    "mask sum": reduction('(pdf["x"] != 5).sum()', out="long"),
    "mask combined": reduction('((pdf["x"] > 1) & ~(pdf["x"] == 2) | pdf["x"].isna()).sum()', out="long"),
    "mask string": reduction('(pdf["x"] == "b").any()', "shop string, x string", "boolean"),
    "mask isin": reduction('pdf["x"].isin(["a", "b"]).all()', "shop string, x string", "boolean"),
    "builtin max": reduction('max(pdf["x"])'),
    "builtin min": reduction('min(pdf["x"])'),
    "builtin sum": reduction('sum(pdf["x"])', "shop string, x long"),
    "builtin any": reduction('any(pdf["x"])', "shop string, x boolean", "boolean"),
    "builtin all": reduction('all(pdf["x"])', out="boolean"),
    "first row": reduction('pdf["x"].iloc[0]'),
    "first row string": reduction('pdf["x"].iloc[0]', "shop string, x string", "string"),
    "filtered max": reduction('pdf[pdf["x"] > 1]["x"].max()'),
    "filtered length": reduction('len(pdf[pdf["x"].notna()])', out="long"),
    "dropna": reduction('pdf.dropna(subset=["x"])["x"].sum()', "shop string, x int"),
    "float of max": reduction('float(pdf["x"].max())'),
    "int of loop": reduction("int(len(pdf))", out="long"),
}
EARLY = """
def f(pdf):
    best = None
    for x in pdf["x"]:
        if x is None or x != x:
            continue
        if best is None or x > best:
            best = x
    if best is None:
        return pd.DataFrame(columns=["shop", "v"])
    elif best < 0:
        return pd.DataFrame([], columns=["shop", "v"])
    return pd.DataFrame([[pdf["shop"].iloc[0], best]], columns=["shop", "v"])
"""
ZIPPED = """
LIMIT = 3
KINDS = ["a", "b"]

def better(x, y):
    if x is None:
        return y
    return y if y > x else x

def f(key, pdf):
    (shop,) = key
    best = None
    seen = False
    for k, x in zip(pdf["k"], pdf["x"]):
        if k in KINDS and x <= LIMIT:
            best = better(best, x)
            seen = True
    n = 0
    for k in pdf["k"]:
        n += 1 if k is not None and k.startswith("a") else 0
    return pd.DataFrame([{"shop": shop, "v": best if seen else -1.0, "n": n}])
"""
SORTED = """
def f(pdf):
    pdf = pdf.sort_values("x")
    last = None
    for r in pdf.itertuples():
        last = r.x
    return pd.DataFrame([{"shop": pdf["shop"].iloc[0], "v": last, "n": len(pdf)}])
"""
MASKED = """
def f(pdf):
    big = pdf[pdf["x"] > 1]
    n = 0
    top = -1.0
    for r in big.itertuples():
        n += 1
        top = max(top, r.x)
    if n >= 2:
        return pd.DataFrame({"shop": [pdf["shop"].iloc[0]], "v": [top], "n": [n]})
    return pd.DataFrame({"shop": [], "v": [], "n": []})
"""
CASES |= {
    "early return": GroupMap(EARLY, "shop string, x double", "shop string, v double"),
    "early return unknown": GroupMap(EARLY, "shop string, x double", "shop string, v double", False),
    "zipped": GroupMap(ZIPPED, "shop string, x double, k string", "shop string, v double, n long"),
    "sorted": GroupMap(SORTED, "shop string, x double", "shop string, v double, n long", sorted_by="x"),
    "masked": GroupMap(MASKED, "shop int, x double", "shop int, v double, n long"),
}
