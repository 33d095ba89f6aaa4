"""Whether ``re`` finds a pattern in a text, as tests of the text: of patterns that are choices of plain texts
(``headwater_ir.patterns``).

Law: ``re.search`` finds what is anywhere in the text, ``re.match`` what it begins with, ``re.fullmatch`` the text as a
whole; ``$`` is at the end, or in front of a newline there. In place of a text, None is an error.
Source: https://docs.python.org/3/library/re.html.
"""

from __future__ import annotations

from headwater_ir.expr import Compare, Expr, Lit, Raise, walk
from headwater_ir.patterns import Choice, choices
from headwater_ir.types import STRING

from .simplify import choose, either, is_null, text_test


def finds(function: str, pattern: str, text: Expr) -> Expr | None:
    """Whether ``re.function(pattern, text)`` finds something; None for a pattern that is something else."""
    found = choices(pattern, anywhere=function == "search", whole=function == "fullmatch")
    if found is None:
        return None
    tests = [_is_there(function, choice, t, text) for choice in found for t in choice.texts]
    there = either(*tests)
    equal = any(isinstance(n, Compare) for n in walk(there))  # which alone would be False of None
    return choose(is_null(text), Raise(f"re.{function}(None)"), there) if equal else there


def _is_there(function: str, choice: Choice, found: str, text: Expr) -> Expr:
    begins, whole = choice.begins or function != "search", function == "fullmatch"
    ends = [Lit(end, STRING) for end in ([found, found + "\n"] if choice.ends == "$" and not whole else [found])]
    if begins and (choice.ends or whole):
        return either(*(Compare("==", text, end, "python") for end in ends))
    if begins:
        return text_test("startswith", text, ends[0])
    return either(*(text_test("endswith" if choice.ends else "contains", text, end) for end in ends))
