"""Whether code whose value has no meaning here at least does nothing but compute that value.

Dropping rows before such code means that it is run less often. That changes nothing if each run depends on its
arguments alone and leaves nothing behind: no prints, no accumulators, no random numbers, no argument changed in place.
What is in no list counts as doing more (THEORY.md section 4, *Determinism and side effects*).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..context import Refusal
from .purity import NUMERIC_CALLS, QUIET_MODULES, STRING_METHODS, TEXT_CALLS, refuse_call
from .scope import Scope
from .statements import local_names

_BUILTINS = frozenset(
    f"builtins.{n}"
    for n in """
    len sum min max any all sorted reversed list tuple set dict frozenset range enumerate zip map filter bool isinstance
    divmod pow slice bytes complex callable format iter
    """.split()
)
_MODULES = ("math.", "re.", "operator.", "itertools.", "string.", "statistics.", "collections.", "functools.reduce",
    "json.loads", "json.dumps", "datetime.datetime.strptime", "datetime.datetime.fromisoformat", "datetime.date",
    "datetime.timedelta", "datetime.datetime.fromtimestamp", "decimal.Decimal", "copy.copy", "copy.deepcopy",
    "urllib.parse.", "base64.", "hashlib.", "ast.literal_eval", "pyspark.sql.Row", "pyspark.sql.types.Row",
)  # fmt: skip
_METHODS = frozenset(STRING_METHODS) | frozenset(
    """
    split rsplit splitlines partition rpartition join encode decode format startswith endswith get keys values items
    asDict copy union intersection difference issubset issuperset isdisjoint group groups groupdict match search findall
    finditer fullmatch sub date time isoformat strftime timestamp weekday isoweekday year month day timetuple
    total_seconds hexdigest digest as_tuple quantize
    """.split()
)
"""Methods of Python's own values that change nothing, where the object is one of the code's own values: data, or made
of data by what is listed here. ``session.get(url)`` of a global object may do anything."""
_OWN = frozenset("append extend add update insert sort reverse setdefault pop remove discard appendleft".split())
"""Methods that change what they are called on: harmless where that was made on the spot."""
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset(f"builtins.{n}" for n in "list dict set sorted tuple frozenset".split()) | {
    "collections.defaultdict", "collections.Counter", "collections.deque", "collections.OrderedDict",
}  # fmt: skip
_HIGHER = frozenset(f"builtins.{n}" for n in "map filter sorted min max iter".split()) | {
    "functools.reduce", "collections.defaultdict", "re.sub", "re.subn", "itertools.groupby", "itertools.starmap",
    "itertools.accumulate", "itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse", "json.loads",
    "json.dumps", "copy.copy", "copy.deepcopy", "operator.call", "operator.methodcaller",
}  # fmt: skip
"""Functions that may call what they are given."""
_DATA = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)
_NEVER = (
    ast.Global, ast.Nonlocal, ast.Delete, ast.With, ast.AsyncWith, ast.AsyncFor, ast.Await, ast.ClassDef,
    ast.AsyncFunctionDef,
)  # fmt: skip
_DEPTH = 6


def require(scope: Scope, node: ast.AST, own: frozenset[str] = frozenset()) -> None:
    """Refusal ("side-effect", "volatile" or "opaque") if running ``node`` may do more than compute a value. ``own``:
    names of objects that nothing else holds, and that may change."""
    _Reader(scope).check(node, own, 0)


def is_listed(name: str | None) -> bool:
    """Whether the function of this dotted name is known to do nothing but compute."""
    if name is None:
        return False
    return name in _BUILTINS or name in NUMERIC_CALLS or name in TEXT_CALLS or name.startswith(_MODULES)


class _Reader:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._done: set[int] = set()
        self._local = scope.local_names

    def check(self, node: ast.AST, own: frozenset[str], depth: int) -> None:
        """``own``: names of objects that were made where ``node`` is run, and that nothing else holds."""
        if isinstance(node, ast.FunctionDef):
            own = _made(node, self.scope)
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self._local = self._local | local_names(node)
        for part in ast.walk(node):
            if isinstance(part, _NEVER) or (isinstance(part, ast.NamedExpr) and not isinstance(node, ast.FunctionDef)):
                raise Refusal("side-effect", f"a `{type(part).__name__}` in code that is not understood", part)
            if isinstance(part, ast.FunctionDef) and part is not node:
                raise Refusal("opaque", "a nested function", part)
            if isinstance(part, (ast.Import, ast.ImportFrom)):
                names = [a.name for a in part.names] if isinstance(part, ast.Import) else [part.module or ""]
                if any(n.split(".")[0] not in QUIET_MODULES for n in names):
                    raise Refusal("side-effect", "importing a module runs its code", part)
            if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, (ast.Store, ast.Del)):
                if isinstance(part, ast.Attribute) or _name(part.value) not in own:
                    raise Refusal("side-effect", f"`{self.scope.ctx.text(part)}` is assigned: an object changes", part)
            if isinstance(part, ast.AugAssign) and _name(part.target) not in own | _counters(node):
                raise Refusal("side-effect", "an augmented assignment may change an object in place", part)
            if isinstance(part, ast.Call):
                self._call(part, own, depth)
                if self.scope.origin(part.func) in _HIGHER:
                    for argument in (*part.args, *(k.value for k in part.keywords)):
                        self._handed_on(argument, depth)
        self._outside(node, depth)

    def _call(self, node: ast.Call, own: frozenset[str], depth: int) -> None:
        name, written = self.scope.origin(node.func), self.scope.ctx.text(node.func)
        if self.scope.is_assumed_pure(name, written) or is_listed(name):
            return
        if isinstance(node.func, ast.Attribute) and name is None:
            if node.func.attr in _METHODS and self._is_own(node.func.value):
                return
            if node.func.attr in _OWN and _name(node.func.value) in own:
                return
        if isinstance(node.func, ast.Name) and name is None and self._followed(node.func.id, depth):
            return
        raise refuse_call(self.scope.ctx, name, node)

    def _followed(self, name: str, depth: int) -> bool:
        """Whether ``name`` is a function of the file; Refusal if its body does more. One inside of another reads the
        variables around it, which are none of its own."""
        function = self.scope.ctx.function(name)
        if function is None or self.scope.shadowed(name):
            return False
        if function.decorator_list or depth > _DEPTH:
            return False
        if id(function) not in self._done:
            self._done.add(id(function))
            outer, self._local = self._local, local_names(function)
            self.check(function, frozenset(), depth + 1)
            self._local = outer
        return True

    def _outside(self, node: ast.AST, depth: int) -> None:
        """Refuse variables of the code around ``node`` that may be used up by reading them, as iterators are."""
        asked = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
        for n in ast.walk(node):
            # A method that is called is looked at there; `value` is what a broadcast holds.
            kept = isinstance(n, ast.Attribute) and (id(n) in asked or n.attr == "value" or self.scope.origin(n))
            if isinstance(n, ast.Subscript) or kept:
                asked.add(id(n.value))  # type: ignore[attr-defined]
        asked |= self._only_asked(node)
        for part in ast.walk(node):
            if not isinstance(part, ast.Name) or part.id in self._local or id(part) in asked:
                continue
            origin = self.scope.origin(part)
            known = is_listed(origin) or (origin or "").startswith("builtins.") or self._followed(part.id, depth)
            if not known and not self._is_data(self.scope.ctx.constant(part.id)):
                raise Refusal("opaque", f"`{part.id}` is not known, and may be used up by reading it", part)

    def _only_asked(self, node: ast.AST) -> set[int]:
        """Where a broadcast is handed to a function that reads its value and nothing else, and where what a parameter
        of the code around ``node`` holds is looked into; that it is no iterator is then taken on trust."""
        found: set[int] = set()
        for part in ast.walk(node):
            spelled = isinstance(part, ast.Call) and not any(isinstance(a, ast.Starred) for a in part.args)
            if spelled and isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                function = self.scope.ctx.function(part.func.id)
                parameters = function.args.args if function is not None else []
                for given, parameter in zip(part.args, parameters, strict=False):
                    if function is not None and isinstance(given, ast.Name) and _is_broadcast(parameter.arg, function):
                        found.add(id(given))
            if isinstance(part, ast.Compare):
                for op, into in zip(part.ops, part.comparators, strict=True):
                    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(into, ast.Name) and self._is_given(into.id):
                        self.scope.assume(f"`{into.id}` is no iterator, which looking into it would use up", "purity")
                        found.add(id(into))
        return found

    def _is_given(self, name: str) -> bool:
        """Whether ``name`` can only be a parameter of the code around."""
        return name not in self._local and self.scope.ctx.only_given(name)

    def _is_data(self, node: ast.expr | None) -> bool:
        """Whether ``node`` makes something that reading does not change."""
        return isinstance(node, (*_DATA, *_FRESH, ast.UnaryOp, ast.BinOp, ast.JoinedStr)) or (
            isinstance(node, ast.Call) and self.scope.origin(node.func) in _MAKERS
        )

    def _handed_on(self, node: ast.expr, depth: int) -> None:
        """Refuse what may be a function that is not looked at, where it may be called."""
        root = node
        if isinstance(node, ast.Attribute) and node.attr not in _METHODS and self.scope.origin(node) is None:
            raise Refusal("side-effect", f"`{self.scope.ctx.text(node)}` may be called, and change an object", node)
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self._local or is_listed(self.scope.origin(node)):
            return
        if isinstance(node, ast.Name) and self._followed(node.id, depth):
            return
        if not isinstance(node, ast.Name) or not isinstance(self.scope.ctx.constant(node.id), _DATA):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` may be a function of which nothing is known", node)

    def _is_own(self, node: ast.expr) -> bool:
        """Whether ``node`` is a value of the code: a constant, a local variable, or a part or result of one."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            if isinstance(node, ast.Attribute) and node.attr == "value" and isinstance(node.value, ast.Name):
                return True  # what a broadcast holds is data
            if isinstance(node, ast.Call) and (
                not isinstance(node.func, ast.Attribute) or is_listed(self.scope.origin(node.func))
            ):
                return True  # which is looked at by itself
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name):
            return node.id in self._local
        return True


def _is_broadcast(name: str, function: ast.FunctionDef) -> bool:
    """Whether ``function`` reads nothing of its parameter ``name`` but ``name.value``."""
    nodes = list(ast.walk(function))
    values = sum(isinstance(n, ast.Attribute) and n.attr == "value" and _name(n.value) == name for n in nodes)
    return values > 0 and values == sum(isinstance(n, ast.Name) and n.id == name for n in nodes)


def _made(function: ast.FunctionDef, scope: Scope) -> frozenset[str]:
    """Names that are only ever bound to an object made on the spot, and handed to nobody before the end."""
    fresh: set[str] = set()
    other: set[str] = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    for part in ast.walk(function):
        for target, value in _bindings(part):
            names = {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            made = isinstance(value, _FRESH) or (isinstance(value, ast.Call) and scope.origin(value.func) in _MAKERS)
            (fresh if made and isinstance(target, ast.Name) else other).update(names)
    return frozenset(fresh - other)


def _counters(function: ast.AST) -> frozenset[str]:
    """Names that start as constants: adding to a number or a text makes a new object."""
    started, other = set[str](), {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
    for part in ast.walk(function):
        for target, value in _bindings(part):
            (started if isinstance(value, ast.Constant) else other).update(
                n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            )
    return frozenset(started - other)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr | None]]:
    if isinstance(node, ast.Assign):
        yield from ((t, node.value) for t in node.targets)
    elif isinstance(node, ast.AnnAssign):
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr)):
        yield node.target, None
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, None


def _name(node: ast.AST) -> str:
    """The variable that ``node`` is a part of, if it is one: ``d`` of ``d["k"]["l"]`` is not what is changed."""
    return node.id if isinstance(node, ast.Name) else ""
