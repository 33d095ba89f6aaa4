"""The constants that a variable of a loop goes through, and masks that read it.

Law: where ``for v in [a, b]: …`` reads ``v``, it holds ``a`` or ``b``, so that a mask takes no other rows than it takes
with one of them. Conditions: the read stands in the body of a loop that binds the variable, and whatever else binds it
there is such a loop; the list that it goes through is made of constants, in sight, and nobody changes it.
Counterexample: ``for v in names: …; names.append(v + "s")``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import product
from typing import NamedTuple

from headwater.syntax.source.ast_walk import walk

from ..places import Places
from .conditions import NotReadError, in_row

MOST = 30
"""So many values are read, of all variables of one mask together."""
_TAKE = frozenset(f"builtins.{n}" for n in "enumerate len list max min print reversed set sorted tuple zip".split())
"""Functions that leave a list as it is, and keep it nowhere."""
_SAME = frozenset(f"builtins.{n}" for n in "list reversed set sorted tuple".split())


class LoopConstants(NamedTuple):
    """Tells them in one scope. ``shared``: whether a variable may be read or bound in a way that ``places``
    do not show; ``resolve``: the
    full name of a function; ``text``: the text that an expression surely is."""

    places: Places
    shared: Callable[[str], bool]
    resolve: Callable[[ast.expr], str | None]
    text: Callable[[ast.expr], str | None]

    def each(self, taken: ast.expr, here: ast.AST) -> list[ast.expr]:
        """``taken``, read at ``here``, for all that the variables of loops in it may hold; texts that are put together
        of them are put together. What is not known stays as it is."""
        names = {n.id: n for n in ast.walk(taken) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        known: dict[str, tuple[ast.expr, ...]] = {name: v for name in names if (v := self._of(name, here))}
        for name, node in names.items():
            if name in known:
                continue
            if (text := self.text(node)) is not None:
                known[name] = (ast.copy_location(ast.Constant(text), node),)
            elif (listed := self._looked_for(node)) is not None:
                known[name] = (listed,)
        total = 1
        for values in known.values():
            total *= len(values)
        if total > MOST:
            return [taken]
        try:
            made = [in_row(taken, dict(zip(known, chosen, strict=True)), "") for chosen in product(*known.values())]
        except NotReadError:
            return [taken]
        return [_joined(m) for m in made]

    def _looked_for(self, node: ast.Name) -> ast.List | None:
        """The constants in the list ``node`` that ``isin`` is given, which pandas leaves as it is."""
        call = self.places.around(node)
        if not isinstance(call, ast.Call) or call.args != [node] or self.shared(node.id):
            return None
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "isin":
            return None
        found = self._held(node, node.id)
        if not found or not all(isinstance(e, ast.Constant) for e in found):
            return None
        return ast.copy_location(ast.List(found, ast.Load()), node)

    def _of(self, name: str, here: ast.AST) -> tuple[ast.Constant, ...] | None:
        """The values that the variable may hold where ``here`` reads it; None if they are not known."""
        around = self._loop(name, here)
        if around is None or self.shared(name):
            return None
        loops: list[ast.For | ast.comprehension] = [around]
        for store in (n for n in self.places.named(name) if not isinstance(n.ctx, ast.Load)):
            loop = self.places.around(store)
            while isinstance(loop, ast.Tuple):
                loop = self.places.around(loop)
            if loop is around or not any(n is around for n in self.places.outward(store)):
                continue  # what it holds is bound again at each turn
            if not isinstance(loop, (ast.For, ast.comprehension)):
                return None
            loops.append(loop)
        found = [self._bound(loop.target, loop.iter, name) for loop in loops]
        known = [v for values in found if values is not None for v in values]
        return None if None in found else tuple({repr(v.value): v for v in known}.values())

    def _loop(self, name: str, here: ast.AST) -> ast.For | ast.comprehension | None:
        """The innermost loop around ``here`` that binds ``name``."""
        inside = here
        for outer in self.places.outward(here):
            if isinstance(outer, ast.For) and any(inside is s for s in outer.body) and _binds(outer.target, name):
                return outer
            if isinstance(outer, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                own = [g for g in outer.generators if _binds(g.target, name)]
                if own:
                    return own[0] if len(own) == 1 and not isinstance(inside, ast.comprehension) else None
            elif isinstance(outer, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return None
            inside = outer
        return None

    def _bound(self, target: ast.expr, over: ast.expr, name: str) -> list[ast.Constant] | None:
        """What ``name`` holds in a loop of ``target`` over ``over``."""
        match target, over:
            case ast.Name(id=own), _ if own == name:
                found = self._elements(over)
                values = [e for e in found or () if isinstance(e, ast.Constant)]
                return values if found is not None and len(values) == len(found) else None
            case ast.Tuple(elts=[_, value]), ast.Call(func=function, args=[of], keywords=[]) if (
                self.resolve(function) == "builtins.enumerate"
            ):
                return self._bound(value, of, name) if _binds(value, name) else None
            case ast.Tuple(elts=parts), ast.Call(func=function, args=given, keywords=_) if self.resolve(
                function
            ) == "builtins.zip" and len(parts) == len(given):
                return next(
                    (self._bound(p, g, name) for p, g in zip(parts, given, strict=True) if _binds(p, name)), None
                )
            case ast.Tuple(elts=parts), _:
                rows = self._elements(over) or ()
                place = next((i for i, p in enumerate(parts) if isinstance(p, ast.Name) and p.id == name), None)
                # A list in a list that has a name may have been changed by a loop over that.
                kinds = (ast.Tuple, ast.List) if isinstance(over, (ast.List, ast.Tuple)) else (ast.Tuple,)
                tuples = [r.elts for r in rows if isinstance(r, kinds) and len(r.elts) == len(parts)]
                if place is None or not rows or len(tuples) < len(rows):
                    return None
                values = [v for t in tuples if isinstance(v := t[place], ast.Constant)]
                return values if len(values) == len(rows) else None
        return None

    def _elements(self, over: ast.expr) -> list[ast.expr] | None:
        """The elements of a display of constants, in whatever order."""
        match over:
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                return elements if not any(isinstance(e, ast.Starred) for e in elements) else None
            case ast.Call(func=function, args=[of], keywords=[]) if self.resolve(function) in _SAME:
                return self._elements(of)
            case ast.Name(id=name) if not self.shared(name):
                return self._held(over, name)
        return None

    def _held(self, read: ast.Name, name: str) -> list[ast.expr] | None:
        """The elements of the lists that the variable may hold at ``read``."""
        found: list[ast.expr] = []
        certain = False
        for store in (n for n in self.places.named(name) if not isinstance(n.ctx, ast.Load)):
            made = self.places.around(store)
            if not isinstance(made, ast.Assign) or made.targets != [store] or self.places.scope_of(made) is not None:
                return None
            reads = self.places.reads_of(name, made)
            if reads is None:
                return None
            if not any(r is read for r in reads):
                continue
            elements = None if isinstance(made.value, ast.Name) else self._elements(made.value)
            if elements is None or self._comes_a_star(made) or not all(r is read or self._leaves_it(r) for r in reads):
                return None
            found += elements
            certain |= self.places.comes_before(made, read)
        return found if certain else None

    def _comes_a_star(self, made: ast.Assign) -> bool:
        """Whether code behind ``made`` may bind any name."""
        behind = (n for s in self.places.body if s.lineno > made.lineno for n in walk(s))
        return any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in behind)

    def _leaves_it(self, read: ast.Name) -> bool:
        """Whether the list is still as it was behind ``read``, and known by no other name."""
        match self.places.around(read):
            case ast.For(iter=over) | ast.comprehension(iter=over):
                return over is read
            case ast.Call(func=function, args=given):
                return any(g is read for g in given) and self.resolve(function) in _TAKE
            case ast.Compare() | ast.FormattedValue() | ast.Starred():
                return True
        return False


def _binds(target: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(target))


def _joined(node: ast.expr) -> ast.expr:
    """``node``, which may be of the file's tree and stays as it is, with texts of constants put together."""
    found = any(isinstance(n, ast.JoinedStr) for n in ast.walk(node))
    made: ast.expr = _Joined().visit(deepcopy(node)) if found else node
    return made


class _Joined(ast.NodeTransformer):
    """Texts that are put together of constants."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        texts = [*_texts(node)]
        known = [t for t in texts if t is not None]
        return ast.copy_location(ast.Constant("".join(known)), node) if len(known) == len(texts) else node


def _texts(node: ast.JoinedStr) -> Iterator[str | None]:
    for part in node.values:
        match part:
            case ast.Constant(value=str() as text):
                yield text
            case ast.FormattedValue(value=ast.Constant(value=str() | int() as value), conversion=-1, format_spec=None):
                yield str(value)
            case _:
                yield None
