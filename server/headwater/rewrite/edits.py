"""A proved solution as edits of the user's text.

The pre-filter joins the chain in front of the boundary. Of the filter only what the residual no longer needs goes away;
where that cannot be done in the user's own words it all stays, which is right as well, for it implies the residual.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from headwater.python.values.type_inference import WORDS
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.lines import split_lines
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import (
    And,
    Arith,
    Col,
    Expr,
    IsNaN,
    IsNull,
    Neg,
    Not,
    Or,
    columns_of,
    conjoin,
    conjuncts,
    params_of,
    transform,
    walk,
)
from headwater_ir.module import Module
from headwater_ir.plan import Explode, GroupMap, Spelling
from headwater_ir.types import ANY
from headwater_ir.verdict import Kind, Solution

from . import residual
from .edit import Edit, Overlap, apply_edits
from .elements import filter_elements, some_element
from .imports import free_alias, import_functions
from .insertion import insert_call
from .names import Bindings
from .python_text import prevailing_quote, string_literal
from .spell_column import ColumnSpeller
from .spell_python import is_of_elements, spell_python
from .spell_sql import CannotSpell, chain_texts, flattened, spell_sql
from .sql_argument import filtered_argument, filtered_query
from .tokens import CannotEdit, Tokens, indent_of, line_end, line_start, newline_of
from .units import Starts, starts_of, still_parses

if TYPE_CHECKING:
    from headwater.operators.move import Moved

__all__ = [
    "CannotEdit",
    "CannotSpell",
    "Edit",
    "Editable",
    "Rewrite",
    "Text",
    "apply_edits",
    "build_edits",
    "build_rewrite",
    "require_editable",
]

LINE_LENGTH = 120
"""Longer lines are broken."""


@dataclass(frozen=True)
class Rewrite:
    """What becomes of the file.

    ``kind`` is what the edits do: a split whose residual cannot be written is done as a partial pushdown.
    ``residual_text`` is None where nothing stays of the filter.
    """

    kind: Kind
    edits: tuple[Edit, ...]
    prefilter_edits: tuple[Edit, ...]
    prefilter_text: str
    residual_text: str | None
    residual_sql: str | None


class Text:
    """A text that is edited, as tokens and as the places where names have a value: read once for all of its filters.

    ``parsed``: the same text, where somebody may have parsed it already.
    """

    def __init__(self, source: str, parsed: Callable[[], Context] | None = None) -> None:
        self.source, self._parsed = source, parsed

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens; ``CannotEdit`` if it has none."""
        return Tokens(self.source, self._starts or ())

    @cached_property
    def bindings(self) -> Bindings:
        """Where names have a value; ``CannotEdit`` for what is not Python."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                context = self._parsed() if self._parsed else None
                same = context is not None and self.source in (context.source, context.readable)
                return Bindings.of(context if context is not None and same else Context.of(self.source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise CannotEdit(f"the file cannot be parsed: {error}") from None

    def require_parses(self, edits: tuple[Edit, ...]) -> None:
        """The parser's error if the text is not Python after ``edits``, or ``Overlap``. Most often it is enough to look
        at the statements that they touch."""
        if self._starts is None or not still_parses(self.source, self._starts, edits):
            ast.parse(apply_edits(self.source, edits))

    def alias(self, module: Module) -> str:
        """The name of the functions module: that of the file, or one for it."""
        return module.spelling.functions or self._free_alias

    @cached_property
    def _free_alias(self) -> str:
        return free_alias(self.bindings)

    def editable(self, module: Module, names: frozenset[str]) -> Editable:
        """What edits of the file depend on, wherever they are; ``names``: those that they need."""
        return Editable(module.spelling, self.alias(module), prevailing_quote(self.source), "\r" in self.source, names)

    def are_there(self, moved: Moved, names: Iterable[str]) -> bool:
        """Whether each of ``names``, which are imported, is bound where the pre-filter goes: for certain, or because
        the boundary, which is evaluated right behind it, reads it."""
        at, span = moved.place.insert_at, moved.place.span
        return all(self.bindings.bound_at(name, at) or self.bindings.reads(name, span) for name in names)

    @cached_property
    def _starts(self) -> Starts | None:
        context = self.bindings.context
        return None if context.hidden else starts_of(context.tree, split_lines(self.source))


def build_edits(
    source: str, module: Module, moved: Moved, solution: Solution, only_prefilter: bool
) -> tuple[Edit, ...]:
    """The edits that make ``source`` do what ``solution`` says; ``CannotSpell`` or ``CannotEdit`` if there are none."""
    rewrite = build_rewrite(Text(source), module, moved, solution)
    return rewrite.prefilter_edits if only_prefilter else rewrite.edits


def build_rewrite(text: Text, module: Module, moved: Moved, solution: Solution) -> Rewrite:
    """The whole rewrite; ``CannotSpell`` or ``CannotEdit`` with the reason if it cannot be written."""
    return Builder(text, module, moved).build(solution)


@dataclass(frozen=True)
class Editable:
    """What it rests on, beside the statements around, that a pre-filter can be written in front of a boundary: how the
    file spells functions, strings and line ends, and the ``names`` that are there."""

    spelling: Spelling
    alias: str
    quote: str
    returns: bool
    names: frozenset[str]


def require_editable(text: Text, module: Module, moved: Moved, known: Editable | None = None) -> Editable | None:
    """``CannotEdit`` if no pre-filter at all can be written in front of the boundary, whatever a proof would find: what
    needs no solution to be known. Lambdas over elements and filters inside functions are not looked at.

    ``known``: what was given back for the same boundary in an earlier text, of which the statements around it are the
    same; None is given back where it is not as plain as that."""
    if moved.place.in_filter or isinstance(moved.boundary, Explode) or is_of_elements(moved.boundary):
        return None
    plain = (c.name for c in moved.problem.fold.columns if not c.ghost and c.name.isidentifier())
    name = next(plain, None)
    if name is None:
        return None
    if known is not None and known == text.editable(module, known.names) and text.are_there(moved, known.names):
        return known
    builder = Builder(text, module, moved)
    builder.write_in_front(Not(IsNull(Col(name))))
    names = frozenset(builder.speller.names)
    place = moved.place
    local = place.sql_argument is None and place.sql_where is None and not builder.speller.needs_import
    return text.editable(module, names) if local and text.are_there(moved, names) else None


class Builder:
    """Writes the rewrite of one filter."""

    def __init__(self, text: Text, module: Module, moved: Moved) -> None:
        self.text, source = text, text.source
        self.source, self.tokens, self.bindings = source, text.tokens, text.bindings
        self.moved = moved
        self.filter = moved.filters[0]
        bare = any(re.search(r"(?<![.\w])" + re.escape(module.spelling.col or "col") + r"\(", t) for t in self._texts())
        alias = text.alias(module)
        self.quote = prevailing_quote(source)
        self.speller = ColumnSpeller(module.spelling, self.quote, prefer_bare=bare, alias=alias)
        self.spelling = module.spelling
        self.moves_whole = False
        """Whether the filter's own call moves, with its layout and comments."""

    def _texts(self) -> list[str]:
        return [f.condition.text(self.source) for f in self.moved.filters]

    def build(self, solution: Solution) -> Rewrite:
        place = self.moved.place
        style = "sql" if place.sql_argument is not None or place.sql_where is not None else self.filter.style
        prefilter = self.spelled(solution.pre_filter, style)
        self._check_names(solution.pre_filter)
        self._check_types(solution.pre_filter)
        method = "where" if self.source[self.filter.call.start :].lstrip(". \\\r\n\t").startswith("where") else "filter"
        self.moves_whole = self._is_moved_whole(solution, prefilter)
        inserted = self._insertions(method, prefilter, solution.pre_filter)
        needs_import = self.speller.needs_import
        alone = self._checked(inserted, needs_import)
        replaced = self._replaced(solution)
        kind, changes = (solution.kind, [replaced]) if replaced else residual.of(self, solution)
        whole = [replaced] if replaced else [*inserted, *changes]
        edits = alone if kind == "partial" else self._checked(whole, self.speller.needs_import)
        if kind == "exact":
            return Rewrite(kind, edits, alone, prefilter, None, None)
        if self.moved.stays:
            return Rewrite(kind, edits, alone, prefilter, " & ".join(f"({t})" for t in self._texts()), None)
        stays = solution.residual if kind == "split" else self.moved.problem.predicate
        if self.filter.style == "driver":
            return Rewrite(kind, edits, alone, prefilter, self._own_words(), None)
        if self.filter.style == "python" and (
            self.moved.problem.fold.rows == "one" or is_of_elements(self.moved.boundary)
        ):
            return Rewrite(kind, edits, alone, prefilter, self._own_words(), None)
        return Rewrite(kind, edits, alone, prefilter, self._shown(stays), spell_sql(stays))

    def write_in_front(self, pre_filter: Expr) -> None:
        """``CannotEdit`` if ``pre_filter`` cannot be written in front of the boundary."""
        text = self.spelled(pre_filter, self.filter.style)
        self._check_names(pre_filter)
        self._checked(self._insertions("filter", text, pre_filter), self.speller.needs_import)

    def _replaced(self, solution: Solution) -> Edit | None:
        """Where the function is called in the filter itself: the edit that puts the pre-filter in its place; None if
        that cannot be done in one place."""
        if not self.moved.place.in_filter or solution.kind == "partial" or self.filter.unread is not None:
            return None
        text = self.spelled(solution.pre_filter, self.filter.style)
        if solution.kind == "exact":
            return Edit(self.filter.condition, text)
        kept = conjuncts(solution.residual)
        gone = [
            c
            for c, e in zip(self.filter.conjuncts, residual.conditions(self, self.filter), strict=True)
            if e not in kept
        ]
        if len(gone) != 1 or gone[0].span == self.filter.condition:
            return None
        if self.filter.style == "sql":
            sql = spell_sql(solution.pre_filter)
            return None if sql is None else Edit(gone[0].span, f"({sql})" if " " in sql else sql)
        place = gone[0].span
        around = self.source[: place.start].rstrip()[-1:] + self.source[place.end :].lstrip()[:1]
        return Edit(place, text if around == "()" else self.speller.operand_of_chain(solution.pre_filter))

    def _is_moved_whole(self, solution: Solution, prefilter: str) -> bool:
        """Whether the one filter, which is written on several lines, goes and says the pre-filter in the same words."""
        place, own = self.moved.place, self.filter.condition
        if solution.kind != "exact" or len(self.moved.filters) > 1 or "\n" not in own.text(self.source):
            return False
        if self.filter.style != "column" or place.in_filter or place.sql_argument or place.sql_where:
            return False
        return [t.text for t in self.tokens.within(own)] == [t.text for t in Tokens(f"({prefilter})").tokens[1:-1]]

    def _insertions(self, method: str, text: str, e: Expr) -> list[Edit]:
        """What is said of elements goes where the array is, all else in front of the boundary."""
        boundary = self.moved.boundary
        if isinstance(boundary, GroupMap) and boundary.beside is not None:
            return [self._insert(method, text, e), self._beside(method, boundary, e)]
        if not isinstance(boundary, Explode) or boundary.arms:
            return [self._insert(method, text, e)]
        parts = conjuncts(e)
        inside = [p for p in parts if any(map(boundary.makes, columns_of(p)))]
        rest = conjoin([p for p in parts if p not in inside])
        beside = self.spelled(rest, self.filter.style) if len(inside) < len(parts) else None
        if boundary.placed:
            some = some_element(self.source, boundary, conjoin(inside), self.speller)
            calls = [f"{method}({text})" for text in (some, beside) if text is not None]
            return [insert_call(self.tokens, self.moved.place.insert_at, ".".join(calls), self.moved.place.in_argument)]
        edits = [filter_elements(self.source, boundary, conjoin(inside), self.speller)]
        if beside is not None:
            edits.append(self._insert(method, beside, rest))
        return edits

    def _beside(self, method: str, boundary: GroupMap, e: Expr) -> Edit:
        """The edit that adds the pre-filter to the other frame of a ``cogroup``."""
        assert boundary.beside is not None
        names = dict(boundary.renamed)
        theirs = transform(e, lambda n: Col(names[n.name]) if isinstance(n, Col) else None)
        text = self.spelled(theirs, self.filter.style)
        return insert_call(self.tokens, boundary.beside.start, f"{method}({text})")

    def _insert(self, method: str, text: str, e: Expr) -> Edit:
        """The edit that adds the pre-filter, one operand per line if its line would be too long otherwise."""
        boundary, call = self.moved.place, f"{method}({text})"
        if boundary.sql_argument is not None:
            return filtered_argument(self.tokens, boundary.sql_argument, e, self.bindings.context)
        if boundary.sql_where is not None:
            return filtered_query(self.tokens, boundary.sql_where, e, dict(boundary.sql_tables))
        at, inside = boundary.insert_at, boundary.in_argument
        if self.moves_whole:
            own = self.filter.call.text(self.source).lstrip(". ")
            edit = insert_call(self.tokens, at, own, inside)
            result = apply_edits(self.source, [edit])
            if indent_of(result, result.index(own, edit.span.start)) == indent_of(self.source, self.filter.call.start):
                return edit
            self.moves_whole = False
        edit = insert_call(self.tokens, at, call, inside)
        result = apply_edits(self.source, [edit])
        place = result.index(call, edit.span.start)
        fits = line_end(result, place) - line_start(result, place) <= LINE_LENGTH
        if fits or not isinstance(e, (And, Or)) or not e.operands or is_of_elements(self.moved.boundary):
            return edit
        newline, indent = newline_of(self.source), indent_of(result, place)
        parts = self._sql_parts(e, text[0]) if text[:1] in "\"'" else self._column_parts(e)
        body = "".join(f"{newline}{indent}    {part}" for part in parts)
        return insert_call(self.tokens, at, f"{method}({body}{newline}{indent})", inside)

    def _column_parts(self, e: And | Or) -> list[str]:
        sign = "& " if isinstance(e, And) else "| "
        return [(sign if i else "") + self.speller.operand_of_chain(o) for i, o in enumerate(flattened(e))]

    def _sql_parts(self, e: And | Or, quote: str) -> list[str]:
        word = " AND " if isinstance(e, And) else " OR "
        texts = chain_texts(e)
        last = len(texts) - 1
        return [
            string_literal(t + (word if i < last else ""), "'" if quote == "'" else '"') for i, t in enumerate(texts)
        ]

    def spelled(self, e: Expr, style: str) -> str:
        """``e`` as the argument of a filter call in the user's style."""
        if is_of_elements(self.moved.boundary):
            return spell_python(e, self.moved.problem.fold, self.quote)
        if style == "sql" and (sql := spell_sql(e)) is not None:
            quote = self.filter.condition.text(self.source).lstrip("rRbBuUfF")[:1]
            return string_literal(sql, "'" if quote == "'" else '"')
        if style == "driver" and (sql := self._without_import(e)) is not None:
            return sql
        return self.speller.condition(e)

    def _without_import(self, e: Expr) -> str | None:
        """``e`` as a SQL text, where a Column needs an import of functions that the file has no other use for."""
        column = ColumnSpeller(self.spelling, self.quote, alias=self.speller.alias)
        column.condition(e)
        sql = spell_sql(e) if column.needs_import and not params_of(e) else None
        return None if sql is None else string_literal(sql, "'" if self.quote == "'" else '"')

    def _shown(self, e: Expr) -> str:
        if self.moved.place.in_filter:
            parts, own = conjuncts(e), zip(self.filter.conjuncts, residual.conditions(self, self.filter), strict=True)
            left = [c.span.text(self.source) for c, condition in own if condition in parts]
            word = " & " if self.filter.style == "column" else " AND "
            return word.join(left) if len(left) < len(self.filter.conjuncts) else self._texts()[0]
        try:
            return self.spelled(e, self.filter.style)
        except CannotSpell:
            return self._own_words()

    def _own_words(self) -> str:
        return " & ".join(f"({t})" for t in self._texts()) if len(self.moved.filters) > 1 else self._texts()[0]

    def _check_names(self, pre_filter: Expr) -> None:
        at, use = self.moved.place.insert_at, self.filter.call.start
        for name in sorted(params_of(pre_filter)):
            if not self.bindings.same_value(name, at, use):
                raise CannotEdit(f"`{name}` may not have its value yet where the pre-filter goes")
        for name in sorted(self.speller.names - params_of(pre_filter)):
            own = self.speller.needs_import and name == self.speller.alias
            if not own and not self.text.are_there(self.moved, (name,)):
                raise CannotEdit(f"`{name}` is not imported yet where the pre-filter goes")

    def _check_types(self, pre_filter: Expr) -> None:
        """Spark casts what `isnan` is asked of to a double, and a text that is no number raises. Arithmetic on what is
        only believed to be floats, from the use that a function makes of them, overflows where they are integers."""
        if is_of_elements(self.moved.boundary):
            return
        fold = self.moved.problem.fold
        unknown = {c.name for c in fold.columns if c.type == ANY}
        floats = f"{WORDS['float']} (schema unknown)"
        believed = {c.name for c in fold.columns if Assumption("type", f"`{c.name}` {floats}") in fold.assumptions}
        for e in walk(pre_filter):
            if isinstance(e, IsNaN) and (asked := sorted(columns_of(e) & unknown)):
                raise CannotEdit(f"whether `{asked[0]}` is a number, of which NaN may be one, is not known")
            if isinstance(e, (Arith, Neg)) and (asked := sorted(columns_of(e) & believed)):
                raise CannotEdit(f"`{asked[0]}` may hold whole numbers, and arithmetic on those may overflow")

    def _checked(self, edits: list[Edit], needs_import: bool) -> tuple[Edit, ...]:
        if needs_import and not self.bindings.free(self.speller.alias):
            raise CannotEdit("no free name for pyspark.sql.functions")
        if needs_import:
            edits = [*edits, import_functions(self.source, self.speller.alias)]
        ordered = tuple(sorted(edits, key=lambda e: e.span.start))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.text.require_parses(ordered)
        except (SyntaxError, ValueError, Overlap, RecursionError, MemoryError) as error:
            raise CannotEdit(f"the rewritten file would not parse: {error}") from None
        return ordered
