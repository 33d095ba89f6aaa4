"""Calls of functions of the file that are given objects, with the body of the function in the place of the call.

Law: parameters and local variables of the function get names of their own at each call, its other names mean the same
where it is called, and arguments are evaluated first and in order. What it returns is assigned where each of its ways
ends; a call that is returned itself leaves its returns as they are. A function of one ``return`` may stand in any
expression if its arguments are names and constants. A function that is made in the function around the call reads and
changes that one's variables as they are when it runs, as Python does. Other calls stay: of scalars, which are
evaluated where they are called, and with returns inside a loop; of generators, those that ``generators`` has no rule
for. Reference: the Python language reference, sections 4.2.2 and 6.3.4.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater.syntax.source import ast_walk
from headwater.syntax.source.bindings import bound_names, local_names, own_nodes, plain_parameters

from . import build, early_exits, generators
from .bodies import Room, ends, finished, mapped, with_own_names
from .lower import lowered

_Node = TypeVar("_Node", bound=ast.AST)
Known = Callable[[str], ast.FunctionDef | None]
"""The function of the module that a name means."""
_DEPTH = 6
_MOST_STATEMENTS = 400
"""Of one body with those of the functions that it calls."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_YIELDS = (ast.Yield, ast.YieldFrom)
_STAY = (*_YIELDS, ast.Await, ast.Global, ast.Import, ast.ImportFrom, *_SCOPES)
"""What makes a function more than its statements."""
_MAKERS = {"list", "dict", "set", "deque", "defaultdict", "Counter"}
_CONTAINERS = (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp)


def in_place(
    body: list[ast.stmt],
    own: Iterable[str],
    given: Collection[str],
    objects: Iterable[str],
    known: Known,
    methods: Mapping[str, ast.FunctionDef] | None = None,
    origin: generators.Origin = lambda node: None,
) -> list[ast.stmt]:
    """The ``body`` of a function with such calls written out; the same list if there are none. ``own``: all that the
    function binds; ``given``: its parameters; ``objects``: those of them that hold more than a scalar; ``methods``:
    functions that read variables of its own; ``origin``: the full name of what an expression means."""
    inside = [n for s in body for n in ast_walk.walk(s) if isinstance(n, (ast.Lambda, ast.comprehension))]
    targets = [n.args if isinstance(n, ast.Lambda) else n.target for n in inside]
    inner = {name for target in targets for part in ast_walk.walk(target) for name in _binds(part)}
    local = {name: f for name, f in _local_functions(body).items() if name not in given} | dict(methods or {})
    made = _Inlining(known, frozenset(own), inner, {*objects, *_objects(body)}, local, origin, _uses(body))
    found, before = made.block(body, ()), 0
    if not made.inlined:
        return body
    while before < made.inlined and len(made.objects) < len(made.objects | _objects(found)):
        before = made.inlined
        made.objects |= _objects(found)  # a variable may hold a list that a function has made
        found = made.block(found, ())
    still_read = {
        n.id for s in found if not isinstance(s, _SCOPES) for n in ast_walk.walk(s) if isinstance(n, ast.Name)
    }
    return [s for s in found if not isinstance(s, ast.FunctionDef) or s.name not in made.local or s.name in still_read]


def _objects(body: Iterable[ast.AST]) -> set[str]:
    """Variables of loops and comprehensions, and those that hold containers at some time."""
    found: set[str] = set()
    for node in (n for s in body for n in ast_walk.walk(s)):
        match node:
            case ast.For(target=ast.Name(id=name)) | ast.comprehension(target=ast.Name(id=name)):
                found.add(name)
            case ast.For(target=ast.Tuple(elts=elts)) | ast.comprehension(target=ast.Tuple(elts=elts)):
                found |= {e.id for e in elts if isinstance(e, ast.Name)}
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if isinstance(value, _CONTAINERS):
                found.add(name)
    return found


def _local_functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    """Functions that the body makes before anything branches, once each, and does nothing with but call them."""
    inside = [n for s in body for n in ast_walk.walk(s)]
    called = {id(n.func) for n in inside if isinstance(n, ast.Call)}
    found = {}
    for made in (s for s in body if isinstance(s, ast.FunctionDef)):
        uses = [n for n in inside if isinstance(n, ast.Name) and n.id == made.name]
        bound = [n for n in inside if made.name in _binds(n)]
        if bound == [made] and all(id(n) in called for n in uses):
            found[made.name] = made
    return found


def _binds(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return {name}
        case ast.Nonlocal(names=names) | ast.Global(names=names):
            return set(names)
    return set()


@dataclass
class _Inlining:
    """``taken``: names that the function around the calls binds, in any nesting; ``inner``: those of them that its
    comprehensions and lambdas bind; ``local``: its own functions; ``uses``: how often a name stands in it."""

    known: Known
    taken: frozenset[str]
    inner: set[str]
    objects: set[str]
    local: dict[str, ast.FunctionDef]
    origin: generators.Origin
    uses: Counter[str]
    inlined: int = 0
    statements: int = 0
    _numbers: list[int] = field(default_factory=list)

    def block(self, body: Sequence[ast.stmt], within: tuple[str, ...]) -> list[ast.stmt]:
        """``body`` with calls written out. ``within``: the functions whose bodies it is a part of."""
        return [made for s in body for made in self._statement(s, within)]

    def _statement(self, s: ast.stmt, within: tuple[str, ...]) -> list[ast.stmt]:
        if isinstance(s, _SCOPES):
            return [s]
        found = self._generated(s, within)
        if found is not None:
            return found
        match s:
            case ast.Return(value=ast.Call() as call):
                found = self._returned(call, within)
            case ast.Assign(targets=[target], value=ast.Call() as call):
                found = self._assigned(
                    call, lambda value: _assign(target, value, s), within, isinstance(target, ast.Tuple)
                )
            case ast.Expr(value=ast.Call() as call):
                found = self._assigned(call, lambda value: ast.copy_location(ast.Expr(value), s), within)
            case ast.If(test=ast.Call() as call):
                found = self._tested(s, call, within)
        if found is not None:
            return found
        return [self._inside(s, within)]

    def _inside(self, s: _Node, within: tuple[str, ...]) -> _Node:
        """A statement with the calls in its expressions and in its blocks written out."""

        def changed(node: ast.AST) -> ast.AST:
            return self._inside(node, within) if isinstance(node, ast.ExceptHandler) else self._expression(node, within)

        return mapped(s, changed, lambda block: self.block(block, within))

    # --- calls in the place of a statement

    def _returned(self, call: ast.Call, within: tuple[str, ...]) -> list[ast.stmt] | None:
        opened = self._opened(call, within, wanted=False)
        if opened is None:
            return None
        name, given, body = opened
        self.inlined += 1
        nothing = ast.copy_location(ast.Return(build.constant(None, call)), call)
        return self.block([*given, *body, *([] if ends(body) else [nothing])], (*within, name))

    def _assigned(
        self, call: ast.Call, end: Callable[[ast.expr], ast.stmt], within: tuple[str, ...], wanted: bool = False
    ) -> list[ast.stmt] | None:
        opened = self._opened(call, within, wanted)
        room = Room(_MOST_STATEMENTS)
        body = opened and finished(opened[2], lambda v: end(v or build.constant(None, call)), room)
        if opened is None or body is None:
            return None
        self.inlined += 1
        return self.block([*opened[1], *body], (*within, opened[0]))

    def _tested(self, s: ast.If, call: ast.Call, within: tuple[str, ...]) -> list[ast.stmt] | None:
        if self._substituted(call, within) is not None:
            return None  # it may stay where it is
        holds = f"<what is tested>#{self._number()}"
        found = self._assigned(call, lambda value: build.assign(holds, value, call), within)
        if found is None:
            return None
        return [*found, *self._statement(build.branch(build.read(holds, call), s.body, s.orelse, s), within)]

    def _opened(
        self,
        call: ast.Call,
        within: tuple[str, ...],
        wanted: bool,
        *,
        generator: bool = False,
        changing: Collection[str] = (),
    ) -> tuple[str, list[ast.stmt], list[ast.stmt]] | None:
        """The name of the function that is called, the statements that bind its parameters, and its body with names of
        its own; None where the call stays. ``wanted``: whatever it is given; ``generator``: of a generator;
        ``changing``: variables that get other values while the body runs."""
        meant = self._meant(call, within, generator)
        if meant is None:
            return None
        function, arguments = meant
        name = _called(call)
        of_objects = name in self.local or self._of_objects(arguments.values()) or _makes_object(function)
        if not wanted and not of_objects:
            return None
        prefix, outer = f"{name}#{self._number()}.", _nonlocals(function)
        own = local_names(function) - outer
        body = lowered([s for s in function.body if not isinstance(s, ast.Nonlocal)])
        rebound = bound_names(body)
        names: dict[str, ast.expr] = {}
        given: list[ast.stmt] = []
        for parameter, value in arguments.items():
            direct = _direct(value, parameter, rebound, outer) or self._piped(value, parameter, body, within)
            if direct and not any(isinstance(n, ast.Name) and n.id in changing for n in ast_walk.walk(value)):
                names[parameter] = value
            else:
                given.append(build.assign(prefix + parameter, value, call))
                if isinstance(value, ast.Name) and value.id in self.objects:
                    self.objects.add(prefix + parameter)
        self.statements += sum(isinstance(n, ast.stmt) for s in body for n in ast_walk.walk(s))
        if self.statements > _MOST_STATEMENTS:
            return None
        renamed = [with_own_names(s, prefix, own, names) for s in body]
        self.objects |= _objects(renamed)
        self.uses.update(_uses(renamed))
        return name, given, renamed

    # --- generators

    def _piped(self, value: ast.expr, parameter: str, body: list[ast.stmt], within: tuple[str, ...]) -> bool:
        """Whether the argument is a generator that the function goes through once, and nothing else."""
        if not isinstance(value, ast.Call) or self._meant(value, within, generator=True) is None:
            return False
        loops = [s.iter for s in body if isinstance(s, ast.For)]
        once = any(isinstance(over, ast.Name) and over.id == parameter for over in loops)
        still = all(isinstance(a, (ast.Name, ast.Constant)) for a in value.args)
        return once and still and _uses(body)[parameter] == 1

    def _generated(self, s: ast.stmt, within: tuple[str, ...]) -> list[ast.stmt] | None:
        """The statement with the body of the first generator in front of it, or in its place; None if it reads none."""
        for reader in generators.readers(s, self.origin):
            name = f"<what is read>#{self._number()}"
            found = self._read(reader, name, within)
            if found is None:
                continue
            self.inlined += 1
            if isinstance(reader.node, ast.For):
                return found
            self.objects.add(name)
            return [*found, *self._statement(_with(s, reader.node, build.read(name, reader.node)), within)]
        return None

    def _read(self, reader: generators.Reader, name: str, within: tuple[str, ...]) -> list[ast.stmt] | None:
        loop = reader.node if isinstance(reader.node, ast.For) else None
        changing = bound_names([loop]) if loop is not None else set[str]()
        opened = self._opened(reader.call, within, wanted=True, generator=True, changing=changing)
        if opened is None:
            return None
        function, given, body = opened
        private = loop is not None and all(self.uses[n] == count for n, count in _uses([loop]).items() if n in changing)
        rebound = loop is not None and isinstance(loop.target, ast.Name) and loop.target.id in bound_names(loop.body)

        def renamed(node: ast.AST, own: Collection[str], names: Mapping[str, ast.expr]) -> ast.AST:
            return with_own_names(node, f"{name}.", own, names)

        try:
            made = generators.read(reader, body, name, renamed, private=private and not rebound)
            made = early_exits.run_through(made)
        except Refusal:
            return None
        return self.block([*given, *generators.initial(reader, name), *made], (*within, function))

    # --- calls in expressions

    def _expression(self, node: ast.AST, within: tuple[str, ...]) -> ast.AST:
        made = mapped(node, lambda child: self._expression(child, within))
        found = self._substituted(made, within) if isinstance(made, ast.Call) else None
        if found is None:
            return made
        self.inlined += 1
        return self._expression(found[1], (*within, found[0]))

    def _substituted(self, call: ast.Call, within: tuple[str, ...]) -> tuple[str, ast.expr] | None:
        """The name of the function, and the value of a call that may stand where the call stands."""
        meant = self._meant(call, within)
        if meant is None:
            return None
        function, arguments = meant
        body = [s for s in function.body if not _is_text(s)]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            return None
        if not all(isinstance(a, (ast.Name, ast.Constant)) for a in arguments.values()):
            return None
        if any(isinstance(n, ast.NamedExpr) for n in ast_walk.walk(body[0])) or not self._of_objects(
            arguments.values()
        ):
            return None
        prefix = f"{_called(call)}#{self._number()}."
        value = with_own_names(body[0].value, prefix, local_names(function), arguments)
        self.objects |= _objects([value])
        return _called(call), value

    def _meant(
        self, call: ast.Call, within: tuple[str, ...], generator: bool = False
    ) -> tuple[ast.FunctionDef, dict[str, ast.expr]] | None:
        """The function, or ``generator``, that is called and its arguments by parameter; None where the call has to
        stay."""
        if not isinstance(call.func, ast.Name) or len(within) >= _DEPTH or call.func.id in within:
            return None
        local = self.local.get(call.func.id)
        function = local if local is not None else self.known(call.func.id)
        names = None if function is None else plain_parameters(function.args)
        if function is None or names is None or function.decorator_list or call.keywords:
            return None
        if local is None and (call.func.id in self.taken or _nonlocals(function)):
            return None
        inside = [n for n in ast_walk.walk(function) if n is not function]
        if generator and not (generators.yields(function) and generators.is_plain(function)):
            return None
        if any(isinstance(n, _STAY) and not (generator and isinstance(n, _YIELDS)) for n in inside):
            return None
        try:
            given = by_place(call.func.id, call)
        except Refusal:
            return None
        if len(given) != len(names) or self._hides(function, call.func.id):
            return None
        return function, dict(zip(names, given, strict=True))

    def _hides(self, function: ast.FunctionDef, called: str) -> bool:
        """Whether a name that the body reads means something else where the call stands. A method reads attributes,
        which have a dot in their names, and names of the module; a closure, the variables around it."""
        free = _free(function)
        if "." in called:
            return bool({n for n in free if "." not in n} & self.taken)
        return bool(free & (self.inner if called in self.local else self.taken))

    def _of_objects(self, arguments: Iterable[ast.expr]) -> bool:
        return any(isinstance(a, ast.Name) and a.id in self.objects for a in arguments)

    def _number(self) -> int:
        self._numbers.append(len(self._numbers))
        return self._numbers[-1]


def _uses(body: Iterable[ast.AST]) -> Counter[str]:
    """How often each name stands in ``body``."""
    return Counter(n.id for s in body for n in ast_walk.walk(s) if isinstance(n, ast.Name))


def _with(s: ast.stmt, old: ast.AST, new: ast.AST) -> ast.stmt:
    """``s`` with ``new`` in place of ``old``."""

    def changed(node: ast.AST) -> ast.AST:
        return new if node is old else mapped(node, changed)

    return mapped(s, changed)


def _direct(value: ast.expr, parameter: str, rebound: set[str], outer: set[str]) -> bool:
    """Whether the argument may be read wherever the parameter is: nothing changes either while the body runs."""
    return isinstance(value, (ast.Name, ast.Constant)) and parameter not in rebound and not outer


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _makes_object(function: ast.FunctionDef) -> bool:
    """Whether the function returns a tuple or another container that it makes."""
    returned = [n.value for n in own_nodes(function) if isinstance(n, ast.Return)]
    return any(isinstance(v, _CONTAINERS) or (isinstance(v, ast.Call) and _is_maker(v.func)) for v in returned)


def _is_maker(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in _MAKERS


def _nonlocals(function: ast.FunctionDef) -> set[str]:
    return {name for n in own_nodes(function) if isinstance(n, ast.Nonlocal) for name in n.names}


def _free(function: ast.FunctionDef) -> set[str]:
    """Names that are not the function's own."""
    return {n.id for n in ast_walk.walk(function) if isinstance(n, ast.Name)} - (
        local_names(function) - _nonlocals(function)
    )


def _is_text(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)


def _assign(target: ast.expr, value: ast.expr, at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([target], value), at)
