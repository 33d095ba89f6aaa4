"""Whether a SQL expression without a model is at least a deterministic function of its row.

Every name in front of a parenthesis must be one of a function that the table has as ``row``: it is the spelled name
that counts, whatever the parser takes the call for.
"""

from __future__ import annotations

import re

from headwater.python.values.native_parts import is_registered
from headwater.syntax.names.pyspark_symbols import CLOCK_WORDS, SQL_ROW, names_the_clock
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.spelled_sql import is_filled_in

_NODES = frozenset(
    """
    Column Identifier Literal Null Boolean Paren Alias And Or Not Neg EQ NEQ NullSafeEQ NullSafeNEQ LT LTE GT GTE Is In
    Between Like ILike RLike Add Sub Mul Div IntDiv Mod Case If Cast TryCast DataType DataTypeParam Bracket Dot DPipe
    BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Tuple Interval Var Escape Extract ColumnDef Lambda PropertyEQ
    """.split()
)
"""Syntax that computes with the values of the row alone. Functions are recognized by their names."""
_NO_FUNCTIONS = frozenset(
    """
    and or not in when then else case like rlike ilike regexp between is from escape cast try_cast
    decimal dec numeric char varchar
    """.split()
)
"""Words of the grammar that may stand in front of a parenthesis, and types with parameters."""


def is_rowwise_sql(text: object, names: Names) -> bool:
    """Whether the SQL expression ``text`` is surely a deterministic function of its row."""
    import sqlglot
    from sqlglot import exp

    if not isinstance(text, str) or is_filled_in(text):
        return False
    try:
        trees = sqlglot.parse(text, read="spark")
        tokens = sqlglot.tokenize(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False
    if len(trees) != 1 or trees[0] is None:
        return False
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        word = token.text.lower()
        if after is not None and after.text == "(" and re.fullmatch(r"\w+", word):
            quoted = text[token.start] == "`"
            if (quoted or word not in _NO_FUNCTIONS) and (word not in SQL_ROW or is_registered(names, word)):
                return False
        elif word in CLOCK_WORDS or (token.token_type.name.endswith("STRING") and names_the_clock(token.text)):
            return False

    def allowed(node: exp.Expr) -> bool:
        return type(node).__name__ in _NODES or (isinstance(node, exp.Func) and not isinstance(node, exp.AggFunc))

    return all(allowed(n) for n in trees[0].walk())
