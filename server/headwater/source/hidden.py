"""HW201: conditions that compute something from a column, as ranges of the bare column that a source can skip by.

Found by laws (``proof.ranges.substitution``), or by parts of the values of the column (``parts``). What comes of this
is checked by ``proof.ranges.checker``, which knows nothing of how it was found.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.proof.ranges import checker
from headwater.proof.ranges.range import NoRange
from headwater.proof.ranges.substitution import implied, of_bare_column
from headwater_ir.expr import Call, Col, Compare, Expr, If, In, Lit, columns_of, walk
from headwater_ir.parts import Conjunct
from headwater_ir.plan import Filter
from headwater_ir.ranges import RangeCertificate, at_scan
from headwater_ir.types import DATE, TIMESTAMP, Type

from .classify import Source, classify
from .parts import Parts


@dataclass(frozen=True)
class Shown:
    """A conjunct of a filter, and the same as a source can use it. ``why``: what the source makes of it then."""

    conjunct: Conjunct
    column: str
    certificate: RangeCertificate
    why: str
    format: str


def shown(filter_: Filter, conjunct: Conjunct) -> Shown | None:
    """``conjunct`` of ``filter_`` in a form that the source can skip by; None if there is none, or Spark finds it."""
    found = at_scan(filter_.child, conjunct.condition)
    if found is None or len(columns_of(found.condition)) != 1:
        return None
    (name,) = columns_of(found.condition)
    visible = at_scan(filter_.child, Col(name))
    if visible is None or visible.condition != Col(name):
        return None
    before, source = found.condition, Source.of(found.scan)
    t = source.type_of(name)
    if source.format == "table":  # nearly all are of files with statistics; of those that are not nothing gets slower
        source = Source("parquet", source.types, source.rest, source.partitions, source.pushes)
    if unwrapped_by_spark(before, t) or classify(before, source).kind != "unsupported":
        return None
    made = _made(before, name, t)
    if made is None or checker.check(made):
        return None
    answer = classify(made.after, source)
    if answer.kind == "unsupported":
        return None
    return Shown(conjunct, name, made, answer.why, found.scan.format)


def unwrapped_by_spark(e: Expr, t: Type) -> bool:
    """Whether Spark itself makes tests of the bare column of all that ``e`` computes: a day of a timestamp, compared
    with a date, but not in a list of several (``tests/source/test_hidden.py``)."""
    computed = [n for n in walk(e) if isinstance(n, (Call, If))]
    by_spark = ("spark.to_date", "cast:date")
    if t == DATE:  # of a date they are the date itself
        return all(isinstance(n, Call) and n.name in by_spark for n in computed)
    compared = {id(n.left) for n in walk(e) if isinstance(n, Compare) and isinstance(n.right, Lit)}
    compared |= {id(n.operand) for n in walk(e) if isinstance(n, In) and len(n.options) == 1}
    return t == TIMESTAMP and all(
        isinstance(n, Call) and n.name in by_spark and n.args and isinstance(n.args[0], Col) and id(n) in compared
        for n in computed
    )


def _orders_texts(e: Expr) -> bool:
    """Whether ``e`` asks for the order of numbers as texts, which hardly anybody means: a range says little."""
    sides = (e.left, e.right) if isinstance(e, Compare) and e.op not in ("==", "!=") else ()
    return any(isinstance(s, Call) and s.name == "cast:string" for s in sides)


def _made(before: Expr, name: str, t: Type) -> RangeCertificate | None:
    plain = of_bare_column(before, t)
    if plain is not None:
        return RangeCertificate(checker.VERSION, name, t, before, plain, (), False)
    weaker = implied(before, t)
    if weaker is not None:
        return RangeCertificate(checker.VERSION, name, t, before, weaker, (), True)
    if t.name == "int" and any(map(_orders_texts, walk(before))):
        return None
    try:
        parts = Parts(before, t)
    except NoRange:
        return None
    return parts.certificate(name)
