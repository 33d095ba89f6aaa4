"""Whether a Column expression that has no meaning here is at least a deterministic function of its own row.

Then the column that it defines is not known, but every other column, and the rows themselves, are. What is not in a
list counts as anything: a window or an aggregate looks at other rows, a generator makes rows, ``rand()`` differs from
run to run, and an unknown function may return any of these.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from .names import Names
from .values import Binding, Text, Unknown

FUNCTIONS = frozenset(
    """
    col column lit when coalesce ifnull nanvl nullif nullifzero nvl nvl2 zeroifnull
    equal_null ilike isnan isnotnull isnull like regexp regexp_like rlike
    abs acos acosh asin asinh atan atan2 atanh bin bround cbrt ceil ceiling conv cos cosh cot csc degrees e exp expm1
    factorial floor greatest hex hypot least ln log log10 log1p log2 negate negative pi pmod positive pow power radians
    rint round sec sign signum sin sinh sqrt tan tanh try_add try_divide try_mod try_multiply try_subtract unhex
    width_bucket
    ascii base64 bit_length btrim char char_length character_length concat_ws contains decode elt encode endswith
    find_in_set format_number format_string initcap instr is_valid_utf8 lcase left length levenshtein locate lower lpad
    ltrim make_valid_utf8 mask octet_length overlay position printf regexp_count regexp_extract regexp_extract_all
    regexp_instr regexp_replace regexp_substr repeat replace right rpad rtrim sentences soundex split split_part
    startswith substr substring substring_index to_binary to_char to_number to_varchar translate trim try_to_binary
    try_to_number try_validate_utf8 ucase unbase64 upper validate_utf8
    bit_count bit_get bitwise_not getbit shiftleft shiftright shiftrightunsigned
    add_months convert_timezone date_add date_diff date_format date_from_unix_date date_part date_sub date_trunc dateadd
    datediff datepart day dayname dayofmonth dayofweek dayofyear extract from_unixtime from_utc_timestamp hour last_day
    make_date make_dt_interval make_interval make_timestamp make_timestamp_ltz make_timestamp_ntz make_ym_interval
    minute month monthname months_between next_day quarter second timestamp_add timestamp_diff timestamp_micros
    timestamp_millis timestamp_seconds to_date to_timestamp to_timestamp_ltz to_timestamp_ntz to_utc_timestamp trunc
    try_make_interval try_make_timestamp try_make_timestamp_ltz try_make_timestamp_ntz try_to_timestamp try_to_date
    unix_date unix_micros unix_millis unix_seconds weekday weekofyear year
    crc32 hash md5 sha sha1 sha2 xxhash64
    cardinality concat element_at reverse size try_element_at
    array array_append array_compact array_contains array_distinct array_except array_insert array_intersect array_join
    array_max array_min array_position array_prepend array_remove array_repeat array_size array_union arrays_overlap
    arrays_zip flatten get sequence slice sort_array
    named_struct struct create_map map_concat map_contains_key map_entries map_from_arrays map_from_entries map_keys
    map_values str_to_map
    aggregate array_sort exists filter forall map_filter map_zip_with reduce transform transform_keys transform_values
    zip_with
    from_csv to_csv from_json get_json_object json_array_length json_object_keys schema_of_json to_json
    xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short xpath_string
    parse_url try_parse_url url_decode url_encode try_url_decode typeof
    """.split()
)
"""Spark's functions of one row whose value depends on their arguments alone."""

METHODS = frozenset(
    """
    alias name cast astype try_cast substr getItem getField isNull isNotNull isNaN like rlike ilike contains startswith
    endswith isin between eqNullSafe bitwiseAND bitwiseOR bitwiseXOR when otherwise withField dropFields
    """.split()
)
"""Methods of a Column that yield a function of the same row."""

_TEXTS = frozenset(
    """
    base64 bin btrim char concat concat_ws conv date_format dayname decode element_at elt format_number format_string
    from_csv from_json from_unixtime get_json_object hex initcap lcase left lower lpad ltrim make_valid_utf8 mask md5
    monthname overlay parse_url printf regexp_extract regexp_extract_all regexp_replace regexp_substr repeat replace
    reverse right rpad rtrim sentences sha sha1 sha2 soundex split split_part str_to_map substr substring
    substring_index to_char to_json to_varchar translate trim try_parse_url try_url_decode try_validate_utf8 typeof
    ucase upper url_decode url_encode validate_utf8 xpath xpath_string
    """.split()
)
"""Functions that yield text, or what may hold some."""

_TEXT_METHODS = frozenset("format join lower upper strip replace".split())
_PLAIN_CALLS = frozenset(f"builtins.{n}" for n in "str int float len list tuple sorted range".split())


def is_rowwise(node: ast.expr, names: Names, lookup: Callable[[str], Binding | None]) -> bool:
    """Whether ``node``, read as a Column, is surely a deterministic function of its row; a plain value is one."""
    return _Reader(names, lookup).rowwise(node, frozenset())


def is_rowwise_of_given(node: ast.expr, names: Names, lookup: Callable[[str], Binding | None]) -> bool:
    """Whether ``node`` would be row-wise if all that parameters of the code around hold is."""
    return _Reader(names, lookup, given=True).rowwise(node, frozenset())


def makes_text(node: ast.expr, names: Names) -> bool:
    """Whether the Column ``node`` may well be text: a function of text makes it, and it is neither calculated nor
    cast."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="alias" | "name")):
            return makes_text(owner, names)
        case ast.Call(
            func=ast.Attribute(attr="cast" | "astype" | "try_cast"), args=[ast.Constant(value=str() as kind)]
        ):
            return kind.lower() == "string"
        case ast.BinOp() | ast.Compare() | ast.UnaryOp():
            return False
    return any(isinstance(n, ast.Call) and names.function(n.func) in _TEXTS for n in ast.walk(node))


class _Reader:
    """``own``: variables that a lambda or comprehension around a node binds to what is row-wise. ``given``: parameters
    of unknown value count as row-wise."""

    def __init__(self, names: Names, lookup: Callable[[str], Binding | None], *, given: bool = False) -> None:
        self.names, self.lookup, self.given = names, lookup, given

    def rowwise(self, node: ast.expr, own: frozenset[str]) -> bool:
        """Whether ``node`` is row-wise. Not a variable of unknown value, which may hold any Column."""
        match node:
            case ast.Constant():
                return True
            case ast.JoinedStr(values=parts):
                return all(self.plain(v.value, own) for v in parts if isinstance(v, ast.FormattedValue))
            case ast.Name(id=name):
                return name in own or self._variable(name, own)
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr(), left=a, right=b):
                return self.rowwise(a, own) and self.rowwise(b, own)
            case ast.BinOp(left=a, right=b) | ast.Compare(left=a, comparators=[b]):
                # As everywhere, what an unknown variable is compared or calculated with makes it a plain value.
                return self.plain(a, own) and self.plain(b, own) and (self.rowwise(a, own) or self.rowwise(b, own))
            case ast.UnaryOp(operand=a) | ast.Starred(value=a):
                return self.rowwise(a, own)
            case ast.Subscript(value=a, slice=b):
                return (self._is_frame(a) or self.rowwise(a, own)) and self.plain(b, own)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return all(self.rowwise(i, own) for i in items)
            case ast.ListComp(elt=item, generators=loops) | ast.GeneratorExp(elt=item, generators=loops):
                return self._comprehension(item, loops, own)
            case ast.Attribute(value=a):
                return self._is_frame(a) or self.rowwise(a, own)
            case ast.Call():
                return self._call(node, own)
        return False

    def plain(self, node: ast.expr, own: frozenset[str]) -> bool:
        """Whether ``node`` is row-wise where it stands in a place for plain values."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        bound = self.lookup(root.id) if isinstance(root, ast.Name) and root.id not in own else None
        if bound is not None and isinstance(bound.value, Unknown) and not bound.is_frame:
            return bound.value.why is None and bound.name not in self.names.rebound
        return self.rowwise(node, own)

    def _call(self, node: ast.Call, own: frozenset[str]) -> bool:
        given = [*node.args, *(k.value for k in node.keywords)]
        function = self.names.function(node.func)
        if function == "expr":
            text = given[0] if len(given) == 1 else None
            return isinstance(text, ast.Constant) and isinstance(text.value, str) and is_rowwise_sql(text.value)
        if function is not None:
            if function in ("col", "column", "lit"):
                return all(self.plain(a, own) for a in given)
            first, rest = given[:1], given[1:]
            return function in FUNCTIONS and all(
                [
                    *(self._argument(a, own) for a in first),
                    *(self._argument(a, own) or self.plain(a, own) for a in rest),
                ]
            )
        if self.names.resolve(node.func) in _PLAIN_CALLS:
            return all(self.plain(a, own) for a in given)
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str()), attr=method):
                return method in _TEXT_METHODS and all(self.plain(a, own) for a in given)
            case ast.Attribute(value=owner, attr=method):
                return method in METHODS and self.rowwise(owner, own) and all(self._given(a, own) for a in given)
        return False

    def _given(self, node: ast.expr, own: frozenset[str]) -> bool:
        """An argument of a method: a value, a Column, or a data type."""
        return self.plain(node, own) or self._is_type(node)

    def _argument(self, node: ast.expr, own: frozenset[str]) -> bool:
        if isinstance(node, ast.Lambda):
            a = node.args
            spelled = not (a.vararg or a.kwarg or a.kwonlyargs or a.defaults)
            return spelled and self.rowwise(node.body, own | {p.arg for p in (*a.posonlyargs, *a.args)})
        return self._is_type(node) or self.rowwise(node, own)

    def _is_type(self, node: ast.expr) -> bool:
        called = node.func if isinstance(node, ast.Call) else node
        return (self.names.resolve(called) or "").startswith("pyspark.sql.types.")

    def _comprehension(self, item: ast.expr, loops: list[ast.comprehension], own: frozenset[str]) -> bool:
        for loop in loops:
            targets = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            if loop.is_async or not self.plain(loop.iter, own):
                return False
            own |= targets
            if not all(self.plain(i, own) for i in loop.ifs):
                return False
        return self.rowwise(item, own)

    def _is_frame(self, node: ast.expr) -> bool:
        bound = self.lookup(node.id) if isinstance(node, ast.Name) else None
        return bound is not None and bound.is_frame

    def _variable(self, name: str, own: frozenset[str]) -> bool:
        bound = self.lookup(name)
        if self.given and bound is not None and isinstance(bound.value, Unknown) and not bound.is_frame:
            return bound.value.why is None
        if bound is None or name in self.names.rebound or bound.is_frame or not isinstance(bound.value, Text):
            return False
        return bound.outdated(self.lookup) is None and self.rowwise(bound.value.node, own - {name})


_SQL_NODES = frozenset(
    """
    Column Identifier Literal Null Boolean Paren Alias And Or Not Neg EQ NEQ NullSafeEQ NullSafeNEQ LT LTE GT GTE Is In
    Between Like ILike RLike Add Sub Mul Div IntDiv Mod Case If Cast TryCast DataType DataTypeParam Bracket Dot DPipe
    BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Tuple Interval Var Escape Extract ColumnDef
    TsOrDsAdd TsOrDsToDate TsOrDsDiff DateAdd DateSub DateDiff DateTrunc TimestampTrunc Year Month Day DayOfMonth
    DayOfWeek DayOfYear WeekOfYear Quarter Hour Minute Second StrPosition StrToTime StrToDate TimeToStr Substring
    """.split()
)


def is_rowwise_sql(text: str) -> bool:
    """Whether the SQL expression ``text`` is surely a deterministic function of its row."""
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False

    def allowed(node: exp.Expr) -> bool:
        if type(node).__name__ in _SQL_NODES:
            return True
        if isinstance(node, exp.Anonymous):
            return node.name.lower() in FUNCTIONS
        return isinstance(node, exp.Func) and any(n.lower() in FUNCTIONS for n in node.sql_names())

    return all(allowed(n) for n in tree.walk())
