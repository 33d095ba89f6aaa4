"""Comments that switch Headwater off: ``# headwater: ignore``, ``# headwater: ignore[HW101,HW102]``, ``#
headwater: ignore-file``."""

from __future__ import annotations

import io
import re
import tokenize

COMMENT = re.compile(r"#\s*headwater:\s*ignore(?P<file>-file)?(?![\w-])(?:\s*\[(?P<codes>[^]#[]*)\])?", re.IGNORECASE)


def read_suppressions(source: str) -> tuple[tuple[tuple[int, tuple[str, ...]], ...], bool]:
    """Zero-based lines with the codes suppressed there (empty: all), and whether the whole file is.

    Text inside a string is no comment. A source that does not tokenize to its end keeps what was found so far.
    """
    lines: dict[int, tuple[str, ...]] = {}
    whole = False
    if "headwater" not in source.lower():  # tokenizing takes longer than parsing
        return (), False
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type != tokenize.COMMENT:
                continue
            for match in COMMENT.finditer(token.string):
                if match["file"]:
                    whole = True
                else:
                    lines[token.start[0] - 1] = _codes(match["codes"])
    except (tokenize.TokenError, SyntaxError):
        pass
    return tuple(sorted(lines.items())), whole


def _codes(text: str | None) -> tuple[str, ...]:
    found = tuple(c.strip().upper() for c in (text or "").split(",") if c.strip())
    # `ignore[]` names nothing; taking it for "everything" would hide more than was asked for.
    return found if found or text is None else ("",)
