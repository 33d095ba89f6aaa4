"""Declared signatures of modelled functions and methods, and the one binder of calls to them.

A declaration is the head of a Python function that names the parameters which the model covers, in the order and of the
kind that the real function has. An annotation lists the only values that are covered:

    drop_duplicates(subset=None, *, keep: "first" | "last" = "first")

A call is understood only if every argument of it binds to a declared parameter. ``*args``, ``**kwargs``, another
parameter, or a value outside the listed ones is refused, and the refusal names the parameter. A parameter that is
annotated with ``never`` keeps its place in the order and may not be given. ``**columns`` stands for arguments by any
other name. A caller that reads only some of the declared parameters says so with ``Bound.only``.
``tests/syntax/test_signatures.py`` holds declarations against the signatures of the installed libraries.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from headwater.syntax.refusal import Refusal

Kind = Literal["positional", "either", "keyword", "star", "names"]
"""How a parameter may be given: by place only, by place or name, by name only, any number of times by place, or any
number of times by other names."""


class NotConstant(Exception):
    """The value of an argument is not known."""


@dataclass(frozen=True)
class Parameter:
    """One parameter. ``values``: the only ones that are covered; None for any, ``()`` for a parameter that may not be
    given."""

    name: str
    kind: Kind
    required: bool
    values: tuple[object, ...] | None = None


@dataclass(frozen=True)
class Bound:
    """The arguments of one call of ``name`` by parameter; ``rest``: those of a ``*`` parameter, ``named``: those of a
    ``**`` parameter. Absent parameters are absent."""

    name: str
    arguments: Mapping[str, ast.expr]
    rest: tuple[ast.expr, ...] = ()
    named: Mapping[str, ast.expr] = field(default_factory=dict)

    def get(self, name: str) -> ast.expr | None:
        """The argument of the parameter ``name``; None if it is not given."""
        return self.arguments.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self.arguments

    def only(self, *read: str) -> Bound:
        """These arguments, if the caller reads all of them: the parameters ``read``, ``*`` for those by place and
        ``**`` for those by other names. Refusal ("opaque") names the first that it does not read."""
        for name, argument in (*self.arguments.items(), *self.named.items()):
            if name not in read and not (name in self.named and "**" in read):
                raise _not_covered(self.name, f"the parameter `{name}` here", argument)
        if self.rest and "*" not in read:
            raise _not_covered(self.name, "further arguments here", self.rest[0])
        return self

    def in_order(self, signature: Signature) -> tuple[ast.expr, ...]:
        """The arguments in the order of the parameters. Refusal ("opaque") if one is given behind one that is not, or
        by another name."""
        names = [p.name for p in signature.parameters]
        for name, argument in self.arguments.items():
            if any(before not in self.arguments for before in names[: names.index(name)]):
                raise _not_covered(self.name, f"the parameter `{name}` without those before it", argument)
        for name, argument in self.named.items():
            raise _not_covered(self.name, f"the parameter `{name}` here", argument)
        return (*(self.arguments[n] for n in names if n in self.arguments), *self.rest)


@dataclass(frozen=True)
class Signature:
    """The declared parameters of one function or method, without the receiver."""

    name: str
    parameters: tuple[Parameter, ...]

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(declaration: str) -> Signature:
        """Read ``name(parameter, …)``. SyntaxError or ValueError for what is no declaration: a fault of the table."""
        function = ast.parse(f"def {declaration}: ...").body[0]
        assert isinstance(function, ast.FunctionDef)
        a = function.args
        by_place = [*((p, "positional") for p in a.posonlyargs), *((p, "either") for p in a.args)]
        required = len(by_place) - len(a.defaults)
        found = [_parameter(p, kind, i < required) for i, (p, kind) in enumerate(by_place)]  # type: ignore[arg-type]
        if a.vararg is not None:
            found.append(_parameter(a.vararg, "star", False))
        found += [_parameter(p, "keyword", d is None) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
        if a.kwarg is not None:
            found.append(_parameter(a.kwarg, "names", False))
        return Signature(function.name, tuple(found))

    def bind(self, call: ast.Call, constant: Callable[[ast.expr], object] | None = None) -> Bound:
        """The arguments of ``call`` by parameter. Refusal ("opaque") names the parameter that is not covered, or whose
        value is not; ("may-throw") what Python would raise a TypeError for.

        ``constant`` yields the value of an argument that is known, and raises ``NotConstant`` otherwise; by default
        only literals are known.
        """
        arguments: dict[str, ast.expr] = {}
        rest: list[ast.expr] = []
        named: dict[str, ast.expr] = {}
        places, by_name, star, names = self._read
        for i, argument in enumerate(call.args):
            if isinstance(argument, ast.Starred):
                raise self._refusal("`*` in the call", argument)
            if i < len(places):
                arguments[places[i].name] = argument
            elif star:
                rest.append(argument)
            else:
                raise self._refusal(f"argument {i + 1}", argument)
        for keyword in call.keywords:
            if keyword.arg is None:
                raise self._refusal("`**` in the call", keyword.value)
            if keyword.arg not in by_name and names:
                named[keyword.arg] = keyword.value
                continue
            if keyword.arg not in by_name:
                raise self._refusal(f"the parameter `{keyword.arg}`", keyword.value)
            if keyword.arg in arguments:
                raise Refusal("may-throw", f"`{self.name}` is given `{keyword.arg}` twice", call)
            arguments[keyword.arg] = keyword.value
        for p in self.parameters:
            if p.required and p.name not in arguments:
                raise Refusal("may-throw", f"`{self.name}` is called without `{p.name}`", call)
            self._check(p, arguments.get(p.name), constant or literal)
        return Bound(self.name, arguments, tuple(rest), named)

    @cached_property
    def _read(self) -> tuple[list[Parameter], dict[str, Parameter], bool, bool]:
        """The parameters by place, those by name, and whether there are ones by ``*`` and ``**``."""
        kinds = {p.kind for p in self.parameters}
        places = [p for p in self.parameters if p.kind in ("positional", "either")]
        by_name = {p.name: p for p in self.parameters if p.kind in ("either", "keyword")}
        return places, by_name, "star" in kinds, "names" in kinds

    def _check(self, p: Parameter, given: ast.expr | None, constant: Callable[[ast.expr], object]) -> None:
        if given is None or p.values is None:
            return
        try:
            value = constant(given)
        except NotConstant:
            raise self._refusal(f"a `{p.name}` that is not known", given) from None
        if not any(type(v) is type(value) and v == value for v in p.values):
            raise self._refusal(f"`{p.name}={value!r}`" if p.values else f"the parameter `{p.name}`", given)

    def _refusal(self, what: str, node: ast.expr) -> Refusal:
        return _not_covered(self.name, what, node)


def _not_covered(name: str, what: str, node: ast.expr) -> Refusal:
    return Refusal("opaque", f"the model of `{name}` does not cover {what}", node)


def by_place(name: str, call: ast.Call) -> tuple[ast.expr, ...]:
    """The arguments of a call of a function that is only called by place; Refusal ("opaque") for any other."""
    return Signature(name, (Parameter("arguments", "star", required=False),)).bind(call).rest


def literal(node: ast.expr) -> object:
    """The value of a constant that is written out; NotConstant for anything else."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise NotConstant from None


def _parameter(p: ast.arg, kind: Kind, required: bool) -> Parameter:
    return Parameter(p.arg, kind, required, None if p.annotation is None else tuple(_values(p.annotation)))


def _values(annotation: ast.expr) -> list[object]:
    if isinstance(annotation, ast.Name) and annotation.id == "never":
        return []
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return [*_values(annotation.left), *_values(annotation.right)]
    return [ast.literal_eval(annotation)]
