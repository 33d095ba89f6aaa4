"""HW201: conditions that compute something from a column, as ranges of the bare column that a source can skip by.

Found by laws (``proof.ranges.substitution``), or by parts of the values of the column (``parts``). What comes of this
is checked by ``proof.ranges.checker``, which knows nothing of how it was found.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from dataclasses import dataclass, replace

from headwater.proof.ranges import checker
from headwater.proof.ranges.range import NoRange
from headwater.proof.ranges.substitution import implied, of_bare_column
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import (
    And,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    Not,
    Or,
    columns_of,
    conjoin,
    conjuncts,
    transform,
    walk,
)
from headwater_ir.parts import Conjunct
from headwater_ir.plan import Filter, Plan, Project, Scan
from headwater_ir.ranges import AtScan, RangeCertificate, at_scan
from headwater_ir.types import ANY, DATE, STRING, TIMESTAMP, Type
from headwater_ir.walks import below

from .classify import Source, classify
from .parts import Parts

_MOST = 4000
_PROVED: OrderedDict[bytes, RangeCertificate | None] = OrderedDict()
"""What was proved last, or was not, by the pickles of what was asked: equal bytes are identical values."""


@dataclass(frozen=True)
class Shown:
    """A conjunct of a filter, and the same as a source can use it. ``why``: what the source makes of it then;
    ``others``: conjuncts of the filter that the certificate speaks of as well, and that stay."""

    conjunct: Conjunct
    column: str
    certificate: RangeCertificate
    why: str
    format: str
    others: tuple[Conjunct, ...] = ()


@dataclass(frozen=True)
class _Hidden:
    """A conjunct of one column of a source, which cannot use it. ``bare``: what the column is called above the
    source; ``types``: of which of these it is; ``test``: what it could use instead."""

    conjunct: Conjunct
    at: AtScan
    column: str
    bare: str
    before: Expr
    types: tuple[Type, ...]
    test: Shown | None


def shown(filter_: Filter, conjunct: Conjunct) -> Shown | None:
    """``conjunct`` of ``filter_`` in a form that the source can skip by; None if there is none, or Spark finds it.

    Others that say nothing by themselves may make it a narrower one: of ``year(t) = 2020 AND month(t) = 5`` the year
    becomes a test for that May.
    """
    first = _hidden(filter_, conjunct)
    if first is None or first.test is None or len(filter_.conjuncts) == 1:
        return None if first is None else first.test
    more = [h for c in filter_.conjuncts if c.span != conjunct.span and (h := _hidden(filter_, c)) is not None]
    beside = [h for h in more if h.column == first.column and h.at.same_place(first.at)]
    earlier = [h for h in beside if h.test is not None and h.conjunct.span.start < conjunct.span.start]
    others = [h for h in beside if h.test is None]
    if earlier or not others:
        return first.test
    best, before = first.test, first.before
    for other in others:
        tried = conjoin([*conjuncts(before), other.before])
        together = _test(replace(first, before=tried))
        if together is None or (together.certificate.beside and not best.certificate.beside):
            continue
        if together.certificate.after != best.certificate.after:
            best, before = replace(together, others=(*best.others, other.conjunct)), tried
    return best


def _hidden(filter_: Filter, conjunct: Conjunct) -> _Hidden | None:
    found = at_scan(filter_.child, conjunct.condition)
    if found is None or len(columns_of(found.condition)) != 1:
        return None
    (name,) = columns_of(found.condition)
    bare = _bare(filter_.child, found, name, columns_of(conjunct.condition))
    if bare is None:
        return None
    before, source = found.condition, _source(found.scan)
    types = types_of(name, before, source)
    if any(unwrapped_by_spark(before, t) for t in types) or classify(before, source).kind != "unsupported":
        return None
    alone = _Hidden(conjunct, found, name, bare, before, types, None)
    return replace(alone, test=_test(alone))


def _bare(plan: Plan, at: AtScan, name: str, read: frozenset[str]) -> str | None:
    """What the column ``name`` of that source is called above ``plan``, perhaps as in ``read``; None if it is not
    there."""
    renamed = (n for p in below(plan) if isinstance(p, Project) for n, of in p.columns if isinstance(of, Col))
    for called in (name, *sorted(read), *renamed):
        found = at_scan(plan, Col(called))
        if found is not None and found.condition == Col(name) and found.same_place(at):
            return called
    return None


def _source(scan: Scan) -> Source:
    found = Source.of(scan)
    # nearly all tables are of files with statistics; of those that are not nothing gets slower
    return replace(found, format="parquet") if found.format == "table" else found


def _test(hidden: _Hidden) -> Shown | None:
    source, name, (first, *others) = _source(hidden.at.scan), hidden.column, hidden.types
    stated = source.type_of(name) == first
    made = _proved(hidden.before, name, first, others[0] if others and not stated else None)
    if made is None:
        return None
    if not stated:
        words = " or ".join(f"a {t.name}" for t in (*others, first))
        said = Assumption("type", f"`{hidden.bare}` is {words} (schema unknown)")
        made = replace(made, assumptions=(said,))
        source = replace(source, types={name.lower(): first})
    answer = classify(made.after, source)
    if answer.kind == "unsupported":
        return None
    before, after = (_called(hidden.bare, e) for e in (made.before, made.after))
    made = replace(made, column=hidden.bare, before=before, after=after)
    return Shown(hidden.conjunct, hidden.bare, made, answer.why, hidden.at.scan.format)


def _proved(before: Expr, name: str, t: Type, other: Type | None) -> RangeCertificate | None:
    """The certificate of a test of the bare column that ``before`` comes down to; None if none is found, or it does
    not hold. A text that somebody edits has the same conditions again and again."""
    key = pickle.dumps((before, name, t, other), pickle.HIGHEST_PROTOCOL)
    if key not in _PROVED:
        made = _made(before, name, t)
        made = made and replace(made, other=other)
        _PROVED[key] = None if made is None or _is_wrong(made) else made
        if len(_PROVED) > _MOST:
            _PROVED.popitem(last=False)
    _PROVED.move_to_end(key)
    return _PROVED[key]


def _is_wrong(made: RangeCertificate) -> bool:
    try:
        return bool(checker.check(made))
    except checker.Malformed:
        return True


def _called(name: str, e: Expr) -> Expr:
    return transform(e, lambda n: Col(name) if isinstance(n, Col) else None)


_TAKING: dict[str, tuple[Type, ...]] = {
    **dict.fromkeys(
        (f"spark.{n}" for n in (
            "year", "quarter", "month", "dayofmonth", "dayofyear", "weekofyear", "trunc", "date_trunc", "last_day",
            "date_add", "date_sub", "add_months", "date_format", "datediff", "to_date",
        )),
        (TIMESTAMP, DATE),
    ),
    "cast:date": (TIMESTAMP, DATE),
    **dict.fromkeys(("spark.substring", "spark.substr", "spark.left"), (STRING,)),
}  # fmt: skip
"""Of which type the column is that a function takes, where no schema says it. Text is cast for the functions of dates,
which nobody who stores dates means; numbers are for those of texts."""


def types_of(name: str, condition: Expr, source: Source) -> tuple[Type, ...]:
    """The type of a column; where it is not known, those that all functions take that it is handed to."""
    known = source.type_of(name)
    if known != ANY:
        return (known,)
    calls = [n for n in walk(condition) if isinstance(n, Call) and Col(name) in n.args]
    taken = {_TAKING.get(n.name, ()) for n in calls}
    alone = sum(n == Col(name) for n in walk(condition)) == len(calls)
    return taken.pop() or (ANY,) if alone and len(taken) == 1 else (ANY,)


def unwrapped_by_spark(e: Expr, t: Type) -> bool:
    """Whether Spark itself makes tests of the bare column of all that ``e`` computes: a day of a timestamp, compared
    with a date, but not in a list of several; one of two constants by whether the column is NULL, for Spark takes a
    condition that is never NULL out of a CASE (``tests/source/test_hidden.py``)."""
    computed = [n for n in walk(e) if isinstance(n, (Call, If))]
    by_spark = ("spark.to_date", "cast:date")
    if t == DATE:  # of a date they are the date itself
        return all(isinstance(n, Call) and n.name in by_spark for n in computed)
    compared = {id(n.left) for n in walk(e) if isinstance(n, Compare) and isinstance(n.right, Lit)}
    compared |= {id(n.operand) for n in walk(e) if isinstance(n, In) and len(n.options) == 1}
    asked = compared | {id(n.operand) for n in walk(e) if isinstance(n, IsNull)}
    if computed and all(isinstance(n, If) and _of_missing(n) and id(n) in asked for n in computed):
        return True
    return t == TIMESTAMP and all(
        isinstance(n, Call) and n.name in by_spark and n.args and isinstance(n.args[0], Col) and id(n) in compared
        for n in computed
    )


def _of_missing(e: If) -> bool:
    """Whether ``e`` chooses one of two constants by tests for NULL alone."""
    tests = (n for n in walk(e.cond) if not isinstance(n, (And, Or, Not, Col)))
    return all(isinstance(n, IsNull) for n in tests) and isinstance(e.then, Lit) and isinstance(e.otherwise, Lit)


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
