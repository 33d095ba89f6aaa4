"""What the front end reads off a program, beside the program itself: no solver, so every program that is understood can
be tried, proved or not.

Law: where the program does not raise on a table, the fold problem's outputs that pass its predicate are the program's
rows. (Where it raises the fold may still yield a value.)
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import read
from headwater.operators.move import Stopped, move
from headwater.semantics.calls import EXACT
from headwater.semantics.interpreter import Env, EvaluationError, Machine, MaybeState, holds, passes
from headwater_ir.expr import Call, Expr, columns_of, params_of, walk
from headwater_ir.plan import Aggregate, Filter, GroupMap, Plan, RowUdf, Scan
from headwater_ir.problem import FoldProblem
from headwater_ir.types import FLOAT
from tests.results import Failed, comparable
from tests.small_spark import result_of
from tests.small_spark.frame import DataFrame, Parts

from .rows import dealt, narrowed, one_key_each, random_rows, small_integers
from .write import Program

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """The problem of the last filter of a program, and the filters of the frame above and below its boundary."""

    problem: FoldProblem
    above: tuple[Filter, ...]
    below: tuple[Filter, ...]
    by_row: bool


def reading(program: Program) -> Reading | None:
    """What the front end makes of the last filter; None if it refuses, or if other operators are in between."""
    module = read(program.source, Options(schemas=program.schemas))
    end = len(program.source.rstrip())
    for top in module.filters:
        if top.call.end != end:
            continue
        moved = move(top)
        if isinstance(moved, Stopped) or not isinstance(moved.boundary, (RowUdf, Aggregate, GroupMap)):
            return None
        above = _filters(top.child, lambda at, end=moved.boundary: at is end)
        if above is None:
            return None
        below = _filters(moved.boundary.child, lambda at: isinstance(at, Scan))
        if below is None or any(params_of(c.condition) for f in (*above, *below) for c in f.conjuncts):
            return None
        if any(c.ghost for c in moved.problem.fold.columns) or moved.problem.fold.params:
            return None
        names = {f.name for f in program.tables[0].fields}
        if _rounds(program) or any(_opaque(e) for e in _expressions(moved.problem)):
            return None
        if not {c.name for c in moved.problem.fold.columns} <= names:
            return None
        by_row = isinstance(moved.boundary, RowUdf) or moved.problem.fold.rows == "one"
        if by_row and ".flatMap(" in program.source:  # which makes several rows of one
            return None
        return Reading(moved.problem, above, below, by_row)
    return None


def _rounds(program: Program) -> bool:
    """Whether it averages 64-bit integers, which Spark adds up as doubles and the interpreter as integers: beyond 2⁵³
    they differ. Nothing is proved of what a sum comes to, so nothing rests on it."""
    return "F.avg(" in program.source and "bigint" in program.spelled


def _expressions(problem: FoldProblem) -> Iterator[Expr]:
    fold = problem.fold
    yield from (problem.predicate, fold.emit, *fold.init, *fold.step, *(fold.merge or ()))
    yield from (o.value for o in fold.outputs)


def _opaque(e: Expr) -> bool:
    """Whether the model leaves open what a function does."""
    return any(isinstance(n, Call) and n.name not in EXACT for n in walk(e))


def _filters(at: Plan, end: Callable[[Plan], bool]) -> tuple[Filter, ...] | None:
    """The filters from ``at`` down to the plan of which ``end`` holds; None if anything else is in between, or a filter
    of which a part has no model."""
    found: list[Filter] = []
    while isinstance(at, Filter):
        if at.unread is not None or at.native is not None:
            return None
        found.append(at)
        at = at.child
    return tuple(found) if end(at) else None


def misread(program: Program, known: Reading, seed: int, count: int) -> tuple[int, str | None]:
    """On how many tables the fold did what the program does, and the first one on which it did not, in words."""
    chance, tried = random.Random(seed), 0
    narrow = small_integers(a.text for a in known.problem.fold.assumptions)
    for _ in range(count):
        rows = random_rows(chance, program.tables[0])
        whole = dealt(chance, narrowed(rows) if narrow else rows)
        for parts in (whole, *one_key_each(whole)):
            real = result_of(program.source, program.ddl, {"t": parts})
            if isinstance(real, Failed):
                continue
            tried += 1
            names = [o.name for o in known.problem.fold.outputs]
            if not isinstance(real, DataFrame) and not all(map(_is_expression, names)):
                break  # tests of an element, which nobody can ask of what is shown
            expected = Counter(comparable(tuple(map(_number, row))) for row in _shown(real, names))
            model = _modelled(program, known, parts, isinstance(real, DataFrame))
            if model != expected:
                return (
                    tried,
                    f"on {parts} the program yields {expected}, the fold {model}\n{program.spelled}\n{program.source}",
                )
            if parts is whole:
                break
    return tried, None


def _is_expression(name: str) -> bool:
    try:
        compile(name, "<output>", "eval")
    except SyntaxError:
        return False
    return True


def _shown(real: Any, names: list[str]) -> Iterator[tuple[Any, ...]]:
    """The program's rows as the fold names them."""
    for row in real.rows():
        if isinstance(real, DataFrame):
            named = dict(zip(real.columns, row, strict=True))
            yield tuple(named[name] for name in names)
        else:
            yield tuple(eval(name, {"kv": row}) for name in names)


def _modelled(program: Program, known: Reading, parts: Parts, stored: bool) -> Counter[Any] | str:
    """What the fold yields, partition by partition where the engine merges; ``stored``: in columns of declared type."""
    fold, machine = known.problem.fold, Machine(known.problem.fold)
    columns = [f.name for f in program.tables[0].fields]
    kept = [[row for row in _named(columns, part) if _passes_below(known, row)] for part in parts]
    found: Counter[Any] = Counter()
    names = {o.name for o in fold.outputs}
    above = [c.condition for f in known.above for c in f.conjuncts if columns_of(c.condition) <= names]
    try:
        for rows in _groups(kept, known):
            out = machine.row_output(rows[0][0]) if known.by_row else _fold(machine, rows)
            if out is None or not passes(known.problem.predicate, out):
                continue
            if all(holds(c, Env(row=out)) for c in above):
                found[comparable(tuple(_number(out[o.name], stored and o.type == FLOAT) for o in fold.outputs))] += 1
    except EvaluationError as error:
        return f"raises {error}"
    return found


def _number(value: Any, double: bool = False) -> Any:
    """The model takes an int and a float of the same value for one; ``double``: it is stored as a double."""
    return float(value) if type(value) is int and (double or abs(value) < 2**53) else value


def _named(columns: list[str], part: list[tuple[Any, ...]]) -> Iterator[Row]:
    return (dict(zip(columns, row, strict=True)) for row in part)


def _passes_below(known: Reading, row: Row) -> bool:
    """Filters of the frame, and those of an RDD, which are facts of the fold."""
    conditions = (*(c.condition for f in known.below for c in f.conjuncts), *known.problem.fold.facts)
    return all(holds(c, Env(row=row)) for c in conditions)


def _groups(parts: list[list[Row]], known: Reading) -> Iterator[list[list[Row]]]:
    """The rows of each group, by partition; a global fold has one, even if there is no row."""
    fold = known.problem.fold
    if known.by_row:
        yield from ([[row]] for part in parts for row in part)
        return
    groups: dict[Any, list[list[Row]]] = defaultdict(lambda: [[] for _ in parts])
    if not fold.grouped:
        groups[()]
    for i, part in enumerate(parts):
        for row in part:
            groups[comparable(tuple(row[k] for k in fold.keys))][i].append(row)
    yield from groups.values()


def _fold(machine: Machine, parts: list[list[Row]]) -> Row | None:
    rows = [row for part in parts for row in part]
    keys = rows[0] if rows else {}
    if machine.fold.merge is None:
        parts = [rows]
    state: MaybeState = machine.start(keys)
    for part in parts:
        mine = machine.start(keys)
        for row in part:
            mine = machine.step(mine, row)
        state = mine if machine.fold.merge is None else machine.merge(state, mine, keys)
    return machine.output(state, keys)
