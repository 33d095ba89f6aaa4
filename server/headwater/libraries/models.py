"""The binding of a call to the signature of the function or method that it calls."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound, Parameter, Signature

from .registry import EFFECTS, entries


def signature_of(name: str) -> Signature | None:
    """The declared parameters of the function or method of this full name; None if no model names it, or if it does
    more than compute."""
    entry = entries().get(name)
    if entry is None or entry.signature is None or entry.refused is not None:
        return None
    more = (Parameter("keywords", "names", required=False),) if entry.keywords else ()
    return replace(entry.signature, parameters=(*entry.signature.parameters, *more)) if more else entry.signature


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
