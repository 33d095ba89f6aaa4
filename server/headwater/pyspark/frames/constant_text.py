"""Python expressions whose value stands in the file: texts put together of constants, and items spread from lists.

``F.col(f"{PREFIX}_id")``, ``"x > {}".format(LIMIT)``, ``select(*[F.col(c) for c in COLUMNS])``. Only text and whole
numbers are computed, for they alone print the same everywhere; nothing is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from copy import deepcopy

from headwater.python.effects.containers_read import is_kept
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import NESTED

from .tracked_values import Binding, Unevaluated

MAX_TEXT = 100_000
MAX_ITEMS = 1_000
_FIELD = re.compile(r"\{([A-Za-z_0-9]*)\}")
Lookup = Callable[[str], Binding | None]
_Value = str | int


def text_of(node: ast.expr, names: Names, lookup: Lookup) -> str | None:
    """The text that ``node`` is; None if it is none, or not known."""
    value = _value(node, names, lookup, 8)
    return value if isinstance(value, str) else None


def assigned(node: ast.expr, names: Names, lookup: Lookup) -> ast.expr:
    """What a variable was assigned, or a constant of a plain class, if nothing can have changed it since; else the node
    itself."""
    match node:
        case ast.Name(id=name) if name not in names.mutated | names.rebound:
            bound = lookup(name)
            if bound is not None and isinstance(bound.value, Unevaluated) and not bound.outdated(lookup):
                found = bound.value.node
                if not isinstance(found, (ast.List, ast.Set, ast.Dict)) or is_kept(names, name, found):
                    return found
        case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner not in names.mutated | names.rebound:
            return _class_constant(owner, attribute, names) or node
    return node


def _class_constant(owner: str, attribute: str, names: Names) -> ast.expr | None:
    """The literal that a class of nothing but literals gives ``attribute``, if all that the file does with the class is
    to read its attributes."""
    definition = names.ctx.class_definition(owner)
    if definition is None or definition.bases or definition.keywords or definition.decorator_list:
        return None
    if names.reflective or names.loads(owner) != names.attribute_loads(owner):
        return None
    found: list[ast.expr] = []
    for s in definition.body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value):
                found += [value] if name == attribute else []
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                return None
    return found[0] if len(found) == 1 else None


def _value(node: ast.expr, names: Names, lookup: Lookup, depth: int) -> _Value | None:
    if depth == 0:
        return None

    def value(part: ast.expr) -> _Value | None:
        return _value(part, names, lookup, depth - 1)

    match node:
        case ast.Constant(value=str() | int() as found):
            return None if isinstance(found, bool) else found
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = value(operand)
            return -number if isinstance(number, int) else None
        case ast.Name() | ast.Attribute():
            found_node = assigned(node, names, lookup)
            return None if found_node is node else value(found_node)
        case ast.JoinedStr(values=parts):
            return _concatenated([_part(p, value) for p in parts])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            both = [value(left), value(right)]
            return _concatenated([b if isinstance(b, str) else None for b in both])
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            given = [value(p) for p in (right.elts if isinstance(right, ast.Tuple) else [right])]
            return _with_signs(value(left), given)
        case ast.Call(func=ast.Attribute(value=owner, attr="format")):
            return _with_fields(value(owner), node, value)
    return None


def _part(node: ast.expr, value: Callable[[ast.expr], _Value | None]) -> str | None:
    if isinstance(node, ast.FormattedValue):
        if node.conversion != -1 or node.format_spec is not None:
            return None
        node = node.value
    found = value(node)
    return None if found is None else str(found)


def _concatenated(parts: list[str | None]) -> str | None:
    known = [p for p in parts if p is not None]
    return "".join(known) if len(known) == len(parts) and sum(map(len, known)) <= MAX_TEXT else None


def _with_signs(template: _Value | None, given: list[_Value | None]) -> str | None:
    """``template`` with its ``%s`` filled in order; None where there are any other signs of formatting."""
    if not isinstance(template, str) or any(g is None for g in given):
        return None
    pieces = template.split("%s")
    if len(pieces) != len(given) + 1 or any("%" in piece for piece in pieces):
        return None
    return _concatenated([pieces[0], *(f"{g}{p}" for g, p in zip(given, pieces[1:], strict=True))])


def _with_fields(template: _Value | None, call: ast.Call, value: Callable[[ast.expr], _Value | None]) -> str | None:
    given = fields(template, call) if isinstance(template, str) else None
    if given is None or not isinstance(template, str):
        return None
    parts: list[str | None] = []
    at = 0
    for start, end, node in given:
        found = value(node)
        parts += [template[at:start], None if found is None else str(found)]
        at = end
    return _concatenated([*parts, template[at:]])


def fields(template: str, call: ast.Call) -> list[tuple[int, int, ast.expr]] | None:
    """The plain fields of ``template.format(…)`` in order: from where to where, and the argument that fills each; None
    if any field is another one, or has none."""
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    given: dict[str, ast.expr] = {k.arg: k.value for k in call.keywords if k.arg is not None}
    given |= {str(number): argument for number, argument in enumerate(call.args)}
    found: list[tuple[int, int, ast.expr]] = []
    numbered = {bool(n) for n in _FIELD.findall(template) if not n or n.isdigit()}
    unnamed = 0
    for field in _FIELD.finditer(template):
        name = field[1] or str(unnamed)
        unnamed += not field[1]
        if name not in given:
            return None
        found.append((*field.span(), given[name]))
    return found if sum(map(template.count, "{}")) == 2 * len(found) and len(numbered) <= 1 else None


def spread(items: list[ast.expr], names: Names, lookup: Lookup) -> list[ast.expr]:
    """``items`` with every ``*list`` written out where the list stands in the file, comprehensions over it too."""
    found: list[ast.expr] = []
    for item in items:
        inner = elements(item.value, names, lookup) if isinstance(item, ast.Starred) else None
        found += [item] if inner is None else inner
    return found


def given_items(call: ast.Call, names: Names, lookup: Lookup) -> list[ast.expr]:
    """The positional arguments of ``call``, lists written out: ``f(a, b)``, ``f([a, b])`` and ``f(*[a, b])`` alike."""
    items = spread(list(call.args), names, lookup)
    inner = elements(items[0], names, lookup) if len(items) == 1 else None
    return items if inner is None else inner


def elements(node: ast.expr, names: Names, lookup: Lookup) -> list[ast.expr] | None:
    """The items of a list, tuple or comprehension that stands in the file; None if they are not known."""
    node = assigned(node, names, lookup)
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return spread(items, names, lookup)
        case ast.ListComp(elt=item, generators=[loop]) | ast.GeneratorExp(elt=item, generators=[loop]):
            if not isinstance(loop.target, ast.Name) or loop.ifs or loop.is_async:
                return None
            over = elements(loop.iter, names, lookup)
            if over is None or len(over) > MAX_ITEMS or not all(isinstance(o, ast.Constant) for o in over):
                return None
            if any(isinstance(n, NESTED) for n in ast.walk(item)):  # it may have a variable of that name itself
                return None
            return [_Filled(loop.target.id, o).visit(deepcopy(item)) for o in over]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            both = elements(left, names, lookup), elements(right, names, lookup)
            return None if both[0] is None or both[1] is None else [*both[0], *both[1]]
    return None


class _Filled(ast.NodeTransformer):
    """A loop's variable replaced by one of its values."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value, at the place of the variable."""
        if node.id != self.name:
            return node
        return ast.copy_location(deepcopy(self.value), node)
