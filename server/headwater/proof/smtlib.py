"""SMT-LIB 2 text of Z3 terms, the same for the same terms whatever else the process has built (Z3's own printer names
and orders shared terms by internal ids). Shared terms are named with ``let`` in the order of their first use."""

from __future__ import annotations

import re
from collections.abc import Sequence

import z3

_SPELLING = {"if": "ite"}
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")


def script(assertions: Sequence[z3.BoolRef]) -> str:
    """Declarations, one assertion each, ``(check-sat)``."""
    printer = _Printer()
    body = [f"(assert {printer.term(a)})" for a in assertions]
    return "\n".join(["(set-logic ALL)", *printer.declarations, *body, "(check-sat)", ""])


def symbol(name: str) -> str:
    """``name`` as a symbol, quoted if it must be."""
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


class _Printer:
    def __init__(self) -> None:
        self.declarations: list[str] = []
        self._declared: set[str] = set()

    def term(self, root: z3.ExprRef) -> str:
        """One closed term, with its shared sub-terms in nested lets."""
        order, uses = _postorder(root)
        names: dict[int, str] = {}
        bindings: list[str] = []
        text = ""
        for node in order:
            text = self._node(node, names)
            if node.num_args() and uses[node.get_id()] > 1:
                name = f"x{len(bindings)}"
                bindings.append(f"(let (({name} {text})) ")
                text = name
            names[node.get_id()] = text
        return "".join(bindings) + text + ")" * len(bindings)

    def _node(self, node: z3.ExprRef, names: dict[int, str]) -> str:
        if z3.is_int_value(node) or z3.is_rational_value(node) or z3.is_true(node) or z3.is_false(node):
            return str(node.sexpr())
        declaration = node.decl()
        name = _SPELLING.get(declaration.name(), declaration.name())
        if declaration.kind() == z3.Z3_OP_UNINTERPRETED:
            name = symbol(name)
            self._declare(name, declaration)
        arguments = [names[a.get_id()] for a in node.children()]
        return f"({name} {' '.join(arguments)})" if arguments else name

    def _declare(self, name: str, declaration: z3.FuncDeclRef) -> None:
        if name not in self._declared:
            self._declared.add(name)
            domain = " ".join(str(declaration.domain(i).sexpr()) for i in range(declaration.arity()))
            self.declarations.append(f"(declare-fun {name} ({domain}) {declaration.range().sexpr()})")


def _postorder(root: z3.ExprRef) -> tuple[list[z3.ExprRef], dict[int, int]]:
    """Every distinct sub-term, arguments first, and how often each is used."""
    order: list[z3.ExprRef] = []
    uses: dict[int, int] = {root.get_id(): 1}
    done: set[int] = set()
    stack: list[tuple[z3.ExprRef, bool]] = [(root, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            order.append(node)
        elif node.get_id() not in done:
            done.add(node.get_id())
            stack.append((node, True))
            for child in reversed(node.children()):
                uses[child.get_id()] = uses.get(child.get_id(), 0) + 1
                stack.append((child, False))
    return order, uses
