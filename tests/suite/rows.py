"""Small tables for a chain of the suite: the constants of its text and their neighbours, NULL, NaN, and groups that the
concrete interpreter finds to pass the filter."""

from __future__ import annotations

import ast
import datetime as dt
import decimal
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from headwater.semantics.interpreter import EvaluationError, Machine, passes
from headwater.synthesis.samples import Group, Sampler
from headwater_ir.problem import FoldProblem
from tests.mdtest.cases import Field, Table
from tests.mdtest.tables import constants_of
from tests.results import Rows
from tests.strategies import ADVERSARIAL

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

_BITS = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}
_PLAIN: dict[str, type] = {"string": str, "boolean": bool}
DRAWS = 1500
REPEATED = (1, 2, 1, 3, 1, 6, 1, 12, 1, 30)
GROUPS = 6
"""Of each kind: those that pass the filter and those that do not."""


def fields_of(schema: StructType) -> tuple[Field, ...]:
    """The columns of a source."""
    return tuple(Field(f.name, f.dataType.simpleString(), f.nullable) for f in schema.fields)


def random_rows(draw: random.Random, table: Table, text: str) -> Rows:
    """A dozen rows or fewer, from a small pool per column: values must meet, for it is in groups, ties and bounds that
    a rewrite goes wrong."""
    constants = [*constants_of(text), *dates_of(text)]
    pools = [_small_pool(draw, f, constants) for f in table.fields]
    return [tuple(draw.choice(pool) for pool in pools) for _ in range(draw.randint(2, 12))]


def _small_pool(draw: random.Random, field: Field, constants: list[Any]) -> list[Any]:
    near = [values for c in constants if (values := neighbours(c, field.type))]
    close = [v for values in draw.sample(near, len(near)) for v in values][: draw.choice((3, 4, 8))]
    chosen = [*close, *draw.sample(odd := oddities(field.type), min(len(odd), draw.choice((0, 1, 2)) if close else 2))]
    return [*chosen, None] if field.nullable and (draw.randrange(3) or not chosen) else chosen


def neighbours(constant: Any, kind: str) -> list[Any]:
    """Values of the SQL type ``kind`` at and beside ``constant``; none if they do not meet."""
    number = isinstance(constant, (int, float)) and not isinstance(constant, bool) and abs(constant) < 2**30
    if kind.startswith("array<"):
        inner = neighbours(constant, kind[6:-1])
        return [[], inner[:1], inner] if inner else []
    if kind == "string":
        return [constant] if isinstance(constant, str) else []
    if kind == "date" and type(constant) is dt.date:
        return [constant, constant + dt.timedelta(1), constant - dt.timedelta(1)]
    if kind == "timestamp" and isinstance(constant, dt.datetime):
        return [constant, constant + dt.timedelta(seconds=1), constant - dt.timedelta(seconds=1)]
    if kind == "boolean":
        return [True, False]
    if kind in _BITS and number:
        return [v for v in (int(constant), int(constant) + 1, int(constant) - 1) if abs(v) < 2 ** _BITS[kind]]
    if kind in ("double", "float") and number:
        return [float(v) for v in (constant, constant + 1, constant - 1, constant + 0.5)]
    if kind.startswith("decimal") and number:
        return [decimal.Decimal(int(constant) + i) for i in (0, 1, -1)]
    return []


def oddities(kind: str) -> list[Any]:
    """Values of the SQL type ``kind`` at which implementations differ."""
    if kind in _BITS:
        return [v for v in ADVERSARIAL["int"] if isinstance(v, int) and -(2 ** _BITS[kind]) <= v < 2 ** _BITS[kind]]
    if kind in ("double", "float"):
        return [v for v in ADVERSARIAL["float"] if v not in (5e-324, 1.7e308, 0.1)]
    if kind.startswith("array<"):
        return [[]]
    return list(ADVERSARIAL.get({"boolean": "bool"}.get(kind, kind), ()))


def dates_of(text: str) -> list[Any]:
    """Dates and timestamps that the text spells: ISO texts and calls of ``date`` and ``datetime``."""
    found: set[Any] = set()
    for node in ast.walk(ast.parse(text)):
        try:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) >= 10:
                found.add(dt.datetime.fromisoformat(node.value))
            elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("date", "datetime"):
                found.add(dt.datetime(*(ast.literal_eval(a) for a in node.args)))
        except (ValueError, TypeError):
            continue
    return sorted(found) + sorted(d.date() for d in found)


def guided(draw: random.Random, problem: FoldProblem, table: Table, text: str) -> Iterator[Rows]:
    """Rows of groups that pass the filter, and of groups that do not: together if the fold is grouped, else one group
    per table. Columns that the fold does not read are drawn blindly."""
    names = {f.name for f in table.fields}
    if any(c.name not in names for c in problem.fold.columns) or problem.fold.params:
        return
    wanted = GROUPS if problem.fold.grouped else GROUPS // 3  # without groups each is a table of its own
    chosen = [*_groups(problem, True, wanted), *_groups(problem, False, wanted)]
    tables = [_completed(draw, table, text, group) for group in chosen]
    tables = [rows for rows in tables if rows]
    if not problem.fold.grouped:
        yield from tables
    elif tables:
        yield [row for rows in tables for row in rows]


def _groups(problem: FoldProblem, passing: bool, wanted: int) -> list[Group]:
    """Up to ``wanted`` groups of which the interpreter says so."""
    sampler, machine = Sampler(problem, 1), Machine(problem.fold)
    found: list[Group] = []
    for i in range(DRAWS):
        group = sampler.group(1 + i % 4)
        if group is not None:
            rows = group.rows * REPEATED[i % len(REPEATED)]  # counts and sums must reach their bounds
            if _passes(problem, machine, rows) is passing:
                found.append(Group(rows, group.params))
        if len(found) == wanted:
            break
    return found


def _passes(problem: FoldProblem, machine: Machine, rows: tuple[dict[str, Any], ...]) -> bool | None:
    try:
        if problem.fold.rows == "one":
            out = machine.row_output(rows[0])
        else:
            state = machine.start(rows[0])
            for row in rows:
                state = machine.step(state, row)
            out = machine.output(state, rows[0])
        return out is not None and passes(problem.predicate, out)
    except EvaluationError:
        return None


def _completed(draw: random.Random, table: Table, text: str, group: Group) -> Rows:
    """The group's rows with the other columns of the source; nothing if a value does not fit its column."""
    constants = [*constants_of(text), *dates_of(text)]
    rows = []
    for known in group.rows:
        row = []
        for f in table.fields:
            value = known[f.name] if f.name in known else draw.choice(_small_pool(draw, f, constants) or [None])
            row.append(fitted(value, f))
        rows.append(tuple(row))
    return [] if any(v is MISFIT for row in rows for v in row) else rows


MISFIT = object()


def fitted(value: Any, field: Field) -> Any:
    """``value`` as Spark takes it for the column; MISFIT if it is none of its values."""
    if value is None:
        return None if field.nullable else MISFIT
    if field.type in ("double", "float"):
        return float(value) if isinstance(value, (int, float)) else MISFIT
    if field.type.startswith("decimal"):
        return decimal.Decimal(value) if isinstance(value, int) else MISFIT
    if field.type in _BITS:
        fits = isinstance(value, int) and not isinstance(value, bool) and -(2 ** _BITS[field.type]) <= value
        return value if fits and value < 2 ** _BITS[field.type] else MISFIT
    if field.type in _PLAIN:  # of a column without a stated type the sampler draws anything
        return value if isinstance(value, _PLAIN[field.type]) else MISFIT
    return value
