"""Jupyter notebooks: cells in, program out, and back without touching anything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from headwater.cli import app as cli
from headwater.engine.analysis.options import Options
from headwater.engine.files.discovery import Unreadable, discover, read_source
from headwater.engine.files.fixing import FixedFile, fix_file
from headwater.engine.files.jupyter import CellLines, Notebook, decode_notebook
from headwater.engine.files.service import analyse_file
from headwater.scan.json_report import file_json
from headwater.syntax.source.notebook import parse

TOP = """import pandas as pd
from pyspark.sql import functions as F
def top(key, pdf):
    best = None
    for row in pdf.itertuples():
        if best is None or row.score > best:
            best = row.score
    return pd.DataFrame([{"team": key[0], "best": best}])"""
BEST = """scores = spark.read.schema("team string, score double").parquet("x").dropna(subset=["score"])
best = scores.groupBy("team").applyInPandas(top, "team string, best double")"""
FILTER = '# 😀\nbest.filter(F.col("best") >= 90).show()'


def cell(source: str | list[str], kind: str = "code") -> dict[str, Any]:
    more: dict[str, Any] = {"execution_count": None, "outputs": [{"é": 1e-05}]} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **more, "source": source}


def notebook(*cells: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


WITHOUT = TOP.replace("from pyspark.sql import functions as F\n", "import pyspark\n")
BOOK = notebook(
    cell("# Scores", "markdown"), cell(TOP.splitlines(True)), cell(BEST), cell("%%sql\nselect"), cell(FILTER)
)
LAYOUTS: dict[str, dict[str, Any]] = {
    "jupyter": {"indent": 1, "ensure_ascii": False},
    "escaped": {"indent": 1},
    "two": {"indent": 2, "ensure_ascii": False},
    "one line": {},
    "compact": {"separators": (",", ":")},
    "tabs": {"indent": "\t"},
}


def write(path: Path, book: Any, end: str = "\n", **layout: Any) -> Path:
    path.write_bytes((json.dumps(book, **(layout or LAYOUTS["jupyter"])) + end).encode())
    return path


def test_a_finding_stands_in_its_cell(tmp_path: Path) -> None:
    report = analyse_file(write(tmp_path / "a.ipynb", BOOK), Options(), None)
    found = file_json(report, tmp_path)["opportunities"][0]
    assert found["code"] == "HW101"
    assert found["filter"]["range"]["start"] == {"line": 1, "character": 5, "cell": 4}
    assert found["prefilter"]["range"]["start"] == {"line": 1, "character": 13, "cell": 2}
    assert {e["range"]["start"]["cell"] for e in found["edits"]} == {2, 4}


@pytest.mark.parametrize("end", ["\n", "", "\n\n"])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_only_the_edited_cells_change(tmp_path: Path, layout: dict[str, Any], end: str) -> None:
    path = write(tmp_path / "a.ipynb", BOOK, end, **layout)
    done = fix_file(path, Options(), None, False)
    assert isinstance(done, FixedFile)
    assert done.before.encode(done.before.text) == done.before.data
    after = json.loads(done.before.encode(done.fixed.text))
    assert after["cells"][2]["source"] == BEST.replace("scores.group", 'scores.filter(F.col("score") >= 90).group')
    assert after["cells"][4]["source"] == "# 😀\nbest.show()"
    for number in (2, 4):
        after["cells"][number]["source"] = BOOK["cells"][number]["source"]
    assert after == BOOK
    assert done.before.encode(done.fixed.text).endswith(b"}" + end.encode())


def test_a_layout_of_another_tool_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(BOOK, indent=1).replace('"metadata": {}', '"metadata" : {}', 1))
    before = path.read_bytes()
    result = CliRunner().invoke(cli.app, ["fix", str(path), "--no-cache"])
    assert result.exit_code == 2
    assert path.read_bytes() == before


def test_an_import_goes_into_a_cell(tmp_path: Path) -> None:
    book = notebook(cell(WITHOUT), cell(BEST), cell("best.filter(best.best >= 90)"))
    done = fix_file(write(tmp_path / "a.ipynb", book), Options(), None, False)
    assert isinstance(done, FixedFile)
    after = json.loads(done.before.encode(done.fixed.text))
    assert "from pyspark.sql import functions as F\n" in after["cells"][0]["source"]


@pytest.mark.parametrize("top", ["%%time\n", "%%capture out\n"])
def test_no_import_goes_above_a_cell_magic(tmp_path: Path, top: str) -> None:
    book = notebook(cell(top + WITHOUT), cell(BEST), cell("best.filter(best.best >= 90)"))
    done = fix_file(write(tmp_path / "a.ipynb", book), Options(), None, False)
    assert isinstance(done, FixedFile)
    assert json.loads(done.before.encode(done.fixed.text))["cells"][0]["source"].startswith(top)


BROKEN: dict[str, bytes] = {
    "no JSON": b"{",
    "no notebook": b"[]",
    "format 3": b'{"worksheets": [], "nbformat": 3}',
    "cells of a wrong type": b'{"cells": 5, "nbformat": 4}',
    "a cell of a wrong type": b'{"cells": [5], "nbformat": 4}',
    "a cell without a text": b'{"cells": [{"cell_type": "code", "source": 5}]}',
    "a cell with odd lines": b'{"cells": [{"cell_type": "code", "source": ["a", 5]}]}',
    "not UTF-8": b'{"cells": "\xff"}',
    "deep": b"[" * 100_000,
    "a large number": b'{"cells": [], "x": ' + b"9" * 5000 + b"}",
    "our own mark": json.dumps(notebook(cell("# %% headwater:cell 7\n"))).encode(),
}


@pytest.mark.parametrize("first", ["%run ./utils", "%pip install x\n!ls", "# Setup\n%run ./utils\n"])
def test_an_import_goes_behind_cells_of_magics(tmp_path: Path, first: str) -> None:
    """``%run`` has to stand alone in its cell, and what it brings in may use the short names."""
    book = notebook(cell(first), cell(WITHOUT), cell(BEST), cell("best.filter(best.best >= 90)"))
    done = fix_file(write(tmp_path / "a.ipynb", book), Options(), None, False)
    assert isinstance(done, FixedFile)
    cells = ["".join(c["source"]) for c in json.loads(done.before.encode(done.fixed.text))["cells"]]
    assert cells[0] == first
    alias = "spark_functions" if "%run" in first else "F"
    assert f"from pyspark.sql import functions as {alias}\n" in cells[1]
    assert f"filter({alias}." in cells[2]


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_no_notebook_gets_one_line(data: bytes) -> None:
    with pytest.raises(Unreadable) as error:
        decode_notebook(data)
    assert error.value.problem.message
    assert "\n" not in error.value.problem.message


def test_a_surrogate_breaks_its_own_cell_only(tmp_path: Path) -> None:
    book = notebook(cell(TOP), cell("x = '\ud800'"), cell(BEST), cell(FILTER))
    report = analyse_file(write(tmp_path / "a.ipynb", book, indent=1), Options(), None).report
    assert report.error is None
    assert [o.code for o in report.opportunities] == ["HW101"]


@pytest.mark.parametrize("metadata", [{"kernelspec": {"language": "scala"}}, {"language_info": {"name": "R"}}])
def test_another_language_is_nothing_to_read(metadata: dict[str, Any]) -> None:
    found = decode_notebook(json.dumps(notebook(cell("val x = 1"), **metadata)).encode())
    assert found.text == ""


@pytest.mark.parametrize("language", ["python", "Python 3", "pyspark", "PySpark"])
def test_python_has_several_names(language: str) -> None:
    metadata = {"kernelspec": {"language": ""}, "language_info": {"name": language}}
    found = decode_notebook(json.dumps(notebook(cell("x = 1"), **metadata)).encode())
    assert "x = 1" in found.text


def test_cells_count_their_own_lines() -> None:
    program = decode_notebook(json.dumps(BOOK).encode())
    assert isinstance(program, Notebook)
    lines = CellLines(program.text)
    assert lines.place(program.text.index("best.filter")) == "cell 5:2:1"
    assert lines.place(program.text.index("import pandas")) == "cell 2:1:1"
    assert lines.line_for_people(program.text.index("groupBy")) == "2 of cell 3"
    assert lines.program_line(4, 1) == lines.line_of(program.text.index("best.filter"))
    assert lines.program_line(4, 2) is None
    assert lines.program_line(0, 0) is None


def test_notebooks_are_found_and_checkpoints_are_not(tmp_path: Path) -> None:
    write(tmp_path / "a.ipynb", BOOK)
    (tmp_path / ".ipynb_checkpoints").mkdir()
    write(tmp_path / ".ipynb_checkpoints" / "a.ipynb", BOOK)
    assert discover([tmp_path]) == [tmp_path / "a.ipynb"]
    assert read_source(tmp_path / "a.ipynb").text.startswith("# %% headwater:cell 1\nimport pandas")


@pytest.mark.parametrize("place", ["5:2", "cell 5:2", "cell 5:2:1"])
def test_explain_takes_what_scan_prints(tmp_path: Path, place: str) -> None:
    path = write(tmp_path / "a.ipynb", BOOK)
    result = CliRunner().invoke(cli.app, ["explain", f"{path}:{place}", "--no-cache"])
    assert result.exit_code == 0, result.output
    assert "HW101" in result.output


@pytest.mark.parametrize("place", ["5", "5:9", "1:1", "0:1"])
def test_explain_refuses_a_place_that_is_none(tmp_path: Path, place: str) -> None:
    path = write(tmp_path / "a.ipynb", BOOK)
    result = CliRunner().invoke(cli.app, ["explain", f"{path}:{place}", "--no-cache"])
    assert result.exit_code == 2


def test_a_null_byte_costs_its_own_cell_and_is_written_back() -> None:
    cells = ["a = 1\n", "b = '\0'\nc = 2", "d = 3"]
    document = {"cells": [{"cell_type": "code", "source": c} for c in cells], "nbformat": 4}
    notebook = decode_notebook(json.dumps(document, indent=1).encode())
    assert "\0" not in notebook.text
    assert len(parse(notebook.text).hidden) == 1
    changed = json.loads(notebook.encode(notebook.text.replace("d = 3", "d = 4")))
    assert [c["source"] for c in changed["cells"]] == [*cells[:2], "d = 4"]


SQL = "SELECT *\nFROM elsewhere"


@pytest.mark.parametrize(
    ("metadata", "magic"),
    [
        ({"vscode": {"languageId": "sql"}}, "sql"),
        ({"microsoft": {"language": "sparksql"}}, "sql"),
        ({"microsoft": {"language": "sparksql", "language_group": "synapse_pyspark"}}, "sql"),
        ({"language": "sql", "azdata_cell_guid": "0"}, "sql"),
        ({"dotnet_interactive": {"language": "csharp"}, "polyglot_notebook": {"kernelName": "csharp"}}, "csharp"),
        ({"vscode": {"languageId": "C#"}}, "csharp"),
    ],
)
def test_cells_in_another_language_by_their_metadata(tmp_path: Path, metadata: dict[str, Any], magic: str) -> None:
    """They are hidden, cost no other cell, are no reason for a message, and are written back as they were."""
    book = notebook(cell(TOP), cell(BEST), {**cell(SQL), "metadata": metadata}, cell(FILTER))
    path = write(tmp_path / "a.ipynb", book)
    source = read_source(path)
    assert f"%%{magic}\n{SQL}" in source.text
    assert [h.why for h in parse(source.text).hidden] == [None]
    done = fix_file(path, Options(), None, False, True)
    assert isinstance(done, FixedFile)
    after = json.loads(done.before.encode(done.fixed.text))
    assert after["cells"][2] == book["cells"][2]
    if magic == "sql":  # of other languages nobody knows what they may do
        assert "filter" in after["cells"][1]["source"]


@pytest.mark.parametrize("metadata", [{}, {"vscode": {"languageId": "python"}}, {"microsoft": {"language": "python"}}])
def test_python_cells_by_their_metadata(tmp_path: Path, metadata: dict[str, Any]) -> None:
    book = notebook(cell(TOP), {**cell(BEST), "metadata": metadata})
    assert not parse(read_source(write(tmp_path / "a.ipynb", book)).text).hidden


@pytest.mark.parametrize(
    "source", [f"%sql\n{SQL}", "%sql select a,\n  b from t", "%md\n## A title", "%scala\nval x = 1"]
)
def test_databricks_cells_with_one_percent_sign(tmp_path: Path, source: str) -> None:
    book = notebook(cell("x = 1"), cell(source), **{"application/vnd.databricks.v1+notebook": {"language": "python"}})
    hidden = parse(read_source(write(tmp_path / "a.ipynb", book)).text).hidden
    assert [h.why for h in hidden] == [None]


def test_a_databricks_notebook_of_sql_is_not_python(tmp_path: Path) -> None:
    book = notebook(cell(SQL), **{"application/vnd.databricks.v1+notebook": {"language": "sql"}})
    assert read_source(write(tmp_path / "a.ipynb", book)).text == ""
