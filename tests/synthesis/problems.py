"""Hand-built fold problems, each a shape that the papers or THEORY.md name."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn, StateSlot

NULL = ir.Lit(None, ty.NULL)
NAN = ir.Lit(float("nan"), ty.FLOAT)
KEY = Column("k", ty.STRING, is_key=True)
KEY_OUT = OutputColumn("k", ty.STRING, ir.Col("k"))


def num(v: int | float) -> Expr:
    return ir.Lit(v, ty.INT if isinstance(v, int) else ty.FLOAT)


def text(v: str) -> Expr:
    return ir.Lit(v, ty.STRING)


def sql(op: ir.CompareOp, a: Expr, b: Expr) -> Expr:
    return ir.Compare(op, a, b, "sql")


def py(op: ir.CompareOp, a: Expr, b: Expr) -> Expr:
    return ir.Compare(op, a, b, "python")


def either(*parts: Expr) -> Expr:
    return ir.Or(parts, "python")


def view(column: str) -> Expr:
    """A float column as pandas shows it: NULL is NaN."""
    return ir.If(ir.IsNull(ir.Col(column)), NAN, ir.Col(column))


def returned(e: Expr) -> Expr:
    """What Spark makes of a value that a pandas function returns: NaN and None become NULL."""
    return ir.If(ir.Or((ir.IsNull(e), ir.IsNaN(e))), NULL, e)


def missing(e: Expr) -> Expr:
    """``pd.isna(e)``."""
    return either(ir.IsNull(e), ir.IsNaN(e))


def top2(guarded: bool = True) -> Fold:
    """001 Example 2.2."""
    s, first, second = view("score"), ir.Slot(0), ir.Slot(1)
    best = either(ir.IsNull(first), py(">", s, first))
    next_best = either(ir.IsNull(second), py(">", s, second))
    step: tuple[Expr, ...] = (ir.If(best, s, first), ir.If(best, first, ir.If(next_best, s, second)))
    if guarded:
        step = tuple(ir.If(missing(s), ir.Slot(i), e) for i, e in enumerate(step))
    outs = (KEY_OUT, *(OutputColumn(n, ty.FLOAT, returned(ir.Slot(i))) for i, n in enumerate(("first", "second"))))
    slots = (StateSlot("first", ty.FLOAT), StateSlot("second", ty.FLOAT))
    return Fold("top2", "applyInPandas", (KEY, Column("score", ty.FLOAT)), slots, (NULL, NULL), step, outs)


BOTH_90 = ir.And((sql(">=", ir.Out("first"), num(90)), sql(">=", ir.Out("second"), num(90))))


def native(
    column: Column, slot: StateSlot, init: Expr, step: Expr, merge: Expr, grouped: bool = True, extra: tuple[tuple[
        Column, StateSlot, Expr, Expr, Expr], ...] = (),
) -> Fold:  # fmt: skip
    """A native aggregate (with further ones beside it)."""
    parts = ((column, slot, init, step, merge), *extra)
    columns = tuple(dict.fromkeys(p[0] for p in parts))
    outs = tuple(OutputColumn(p[1].name, p[1].type, ir.Slot(i)) for i, p in enumerate(parts))
    return Fold(
        "agg", "agg", ((KEY, *columns) if grouped else columns), tuple(p[1] for p in parts), tuple(p[2] for p in parts),
        tuple(p[3] for p in parts), ((KEY_OUT, *outs) if grouped else outs), merge=tuple(p[4] for p in parts),
        grouped=grouped,
    )  # fmt: skip


def extremum(op: ir.CompareOp, column: str, slot: int) -> tuple[Expr, Expr]:
    """Step and merge of Spark's max (``>``) or min (``<``): NULL ignored."""
    c, s, left, right = ir.Col(column), ir.Slot(slot), ir.Slot(slot, 1), ir.Slot(slot, 2)
    step = ir.If(ir.IsNull(c), s, ir.If(ir.Or((ir.IsNull(s), sql(op, c, s))), c, s))
    both = ir.If(sql(op, left, right), left, right)
    return step, ir.If(ir.IsNull(left), right, ir.If(ir.IsNull(right), left, both))


def maximum(t: ty.Type, grouped: bool = True) -> Fold:
    step, merge = extremum(">", "x", 0)
    return native(Column("x", t), StateSlot("m", t), NULL, step, merge, grouped)


def minimum(t: ty.Type) -> Fold:
    step, merge = extremum("<", "x", 0)
    return native(Column("x", t), StateSlot("m", t), NULL, step, merge)


def counting(condition: Expr, slot: int) -> tuple[Expr, Expr]:
    """Step and merge of ``count_if(condition)``."""
    step = ir.If(condition, ir.Arith("+", ir.Slot(slot), num(1), "python"), ir.Slot(slot))
    return step, ir.Arith("+", ir.Slot(slot, 1), ir.Slot(slot, 2), "python")


def count_if_error(grouped: bool = True) -> Fold:
    step, merge = counting(ir.Col("error"), 0)
    return native(Column("error", ty.BOOL), StateSlot("n", ty.INT), num(0), step, merge, grouped)


def max_beside_count() -> Fold:
    """``max(x)`` with ``count(*)`` in the same agg."""
    step, merge = extremum(">", "x", 0)
    count, merged = counting(ir.TRUE, 1)
    beside = (Column("x", ty.INT64), StateSlot("n", ty.INT), num(0), count, merged)
    return native(Column("x", ty.INT64), StateSlot("m", ty.INT64), NULL, step, merge, extra=(beside,))


def summing(t: ty.Type) -> Fold:
    """Spark's ``sum``: NULL ignored, NULL for no value."""
    x, s, left, right = ir.Col("x"), ir.Slot(0), ir.Slot(0, 1), ir.Slot(0, 2)
    step = ir.If(ir.IsNull(x), s, ir.If(ir.IsNull(s), x, ir.Arith("+", s, x, "sql")))
    merge = ir.If(ir.IsNull(left), right, ir.If(ir.IsNull(right), left, ir.Arith("+", left, right, "sql")))
    return native(Column("x", t), StateSlot("s", t), NULL, step, merge)


def collecting() -> Fold:
    """``max(x)`` beside an aggregate that is not modelled."""
    step, merge = extremum(">", "x", 0)
    call = ir.Call("collect_list", (ir.Slot(1), ir.Col("x")), ty.ANY, True, "state")
    merged = ir.Call("collect_list:merge", (ir.Slot(1, 1), ir.Slot(1, 2)), ty.ANY, True, "state")
    beside = (Column("x", ty.INT64), StateSlot("l", ty.ANY), NULL, call, merged)
    return native(Column("x", ty.INT64), StateSlot("m", ty.INT64), NULL, step, merge, extra=(beside,))


def open_close() -> Fold:
    """001 Appendix D, case B: the trade at the first and at the last epoch."""
    epoch, price = view("epoch"), view("price")
    opens, closes = (either(ir.IsNull(ir.Slot(s)), py(op, epoch, ir.Slot(s))) for s, op in ((1, "<"), (3, ">")))  # type: ignore[arg-type]
    raw = (
        ir.If(opens, price, ir.Slot(0)), ir.If(opens, epoch, ir.Slot(1)),
        ir.If(closes, price, ir.Slot(2)), ir.If(closes, epoch, ir.Slot(3)),
    )  # fmt: skip
    step = tuple(ir.If(missing(epoch), ir.Slot(i), e) for i, e in enumerate(raw))
    names = ("openPrice", "openEpoch", "closePrice", "closeEpoch")
    types = (ty.FLOAT, ty.NUMBER, ty.FLOAT, ty.NUMBER)
    outs = (
        KEY_OUT,
        *(OutputColumn(n, t, returned(ir.Slot(i))) for i, (n, t) in enumerate(zip(names, types, strict=True))),
    )
    columns = (KEY, Column("price", ty.FLOAT), Column("epoch", ty.INT64))
    init = (num(0), NULL, num(0), NULL)
    return Fold("open_close", "applyInPandas", columns, tuple(map(StateSlot, names, types)), init, step, outs)


def event_counters() -> Fold:
    """001 Appendix D, case A: two counters and the time span."""
    ts = view("ts")

    def counter(i: int, action: str) -> Expr:
        return ir.If(py("==", ir.Col("action"), text(action)), ir.Arith("+", ir.Slot(i), num(1), "python"), ir.Slot(i))

    step = (
        counter(0, "time"), counter(1, "price"),
        ir.If(either(ir.IsNull(ir.Slot(2)), py("<", ts, ir.Slot(2))), ts, ir.Slot(2)),
        ir.If(either(ir.IsNull(ir.Slot(3)), py(">", ts, ir.Slot(3))), ts, ir.Slot(3)),
    )  # fmt: skip
    names, types = ("n_time", "n_price", "first", "last"), (ty.INT, ty.INT, ty.NUMBER, ty.NUMBER)
    outs = (
        KEY_OUT,
        *(OutputColumn(n, t, returned(ir.Slot(i))) for i, (n, t) in enumerate(zip(names, types, strict=True))),
    )
    columns = (KEY, Column("action", ty.STRING), Column("ts", ty.INT64))
    init = (num(0), num(0), NULL, NULL)
    facts = (ir.Not(ir.IsNull(ir.Col("ts"))),)
    return Fold("events", "applyInPandas", columns, tuple(map(StateSlot, names, types)), init, step, outs, facts=facts)


OPEN_CLOSE = FoldProblem(open_close(), ir.And((
    sql(">", ir.Out("openPrice"), num(10)), sql("<=", ir.Out("openEpoch"), num(1000)),
    sql(">", ir.Out("closePrice"), num(10)), sql(">=", ir.Out("closeEpoch"), num(2000)),
)))  # fmt: skip
EVENTS = FoldProblem(event_counters(), ir.And((
    sql(">", ir.Out("n_time"), num(0)), sql(">", ir.Out("n_price"), num(3)),
    ir.Not(ir.IsNull(ir.Out("first"))), ir.Not(ir.IsNull(ir.Out("last"))),
    ir.Or((sql("<=", ir.Out("first"), num(1990)), sql("==", ir.Out("first"), num(1980)))),
    sql(">=", ir.Out("last"), num(1995)),
)))  # fmt: skip


def m(op: ir.CompareOp, c: int | float) -> Expr:
    return sql(op, ir.Out("m"), num(c))


def n(op: ir.CompareOp, c: int) -> Expr:
    return sql(op, ir.Out("n"), num(c))


def n_of(name: str, op: ir.CompareOp, c: int) -> Expr:
    return sql(op, ir.Out(name), num(c))


def two_conditional_maxima() -> FoldProblem:
    """``max(when(kind = 'a', x)) > 5`` and ``max(when(kind = 'b', y)) > 5``."""

    def only(kind: str, column: str, slot: int) -> tuple[Expr, Expr]:
        step, merge = extremum(">", column, slot)
        return ir.If(sql("==", ir.Col("kind"), text(kind)), step, ir.Slot(slot)), merge

    (step1, merge1), (step2, merge2) = only("a", "x", 0), only("b", "y", 1)
    columns = (KEY, Column("kind", ty.STRING), Column("x", ty.INT64), Column("y", ty.INT64))
    outs = (KEY_OUT, *(OutputColumn(n, ty.INT64, ir.Slot(i)) for i, n in enumerate(("m1", "m2"))))
    slots = (StateSlot("m1", ty.INT64), StateSlot("m2", ty.INT64))
    fold = Fold("agg", "agg", columns, slots, (NULL, NULL), (step1, step2), outs, merge=(merge1, merge2))
    return FoldProblem(fold, ir.And((n_of("m1", ">", 5), n_of("m2", ">", 5))))


def summed_flags() -> Fold:
    """``sum(when(error, 1).otherwise(0))``, Spark's long addition."""
    s, left, right = ir.Slot(0), ir.Slot(0, 1), ir.Slot(0, 2)

    def added(c: int) -> Expr:
        return ir.If(ir.IsNull(s), num(c), ir.Arith("+", s, num(c), "sql"))

    both = ir.Arith("+", left, right, "sql")
    merge = ir.If(ir.IsNull(left), right, ir.If(ir.IsNull(right), left, both))
    step = ir.If(ir.Col("error"), added(1), added(0))
    return native(Column("error", ty.BOOL), StateSlot("n", ty.INT64), NULL, step, merge)


def any_flag() -> Fold:
    """``(pdf["x"] > 100).any()``: a flag without a conditional."""
    step = ir.Or((ir.Slot(0), py(">", view("x"), num(100))), "python")
    outs = (KEY_OUT, OutputColumn("f", ty.BOOL, ir.Truthy(ir.Slot(0))))
    columns = (KEY, Column("x", ty.FLOAT))
    return Fold("any", "applyInPandas", columns, (StateSlot("f", ty.BOOL),), (ir.FALSE,), (step,), outs)
