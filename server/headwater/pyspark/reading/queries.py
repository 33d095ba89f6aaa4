"""What a piece of code asks about the rest of its file while it is followed, with the answers.

``AskingNames`` and ``AskingContext`` stand in for ``Names`` and ``Context``. They know which questions there are. The
answers are plain values, or syntax trees, which are the same as long as their statements are. Code that looks at
anything else of the file depends on all of its text.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

from headwater.pyspark.sql_text.views import VIEWS, Views
from headwater.pyspark.walls.places import Places, called_name, concerns, placed, times_spelled
from headwater.python.effects.containers_read import CONTAINERS, Containers
from headwater.syntax.names.module_scope import Context, path_of
from headwater.syntax.names.resolve import MEMO, Names, Spellings
from headwater.syntax.names.spark_versions import Targets
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import asked_for_columns, captured_names
from headwater_ir.assumptions import Assumption
from headwater_ir.span import Span

from .naming import Naming

_VALUES = frozenset("reflective uses_pyspark registrations".split())
_SETS = frozenset("declared rebound mutated imported".split())
_OF_NAMES = frozenset(
    """
    never_changed loads attribute_loads only_called speaks_of has_string is_used
    is_optional calls_of may_be_looked_up goes_on_behind
    """.split()
)
_OF_CONTAINERS = frozenset({"assigned", "only_read", "schema_only_read"})
_OF_CONTEXT = frozenset(
    """
    function class_definition constant times_bound bound_by bound_otherwise only_given mentions at_top method
    plain_attribute has_method_like class_binds trusts frames_given may_spell
    """.split()
)
_Reads = tuple[dict[str, int], frozenset[str]]
_CAPTURED: WeakKeyDictionary[ast.stmt, _Reads] = WeakKeyDictionary()


class Question(NamedTuple):
    """``about``: a name, a dotted name as its parts, a node, or a class and a name in it. ``visible``: as
    ``Context.is_visible``."""

    kind: str
    about: Hashable = None
    visible: bool = True

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class that is asked about."""
        first = self.about[0] if isinstance(self.about, tuple) and self.about else None
        return first if isinstance(first, ast.ClassDef) else None

    def of(self, owner: ast.ClassDef) -> Question:
        """The same about another class."""
        assert isinstance(self.about, tuple)
        return self._replace(about=(owner, *self.about[1:]))


class Answer(NamedTuple):
    """``trusted``: what it takes for granted."""

    value: object
    trusted: tuple[Assumption, ...] = ()


class Answers:
    """The answers in one version of a file."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._known: dict[Question, Answer] = {}

    @cached_property
    def naming(self) -> Naming:
        """Where names stand."""
        return Naming(self.names.ctx.tree.body)

    @cached_property
    def _captured(self) -> tuple[Counter[str], set[str]]:
        """As ``_captured`` of all statements."""
        often, asked = Counter[str](), set[str]()
        for statement in self.names.ctx.tree.body:
            read, columns = _captured(statement)
            for name, times in read.items():
                often[name] += times
            asked |= columns
        return often, asked

    def _calling(self, name: str) -> Sequence[ast.stmt]:
        """The statements that may have calls of that last name, which is empty for the value of an expression."""
        return self.names.ctx.naming(name) if name else self.names.ctx.tree.body

    def to(self, question: Question) -> Answer:
        """The answer to ``question``."""
        known = self._known.get(question)
        if known is None:
            ctx = self.names.ctx
            kept, ctx.trusted = ctx.trusted, {}
            try:
                known = self._known[question] = Answer(self._value(question), tuple(ctx.trusted))
            finally:
                ctx.trusted = kept
        return known

    def _value(self, question: Question) -> object:
        names, kind, about = self.names, question.kind, question.about
        if kind in _SETS:
            return about in getattr(names, kind)
        if kind in _VALUES:
            return getattr(names, kind)
        if kind in _OF_NAMES:
            return getattr(names, kind)(about)
        if kind in _OF_CONTAINERS:
            return getattr(Containers.of(names), kind)(about)
        if kind in _OF_CONTEXT:
            return getattr(names.ctx, kind)(about)
        match kind, about:
            case "resolve", tuple(path):
                return names.resolve_path(path, question.visible)
            case "qualified", tuple(path):
                return names.ctx.qualified_path(path, question.visible)
            case "star_modules", _:
                return tuple(names.ctx.star_modules)
            case "binds_unseen", _:
                return names.ctx.binds_unseen
            case "puts_off", _:
                return names.ctx.puts_off
            case "run_by_expressions", _:
                return names.ctx.run_by_expressions
            case "named", str(name):
                return self.naming.kept(name)
            case "called", str(name):
                return any(name in placed(s).calls for s in self._calling(name))
            case "spelled", (str(name), str(text)):
                return sum(times_spelled(s, name, text) for s in self._calling(name))
            case "views_closed", _:
                return Views.of(names).closed
            case "view", str(name):
                return Views.of(names).uses(name)
            case "methods", _:
                return frozenset(names.patches.methods)
            case "of_libraries", _:
                return names.patches.of_libraries
            case "touch", str(origin):
                return names.patches.touch(origin)
            case "may_be", (str(key), str(value)):
                return names.settings.may_be(key, value)
            case "check", _:
                return _refused(names)
            case "captured", str(name):
                return self._captured[0][name] > 0
            case "described", str(name):
                return name in self._captured[1]
        raise ValueError(f"no question: {question}")


def _refused(names: Names) -> tuple[str, str] | None:
    try:
        names.settings.check()
    except Refusal as refusal:
        return refusal.obstruction, refusal.reason
    return None


def _captured(statement: ast.stmt) -> _Reads:
    """How often functions in ``statement`` read names otherwise than for the columns of what they hold, and of which
    they ask for these."""
    if statement not in _CAPTURED:
        read, asked = captured_names([statement]), asked_for_columns([statement])
        _CAPTURED[statement] = {n: often - asked[n] for n, often in read.items()}, frozenset(asked)
    return _CAPTURED[statement]


class AskingPlaces(Places):
    """The syntax of the top level, for the statements ``part`` of it: where names stand elsewhere is asked for."""

    def __init__(self, body: Sequence[ast.stmt], part: Sequence[ast.stmt], log: Log) -> None:
        super().__init__(part)
        self.body, self._part, self._log = body, part, log
        self._asked: set[str] = set()
        self._mine = frozenset(map(id, part))

    def named(self, name: str) -> Sequence[ast.Name]:
        """As ``Places.named``."""
        if name not in self._asked:
            self._asked.add(name)
            self._log.ask(Question("named", name))
            statements = self._log.answers.naming.of(name)
            self._names[name] = [n for s in reversed(statements) for n in placed(s).names[name]]
            for statement in statements:
                if id(statement) not in self._mine:
                    self._around.update(placed(statement).around)
        return super().named(name)

    def times_spelled(self, node: ast.Call) -> int:
        """As ``Places.times_spelled``."""
        return int(self._log.ask(Question("spelled", (called_name(node), ast.dump(node)))))

    def called(self, name: str) -> bool:
        """As ``Places.called``."""
        return bool(self._log.ask(Question("called", name)))

    def concerned(self, name: str) -> Sequence[ast.stmt]:
        """As ``Places.concerned``: what stands behind the last statement that names it is no matter."""
        own = all(id(s) in self._mine for s in self._log.answers.naming.of(name))
        return [s for s in (self._part if own else self.body) if concerns(s, name)]


@dataclass
class Log:
    """What one piece of code has asked. ``everything``: it depends on the whole text. ``before``: the columns that are
    spelled in front of it, by their names in lower case; ``columns``: those that it spells, and how."""

    answers: Answers
    asked: dict[Question, Answer] = field(default_factory=dict)
    everything: bool = False
    before: dict[str, str] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)

    def spelled(self) -> tuple[dict[str, str], frozenset[str]]:
        """How each column counts as spelled, and which are spelled in another way in front."""
        before, columns = self.before, self.columns.items()
        against = frozenset(n for n, own in columns if n in before and any(c != before[n] for c in own))
        return {n: before.get(n, own[0]) for n, own in columns}, against

    def ask(self, question: Question) -> Any:
        """The answer to ``question``."""
        found = self.asked.get(question)
        if found is None:
            found = self.asked[question] = self.answers.to(question)
        return found.value

    def asking(self, kind: str) -> Callable[[Hashable], Any]:
        """A function that asks questions of one kind."""
        known: dict[Hashable, Any] = {}

        def ask(about: Hashable) -> Any:
            if about not in known:
                known[about] = self.ask(Question(kind, about))
            return known[about]

        return ask


class _Body(list[ast.stmt]):
    """The top level: whether a statement is of it may be asked; who looks at more of it depends on all."""

    def __init__(self, log: Log, body: list[ast.stmt]) -> None:
        super().__init__(body)
        self._log = log

    def __contains__(self, statement: object) -> bool:
        return bool(self._log.ask(Question("at_top", statement)))

    def __getattribute__(self, name: str) -> Any:
        if name != "_log":
            self._log.everything = True
        return super().__getattribute__(name)

    def __iter__(self) -> Iterator[ast.stmt]:
        self._log.everything = True
        return super().__iter__()

    def __reversed__(self) -> Iterator[ast.stmt]:
        self._log.everything = True
        return super().__reversed__()

    def __getitem__(self, index: Any) -> Any:
        self._log.everything = True
        return super().__getitem__(index)

    def __len__(self) -> int:
        self._log.everything = True
        return super().__len__()

    def __add__(self, other: Any) -> Any:
        self._log.everything = True
        return super().__add__(other)


class AskingContext:
    """Stands in for ``Context``."""

    def __init__(self, log: Log, names: AskingNames) -> None:
        self._log, self._real = log, log.answers.names.ctx
        self.memo: dict[str, object] = {
            MEMO: names,
            CONTAINERS: _AskingContainers(log),
            VIEWS: _AskingViews(log),
        }
        self.tree = ast.Module(_Body(log, self._real.tree.body), [])

    def span(self, node: ast.AST) -> Span:
        """As ``Context.span``."""
        return self._real.span(node)

    def text(self, node: ast.AST) -> str:
        """As ``Context.text``."""
        return self._real.text(node)

    @property
    def star_modules(self) -> list[str]:
        """As ``Context.star_modules``."""
        return list(self._log.ask(Question("star_modules")))

    @property
    def binds_unseen(self) -> bool:
        """As ``Context.binds_unseen``."""
        return bool(self._log.ask(Question("binds_unseen")))

    @property
    def puts_off(self) -> bool:
        """As ``Context.puts_off``."""
        return bool(self._log.ask(Question("puts_off")))

    @property
    def run_by_expressions(self) -> frozenset[str]:
        """As ``Context.run_by_expressions``."""
        found: frozenset[str] = self._log.ask(Question("run_by_expressions"))
        return found

    def qualified(self, node: ast.expr) -> str | None:
        """As ``Context.qualified``."""
        path = path_of(node)
        return path and self._log.ask(Question("qualified", path[0], self._real.is_visible(path[1])))

    def __getattr__(self, name: str) -> Any:
        if name in _OF_CONTEXT:
            return self.__dict__.setdefault(name, self._log.asking(name))
        self._log.everything = True
        return getattr(self._real, name)


class _AskingContainers:
    """Stands in for ``Containers``."""

    def __init__(self, log: Log) -> None:
        self.assigned = log.asking("assigned")
        self.only_read = log.asking("only_read")
        self.schema_only_read = log.asking("schema_only_read")


class _AskingViews:
    """Stands in for ``Views``."""

    def __init__(self, log: Log) -> None:
        self.uses = log.asking("view")
        self._log = log

    @property
    def closed(self) -> bool:
        """As ``Views.closed``."""
        return bool(self._log.ask(Question("views_closed")))


class _AskingPatches:
    def __init__(self, log: Log) -> None:
        self.touch = log.asking("touch")
        self._log = log

    @property
    def methods(self) -> frozenset[str]:
        """As ``Patches.methods``."""
        return cast(frozenset[str], self._log.ask(Question("methods")))

    @property
    def of_libraries(self) -> frozenset[str]:
        """As ``Patches.of_libraries``."""
        return cast(frozenset[str], self._log.ask(Question("of_libraries")))


class _AskingSettings:
    def __init__(self, log: Log) -> None:
        self._log = log

    @property
    def targets(self) -> Targets:
        """As ``Settings.targets``, which no edit changes."""
        return self._log.answers.names.settings.targets

    def may_be(self, key: str, value: str) -> bool:
        """As ``Settings.may_be``."""
        return bool(self._log.ask(Question("may_be", (key, value))))

    def check(self) -> None:
        """As ``Settings.check``."""
        refused = self._log.ask(Question("check"))
        if refused:
            raise Refusal(*refused)


class AskingNames(Spellings):
    """Stands in for ``Names``."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log, self._real = log, log.answers.names
        self._spelled = self._of_module = dict(log.before)
        self.ctx = AskingContext(log, self)
        self.patches, self.settings = _AskingPatches(log), _AskingSettings(log)
        self._resolved: dict[tuple[tuple[str, ...], bool], str | None] = {}

    def spell(self, column: str) -> None:
        """As ``Names.spell``."""
        if self._spelled is self._of_module:
            self._log.columns.setdefault(column.lower(), []).append(column)
        super().spell(column)

    def resolve(self, node: ast.expr) -> str | None:
        """As ``Names.resolve``."""
        path = path_of(node)
        return self.resolve_path(path[0], self._real.ctx.is_visible(path[1])) if path else None

    def resolve_path(self, path: tuple[str, ...], visible: bool) -> str | None:
        """As ``Names.resolve_path``."""
        asked = path, visible
        if asked not in self._resolved:
            self._resolved[asked] = self._log.ask(Question("resolve", *asked))
        return self._resolved[asked]

    def function(self, node: ast.expr) -> str | None:
        """As ``Names.function``."""
        return Names.function(cast(Names, self), node)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked for by `copy`
            raise AttributeError(name)
        if name in _VALUES:  # from now on it stands in the instance, and nobody comes here
            return self.__dict__.setdefault(name, self._log.ask(Question(name)))
        if name in _SETS:
            return self.__dict__.setdefault(name, _AskingSet((self._log.asking(name),)))
        if name in _OF_NAMES:
            return self.__dict__.setdefault(name, self._log.asking(name))
        self._log.everything = True
        return getattr(self._real, name)


class _AskingSet(Set[str]):
    """Stands in for sets of names, or for what is in one of several: which are in it is asked for one by one."""

    def __init__(self, parts: tuple[Callable[[Hashable], Any], ...]) -> None:
        self._parts = parts

    @classmethod
    def _from_iterable(cls, names: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        return frozenset(names)

    def __contains__(self, name: object) -> bool:
        return any(part(name) for part in self._parts)

    def __or__(self, other: object) -> Any:
        if not isinstance(other, _AskingSet):
            return NotImplemented
        return _AskingSet((*self._parts, *other._parts))

    def __iter__(self) -> Iterator[str]:
        raise TypeError("which names there are is not asked for")

    def __len__(self) -> int:
        raise TypeError("how many names there are is not asked for")


class Captured(dict[str, int]):
    """The names that functions read which stand at the top level, asked for one by one. ``kind``: ``captured``, or
    ``described`` for those of which they ask for the columns."""

    def __init__(self, log: Log, kind: str) -> None:
        super().__init__()
        self._log, self._kind = log, kind

    def __missing__(self, name: str) -> int:
        return int(self._log.ask(Question(self._kind, name)))


__all__ = ["Answers", "AskingContext", "AskingNames", "Captured", "Context", "Log", "Question"]
