"""Random small fold problems of the kinds that people write: extrema, counters, flags, sums, first and last values, in
either dialect, with and without keys and merge."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn, StateSlot

from . import problems as p

X, N, B = Column("x", ty.FLOAT), Column("n", ty.INT64), Column("b", ty.BOOL)
NUMBERS = (-1, 0, 1)
KINDS = ("extremum", "extremum", "count", "count", "flag", "sum", "last", "first", "saturate")


@dataclass(frozen=True)
class Part:
    """One slot: type, initial value, step, merge (None if this kind is never merged) and finisher."""

    type: ty.Type
    init: Expr
    step: Expr
    merge: Expr | None
    output: Expr


class Writer:
    """Writes one problem."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.columns = self.chance.choice(((X,), (N,), (X, N), (N, B), (X, B)))

    def number(self) -> Expr:
        """A constant around which the sampled values lie."""
        return p.num(self.chance.choice(NUMBERS))

    def compare(self, a: Expr, b: Expr, dialect: ir.Dialect) -> Expr:
        """A comparison."""
        return ir.Compare(self.chance.choice(("==", "!=", "<", "<=", ">", ">=")), a, b, dialect)

    def column(self) -> Column:
        """A numeric column."""
        return self.chance.choice([c for c in self.columns if c is not B])

    def row_test(self, dialect: ir.Dialect, depth: int = 1) -> Expr:
        """A condition on the row."""
        kind = self.chance.randrange(9)
        if depth and kind < 3:
            parts = tuple(self.row_test(dialect, depth - 1) for _ in range(2))
            return (ir.And(parts, dialect), ir.Or(parts, dialect), ir.Not(parts[0], dialect))[kind]
        name = self.column().name
        shown = p.view(name) if dialect == "python" else ir.Col(name)
        if B in self.columns and kind == 3:
            return ir.Truthy(ir.Col("b")) if dialect == "python" else ir.Col("b")
        if kind == 4:
            return p.missing(shown) if dialect == "python" else ir.IsNull(shown)
        if kind == 5:
            shown = ir.Arith(self.chance.choice(("+", "-", "*")), shown, self.number(), dialect)
        return self.compare(shown, self.number(), dialect)

    def part(self, i: int, native: bool) -> Part:
        """One slot and what comes of it."""
        dialect: ir.Dialect = "sql" if native else "python"
        slot, left, right = ir.Slot(i), ir.Slot(i, 1), ir.Slot(i, 2)
        kind = self.chance.choice(KINDS)
        column = self.column()
        shown = ir.Col(column.name) if native else p.view(column.name)
        t = ty.FLOAT if not native else column.type
        test = self.row_test(dialect)
        more: Expr = ir.Arith("+", slot, p.num(1), "python")
        if kind == "extremum":
            op: ir.CompareOp = self.chance.choice(("<", ">", "<=", ">="))
            if native:
                step, merge = p.extremum(self.chance.choice(("<", ">")), column.name, i)
                return Part(t, p.NULL, step, merge, slot)
            init = self.chance.choice((p.NULL, p.NAN, p.num(0.0), p.num(float("-inf"))))
            better = p.either(p.missing(slot), p.py(op, shown, slot))
            if self.chance.random() < 0.5:
                better = ir.And((ir.Not(p.missing(shown), "python"), better), "python")
            return Part(ty.NUMBER, init, ir.If(better, shown, slot), None, p.returned(slot))
        if kind == "count":
            return Part(ty.INT, p.num(0), ir.If(test, more, slot), ir.Arith("+", left, right, "python"), slot)
        if kind == "saturate":
            bounded = ir.And((test, p.py("<", slot, p.num(2))), "python")
            return Part(ty.INT, p.num(0), ir.If(bounded, more, slot), None, slot)
        if kind == "flag":
            start = self.chance.random() < 0.3
            both = (ir.And if start else ir.Or)((left, right), "python")
            step = ir.If(test, ir.FALSE if start else ir.TRUE, slot)
            return Part(ty.BOOL, ir.TRUE if start else ir.FALSE, step, both, slot)
        if kind == "sum" and native and t == ty.INT64:
            fold = p.summing(t)
            assert fold.merge is not None
            step, merge = (ir.transform(e, renamed(i, column)) for e in (fold.step[0], fold.merge[0]))
            return Part(t, p.NULL, step, merge, slot)
        if kind in ("sum", "last"):
            return Part(ty.NUMBER, p.NULL, ir.If(test, shown, slot), None, p.returned(slot))
        known = ir.If(ir.IsNull(slot), shown, slot)
        return Part(ty.NUMBER, p.NULL, known, None, p.returned(slot))

    def predicate(self, outs: list[OutputColumn], depth: int = 1) -> Expr:
        """A filter over the outputs."""
        kind = self.chance.randrange(8)
        if depth and kind < 4:
            parts = tuple(self.predicate(outs, depth - 1) for _ in range(2))
            return (ir.And(parts), ir.And(parts), ir.Or(parts), ir.Not(parts[0]))[kind]
        out = self.chance.choice(outs)
        read = ir.Out(out.name)
        if kind == 4:
            return ir.IsNull(read)
        if out.type == ty.BOOL:
            return read
        if out.type == ty.STRING:
            return p.sql(self.chance.choice(("==", "!=")), read, p.text("a"))
        others = [o for o in outs if o.name != out.name and o.type == out.type]
        if kind == 5 and others:
            return self.compare(read, ir.Out(self.chance.choice(others).name), "sql")
        return self.compare(read, self.number(), "sql")

    def problem(self) -> FoldProblem:
        """The problem."""
        native = self.chance.random() < 0.4
        grouped = not native or self.chance.random() < 0.8
        parts = [self.part(i, native) for i in range(self.chance.choice((1, 1, 2)))]
        merge = tuple(q.merge for q in parts if q.merge is not None)
        outs = [OutputColumn(f"o{i}", q.type, q.output) for i, q in enumerate(parts)]
        emit = ir.TRUE
        if not native and self.chance.random() < 0.2 and parts[0].type == ty.INT:
            emit = p.py(">", ir.Slot(0), p.num(0))
        fold = Fold(
            "fold", "agg" if native else "applyInPandas", ((p.KEY,) if grouped else ()) + self.columns,
            tuple(StateSlot(f"s{i}", q.type) for i, q in enumerate(parts)), tuple(q.init for q in parts),
            tuple(q.step for q in parts), ((p.KEY_OUT,) if grouped else ()) + tuple(outs),
            merge=merge if native and len(merge) == len(parts) else None, emit=emit, grouped=grouped,
        )  # fmt: skip
        return FoldProblem(fold, self.predicate([*outs, p.KEY_OUT] if grouped else outs))


def renamed(i: int, column: Column) -> Callable[[Expr], Expr | None]:
    """Makes slot 0 slot ``i`` and every column ``column``."""

    def rename(e: Expr) -> Expr | None:
        if isinstance(e, ir.Slot):
            return ir.Slot(i, e.side)
        return ir.Col(column.name) if isinstance(e, ir.Col) else None

    return rename
