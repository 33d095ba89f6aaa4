"""What SQLite answers to ``SELECT … FROM table WHERE …``, of a table that holds the rows of a source.

Law: SQLite's own rules, https://www.sqlite.org/datatype3.html (affinity, comparison) and lang_expr.html (LIKE):
comparison is three-valued, a text is greater than any number, before comparison a number and a text take the affinity
of a column on the other side, LIKE ignores the case of ASCII letters and knows no escape but by ESCAPE. NaN is stored
and bound as NULL. ``tests/data_sources`` compares with the real thing. What is not listed here is not evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlglot
from sqlglot import errors, exp

from headwater.validation.limits import NotEvaluated

from .columns import Column


class SqlError(Exception):
    """The database refuses the statement."""


Values = Mapping[str, Any]
Evaluate = Callable[[Values], Any]
_AFFINITY = {"int": "number", "float": "number", "bool": "number", "string": "text"}


def answer(
    text: str, given: Any, columns: Sequence[Column], rows: Sequence[Values]
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The names and the rows of the result. SqlError where SQLite refuses, NotEvaluated for what is not modelled."""
    select = _parsed(text)
    stored = [{n: _stored(v) for n, v in row.items()} for row in rows]
    query = _Query({c.name.lower(): c for c in columns}, _Parameters(given))
    shown = [query.shown(e, [c.name for c in columns]) for e in select.expressions]
    where = select.args.get("where")
    keeps = query.expression(where.this) if where is not None else None
    query.parameters.finish()
    _only(select)
    kept = [row for row in stored if keeps is None or truth(keeps(row)) is True]
    if any(isinstance(e, exp.Count) for e in select.expressions):
        return ["count"], [(len(kept),)]
    _limits(select, len(rows))
    names = [n for part in shown for n in part]
    return names, [tuple(row[n] for n in names) for row in kept]


def _parsed(text: str) -> exp.Select:
    try:
        statements = sqlglot.parse(text, dialect="sqlite")
    except (errors.ParseError, errors.TokenError):
        if text.count("'") % 2:
            raise SqlError("unrecognized token") from None
        raise NotEvaluated("SQL text that is not understood") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise NotEvaluated("SQL text that is no query of one table")
    return statements[0]


def _only(select: exp.Select) -> None:
    source = select.args.get("from_") or select.args.get("from")
    table = source.this if isinstance(source, exp.From) else None
    named = {"this", "db", "catalog", "alias"}
    if (
        not isinstance(table, exp.Table)
        or not isinstance(table.this, exp.Identifier)
        or not {k for k, v in table.args.items() if v} <= named
    ):
        raise NotEvaluated("a query of something other than one table")
    known = {"expressions", "from_", "from", "where", "order", "limit", "offset", "kind", "hint"}
    if any(v for k, v in select.args.items() if k not in known):
        raise NotEvaluated("a query with other clauses than WHERE")


def _limits(select: exp.Select, rows: int) -> None:
    limit, offset = select.args.get("limit"), select.args.get("offset")
    for node, least, most in ((limit, rows, None), (offset, 0, 0)):
        value = getattr(node, "expression", None)
        number = int(value.this) if isinstance(value, exp.Literal) and value.is_int else -1
        if node is not None and (number < least or (most is not None and number > most)):
            raise NotEvaluated("a query of some rows")


class _Parameters:
    """The values of the placeholders, in their order or by name."""

    def __init__(self, given: Any) -> None:
        if not isinstance(given, (list, tuple, dict)):
            raise SqlError("parameters are of unsupported type")
        self._given, self._used = given, 0

    def next(self, name: str | None) -> Any:
        """The value of the next placeholder."""
        if isinstance(self._given, dict) or name not in (None, "?"):
            if not isinstance(self._given, dict) or name not in self._given:
                raise NotEvaluated("a parameter without a value")
            return _stored(self._given[name])
        if self._used >= len(self._given):
            raise SqlError("Incorrect number of bindings supplied")
        self._used += 1
        return _stored(self._given[self._used - 1])

    def finish(self) -> None:
        """SqlError if there are more values than placeholders."""
        if not isinstance(self._given, dict) and self._used != len(self._given):
            raise SqlError("Incorrect number of bindings supplied")


def _stored(value: Any) -> Any:
    """A value as SQLite holds it."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return None if value != value else value + 0.0  # not -0.0
    if value is None or isinstance(value, (int, float, str)):
        return value
    if isinstance(value, (list, tuple, dict)):
        raise SqlError("type is not supported")
    raise NotEvaluated("a value whose form in the database is not known")


class _Query:
    """Compiles expressions. ``columns``: by name in lower case."""

    def __init__(self, columns: Mapping[str, Column], parameters: _Parameters) -> None:
        self.columns, self.parameters = columns, parameters

    def shown(self, e: exp.Expr, everything: list[str]) -> list[str]:
        """The columns that an item of SELECT shows."""
        if isinstance(e, exp.Star):
            return everything
        if isinstance(e, exp.Count) and isinstance(e.this, exp.Star):
            return []
        return [self._column(e).name]

    def _column(self, e: exp.Expr) -> Column:
        found = self.columns.get(e.name.lower()) if isinstance(e, exp.Column) else None
        if found is None:
            raise NotEvaluated("an expression in SQL text that is no column of the source")
        return found

    def _affinity(self, e: exp.Expr) -> str | None:
        e = e.unnest()
        if not isinstance(e, exp.Column):
            return None
        kind = _AFFINITY.get(self._column(e).type.name)
        if kind is None:
            raise NotEvaluated("a column whose form in the database is not known")
        return kind

    def expression(self, e: exp.Expr) -> Evaluate:
        """The code of an expression."""
        if any(v for k, v in e.args.items() if k not in _PARTS and (k != "negate" or not isinstance(e, exp.Like))):
            raise NotEvaluated(f"`{type(e).__name__}` in SQL text")
        match e:
            case exp.Paren():
                return self.expression(e.this)
            case exp.Column():
                name = self._column(e).name
                self._affinity(e)
                return lambda row: row[name]
            case exp.Placeholder():
                value = self.parameters.next(e.this or None)
                return lambda _: value
            case exp.Literal():
                constant = e.this if e.is_string else int(e.this) if e.is_int else float(e.this)
                return lambda _: constant
            case exp.Boolean():
                number = int(e.this)
                return lambda _: number
            case exp.Null():
                return lambda _: None
            case exp.Neg():
                operand = self.expression(e.this)
                return lambda row: None if (v := operand(row)) is None else -_number(v)
            case exp.And() | exp.Or():
                left, right = self.expression(e.left), self.expression(e.right)
                both = _and if isinstance(e, exp.And) else _or
                return lambda row: both(truth(left(row)), truth(right(row)))
            case exp.Not():
                return self._denied(self.expression(e.this))
            case exp.Is() | exp.NullSafeEQ() | exp.NullSafeNEQ() if not isinstance(e.right.unnest(), exp.Boolean):
                equal = self._compared(e.left, e.right, lambda a, b: a == b, null_safe=True)
                return equal if not isinstance(e, exp.NullSafeNEQ) else lambda row: not equal(row)
            case exp.In():
                return self._in(e)
            case exp.Between():
                low = self._compared(e.this, e.args["low"], lambda a, b: a >= b)
                high = self._compared(e.this, e.args["high"], lambda a, b: a <= b)
                return lambda row: _and(low(row), high(row))
            case exp.Escape() if isinstance(e.this, exp.Like):
                like = self._like(e.this, self.expression(e.expression))
                return self._denied(like) if e.this.args.get("negate") else like
            case exp.Like():
                like = self._like(e, None)
                return self._denied(like) if e.args.get("negate") else like
            case exp.DPipe() | exp.Concat():
                parts = [self.expression(p) for p in (e.flatten() if isinstance(e, exp.DPipe) else e.expressions)]
                return lambda row: None if None in (vs := [p(row) for p in parts]) else "".join(map(_text, vs))
            case exp.StrPosition() if {k for k, v in e.args.items() if v} <= {"this", "substr", "clamp_position"}:
                text, part = self.expression(e.this), self.expression(e.args["substr"])
                return lambda row: _position(text(row), part(row))
        for kind, compared in _COMPARED.items():
            if type(e) is kind:
                return self._compared(e.args["this"], e.args["expression"], compared)
        raise NotEvaluated(f"`{type(e).__name__}` in SQL text")

    def _denied(self, operand: Evaluate) -> Evaluate:
        return lambda row: None if (v := truth(operand(row))) is None else not v

    def _compared(
        self, left: exp.Expr, right: exp.Expr, compare: Callable[[Any, Any], bool], null_safe: bool = False
    ) -> Evaluate:
        a, b = self.expression(left), self.expression(right)
        mine, other = self._affinity(left), self._affinity(right)

        def run(row: Values) -> Any:
            x, y = a(row), b(row)
            if x is None or y is None:
                return x is y if null_safe else None
            if "number" in (mine, other) and mine != other:
                x, y = (x, _numeric(y)) if mine == "number" else (_numeric(x), y)
            elif "text" in (mine, other) and mine != other:
                x, y = (x, _text(y)) if mine == "text" else (_text(x), y)
            return compare((isinstance(x, str), x), (isinstance(y, str), y))

        return run

    def _in(self, e: exp.In) -> Evaluate:
        if any(v for k, v in e.args.items() if k not in ("this", "expressions")):
            raise NotEvaluated("IN of a query")
        equal = [self._compared(e.this, exp.Paren(this=o), lambda a, b: a == b) for o in e.expressions]

        def run(row: Values) -> Any:
            found: Any = False
            for test in equal:
                found = _or(found, test(row))
            return found

        return run

    def _like(self, e: exp.Like, escape: Evaluate | None) -> Evaluate:
        text, pattern = self.expression(e.this), self.expression(e.expression)

        def run(row: Values) -> Any:
            of, like, mark = text(row), pattern(row), escape(row) if escape is not None else ""
            if of is None or like is None or mark is None:
                return None
            if escape is not None and (not isinstance(mark, str) or len(mark) != 1):
                raise SqlError("ESCAPE expression must be a single character")
            return re.fullmatch(_pattern(_text(like), mark), _folded(_text(of)), re.DOTALL) is not None

        return run


_PARTS = frozenset(
    {"this", "expression", "expressions", "low", "high", "substr", "clamp_position", "is_string", "table", "safe",
     "db", "catalog"}
)  # fmt: skip
"""Names of parts of expressions that are read."""
_COMPARED: dict[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.EQ: lambda a, b: a == b, exp.NEQ: lambda a, b: a != b, exp.LT: lambda a, b: a < b,
    exp.LTE: lambda a, b: a <= b, exp.GT: lambda a, b: a > b, exp.GTE: lambda a, b: a >= b,
}  # fmt: skip


def _pattern(like: str, escape: str) -> str:
    found, i = [], 0
    while i < len(like):
        c = like[i]
        if escape and c == escape:
            if i + 1 == len(like):
                return "(?!)"
            i += 1
            found.append(re.escape(_folded(like[i])))
        else:
            found.append({"%": ".*", "_": "."}.get(c) or re.escape(_folded(c)))
        i += 1
    return "".join(found)


def _folded(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def _position(text: Any, part: Any) -> Any:
    return None if text is None or part is None else _text(text).find(_text(part)) + 1


def truth(value: Any) -> bool | None:
    """A value as a condition."""
    if value is None or isinstance(value, bool):
        return value
    return bool(_number(value) != 0)


def _and(a: bool | None, b: bool | None) -> bool | None:
    return False if a is False or b is False else None if a is None or b is None else True


def _or(a: bool | None, b: bool | None) -> bool | None:
    return True if a is True or b is True else None if a is None or b is None else False


def _number(value: Any) -> Any:
    if isinstance(value, str):
        raise NotEvaluated("a text in the place of a number")
    return value


def _numeric(value: Any) -> Any:
    """A value of numeric affinity."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,15}\s*", value):
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,15}\.\d{0,15}\s*", value):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\.?\d.*", value, re.DOTALL):
        raise NotEvaluated("a text that may be a number")
    return value


def _text(value: Any) -> str:
    """A value of the affinity of texts."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and not (abs(value) < 1e15 and value == round(value, 4)):
        raise NotEvaluated("the text of a number")
    return str(value + 0.0) if isinstance(value, float) else str(value)


__all__ = ["SqlError", "answer", "truth"]
