"""Statements of Python, each compiled once into a function of the frame that it runs in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from .comprehensions import Comprehensions
from .frames import Vectorised, Whole
from .limits import NotEvaluated, require
from .operators import binary
from .patterns import pattern
from .program import Chain, bindings_of
from .values import Instance
from .variables import Code, Frame, Scope

_BREAK, _CONTINUE, _RETURN = "break", "continue", "return"
Step = Callable[[Frame], Any]
"""Runs a statement; the answer is one of the three words above where the next statement is not the one that follows."""
Store = Callable[[Frame, Any], None]


class Statements(Comprehensions):
    """Compiles statements."""

    def block(self, body: Sequence[ast.stmt], scope: Scope | None, chain: Chain) -> Step:
        """Runs ``body`` up to a statement that leaves it."""
        steps = [self.statement(s, scope, chain) for s in body if not is_doc(s)]
        charge = self.meter.charge
        if len(steps) == 1:
            return steps[0]

        def run(frame: Frame) -> Any:
            for step in steps:
                charge()
                signal = step(frame)
                if signal is not None:
                    return signal
            return None

        return run

    def statement(self, node: ast.stmt, scope: Scope | None, chain: Chain) -> Step:
        """The code of one statement."""
        compile_ = getattr(self, f"_{type(node).__name__.lower()}", None)
        if compile_ is None:
            return self.refused(f"a {type(node).__name__} statement")
        step: Step = compile_(node, scope, chain)
        return step

    # --- assignments

    def target(self, node: ast.expr, scope: Scope | None, chain: Chain) -> Store:
        """Stores a value in a name, an attribute, an item or the parts of a tuple."""
        match node:
            case ast.Name(id=name):
                return self.store_name(name, scope)
            case ast.Attribute(value=of, attr=attribute):
                owner = self.expression(of, scope, chain)

                def store_attribute(frame: Frame, value: Any) -> None:
                    self.set_attribute(owner(frame), attribute, value)

                return store_attribute
            case ast.Subscript(value=of, slice=index):
                owner, key = self.expression(of, scope, chain), self.expression(index, scope, chain)

                def store_item(frame: Frame, value: Any) -> None:
                    container, at = owner(frame), self.key(key(frame))
                    if not hasattr(container, "__setitem__"):
                        raise TypeError(f"'{type(container).__name__}' object does not support item assignment")
                    if isinstance(at, slice) and hasattr(value, "__len__"):
                        require(len(container) + len(value))
                    container[at] = value

                return store_item
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._unpacked(parts, scope, chain)
        return lambda frame, value: self.refused("an assignment")(frame)

    def store_name(self, name: str, scope: Scope | None) -> Store:
        """Stores a value in a name of the function, or of one around it."""
        hops, at = 0, scope
        while at is not None and name not in at.bound:
            hops, at = hops + 1, at.outer
        if at is None:
            return lambda frame, value: self.refused(f"an assignment to `{name}` of the module")(frame)
        if hops == 0:

            def store_here(frame: Frame, value: Any) -> None:
                frame.names[name] = value

            return store_here

        def store(frame: Frame, value: Any) -> None:
            for _ in range(hops):
                assert frame.outer is not None
                frame = frame.outer
            frame.names[name] = value

        return store

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        """``owner.name = value``."""
        if isinstance(owner, Instance) and name != "__class__":
            owner.names[name] = value
        elif isinstance(owner, Whole):
            raise Vectorised("an attribute that is set")
        elif isinstance(owner, (int, float, str, list, tuple, dict, type(None))):
            raise AttributeError(name)
        else:
            raise NotEvaluated(f"an assignment to an attribute of a {type(owner).__name__}")

    def _unpacked(self, parts: list[ast.expr], scope: Scope | None, chain: Chain) -> Store:
        star = next((i for i, p in enumerate(parts) if isinstance(p, ast.Starred)), None)
        stores = [self.target(p.value if isinstance(p, ast.Starred) else p, scope, chain) for p in parts]

        def store(frame: Frame, value: Any) -> None:
            values = list(self.iterate(value))
            if star is None and len(values) != len(stores):
                raise ValueError("wrong number of values to unpack")
            if star is not None:
                rest = len(values) - len(stores) + 1
                if rest < 0:
                    raise ValueError("not enough values to unpack")
                values[star : star + rest] = [values[star : star + rest]]
            for one, v in zip(stores, values, strict=True):
                one(frame, v)

        return store

    def _assign(self, node: ast.Assign, scope: Scope | None, chain: Chain) -> Step:
        value = self.expression(node.value, scope, chain)
        stores = [self.target(t, scope, chain) for t in node.targets]

        def run(frame: Frame) -> None:
            made = value(frame)
            for store in stores:
                store(frame, made)

        return run

    def _annassign(self, node: ast.AnnAssign, scope: Scope | None, chain: Chain) -> Step:
        if node.value is None:
            return lambda frame: None
        value, store = self.expression(node.value, scope, chain), self.target(node.target, scope, chain)
        return lambda frame: store(frame, value(frame))

    def _augassign(self, node: ast.AugAssign, scope: Scope | None, chain: Chain) -> Step:
        if isinstance(node.op, ast.MatMult):
            return self.refused("a matrix product")
        apply, value = binary(node.op, self.meter, in_place=True), self.expression(node.value, scope, chain)
        target = node.target
        if isinstance(target, ast.Name):
            load = self.expression(ast.Name(target.id, ast.Load()), scope, chain)
            store = self.target(target, scope, chain)
            return lambda frame: store(frame, apply(load(frame), value(frame)))
        of = self.expression(target.value, scope, chain)
        if isinstance(target, ast.Attribute):
            name = target.attr

            def change_attribute(frame: Frame) -> None:
                owner = of(frame)
                self.set_attribute(owner, name, apply(self.attribute(owner, name), value(frame)))

            return change_attribute
        key = self.expression(target.slice, scope, chain)

        def change_item(frame: Frame) -> None:
            owner, at = of(frame), self.key(key(frame))
            made = apply(self.item(owner, at), value(frame))
            if not hasattr(owner, "__setitem__"):
                raise TypeError("object does not support item assignment")
            owner[at] = made

        return change_item

    def _delete(self, node: ast.Delete, scope: Scope | None, chain: Chain) -> Step:
        steps: list[Step] = []
        for target in node.targets:
            if isinstance(target, ast.Name) and scope is not None and target.id in scope.bound:
                steps.append(self._delete_name(target.id))
            elif isinstance(target, ast.Subscript):
                of, key = self.expression(target.value, scope, chain), self.expression(target.slice, scope, chain)
                steps.append(self._delete_item(of, key))
            else:
                return self.refused("a `del` of something other than a name or an item")

        def run(frame: Frame) -> None:
            for step in steps:
                step(frame)

        return run

    def _delete_name(self, name: str) -> Step:
        def run(frame: Frame) -> None:
            if name not in frame.names:
                raise UnboundLocalError(name)
            del frame.names[name]

        return run

    def _delete_item(self, of: Code, key: Code) -> Step:
        def run(frame: Frame) -> None:
            owner, at = of(frame), self.key(key(frame))
            if not hasattr(owner, "__delitem__"):
                raise TypeError("object doesn't support item deletion")
            del owner[at]

        return run

    # --- what goes on

    def _expr(self, node: ast.Expr, scope: Scope | None, chain: Chain) -> Step:
        value = self.expression(node.value, scope, chain)

        def run(frame: Frame) -> None:
            value(frame)

        return run

    def _pass(self, node: ast.Pass, scope: Scope | None, chain: Chain) -> Step:
        return lambda frame: None

    def _nonlocal(self, node: ast.Nonlocal, scope: Scope | None, chain: Chain) -> Step:
        return lambda frame: None

    def _import(self, node: ast.Import, scope: Scope | None, chain: Chain) -> Step:
        stores = [(self.store_name(n, scope), b[0].value) for n, b in bindings_of(ast.Module([node], [])).items()]

        def run(frame: Frame) -> None:
            for store, full in stores:
                if not isinstance(full, str):
                    raise NotEvaluated("a relative import")
                store(frame, self.world.imported(full))

        return run

    _importfrom = _import

    def _return(self, node: ast.Return, scope: Scope | None, chain: Chain) -> Step:
        if node.value is None:
            return lambda frame: _RETURN
        value = self.expression(node.value, scope, chain)

        def run(frame: Frame) -> str:
            frame.result = value(frame)
            return _RETURN

        return run

    def _break(self, node: ast.Break, scope: Scope | None, chain: Chain) -> Step:
        return lambda frame: _BREAK

    def _continue(self, node: ast.Continue, scope: Scope | None, chain: Chain) -> Step:
        return lambda frame: _CONTINUE

    def _if(self, node: ast.If, scope: Scope | None, chain: Chain) -> Step:
        test = self.expression(node.test, scope, chain)
        then, other = self.block(node.body, scope, chain), self.block(node.orelse, scope, chain)
        return lambda frame: then(frame) if test(frame) else other(frame)

    def _for(self, node: ast.For, scope: Scope | None, chain: Chain) -> Step:
        source, store = self.expression(node.iter, scope, chain), self.target(node.target, scope, chain)
        body, other = self.block(node.body, scope, chain), self.block(node.orelse, scope, chain)

        def run(frame: Frame) -> Any:
            for element in self.iterate(source(frame)):
                store(frame, element)
                signal = body(frame)
                if signal == _BREAK:
                    return None
                if signal == _RETURN:
                    return signal
            return other(frame)

        return run

    def _while(self, node: ast.While, scope: Scope | None, chain: Chain) -> Step:
        test = self.expression(node.test, scope, chain)
        body, other = self.block(node.body, scope, chain), self.block(node.orelse, scope, chain)

        def run(frame: Frame) -> Any:
            while test(frame):
                self.meter.charge()
                signal = body(frame)
                if signal == _BREAK:
                    return None
                if signal == _RETURN:
                    return signal
            return other(frame)

        return run

    def _match(self, node: ast.Match, scope: Scope | None, chain: Chain) -> Step:
        subject = self.expression(node.subject, scope, chain)
        cases = [
            (
                pattern(c.pattern, self, scope, chain),
                self.expression(c.guard, scope, chain) if c.guard is not None else None,
                self.block(c.body, scope, chain),
            )
            for c in node.cases
        ]

        def run(frame: Frame) -> Any:
            value = subject(frame)
            for fits, guard, body in cases:
                if fits(frame, value) and (guard is None or guard(frame)):
                    return body(frame)
            return None

        return run


def is_doc(node: ast.stmt) -> bool:
    """Whether a statement is a constant and nothing else."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
