"""How Spark calls each kind of Python function, and what becomes of its result."""

from __future__ import annotations

import ast
import copy
import datetime as dt
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.expr import Scalar
from headwater_ir.plan import UserCode
from headwater_ir.problem import Fold
from headwater_ir.types import Type

from .library import Proxy
from .limits import NotEvaluated
from .program import Program
from .samples import Row as Given
from .values import Row
from .world import World

Stored = dict[str, Any] | None
"""The outputs of a group by name, or None for no output row."""


class Call:
    """One way to be called. ``names``: the outputs of the fold that it makes."""

    def __init__(self, program: Program, code: UserCode, fold: Fold, types: Mapping[str, Type]) -> None:
        self.code, self.fold = code, fold
        self.output_names = [o.name for o in fold.outputs]
        self.types = {f.name: f.type for f in code.source.fields} | {n: t for n, t in types.items() if t.name != "any"}
        self.names = code.outputs or tuple(o.name for o in fold.outputs)
        self.steps = [(s.method, [_node(program, span.start, span.end) for span in s.functions]) for s in code.steps]

    @property
    def nodes(self) -> list[ast.AST]:
        """The code."""
        return [n for _, nodes in self.steps for n in nodes]

    @property
    def merges(self) -> bool:
        """Whether the function also says how two parts of a group are merged."""
        return False

    @abstractmethod
    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        """The outputs of a group that comes in these parts. An Exception where the function raises."""

    keyed: frozenset[str] | None = None
    """Where the fold says no more of the rows that the function returns than these outputs, which all of them share."""

    @property
    def assumes_range(self) -> bool:
        """Whether the fold is read under the assumption that numbers stay within a range."""
        return any(a.kind == "range" for a in self.fold.assumptions)

    def row(self, given: Given) -> Row:
        """A row as PySpark shows it."""
        known = [f.name for f in self.code.source.fields]
        if self.code.ordered:
            return Row.of({n: given[n] for n in known}, True)
        return Row.of(given, self.code.source.complete)


class Udf(Call):
    """A Python UDF of one row."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        ((row,),) = parts
        (node,) = self.nodes
        try:
            arguments = [evaluate(a, Env(row)) for a in self.code.arguments]
        except EvaluationError as error:
            raise ValueError(str(error)) from None
        value = world.value(node)(*arguments)
        (name,) = self.names
        return {name: stored(value, self.fold.output(name).type, self.assumes_range)}


class TableFunction(Call):
    """A UDTF class over the rows of one partition."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        (rows,) = parts
        (node,) = self.nodes
        instance = world.value(node)()
        for row in rows:
            _nothing_yielded(instance.attribute("eval")(self.row(row)))
        made = instance.attribute("terminate")()
        found = [] if made is None else list(made)
        if not found:
            return None
        if len(found) > 1 or not isinstance(found[0], tuple) or len(found[0]) != len(self.names):
            raise NotEvaluated("other results than one row")
        types = [self.fold.output(n).type for n in self.names]
        return {n: stored(v, t, self.assumes_range) for n, v, t in zip(self.names, found[0], types, strict=True)}


def _nothing_yielded(result: Any) -> None:
    if result is not None and list(result):
        raise NotEvaluated("rows that are yielded by `eval`")


class Elements(Call):
    """A chain of methods of an RDD of rows, with at most one fold by key."""

    @property
    def merges(self) -> bool:
        return self.fold.merge is not None

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        elements = [[self.row(r) for r in part] for part in parts]
        for method, nodes in self.steps:
            functions = [world.value(n) for n in nodes]
            elements = apply(method, functions, elements)
        found = [e for part in elements for e in part]
        if not found:
            return None
        if len(found) > 1:
            raise _SeveralKeys
        return self._outputs(found[0])

    def _outputs(self, element: Any) -> Stored:
        if self.code.outputs:
            if not isinstance(element, tuple) or len(element) != len(self.names):
                raise NotEvaluated("an element that is no tuple")
            types = [self.fold.output(n).type for n in self.names]
            return {n: stored(v, t, self.assumes_range) for n, v, t in zip(self.names, element, types, strict=True)}
        found = {n: _part(element, n) for n in self.names}
        return {n: v for n, v in found.items() if v is not _ABSENT}


class Tests(Elements):
    """A chain of methods of an RDD of rows whose outputs are the conditions of its filters."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        elements = [[self.row(r) for r in part] for part in parts]
        for method, nodes in self.steps:
            elements = apply(method, [world.value(n) for n in nodes], elements)
        return {PASSES: any(map(len, elements))}


class Condition(Elements):
    """A condition that the driver asks of each row."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        ((variable, (node,)),) = self.steps
        assert isinstance(node, ast.expr)
        name, _, written = variable.partition(": ")
        name, keeps = name.removeprefix("not "), not name.startswith("not ")
        if written:
            node = ast.copy_location(ast.parse(written, mode="eval").body, node)
        arguments = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
        function = world.value(ast.copy_location(ast.Lambda(arguments, node), node))
        rows = [self.row(r) for part in parts for r in part]
        return {PASSES: any(bool(function(row)) == keeps for row in rows)}


PASSES = "every test"
"""The one output of ``Tests``: whether any element passes all filters."""


_SeveralKeys = NotEvaluated("rows of several keys")
SEVERAL_ROWS = NotEvaluated("several rows of a group")
SKIPPED = NotEvaluated("every sampled group is assumed away")


def apply(method: str, functions: list[Any], parts: list[list[Any]]) -> list[list[Any]]:
    """What a method of an RDD makes of its partitions."""
    match method:
        case "map":
            return [[functions[0](e) for e in part] for part in parts]
        case "filter":
            return [[e for e in part if functions[0](e)] for part in parts]
        case "keyBy":
            return [[(functions[0](e), e) for e in part] for part in parts]
        case "mapValues":
            return [[(k, functions[0](v)) for k, v in map(_pair, part)] for part in parts]
        case "flatMap":
            return [[x for e in part for x in functions[0](e)] for part in parts]
        case "flatMapValues":
            return [[(k, x) for k, v in map(_pair, part) for x in functions[0](v)] for part in parts]
        case "keys":
            return [[_pair(e)[0] for e in part] for part in parts]
        case "values":
            return [[_pair(e)[1] for e in part] for part in parts]
        case "sortBy" | "sortByKey" | "repartition" | "coalesce" | "setName" | "partitionBy" | "cache" | "persist":
            return parts
    return [list(_combined(*_combiner(method, functions), parts))]


def _pair(element: Any) -> tuple[Any, Any]:
    if not isinstance(element, tuple) or len(element) != 2:
        raise NotEvaluated("an element that is no pair")
    return element[0], element[1]


def _combiner(method: str, functions: list[Any]) -> tuple[Any, Any, Any]:
    """What a fold by key makes of the first value of a key, of a further one, and of two parts."""
    match method, functions:
        case "reduceByKey", [f]:
            return lambda v: v, f, f
        case "foldByKey", [zero, f]:
            return lambda v: f(copy.deepcopy(zero), v), f, f
        case "aggregateByKey", [zero, step, merge]:
            return lambda v: step(copy.deepcopy(zero), v), step, merge
        case "combineByKey", [create, step, merge]:
            return create, step, merge
        case "groupByKey", []:
            return lambda v: [v], lambda vs, v: [*vs, v], lambda a, b: [*a, *b]
    raise NotEvaluated(f"`{method}` of an RDD")


def _combined(create: Any, step: Any, merge: Any, parts: list[list[Any]]) -> Iterator[tuple[Any, Any]]:
    total: dict[Any, Any] = {}
    for part in parts:
        found: dict[Any, Any] = {}
        for k, v in map(_pair, part):
            found[k] = step(found[k], v) if k in found else create(v)
        for k, v in found.items():
            total[k] = merge(total[k], v) if k in total else v
    return iter(total.items())


def _part(element: Any, path: str) -> Any:
    """The part of an element that an output such as ``kv[1][0]`` names."""
    if re.fullmatch(r"\w+(\[\d+\])*", path) is None:
        return _ABSENT  # a name of the proof's own
    for index in map(int, re.findall(r"\[(\d+)\]", path)):
        if element is None:
            return None  # so the outputs say of what may be None or a tuple
        if isinstance(element, list) and index >= len(element):
            return _ABSENT  # of a short list an output says nothing
        element = element.item(index) if isinstance(element, Proxy) else element[index]
    return element


_ABSENT = object()


_STORED: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (float,), "string": (str,), "bool": (bool,), "date": (dt.date,),
    "timestamp": (dt.datetime,),
}  # fmt: skip


def stored(value: Any, t: Type, ranged: bool = False) -> Scalar:
    """What Spark stores of a result in a column of type ``t``: the value itself, if it is of that type. Of a list
    nothing is known but its size. ValueError if it does not fit, unless that is assumed away (``ranged``)."""
    if value is None:
        return None
    limit = 2 ** (t.bits or 10_000) // 2
    if t.name == "int" and type(value) is int and not -limit <= value < limit:
        raise SKIPPED if ranged else ValueError("the integer does not fit")
    if t.name not in _STORED or type(value) not in _STORED[t.name]:
        raise NotEvaluated(f"a {type(value).__name__} as a {t}")
    return value  # type: ignore[no-any-return]


def _node(program: Program, start: int, end: int) -> ast.AST:
    found = program.at(start, end)
    if found is None:
        raise NotEvaluated("the function is not found in the text")
    return found


PASSED_OVER = (_SeveralKeys, SEVERAL_ROWS, SKIPPED)
"""Reasons that concern one group, and say nothing of others."""
