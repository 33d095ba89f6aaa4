"""Notebooks that are broken, and that change while they are proved: one cell costs no other one."""

from __future__ import annotations

import json
import random
from pathlib import Path

from lsprotocol import types

from .books import Book, shown
from .editor import Editor, applied, run, text_edits
from .programs import BEST, HEAD

READ, GROUP, KEEP = BEST.format(90).removeprefix(HEAD).splitlines()
CELLS = (HEAD + READ, GROUP, KEEP)


def test_cells_that_are_not_python_cost_no_other_cell(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        broken = ("%%sql\nselect 1", "def f(:\n", "!ls", "%matplotlib inline\nx = 1", "x = '''", "\x00", "a\rb\u2028c(")
        book = Book(e).open(CELLS[0], *broken, ("# text", "markdown"), ("val x = 1", "scala"), *CELLS[1:], "")
        book.save()
        (found,) = await e.published(book.cells[-2], "HW101")
        assert found.range.start.line == 0
        assert not any(shown(e, uri) for uri in book.cells if uri != book.cells[-2])
        apply, *_ = await e.actions(book.cells[-2], found)
        edit = (await e.resolved(apply)).edit
        assert edit is not None
        assert edit.document_changes is not None
        assert {c.text_document.uri for c in edit.document_changes if isinstance(c, types.TextDocumentEdit)} == {
            book.cells[-3],
            book.cells[-2],
        }, "the pre-filter goes into one cell, the filter leaves another"

    run(scenario, tmp_path, tmp_path / "cache")


def test_a_cell_that_breaks_and_is_mended(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        book = Book(e).open(*CELLS)
        book.save()
        await e.published(book.cells[2], "HW101")
        book.edit(1, GROUP + ".oops(")
        await e.published(book.cells[2])
        book.edit(1, GROUP)
        await e.published(book.cells[2], "HW101")
        book.edit(0, "(")  # nobody knows the frame, nor the functions
        await e.published(book.cells[2])
        book.edit(0, CELLS[0])
        await e.published(book.cells[2], "HW101")
        book.close()
        await e.until(lambda: not any(p.diagnostics for p in e.diagnostics.values()))

    run(scenario, tmp_path, tmp_path / "cache")


def test_cells_that_go_and_move_while_they_are_proved(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        chance = random.Random(7)
        book = Book(e).open(*CELLS, "x = 1")
        for _ in range(25):
            what = chance.random()
            at = chance.randrange(len(book.cells))
            if what < 0.3:
                book.move(at, chance.randrange(len(book.cells)))
            elif what < 0.5 and len(book.cells) > 2:
                book.splice(at, chance.randrange(2), *["y = 2 # 😀\n"] * chance.randrange(3))
            elif what < 0.8:
                book.edit(at, chance.choice([*CELLS, "(", "%%sql", "\r\n"]))
            else:
                book.save()
        book.splice(0, len(book.cells), *CELLS)
        book.save()
        (found,) = await e.published(book.cells[2], "HW101")
        book.move(2, 0)  # the filter now stands before the frame that it is of
        await e.published(book.cells[0])
        book.move(0, 2)
        (again,) = await e.published(book.cells[2], "HW101")
        assert again.range == found.range
        book.splice(1, 1)
        await e.published(book.cells[1])
        book.splice(0, len(book.cells))
        await e.idle()
        left = {u: shown(e, u) for u in e.diagnostics}
        assert not any(left.values()), left
        for published in e.history:  # (a cell's own version, or that of what it had when it went)
            assert published.version is not None

    run(scenario, tmp_path, tmp_path / "cache")


def test_a_fix_in_one_cell_is_for_its_version(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        cells = [HEAD, "\n".join((READ, GROUP, KEEP))]
        book = Book(e).open(*cells)
        book.save()
        (found,) = await e.published(book.cells[1], "HW101")
        apply, *_ = await e.actions(book.cells[1], found)
        fixed = applied(cells[1], text_edits(await e.resolved(apply), book.cells[1], 1))
        book.edit(0, HEAD + "# more\n")
        assert (await e.resolved(apply)).disabled is not None, "the program is another one"
        await e.published(book.cells[1], "HW101")
        book.edit(1, fixed)
        book.save()
        await e.published(book.cells[1])

    run(scenario, tmp_path, tmp_path / "cache")


def test_notebooks_on_disk_that_are_none(tmp_path: Path) -> None:
    good = {"cells": [{"cell_type": "code", "source": [BEST.format(1)]}], "nbformat": 4, "metadata": {}}
    files: dict[str, bytes] = {
        "json.ipynb": b'{"cells": [',
        "list.ipynb": b"[1, 2]",
        "cells.ipynb": json.dumps({"cells": 7}).encode(),
        "source.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": {"a": 1}}, None, 3]}).encode(),
        "deep.ipynb": b"[" * 100_000,
        "latin.ipynb": b'{"cells": "\xff"}',
        "empty.ipynb": b"",
        "good.ipynb": json.dumps(good).encode(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder.ipynb").mkdir()

    async def scenario(e: Editor) -> None:
        asked = {"partialResultToken": "part"}
        answer = await e.client.protocol.send_request_async("headwater/scanWorkspace", asked)
        assert answer.files == len(files)
        parts = {Path(_get(p.value, "path")).name: p.value for p in e.progress}
        assert len(_get(parts.pop("good.ipynb"), "opportunities")) == 1
        assert {name for name, p in parts.items() if not _get(p, "error")} <= {"source.ipynb"}
        uri = e.open("job.py", BEST.format(2))
        await e.published(uri, "HW190")

    run(scenario, tmp_path, tmp_path / "cache")


def _get(value: object, name: str) -> str:
    found: str = value[name] if isinstance(value, dict) else getattr(value, name)
    return found
