"""Arguments for real functions: the parameters are those of the installed library, each drawn from its domain as
source text."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from .program import Draw

Domain = Sequence[str]
OPTIONAL = 0.12
"""How often a parameter with a default is given, beside the one that a call is about."""
ABOUT_ONE = 0.85


@cache
def parameters(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    """Those of ``function`` without its receiver; none if it has no signature."""
    try:
        found = tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()
    return found[1:] if found and found[0].name in ("self", "cls") else found


def arguments(
    draw: Draw, function: Callable[..., Any], domains: Mapping[str, Domain], own: Mapping[str, Domain]
) -> str | None:
    """Source text of the arguments of a call; None if a required parameter has no domain. ``own``: domains of this
    function."""
    given: list[str] = []
    by_name = False
    optional = [p.name for p in parameters(function) if p.default is not p.empty and p.name in {**domains, **own}]
    about = draw.one(optional) if optional and draw.chance(ABOUT_ONE) else None
    for p in parameters(function):
        domain = own.get(p.name, domains.get(p.name))
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        required = p.default is p.empty
        if domain is None:
            if required:
                return None
            by_name = True
        elif required or p.name == about or draw.chance(OPTIONAL):
            named = by_name or p.kind == p.KEYWORD_ONLY or draw.chance(0.5)
            by_name |= named
            given.append(f"{p.name}={draw.one(domain)}" if named and p.kind != p.POSITIONAL_ONLY else draw.one(domain))
        else:
            by_name = True
    return ", ".join(given)


def undrawn(functions: Mapping[str, Callable[..., Any]], domains: Mapping[str, Domain]) -> set[str]:
    """Names of parameters that no domain covers: what the generator never gives."""
    return {
        p.name for f in functions.values() for p in parameters(f) if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    } - set(domains)
