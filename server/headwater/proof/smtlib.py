"""SMT-LIB 2 text of Z3 terms, the same for the same terms whatever else the process has built (Z3's own printer names
and orders shared terms by internal ids). Shared terms are named with ``let`` in the order of their first use.

Terms are walked through Z3's C interface: the Python objects for every node would take a third of a whole proof's time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import z3

_SPELLING = {"if": "ite"}
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")


def symbol(name: str) -> str:
    """``name`` as a symbol, quoted if it must be."""
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


@dataclass
class _Node:
    """One distinct sub-term: its C handle, its arguments' ids, and how often it is used."""

    ast: z3.Ast
    arguments: tuple[int, ...]
    uses: int = 0


class Printer:
    """Prints scripts that share assertions: each is walked once."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._declarations: dict[int, str] = {}
        self._printed: dict[int, tuple[z3.BoolRef, str, list[int]]] = {}

    def script(self, assertions: Sequence[z3.BoolRef]) -> str:
        """Declarations in the order of first use, one assertion each, ``(check-sat)``."""
        printed = [self._assertion(a) for a in assertions]
        used = dict.fromkeys(d for _, declared in printed for d in declared)
        declarations = [self._declarations[d] for d in used]
        body = [f"(assert {text})" for text, _ in printed]
        return "\n".join(["(set-logic ALL)", *declarations, *body, "(check-sat)", ""])

    def _assertion(self, root: z3.BoolRef) -> tuple[str, list[int]]:
        if root.get_id() not in self._printed:
            text, declared = self._term(root)
            self._printed[root.get_id()] = (root, text, declared)  # the term keeps its id alive
        return self._printed[root.get_id()][1:]

    def _term(self, root: z3.BoolRef) -> tuple[str, list[int]]:
        """One closed term, with its shared sub-terms in nested lets, and the declarations that it needs."""
        order, nodes = _postorder(root)
        texts: dict[int, str] = {}
        bindings: list[str] = []
        declared: dict[int, None] = {}
        for identity in order:
            node = nodes[identity]
            text = self._node(root.ctx, node, [texts[a] for a in node.arguments], declared)
            if node.arguments and node.uses > 1:
                bindings.append(f"(let ((x{len(bindings)} {text})) ")
                text = f"x{len(bindings) - 1}"
            texts[identity] = text
        return "".join(bindings) + texts[order[-1]] + ")" * len(bindings), list(declared)

    def _node(self, context: z3.Context, node: _Node, arguments: list[str], declared: dict[int, None]) -> str:
        if z3.Z3_get_ast_kind(context.ref(), node.ast) == z3.Z3_NUMERAL_AST:
            return str(z3.Z3_ast_to_string(context.ref(), node.ast))
        declaration = z3.Z3_get_app_decl(context.ref(), z3.Z3_to_app(context.ref(), node.ast))
        identity = z3.Z3_get_func_decl_id(context.ref(), declaration)
        if identity not in self._names:
            self._name(identity, z3.FuncDeclRef(declaration, context))
        if identity in self._declarations:
            declared[identity] = None
        name = self._names[identity]
        return f"({name} {' '.join(arguments)})" if arguments else name

    def _name(self, identity: int, declaration: z3.FuncDeclRef) -> None:
        name = str(declaration.name())
        if declaration.kind() != z3.Z3_OP_UNINTERPRETED:
            self._names[identity] = _SPELLING.get(name, name)
            return
        self._names[identity] = name = symbol(name)
        domain = " ".join(str(declaration.domain(i).sexpr()) for i in range(declaration.arity()))
        self._declarations[identity] = f"(declare-fun {name} ({domain}) {declaration.range().sexpr()})"


def _postorder(root: z3.BoolRef) -> tuple[list[int], dict[int, _Node]]:
    """The ids of the distinct sub-terms, arguments first, and the sub-terms by id."""
    context = root.ctx_ref()
    order: list[int] = []
    nodes: dict[int, _Node] = {}
    stack: list[tuple[z3.Ast, int, bool]] = [(root.as_ast(), root.get_id(), False)]
    while stack:
        ast, identity, expanded = stack.pop()
        if expanded:
            order.append(identity)
        elif identity not in nodes:
            arguments = _arguments(context, ast)
            nodes[identity] = _Node(ast, tuple(i for _, i in arguments))
            stack.append((ast, identity, True))
            stack += [(a, i, False) for a, i in reversed(arguments)]
    for node in nodes.values():
        for argument in node.arguments:
            nodes[argument].uses += 1
    return order, nodes


def _arguments(context: z3.ContextObj, ast: z3.Ast) -> list[tuple[z3.Ast, int]]:
    app = z3.Z3_to_app(context, ast)
    found = [z3.Z3_get_app_arg(context, app, i) for i in range(z3.Z3_get_app_num_args(context, app))]
    return [(a, z3.Z3_get_ast_id(context, a)) for a in found]
