"""The concrete meaning of an expression, as a closure over an environment.

Part of the trusted base: one case per node, each as its docstring in ``headwater_ir.expr`` says. Pattern matching
happens once, at compile time, for concrete refutation calls the closures hundreds of thousands of times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Union

from typing_extensions import assert_never

from headwater_ir import expr as ir
from headwater_ir.expr import Expr, Scalar

from .calls import call
from .scalars import EvaluationError, arithmetic, comparison, is_nan, negate, same, text_test

State = Sequence[Scalar]
Row = Mapping[str, Scalar]
Slots = tuple[Union[State, None], Union[State, None], Union[State, None]]
NO_SLOTS: Slots = (None, None, None)
_EMPTY: Row = {}


class Env:
    """What an expression may read. ``slots`` is indexed by side; None there is an absent state (⊥)."""

    __slots__ = ("outs", "params", "row", "slots")

    def __init__(self, row: Row = _EMPTY, slots: Slots = NO_SLOTS, outs: Row = _EMPTY, params: Row = _EMPTY) -> None:
        self.row = row
        self.slots = slots
        self.outs = outs
        self.params = params


Evaluator = Callable[[Env], Scalar]


def compile_expr(e: Expr) -> Evaluator:
    """The function that evaluates ``e``. It raises EvaluationError where the real program would raise, and KeyError if
    the environment lacks a name, which is a mistake of the caller's."""
    match e:
        case ir.Lit(value=value):
            return lambda env: value
        case ir.Col(name=name):
            return lambda env: env.row[name]
        case ir.Param(name=name):
            return lambda env: env.params[name]
        case ir.Out(name=name):
            return lambda env: env.outs[name]
        case ir.Slot(index=index, side=side):
            return _slot(index, side)
        case ir.Present(side=side):
            return lambda env: env.slots[side] is not None
        case ir.Raise(reason=reason):
            return _raise(reason)
        case ir.Arith(op=op, left=left, right=right, dialect=dialect):
            return _binary(arithmetic(op, dialect), left, right)
        case ir.Compare(op=op, left=left, right=right, dialect=dialect):
            return _binary(comparison(op, dialect), left, right)
        case ir.Same(left=left, right=right):
            return _binary(same, left, right)
        case ir.StringTest(op=op, text=text, needle=needle, dialect=dialect):
            return _binary(text_test(op, dialect), text, needle)
        case ir.And(operands=operands, dialect=dialect):
            return _connective(operands, dialect == "sql", neutral=True)
        case ir.Or(operands=operands, dialect=dialect):
            return _connective(operands, dialect == "sql", neutral=False)
        case ir.Not(operand=operand, dialect=dialect):
            return _not(operand, dialect == "sql")
        case ir.If(cond=cond, then=then, otherwise=otherwise):
            c, t, o = compile_expr(cond), compile_expr(then), compile_expr(otherwise)
            return lambda env: t(env) if c(env) is True else o(env)
        case ir.In(operand=operand, options=options, dialect=dialect):
            return _membership(operand, options, dialect == "sql")
        case ir.Neg(operand=operand, dialect=dialect):
            of = compile_expr(operand)
            return lambda env: negate(of(env), dialect)
        case ir.IsNull(operand=operand):
            of = compile_expr(operand)
            return lambda env: of(env) is None
        case ir.IsNaN(operand=operand):
            of = compile_expr(operand)
            return lambda env: is_nan(of(env))
        case ir.IsTrue(operand=operand):
            of = compile_expr(operand)
            return lambda env: of(env) is True
        case ir.Truthy(operand=operand):
            of = compile_expr(operand)
            return lambda env: bool(of(env))
        case ir.Call(symbol=name, args=args, type=result, total=total):
            compiled = tuple(map(compile_expr, args))
            return lambda env: call(name, [a(env) for a in compiled], result, total)
        case _:
            assert_never(e)


def _slot(index: int, side: int) -> Evaluator:
    def read(env: Env) -> Scalar:
        state = env.slots[side]
        if state is None:
            raise EvaluationError(f"slot {index} of an absent state")
        return state[index]

    return read


def _raise(reason: str) -> Evaluator:
    def fail(env: Env) -> Scalar:
        raise EvaluationError(reason)

    return fail


def _binary(operation: Callable[[Scalar, Scalar], Scalar], left: Expr, right: Expr) -> Evaluator:
    a, b = compile_expr(left), compile_expr(right)
    return lambda env: operation(a(env), b(env))


def _connective(operands: tuple[Expr, ...], sql: bool, neutral: bool) -> Evaluator:
    """AND (``neutral`` True) or OR (False): left to right, up to the first operand that decides."""
    compiled = tuple(map(compile_expr, operands))

    def evaluate_all(env: Env) -> Scalar:
        answer: Scalar = neutral
        for operand in compiled:
            value = operand(env)
            if value is None and sql:
                answer = None
            elif (value is True) is not neutral:  # in Python, None counts as false
                return not neutral
        return answer

    return evaluate_all


def _not(operand: Expr, sql: bool) -> Evaluator:
    of = compile_expr(operand)

    def negation(env: Env) -> Scalar:
        value = of(env)
        return None if value is None and sql else value is not True

    return negation


def _membership(operand: Expr, options: tuple[Expr, ...], sql: bool) -> Evaluator:
    of, compiled = compile_expr(operand), tuple(map(compile_expr, options))
    equal = comparison("==", "sql" if sql else "python")

    def member(env: Env) -> Scalar:
        value = of(env)
        answers = [equal(value, option(env)) for option in compiled]
        return True if True in answers else None if None in answers else False

    return member
