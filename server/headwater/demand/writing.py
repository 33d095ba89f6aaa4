"""Edits of a call that hands rows to the driver, and names for the variables that they add."""

from __future__ import annotations

import ast
import keyword
import re
from itertools import chain, count

from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import import_behind, import_functions
from headwater.rewrite.python_text import prevailing_quote, string_literal
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.rewrite.tokens import CannotEdit
from headwater_ir.demand import BY_ROW, Wall
from headwater_ir.span import Span

_MEMO = "_names_in"
_BLANK = r"(?:\s|\\\r?\n)*"
"""What may stand between the parts of an expression: a line that goes on ends in a backslash."""


def method_span(wall: Wall, source: str) -> Span | None:
    """The name of the wall's method with its parentheses, or ``rdd.map`` where it has an argument; None if there is
    more between the frame and its end."""
    text = source[wall.receiver.end : wall.call.end]
    if wall.operator in BY_ROW:
        named = re.match(rf"{_BLANK}\.\s*(rdd\s*\.\s*{wall.operator})\s*\(", text)
        return named and Span(wall.receiver.end + named.start(1), wall.receiver.end + named.end(1))
    of = r"(?:rdd\s*\.\s*)?" if wall.rdd else ""
    found = re.fullmatch(rf"{_BLANK}\.\s*{of}({wall.operator}\s*\(\s*\))", text)
    return None if found is None else Span(wall.receiver.end + found.start(1), wall.call.end)


def in_front(wall: Wall, source: str, method: str) -> Edit | None:
    """``method``, a call such as ``limit(5)``, in front of the wall's own, on a line of its own where that is."""
    own = method_span(wall, source)
    if own is None:
        return None
    between = source[wall.receiver.end : own.start]
    blank = between[: between.index(".")]
    at = wall.receiver.end
    return Edit(Span(at, at), f"{blank}.{method}")


def imports(speller: ColumnSpeller, text: Text, at: int) -> list[Edit]:
    """The import that what ``speller`` has spelled needs, if any; ``CannotEdit`` unless all other names that it relies
    on are there at ``at``."""
    for name in sorted(speller.names):
        if not (speller.needs_import and name == speller.alias) and not text.bindings.bound_at(name, at):
            raise CannotEdit(f"`{name}` is not imported yet at that place")
    if not speller.needs_import:
        return []
    if not text.bindings.free(speller.alias):
        raise CannotEdit("no free name for pyspark.sql.functions")
    return [import_of_functions(text, speller.alias, at)]


def import_of_functions(text: Text, alias: str, at: int) -> Edit:
    """The import of Spark's functions as ``alias`` for what stands at ``at``: at the head of the file, or behind the
    place where Python is started again, after which the head's imports are gone. ``CannotEdit`` if there is none."""
    again = text.source.rfind("restartPython")
    return import_functions(text.source, alias) if again < 0 else import_behind(text.source, alias, again, at)


def column_list(names: tuple[str, ...], source: str) -> str:
    """The arguments of ``select`` for columns of these names, in the quotes of ``source``."""
    quote = prevailing_quote(source)
    return ", ".join(string_literal(n if _is_plain(n) else f"`{n.replace('`', '``')}`", quote) for n in names)


def _is_plain(name: str) -> bool:
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


def names_in(tree: ast.stmt) -> frozenset[str]:
    """All names that something in ``tree`` is called by: collected once, for it does not change once it is read."""
    known = getattr(tree, _MEMO, None)
    if isinstance(known, frozenset):
        return known
    found = {getattr(n, f, None) for n in ast.walk(tree) for f in ("id", "arg", "name", "asname", "attr")}
    found |= {name for n in ast.walk(tree) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
    found |= {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}  # variables are looked up by texts
    known = frozenset(name for name in found if isinstance(name, str))
    setattr(tree, _MEMO, known)
    return known


def free_name(wanted: str, frame: str, taken: set[str], *, shared: bool) -> str:
    """A name that is not ``taken``: ``wanted``, or the frame's ``wanted``. ``shared``: one that is like no other, for
    code that is not here may use the usual ones."""
    of = frame.rpartition(".")[2].lstrip("_")
    own = f"{of}_{wanted}" if of else wanted
    wanted, own = (f"{own}_asked_at_once",) * 2 if shared else (wanted, own)
    return next(n for n in chain((wanted, own), (f"{own}_{i}" for i in count(2))) if n not in taken)
