"""Conditions that are written as a text: ``frame.query("score >= 90 and level == 'ERROR'")``.

Law: the rows for which the condition holds: those of ``frame[(frame["score"] >= 90) & (frame["level"] == "ERROR")]``.
A name is a column, whatever a variable of that name holds; ``and`` and ``&`` are one operator, and so are ``or`` and
``|``, which therefore bind less tightly than comparisons. Comparisons are of a column and a constant, which may be in
a variable of the function (``@x``), or another column. Refused is what pandas reads in its own way: ``index``, names
that it gives constants, a comparison with a list, calls and attributes. Reference: pandas 2.3, *Indexing and selecting
data*, section "The query() method".
"""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from collections.abc import Sequence

from headwater.python.rows.row_sequences import RowSequence, Series
from headwater_ir.expr import Lit

from .model import FRAME, MethodCall, method
from .operands import constant

_VARIABLE = "__variable_"
"""What a name begins with that is written with ``@``: a variable of the function."""
_WORDS = {"&": "and", "|": "or"}
_OWN_NAMES = frozenset(("index", "columns", "inf", "Inf", "Timestamp", "datetime", "list", "tuple"))
"""Names that pandas may give another meaning than that of a column."""
_ORDER = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@method(FRAME, "rows", "query(expr, *, inplace: False = False, **kwargs)", needs="its own row", reads=("expr",))
def queried(call: MethodCall) -> RowSequence:
    """``frame.query("c > 1")`` is ``frame[frame["c"] > 1]``."""
    text = constant(call.needed("expr"))
    condition = _mask(call, _parsed(text)) if isinstance(text, str) else None
    if condition is None:
        raise call.refusal("opaque", "`query` of something other than comparisons of columns and constants")
    filtered = ast.Subscript(call.receiver, condition, ast.Load())
    found = call.run.pandas(ast.fix_missing_locations(ast.copy_location(filtered, call.node)), call.env)
    assert isinstance(found, RowSequence)
    return found


@method(FRAME, "other", "eval(expr, *, inplace: False = False, **kwargs)", needs="its own row", reads=("expr",))
def evaluated(call: MethodCall) -> Series:
    """``frame.eval("c > 1")`` is ``frame["c"] > 1``."""
    text = constant(call.needed("expr"))
    condition = _mask(call, _parsed(text)) if isinstance(text, str) else None
    if condition is None:
        raise call.refusal("opaque", "`eval` of something other than comparisons of columns and constants")
    found = call.run.pandas(ast.fix_missing_locations(ast.copy_location(condition, call.node)), call.env)
    assert isinstance(found, Series)
    return found


def _parsed(text: str) -> ast.expr | None:
    """``text`` as pandas parses it; None if it does not."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text.strip()).readline))
        words: list[tuple[int, str]] = []
        for before, t in zip([None, *tokens], tokens, strict=False):
            variable = before is not None and before.string == "@" and t.type == tokenize.NAME
            if t.string != "@":
                words.append((tokenize.NAME, w) if (w := _WORDS.get(t.string)) else (t.type, t.string))
            if variable:
                words[-1] = (tokenize.NAME, f"{_VARIABLE}{t.string}")
        return ast.parse(tokenize.untokenize(words).strip(), mode="eval").body
    except (SyntaxError, tokenize.TokenError, ValueError):
        return None


def _mask(call: MethodCall, node: ast.expr | None) -> ast.expr | None:
    """The condition as an operation on columns; None for what has no law."""
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [m for v in values if (m := _mask(call, v)) is not None]
            join = ast.BitAnd() if isinstance(op, ast.And) else ast.BitOr()
            return _joined(join, parts) if len(parts) == len(values) else None
        case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
            inner = _mask(call, operand)
            return None if inner is None else ast.UnaryOp(ast.Invert(), inner)
        case ast.Compare(left=left, ops=[op], comparators=[ast.List() | ast.Tuple() as options]) if isinstance(
            op, (ast.In, ast.NotIn)
        ):
            column = _operand(call, left)
            if not isinstance(column, ast.Subscript):
                return None
            among = ast.Call(ast.Attribute(column, "isin", ast.Load()), [options], [])
            return among if isinstance(op, ast.In) else ast.UnaryOp(ast.Invert(), among)
        case ast.Compare(left=left, ops=ops, comparators=others) if all(isinstance(op, _ORDER) for op in ops):
            sides = [s for n in (left, *others) if (s := _operand(call, n)) is not None]
            pairs = [ast.Compare(a, [op], [b]) for a, op, b in zip(sides, ops, sides[1:], strict=False)]
            return _joined(ast.BitAnd(), pairs) if len(sides) == len(others) + 1 else None
    return None


def _joined(join: ast.operator, parts: Sequence[ast.expr]) -> ast.expr:
    return functools.reduce(lambda a, b: ast.BinOp(a, join, b), parts)


def _operand(call: MethodCall, node: ast.expr) -> ast.expr | None:
    """A column or a constant; None for something else."""
    match node:
        case ast.Name(id=name) if name.startswith(_VARIABLE):
            variable = ast.Name(name.removeprefix(_VARIABLE), ast.Load())
            held = call.env.get(variable.id)
            return variable if isinstance(held, Lit) and type(held.value) in (int, float, str) else None
        case ast.Name(id=name) if name not in _OWN_NAMES and not name.startswith(("ilevel_", "__")):
            return ast.Subscript(call.receiver, ast.Constant(name), ast.Load())
        case ast.Constant(value=str() | int() | float()):
            return node
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return node
    return None
