"""Calls for the effect analysis: of functions of the file, of listed functions, and of listed methods.

A method is understood only if it is listed for every kind of receiver that has it; a function that is handed over is
entered with what it will be called with.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headwater.libraries.entry import CLASSES, Entry
from headwater.libraries.refused import CHANGERS, refuse_call
from headwater.libraries.registry import EFFECTS
from headwater.syntax.refusal import Refusal

from . import operators, outside, statements
from .values import (
    ANY_DATA,
    DATA,
    MUTABLE,
    NOTHING,
    NUMBERS,
    PRINTABLE,
    Atom,
    Frame,
    Function,
    Listed,
    Method,
    Parameter,
    Partial,
    Site,
    Value,
    kind_of,
    kinds,
)

if TYPE_CHECKING:
    from .analysis import Analysis

_NO_FUNCTIONS = frozenset("none bool int float str".split())
_TEXTS = frozenset({"str", "bytes", "bytearray", "hash", "exception"})
_ITERATES = frozenset({"builtins.str.join", "builtins.bytes.join", "builtins.bytearray.join"})
_INTO_OBJECTS = re.compile(r"\{[^{}]*[.\[]")
"""Fields of a format that read attributes or elements."""


@dataclass
class Given:
    """The arguments of a call, evaluated: by the nodes that stand for them."""

    call: ast.Call
    values: dict[int, Value] = field(default_factory=dict)

    @staticmethod
    def of(positional: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Given:
        """Arguments that stand nowhere."""
        args: list[ast.expr] = [ast.Name("argument", ast.Load()) for _ in positional]
        keywords = [ast.keyword(name, ast.Name("argument", ast.Load())) for name in named]
        call = ast.Call(ast.Name("function", ast.Load()), args, keywords)
        for n in ast.walk(call):
            ast.copy_location(n, node)
        values = dict(zip(map(id, args), positional, strict=True))
        return Given(call, values | {id(k.value): named[str(k.arg)] for k in keywords})

    @property
    def positional(self) -> list[Value]:
        return [self.values[id(a)] for a in self.call.args if not isinstance(a, ast.Starred)]

    @property
    def unpacked(self) -> Value:
        """Elements of what is unpacked by ``*`` or ``**``."""
        nodes = [
            *(a for a in self.call.args if isinstance(a, ast.Starred)),
            *(k.value for k in self.call.keywords if k.arg is None),
        ]
        return NOTHING.union(*(self.values[id(n)] for n in nodes))

    @property
    def named(self) -> dict[str, Value]:
        return {k.arg: self.values[id(k.value)] for k in self.call.keywords if k.arg is not None}


def call(a: Analysis, node: ast.Call, frame: Frame) -> Value:
    """The value of a call; Refusal if it may do more than compute."""
    given = Given(node)
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            given.values[id(argument)] = a.elements(a.value(argument.value, frame), argument)
        else:
            given.values[id(argument)] = a.value(argument, frame)
    for keyword in node.keywords:
        value = a.value(keyword.value, frame)
        given.values[id(keyword.value)] = value if keyword.arg is not None else a.elements(value, keyword.value)
    origin = a.origin(node.func, frame)
    if a.program.is_assumed_pure(origin, a.program.text(node.func)):
        return ANY_DATA
    if origin is None and isinstance(node.func, ast.Attribute):
        return _of_method(a, node, node.func, given, frame)
    try:
        callee = a.value(node.func, frame)
    except Refusal as refusal:
        if refusal.obstruction == "opaque" and origin is None and isinstance(node.func, ast.Name):
            raise refuse_call(a.program, None, node) from None
        raise
    return apply(a, callee, given, node)


def _of_method(a: Analysis, node: ast.Call, func: ast.Attribute, given: Given, frame: Frame) -> Value:
    try:
        if not a.own and outside.is_collected(a, node):
            return a.made(node, "list", frozenset({"Row"}))
        return method(a, a.value(func.value, frame), func.attr, given, node)
    except Refusal as refusal:
        if refusal.obstruction == "opaque" and func.attr in CHANGERS:
            raise refuse_call(a.program, None, node) from None
        raise


def method_entry(atom: Atom, name: str) -> Entry | None:
    """The entry of the method or attribute ``name`` of an object."""
    kind = CLASSES.get(kind_of(atom))
    return None if kind is None else EFFECTS.get(f"{kind}.{name}")


def method(a: Analysis, owner: Value, name: str, given: Given, node: ast.AST) -> Value:
    """``owner.name(…)``."""
    found, refusals, bound = NOTHING, list[Refusal](), False
    for atom in owner:
        entry = method_entry(atom, name)
        if isinstance(atom, Parameter) and name == "get":
            found, bound = found | outside.looked_into(a, atom) | NOTHING.union(*given.positional), True
            continue
        if entry is None:
            if kind_of(atom) not in PRINTABLE or name.startswith("_"):
                raise refuse_call(a.program, None, given.call)
            continue  # an AttributeError, or a field of a row, which is no function
        if entry.signature is None:
            continue
        try:
            entry.signature.bind(_plain(entry, given)[0])
        except Refusal as refusal:
            if entry.changes or entry.calls or entry.keywords:
                raise
            refusals.append(refusal)
            continue
        bound = True
        found |= apply_entry(a, entry, None if entry.static else atom, given, node)
    if owner and not bound:
        raise refusals[0] if refusals else refuse_call(a.program, None, given.call)
    return found


def apply(a: Analysis, callee: Value, given: Given, node: ast.AST) -> Value:
    """The value of ``callee(…)``."""
    found = NOTHING
    for atom in callee:
        match atom:
            case Function():
                found |= call_function(a, atom, given.positional, given.named, node, given.unpacked)
            case Listed(name=name):
                found |= apply_entry(a, EFFECTS[name], None, given, node)
            case Method(receiver=receiver, name=name):
                found |= apply_entry(a, EFFECTS[name], receiver, given, node)
            case Partial(function=function, given=first, named=named):
                more = Given.of([*first, *given.positional], {**dict(named), **given.named}, node)
                found |= apply(a, function, more, node)
            case Site(kind="itemgetter"):
                for value in given.positional:
                    parts = a.elements(value, node) | (frozenset({"str"}) & value)
                    found |= parts | a.made(node, "tuple", parts)
            case str() if kinds(callee) & DATA <= _NO_FUNCTIONS < kinds(callee) | _NO_FUNCTIONS:
                pass  # a TypeError: a key or value of a table of functions
            case _:
                text = a.program.text(node)
                raise a.refuse(node, f"`{text}` may call a function of which nothing is known")
    return found


def call_function(
    a: Analysis,
    function: Function,
    positional: Sequence[Value],
    named: Mapping[str, Value],
    node: ast.AST,
    unpacked: Value = NOTHING,
) -> Value:
    """The value of a call of a function of the file. This is the only place that enters one."""
    code = function.node
    if isinstance(code, ast.FunctionDef) and code.decorator_list:
        raise a.refuse(node, f"`{code.name}` is decorated")
    if not a.own:
        raise a.refuse(node, "what a function of the file makes outside of this one is not known")
    frame = a.frame(code, function.frame, statements.bound_names(code))
    _bind(a, function, frame, positional, named, unpacked)
    if id(code) not in a.done:
        a.done.add(id(code))
        if isinstance(code, ast.Lambda):
            found = a.value(code.body, frame)
            a.changed |= not found <= frame.result
            frame.result |= found
        else:
            statements.run(a, code.body, frame)
    if isinstance(code, ast.FunctionDef) and any(
        isinstance(n, (ast.Yield, ast.YieldFrom)) for n in statements.own_nodes(code)
    ):
        return a.made(code, "iterator", frame.yields)
    return frame.result if isinstance(code, ast.Lambda) else frame.result | {"none"}


def _bind(
    a: Analysis,
    function: Function,
    frame: Frame,
    positional: Sequence[Value],
    named: Mapping[str, Value],
    unpacked: Value,
) -> None:
    spec = function.node.args
    places = [*spec.posonlyargs, *spec.args]
    for parameter, value in zip(places, positional, strict=False):
        a.bind(frame, parameter.arg, value)
    for parameter in (*places, *spec.kwonlyargs):
        a.bind(frame, parameter.arg, named.get(parameter.arg, NOTHING) | unpacked)
    defaults = zip(places[len(places) - len(spec.defaults) :], spec.defaults, strict=True)
    for parameter, default in (*defaults, *zip(spec.kwonlyargs, spec.kw_defaults, strict=True)):
        if default is not None:
            outer = function.frame
            own = outer if outer is not None and outer.own else None
            a.bind(frame, parameter.arg, a.value(default, own) if own else outside.default(a, default, outer))
    if spec.vararg is not None:
        rest = NOTHING.union(unpacked, *positional[len(places) :])
        a.bind(frame, spec.vararg.arg, a.made(spec.vararg, "tuple", rest))
    if spec.kwarg is not None:
        rest = NOTHING.union(unpacked, {"str"}, *named.values())
        a.bind(frame, spec.kwarg.arg, a.made(spec.kwarg, "dict", rest))


# --- listed functions and methods


def _plain(entry: Entry, given: Given) -> tuple[ast.Call, list[Value]]:
    """The call as it is bound to the signature, and the values of what any keyword, or ``*``, adds to the arguments."""
    declared = {p.name for p in entry.parameters if p.kind != "positional"}
    args, keywords, more = list(given.call.args), list(given.call.keywords), list[Value]()
    if entry.keywords:
        more += [given.values[id(k.value)] for k in keywords if k.arg not in declared]
        keywords = [k for k in keywords if k.arg in declared]
    if any(p.kind == "star" for p in entry.parameters):
        places = sum(p.kind in ("positional", "either") for p in entry.parameters)
        starred = [x for x in args[places:] if isinstance(x, ast.Starred)]
        more += [given.values[id(x)] for x in starred]
        args = [x for x in args if not any(x is s for s in starred)]
    return ast.copy_location(ast.Call(given.call.func, args, keywords), given.call), more


def apply_entry(a: Analysis, entry: Entry, receiver: Atom | None, given: Given, node: ast.AST) -> Value:
    """The value of a call of a listed function or method."""
    written = a.program.text(given.call.func) if hasattr(given.call.func, "lineno") else entry.name
    if entry.refused is not None:
        raise Refusal(entry.refused, f"`{entry.name}()` does more than compute a value of its arguments", node)
    if entry.receiver is not None and receiver is None:
        if not given.positional or isinstance(given.call.args[0], ast.Starred):
            raise a.refuse(node, f"`{written}` without a receiver")
        others = Given.of(given.positional[1:], given.named, node)
        return NOTHING.union(*(apply_entry(a, entry, atom, others, node) for atom in given.positional[0]))
    if entry.signature is None:
        raise a.refuse(node, f"`{entry.name}` is no function")
    special = _special(a, entry, given, node)
    if special is not None:
        return special
    bindable, more = _plain(entry, given)
    bound = entry.signature.bind(bindable)
    called = dict(entry.calls)
    handed = {n: given.values[id(v)] for n, v in bound.arguments.items()}
    rest = [*(given.values[id(v)] for v in bound.rest), *more]
    arguments = [*(v for n, v in handed.items() if n not in called), *rest]
    names = {"args": NOTHING.union(*arguments)}
    a.require_known(names["args"], node)
    context = _Context(a, node, arguments, names, receiver, {**handed, "keywords": NOTHING.union(*more)})
    if entry.name in ("builtins.max", "builtins.min") and len(rest) == 1:
        names["args"] = handed.get("default", NOTHING)
    for parameter, specs in entry.calls:
        function = handed.get(parameter, NOTHING) - {"none"}
        if entry.name.startswith("re.") or parameter == "repl":
            names["args"] |= function & ANY_DATA
            function -= ANY_DATA
        if entry.name == "builtins.map":
            values = [a.elements(v, node) for v in rest]
        else:
            values = [context.of(s) for s in specs]
        for _ in range(2):  # what is returned may be handed back
            names["results"] = names.get("results", NOTHING) | apply(a, function, Given.of(values, {}, node), node)
            values = values if entry.name == "builtins.map" else [context.of(s) for s in specs]
    if _makes_text(entry) and entry.name not in _ITERATES:
        for value in arguments:
            a.require_printable(value, node)
    if entry.changes:
        _change(a, entry, receiver, handed, context, node)
    return context.of(_result(entry))


def _change(
    a: Analysis, entry: Entry, receiver: Atom | None, handed: Mapping[str, Value], context: _Context, node: ast.AST
) -> None:
    first = NOTHING if receiver is not None else next(iter(handed.values()), NOTHING)
    for atom in first if receiver is None else (receiver,):
        if kind_of(atom) in MUTABLE:
            a.require_own(atom, node)
            if entry.adds is not None and isinstance(atom, Site):
                a.add(atom, context.of(entry.adds))


def result(a: Analysis, entry: Entry, node: ast.AST, receiver: Atom | None, names: dict[str, Value]) -> Value:
    """The value of a listed attribute or constant."""
    return _Context(a, node, [], names, receiver).of(_result(entry))


def _result(entry: Entry) -> ast.expr:
    assert entry.result is not None  # it is one of ``EFFECTS``
    return entry.result


def _makes_text(entry: Entry) -> bool:
    return any(isinstance(n, ast.Name) and n.id in _TEXTS for n in ast.walk(_result(entry)))


@dataclass
class _Context:
    """What the result of an entry is made of."""

    a: Analysis
    node: ast.AST
    arguments: list[Value]
    names: dict[str, Value]
    receiver: Atom | None
    given: Mapping[str, Value] = field(default_factory=dict)

    def of(self, spec: ast.expr, level: int = 0) -> Value:
        """The value that ``spec`` stands for."""
        match spec:
            case ast.BinOp(left=left, right=right):
                return self.of(left, level) | self.of(right, level)
            case ast.Constant(value=None):
                return frozenset({"none"})
            case ast.Subscript(value=ast.Name(id=kind), slice=inner):
                parts = self.of(inner, level + 1)
                return frozenset({self.a.site((id(self.node), kind, level), kind, parts)})
            case ast.Attribute(value=ast.Name(id="given"), attr=parameter):
                return self.given.get(parameter, NOTHING)
            case ast.Name(id=name):
                return self._named(name)
        raise ValueError(ast.unparse(spec))

    def _named(self, name: str) -> Value:
        a = self.a
        if name in self.names:
            return self.names[name]
        if name == "results":
            return NOTHING
        if name == "parts":
            return NOTHING.union(*(a.elements(v, self.node) for v in self.arguments))
        if name == "parts_of_parts":
            return a.elements(self._named("parts") & self._iterable(), self.node)
        if name == "self":
            return NOTHING if self.receiver is None else a.parts(self.receiver)
        if name == "number":
            return frozenset(NUMBERS)
        if name == "data":
            for value in self.arguments:
                inner = a.elements(value, self.node) if kinds(value) - DATA else value
                if not a.is_of(inner, DATA):
                    raise a.refuse(self.node, f"`{a.program.text(self.node)}` is given something else than plain data")
            return ANY_DATA
        if name in ("list", "dict", "set", "deque", "Counter", "OrderedDict", "iterator"):
            return self.of(ast.Subscript(ast.Name(name, ast.Load()), ast.Name("nothing", ast.Load()), ast.Load()))
        return NOTHING if name == "nothing" else frozenset({name})

    def _iterable(self) -> Value:
        return frozenset(x for x in self._named("parts") if kind_of(x) in PRINTABLE | {"iterator"})


def _special(a: Analysis, entry: Entry, given: Given, node: ast.AST) -> Value | None:
    """Entries whose meaning is that of an operator, or that make functions."""
    module, _, name = entry.name.rpartition(".")
    values = given.positional
    if module == "operator" and name in operators.NAMED and len(values) == 2:
        return a.binary(node, operators.NAMED[name], *values)
    if entry.name == "operator.getitem" and len(values) == 2:
        return a.subscript(node, *values)
    if entry.name == "functools.partial":
        if not values or given.unpacked:
            raise a.refuse(node, "a `partial` whose arguments are not written out")
        return frozenset({Partial(values[0], tuple(values[1:]), tuple(given.named.items()))})
    if entry.name == "builtins.str.format":
        func = given.call.func
        text = func.value.value if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant) else None
        if not isinstance(text, str) or _INTO_OBJECTS.search(text):
            raise Refusal("volatile", f"`{a.program.text(node)}` may show an address", node)
    return None
