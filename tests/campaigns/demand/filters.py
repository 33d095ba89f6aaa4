"""Filters above aggregates, windows, functions of Python, joins, arrays and queries in SQL text: what other rules than
those of demand look at."""

from __future__ import annotations

from .jobs import Lines, condition, sql


def filters(w: Lines) -> None:
    """A frame that is filtered, and its rows."""
    w.add("k, name = 1, 'a'", 'wanted = F.col("a") > 0')
    made = w.random.choice((_groups, _windows, _python, _batches, _arrays, _joined, _text, _in_place, _own, _rows))(w)
    w.add(f"out.append(sorted(map(str, {made}.collect())))")
    if w.maybe(0.2):
        w.add(f"out.append({made}.count())")


def _groups(w: Lines) -> str:
    """Aggregates, with conditions on groups and on their keys."""
    k, v = w.pick("c", "d", "a"), w.pick("a", "b", "d")
    function = w.pick("max", "min", "sum", "count", "avg", "first")
    made = w.pick(
        f'groupBy("{k}").agg(F.{function}("{v}").alias("m"))', f'groupBy("{k}").agg({{"{v}": "max"}}).toDF("{k}", "m")',
        f'groupBy("{k}").agg(F.{function}("{v}").alias("m"), F.max("b").alias("n"))',
        f'groupBy("{k}").max("a").toDF("{k}", "m")',
        f'groupBy(F.col("{k}")).agg(F.{function}(F.col("{v}")).alias("m"))',
        f'groupBy("{k}").agg(F.max(F.when(F.col("{v}") > 0, F.col("{v}"))).alias("m"))',
    )  # fmt: skip
    return f"{w.frame()}.{made}.{_where(w, 'm', k)}"


def _where(w: Lines, made: str, given: str) -> str:
    """A filter on the column ``made``, on ``given``, or on both."""
    value, other = w.random.randrange(3), w.literal(given)
    on_made = w.pick(
        f'F.col("{made}") {w.sign()} {value}', f'F.col("{made}").isNotNull()', f'F.col("{made}").isNull()',
        f'F.col("{made}").between(0, {value})', f'F.col("{made}").isin(0, {value})',
    )  # fmt: skip
    on_given = w.pick(f'F.col("{given}") == {other}', f'F.col("{given}").isNotNull()', f'F.col("{given}") >= {other}')
    test = w.pick(on_made, on_made, on_given, f"({on_made}) & ({on_given})", f"({on_made}) | ({on_given})")
    text = w.pick(f"{made} > {value}", f"{made} IS NOT NULL AND {given} IS NOT NULL", f"{made} = {value}")
    return f"{w.pick('filter', 'where')}({test if w.maybe(0.75) else repr(text)})"


def _windows(w: Lines) -> str:
    k, v, f = w.pick("c", "d"), w.pick("a", "b", "d"), w.fresh("w")
    order = w.pick(f'.orderBy("{v}", "a", "b", "c", "d")', f'.orderBy(F.desc("{v}"), "a", "b", "c", "d")')
    made = w.pick(
        "F.row_number()", "F.rank()", "F.dense_rank()", f'F.max("{v}")', f'F.min("{v}")', 'F.count("*")', 'F.lag("a")',
        'F.sum("a")',
    )  # fmt: skip
    w.add("from pyspark.sql import Window", f'{f} = Window.partitionBy("{k}"){order}')
    return f'{w.frame()}.withColumn("m", {made}.over({f})).{_where(w, "m", k)}'


def _python(w: Lines) -> str:
    """Functions of Python, in filters and below them."""
    f, c = w.fresh("g"), w.pick("a", "d", "c")
    body = w.pick(
        "return x is not None and x > 1", "return x > 1 if x is not None else False", "return x in (0, 1, 5)",
        "if x is None:\n        return False\n    return x >= 1", "return x == 1 or x is None",
    )  # fmt: skip
    if c == "c":
        body = w.pick(
            'return x == "x"', 'return x is not None and x.startswith("x")', 'return x in ("x", "y")', "return bool(x)"
        )
    if w.maybe(0.5):
        w.add('@F.udf("boolean")', f"def {f}(x):", *_lines(body))
        test = w.pick(f'{f}("{c}")', f'{f}(F.col("{c}")) & F.col("d").isNotNull()', f'~{f}("{c}")', f"{f}(t.{c})")
        return f"{w.frame()}.filter({test})"
    value = w.pick("None if x is None else x * 2", "x", "0 if x is None else x + 1", "1 if x else 0")
    kind = "string" if c == "c" else "bigint"
    value = w.pick("x", 'x or ""', 'None if x is None else x + "y"') if c == "c" else value
    w.add(f'{f} = F.udf(lambda x: {value}, "{kind}")')
    test = 'F.col("m") == "x"' if c == "c" else f'F.col("m") {w.sign()} {w.random.randrange(4)}'
    return f'{w.frame()}.withColumn("m", {f}("{c}")).filter({w.pick(test, f"({test}) & ({condition(w)})")})'


def _batches(w: Lines) -> str:
    """Functions of groups and of batches."""
    f, k, n = w.fresh("h"), w.pick("c", "d"), w.random.randrange(3)
    kept = w.pick(
        f'p[p["a"] > {n}]', 'p[p["a"].notna()]', "p", f'p[p["d"] == {n}]', 'p.assign(a=p["a"])', 'p.sort_values("a")',
        f'p.head({n + 1})', 'p[["a", "b", "c", "d"]]',
    )  # fmt: skip
    if w.maybe(0.5):
        w.add(f"def {f}(p):", f"    return {kept}")
        made = f'groupBy("{k}").applyInPandas({f}, "a int, b double, c string, d bigint")'
    else:
        w.add(f"def {f}(parts):", "    for p in parts:", f"        yield {kept}")
        made = f'mapInPandas({f}, "a int, b double, c string, d bigint")'
    return f"{w.frame()}.{made}.{_where(w, 'a', k)}"


def _arrays(w: Lines) -> str:
    made = w.pick(
        'withColumn("m", F.explode(F.array("a", "d")))', 'select("c", "d", F.explode(F.array("a", "d")).alias("m"))',
        'withColumn("m", F.explode_outer(F.array("d", "a")))', 'select("*", F.explode(F.array("a", "a")).alias("m"))',
        'select("c", F.posexplode(F.array("a", "d")).alias("i", "m"))',
    )  # fmt: skip
    return f"{w.frame()}.{made}.{_where(w, 'm', 'c')}"


def _joined(w: Lines) -> str:
    k, how = w.pick("a", "c", "d"), w.pick("inner", "left", "left_semi", "left_anti", "right", "full")
    right = f'{w.frame()}.select("{k}", F.col("b").alias("m"))'
    if how in ("left_semi", "left_anti"):
        return f'{w.frame()}.join({right}, "{k}", "{how}").{_where(w, "b", k)}'
    return f'{w.frame()}.join({right}, "{k}", "{how}").{_where(w, "m", k)}'


def _text(w: Lines) -> str:
    """A query in SQL text, of a view."""
    name, k, v = w.fresh("view"), w.pick("c", "d"), w.pick("a", "d")
    w.add(f'{w.frame()}.createOrReplaceTempView("{name}")')
    below = w.pick(
        f"SELECT {k}, max({v}) AS m FROM {name} GROUP BY {k}", f"SELECT {k}, count(*) AS m FROM {name} GROUP BY {k}",
        f"SELECT *, a AS m FROM {name}", f"SELECT {k}, {v} AS m FROM {name} WHERE {k} IS NOT NULL",
        f"SELECT DISTINCT {k}, {v} AS m FROM {name}",
        f"SELECT {k}, sum({v}) AS m FROM {name} GROUP BY {k} HAVING sum({v}) > 0",
    )  # fmt: skip
    test = w.pick("m > 1", f"m > 0 AND {k} IS NOT NULL", "m IS NOT NULL", f"{k} IS NULL OR m = 1")
    query = w.pick(f"SELECT * FROM ({below}) WHERE {test}", f"WITH x AS ({below}) SELECT * FROM x WHERE {test}", below)
    return f'spark.sql("{query}"){w.pick("", "", f".{_where(w, chr(109), k)}")}'


def _in_place(w: Lines) -> str:
    """Conditions on functions of a column, which ranges may say."""
    test = w.pick(
        'F.expr("a div 2") == 1', 'F.substring("c", 1, 1) == "x"', 'F.floor(F.col("a") / 2) == 0', 'F.abs("a") < 2',
        'F.col("c").startswith("x")', 'F.left("c", F.lit(1)) == "x"', 'F.col("a").cast("string") == "1"',
        'F.coalesce("a", F.lit(0)) > 0', 'F.greatest("a", F.lit(1)) == 1', 'F.col("a") + 1 > 2', 'F.col("d") % 2 == 0',
        'F.expr("d div 5") = 1' if w.maybe(0.02) else 'F.expr("d div 5") == 1', 'F.length("c") == 1',
    )  # fmt: skip
    return f"{w.frame()}.filter({test})"


def _own(w: Lines) -> str:
    """Filters one above the other, of which one may say nothing or contradict another."""
    if w.maybe(0.3):
        return f"{w.frame()}.filter({sql(w)}).filter({condition(w)})"
    c = w.column()
    between = w.pick("", '.select("a", "b", "c", "d")', f'.withColumn("{c}", F.col("{c}"))', ".distinct()")
    return f"{w.frame()}.filter({condition(w, c)}){between}.filter({condition(w, c)})"


def _rows(w: Lines) -> str:
    """Elements of an RDD."""
    c, n = w.pick("a", "d"), w.random.randrange(3)
    test = w.pick(f"r.{c} == {n}", f'r["{c}"] is not None and r["{c}"] > {n}', f"r.{c} in (0, {n})", "r.c == 'x'")
    made = w.pick("", f".map(lambda r: (r.c, r.{c}))", ".map(lambda r: r.c)", ".map(lambda r: r.asDict()['c'])")
    return f"{w.frame()}.rdd.filter(lambda r: {test}){made}"


def _lines(body: str) -> list[str]:
    return ["    " + line if i == 0 else line for i, line in enumerate(body.split("\n"))]
