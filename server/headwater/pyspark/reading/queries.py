"""What a piece of code asks about the rest of its file while it is followed, with the answers.

``AskingNames`` and ``AskingContext`` stand in for ``Names`` and ``Context``. They know which questions there are. The
answers are plain values, or syntax trees, which are the same as long as their statements are. Code that looks at
anything else of the file depends on all of its text.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from headwater.pyspark.frames.placed import NOTED_OF_NAMES, noted_of, placed, spelled
from headwater.pyspark.sql_text.views import Views
from headwater.python.effects.containers_read import Containers
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import asked_for_columns, captured_names
from headwater_ir.assumptions import Assumption

from .naming import Naming

VALUES = frozenset("reflective uses_pyspark".split())
SETS = frozenset("declared rebound mutated imported".split())
OF_NAMES = frozenset(
    """
    loads attribute_loads only_called speaks_of has_string is_used
    is_optional names_a_frame may_be_looked_up goes_on_behind registered may_spell
    """.split()
)
_OF_CONTAINERS = frozenset({"assigned", "only_read", "never_changed", "schema_only_read"})
OF_CONTEXT = frozenset(
    """
    function class_definition constant times_bound bound_by bound_otherwise only_given mentions at_top method
    plain_attribute has_method_like class_binds trusts frames_given own_name
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
        self._spelled: dict[str, Counter[str]] = {}

    @cached_property
    def naming(self) -> Naming:
        """Where names stand."""
        return Naming(self.names.ctx.tree.body)

    @cached_property
    def _captured(self) -> tuple[dict[str, int], set[str]]:
        """As ``_captured`` of all statements."""
        often, asked = dict[str, int](), set[str]()
        for statement in self.names.ctx.tree.body:
            read, columns = _captured(statement)
            for name, times in read.items():
                often[name] = often.get(name, 0) + times
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
        if kind in SETS:
            return about in getattr(names, kind)
        if kind in VALUES:
            return getattr(names, kind)
        if kind in OF_NAMES:
            return getattr(names, kind)(about)
        if kind in _OF_CONTAINERS:
            return getattr(Containers.of(names), kind)(about)
        if kind in OF_CONTEXT:
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
            case _, str(name) if kind in NOTED_OF_NAMES:
                return noted_of(kind, self.naming.of(name), name)
            case "called", str(name):
                return any(name in placed(s).calls for s in self._calling(name))
            case "spelled", (str(name), str(text)):
                if name not in self._spelled:
                    self._spelled[name] = spelled(self._calling(name), name)
                return self._spelled[name][text]
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
                return self._captured[0].get(name, 0) > 0
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
