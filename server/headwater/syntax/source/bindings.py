"""Which names a piece of code binds, reads, or captures. Nested function bodies are scopes of their own."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from weakref import WeakKeyDictionary

from .ast_walk import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NESTED = (*_FUNCTIONS, *_COMPREHENSIONS)
_SCOPES = (*NESTED, ast.ClassDef)
_BINDING = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar, ast.MatchMapping,
)  # fmt: skip
_APART = (*_FUNCTIONS, ast.ClassDef, ast.Constant, ast.expr_context)
ANONYMOUS = "<lambda>"
Function = ast.FunctionDef | ast.Lambda
_COLUMNS = frozenset("columns schema dtypes".split())

# Asked again for every block that a statement stands in; a syntax tree does not change once it is read.
_BOUND: WeakKeyDictionary[ast.AST, frozenset[str]] = WeakKeyDictionary()
_CAPTURED: WeakKeyDictionary[ast.AST, Counter[str]] = WeakKeyDictionary()
_CAPTURED_IN: WeakKeyDictionary[ast.AST, Counter[str]] = WeakKeyDictionary()
_ASKED_IN: WeakKeyDictionary[ast.AST, Counter[str]] = WeakKeyDictionary()
_SCOPES_BELOW: WeakKeyDictionary[ast.stmt, tuple[ast.AST, ...]] = WeakKeyDictionary()
_OWN_READS: WeakKeyDictionary[ast.stmt, tuple[ast.Name, ...]] = WeakKeyDictionary()


def _own_children(node: ast.AST) -> Iterable[ast.AST]:
    """The children of ``node`` in its scope: bodies of nested functions and classes are left out, and what the loops of
    a comprehension bind."""
    if isinstance(node, ast.comprehension):
        return (node.iter, *node.ifs)
    if isinstance(node, _APART):
        return ()
    return children(node)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below ``node`` that belongs to its scope: no bodies of nested functions, classes, comprehensions."""
    todo = children(node)[::-1]
    while todo:
        child = todo.pop()
        yield child
        if not isinstance(child, _SCOPES):
            todo += children(child)[::-1]


def own_reads(statement: ast.stmt) -> tuple[ast.Name, ...]:
    """The reads of variables in ``statement`` that belong to the scope that it stands in."""
    known = _OWN_READS.get(statement)
    if known is None:
        nodes = () if isinstance(statement, _SCOPES) else own_nodes(statement)
        reads = (n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        known = _OWN_READS[statement] = tuple(reads)
    return known


def assigned(statement: ast.Assign | ast.AnnAssign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment with what each is assigned, as far as the statement spells it: ``a, b = 1, [2]``
    assigns 1 and a list. Of ``a = b = value`` only a constant, which may have two names."""
    if isinstance(statement, ast.AnnAssign):
        if statement.value is not None:
            yield statement.target, statement.value
    elif len(statement.targets) == 1 or isinstance(statement.value, ast.Constant):
        for target in statement.targets:
            yield from _unpacked(target, statement.value)


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    displays = isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))
    if not displays:
        yield target, value
        return
    assert isinstance(target, (ast.Tuple, ast.List))
    assert isinstance(value, (ast.Tuple, ast.List))
    starred = any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts))
    if not starred and len(target.elts) == len(value.elts):
        for part, of in zip(target.elts, value.elts, strict=True):
            yield from _unpacked(part, of)


def bound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that running ``nodes`` may bind or unbind in their scope."""
    return set().union(*map(_bound_by, nodes))


def _bound_by(node: ast.AST) -> frozenset[str]:
    known = _BOUND.get(node) if isinstance(node, ast.stmt) else None
    if known is None:
        found, todo = set(binds(node)), [*_own_children(node)]
        while todo:
            below = todo.pop()
            if isinstance(below, ast.stmt):
                found |= _bound_by(below)
            else:
                found.update(binds(below))
                todo += _own_children(below)
        known = frozenset(found)
        if isinstance(node, ast.stmt):
            _BOUND[node] = known
    return known


def binds(node: ast.AST) -> Iterable[str]:
    """Names that ``node`` itself binds or unbinds, leaving out what is below it."""
    if isinstance(node, ast.Name):
        return (node.id,) if isinstance(node.ctx, (ast.Store, ast.Del)) else ()
    if not isinstance(node, _BINDING):  # most are of no kind that binds
        return ()
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return (a.asname or a.name.split(".")[0] for a in names)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
    return ()


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """All parameters of a function."""
    a = function.args
    extra = [p for p in (a.vararg, a.kwarg) if p]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *extra]


def captured_names(nodes: Iterable[ast.stmt]) -> Counter[str]:
    """Names that nested functions, classes and comprehensions read and do not bind themselves, with how often.

    The first iterable of a comprehension and the defaults of a lambda are read outside of it, whatever it binds.
    """
    return _counted(nodes, _captured_by, _CAPTURED_IN)


def asked_for_columns(nodes: Iterable[ast.stmt]) -> Counter[str]:
    """How often of ``captured_names`` no more is read than what columns a frame has, which needs none of its rows."""
    return _counted(nodes, _asked_by, _ASKED_IN)


def _counted(
    statements: Iterable[ast.stmt],
    of_scope: Callable[[ast.AST], Iterable[str]],
    known: WeakKeyDictionary[ast.AST, Counter[str]],
) -> Counter[str]:
    found: Counter[str] = Counter()
    for statement in statements:
        counted = known.get(statement)
        if counted is None:
            counted = known[statement] = Counter()
            for inner in (*([statement] if isinstance(statement, _SCOPES) else ()), *_scopes_below(statement)):
                counted.update(of_scope(inner))
        if counted:
            found.update(counted)
    return found


def _scopes_below(statement: ast.stmt) -> tuple[ast.AST, ...]:
    known = _SCOPES_BELOW.get(statement)
    if known is None:
        below = (n for n in walk(statement) if isinstance(n, _SCOPES) and n is not statement)
        known = _SCOPES_BELOW[statement] = tuple(below)
    return known


def _asked_by(inner: ast.AST) -> Iterable[str]:
    own = _own_names(inner)
    read = (n.value for n in walk(inner) if isinstance(n, ast.Attribute) and n.attr in _COLUMNS)
    return [n.id for n in read if isinstance(n, ast.Name) and n.id not in own]


def _captured_by(inner: ast.AST) -> Counter[str]:
    known = _CAPTURED.get(inner)
    if known is None:
        own = _own_names(inner)
        reads = (n.id for n in walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        known = _CAPTURED[inner] = Counter(r for r in reads if r not in own)
        known.update(r for r in _read_outside(inner) if r in own)
    return known


def _read_outside(node: ast.AST) -> list[str]:
    parts: list[ast.expr] = []
    if isinstance(node, ast.Lambda):
        parts = [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
    elif isinstance(node, _COMPREHENSIONS):
        parts = [node.generators[0].iter]
    return [n.id for part in parts for n in walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]


def _own_names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Lambda):
        return {p.arg for p in parameters(node)}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {p.arg for p in parameters(node)} | bound_names(node.body)
    if isinstance(node, ast.ClassDef):
        return set()
    return bound_names(g.target for g in node.generators) if isinstance(node, _COMPREHENSIONS) else set()


def head_targets(whole: ast.stmt) -> set[str]:
    """Names that the head of a ``with`` or ``match`` binds."""
    if isinstance(whole, (ast.With, ast.AsyncWith)):
        return bound_names(i.optional_vars for i in whole.items if i.optional_vars)
    if isinstance(whole, ast.Match):
        return bound_names(c.pattern for c in whole.cases)
    return set()


def leaves(statements: Iterable[ast.stmt]) -> bool:
    """Whether running ``statements`` never gets to what stands behind them."""
    return any(
        isinstance(s, (ast.Return, ast.Raise, ast.Continue, ast.Break))
        or (isinstance(s, ast.If) and leaves(s.body) and leaves(s.orelse))
        for s in statements
    )


def plain_parameters(arguments: ast.arguments) -> list[str] | None:
    """Names of positional parameters, if there is nothing else: no defaults, no ``*args``."""
    if arguments.defaults or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
        return None
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args)]


def function_name(function: Function | ast.ClassDef) -> str:
    """The name of a function or class; ``<lambda>`` if it has none."""
    return ANONYMOUS if isinstance(function, ast.Lambda) else function.name


def local_names(function: Function) -> frozenset[str]:
    """Every name that the function binds, in any nesting."""
    found: set[str | None] = set()
    for node in walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
            case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.ExceptHandler(name=name):
                found.add(name)
            case ast.MatchMapping(rest=name):
                found.add(name)
            case ast.FunctionDef(name=name) if node is not function:
                found.add(name)
    return frozenset(n for n in found if n is not None)
