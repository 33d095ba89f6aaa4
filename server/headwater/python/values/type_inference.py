"""Types of columns that the schema leaves open, inferred from use and stated as assumptions.

The function is run again and again: each run sees the types that the last one's uses implied, until nothing changes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import function_name, local_names
from headwater_ir.expr import Col, Expr, IsNull, Not, columns_of
from headwater_ir.native import FUNCTIONS, as_native
from headwater_ir.plan import Schema
from headwater_ir.problem import Column, Fold
from headwater_ir.types import ANY, Type

from .scope import Scope

WORDS = {
    "number": "is numeric and no decimal", "int": "holds whole numbers", "float": "holds floating-point numbers",
    "string": "is a string", "bool": "is boolean", "date": "is a date", "timestamp": "is a timestamp",
    "list": "is an array",
}  # fmt: skip
_ROUNDS = 6


def stated_facts(facts: tuple[Expr, ...], source: Schema) -> tuple[Expr, ...]:
    """``facts``, and that no column of ``source`` is NULL that the schema says is none."""
    present = (Not(IsNull(Col(f.name))) for f in source.fields if not f.nullable)
    return (*facts, *(p for p in present if p not in facts))


def read_function(
    ctx: Context,
    attempt: Callable[[Scope], Fold],
    function: ast.FunctionDef | ast.Lambda | ast.ClassDef | None = None,
    *,
    local: frozenset[str] | None = None,
    names: Names | None = None,
    assume_pure: frozenset[str] = frozenset(),
    facts: tuple[Expr, ...] = (),
    exact_numbers: bool = True,
    label: str = "",
) -> Fold:
    """The fold that ``attempt`` makes of ``function`` (None: of several functions, each entered where it is called),
    under types of columns that its own uses confirm. Refusal where it has none.

    Each attempt has a scope of its own, with the types that the last one's uses implied; the other arguments are the
    scope's. ``local``: the names that the function binds, where ``function`` is a class."""
    names = names or Names.of(ctx)
    if local is None:
        local = frozenset() if function is None or isinstance(function, ast.ClassDef) else local_names(function)
    entered = () if function is None else (function_name(function),)
    assumed_types: dict[str, Type] = {}
    for _ in range(_ROUNDS):
        scope = Scope(
            ctx, names, assume_pure, facts=facts, exact_numbers=exact_numbers, assumed_types=assumed_types,
            local_names=local, inlining=entered, label=label,
        )  # fmt: skip
        refusal: Refusal | None = None
        fold: Fold | None = None
        try:
            fold = attempt(scope)
        except Refusal as error:
            refusal = error
        except RecursionError:
            raise Refusal("time-out", "the function nests too deeply") from None
        learnt = {**assumed_types, **scope.hints}
        if learnt == assumed_types:
            if fold is None:
                assert refusal is not None
                raise refusal
            return fold
        assumed_types = learnt
    raise Refusal("opaque", "the types of the columns do not follow from their use")


def read_type(scope: Scope, source: Schema, name: str) -> Type:
    """The type of the column ``name``, stated or assumed; notes it in the scope."""
    native = as_native(name)
    if native is not None:
        scope.columns[name] = FUNCTIONS[native[0]][1]
        return scope.columns[name]
    field = source.field(name)
    if field is None and source.complete:
        raise Refusal("may-throw", f"there is no column `{name}`")
    if "." in name:
        raise Refusal("opaque", f"`{name}` has a dot in it: to Spark it is a field of a struct")
    t = source.type_of(name)
    t = assumed_type(scope, name) if t == ANY else t
    scope.columns[name] = t
    return t


def assumed_type(scope: Scope, name: str) -> Type:
    """The type of the column ``name``, of which the schema says nothing."""
    t = scope.assumed_types.get(name, ANY)
    if name in scope.assumed_types:
        if t.name not in WORDS:
            raise Refusal("opaque", f"`{name}` would have to be of type {t.name}")
        scope.assume(f"`{name}` {WORDS[t.name]} (schema unknown)", "type")
    return t


def known_columns(
    scope: Scope,
    source: Schema,
    keys: tuple[str, ...],
    read: list[Expr],
    facts: tuple[Expr, ...],
) -> tuple[Column, ...]:
    """The columns of a fold: keys, what it reads, and what the facts speak of, in the schema's order."""
    names = set(keys).union(*(columns_of(e) for e in (*read, *facts)))
    order = [f.name for f in source.fields]
    ranked = sorted(names, key=lambda n: (order.index(n) if n in order else len(order), n))
    for name in ranked:
        if name not in scope.columns:
            known = source.type_of(name)
            scope.columns[name] = known if known != ANY else scope.assumed_types.get(name, ANY)
    return tuple(Column(n, scope.columns[n], n in keys, n in scope.ghosts) for n in ranked)
