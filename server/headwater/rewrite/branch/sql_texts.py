"""Whether the SQL in an expression that is copied means the same when it is parsed once more.

Law: a text without a subquery, a clock and a function that a table does not name as one of its arguments or of the rows
depends on the columns alone. Functions are taken by the name in front of a parenthesis.
Counterexample: ``k IN (SELECT k FROM v)``, where the view ``v`` was created anew; ``d < current_date``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from headwater.python.values.native_parts import is_registered
from headwater.syntax.names.pyspark_methods import COLUMN
from headwater.syntax.names.pyspark_symbols import CLOCK_WORDS, FUNCTIONS, SQL_ROW, names_the_clock
from headwater.syntax.names.resolve import Names

from .builders import COLUMN_KINDS, made_by
from .definitions import NoBranch
from .names import Holding

_CONDITIONS = frozenset({"filter", "where"})
_TAKING_SQL = frozenset({"expr", "selectExpr", *_CONDITIONS})
_GRAMMAR = frozenset(
    """
    and or not in when then else case like rlike ilike regexp between is from escape cast try_cast over by as distinct
    decimal dec numeric char varchar
    """.split()
)
"""Words that may stand in front of a parenthesis and are no functions."""
_OF_ROWS = frozenset(n for n, f in FUNCTIONS.items() if f.kind in COLUMN_KINDS - {"row", "column", "text", "order"})
_OTHER_PLACES = frozenset("select table exists values with identifier lateral".split())
"""Words by which a text reads what is no column."""


def check_texts(method: str, arguments: Sequence[ast.expr], holding: Holding, frames: Collection[str] = ()) -> None:
    """NoBranch unless the SQL among the arguments of ``method`` is known, and means the same once more. ``frames``: the
    variables that hold frames."""
    if method == "agg":
        values = [v for a in arguments if isinstance(a, ast.Dict) for v in a.values]
        if not all(isinstance(v, ast.Constant) and str(v.value).lower() in _OF_ROWS for v in values):
            raise NoBranch("an aggregate that a text names may be another one the next time")
    if method not in _TAKING_SQL:
        return
    for argument in arguments:
        if method in _CONDITIONS and _is_no_text(argument, holding, frames):
            continue
        if not all(is_repeatable(text, holding.names) for text in _texts(argument, holding)):
            raise NoBranch("what a text reads may be another value the next time")


def _is_no_text(node: ast.expr, holding: Holding, frames: Collection[str]) -> bool:
    """Whether a condition is surely a column, or a function that an RDD is filtered by."""
    match node:
        case ast.Lambda() | ast.Compare() | ast.UnaryOp() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            return True
        case ast.Call(func=func) if made_by(holding.names.resolve(func) or "") == "column":
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in COLUMN
        case ast.Call(func=ast.Name() as name):
            return holding.is_udf(name)
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name in frames
        case ast.Name(id=name):
            if holding.scopes.context.function(name) is not None:
                return True
            value = holding.value_of(name)
            return value is not None and not isinstance(value, ast.Name) and _is_no_text(value, holding, frames)
    return False


def _texts(node: ast.expr, holding: Holding) -> Sequence[object]:
    """The texts that an argument may be; None among them for one that is not known."""
    match node:
        case ast.Starred(value=inner):
            return _texts(inner, holding)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [text for item in items for text in _texts(item, holding)]
        case ast.Name(id=name):
            value = holding.value_of(name)
            return [None] if value is None or isinstance(value, ast.Name) else _texts(value, holding)
        case ast.Constant(value=value):
            return [value]
    return [None]


def is_repeatable(text: object, names: Names) -> bool:
    """Whether a SQL expression depends on the columns alone."""
    import sqlglot

    if not isinstance(text, str):
        return False
    try:
        tokens = sqlglot.tokenize(text, read="spark")
    except sqlglot.errors.SqlglotError:
        return False
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        word = token.text.lower()
        if token.token_type.name.endswith("STRING"):
            if names_the_clock(token.text):
                return False
        elif text[token.start] == "`":
            if after is not None and after.text == "(":
                return False
        elif word in CLOCK_WORDS or word in _OTHER_PLACES:
            return False
        elif after is not None and after.text == "(" and re.fullmatch(r"\w+", word) and word not in _GRAMMAR:
            if word not in SQL_ROW | _OF_ROWS or is_registered(names, word):
                return False
    return True
