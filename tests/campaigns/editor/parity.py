"""``python -m tests.campaigns.editor.parity``: ``headwater scan`` and the language server report the same of each file.

The examples, the suite and every snippet of the specifications, in folders with the schemas that they state. Two real
processes with caches of their own: the command line scans each folder; the editor opens each file, edits it, takes the
edit back and saves. Compared are the findings with their places and edits, the filters that stay and why, and the
comments that hide nothing. Writes ``RESULTS.md`` beside this file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types

from tests.lsp.editor import Editor, text_edits
from tests.mdtest.cases import all_cases

ROOT = Path(__file__).resolve().parents[3]
MOST_IN_FOLDER = 60
Said = Counter[str]
"""What one of the two says of a file: each thing as one line of JSON."""


@dataclass
class Folder:
    """Files that share their settings."""

    schemas: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def write(self, at: Path) -> None:
        """As a workspace folder. HW901 is on, so that the editor is told what stays as well."""
        at.mkdir()
        lines = "".join(f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in self.schemas.items())
        text = f'[tool.headwater.severity]\nHW901 = "hint"\n\n[tool.headwater.schemas]\n{lines}'
        (at / "pyproject.toml").write_text(text, encoding="utf-8")
        for name, source in self.files.items():
            (at / name).write_text(source, encoding="utf-8", newline="")


def folders(share: int) -> list[Folder]:
    """All files, or every ``share``-th, in as few folders as their schemas allow."""
    found = [Folder()]
    for number, (name, source, schemas) in enumerate(_programs()):
        if number % share:
            continue
        home = next((f for f in found if _fits(f, schemas)), None)
        if home is None:
            home = Folder()
            found.append(home)
        home.schemas |= schemas
        home.files[f"{number:04}_{name}.py"] = source
    return found


def _fits(folder: Folder, schemas: dict[str, str]) -> bool:
    room = len(folder.files) < MOST_IN_FOLDER
    return room and all(folder.schemas.get(name, ddl) == ddl for name, ddl in schemas.items())


def _programs() -> Iterator[tuple[str, str, dict[str, str]]]:
    for path in (*sorted((ROOT / "examples").glob("*.py")), *sorted((ROOT / "benchmarks" / "suite").rglob("*.py"))):
        yield path.stem, path.read_text(encoding="utf-8"), {}
    for case in all_cases():
        yield "".join(c if c.isalnum() else "_" for c in case.name)[:60], case.source, dict(case.schemas)


def scanned(folder: Path, cache: Path) -> dict[str, Said]:
    """What the command line says of each file."""
    command = [sys.executable, "-I", "-m", "headwater", "scan", ".", "--format", "json", "--jobs", "1"]
    env = {**os.environ, "HEADWATER_CACHE_DIR": str(cache)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done.stderr
    return {Path(f["path"]).name: of_json(f) for f in json.loads(done.stdout)["files"]}


def of_json(file: dict[str, Any]) -> Said:
    """A file of the report."""
    said = Said(_line(o["code"], o["filter"]["range"], o["id"], o["edits"]) for o in file["opportunities"])
    said.update(_line("HW901", s["range"], f"({s['obstruction']}): {s['reason']}", []) for s in file["skipped"])
    said.update(_line("HW902", u["range"], u["message"], [u["edit"]]) for u in file["unused"])
    if file["error"]:
        said[_line("error", None, file["error"].split(": ", 1)[1], [])] += 1
    return said


async def shown(e: Editor, name: str, text: str) -> Said:
    """What the editor is told of a file, after an edit that was taken back and a save."""
    uri = e.open(name, text)
    await e.settled(uri)
    e.change(uri, f"import os\n{text}")
    e.change(uri, text)
    e.save(uri)
    await e.settled(uri)
    await e.until(lambda: e.diagnostics.get(uri) and e.diagnostics[uri].version == e.versions[uri])
    said = Said()
    if e.status[-1].state == "error":
        said[_line("error", None, e.status[-1].message, [])] += 1
    for d in e.diagnostics[uri].diagnostics:
        if d.code == "HW901":
            said[_line("HW901", _plain(d.range), d.message.removeprefix("stays where it is "), [])] += 1
            continue
        edits = await _edits(e, uri, d)
        said[_line(str(d.code), _plain(d.range), d.message if d.code == "HW902" else d.data["id"], edits)] += 1
    e.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    return said


async def _edits(e: Editor, uri: str, d: types.Diagnostic) -> list[dict[str, Any]]:
    """The edits of the fix that is preferred for a finding."""
    for action in await e.actions(uri, d):
        mine = any((o.data or {}).get("id") == d.data["id"] for o in action.diagnostics or ())
        if mine and action.is_preferred:
            found = text_edits(await e.resolved(action), uri, e.versions[uri])
            return [{"range": _plain(t.range), "text": t.new_text} for t in found]
    return []


def _plain(at: types.Range) -> dict[str, Any]:
    return {n: {"line": p.line, "character": p.character} for n, p in (("start", at.start), ("end", at.end))}


def _line(code: str, at: object, what: str, edits: list[dict[str, Any]]) -> str:
    edits = sorted(edits, key=lambda edit: json.dumps(edit, sort_keys=True))
    return json.dumps([code, at, what, edits], sort_keys=True)


async def compare(share: int, root: Path, most_shown: int = 20) -> tuple[Counter[str], list[str]]:
    """What was counted, and every difference in words."""
    counts: Counter[str] = Counter()
    differences: list[str] = []
    listed = folders(share)
    for number, folder in enumerate(listed):
        at = root / f"folder{number}"
        folder.write(at)
        e = Editor(at, root / "editor-cache")
        await e.start()
        by_scan = await asyncio.to_thread(scanned, at, root / "scan-cache")
        assert by_scan.keys() == folder.files.keys()
        for name, text in folder.files.items():
            one, other = by_scan[name], await shown(e, name, text)
            counts["files"] += 1
            counts.update(f"{json.loads(line)[0]} by the scan" for line in one.elements())
            counts.update(f"{json.loads(line)[0]} by the server" for line in other.elements())
            if one != other:
                differences.append(f"{name}: only the scan {one - other}, only the server {other - one}")
        await e.stop()
        print(f"folder {number + 1} of {len(listed)}: {dict(counts)}, {len(differences)} differ", file=sys.stderr)
        for line in differences[-most_shown:] if number == len(listed) - 1 else ():
            print(line, file=sys.stderr)
    return counts, differences


def main() -> None:
    """Compare everything, write what was counted; exit code 1 if anything differs."""
    from tests.lsp import editor

    from . import results

    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.editor.parity", description=__doc__)
    parser.add_argument("--share", type=int, default=1, help="take every n-th file")
    given = parser.parse_args()
    editor.SECONDS = 300
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        counts, differences = asyncio.run(compare(given.share, Path(folder)))
    said = {**dict(sorted(counts.items())), "files of which they differ": len(differences)}
    command = (
        "make campaign NAME=parity"
        if given.share == 1
        else f"python -m tests.campaigns.editor.parity --share {given.share}"
    )
    results.write("Parity of command line and server", command, said, time.monotonic() - start)
    raise SystemExit(1 if differences else 0)


if __name__ == "__main__":
    main()
