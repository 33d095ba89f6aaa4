"""HW201: a filter whose condition computes something from a column of a source, written as a test of the bare column.

Law: ``proof.ranges``. What a source makes of either form: ``source.classify``.
"""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.proof.ranges.shown import by_policy
from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import free_alias
from headwater.rewrite.python_text import prevailing_quote
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.source.hidden import Shown, shown
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import And, Expr, Lit, conjuncts, transform
from headwater_ir.module import Module
from headwater_ir.parts import Conjunct
from headwater_ir.plan import Filter
from headwater_ir.ranges import RangeCertificate, at_scan
from headwater_ir.span import Span
from headwater_ir.types import INT, STRING
from headwater_ir.walks import below

from .protocol import NotWorth
from .ranges_in_sql import written_in_sql

POLICY = "spark.sql.legacy.timeParserPolicy"
AS_BY_DEFAULT = Assumption("setting", f"`{POLICY}` is not LEGACY, or no date lies before the year 1 or after 9999")


@dataclass(frozen=True)
class Bared:
    """A condition as a test of the bare column. ``said``: what is written for it."""

    filter: Filter
    found: Shown
    said: str
    edits: tuple[Edit, ...]

    @property
    def place(self) -> Span:
        """The conjunct."""
        return self.found.conjunct.span


def hidden_from_source(filters: Sequence[Filter], module: Module, text: Text) -> list[Bared | NotWorth]:
    """The conditions of one filter that the source can use in another form. ``filters``: the filter, as each way to it
    shows it."""
    found = list[Bared | NotWorth]()
    filter_ = filters[0]
    if filter_.style not in ("column", "sql"):
        return found
    for conjunct in filter_.conjuncts:
        answers = [shown(f, c) for f in filters for c in f.conjuncts if c.span == conjunct.span]
        answer = answers[0]
        if answer is None or len(answers) != len(filters):
            continue
        if any(a is None or a.certificate != answer.certificate for a in answers):
            continue
        if answer.certificate.beside and _is_said(filter_, answer):
            continue
        assumed = _of_texts(answer.certificate, module)
        if isinstance(assumed, NotWorth):
            found.append(assumed)
            continue
        told = (*answer.certificate.assumptions, *assumed)
        answer = replace(answer, certificate=replace(answer.certificate, assumptions=told))
        found.append(_written(filter_, answer, module, text))
    return found


def _of_texts(certificate: RangeCertificate, module: Module) -> tuple[Assumption, ...] | NotWorth:
    """What has to hold of the session where the condition makes texts of dates."""
    if not by_policy(certificate.before, certificate.type):
        return ()
    policy = dict(module.settings).get(POLICY)
    if policy == "legacy":
        return NotWorth(f"the file sets `{POLICY}` to LEGACY, and texts of dates are then in another order")
    return () if policy in ("corrected", "exception") else (AS_BY_DEFAULT,)


def _is_said(filter_: Filter, answer: Shown) -> bool:
    """Whether this filter, or one below it, tests the bare column so already."""
    said = set[Expr]()
    for node in (filter_, *below(filter_.child)):
        if isinstance(node, Filter):
            told = (at_scan(node.child, c.condition) for c in node.conjuncts)
            said |= {_as_said(p) for t in told if t is not None for p in conjuncts(t.condition)}
    asked = at_scan(filter_.child, answer.certificate.written)
    return asked is not None and {*map(_as_said, conjuncts(asked.condition))} <= said


def _as_said(condition: Expr) -> Expr:
    """``condition``, in which a whole number is not known to be as wide as the column that it is compared with."""
    return transform(condition, lambda n: Lit(n.value, INT) if isinstance(n, Lit) and n.type.name == "int" else None)


def _written(filter_: Filter, answer: Shown, module: Module, text: Text) -> Bared | NotWorth:
    if filter_.style == "sql":
        made = written_in_sql(filter_, answer.conjunct.span, answer.certificate, text)
        return made if isinstance(made, NotWorth) else Bared(filter_, answer, made[0], (made[1],))
    conjunct, certificate = answer.conjunct, answer.certificate
    source = text.source
    old = conjunct.span.text(source)
    if "#" in old:
        return NotWorth("there may be a comment inside of the condition")
    variable = _variable_in(old)
    if variable is not None:
        return NotWorth(f"the condition reads `{variable}`, and the edit would write its value of today for it")
    said = _as_column(certificate.after, module, text, conjunct)
    if isinstance(said, NotWorth):
        return said
    whole = (
        " & ".join([f"({old})", said if isinstance(certificate.after, And) else f"({said})"])
        if certificate.beside
        else said
    )
    if len(filter_.conjuncts) > 1 and not _is_enclosed(conjunct.span, source):
        whole = f"({whole})"
    return Bared(filter_, answer, said, (Edit(conjunct.span, whole),))


def _variable_in(condition: str) -> str | None:
    """A variable of the driver that ``condition`` reads as a value: no module, function, or frame of a column."""
    tree = ast.parse(f"({condition})", mode="eval")
    owners = {id(n.value) for n in ast.walk(tree) if isinstance(n, (ast.Attribute, ast.Subscript))}
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    names = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in owners | called)
    return next((n.id for n in names), None)


def _is_enclosed(span: Span, source: str) -> bool:
    return source[: span.start].endswith("(") and source[span.end :].startswith(")")


def _as_column(after: Expr, module: Module, text: Text, conjunct: Conjunct) -> str | NotWorth:
    bare = module.spelling.functions is None
    alias = module.spelling.functions or free_alias(text.bindings)
    speller = _PlainDates(module.spelling, prevailing_quote(text.source), prefer_bare=bare, alias=alias)
    said = speller.condition(after)
    if speller.needs_import or not all(text.bindings.bound_at(n, conjunct.span.start) for n in speller.names):
        return NotWorth("`col` is not imported where the condition stands")
    return said


class _PlainDates(ColumnSpeller):
    """Writes dates and midnights as texts, which Spark reads as such beside a column of that type."""

    def operand(self, e: Expr, level: int) -> str:
        match e:
            case Lit(value=dt.datetime() as moment) if moment.time() == dt.time():
                return super().operand(Lit(moment.date().isoformat(), STRING), level)
            case Lit(value=dt.date() as day) if not isinstance(day, dt.datetime):
                return super().operand(Lit(day.isoformat(), STRING), level)
        return super().operand(e, level)
