"""Statements for the effect analysis: each is one of variables and of objects made in the run, or refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from headwater.libraries.refused import check_import
from headwater.syntax.refusal import Refusal

from .values import ANY_DATA, DATA, MAPPINGS, Frame, Function, Site, Value, kind_of

if TYPE_CHECKING:
    from .analysis import Analysis

_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp,
)  # fmt: skip


def run(analysis: Analysis, body: Sequence[ast.stmt], frame: Frame) -> None:
    """The effects of a list of statements."""
    for statement in body:
        try:
            _statement(analysis, statement, frame)
        except Refusal as refusal:
            _go_on(analysis, refusal)
            _look_on(analysis, statement, frame)


def _go_on(a: Analysis, refusal: Refusal) -> None:
    """Note what is not known; the refusal itself where the analysis is not to go on, or where more is known."""
    if not a.thorough or refusal.obstruction != "opaque":
        raise refusal
    a.unknown = a.unknown or refusal


def _look_on(a: Analysis, statement: ast.stmt, frame: Frame) -> None:
    """Look for what is known to do more in a statement of which something is not known."""
    for node in ast.walk(statement):
        try:
            if isinstance(node, ast.Call):
                a.value(node, frame)
            elif isinstance(node, ast.stmt) and node is not statement:
                _statement(a, node, frame)
        except Refusal as refusal:
            _go_on(a, refusal)


def _statement(a: Analysis, node: ast.stmt, frame: Frame) -> None:
    match node:
        case ast.Pass() | ast.Break() | ast.Continue():
            pass
        case ast.Expr(value=value):
            a.value(value, frame)
        case ast.Return(value=value):
            found = frozenset({"none"}) if value is None else a.value(value, frame)
            a.changed |= not found <= frame.result
            frame.result |= found
        case ast.Assign(targets=targets, value=value):
            found = a.value(value, frame)
            for target in targets:
                assign(a, target, found, frame)
        case ast.AnnAssign(target=target, value=value):
            if value is not None:
                assign(a, target, a.value(value, frame), frame)
        case ast.AugAssign(target=target, op=op, value=value):
            _augmented(a, node, target, op, value, frame)
        case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
            a.test(test, frame)
            run(a, [*body, *orelse], frame)
        case ast.For(target=target, iter=over, body=body, orelse=orelse):
            assign(a, target, a.elements(a.value(over, frame), over), frame)
            run(a, [*body, *orelse], frame)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            run(a, body, frame)
            for handler in handlers:
                if handler.type is not None:
                    a.value(handler.type, frame)
                if handler.name is not None:
                    a.bind(frame, handler.name, frozenset({"exception"}))
                run(a, handler.body, frame)
            run(a, [*orelse, *finalbody], frame)
        case ast.Raise(exc=raised, cause=cause):
            for part in (raised, cause):
                if part is not None:
                    a.value(part, frame)
        case ast.Assert(test=test, msg=message):
            a.test(test, frame)
            if message is not None:
                a.value(message, frame)
        case ast.FunctionDef(name=name):
            if node.decorator_list:
                raise a.refuse(node, f"`{name}` is decorated")
            a.bind(frame, name, frozenset({Function(node, frame)}))
        case ast.Import() | ast.ImportFrom():
            check_import(node)
        case ast.Match(subject=subject, cases=cases):
            found = a.value(subject, frame)
            for case in cases:
                _pattern(a, case.pattern, found, frame)
                if case.guard is not None:
                    a.test(case.guard, frame)
                run(a, case.body, frame)
        case ast.Delete(targets=targets):
            for target in targets:
                if isinstance(target, ast.Subscript):
                    store(a, target, frame)
                elif not isinstance(target, ast.Name):
                    raise Refusal("side-effect", f"`{a.program.text(node)}` deletes a part of an object", node)
        case ast.Global() | ast.Nonlocal():
            raise Refusal("side-effect", f"`{a.program.text(node)}` changes variables outside of the function", node)
        case _:
            name = type(node).__name__
            raise Refusal("side-effect", f"a `{name}` in code that is not understood", node)


def _augmented(a: Analysis, node: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr, frame: Frame) -> None:
    right = a.value(value, frame)
    if isinstance(target, ast.Name):
        owner = frame.of(target.id)
        if owner is not frame:
            raise Refusal("side-effect", f"`{a.program.text(node)}` may change an object in place", node)
        a.bind(frame, target.id, a.augmented(node, op, frame.variables.get(target.id, frozenset()), right))
    elif isinstance(target, ast.Subscript):
        before = a.subscript(target, a.value(target.value, frame), a.value(target.slice, frame))
        store(a, target, frame, a.augmented(node, op, before, right))
    else:
        raise Refusal("side-effect", f"`{a.program.text(target)}` is assigned: an object changes", node)


def assign(a: Analysis, target: ast.expr, value: Value, frame: Frame) -> None:
    """``target = value``."""
    match target:
        case ast.Name(id=name):
            a.bind(frame, name, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            parts = a.elements(value, target)
            for t in targets:
                if isinstance(t, ast.Starred):
                    assign(a, t.value, a.made(t, "list", parts), frame)
                else:
                    assign(a, t, parts, frame)
        case ast.Subscript():
            store(a, target, frame, value)
        case _:
            raise Refusal("side-effect", f"`{a.program.text(target)}` is assigned: an object changes", target)


def store(a: Analysis, target: ast.Subscript, frame: Frame, value: Value = frozenset()) -> None:
    """``target.value[target.slice] = value``."""
    owner, index = a.value(target.value, frame), a.value(target.slice, frame)
    for atom in owner:
        kind = kind_of(atom)
        if kind in DATA - {"list", "dict", "Counter", "OrderedDict", "bytearray"}:
            continue  # a TypeError
        if not isinstance(atom, Site) or not atom.own:
            raise Refusal("side-effect", f"`{a.program.text(target)}` is assigned: an object changes", target)
        if kind not in ("list", "deque", "bytearray", *MAPPINGS):
            raise a.refuse(target, f"`{a.program.text(target)}` is assigned")
        a.require_known(value | index, target)
        a.add(atom, value)
        if kind in MAPPINGS:
            a.add(atom, index)
        elif "slice" in index:
            a.add(atom, a.elements(value, target))


def _pattern(a: Analysis, pattern: ast.pattern, subject: Value, frame: Frame) -> None:
    if not a.is_of(subject, DATA):
        raise a.refuse(pattern, "a `match` of what is no plain data")
    for part in ast.walk(pattern):
        match part:
            case ast.MatchClass():
                raise a.refuse(pattern, "a pattern of a class")
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                a.bind(frame, name, ANY_DATA)
            case ast.MatchValue(value=value):
                a.value(value, frame)


def bound_names(node: ast.AST) -> frozenset[str]:
    """The variables that code binds in its own scope, imports left out; of a function, its parameters as well."""
    found = set[str | None]()
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        found |= {p.arg for p in ast.walk(node.args) if isinstance(p, ast.arg)}
    for n in own_nodes(node):
        match n:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
                found.add(name)
            case ast.MatchMapping(rest=name):
                found.add(name)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                found |= {w.target.id for w in ast.walk(n) if isinstance(w, ast.NamedExpr)}
    return frozenset(name for name in found if name is not None)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below ``node`` of its own scope."""
    if isinstance(node, ast.Lambda):
        todo: list[ast.AST] = [node.body]
    elif isinstance(node, ast.FunctionDef):
        todo = [*node.body]
    else:
        todo = [node]
    while todo:
        n = todo.pop()
        yield n
        if not isinstance(n, _SCOPES):
            todo += ast.iter_child_nodes(n)
