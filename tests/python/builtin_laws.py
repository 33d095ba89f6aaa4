"""The models of Python's builtins and of functions of its libraries, with the cases that run each beside CPython.

The models register themselves (``python/builtins/dispatch.py``); a case is one of a function that it calls by its full
name, so that nothing here names a model.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import Any
from unittest import mock

from headwater.python.builtins import dispatch
from headwater.python.builtins.named_containers import LastOnly, SortedAppendOnly
from headwater.python.builtins.sorting import Sorting
from headwater.python.exprs.simplify import NONE, choose, is_null, negate, truthy
from headwater.python.interpreter import container_calls
from headwater.python.interpreter.containers_mixin import Structured
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Items, Pattern, Value
from headwater.python.values.structures import BoundedList, OptionalValue, RecordValue, leaves, rebuilt
from headwater.python.values.tallies import Tally
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import TRUE, Arith, Expr, Lit
from headwater_ir.types import INT, STRING

from .all_cases import CASES
from .harness import Case, outcomes

Table = dict[Any, Any]


def tables() -> dict[str, Table]:
    """The registries of methods: of those that read a container, and of what changes one; by what they are called."""
    return {"read": dispatch.methods(), "changed": container_calls.changes()}


def entries() -> list[tuple[str, str]]:
    """All of them: the full name, and what is read, or that it is a method."""
    return sorted([*dispatch.known(), *((name, kind) for kind, table in tables().items() for name in table)])


@cache
def cases() -> dict[str, list[str]]:
    """By full name of a function, the names of the cases that name it."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, case in CASES.items():
        names = Names.of(Context.of(case.text))
        calls = [n for n in ast.walk(ast.parse(case.text)) if isinstance(n, ast.Call)]
        used = [p for n in calls for p in (n.func, *n.args, *(k.value for k in n.keywords))]
        for method in {n.attr for n in used if isinstance(n, ast.Attribute)}:
            found[f".{method}"].append(name)
        for function in {f for n in used if (f := _named(names, n)) is not None}:
            found[function].append(name)
    return found


def _named(names: Names, node: ast.AST) -> str | None:
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    builtin = isinstance(node, ast.Name) and hasattr(builtins, node.id)
    return names.resolve(node) or (f"builtins.{node.id}" if builtin else None)  # type: ignore[union-attr]


def cases_of(entry: tuple[str, str]) -> list[str]:
    """The names of the cases that may call it; of a method, those that call one of this name of any object."""
    name, kind = entry
    return cases()[name] or (cases()[f".{name.rpartition('.')[2]}"] if kind in tables() else [])


def seen(entry: tuple[str, str]) -> bool:
    """Whether another value in place of that of the model is found beside CPython."""
    name, kind = entry
    if kind in tables():
        table = tables()[kind]
        wrong = (_unchanged if kind == "changed" else _misread)(table[name])
        planted = mock.patch.dict(table, {name: wrong})
    else:
        planted = mock.patch.dict(dispatch.known(), {entry: _wrong(dispatch.known()[entry])})  # type: ignore[index]
    with planted:
        return any(_differs(CASES[case]) for case in cases_of(entry))


def _misread(model: dispatch.Method) -> dispatch.Method:
    def wrong(c: dispatch.MethodCall) -> Value | None:
        value = model(c)
        return None if value is None else _other(c.s, value)

    return wrong


def _unchanged(law: container_calls.Change) -> container_calls.Change:
    def wrong(c: container_calls.Changing) -> tuple[Env, Value]:
        return c.env, law(c)[1]

    return wrong


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
    def wrong(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
        value = model(s, node, bound, env)
        return None if value is None else _other(s, value)

    return wrong


def _other(s: Structured, value: Value) -> Value:
    """Another value of the same kind."""
    match value:
        case Rows(sorting=None):
            return Items((), True)
        case Rows(sorting=Sorting(ordering=ordering) as sorting):
            turned = replace(ordering, descending=not ordering.descending)
            return replace(value, sorting=replace(sorting, ordering=turned))
        case SortedAppendOnly(ordering=ordering):
            return replace(value, ordering=replace(ordering, descending=not ordering.descending))
        case AppendOnly():
            return Items((), True, unique=value.of.unique)
        case Tally(history=Items()):
            return replace(value, kind="set" if value.kind == "list" else "dict")
        case Tally():
            return Tally(Items((), True), value.kind)
        case Items(items=()):
            return Items((Lit(1, INT),), value.mutable, unique=value.unique)
        case LastOnly(last=last):
            return replace(value, last=rebuilt(last, iter([_another(s, e) for e in leaves(last)])))
        case Pattern(text=text):
            return Pattern(f"another {text}")
        case OptionalValue():
            return rebuilt(value, iter([choose(is_null(e), TRUE, NONE) for e in leaves(value)]))
        case Items() | RecordValue() | BoundedList():
            return rebuilt(value, iter([_another(s, e) for e in leaves(value)]))
    assert not isinstance(value, AbstractObject), value
    return _another(s, value)


def _another(s: Structured, e: Expr) -> Expr:
    t = s.scope.type(e).name
    if t == "bool":
        return choose(is_null(e), TRUE, negate(truthy(e)))
    return choose(
        is_null(e), Lit(77, INT), Lit("other", STRING) if t == "string" else Arith("+", e, Lit(1, INT), "python")
    )
