"""Types of columns that the schema leaves open, inferred from use and stated as assumptions.

The function is run again and again: each run sees the types that the last one's uses implied, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr, columns_of
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


def infer_column_types(
    attempt: Callable[[dict[str, Type], Scope], Fold], make: Callable[[dict[str, Type]], Scope]
) -> Fold:
    """The fold under types of columns that its own uses confirm."""
    assumed_types: dict[str, Type] = {}
    for _ in range(_ROUNDS):
        scope = make(assumed_types)
        refusal: Refusal | None = None
        fold: Fold | None = None
        try:
            fold = attempt(assumed_types, scope)
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
    raise Refusal("opaque", "the types of the columns cannot be told from their use")


def read_type(scope: Scope, source: Schema, name: str, assumed_types: dict[str, Type]) -> Type:
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
    t = assumed_type(scope, name, assumed_types) if t == ANY else t
    scope.columns[name] = t
    return t


def assumed_type(scope: Scope, name: str, assumed_types: dict[str, Type]) -> Type:
    """The type of the column ``name``, of which the schema says nothing."""
    t = assumed_types.get(name, ANY)
    if name in assumed_types:
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
    assumed_types: dict[str, Type],
) -> tuple[Column, ...]:
    """The columns of a fold: keys, what it reads, and what the facts speak of, in the schema's order."""
    names = set(keys).union(*(columns_of(e) for e in (*read, *facts)))
    order = [f.name for f in source.fields]
    ranked = sorted(names, key=lambda n: (order.index(n) if n in order else len(order), n))
    for name in ranked:
        if name not in scope.columns:
            known = source.type_of(name)
            scope.columns[name] = known if known != ANY else assumed_types.get(name, ANY)
    return tuple(Column(n, scope.columns[n], n in keys, n in scope.ghosts) for n in ranked)
