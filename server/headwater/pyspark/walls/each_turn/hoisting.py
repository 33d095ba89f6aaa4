"""Which jobs in the turns of a loop may be done in front of it: those of which nothing that a turn does changes what
the next one asks for, or could tell when it was computed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.columns.determinism import METHODS
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.walls.each_turn.turns import around_of, turns_of
from headwater.syntax.source.bindings import bound_names
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.span import Span
from headwater_ir.walks import below

from ..job_frames import texts_of_measure
from ..places import Places
from ..quiet import VIEWS, Quiet
from ..statements import CATCHES, changed_by, evaluated, if_caught, in_order, is_simple, tells
from .clauses import Clause, bound_by, clauses_of, names_in, needed
from .held import holds_its_own

if TYPE_CHECKING:
    from ..passes import Block

_GOES_ON = (ast.Return, ast.Break)
_VALUES = frozenset(
    """
    abs bool dict enumerate float int isinstance len list max min range reversed round set sorted str sum tuple zip
    """.split()
)
"""Python's functions that give the same value each time, and do nothing else."""
_COLLECTS = ("collect", "toPandas")
_OF_TEXT = frozenset("endswith isdigit lower lstrip rstrip split startswith strip title upper".split())


class Hoisting:
    """The jobs ``found`` in ``loop``, of the statement ``s`` of ``block``."""

    def __init__(self, block: Block, s: ast.stmt, loop: ast.AST, found: Sequence[ast.AST]) -> None:
        self.block, self.s, self.loop, self.scope = block, s, loop, block.scope
        self.places: Places = block.places()
        self.quiet = Quiet(self.scope, block.runs, block.jobs)
        self.body = [*_statements(loop.body)] if isinstance(loop, ast.For) else []
        self.bound = bound_names([loop]) if isinstance(loop, ast.For) else set[str]()
        clauses = (n for n in ast.walk(loop) if isinstance(n, (ast.For, ast.comprehension)))
        self.targets = frozenset[str]().union(*(names_in(n.target) for n in clauses))
        self.changed = {n for part in ast.walk(loop) for n in changed_by(part)}
        self.grown = self.changed | {_added_to(s) for s in self.body if isinstance(s, ast.AugAssign)}
        self.is_still = self._does_nothing_else({id(p) for n in found for p in ast.walk(n)})

    def noted(self, node: ast.AST) -> ir.Job | str:
        """The job ``node`` as one that is asked for in front of the loop; why it has to stay, if it has."""
        job = self.block.jobs[id(node)]
        if job.frame in self.bound and job.wider is not None:
            job = replace(job.wider, wider=None)
        if not self.is_still:
            return "what a turn of the loop does may tell when the job was done"
        clauses = clauses_of(self.loop, node, self.places)
        if clauses is None:
            return "not every turn of the loop, or of those that a test takes, does the job"
        if not _is_one_number(job.reading) or job.columns or not (job.parts or job.function):
            return "a turn asks for more than one number of the rows"
        if job.frame in self.bound:
            return f"`{job.frame}` is another frame in each turn"
        read = frozenset(self.block.variables_in(self.block.parts_of(node, job.frame), job.frame))
        clauses = needed(clauses, read, self.scope.names)
        around = around_of(clauses, job.frame, self.scope, self.places, self.s)
        if around is None or job.frame in around.own or not read & around.own:
            return "it is not known that several turns go through the same values a second time"
        if not self._is_the_same(clauses, read):
            return "what the loop tests, or the job reads, may be changed by its turns"
        texts = {n for c in clauses for call in ast.walk(c.value) if (n := _asked_as_text(call)) in around.own}
        key = around.key(read, lambda name: _is_column_name(name, job))
        if around.has_one_turn(key):
            return "one turn alone does the job"
        span = self.scope.names.ctx.span(self.s)
        lists = {f"going through `{text}` has no side effect" for text in around.given}
        granted = (a for a in self.quiet.assumed() if a.text not in lists)
        return replace(
            job, statement=span, run=span, behind=self._behind(around.own), moved=(),
            turns=turns_of(around, key, self._written, found=self._is_found_in(clauses[0].value, job)),
            assumed=(
                *job.assumed, *granted, *if_caught(self.s, self.places, self.scope),
                *(Assumption("type", f"`{n}` is a text") for n in sorted(texts) if not around.is_text(n)),
            ),
        )  # fmt: skip

    def _is_the_same(self, clauses: Sequence[Clause], read: frozenset[str]) -> bool:
        """Whether ``clauses``, and what a job ``read``s, are the same in front of the loop as in it."""
        own = frozenset[str]().union(*map(bound_by, clauses))
        every = (read | {n for c in clauses for n in names_in(c.value)}) - own
        if every & self.bound or any(self._times_bound(name) > 1 for name in own):
            return False
        if self.grown & (every | own):
            return False
        if not all(self._is_made_here(name) for name in self.grown) and any(map(self.block.is_variable, every)):
            return False
        return all(self._is_value(n) for c in clauses for n in ast.walk(c.value))

    def _does_nothing_else(self, parts: set[int]) -> bool:
        """Whether a turn does nothing beside its jobs, of which ``parts`` are, that could tell when they are done."""
        if isinstance(self.loop, ast.For):
            order = [n for s in self.body for n, _ in evaluated(s)]
        else:
            order = [n for n, _ in in_order(self.loop)]
        if not all(id(n) in parts or _asked_as_text(n) in self.targets or self.quiet.is_quiet(n) for n in order):
            return False
        generators = (n for n in ast.walk(self.loop) if isinstance(n, ast.GeneratorExp))
        calls = (self.places.around(g) for g in generators)
        if not all(isinstance(c, ast.Call) and self._is_pythons(c.func) for c in calls):
            return False
        for s in self.body:
            if isinstance(s, _GOES_ON) or self.block.set_by(s) or self.block.unpacks(s):
                return False
            if isinstance(s, (ast.If, ast.Raise, ast.Continue)) or (isinstance(s, ast.For) and not s.orelse):
                continue
            if not is_simple(s):
                return False
        return True

    def _is_found_in(self, over: ast.expr, job: ir.Job) -> bool:
        """Whether ``over`` is what was collected of the frame of ``job``."""
        if isinstance(over, ast.Name):
            stores = [
                n for n in self.places.named(over.id) if isinstance(n.ctx, ast.Store) and n.lineno < self.s.lineno
            ]
            made = self.places.around(max(stores, key=lambda n: n.lineno)) if stores else None
            over = made.value if isinstance(made, ast.Assign) else over
        if not any(isinstance(n, ast.Attribute) and n.attr in _COLLECTS for n in ast.walk(over)):
            return False
        bound = (b for n in names_in(over) if (b := self.scope.lookup(n)) is not None)
        frames = (f for b in bound if isinstance(f := b.frame or b.value, TrackedFrame))
        return any(at is job.plan for f in frames for at in below(f.plan))

    def _behind(self, own: frozenset[str]) -> str:
        """What may have ended the program where a job of a later turn is not asked for."""
        block, bound = self.block, self.bound | own
        caught = any(isinstance(n, CATCHES) for n in self.places.outward(self.s))
        in_view = bool(self.changed) or self.scope.is_module or self.scope.names.reflective
        if caught and (in_view or tells(self.s, bound, self.places)):
            return "seen"
        if self.changed - block.scope.own or bound & self.scope.names.rebound:
            return "seen"
        return "error" if any(isinstance(s, (ast.Raise, ast.Assert)) for s in self.body) else ""

    def _is_pythons(self, function: ast.expr) -> bool:
        return (self.quiet.pythons.resolve(function) or "").startswith("builtins.")

    def _times_bound(self, name: str) -> int:
        """How often the loop binds the variable."""
        nodes = (n for n in ast.walk(self.loop) if isinstance(n, ast.Name) and n.id == name)
        return sum(not isinstance(n.ctx, ast.Load) for n in nodes)

    def _is_made_here(self, name: str) -> bool:
        """Whether what the variable holds has no second name in front of the loop, which a job may read: displays make
        it, those in the loop for the first time, or what reads it so far does so to change or show it alone."""
        nodes = self.places.named(name)
        inside = {id(n) for n in ast.walk(self.loop)}
        if any(map(self.places.is_in_a_function, nodes)) or not holds_its_own(nodes, inside, self.places):
            return False
        if self._is_made_in_each_turn([n for n in nodes if id(n) in inside]):
            return True
        again = any(isinstance(n, (ast.For, ast.While)) for n in self.places.outward(self.s))
        made = [n for n in nodes if self._is_new(n) and self.places.comes_before(self._statement(n), self.s)]
        if made:  # nothing in front of the last of them matters
            nodes, again = [n for n in nodes if n.lineno >= max(m.lineno for m in made)], False
        end = self.s.end_lineno or 0
        behind = [n for n in nodes if n.lineno > end and made]
        stores = [n for n in nodes if not isinstance(n.ctx, ast.Load) and n not in behind]
        if not stores or not all(map(self._is_of_display, stores)):
            return False
        if all(id(n) in inside for n in stores) and not again:
            return True
        loads = (n for n in nodes if isinstance(n.ctx, ast.Load))
        return all((n.lineno > end and not again) or self._keeps_no_name(n) for n in loads)

    def _is_made_in_each_turn(self, nodes: Sequence[ast.Name]) -> bool:
        """Whether each turn of the loop, of which ``nodes`` are those of a variable, binds it before anything else."""
        stores = [n for n in nodes if not isinstance(n.ctx, ast.Load)]
        made = [self._statement(n) for n in stores if self._is_new(n)]
        others = (n for n in nodes if n not in stores)
        new = len(made) == len(stores)
        return new and all(any(self.places.comes_before(m, n) for m in made) for n in others)

    def _statement(self, node: ast.Name) -> ast.stmt:
        found = self.places.statement(node)
        assert found is not None
        return found

    def _is_new(self, store: ast.Name) -> bool:
        """Whether the variable is assigned there, and nothing else is, and to a new list or dict."""
        return isinstance(self.places.around(store), (ast.Assign, ast.AnnAssign)) and self._is_of_display(store)

    def _is_of_display(self, store: ast.Name) -> bool:
        """Whether the variable is assigned a new list or dict, or a constant, or one is added to."""
        value: ast.AST | None = None
        match outer := self.places.around(store):
            case ast.AugAssign():
                return True
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) if target is store:
                value = outer.value
            case ast.Tuple(elts=targets):
                match self.places.around(outer):
                    case ast.Assign(targets=[target], value=ast.Tuple(elts=values)) if target is outer:
                        value = dict(zip(map(id, targets), values, strict=False)).get(id(store))
        return isinstance(value, (ast.List, ast.Dict, ast.Constant))

    def _keeps_no_name(self, load: ast.Name) -> bool:
        """Whether what reads the variable there gives what it holds no other name."""
        match outer := self.places.around(load):
            case ast.Attribute() | ast.Subscript() | ast.Return() | ast.FormattedValue():
                return outer.value is load
            case ast.Call(func=ast.Name(id=function)):
                return function in _VALUES | {"print"} and self._is_pythons(outer.func)
        return False

    def _is_value(self, node: ast.AST) -> bool:
        """Whether ``node``, a part of a clause, gives the same value each time."""
        if not isinstance(node, ast.Call):
            return not isinstance(node, (ast.Lambda, ast.GeneratorExp))
        if self.scope.names.function(node.func) is not None or _asked_as_text(node) in self.targets:
            return True
        match node.func:
            case ast.Name(id=name):
                return name in _VALUES
            case ast.Attribute(attr=method):
                return method in METHODS | VIEWS
        return False

    def _written(self, node: ast.expr) -> Span | None:
        """Where ``node`` is written so that it may be copied."""
        if getattr(node, "end_lineno", None) != getattr(node, "lineno", 0):
            return None
        span = self.scope.names.ctx.span(node)
        try:
            same = ast.dump(ast.parse(f"[{self.scope.names.ctx.text(node)}]", mode="eval").body)
        except SyntaxError:
            return None
        return span if same == ast.dump(ast.List([node], ast.Load())) else None


def _statements(block: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of ``block`` and of the branches and loops in it."""
    for s in block:
        yield s
        if isinstance(s, (ast.If, ast.For)):
            yield from _statements([*s.body, *s.orelse])


def _asked_as_text(node: ast.AST) -> str:
    """The variable of which ``node`` calls a method as texts have it, empty if it does not."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _OF_TEXT:
            return name
    return ""


def _added_to(s: ast.AugAssign) -> str:
    return s.target.id if isinstance(s.target, ast.Name) else ""


def _is_column_name(name: str, job: ir.Job) -> bool:
    """Whether ``job`` takes what the variable holds for the name of a column, and for nothing else."""
    key, frame = re.escape(name), re.escape(job.frame)
    own = rf"\bfunctions\.(?!lit\b|expr\b)\w+\({key}\)|\b{frame}\[{key}\]"
    found = [re.subn(own, "", t) for t in texts_of_measure(job.reading)]
    return any(n for _, n in found) and not any(re.search(rf"\b{key}\b", t) for t, _ in found)


def _is_one_number(reading: ir.Reading) -> bool:
    """Whether ``reading`` is that of a number of rows, or of an aggregate that is alone in its row."""
    alone = all(len(s.measures) == 1 for s in reading if isinstance(s, ir.Measured))
    return alone and isinstance(reading[-1], (ir.Size, ir.ColumnAt))
