"""Files that a catalog has exported: which kind each is, and the tables of all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.engine.files.regular_file import read_regular

from . import dbt, describe, information_schema
from .model import NotAnExport, Table

MAX_BYTES = 200_000_000
"""Of one file. The manifest of a project with some thousand models has 50 MB."""


@dataclass
class Import:
    """``schemas`` maps names of tables to DDL; ``left_out`` says of which tables there is nothing, and why."""

    schemas: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def read_exports(paths: Iterable[Path]) -> Import:
    """What the files say. A name that two tables have is left out. Raises ``NotAnExport`` with the path if one is no
    export that is known."""
    found: dict[str, set[str]] = {}
    made = Import()
    for table in _tables([(path, _loaded(path)) for path in paths]):
        try:
            ddl = table.ddl()
        except NotAnExport as why:
            made.left_out.append(f"{table.names()[0]}: {why}")
            continue
        for name in table.names():
            found.setdefault(name, set()).add(ddl)
    for name, texts in found.items():
        if len(texts) == 1:
            made.schemas[name] = texts.pop()
        else:
            made.left_out.append(f"{name}: {len(texts)} tables with different columns have this name")
    return made


def _loaded(path: Path) -> Any:
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8-sig")
        try:
            return json.loads(text)
        except ValueError:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise NotAnExport(f"{path}: {reason}") from None


def _tables(exports: list[tuple[Path, Any]]) -> Iterator[Table]:
    catalogs = [(p, e) for p, e in exports if _of_dbt(e) == "catalog"]
    for path, export in exports:
        try:
            kind = _of_dbt(export)
            if kind == "manifest":
                beside = next((c for p, c in catalogs if p.parent == path.parent), None)
                yield from dbt.tables(export, beside)
            elif kind == "catalog":
                if not any(p.parent == path.parent and _of_dbt(e) == "manifest" for p, e in exports):
                    raise NotAnExport(
                        "it does not say which database its types are of; import the manifest.json beside it too"
                    )
            else:
                yield from _of_spark(export)
        except NotAnExport as why:
            raise NotAnExport(f"{path}: {why}") from None


def _of_dbt(export: Any) -> str | None:
    """``manifest`` or ``catalog``, by the version of the schema that dbt writes into both."""
    metadata = export.get("metadata") if isinstance(export, dict) else None
    version = metadata.get("dbt_schema_version") if isinstance(metadata, dict) else None
    return next((k for k in ("manifest", "catalog") if isinstance(version, str) and f"/dbt/{k}/" in version), None)


def _of_spark(export: Any) -> Iterator[Table]:
    listed = export if isinstance(export, list) else [export]
    if not listed or not all(isinstance(row, dict) for row in listed):
        raise NotAnExport("it is no list of objects")
    keys = {frozenset(str(k).lower() for k in row) for row in listed}
    if all({"table_name", "columns"} <= k for k in keys):
        yield from map(describe.of_json, listed)
    elif all("col_name" in k for k in keys):
        yield describe.of_rows(listed)
    elif all({"table_name", "column_name"} <= k for k in keys):
        yield from information_schema.tables(listed)
    else:
        raise NotAnExport("it is no DESCRIBE TABLE EXTENDED, information_schema.columns or manifest.json of dbt")


def as_text(schemas: Mapping[str, str], toml: bool) -> str:
    """The file for ``headwater.schemas``, sorted by name: TOML or JSON."""
    if not toml:
        return json.dumps(dict(sorted(schemas.items())), indent=2, ensure_ascii=False) + "\n"
    quoted = ((_quoted(text) for text in pair) for pair in sorted(schemas.items()))
    return "".join(f"{name} = {ddl}\n" for name, ddl in quoted)


def _quoted(text: str) -> str:
    """A basic string of TOML: one of JSON, but for DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
