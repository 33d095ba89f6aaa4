"""Issue 22: what a finding assumes of data files is checked again by ``headwater bench``, by their values too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.orc as po
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from headwater.bench import client
from headwater.bench.facts import ddl_of, recheck
from headwater.cli.app import app
from headwater.engine.analysis.options import Options
from headwater.engine.files.data import with_data
from headwater.engine.files.service import analyse_text

from ..data_facts.test_findings import READ, TOP, table, write

TEXT = TOP.format(read=READ)


def assumed(root: Path) -> tuple[str, ...]:
    (o,) = analyse_text(TEXT, Options(data_root=str(root))).opportunities
    return o.assumptions


def checked(root: Path, texts: tuple[str, ...]) -> list[tuple[str, bool]]:
    found = recheck(texts, with_data(TEXT, Options(data_root=str(root))).data, root)
    return [(line.partition(" ")[0], holds) for line, holds in found]


def test_files_that_are_the_same_are_as_assumed(tmp_path: Path) -> None:
    write(tmp_path, table(), table())
    texts = assumed(tmp_path)
    assert checked(tmp_path, texts) == [("as", True)]
    yesterday = tuple(t.replace("read on 20", "read on 19") for t in texts)
    assert checked(tmp_path, (*yesterday, "something else is assumed")) == [("as", True)]


@pytest.mark.parametrize("change", ["more", "fewer", "gone", "null", "written"])
def test_files_that_have_changed_are_named(tmp_path: Path, change: str) -> None:
    write(tmp_path, table(), table())
    texts = assumed(tmp_path)
    folder = tmp_path / "data/scores"
    match change:
        case "more":
            pq.write_table(table(), folder / "part-2.parquet")
        case "fewer":
            (folder / "part-1.parquet").unlink()
        case "gone":
            for path in folder.iterdir():
                path.unlink()
        case "null":
            pq.write_table(table(20_002, missing=2), folder / "part-1.parquet")
        case "written":
            (folder / "part-1.parquet").write_bytes(b"PAR1")
    assert checked(tmp_path, texts) == [("CHANGED", False)]


def test_a_footer_that_lies_is_found_by_the_values(tmp_path: Path) -> None:
    """The file has a NULL, and the null count in its footer is made 0."""
    write(tmp_path, table())
    texts = assumed(tmp_path)
    path = tmp_path / "data/scores/part-0.parquet"
    pq.write_table(table(missing=1), path, use_dictionary=False)
    data = bytearray(path.read_bytes())
    length = int.from_bytes(data[-8:-4], "little")
    for at in range(len(data) - 8 - length, len(data) - 8):
        if data[at : at + 2] == b"\x16\x02":  # an i64 field, 1 in zigzag
            changed = data.copy()
            changed[at + 1] = 0
            path.write_bytes(bytes(changed))
            known = with_data(TEXT, Options(data_root=str(tmp_path))).data
            if known and [c.nulls for c in known[0].columns if c.name == "score"] == [0]:
                break
    else:
        pytest.fail("no null count found")
    assert checked(tmp_path, texts) == [("WRONG:", False)]


def test_orc_files_that_lie_are_found_by_their_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of values in a file with a NULL is taken as if it were that of its rows."""
    from headwater.data_facts import orc
    from headwater.data_facts.bounds import Known

    (tmp_path / "data/scores").mkdir(parents=True)
    text = TEXT.replace("parquet", "orc")
    monkeypatch.setattr(orc, "_known", lambda ddl, said, rows, ordered: Known(0))
    for missing, wanted in ((0, "as"), (1, "WRONG:")):
        po.write_table(table(missing=missing), tmp_path / "data/scores/part-0.orc")
        options = Options(data_root=str(tmp_path))
        (o,) = analyse_text(text, options).opportunities
        ((line, _),) = recheck(o.assumptions, with_data(text, options).data, tmp_path)
        assert line.startswith(wanted)


def test_columns_to_generate_are_those_of_the_files(tmp_path: Path) -> None:
    write(tmp_path, table(missing=1))
    (facts,) = with_data(TEXT, Options(data_root=str(tmp_path))).data
    assert ddl_of(facts) == "`team` string NOT NULL, `score` bigint, `note` string NOT NULL, `more` string NOT NULL"
    write(tmp_path, table().append_column("blob", pa.array([b"x"] * 20_000)))
    (facts,) = with_data(TEXT, Options(data_root=str(tmp_path))).data
    assert ddl_of(facts) is None


@pytest.mark.parametrize("changes", [False, True])
def test_the_command_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, changes: bool) -> None:
    write(tmp_path, table())
    (tmp_path / "pyproject.toml").write_text("[tool.headwater]\n")
    (tmp_path / "job.py").write_text(TEXT)
    side = {"seconds": [1.0], "bytes_read": 0, "rows_read": 0, "pushed": []}
    answer = {"rows_in": 9, "rows_kept": 1, "rows_out": 1, "equal": True, "differences": [], "spark": "4"}
    asked: list[Any] = []

    def measured(job: Any, step: Any) -> Any:
        asked.append(json.loads(json.dumps(job)))
        if changes:
            write(tmp_path, table(), table())
        return {**answer, "before": side, "after": side}

    monkeypatch.setattr(client, "measured", measured)
    done = CliRunner().invoke(app, ["bench", str(tmp_path / "job.py"), "--no-cache"])
    assert done.exit_code == int(changes), done.output
    assert ("files    CHANGED since then:" if changes else "files    as assumed:") in done.stdout
    assert "`score` bigint NOT NULL" in asked[0]["schemas"]["data/scores"]
