"""What one statement of the top level says that concerns the whole file: imports, bindings, reads, patches, settings.

Collected once per statement, in one walk, and kept as long as the statement is: a syntax tree does not change once it
is read. ``Context`` and ``Names`` put the notes of all statements together, so that nobody else has to walk the file.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import own_nodes
from headwater.syntax.source.by_method import ByMethod
from headwater.syntax.source.generators import puts_off

from .free_variables import assigned_names, visible_reads
from .monkeypatches import OWN, Change, changes, own_object
from .reflection import (
    binds_unseen,
    looks_at_object,
    looks_at_scope,
    names_internals,
    reaches_classes,
    reaches_itself,
)
from .spark_conf import named_settings

_MUTATORS = {"add", "append", "extend", "insert", "remove", "pop", "update", "clear", "sort", "reverse", "fields"}


@dataclass(frozen=True)
class Import:
    """A name that an import binds: ``origin`` is the dotted name that it then means, None for one inside the package
    that the file is in; ``whole`` is all that the import spells."""

    name: str
    origin: str | None
    whole: str
    node: ast.Import | ast.ImportFrom


@dataclass
class Notes:
    """The notes on one statement."""

    imports: list[Import] = field(default_factory=list)
    stars: list[tuple[ast.ImportFrom, str]] = field(default_factory=list)
    """Star imports with their modules."""
    bindings: dict[str, list[ast.AST]] = field(default_factory=dict)
    """Every place, in any scope, that binds a name other than by an import; one under ``global`` counts twice."""
    module_names: frozenset[str] = frozenset()
    """Names that it so binds in the scope of the module."""
    of_classes: set[int] = field(default_factory=set)
    """What of ``bindings`` stands in a class body, as identities."""
    visible: frozenset[int] = frozenset()
    """The reads, as identities of ``ast.Name``, whose name no function around them binds other than by an import."""
    lent: set[str] = field(default_factory=set)
    """Of the names that methods give the object or class they are called on, those that stand for another one too."""
    mutated: set[str] = field(default_factory=set)
    """Names whose value some method call or subscript assignment may change in place."""
    optional: set[str] = field(default_factory=set)
    """Parameters that may be left out of a call."""
    declared: set[str] = field(default_factory=set)
    """Names under ``global`` or ``nonlocal``."""
    rebound: set[str] = field(default_factory=set)
    """Names under ``global`` or ``nonlocal`` or bound by ``:=``."""
    names: set[str] = field(default_factory=set)
    """Every variable that is read or bound."""
    reads: dict[str, list[ast.Name]] = field(default_factory=dict)
    """Every place that reads a variable."""
    loads: Counter[str] = field(default_factory=Counter)
    """How often each variable is read …"""
    attribute_loads: Counter[str] = field(default_factory=Counter)
    """… and for an attribute of it."""
    called: Counter[str] = field(default_factory=Counter)
    """How often each variable is called, or stands in an annotation."""
    reaches_classes: bool = False
    """Whether the class of an object may be reached other than by its name."""
    attributes: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    """Attributes that are set or deleted."""
    uncalled: set[str] = field(default_factory=set)
    """Attributes that stand otherwise than as what is called."""
    strings: set[str] = field(default_factory=set)
    texts: list[ast.Constant] = field(default_factory=list)
    """Every string."""
    assigned: dict[str, list[ast.Assign]] = field(default_factory=dict)
    """Every assignment whose first target is a variable, by its name."""
    method_calls: dict[str, list[ast.Call]] = field(default_factory=dict)
    """Every call of a method, by its name."""
    registrations: list[ast.Call] = field(default_factory=list)
    """Every ``spark.udf.register(…)``, of whatever session."""
    changes: list[Change] = field(default_factory=list)
    settings: list[tuple[str, str]] = field(default_factory=list)
    reflective: bool = False
    """Whether names are read or bound in ways that cannot be seen: ``eval``, ``exec``, ``globals()``."""
    unseen: bool = False
    """Whether names may be bound in such ways."""
    puts_off: bool = False
    """Whether something may be a generator that is kept, which runs code when its values are taken."""
    runs_through: set[str] = field(default_factory=set)
    """Python's functions, by their names, that are given a generator where it is made, and keep none."""

    @cached_property
    def words(self) -> frozenset[str]:
        """All names, attributes and strings."""
        imported = (i.name for i in self.imports)
        sets = (self.attributes, self.stored, self.strings, self.rebound, self.mutated, self.optional)
        return frozenset(self.names).union(imported, *sets, self.bindings, self.reads, self.loads, self.called)

    def add(self, others: Notes) -> None:
        """Put what ``others`` note to these, but for what a whole statement says of its scopes."""
        for name in _COLLECTED:
            mine, its = getattr(self, name), getattr(others, name)
            if isinstance(mine, dict) and not isinstance(mine, Counter):
                for key, found in its.items():
                    mine.setdefault(key, []).extend(found)
            elif isinstance(mine, list):
                mine += its
            elif isinstance(mine, bool):
                setattr(self, name, mine or its)
            else:
                mine.update(its)


_COLLECTED = tuple(f.name for f in fields(Notes) if f.name not in ("module_names", "visible"))


def registers(call: ast.Call) -> bool:
    """Whether ``call`` is ``spark.udf.register(…)``, of whatever session."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr="udf"), attr="register"):
            return True
    return False


def registered_name(call: ast.Call) -> str | None:
    """The name, in lower case, that ``call``, which registers a function, registers; None if it may be any."""
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    match next((k.value for k in call.keywords if k.arg == "name"), call.args[0] if call.args else None):
        case ast.Constant(value=str(name)):
            return name.lower()
    return None


def _found_in(statement: ast.stmt, methods: Sequence[ast.stmt], of_each: Iterable[Notes]) -> Notes:
    found = _Collector(statement, methods).notes
    for of in of_each:
        found.add(of)
    found.module_names, found.visible = assigned_names(statement), visible_reads(statement)
    return found


notes_of = ByMethod("_notes", _found_in, lambda method: _Collector(method, (), [method]).notes)
"""The notes on a statement."""


class _Collector:
    """Walks ``statement``, without the statements ``apart``; ``of_class``: which are of the body of a class."""

    def __init__(self, statement: ast.stmt, apart: Sequence[ast.stmt], of_class: Sequence[ast.stmt] = ()) -> None:
        self.notes: Notes = Notes()
        self._by_type: dict[type[ast.AST], list[ast.AST]] = {}
        for node in walk(statement, apart):
            self._by_type.setdefault(type(node), []).append(node)
        self._imports()
        self._bindings()
        self._parameters()
        self._variables()
        self._uses()
        notes, calls = self.notes, self._all(ast.Call)
        for call in calls:
            if isinstance(call.func, ast.Attribute):
                notes.method_calls.setdefault(call.func.attr, []).append(call)
        notes.registrations += [call for call in calls if registers(call)]
        notes.changes += changes(self._all(ast.Attribute), calls)
        notes.settings += named_settings(calls, self._all(ast.Dict), self._all(ast.Constant))
        bound = {id(n) for nodes in notes.bindings.values() for n in nodes}
        without = {id(s) for s in apart}
        members = [*of_class, *(s for c in self._all(ast.ClassDef) for s in c.body if id(s) not in without)]
        notes.of_classes = {id(n) for s in members for n in (s, *own_nodes(s))} & bound
        first = {id(a) for s in members for a in own_object(s)}
        notes.lent = {name for name in OWN if any(id(n) not in first for n in notes.bindings.get(name, ()))}
        notes.reaches_classes = reaches_classes([*self._all(ast.Name, ast.Attribute, ast.Constant)])
        late = self._all(ast.GeneratorExp, ast.Yield, ast.YieldFrom)
        kept, notes.runs_through = puts_off(late, calls)
        notes.puts_off = kept or any(n.id in ("map", "filter") for n in self._all(ast.Name))
        notes.reflective = any(looks_at_scope(call) for call in calls)
        attributes = self._all(ast.Attribute)
        itself = [*attributes, *calls, *self._all(ast.Import, ast.ImportFrom)]
        notes.unseen = (
            names_internals([*attributes, *self._all(ast.Name, ast.Constant)])
            or any(map(reaches_itself, itself))
            or (
                (notes.reflective or any(map(looks_at_object, [*attributes, *calls])))
                and binds_unseen(walk(statement, apart))
            )
        )

    def _all(self, *kinds: type[ast.AST]) -> list[Any]:
        return [n for kind in kinds for n in self._by_type.get(kind, ())]

    def _imports(self) -> None:
        notes = self.notes
        for node in self._all(ast.Import):
            for a in node.names:
                name = a.asname or a.name.split(".")[0]
                notes.imports.append(Import(name, a.name if a.asname else name, a.name, node))
        for node in self._all(ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for a in node.names:
                whole = f"{module}.{a.name}"
                notes.imports.append(Import(a.asname or a.name, None if node.level else whole, whole, node))
                if a.name == "*":
                    notes.stars.append((node, module))

    def _bindings(self) -> None:
        for name in self._all(ast.Name):
            if not isinstance(name.ctx, ast.Load):
                self._bind(name.id, name)
        for made in self._all(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            self._bind(made.name, made)
        for argument in self._all(ast.arg):
            self._bind(argument.arg, argument)
        for caught in self._all(ast.ExceptHandler, ast.MatchAs, ast.MatchStar):
            self._bind(caught.name, caught)
        for mapping in self._all(ast.MatchMapping):
            self._bind(mapping.rest, mapping)
        for shared in self._all(ast.Global):
            for identifier in shared.names:
                self._bind(identifier, shared)
                self._bind(identifier, shared)

    def _parameters(self) -> None:
        for a in self._all(ast.arguments):
            order = [*a.posonlyargs, *a.args]
            self.notes.optional.update(p.arg for p in order[len(order) - len(a.defaults) :])
            self.notes.optional.update(p.arg for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d)
            self.notes.optional.update(p.arg for p in (a.vararg, a.kwarg) if p)

    def _bind(self, name: str | None, node: ast.AST) -> None:
        if name:
            self.notes.bindings.setdefault(name, []).append(node)

    def _variables(self) -> None:
        notes = self.notes
        for shared in self._all(ast.Global, ast.Nonlocal):
            notes.declared.update(shared.names)
        notes.rebound.update(notes.declared, (walrus.target.id for walrus in self._all(ast.NamedExpr)))
        names = self._all(ast.Name)
        notes.names.update(n.id for n in names)
        for name in names:
            if isinstance(name.ctx, ast.Load):
                notes.reads.setdefault(name.id, []).append(name)
        notes.loads.update({name: len(nodes) for name, nodes in notes.reads.items()})
        called = {id(c.func) for c in self._all(ast.Call)}
        notes.attributes.update(a.attr for a in self._all(ast.Attribute))
        notes.uncalled.update(a.attr for a in self._all(ast.Attribute) if id(a) not in called)
        notes.stored.update(a.attr for a in self._all(ast.Attribute) if not isinstance(a.ctx, ast.Load))
        notes.texts += [c for c in self._all(ast.Constant) if isinstance(c.value, str)]
        notes.strings.update(str(c.value) for c in notes.texts)
        for assignment in self._all(ast.Assign):
            if isinstance(assignment.targets[0], ast.Name):
                notes.assigned.setdefault(assignment.targets[0].id, []).append(assignment)
        notes.mutated.update(a.target.id for a in self._all(ast.AugAssign) if isinstance(a.target, ast.Name))
        for node in self._all(ast.Attribute, ast.Subscript):
            if isinstance(node.value, ast.Name):
                self._part(node, node.value)

    def _part(self, node: ast.expr, owner: ast.Name) -> None:
        attribute = node.attr if isinstance(node, ast.Attribute) else None
        if isinstance(node.ctx, (ast.Store, ast.Del)) or attribute in _MUTATORS:  # type: ignore[attr-defined]
            self.notes.mutated.add(owner.id)
        elif attribute is not None:
            self.notes.attribute_loads[owner.id] += 1

    def _uses(self) -> None:
        annotations = [a.annotation for a in self._all(ast.arg, ast.AnnAssign)]
        annotations += [f.returns for f in self._all(ast.FunctionDef, ast.AsyncFunctionDef)]
        used = [call.func for call in self._all(ast.Call)] + [n for a in annotations if a for n in ast.walk(a)]
        self.notes.called.update(n.id for n in used if isinstance(n, ast.Name))
