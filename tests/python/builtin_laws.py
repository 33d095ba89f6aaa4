"""The models of Python's builtins and of functions of its libraries, with the cases that run each beside CPython.

The models register themselves (``python/builtins/dispatch.py``); a case is one of a function that it calls by its full
name, so that nothing here names a model.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from unittest import mock

from headwater.python.builtins import dispatch
from headwater.python.builtins.named_containers import SortedAppendOnly
from headwater.python.exprs.simplify import NONE, choose, is_boolean, is_null, negate
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.structures import BoundedList, RecordValue, leaves, rebuilt
from headwater.python.values.tallies import Tally
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, Arith, Expr, Lit
from headwater_ir.types import BOOL, INT

from .all_cases import CASES
from .harness import Case, outcomes

Entry = tuple[str, bool]
"""The full name of a function, and whether it is its model for scalars."""


def entries() -> list[Entry]:
    """All of them."""
    return sorted(dispatch.known())


@cache
def cases() -> dict[str, list[str]]:
    """By full name of a function, the names of the cases that name it."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, case in CASES.items():
        names = Names.of(Context.of(case.text))
        calls = (n for n in ast.walk(ast.parse(case.text)) if isinstance(n, ast.Call))
        used = (p for n in calls for p in (n.func, *n.args, *(k.value for k in n.keywords)))
        for function in {_named(names, n) for n in used} - {None}:
            found[function].append(name)
    return found


def _named(names: Names, node: ast.AST) -> str | None:
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    builtin = isinstance(node, ast.Name) and hasattr(builtins, node.id)
    return names.resolve(node) or (f"builtins.{node.id}" if builtin else None)  # type: ignore[union-attr]


@cache
def reached() -> dict[Entry, list[str]]:
    """By model, the names of the cases in which it gives a value."""
    found: dict[Entry, list[str]] = defaultdict(list)
    for entry in entries():
        model = dispatch.known()[entry]
        for name in cases()[entry[0]]:
            hits: list[Value] = []

            def noting(*given: object, hits: list[Value] = hits, model: dispatch.Model = model) -> Value | None:
                value = model(*given)  # type: ignore[arg-type]
                if value is not None:
                    hits.append(value)
                return value

            with mock.patch.dict(dispatch.known(), {entry: noting}):
                _fold(CASES[name])
            if hits:
                found[entry].append(name)
    return found


def _fold(case: Case) -> None:
    Case.fold.__wrapped__(case)  # type: ignore[attr-defined] # made anew


def seen(entry: Entry) -> bool:
    """Whether another value in place of that of the model is found beside CPython."""
    model = dispatch.known()[entry]
    with mock.patch.dict(dispatch.known(), {entry: _wrong(model)}):
        return any(_differs(CASES[name]) for name in cases()[entry[0]])


def _differs(case: Case) -> bool:
    Case.fold.cache_clear()
    try:
        outcomes(case)
    except AssertionError:
        return True
    except Refusal:
        return False
    finally:
        Case.fold.cache_clear()
    return False


def _wrong(model: dispatch.Model) -> dispatch.Model:
    def wrong(*given: object) -> Value | None:
        value = model(*given)  # type: ignore[arg-type]
        return None if value is None else other(value)

    return wrong


def other(value: Value) -> Value:
    """Another value of the same kind."""
    match value:
        case Rows():
            return replace(value, mask=FALSE)
        case AppendOnly() | Tally():
            return value
        case Items() | RecordValue() | BoundedList():
            return rebuilt(value, iter([_another(e) for e in leaves(value)]))
        case SortedAppendOnly(ordering=ordering):
            return replace(value, ordering=replace(ordering, descending=not ordering.descending))
    assert not isinstance(value, AbstractObject), value
    return _another(value)


def _another(e: Expr) -> Expr:
    return negate(e) if is_boolean(e) else choose(is_null(e), Lit(77, INT), Arith("+", e, Lit(1, INT), "python"))


