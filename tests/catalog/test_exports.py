"""What is taken of an export, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headwater.catalog.exports import as_text, read_exports
from headwater.catalog.model import Column, NotAnExport, Table
from headwater.engine.files.settings import read_schemas
from headwater.pyspark.frames.schema import parse_ddl, partitions_of, rows_of

CATALOG = "https://schemas.getdbt.com/dbt/catalog/v1.json"
MANIFEST = "https://schemas.getdbt.com/dbt/manifest/v12.json"


def imported(tmp_path: Path, *exports: Any) -> dict[str, str]:
    return read_exports([written(tmp_path / f"{i}.json", e) for i, e in enumerate(exports)]).schemas


def written(path: Path, export: Any) -> Path:
    path.write_text(export if isinstance(export, str) else json.dumps(export), encoding="utf-8")
    return path


def row(table: str, column: str, type_: str, place: Any, **more: Any) -> dict[str, Any]:
    return {
        "TABLE_CATALOG": "main", "TABLE_SCHEMA": "sales", "TABLE_NAME": table, "COLUMN_NAME": column,
        "FULL_DATA_TYPE": type_, "ORDINAL_POSITION": place, "IS_NULLABLE": "YES", **more,
    }  # fmt: skip


ROWS = [
    row("orders", "year", "int", 3, PARTITION_INDEX=1),
    row("orders", "id", "bigint", "1", IS_NULLABLE="NO"),
    row("orders", "note", "char(3)", 2),
    row("tags", "names", "array<string>", 1),
]


@pytest.mark.parametrize("lines", [False, True])
def test_information_schema(tmp_path: Path, lines: bool) -> None:
    export = "\n".join(map(json.dumps, ROWS)) if lines else ROWS
    orders = "id bigint NOT NULL, note char(3), year int PARTITIONED BY (year)"
    assert imported(tmp_path, export) == {
        "main.sales.orders": orders, "sales.orders": orders,
        "main.sales.tags": "names array<string>", "sales.tags": "names array<string>",
    }  # fmt: skip


def test_types_of_another_database_are_refused(tmp_path: Path) -> None:
    """PostgreSQL's and Trino's ``data_type`` is not what Spark gives the column."""
    export = [{"table_schema": "s", "table_name": "t", "column_name": "c", "data_type": "real", "ordinal_position": 1}]
    with pytest.raises(NotAnExport, match=r"0\.json: the rows have no full_data_type"):
        imported(tmp_path, export)


@pytest.mark.parametrize("places", [(2, 3), (1, 3), (1, 1), (5, 6)])
def test_a_table_of_which_columns_are_missing_is_left_out(tmp_path: Path, places: tuple[int, int]) -> None:
    export = [row("t", name, "int", place) for name, place in zip("ab", places, strict=True)]
    found = read_exports([written(tmp_path / "a", export)])
    assert found.schemas == {}
    assert found.left_out == ["main.sales.t: its columns are not numbered one by one: some are missing, or there twice"]


def test_one_name_of_two_tables_is_left_out(tmp_path: Path) -> None:
    other = [row("orders", "id", "string", 1, TABLE_CATALOG="test")]
    found = read_exports([written(tmp_path / "a", ROWS), written(tmp_path / "b", other)])
    assert {"main.sales.orders", "test.sales.orders"} <= found.schemas.keys()
    assert "sales.orders" not in found.schemas
    assert found.left_out == ["sales.orders: 2 tables with different columns have this name"]


def test_a_name_that_ddl_cannot_spell_leaves_its_table_out(tmp_path: Path) -> None:
    found = read_exports([written(tmp_path / "a", [row("t", "a`b", "int", 1), row("u", "a-b", "int", 1)])])
    assert found.schemas["sales.u"] == "`a-b` int"
    assert "sales.t" not in found.schemas
    assert found.left_out == ["main.sales.t: the name 'a`b' cannot be written in DDL"]


def node(adapter_columns: dict[str, Any], enforced: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "database": "main", "schema": "mart", "name": "orders", "alias": "orders_v2",
        "config": {"contract": {"enforced": enforced}}, "columns": adapter_columns, **more,
    }  # fmt: skip


ID = {"id": {"name": "id", "data_type": "bigint", "constraints": [{"type": "not_null"}]}}
KEY = {"id": {"name": "id", "data_type": "bigint", "constraints": [{"type": "primary_key"}]}}


def manifest(node: dict[str, Any], adapter: str | None = "databricks") -> dict[str, Any]:
    return {"metadata": {"dbt_schema_version": MANIFEST, "adapter_type": adapter}, "nodes": {"model.p.orders": node}}


def of_catalog(**columns: str) -> dict[str, Any]:
    described = {n: {"name": n, "type": t, "index": i} for i, (n, t) in enumerate(columns.items())}
    metadata = {"database": "main", "schema": "mart", "name": "orders_v2"}
    stats = {"rows": {"id": "rows", "value": 1200, "include": True}}
    nodes = {"model.p.orders": {"metadata": metadata, "columns": described, "stats": stats}}
    return {"metadata": {"dbt_schema_version": CATALOG}, "nodes": nodes, "sources": {}}


@pytest.mark.parametrize(
    ("given", "adapter", "ddl"),
    [
        (node(ID), "databricks", "id bigint NOT NULL"),
        (node(ID), "spark", "id bigint"),  # the files of Parquet refuse no NULL
        (node(ID, config={"contract": {"enforced": True}, "file_format": "delta"}), "spark", "id bigint NOT NULL"),
        (node(ID, config={"contract": {"enforced": True}, "file_format": "parquet"}), "databricks", "id bigint"),
        (node(KEY), "databricks", "id bigint"),  # informational
        (node(ID, enforced=False), "databricks", None),  # the columns need not be all
        (node({"id": {"name": "id", "data_type": None}}), "databricks", None),
        (node({}), "databricks", None),
    ],
)
def test_contracts_of_dbt(tmp_path: Path, given: dict[str, Any], adapter: str, ddl: str | None) -> None:
    assert imported(tmp_path, manifest(given, adapter)).get("mart.orders_v2") == ddl


def test_the_catalog_of_dbt_is_read_beside_its_manifest(tmp_path: Path) -> None:
    catalog = of_catalog(id="bigint", note="string")
    expected = "id bigint NOT NULL, note string TBLPROPERTIES ('numRows' = '1200')"
    assert imported(tmp_path, manifest(node(ID)), catalog)["mart.orders_v2"] == expected
    with pytest.raises(NotAnExport, match=r"import the manifest\.json beside it too"):
        imported(tmp_path, catalog)


@pytest.mark.parametrize("adapter", ["snowflake", "bigquery", None])
def test_other_databases_of_dbt_are_refused(tmp_path: Path, adapter: str | None) -> None:
    with pytest.raises(NotAnExport, match="not of Spark"):
        imported(tmp_path, manifest(node(ID), adapter), of_catalog(id="FLOAT"))


@pytest.mark.parametrize(
    "export",
    [
        "", "{", "[]", "[1]", "null", "{}", "[" * 100_000, '[{"col_name": "a", "data_type": "int"}]',
        '{"table_name": "t", "columns": {}, "namespace": []}', '{"table_name": "t", "columns": [1], "namespace": []}',
        '[{"table_name": "t", "column_name": "c", "full_data_type": "int"}]', '{"metadata": {"dbt_schema_version": 3}}',
    ],
)  # fmt: skip
def test_what_is_no_export_is_one_clear_line(tmp_path: Path, export: str) -> None:
    with pytest.raises(NotAnExport) as caught:
        imported(tmp_path, export)
    assert str(caught.value).startswith(str(tmp_path / "0.json") + ": ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_the_settings_read_what_is_written(tmp_path: Path, suffix: str) -> None:
    schemas = {"a.b": 'id bigint, `ä "q"` string', "tab\there": "x int", "del\x7f": "y int"}
    path = tmp_path / f"schemas.{suffix}"
    path.write_text(as_text(schemas, suffix == "toml"), encoding="utf-8")
    assert read_schemas(path) == schemas


def test_ddl_of_a_table_gives_back_what_it_says() -> None:
    columns = (Column("id", "bigint", required=True), Column("odd name", "array<int>"), Column("year", "int"))
    ddl = Table(("", "d", "t"), columns, ("year", "odd name"), 12).ddl()
    assert [(f.name, str(f.type), f.nullable) for f in parse_ddl(ddl).fields] == [
        ("id", "int64", False), ("odd name", "list<int32>", True), ("year", "int32", True),
    ]  # fmt: skip
    assert (partitions_of(ddl), rows_of(ddl)) == (("year", "odd name"), 12)
    assert rows_of("id bigint") is None
