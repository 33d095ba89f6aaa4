"""HW203: whether the rows that a reader returns pass the filters that it keeps.

Spark applies again what ``pushFilters`` hands back, and nothing else. So a reader is run, by the evaluator of
``headwater.validation`` that reads its syntax tree, with a filter pushed and without one, on the same rows: those in
the file, or such as the source may hold. The rows with the filter must be those of the rows without it that pass.
Where they are not, the row that shows it is the finding. It is reported only if that holds however conditions on things
outside of the file are decided, and if the outside was asked nothing else for the filter. No such row is no proof, and
silence. A filter that is handed back may be used to read less: then Spark removes rows too many, and nothing brings
back a row that passes and was left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from headwater.validation.limits import NotEvaluated

from .columns import ALL, PLAIN, SAMPLED, WITHOUT_NULL, Column, fits, paths, rows
from .filters import Filter, as_pushed, conditions, passes, value_at
from .outside import POLICIES, Outer
from .reading import UNKNOWN, Endless, Reader, Readers, Returned

_MOST_VALUES = 7
_MOST_COLUMNS = 10


@dataclass(frozen=True)
class Wrong:
    """A filter that is kept and not applied, or handed back (``back``) while rows that pass are left out. ``kind``:
    its class; ``filters``: the condition that shows it; ``row``: by column, empty where nothing that the reader does
    depends on filters of the class; ``extra``: the row does not pass and is returned, else it passes and is not; None
    where the database refuses the query. ``outside``: it is a row that the source may hold, not one in the file."""

    kind: str
    filters: tuple[Filter, ...]
    row: tuple[tuple[str, Any], ...]
    extra: bool | None
    outside: bool
    back: bool = False


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a reader, by class of filters and column; ``superset``: it only returns rows too many."""

    reader: Reader
    wrong: tuple[Wrong, ...]
    superset: bool

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes."""
        return tuple(dict.fromkeys(w.kind for w in self.wrong))


class _Unclear(Exception):
    """Nothing is known of what is asked."""


def judged(text: str) -> list[Verdict]:
    """The readers of a text that keep filters which they do not apply."""
    if "pushFilters" not in text:
        return []
    try:
        readers = Readers(text)
        found = list(readers.found())
    except (NotEvaluated, RecursionError, SyntaxError, ValueError):
        return []
    verdicts = list[Verdict]()
    for reader in found:
        if all(v.reader.node is not reader.node for v in verdicts):
            verdict = _Judgement(readers, reader).verdict()
            if verdict.wrong:
                verdicts.append(verdict)
    return verdicts


class _Judgement:
    """One reader."""

    def __init__(self, readers: Readers, reader: Reader) -> None:
        self.readers, self.reader = readers, reader
        self.columns = {p: c for p, c in paths(reader.columns) if c.type.name in SAMPLED}
        self._bases: dict[tuple[str, int], Returned | NotEvaluated] = {}

    def verdict(self) -> Verdict:
        """What is wrong with it."""
        found, superset = dict[tuple[str, tuple[str, ...]], Wrong](), True
        self._same: dict[str, list[tuple[Filter, ...]]] = {}
        self._other: set[str] = set()
        try:
            for parts in self._conditions():
                wrong = self._judged(as_pushed(parts, self.columns), parts)
                for w in wrong:
                    superset = superset and w.extra is True
                    path = next(f.path for f in reversed(w.filters) if f.name == w.kind)
                    found.setdefault((w.kind, path), w)
        except NotEvaluated:
            return Verdict(self.reader, tuple(found.values()), superset)  # out of steps: what was seen was seen
        for kind, shown in self._same.items():
            if kind not in self._other:
                found.setdefault((kind, shown[0][-1].path), Wrong(kind, shown[0], (), True, True))
        return Verdict(self.reader, tuple(found.values()), superset)

    # --- what is asked

    def _conditions(self) -> Iterator[tuple[Filter, ...]]:
        usable = [(p, c) for p, c in self.columns.items() if c.type.bits != 32 or c.type.name != "float"]
        values = {p: self._values(p, c) for p, c in usable[:_MOST_COLUMNS]}
        for path, column in usable[:_MOST_COLUMNS]:
            yield from conditions(path, column, values[path])
        some = [(p, v[0]) for p, v in values.items() if v]
        for (p, v), (q, w) in pairwise(some):
            yield (Filter("EqualTo", p, v), Filter("EqualTo", q, w))
            yield (Filter("EqualTo", q, w), Filter("EqualTo", p, v))

    def _values(self, path: tuple[str, ...], column: Column) -> list[Any]:
        """Values of a column to compare with: those that the source has, and others."""
        had = list[Any]()
        for policy in POLICIES:
            with suppress(NotEvaluated):
                had = had or [self._at(r, path) for r in self._base(policy, ALL).rows]
        own = [v for v in dict.fromkeys(map(_hashable, had)) if v is not None and v is not UNKNOWN and fits(column, v)]
        more = [v for r in rows((column,), WITHOUT_NULL) if (v := r[column.name]) is not None]
        if column.type.name == "string":
            ends = [v[1:] for v in own[:1] if len(v) > 1]
            more = ["%", "_", *(v.swapcase() for v in own[:1] if v.swapcase() != v), *ends, "O'Brien", ""]
        return [*dict.fromkeys((*own[:3], *more))][: _MOST_VALUES + 1]

    # --- what is answered

    def _judged(self, pushed: tuple[Filter, ...], parts: tuple[Filter, ...]) -> list[Wrong]:
        """What of the condition ``parts`` is kept and shown not to be applied."""
        answers = list[Wrong | None]()
        for policy in POLICIES:
            try:
                answer, decided = self._under(policy, pushed, parts)
            except (_Unclear, NotEvaluated) as unclear:
                if self.readers.world.meter.left <= 0:
                    raise NotEvaluated("too many steps") from None
                if str(unclear) == "no rows":
                    continue
                self._other |= {f.name for f in parts}
                return []
            answers.append(answer)
            if not decided or answer is None:
                break
        return [a for a in answers[:1] if a is not None] if all(answers) else []

    def _under(
        self, policy: str, pushed: tuple[Filter, ...], parts: tuple[Filter, ...]
    ) -> tuple[Wrong | None, bool]:  # fmt: skip
        """The row that shows it under one policy, if any, and whether the policy was asked."""
        refused, asked, back = 0, False, False
        for oddity in (ALL, WITHOUT_NULL, PLAIN):
            try:
                base = self._base(policy, oddity)
            except Endless:
                raise _Unclear("no rows") from None
            if base.error is None and not base.rows:
                raise _Unclear("no rows")
            if base.error is not None:
                if not base.used:
                    raise _Unclear("no rows")
                continue
            got = self._run(policy, oddity, pushed)
            asked = asked or base.decided or got.decided
            kept = [f for i, f in enumerate(pushed) if i in got.kept]
            mine = [f for f in kept if f in parts]
            back = not mine
            if back:
                narrowed = self._narrowed(policy, oddity, pushed)
                if narrowed is None or not {*narrowed.asked} <= {*base.asked}:
                    return None, asked
                got, asked = narrowed, asked or narrowed.decided
            if got.refused:
                refused += 1
                continue
            if got.error is not None:
                if not base.used:
                    return None, asked
                continue
            if not {*got.asked} <= {*base.asked}:
                raise _Unclear("the source is told of the filter")
            return self._difference(base, got, pushed, mine, parts), asked
        if refused:
            return Wrong(parts[-1].name, parts, (), None, False, back), asked
        raise _Unclear("no rows")

    def _narrowed(self, policy: str, oddity: int, pushed: tuple[Filter, ...]) -> Returned | None:
        """What is returned although the filters are handed back; None where that is not known."""
        try:
            return self._run(policy, oddity, pushed, through=True)
        except NotEvaluated:
            if self.readers.world.meter.left <= 0:
                raise
            return None

    def _difference(
        self, base: Returned, got: Returned, pushed: tuple[Filter, ...], mine: list[Filter], parts: tuple[Filter, ...]
    ) -> Wrong | None:  # fmt: skip
        back = tuple(f for i, f in enumerate(pushed) if i not in got.kept)
        before, after = Counter(base.signs), Counter(got.signs)
        unused = base.signs == got.signs and base.asked == got.asked
        if any(sign not in before for sign in after):
            changed = self._not_passing(
                [v for v, s in zip(got.rows, got.signs, strict=True) if s not in before], pushed, back
            )
            if changed is not None and mine:
                return Wrong(mine[-1].name, pushed, changed, True, base.used)
            if not mine:
                return None
            raise _Unclear("rows of another form")
        known = 0
        for values, sign in zip(base.rows, base.signs, strict=True):
            row = {c.name: v for c, v in zip(self.reader.columns, values, strict=True)}
            if not self._is_known(row, pushed):
                continue
            known += 1
            wanted, returned = passes(pushed, row), sign in after and passes(back, row)
            if wanted != returned or (returned and before[sign] != after[sign]):
                told = _told(row, pushed)
                return Wrong((mine or parts)[-1].name, pushed, told, not wanted, base.used, not mine)
        if not mine:
            return None
        if unused and base.signs and not known:
            self._same.setdefault(mine[-1].name, []).append(pushed)
        else:
            self._other.add(mine[-1].name)
        return None

    def _not_passing(
        self, returned: list[tuple[Any, ...]], pushed: tuple[Filter, ...], back: tuple[Filter, ...]
    ) -> tuple[tuple[str, Any], ...] | None:
        """What is told of a row that Spark keeps and that does not pass, wherever it is from; None if there is none."""
        for values in returned:
            row = {c.name: v for c, v in zip(self.reader.columns, values, strict=True)}
            if self._is_known(row, pushed) and passes(back, row) and not passes(pushed, row):
                return _told(row, pushed)
        return None

    def _is_known(self, row: dict[str, Any], filters: tuple[Filter, ...]) -> bool:
        """Whether the values that the filters read are such as Spark stores as they are."""
        for f in filters:
            try:
                value = value_at(row, f.path)
            except (KeyError, TypeError):
                return False
            if value is UNKNOWN or not (value is None or fits(self.columns[f.path], value)):
                return False
        return True

    def _at(self, values: tuple[Any, ...], path: tuple[str, ...]) -> Any:
        row = {c.name: v for c, v in zip(self.reader.columns, values, strict=True)}
        try:
            return value_at(row, path)
        except (KeyError, TypeError):
            return UNKNOWN

    def _base(self, policy: str, oddity: int) -> Returned:
        if (policy, oddity) not in self._bases:
            try:
                self._bases[policy, oddity] = self._run(policy, oddity, None)
            except NotEvaluated as reason:
                self._bases[policy, oddity] = reason
        known = self._bases[policy, oddity]
        if isinstance(known, NotEvaluated):
            raise known
        return known

    def _run(
        self, policy: str, oddity: int, filters: tuple[Filter, ...] | None, through: bool = False
    ) -> Returned:  # fmt: skip
        columns = self.reader.columns
        return self.readers.run(self.reader, filters, Outer(columns, rows(columns, oddity), policy), through)


def _told(row: dict[str, Any], filters: tuple[Filter, ...]) -> tuple[tuple[str, Any], ...]:
    """The values of a row that the filters look at."""
    return tuple((".".join(p), value_at(row, p)) for p in dict.fromkeys(f.path for f in filters))


def _hashable(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, type(None))) or hasattr(value, "isoformat") else UNKNOWN


__all__ = ["Verdict", "Wrong", "judged"]
