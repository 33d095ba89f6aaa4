"""Which functions do more than to compute their values, kept from one version of a text to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from headwater.syntax.names.resolve import Names
from headwater_ir.assumptions import Assumption

from .asking import AskingNames
from .handed_over import Handed, is_seen_to_do_more
from .queries import Answer, Answers, Log, Question


@dataclass(frozen=True)
class _Seen:
    """Whether a function does ``more``, by what it ``asked`` of the rest of the file; ``asked`` is None if it depends
    on the whole file."""

    more: bool
    asked: dict[Question, Answer] | None
    trusted: tuple[Assumption, ...]


class EffectsKept:
    """What the functions of one version do; ``before``: those of the version before it."""

    def __init__(self, answers: Answers, assume_pure: frozenset[str], before: EffectsKept | None) -> None:
        self._answers, self._pure = answers, assume_pure
        self._before = before._seen if before else dict[Handed, _Seen]()
        self._seen: dict[Handed, _Seen] = {}

    @property
    def trusted(self) -> list[Assumption]:
        """What was taken for granted for it."""
        return [stated for seen in self._seen.values() for stated in seen.trusted]

    def does_more(self, function: Handed) -> bool:
        """Whether ``function`` is seen to do more than to compute its value."""
        if function not in self._seen:
            known = self._before.get(function)
            self._seen[function] = known if known and self._holds(known) else self._look_at(function)
        return self._seen[function].more

    def _holds(self, seen: _Seen) -> bool:
        return seen.asked is not None and all(self._answers.to(q) == a for q, a in seen.asked.items())

    def _look_at(self, function: Handed) -> _Seen:
        log = Log(self._answers)
        more = is_seen_to_do_more(cast(Names, AskingNames(log)), self._pure, function)
        apart = not log.everything and not any(q.owner for q in log.asked)
        trusted = tuple(dict.fromkeys(stated for a in log.asked.values() for stated in a.trusted))
        return _Seen(more, log.asked if apart else None, trusted)
