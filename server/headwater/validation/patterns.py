"""Patterns of ``match``."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .library import PLAIN
from .limits import NotEvaluated
from .operators import compare
from .program import Chain
from .values import Instance, UserClass
from .variables import Frame, Scope

if TYPE_CHECKING:
    from .statements import Statements

Fits = Callable[[Frame, Any], bool]
_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Types whose one positional sub-pattern is for the value itself."""


def pattern(node: ast.pattern, run: Statements, scope: Scope | None, chain: Chain) -> Fits:
    """Whether a value fits, with what it binds."""

    def part(p: ast.pattern) -> Fits:
        return pattern(p, run, scope, chain)

    match node:
        case ast.MatchValue(value=value):
            code, equal = run.expression(value, scope, chain), compare(ast.Eq(), run.meter)
            return lambda frame, given: bool(equal(given, code(frame)))
        case ast.MatchSingleton(value=constant):
            return lambda frame, given: given is constant
        case ast.MatchOr(patterns=patterns):
            parts = [part(p) for p in patterns]
            return lambda frame, given: any(fits(frame, given) for fits in parts)
        case ast.MatchAs(pattern=inner, name=name):
            fits = part(inner) if inner is not None else None
            store = run.target(ast.Name(name, ast.Store()), scope, chain) if name is not None else None

            def bound(frame: Frame, given: Any) -> bool:
                if fits is not None and not fits(frame, given):
                    return False
                if store is not None:
                    store(frame, given)
                return True

            return bound
        case ast.MatchSequence(patterns=patterns):
            return _sequence(patterns, part, run, scope, chain)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=None):
            pairs = [(run.expression(k, scope, chain), part(p)) for k, p in zip(keys, patterns, strict=True)]

            def mapped(frame: Frame, given: Any) -> bool:
                return isinstance(given, dict) and all(
                    (key := code(frame)) in given and fits(frame, given[key]) for code, fits in pairs
                )

            return mapped
        case ast.MatchClass(cls=cls, patterns=patterns, kwd_attrs=names, kwd_patterns=named):
            kind, inside = run.expression(cls, scope, chain), [part(p) for p in patterns]
            of_names = [*zip(names, map(part, named), strict=True)]

            def classed(frame: Frame, given: Any) -> bool:
                of = kind(frame)
                if isinstance(of, UserClass):
                    return _of_class(frame, given, of, inside, of_names)
                if not isinstance(of, type) or of_names or len(inside) > 1 or (inside and of not in _ITSELF):
                    raise NotEvaluated("a pattern of a class")
                return isinstance(given, of) and all(fits(frame, given) for fits in inside)

            return classed

    def refuse(frame: Frame, given: Any) -> bool:
        raise NotEvaluated(f"a {type(node).__name__} pattern")

    return refuse


def _of_class(frame: Frame, given: Any, of: UserClass, places: list[Fits], named: list[tuple[str, Fits]]) -> bool:
    """Whether ``given`` is an object of the class whose attributes fit."""
    if not isinstance(given, (Instance, *PLAIN)):
        raise NotEvaluated("a pattern of a class")
    if not isinstance(given, Instance) or not given.kind.is_a(of):
        return False
    if places and (of.fields is None or len(places) > len(of.fields)):
        raise NotEvaluated("a pattern by place of a class that does not name its attributes")
    attributes = [*zip(of.fields or (), places, strict=False), *named]
    return all(n in given.names and fits(frame, given.names[n]) for n, fits in attributes)


def _sequence(
    patterns: list[ast.pattern], part: Callable[[ast.pattern], Fits], run: Statements, scope: Scope | None, chain: Chain
) -> Fits:
    star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
    starred = patterns[star] if star is not None else None
    name = starred.name if isinstance(starred, ast.MatchStar) else None
    store = run.target(ast.Name(name, ast.Store()), scope, chain) if name is not None else None
    before = [part(p) for p in patterns[:star]]
    after = [part(p) for p in patterns[star + 1 :]] if star is not None else []

    def fits(frame: Frame, given: Any) -> bool:
        if not isinstance(given, (list, tuple, range, deque)):
            return False
        values, least = list(given), len(before) + len(after)
        if len(values) < least or (star is None and len(values) > least):
            return False
        end = len(values) - len(after)
        parts = zip((*before, *after), (*values[: len(before)], *values[end:]), strict=True)
        if not all(fit(frame, v) for fit, v in parts):
            return False
        if store is not None:
            store(frame, values[len(before) : end])
        return True

    return fits
