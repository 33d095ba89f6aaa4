"""Normal forms of filter conditions. Only TRUE passes a filter, and every step here keeps TRUE where it was (and
FALSE and NULL where they were): ``NOT (a < b)`` is ``a >= b`` under SQL's total order of NaN and three-valued logic
alike."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..semantics.interpreter import Env, EvaluationError, compile_expr

_NEGATED: dict[ir.CompareOp, ir.CompareOp] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
MAX_CLAUSES = 64
MAX_CONDITIONALS = 6


def negate(e: Expr) -> Expr:
    """The three-valued negation of ``e`` with NOT pushed to the leaves."""
    match e:
        case ir.Compare(op, left, right, "sql"):
            return ir.Compare(_NEGATED[op], left, right, "sql")
        case ir.And(operands):
            return ir.Or(tuple(negate(o) for o in operands))
        case ir.Or(operands):
            return ir.And(tuple(negate(o) for o in operands))
        case ir.Not(operand):
            return push_not(operand)
        case ir.In(operand, options, "sql"):
            return ir.And(tuple(ir.Compare("!=", operand, o, "sql") for o in options))
        case _:
            return ir.Not(e)


def push_not(e: Expr) -> Expr:
    """``e`` with NOT pushed to the leaves, and ``c = true`` said as ``c``."""
    match e:
        case ir.Compare("==" | "!=", condition, ir.Lit(bool() as wanted), "sql"):
            return push_not(condition) if (e.op == "==") == wanted else negate(condition)
        case ir.Not(operand):
            return negate(operand)
        case ir.And(operands):
            return ir.And(tuple(push_not(o) for o in operands))
        case ir.Or(operands):
            return ir.Or(tuple(push_not(o) for o in operands))
        case _:
            return e


def cnf(e: Expr) -> tuple[Expr, ...]:
    """The clauses of ``e`` in conjunctive normal form; top-level conjuncts whole where distribution would explode."""
    clauses: list[Expr] = []
    for part in ir.conjuncts(push_not(e)):
        distributed = _clauses(part)
        clauses += distributed if len(distributed) <= MAX_CLAUSES else [part]
    return tuple(dict.fromkeys(simplify(c) for c in clauses))


def _clauses(e: Expr) -> list[Expr]:
    if isinstance(e, ir.And):
        return [c for o in e.operands for c in _clauses(o)]
    if isinstance(e, ir.Or) and e.operands:
        result: list[tuple[Expr, ...]] = [()]
        for operand in e.operands:
            result = [(*r, c) for r in result for c in _clauses(operand)]
            if len(result) > MAX_CLAUSES:
                return [e]
        return [ir.disjoin(r) for r in result]
    return [e]


def simplify(e: Expr) -> Expr:
    """Flatten nested connectives, drop duplicates and neutral elements, and deny no denials."""
    if isinstance(e, (ir.And, ir.Or)) and e.dialect == "sql":
        kind = type(e)
        neutral, absorbing = (ir.TRUE, ir.FALSE) if kind is ir.And else (ir.FALSE, ir.TRUE)
        flat: list[Expr] = []
        for o in map(simplify, e.operands):
            flat += o.operands if isinstance(o, kind) and o.dialect == "sql" else [o]
        kept = [o for o in dict.fromkeys(flat) if o != neutral]
        if absorbing in kept:
            return absorbing
        return kept[0] if len(kept) == 1 else kind(tuple(kept))
    if isinstance(e, ir.Not) and e.dialect == "sql":
        inner = simplify(e.operand)
        return ir.FALSE if inner == ir.TRUE else ir.TRUE if inner == ir.FALSE else ir.complement(inner)
    return e


def atoms(e: Expr) -> tuple[Expr, ...]:
    """The distinct non-connective conditions in ``e``."""
    if isinstance(e, (ir.And, ir.Or)):
        return tuple(dict.fromkeys(a for o in e.operands for a in atoms(o)))
    if isinstance(e, (ir.Not, ir.IsTrue)):
        return atoms(e.operand)
    if isinstance(e, ir.In):
        return tuple(ir.Compare("==", e.operand, o, "sql") for o in e.options)
    return (e,)


def tests_missing(e: Expr) -> bool:
    """Whether ``e`` tests for NULL and NaN and nothing else."""
    return all(isinstance(a, (ir.IsNull, ir.IsNaN)) for a in atoms(e))


def drops_missing(e: Expr) -> bool:
    """Whether all that ``e`` does is drop rows with a NULL or a NaN."""
    return _only_denies(e, (ir.IsNull, ir.IsNaN))


def drops_nan(e: Expr) -> bool:
    """Whether all that ``e`` does is drop rows with a NaN."""
    return _only_denies(e, (ir.IsNaN,))


def _only_denies(e: Expr, tests: tuple[type, ...]) -> bool:
    if isinstance(e, (ir.And, ir.Or)) and e.operands:
        return all(_only_denies(o, tests) for o in e.operands)
    return isinstance(e, ir.Not) and isinstance(e.operand, tests)


def without_nan_tests(e: Expr) -> Expr:
    """``e`` without the conjuncts, at any depth, that only drop NaN."""
    if isinstance(e, ir.And):
        kept = tuple(without_nan_tests(o) for o in e.operands if not drops_nan(o))
        return simplify(ir.And(kept)) if kept else e
    if isinstance(e, ir.Or):
        return simplify(ir.Or(tuple(map(without_nan_tests, e.operands))))
    return e


def without_conditionals(e: Expr) -> Expr:
    """``e`` with each conditional as the disjunction of its two cases, and what reads nothing decided. A proposal:
    where the condition is NULL, neither case is taken. ``e`` itself if it has too many of them."""
    if sum(isinstance(n, ir.If) for n in ir.walk(e)) > MAX_CONDITIONALS:
        return e
    return simplify(_apart(e))


def _apart(e: Expr) -> Expr:
    if isinstance(e, (ir.And, ir.Or)):
        return type(e)(tuple(_apart(o) for o in e.operands))
    conditional = next((n for n in ir.walk(e) if isinstance(n, ir.If)), None)
    if conditional is None:
        return _folded(e)
    condition = push_not(conditional.cond)
    cases = ((condition, conditional.then), (negate(condition), conditional.otherwise))
    return ir.Or(tuple(
        ir.And((_apart(case), _apart(push_not(ir.transform(e, lambda n: value if n is conditional else None)))))  # noqa: B023
        for case, value in cases
    ))  # fmt: skip


def _folded(e: Expr) -> Expr:
    """TRUE or FALSE where ``e`` reads nothing."""
    if any(isinstance(n, (ir.Col, ir.Param, ir.Slot, ir.Out, ir.Call)) for n in ir.walk(e)):
        return e
    try:
        return ir.TRUE if compile_expr(e)(Env()) is True else ir.FALSE
    except EvaluationError:
        return ir.FALSE
