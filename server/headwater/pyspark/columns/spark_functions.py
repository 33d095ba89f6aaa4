"""What Spark's scalar operators and functions mean, for both spellings: Column expressions and SQL strings."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from headwater.pyspark.frames.typed_terms import Term, common, compare, iso_date, iso_time, kind, widens
from headwater.syntax.names.pyspark_symbols import ROW_CONTEXT, VOLATILE, names_the_clock
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import (
    And,
    Arith,
    ArithOp,
    Call,
    CompareOp,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    Lit,
    Neg,
    Not,
    Or,
    StringOp,
    StringTest,
)
from headwater_ir.types import (
    ANY,
    BOOL,
    DATE,
    FLOAT,
    INT,
    INT32,
    INT64,
    NULL,
    NUMBER,
    OPAQUE,
    STRING,
    TIMESTAMP,
    Type,
    is_numeric,
    join_types,
    list_of,
)

_OF_DATES = tuple("year month dayofmonth dayofweek dayofyear quarter weekofyear weekday hour minute second".split())
"""Functions of dates and times that raise only where a text is converted to one."""
PURE: dict[str, tuple[Type, bool]] = {
    **dict.fromkeys("upper lower trim ltrim rtrim initcap concat concat_ws ucase lcase".split(), (STRING, True)),
    **dict.fromkeys(
        """substring substr left regexp_extract regexp_replace date_format translate md5 sha1 sha2 split_part
        get_json_object from_unixtime substring_index lpad""".split(),
        (STRING, False),
    ),
    **dict.fromkeys("length char_length size cardinality".split(), (INT32, True)),
    **dict.fromkeys((*_OF_DATES, "datediff", "instr", "unix_date"), (INT32, False)),
    **dict.fromkeys("to_date date_add date_sub last_day add_months trunc".split(), (DATE, False)),
    **dict.fromkeys(
        "to_timestamp date_trunc timestamp_seconds timestamp_millis from_utc_timestamp to_utc_timestamp".split(),
        (TIMESTAMP, False),
    ),
    **dict.fromkeys("unix_timestamp unix_seconds unix_millis unix_micros".split(), (INT64, False)),
    **dict.fromkeys("abs round floor ceil greatest least bround".split(), (NUMBER, False)),
    **dict.fromkeys("sqrt exp log log2 log10 pow power log1p".split(), (FLOAT, False)),
    **dict.fromkeys("array_contains rlike regexp_like like ilike".split(), (BOOL, False)),
    **dict.fromkeys("element_at array get nullif".split(), (ANY, False)),
    "split": (list_of(STRING), False),
}
"""Deterministic functions kept uninterpreted: result type, and whether they never raise. Others are refused."""


_SAME_AS = {"day": "dayofmonth", "dateadd": "date_add", "date_diff": "datediff", "to_unix_timestamp": "unix_timestamp"}
"""Other names of functions."""
_PARTS = {
    name: function
    for function, names in {
        "year": "YEAR Y YEARS YR YRS",
        "quarter": "QUARTER QTR",
        "month": "MONTH MON MONS MONTHS",
        "weekofyear": "WEEK W WEEKS",
        "dayofmonth": "DAY D DAYS",
        "dayofyear": "DOY",
        "hour": "HOUR H HOURS HR HRS",
        "minute": "MINUTE M MIN MINS MINUTES",
    }.items()
    for name in names.split()
}
"""What ``extract`` and ``date_part`` call the parts of a date or timestamp, and the function that yields each."""
_DATES_TAKEN = {"datediff": 2, "date_add": 1, "date_sub": 1, "add_months": 1, "last_day": 1}
"""Functions whose first arguments are dates: Spark casts a text there, a constant one while it plans the query."""


def function(name: str, args: tuple[Term, ...]) -> Term:
    """``name(args)`` for a function of Spark; Refusal for one without a model."""
    name = _SAME_AS.get(name, name)
    if name in VOLATILE and not (name == "unix_timestamp" and args):  # without one it is the time of the query
        raise Refusal("volatile", f"`{name}` may differ from row to row or run to run")
    if name in ROW_CONTEXT:
        raise Refusal("row-context", f"`{name}` looks at other rows")
    match name, args:
        case ("coalesce", _) | (("nvl" | "ifnull"), (_, _)) if args:
            return coalesce(args)
        case (("isnull" | "isNull"), (one,)):
            return Term(IsNull(one.expr), BOOL)
        case (("isnotnull" | "isNotNull"), (one,)):
            return Term(Not(IsNull(one.expr)), BOOL)
        case "isnan", (one,):
            if kind(one.type) not in ("number", "any", "null"):
                raise Refusal("opaque", f"`isnan` of {one.type}")
            return Term(IsNaN(one.expr), BOOL)
        case "to_date", (Term(expr=Lit(value=str() as text)),):
            return _date_literal(text)
        case "to_timestamp", (Term(expr=Lit(value=str() as text)) as one,) if iso_time(text):
            return cast(one, TIMESTAMP)
        case (("extract" | "date_part" | "datepart"), (Term(expr=Lit(value=str() as field)), of)):
            if field.upper() not in _PARTS:
                raise Refusal("opaque", f"no model covers the part {field!r} of a date")
            return function(_PARTS[field.upper()], (of,))
    if name not in PURE:
        raise Refusal("opaque", f"no model covers `{name}`")
    result, total = PURE[name]
    total = total or (name in _OF_DATES and {a.type for a in args} <= {DATE, TIMESTAMP})
    total = total or (
        name in ("substring", "substr") and all(isinstance(a.expr, Lit) and a.type == INT for a in args[1:])
    )
    if name in ("substring", "substr", "left") and args:
        args = (_as_text(args[0]), *args[1:])
    result = _of_arguments(name, result, {a.type for a in args} - {NULL})
    args = tuple(map(_digits, args)) if result == STRING else args
    args = (*map(_as_date, args[: _DATES_TAKEN.get(name, 0)]), *args[_DATES_TAKEN.get(name, 0) :])
    # Python's function of the same name is another function.
    return Term(Call(f"spark.{name}", tuple(a.expr for a in args), result, total), result)


def _as_text(term: Term) -> Term:
    """``term`` in the place of a text: Spark casts a date or a timestamp."""
    return cast(term, STRING) if term.type in (DATE, TIMESTAMP) else term


def _as_date(term: Term) -> Term:
    """``term`` in the place of a date: a constant text in ISO form is the date that it spells."""
    found = iso_date(term.expr.value) if isinstance(term.expr, Lit) and isinstance(term.expr.value, str) else None
    return term if found is None else Term(Lit(found, DATE), DATE)


def _of_arguments(name: str, result: Type, given: set[Type]) -> Type:
    """The type of ``name`` of values of the types ``given``, of which it makes ``result`` if they are what they seem:
    there are collated texts, concatenations of arrays, and greatest ones of all types."""
    if name in ("greatest", "least") and not all(t == ANY or is_numeric(t) for t in given):
        return given.pop() if len(given) == 1 else OPAQUE
    other = OPAQUE in given or (name == "concat" and any(t.name == "list" for t in given))
    return OPAQUE if other and result.name in ("string", "any", "number", "list") else result


def _date_literal(text: str) -> Term:
    found = iso_date(text)
    if found is None:
        raise Refusal("opaque", f"{text!r} is not an ISO date")
    return Term(Lit(found, DATE), DATE)


def boolean(term: Term) -> Expr:
    """``term`` as a condition."""
    if term.type.name not in ("bool", "any", "null"):
        raise Refusal("opaque", f"a condition of type {term.type}")
    return term.expr


def negate(term: Term) -> Term:
    """``-term``; a negative literal stays a literal."""
    if isinstance(term.expr, Lit) and isinstance(term.expr.value, (int, float)) and term.type != BOOL:
        return Term(Lit(-term.expr.value, term.type), term.type, term.column)
    if kind(term.type) not in ("number", "any") or term.type.name == "decimal":
        raise Refusal("opaque", f"`-` of {term.type}")
    bits = term.type.bits if term.type.name == "int" else None
    return Term(Neg(term.expr, "sql", bits), term.type if is_numeric(term.type) else NUMBER)


def arithmetic(op: ArithOp, left: Term, right: Term) -> Term:
    """``left op right`` on numbers. Division only by a literal that is not zero, for Spark raises or yields
    NULL on zero
    depending on its configuration."""
    left, right = sized(left), sized(right)
    for t in (left, right):
        if kind(t.type) not in ("number", "any") or t.type.name == "decimal":
            raise Refusal("opaque", f"`{op}` of {t.type}")
    if op in ("/", "%") and not (isinstance(right.expr, Lit) and right.expr.value):
        raise Refusal("may-throw", f"`{op}` by what may be zero")
    if op not in ("+", "-", "*", "/", "%"):
        raise Refusal("opaque", f"no model covers `{op}`")
    result = join_types(left.type, right.type)
    a, b = (_of_type(t.expr, result) for t in (left, right))
    if op == "/" and result.name == "int":
        result = FLOAT
    return Term(Arith(op, a, b, "sql"), result if is_numeric(result) else NUMBER)


def _of_type(e: Expr, t: Type) -> Expr:
    """``e``, a side of arithmetic of the type ``t``: a whole constant says which it is, for a widening cast of the
    other side is not in the expression. Of a type that is not known it says nothing."""
    if isinstance(e, Lit) and type(e.value) is int:
        return Lit(e.value, t if t.name in ("int", "float") else INT)
    return e


def _digits(term: Term) -> Term:
    """``term`` where its digits show: a double that a whole number was made into is one in the expression, too."""
    if term.type != FLOAT or isinstance(term.expr, Lit):
        return term
    return Term(Call(f"cast:{FLOAT}", (term.expr,), FLOAT, True), FLOAT)


def whole_quotient(left: Term, right: Term) -> Term:
    """``left div right`` of whole numbers, by a literal that is not zero."""
    if not (left.type.name == right.type.name == "int" and isinstance(right.expr, Lit) and right.expr.value):
        raise Refusal("opaque", "`div` of what may be no whole numbers, or zero")
    return Term(Call("spark.div", (left.expr, right.expr), INT64), INT64)


def sized(term: Term) -> Term:
    """A Python int literal as the integer type that Spark gives it, so that overflow is that type's."""
    if isinstance(term.expr, Lit) and term.type == INT and isinstance(term.expr.value, int):
        size = INT32 if -(2**31) <= term.expr.value < 2**31 else INT64
        return Term(Lit(term.expr.value, size), size, term.column)
    return term


def between(term: Term, low: Term, high: Term) -> Term:
    """``low <= term <= high``."""
    return Term(And((compare(">=", term, low), compare("<=", term, high))), BOOL)


def is_in(term: Term, options: tuple[Term, ...]) -> Term:
    """``term IN (options)``; an empty list is refused, as Spark's answer for NULL depends on its configuration."""
    if not options:
        raise Refusal("opaque", "IN over an empty list")
    kinds = {kind(o.type) for o in options} - {"null", "any"}
    if len(kinds) > 1:
        raise Refusal("opaque", "IN over values of different types")
    converted = tuple(common(term, o)[1].expr for o in options)
    if kind(term.type) in kinds or term.type == ANY or not kinds or {kind(term.type), *kinds} == {"date", "string"}:
        return Term(In(term.expr, converted, "sql"), BOOL)
    raise Refusal("opaque", f"IN compares {term.type} with other types")


def string_test(op: StringOp, text: Term, needle: Term) -> Term:
    """``text.contains(needle)`` and the like, with a literal needle."""
    text = _as_text(text)
    if not isinstance(needle.expr, Lit) or needle.type != STRING or text.type.name not in ("string", "any"):
        raise Refusal("opaque", f"`{op}` needs a string column and a literal")
    return Term(StringTest(op, text.expr, needle.expr, "sql"), BOOL)


_LIKE: dict[tuple[bool, bool], StringOp] = {
    (False, True): "startswith", (True, False): "endswith", (True, True): "contains",
}  # fmt: skip
"""By whether ``%`` stands in front and behind."""


def like(text: Term, pattern: Term) -> Term:
    """``text LIKE pattern``: of a pattern with ``%`` at its ends alone the test of a prefix, a suffix or a part, as
    Spark itself reads it."""
    if not isinstance(pattern.expr, Lit) or not isinstance(pattern.expr.value, str):
        raise Refusal("opaque", "`like` needs a literal pattern")
    given, text = pattern.expr.value, _as_text(text)
    part = given.strip("%")
    if part and not {*"%_\\"} & {*part} and given.count("%") <= 2 and text.type.name in ("string", "any"):
        ends = (given.startswith("%"), given.endswith("%"))
        op = _LIKE.get(ends)
        if op is not None and len(given) == len(part) + sum(ends):
            return string_test(op, text, Term(Lit(part, STRING), STRING))
    return Term(Call("like", (text.expr, pattern.expr), BOOL), BOOL)


def first_of_split(array: Term, at: Term) -> Term:
    """`split(s, p)[0]`, which there always is: of an array that may be shorter Spark may raise an error."""
    match array.expr, at:
        case Call("spark.split", (text, pattern)), Term(expr=Lit(value=0), type=kind) if kind == INT:
            return Term(Call("spark.split[0]", (text, pattern), STRING), STRING)
    raise Refusal("opaque", "no model covers an element of an array by its place")


def coalesce(args: tuple[Term, ...]) -> Term:
    """The first of ``args`` that is not NULL."""
    result = _common_type(args)
    first, *rest = reversed(args)
    expr = reduce(lambda later, a: If(IsNull(a.expr), later, a.expr), rest, first.expr)
    return Term(expr, result)


def extreme(name: str, args: tuple[Term, ...]) -> Term | None:
    """``greatest(args)`` or ``least(args)``: NULL is passed over, NaN is greatest, of equal ones the first one stays.
    None unless the types are known, for Spark converts all to one."""
    if len(args) < 2 or any(a.type in (ANY, OPAQUE) for a in args):
        return None
    op: CompareOp = ">" if name == "greatest" else "<"

    def better(best: Term, new: Term) -> Term:
        wins = Or((IsNull(best.expr), compare(op, new, best)))
        return Term(If(IsNull(new.expr), best.expr, If(wins, new.expr, best.expr)), best.type)

    return replace(reduce(better, args), type=_common_type(args))


def case(branches: tuple[tuple[Expr, Term], ...], otherwise: Term | None) -> Term:
    """``CASE WHEN … THEN … ELSE … END``; NULL without an ELSE."""
    last = otherwise or Term(Lit(None, NULL), NULL)
    result = _common_type((*(t for _, t in branches), last))
    expr = reduce(lambda later, b: If(b[0], b[1].expr, later), reversed(branches), last.expr)
    return Term(expr, result)


def _common_type(args: tuple[Term, ...]) -> Type:
    """Spark converts all branches to one type; only where that changes no value is the result modelled."""
    kinds = {kind(a.type) for a in args} - {"null", "any"}
    names = {a.type.name for a in args}
    if len(kinds) > 1 or "decimal" in names:
        raise Refusal("opaque", "branches of different types")
    columns = [a for a in args if not isinstance(a.expr, Lit)]
    if any(a.type.bits == 64 and a.type.name == "int" for a in columns) and "float" in names:
        raise Refusal("opaque", "branches that Spark rounds to doubles")
    return reduce(join_types, (sized(a).type for a in args))


def cast(term: Term, target: Type) -> Term:
    """``CAST(term AS target)``: a widening cast is the value itself, any other stays uninterpreted and may raise."""
    if isinstance(term.expr, Lit) and target == DATE and isinstance(term.expr.value, str):
        return _date_literal(term.expr.value)
    if isinstance(term.expr, Lit) and target == TIMESTAMP and isinstance(term.expr.value, str):
        time = iso_time(term.expr.value)
        if time is not None:
            return Term(Lit(time, TIMESTAMP), TIMESTAMP)
        if names_the_clock(term.expr.value):  # each such literal is another moment, a little later
            raise Refusal("volatile", f"{term.expr.value!r} is the time at which it is read")
    if widens(term.type, target):
        whole = isinstance(term.expr, Lit) and target.name == "int"
        return Term(Lit(term.expr.value, target) if whole and isinstance(term.expr, Lit) else term.expr, target)
    if term.type == BOOL and target.name == "int":
        number = If(term.expr, Lit(1, target), If(IsNull(term.expr), Lit(None, target), Lit(0, target)))
        return Term(number, target)
    if target == ANY:
        raise Refusal("opaque", "a cast to a type without a model")
    of = _digits(term) if target == STRING else term
    return Term(Call(f"cast:{target}", (of.expr,), target), target)
