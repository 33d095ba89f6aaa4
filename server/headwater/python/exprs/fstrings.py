"""Comparisons of an f-string with a constant as one of the values in it: ``f"{a}-{b}" == "x-1"`` is ``a == "x"`` and
``b == 1``.

Law: the two are equal where the constant can be cut into the text of the f-string and the texts of the values; each way
to cut it is one case. A text is its own text, None is ``None``, a whole number has one text and no other number has it,
True and False are words. Values of other types are refused: of 1.0 and of decimals there are several texts.
Reference: the Python language reference, section 2.4.3; tests/conformance/test_native_filters.py.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence

from headwater_ir.expr import FALSE, Call, Compare, Expr, Lit
from headwater_ir.types import BOOL, INT, Type

from .simplify import both, either, is_null, may_raise

_MOST = 8
"""Ways to cut a constant."""
_WHOLE = re.compile(r"-?[1-9][0-9]*|0")
Piece = tuple[str, "int | None"]
"""Literal text, and the number of the value behind it."""


def format_test(made: Call, types: Sequence[Type], value: str) -> Expr | None:
    """``made == value``, where ``made`` is an f-string or ``str(…)``; None if a value has several texts, or may raise:
    the constant may be no text of it at all, and its error would be lost."""
    template = "{}" if made.name == "str" else made.name.removeprefix("format:")
    if any(t.name not in ("string", "int", "bool") for t in types) or any(map(may_raise, made.args)):
        return None
    pieces: list[Piece] = []
    for text, name, _, conversion in string.Formatter().parse(template):
        if name not in (None, "", "s") or conversion:
            return None
        pieces.append((text, None if name is None else sum(p[1] is not None for p in pieces)))
    cases: list[Expr] = []
    for cut in _cuts(pieces, value):
        if len(cases) == _MOST:
            return None
        cases.append(both(*(_is(made.args[i], types[i], text) for i, text in cut)))
    return either(*cases)


def _cuts(pieces: Sequence[Piece], value: str) -> Iterator[tuple[tuple[int, str], ...]]:
    """The texts that the values have, for each way in which the pieces make ``value``."""
    if not pieces:
        if not value:
            yield ()
        return
    (text, number), rest = pieces[0], pieces[1:]
    if not value.startswith(text):
        return
    left = value[len(text) :]
    if number is None:
        yield from _cuts(rest, left)
        return
    for size in range(len(left) + 1) if rest else (len(left),):
        for cut in _cuts(rest, left[size:]):
            yield ((number, left[:size]), *cut)


def _is(value: Expr, t: Type, text: str) -> Expr:
    """Where the text of ``value`` is ``text``."""
    none = is_null(value) if text == "None" else FALSE
    if t.name == "string":
        return either(Compare("==", value, Lit(text, t), "python"), none)
    if t.name == "int" and _WHOLE.fullmatch(text):
        return Compare("==", value, Lit(int(text), INT), "python")
    if t.name == "bool" and text in ("True", "False"):
        return Compare("==", value, Lit(text == "True", BOOL), "python")
    return none
