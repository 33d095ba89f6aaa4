"""Python scalar expressions → ``Expr`` in the python dialect, by symbolic evaluation over an environment.

Law: on every row and state where Python yields a value, the expression yields the same value; where Python raises,
so does the expression. What has no model is refused. Reference: the Python language reference, section 6.
"""

from __future__ import annotations

import ast

from headwater.python.builtins import calls
from headwater.python.builtins.slice_tests import field_of, found_in_stripped, part_test
from headwater.python.exprs.facts import NONE_TAG
from headwater.python.exprs.simplify import (
    NONE,
    both,
    choose,
    either,
    is_boolean,
    is_nan,
    is_null,
    literal,
    negate,
    text_test,
    truthy,
)
from headwater.python.exprs.types import arithmetic, comparable, results
from headwater.python.values.scope import AbstractObject, Env, Items, Scope, Unreadable, Value
from headwater.python.values.structures import BitMask
from headwater.syntax.refusal import Refusal
from headwater_ir.exact_numbers import exact_in_float
from headwater_ir.expr import (
    FALSE,
    MIRRORED,
    TRUE,
    Arith,
    ArithOp,
    Compare,
    CompareOp,
    Expr,
    In,
    Lit,
    Neg,
    StringOp,
    slots_of,
)
from headwater_ir.types import ANY, BOOL, DATE, FLOAT32, INT, NUMBER, STRING, TIMESTAMP, is_numeric

from . import constants

_COMPARE: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Scalars:
    """Evaluates ``ast.expr`` nodes. Subclasses give a meaning to rows, frames and local functions."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """The meaning of a node that only a subclass knows; None if it has none."""
        return None

    def container(self, node: ast.expr, env: Env) -> Value | None:
        """The meaning of a node that makes or reads a list, set, tuple or dict; None if it does not."""
        return None

    def compare_things(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Expr | None:
        """A comparison of something other than scalars; None if it has no model."""
        return None

    def under(self, cond: Expr, outcome: bool, node: ast.expr, env: Env) -> Value:
        """The value of ``node`` where ``cond`` has had this outcome."""
        return self.any_value(node, env)

    def local_call(self, function: AbstractObject, node: ast.Call, env: Env) -> Expr | None:
        """The value of a call of a function that a variable holds; None if it has none here."""
        return None

    def of_scalars(self, node: ast.Call, env: Env) -> Value | None:
        """The value of a call of a builtin with scalar arguments; None if it has no model."""
        return None

    def inline(self, name: str, node: ast.Call, env: Env) -> Expr | None:
        """The value of a call of one of the module's own functions; None if it has none here."""
        return None

    def any_value(self, node: ast.expr, env: Env) -> Value:
        """The value of ``node``, a scalar or not."""
        found = self.object_at(node, env)
        if found is None:
            found = self.container(node, env)
        if found is not None:
            return found
        if isinstance(node, ast.Name):
            return self._name(node, env)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            items = tuple(value for e in node.elts for value in self.display_part(e, env))
            return Items(items, not isinstance(node, ast.Tuple), unique=isinstance(node, ast.Set))
        return self._scalar(node, env)

    def value(self, node: ast.expr, env: Env) -> Expr:
        """The scalar value of ``node``."""
        found = self.any_value(node, env)
        return self.plain(node, found)

    def test(self, node: ast.expr, env: Env) -> Expr:
        """The truth of ``node``: a condition that is never NULL."""
        if isinstance(node, ast.BoolOp):
            join = both if isinstance(node.op, ast.And) else either
            return join(*(self.test(v, env) for v in node.values))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return negate(self.test(node.operand, env))
        value = self.value(node, env)
        if self.scope.type(value).name == "list":
            raise Refusal("opaque", "the truth of a list", node)
        return self.truth_of(value)

    def truth_of(self, value: Expr) -> Expr:
        """``bool(value)``; of a number that the state holds as a comparison, which says the same of a slot in any
        place."""
        if slots_of(value) and not is_boolean(value) and self.scope.type(value).name in ("int", "float"):
            return both(negate(is_null(value)), Compare("!=", value, Lit(0, INT), "python"))
        return truthy(value)

    def _name(self, node: ast.Name, env: Env) -> Value:
        if node.id in env:
            return env[node.id]
        if node.id in self.scope.local_names:
            raise Refusal("may-throw", f"`{node.id}` may be read before it is set", node)
        return self.around(node)

    def around(self, node: ast.Name) -> Value:
        """The value of a variable of the code around the function."""
        return constants.module_constant(self.scope, node)

    def _scalar(self, node: ast.expr, env: Env) -> Expr:
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node, env)
        if isinstance(node, ast.BinOp):
            return self._binary(node, env)
        if isinstance(node, ast.BoolOp):
            return self._connective(node, env)
        if isinstance(node, ast.Compare):
            return self._chain(node, env)
        if isinstance(node, ast.IfExp):
            cond = self.test(node.test, env)
            then, otherwise = self.under(cond, True, node.body, env), self.under(cond, False, node.orelse, env)
            return choose(cond, self.plain(node.body, then), self.plain(node.orelse, otherwise))
        if isinstance(node, ast.Call):
            return calls.call(self, node, env)
        if isinstance(node, ast.JoinedStr):
            return calls.formatted(self, node, env)
        if isinstance(node, ast.Attribute):
            known = constants.attribute(self.scope, node) or self._date_field(node, env)
            if known is not None:
                return known
        if isinstance(node, ast.Subscript):
            return calls.sliced(self, node, env)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            raise Refusal("opaque", "a comprehension", node)
        raise Refusal("opaque", f"no model covers `{self.scope.ctx.text(node)}`", node)

    def _date_field(self, node: ast.Attribute, env: Env) -> Expr | None:
        """``day.year`` and its kin, of a date."""
        day = env.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if day is None or isinstance(day, AbstractObject) or self.scope.type(day) != DATE:
            return None
        return field_of(day, node.attr)

    def display_part(self, node: ast.expr, env: Env) -> tuple[Value, ...]:
        """What a part of a display of a tuple or list stands for: ``*pair`` for the items of ``pair``."""
        return (self.any_value(node, env),)

    def _constant(self, node: ast.Constant) -> Expr:
        found = literal(node.value)
        if found is None:
            raise Refusal("opaque", f"the constant `{self.scope.ctx.text(node)}`", node)
        return found

    def _unary(self, node: ast.UnaryOp, env: Env) -> Expr:
        if isinstance(node.op, ast.Not):
            return negate(self.test(node.operand, env))
        operand = self.numeric(node.operand, env)
        if isinstance(node.op, ast.USub):
            if isinstance(operand, Lit) and isinstance(operand.value, (int, float)):
                return Lit(-operand.value, INT if operand.type == BOOL else operand.type)
            return Neg(operand, "python")
        raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`: only `not` and `-` are understood", node)

    def numeric(self, node: ast.expr, env: Env) -> Expr:
        """The value of ``node``, which is computed with."""
        value = self.value(node, env)
        self.scope.hint(value, NUMBER)
        t = self.scope.type(value)
        if not (arithmetic(t) or t.name in ("any", "null")):
            raise Refusal("opaque", f"arithmetic on `{self.scope.ctx.text(node)}`, a {t}", node)
        if t.name == "decimal":
            raise Refusal("opaque", "arithmetic on decimals, whose rounding Python and Spark do differently", node)
        return value

    def _binary(self, node: ast.BinOp, env: Env) -> Expr:
        return self.arithmetic(node, node.op, self.numeric(node.left, env), self.numeric(node.right, env))

    def arithmetic(self, node: ast.AST, operator: ast.operator, left: Expr, right: Expr) -> Expr:
        """``left operator right`` of numbers."""
        op = constants.ARITHMETIC.get(type(operator))
        if op is None:
            raise Refusal("opaque", "a bit or matrix operator", node)
        for e in (left, right):
            self.scope.hint(e, NUMBER)
        folded = _folded(op, left, right)
        if folded is not None:
            return folded
        if not self.scope.exact_numbers and self.scope.type(left) == self.scope.type(right) == BOOL:
            raise Refusal("opaque", "arithmetic on two booleans, which numpy does as logic", node)
        small = isinstance(right, Lit) and isinstance(right.value, int) and 0 <= right.value <= 4
        if op == "**" and not small:
            raise Refusal("opaque", "a power whose exponent is not a small whole number: it may be complex", node)
        if op in ("/", "//", "%") and not (isinstance(right, Lit) and right.value):
            self.scope.divisions.append(node)
        return Arith(op, _number(left), _number(right), "python")

    def _connective(self, node: ast.BoolOp, env: Env) -> Expr:
        """``a and b`` as a value is one of its operands, not a truth value."""
        conjunction = isinstance(node.op, ast.And)
        values: list[Expr] = []
        so_far: Expr = TRUE
        for part in node.values:
            values.append(self.plain(part, self.under(so_far, True, part, env)))
            holds = self.truth_of(values[-1])
            so_far = both(so_far, holds if conjunction else negate(holds))
        result = values[-1]
        for v in reversed(values[:-1]):
            if is_boolean(v) and is_boolean(result) and not isinstance(v, Lit) and not isinstance(result, Lit):
                result = both(v, result) if conjunction else either(v, result)
            elif conjunction:
                result = choose(self.truth_of(v), result, v)
            else:
                result = choose(self.truth_of(v), v, result)
        return result

    def _chain(self, node: ast.Compare, env: Env) -> Expr:
        parts: list[Expr] = []
        left_node, left = node.left, self.any_value(node.left, env)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.under(both(*parts), True, right_node, env)
            parts.append(self._compare(node, op, (left_node, left), (right_node, right)))
            left_node, left = right_node, right
        return both(*parts)

    def _compare(
        self, node: ast.Compare, op: ast.cmpop, left: tuple[ast.expr, Value], right: tuple[ast.expr, Value]
    ) -> Expr:
        known = self.compare_things(node, op, left[1], right[1])
        if known is not None:
            return known
        if isinstance(op, (ast.In, ast.NotIn)):
            found = self._member(node, left, right)
            return found if isinstance(op, ast.In) else negate(found)
        a, b = self.plain(*left), self.plain(*right)
        if isinstance(op, (ast.Is, ast.IsNot)):
            if NONE not in (a, b):
                raise Refusal("opaque", "`is` with anything but None depends on object identity", node)
            value = a if b == NONE else b
            found = self.scope.tested(value, is_null(value), NONE_TAG)
            return found if isinstance(op, ast.Is) else negate(found)
        return self.compare(node, _COMPARE[type(op)], a, b)

    def plain(self, node: ast.AST, value: Value) -> Expr:
        """``value`` as a scalar."""
        if isinstance(value, BitMask):
            return value.number
        if isinstance(value, Unreadable):
            raise Refusal(value.obstruction, value.reason, node)
        if isinstance(value, AbstractObject):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` is not a scalar", node)
        return value

    def compare(self, node: ast.AST, op: CompareOp, a: Expr, b: Expr) -> Expr:
        """``a op b``; refused where the types can never be equal or ordered, which is a mistake in the code."""
        s, t = self.scope.type(a), self.scope.type(b)
        for this, other in ((a, t), (b, s)):
            self.scope.hint(this, NUMBER if is_numeric(other) else other)
        for this, own, other in ((a, s, t), (b, t, s)):
            value = this.value if isinstance(this, Lit) else None
            if other == FLOAT32 and own.name == "int" and not exact_in_float(own, value):
                raise Refusal("opaque", "a 32-bit float compared with a whole number, which Spark may round", node)
            if other in (STRING, DATE, TIMESTAMP) and self._of_no_type(this):
                raise Refusal("opaque", f"a {other} compared with a value of a type that is not known", node)
        if {s.name, t.name} == {"decimal", "float"}:
            raise Refusal("opaque", "a decimal compared with a float, exactly in Python and rounded in Spark", node)
        if {s.name, t.name} == {DATE.name, TIMESTAMP.name} or not comparable(s, t) or "list" in (s.name, t.name):
            raise Refusal("may-throw", f"a {s} compared with a {t}", node)
        if s.name == t.name == "any":
            for name in sorted(self.scope.sources(a) | self.scope.sources(b)):
                self.scope.assume(
                    f"`{name}` has a type that compares with what it is compared with (schema unknown)", "type"
                )
        names = sorted(self.scope.sources(a) | self.scope.sources(b))
        if s.name == t.name == "number" and len(names) > 1:
            listed = " and ".join(f"`{n}`" for n in names)
            self.scope.assume(f"{listed} have one type, or stay within 2**53 (schema unknown)", "type")
        if op in ("==", "!=") and NONE in (a, b):
            found = is_null(a if b == NONE else b)
            return found if op == "==" else negate(found)
        tested = None if self.scope.errors_told_apart else part_test(self.scope.type, op, a, b)
        if tested is not None:
            return tested
        turned = isinstance(a, Lit) and not isinstance(b, Lit)
        return Compare(MIRRORED[op], b, a, "python") if turned else Compare(op, a, b, "python")

    def _of_no_type(self, e: Expr) -> bool:
        """Whether ``e`` may yield what neither a schema nor a use of a column says the type of: to the proof that is a
        number, which no text equals."""
        own = self.scope.columns
        return any(
            self.scope.type(r).name == "any" and all(own.get(n, ANY).name != "any" for n in self.scope.sources(r))
            for r in results(e)
        )

    def _member(self, node: ast.Compare, left: tuple[ast.expr, Value], right: tuple[ast.expr, Value]) -> Expr:
        needle = self.plain(*left)
        if isinstance(right[1], Items):
            options = tuple(self.plain(node, item) for item in right[1].items)
            if not all(isinstance(o, Lit) and is_nan(o) == FALSE for o in options):
                raise Refusal("opaque", "`in` over values that are not constants", node)
            for o in options:
                if o != NONE:
                    self.compare(node, "==", needle, o)
            types, apart = self.scope.type, self.scope.errors_told_apart
            parts = [] if apart else [part_test(types, "==", needle, o) for o in options]
            if parts and None not in parts:
                return either(*(p for p in parts if p is not None))
            return In(needle, options, "python")
        text = self.plain(*right)
        if self.scope.type(needle) != STRING and self.scope.type(text) != STRING:
            raise Refusal("opaque", "`in` over something that is not known to be a string or a list of constants", node)
        return self.text_test("contains", node, text, needle)

    def text_test(self, op: StringOp, node: ast.AST, text: Expr, needle: Expr) -> Expr:
        """``needle in text`` and its kin."""
        for e in (text, needle):
            self.scope.hint(e, STRING)
            if self._of_no_type(e):
                raise Refusal("opaque", "a string test on a value of a type that is not known", node)
            if self.scope.type(e).name not in ("string", "any", "null"):
                raise Refusal("may-throw", f"a string test on a {self.scope.type(e)}", node)
        whole = found_in_stripped(text, needle) if op == "contains" and not self.scope.errors_told_apart else None
        return text_test(op, text if whole is None else whole, needle)


def _number(e: Expr) -> Expr:
    """A condition as the 1 or 0 that Python computes with; anything else as it is."""
    return choose(e, Lit(1, INT), Lit(0, INT)) if is_boolean(e) and not isinstance(e, Lit) else e


def _folded(op: ArithOp, left: Expr, right: Expr) -> Expr | None:
    """The number that two whole constants make."""
    if isinstance(left, Lit) and isinstance(right, Lit) and type(left.value) is int and type(right.value) is int:
        found = constants.whole(op, left.value, right.value)
        return None if found is None else Lit(found, INT)
    return None
