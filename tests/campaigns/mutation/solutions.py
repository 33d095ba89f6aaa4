"""Mutants of proved solutions: a stronger ``G``, a weaker ``R``, another ``ψ``. Each is rejected by the checker, or
runs on small tables as the original does, and is then filed under the reason why it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import z3

from headwater.proof.certificate import certify
from headwater.proof.checker import MalformedCertificate, accepted, check
from headwater.proof.vocabulary import Vocabulary
from headwater.semantics.symbolic import Scope
from headwater.semantics.values import UnsupportedTerm, fresh_context
from headwater_ir import expr as ir
from headwater_ir.expr import CompareOp, Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, Kind, Solution

from .oracle import Oracle

Part = Literal["G", "R", "ψ"]
STRICTER: dict[CompareOp, tuple[CompareOp, ...]] = {
    ">=": (">", "=="), "<=": ("<", "=="), ">": ("==",), "<": ("==",), "!=": ("<", ">"), "==": (),
}  # fmt: skip
LOOSER: dict[CompareOp, tuple[CompareOp, ...]] = {
    ">": (">=", "!="), "<": ("<=", "!="), "==": (">=", "<="), ">=": (), "<=": (), "!=": (),
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One altered solution."""

    part: Part
    change: str
    solution: Solution


@dataclass
class Tally:
    """What became of the mutants. ``holes``: accepted, and wrong on a small table. ``wrong``: rejected, and wrong on a
    small table, which is how the oracle shows that it would notice."""

    made: Counter[Part] = field(default_factory=Counter)
    rejected: Counter[Part] = field(default_factory=Counter)
    wrong: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    holes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{'part':6} {'mutants':>8} {'rejected':>9} {'shown right':>12}"]
        lines += [f"{p:6} {n:8} {self.rejected[p]:9} {n - self.rejected[p]:12}" for p, n in sorted(self.made.items())]
        lines += [f"{n:6} accepted: {reason}" for reason, n in self.accepted.most_common()]
        lines.append(f"{self.wrong} of the rejected also differ on a small table")
        return "\n".join([*lines, *(f"HOLE {h}" for h in self.holes)])


def mutants(problem: FoldProblem, s: Solution) -> Iterator[Mutant]:
    """Every mutant of one solution, without repetition."""
    seen = {(s.pre_filter, s.residual, s.invariant)}
    for part, change, made in _all(problem, s):
        key = (made.pre_filter, made.residual, made.invariant)
        if key not in seen:
            seen.add(key)
            yield Mutant(part, change, replace(made, kind=_kind(problem, made)))


def _all(problem: FoldProblem, s: Solution) -> Iterator[tuple[Part, str, Solution]]:
    for change, g in _stronger(problem, s.pre_filter):
        yield "G", change, replace(s, pre_filter=g)
    for change, r in _weaker(problem, s.residual):
        yield "R", change, replace(s, residual=r)
    for change, psi in _other(s.invariant):
        yield "ψ", change, replace(s, invariant=psi)


def _kind(problem: FoldProblem, s: Solution) -> Kind:
    return "exact" if s.residual == ir.TRUE else "partial" if s.residual == problem.predicate else "split"


def _stronger(problem: FoldProblem, g: Expr) -> Iterator[tuple[str, Expr]]:
    yield "FALSE", ir.FALSE
    for c in problem.fold.columns:
        if not c.ghost:
            yield "one more conjunct", ir.And((g, ir.Not(ir.IsNull(ir.Col(c.name)))))
            if c.type.name in ("int", "float", "number"):
                yield "one more conjunct", ir.And((g, ir.Compare("!=", ir.Col(c.name), ir.Lit(0, c.type), "sql")))
                yield "one more conjunct", ir.And((g, ir.Compare("<", ir.Col(c.name), ir.Lit(1000, c.type), "sql")))
            if c.type.name == "float":
                yield "one more conjunct", ir.And((g, ir.Not(ir.IsNaN(ir.Col(c.name)))))
            if c.type.name == "string":
                yield "one more conjunct", ir.And((g, ir.Compare("<", ir.Col(c.name), ir.Lit("m", c.type), "sql")))
    yield from _altered(g, STRICTER, "a stricter comparison")
    yield from _moved_constants(g)
    yield from _without_disjuncts(g)


def _weaker(problem: FoldProblem, r: Expr) -> Iterator[tuple[str, Expr]]:
    yield "TRUE", ir.TRUE
    yield "FALSE", ir.FALSE
    yield "the whole filter", problem.predicate
    yield "the negated filter", ir.Not(problem.predicate)
    for base in dict.fromkeys((r, problem.predicate)):
        parts = ir.conjuncts(base)
        if len(parts) > 1:
            for i in range(len(parts)):
                yield "one conjunct less", ir.conjoin([*parts[:i], *parts[i + 1 :]])
        yield from _altered(base, LOOSER, "a looser comparison")
        yield from _moved_constants(base)


def _other(psi: tuple[Expr, ...]) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    yield "empty", ()
    yield "FALSE", (ir.FALSE,)
    yield "one atom more: FALSE", (*psi, ir.FALSE)
    yield "sides swapped", tuple(map(_swapped, psi))
    for i, atom in enumerate(psi):
        rest = (*psi[:i], *psi[i + 1 :])
        yield "one atom less", rest
        yield "one atom negated", (*rest, ir.Not(ir.IsTrue(atom)))
        yield "sides of one atom swapped", (*rest, _swapped(atom))
        for table, change in ((STRICTER, "a stricter atom"), (LOOSER, "a looser atom")):
            for _, new in _altered(atom, table, change):
                yield change, (*rest, new)
        for _, new in _moved_constants(atom):
            yield "a constant of an atom moved", (*rest, new)


def _swapped(e: Expr) -> Expr:
    def other(n: Expr) -> Expr | None:
        if isinstance(n, ir.Slot) and n.side:
            return ir.Slot(n.index, 2 if n.side == 1 else 1)
        return ir.Present(2 if n.side == 1 else 1) if isinstance(n, ir.Present) else None

    return ir.transform(e, other)


def _altered(e: Expr, table: dict[CompareOp, tuple[CompareOp, ...]], change: str) -> Iterator[tuple[str, Expr]]:
    for n in dict.fromkeys(x for x in ir.walk(e) if isinstance(x, ir.Compare)):
        for op in table[n.op]:
            yield change, ir.transform(e, lambda x, n=n, op=op: replace(n, op=op) if x == n else None)  # type: ignore[misc]


def _moved_constants(e: Expr) -> Iterator[tuple[str, Expr]]:
    numbers = [x for x in ir.walk(e) if isinstance(x, ir.Lit) and type(x.value) in (int, float) and x.value == x.value]
    for n in dict.fromkeys(numbers):
        for by in (1, -1):
            moved = ir.Lit(n.value + by, n.type)  # type: ignore[operator]
            yield "a constant moved", ir.transform(e, lambda x, n=n, moved=moved: moved if x == n else None)  # type: ignore[misc]


def _without_disjuncts(e: Expr) -> Iterator[tuple[str, Expr]]:
    for n in dict.fromkeys(x for x in ir.walk(e) if isinstance(x, ir.Or) and len(x.operands) > 1):
        for i in range(len(n.operands)):
            less = ir.disjoin([*n.operands[:i], *n.operands[i + 1 :]])
            yield "one disjunct less", ir.transform(e, lambda x, n=n, less=less: less if x == n else None)  # type: ignore[misc]


def accepts(certificate: Certificate) -> bool:
    """The checker's word."""
    try:
        return accepted(check(certificate, seconds=5))
    except MalformedCertificate:
        return False


def judge(
    problem: FoldProblem, s: Solution, tally: Tally, every: int = 1, word: Callable[[Certificate], bool] = accepts
) -> None:
    """Count every ``every``-th mutant of a solution into ``tally``."""
    chosen = list(mutants(problem, s))[::every]
    oracle = Oracle(problem, (s.pre_filter, s.residual))
    for m in chosen:
        tally.made[m.part] += 1
        try:
            certificate = certify(problem, m.solution)
        except UnsupportedTerm:
            tally.rejected[m.part] += 1
            continue
        ok = word(certificate)
        difference = oracle.difference(m.solution) if m.part != "ψ" else None
        if ok and difference is not None:
            tally.holes.append(f"{m.part}: {m.change}: {m.solution} for {problem}: {difference}")
        elif ok:
            tally.accepted[f"{m.part}: {_reason(problem, s, m)}"] += 1
        else:
            tally.rejected[m.part] += 1
            tally.wrong += difference is not None


def _reason(problem: FoldProblem, s: Solution, m: Mutant) -> str:
    """Why an accepted mutant is right; the oracle has found no difference."""
    if m.part == "ψ":
        return "another ψ for the same G and R, inductive too"
    if m.part == "R":
        return "keeps the outputs that the runs reach as R does"
    said, meant = (_implies(problem, a, b) for a, b in
                   ((s.pre_filter, m.solution.pre_filter), (m.solution.pre_filter, s.pre_filter)))  # fmt: skip
    if said and meant:
        return "the same rows, by a solver"
    if said:
        return "a weaker G, with a looser bound"
    return "drops rows that make no difference either"


def _implies(problem: FoldProblem, a: Expr, b: Expr) -> bool:
    fresh_context()
    v = Vocabulary(problem, (a, b))
    row = v.row()
    scope = Scope(row=row, params=v.params)
    solver = z3.Solver()
    solver.set("timeout", 5000)
    solver.add(*v.encoder.axioms, *v.facts(row), v.encoder.holds(a, scope), z3.Not(v.encoder.holds(b, scope)))
    solver.add(*v.encoder.axioms)
    return bool(solver.check() == z3.unsat)
