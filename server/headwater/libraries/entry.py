"""Entries of the effect tables: what one function, method or attribute does besides computing its result.

One line of a table declares one entry:

    builtins.sorted(iterable, /, *, key=None, reverse=False) -> list[parts]; calls key(parts)
    list.append(object, /) -> none; changes; adds args
    date.year -> int
    random.random() -> refused volatile

The name is the full dotted one of a function, or, in a table of ``methods``, ``kind.method`` of a receiver kind, which
stands for the class: ``list.append`` is ``builtins.list.append``. The parameters are a
declaration for ``headwater.syntax.signatures``: what is not declared refuses. A name without parameters is an
attribute or a constant. The result is made of kinds, of new containers (``list[parts]``), and of

- ``parts``: the elements of all arguments, ``parts_of_parts``: their elements; ``args``: the arguments themselves;
  ``given.x``: the argument ``x``, ``given.keywords``: other keywords; ``self``: the elements of the receiver;
  ``results``: what the called function returns; ``data``: any value of a Spark column, if all arguments are such.

Notes behind ``;``: ``changes`` (the receiver, or the first argument of a function, is changed in place), ``adds …``
(to the elements of that), ``static`` (a method without a receiver), ``calls parameter(…)`` (what is given there is
called with these), ``keywords`` (any keyword is an argument). ``refused`` with an obstruction says that a call does
more than compute: everything that is not listed refuses as well, and is not known to do so. Every entry is measured
against CPython (``tests/tables/test_effects.py``).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from headwater.syntax.signatures import Signature
from headwater_ir.verdict import Obstruction


@dataclass(frozen=True)
class Entry:
    """One line of a table. ``signature`` is None for an attribute or a constant; ``refused`` the obstruction of what
    does more than compute."""

    name: str
    signature: Signature | None
    result: ast.expr
    changes: bool = False
    adds: ast.expr | None = None
    calls: tuple[tuple[str, tuple[ast.expr, ...]], ...] = ()
    keywords: bool = False
    refused: Obstruction | None = None
    receiver: str | None = None
    """The kind that a method or attribute is one of; None for functions and static methods."""
    static: bool = False


CLASSES = {
    **{
        k: f"builtins.{k}"
        for k in "int float complex str bytes bytearray tuple list dict set frozenset range".split()
    },
    **{k: f"datetime.{k}" for k in "date datetime time timedelta timezone".split()},
    **{k: f"collections.{k}" for k in "deque Counter OrderedDict defaultdict".split()},
    "bool": "builtins.int", "Decimal": "decimal.Decimal", "Pattern": "re.Pattern", "Match": "re.Match",
    "Row": "pyspark.sql.Row",
    "view": "collections.abc.MappingView", "hash": "hashlib.HASH", "url": "urllib.parse.ParseResult",
}  # fmt: skip
"""The classes of receivers, by kind."""


def methods(text: str) -> dict[str, Entry]:
    """As ``entries``, of methods and attributes of kinds, by the full names of their classes."""
    found: dict[str, Entry] = {}
    for name, entry in entries(text).items():
        kind, _, method = name.partition(".")
        full = f"{CLASSES[kind]}.{method}"
        found[full] = replace(entry, name=full, receiver=None if entry.static else kind)
    return found


def entries(text: str) -> dict[str, Entry]:
    """The table that ``text`` declares; ValueError for a line that is no declaration or stands twice."""
    found: dict[str, Entry] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        entry = _entry(line)
        if entry.name in found:
            raise ValueError(f"`{entry.name}` is declared twice")
        found[entry.name] = entry
    return found


def _entry(line: str) -> Entry:
    head, arrow, rest = line.partition(" -> ")
    if not arrow:
        raise ValueError(f"no declaration: {line}")
    name, parenthesis, parameters = head.partition("(")
    short = name.rpartition(".")[2]
    signature = Signature.of(f"{short}({parameters}") if parenthesis else None
    result, *notes = (part.strip() for part in rest.split(";"))
    refused = None
    if result.startswith("refused "):
        result, refused = "none", result.removeprefix("refused ")
    adds, calls, flags = None, [], set[str]()
    for note in notes:
        word, _, what = note.partition(" ")
        if word == "adds":
            adds = _expression(what)
        elif word == "calls":
            called = _expression(what)
            if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
                raise ValueError(f"no call: {line}")
            calls.append((called.func.id, tuple(called.args)))
        elif word in ("changes", "keywords", "static") and not what:
            flags.add(word)
        else:
            raise ValueError(f"unknown note: {line}")
    return Entry(
        name, signature, _expression(result), "changes" in flags, adds, tuple(calls), "keywords" in flags,
        refused,  # type: ignore[arg-type]
        static="static" in flags,
    )  # fmt: skip


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
