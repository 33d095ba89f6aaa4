"""How this file writes Python literals."""

from __future__ import annotations

import io
import tokenize
from functools import lru_cache
from typing import Literal

Quote = Literal['"', "'"]


@lru_cache(maxsize=8)
def prevailing_quote(source: str) -> Quote:
    """The quote that most one-line strings of ``source`` use; double where there is no majority."""
    single = double = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.STRING or token.type == getattr(tokenize, "FSTRING_START", -1):
                text = token.string.lstrip("rRbBuUfF")
                if text[:3] in ('"""', "'''"):
                    continue
                single += text[:1] == "'"
                double += text[:1] == '"'
    except (tokenize.TokenError, SyntaxError):
        pass  # what was counted so far is as good a guess
    return "'" if single > double else '"'


def string_literal(value: str, quote: Quote) -> str:
    """``value`` as a Python string literal, with the other quote where that saves escapes (as formatters do)."""
    other: Quote = "'" if quote == '"' else '"'
    if quote in value and other not in value:
        quote = other
    body = repr('"' + value)[2:-1]  # the leading double quote makes repr choose single quotes
    body = body.replace("\\'", "'")
    return quote + (body.replace(quote, "\\" + quote)) + quote
