"""The paths that a text writes out and that exist: no URI, no pattern, nothing outside of the workspace."""

from __future__ import annotations

import re
from pathlib import Path

from .listing import Unclear, inside

MOST_PLACES = 50
_LITERAL = re.compile(r"""(?<![\w\\])[rRuU]?(?:"([^"\\\n{}*?]{1,300})"|'([^'\\\n{}*?]{1,300})')""")
_NO_FILE = re.compile(r"^\w[\w+.-]*:|[\0$%;]")
"""A URI, or a path with what a shell or a template puts in."""


def places(text: str, root: Path) -> tuple[str, ...]:
    """The literals of ``text`` that are paths of something inside ``root``, each once."""
    literals = dict.fromkeys(m[1] or m[2] for m in _LITERAL.finditer(text))
    there = []
    for place in literals:
        if _NO_FILE.search(place) or not ("/" in place or "." in place):
            continue
        try:
            if inside(root / place, root) != root and (root / place).exists():
                there.append(place)
        except (Unclear, OSError, ValueError, RuntimeError):
            continue
        if len(there) == MOST_PLACES:
            break
    return tuple(there)
