"""Whether a file hands Spark a name in SQL, in any case, or in a text that it puts together."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeGuard

from headwater.syntax.source import ast_walk
from headwater.syntax.source.by_method import ByMethod

if TYPE_CHECKING:
    from .module_scope import Context
    from .resolve import Names

Spelled = Literal["no", "unknown", "yes"]
_TAKE_SQL = frozenset("sql expr selectExpr call_function call_udf".split())
_COMPUTE = frozenset({"when", "count_if"})
"""Functions whose value is computed of what they are given, and is none of it as it is."""


def is_filled_in(text: str) -> bool:
    """Whether ``text`` in SQL may not mean itself: Spark replaces ``${name}`` by a setting, also inside of literals,
    and by nothing where there is none."""
    return "${" in text


@dataclass
class _Noted:
    """The ``texts`` of a statement, in lower case, its ``calls`` that take SQL or texts that it puts together, and what
    names functions that take SQL: ``takes``, or under another name, ``renames``. ``parts``: calls of ``expr`` that are
    operands of ``&``, ``|`` and ``~``, or, with that one, arguments of another call."""

    texts: list[str] = field(default_factory=list)
    calls: list[ast.Call] = field(default_factory=list)
    takes: list[ast.expr] = field(default_factory=list)
    renames: bool = False
    parts: list[tuple[ast.Call, ast.Call | None]] = field(default_factory=list)


def may_spell(names: Names, name: str) -> Spelled:
    """Whether a text or the code of the file holds ``name``, which is in lower case; unknown if it hands Spark a text
    of which some part is not written in the file, and which may be all of a column, or of a query."""
    ctx = names.ctx
    if name in ctx.source.lower():  # SQL does not tell upper case from lower case
        return "yes"
    constant = set[ast.expr]()
    every = [*map(_noted, ctx.tree.body)]
    if any(name in text for noted in every for text in noted.texts):
        return "yes"
    for call in (c for noted in every for c in noted.calls):
        texts = [_text(a, ctx) for a in (*call.args, *(k.value for k in call.keywords))]
        if any(t is not None and name in t.lower() for t in texts):
            return "yes"
        if None not in texts:
            constant.add(call.func)
    constant.update(p.func for noted in every for p in _computed_of(noted, names))
    return "unknown" if any(n.renames or not constant.issuperset(n.takes) for n in every) else "no"


def _computed_of(noted: _Noted, names: Names) -> Iterator[ast.Call]:
    """The calls of Spark's ``expr`` that something is computed of: ``expr(text) & other``, ``when(expr(text), value)``.
    A column that is made so is never what the text names."""
    for part, within in noted.parts:
        if names.function(part.func) == "expr":
            if within is None or names.function(within.func) in _COMPUTE:
                yield part


def _is_of_text(node: ast.expr) -> TypeGuard[ast.Call]:
    match node:
        case ast.Call(func=ast.Attribute(attr="expr") | ast.Name(id="expr")):
            return True
    return False


def _found_in(statement: ast.stmt, methods: Sequence[ast.stmt], of_each: Iterable[_Noted]) -> _Noted:
    found = _Noted()
    for node in ast_walk.walk(statement, methods):
        _note(node, found)
    for of in of_each:
        found.texts += of.texts
        found.calls += of.calls
        found.takes += of.takes
        found.renames |= of.renames
        found.parts += of.parts
    return found


_noted = ByMethod("_may_spell", _found_in)


def _note(node: ast.AST, noted: _Noted) -> None:
    match node:
        case ast.BinOp(left, ast.BitAnd() | ast.BitOr(), right):
            noted.parts += [(n, None) for n in (left, right) if _is_of_text(n)]
        case ast.UnaryOp(ast.Invert(), operand) if _is_of_text(operand):
            noted.parts.append((operand, None))
        case ast.Call(func=ast.Attribute(attr=used) | ast.Name(id=used)):
            given = (*node.args, *(k.value for k in node.keywords))
            noted.parts += [(n, node) for n in node.args if _is_of_text(n)]
            if used in _TAKE_SQL or any(isinstance(a, (ast.JoinedStr, ast.BinOp)) for a in given):
                noted.calls.append(node)
        case ast.Constant(value=value):
            noted.texts.append(str(value).lower())
        case ast.Attribute(value=ast.Name(id="pyspark")):
            pass
        case ast.Attribute(attr=used) | ast.Name(id=used) if used in _TAKE_SQL:
            noted.takes.append(node)
        case ast.alias(name=used, asname=str(other)) if used in _TAKE_SQL and other != used:
            noted.renames = True


def _text(node: ast.expr, ctx: Context) -> str | None:
    """The text that ``node`` is, if all of its parts are written in the file."""
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name) if isinstance(made := ctx.constant(name), ast.Constant):
            return str(made.value)
        case ast.JoinedStr(values=values):
            parts = [_text(v, ctx) for v in values]
            return None if None in parts else "".join(p for p in parts if p is not None)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return _text(value, ctx)
        case ast.BinOp(left, ast.Add(), right):
            first, second = _text(left, ctx), _text(right, ctx)
            return None if first is None or second is None else first + second
    return None
