"""Calls of ``spark.sql``: the text that they give to Spark, with the values of its parameter markers.

Law: Spark takes ``:name`` and ``?`` for literals of the values that ``args`` has for them
(https://spark.apache.org/docs/latest/sql-ref-parameter-marker.html): ``int`` for INT or BIGINT, ``float`` for DOUBLE.
So the text is read with these literals in the places of the markers. A value is one that the file proves a constant.
Names after ``args`` fill in frames and texts before Spark sees them, which is not followed.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from itertools import accumulate

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import resolve_literal
from headwater.pyspark.frames.constant_text import assigned, text_of
from headwater.pyspark.frames.session_names import reads_as
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound, Signature

from .tokens import SqlText, Word
from .written import Piece, pieces_of

_DEEPEST = 50
_SQL = "sql(sqlQuery, args=None)"
_BEGIN = ("SELECT", "WITH", "(")
"""How a query begins; any other text is a command."""


def text_of_call(node: ast.Call, reader: ApiContext) -> SqlText | None:
    """The query that a call of ``spark.sql`` gives to Spark; None if ``node`` is no such call, or gives it something
    else; Refusal if the text is not known, or not how it is written."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "sql":
        return None
    if not reads_as(node.func.value, "session", reader.names, reader.lookup):
        return None
    bound = Signature.of(_SQL).bind(node)
    given = bound.arguments["sqlQuery"]
    if isinstance(given, ast.Name) and reader.names.loads(given.id) == 1:
        given = assigned(given, reader.names, reader.lookup)  # who changes the text changes it for this one reader
    text = SqlText.of(pieces_of(given, reader))
    if text is None or text.words[0].spelled.upper() not in _BEGIN:
        return None
    depths = accumulate((word.spelled == "(") - (word.spelled == ")") for word in text.words)
    if max(depths) > _DEEPEST:
        raise Refusal("opaque", "the SQL text is nested too deeply")
    return SqlText.of(tuple(_filled(text, bound, reader))) if "args" in bound else text


def _filled(text: SqlText, bound: Bound, reader: ApiContext) -> Iterator[Piece]:
    """The pieces of ``text`` with the values of its parameter markers."""
    values = _values(resolve_literal(bound.arguments["args"], reader))
    at = unnamed = 0
    for marker, start, end in _markers(text.words):
        name = marker or str(unnamed)
        unnamed += not marker
        if name not in values:
            raise Refusal("opaque", f"the value of `{text.spelled((start, end))}` in the SQL text is not known")
        yield from text.cut((at, start))
        yield Piece(_literal(values[name], text.spelled((start, end)), reader), text.span((start, end)), False)
        at = end
    if unnamed and unnamed != len(values):
        raise Refusal("opaque", "the SQL text has more or fewer `?` than values")
    yield from text.cut((at, len(text.text)))


def _values(given: ast.expr) -> dict[str, ast.expr]:
    """By name, or number as text, the values of markers."""
    match given:
        case ast.Constant(value=None):
            return {}
        case ast.Dict(keys=keys, values=values):
            names = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
            if len({*names}) == len(values):
                return dict(zip(names, values, strict=True))
        case ast.List(elts=items) if not any(isinstance(item, ast.Starred) for item in items):
            return {str(number): item for number, item in enumerate(items)}
    raise Refusal("opaque", "the values of the parameter markers in the SQL text are not written out")


def _markers(words: tuple[Word, ...]) -> Iterator[tuple[str, int, int]]:
    """The parameter markers of a text in order: their names, empty for ``?``, and from where to where they are."""
    for before, word, after in zip((None, *words[:-1]), words, (*words[1:], None), strict=True):
        if word.spelled == "?":
            yield "", word.start, word.end
        elif word.spelled == ":" and after is not None and after.start == word.end and after.spelled.isidentifier():
            if before is None or before.end < word.start or before.spelled in _IN_FRONT:
                yield after.spelled, word.start, after.end


_IN_FRONT = frozenset("( , = < > <= >= <> != + - * /".split())
"""What a marker may follow without a blank: behind a name, ``:field`` is a part of it."""


def _literal(node: ast.expr, marker: str, reader: ApiContext) -> str:
    """How SQL spells the value of ``node``."""
    found = spelled_literal(assigned(node, reader.names, reader.lookup))
    if found is None and (text := text_of(node, reader.names, reader.lookup)) is not None:
        found = spelled_literal(ast.Constant(text))
    if found is None:
        raise Refusal("opaque", f"the value of `{marker}` in the SQL text is not known")
    return found


def spelled_literal(node: ast.expr) -> str | None:
    """How SQL spells the constant ``node``, with its type and as one operand; None if it is none that has such a
    literal."""
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    value = node.operand if isinstance(node, ast.UnaryOp) and minus else node
    found = None
    match value:
        case ast.Constant(value=None | bool() as truth) if not minus:
            return "NULL" if truth is None else str(truth).lower()
        case ast.Constant(value=str() as text) if not minus and "'" not in text and "\\" not in text:
            return f"'{text}'"
        case ast.Constant(value=int() as number) if not isinstance(number, bool) and number < 2**63:
            found = str(number)
        case ast.Constant(value=float() as number) if math.isfinite(number) and "e" not in repr(number):
            found = f"{number!r}D"
    return f"(-{found})" if found and minus else found
