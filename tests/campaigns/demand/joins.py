"""Joins of which only the match is used, joins of which more is, and rows that equal their group's extreme."""

from __future__ import annotations

from .jobs import Lines

KEYS = ("a", "b", "c", "d")


def joins(w: Lines) -> None:
    """A join or a window, and what is looked at behind it."""
    if w.maybe(0.3):
        _extreme(w)
        return
    if w.maybe(0.25):
        _named_frames(w)
        return
    r, j, k = w.fresh("r"), w.fresh("j"), w.pick(*KEYS)
    keep = w.maybe(0.5)
    w.add(f"{r} = {_right(w, k)}")
    on = w.pick(f'"{k}"', f'["{k}"]', f'on="{k}"', f'["{k}"]')
    how = w.pick('"inner"', '"inner"', "None") if keep else w.pick('"left"', '"left"', '"left_outer"', '"leftouter"')
    given = f"{on}, how={how}" if how != "None" else on
    if w.maybe(0.08):
        given = f"{on}, how={w.pick(chr(34) + 'right' + chr(34), chr(34) + 'full' + chr(34))}"
    of = f"{w.frame()}.join({r}, {given})"
    if not keep or w.maybe(0.1):
        tested = w.pick("seen", "seen", "seen", "e", k)
        of += w.pick(
            f'.filter(F.col("{tested}").isNull())', f'.where(F.col("{tested}").isNull())',
            f'.where("{tested} IS NULL")',
            f'.filter(F.isnull("{tested}"))', f'.filter(F.col("{tested}").isNotNull())',
        )  # fmt: skip
        of += w.pick('.drop("seen")', '.drop("seen", "e")', '.select("a", "b", "c", "d")', '.select("a", "seen")', "")
    elif w.maybe(0.5):
        of += w.pick('.select("a", "c")', '.select("a", "b", "c", "d")', '.drop("seen", "e")', '.select("a", "e")')
        of += w.pick("", "", ".distinct()", ".dropDuplicates()", '.where("e > 0")', '.where(F.col("a") > 0).distinct()')
    w.add(f"{j} = {of}")
    for _ in range(w.random.choice((1, 1, 2))):
        w.add(
            w.pick(
                f"out.append(sorted(map(str, {j}.collect())))", f"out.append({j}.count())", f"out.append({j}.columns)",
                f'out.append(sorted(map(str, {j}.select("a").collect())))',
                f'out.append({j}.filter(F.col("a") > 0).count())', f'out.append({j}.select("a").distinct().count())',
                f"out.append((lambda: {j})().count())",
            )
        )  # fmt: skip


def _named_frames(w: Lines) -> None:
    """A join whose columns are named by the frames ``l`` and ``r``."""
    j, k = w.fresh("j"), w.pick(*KEYS)
    how = w.pick("", ', "inner"', ', "left"')
    of = f'{w.frame()}.alias("l").join({_right(w, k)}.alias("r"), F.col("l.{k}") == F.col("r.{k}"){how})'
    if "left" in how or w.maybe(0.1):
        of += w.pick(f'.filter(F.col("r.{k}").isNull())', f'.filter(F.col("r.{k}").isNotNull())')
    names = [f"l.{k}", f"r.{k}", *(f"l.{c}" for c in KEYS if c != k)]
    chosen = [n for n in names if w.maybe(0.4)] or [f"l.{k}"]
    of += w.pick(f".select({', '.join(map(repr, chosen))})", '.select("l.*")', f'.groupBy("{chosen[0]}").count()')
    w.add(f"{j} = {of}", f"out.append(sorted(map(str, {j}.collect())))")


def _right(w: Lines, k: str) -> str:
    """The right side of a join on the column ``k``; unique in it, as a rule."""
    d = w.pick(*(c for c in KEYS if c != k))
    below = w.pick("t", "t", "t", f'spark.table("t").filter(F.col("{d}") == {w.literal(d)})')
    made = w.pick(
        f'{below}.select("{k}").distinct()', f'{below}.select("{k}").distinct()',
        f'{below}.select("{k}").dropDuplicates()',
        f'{below}.dropDuplicates(["{k}"]).select("{k}", F.col("{d}").alias("e"))',
        f'{below}.groupBy("{k}").agg(F.count("*").alias("e"))', f'{below}.groupBy("{k}").count().select("{k}")',
        f'{below}.select("{k}")', f'{below}.select("{k}", F.col("{d}").alias("e")).distinct()',
        f'{below}.dropDuplicates(["{k}", "{d}"]).select("{k}")',
        f'{below}.select(F.col("{d}").alias("e"), "{k}").dropDuplicates(["{k}"])',
    )  # fmt: skip
    if w.maybe(0.5):
        made += w.pick(
            '.withColumn("seen", F.lit(1))', '.withColumn("seen", F.lit(True))', f'.withColumn("seen", F.col("{k}"))',
            '.withColumn("seen", F.lit(None).cast("int"))', '.withColumn("seen", F.lit("x"))',
        )  # fmt: skip
    return made


def _extreme(w: Lines) -> None:
    j, k, v = w.fresh("j"), w.pick("c", "d"), w.pick("a", "b", "d")
    function = w.pick("max", "min")
    spec = w.pick(
        f'Window.partitionBy("{k}")', f'Window.partitionBy("{k}", "c")', f'Window.partitionBy("{k}").orderBy("a")',
        f'Window.partitionBy("{k}").orderBy("{v}")', f'Window.partitionBy("{k}").orderBy(F.desc("{v}"))',
        f'Window.partitionBy(F.col("{k}"), F.col("c"))', f'Window.partitionBy("{k}").orderBy("{v}", "c")',
    )  # fmt: skip
    if w.maybe(0.3):
        _flag(w, j, v, f'F.{function}("{v}").over(w)', spec)
        return
    compared = w.pick(f'F.col("{v}") == F.col("m")', f'F.col("m") == F.col("{v}")', f'F.col("{v}") >= F.col("m")')
    if w.maybe(0.25):
        compared = f'({compared}) & (F.col("d") >= 0)'
    elif w.maybe(0.2):
        compared = f'"m = {v}"'
    behind = w.pick('.drop("m")', '.drop("m")', '.select("a", "b", "c", "d")', '.select("a", "m")', "")
    behind += w.pick("", "", "", '.where("m > 0")', '.orderBy("m")', '.withColumn("m", F.lit(1))')
    w.add("from pyspark.sql import Window", f"w = {spec}")
    w.add(f'{j} = {w.frame()}.withColumn("m", F.{function}("{v}").over(w)).filter({compared}){behind}')
    w.add(f"out.append(sorted(map(str, {j}.collect())))")


def _flag(w: Lines, j: str, v: str, extreme: str, spec: str) -> None:
    """A column that says whether ``v`` is the extreme, which is filtered by."""
    w.add("from pyspark.sql import Window", f"w = {spec}")
    value = w.pick(f'F.col("{v}") == {extreme}', f'{extreme} == F.col("{v}")', f'F.col("{v}") >= {extreme}')
    tested = w.pick('F.col("m")', '"m"', 'F.col("m") & (F.col("d") >= 0)', '~F.col("m")', 'F.col("m").isNull()')
    between = w.pick("", "", '.where(F.col("a") > 0)', '.withColumn("n", F.col("m"))')
    behind = w.pick("", '.drop("m")')
    w.add(f'{j} = {w.frame()}.withColumn("m", {value}){between}.filter({tested}){behind}')
    w.add(f"out.append(sorted(map(str, {j}.collect())))")
