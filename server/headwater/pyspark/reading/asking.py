"""Stand-ins for the names and the text of a file that note each question which a piece of code asks of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from typing import Any, cast

from headwater.pyspark.frames.placed import called_name, concerns, placed
from headwater.pyspark.sql_text.views import VIEWS
from headwater.pyspark.walls.places import Places
from headwater.python.effects.containers_read import CONTAINERS
from headwater.syntax.names.module_scope import path_of
from headwater.syntax.names.resolve import MEMO, Names, Spellings
from headwater.syntax.names.spark_versions import Targets
from headwater.syntax.refusal import Refusal
from headwater_ir.span import Span

from .queries import OF_CONTEXT, OF_NAMES, SETS, VALUES, Log, Question


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

    def attributes_of(self, name: str) -> frozenset[str]:
        """As ``Places.attributes_of``."""
        return cast(frozenset[str], self._log.ask(Question("attributes_of", name)))

    def given_to(self, name: str) -> frozenset[str]:
        """As ``Places.given_to``."""
        return cast(frozenset[str], self._log.ask(Question("given_to", name)))

    def made_with(self, name: str) -> frozenset[str]:
        """As ``Places.made_with``."""
        return cast(frozenset[str], self._log.ask(Question("made_with", name)))

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

    def is_linked(self, node: ast.AST) -> bool:
        """As ``Context.is_linked``."""
        return self._real.is_linked(node)

    def readable_at(self, span: Span) -> str:
        """As ``Context.readable_at``."""
        return self._real.readable_at(span)

    def starred_after(self, name: str, line: int, own: bool = True) -> bool:
        """As ``Context.starred_after``: without star imports none stands behind any line."""
        if not self.star_modules:
            return False
        self._log.everything = True
        return self._real.starred_after(name, line, own)

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
        if name in OF_CONTEXT:
            return self.__dict__.setdefault(name, self._log.asking(name))
        self._log.everything = True
        return getattr(self._real, name)


class _AskingContainers:
    """Stands in for ``Containers``."""

    def __init__(self, log: Log) -> None:
        self.assigned = log.asking("assigned")
        self.only_read = log.asking("only_read")
        self.never_changed = log.asking("never_changed")
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
        self._functions: dict[int, tuple[ast.expr, str | None]] = {}
        """By the identity of a node, which is kept so that nothing else gets it."""

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
        known = self._functions.get(id(node))
        if known is None:
            known = self._functions[id(node)] = node, Names.function(cast(Names, self), node)
        return known[1]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked for by `copy`
            raise AttributeError(name)
        if name in VALUES:  # from now on it stands in the instance, and nobody comes here
            return self.__dict__.setdefault(name, self._log.ask(Question(name)))
        if name in SETS:
            return self.__dict__.setdefault(name, _AskingSet((self._log.asking(name),)))
        if name in OF_NAMES:
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
        if len(self._parts) == 1:
            return bool(self._parts[0](name))
        return any(part(name) for part in self._parts)

    def __or__(self, other: object) -> Any:
        if not isinstance(other, Set):
            return NotImplemented
        return _AskingSet((*self._parts, *(other._parts if isinstance(other, _AskingSet) else (other.__contains__,))))

    __ror__ = __or__

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
