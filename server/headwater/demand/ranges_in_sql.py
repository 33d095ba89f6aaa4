"""HW201 in SQL text: a condition of ``filter("…")`` or of a WHERE clause becomes a test of the bare column there."""

from __future__ import annotations

import re

from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.spell_sql import spell_sql
from headwater.rewrite.sql_argument import in_literal
from headwater.rewrite.tokens import CannotEdit
from headwater_ir.plan import Filter
from headwater_ir.ranges import RangeCertificate
from headwater_ir.span import Span

from .protocol import NotWorth

_OR = re.compile(r"\bor\b", re.IGNORECASE)
_HIDING = ("\n", "{", "}", "\\", "--", "/*")
"""What the text may mean something else by than its characters say."""
_TEXT = re.compile(r"'[^']*'|\"[^\"]*\"")
_MARKER = re.compile(r"(?<![:\w]):[A-Za-z_]\w*|\?")


def written_in_sql(
    filter_: Filter, place: Span, certificate: RangeCertificate, text: Text
) -> tuple[str, Edit] | NotWorth:
    """What is said for the conjunct at ``place``, and the edit that says it."""
    old, literal = place.text(text.source), text.tokens.at(place.start)
    if literal is None or not literal.start < place.start or place.end >= literal.end:
        return NotWorth("the condition is written in several texts, or with escapes")
    if any(sign in old for sign in _HIDING):
        return NotWorth("the condition is written over several lines, or with parts that are put in")
    marker = _MARKER.search(_TEXT.sub("''", old))
    if marker is not None:
        return NotWorth(f"the condition reads the parameter `{marker[0]}`, and the edit would write its value for it")
    said = spell_sql(certificate.written)
    if said is None:
        return NotWorth("SQL has no words for the test of the bare column")
    alone = len(filter_.conjuncts) == 1 and filter_.unread is None and not certificate.beside
    new = said if alone or not _OR.search(said) else f"({said})"
    try:
        new = in_literal(text.tokens, place.start, new)
    except CannotEdit as error:
        return NotWorth(str(error))
    if certificate.beside:
        new = f"{f'({old})' if _OR.search(old) else old} AND {new}"
    return said, Edit(place, new)
