"""A UDTF class taken apart: one statement list per method, in which the attribute ``self.x`` is a variable ``self.x``.

Law: an instance is made for each partition, and nothing but its own methods reaches it; so its attributes are local
variables that live from ``__init__`` over the calls of ``eval`` to ``terminate``. A class for which that may not
hold is refused: bases, metaclasses, special methods, ``self`` handed to anything else.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from headwater.syntax.core.early_exits import run_through
from headwater.syntax.core.lower import lowered
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters

from .inline_methods import Methods

PREFIX = "self."
_WHOLE = ("__init__", "eval", "terminate")


@dataclass(frozen=True)
class TableClass:
    """``init`` holds the class's constants too; ``row`` names the parameter of ``eval``; ``generator``: ``terminate``
    yields its rows, rather than returning a list of them. ``helpers``: other methods that assign no attribute, by their
    flattened name."""

    node: ast.ClassDef
    init: list[ast.stmt]
    row: str
    eval: list[ast.stmt]
    terminate: list[ast.stmt]
    generator: bool
    helpers: dict[str, ast.FunctionDef]

    def names(self) -> frozenset[str]:
        """Every name that the methods bind."""
        bodies: list[ast.AST] = [*self.init, *self.eval, *self.terminate]
        return frozenset({self.row, *stored(bodies)})


def take_apart(node: ast.ClassDef) -> TableClass:
    """The parts of a UDTF class; Refusal if its instances may be more than their attributes."""
    if node.bases and not (len(node.bases) == 1 and isinstance(b := node.bases[0], ast.Name) and b.id == "object"):
        raise Refusal("opaque", f"`{node.name}` has a base class", node)
    if node.keywords:
        raise Refusal("opaque", f"`{node.name}` has a metaclass", node)
    methods, constants, slots = _members(node)
    for required in ("eval", "terminate"):
        if required not in methods:
            raise Refusal("opaque", f"`{node.name}` has no `{required}`", node)
    init, _ = _flattened(methods["__init__"], 0) if "__init__" in methods else ([], [])
    terminate, _ = _flattened(methods["terminate"], 0)
    body, parameters = _flattened(methods["eval"], 1)
    if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in _own(body)):
        raise Refusal("multiplicity", "`eval` yields rows: a partition may give several", methods["eval"])
    generator = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in _own(terminate))
    helpers = _helpers(methods)
    taken = {n for n in stored([*init, *body, *terminate]) if not n.startswith(PREFIX)}
    calls = Methods(helpers, {parameters[0], *taken})
    init, terminate = calls.written_out(init), calls.written_out(terminate)
    step = calls.written_out(body)
    _check_returns_nothing(step)
    pure = {n: m for n, m in helpers.items() if not any(s.startswith(PREFIX) for s in stored(list(m.body)))}
    init, step, terminate = lowered([*constants, *init]), run_through(lowered(step)), lowered(terminate)
    parts = TableClass(node, init, parameters[0], step, terminate, generator, pure)
    _check_attributes(parts, set(methods), slots)
    return parts


def _members(node: ast.ClassDef) -> tuple[dict[str, ast.FunctionDef], list[ast.stmt], set[str] | None]:
    methods: dict[str, ast.FunctionDef] = {}
    constants: list[ast.stmt] = []
    slots: set[str] | None = None
    for s in node.body:
        match s:
            case ast.FunctionDef():
                _check_method(s, methods)
                methods[s.name] = s
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.AnnAssign(value=None):
                pass
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=ast.Tuple(elts) | ast.List(elts)):
                slots = {e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, str)}
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if not name.startswith("__") and _is_constant(value):
                place = ast.copy_location(ast.Name(PREFIX + name, ast.Store()), s)
                constants.append(ast.copy_location(ast.Assign([place], value), s))
            case _:
                raise Refusal("opaque", f"`{node.name}` holds more than methods and constants", s)
    return methods, constants, slots


def _is_constant(node: ast.expr) -> bool:
    """Whether the value, which all instances share, cannot be changed by any of them."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=inner):
            return _is_constant(inner)
        case ast.Tuple(elts=elts):
            return all(map(_is_constant, elts))
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant()], keywords=[]):
            return True
    return False


def _check_method(method: ast.FunctionDef, known: dict[str, ast.FunctionDef]) -> None:
    name = method.name
    if name in known:
        raise Refusal("opaque", f"`{name}` is defined twice", method)
    if name == "analyze":
        raise Refusal("opaque", "`analyze` decides on columns and partitions when the query is made", method)
    if name == "cleanup" and not all(isinstance(s, ast.Pass) or _is_text(s) for s in method.body):
        raise Refusal("side-effect", "`cleanup` runs code after the last row", method)
    if name.startswith("__") and name.endswith("__") and name != "__init__":
        raise Refusal("opaque", f"`{name}` changes what the object does", method)
    if name in _WHOLE and method.decorator_list:
        raise Refusal("opaque", f"`{name}` is decorated", method)


def _is_text(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)


def _flattened(method: ast.FunctionDef, arguments: int) -> tuple[list[ast.stmt], list[str]]:
    """The body of a method with flattened attributes, and the names of its parameters behind ``self``."""
    names = plain_parameters(method.args)
    if names is None or len(names) != 1 + arguments:
        takes = "a row" if arguments else "nothing"
        raise Refusal("opaque", f"`{method.name}` takes something other than {takes}", method)
    body = [s for s in method.body if not _is_super_init(s)]
    return _flat(body, names[0]), names[1:]


def _helpers(methods: dict[str, ast.FunctionDef]) -> dict[str, ast.FunctionDef]:
    """The methods that others may call, by flattened name."""
    return {
        PREFIX + name: _helper(m, names[0])
        for name, m in methods.items()
        if name not in _WHOLE and not m.decorator_list and (names := plain_parameters(m.args))
    }


def _helper(method: ast.FunctionDef, owner: str) -> ast.FunctionDef:
    """The method without its first parameter, its attributes flattened."""
    changed = copy.copy(method)
    changed.args = copy.copy(method.args)
    changed.args.posonlyargs, changed.args.args = [], [*method.args.posonlyargs, *method.args.args][1:]
    changed.body = _flat(method.body, owner)
    return changed


def _flat(body: list[ast.stmt], owner: str) -> list[ast.stmt]:
    flat = [_Flatten(owner).visit(copy.deepcopy(s)) for s in body]
    for n in (n for s in flat for n in ast.walk(s)):
        if (isinstance(n, ast.Name) and n.id == owner) or (isinstance(n, ast.arg) and n.arg == owner):
            raise Refusal("side-effect", f"`{owner}` is handed on", n)
        if isinstance(n, ast.Name) and n.id.startswith("__") and not n.id.endswith("__"):
            raise Refusal("opaque", f"`{n.id}` means another name inside a class", n)
    return flat


def _is_super_init(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and ast.unparse(s) == "super().__init__()"


class _Flatten(ast.NodeTransformer):
    """``self.x`` → the name ``self.x``."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """One attribute."""
        if isinstance(node.value, ast.Name) and node.value.id == self.owner:
            return ast.copy_location(ast.Name(PREFIX + node.attr, node.ctx), node)
        self.generic_visit(node)
        return node


def _check_returns_nothing(body: list[ast.stmt]) -> None:
    for node in _own(body):
        if isinstance(node, ast.Return) and node.value is not None:
            if not (isinstance(node.value, ast.Constant) and node.value.value is None):
                raise Refusal("multiplicity", "`eval` returns rows: a partition may give several", node)


def _own(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body, those of nested functions left out."""
    todo: list[ast.AST] = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            todo.extend(ast.iter_child_nodes(node))


def stored(nodes: list[ast.AST]) -> set[str]:
    """Names that the nodes bind, in any nesting."""
    every = [n for node in nodes for n in ast.walk(node)]
    found = {n.id for n in every if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del))}
    return found | {n.arg for n in every if isinstance(n, ast.arg)}


def _check_attributes(parts: TableClass, methods: set[str], slots: set[str] | None) -> None:
    written = {n.removeprefix(PREFIX) for n in parts.names() if n.startswith(PREFIX)}
    if written & methods:
        raise Refusal("opaque", f"`{min(written & methods)}` is both a method and an attribute", parts.node)
    if slots is not None and not written <= slots:
        raise Refusal("may-throw", f"`{min(written - slots)}` is not in `__slots__`", parts.node)
