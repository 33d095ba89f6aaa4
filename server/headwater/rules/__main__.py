"""``python -m headwater.rules DIR`` writes the page of each rule into a directory."""

from __future__ import annotations

import sys
from pathlib import Path

from .registry import pages

if __name__ == "__main__":
    for code, page in pages().items():
        Path(sys.argv[1], f"{code}.md").write_text(page, encoding="utf-8")
