"""The lines of a source text as Python's tokenizer counts them."""

from __future__ import annotations

import re
from functools import lru_cache

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")


def split_lines(source: str) -> list[str]:
    """Lines with their ends: only ``\\n``, ``\\r\\n`` and ``\\r`` end one. Never empty: the last may be ``""``."""
    return [*_lines(source)]


@lru_cache(maxsize=4)  # one text is asked for again and again
def _lines(source: str) -> tuple[str, ...]:
    lines = _LINE.findall(source)
    return (*lines,) if lines and not lines[-1].endswith(("\r", "\n")) else (*lines, "")
