"""``headwater catalog import``, and what the schemas that it writes are worth to a scan."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run

ROWS = [
    {"table_catalog": "main", "table_schema": "d", "table_name": "t", "column_name": c, "full_data_type": "bigint",
     "ordinal_position": i, "is_nullable": "NO"}
    for i, c in enumerate(["id", "score"], 1)
]  # fmt: skip
DDL = "id bigint NOT NULL, score bigint NOT NULL"
FIRST = 'first = spark.table("d.t").collect()[0]\n'


def test_import_and_use(run: Run) -> None:
    Path("columns.json").write_text(json.dumps(ROWS))
    assert json.loads(run("catalog", "import", "columns.json").stdout) == {"d.t": DDL, "main.d.t": DDL}
    Path("schemas.toml").write_text('"mine" = "a int"\n"d.t" = "old int"\n')
    done = run("catalog", "import", "columns.json", "-o", "schemas.toml", "--only", "d.*")
    assert (done.returncode, done.stderr) == (0, "schemas.toml: 1 names of tables written, 1 kept\n")
    assert Path("schemas.toml").read_text() == f'"d.t" = "{DDL}"\n"mine" = "a int"\n'
    Path("pyproject.toml").write_text('[tool.headwater]\nschemas = "schemas.toml"\n')
    Path("job.py").write_text(
        'from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\ndf = spark.table("d.t")\n'
    )
    assert "id int64 not null, score int64 not null   (from headwater.schemas: d.t)" in run("schema", "job.py").stdout


def test_a_table_that_is_known_to_be_small_is_no_finding(run: Run) -> None:
    Path("job.py").write_text(
        "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n" + FIRST
    )
    for rows, code in ((10_000, 0), (10_001, 1)):
        ddl = f"{DDL} TBLPROPERTIES ('numRows' = '{rows}')"
        Path("pyproject.toml").write_text(f'[tool.headwater.schemas]\n"d.t" = "{ddl}"\n')
        assert run("scan", "job.py").returncode == code


def test_bad_input_is_one_line(run: Run) -> None:
    Path("no.json").write_text("{}")
    Path("columns.json").write_text(json.dumps(ROWS))
    Path("bad.json").write_text("[1]")
    done = run("catalog", "import", "no.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Error: no.json: it is no DESCRIBE TABLE EXTENDED, information_schema.columns or manifest.json of dbt\n"
    )
    assert run("catalog", "import", "columns.json", "-o", "bad.json").stderr == "Error: bad.json is no table of texts\n"
    assert Path("bad.json").read_text() == "[1]"
    assert run("catalog", "import", "missing.json").returncode == 2
