"""Which variables a file may read by their names, where all that it does is to look names up: ``globals()[name]``.

Law: ``globals()[text]`` reads the variable of that name and no other. So a variable whose name is no text that such a
lookup may be given is read nowhere but where its name stands. A text is known as a constant, as the constant parts of
an f-string with anything between, or as an element of lists of constants that a loop goes through.
Counterexample: ``for name in names: globals()[name]`` with ``names`` handed to other code, which may add to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cached_property

from headwater.syntax.source.ast_walk import children, walk

from .module_scope import Context
from .reflection import looks_at_scope
from .statement_notes import notes_of

_MEMO = "lookups"
_LOOKS_AT_A_LIST = frozenset(("enumerate", "len", "print"))


class Lookups:
    """The lookups of one module."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._around: dict[int, ast.AST] = {}
        self._placed = set[int]()
        self._patterns = self._all(())

    @staticmethod
    def of(ctx: Context) -> Lookups:
        """Those of a module."""
        found = ctx.memo.get(_MEMO)
        if not isinstance(found, Lookups):
            found = ctx.memo[_MEMO] = Lookups(ctx)
        return found

    @cached_property
    def _calls(self) -> list[ast.Call]:
        """The calls of functions in statements that look at what variables there are."""
        noted = ((s, notes_of(s)) for s in self._ctx.tree.body)
        nodes = (n for s, notes in noted if notes.reflective or notes.called["dir"] for n in walk(s))
        return [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]

    @cached_property
    def _lists(self) -> bool:
        """Whether the file lists all variables of some scope."""
        return any(isinstance(n.func, ast.Name) and n.func.id == "dir" and not n.args for n in self._calls)

    @cached_property
    def _looks(self) -> bool:
        """Whether the file looks at the variables of some scope."""
        return any(map(looks_at_scope, self._calls))

    def may_read(self, name: str) -> bool:
        """Whether the variable ``name`` may be read, or bound, where its name does not stand."""
        return self._patterns is None or any(re.fullmatch(p, name) for p in self._patterns)

    def may_tell(self, name: str, at: int) -> bool:
        """Whether the file may tell that there is one more variable ``name``, bound at the offset ``at``, which holds
        an object of its own: one that looks for a variable that holds some other object does not, nor does
        ``locals()`` in another function."""
        if self._lists:
            return True
        if not self._looks:
            return False
        elsewhere = [n for n in self._reflective() if self._tells_of_others(n, at)]
        telling = self._all([*elsewhere, *(c for n in self._reflective() for c in _looked_for(n))])
        return telling is None or any(re.fullmatch(p, name) for p in telling)

    def _tells_of_others(self, node: ast.AST, at: int) -> bool:
        """Whether ``node`` looks at the variables of a function alone, in which ``at`` is not."""
        match node:
            case ast.Call(func=ast.Name(id="locals" | "vars"), args=[], keywords=[]):
                inside: ast.AST = node
                outer = self._around.get(id(node))
                while outer is not None and not _runs(outer, inside):
                    inside, outer = outer, self._around.get(id(outer))
                span = None if outer is None else self._ctx.span(outer)
                return span is not None and not span.start <= at < span.end
        return False

    def _all(self, without: Collection[ast.AST]) -> list[str] | None:
        """Patterns for all texts that are looked up, ``without`` these calls; None if one is not known, or more is
        done."""
        found: list[str] = []
        for node in self._reflective():
            if not isinstance(node, ast.Call) or not looks_at_scope(node) or any(node is n for n in without):
                continue
            outer = self._around.get(id(node))
            if not isinstance(node.func, ast.Name) or node.func.id != "globals" or node.keywords:
                return None
            match outer:
                case ast.Compare(left=ast.Constant(value=str() as text), ops=[ast.In() | ast.NotIn()]):
                    found.append(re.escape(text))
                    continue
            if not isinstance(outer, ast.Subscript) or outer.value is not node or not isinstance(outer.ctx, ast.Load):
                return None
            patterns = self._texts(outer.slice)
            if patterns is None:
                return None
            found += patterns
        return found

    def _reflective(self) -> Iterator[ast.AST]:
        """What stands in statements that look at what variables there are."""
        return self._nodes([s for s in self._ctx.tree.body if notes_of(s).reflective])

    def _nodes(self, statements: list[ast.stmt]) -> Iterator[ast.AST]:
        """All nodes of ``statements``, of which is noted what is around them."""
        for statement in statements:
            if id(statement) not in self._placed:
                self._placed.add(id(statement))
                self._around.update({id(c): n for n in walk(statement) for c in children(n)})
            yield from walk(statement)

    def _names(self, name: str) -> list[ast.Name]:
        """The places of a variable."""
        statements = [s for s in self._ctx.tree.body if name in notes_of(s).names or name in notes_of(s).bindings]
        return [n for n in self._nodes(statements) if isinstance(n, ast.Name) and n.id == name]

    def _texts(self, node: ast.expr) -> list[str] | None:
        match node:
            case ast.Constant(value=str() as text):
                return [re.escape(text)]
            case ast.JoinedStr(values=parts):
                return ["".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".*" for p in parts)]
            case ast.Name(id=name):
                self._names(name)
                listed = [self._gone_through(b, name) for b in self._ctx.bindings(name)]
                known = [p for texts in listed if texts is not None for p in texts]
                return known if listed and all(texts is not None for texts in listed) else None
        return None

    def _gone_through(self, binding: ast.AST, name: str) -> list[str] | None:
        """The texts that a loop gives its variable ``name``."""
        loop = self._around.get(id(binding))
        if isinstance(loop, ast.Tuple):
            loop = self._around.get(id(loop))
        if not isinstance(loop, ast.For):
            return None
        match loop.target, loop.iter:
            case ast.Name(), over:
                return self._elements(over)
            case (
                ast.Tuple(elts=[ast.Name(id=number), ast.Name(id=of)]),
                ast.Call(func=ast.Name(id="enumerate"), args=[over], keywords=[]),
            ) if of == name != number and not self._ctx.bindings("enumerate"):
                return self._elements(over)
        return None

    def _elements(self, node: ast.expr) -> list[str] | None:
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items):
                texts = [i.value for i in items if isinstance(i, ast.Constant) and isinstance(i.value, str)]
                return [re.escape(t) for t in texts] if len(texts) == len(items) else None
            case ast.Name(id=name):
                return self._of_variable(name)
        return None

    def _of_variable(self, name: str) -> list[str] | None:
        """The texts in the lists that a variable may hold, to which nothing but lists is added."""
        found: list[str] = []
        if not all(map(self._is_looked_at, self._names(name))) or not self._ctx.bindings(name):
            return None
        for binding in self._ctx.bindings(name):
            made = self._around.get(id(binding))
            if not isinstance(made, ast.Assign) or made.targets != [binding]:
                return None
            for part in _added(made.value):
                if isinstance(part, ast.Name) and part.id == name:
                    continue
                texts = None if isinstance(part, ast.Name) else self._elements(part)
                if texts is None:
                    return None
                found += texts
        return found

    def _is_looked_at(self, node: ast.Name) -> bool:
        """Whether nothing can change the list that ``node`` reads."""
        match self._around.get(id(node)):
            case ast.Assign(targets=targets):
                return any(t is node for t in targets)
            case ast.BinOp(op=ast.Add()) | ast.For():
                return True
            case ast.Call(func=ast.Name(id=function), args=args):
                known = function in _LOOKS_AT_A_LIST and not self._ctx.bindings(function)
                return known and any(a is node for a in args)
        return False


def _runs(function: ast.AST, part: ast.AST) -> bool:
    """Whether ``part`` is what ``function`` does when it is called."""
    if isinstance(function, ast.Lambda):
        return function.body is part
    return isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(s is part for s in function.body)


def _looked_for(node: ast.AST) -> list[ast.AST]:
    """The calls in ``[x for x in globals() if globals()[x] is other]``."""
    match node:
        case ast.ListComp(
            elt=ast.Name(id=given),
            generators=[
                ast.comprehension(
                    target=ast.Name(id=name),
                    iter=ast.Call(func=ast.Name(id="globals")) as every,
                    ifs=[
                        ast.Compare(
                            left=ast.Subscript(
                                value=ast.Call(func=ast.Name(id="globals")) as one, slice=ast.Name(id=at)
                            ),
                            ops=[ast.Is()],
                            comparators=[ast.Name()],
                        )
                    ],
                )
            ],
        ) if given == name == at:
            return [every, one]
    return []


def _added(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _added(node.left)
        yield from _added(node.right)
    else:
        yield node
