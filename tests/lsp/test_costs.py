"""Issue 22, part 5: the hover and the scan say what a finding cost, as the event logs of the workspace have it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.event_log.logs import simple

from .editor import SECONDS, Editor, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes of the tests are POSIX ones")
TEXT = """\
from pyspark.sql import SparkSession
df = SparkSession.builder.getOrCreate().read.parquet("prices")
dear = df.toPandas()
print(dear["id"].max())
"""
SAID = "its job read 1,000 rows of 5.0 MB in files in 41 min on 2026-11-26 (event log app-1)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("etl", "web", "logs"):
        (tmp_path / name).mkdir()
    (tmp_path / "etl" / "daily.py").write_text(TEXT)
    (tmp_path / "logs" / "app-1").write_bytes(simple("toPandas at /jobs/etl/daily.py:3"))
    return tmp_path


async def hover(e: Editor, uri: str) -> str:
    asked = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(2, 12))
    found = await e.client.text_document_hover_async(asked)
    return found.contents.value if found and isinstance(found.contents, types.MarkupContent) else ""


async def until(e: Editor, uri: str, holds: Callable[[str], bool]) -> None:
    async def wait() -> None:
        while not holds(await hover(e, uri)):
            await asyncio.sleep(0.05)

    await asyncio.wait_for(wait(), SECONDS)


def test_the_hover_says_it_until_the_line_has_moved(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("etl/daily.py", TEXT)
        await e.published(uri, "HW401")
        await until(e, uri, lambda text: f"**Cost** (measured): {SAID}" in text)
        e.change(uri, "\n" + TEXT)
        await e.published(uri, "HW401")
        asked = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(3, 12))
        moved = await e.client.text_document_hover_async(asked)
        assert moved is not None
        assert isinstance(moved.contents, types.MarkupContent)
        assert "HW401" in moved.contents.value
        assert "event log" not in moved.contents.value

    run(scenario, root, tmp_path_factory.mktemp("cache"), eventLog=str(root / "logs"))


def test_the_scan_says_it_and_two_files_of_one_name_are_told_apart(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (root / "web" / "daily.py").write_text(TEXT)
    (root / "pyproject.toml").write_text('[tool.headwater]\neventLog = "logs"\n')

    async def scenario(e: Editor) -> None:
        uri = e.open("etl/daily.py", TEXT)
        await until(e, uri, lambda text: SAID in text)
        await e.client.protocol.send_request_async("headwater/scanWorkspace", {})
        report = await e.client.protocol.send_request_async("headwater/report", {"format": "json"})
        costs: dict[str, Any] = {
            file["path"]: [o["measured"] and o["measured"]["text"] for o in file["opportunities"]]
            for file in json.loads(report.text)["files"]
            if file["path"].endswith("daily.py")
        }
        assert costs == {"etl/daily.py": [SAID], "web/daily.py": [None]}

    run(scenario, root, tmp_path_factory.mktemp("cache"))


def test_logs_that_cannot_be_read_are_one_message(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("etl/daily.py", TEXT)
        await e.published(uri, "HW401")
        while not e.messages:
            await asyncio.sleep(0.05)
        assert "event log" not in await hover(e, uri)
        e.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        await e.settled(uri)

    editor = run(scenario, root, tmp_path_factory.mktemp("cache"), eventLog="nowhere")
    assert editor.messages == [f"Headwater: {root / 'nowhere'}: No such file or directory"]
