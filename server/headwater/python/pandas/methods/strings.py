"""Methods of ``Series.str``: a value for each row, made of its text; missing where the text is.

``contains``, ``match`` and ``fullmatch`` take a pattern: they have a law where that is a choice of plain texts, without
``$``, which the engine of other kinds of columns reads in another way. Columns are of texts, which pandas holds as
Python's own.
"""

from __future__ import annotations

import re

from headwater.python.exprs.patterns import finds
from headwater.python.exprs.simplify import NAN, NONE, both, is_null, negate
from headwater.python.rows.row_sequences import Series
from headwater_ir.assumptions import purity_of
from headwater_ir.expr import Call, Expr, If, IsNull, Lit, StringOp, StringTest
from headwater_ir.types import ANY, INT, STRING

from .model import TEXTS, MethodCall, declare, method
from .operands import constant

_TESTS: dict[str, StringOp] = {"startswith": "startswith", "endswith": "endswith", "contains": "contains"}
_END = re.compile(r"\$|\\Z")
_FINDING = {"contains": "search", "match": "match", "fullmatch": "fullmatch"}
"""The functions of ``re`` that the methods ask."""


def _text(call: MethodCall) -> tuple[Expr, bool]:
    """The text in a row, and whether it is never missing."""
    column = call.series.column
    if column is not None and call.run.group.type(column) == ANY:  # what holds no texts has no such methods
        call.run.scope.hint(call.series.element, STRING)
    if column is None or call.run.group.type(column) != STRING:
        raise call.refusal("opaque", "`.str` of what is not known to be a column of texts")
    return call.series.element, call.run.group.certain(column)


def _of_text(call: MethodCall, value: Expr, missing: Expr) -> Series:
    text, certain = _text(call)
    return Series(call.series.frame, value if certain else If(IsNull(text), missing, value), present=certain)


@method(TEXTS, "per row", "len()", needs="its own row")
def length(call: MethodCall) -> Series:
    """The number of characters."""
    return _of_text(call, Call("len", (_text(call)[0],), INT), NAN)


@method(
    TEXTS,
    "per row",
    """
lower()
upper()
strip(to_strip=None)
lstrip(to_strip=None)
rstrip(to_strip=None)
title()
capitalize()
""",
    needs="its own row",
)
def changed(call: MethodCall) -> Series:
    """What Python's method of the same name makes of the text."""
    value = Call(f"str.{call.method}", (_text(call)[0],), STRING)
    call.run.scope.assume(purity_of(f"str.{call.method}"), "note")
    return _of_text(call, value, NONE)


@method(
    TEXTS,
    "per row",
    """
startswith(pat, na: True | False = ...)
endswith(pat, na: True | False = ...)
contains(pat, case: True | False = True, flags: never = 0, na: True | False = ..., regex: True | False = True)
match(pat, case: True | False = True, flags: never = 0, na: True | False = ...)
fullmatch(pat, case: True | False = True, flags: never = 0, na: True | False = ...)
""",
    needs="its own row",
    reads=("pat", "na", "regex"),
)
def tested(call: MethodCall) -> Series:
    """Whether a constant text begins, ends or is part of the text, or a pattern is found in it. What is missing becomes
    False by ``na=False``."""
    text, certain = _text(call)
    needle, fill, regex = (constant(call.get(name)) for name in ("pat", "na", "regex"))
    if not isinstance(needle, str) or fill not in (None, False) or regex not in (None, True, False):
        raise call.refusal("opaque", f"`{call.method}` of something other than one plain text")
    function = None if call.method == "contains" and (regex is False or not needle) else _FINDING.get(call.method)
    plain = StringTest(_TESTS.get(call.method, "contains"), text, Lit(needle, STRING), "python")
    test = plain if function is None else finds(function, needle, text)
    if test is None or (function is not None and _END.search(needle)):
        raise call.refusal("opaque", f"`{call.method}` of a pattern that is no choice of plain texts")
    if certain or fill is False:
        return Series(call.series.frame, test if certain else both(negate(is_null(text)), test))
    return Series(call.series.frame, If(IsNull(text), NONE, test))


declare(
    TEXTS,
    "per row",
    """
casefold()
center(width, fillchar=" ")
count(pat, **kwargs)
encode(encoding, errors: "strict" | "ignore" = "strict")
find(sub, start=0, end=None)
findall(pat, **kwargs)
get(i)
index(sub, start=0, end=None)
isalnum()
isalpha()
isdecimal()
isdigit()
islower()
isnumeric()
isspace()
istitle()
isupper()
join(sep)
ljust(width, fillchar=" ")
pad(width, side: "left" | "right" | "both" = "left", fillchar=" ")
removeprefix(prefix)
removesuffix(suffix)
replace(pat, repl, n=-1, case: never = None, flags: never = 0, regex: True | False = False)
rfind(sub, start=0, end=None)
rjust(width, fillchar=" ")
rsplit(pat=None, *, n=-1, expand: False = False)
slice(start=None, stop=None, step=None)
split(pat=None, *, n=-1, expand: False = False, regex=None)
swapcase()
zfill(width)
""",
)
declare(
    TEXTS,
    "other",
    """
cat(others=None, sep=None, na_rep=None, **kwargs)
extract(pat, flags: never = 0, expand: True | False = True)
get_dummies(sep="|")
""",
)
