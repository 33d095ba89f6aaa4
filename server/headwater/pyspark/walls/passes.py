"""Which jobs of one frame may be done in one pass: those of a block between which nothing happens that could tell.

The world is closed. Between the first job and the last stand only statements whose every part is named here: values
that are computed and bound, output, checks that end the program, and other jobs. Whatever else a block does, it ends
what was put together so far. A job that is not sure to be run, or whose condition reads what was bound since the first
one, stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.determinism import METHODS
from headwater.pyspark.frames import session_names
from headwater.syntax.source.bindings import bound_names
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption

from .jobs import is_plain_attribute
from .places import Places
from .turns import targets, turns_of

_BUILTINS = frozenset(
    """
    abs bool dict enumerate float format int isinstance len list max min print range repr round set sorted str sum tuple
    zip
    """.split()
)
_TAKES_ALL = frozenset("dict list max min set sorted sum tuple".split())
"""Those that go through all values of what they are given."""
_LOGGED = frozenset("critical debug error exception info log warn warning".split())
_OF_TEXT = frozenset("center format join ljust lower rjust strip title upper zfill".split())
_OF_VALUES = frozenset("date isoformat lower replace strftime strip timestamp upper weekday".split())
"""Methods of texts, dates and times, which a row may hold."""
_LAZY = frozenset(
    """
    agg alias coalesce crossJoin distinct drop dropDuplicates drop_duplicates dropna exceptAll fillna filter groupBy
    groupby hint intersect intersectAll join limit orderBy repartition select selectExpr sort subtract union unionAll
    unionByName where withColumn withColumnRenamed withColumns
    """.split()
)
"""Methods of frames and grouped frames that make another frame, and nothing else."""
_READS = frozenset("csv format json load option options orc parquet read schema table text".split())
"""Methods of sessions and their readers that make a frame of a source."""
_FORMATS = ("avro", "csv", "delta", "iceberg", "jdbc", "json", "orc", "parquet", "text")
_LOOKS = frozenset("collect count first head isEmpty printSchema show take toPandas".split())
"""Methods of frames that look at it."""
_LEAVES = (ast.Return, ast.Break, ast.Continue)
_BEHIND = ("", "assert", "raise", "leave")
"""What may have ended the code since the first job of a run, the last the worst of it."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class _Run:
    """The jobs of one variable so far. ``since``: what was bound since the first of them; ``changed``: whether an
    object may have been changed in place; ``behind``: what may have ended the program; ``assigned``: the
    attributes of the object whose method it is that were set or changed."""

    first: ast.stmt
    since: set[str] = field(default_factory=set)
    changed: bool = False
    behind: str = ""
    assigned: set[str] = field(default_factory=set)


class Block:
    """The statements of one block, in order. ``jobs``: all that are known, in which is noted what they may be done
    with."""

    def __init__(self, scope: ApiContext, places: Callable[[], Places], jobs: dict[int, ir.Job]) -> None:
        self.scope, self.places, self.jobs = scope, places, jobs
        self.runs: dict[str, _Run] = {}
        self.taken_for_pythons: set[str] = set()
        """Names of Python's functions that were called, of which it is not known whether other code has bound them."""

    def then(self, s: ast.stmt) -> None:
        """The next statement has been followed."""
        if not self.jobs:
            return
        known, parts = True, {id(p) for n in ast.walk(s) if id(n) in self.jobs for p in ast.walk(n)}
        for node, sure in (pair for head in _head(s) for pair in _in_order(head)):
            job = self.jobs.get(id(node))
            if job is not None and sure and known:
                self._add(job, node, s)
            known = known and (id(node) in parts or self._is_quiet(node))
            if known and sure and isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
                self._in_each_turn(s, node)
        if isinstance(s, ast.For) and known and not s.orelse:
            self._in_each_turn(s, s)
        if isinstance(s, ast.If) and known and not self._is_for_debugging(s):
            for block in (s.body, s.orelse):
                self._in_a_branch(block)
        if known and self._is_still(s) and not self._unpacks(s):
            self._after(s)
        else:
            self.runs = {}

    def _in_each_turn(self, s: ast.stmt, loop: ast.For | ast.ListComp | ast.SetComp | ast.DictComp) -> None:
        """Note the one job in ``loop``, of the statement ``s``, if each of its turns does it and nothing that could
        tell whether it is done before the first."""
        found = [n for n in ast.walk(loop) if id(n) in self.jobs]
        head = _turn(loop)
        if len(found) != 1 or head is None or self._is_for_debugging(s):
            return
        node, (target, over, body) = found[0], head
        job, own = self.jobs[id(node)], targets(target)
        places = self.places()
        turns = turns_of(target, over, job.frame, self.scope, lambda name: places.is_untouched(name, s))
        if turns is None or not isinstance(job.reading[-1], ir.Size) or job.columns or not job.parts:
            return
        heads = [h for part in body for h in (_head(part) if isinstance(part, ast.stmt) else [part])]
        order = [pair for h in heads for pair in _in_order(h)]
        parts = {id(p) for p in ast.walk(node)}
        if not any(n is node and sure for n, sure in order):
            return
        if not all(id(n) in parts or self._is_quiet(n) for n, _ in order):
            return
        statements = [part for part in body if isinstance(part, ast.stmt)]
        if any(not self._is_still(part) or self._unpacks(part) for part in statements):
            return
        if any(isinstance(p, _LEAVES) for s in statements for p in ast.walk(s)) or any(map(self._set_by, statements)):
            return
        bound, changed = bound_names(statements), {n for s in statements for p in ast.walk(s) for n in _changed(p)}
        read = self._read_by(node)
        grows = bool(changed) or any(isinstance(p, ast.AugAssign) for s in statements for p in ast.walk(s))
        if read & own != {turns.key} or {job.frame} & (bound | own) or (read | own) & bound:
            return
        if grows and any(map(self._is_variable, read - own)):
            return
        kinds = {type(p) for s in statements for p in ast.walk(s)}
        caught = any(isinstance(n, (ast.Try, ast.With, ast.AsyncWith)) for n in self.places().outward(s))
        seen = caught or ast.Raise in kinds or changed - self.scope.own or (bound | own) & self.scope.names.rebound
        span = self.scope.names.ctx.span(s)
        self.jobs[id(node)] = replace(
            job, statement=span, run=span, behind="raise" if seen else "", turns=turns,
            assumed=(*job.assumed, *self._are_pythons()),
        )  # fmt: skip

    def _is_still(self, s: ast.stmt) -> bool:
        """Whether ``s``, whose head is known, does nothing but bind names, write output, or end the program."""
        if not isinstance(s, ast.If):
            return self._sets_plain(s) or _is_simple(s)
        within = [*s.body, *s.orelse]
        heads = [head for inner in within for head in _head(inner)]
        quiet = all(self._is_quiet(node) for head in heads for node, _ in _in_order(head))
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

    def _in_a_branch(self, block: Sequence[ast.stmt]) -> None:
        """Note the jobs in ``block``, which may not run, for a number that a job in front has asked for: until
        something happens that could tell. Where it ends in an error, one more job is no matter."""
        runs, span = {name: replace(r, since={*r.since}) for name, r in self.runs.items()}, self.scope.names.ctx.span
        if any(isinstance(s, ast.Raise) or self._set_by(s) for s in block):
            return
        for s in block:
            order = [pair for head in _head(s) for pair in _in_order(head)]
            jobs = [n for n, sure in order if sure and id(n) in self.jobs]
            parts = {id(p) for n in jobs for p in ast.walk(n)}
            for node in jobs:
                job = self.jobs[id(node)]
                run = runs.get(job.frame)
                if run is not None and not self._reads_what_is_new(node, run) and self._is_asked_in(run, job):
                    self.jobs[id(node)] = replace(
                        job, statement=span(s), run=span(run.first), behind="", turns=None, again=True,
                        assumed=(*job.assumed, *self._are_pythons()),
                    )  # fmt: skip
            if any(id(n) not in parts and not self._is_quiet(n) for n, _ in order):
                return
            if not self._is_still(s) or self._unpacks(s):
                return
            for name in bound_names([s]):
                runs.pop(name, None)
            changed = {n for part in ast.walk(s) for n in _changed(part)}
            for run in runs.values():
                run.since |= bound_names([s])
                run.changed = run.changed or isinstance(s, ast.AugAssign) or bool(changed)

    def _unpacks(self, s: ast.stmt) -> bool:
        """Whether ``s`` takes the values of something apart that may be a generator."""
        unpacked = (
            n.value
            for n in ast.walk(s)
            if isinstance(n, ast.Assign) and any(isinstance(t, (ast.Tuple, ast.List)) for t in n.targets)
        )
        return any(not isinstance(v, (ast.Tuple, ast.List)) and self._runs(v) for v in unpacked)

    def _add(self, job: ir.Job, node: ast.AST, s: ast.stmt) -> None:
        span = self.scope.names.ctx.span
        run = self.runs.get(job.frame)
        if run is None:
            caught = any(isinstance(n, (ast.Try, ast.With, ast.AsyncWith)) for n in self.places().outward(s))
            run = self.runs[job.frame] = _Run(s, behind="raise" if caught else "")
        if self._is_for_debugging(s):
            return
        if self._reads_what_is_new(node, run):
            return
        unread = {f"nobody reads `{name}` after an error" for name in run.assigned if job.reading != (ir.Size(),)}
        self.jobs[id(node)] = replace(
            job, statement=span(s), run=span(run.first), behind=run.behind,
            assumed=(*job.assumed, *(Assumption("program", t) for t in sorted(unread)), *self._are_pythons()),
        )  # fmt: skip

    def _is_asked_in(self, run: _Run, job: ir.Job) -> bool:
        """Whether a job of ``run`` that is sure to be run asks for the number that ``job`` asks for."""
        first = self.scope.names.ctx.span(run.first)
        sure = (j for j in self.jobs.values() if j.run == first and j.frame == job.frame and j.turns is None)
        return any(j.reading == job.reading and not j.again for j in sure)

    def _reads_what_is_new(self, node: ast.AST, run: _Run) -> bool:
        """Whether the job ``node`` reads more than its frame that may not be there where ``run`` begins."""
        read = self._read_by(node)
        new = bool(read & run.since) or (run.changed and any(map(self._is_variable, read)))
        return new or not all(self._is_quiet(n) for n in ast.walk(node) if isinstance(n, ast.Attribute))

    def _read_by(self, job: ast.AST) -> set[str]:
        """The variables that ``job`` reads, beside that of its frame."""
        frame, todo, found = self.jobs[id(job)].frame, [job], set[str]()
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name) and node.id != frame and self.scope.names.function(node) is None:
                found.add(node.id)
            if self.scope.attribute(node) != frame:
                todo += ast.iter_child_nodes(node)
        return found

    def _set_by(self, s: ast.stmt) -> set[str]:
        """The attributes of the object whose method it is that ``s`` sets, or changes in place."""
        stores = [n for n in ast.walk(s) if isinstance(n, (ast.Attribute, ast.Subscript)) and not _is_load(n)]
        named = (self.scope.attribute(n.value if isinstance(n, ast.Subscript) else n) for n in stores)
        return {name for name in named if name is not None}

    def _is_for_debugging(self, s: ast.stmt) -> bool:
        """Whether ``s`` stands under a test that is rarely TRUE: nothing is computed then, as a rule."""
        tests = (outer.test for outer in self.places().outward(s) if isinstance(outer, ast.If))
        words = (n.attr if isinstance(n, ast.Attribute) else n.id for t in tests for n in ast.walk(t) if _is_word(n))
        return any(re.search("debug|verbose|isenabledfor", w.lower()) for w in words)

    def _is_variable(self, name: str) -> bool:
        """Whether ``name`` is no module or function that is imported."""
        return self.scope.names.resolve(ast.Name(name, ast.Load())) is None

    def _after(self, s: ast.stmt) -> None:
        bound, changed = bound_names([s]), {n for part in ast.walk(s) for n in _changed(part)}
        kinds = {type(part) for part in ast.walk(s)}
        behind = "assert" if ast.Assert in kinds else ""
        behind = "leave" if kinds & {*_LEAVES} else "raise" if ast.Raise in kinds else behind
        if changed - self.scope.own or bound & self.scope.names.rebound:
            behind = max(behind, "raise", key=_BEHIND.index)  # other code may look at it after an error
        assigned = self._set_by(s)
        for name in bound | assigned:
            self.runs.pop(name, None)
        for run in self.runs.values():
            run.since |= bound
            run.assigned |= assigned
            run.changed = run.changed or isinstance(s, ast.AugAssign) or bool(changed or assigned)
            run.behind = max(behind, run.behind, key=_BEHIND.index)

    def _is_quiet(self, node: ast.AST) -> bool:
        """Whether ``node``, once its parts are evaluated, does nothing but compute a value, read frames, or write
        output."""
        match node:
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
            case ast.comprehension(is_async=is_async, iter=over):
                return not is_async and not self._runs(over)
            case ast.Starred(value=over):
                return not self._runs(over)
            case ast.Compare(ops=ops, comparators=among) if any(isinstance(o, (ast.In, ast.NotIn)) for o in ops):
                return not self._runs(*among)
            case ast.Call():
                return self._is_known(node)
            case ast.Attribute() if self.scope.owner is not None and self.scope.attribute(node) is not None:
                return _is_log(node) or not self.scope.names.ctx.class_binds((self.scope.owner, node.attr))
        return True

    def _is_known(self, call: ast.Call) -> bool:
        """Whether the function that is called has no effect but output."""
        names = self.scope.names
        if names.function(call.func) is not None:
            return True
        if isinstance(call.func, ast.Name):
            origin = names.resolve(call.func) or ""
            if any(k.arg in (None, "key", "file") for k in call.keywords):
                return False
            if call.func.id in _TAKES_ALL and self._runs(*call.args):
                return False
            shown = call.func.id == "display" and origin == "" and self.scope.lookup("display") is None
            if call.func.id in _BUILTINS and origin == "" and self._may_be_pythons(call.func.id):
                self.taken_for_pythons.add(call.func.id)
                return True
            return shown or (origin.startswith("builtins.") and origin.removeprefix("builtins.") in _BUILTINS)
        if not isinstance(call.func, ast.Attribute) or call.func.attr in names.patches.methods:
            return False
        of, method = call.func.value, call.func.attr
        if method in _LOGGED:
            return _is_log(of)
        if method in _OF_TEXT and isinstance(of, (ast.Constant, ast.JoinedStr)):
            return method != "join" or not self._runs(*call.args)
        if id(of) in self.jobs:
            return method in _OF_VALUES
        if method == "append":
            return isinstance(of, ast.Name)
        if self._is_of_frame(of):
            return method in _LAZY | _LOOKS | METHODS
        if method in _READS:
            return self._reads_a_source(call)
        return method in METHODS and self._is_of_column(of)

    def _are_pythons(self) -> tuple[Assumption, ...]:
        return tuple(
            Assumption("program", f"`{name}` is Python's own function") for name in sorted(self.taken_for_pythons)
        )

    def _may_be_pythons(self, name: str) -> bool:
        """Whether nothing in the file binds ``name`` but code that is not here: ``%run``, or ``import *``."""
        names = self.scope.names
        return names.ctx.times_bound(name) == 0 and name not in names.imported and self.scope.lookup(name) is None

    def _reads_a_source(self, call: ast.Call) -> bool:
        """``spark.table(…)``, ``spark.read.….parquet(…)``: a frame; of its source nothing is read but the schema."""
        at: ast.expr = call
        while isinstance(at, (ast.Call, ast.Attribute)):
            if isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute) and at.func.attr == "format":
                if [getattr(a, "value", None) in _FORMATS for a in at.args] != [True]:
                    return False  # the file may define a source of its own
            if isinstance(at, ast.Attribute) and at.attr not in _READS:
                break
            at = at.func if isinstance(at, ast.Call) else at.value
        return session_names.reads_as(at, "session", self.scope.names, self.scope.lookup)

    def _runs(self, *given: ast.AST) -> bool:
        """Whether going through the values of ``given`` may run code of the file that a generator has put off."""
        found = (n for a in given if not self._lists_columns(a) for n in ast.walk(a))
        return any(isinstance(n, (ast.Name, ast.Attribute)) for n in found) and self.scope.names.ctx.puts_off

    def _lists_columns(self, node: ast.AST) -> bool:
        match node:
            case ast.Attribute(value=ast.Name() | ast.Attribute() as of, attr="columns" | "dtypes"):
                return self._is_of_frame(of)
        return False

    def _is_of_frame(self, of: ast.expr) -> bool:
        """Whether ``of`` is a frame in a variable, or made of one."""
        while isinstance(of, (ast.Call, ast.Attribute, ast.Subscript)):
            if (self.scope.attribute(of) or "") in self.runs:
                return True
            of = of.func if isinstance(of, ast.Call) else of.value
        bound = self.scope.lookup(of.id) if isinstance(of, ast.Name) else None
        return bound is not None and bound.is_frame

    def _is_of_column(self, of: ast.expr) -> bool:
        while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and of.func.attr in METHODS:
            of = of.func.value
        return isinstance(of, ast.Call) and self.scope.names.function(of.func) is not None


def _head(s: ast.stmt) -> list[ast.expr]:
    """What ``s`` evaluates first, once, whatever it does then."""
    match s:
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=value):
            return [value]
        case ast.AnnAssign(value=ast.expr() as value) | ast.Return(value=ast.expr() as value):
            return [value]
        case ast.Assert(test=test):
            return [test]  # the message is evaluated where the program ends
        case ast.If(test=test):
            return [test]
        case ast.For(iter=over):
            return [over]
        case ast.Raise(exc=ast.Call(func=ast.Name(), args=args, keywords=[])):
            return list(args)
    return []


def _turn(loop: ast.AST) -> tuple[ast.expr, ast.expr, list[ast.AST]] | None:
    """The target of ``loop``, what it goes through, and what each turn does."""
    match loop:
        case ast.For(target=target, iter=over, body=body):
            return target, over, [*body]
        case ast.DictComp(key=key, value=value, generators=[ast.comprehension(target=target, iter=over, ifs=[])]):
            return target, over, [key, value]
        case (
            ast.ListComp(elt=element, generators=[ast.comprehension(target=target, iter=over, ifs=[])])
            | ast.SetComp(elt=element, generators=[ast.comprehension(target=target, iter=over, ifs=[])])
        ):
            return target, over, [element]
    return None


def _is_simple(s: ast.stmt) -> bool:
    """Whether ``s`` does nothing but bind names to what its head is, or end the program."""
    match s:
        case ast.Assign(targets=targets):
            return all(map(_is_target, targets))
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return isinstance(target, ast.Name)
        case ast.Expr() | ast.Assert() | ast.Pass():
            return True
    return False


def _is_target(target: ast.expr) -> bool:
    match target:
        case ast.Name():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(isinstance(p, ast.Name) for p in parts)
        case ast.Subscript(value=ast.Name(), slice=ast.Constant() | ast.Name()):
            return True
    return False


def _changed(node: ast.AST) -> Iterator[str]:
    """The variables that hold what ``node`` changes in place."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
            yield name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
            yield name


def _in_order(node: ast.AST, sure: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """The parts of ``node`` as they are evaluated, it itself last, each with whether that is sure to happen, once."""
    parts: list[tuple[ast.AST, bool]]
    if isinstance(node, ast.Lambda):
        parts = []
    elif isinstance(node, ast.IfExp):
        parts = [(node.test, sure), (node.body, False), (node.orelse, False)]
    elif isinstance(node, ast.BoolOp):
        parts = [(v, sure and i == 0) for i, v in enumerate(node.values)]
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        parts = [(part, sure) for pair in pairs for part in pair if part is not None]
    elif isinstance(node, ast.Compare):
        parts = [(node.left, sure), *((c, sure and i == 0) for i, c in enumerate(node.comparators))]
    else:
        inside = not isinstance(node, _COMPREHENSIONS)
        parts = [(c, sure and inside) for c in ast.iter_child_nodes(node) if not isinstance(c, ast.expr_context)]
    for part, certain in parts:
        yield from _in_order(part, certain)
    yield node, sure


def _is_load(node: ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_word(node: ast.AST) -> TypeGuard[ast.Name | ast.Attribute]:
    return isinstance(node, (ast.Name, ast.Attribute))


def _is_log(node: ast.expr) -> bool:
    return re.fullmatch(r"_*(?:\w+_)?(?:log|logs|logger|logging)_*", _last_name(node).lower()) is not None


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
