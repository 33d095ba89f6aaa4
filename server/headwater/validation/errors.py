"""Statements that raise and handle errors."""

from __future__ import annotations

import ast
from typing import Any

from .limits import NotEvaluated
from .program import Chain
from .statements import Statements, Step
from .variables import Frame, Scope


class Errors(Statements):
    """Compiles them. What ends an evaluation is no error of the program, and nothing handles it."""

    def _raise(self, node: ast.Raise, scope: Scope | None, chain: Chain) -> Step:
        if node.exc is None:

            def again(frame: Frame) -> None:
                if frame.error is None:
                    raise RuntimeError("No active exception to reraise")
                raise frame.error

            return again
        made = self.expression(node.exc, scope, chain)

        def run(frame: Frame) -> None:
            error = made(frame)
            if isinstance(error, type) and issubclass(error, Exception):
                error = error()
            if not isinstance(error, Exception):
                raise NotEvaluated("an error of a class of the program")
            raise error

        return run

    def _assert(self, node: ast.Assert, scope: Scope | None, chain: Chain) -> Step:
        test = self.expression(node.test, scope, chain)

        def run(frame: Frame) -> None:
            if not test(frame):
                raise AssertionError

        return run

    def _try(self, node: ast.Try, scope: Scope | None, chain: Chain) -> Step:
        body, other = self.block(node.body, scope, chain), self.block(node.orelse, scope, chain)
        last = self.block(node.finalbody, scope, chain)
        handlers = [
            (
                self.expression(h.type, scope, chain) if h.type is not None else None,
                h.name,
                self.block(h.body, scope, chain),
            )
            for h in node.handlers
        ]

        def guarded(frame: Frame) -> Any:
            try:
                signal = body(frame)
            except RecursionError:
                raise NotEvaluated("a deep recursion") from None
            except Exception as error:
                for kind, name, handler in handlers:
                    if kind is None or isinstance(error, _errors(kind(frame))):
                        return handled(frame, error, name, handler)
                raise
            return other(frame) if signal is None else signal

        def handled(frame: Frame, error: Exception, name: str | None, handler: Step) -> Any:
            before, frame.error = frame.error, error
            if name is not None:
                frame.names[name] = error
            try:
                return handler(frame)
            finally:
                frame.error = before
                if name is not None:
                    frame.names.pop(name, None)

        def run(frame: Frame) -> Any:
            try:
                signal = guarded(frame)
            except Exception:
                signal = last(frame)
                if signal is not None:
                    return signal
                raise
            after = last(frame)
            return signal if after is None else after

        return run if node.finalbody else guarded


def _errors(kinds: Any) -> Any:
    """The classes that a handler names."""
    flat = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(k, type) and issubclass(k, Exception) for k in flat):
        raise NotEvaluated("a handler of errors of the program's own classes")
    return kinds
