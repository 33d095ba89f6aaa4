"""Whether a Column expression that has no model is at least a deterministic function of its own row.

Then the column that it defines is not known, but every other column, and the rows themselves, are. Only what the table
of Spark's functions has as ``row`` is one (``syntax.names.pyspark_symbols``): a window or an aggregate looks at other
rows, a generator makes rows, ``rand()`` differs from run to run, and an unknown function may return any of these.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.pyspark.frames.tracked_values import Binding, Unevaluated, Unknown
from headwater.python.values.native_parts import is_registered
from headwater.syntax.names.pyspark_methods import COLUMN, bind
from headwater.syntax.names.pyspark_symbols import FUNCTIONS, is_type, names_the_clock
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal

from .own_functions import DEEPEST, written_out
from .sql_determinism import is_rowwise_sql
from .sql_templates import filled, is_rowwise_template, template

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
_TIMES = frozenset(f"datetime.{n}" for n in "date date.today datetime datetime.now datetime.utcnow timedelta".split())
"""What makes a date, a time or a difference of these."""

METHODS = frozenset(
    """
    alias name cast astype try_cast substr getItem getField isNull isNotNull isNaN like rlike ilike contains startswith
    endswith isin between eqNullSafe bitwiseAND bitwiseOR bitwiseXOR when otherwise withField dropFields
    """.split()
)
"""Methods of a Column that yield a function of the same row."""


def _binds(declaration: str, call: ast.Call) -> bool:
    try:
        bind(declaration, call)
    except Refusal:
        return False
    return True


def is_rowwise(node: ast.expr, names: Names, lookup: Callable[[str], Binding | None], *, put_in: bool = False) -> bool:
    """Whether ``node``, read as a Column, is surely a deterministic function of its row; a plain value is one. With
    ``put_in``, if all that is put into SQL texts is the name of a column, or a value."""
    return _Reader(names, lookup, put_in=put_in).rowwise(node, frozenset())


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
    of unknown value count as row-wise; ``put_in``: those in SQL texts do."""

    def __init__(
        self, names: Names, lookup: Callable[[str], Binding | None], *, given: bool = False, put_in: bool = False
    ) -> None:
        self.names, self.lookup, self.given, self.put_in = names, lookup, given, put_in
        self._known: dict[tuple[ast.expr, frozenset[str]], bool] = {}
        self._depth = 0

    def rowwise(self, node: ast.expr, own: frozenset[str]) -> bool:
        """Whether ``node`` is row-wise. Not a variable of unknown value, which may hold any Column."""
        known = self._known.get((node, own))
        if known is None:  # the operands of each operator are asked about twice
            known = self._known[node, own] = self._rowwise(node, own)
        return known

    def _rowwise(self, node: ast.expr, own: frozenset[str]) -> bool:
        match node:
            case ast.Constant(value=value):
                return not isinstance(value, str) or not names_the_clock(value)
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
            known = bound.value.why is None or (
                bound.name in self.names.imported and self.names.resolve(node) is not None
            )
            return known and bound.name not in self.names.rebound
        return self.rowwise(node, own)

    def _call(self, node: ast.Call, own: frozenset[str]) -> bool:
        given = [*node.args, *(k.value for k in node.keywords)]
        function = self.names.function(node.func)
        if function is not None:
            return self._function(function, node, given, own)
        if self.names.resolve(node.func) in _PLAIN_CALLS:
            return all(self.plain(a, own) for a in given)
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str()), attr=method):
                return method in _TEXT_METHODS and all(self.plain(a, own) for a in given)
            case ast.Attribute(value=owner, attr=method):
                known = method in METHODS and _binds(COLUMN[method], node)
                return known and self.rowwise(owner, own) and all(self._given(a, own) for a in given)
        written = written_out(node, self.names) if self._depth < DEEPEST else None
        if written is None:
            return False
        self._depth += 1
        try:
            return self.rowwise(written, own)
        finally:
            self._depth -= 1

    def _function(self, name: str, node: ast.Call, given: list[ast.expr], own: frozenset[str]) -> bool:
        known = FUNCTIONS.get(name)
        if known is None or is_registered(self.names, name) or not _binds(known.declaration, node):
            return False
        first, rest = given[:1], given[1:]
        match known.kind:
            case "text":
                return self._sql(given[0], own)
            case "column":
                return all(self.plain(a, own) for a in given)
            case "row":
                others = all(self._argument(a, own) or self.plain(a, own) for a in rest)
                return others and all(self._argument(a, own) for a in first)
        return False

    def _sql(self, node: ast.expr, own: frozenset[str]) -> bool:
        """Whether the SQL text ``node`` is row-wise, with values in the place of what is not written in it."""
        bound = self.lookup(node.id) if isinstance(node, ast.Name) and node.id not in own else None
        if bound is not None and isinstance(bound.value, Unevaluated) and not isinstance(bound.value.node, ast.Name):
            unchanged = bound.name not in self.names.rebound and bound.outdated(self.lookup) is None
            return unchanged and self._sql(bound.value.node, own)
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str) and is_rowwise_sql(node.value, self.names)
        text = template(node) if isinstance(node, ast.JoinedStr) and self.rowwise(node, own) else None
        if text is None or is_rowwise_template(text, self.names):
            return text is not None
        return (self.given or self.put_in) and is_rowwise_sql(filled(text), self.names)

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
        return is_type(self.names.resolve(called) or "")

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
        if bound is None or name in self.names.rebound or bound.is_frame or not isinstance(bound.value, Unevaluated):
            return False
        made = bound.value.node
        return bound.outdated(self.lookup) is None and (self.rowwise(made, own - {name}) or self._is_time(made))

    def _is_time(self, node: ast.AST) -> bool:
        """Whether ``node`` is a date, a time or a difference of these: what a variable holds does not go on with the
        clock that it was read from."""
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return self._is_time(left) and self._is_time(right)
            case ast.Call(func=function):
                return self.names.resolve(function) in _TIMES
        return False
