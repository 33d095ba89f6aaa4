# ruff: noqa: E501 - tables, one case to a line
"""Column expressions and SQL texts, as people write them, for every one that the front end gives a meaning to.

The columns are ``i int, n bigint, f float, y double, s string, d date, b boolean``."""

from __future__ import annotations

SCHEMA = "i int, n bigint, f float, y double, s string, d date, b boolean"

COLUMNS: tuple[str, ...] = (
    # references and literals
    'F.col("i")', 'F.column("n")', "df.y", 'df["s"]', 'F.lit(1)', "F.lit(None) == df.i", 'F.expr("i + 1")', "F.lit(True)",
    # comparisons
    "df.i == 1", "df.i != 1", "df.n < 9007199254740991", "df.n <= -1", "df.i > df.n", "df.n >= df.i",
    "df.y == 0.0", "df.y != df.y", "df.y < df.y", 'df.y > float("nan")', 'df.y >= float("nan")', 'df.y == float("inf")', 'df.y > float("-inf")',
    "df.y <= 90", "df.f == 0.1", "df.f < df.y", "df.i == df.y", "df.f >= 16777216", "df.f != 1", "1 < df.i", "-1.5 <= df.y",
    'df.s == ""', 'df.s < "\\uffff"', 'df.s >= "\\U0001f600"', 'df.s != "a"', "df.s == df.s", 'df.d == "2024-02-29"', "df.d > datetime.date(1000, 1, 1)",
    'df.d <= F.to_date(F.lit("9999-12-31"))', 'df.d < F.lit("2024-02-29").cast("date")', "df.d == df.d", "df.b == True", "df.b != False", "df.b == df.b", "df.b < True",
    "df.i == None", "df.s != None",
    # null-safe
    "df.i.eqNullSafe(1)", "df.y.eqNullSafe(df.y)", 'df.y.eqNullSafe(float("nan"))', "df.s.eqNullSafe(None)", "df.y.eqNullSafe(0.0)", "~df.i.eqNullSafe(df.n)",
    # tests
    "df.i.isNull()", "df.y.isNotNull()", "df.y.isNaN()", "F.isnull(df.s)", 'F.isnotnull("d")', 'F.isnan("y")', "F.isnan(df.f)", "F.isnan(df.i)",
    # logic
    "df.b & (df.i > 0)", "df.b | (df.i > 0)", "~df.b", "~(df.b & (df.y > 1))", "(df.b | df.b) & ~(df.s == 'a')", "df.b & df.b",
    # arithmetic
    "df.i + 1", "df.i - df.n", "df.i * 2", "df.n / 4", "df.i % 3", "-df.i", "-df.y", "df.y + 1", "df.y - df.y", "df.y * 0.1", "df.y / 3", "df.y % 2", "1 - df.y", "2 * df.i + 1 > df.n",
    "df.n % -7", "df.y % -1.5", "df.n / -3", "-(-df.n)", "df.i + 0.5", "df.n * 1.0",
    # ranges and lists
    'df.s.like("a%")', 'df.s.like("%a")', 'df.s.like("%a%")', '~df.s.like("a%")',
    "df.i.between(0, 2)", "df.y.between(-1.5, 90)", 'df.s.between("", "b")', 'df.d.between("0001-01-01", "2024-02-29")', "~df.i.between(1, 2)",
    "df.i.isin(0, 1)", "df.n.isin([9007199254740991, 0])", "df.y.isin(0.0, 1.0)", 'df.y.isin(float("nan"))', 'df.s.isin("", "a", "\\U0001f600")', "df.i.isin(1, None)", "~df.i.isin(1, None)",
    'df.d.isin("2024-02-29")', "~df.s.isin('a')", "df.b.isin(True)", "df.y.isin({1, 2})", "df.i.isin(*[1, 2])", "df.i.isin(*(1, 2))",
    # strings
    'df.s.contains("a")', 'df.s.startswith("a")', 'df.s.endswith("\\U0001f600")', 'df.s.contains("")', "~df.s.startswith('')", 'df.s.contains("%")',
    # conditionals
    "F.when(df.b, 1).otherwise(0)", "F.when(df.i > 0, df.y).when(df.b, -1.0).otherwise(None)", 'F.when(df.y > 1, "high")', 'F.when(df.y > 1, df.s).otherwise("low")',
    "F.when(df.i > 0, df.i).otherwise(df.n)", "F.coalesce(df.i, F.lit(0))", 'F.coalesce("y", df.f)', "F.coalesce(df.s, df.s, F.lit(''))", 'F.coalesce("b", F.lit(False))', "F.coalesce(df.i, df.n)", "F.nvl(df.i, F.lit(1))", "F.ifnull(df.y, df.f)",
    # casts that keep every value
    'df.i.cast("bigint")', "df.i.cast('double')", 'df.f.astype("double")', "df.b.cast('int')", 'df.b.cast("bigint")', "df.s.cast('string')", 'df.i.cast("int")', "df.d.cast('date')",
    # names, and orderings that are read as their column
    'df.i.alias("z")', 'df.i.name("z")', "(df.i + 1).alias('w') > 2",
)  # fmt: skip
"""Column expressions whose whole meaning is modelled."""

SQL: tuple[str, ...] = (
    "i", "n > 1", "i = 1", "i == 1", "i <> 1", "i != 1", "i < 1", "i <= n", "i > n", "n >= -1", "y = 0.5D", "y > 1", "y >= 0.25", "f < 90", "f = 0.1D", "i = y", "s = 'a'", "s < 'b'", "s = ''",
    "d = '2024-02-29'", "d < date '2024-02-29'", "d >= cast('0001-01-01' as date)", "b = true", "b", "not b", "NOT (b AND i > 1)", "b AND i > 1", "b OR i > 1", "b OR i > 1 AND y < 0",
    "i <=> 1", "y <=> y", "s <=> null", "i IS NULL", "i IS NOT NULL", "isnan(y)", "s is null", "null", "true", "i = null",
    "i + 1", "i - n", "i * 2", "n / 4", "i % 3", "-i", "- y", "y + 1", "y * 0.5D", "y / 3", "y % 2", "(i + 1) * 2 > n",
    "i between 0 and 2", "y BETWEEN -1.5 AND 90", "i NOT BETWEEN 0 AND 2", "s between '' and 'b'", "i in (0, 1)", "i not in (0, 1)", "i IN (1, NULL)", "s in ('a', '')", "y in (1, 2)", "d in ('2024-02-29')",
    "coalesce(i, 0)", "coalesce(y, f)", "coalesce(s, '')", "case when b then 1 else 0 end", "case when i > 0 then y when b then -1D end", "CASE WHEN y > 1 THEN s ELSE 'low' END",
    "cast(i as bigint)", "cast(i as double)", "cast(b as int)", "cast(5 as double) < y", "9223372036854775807 > n", "i > 2147483648",
    "s LIKE 'a%'", "s LIKE '%a'", "s LIKE '%a%'", "s NOT LIKE 'a%'", "NOT s LIKE '%a%'", "isnull(s)", "isnotnull(s)",
)  # fmt: skip
"""SQL texts whose whole meaning is modelled."""

OPAQUE: dict[str, str] = {
    "upper": '"s"', "lower": '"s"', "trim": '"s"', "ltrim": '"s"', "rtrim": '"s"', "initcap": '"s"', "concat": '"s", df.i', "concat_ws": '"-", "s", df.i', "ucase": '"s"', "lcase": '"s"',
    "substring": '"s", 1, 2', "substr": "df.s, F.lit(1), F.lit(2)", "regexp_extract": '"s", "(a)", 1', "regexp_replace": '"s", "a", "b"', "date_format": '"d", "yyyy"', "left": "df.s, F.lit(2)", "translate": '"s", "a", "b"', "md5": '"s"', "sha1": '"s"', "sha2": '"s", 256',
    "split_part": "df.s, F.lit('a'), F.lit(1)", "length": '"s"', "char_length": "df.s", "year": '"d"', "month": '"d"', "dayofmonth": '"d"', "dayofweek": '"d"', "dayofyear": '"d"', "quarter": '"d"', "weekofyear": '"d"', "weekday": '"d"',
    "hour": '"d"', "minute": '"d"', "second": '"d"', "datediff": "df.d, df.d", "instr": '"s", "a"', "size": 'F.array("i", df.n)', "cardinality": 'F.array("i", df.n)', "to_date": '"d"', "date_add": '"d", 1', "date_sub": '"d", df.i', "last_day": '"d"', "add_months": '"d", 1',
    "trunc": '"d", "month"', "unix_timestamp": '"d"', "unix_date": '"d"', "unix_seconds": 'F.to_timestamp("d")', "unix_millis": 'F.to_timestamp("d")', "unix_micros": 'F.to_timestamp("d")', "timestamp_seconds": '"i"', "timestamp_millis": '"n"', "from_utc_timestamp": '"d", "Asia/Tokyo"', "to_utc_timestamp": '"d", "Asia/Tokyo"', "to_timestamp": '"d"', "date_trunc": '"month", "d"', "abs": '"y"', "round": '"y"', "floor": '"i"', "ceil": '"i"', "greatest": '"i", df.n', "least": '"y", df.f', "bround": '"y"', "sqrt": '"y"', "exp": '"y"', "log": '"y"', "log2": '"y"',
    "log10": '"y"', "pow": '"y", 2', "power": '"y", df.i', "log1p": '"y"', "array_contains": 'F.array("i"), 1', "rlike": "df.s, F.lit('a')", "regexp_like": "df.s, F.lit('a')", "like": "df.s, F.lit('a%')", "ilike": "df.s, F.lit('A%')",
    "split": '"s", "a"', "lpad": '"s", 5, "0"', "substring_index": '"s", "a", 1', "get_json_object": '"s", "$.a"', "element_at": 'F.array("i"), 1', "array": '"i", df.n', "get": 'F.array("i"), F.lit(0)', "from_unixtime": '"n"', "nullif": "df.i, F.lit(1)",
}  # fmt: skip
"""Arguments for each function that stays uninterpreted. Empty: PySpark takes there a plain string, which the front end
refuses; SQL text may say it."""
METHODS: tuple[str, ...] = (
    'df.s.like("a_b%")',
    "df.s.substr(1, 2)",
    'df.s.ilike("A%")',
    'df.s.rlike("^a")',
    'F.split("s", "a")[0]',
    'F.split("s", "a").getItem(0)',
    'df.y.cast("int")',
    'df.s.cast("int")',
    'F.extract(F.lit("year"), df.d)',
    'F.date_part(F.lit("MONTHS"), df.d)',
    'F.datepart(F.lit("doy"), df.d)',
)
"""Methods, and functions that are others, which stay uninterpreted."""
TEXTS_FIRST = ('F.concat_ws(df.s, "s")', 'F.concat_ws("-", "s", 1)', 'F.date_trunc("month", 1)')
"""Calls whose first argument is a text, and no column's name, or whose others are no columns: refused."""
SQL_OPAQUE: dict[str, str] = {
    **{
        f"{name}({column})": f'F.{name}("{column}")'
        for column, names in {
            "s": "upper lower length trim ltrim rtrim", "y": "abs sqrt", "i": "floor ceil",
            "d": "year month dayofmonth dayofweek dayofyear weekofyear quarter hour minute second last_day",
        }.items()
        for name in names.split()
    },
    "day(d)": 'F.dayofmonth("d")', "concat(s, s)": "F.concat(df.s, df.s)", "substring(s, 1, 2)": "df.s.substr(1, 2)",
    "left(s, 2)": "F.left(df.s, F.lit(2))", "s RLIKE '^a'": 'df.s.rlike("^a")', "s LIKE 'a_b'": 'df.s.like("a_b")',
    "split(s, 'a')": 'F.split("s", "a")', "split(s, 'a')[0]": 'F.split("s", "a")[0]',
    "substring_index(s, 'a', 1)": 'F.substring_index("s", "a", 1)', "round(y)": 'F.round("y")',
    "unix_date(d)": 'F.unix_date("d")', "lpad(s, 5, '0')": 'F.lpad("s", 5, "0")',
    "greatest(i, n)": 'F.greatest("i", df.n)', "least(i, n)": 'F.least("i", df.n)',
    **{f"unix_{p}(timestamp(d))": f'F.unix_{p}(df.d.cast("timestamp"))' for p in ("seconds", "millis", "micros")},
}  # fmt: skip
"""SQL texts that stay uninterpreted, each with the Column that is the same."""
EXCUSED: dict[str, str] = {
    "over": "refused by name", "exists": "refused by name", "case": "refused by name",
    "getField": "the fields of structs are asked for in tests/mdtest/columns/explode_elements.md",
    "asc": "names an order, which is no value", "desc": "names an order, which is no value",
}  # fmt: skip
"""What the front end reads by name, and needs no case."""


def opaque() -> tuple[str, ...]:
    """The expressions that stay uninterpreted; functions without arguments here are called with a text, and refused."""
    return (*(f"F.{name}({given or 'df.s, 1'})" for name, given in OPAQUE.items()), *METHODS)
