"""SQL-string predicates (``df.filter("x > 1 AND y IN ('a')")``) → ``Expr``, with the same coverage as Column
expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

from headwater.pyspark.frames.schema import parse_type
from headwater.pyspark.frames.typed_terms import Term, compare, literal, same
from headwater.syntax.names.pyspark_symbols import ROW_CONTEXT, VOLATILE
from headwater.syntax.names.spelled_sql import is_filled_in
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And, ArithOp, CompareOp, Expr, Lit, Or, StringOp, complement
from headwater_ir.plan import Conjunct
from headwater_ir.span import Span
from headwater_ir.types import BOOL, FLOAT

from . import spark_functions, sql_functions
from .intervals import interval, shifted
from .parsing import parse_sql
from .sql_determinism import is_rowwise_sql

if TYPE_CHECKING:
    from sqlglot import exp

    from .column import ColumnReader

_COMPARE: dict[str, CompareOp] = {"EQ": "==", "NEQ": "!=", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
_ARITH: dict[str, ArithOp] = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Mod": "%"}
_STRING_TESTS: dict[str, StringOp] = {"StartsWith": "startswith", "EndsWith": "endswith", "Contains": "contains"}
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
"""Texts of which Spark makes doubles that have no literal."""


def sql_readable(node: ast.expr, text: str, reader: ColumnReader) -> tuple[tuple[Conjunct, ...], Refusal | None]:
    """The conjuncts of a SQL predicate that have a meaning here, and why others have none although each is a
    deterministic function of the row; Refusal if one is not. Spans lie inside ``node`` if it is a plain one-line
    literal, else equal it."""
    whole = reader.ctx.span(node)
    offset = _plain_offset(node, text, reader)
    found: list[Conjunct] = []
    unread: Refusal | None = None
    for start, end in pieces(text):
        span = whole if offset is None else Span(offset + start, offset + end)
        try:
            found.append(Conjunct(spark_functions.boolean(read_sql(text[start:end], reader)), span))
        except Refusal as refusal:
            if refusal.obstruction not in ("opaque", "may-throw") or not is_rowwise_sql(text[start:end], reader.names):
                raise
            unread = unread or refusal
    return tuple(found), unread


def _plain_offset(node: ast.expr, text: str, reader: ColumnReader) -> int | None:
    """Where ``text`` starts inside the literal, if the literal spells it character by character."""
    span = reader.ctx.span(node)
    spelled = reader.ctx.text(node)
    plain = len(spelled) == len(text) + 2 and spelled[1:-1] == text and "\n" not in text
    return span.start + 1 if isinstance(node, ast.Constant) and plain else None


def pieces(text: str) -> list[tuple[int, int]]:
    """The ranges of the operands of the top-level ANDs, outer parentheses excluded; one range if there is a
    top-level OR."""
    import sqlglot
    from sqlglot.tokens import TokenType  # type: ignore[attr-defined]

    try:
        tokens = sqlglot.tokenize(text, read="spark")
    except sqlglot.errors.SqlglotError as error:
        raise Refusal("opaque", "the SQL text does not parse") from error
    if not tokens:
        raise Refusal("opaque", "the SQL text is empty")
    if any(t.comments for t in tokens):
        return [(0, len(text))]
    groups: list[list[tuple[int, int]]] = [[]]
    depth = ranges = 0
    for token in tokens:
        kind = token.token_type
        depth += (kind in (TokenType.L_PAREN, TokenType.CASE)) - (kind in (TokenType.R_PAREN, TokenType.END))
        ranges += kind == TokenType.BETWEEN and depth == 0
        if depth == 0 and kind in (TokenType.OR, TokenType.SEMICOLON):
            return [(tokens[0].start, tokens[-1].end + 1)]
        if depth == 0 and kind == TokenType.AND and not ranges:
            groups.append([])
            continue
        if depth == 0 and kind == TokenType.AND:
            ranges -= 1
        groups[-1].append((token.start, token.end + 1))
    if any(not g for g in groups):
        raise Refusal("opaque", "the SQL text does not parse")
    found = [(g[0][0], g[-1][1]) for g in groups]
    # A column may be called `end` or `case`: the parser tells it from the keyword, the tokens do not.
    return found if _is_conjunction(text, found) else [(tokens[0].start, tokens[-1].end + 1)]


def _is_conjunction(text: str, pieces: list[tuple[int, int]]) -> bool:
    """Whether the text is the conjunction of these pieces of it."""
    import sqlglot
    from sqlglot import exp

    try:
        whole = sqlglot.parse(text, read="spark")
        parts = [sqlglot.parse_one(text[a:b], read="spark") for a, b in pieces]
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False
    operands = list(whole[0].flatten(unnest=False)) if isinstance(whole[0], exp.And) else whole
    return len(whole) == 1 and operands == parts


def read_sql(text: str, reader: ColumnReader) -> Term:
    """The term that a SQL expression means."""
    import sqlglot
    from sqlglot import exp

    if is_filled_in(text):
        raise Refusal("opaque", "Spark fills in variables of the SQL text")
    try:
        trees = parse_sql(text)
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        raise Refusal("opaque", "the SQL text does not parse") from error
    if len(trees) != 1 or not isinstance(trees[0], exp.Expression):
        raise Refusal("opaque", "the SQL text is not one expression")
    term = read_tree(trees[0], reader)
    if _may_be_decimal(trees[0]):
        raise Refusal("opaque", f"`{trees[0].sql('spark')}` may be a decimal")
    return term


def read_tree(e: exp.Expression, reader: ColumnReader) -> Term:
    """The term of a parsed expression."""
    from sqlglot import exp

    def sub(part: object) -> Term:
        if not isinstance(part, exp.Expression):
            raise Refusal("opaque", f"no model covers `{e.sql('spark')}`")
        return read_tree(part, reader)

    def condition(part: object) -> Expr:
        return spark_functions.boolean(sub(part))

    kind = type(e).__name__
    if isinstance(e, (exp.Paren,)):
        return sub(e.this)
    registered = _registered(e, reader, sub) or reader.sql_aggregate(e)
    if registered is not None:
        return registered
    if isinstance(e, exp.Column):
        if isinstance(e.args.get("table"), exp.Identifier) and not e.args.get("db"):
            return reader.reference(f"{e.args['table'].this}.{e.this.this}")
        if e.args.get("table") or not isinstance(e.this, exp.Identifier):
            raise Refusal("opaque", f"`{e.sql('spark')}` is a qualified name")
        return reader.reference(e.this.this)
    if isinstance(e, exp.Literal):
        return _literal(e)
    if isinstance(e, exp.Boolean):
        return Term(Lit(bool(e.this), BOOL), BOOL)
    if isinstance(e, exp.Null):
        return _present(literal(None))
    if isinstance(e, exp.Not):
        return Term(complement(condition(e.this)), BOOL)
    if isinstance(e, exp.And):
        return Term(And((condition(e.left), condition(e.right))), BOOL)
    if isinstance(e, exp.Or):
        return Term(Or((condition(e.left), condition(e.right))), BOOL)
    if kind in _COMPARE:
        left, right = sub(e.this), sub(e.expression)
        if (_is_double(e.this) and right.type.name == "any") or (_is_double(e.expression) and left.type.name == "any"):
            raise Refusal("opaque", f"`{e.sql('spark')}` rounds the column if it is a decimal; its type is not known")
        return Term(compare(_COMPARE[kind], left, right), BOOL)
    if isinstance(e, exp.NullSafeEQ):
        return Term(same(sub(e.this), sub(e.expression)), BOOL)
    if kind in _ARITH:
        left, right = sub(e.this), sub(e.expression)
        for constant, other in ((left, right), (right, left)):
            if isinstance(constant.expr, Lit) and constant.type == FLOAT and other.type != FLOAT:
                raise Refusal("opaque", f"`{e.sql('spark')}` may be decimal arithmetic")
        exact = [_may_be_decimal(part) for part in (e.this, e.expression)]
        if any(exact) and not any(t.type == FLOAT and not x for t, x in zip((left, right), exact, strict=True)):
            raise Refusal("opaque", f"`{e.sql('spark')}` may be decimal arithmetic")
        op = _ARITH[kind]
        return shifted(op, left, right) or spark_functions.arithmetic(op, left, right)
    if isinstance(e, exp.IntDiv):
        return spark_functions.whole_quotient(sub(e.this), sub(e.expression))
    if isinstance(e, exp.Interval) and (added := interval(e)) is not None:
        return added
    if isinstance(e, exp.Neg):
        return spark_functions.negate(sub(e.this))
    if isinstance(e, exp.Is) and isinstance(e.expression, exp.Null):
        return spark_functions.function("isnull", (sub(e.this),))
    if isinstance(e, exp.Between) and not e.args.get("symmetric"):
        return spark_functions.between(sub(e.this), sub(e.args["low"]), sub(e.args["high"]))
    if isinstance(e, exp.In) and not any(e.args.get(k) for k in ("query", "unnest", "field")):
        options = tuple(sub(o) for o in e.expressions)
        if all(isinstance(o.expr, Lit) for o in options):
            return spark_functions.is_in(sub(e.this), options)
    if isinstance(e, exp.Coalesce):
        return spark_functions.coalesce((sub(e.this), *(sub(x) for x in e.expressions)))
    if isinstance(e, exp.Cast) and isinstance(e.this, exp.Literal) and not e.this.is_string:
        if e.to.sql("spark").lower() == "double":  # also how `0.5D` is parsed
            return _present(literal(float(e.this.this)))
    if isinstance(e, exp.Cast) and isinstance(e.this, exp.Literal) and e.this.this in _NOT_FINITE:
        if e.to.sql("spark").lower() == "double":  # as the rewrites spell them
            return _present(literal(float(e.this.this)))
    if isinstance(e, (exp.Cast, exp.Round)) and _may_be_decimal(e.this):
        raise Refusal("opaque", f"`{e.this.sql('spark')}` may be a decimal")
    if isinstance(e, exp.Cast) and not (isinstance(e, exp.TryCast) or e.args.get("format")):
        return spark_functions.cast(sub(e.this), parse_type(e.to.sql("spark")))
    if isinstance(e, exp.Case) and not e.this:
        branches = tuple((condition(i.this), sub(i.args["true"])) for i in e.args["ifs"])
        return spark_functions.case(branches, sub(e.args["default"]) if e.args.get("default") else None)
    if isinstance(e, exp.If):
        otherwise = sub(e.args["false"]) if e.args.get("false") else None
        return spark_functions.case(((condition(e.this), sub(e.args["true"])),), otherwise)
    if kind in _STRING_TESTS and set(filter(e.args.get, e.args)) == {"this", "expression"}:
        return spark_functions.string_test(_STRING_TESTS[kind], sub(e.this), sub(e.expression))
    if (found := sql_functions.called(e, sub)) is not None:
        return found
    if isinstance(e, exp.Anonymous) and e.name.lower() in VOLATILE | ROW_CONTEXT:
        spark_functions.function(e.name.lower(), ())
    if kind in ("Rand", "Randn", "Uuid", "CurrentTimestamp", "CurrentDate"):
        raise Refusal("volatile", f"`{e.sql('spark')}` may differ from run to run")
    raise Refusal("opaque", f"no model covers `{e.sql('spark')}`")


def _is_double(e: exp.Expression) -> bool:
    """Whether ``e`` is written as a double: `0.5D`, `5e-1`. A decimal beside it is rounded to one, while beside `0.5`,
    as a pre-filter spells the number, it is not."""
    from sqlglot import exp

    if isinstance(e, (exp.Paren, exp.Neg)):
        return _is_double(e.this)
    if isinstance(e, exp.Cast) and isinstance(e.this, exp.Literal) and not e.this.is_string:
        return e.to.sql("spark").lower() == "double"
    return isinstance(e, exp.Literal) and not e.is_string and "e" in str(e.this).lower()


def _may_be_decimal(e: exp.Expression) -> bool:
    """Whether the value of ``e``, which was read, may be a decimal because literals like ``0.1`` are: beside a double
    they become doubles, alone and beside whole numbers they are computed with exactly. (Of arithmetic that was read one
    side is a double.)"""
    from sqlglot import exp

    if isinstance(e, exp.Literal):
        return not e.is_string and not str(e.this).isdigit()
    if isinstance(e, (exp.Column, exp.Cast, exp.Predicate, exp.Connector, exp.Not)) or type(e).__name__ in _ARITH:
        return False
    if isinstance(e, (exp.If, exp.Case)):
        parts = [*(i.args["true"] for i in e.args.get("ifs") or [e]), e.args.get("default"), e.args.get("false")]
        return any(_may_be_decimal(p) for p in parts if p is not None)
    return any(_may_be_decimal(part) for part in e.iter_expressions())


def _registered(e: exp.Expression, reader: ColumnReader, sub: Callable[[object], Term]) -> Term | None:
    """The value of a function that the file registers for SQL; None if ``e`` calls none. Such a function hides one of
    Spark's own of the same name."""
    from sqlglot import exp

    from .udf import registered_udf

    anonymous = isinstance(e, exp.Anonymous)
    others = sql_functions.SPELLINGS.get(type(e).__name__, ())
    if isinstance(e, (exp.And, exp.Or)) or not (isinstance(e, exp.Func) or others):
        return None
    own = e.sql_names() if isinstance(e, exp.Func) else []
    spelled = [e.name] if anonymous else [*own, *others]
    try:
        known = any(registered_udf(name, reader.names) is not None for name in spelled)
    except Refusal:
        if reader.python is not None:
            reader.python.met = True
        raise
    if not known:
        return None
    if reader.python is None or not anonymous:
        raise Refusal("opaque", f"`{spelled[0].lower()}` is registered as a Python function")
    return reader.python.sql(e.name, tuple(sub(a) for a in e.expressions))


def _literal(e: exp.Literal) -> Term:
    text = str(e.this)
    if e.is_string:
        # Escapes are where two parsers of SQL disagree most.
        if "\\" in text:
            raise Refusal("opaque", "a SQL string with a backslash")
        return _present(literal(text))
    if text.isdigit():
        return _present(literal(int(text)))
    # `1.5` is a decimal in Spark SQL; beside a double it becomes one, and between the same whole numbers it must lie.
    try:
        number, exact = float(text), Decimal(text)
    except (ArithmeticError, ValueError):
        raise Refusal("opaque", f"`{text}` is not a number") from None
    if exact != Decimal(number) and (number.is_integer() or exact == exact.to_integral_value()):
        raise Refusal("opaque", f"`{text}` is not exact as a double")
    return _present(literal(number))


def _present(term: Term | None) -> Term:
    if term is None:
        raise Refusal("opaque", "a literal without a model")
    return Term(term.expr, term.type)
