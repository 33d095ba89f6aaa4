"""Expressions of Python, each compiled once into a function of the frame that it is evaluated in.

Nothing is handed to ``eval`` or ``exec``: what a node does is written out here, on values that come from the sample,
from literals and from the closed table of ``library``.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import installed
from .frames import Vectorised, Whole
from .library import (
    BY_OBJECT,
    CALLABLE,
    PLAIN,
    TABLE,
    Callee,
    Known,
    Library,
    Proxy,
    guard_of_method,
    is_plain,
    small_decimal,
)
from .limits import NESTED, Meter, NotEvaluated
from .operators import UNARY, binary, check_format, compare
from .program import Chain
from .values import Parents, Row
from .variables import Code, Frame, Scope

if TYPE_CHECKING:
    from .world import World


class Expressions:
    """Compiles expressions."""

    def __init__(self, world: World, meter: Meter) -> None:
        self.world, self.meter = world, meter

    def expression(self, node: ast.expr, scope: Scope | None, chain: Chain) -> Code:
        """The code of ``node``; NotEvaluated, when it runs, for what the evaluator does not model."""
        compile_ = getattr(self, f"_{type(node).__name__.lower()}", None)
        if compile_ is None:
            return self.refused(f"a {type(node).__name__}")
        code: Code = compile_(node, scope, chain)
        return code

    def refused(self, what: str) -> Code:
        """Code that is not evaluated."""

        def refuse(_: Frame) -> Any:
            raise NotEvaluated(what)

        return refuse

    # --- names

    def _name(self, node: ast.Name, scope: Scope | None, chain: Chain) -> Code:
        name, hops, at = node.id, 0, scope
        while at is not None and name not in at.bound:
            hops, at = hops + 1, at.outer
        if at is None:
            lookup = self.world.lookup
            return lambda frame: lookup(name, chain)

        def load(frame: Frame) -> Any:
            here: Frame = frame
            for _ in range(hops):
                assert here.outer is not None
                here = here.outer
            try:
                return here.names[name]
            except KeyError:
                raise UnboundLocalError(name) from None

        return load

    def _constant(self, node: ast.Constant, scope: Scope | None, chain: Chain) -> Code:
        value = node.value
        if not isinstance(value, (int, float, str, bool, type(None))):
            return self.refused("a constant that is no number or text")
        self.meter.checked(value)
        return lambda frame: value

    def _namedexpr(self, node: ast.NamedExpr, scope: Scope | None, chain: Chain) -> Code:
        value = self.expression(node.value, scope, chain)
        name, hops, at = node.target.id, 0, scope
        while at is not None and not at.own:
            hops, at = hops + 1, at.outer
        if at is None:
            return self.refused("an assignment expression outside of a function")

        def store(frame: Frame) -> Any:
            here = frame
            for _ in range(hops):
                assert here.outer is not None
                here = here.outer
            here.names[name] = made = value(frame)
            return made

        return store

    # --- operators

    def _binop(self, node: ast.BinOp, scope: Scope | None, chain: Chain) -> Code:
        left, right = self.expression(node.left, scope, chain), self.expression(node.right, scope, chain)
        if isinstance(node.op, ast.MatMult):
            return self.refused("a matrix product")
        apply = binary(node.op, self.meter)
        return lambda frame: apply(left(frame), right(frame))

    def _unaryop(self, node: ast.UnaryOp, scope: Scope | None, chain: Chain) -> Code:
        operand, apply = self.expression(node.operand, scope, chain), UNARY[type(node.op)]
        return lambda frame: apply(operand(frame))

    def _boolop(self, node: ast.BoolOp, scope: Scope | None, chain: Chain) -> Code:
        *first, last = [self.expression(v, scope, chain) for v in node.values]
        stops = not isinstance(node.op, ast.And)

        def run(frame: Frame) -> Any:
            for part in first:
                value = part(frame)
                if bool(value) is stops:
                    return value
            return last(frame)

        return run

    def _compare(self, node: ast.Compare, scope: Scope | None, chain: Chain) -> Code:
        first = self.expression(node.left, scope, chain)
        rest = [
            (compare(op, self.meter), self.expression(c, scope, chain))
            for op, c in zip(node.ops, node.comparators, strict=True)
        ]
        if len(rest) == 1:
            (op, second) = rest[0]
            return lambda frame: op(first(frame), second(frame))

        def run(frame: Frame) -> Any:
            left, result = first(frame), True
            for op, code in rest:
                right = code(frame)
                result = op(left, right)
                if not result:
                    return result
                left = right
            return result

        return run

    def _ifexp(self, node: ast.IfExp, scope: Scope | None, chain: Chain) -> Code:
        test, then, other = (self.expression(e, scope, chain) for e in (node.test, node.body, node.orelse))
        return lambda frame: then(frame) if test(frame) else other(frame)

    # --- attributes, items, calls

    def _attribute(self, node: ast.Attribute, scope: Scope | None, chain: Chain) -> Code:
        value, name = self.expression(node.value, scope, chain), node.attr
        return lambda frame: self.attribute(value(frame), name)

    def attribute(self, value: Any, name: str) -> Any:
        """``value.name``."""
        if isinstance(value, Proxy):
            return value.attribute(name)
        if installed.HEAVY and installed.reaches(value):
            self.meter.charge(installed.COST // 2)
            return installed.attribute(value, name, lambda known: Library(known, self.meter))
        kind = value if isinstance(value, type) else type(value)
        try:
            guard = guard_of_method(kind, name)
        except KeyError:
            full = f"itertools.chain.{name}"
            if id(value) in BY_OBJECT and full in TABLE and BY_OBJECT[id(value)].full_name == "itertools.chain":
                return TABLE[full].function
            if isinstance(value, tuple) and name in getattr(kind, "_fields", ()):
                return getattr(value, name)  # a row of the installed pandas
            if isinstance(value, Exception) and name == "args":
                return value.args
            if isinstance(value, PLAIN) and not hasattr(value, name):
                raise AttributeError(name) from None
            raise NotEvaluated(f"`.{name}` of a {kind.__name__}") from None
        found = getattr(value, name)
        if isinstance(found, (*PLAIN, type)):
            return found
        bound = guard if guard is None or value is kind else lambda *args, **named: guard(value, *args, **named)
        if name in _COMPARING:
            self.meter.weigh(value)
        return Library(Known(f"{kind.__name__}.{name}", found, bound), self.meter)

    def _subscript(self, node: ast.Subscript, scope: Scope | None, chain: Chain) -> Code:
        value, key = self.expression(node.value, scope, chain), self.expression(node.slice, scope, chain)
        return lambda frame: self.item(value(frame), key(frame))

    def item(self, value: Any, key: Any) -> Any:
        """``value[key]``."""
        if isinstance(value, Proxy):
            return value.item(key)
        if installed.HEAVY and installed.kind_of(value):
            self.meter.charge(installed.COST)
            installed.check_item(value, key)
            return self.meter.checked(operator.getitem(value, key))
        if isinstance(value, (type, Callee)):
            raise NotEvaluated("an item of a type")
        return operator.getitem(value, self.key(key))

    def key(self, value: Any) -> Any:
        """``value``, each element of which that its hash visits is a step."""
        if isinstance(value, NESTED):
            self.meter.weigh(value)
        return value

    def _slice(self, node: ast.Slice, scope: Scope | None, chain: Chain) -> Code:
        parts = [
            self.expression(p, scope, chain) if p is not None else None for p in (node.lower, node.upper, node.step)
        ]
        return lambda frame: slice(*[p(frame) if p is not None else None for p in parts])

    def _call(self, node: ast.Call, scope: Scope | None, chain: Chain) -> Code:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and not node.keywords:
            return self._super(scope)
        function = self.expression(node.func, scope, chain)
        arguments = [self._argument(a, scope, chain) for a in node.args]
        named = [(k.arg, self.expression(k.value, scope, chain)) for k in node.keywords]
        call = self.call
        if not named and all(not star for star, _ in arguments):
            plain = [code for _, code in arguments]
            return lambda frame: call(function(frame), [code(frame) for code in plain], {})

        def run(frame: Frame) -> Any:
            callee, args, given = function(frame), list[Any](), dict[str, Any]()
            for star, code in arguments:
                if star:
                    args.extend(self.iterate(code(frame)))
                else:
                    args.append(code(frame))
            for name, code in named:
                value = code(frame)
                more = {name: value} if name is not None else value
                if not isinstance(more, dict) or not all(isinstance(k, str) for k in more):
                    raise NotEvaluated("keyword arguments of something that is no dict")
                if given.keys() & more.keys():
                    raise TypeError("got multiple values for keyword argument")
                given.update(more)
            return call(callee, args, given)

        return run

    def _argument(self, node: ast.expr, scope: Scope | None, chain: Chain) -> tuple[bool, Code]:
        if isinstance(node, ast.Starred):
            return True, self.expression(node.value, scope, chain)
        return False, self.expression(node, scope, chain)

    def call(self, function: Any, args: list[Any], named: dict[str, Any]) -> Any:
        """``function(*args, **named)``."""
        if isinstance(function, (Callee, *CALLABLE)):
            return function(*args, **named)
        known = BY_OBJECT.get(id(function))
        if known is not None:
            return Library(known, self.meter)(*args, **named)
        if isinstance(function, type) and issubclass(function, Exception):
            return function(*args)
        if isinstance(function, Whole):
            raise Vectorised("a method")
        if isinstance(function, PLAIN):
            raise TypeError(f"'{type(function).__name__}' object is not callable")
        raise NotEvaluated(f"a call of a {type(function).__name__}")

    def _super(self, scope: Scope | None) -> Code:
        if scope is None or scope.owner is None:
            return self.refused("`super()` outside of a method")
        own = self._name(ast.Name(scope.owner, ast.Load()), scope, ())
        kind = scope.kind
        return lambda frame: Parents(kind[0].bases, own(frame))

    def iterate(self, value: Any) -> Iterator[Any]:
        """``iter(value)``, each element of which is a step."""
        if isinstance(value, Proxy) and not isinstance(value, Row):
            elements: Iterator[Any] = getattr(value, "elements", _no_elements)()
        else:
            elements = iter(value)
        for element in elements:
            self.meter.charge()
            yield element

    # --- displays and texts

    def _elements(self, nodes: list[ast.expr], scope: Scope | None, chain: Chain) -> Callable[[Frame], list[Any]]:
        parts = [self._argument(n, scope, chain) for n in nodes]
        if all(not star for star, _ in parts):
            plain = [code for _, code in parts]
            return lambda frame: [code(frame) for code in plain]

        def run(frame: Frame) -> list[Any]:
            found: list[Any] = []
            for star, code in parts:
                if star:
                    found.extend(self.iterate(code(frame)))
                else:
                    found.append(code(frame))
            return found

        return run

    def _list(self, node: ast.List, scope: Scope | None, chain: Chain) -> Code:
        elements = self._elements(node.elts, scope, chain)
        return lambda frame: self.meter.checked(elements(frame))

    def _tuple(self, node: ast.Tuple, scope: Scope | None, chain: Chain) -> Code:
        elements = self._elements(node.elts, scope, chain)
        return lambda frame: self.meter.checked(tuple(elements(frame)))

    def _set(self, node: ast.Set, scope: Scope | None, chain: Chain) -> Code:
        elements = self._elements(node.elts, scope, chain)
        return lambda frame: self.meter.checked(set(map(self.key, elements(frame))))

    def _dict(self, node: ast.Dict, scope: Scope | None, chain: Chain) -> Code:
        parts = [
            (self.expression(k, scope, chain) if k is not None else None, self.expression(v, scope, chain))
            for k, v in zip(node.keys, node.values, strict=True)
        ]

        def run(frame: Frame) -> Any:
            made: dict[Any, Any] = {}
            for key, value in parts:
                if key is not None:
                    name = self.key(key(frame))
                    made[name] = value(frame)
                else:
                    more = value(frame)
                    if not isinstance(more, dict):
                        raise NotEvaluated("`**` of something that is no dict")
                    made.update(more)
            return self.meter.checked(made)

        return run

    def _joinedstr(self, node: ast.JoinedStr, scope: Scope | None, chain: Chain) -> Code:
        parts = [self.expression(v, scope, chain) for v in node.values]
        return lambda frame: self.meter.checked("".join([p(frame) for p in parts]))

    def _formattedvalue(self, node: ast.FormattedValue, scope: Scope | None, chain: Chain) -> Code:
        value = self.expression(node.value, scope, chain)
        spec = self.expression(node.format_spec, scope, chain) if node.format_spec is not None else None
        convert = {-1: None, ord("r"): repr, ord("s"): str, ord("a"): ascii}[node.conversion]

        def run(frame: Frame) -> str:
            shown, how = value(frame), spec(frame) if spec is not None else ""
            if not is_plain(shown):
                raise NotEvaluated("the text of a value that is not Python's own")
            check_format(how)
            self.meter.weigh(shown)
            small_decimal(shown)
            return format(convert(shown) if convert is not None else shown, how)

        return run

    # --- functions and generators

    def _lambda(self, node: ast.Lambda, scope: Scope | None, chain: Chain) -> Code:
        return self.world.function_code(node, scope, chain)

    def _yield(self, node: ast.Yield, scope: Scope | None, chain: Chain) -> Code:
        value = self.expression(node.value, scope, chain) if node.value is not None else None

        def run(frame: Frame) -> Any:
            frame.yielded.append(value(frame) if value is not None else None)
            self.meter.charge()

        return run

    def _yieldfrom(self, node: ast.YieldFrom, scope: Scope | None, chain: Chain) -> Code:
        value = self.expression(node.value, scope, chain)

        def run(frame: Frame) -> Any:
            frame.yielded.extend(self.iterate(value(frame)))

        return run


_COMPARING = frozenset({"count", "index", "remove", "sort"})
"""Methods of containers that compare the elements."""


def _no_elements() -> Iterator[Any]:
    raise NotEvaluated("an iteration over a value that is not Python's own")


__all__ = ["Expressions"]
