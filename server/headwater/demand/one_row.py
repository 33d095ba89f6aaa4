"""How conditions and aggregates of several jobs are written as the arguments of one ``agg``.

The text of a condition is the user's own. A filter by ``a & b`` evaluates ``b`` only where ``a`` is TRUE, but ``&`` in
an aggregate does so also where ``a`` is NULL: unless ``b`` can raise no error, it is put behind a ``when``, which does
as the filter does.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import NamedTuple

from headwater.pyspark.columns.sql_conjuncts import conjuncts
from headwater.rewrite.python_text import Quote, string_literal
from headwater.rewrite.spell_column import ColumnSpeller
from headwater_ir import demand as ir
from headwater_ir.expr import And, Col, Compare, Expr, In, IsNull, Lit, Not, Or, Same, StringTest, columns_of
from headwater_ir.parts import Schema
from headwater_ir.plan import Filter, Opaque, Plan
from headwater_ir.types import ANY, STRING
from headwater_ir.walks import untranslated


def filters_of(job: ir.Job) -> list[Filter]:
    """The filters that ``job`` counts by, the lowest first; unread are those of which some part has no model."""
    found: list[Filter] = []
    at: Plan = job.above
    for _ in range(sum(isinstance(s, ir.Where) for s in job.reading)):
        if isinstance(at, Opaque) and at.child is not None:
            found, at = [Filter(at.child, (), at.span, at.span, "sql", at.reason), *found], at.child
            continue
        assert isinstance(at, Filter)
        hidden = untranslated(at)
        if hidden is None or hidden.child is None:
            found, at = [at, *found], at.child
        else:
            found, at = [replace(at, unread=hidden.reason), *found], hidden.child
    return found


def never_fails(job: ir.Job) -> bool:
    """Whether no condition of ``job`` raises an error on any row, nor for a column that is not there."""
    return _is_sure(job) and not _unknown_columns(job)


def _unknown_columns(job: ir.Job) -> list[str]:
    """The columns in conditions of ``job`` of which it is not known that they are there."""
    asked = dict.fromkeys(n for f in filters_of(job) for c in f.conjuncts for n in columns_of(c.condition))
    return [n for n in asked if job.schema.field(n) is None]


def missing_columns(job: ir.Job, source: str) -> dict[str, bool] | None:
    """The columns that ``job`` asks for and of which it is not known that they are there, or that they hold numbers,
    where otherwise it raises no error on any row; None if it may. The values: whether they have to hold numbers."""
    numbers = set[str]()
    if any(isinstance(s, ir.Measured) for s in job.reading) or not _is_sure(job, numbers):
        return None
    if any(c.style != "name" for c in job.columns):
        return None
    different = (str(ast.literal_eval(c.span.text(source))) for c in job.columns)
    unknown = [*_unknown_columns(job), *(n for n in different if job.schema.field(n) is None), *sorted(numbers)]
    return {n: n in numbers for n in unknown}


def _is_sure(job: ir.Job, numbers: set[str] | None = None) -> bool:
    """Whether no part of a condition of ``job`` raises an error, whatever it is evaluated on. ``numbers`` takes columns
    of unknown type that may hold numbers alone then."""
    schema, filters = job.schema, filters_of(job)
    return all(
        f.unread is None and all(_is_harmless(c.condition, schema, numbers) for c in f.conjuncts) for f in filters
    )


def _may_be_joined(job: ir.Job) -> bool:
    """Whether ``&`` of all conditions raises no error where the filters raise none: they look at a condition only where
    those before it are TRUE."""
    filters = filters_of(job)
    later = [c.condition for f in filters for c in f.conjuncts][1:]
    return all(f.unread is None for f in filters) and all(_is_harmless(e, job.schema) for e in later)


def _is_harmless(e: Expr, schema: Schema, numbers: set[str] | None = None) -> bool:
    """Whether evaluating ``e`` raises no error, whatever it is evaluated on. A text constant is compared with a column
    of any type: where Spark casts it and cannot, no such filter runs at all. A number is not: a column of text would be
    cast; such a column goes into ``numbers``."""
    match e:
        case And(operands, _) | Or(operands, _):
            return all(_is_harmless(o, schema, numbers) for o in operands)
        case Not(operand, _):
            return _is_harmless(operand, schema, numbers)
        case IsNull(operand):
            return isinstance(operand, Col)
        case Compare(_, left, right, _) | Same(left, right):
            return _are_alike(left, right, schema, numbers)
        case In(operand, options, _):
            return all(_are_alike(operand, o, schema, numbers) for o in options)
        case StringTest(_, text, needle, _):
            return isinstance(text, Col) and isinstance(needle, Lit)
        case Col() | Lit():
            return _kind(e, schema) == "bool"
    return False


def _are_alike(left: Expr, right: Expr, schema: Schema, numbers: set[str] | None) -> bool:
    """Whether the one is not cast for the other, row by row, if the columns in ``numbers`` hold these."""
    if isinstance(left, Col) and isinstance(right, Lit) and right.type == STRING:
        return True
    kinds = {_kind(left, schema), _kind(right, schema)}
    if numbers is not None and kinds == {None, "number"}:
        unknown = {e.name for e in (left, right) if isinstance(e, Col) and schema.type_of(e.name) == ANY}
        numbers |= unknown
        return bool(unknown)
    return None not in kinds and len(kinds) == 1


def _kind(e: Expr, schema: Schema) -> str | None:
    """A word for the types of the kind that ``e`` has; None if that is not known."""
    type_ = e.type if isinstance(e, Lit) else schema.type_of(e.name) if isinstance(e, Col) else ANY
    return {"int": "number", "float": "number", "string": "string", "bool": "bool", "date": "date"}.get(type_.name)


class Wider(NamedTuple):
    """``whole``: whether ``text`` is all of the conditions, or the first of them."""

    text: str
    whole: bool


class Writer:
    """Writes measures of one file."""

    def __init__(self, source: str, speller: ColumnSpeller) -> None:
        self.source, self.speller = source, speller

    def measure(self, job: ir.Job) -> str | None:
        """What ``job`` asks for, as an argument of ``agg``; None if it cannot be written with certainty."""
        match job.reading:
            case (ir.Measured(names=tuple() as names), ir.Item()):
                named = map(self._named, job.parts, names)
                return f"{self.speller.function('struct')}({', '.join(named)})"
            case (ir.Measured(), *_) if job.function is None:
                return self._written(job.parts[0])
        if any(p.joined for p in job.parts) and not _is_sure(job):
            return None
        condition = self._condition(job) if job.parts else ""
        return None if condition is None else self.of_rows(job, condition)

    def _written(self, part: ir.Part) -> str:
        text = part.span.text(self.source)
        return text if part.style == "column" else f"{self.speller.function(part.style)}({text})"

    def _named(self, part: ir.Part, name: str) -> str:
        """The measure ``part`` under the ``name`` that it has without being said, or those of a list."""
        if part.style == "list":
            return f"*{part.span.text(self.source)}"
        text = self._written(part)
        match ast.parse(f"({text}\n)", mode="eval").body:
            case ast.Call(func=ast.Attribute(attr="alias" | "name")):
                return text
        return f"{text}.alias({string_literal(name, self.speller.quote)})"

    def of_rows(self, job: ir.Job, condition: str = "") -> str:
        """What ``job`` asks for of the rows on which ``condition`` is TRUE, of all if there is none."""
        function, quote = self.speller.function, self.speller.quote
        if job.columns:
            row = f"{function('struct')}({', '.join(p.span.text(self.source) for p in job.columns)})"
            return f"{function('count_distinct')}({self._where(condition, row)})"
        if job.function is not None:
            return self._of_function(job.function, condition)
        return f"{function('count_if')}({condition})" if condition else f"{function('count')}({quote}*{quote})"

    def wider(self, job: ir.Job) -> Wider | None:
        """A condition that is TRUE on the rows that ``job`` looks at, and raises no error where the job raises none;
        None if it cannot be written with certainty."""
        if any(p.joined for p in job.parts) and not _is_sure(job):
            return None
        safe, part = _may_be_joined(job), job.parts[0]
        if safe:
            text = self._condition(job)
            return None if text is None else Wider(text, whole=True)
        text = part.span.text(self.source)
        first, *more = self._conjuncts(text) if part.style == "sql" else _operands(text)
        return Wider(first, len(job.parts) == 1 and not more)

    def _of_function(self, called: ir.FunctionOf, condition: str) -> str:
        """The function of those rows for which ``condition`` is TRUE."""
        text = called.argument.span.text(self.source)
        if called.argument.style == "name":
            text = f"{self.speller.function('col')}({text})"
        name = self.speller.function(called.name) if called.function is None else called.function.text(self.source)
        return f"{name}({self._where(condition, text)})"

    def _expr(self, sql: str) -> str:
        return f"{self.speller.function('expr')}({sql})"

    def for_filter(self, condition: str) -> str:
        """``condition`` as the argument of a filter: of ``expr(text)`` the text, by which no column can be made."""
        match ast.parse(f"({condition}\n)", mode="eval").body:
            case ast.Call(func=called, args=[_], keywords=[]) if self._expr("") == f"{ast.unparse(called)}()":
                return condition[len(self._expr("")) - 1 : -1]
        return condition

    def _conjuncts(self, sql: str) -> list[str]:
        """The operands of AND on the outside of the text or f-string ``sql``, as Columns."""
        parts = conjuncts(ast.parse(f"({sql}\n)", mode="eval").body)
        return [self._expr(sql if len(parts) == 1 else _literal(part, self.speller.quote)) for part in parts]

    def _where(self, condition: str, text: str) -> str:
        """``text``, and NULL where ``condition``, if there is one, is not TRUE."""
        return f"{self.speller.function('when')}({condition}, {text})" if condition else text

    def _condition(self, job: ir.Job) -> str | None:
        """The condition of the rows that ``job`` counts."""
        safe = _may_be_joined(job)
        texts: list[str] = []
        for part in job.parts:
            text = part.span.text(self.source)
            if part.style == "sql":
                texts += [self._expr(text)] if safe else self._conjuncts(text)
            else:
                texts += [text] if safe else _operands(text)
        if len(texts) == 1:
            return texts[0]
        if safe:
            return " & ".join(f"({t})" if is_loose(t) else t for t in texts)
        *first, last = texts
        for text in reversed(first):
            last = f"{self.speller.function('when')}({text}, {last})"
        return last


def _literal(node: ast.expr, quote: Quote) -> str:
    """The text or f-string ``node``, with these quotes if it has none itself."""
    if isinstance(node, ast.Constant):
        return string_literal(str(node.value), quote)
    written = ast.unparse(node)
    return (
        f"f{quote}{written[2:-1]}{quote}" if written[1] not in written[2:-1] and quote not in written[2:-1] else written
    )


def _operands(text: str) -> list[str]:
    """The operands of ``&`` on the outside of a Column expression."""
    lines = f"({text})"
    node = ast.parse(lines, mode="eval").body
    found, todo = list[str](), [node]
    while todo:
        at = todo.pop(0)
        if isinstance(at, ast.BinOp) and isinstance(at.op, ast.BitAnd):
            todo = [at.left, at.right, *todo]
        else:
            found.append(ast.get_source_segment(lines, at) or "")
    return found if len(found) > 1 else [text]


def is_loose(text: str) -> bool:
    """Whether ``text`` needs parentheses as an operand of ``&``."""
    return not isinstance(ast.parse(f"({text})", mode="eval").body, (ast.Call, ast.Attribute, ast.Name, ast.Subscript))
