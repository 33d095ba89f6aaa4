"""``:=`` inside an expression, as an assignment in front of the statement.

Law: the parts of an expression are evaluated in the same order. What is evaluated before the assignment and is not a
constant or a variable that stays what it is, is given a name of its own first; what is evaluated only sometimes becomes
a branch. Condition: the truth of a value has no effect. Reference: the Python language reference, sections 6.12, 6.16.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from headwater.syntax.refusal import Refusal
from headwater.syntax.source import ast_walk

from . import build

_MOST = 50
_NO_RULE = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Dict, ast.JoinedStr, ast.Starred,
)  # fmt: skip


def in_front(node: ast.stmt) -> list[ast.stmt] | None:
    """Statements that do what ``node`` does without ``:=``; None if it has none, Refusal where there is no rule."""
    name = "test" if isinstance(node, (ast.If, ast.Assert, ast.While)) else "value"
    part = node.iter if isinstance(node, ast.For) else getattr(node, name, None)
    if not isinstance(part, ast.expr) or not _assigns(part):
        return None
    if sum(isinstance(n, ast.NamedExpr) for n in ast_walk.walk(part)) > _MOST:
        raise Refusal("time-out", "too many assignments in one expression", node)
    if isinstance(node, ast.AugAssign) and getattr(node.target, "id", None) in (None, *_assigned(part)):
        raise Refusal("opaque", "an assignment inside an augmented assignment to what it may change", node)
    match node:
        case ast.If(test=ast.BoolOp(op=ast.And(), values=[first, *others])) if any(map(_assigns, others)):
            return _one_inside_the_other(node, first, _joined(node.test, others))
    name = "iter" if isinstance(node, ast.For) else name
    before: list[ast.stmt] = []
    made = copy.copy(node)
    setattr(made, name, _hoisted(part, before, name == "test"))
    if not isinstance(node, ast.While):
        return [*before, made]
    if node.orelse:
        raise Refusal("opaque", "an assignment in the condition of a `while` with `else`", node)
    leave = build.branch(build.negated(made.test), [ast.copy_location(ast.Break(), part)], [], part)  # type: ignore[attr-defined]
    return [ast.copy_location(ast.While(build.constant(True, part), [*before, leave, *node.body], []), node)]


def _one_inside_the_other(node: ast.If, first: ast.expr, rest: ast.expr) -> list[ast.stmt]:
    """``if a and b: …`` as ``if a: if b: …``: what b assigns is set in the body."""
    if not node.orelse:
        return [build.branch(first, [build.branch(rest, node.body, [], node)], [], node)]
    name = _name(node.test)
    body = [build.assign(name, build.constant(False, node.test), node.test), *node.body]
    return [
        build.assign(name, build.constant(True, node.test), node.test),
        build.branch(first, [build.branch(rest, body, [], node)], [], node),
        build.branch(build.read(name, node.test), node.orelse, [], node.orelse[0]),
    ]


def _joined(node: ast.expr, parts: list[ast.expr]) -> ast.expr:
    assert isinstance(node, ast.BoolOp)
    return parts[0] if len(parts) == 1 else ast.copy_location(ast.BoolOp(node.op, parts), parts[0])


def _assigned(node: ast.AST) -> set[str]:
    """The variables that an expression assigns."""
    return {n.target.id for n in ast_walk.walk(node) if isinstance(n, ast.NamedExpr)}


def _assigns(node: ast.AST) -> bool:
    return bool(_assigned(node))


def _hoisted(node: ast.expr, before: list[ast.stmt], truth: bool = False) -> ast.expr:
    """``node`` without assignments; adds to ``before`` what is evaluated first. ``truth``: nothing but the truth of the
    value counts."""
    if not _assigns(node):
        return node
    match node:
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            before.append(build.assign(name, _hoisted(value, before), node))
            return build.read(name, node)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ast.copy_location(ast.UnaryOp(ast.Not(), _hoisted(operand, before, True)), node)
        case ast.BoolOp(values=[first, *others]) if any(map(_assigns, others)):
            return _connective(node, first, others, before, truth)
        case ast.IfExp(test=test, body=body, orelse=orelse) if _assigns(body) or _assigns(orelse):
            test, name = _hoisted(test, before, True), _name(node)
            then, other = list[ast.stmt](), list[ast.stmt]()
            for part, made in ((body, then), (orelse, other)):
                made.append(build.assign(name, _hoisted(part, made), part))
            before.append(build.branch(test, then, other, node))
            return build.read(name, node)
        case ast.Compare(comparators=[_, *later]) if any(map(_assigns, later)):
            raise Refusal("opaque", "an assignment in the middle of a condition", node)
    if isinstance(node, _NO_RULE) or any(isinstance(n, ast.Starred) for n in ast_walk.children(node)):
        raise Refusal("opaque", "an assignment inside a comprehension, function, dict or f-string", node)
    return _parts(node, before, truth)


def _parts(node: ast.expr, before: list[ast.stmt], truth: bool) -> ast.expr:
    """A node whose parts are all evaluated, one after the other."""
    made = copy.deepcopy(node)
    places = list(_places(made))
    last = max(i for i, (_, _, part) in enumerate(places) if _assigns(part))
    for i, (owner, key, part) in enumerate(places):
        found = _hoisted(part, before, truth and isinstance(node, ast.BoolOp))
        later = set[str]().union(*(_assigned(p) for _, _, p in places[i + 1 :]))
        stays = isinstance(found, ast.Constant) or (isinstance(found, ast.Name) and found.id not in later)
        if i < last and not stays:
            name = _name(part)
            before.append(build.assign(name, found, part))
            found = build.read(name, part)
        if isinstance(owner, list):
            owner[key] = found
        else:
            setattr(owner, key, found)
    return made


def _places(node: ast.AST) -> list[tuple[Any, Any, ast.expr]]:
    """Where the parts of ``node`` stand that are evaluated, in order."""
    found: list[tuple[Any, Any, ast.expr]] = []
    fields = ("test", *(f for f in node._fields if f != "test")) if isinstance(node, ast.IfExp) else node._fields
    for name in fields:
        value = getattr(node, name, None)
        listed = enumerate(value) if isinstance(value, list) else [(name, value)]
        for key, part in listed:
            owner = value if isinstance(value, list) else node
            if isinstance(part, (ast.keyword, ast.Slice)):
                found += _places(part)
            elif isinstance(part, ast.expr):
                found.append((owner, key, part))
    return found[:1] if isinstance(node, (ast.BoolOp, ast.IfExp)) else found


def _connective(
    node: ast.BoolOp, first: ast.expr, others: list[ast.expr], before: list[ast.stmt], truth: bool
) -> ast.expr:
    """``a and b``: the value of b, evaluated where a is true; else that of a."""
    conjunction, name = isinstance(node.op, ast.And), _name(node)
    rest = _joined(node, others)
    found, inside = _hoisted(first, before, truth), list[ast.stmt]()
    inside.append(build.assign(name, _hoisted(rest, inside, truth), rest))
    before.append(build.assign(name, build.constant(not conjunction, node) if truth else found, node))
    test = found if truth else build.read(name, first)
    before.append(build.branch(test if conjunction else build.negated(test), inside, [], node))
    return build.read(name, node)


def _name(node: ast.expr) -> str:
    """A variable for the value of ``node``."""
    return f"<value of {node.lineno}:{node.col_offset} to {node.end_lineno}:{node.end_col_offset}>"
