"""What single values are made of and yield, for ``frame_values``: columns, lists, literals."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from headwater.libraries.entry import Columns, Constants, Entry
from headwater.syntax.signatures import NotConstant

from .lattice import (
    OTHER,
    PLAIN,
    Array,
    Column,
    Constant,
    Entries,
    KeyFacts,
    KeyValue,
    Numbers,
    Other,
    Own,
    Parts,
    Ref,
    is_plain,
)


def is_rows(spelled: ast.expr, index: KeyValue) -> bool:
    """Whether an index of ``loc`` or ``iloc`` selects rows, and yields a frame."""
    if isinstance(spelled, (ast.Slice, ast.List)) or isinstance(index, Column):
        return True
    return isinstance(index, Constant) and isinstance(index.value, list)


def elementwise(values: list[KeyValue]) -> KeyValue:
    """What an operator makes of columns and plain values. A key is not what is computed of it. Beside a column, a list
    has to be of its length."""
    columns = [v for v in values if isinstance(v, Column)]
    if columns and all(isinstance(v, Column) or is_plain(v) or v == ELEMENT for v in values):
        rows = {c.rows for c in columns}
        return Column(rows.pop() if len(rows) == 1 else None)
    if values and all(is_plain(v) or v == ELEMENT for v in values):
        return PLAIN if all(map(is_plain, values)) else ELEMENT
    return OTHER


ELEMENT = Other(frozenset(("python.value",)))
"""What an element of a column may be, or an operator makes of such: a plain value, a list or a dict."""
_OF_ELEMENTS = frozenset({"max", "min", "sum", "prod", "any", "all"})
"""Reductions that may yield what an element is: of a column of arrays a list, of one of structs a dict."""


def column_method(owner: Column, entry: Entry, given: list[KeyValue]) -> KeyValue:
    """What a method of a column yields that ``entry`` covers, of arguments of which lambdas are left out."""
    match entry.yields:
        case "plain" if entry.method in _OF_ELEMENTS:
            return ELEMENT
        case "plain":
            return PLAIN
        case "same rows":
            return owner
        case "per row" if all(is_plain(v) or isinstance(v, Constant) for v in given):
            return Column(owner.rows)
        case "values":
            return Array(owner.key) if entry.returns - {"pandas.Series"} else Column(None, owner.key)
    return Other(entry.returns)


def kinds_of(owner: KeyValue) -> frozenset[str]:
    """The kinds of objects that ``owner`` may be of, by the names of ``libraries.entry``; empty for any."""
    match owner:
        case Ref():
            return frozenset(("pandas.DataFrame",))
        case Column(accessor=accessor):
            return frozenset((f"pandas.Series{accessor}",))
        case Other(kinds=kinds):
            return kinds
    return frozenset(("python.value",)) if is_plain(owner) and isinstance(owner, Constant) else frozenset()


def appended(owner: Parts, row: KeyValue) -> KeyValue:
    """A list that rows of one form are appended to."""
    return Parts((row,), repeated=True) if all(part == row for part in owner.parts) else Own()


def as_parts(value: KeyValue) -> tuple[KeyValue, ...] | None:
    """The parts of a tuple or list of constants."""
    if isinstance(value, Constant) and isinstance(value.value, (tuple, list)):
        return tuple(Constant(v) for v in value.value)
    return None


def constants_in(given: Mapping[str, KeyValue]) -> Constants:
    """The arguments of a method by parameter, as far as they are constants; of a dict, the keys are."""

    def constant(name: str) -> object:
        match given.get(name):
            case None:
                return None
            case Constant(value=value):
                return value
            case Entries(entries=entries):
                return {n: v.value if isinstance(v, Constant) else NotConstant for n, v in entries}
        raise NotConstant

    return constant


def kept(held: KeyFacts, columns: Columns, numbers: Numbers) -> KeyFacts:
    """What is known of a frame of which ``columns`` are kept."""
    if columns.rows != "same":
        held = replace(held, rows=numbers.fresh(), some=held.some and columns.rows != "any")
    if not columns.positions:
        held = replace(held, keys=tuple(p for p in held.keys if isinstance(p[0], str)))
    found = (held if columns.only is None else held.only(columns.only)).without(*columns.gone)
    if not columns.renamed:
        return found
    new, taken = columns.renamed, set(columns.renamed.values())
    pairs = [(new.get(str(c), c), k) for c, k in found.keys if str(c) in new or c not in taken]
    return replace(found, keys=tuple(pair for pair in pairs if sum(p[0] == pair[0] for p in pairs) == 1))


def other(values: list[KeyValue]) -> KeyValue:
    """Something of which nothing is known, whatever it is made of."""
    return OTHER


def literal(node: ast.expr) -> Constant | None:
    """The value of a literal of constants."""
    if isinstance(node, ast.Constant):
        return Constant(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return PLAIN_NUMBER
    if isinstance(node, (ast.List, ast.Tuple)) and all(isinstance(e, ast.Constant) for e in node.elts):
        values = [e.value for e in node.elts if isinstance(e, ast.Constant)]
        return Constant(values if isinstance(node, ast.List) else tuple(values))
    return None


PLAIN_NUMBER = Constant(-1)
"""Some negative number."""
