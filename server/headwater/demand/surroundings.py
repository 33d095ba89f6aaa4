"""What the code around a wall tells about how many rows reach it.

A smaller demand is worth nothing where the file itself says that there are few rows: it fills the table, or the frame
that it hands to a function, with values; it asserts how many there are, or what the first one is; it reads them for the
text of an error; it is a test. Such findings are sound, and shown where all are asked for.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from weakref import WeakKeyDictionary

from headwater.pyspark.walls.shown import OF_FRAMES_ALONE
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import names_in, walk
from headwater_ir import demand as ir
from headwater_ir.demand import Job, Wall
from headwater_ir.plan import Aggregate, Plan
from headwater_ir.span import Span

from .columns_said import ColumnsSaid
from .driver_values import DriverValues
from .looked_up import is_looked_up
from .needs import all_names
from .nodes_around import nodes_around
from .worth import computes

_FEW = 1_000
"""Of so many rows a smaller demand saves nothing that anybody notices."""

_TESTING = frozenset({"pytest", "unittest"})
_OF_SPARK = OF_FRAMES_ALONE | frozenset("collect createDataFrame insertInto saveAsTable sql".split())
"""Methods that ask Spark for something."""
_ACTIONS = frozenset("count first head isEmpty show take".split())
_WEB = frozenset("delete get head patch post put request".split())
"""Functions of ``requests`` that wait for an answer of the web."""
_MAKE_FRAMES = frozenset("agg distinct filter limit orderBy select where".split())
"""Methods of frames, in front of which ``_ACTIONS`` is a job; frames of pandas have some of these pairs, too."""


_SLOW_FOR_EACH_OF: WeakKeyDictionary[ast.stmt, frozenset[str]] = WeakKeyDictionary()
_COMPARED: WeakKeyDictionary[ast.stmt, frozenset[str]] = WeakKeyDictionary()


class Surroundings:
    """The code around the walls of one text, of which ``walls`` are all."""

    def __init__(self, context: Context, walls: Sequence[Wall]) -> None:
        self._context, self._walls, self._values = context, walls, DriverValues(context)
        self._said = ColumnsSaid(context)

    def is_test(self, at: Span) -> bool:
        """Whether ``at`` stands in what pytest or unittest runs, or in a file that imports one of them."""
        around = nodes_around(self._context, at)
        return self._is_of_tests or any(isinstance(n, ast.FunctionDef) and n.name.startswith("test_") for n in around)

    def why_few(self, wall: Wall, *, first_rows: bool) -> str | None:
        """Why few rows reach ``wall``; None if nothing tells that. ``first_rows``: only these are looked at."""
        around = nodes_around(self._context, wall.call)
        if first_rows and (any(isinstance(n, ast.Assert) for n in around) or self._is_compared(around)):
            return "the first row is compared with what is known of it"
        if _is_for_an_error(around):
            return "the rows are read for the text of an error"
        if self._is_counted(wall):
            return "the number of rows is asserted"
        if first_rows and self._said.is_looked_up(wall.plan):
            return "the database is asked for rows with some value"
        if first_rows and is_looked_up(wall, self._context):
            return "a row is looked up by a value, in a frame that is handed in"
        if first_rows and self._said.may_be_one_row(wall.plan):
            return "what the query selects is not written, and may be one row of aggregates"
        return self.why_few_of(wall.plan)

    def why_few_of(self, plan: Plan) -> str | None:
        """Why ``plan`` has few rows; None if nothing tells that."""
        if self._values.makes(plan):
            return "the frame is made of values on the driver"
        if self._values.of_model(plan):
            return "the frame is what a model tells of itself"
        if self._said.answers_command(plan):
            return "the answer of a command has few rows"
        if self._said.has_one_row(plan):
            return "the frame has one row"
        return "the file fills the table with values" if self._values.fills(plan) else None

    def reads_nearly_all(self, wall: Wall) -> bool:
        """Whether the file says of the frame of ``wall`` that it has hardly more columns than are read."""
        names = all_names(wall.readers)
        number = None if names is None else self._said.number(wall.plan)
        return names is not None and number is not None and 3 * sum(map(len, names)) > 2 * number

    def each_row_is_slow(self, wall: Wall) -> bool:
        """Whether a loop over the rows of ``wall`` takes long for each of them: nobody goes through many rows so. What
        need not be aggregated for them may be much."""
        if isinstance(wall.plan, Aggregate):
            return False
        around = nodes_around(self._context, wall.call)
        statement = next((n for n in around if isinstance(n, ast.stmt)), None)
        match statement:
            case ast.For():
                return any(map(_is_slow, statement.body))
            case ast.Assign(targets=[ast.Name(id=name)]):
                return any(name in _slow_for_each_of(s) for s in self._context.naming(name))
        return False

    def each_turn_is_slow(self, at: Span) -> bool:
        """Whether the loop around ``at``, a test in its body, takes long for each row: nobody goes through many rows
        so."""
        around = nodes_around(self._context, at)
        loop = next((n for n in around if isinstance(n, (ast.For, ast.FunctionDef, ast.AsyncFunctionDef))), None)
        test = around[0] if around else None
        if (
            not isinstance(loop, ast.For)
            or not isinstance(test, ast.expr)
            or not names_in(test) & names_in(loop.target)
        ):
            return False  # the test of another loop's rows, as a whole
        return any(map(_is_slow, loop.body))

    def are_known(self, jobs: Sequence[Job]) -> bool:
        """Whether an ``assert`` says of each of ``jobs`` what number, other than 0, it gives: who knows that knows all
        rows. What is sorted or joined before is more than these."""
        return not computes(jobs[0].plan) and all(
            any(map(_tells_number, nodes_around(self._context, j.call))) for j in jobs
        )

    def _is_compared(self, around: Sequence[ast.AST]) -> bool:
        """Whether an ``assert`` says what is in the variable that the innermost statement of ``around`` assigns."""
        match next((n for n in around if isinstance(n, ast.stmt)), None):
            case ast.Assign(targets=[ast.Name(id=name)]):
                return any(name in _compared_in(s) for s in self._context.naming(name))
        return False

    def _is_counted(self, wall: Wall) -> bool:
        """Whether an ``assert`` in front of ``wall`` says how many rows its frame has."""
        return any(w.call.end <= wall.call.start and w.plan == wall.plan for w in self._counted)

    @cached_property
    def _is_of_tests(self) -> bool:
        return self._context.imports_of(_TESTING)

    @cached_property
    def _counted(self) -> list[Wall]:
        """The walls of which an ``assert`` says that there are few rows."""
        return [w for w in self._walls if w.operator == "count" and any(_says_few(w, r) for r in w.readers)]


def _slow_for_each_of(statement: ast.stmt) -> frozenset[str]:
    """The names that loops in ``statement``, which nobody changes any more, go over with slow turns."""
    known = _SLOW_FOR_EACH_OF.get(statement)
    if known is None:
        loops = [n for n in walk(statement) if isinstance(n, ast.For)]
        slow = [n for n in loops if any(map(_is_slow, n.body))]
        known = _SLOW_FOR_EACH_OF[statement] = frozenset[str]().union(*(names_in(n.iter) for n in slow))
    return known


def _is_slow(statement: ast.stmt) -> bool:
    """Whether ``statement``, in a loop over rows, takes long: it asks Spark for something, or another system, or passes
    over errors of what it calls, as code does that asks such."""
    return _asks_spark(statement) or _asks_others(statement) or _passes_over_errors(statement)


def _asks_spark(statement: ast.stmt) -> bool:
    """Whether ``statement`` calls what asks Spark for something, or hands the session to other code."""
    nodes = [*ast.walk(statement)]
    calls = [n.func for n in nodes if isinstance(n, ast.Call)]
    asks = any(isinstance(f, ast.Attribute) and f.attr in _OF_SPARK for f in calls)
    return asks or any(map(_is_job, calls)) or any(isinstance(n, ast.Name) and n.id == "spark" for n in nodes)


def _asks_others(statement: ast.stmt) -> bool:
    """Whether ``statement`` sends a statement to a database, or a request to the web."""
    for node in walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                if method == "execute" or (name == "requests" and method in _WEB):
                    return True
    return False


def _passes_over_errors(statement: ast.stmt) -> bool:
    """Whether ``statement`` calls what is not Python's own and may fail with any error, and goes on then."""
    return any(
        any(isinstance(n, ast.Call) and not _is_pythons(n.func) for s in node.body for n in walk(s))
        and any(_is_of_any_error(h) and not isinstance(h.body[-1], ast.Raise) for h in node.handlers)
        for node in walk(statement)
        if isinstance(node, ast.Try)
    )


def _is_pythons(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return hasattr(builtins, name)
        case ast.Attribute(attr=name):
            return any(hasattr(kind, name) for kind in (list, set, str))
    return False


def _is_of_any_error(handler: ast.ExceptHandler) -> bool:
    match handler.type:
        case None | ast.Name(id="Exception" | "BaseException"):
            return True
    return False


def _is_job(function: ast.expr) -> bool:
    """Whether ``function`` is an action of a frame that is made right in front of it: ``df.filter(…).first``."""
    match function:
        case ast.Attribute(ast.Call(func=ast.Attribute(attr=made)), attr=method):
            return method in _ACTIONS and made in _MAKE_FRAMES
    return False


def _says_few(wall: Wall, reader: ir.Reader) -> bool:
    match (*wall.steps, *reader.reading):
        case (ir.Size(), ir.Test(op="==" | "<=" | "<", of=of)):
            return reader.role == "assert" and of <= _FEW
    return False


def _is_for_an_error(around: Sequence[ast.AST]) -> bool:
    """Whether the innermost statement of ``around`` stands in a branch that ends in ``raise``."""
    for inner, outer in pairwise(around):
        if isinstance(inner, ast.stmt):
            blocks = (outer.body, outer.orelse) if isinstance(outer, ast.If) else ()
            return any(any(s is inner for s in block) and isinstance(block[-1], ast.Raise) for block in blocks)
    return False


def _compared_in(statement: ast.stmt) -> frozenset[str]:
    """The variables of which an ``assert`` in ``statement``, which nobody changes any more, compares what is read of
    them with a constant."""
    known = _COMPARED.get(statement)
    if known is None:
        tests = (n.test for n in walk(statement) if isinstance(n, ast.Assert))
        known = _COMPARED[statement] = frozenset(name for name in map(_told_of, tests) if name)
    return known


def _told_of(test: ast.expr) -> str | None:
    match test:
        case ast.Compare(left=of, ops=[ast.Eq()], comparators=[ast.Constant()]):
            while isinstance(of, (ast.Attribute, ast.Subscript)):
                of = of.value
            return of.id if isinstance(of, ast.Name) else None
    return None


def _tells_number(node: ast.AST) -> bool:
    match node:
        case ast.Assert(test=ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=int() as number)])):
            return number > 0
    return False
