"""Comprehensions and generator expressions, evaluated element by element as they are asked for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from .expressions import Expressions
from .library import Proxy
from .program import Chain
from .variables import Code, Frame, Scope


class Comprehensions(Expressions):
    """Compiles comprehensions."""

    def _listcomp(self, node: ast.ListComp, scope: Scope | None, chain: Chain) -> Code:
        elements = self._comprehension(node.generators, node.elt, None, scope, chain)
        return lambda frame: self.meter.checked(list(elements(frame)))

    def _setcomp(self, node: ast.SetComp, scope: Scope | None, chain: Chain) -> Code:
        elements = self._comprehension(node.generators, node.elt, None, scope, chain)
        return lambda frame: self.meter.checked(set(map(self.key, elements(frame))))

    def _dictcomp(self, node: ast.DictComp, scope: Scope | None, chain: Chain) -> Code:
        elements = self._comprehension(node.generators, node.key, node.value, scope, chain)
        return lambda frame: self.meter.checked(dict(elements(frame)))

    def _generatorexp(self, node: ast.GeneratorExp, scope: Scope | None, chain: Chain) -> Code:
        elements = self._comprehension(node.generators, node.elt, None, scope, chain)
        return lambda frame: map(self.key, elements(frame))  # a function of the library may compare them

    def _comprehension(
        self, clauses: list[ast.comprehension], key: ast.expr, value: ast.expr | None, scope: Scope | None, chain: Chain
    ) -> Callable[[Frame], Iterator[Any]]:
        first = self.expression(clauses[0].iter, scope, chain)
        bound = frozenset(n.id for c in clauses for n in ast.walk(c.target) if isinstance(n, ast.Name))
        inner = Scope(bound, scope, own=False)
        made = self.expression(key, inner, chain)
        if value is not None:
            keyed, of = made, self.expression(value, inner, chain)
            made = lambda frame: (self.key(keyed(frame)), of(frame))  # noqa: E731
        parts = [
            (
                self.expression(c.iter, inner, chain) if i else None,
                self.world.target(c.target, inner, chain),
                [self.expression(t, inner, chain) for t in c.ifs],
            )
            for i, c in enumerate(clauses)
        ]
        if any(c.is_async for c in clauses):
            return self.refused("an asynchronous comprehension")

        def elements(at: int, frame: Frame, given: Iterator[Any]) -> Iterator[Any]:
            _, store, tests = parts[at]
            for element in given:
                store(frame, element)
                for test in tests:
                    if not test(frame):
                        break
                else:
                    if at + 1 == len(parts):
                        yield made(frame)
                    else:
                        source = parts[at + 1][0]
                        assert source is not None
                        yield from elements(at + 1, frame, self.iterate(source(frame)))

        def run(frame: Frame) -> Iterator[Any]:
            given = first(frame)
            if not isinstance(given, Proxy):
                iter(given)  # fails at once, as a generator's first iterable does
            return elements(0, Frame(frame), self.iterate(given))

        return run
