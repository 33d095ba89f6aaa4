"""Which uses of a name in a file only read the object that it is bound to, and keep no other name for it.

A container may be read by a function of the rows only if nothing in the program can change it. Every use of its name is
looked at: what is not listed here as a read may change it, or keep it for somebody who does.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from headwater.libraries.entry import CLASSES
from headwater.libraries.registry import EFFECTS
from headwater.syntax.source import ast_walk
from headwater.syntax.source.bindings import assigned, parameters
from headwater.syntax.source.by_method import ByMethod

from .sessions import PROVIDED

_COPIES = frozenset(
    f"builtins.{n}"
    for n in "len sum min max any all sorted list tuple set frozenset dict str repr isinstance bool enumerate".split()
)
"""Functions that read a container and keep nothing of it but its elements, which are the reader's concern."""
_ONE = frozenset({"builtins.max", "builtins.min", "builtins.sum"})
"""These yield the container itself if there is another argument."""
_COMPARES = ("__eq__", "__ne__", "__lt__", "__gt__", "__le__", "__ge__", "__contains__")
_OPERATES = ("__add__", "__radd__", "__or__", "__ror__", "__mod__", "__mul__", "__rmul__")
_CLASSES = [CLASSES[k] for k in ("list", "dict", "set", "frozenset", "tuple", "Counter", "OrderedDict")]
_COLUMNS = frozenset({"columns", "subset", "by", "usecols", "id_vars", "value_vars"})
LISTED = frozenset(
    """
    pyspark pandas numpy pyarrow delta findspark scipy sklearn matplotlib seaborn
    """.split()
) | frozenset(sys.stdlib_module_names)
"""Modules whose classes change no list that they are indexed by, compared with, or given as names of columns."""
_OF_FRAMES = frozenset(
    """
    drop drop_duplicates dropna sort_values groupby agg nlargest nsmallest reindex set_index melt merge duplicated
    filter DataFrame read_csv pivot_table join unpivot pivot
    """.split()
)
"""Methods of pandas that read a list of columns and keep nothing of it."""
_OF_PANDAS = frozenset(f"pandas.{n}" for n in "DataFrame crosstab melt merge pivot_table read_csv".split())
"""Functions of pandas that do so."""
_OF_SPARK = frozenset(
    """
    isin select drop groupBy groupby rollup cube dropna dropDuplicates drop_duplicates orderBy sort partitionBy
    createDataFrame parallelize join unpivot pivot
    """.split()
)
"""Methods of Spark that read a list that they are given and keep nothing of it."""
_OF_SCHEMAS = frozenset(
    """
    schema createDataFrame applyInPandas applyInArrow mapInPandas mapInArrow json csv table toDF from_json from_csv udf
    pandas_udf
    """.split()
)
"""Methods and functions of Spark that read a schema that they are given and keep nothing of it."""
_PARTS_OF_SCHEMAS = frozenset("names fieldNames simpleString json jsonValue".split())
"""Attributes of a schema by which it cannot be changed."""
_DEEPEST = 4
_NAMING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
"""Syntax that binds its ``name``."""


class Uses:
    """The uses of the names of one file. ``origin``: the full name of an imported or built-in object."""

    def __init__(
        self, tree: ast.Module, origin: Callable[[ast.expr], str | None],
        function: Callable[[str], ast.FunctionDef | None],
    ) -> None:  # fmt: skip
        self._origin, self._function = origin, function
        self._every = [p for s in tree.body for p in _parts(s)]
        self._parents: dict[int, ast.AST] = {}
        """What is around the nodes of the parts that were asked for a name: a question is about a few of them."""
        self._found: dict[str, list[_Part]] = {}
        self._defining: dict[tuple[str, ...], bool] = {}

    def _defines(self, *methods: str) -> bool:
        """Whether the file defines, or may set, one of ``methods``: of any of its classes, or of another's."""
        known = self._defining.get(methods)
        if known is None:  # few are asked for: to look for each is quicker than to put all together
            known = self._defining[methods] = not all(p.defined.isdisjoint(methods) for p in self._every)
        return known

    @cached_property
    def _modules(self) -> set[str]:
        return set[str]().union(*(p.modules for p in self._every))

    def _binds(self, name: str) -> bool:
        """Whether parameters, definitions, imports, handlers or patterns bind ``name``."""
        return any(name in p.bound for p in self._every)

    def _with(self, name: str) -> list[_Part]:
        """The parts in which ``name`` is a variable or an attribute, in order."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = [p for p in self._every if name in p.names or name in p.attributes]
            for part in found:
                self._parents.update(part.parents)
        return found

    def _names(self, name: str) -> list[ast.Name]:
        return [n for part in self._with(name) for n in part.names.get(name, ())]

    def _attributes(self, name: str) -> list[ast.Attribute]:
        return [a for part in self._with(name) for a in part.attributes.get(name, ())]

    def only_assignment(self, target: ast.AST) -> ast.expr | None:
        """What a plain assignment to ``target`` assigns; None if ``target`` is bound in another way."""
        if isinstance(target, ast.Name):
            self._with(target.id)
        around = self._parents.get(id(target))
        while isinstance(around, (ast.Tuple, ast.List)):
            around = self._parents.get(id(around))
        if not isinstance(around, (ast.Assign, ast.AnnAssign)):
            return None
        return next((value for of, value in assigned(around) if of is target), None)

    def only_read(self, name: str, nested: bool, depth: int = 0) -> bool:
        """Whether every use of ``name`` but the one that binds it reads what it holds. ``nested``: its elements may be
        containers, which have to be only read as well."""
        uses: list[ast.Name | ast.Attribute] = [*self._names(name), *self._attributes(name)]
        return all(
            self._is_read(n, nested, depth) if isinstance(n.ctx, ast.Load) else isinstance(n, ast.Name) for n in uses
        )

    def schema_only_read(self, name: str) -> bool:
        """Whether every use of ``name`` but the one that binds it reads the schema that it is bound to. A schema can be
        changed through each of its fields: by a subscript, in a loop over it, or by a function that it is given to."""
        return all(self._reads_schema(n) for n in self._names(name) if isinstance(n.ctx, ast.Load))

    def _reads_schema(self, node: ast.Name) -> bool:
        around = self._parents.get(id(node))
        if isinstance(around, ast.keyword):
            around = self._parents.get(id(around))
        match around:
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called) as func) if func is not node:
                if self._origin(func) in ("builtins.print", "builtins.str", "builtins.repr", "builtins.len"):
                    return True
                return called in _OF_SCHEMAS and not self._defines(called)
            case ast.Attribute(attr=part):
                return part in _PARTS_OF_SCHEMAS
        return False

    def _is_read(self, node: ast.expr, nested: bool, depth: int) -> bool:
        """Whether what stands around ``node`` reads it, and keeps nothing but its elements."""
        match self._parents.get(id(node)):
            case ast.Subscript(value=owner, ctx=ast.Load()) as around:
                if owner is not node:
                    return self._is_known(owner, "__getitem__", "__class_getitem__", "__missing__")
                return not nested or self._is_read(around, nested, depth)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[into]):
                return self._is_known(left, *_COMPARES) if into is node else self._is_known(into, *_COMPARES)
            case ast.Compare(left=left, comparators=others):
                return all(n is node or self._is_known(n, *_COMPARES) for n in (left, *others))
            case ast.FormattedValue() | ast.UnaryOp():
                return True
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if test is node:
                return True
            case ast.For(iter=over) | ast.comprehension(iter=over):
                return over is node and not nested
            case ast.BinOp(left=left, right=right):
                return not nested and self._is_known(right if left is node else left, *_OPERATES)
            case ast.Attribute(value=owner, attr=method) as around if owner is node:
                return self._is_method(node, around, method, nested, depth)
            case ast.Starred():
                return not nested
            case ast.keyword(arg=parameter) as around:
                call = self._parents.get(id(around))
                return isinstance(call, ast.Call) and self._given(call, node, parameter, nested, depth)
            case ast.Call(func=func) as call if func is not node:
                return self._given(call, node, None, nested, depth)
        return False

    def _is_method(self, node: ast.expr, around: ast.Attribute, method: str, nested: bool, depth: int) -> bool:
        """Whether a method or attribute of what ``node`` holds leaves it as it is."""
        called = self._parents.get(id(around))
        if not isinstance(called, ast.Call) or called.func is not around:
            of_field = isinstance(node, ast.Attribute)  # perhaps a field of a row that has the name of the container
            return of_field or (method == "value" and self._is_read(around, nested, depth))
        if method in ("unpersist", "destroy"):
            return True
        found = [e for c in _CLASSES if (e := EFFECTS.get(f"{c}.{method}")) is not None]
        if isinstance(node, ast.Attribute):
            return not any(e.changes for e in found)
        return bool(found) and not nested and not any(e.changes or e.refused for e in found)

    def _given(self, call: ast.Call, node: ast.expr, parameter: str | None, nested: bool, depth: int) -> bool:
        """Whether a call reads the argument ``node`` and keeps nothing of it."""
        origin = self._origin(call.func)
        if origin is not None:
            copies = bool(call.args) and call.args[0] is node and (origin not in _ONE or len(call.args) == 1)
            if origin in ("builtins.len", "builtins.isinstance"):
                return copies and not self._defines("__instancecheck__")
            of_pandas = parameter in _COLUMNS and origin in _OF_PANDAS
            read = (origin in _COPIES and copies) or of_pandas
            return not nested and read
        if isinstance(call.func, ast.Attribute):
            method = call.func.attr
            owner = call.func.value
            if self._is_given(owner) or not self._is_known(owner, method, "__getattr__", "__getattribute__"):
                return False
            if method == "broadcast":
                return self._is_broadcast(call, nested, depth)
            if nested and method not in ("createDataFrame", "parallelize"):
                return False
            return method in _OF_SPARK or (method in _OF_FRAMES and (parameter is None or parameter in _COLUMNS))
        if isinstance(call.func, ast.Name):
            return self._of_function(call, node, parameter, nested, depth)
        return False

    def _is_known(self, node: ast.expr, *methods: str) -> bool:
        """Whether ``node``, on which one of ``methods`` is called, is of no class with a method of its own: neither of
        one of the file, nor of a module that is not listed."""
        if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.JoinedStr)):
            return True
        return not self._defines(*methods) and (self._modules <= LISTED or self._is_listed(node, 0))

    def _is_given(self, node: ast.expr) -> bool:
        """Whether ``node`` is made of a parameter that the code gives no listed class: it may be anybody's object."""
        while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
            node = node.func if isinstance(node, ast.Call) else node.value
        given = self._parameter(node) if isinstance(node, ast.Name) else None
        return given is not None and not self._is_of_listed(given)

    def _parameter(self, node: ast.Name) -> ast.arg | None:
        """The parameter that ``node`` reads."""
        at: ast.AST | None = node
        while at is not None:
            if isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                if found := [p for p in parameters(at) if p.arg == node.id]:
                    return found[0]
            at = self._parents.get(id(at))
        return None

    def _is_of_listed(self, parameter: ast.arg) -> bool:
        """Whether the code says of ``parameter`` that it is of a listed class."""
        origin = None if parameter.annotation is None else self._origin(parameter.annotation)
        return origin is not None and origin.partition(".")[0] in LISTED

    def _is_listed(self, node: ast.expr, depth: int) -> bool:
        """Whether ``node`` is made by listed modules, beginning with a session or a module."""
        while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
            origin = None if isinstance(node, ast.Subscript) else self._origin(node)
            if origin is not None:
                return origin.partition(".")[0] in (*LISTED, "builtins")
            node = node.func if isinstance(node, ast.Call) else node.value
        if not isinstance(node, ast.Name) or depth > _DEEPEST:
            return False
        origin = self._origin(node)
        if origin is not None:
            return origin.partition(".")[0] in (*LISTED, "builtins")
        bound = [n for n in self._names(node.id) if not isinstance(n.ctx, ast.Load)]
        made = [self.only_assignment(n) for n in bound]
        given = self._parameter(node)
        if given is not None and not self._is_of_listed(given):
            return False
        if given is None and not made:
            return node.id in PROVIDED and not self._binds(node.id)
        return all(m is not None and self._is_listed(m, depth + 1) for m in made)

    def _is_broadcast(self, call: ast.Call, nested: bool, depth: int) -> bool:
        match self._parents.get(id(call)):
            case ast.Assign(targets=[ast.Name(id=name)]):
                return depth < _DEEPEST and self.only_read(name, nested, depth + 1)
        return False

    def _of_function(self, call: ast.Call, node: ast.expr, parameter: str | None, nested: bool, depth: int) -> bool:
        """Whether a function of the file only reads what it is given here."""
        assert isinstance(call.func, ast.Name)
        function = self._function(call.func.id)
        if function is None or function.decorator_list or depth >= _DEEPEST:
            return False
        if any(isinstance(x, ast.Starred) for x in call.args):
            return False
        names = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        if parameter is None:
            places = [i for i, x in enumerate(call.args) if x is node]
            parameter = names[places[0]] if places and places[0] < len(names) else None
        if parameter not in names and parameter not in [p.arg for p in function.args.kwonlyargs]:
            return False
        self._with(parameter)
        inside = [n for n in ast_walk.walk(function) if isinstance(n, ast.Name) and n.id == parameter]
        return all(isinstance(n.ctx, ast.Load) and self._is_read(n, nested, depth + 1) for n in inside)


class _Part:
    """What ``Uses`` notes of one statement, without the statements ``apart``. ``of_class``: it is one of the body of a
    class."""

    def __init__(self, statement: ast.stmt, apart: Sequence[ast.stmt] = (), of_class: bool = False) -> None:
        self.parents: dict[int, ast.AST] = {}
        self.names: dict[str, list[ast.Name]] = {}
        self.attributes: dict[str, list[ast.Attribute]] = {}
        self.defined, self.modules, self.bound = set[str](), set[str](), set[str]()
        without = {id(s) for s in apart}
        for node in ast_walk.walk(statement, apart):
            for child in ast_walk.children(node):
                self.parents[id(child)] = node
            self._note(node, without)
        if of_class:
            self.defined |= self.names.keys()

    def _note(self, node: ast.AST, without: set[int]) -> None:
        if isinstance(node, _NAMING):
            self.bound.add(node.name or "")
        elif isinstance(node, ast.alias):
            self.bound.add((node.asname or node.name).partition(".")[0])
        if isinstance(node, ast.Name):
            self.names.setdefault(node.id, []).append(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.defined.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inside = (s for s in node.body if id(s) not in without)
            self.defined |= {n.id for s in inside for n in ast_walk.walk(s) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.keyword) and not isinstance(node.value, ast.Constant):
            self.defined.add(node.arg or "")  # `SimpleNamespace(select=f)`
        elif isinstance(node, ast.arg):
            self.bound.add(node.arg)
        elif isinstance(node, ast.Attribute):
            self.attributes.setdefault(node.attr, []).append(node)
            if isinstance(node.ctx, ast.Store):
                self.defined.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.defined.add(node.value)  # `setattr`, or the body of `type(…)`
        elif isinstance(node, ast.Import):
            self.modules |= {a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            self.modules.add("" if node.level else (node.module or "").partition(".")[0])


def _found_in(statement: ast.stmt, methods: Sequence[ast.stmt], of_each: Iterable[list[_Part]]) -> list[_Part]:
    return [_Part(statement, methods), *(part for parts in of_each for part in parts)]


_parts = ByMethod("_uses", _found_in, lambda method: [_Part(method, (), True)])
"""The notes on a statement of the top level; those on the methods of a class one by one."""
