"""How this file writes Python literals."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Literal

Quote = Literal['"', "'"]
_STRINGS = re.compile(
    r"""\#[^\r\n]* | (?P<long>\"{3}|'{3}) (?:\\.|[^\\])*? (?P=long)
    | "(?:\\(?:\r\n|.)|[^"\\\r\n])*" | '(?:\\(?:\r\n|.)|[^'\\\r\n])*'""",
    re.DOTALL | re.VERBOSE,
)
"""Comments and strings; an f-string with strings of its quotes in it counts as several."""


@lru_cache(maxsize=8)
def prevailing_quote(source: str) -> Quote:
    """The quote that most one-line strings of ``source`` use; double where there is no majority."""
    found = Counter(m[0][0] for m in _STRINGS.finditer(source) if m["long"] is None)
    return "'" if found["'"] > found['"'] else '"'


def string_literal(value: str, quote: Quote) -> str:
    """``value`` as a Python string literal, with the other quote where that saves escapes (as formatters do)."""
    other: Quote = "'" if quote == '"' else '"'
    if quote in value and other not in value:
        quote = other
    body = repr('"' + value)[2:-1]  # the leading double quote makes repr choose single quotes
    body = body.replace("\\'", "'")
    return quote + (body.replace(quote, "\\" + quote)) + quote
