"""The user's function beside the fold that was read off it, on sampled groups.

Law: a fold is a reading of a function only if it gives, for every group in every order, what the function gives, and
raises nowhere where the function does not. An error that a row causes by itself may be missing in a fold: a pre-filter
only removes rows.
"""

from __future__ import annotations

import ast
import datetime as dt
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from headwater.semantics.calls import EXACT
from headwater.semantics.interpreter import Env, EvaluationError, Machine, evaluate
from headwater_ir.asked import condition_of
from headwater_ir.expr import TRUE, Expr, Lit, Scalar, columns_of, slots_of, walk
from headwater_ir.expr import Call as OpaqueCall
from headwater_ir.plan import UserCode
from headwater_ir.problem import Fold
from headwater_ir.types import ANY, Type

from .calls import PASSED_OVER, PASSES, Call, Stored
from .frames import Vectorised
from .grouped import CALLS, Grouped
from .limits import Meter, NotEvaluated, UnknownColumn
from .program import Program
from .samples import Row, Samples, constants, with_natives
from .world import World

_MORE_COLUMNS = 6
_LARGE = 1 << 1000
"""Of a size that a double still has."""
_PLAIN = 1000
"""Whole numbers that stay within the width of their column whatever is computed of them, as a rule."""
LEAST = 8
"""Groups that must have been compared for a boundary to count as validated."""


@dataclass(frozen=True)
class Validated:
    """On ``groups`` groups the function gave what the fold gives."""

    groups: int

    def __str__(self) -> str:
        return f"{self.groups} groups"


@dataclass(frozen=True)
class NotValidated:
    """The function was not evaluated."""

    reason: str

    def __str__(self) -> str:
        return f"not validated: {self.reason}"


@dataclass(frozen=True)
class Difference:
    """On ``rows`` the function gives ``own`` and the fold ``read``. ``params``: the values of driver variables."""

    rows: tuple[Row, ...]
    params: Row
    own: str
    read: str

    def __str__(self) -> str:
        given = f" with {self.params!r}" if self.params else ""
        return f"of {list(self.rows)!r}{given} the function makes {self.own}, and the fold read off it {self.read}"


Validation = Validated | NotValidated | Difference


class Raised(str):
    """An error, in the place of outputs."""


def validate(program: Program, codes: tuple[UserCode, ...], fold: Fold, types: Mapping[str, Type]) -> Validation:
    """``fold`` beside the functions ``codes`` of ``program``. ``types``: what is assumed of columns of which the
    schema says nothing. What the fold answers of conditions on its outputs is compared with what they are of those that
    the functions make."""
    if not codes:
        return NotValidated("it is not known how the function is called")
    unknown = next((c.how for c in codes if c.how not in CALLS), None)
    if unknown is not None:
        return NotValidated(f"a function for `{unknown}`")
    try:
        made = replace(fold, outputs=tuple(o for o in fold.outputs if condition_of(o.name) is None))
        calls = [CALLS[c.how](program, c, made, types) for c in codes]
        return _Comparison(program, calls, fold, types).run()
    except NotEvaluated as reason:
        return NotValidated(str(reason))
    except RecursionError:
        return NotValidated("an expression is nested too deeply")


class _Comparison:
    """One fold and its functions."""

    def __init__(self, program: Program, calls: list[Call], fold: Fold, types: Mapping[str, Type]) -> None:
        self.calls, self.fold, self.world = calls, fold, World(program, Meter())
        self.columns = {c.name: types.get(c.name, c.type) for c in fold.columns if not c.ghost}
        self.ghosts = {c.name: False for c in fold.columns if c.ghost}
        self.keyed = fold.rows == "many" and bool(fold.step) and all(map(_is_of_rows, fold.step))
        if self.keyed:
            fold = self.fold = _of_keys(fold)
            for call in calls:
                call.keyed = frozenset(o.name for o in fold.outputs)
        self.sorts = any(_sorts(n) for c in calls for n in c.nodes)
        opaque = [*fold.init, *fold.step, fold.emit, *(fold.merge or ())]
        if name := next(filter(None, map(_opaque, opaque)), None):
            raise NotEvaluated(f"`{name}` is taken for some function")
        self.known = {o.name for o in fold.outputs if not _opaque(o.value) and not self._is_free(o.value)}
        self.asked = {o.name: asked for o in fold.outputs if (asked := condition_of(o.name)) is not None}
        if fold.rows == "one":  # what is not known of one output is nothing to the others
            fold = replace(fold, outputs=tuple(o for o in fold.outputs if o.name in self.known))
        self.machine = Machine(fold)
        if not any(n in self.known for n in (*self.asked, *(n for c in calls for n in c.names))):
            raise NotEvaluated("no output has a value that is known")

    def _is_free(self, e: Expr) -> bool:
        return any(getattr(n, "name", None) in self.ghosts for n in walk(e))

    def run(self) -> Validation:
        """Compare on every sample."""
        read = {n: t for n, t in self.columns.items() if "(" not in n}
        for call in self.calls:
            for f in call.code.source.fields:
                if f.name not in read and f.type.name in _SAMPLED:
                    read[f.name] = f.type
        for _ in range(_MORE_COLUMNS):
            try:
                return self._over(read)
            except UnknownColumn as column:
                read[column.name] = ANY
            except Vectorised:
                for call in self.calls:
                    if not isinstance(call, Grouped) or call.libraries is not None:
                        raise
                    call.install()
        raise NotEvaluated("it reads many columns that are not known")

    def _over(self, columns: Mapping[str, Type]) -> Validation:
        """Compare on every sample of these columns."""
        fold, done, reason = self.fold, 0, "every sampled group makes the function raise"
        nodes = [n for c in self.calls for n in c.nodes]
        params = {p.name: p.type for p in fold.params}
        exact = any(a.kind == "range" for a in fold.assumptions)
        own = [*constants(nodes), *(c for e in self.asked.values() for c in _compared(e))]
        self.samples = Samples(own, fold.facts, frozenset(fold.keys), exact)
        for rows, given in self.samples.groups(columns, params):
            for group in [[r] for r in rows] if fold.rows == "one" else [rows]:
                try:
                    found = self._compare(group, given)
                except NotEvaluated as refused:
                    if self.world.meter.left <= 0 and done >= LEAST:
                        return Validated(done)
                    if refused in PASSED_OVER:
                        reason = str(refused)
                        continue
                    raise
                if found is not None:
                    return found
                done += self._counted
            apart = self._apart(rows, given) if fold.rows == "one" else None
            if apart is not None:
                return apart
        return Validated(done) if done >= LEAST else NotValidated(reason)

    def _compare(self, rows: list[Row], given: Row) -> Difference | None:
        self._counted = False
        ways = [[rows]]
        if self.calls[0].merges and len(rows) > 1:
            ways.append([rows[: len(rows) // 2], rows[len(rows) // 2 :]])
        for parts in ways:
            own, read = self._own(parts, given), self._read(parts, given)
            if self.keyed and (own is None or isinstance(own, Raised)):
                continue  # groups are kept or dropped whole: when one gives no row, or an error, is not said
            if isinstance(own, Raised):
                if isinstance(read, Raised) or self._raises_anyway(rows, given):
                    continue
            elif _same(own, read, self.known) or (self.sorts and self._same_in_some_order(own, parts, given)):
                self._counted = True
                continue
            elif self.sorts and len(rows) > _MOST_ORDERED:
                continue
            return Difference(tuple(rows), given, _shown(own), _shown(read))
        return None

    def _apart(self, rows: list[Row], given: Row) -> Difference | None:
        """Where a function of groups does not give of ``rows`` what it gives of each by itself. That it raises for all
        together alone is no difference: fewer rows come of a pre-filter."""
        for call in self.calls:
            if not isinstance(call, Grouped) or call.code.how != "applyInPandas":
                continue
            if call.assumes_range and any(type(v) is int and abs(v) > _PLAIN for r in rows for v in r.values()):
                continue
            self.world.start(given)
            try:
                whole = call.rows_of(self.world, rows)
            except NotEvaluated:
                return None
            except Exception as error:
                self.world.meter.weigh(error)
                return None
            try:
                each = [made for row in rows for made in call.rows_of(self.world, [row], rows)]
            except NotEvaluated:
                return None
            except Exception as error:
                self.world.meter.weigh(error)
                return Difference(tuple(rows), given, _shown_rows(whole), f"an error of a row alone ({error})"[:200])
            if _shown_rows(whole) != _shown_rows(each):
                return Difference(tuple(rows), given, _shown_rows(whole), f"{_shown_rows(each)} of each row alone")
        return None

    def _same_in_some_order(self, own: Stored, parts: list[list[Row]], given: Row) -> bool:
        """Whether the fold gives it for the rows in some order: it is read of rows as the function has sorted them, and
        is proved about for every order."""
        if len(parts) > 1 or len(parts[0]) > _MOST_ORDERED:
            return False
        return any(_same(own, self._read([list(p)], given), self.known) for p in itertools.permutations(parts[0]))

    def _raises_anyway(self, rows: list[Row], given: Row) -> bool:
        """Whether the function raises however many rows come beside these: then no pre-filter makes an error, for it
        only removes rows."""
        if self.fold.rows == "one":
            return True
        others = self.samples.beside(rows, given)
        larger = [more for r in others for more in ([*rows, r], [r, *rows])] + [[*others, *rows], [*rows, *others]]
        return all(isinstance(self._own([more], given), Raised) for more in larger)

    def _own(self, parts: list[list[Row]], given: Row) -> Stored | Raised:
        """What the functions make of a group."""
        found: dict[str, Any] = {}
        for call in self.calls:
            self.world.start(given)
            try:
                made = call.run(self.world, parts)
            except RecursionError:
                raise NotEvaluated("a deep recursion") from None
            except Exception as error:
                self.world.meter.weigh(error)
                return Raised(f"an error ({type(error).__name__}: {error})"[:200])
            if made is None:
                return None
            found |= made
        row = Env(found)
        return found | {n: evaluate(e, row) for n, e in self.asked.items() if columns_of(e) <= found.keys()}

    def _shows_none(self, ghost: str, rows: list[Row]) -> bool:
        """Whether pandas shows a NULL of the column that ``ghost`` speaks of as None, as it does among texts."""
        column = ghost.partition("`")[2].partition("`")[0]
        return any(isinstance(r.get(column), (str, bool, dt.date)) for r in rows)

    def _read(self, parts: list[list[Row]], given: Row) -> Stored | Raised:
        """What the fold makes of it."""
        machine, names = self.machine, self.fold.columns
        ghosts = {n: self._shows_none(n, parts[0]) for n in self.ghosts}
        full = [[with_natives(r, names=[c.name for c in names]) | ghosts for r in part] for part in parts]
        try:
            if self.fold.rows == "one":
                found = machine.row_output(full[0][0], given)
            else:
                keys = full[0][0]
                state = machine.start(keys, given)
                for i, part in enumerate(full):
                    own = machine.start(keys, given)
                    for row in part:
                        own = machine.step(own, row, given)
                    state = own if i == 0 else machine.merge(state, own, keys, given)
                found = machine.output(state, keys, given)
        except EvaluationError as error:
            return Raised(f"an error ({error})")
        if found is not None and self.calls[0].code.how in _OF_TESTS:
            passes = all(v is True for n, v in found.items() if n in self.known)
            if passes and (len(self.known) < len(self.fold.outputs) or self.calls[0].code.how.startswith("some ")):
                return {}  # whether the element passes what has no model is not known
            return {PASSES: passes}
        return found


_OF_TESTS = ("tests", "some tests", "condition", "some condition", "masks", "some masks")
"""Ways of calling whose outputs are conditions."""


def _is_of_rows(e: Expr) -> bool:
    """Whether a state stands for the rows of the group, of which the fold says nothing."""
    return isinstance(e, OpaqueCall) and e.kind == "state"


def _of_keys(fold: Fold) -> Fold:
    """What such a fold says: the outputs that are made of keys."""
    kept = tuple(o for o in fold.outputs if not _opaque(o.value) and not slots_of(o.value))
    if not kept:
        raise NotEvaluated("no output has a value that is known")
    return replace(fold, slots=(), init=(), step=(), merge=None, emit=TRUE, outputs=kept)


def _sorts(code: ast.AST) -> bool:
    """Whether the code sorts something, perhaps the rows."""
    words = (getattr(n, "attr", None) or getattr(n, "id", None) for n in ast.walk(code))
    return not _SORTING.isdisjoint(words)


_SORTING = frozenset("argsort sort sort_by sort_index sort_indices sort_values sorted".split())
_MOST_ORDERED = 4
"""Rows whose orders are all tried."""
_SAMPLED = frozenset({"bool", "int", "float", "string", "date", "timestamp", "number", "any"})


def _compared(asked: Expr) -> Iterator[Scalar]:
    """The constants of a condition, and the ends of the years that they may be."""
    for value in (n.value for n in walk(asked) if isinstance(n, Lit) and n.value is not None):
        yield value
        if type(value) is int and dt.MINYEAR < value < dt.MAXYEAR:
            yield from (dt.datetime(value, 1, 1), dt.datetime(value, 12, 31))


def _opaque(e: Expr) -> str | None:
    """The name of a function in ``e`` of which nothing is known."""
    return next((n.name for n in walk(e) if isinstance(n, OpaqueCall) and n.name not in EXACT), None)


def _same(own: Stored, read: Stored | Raised, known: set[str]) -> bool:
    if isinstance(read, Raised):
        return False
    if own is None or read is None:
        return own is read
    return all(_equal(own[n], read[n]) for n in own if n in read and (n == PASSES or n in known))


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, bool) is not isinstance(b, bool) or (a is None) is not (b is None):
        return False
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a):
        return math.isnan(b)
    if isinstance(a, float) and isinstance(b, int):  # a whole number that is stored in a column of doubles
        return a == b or (abs(b) < _LARGE and a == float(b))
    return bool(a == b)


def _shown_rows(rows: list[dict[str, Any]]) -> str:
    """The bag of ``rows``."""
    return ", ".join(sorted(repr(sorted(row.items())) for row in rows))


def _shown(found: Stored | Raised) -> str:
    if found is None:
        return "no row"
    return str(found) if isinstance(found, Raised) else repr(found)
