"""The program that a function stands in: what its free names are, and how its functions are made and called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .definitions import Definitions
from .frames import LIBRARIES
from .library import MODULES, TABLE, Callee, Known
from .limits import DEPTH, Meter, NotEvaluated
from .program import Binding, Chain, Function, Program, bindings_of, parameters
from .values import ModuleName, UserClass
from .variables import Code, Frame, Scope


class World:
    """Evaluates parts of ``program``. ``given``: the values of driver variables in this sample, by name."""

    compiler: type[Definitions] = Definitions
    """What compiles the code."""

    def __init__(self, program: Program, meter: Meter) -> None:
        self.program, self.meter = program, meter
        self.given: Mapping[str, Any] = {}
        self._run = self.compiler(self, meter)
        self._values: dict[int, Any] = {}
        self._codes: dict[int, Code] = {}
        self._evaluating: set[int] = set()
        self.libraries: dict[str, ModuleName] = {}
        """Modules of the real library, in the place of what stands in for them."""

    def start(self, given: Mapping[str, Any]) -> None:
        """Begin a new sample: what the last one did to containers of the module is forgotten."""
        self.given, self._values = given, {}
        self.meter.depth = 0

    def value(self, node: ast.AST) -> Any:
        """The value of an expression, function or class of the program, at its place."""
        if isinstance(node, ast.ClassDef):
            return self._made(node, lambda chain: self._run.class_code(node, None, chain, mine=True))
        if isinstance(node, ast.FunctionDef):
            return self._made(node, lambda chain: self.function_code(node, None, chain))
        assert isinstance(node, ast.expr)
        return self._made(node, lambda chain: self._run.expression(node, None, chain))

    def at(self, node: ast.expr, chain: Chain) -> Any:
        """The value of an expression in the function that ``chain`` begins with."""
        return self._made(node, lambda _: self._run.expression(node, None, chain))

    def _made(self, node: ast.AST, compile_: Callable[[Chain], Code]) -> Any:
        if id(node) not in self._values:
            code = self._codes.get(id(node))
            if code is None:
                code = self._codes[id(node)] = compile_(self.program.chains.get(id(node), ()))
            if id(node) in self._evaluating:
                raise NotEvaluated("a value that is made of itself")
            self._evaluating.add(id(node))
            try:
                self._values[id(node)] = code(Frame(None))
            finally:
                self._evaluating.discard(id(node))
        return self._values[id(node)]

    # --- names

    def lookup(self, name: str, chain: Chain) -> Any:
        """The value of a name that the function itself does not bind."""
        if name in self.given:
            return self.given[name]
        scopes: list[tuple[ast.AST, Chain]] = [(node, chain[i:]) for i, node in enumerate(chain)]
        for scope, around in (*scopes, (self.program.tree, ())):
            found = self.program.bindings(scope).get(name)
            if found is not None:
                again = any(not isinstance(b.value, str) or b.value != found[0].value for b in found[1:])
                if again or name in self.program.rebound:
                    raise NotEvaluated(f"`{name}` is bound more than once")
                return self._bound(name, found[0], around)
        if f"builtins.{name}" in TABLE:
            return self.imported(f"builtins.{name}")
        raise NotEvaluated(f"`{name}` is not known")

    def _bound(self, name: str, binding: Binding, chain: Chain) -> Any:
        value = binding.value
        if value is None:
            raise NotEvaluated(f"what `{name}` holds is not known")
        if isinstance(value, str):
            return self.imported(value)
        if isinstance(value, (ast.FunctionDef, ast.ClassDef)):
            if value.decorator_list:
                raise NotEvaluated(f"`{name}` is decorated")
            return self.value(value)
        return self.at(value, chain)

    def imported(self, full: str) -> Any:
        """What is imported under a full name."""
        if full in TABLE:
            known = TABLE[full]
            return known.function if isinstance(known, Known) else known
        module, _, name = full.rpartition(".")
        for owner in (full, module):
            found = self.libraries.get(owner) or (LIBRARIES[owner]() if owner in LIBRARIES else None)
            if found is not None:
                return found if owner == full else found.attribute(name)
        if any(m == full or m.startswith(f"{full}.") for m in MODULES):
            return LibraryModule(full, self)
        raise NotEvaluated(f"`{full}` is not among the functions that may be evaluated")

    # --- functions

    def function_code(
        self, node: Function, scope: Scope | None, chain: Chain, kind: list[UserClass] | None = None
    ) -> Code:
        """Makes the function of a definition or a lambda. ``kind``: it is a method of that class."""
        made = FunctionCode(self, self._run, node, scope, chain, kind)
        return lambda frame: UserFunction(made, frame)

    def target(self, node: ast.expr, scope: Scope | None, chain: Chain) -> Callable[[Frame, Any], None]:
        """Stores a value in ``node``."""
        return self._run.target(node, scope, chain)


class LibraryModule(ModuleName):
    """A module of the library, whose attributes are those of the table."""

    def __init__(self, name: str, world: World) -> None:
        super().__init__(name)
        self._world = world

    def attribute(self, name: str) -> Any:
        """A function, a constant or a module in it."""
        return self._world.imported(f"{self.name}.{name}")


class FunctionCode:
    """A function of the program, compiled at its first call."""

    def __init__(
        self, world: World, run: Definitions, node: Function, scope: Scope | None, chain: Chain,
        kind: list[UserClass] | None,
    ) -> None:  # fmt: skip
        self.world, self.run, self.node, self.chain = world, run, node, chain
        a = node.args
        self.places = [p.arg for p in (*a.posonlyargs, *a.args)]
        self.first_named, self.named_only = len(a.posonlyargs), [p.arg for p in a.kwonlyargs]
        defaults = [run.expression(d, scope, chain) for d in a.defaults]
        self.defaults = dict(zip(self.places[len(self.places) - len(defaults) :], defaults, strict=True))
        for name, default in zip(self.named_only, a.kw_defaults, strict=True):
            if default is not None:
                self.defaults[name] = run.expression(default, scope, chain)
        bound = frozenset(bindings_of(node)) - {n for s in _declared(node) for n in s.names}
        bound |= frozenset(parameters(a))
        method = kind is not None and bool(self.places)
        self.scope = Scope(bound, scope, owner=self.places[0] if method else None)
        if kind is not None:
            self.scope.kind = kind
        self.generator = _yields(node)
        self.name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
        self._body: Callable[[Frame], Any] | None = None

    @property
    def body(self) -> Callable[[Frame], Any]:
        """Runs the body; what it returns is in ``frame.result``."""
        if self._body is None:
            if isinstance(self.node, ast.Lambda):
                value = self.run.expression(self.node.body, self.scope, self.chain)

                def run(frame: Frame) -> None:
                    frame.result = value(frame)

                self._body = run
            elif any(isinstance(s, ast.Global) for s in _declared(self.node)):
                self._body = self.run.refused("a `global` statement")
            else:
                self._body = self.run.block(self.node.body, self.scope, self.chain)
        return self._body


class UserFunction(Callee):
    """A function of the program with what it closes over."""

    def __init__(self, code: FunctionCode, outer: Frame) -> None:
        self.code = code
        self._outer = outer if code.scope.outer is not None else None
        self._defaults = {name: default(outer) for name, default in code.defaults.items()}

    def __call__(self, *args: Any, **named: Any) -> Any:
        meter = self.code.world.meter
        meter.charge()
        frame = Frame(self._outer)
        self._bind(frame.names, args, named)
        if self.code.generator:
            return self._generated(frame)
        meter.depth += 1
        if meter.depth > DEPTH:
            raise NotEvaluated("a deep recursion")
        try:
            self.code.body(frame)
        finally:
            meter.depth -= 1
        return self.code.run.key(frame.result)  # a function of the library may have called, and compares it

    def _generated(self, frame: Frame) -> Iterator[Any]:
        """What a generator yields. Its body runs at once when the first element is asked for; an error comes after the
        elements that were yielded before it."""
        error = None
        try:
            self.code.body(frame)
        except Exception as raised:
            error = raised
        yield from map(self.code.run.key, frame.yielded)
        if error is not None:
            raise error

    def _bind(self, names: dict[str, Any], args: tuple[Any, ...], given: dict[str, Any]) -> None:
        code, arguments = self.code, self.code.node.args
        for name, value in zip(code.places, args, strict=False):
            names[name] = value
        rest = args[len(code.places) :]
        if arguments.vararg is not None:
            names[arguments.vararg.arg] = rest
        elif rest:
            raise TypeError(f"{code.name}() takes {len(code.places)} positional arguments")
        more: dict[str, Any] = {}
        for name, value in given.items():
            if name not in code.places[code.first_named :] and name not in code.named_only:
                more[name] = value
            elif name in names:
                raise TypeError(f"{code.name}() got multiple values for argument '{name}'")
            else:
                names[name] = value
        if arguments.kwarg is not None:
            names[arguments.kwarg.arg] = more
        elif more:
            raise TypeError(f"{code.name}() got an unexpected keyword argument")
        for name in (*code.places, *code.named_only):
            if name not in names:
                if name not in self._defaults:
                    raise TypeError(f"{code.name}() missing a required argument: '{name}'")
                names[name] = self._defaults[name]


def _own(node: Function) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions in it."""
    todo: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
    while todo:
        at = todo.pop()
        yield at
        if not isinstance(at, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(at)


def _yields(node: Function) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in _own(node))


def _declared(node: Function) -> list[ast.Nonlocal | ast.Global]:
    """Definitions that name variables of elsewhere."""
    return [n for n in _own(node) if isinstance(n, (ast.Nonlocal, ast.Global))]
