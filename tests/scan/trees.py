"""Trees of files that are hard to read, for engines that must say the same of them."""

from __future__ import annotations

import os
from pathlib import Path

from tests.engine.pipelines import PEAKS, TOP2
from tests.hostile.inputs import BOMBS

from .conftest import FILES


def hostile(root: Path) -> None:
    """Files in ``root`` with names and contents that go wrong somewhere."""
    contents = {name: text.encode() for name, text in FILES.items()} | {
        "__init__.py": b"",
        "_hidden_from_spark.py": PEAKS.encode(),
        "with space.py": TOP2.encode(),
        "[a-z]*{b}.py": PEAKS.encode(),
        "colon:name.py": PEAKS.encode(),
        "percent%20.py": PEAKS.encode(),
        "new\nline.py": PEAKS.encode(),
        "latin.py": b"# caf\xe9\n" + PEAKS.encode(),
        "cookie.py": b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + PEAKS.encode(),
        "bom.py": b"\xef\xbb\xbf" + PEAKS.encode(),
        "null.py": PEAKS.encode() + b"\0",
        "empty.py": b"",
        "broken.ipynb": b'{"cells": [',
        "huge.py": b"#" * 5_000_001,
        "parentheses.py": BOMBS["parentheses"](),
        "minus.py": BOMBS["minus"](),
        "_private/inner.py": PEAKS.encode(),
    }
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / os.fsdecode(b"no\xff unicode.py")).write_bytes(PEAKS.encode())
    (root / "directory.py").mkdir()
    os.mkfifo(root / "pipe.py")
    (root / "nowhere.py").symlink_to(root / "missing.py")
    (root / "link.py").symlink_to(root / "peaks.py")
