"""Which jobs of one frame may be done in one pass: those of a block between which nothing happens that could tell.

The world is closed. Between the first job and the last stand only statements whose every part is named here: values
that are computed and bound, output, checks that end the program, and other jobs. Whatever else a block does, it ends
what was put together so far. A job that is not sure to be run, or whose condition reads what was bound since the first
one by a statement that has to stay there, stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeGuard

from headwater.pyspark.api.api_context import ApiContext
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import bound_names
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption

from .each_turn.hoisting import Hoisting
from .job_frames import is_plain_attribute, made_by_filters
from .moving import Assignment, needed
from .places import Places
from .quiet import Quiet
from .statements import CATCHES, COMPREHENSIONS, changed_by, evaluated, if_caught, is_simple, tells

_LEAVES = (ast.Return, ast.Break, ast.Continue)
_BEHIND = ("", "assert", "error", "raise", "seen", "leave")
"""What may have ended the code since the first job of a run, the last the worst of it; ``seen``: an error, behind which
other code may look at what was done before it."""


@dataclass
class _Run:
    """The jobs of one variable so far. ``since``: what was bound since the first of them; ``changed``: whether an
    object may have been changed in place; ``behind``: what may have ended the program; ``assigned``: the
    attributes of the object whose method it is that were set or changed; ``left``: for each branch that has left the
    block since, what it has asked for before that; ``waiting``: the jobs that have; ``assumed``: what was taken for
    granted of the statements since; ``free``: by the variables that they bind, the statements since that may stand in
    front of the first."""

    first: ast.stmt | ast.expr
    since: set[str] = field(default_factory=set)
    changed: bool = False
    behind: str = ""
    assigned: set[str] = field(default_factory=set)
    left: list[frozenset[ir.Reading]] = field(default_factory=list)
    waiting: list[tuple[ast.AST, ast.stmt]] = field(default_factory=list)
    assumed: set[Assumption] = field(default_factory=set)
    free: dict[str, ast.stmt] = field(default_factory=dict)

    def behind_of(self, job: ir.Job) -> str:
        """What may have ended the program where ``job`` is not asked for."""
        return self.behind if all(job.reading in asked for asked in self.left) else "leave"


_Asked = dict[str, frozenset[ir.Reading]]


class Block:
    """The statements of one block, in order. ``jobs``: all that are known, in which is noted what they may be done
    with."""

    def __init__(self, scope: ApiContext, places: Callable[[], Places], jobs: dict[int, ir.Job]) -> None:
        self.scope, self.places, self.jobs = scope, places, jobs
        self.runs: dict[str, _Run] = {}
        self.wider: dict[str, _Run] = {}
        """Of those that are asked of a frame, or of what is made of it by filters."""
        self.placed: dict[tuple[str, ir.Reading], _Run] = {}
        """Of those for one number, the first of them inside a statement that does more before it."""
        self.quiet = Quiet(scope, self.runs, jobs)

    def then(self, s: ast.stmt) -> None:
        """The next statement has been followed."""
        own = [n for n in walk(s) if id(n) in self.jobs] if self.jobs else []
        if not own and not self.runs and not self.wider and not self.placed:
            return
        self.quiet.begin(bound_names([s]))
        unknown, parts = list[ast.AST](), {id(p) for n in own for p in walk(n)}
        for node, sure in evaluated(s):
            job = self.jobs.get(id(node))
            if job is not None and not unknown:
                self._add(job, node, s) if sure else self._add_once_more(job, node, s)
            if job is not None and isinstance(node, ast.expr) and (self.placed or unknown):
                self._place(node, s, unknown if sure else [])
            if id(node) not in parts and not self.quiet.is_quiet(node):
                unknown.append(node)
                self._forget()
                self.quiet.begin(bound_names([s]))
            if any(True for _ in changed_by(node)):
                for run in self._every():
                    run.changed = True
            if not unknown and sure and isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                self._in_each_turn(s, node)
        known = not unknown
        if isinstance(s, ast.AugAssign):
            known = known and self.quiet.is_quiet(ast.BinOp(s.target, s.op, s.value))
            self.placed.clear()
        if isinstance(s, ast.For) and known and not s.orelse:
            self._in_each_turn(s, s)
        left: list[_Asked] | None = None
        if isinstance(s, ast.If) and known and not self._is_for_debugging(s):
            asked = [(block, self._in_a_branch(block)) for block in (s.body, s.orelse)]
            left = None if any(map(_leaves_early, (s.body, s.orelse))) else [a for b, a in asked if _leaves(b)]
            self._in_both_branches(s, *(a for _, a in asked))
        if not known:
            self.runs.clear()
            self.wider.clear()
        if self._is_still(s) and not self.unpacks(s):
            self._after(s, left)
        else:
            self._forget()

    def _every(self) -> list[_Run]:
        return [*self.runs.values(), *self.wider.values(), *self.placed.values()]

    def _forget(self) -> None:
        self.runs.clear()
        self.wider.clear()
        self.placed.clear()

    def _in_each_turn(self, s: ast.stmt, loop: ast.AST) -> None:
        """Note the jobs in ``loop``, of the statement ``s``, if all that it asks of their frame may be asked for in
        front of it."""
        found = [n for n in ast.walk(loop) if id(n) in self.jobs]
        if not found or self._is_for_debugging(s):
            return
        hoisting = Hoisting(self, s, loop, found)
        noted = [(node, self.jobs[id(node)], hoisting.noted(node)) for node in found]
        for node, job, became in noted:
            stays = [j for _, of, j in noted if of.frame == job.frame and isinstance(j, str)]
            self.jobs[id(node)] = replace(job, stays=stays[0]) if stays or isinstance(became, str) else became

    def _is_still(self, s: ast.stmt) -> bool:
        """Whether ``s``, whose head is known, does nothing but bind names, write output, or end the program."""
        if not isinstance(s, ast.If):
            return self._sets_plain(s) or is_simple(s)
        within = [*s.body, *s.orelse]
        quiet = all(self.quiet.is_quiet(node) for inner in within for node, _ in evaluated(inner))
        return quiet and all(isinstance(inner, (ast.Raise, *_LEAVES)) or self._is_still(inner) for inner in within)

    def _sets_plain(self, s: ast.stmt) -> bool:
        """Whether ``s`` assigns to attributes that the class says nothing else of, or to elements in one."""
        match s:
            case ast.Assign(targets=[ast.Attribute() as target]):
                return is_plain_attribute(target, self.scope)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Attribute() as target, slice=ast.Constant() | ast.Name())]
            ):
                return is_plain_attribute(target, self.scope)
        return False

    def _in_a_branch(self, block: Sequence[ast.stmt]) -> _Asked:
        """Note the jobs in ``block``, which may not run, for a number that a job in front has asked for: until
        something happens that could tell. Where it ends in an error, one more job is no matter. What is asked of each
        frame that was asked for something in front."""
        found: dict[str, set[ir.Reading]] = {}
        runs = {name: replace(r, since={*r.since}) for name, r in self.runs.items()}
        if any(isinstance(s, ast.Raise) or self.set_by(s) for s in block):
            return {}
        for s in block:
            order = [*evaluated(s)]
            jobs = [n for n, sure in order if sure and id(n) in self.jobs]
            parts = {id(p) for n in jobs for p in ast.walk(n)}
            for node in jobs:
                job = self.jobs[id(node)]
                run = runs.get(job.frame)
                if run is not None and not self._reads_what_is_new(node, run, job.frame):
                    found.setdefault(job.frame, set()).add(job.reading)
                    self.runs[job.frame].waiting.append((node, s))
                    if self._is_asked_in(run, job):
                        self._asked_again(node, s, run)
            if any(id(n) not in parts and not self.quiet.is_quiet(n) for n, _ in order):
                break
            if not self._is_still(s) or self.unpacks(s):
                break
            for name in bound_names([s]):
                runs.pop(name, None)
            changed = {n for part in ast.walk(s) for n in changed_by(part)}
            for run in runs.values():
                run.since |= bound_names([s])
                run.changed = run.changed or isinstance(s, ast.AugAssign) or bool(changed)
        return {name: frozenset(readings) for name, readings in found.items()}

    def _in_both_branches(self, s: ast.If, *asked: _Asked) -> None:
        """Note the jobs of ``s`` that ask for what both of its branches ask for."""
        inside = {id(n) for n in ast.walk(s)}
        for name, run in self.runs.items():
            both = frozenset.intersection(*(a.get(name, frozenset()) for a in asked))
            jobs = [(node, of, self.jobs[id(node)]) for node, of in run.waiting if id(node) in inside]
            new, first = (
                [j for j in jobs if j[2].reading in both and not self._is_asked_in(run, j[2])],
                set[ir.Reading](),
            )
            for node, of, job in new:
                self._asked_again(node, of, run, again=job.reading in first)
                first.add(job.reading)

    def _asked_again(self, node: ast.AST, s: ast.stmt, run: _Run, *, again: bool = True) -> None:
        """Note that the job ``node`` of ``s``, in a branch, asks for what is asked for whatever branch is taken."""
        job, span = self.jobs[id(node)], self.scope.names.ctx.span
        behind = "" if again else self._behind(run, job, s)
        self.jobs[id(node)] = replace(
            job, statement=span(s), run=span(run.first), behind=behind, turns=None, again=again, moved=(),
            assumed=(*job.assumed, *self.quiet.assumed(run.assumed), *if_caught(s, self.places(), self.scope)),
        )  # fmt: skip

    def unpacks(self, s: ast.stmt) -> bool:
        """Whether ``s`` takes the values of something apart that may be a generator."""
        unpacked = (
            n.value
            for n in ast.walk(s)
            if isinstance(n, ast.Assign) and any(isinstance(t, (ast.Tuple, ast.List)) for t in n.targets)
        )
        return any(not isinstance(v, (ast.Tuple, ast.List)) and self.quiet.runs_code(v) for v in unpacked)

    def _add(self, job: ir.Job, node: ast.AST, s: ast.stmt) -> None:
        own, wider = self._in_run(self.runs, job, node, s), self._in_run(self.wider, job.wider or job, node, s)
        self.jobs[id(node)] = replace(own or job, wider=wider and replace(wider, wider=None))
        run = self.runs[job.frame]
        if own is not None and run.left and own.behind != "leave":
            for waiting, of in run.waiting:
                if self.jobs[id(waiting)].reading == job.reading:
                    self._asked_again(waiting, of, run)

    def _place(self, node: ast.expr, s: ast.stmt, unknown: Sequence[ast.AST]) -> None:
        """Note of the job ``node`` where the number that it asks for was asked for inside a statement. It may be the
        first behind what ``s`` does that is ``unknown``; an ``assert`` is not always run."""
        job, span = self.jobs[id(node)], self.scope.names.ctx.span
        key, inside = (job.frame, job.reading), self._is_of(s, node)
        run = self.placed.get(key)
        if run is None and unknown and not isinstance(s, ast.Assert) and not self._is_for_debugging(s):
            run = self.placed[key] = _Run(node, assumed={*self._used_behind(node, unknown)})
        if run is None or not inside or self._reads_what_is_new(node, run, job.frame):
            return
        since = self.quiet.assumed(run.assumed) if run.first is not node else ()
        self.jobs[id(node)] = replace(job, asked=ir.Asked(span(run.first), span(s), since))

    def _used_behind(self, node: ast.expr, unknown: Sequence[ast.AST]) -> Iterator[Assumption]:
        """What has to be true of the values of ``unknown`` that are there still where ``node`` has been evaluated, for
        them to run no other code then; what is formatted is text."""
        around = {id(n) for n in self.places().outward(node)}
        for at in unknown:
            outward = takewhile(lambda n: id(n) not in around, self.places().outward(at))
            kept = [at, *outward][-1]
            if not isinstance(kept, (ast.FormattedValue, ast.JoinedStr)):
                yield Assumption("purity", f"using `{ast.unparse(kept)}` has no side effect")

    def _is_of(self, s: ast.stmt, node: ast.AST) -> bool:
        """Whether ``node`` is evaluated by ``s`` itself, and not in the turns of a comprehension."""
        return s is next((n for n in self.places().outward(node) if isinstance(n, (ast.stmt, *COMPREHENSIONS))), s)

    def _add_once_more(self, job: ir.Job, node: ast.AST, s: ast.stmt) -> None:
        """Note the job ``node``, which does not always run, if a job in front of it asks for the same number."""
        run = self.runs.get(job.frame)
        if run is None or not self._is_of(s, node) or self._reads_what_is_new(node, run, job.frame):
            return
        if self._is_asked_in(run, job):
            self._asked_again(node, s, run)

    def _in_run(self, runs: dict[str, _Run], job: ir.Job, node: ast.AST, s: ast.stmt) -> ir.Job | None:
        """The job ``node``, as one of those in ``runs`` with which it may be done; None if it has to stay."""
        span = self.scope.names.ctx.span
        run, since = runs.get(job.frame), tuple[Assumption, ...]()
        moves = run is not None
        run = run or runs.setdefault(job.frame, _Run(s))
        in_front = self._in_front_of(node, run, job.frame)
        if self._is_for_debugging(s) or in_front is None:
            return None
        if moves:
            if any(isinstance(n, ast.comprehension) and self.quiet.runs_code(n.iter) for n in ast.walk(node)):
                return None
            since = self.quiet.assumed(run.assumed)
        caught = any(isinstance(n, CATCHES) for n in self.places().outward(s))
        later = run.assigned | (run.since if caught and self.scope.is_module else set())
        unread = {f"nobody reads `{name}` after an error" for name in later if job.reading != (ir.Size(),)}
        unseen = (*(Assumption("program", t) for t in sorted(unread)), *if_caught(s, self.places(), self.scope))
        return replace(
            job, statement=span(s), run=span(run.first), behind=self._behind(run, job, s),
            assumed=(*job.assumed, *unseen, *since), moved=tuple(sorted(map(span, in_front))),
        )  # fmt: skip

    def _behind(self, run: _Run, job: ir.Job, s: ast.stmt) -> str:
        """What may have ended the program where ``job``, of the statement ``s``, is not asked for."""
        seen = run.changed or bool(run.assigned) or self.scope.names.reflective
        places = self.places()
        caught = any(isinstance(n, CATCHES) for n in places.outward(s))
        if caught and (seen or tells(s, run.since, places)):
            return max("seen", run.behind_of(job), key=_BEHIND.index)
        return run.behind_of(job)

    def _is_asked_in(self, run: _Run, job: ir.Job) -> bool:
        """Whether a job of ``run`` that is sure to be run asks for the number that ``job`` asks for."""
        first = self.scope.names.ctx.span(run.first)
        sure = (j for j in self.jobs.values() if j.run == first and j.frame == job.frame and j.turns is None)
        return any(j.reading == job.reading and not j.again for j in sure)

    def _reads_what_is_new(self, node: ast.AST, run: _Run, frame: str) -> bool:
        """Whether the job ``node`` reads more than ``frame`` that may not be there where ``run`` begins."""
        return self._in_front_of(node, run, frame) != []

    def _in_front_of(self, node: ast.AST, run: _Run, frame: str) -> list[ast.stmt] | None:
        """The statements that have to stand where ``run`` begins for all that the job ``node`` reads beside ``frame``
        to be there; None if that cannot be."""
        parts = self.parts_of(node, frame)
        read = self.variables_in(parts, frame)
        attributes = (n for p in parts for n in ast.walk(p) if isinstance(n, ast.Attribute))
        changed = run.changed and any(map(self.is_variable, read))
        return None if changed or not all(map(self.quiet.is_quiet, attributes)) else needed(read, run)

    def parts_of(self, node: ast.AST, frame: str) -> list[ast.AST]:
        """The job ``node``, and the conditions by which what it is asked of is made of ``frame``."""
        at, found = node, [node]
        while isinstance(at, (ast.Call, ast.Attribute, ast.Subscript)):
            at = at.func if isinstance(at, ast.Call) else at.value
        while isinstance(at, ast.Name) and at.id != frame:
            made = made_by_filters(at, self.scope, self.places())
            if made is None:
                break
            found, at = [*found, *made[1]], made[0]
        return found

    def variables_in(self, parts: list[ast.AST], frame: str) -> set[str]:
        """The variables that ``parts`` read, beside ``frame`` and those that hold what is made of it."""
        todo, found = [*parts], set[str]()
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name) and node.id != frame and self.scope.names.function(node) is None:
                found.add(node.id)
            if self.scope.attribute(node) != frame:
                todo += ast.iter_child_nodes(node)
        leading = parts[0]
        while isinstance(leading, (ast.Call, ast.Attribute, ast.Subscript)):
            leading = leading.func if isinstance(leading, ast.Call) else leading.value
        return found - ({leading.id} if len(parts) > 1 and isinstance(leading, ast.Name) else set())

    def set_by(self, s: ast.stmt) -> set[str]:
        """The attributes of the object whose method it is that ``s`` sets, or changes in place."""
        stores = [n for n in ast.walk(s) if isinstance(n, (ast.Attribute, ast.Subscript)) and not _is_load(n)]
        named = (self.scope.attribute(n.value if isinstance(n, ast.Subscript) else n) for n in stores)
        return {name for name in named if name is not None}

    def _is_for_debugging(self, s: ast.stmt) -> bool:
        """Whether ``s`` stands under a test that is rarely TRUE: nothing is computed then, as a rule."""
        tests = (outer.test for outer in self.places().outward(s) if isinstance(outer, ast.If))
        words = (n.attr if isinstance(n, ast.Attribute) else n.id for t in tests for n in ast.walk(t) if _is_word(n))
        return any(re.search("debug|verbose|isenabledfor", w.lower()) for w in words)

    def is_variable(self, name: str) -> bool:
        """Whether ``name`` is no module or function that is imported."""
        return self.scope.names.resolve(ast.Name(name, ast.Load())) is None

    def _after(self, s: ast.stmt, left: list[_Asked] | None) -> None:
        bound, changed = bound_names([s]), {n for part in ast.walk(s) for n in changed_by(part)}
        kinds = {type(part) for part in ast.walk(s)}
        behind = "assert" if ast.Assert in kinds else ""
        behind = "raise" if ast.Raise in kinds else behind
        behind = "leave" if kinds & {*_LEAVES} and left is None else behind
        if changed - self.scope.own or bound & self.scope.names.rebound:
            behind = max(behind, "raise", key=_BEHIND.index)  # other code may look at it after an error
        assigned = self.set_by(s)
        for name in bound | assigned:
            self.runs.pop(name, None)
            self.wider.pop(name, None)
        self.placed = {key: run for key, run in self.placed.items() if key[0] not in bound | assigned}
        assignment = Assignment(s, self.scope, self.places(), self.jobs) if self.runs else None
        for run in self.placed.values():
            run.since |= bound
            run.assumed |= self.quiet.taken()
            run.changed = run.changed or bool(changed or assigned)
        for name, run in (*self.runs.items(), *self.wider.items()):
            if assignment is not None and assignment.may_stand_in_front(run):
                run.free[assignment.name] = s
            run.since |= bound
            run.assumed |= self.quiet.taken()
            run.assigned |= assigned
            run.left += [asked.get(name, frozenset()) for asked in left or ()]
            run.changed = run.changed or isinstance(s, ast.AugAssign) or bool(changed or assigned)
            run.behind = max(behind, run.behind, key=_BEHIND.index)


def _is_load(node: ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_word(node: ast.AST) -> TypeGuard[ast.Name | ast.Attribute]:
    return isinstance(node, (ast.Name, ast.Attribute))


def _leaves(block: Sequence[ast.stmt]) -> bool:
    """Whether ``block`` may leave the one that it is in."""
    return any(isinstance(n, _LEAVES) for s in block for n in ast.walk(s))


def _leaves_early(block: Sequence[ast.stmt]) -> bool:
    """Whether ``block`` may leave the one that it is in before its last statement."""
    return _leaves(block) and (_leaves(block[:-1]) or not isinstance(block[-1], _LEAVES))
