"""``try`` around what computes a value: where it raises, and with which of Python's errors, is a condition on the row.

Law: the statement does what its body does where nothing raises; else, what the first handler does that catches the
first error; an error that none catches goes on. Which of different handlers runs is decided by the error that Python
meets first, so that texts and numbers are then read as they are written: what is the same value otherwise (``s[:1] ==
"a"`` and ``s.startswith("a")``) raises another error. Where a conversion of a text fails is not modelled: that is an
opaque function of its own (``failure of int``), pure and total, besides the one for its value. Other opaque functions
may raise anything: the first handler must then catch everything. Condition: Python's own numbers, not numpy's.
Reference: the Python language reference, section 8.4; errors as CPython raises them (tests/python).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING

from headwater.python.effects.purity import NUMERIC_CALLS, STRING_METHODS, TEXT_CALLS
from headwater.python.exprs.simplify import MAX_NODES, NONE, both, choose, either, is_null, literal_truth, negate
from headwater.python.values.dict_tables import Table
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Unreadable, Value
from headwater.python.values.structures import RecordValue
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import (
    TRUE,
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Raise,
    Same,
    Slot,
    StringTest,
    Truthy,
    size,
    slots_of,
    transform,
    walk,
)
from headwater_ir.types import BOOL, INT, STRING

from .outcomes import End, Outcome, Path, Split

if TYPE_CHECKING:
    from .statements import Interpreter

Classes = frozenset[type[BaseException]] | None
"""The classes that an error may be of; None: any."""
Failure = tuple[Expr, Classes]
_TYPE: Classes = frozenset({TypeError})
_ATTRIBUTE: Classes = frozenset({AttributeError})
_REASONS: dict[str, Classes] = {
    "KeyError": frozenset({KeyError}), "IndexError": frozenset({IndexError}), "float(None)": _TYPE,
    "isnan(None)": _TYPE, "None is not ordered": _TYPE, "int() of a missing value": frozenset({TypeError, ValueError}),
}  # fmt: skip
_EVERY = {Exception, BaseException}
_WHOLE = "int"
"""What makes whole numbers of any size of texts."""
_PRODUCTS = 8
"""So many factors of 64 bits are no number too large for a float."""


def attempt(run: Interpreter, node: ast.Try, env: Env, path: Path) -> Outcome:
    """The outcome of a ``try`` statement."""
    if node.finalbody or not run.scope.exact_numbers:
        raise Refusal("opaque", "`try`: which errors occur is not modelled", node)
    return _Attempt(run, node).body(node.body, env, path)


class _Attempt:
    def __init__(self, run: Interpreter, node: ast.Try) -> None:
        self.run, self.node = run, node
        self.caught = [_classes(run.scope, h) for h in node.handlers]
        self.told_apart = not self.caught or not _EVERY & set(self.caught[0])

    def body(self, rest: list[ast.stmt], env: Env, path: Path) -> Outcome:
        """The outcome of statements inside ``try``."""
        if not rest:
            return self.run.run(self.node.orelse, env, path)
        match rest[0]:
            case ast.Pass():
                return self.body(rest[1:], env, path)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                return self._value(value, env, path, lambda e, p: self.body(rest[1:], {**env, name: e}, p))
            case ast.Return(value=ast.expr() as value):
                return self._value(value, env, path, lambda e, p: End("return", env, e))
            case ast.If(test=test, body=then, orelse=otherwise):
                return self._test(test, [*then, *rest[1:]], [*otherwise, *rest[1:]], env, path)
            case ast.Raise(exc=ast.expr() as exc):
                return self._failed(_raised(self.run.scope, exc), env, path)
        raise Refusal("opaque", "a `try` around more than what computes values", rest[0])

    def _value(self, node: ast.expr, env: Env, path: Path, then: Callable[[Value, Path], Outcome]) -> Outcome:
        self._require_read(node, env)
        return self._evaluated(lambda: self.run.value(node, env), env, path, then)

    def _test(self, node: ast.expr, yes: list[ast.stmt], no: list[ast.stmt], env: Env, path: Path) -> Outcome:
        self._require_read(node, env)

        def then(cond: Expr, path: Path) -> Outcome:
            known = literal_truth(cond)
            if known is not None:
                return self.body(yes if known else no, env, path)
            first = self.body(yes, env, (*path, (cond, True)))
            return Split(cond, first, self.body(no, env, (*path, (cond, False))))

        return self._evaluated(lambda: self.run.test(node, env), env, path, then)

    def _require_read(self, node: ast.expr, env: Env) -> None:
        """Refuse what may raise other errors than its value shows: a row may have no such column."""
        _require_scalars(self.run.scope, node)
        if self.told_apart:
            _require_order(self.run.scope, node)
        for name in (n.id for n in ast.walk(node) if isinstance(n, ast.Name)):
            if name in env and not self._whole(env[name]):
                raise Refusal("opaque", f"`try` around a part of `{name}`, which may not be there", node)

    def _whole(self, value: Value) -> bool:
        """Whether it is known which parts ``value`` has."""
        match value:
            case Items(items=parts) | RecordValue(values=parts, closed=True):
                return all(map(self._whole, parts))
        return isinstance(value, Table) or not isinstance(value, AbstractObject) or self.run.parts_known(value)

    def _evaluated(
        self, read: Callable[[], Expr], env: Env, path: Path, then: Callable[[Expr, Path], Outcome]
    ) -> Outcome:
        self.run.path = path
        with self.run.unheard(), self.run.scope.reading_errors(self.told_apart):
            value = read()
            if self.run.effects:
                raise Refusal("opaque", "`try` around an error that the value does not show", self.node)
        if slots_of(value):  # where a pass over the rows raises is in its steps
            raise Refusal("opaque", "`try` around what the rows of a group make", self.node)
        failures: list[Failure] = []
        tame = _tamed(self.run.scope, value, TRUE, failures)
        if size(tame) > MAX_NODES or sum(size(f) for f, _ in failures) > MAX_NODES:
            raise Refusal("time-out", "the function has too many paths", self.node)

        def after(n: int, path: Path) -> Outcome:
            if n == len(failures):
                return then(tame, path)
            fails, classes = failures[n]
            known = literal_truth(fails)
            if known is not None:
                return self._failed(classes, env, path) if known else after(n + 1, path)
            wrong = self._failed(classes, env, (*path, (fails, True)))
            return Split(fails, wrong, after(n + 1, (*path, (fails, False))))

        return after(0, path)

    def _failed(self, classes: Classes, env: Env, path: Path) -> Outcome:
        """What happens after an error of one of ``classes``."""
        found = {self._handler(c) for c in (classes or (None,))}
        if len(found) != 1:
            raise Refusal("opaque", "`try`: which of its handlers catches the error is not known", self.node)
        index = found.pop()
        if index is None:
            return End("raise", reason="an error that is not caught")
        handler = self.node.handlers[index]
        if handler.name is not None:
            env = {**env, handler.name: Unreadable("opaque", "an error as a value")}
        return self.run.run(handler.body, env, path)

    def _handler(self, error: type[BaseException] | None) -> int | None:
        """The place of the handler that catches ``error``, or any error; None if none does."""
        if error is not None:
            return next((i for i, classes in enumerate(self.caught) if issubclass(error, classes)), None)
        if self.told_apart:
            raise Refusal("opaque", "`try`: which errors occur is not known", self.node)
        return 0


def _classes(scope: Scope, handler: ast.ExceptHandler) -> tuple[type[BaseException], ...]:
    """What a handler catches."""
    if handler.type is None:
        return (BaseException,)
    listed = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return tuple(_class(scope, node) for node in listed)


def _class(scope: Scope, node: ast.expr) -> type[BaseException]:
    module, _, name = (scope.origin(node) or "").rpartition(".")
    found = getattr(builtins, name, None) if module == "builtins" else None
    if not isinstance(found, type) or not issubclass(found, BaseException):
        raise Refusal("opaque", f"`{scope.ctx.text(node)}` is not one of Python's own errors", node)
    return found


def _raised(scope: Scope, node: ast.expr) -> Classes:
    made = isinstance(node, ast.Call)
    if isinstance(node, ast.Call) and not all(isinstance(a, ast.Constant) for a in node.args):
        raise Refusal("opaque", "an error that is made of what may raise itself", node)
    return frozenset({_class(scope, node.func if made and isinstance(node, ast.Call) else node)})


# --- where expressions raise

_SCALARS = (
    ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Attribute,
    ast.Subscript, ast.Slice, ast.JoinedStr, ast.FormattedValue, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
    ast.expr_context,
)  # fmt: skip
_CALLS = frozenset({*NUMERIC_CALLS, *TEXT_CALLS, "builtins.len", "builtins.min", "builtins.max", "builtins.bool"})
_METHODS = frozenset({*STRING_METHODS, "startswith", "endswith"})


def _require_scalars(scope: Scope, node: ast.expr) -> None:
    """Refuse what may evaluate more than its value shows: the parts of a tuple that are not used, other functions."""
    constants = {
        id(part)
        for test in ast.walk(node)
        if isinstance(test, ast.Compare)
        for option in test.comparators
        if isinstance(option, (ast.Tuple, ast.List, ast.Set)) and all(isinstance(e, ast.Constant) for e in option.elts)
        for part in ast.walk(option)
    }
    for part in ast.walk(node):
        known = id(part) in constants or isinstance(part, _SCALARS)
        if isinstance(part, ast.Call):
            method = part.func.attr if isinstance(part.func, ast.Attribute) and not scope.origin(part.func) else None
            known = not part.keywords and (method in _METHODS if method else scope.origin(part.func) in _CALLS)
        if isinstance(part, ast.Subscript) and not isinstance(part.slice, ast.Slice):
            known = isinstance(part.slice, (ast.Name, ast.Constant))
        if not known:
            raise Refusal("opaque", f"`try` around `{scope.ctx.text(node)}`: which errors occur is not modelled", node)


_MAY_RAISE = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Slice)


def _require_order(scope: Scope, node: ast.expr) -> None:
    """Refuse extremes of values that may raise: all are evaluated before any two are compared."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and scope.origin(part.func) in ("builtins.min", "builtins.max"):
            if any(isinstance(n, _MAY_RAISE) for a in part.args for n in ast.walk(a)):
                raise Refusal("opaque", "`try`: which error occurs first is not modelled", part)


def _tamed(scope: Scope, e: Expr, where: Expr, failures: list[Failure]) -> Expr:
    """``e`` as a value that is right where none of ``failures`` holds; adds those of ``e``, in the order in which they
    occur, evaluated where ``where`` holds."""

    def fail(cond: Expr, classes: Classes) -> None:
        failures.append((both(where, cond), classes))

    def tame(inner: Expr, where: Expr = where) -> Expr:
        return _tamed(scope, inner, where, failures)

    match e:
        case Lit() | Col() | Slot():
            return e
        case Raise(reason):
            fail(TRUE, _REASONS.get(reason))
            return NONE
        case If(cond, then, otherwise):
            c = tame(cond)
            return choose(c, tame(then, both(where, c)), tame(otherwise, both(where, negate(c))))
        case And(operands, "python") | Or(operands, "python"):
            parts: list[Expr] = []
            for o in operands:
                before = both(*parts) if isinstance(e, And) else negate(either(*parts))
                parts.append(tame(o, both(where, before)))
            return both(*parts) if isinstance(e, And) else either(*parts)
        case And(operands=()) | Or(operands=()):
            return e
        case Not(dialect="python") | IsNull() | IsNaN() | IsTrue() | Truthy() | Same() | In(dialect="python"):
            return transform(e, lambda n: None if n is e else tame(n))
        case Compare(op, left, right, "python"):
            a, b = tame(left), tame(right)
            if op not in ("==", "!="):
                fail(either(is_null(a), is_null(b)), _TYPE)
            return Compare(op, a, b, "python")
        case Neg(operand, "python"):
            a = tame(operand)
            fail(is_null(a), _TYPE)
            return Neg(a, "python")
        case Arith(op, left, right, "python") if op != "**" and _moderate(e):
            a, b = tame(left), tame(right)
            whole = scope.type(a).name == scope.type(b).name == "int" and op != "/"
            if not whole and any(isinstance(n, Call) and n.name == _WHOLE for n in walk(e)):
                raise Refusal("opaque", "`try`: a whole number that may be too large for a float")
            fail(either(is_null(a), is_null(b)), _TYPE)
            if op in ("/", "//", "%"):
                fail(Compare("==", b, Lit(0, INT), "python"), frozenset({ZeroDivisionError}))
            return Arith(op, a, b, "python")
        case StringTest(op, text, needle, "python"):
            if op == "contains":
                b, a = tame(needle), tame(text)
                fail(is_null(a), _TYPE)
            else:
                a = tame(text)
                fail(is_null(a), _ATTRIBUTE)
                b = tame(needle)
            fail(is_null(b), _TYPE)
            return StringTest(op, a, b, "python")
        case Call():
            args = tuple(map(tame, e.args))
            return _tamed_call(scope, Call(e.name, args, e.type, e.total), fail)
    raise Refusal("opaque", "`try`: which errors occur is not modelled")


def _moderate(e: Expr) -> bool:
    """Whether no whole number in it is too large for a float."""
    return sum(isinstance(n, Arith) and n.op == "*" for n in walk(e)) < _PRODUCTS


def _tamed_call(scope: Scope, e: Call, fail: Callable[[Expr, Classes], None]) -> Expr:
    if e.total:
        return e
    first, others = (e.args[0], e.args[1:]) if e.args else (NONE, ())
    known = all(isinstance(a, Lit) and a.value is not None for a in others)
    if known and e.name.startswith("str.") and e.name != "str.index":
        fail(is_null(first), _ATTRIBUTE)
        return Call(e.name, e.args, e.type, total=True)
    if known and e.name == "len":
        fail(is_null(first), _TYPE)
        return Call(e.name, e.args, e.type, total=True)
    failure: Classes = None
    if len(e.args) == 1 and e.name in ("int", "float") and scope.type(first).name in ("string", "int", "float", "bool"):
        fail(is_null(first), _TYPE)
        text, whole = scope.type(first) == STRING, scope.type(first).name in ("int", "bool")
        failure = frozenset({ValueError} if text else {OverflowError} if whole else {ValueError, OverflowError})
    fail(IsTrue(Call(f"failure of {e.name}", e.args, BOOL, total=True)), failure)
    return Call(e.name, e.args, e.type, total=True)
