"""What the encoding claims of arithmetic, and what it leaves free on purpose: a claim too few loses proofs, a claim too
many would prove what is wrong on some Spark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3

from headwater.semantics.arithmetic import ansi
from headwater.semantics.symbolic import Encoder, Scope
from headwater.semantics.values import UnsupportedTerm, Value, fresh_context, is_true, same, variable
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr

TYPES = {"i": ty.INT64, "j": ty.INT64, "x": ty.FLOAT, "y": ty.FLOAT, "m": ty.NUMBER, "n": ty.NUMBER, "b": ty.BOOL,
         "k": ty.STRING, "l": ty.STRING, "d": ty.DATE, "t": ty.TIMESTAMP}  # fmt: skip
I, J, X, Y, M, N, B, K, L, D, T = map(ir.Col, TYPES)  # noqa: E741


NULL = ir.Lit(None, ty.NULL)


def lit(value: int | float) -> Expr:
    return ir.Lit(value, ty.INT if isinstance(value, int) else ty.FLOAT)


def sql(op: ir.ArithOp, a: Expr, b: Expr) -> Expr:
    return ir.Arith(op, a, b, "sql")


def py(op: ir.ArithOp, a: Expr, b: Expr) -> Expr:
    return ir.Arith(op, a, b, "python")


class Terms:
    """Encoded expressions over the same free columns."""

    def __init__(self) -> None:
        fresh_context()
        self.encoder = Encoder([ir.Lit("a", ty.STRING)])
        self.row = {name: self.encoder.bound(variable(name, t)) for name, t in TYPES.items()}

    def value(self, e: Expr, tag: int = 0) -> Value:
        return self.encoder.eval(e, Scope(row=self.row, tag=tag))[0]

    def ok(self, e: Expr, strict: bool = False) -> z3.BoolRef:
        return self.encoder.eval(e, Scope(row=self.row, strict=strict))[1]

    def there(self, *names: str) -> z3.BoolRef:
        """Neither NULL nor NaN."""
        return z3.And([z3.Not(f) for n in names for f in (self.row[n].null, self.row[n].nan)])

    def __getitem__(self, name: str) -> z3.ExprRef:
        return self.row[name].term

    def valid(self, claim: z3.BoolRef) -> bool:
        solver = z3.Solver()
        solver.add(*self.encoder.axioms, z3.Not(claim))
        return bool(solver.check() == z3.unsat)


def alike(a: Expr, b: Expr) -> Callable[[Terms], z3.BoolRef]:
    return lambda t: same(t.value(a), t.value(b))


def result(e: Expr, names: str, claim: Callable[[Terms, Value], z3.BoolRef]) -> Callable[[Terms], z3.BoolRef]:
    """``claim`` of the value of ``e`` where the columns hold something and it is defined."""
    return lambda t: z3.Implies(z3.And(t.there(*names), t.ok(e)), claim(t, t.value(e)))


def is_(v: Value, term: z3.ExprRef) -> z3.BoolRef:
    return z3.And(z3.Not(v.null), z3.Not(v.nan), v.term == term)


SMALL = 127
KNOWN: dict[str, Callable[[Terms], z3.BoolRef]] = {
    "x + 0.0 is x": alike(sql("+", X, lit(0.0)), X),
    "0.0 + x is x": alike(sql("+", lit(0.0), X), X),
    "x + 0 is x": result(py("+", X, lit(0)), "x", lambda t, v: is_(v, t["x"])),
    "x - 0 is x": result(sql("-", X, lit(0)), "x", lambda t, v: is_(v, t["x"])),
    "0 + x is x": result(sql("+", lit(0), X), "x", lambda t, v: is_(v, t["x"])),
    "0 + n is n": result(sql("+", lit(0), N), "n", lambda t, v: is_(v, t["n"])),
    "i + 0 is i": alike(sql("+", I, lit(0)), I),
    "0 + i is i": alike(sql("+", lit(0), I), I),
    "i - 0 is i": alike(sql("-", I, lit(0)), I),
    "a remainder raises nothing": lambda t: t.ok(sql("%", I, lit(1000))),
    "a remainder does not wrap": result(
        sql("%", I, lit(1000)), "i", lambda t, v: z3.Implies(t["i"] >= 0, v.term == t["i"] % 1000)
    ),
    "i + 0 raises nothing": lambda t: t.ok(sql("+", I, lit(0))),
    "floats add alike in both dialects": lambda t: z3.Implies(
        t.there("x", "y"), same(t.value(sql("+", X, Y)), t.value(py("+", X, Y)))
    ),
    "floats divide alike in both dialects": lambda t: z3.Implies(
        z3.And(t.there("x", "y"), t["y"] != 0), same(t.value(sql("/", X, Y)), t.value(py("/", X, Y)))
    ),
    "a float beside an integer, too": lambda t: z3.Implies(
        t.there("x", "i"), same(t.value(sql("*", X, I)), t.value(py("*", X, I)))
    ),
    "float arithmetic raises nothing in SQL": lambda t: z3.And(*(t.ok(sql(op, X, Y)) for op in ("+", "-", "*"))),
    "float division raises under ANSI alone": lambda t: z3.Implies(z3.Not(ansi()), t.ok(sql("/", X, Y))),
    "float division by what is not zero raises nothing": lambda t: z3.Implies(t["y"] != 0, t.ok(sql("/", X, Y))),
    "SQL division by zero is NULL without ANSI": lambda t: z3.Implies(
        z3.And(t.there("x", "y"), t["y"] == 0), t.value(sql("/", X, Y)).null
    ),
    "SQL remainder by zero is NULL without ANSI": lambda t: z3.Implies(
        z3.And(t.there("i", "j"), t["j"] == 0), t.value(sql("%", I, J)).null
    ),
    "integers are not lost": lambda t: z3.Implies(
        t.there("i", "j"),
        z3.Not(z3.Or(*(t.value(e).null for e in (sql("+", I, J), sql("-", I, J), sql("*", I, J), ir.Neg(I, "sql"))))),
    ),
    "nor are numbers under ANSI": lambda t: z3.Implies(
        z3.And(ansi(), t.there("m", "n"), *(t.ok(e) for e in (sql("+", M, N), ir.Neg(M, "sql")))),
        z3.Not(z3.Or(*(t.value(e).null for e in (sql("+", M, N), ir.Neg(M, "sql"))))),
    ),
    "equal operands of other types give equal results": lambda t: z3.Implies(
        z3.And(t.there("i", "x", "y"), z3.ToReal(t["i"]) == t["y"]),
        z3.And(
            *(same(t.value(py(op, I, X)), t.value(py(op, Y, X))) for op in ("-", "*", "%")),
            *(same(t.value(py(op, X, I)), t.value(py(op, X, Y))) for op in ("-", "*", "%")),
        ),
    ),
    "what is computed with NaN is NaN": lambda t: z3.And(
        z3.Implies(
            z3.And(t.row["x"].nan, z3.Not(t.row["x"].null), t.there("y"), t["y"] != 0),
            z3.And(*(t.value(py(op, *pair)).nan for op in ("+", "-", "*", "/", "%") for pair in ((X, Y), (X, I)))),
        ),
        z3.Implies(
            z3.And(t.row["y"].nan, z3.Not(t.row["y"].null), t.there("x")),
            z3.And(*(t.value(py(op, *pair)).nan for op in ("+", "-", "*", "/", "%") for pair in ((X, Y), (I, Y)))),
        ),
    ),
    "dividing by NaN is no error": lambda t: z3.Implies(
        z3.And(t.row["y"].nan, z3.Not(t.row["y"].null), t.there("x")),
        z3.And(*(t.ok(py(op, X, Y)) for op in ("/", "//", "%")), *(t.ok(sql(op, X, Y)) for op in ("/", "%"))),
    ),
    "mixed quotients are alike in both dialects": lambda t: z3.Implies(
        z3.And(t.there("x", "i"), t["x"] != 0, t["i"] != 0),
        z3.And(*(same(t.value(sql("/", *pair)), t.value(py("/", *pair))) for pair in ((X, I), (I, X)))),
    ),
    "true is 1": lambda t: z3.Implies(
        z3.And(t.there("b", "x", "y"), t["b"], t["y"] == 1),
        z3.And(
            same(t.value(py("*", B, X)), t.value(py("*", Y, X))), same(t.value(py("*", X, B)), t.value(py("*", X, Y)))
        ),
    ),
    "by zero it raises in Python, and under ANSI": lambda t: z3.Implies(
        z3.And(t.there(*"ijxymn"), t["j"] == 0, t["y"] == 0, t["n"] == 0),
        z3.Not(
            z3.Or(
                *(t.ok(py(op, *pair)) for op in ("/", "//", "%") for pair in ((I, J), (X, Y), (M, N))),
                z3.And(
                    ansi(), z3.Or(*(t.ok(sql(op, *pair)) for op in ("/", "%") for pair in ((I, J), (X, Y), (M, N))))
                ),
            )
        ),
    ),
    "a remainder is defined without ANSI": lambda t: z3.Implies(z3.Not(ansi()), t.ok(sql("%", I, J))),
    "nothing overflows with NULL": lambda t: z3.Implies(
        t.row["i"].null, z3.And(t.ok(sql("+", I, J)), t.ok(sql("*", J, I)))
    ),
    "NULL numbers raise nothing": lambda t: z3.Implies(
        t.row["m"].null, z3.And(t.ok(sql("+", M, N)), t.ok(sql("/", N, M)))
    ),
    "NULL is not negated": lambda t: z3.Implies(t.row["i"].null, t.ok(ir.Neg(I, "sql"))),
    "nothing overflows without ANSI": lambda t: z3.Implies(
        z3.Not(ansi()), z3.And(t.ok(sql("+", I, J)), t.ok(ir.Neg(I, "sql")))
    ),
    "small sums are exact": result(
        sql("+", I, J),
        "ij",
        lambda t, v: z3.Implies(
            z3.And(t["i"] + t["j"] <= SMALL, t["i"] + t["j"] >= -SMALL - 1), is_(v, t["i"] + t["j"])
        ),
    ),
    "small sums raise nothing": lambda t: z3.Implies(
        z3.And(t["i"] + t["j"] <= SMALL, t["i"] + t["j"] >= -SMALL - 1), t.ok(sql("+", I, J))
    ),
    "small differences raise nothing": lambda t: z3.Implies(
        z3.And(t["i"] - t["j"] <= SMALL, t["i"] - t["j"] >= -SMALL - 1), t.ok(sql("-", I, J))
    ),
    "small multiples raise nothing": lambda t: z3.Implies(z3.And(t["i"] < 60, t["i"] > -60), t.ok(sql("*", I, lit(2)))),
    "a sum under ANSI is exact": lambda t: z3.Implies(
        z3.And(ansi(), t.there("i", "j"), t.ok(sql("+", I, J))), is_(t.value(sql("+", I, J)), t["i"] + t["j"])
    ),
    "Python's sum of integers is exact": result(py("+", I, J), "ij", lambda t, v: is_(v, t["i"] + t["j"])),
    "Python's multiple is exact": result(py("*", lit(3), I), "i", lambda t, v: is_(v, 3 * t["i"])),
    "Python's // rounds down": result(
        py("//", I, lit(3)), "i", lambda t, v: z3.And(3 * v.term <= t["i"], t["i"] < 3 * v.term + 3)
    ),
    "Python's % is not negative": result(py("%", I, lit(3)), "i", lambda t, v: z3.And(v.term >= 0, v.term < 3)),
    "SQL's % has the dividend's sign": result(
        sql("%", I, lit(3)),
        "i",
        lambda t, v: z3.And(v.term < 3, v.term > -3, z3.Or(v.term == 0, (v.term > 0) == (t["i"] > 0))),
    ),
    "products are functions of their operands": lambda t: z3.Implies(
        z3.And(t.there("i", "j"), t["i"] == t["j"]), same(t.value(py("*", I, I)), t.value(py("*", J, J)))
    ),
    "-x is exact in both dialects": lambda t: z3.And(
        t.ok(ir.Neg(X, "sql")),
        z3.Implies(t.there("x"), z3.And(*(is_(t.value(ir.Neg(X, d)), -t["x"]) for d in ("sql", "python")))),
    ),
    "-NaN is NaN": lambda t: z3.Implies(
        t.row["x"].nan, z3.And(t.value(ir.Neg(X, "sql")).nan, t.value(ir.Neg(X, "python")).nan)
    ),
    "NaN + x is NaN": lambda t: z3.Implies(z3.And(t.row["x"].nan, t.there("y")), t.value(py("*", X, Y)).nan),
    "x * NaN is NaN": lambda t: z3.Implies(z3.And(t.row["y"].nan, t.there("x")), t.value(py("*", X, Y)).nan),
    "results are not beyond infinity": lambda t: z3.Implies(
        t.there("x", "y"), t.value(py("*", X, Y)).term <= t.encoder.infinity
    ),
    "Python numbers add without an error": lambda t: z3.Implies(t.there("m", "n"), t.ok(py("+", M, N))),
    "powers are functions of their operands": lambda t: z3.Implies(
        z3.And(t.there("x", "y"), t["x"] == t["y"]),
        z3.And(
            t.ok(py("**", X, lit(2))) == t.ok(py("**", Y, lit(2))),
            z3.Implies(t.ok(py("**", X, lit(2))), same(t.value(py("**", X, lit(2))), t.value(py("**", Y, lit(2))))),
        ),
    ),
    "an opaque text function is a function": lambda t: z3.Implies(
        z3.And(t.there("k", "l"), t["k"] == t["l"]),
        same(
            t.value(call(K)),
            t.value(
                call(
                    L,
                ),
                1,
            ),
        ),
    ),
    "of NULL as well": lambda t: z3.Implies(
        z3.And(t.row["k"].null, t.row["l"].null), same(t.value(call(K)), t.value(call(L), 1))
    ),
    "an opaque function of one row is one value": lambda t: same(t.value(call(X)), t.value(call(X))),
    "a text test is a function": lambda t: z3.Implies(
        z3.And(t.there("k", "l"), t["k"] == t["l"]),
        same(t.value(contains(K, K, "sql")), t.value(contains(L, K, "sql"))),
    ),
    "of both dialects": lambda t: z3.Implies(
        t.there("k", "l"), same(t.value(contains(K, L, "sql")), t.value(contains(K, L, "python")))
    ),
    "a total function raises nothing": lambda t: t.ok(ir.Call("f", (X,), ty.FLOAT, total=True)),
}


def call(e: Expr, name: str = "f", total: bool = True, kind: ir.CallKind = "function") -> Expr:
    return ir.Call(name, (e,), ty.INT, total, kind)


def contains(a: Expr, b: Expr, dialect: ir.Dialect, op: ir.StringOp = "contains") -> Expr:
    return ir.StringTest(op, a, b, dialect)


FREE: dict[str, Callable[[Terms], z3.BoolRef]] = {
    "a sum may overflow": lambda t: t.ok(sql("+", I, J)),
    "a difference may": lambda t: t.ok(sql("-", I, J)),
    "a product may": lambda t: t.ok(sql("*", I, J)),
    "a negation may": lambda t: t.ok(ir.Neg(I, "sql")),
    "a sum of numbers may": lambda t: t.ok(sql("+", M, N)),
    "a negated number may": lambda t: t.ok(ir.Neg(M, "sql")),
    "even a small one": lambda t: z3.Implies(z3.And(t.there("m"), t["m"] < 2, t["m"] > -2), t.ok(ir.Neg(M, "sql"))),
    "what has overflowed is a number or NULL": lambda t: z3.Implies(
        z3.And(t.there("m"), z3.Not(t.value(ir.Neg(M, "sql")).null)), t.value(ir.Neg(M, "sql")).term == -t["m"]
    ),
    "i + 1 may overflow": lambda t: t.ok(sql("+", I, lit(1))),
    "0 - i may overflow": lambda t: t.ok(sql("-", lit(0), I)),
    "a large sum wraps without ANSI": result(sql("+", I, J), "ij", lambda t, v: is_(v, t["i"] + t["j"])),
    "a sum just beyond a byte may overflow": lambda t: z3.Implies(
        z3.And(t["i"] + t["j"] == SMALL + 1, t.there("i", "j")), t.ok(sql("+", I, J))
    ),
    "a sum just below a byte may overflow": lambda t: z3.Implies(
        z3.And(t["i"] + t["j"] == -SMALL - 2, t.there("i", "j")), t.ok(sql("+", I, J))
    ),
    "a number may be lost": result(sql("+", M, N), "mn", lambda t, v: z3.Not(v.null)),
    "float sums are not those of reals": result(
        py("+", X, Y), "xy", lambda t, v: z3.Or(v.nan, v.term == t["x"] + t["y"])
    ),
    "inf - inf is NaN": result(py("-", X, Y), "xy", lambda t, v: z3.Not(v.nan)),
    "x + 0 may be another number in Python's floats": alike(py("+", I, lit(0.0)), I),
    "m + 0.0 is not m": alike(sql("+", M, lit(0.0)), M),
    "x - 0.0 is not claimed": alike(sql("-", X, lit(0.0)), X),
    "x * 0.0 is not 0": alike(sql("*", X, lit(0.0)), lit(0.0)),
    "remainders of floats differ": lambda t: z3.Implies(
        z3.And(t.there("x", "y"), t["y"] != 0), same(t.value(sql("%", X, Y)), t.value(py("%", X, Y)))
    ),
    "quotients of integers differ": lambda t: z3.Implies(
        z3.And(t.there("i", "j"), t["j"] != 0), same(t.value(sql("/", I, J)), t.value(py("/", I, J)))
    ),
    "unknown numbers differ": lambda t: z3.Implies(
        t.there("m", "n"), same(t.value(sql("+", M, N)), t.value(py("+", M, N)))
    ),
    "even where nothing overflows": lambda t: z3.Implies(
        z3.And(ansi(), t.there("m", "n"), t.ok(sql("+", M, N))), same(t.value(sql("+", M, N)), t.value(py("+", M, N)))
    ),
    "a quotient of numbers may overflow": lambda t: z3.Implies(
        z3.And(t.there("m", "i"), t["i"] != 0), t.ok(sql("/", M, I))
    ),
    "remainders of integers differ": lambda t: z3.Implies(
        z3.And(t.there("i", "j"), t["j"] != 0), same(t.value(sql("%", I, J)), t.value(py("%", I, J)))
    ),
    "a sum is no difference": lambda t: z3.Implies(
        t.there("x", "y"), same(t.value(py("+", X, Y)), t.value(py("-", X, Y)))
    ),
    "operands do not commute by themselves": lambda t: z3.Implies(
        t.there("x", "y"), same(t.value(py("*", X, Y)), t.value(py("*", Y, X)))
    ),
    "integer products neither": lambda t: z3.Implies(
        t.there("i", "j"), same(t.value(py("*", I, J)), t.value(py("*", J, I)))
    ),
    "a square is not known": result(py("*", I, I), "i", lambda t, v: v.term >= 0),
    "// by a column is not known": result(py("//", I, J), "ij", lambda t, v: z3.Implies(t["j"] == 1, v.term == t["i"])),
    "// by a negative is not known": result(py("//", I, lit(-3)), "i", lambda t, v: v.term == t["i"] / -3),
    "% by a negative is not known": result(sql("%", I, lit(-3)), "i", lambda t, v: v.term == t["i"] % -3),
    "Python divides by zero": lambda t: t.ok(py("/", X, lit(0))),
    "// by zero raises": lambda t: z3.Implies(t.there("i"), t.ok(py("//", I, J))),
    "SQL divides by zero under ANSI": lambda t: t.ok(sql("/", X, Y)),
    "division by NaN is no error": lambda t: z3.Implies(
        z3.And(t.there("x"), t.row["y"].nan), z3.Not(t.ok(py("/", X, Y)))
    ),
    "a power may raise": lambda t: z3.Implies(t.there("x", "y"), t.ok(py("**", X, Y))),
    "a power of NaN may be a number": lambda t: z3.Implies(
        z3.And(t.row["x"].nan, t.ok(py("**", X, lit(0)))), t.value(py("**", X, lit(0))).nan
    ),
    "1 ** NaN may be a number": lambda t: z3.Implies(
        z3.And(t.row["y"].nan, t.there("x"), t.ok(py("**", X, Y))), t.value(py("**", X, Y)).nan
    ),
    "a power may be NaN": result(py("**", X, Y), "xy", lambda t, v: z3.Not(v.nan)),
    "a power of NaN is not that of what it hides": lambda t: z3.Implies(
        z3.And(
            t.row["x"].nan,
            t.there("y"),
            t["x"] == t["y"],
            z3.Not(t.row["x"].null),
            t.ok(py("**", X, lit(2))),
            t.ok(py("**", Y, lit(2))),
        ),
        same(t.value(py("**", X, lit(2))), t.value(py("**", Y, lit(2)))),
    ),
    "a power by NaN is not that of what it hides": lambda t: z3.Implies(
        z3.And(
            t.row["x"].nan,
            t.there("y"),
            t["x"] == t["y"],
            z3.Not(t.row["x"].null),
            t.ok(py("**", lit(2), X)),
            t.ok(py("**", lit(2), Y)),
        ),
        same(t.value(py("**", lit(2), X)), t.value(py("**", lit(2), Y))),
    ),
    "opaque functions of equal numbers may differ": lambda t: z3.Implies(
        z3.And(t.there("x", "y"), t["x"] == t["y"]), same(t.value(call(X)), t.value(call(Y), 1))
    ),
    "opaque functions of other rows differ": lambda t: same(t.value(call(X)), t.value(call(X), 1)),
    "aggregates of other rows differ": lambda t: same(
        t.value(call(K, kind="state")), t.value(call(K, kind="state"), 1)
    ),
    "one function is not another": lambda t: same(t.value(call(K)), t.value(call(K, "g"))),
    "a function may be NULL": lambda t: z3.Not(t.value(call(K)).null),
    "a float function may be NaN": lambda t: z3.Not(t.value(ir.Call("f", (K,), ty.FLOAT, True)).nan),
    "a number function may be NaN": lambda t: z3.Not(t.value(ir.Call("f", (K,), ty.NUMBER, True)).nan),
    "a time function may be NaT": lambda t: z3.Not(t.value(ir.Call("f", (K,), ty.TIMESTAMP, True)).nan),
    "a function may raise": lambda t: t.ok(call(K, total=False)),
    "one text test is not another": lambda t: same(
        t.value(contains(K, L, "sql")), t.value(contains(K, L, "sql", "startswith"))
    ),
    "a text test has a direction": lambda t: same(t.value(contains(K, L, "sql")), t.value(contains(L, K, "sql"))),
    "a text test of None raises in Python": lambda t: z3.Implies(t.there("k"), t.ok(contains(K, L, "python"))),
    "of either": lambda t: z3.Implies(t.there("l"), t.ok(contains(K, L, "python"))),
    "NaT may not raise beside a date": lambda t: z3.Implies(
        z3.And(t.there("d"), z3.Not(t.row["t"].null)), z3.Not(t.ok(ir.Compare("<", D, T, "python")))
    ),
}


def large(t: Terms, *terms: z3.ExprRef) -> z3.BoolRef:
    """Neither operand is missing, and these results may overflow."""
    return z3.And(t.there("i", "j", "m", "n"), t["i"] != t["j"], t["m"] != t["n"], *(x > 1000 for x in terms))


@pytest.mark.parametrize(("a", "b"), [(I, J), (M, N)])
@pytest.mark.parametrize("swapped", [False, True])
def test_overflow_depends_on_both_operands(a: Expr, b: Expr, swapped: bool) -> None:
    """Whether it happens, and what comes out of it."""
    t = Terms()
    one, other = (sql("*", *pair) for pair in ([(b, a), (b, b)] if swapped else [(a, b), (b, b)]))
    exact = [t.value(ir.Arith("*", e.left, e.right, "python")).term for e in (one, other)]  # type: ignore[union-attr]
    values = [t.value(e) for e in (one, other)]
    given = large(t, *exact, *(v.term for v in values))
    assert not t.valid(z3.Implies(given, t.ok(one) == t.ok(other)))
    overflowed = [v.term != x for v, x in zip(values, exact, strict=True)]
    wrapped = z3.And(given, z3.Not(ansi()), *overflowed)
    assert not t.valid(z3.Not(wrapped))
    assert not t.valid(z3.Implies(wrapped, values[0].term == values[1].term))
    if a is M:
        assert not t.valid(z3.Implies(wrapped, values[0].null == values[1].null))


@pytest.mark.parametrize(("a", "b"), [(I, J), (M, N)])
def test_overflow_of_a_negation_depends_on_its_operand(a: Expr, b: Expr) -> None:
    t = Terms()
    one, other = ir.Neg(a, "sql"), ir.Neg(b, "sql")
    negatives = z3.And(t.there("i", "j", "m", "n"), t["i"] < -1000, t["j"] < -1000, t["i"] != t["j"], t["m"] != t["n"])
    assert not t.valid(z3.Implies(negatives, t.ok(one) == t.ok(other)))
    wrapped = z3.And(
        negatives, z3.Not(ansi()), *(t.value(e).term != -t[c] for e, c in zip((one, other), _names(a, b), strict=True))
    )
    assert not t.valid(z3.Not(wrapped))
    assert not t.valid(z3.Implies(wrapped, t.value(one).term == t.value(other).term))


def _names(*columns: Expr) -> list[str]:
    return [c.name for c in columns if isinstance(c, ir.Col)]


@pytest.mark.parametrize("op", ["*", "//", "%"])
@pytest.mark.parametrize("dialect", ["python", "sql"])
@pytest.mark.parametrize("types", [(I, J), (X, Y), (M, N)], ids=["int", "float", "number"])
def test_what_is_not_known_depends_on_both_operands(
    op: ir.ArithOp, dialect: ir.Dialect, types: tuple[Expr, Expr]
) -> None:
    if (op, dialect) == ("//", "sql"):
        return
    a, b = types
    t = Terms()
    for one, other in (((a, b), (b, b)), ((b, a), (b, b))):
        values = [t.value(ir.Arith(op, *pair, dialect)) for pair in (one, other)]
        assert not t.valid(z3.Implies(large(t), values[0].term == values[1].term))
        if a is not I:
            assert not t.valid(z3.Implies(z3.And(large(t), t.there("x", "y")), values[0].nan == values[1].nan))


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known(name: str) -> None:
    terms = Terms()
    assert terms.valid(KNOWN[name](terms))


@pytest.mark.parametrize("name", FREE)
def test_what_is_free(name: str) -> None:
    terms = Terms()
    assert not terms.valid(FREE[name](terms))


BROKEN = ir.Compare(">", ir.Arith("/", lit(1), X, "sql"), lit(0), "sql")


@pytest.mark.parametrize(
    "e",
    [ir.And((ir.IsNull(X), BROKEN)), ir.Or((ir.Not(ir.IsNull(X)), BROKEN)), ir.If(ir.IsNull(X), ir.TRUE, BROKEN),
     ir.If(ir.IsNull(X), BROKEN, ir.TRUE), ir.If(ir.IsNull(BROKEN), ir.TRUE, ir.FALSE)],
)  # fmt: skip
def test_strictly_every_part_must_be_defined(e: Expr) -> None:
    terms = Terms()
    assert terms.valid(z3.Implies(terms.ok(e, strict=True), terms.ok(BROKEN)))
    assert terms.valid(z3.Implies(terms.ok(BROKEN), terms.ok(e, strict=True)))


@pytest.mark.parametrize(
    "e",
    [py("+", K, I), py("+", I, K), sql("+", D, I), sql("-", I, T), ir.Neg(K, "sql"), ir.Neg(D, "python"),
     py("+", lit(0), D), py("+", D, lit(0)), py("-", K, lit(0)), sql("+", lit(0), K),
     sql("//", I, J), sql("**", I, J), sql("//", X, Y),
     sql("**", X, Y), contains(I, K, "sql"), contains(K, X, "python"), ir.Not(K),
     ir.And((ir.TRUE, I)), ir.Or((X, ir.FALSE)), ir.Same(K, I), ir.Same(I, X), ir.Compare("<", I, X, "sql"),
     ir.Compare("==", X, I, "sql"), ir.Compare("==", K, I, "sql"), ir.Compare("<", B, I, "sql"),
     ir.Compare("<", D, T, "sql"), ir.If(ir.TRUE, K, I), ir.Compare("<", I, lit(float(2**53)), "sql"),
     ir.Compare("<", X, lit(2**53), "sql"), ir.Compare("<", X, lit(-(2**53)), "sql"),
     ir.Compare("<", I, lit(-float(2**53)), "sql")],
    ids=str,
)  # fmt: skip
def test_what_has_no_encoding(e: Expr) -> None:
    with pytest.raises(UnsupportedTerm):
        Terms().value(e)


@pytest.mark.parametrize(
    "e",
    [ir.Compare("<", I, lit(float(2**53 - 1)), "sql"), ir.Compare("<", X, lit(2**53 - 1), "sql"),
     ir.Compare("<", lit(7), X, "sql"), ir.Compare("<", X, lit(1 - 2**53), "sql"), ir.Same(X, lit(3)),
     ir.Compare("==", B, ir.TRUE, "sql"), ir.Compare("<", I, X, "python"), ir.Compare("==", K, I, "python"),
     ir.Compare("<", K, I, "python"), sql("+", I, NULL), sql("+", NULL, I), py("*", I, NULL),
     py("*", NULL, I), sql("-", NULL, NULL),
     ir.Neg(NULL, "sql"), ir.Neg(B, "python"), sql("%", X, Y), py("**", I, J), py("//", X, Y)],
    ids=str,
)  # fmt: skip
def test_what_has_one(e: Expr) -> None:
    Terms().value(e)


def partial(t: ty.Type) -> Expr:
    """A value whose evaluation may raise."""
    value = ir.Call("partial", (K,), ty.INT if t == ty.NULL else t, total=False)
    return ir.If(ir.IsNull(value), NULL, NULL) if t == ty.NULL else value


def strict_nodes(dialect: ir.Dialect) -> list[tuple[Expr, Expr]]:
    """Every node, with each of the operands that it always evaluates."""
    found: list[tuple[Expr, Expr]] = []
    for t, other in ((ty.INT64, I), (ty.FLOAT, X), (ty.NUMBER, N), (ty.NULL, I), (ty.INT64, NULL), (ty.NULL, NULL)):
        raising = partial(t)
        for a, b in ((raising, other), (other, raising)):
            found += [(ir.Arith(op, a, b, dialect), raising) for op in ("+", "-", "*", "/", "%")]
            found += [(ir.Compare(op, a, b, dialect), raising) for op in ("==", "!=", "<", ">=")]
            found += [(ir.Same(a, b), raising), (ir.In(a, (b, other), dialect), raising)]
        found += [(ir.Neg(raising, dialect), raising), (ir.IsNull(raising), raising), (ir.IsNaN(raising), raising)]
        found += [(ir.Truthy(raising), raising), (ir.Call("f", (other, raising), ty.INT, True), raising)]
    flag, text = partial(ty.BOOL), partial(ty.STRING)
    found += [(ir.And((flag, B), dialect), flag), (ir.Or((flag, B), dialect), flag), (ir.If(flag, I, J), flag)]
    found += [(ir.Not(flag, dialect), flag), (ir.IsTrue(flag), flag)]
    found += [(contains(a, b, dialect), text) for a, b in ((text, L), (L, text), (text, NULL), (NULL, text))]
    return found


@pytest.mark.parametrize("dialect", ["sql", "python"])
def test_an_operand_that_raises_is_an_error_of_the_whole(dialect: ir.Dialect) -> None:
    t = Terms()
    solver = z3.Solver()
    for e, operand in strict_nodes(dialect):
        assert solver.check(t.ok(e), z3.Not(t.ok(operand))) == z3.unsat, e


@pytest.mark.parametrize("dialect", ["sql", "python"])
@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%", "//", "**"])
def test_the_kind_of_a_result(op: ir.ArithOp, dialect: ir.Dialect) -> None:
    t = Terms()
    for a in (I, X, N, B):
        for b in (J, Y, M, B):
            kinds = {t.row[c].kind for c in _names(a, b)}
            if dialect == "sql" and (op in ("//", "**") or "bool" in kinds):
                continue
            whole = kinds <= {"int", "bool"}
            fractional = "float" if "float" in kinds or (whole and op == "/") else "number"
            found = t.value(ir.Arith(op, a, b, dialect))
            assert found.kind == ("int" if whole and op not in ("/", "**") else fractional)
            assert z3.is_int(found.term) == (found.kind == "int")


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%"])
def test_spark_does_not_compute_with_truths(op: ir.ArithOp) -> None:
    """``(x > 3) + (y > 3)`` is a number to Python, and no query to Spark."""
    t = Terms()
    for e in (ir.Arith(op, B, I, "sql"), ir.Arith(op, I, B, "sql"), ir.Arith(op, B, B, "sql"), ir.Neg(B, "sql")):
        with pytest.raises(UnsupportedTerm):
            t.value(e)


def test_what_raises_does_not_hold() -> None:
    t = Terms()
    for e in (partial(ty.BOOL), BROKEN, ir.Compare("==", partial(ty.INT64), I, "sql")):
        scope = Scope(row=t.row)
        assert t.valid(t.encoder.holds(e, scope) == z3.And(t.ok(e), is_true(t.value(e))))


def test_being_strict_changes_no_value() -> None:
    t = Terms()
    one, other = ir.Compare(">", X, lit(1), "sql"), ir.Compare("<", I, J, "sql")
    for e in (ir.If(one, X, Y), ir.If(B, I, NULL), ir.And((one, other)), ir.Or((one, other, B)), ir.Not(one)):
        strict, _ = t.encoder.eval(e, Scope(row=t.row, strict=True))
        assert t.valid(same(strict, t.value(e)))
