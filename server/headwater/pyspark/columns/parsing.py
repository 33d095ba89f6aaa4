"""SQL text as the parser reads it, but for functions that it knows under other names or with other arguments.

It makes patterns of dates those of another language (``y`` and ``YYYY`` become one), and units what a column of that
name would be. Under no name of its own such a function stays as it is written (``Anonymous``).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect

_AS_WRITTEN = frozenset(
    """DATE_FORMAT DATE_TRUNC TRUNC DATE_ADD DATEADD DATE_SUB DATEDIFF DATE_DIFF ADD_MONTHS UNIX_TIMESTAMP
    TO_UNIX_TIMESTAMP TO_DATE TIMESTAMP_SECONDS FROM_UNIXTIME REGEXP_EXTRACT""".split()
)


LONGEST = 100_000
"""Of a longer SQL text nothing is known: sqlglot takes seconds for it."""


def parse_sql(text: str) -> list[exp.Expr | None]:
    """The statements of a text; what sqlglot raises if it is none, or too long to be read while somebody waits."""
    import sqlglot

    if len(text) > LONGEST:
        raise sqlglot.errors.ParseError("the text is too long")
    return sqlglot.parse(text, read=_dialect())


@cache
def _dialect() -> type[Dialect]:
    from sqlglot.dialects.spark import Spark
    from sqlglot.parsers.spark import SparkParser

    class WrittenParser(SparkParser):
        """Spark's parser without them, which tells ``cast`` from ``try_cast``."""

        STRICT_CAST = True
        FUNCTIONS: ClassVar = {k: v for k, v in SparkParser.FUNCTIONS.items() if k not in _AS_WRITTEN}

    class Written(Spark):
        """Spark's SQL."""

        Parser = WrittenParser

    return Written
