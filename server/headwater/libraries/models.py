"""Every modelled function and method under one lookup, and the binding of a call to it.

``entry`` declares what Python's own functions do besides computing, ``registry`` what those of the data libraries
yield. A reader of calls asks here for the arguments, whichever of the two declares the function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound, Parameter, Signature

from . import (  # noqa: F401  (they register their entries)
    arrow_compute,
    arrow_functions,
    arrow_tables,
    pandas_functions,
    pandas_groups,
    python_values,
    registry,
)
from .effects import EFFECTS


def signature_of(name: str) -> Signature | None:
    """The declared parameters of the function or method of this full name; None if no model names it, or if it does
    more than compute."""
    effect = EFFECTS.get(name)
    if effect is not None and effect.signature is not None and effect.refused is None:
        more = (Parameter("keywords", "names", required=False),) if effect.keywords else ()
        return replace(effect.signature, parameters=(*effect.signature.parameters, *more)) if more else effect.signature
    entry = registry.lookup(name)
    return entry.signature if entry is not None and entry.pure else None


def bind(name: str, call: ast.Call, constant: Callable[[ast.expr], object] | None = None) -> Bound:
    """The arguments of a call of the function or method of this full name. Refusal ("opaque") if no model names it, or
    naming the parameter that its model does not cover; ("may-throw") for a call that raises a TypeError."""
    signature = signature_of(name)
    if signature is None:
        raise Refusal("opaque", f"no model covers `{name}`", call)
    return signature.bind(call, constant)


def in_order(name: str, call: ast.Call) -> tuple[ast.expr, ...]:
    """The arguments of a call in the order of the parameters of its model. Refusal as ``bind``, and if one is given
    behind one that is not."""
    signature = signature_of(name)
    return bind(name, call).in_order(signature) if signature is not None else ()


def require_method(call: ast.Call) -> None:
    """Refusal ("opaque") for a method call on one of Python's own values if no class of them has a method of this name
    that takes such arguments."""
    assert isinstance(call.func, ast.Attribute)
    method = call.func.attr
    refusal = Refusal("opaque", f"no model covers the method `{method}`", call)
    for entry in EFFECTS.values():
        if entry.receiver is None or entry.signature is None or entry.signature.name != method:
            continue
        try:
            bind(entry.name, call)
            return
        except Refusal as error:
            refusal = error
    raise refusal
