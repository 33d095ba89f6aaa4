"""Where the expressions of one scope stand: what is around each of them, and where a variable is read."""

from __future__ import annotations

import ast
import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

from headwater.pyspark.frames import placed
from headwater.pyspark.frames.placed import LEAVES, called_name, concerns, is_compared, spelled
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import bound_names, parameters
from headwater.syntax.source.generators import RUN_THROUGH

from .reaching import reached

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING: WeakKeyDictionary[ast.AST, bool] = WeakKeyDictionary()
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Places:
    """The syntax of one module or function body, from the inside out."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self.body = body
        self._around: dict[int, ast.AST] = {}
        self._names: dict[str, list[ast.Name]] = {}
        self._of_names: dict[tuple[object, str], frozenset[str]] = {}
        self._spelled: dict[str, Counter[str]] = {}
        for statement in reversed(body):
            noted = placed.placed(statement)
            self._around.update(noted.around)
            for name, nodes in noted.names.items():
                self._names.setdefault(name, []).extend(nodes)

    def around(self, node: ast.AST) -> ast.AST | None:
        """What ``node`` is a part of; None for a statement of the body itself."""
        return self._around.get(id(node))

    def outward(self, node: ast.AST) -> Iterator[ast.AST]:
        """What is around ``node``, the nearest first."""
        at = self.around(node)
        while at is not None:
            yield at
            at = self.around(at)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that ``node`` is a part of."""
        return next((n for n in (node, *self.outward(node)) if isinstance(n, ast.stmt)), None)

    def is_used_again(self, node: ast.Call) -> bool:
        """Whether another call that is spelled like ``node`` stands in the scope for its value, and not to be compared
        with a constant or tested."""
        return self.times_spelled(node) > (0 if is_compared(node, self.around(node)) else 1)

    def times_spelled(self, node: ast.Call) -> int:
        """How many such calls there are for their values."""
        name = called_name(node)
        if name not in self._spelled:
            self._spelled[name] = spelled(self.body, name)
        return self._spelled[name][ast.dump(node)]

    def called(self, name: str) -> bool:
        """Whether something of that name is called, by inner functions too."""
        return any(name in placed.placed(s).calls for s in self.body)

    def concerned(self, name: str) -> Sequence[ast.stmt]:
        """The statements of the body that ``concerns`` is true of."""
        return [s for s in self.body if concerns(s, name)]

    def is_certain(self, node: ast.AST, wall: ast.AST, through: Collection[ast.AST]) -> bool:
        """Whether ``node`` is evaluated whenever ``wall`` is, as long as the loops and comprehensions ``through`` have
        something to go through."""
        first, last = self.statement(wall), self.statement(node)
        around = [wall, *self.outward(wall)]
        inside: ast.AST = node
        common: ast.AST | None = None
        for outer in self.outward(node):
            if any(outer is n for n in around):
                common = outer
                break
            if not self._evaluates(outer, inside, through):
                return False
            inside = outer
        if first is None or last is None or first is last:
            return True
        if isinstance(common, (ast.For, ast.AsyncFor)) and any(common is n for n in through):
            block, start = common.body, 0
        else:
            block = list(self._block_of(first))
            start = next(i for i, s in enumerate(block) if s is first) + 1
        place = next((i for i, s in enumerate(block) if s is inside), None)
        if place is None:
            return False
        return not any(_may_leave(s) for s in block[start:place])

    def _evaluates(self, outer: ast.AST, inside: ast.AST, through: Collection[ast.AST]) -> bool:
        """Whether ``outer`` always evaluates its part ``inside``."""
        match outer:
            case ast.BoolOp(values=values):
                return values[0] is inside
            case ast.IfExp(test=test) | ast.If(test=test) | ast.While(test=test):
                return test is inside
            case ast.For(iter=of) | ast.AsyncFor(iter=of):
                return of is inside or any(outer is n for n in through)
            case ast.comprehension(ifs=ifs):
                return not ifs or ifs[0] is inside or outer.iter is inside
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                one = len(outer.generators) == 1
                plain = not outer.generators[0].ifs or isinstance(inside, ast.comprehension)
                return inside is outer.generators[0] or (one and plain and any(outer is n for n in through))
            case ast.Compare(left=left, comparators=[first, *_]):
                return inside is left or inside is first
        return not isinstance(
            outer, (*_FUNCTIONS, ast.ClassDef, ast.Try, ast.Match, ast.Assert, ast.With, ast.AsyncWith)
        )

    def _block_of(self, statement: ast.stmt) -> Sequence[ast.stmt]:
        """The statements that ``statement`` stands among."""
        outer = self.around(statement)
        if outer is None:
            return self.body
        blocks = (value for _, value in ast.iter_fields(outer) if isinstance(value, list))
        return next(b for b in blocks if any(s is statement for s in b))

    def raises_behind(self, statement: ast.stmt) -> bool:
        """Whether the statement behind ``statement`` raises."""
        block = self._block_of(statement)
        behind = [n for s, n in pairwise(block) if s is statement]
        return bool(behind) and isinstance(behind[0], ast.Raise)

    def reads_of(self, name: str, origin: ast.stmt | None = None) -> tuple[ast.Name, ...] | None:
        """Every place where the scope may read its variable ``name``, or of that what the statement ``origin`` assigns;
        None if another scope may, or an assignment reads what it assigns to."""
        found = []
        for node in self.named(name):
            inner = self.scope_of(node)
            if inner is not None:
                if self.binds(inner, name):
                    continue
                if not isinstance(inner, _COMPREHENSIONS) or self._is_late(node):
                    return None  # when that runs is not known
            if isinstance(self.around(node), ast.AugAssign) and not isinstance(node.ctx, ast.Load):
                return None
            if isinstance(node.ctx, ast.Load):
                found.append(node)
        if origin is not None:
            seen = reached(self.concerned(name), name, origin, found)
            found = [n for n in found if id(n) in seen]
        return tuple(sorted(found, key=lambda n: (n.lineno, n.col_offset)))

    def made_once(self, read: ast.Name) -> ast.expr | None:
        """What the one assignment to the variable ``read`` of this scope gives it."""
        nodes = self.named(read.id)
        stores = [n for n in nodes if not isinstance(n.ctx, ast.Load)]
        made = self.around(stores[0]) if len(stores) == 1 else None
        if not isinstance(made, ast.Assign) or made.targets != stores or self.scope_of(made) is not None:
            return None
        return None if self.scope_of(read) is not None else made.value

    def comes_before(self, statement: ast.stmt, node: ast.AST) -> bool:
        """Whether ``node`` stands in the block of ``statement``, somewhere behind it."""
        block = self._block_of(statement)
        behind = block[next(i for i, s in enumerate(block) if s is statement) + 1 :]
        around = [node, *self.outward(node)]
        return any(s is n for s in behind for n in around)

    def is_next_to(self, first: ast.stmt, second: ast.stmt, behind: Sequence[ast.AST]) -> bool:
        """Whether ``second`` stands in the block of ``first``, behind it, and all of ``behind`` there behind both."""
        block = self._block_of(first)
        return (
            any(s is second for s in block)
            and self.comes_before(first, second)
            and all(self.comes_before(second, n) for n in behind)
        )

    def named(self, name: str) -> Sequence[ast.Name]:
        """Every node of that name, of inner functions too."""
        return self._names.get(name, ())

    def is_in_a_function(self, node: ast.AST) -> bool:
        """Whether a function or class of this scope evaluates ``node``."""
        return any(isinstance(n, (*_FUNCTIONS, ast.ClassDef)) for n in self.outward(node))

    def end(self, node: ast.AST) -> tuple[int, int]:
        """Where the statement that ``node`` is a part of ends, or the head of a loop over whose values it goes."""
        at = self.statement(node)
        whole: ast.AST = at.iter if isinstance(at, (ast.For, ast.AsyncFor)) else node if at is None else at
        return getattr(whole, "end_lineno", 0), getattr(whole, "end_col_offset", 0)

    def attributes_of(self, name: str) -> frozenset[str]:
        """The attributes that are read of the variable ``name``, whatever it holds."""
        return self._known(placed.attributes_of, name)

    def given_to(self, name: str) -> frozenset[str]:
        """The names of the functions that are called with the variable ``name`` as it is."""
        return self._known(placed.given_to, name)

    def made_with(self, name: str) -> frozenset[str]:
        """The attributes that are read in what is assigned to the variable ``name``."""
        return self._known(placed.made_with, name)

    def _known(self, what: Callable[[placed.Named], frozenset[str]], name: str) -> frozenset[str]:
        if (what, name) not in self._of_names:
            self._of_names[what, name] = what((n, self.around(n)) for n in self.named(name))
        return self._of_names[what, name]

    def calls_on(self, name: str) -> Iterator[ast.Call]:
        """The calls of methods of what the variable ``name`` holds."""
        for node in self.named(name):
            method = self.around(node)
            call = self.around(method) if isinstance(method, ast.Attribute) else None
            if isinstance(call, ast.Call) and call.func is method:
                yield call

    def times_bound(self, name: str) -> int:
        """How often the scope itself assigns to the variable ``name``."""
        return sum(isinstance(n.ctx, ast.Store) for n in self.named(name))

    def is_made_by(self, name: str, methods: Collection[str]) -> bool:
        """Whether some assignment to the variable ``name`` is of what an attribute or method of these names gives."""
        return not self.made_with(name).isdisjoint(methods)

    def is_untouched(self, name: str, at: ast.AST) -> bool:
        """Whether the list that the one assignment to ``name`` makes has had nothing done to it where ``at`` is
        evaluated, but that its elements were counted or gone through: nothing earlier in the scope reads it otherwise,
        and no loop comes back."""
        if self.times_bound(name) != 1 or any(isinstance(n, (*_LOOPS, *_FUNCTIONS)) for n in self.outward(at)):
            return False
        place = getattr(at, "lineno", 0), getattr(at, "col_offset", 0)
        reads = (n for n in self.named(name) if isinstance(n.ctx, ast.Load))
        return all((n.lineno, n.col_offset) >= place or self._is_gone_through(n) for n in reads)

    def is_gone_through(self, name: str) -> bool:
        """Whether the scope makes what the variable ``name`` holds once, and does nothing with it but count its
        elements and go through them."""
        reads = [n for n in self.named(name) if isinstance(n.ctx, ast.Load)]
        once = self.times_bound(name) == 1 == len(self.named(name)) - len(reads)
        return once and all(self._is_gone_through(n) or self._is_zipped(n) for n in reads)

    def _is_zipped(self, node: ast.Name) -> bool:
        call = self.around(node)
        zips = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("zip", "enumerate")
        loop = self.around(call) if zips and call is not None else None
        return isinstance(loop, ast.For) and loop.iter is call

    def _is_gone_through(self, node: ast.Name) -> bool:
        match self.around(node):
            case ast.For(iter=over) | ast.comprehension(iter=over):
                return over is node
            case ast.Call(func=ast.Name(id="len"), args=[only]):
                return only is node
        return False

    def reads_in(self, inner: ast.AST, name: str) -> tuple[ast.Name, ...] | None:
        """Every place in the comprehension ``inner`` that reads its variable ``name``; None if that is not known."""
        found = []
        for node in _without_own(inner, name):
            if node is not inner and isinstance(node, (*_COMPREHENSIONS, *_FUNCTIONS)) and self.binds(node, name):
                return None
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                if isinstance(self.scope_of(node), _FUNCTIONS):
                    return None
                found.append(node)
        return tuple(found)

    def reads_in_function(self, function: ast.Lambda | ast.FunctionDef, name: str) -> tuple[ast.Name, ...] | None:
        """Every place in ``function`` that reads its parameter ``name``; None if that is not known."""
        found = []
        body = function.body if isinstance(function.body, list) else [function.body]
        if name in bound_names(body):
            return None
        for node in (n for part in body for n in _without_own(part, name)):
            if isinstance(node, (*_COMPREHENSIONS, *_FUNCTIONS)) and self.binds(node, name):
                return None
            if isinstance(node, ast.Name) and node.id == name:
                scope = self.scope_of(node)
                if not isinstance(node.ctx, ast.Load) or (isinstance(scope, _FUNCTIONS) and scope is not function):
                    return None
                found.append(node)
        return tuple(found)

    def scope_of(self, node: ast.AST) -> ast.AST | None:
        """The function, class or comprehension of this scope that evaluates ``node``; None if the scope itself does."""
        inside = node
        for outer in self.outward(node):
            if isinstance(outer, _COMPREHENSIONS):
                first = outer.generators[0]
                if inside is not first or not self._within(node, first.iter):
                    return outer
            elif isinstance(outer, (*_FUNCTIONS, ast.ClassDef)):
                return outer
            inside = outer
        return None

    def _is_late(self, node: ast.AST) -> bool:
        """Whether ``node`` is evaluated by a generator that may be kept and run through later."""
        inside = node
        for outer in self.outward(node):
            if isinstance(outer, ast.GeneratorExp):
                first = outer.generators[0]
                at_once = inside is first and self._within(node, first.iter)
                if not at_once and not self._is_run_through(outer):
                    return True
            inside = outer
        return False

    def _is_run_through(self, node: ast.GeneratorExp) -> bool:
        """Whether ``node`` is given to a function that takes all its values before it returns."""
        match self.around(node):
            case ast.Call(func=ast.Name(id=name), args=[only]):
                return only is node and name in RUN_THROUGH
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
                return True
        return False

    def shows_its_text(self, node: ast.expr) -> bool:
        """Whether the program shows how ``node`` is written: ``f"{node = }"``, or a template string."""
        name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        inside: ast.AST = node
        for outer in self.outward(node):
            if type(outer).__name__ == "Interpolation":
                return True
            if isinstance(outer, ast.JoinedStr):
                at = next((i for i, v in enumerate(outer.values) if v is inside), 0)
                before = outer.values[at - 1] if at else None
                text = before.value if isinstance(before, ast.Constant) else ""
                if not isinstance(text, str) or not text.rstrip().endswith("="):
                    text = ""
                if re.search(rf"{re.escape(name)}.*\(.*\)", text, re.DOTALL) is not None:
                    return True
            inside = outer
        return False

    def _within(self, node: ast.AST, whole: ast.AST) -> bool:
        return node is whole or any(n is whole for n in self.outward(node))

    def binds(self, inner: ast.AST, name: str) -> bool:
        """Whether ``name`` is a variable of the function or comprehension ``inner``."""
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return name in bound_names(inner.body) or any(a.arg == name for a in parameters(inner))
        if isinstance(inner, ast.Lambda):
            return any(a.arg == name for a in parameters(inner))
        if isinstance(inner, _COMPREHENSIONS):
            targets = (n for g in inner.generators for n in ast.walk(g.target))
            return any(isinstance(n, ast.Name) and n.id == name for n in targets)
        return False


def _without_own(inner: ast.AST, name: str) -> Iterator[ast.AST]:
    """The nodes of ``inner``, without the bodies of lambdas whose parameter ``name`` is another variable."""
    todo = deque([inner])
    while todo:
        node = todo.popleft()
        match node:
            case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=own)], defaults=[])) if (
                own == name and node is not inner
            ):
                continue
        yield node
        todo.extend(ast.iter_child_nodes(node))


def _may_leave(node: ast.AST) -> bool:
    """Whether evaluating ``node``, which nobody changes any more, may leave the block that it stands in, other than by
    an error in a call."""
    if node not in _LEAVING:
        functions = (n for n in walk(node) if isinstance(n, _FUNCTIONS))
        bodies = [s for f in functions for s in (f.body if isinstance(f.body, list) else [f.body])]
        _LEAVING[node] = any(isinstance(n, LEAVES) for n in walk(node, bodies))
    return _LEAVING[node]
