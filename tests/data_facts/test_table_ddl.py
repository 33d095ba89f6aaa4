"""What a text says of its tables by creating them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files.table_ddl import ddl_facts
from headwater.pyspark.frames.schema import parse_type
from headwater_ir.types import OPAQUE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

READ = 'spark.table("sales.days")'
DDL = "CREATE TABLE sales.days (id INT NOT NULL, d DATE)"
COLUMNS = [("id", "int", 0), ("d", "date", None)]


def of(text: str) -> dict[str, list[tuple[str, str, int | None]]]:
    """The columns by the text of the call that reads them."""
    return {f.place: [(c.name, c.ddl, c.nulls) for c in f.columns] for f in ddl_facts(text)}


@pytest.mark.parametrize(
    "text",
    [
        f"# {DDL}\nx = {READ}\n",
        f"x = {READ}\n# The table was made so:\n# {DDL.lower()} USING delta; and filled later\n",
        f"def f():\n    # {DDL}\n    return {READ}\n",
        f'spark.sql("{DDL} USING parquet LOCATION \'s3://lake/days\'")\nx = {READ}\n',
        f'spark.sql("""\n{DDL.replace("TABLE", "TABLE IF NOT EXISTS")}\nCOMMENT \'days\'""")\nx = {READ}\n',
        f"# {DDL.replace('TABLE', 'EXTERNAL TABLE').replace('sales.days', '`Sales`.`days`')}\nx = {READ}\n",
        "# CREATE TABLE sales.days (\n#   id INT NOT NULL COMMENT 'a number',\n#   d DATE DEFAULT current_date()\n# )\n"
        f"x = {READ}\n",
        "# CREATE TABLE sales.days (id INT NOT NULL) PARTITIONED BY (d DATE) STORED AS PARQUET\n" f"x = {READ}\n",
        f"# {DDL} PARTITIONED BY (d)\nx = {READ}\n",
        "# Databricks notebook source\n# MAGIC %sql\n# MAGIC CREATE TABLE sales.days (\n# MAGIC   id INT NOT NULL,\n"
        f"# MAGIC   d DATE)\n\n# COMMAND ----------\n\nx = {READ}\n",
        f"# {DDL}\nspark.sql('{DDL}')\nx = {READ}\n",
        f"# {DDL}\n# CREATE TABLE others (id DATE)\nx = {READ}\n",
    ],
)  # fmt: skip
def test_a_table_that_the_text_creates(text: str) -> None:
    assert of(text) == {READ: COLUMNS}


@pytest.mark.parametrize(
    "text",
    [
        f"# {DDL}\nx = spark.table('days')\n",
        f"# {DDL}\nx = spark.table(name)\n",
        f"# {DDL} and some more words\nx = {READ}\n",
        f"# {DDL}\n# CREATE TABLE sales.days (id INT)\nx = {READ}\n",
        f"# {DDL}\nspark.sql('CREATE OR REPLACE TABLE sales.days AS SELECT 1 AS id')\nx = {READ}\n",
        f"# {DDL}\nspark.sql('ALTER TABLE sales.days ADD COLUMN more INT')\nx = {READ}\n",
        f"# {DDL}\nspark.sql('alter table `sales`.`days` drop column d')\nx = {READ}\n",
        f"# {DDL.replace(' NOT NULL, d DATE', '')[:-1]}\nx = {READ}\n",
        f"x = '''\n# {DDL}'''\nx = {READ}\n",
        f"spark.sql(f'{DDL}')\nx = {READ}\n",
        f"print('{DDL}')\nx = {READ}\n",
        f"# CREATE TABLE sales.days (id INT, ID DATE)\nx = {READ}\n",
        f"# CREATE TABLE sales.days LIKE others\nx = {READ}\n",
        f"# {DDL}\ny.createOrReplaceTempView('sales.days')\nx = {READ}\n",
        f"# {DDL}\ny.createOrReplaceTempView(name)\nx = {READ}\n",
        f"# {DDL}\nspark.sql('CREATE OR REPLACE TEMP VIEW sales.days AS SELECT 1 AS id')\nx = {READ}\n",
        f"# CREATE TABLE sales.days USING delta LOCATION 'x'\nx = {READ}\n",
        f"# CREATE VIEW sales.days (id, d) AS SELECT 1, 2\nx = {READ}\n",
        f"# {DDL}\nx = ({READ}\n",
    ],
)  # fmt: skip
def test_what_does_not_say_how_a_table_is(text: str) -> None:
    assert of(text) == {}


def test_the_columns_that_a_table_is_partitioned_by() -> None:
    for by, names in (("(d)", ("d",)), ("(id, d)", ("id", "d")), ("(months(d), id)", ("id",))):
        (facts,) = ddl_facts(f"# {DDL} PARTITIONED BY {by}\nx = {READ}\n")
        assert facts.partitions == names
    (facts,) = ddl_facts(f"# CREATE TABLE sales.days (id INT) PARTITIONED BY (d DATE)\nx = {READ}\n")
    assert facts.partitions == ("d",)


def test_of_a_partition_column_no_condition_hides_anything() -> None:
    """Spark evaluates any condition on such columns before it lists files."""
    read = (
        "from pyspark.sql import functions as F\nspark.table('days').filter(F.year('d') == 2020).write.parquet('x')\n"
    )
    for by, found in (("(d)", 0), ("(n)", 1)):
        text = f"# CREATE TABLE days (n INT, d DATE) PARTITIONED BY {by}\n{read}"
        assert len(analyse(text, Options(data=ddl_facts(text))).opportunities) == found


TYPES = {
    "boolean": "boolean", "tinyint": "tinyint", "byte": "tinyint", "smallint": "smallint", "short": "smallint",
    "int": "int", "integer": "int", "bigint": "bigint", "long": "bigint", "float": "float", "real": "float",
    "double": "double", "string": "string", "date": "date", "timestamp": "timestamp", "timestamp_ltz": "timestamp",
    "timestamp_ntz": "unknown", "binary": "unknown", "decimal(12, 3)": "decimal", "dec(3)": "decimal",
    "numeric(4, 1)": "decimal", "array<string>": "array<string>", "array<array<int>>": "array<array<int>>",
    "struct<x: int>": "unknown", "map<string, int>": "unknown", "char(5)": "unknown", "varchar(7)": "string",
    "string collate UTF8_LCASE": "unknown",
}  # fmt: skip


@pytest.mark.parametrize("written", TYPES)
def test_types(written: str) -> None:
    assert of(f"# CREATE TABLE sales.days (x {written})\nx = {READ}\n") == {READ: [("x", TYPES[written], None)]}


@pytest.mark.spark
def test_what_spark_makes_of_the_types(spark: SparkSession) -> None:
    """The type that a column has which Spark creates from the same words, as ``spark.table`` says."""
    columns = ", ".join(f"c{i} {written}" for i, written in enumerate(TYPES))
    spark.sql(f"CREATE TABLE of_types ({columns}) USING parquet")
    try:
        fields = spark.table("of_types").schema.fields
    finally:
        spark.sql("DROP TABLE of_types")
    for field, (written, said) in zip(fields, TYPES.items(), strict=True):
        known = parse_type(said)
        assert known == OPAQUE or known == parse_type(field.dataType.simpleString()), written
    assert len(fields) == len(TYPES)


def test_nothing_is_loaded_for_texts_that_create_no_table() -> None:
    code = (
        "import headwater.engine.files.table_ddl as d, sys\n"
        "assert d.ddl_facts('spark.table(1)\\n' * 1000) == ()\n"
        "assert d.ddl_facts('# create the table\\nspark.table(1)\\n') == ()\n"
        "assert 'sqlglot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
