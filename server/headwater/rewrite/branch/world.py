"""Whether nothing can tell a copy of a frame's expression from the frame: a closed world.

Law: a frame is a plan, so its expression may be evaluated once more if (1) nothing that its evaluation reads has
changed since the first time, and (2) no column of the original meets the copy, whose columns are others to Spark. Both
are shown by understanding code, not by looking for what is known to do harm: (1) of all code that may run between
definition and copy every statement is of a listed form, in functions of the file as well, and none is hidden; (2)
wherever the original or what is made of it is read, in the whole scope of its variable, the expression is of a listed
form that keeps no column of it, or gives a value that is followed in the same way, and combines it with nothing that
may be of the copy. It is stored in variables of that scope only: no container, attribute, view, closure or unknown call
may have it.
Why sound: the listed forms are measured (``forms``); values in variables are joined over all assignments.
Counterexample: ``kept = {}; alias = kept; alias["m"] = best["m"]``, and later ``top.select(kept["m"])``.
Reference: THEORY.md section 4, *Closed worlds* and *Multiplicity*.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from headwater.frontend.bindings import bound_names, own_nodes, parameters
from headwater.frontend.context import Context, star_may_bind
from headwater.frontend.names import Names

from . import forms
from .definitions import NoBranch, Place
from .names import Holding, free_names
from .region import Region, check_text, outermost_loop, region_of
from .values import SCALAR, UNKNOWN, Evaluator, Value

_Function = ast.FunctionDef
_MOST_ROUNDS = 20
_DEEPEST = 3
_EFFECTS_IN_SQL = re.compile(r"\b(try_)?(reflect|java_method)\b", re.IGNORECASE)
_HISTORY = re.compile(r"(_+|_i?\d+|Out|In)$")
"""Names under which IPython keeps the values of cells."""
_INTROSPECTION = frozenset(
    """
    __dict__ __globals__ __closure__ __import__ __main__ _getframe f_locals f_globals user_ns get_ipython inspect gc
    importlib ctypes builtins __builtins__ currentframe
    """.split()
)
"""Names by which code gets at the variables of other code."""
_SCOPE_FUNCTIONS = frozenset("eval exec globals locals vars compile".split())
"""Functions of the language that do so, called or under another name."""


@dataclass(frozen=True)
class Copied:
    """The copy to be made. ``originals``: variable → is it an RDD; ``definitions``: the statements that bind these;
    ``since``, ``until``: the places of the first of them and of the copy; ``read``: the read of the original in whose
    place it stands, and ``respelled`` what becomes a column by name; ``frames``: variables that it reads frames
    from."""

    originals: Mapping[str, bool]
    definitions: Collection[ast.stmt]
    since: Place
    until: Place
    read: ast.Name
    respelled: Collection[ast.AST]
    frames: Mapping[str, bool]


class World:
    """The code of one file around one copy."""

    def __init__(self, context: Context, names: Names, holding: Holding, copied: Copied) -> None:
        self.context, self.names, self.holding, self.copied = context, names, holding, copied
        self.parents = {child: node for node in ast.walk(context.tree) for child in ast.iter_child_nodes(node)}
        self.region: Region = region_of(copied.since, copied.until, copied.read, self.parents)
        self.known = {id(n) for n in copied.respelled}
        loop = outermost_loop(copied.until)
        top = loop or copied.until.statement
        self.copy_starts = context.span(top).start
        self.may_leave = loop is None and not any(isinstance(n, ast.Try) for n in own_nodes(self.scope))
        """Whether a ``return`` above the copy means that there will be none."""
        first = copied.since.statement
        end = context.span(loop).end if loop is not None else context.span(copied.read).start
        check_text(context, context.span(first).start, end)

    @property
    def scope(self) -> ast.Module | _Function:
        """What the variables of the original belong to."""
        node: ast.AST = self.copied.until.statement
        while not isinstance(node, (ast.Module, _Function)):
            node = self.parents[node]
        return node

    def check(self) -> None:
        """NoBranch, with the reason, if somebody could tell the copy from the original."""
        self._check_file()
        scope = self.scope
        body = Body(self, scope, self._parameters(scope))
        body.run()
        for name in body.originals():
            if name in self.names.rebound:
                raise NoBranch(f"`{name}` may be read or bound by other functions")

    def _check_file(self) -> None:
        if _EFFECTS_IN_SQL.search(self.context.source):
            raise NoBranch("a function of Java may be called")
        if self.names.patches.touch("sys.stdout") or self.names.patches.touch("builtins.print"):
            raise NoBranch("what is printed may run code of the file")
        if self.names.patches.touch("pyspark.sql.DataFrame.") or "" in self.names.patches.methods:
            raise NoBranch("the file changes classes of PySpark")
        if any(self.names.patches.touch(f"pyspark.sql.{c}") for c in ("DataFrame", "Column", "SparkSession")):
            raise NoBranch("the file changes classes of PySpark")
        for node in ast.walk(self.context.tree):
            match node:
                case ast.Import(names=found) if any(a.name.split(".")[0] in _INTROSPECTION for a in found):
                    raise NoBranch("the file reads variables by their names")
                case ast.ImportFrom(module=module) if (module or "").split(".")[0] in _INTROSPECTION:
                    raise NoBranch("the file reads variables by their names")
                case ast.Attribute() if self.names.resolve(node) == "sys.modules":
                    raise NoBranch("the file reads variables by their names")
                case ast.Name(id=name) if name in _SCOPE_FUNCTIONS and not self.context.bindings(name):
                    raise NoBranch("the file reads variables by their names")
                case ast.Name(id=name, ctx=ast.Load()) if _HISTORY.match(name) and not self._is_bound(node):
                    raise NoBranch(f"`{name}` may be the value of any cell")
                case ast.Attribute(attr=name) | ast.Constant(value=str(name)) | ast.Name(id=name):
                    if name in _INTROSPECTION and not self._asks_for_main(node):
                        raise NoBranch("the file reads variables by their names")

    def _is_bound(self, node: ast.Name) -> bool:
        """Whether the file binds the variable, or it only stands where a magic was."""
        start = self.context.span(node).start
        return bool(self.context.bindings(node.id)) or any(
            h.span.start <= start < h.span.end for h in self.context.hidden
        )

    def _asks_for_main(self, node: ast.AST) -> bool:
        """``__name__ == "__main__"``."""
        around = self.parents[node]
        return isinstance(around, ast.Compare) and isinstance(around.left, ast.Name) and around.left.id == "__name__"

    def _parameters(self, scope: ast.Module | _Function) -> dict[str, Value]:
        if isinstance(scope, ast.Module):
            return {}
        return {p.arg: self._parameter(scope, p) for p in parameters(scope)}

    def _parameter(self, function: _Function, parameter: ast.arg) -> Value:
        """What callers give: a number or text if all calls are in the file, and give one that is written out."""
        places = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        unknown = Value("unknown")
        if self.context.function(function.name) is not function or parameter.arg not in places:
            return unknown
        reads = [n for n in ast.walk(self.context.tree) if isinstance(n, ast.Name) and n.id == function.name]
        for read in reads:
            call = self.parents[read]
            if not isinstance(call, ast.Call) or call.func is not read or any(k.arg is None for k in call.keywords):
                return unknown
            given: list[ast.expr] = [k.value for k in call.keywords if k.arg == parameter.arg]
            before = call.args[: places.index(parameter.arg) + 1]
            if not given and len(before) > places.index(parameter.arg):
                given = [before[-1]]
            if not given or any(isinstance(a, ast.Starred) for a in before) or not isinstance(given[0], ast.Constant):
                return unknown
        return SCALAR if reads and not function.args.vararg else unknown

    def module_variable(self, name: str) -> Value:
        """What a variable of the module holds for a function that reads it."""
        starred = any(star_may_bind(module, name) for module in self.context.star_modules)
        if name == "spark" and not self.context.bindings(name) and not starred:
            return Value("session")
        if self.context.function(name) is not None:
            return Value("function")
        made = self.context.constant(name)
        if isinstance(made, ast.Constant):
            return SCALAR
        if made is not None:
            found = _alone(self, made)
            if found.kind in ("scalar", "session") or (found.kind == "data" and self.names.never_changed(name)):
                return found
        return UNKNOWN


class Body:
    """The statements of one scope: the module, the function with the copy, or one that is called with ``given``."""

    def __init__(
        self, world: World, scope: ast.Module | _Function, given: Mapping[str, Value], caller: Body | None = None
    ) -> None:
        self.world, self.scope, self.caller = world, scope, caller
        self.depth: int = 0 if caller is None else caller.depth + 1
        self.env = dict(given)
        self.local = bound_names(scope.body) | set(given)
        self.results = Value("unset")
        self.evaluator = Evaluator(world.names, self, is_query)
        self.strict: bool = caller is not None and caller.strict
        self.checking = self.early = False
        self.changed = False

    # --- what the evaluator asks (``Variables``)

    def variable(self, node: ast.Name) -> Value:
        """What a variable holds."""
        if node.id in self.world.names.rebound:
            found = replace(UNKNOWN, original=self.env.get(node.id, UNKNOWN).original)
        elif node.id in self.local:
            found = self.env.get(node.id, Value("unset"))
        elif self.caller is not None and isinstance(self.world.scope, ast.Module):
            outer = self.caller
            while outer.caller is not None:
                outer = outer.caller
            found = outer.variable(node)
        else:
            found = self.world.module_variable(node.id)
        if found.kind == "unset" and self.checking:
            found = replace(UNKNOWN, original=found.original)
        if found.kind == "unknown" and self.caller is None and node.id in self.world.copied.frames:
            found = replace(found, kind="rdd" if self.world.copied.frames[node.id] else "frame")
        if found.kind == "unknown" and self.world.context.function(node.id) is not None:
            found = replace(found, kind="function")
        return found

    def given(self, node: ast.expr) -> Value | None:
        """The value of an expression that is known already."""
        if node is self.world.copied.read:
            name = self.world.copied.read.id
            return Value("rdd" if self.world.copied.originals[name] else "frame", free=False)
        return Value("column") if id(node) in self.world.known else None

    def is_strict(self, node: ast.expr) -> bool:
        """Whether ``node`` may be evaluated before the copy."""
        return self.caller is None and id(node) in self.world.region.parts

    def is_udf(self, node: ast.Name) -> bool:
        """Whether calling what the variable holds makes a column."""
        return self.world.context.times_bound(node.id) == 1 and self.world.holding.is_udf(node)

    def called(self, function: ast.Name, call: ast.Call, arguments: list[Value]) -> Value | None:
        """The result of a function of the file; None if it is not understood."""
        found = self.world.context.function(function.id)
        if any(a.kind == "unset" for a in arguments):
            return Value("unset")
        if found is None or not (self.strict or any(a.original for a in arguments)) or self.depth == _DEEPEST:
            return None
        given = _bound(found, call, arguments)
        if given is None or any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in own_nodes(found)):
            return None
        if self.strict:
            span = self.world.context.span(found)
            check_text(self.world.context, span.start, span.end)
        return Body(self.world, found, given, self).run(check=self.checking)

    # --- statements

    def run(self, *, check: bool = True) -> Value:
        """Join the values of all assignments, and then ``check`` every statement; the value that is returned."""
        for _ in range(_MOST_ROUNDS):
            self.changed = False
            self._block(self.scope.body)
            if not self.changed:
                break
        else:
            raise NoBranch("the variables of the file are not understood")
        self.checking = check
        if check:
            self._block(self.scope.body)
        return SCALAR if self.results.kind == "unset" else self.results

    def originals(self) -> list[str]:
        """The variables that may hold the original, or what is made of it."""
        return [name for name, value in self.env.items() if value.original]

    def _block(self, block: Iterable[ast.stmt]) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, s: ast.stmt) -> None:
        before = self.strict, self.early
        region = self.world.region
        whole = self.strict or (self.caller is None and id(s) in region.whole)
        self.strict = whole or (self.caller is None and id(s) in region.heads)
        if self.caller is None:
            self.early = self.world.context.span(s).start < self.world.copy_starts
        else:
            self.early = self.caller.early
        try:
            self._run(s, whole)
        finally:
            self.strict, self.early = before

    def _run(self, s: ast.stmt, whole: bool) -> None:
        match s:
            case ast.Pass() | ast.Break() | ast.Continue():
                return
            case ast.Import() | ast.ImportFrom():
                return self._import(s)
            case ast.Expr(value=value):
                self.evaluator.value(value)
                return
            case ast.Assign(targets=targets, value=value):
                found = self._defined(s) or self.evaluator.value(value)
                for target in targets:
                    self._assign(target, value, found)
                return
            case ast.AnnAssign(target=target, annotation=annotation, value=assigned):
                self._annotation(annotation)
                if assigned is not None:
                    self._assign(target, assigned, self._defined(s) or self.evaluator.value(assigned))
                return
            case ast.AugAssign(target=ast.Name(id=name) as target, value=value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                both = [self.evaluator.value(read), self.evaluator.value(value)]
                if {b.kind for b in both} <= {"scalar", "unset"}:
                    return self._bind(name, SCALAR, s)
                return self._bind(name, self.evaluator.unknown(s, both, f"`{name}`"), s)
            case ast.Return(value=result):
                return self._return(s, SCALAR if result is None else self.evaluator.value(result))
            case ast.Raise(exc=exception, cause=None) if exception is None or self._is_error(exception):
                return
            case ast.Assert(test=test, msg=message):
                self._test(test)
                if message is not None:
                    self._test(message)
                return
            case ast.If(test=test):
                self._test(test)
            case ast.While(test=test):
                self._test(test)
            case ast.For(target=target, iter=items):
                self._assign(target, None, self.evaluator.element(items))
            case ast.Try():
                pass
            case ast.FunctionDef():
                return self._definition(s)
            case ast.Delete(targets=targets) if not self.strict and all(isinstance(t, ast.Name) for t in targets):
                return
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                shared = [self.env.get(n, Value("unset")) for n in names]
                self.evaluator.unknown(s, shared, "a variable of another scope")
                return
            case _:
                return self._unlisted(s, whole)
        self._inside(s, whole)

    def _inside(self, s: ast.stmt, whole: bool) -> None:
        """The blocks of a compound statement."""
        kept, self.strict = self.strict, whole
        for child in ast.iter_child_nodes(s):
            if isinstance(child, ast.stmt):
                self._statement(child)
            elif isinstance(child, ast.ExceptHandler):
                if child.name:
                    self._bind(child.name, UNKNOWN, child)
                self._block(child.body)
            elif isinstance(child, ast.match_case):
                self._block(child.body)
        self.strict = kept

    def _unlisted(self, s: ast.stmt, whole: bool) -> None:
        """A statement of no listed form: nothing of the original may be in it."""
        if isinstance(s, (ast.ClassDef, ast.AsyncFunctionDef)):
            own = {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
            found = [self.env[n] for n in own if n in self.env]
        else:
            found = [self.evaluator.value(e) for e in _heads(s)]
        self.evaluator.unknown(s, found)
        for name in {*bound_names(c for c in ast.iter_child_nodes(s) if not isinstance(c, ast.stmt)), _name_of(s)}:
            if name:
                self._bind(name, UNKNOWN, s)
        if not isinstance(s, (ast.ClassDef, ast.AsyncFunctionDef)):
            self._inside(s, whole)

    def _import(self, s: ast.Import | ast.ImportFrom) -> None:
        if isinstance(s, ast.ImportFrom):
            names = forms.IMPORTS.get(s.module or "", frozenset()) if not s.level else frozenset()
            listed = s.module in forms.MODULES and not s.level and all(a.name != "*" for a in s.names)
            listed = listed or all(a.name in names for a in s.names)
        else:
            listed = all(a.name in forms.MODULES for a in s.names)
        if not listed:
            self.evaluator.unknown(s, [], "an import")

    def _definition(self, s: _Function) -> None:
        """A function that is defined reads what is around it when it is called, whoever calls it."""
        free = [self.variable(n) for n in free_names(s) if n.id in self.local]
        if any(v.original for v in free):
            self.evaluator.unknown(s, free, f"`{s.name}`")
        annotations = [s.returns, *(p.annotation for p in parameters(s))]
        for annotation in annotations:
            if annotation is not None:
                self._annotation(annotation)
        made = [*s.decorator_list, *s.args.defaults, *(d for d in s.args.kw_defaults if d is not None)]
        simple = all(isinstance(d, ast.Constant) or self.is_udf_decorator(d) for d in made)
        if not simple:
            self.evaluator.unknown(s, [self.evaluator.value(e) for e in made], f"`{s.name}`")
        self._bind(s.name, Value("function"), s)

    def is_udf_decorator(self, node: ast.expr) -> bool:
        """``@F.udf("bigint")``: it notes the function, and runs nothing."""
        function = node.func if isinstance(node, ast.Call) else node
        given = [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
        of_spark = self.world.names.function(function) in ("udf", "pandas_udf")
        return of_spark and all(isinstance(a, ast.Constant) for a in given)

    def _annotation(self, node: ast.expr) -> None:
        """An annotation is evaluated where it stands."""
        match node:
            case ast.Constant():
                return
            case ast.Name() | ast.Attribute() if self.world.names.resolve(node) is not None:
                return
            case ast.Subscript(value=inner, slice=index):
                self._annotation(inner)
                self._annotation(index)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                for item in items:
                    self._annotation(item)
            case ast.BinOp(left=left, right=right):
                self._annotation(left)
                self._annotation(right)
            case _:
                self.evaluator.unknown(node, [self.evaluator.value(node)], "an annotation")

    def _is_error(self, node: ast.expr) -> bool:
        call = node if isinstance(node, ast.Call) else None
        origin = self.world.names.resolve(call.func if call else node) or ""
        arguments = [self.evaluator.value(a) for a in call.args] if call else []
        plain = all(a.kind in ("scalar", "data", "unset") for a in arguments)
        return plain and origin.startswith("builtins.") and origin.endswith(("Error", "Exception", "SystemExit"))

    def _test(self, node: ast.expr) -> None:
        found = self.evaluator.value(node)
        if found.kind not in ("scalar", "data", "unset"):
            self.evaluator.unknown(node, [found], "a test")

    def _return(self, s: ast.stmt, found: Value) -> None:
        if self.caller is not None:
            joined = self.results.joined(found)
            self.changed |= joined != self.results
            self.results = joined
        elif found.original and not (self.early and self.world.may_leave):
            self.evaluator.unknown(s, [found], "the caller")

    def _defined(self, s: ast.stmt) -> Value | None:
        """The original, if ``s`` is what defines it."""
        if self.caller is None and any(s is d for d in self.world.copied.definitions):
            (name,) = bound_names([s])
            return Value("rdd") if self.world.copied.originals[name] else Value("frame", original=True)
        return None

    def _assign(self, target: ast.expr, node: ast.expr | None, found: Value) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, found, target)
            case ast.Tuple(elts=targets) | ast.List(elts=targets) if (
                isinstance(node, ast.Tuple)
                and not any(isinstance(t, ast.Starred) for t in (*targets, *node.elts))
                and len(targets) == len(node.elts)
            ):
                for inner, value in zip(targets, node.elts, strict=True):
                    self._assign(inner, value, self.evaluator.value(value))
            case ast.Tuple(elts=targets) | ast.List(elts=targets) if found.kind in ("data", "unset"):
                for inner in targets:
                    self._assign(inner, None, found)
            case ast.Starred(value=inner) if found.kind in ("data", "unset"):
                self._assign(inner, None, found)
            case _:
                stored = [self.evaluator.value(e) for e in ast.iter_child_nodes(target) if isinstance(e, ast.expr)]
                self.evaluator.unknown(target, [found, *stored], "what is stored into")
                for name in bound_names([target]):
                    self._bind(name, UNKNOWN, target)

    def _bind(self, name: str, found: Value, at: ast.AST) -> None:
        if found.kind == "columns":  # others may put something into a container
            found = self.evaluator.unknown(at, [found], f"`{name}`")
        if self.early:
            found = replace(found, free=True)
        joined = self.env.get(name, Value("unset")).joined(found)
        self.changed |= joined != self.env.get(name)
        self.env[name] = joined
        if self.checking and self.strict and joined.kind in ("unknown", "unset"):
            self.evaluator.unknown(at, [], f"what `{name}` held")


def _alone(world: World, node: ast.expr) -> Value:
    """The value of an expression of the module by itself."""
    try:
        return Evaluator(world.names, Body(world, ast.Module([], []), {}), is_query).value(node)
    except (NoBranch, RecursionError):
        return UNKNOWN


def is_query(text: str) -> bool:
    """Whether a text is one query of SQL, which changes nothing: no command, and no call of a function that SQL does
    not have itself."""
    import sqlglot
    from sqlglot import exp

    try:
        found = sqlglot.parse(text, dialect="spark")
    except sqlglot.errors.SqlglotError:
        return False
    if len(found) != 1 or not isinstance(found[0], (exp.Select, exp.SetOperation)):
        return False
    others = (exp.Anonymous, exp.Command, exp.DDL, exp.DML, exp.QueryTransform, exp.Into)
    return found[0].find(*others) is None


def _bound(function: _Function, call: ast.Call, arguments: list[Value]) -> dict[str, Value] | None:
    """The parameters of ``function`` in ``call``; None for a form that is not followed."""
    a = function.args
    if function.decorator_list or a.vararg or a.kwarg or a.posonlyargs or a.kwonlyargs:
        return None
    names = [p.arg for p in a.args]
    if len(call.args) > len(names) or not all(isinstance(d, ast.Constant) for d in a.defaults):
        return None
    given = dict(zip(names[len(names) - len(a.defaults) :], [SCALAR] * len(a.defaults), strict=True))
    given |= dict(zip(names, arguments[: len(call.args)], strict=False))
    for keyword, value in zip(call.keywords, arguments[len(call.args) :], strict=True):
        if keyword.arg not in names:
            return None
        given[keyword.arg] = value
    return given if len(given) == len(names) else None


def _heads(s: ast.stmt) -> list[ast.expr]:
    """The expressions of ``s`` that stand in no statement below it."""
    found: list[ast.expr] = []
    todo = [c for c in ast.iter_child_nodes(s) if not isinstance(c, ast.stmt)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.expr):
            found.append(node)
        elif not isinstance(node, ast.stmt):
            todo += [c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.stmt)]
    return found


def _name_of(s: ast.stmt) -> str | None:
    return getattr(s, "name", None)
