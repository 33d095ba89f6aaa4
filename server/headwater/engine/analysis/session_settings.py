"""What a proof rests on besides its fold: settings of the session, and schemas that the user has stated.

The model is that of Spark's defaults. Where a verdict depends on a setting, that is an assumption unless the file
itself sets it. Law: with ``spark.sql.ansi.enabled`` an integer overflow and a division by zero are errors; without it
they wrap, and give NULL. A verdict on numbers and texts alone does not depend on the session's time zone. Reference:
Spark's "ANSI Compliance" page, *Arithmetic Operations*.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.operators.view import alone
from headwater.syntax.names.spark_conf import ZONE_IS_SET
from headwater.syntax.names.spark_versions import ANSI_BY_DEFAULT, ANY, Targets
from headwater_ir.assumptions import Assumption, note
from headwater_ir.expr import (
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    Lit,
    Neg,
    Out,
    Param,
    Slot,
    children,
    outputs_of,
    walk,
)
from headwater_ir.module import Module
from headwater_ir.plan import Plan, Scan, View
from headwater_ir.problem import Fold, FoldProblem
from headwater_ir.walks import below

ANSI = Assumption(
    "setting",
    "integer overflow and division by zero are errors (`spark.sql.ansi.enabled`, on by default since Spark 4.0)",
)


def stated_of(
    problem: FoldProblem, top: Plan, plan: Plan, module: Module, handed_in: tuple[str, ...], targets: Targets = ANY
) -> tuple[Assumption, ...]:
    """What a proof of ``problem`` on ``targets`` rests on, of the filter ``top`` and a boundary above ``plan`` in
    ``module``; ``handed_in``: what methods of frames below it are given that may be columns of other code."""
    fold = problem.fold
    parts = _parts(problem)
    ansi = (ANSI,) if _depends_on_ansi(problem, module) else ()
    read = outputs_of(problem.predicate)
    unread = {o.value for o in fold.outputs if o.name not in read}
    zoned = any(_may_have_zone(n, fold) for e in (*parts, *fold.facts) if e not in unread for n in walk(e))
    stated = (a for a in module.assumptions if zoned or a != ZONE_IS_SET)
    views = (alone(part) for part in below(top) if isinstance(part, View))
    parts_below = list(below(plan)) if module.effects else []
    unseen = [p.origin for p in parts_below if isinstance(p, Scan) and p.format == "unknown"]
    unseen += handed_in
    pure = [Assumption("purity", f"no function that makes {o} has a side effect") for o in dict.fromkeys(unseen)]
    return (*stated, *pure, *ansi, *dict.fromkeys((*_schemas(plan), *views)), *_of_targets(targets))


def off_by_default(problem: FoldProblem, module: Module, targets: Targets) -> str | None:
    """Why a proof of ``problem`` says nothing of ``targets``: what it takes for granted is off in all of them."""
    if targets.none_has(ANSI_BY_DEFAULT) and _depends_on_ansi(problem, module):
        return f"an integer may overflow or a divisor be zero, which is no error in {targets.text} by default"
    return None


def _parts(problem: FoldProblem) -> list[Expr]:
    fold = problem.fold
    values = (o.value for o in fold.outputs)
    return [*fold.init, *fold.step, *(fold.merge or ()), *values, fold.emit, problem.predicate]


def _depends_on_ansi(problem: FoldProblem, module: Module) -> bool:
    if ("spark.sql.ansi.enabled", "true") in module.settings:
        return False
    return any(_may_fail(e, problem.fold, frozenset()) for e in _parts(problem))


def _of_targets(targets: Targets) -> Iterator[Assumption]:
    """The versions of Spark that the proof is about, and that others are like them where others are asked for."""
    if targets.unmeasured:
        yield Assumption(
            "setting", f"Spark {targets.unmeasured} computes as {targets.text}, the nearest that is measured"
        )
    yield note(f"holds on {targets.text}" + (f" ({targets.origin})" if targets.origin else ""))


def _schemas(plan: Plan) -> Iterator[Assumption]:
    for part in below(plan):
        if isinstance(part, Scan) and part.stated is not None:
            yield note(f"`{part.stated}` has the schema that `headwater.schemas` states")


_WITHOUT_ZONE = frozenset("bool int float number decimal string null".split())


def _may_have_zone(node: Expr, fold: Fold) -> bool:
    """Whether what Spark computes for ``node`` alone may depend on the session's time zone: not for numbers, texts and
    truth values, which it compares, adds and searches in the same way in every zone. A function may read a time."""
    match node:
        case Call():
            return True
        case Lit(_, type_):
            return type_.name not in _WITHOUT_ZONE
        case Col(name):
            return fold.column(name).type.name not in _WITHOUT_ZONE
        case Slot(index):
            return fold.slots[index].type.name not in _WITHOUT_ZONE
        case Out(name):
            return fold.output(name).type.name not in _WITHOUT_ZONE
        case Param(name):
            return all(p.name != name or p.type.name not in _WITHOUT_ZONE for p in fold.params)
    return False


def _may_fail(e: Expr, fold: Fold, positive: frozenset[Expr]) -> bool:
    """Whether Spark may compute a whole number that overflows, or divide by zero. ``positive``: known to be so."""
    match e:
        case If(Compare(">", left, Lit(0)), then, otherwise):
            return _may_fail(then, fold, positive | {left}) or _may_fail(otherwise, fold, positive)
        case Arith(op, left, right, "sql") if (
            op in ("/", "//", "%") and right not in positive and not _is_not_zero(right)
        ):
            return True
        case Arith(op, left, right, "sql") if _may_overflow(op, right) and not (
            _is_float(left, fold) or _is_float(right, fold)
        ):
            return True
        case Neg(operand, "sql") if not _is_float(operand, fold):
            return True
    return any(_may_fail(c, fold, positive) for c in children(e))


def _may_overflow(op: str, right: Expr) -> bool:
    """A remainder is smaller than its divisor, and a quotient no greater than what is divided, but by -1."""
    return op not in ("/", "%") and not (op == "//" and isinstance(right, Lit) and right.value != -1)


def _is_not_zero(e: Expr) -> bool:
    return isinstance(e, Lit) and isinstance(e.value, (int, float)) and e.value != 0


def _is_float(e: Expr, fold: Fold) -> bool:
    match e:
        case Lit():
            return e.type.name == "float"
        case Col(name):
            return fold.column(name).type.name == "float"
        case Slot(index):
            return fold.slots[index].type.name == "float"
        case Out(name):
            return fold.output(name).type.name == "float"
        case Arith(op, left, right):
            return op == "/" or _is_float(left, fold) or _is_float(right, fold)
        case Neg(operand):
            return _is_float(operand, fold)
        case If(_, then, otherwise):
            return _is_float(then, fold) and _is_float(otherwise, fold)
    return False
