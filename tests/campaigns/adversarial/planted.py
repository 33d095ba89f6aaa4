"""Faults in tables of facts and in refusals, one at a time: the campaign must see each within a bounded number of programs.

Programs are those of the campaign, drawn with what the fault is about (``drawn``); of those that do not contain its text,
nothing is analysed: the fault cannot change what is found in them. ``python -m tests.planted adversarial`` tries all,
with ``--spark`` those as well that only Spark can judge.
"""

# ruff: noqa: E501 (a table of faults, one a line)

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import headwater
from headwater.engine.linking import linked as linking
from headwater.libraries import registry
from headwater.libraries.entry import CLASSES, Entry, declared
from headwater.operators import every_type
from headwater.pyspark.columns import own_functions, session_windows
from headwater.python.effects import outside, statements
from headwater.python.effects.uses import Uses
from headwater.python.interpreter import try_except
from headwater.python.row_udf import asked_results
from headwater.rewrite.branch import statements as branch_statements
from headwater.rewrite.branch import world as branch_world
from headwater.rewrite.branch.statements import Body
from headwater.rewrite.branch.values import UNKNOWN, Evaluator
from headwater.syntax.names import pyspark_symbols as symbols
from headwater.syntax.signatures import Signature
from headwater_ir.expr import FALSE, TRUE, Call, Expr, Lit
from headwater_ir.types import INT
from tests import planted

from . import (
    arrow,
    column_functions,
    columns,
    elements,
    groups,
    linked,
    results,
    settings,
    state,
    types,
)
from .judge import judged
from .tool import Answer, answer
from .write import ON_SPARK
from .write import program as written

PROGRAMS = 40_000
ANALYSED, ANALYSED_ON_SPARK = 400, 60


@dataclass(frozen=True)
class Fault:
    """``kind``: the programs that are to see it; ``needle``: a text that stands in all programs that it can change."""

    name: str
    kind: str
    needle: str
    plant: Callable[[], AbstractContextManager[None]]
    drawn: Callable[[], AbstractContextManager[None]] = nullcontext
    """Has the generator draw what the fault is about."""


@dataclass(frozen=True)
class Seen:
    """After how many programs a fault was seen, of which so many were analysed; ``wrong`` is empty if it was not."""

    written: int
    analysed: int
    wrong: str = ""


def hunt(fault: Fault, programs: int = PROGRAMS, analysed: int = ANALYSED, spark: Any = None) -> Seen:
    """Programs of the campaign until the fault is seen. ``spark``: a session, for kinds that only Spark can judge."""
    _load()
    tried = 0
    with fault.plant(), fault.drawn():
        for seed in range(programs):
            made = written(seed, fault.kind)
            if fault.needle not in made.source:
                continue
            tried += 1
            found = answer(made)
            if found.rewritten:
                verdict, wrong = _verdict(found, seed, spark)
                if verdict in ("wrong", "unstable"):
                    return Seen(seed + 1, tried, wrong)
            if tried == analysed:
                return Seen(seed + 1, tried)
    return Seen(programs, tried)


@cache
def _load() -> None:
    """Import all modules of the product: one that is first imported while a fault is planted would keep it."""
    for found in pkgutil.walk_packages(headwater.__path__, "headwater."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def _verdict(found: Answer, seed: int, spark: Any) -> tuple[str, str]:
    if found.program.kind in ON_SPARK:
        from .on_spark import judged as judged_on_spark

        return judged_on_spark(spark, found, seed)
    trial = judged(found, seed)
    return trial.verdict, trial.wrong


# --- how faults are planted


@contextmanager
def _effect(line: str) -> Iterator[None]:
    """Another entry for a function, or for a method by the kind of its receiver, among the effect tables."""
    kind = line.partition(".")[0]
    is_method = kind in CLASSES and kind not in ("datetime", "date", "time")
    made = registry.of_class(declared(line)) if is_method else declared(line)
    with patch.dict(registry.EFFECTS, {made.name: made}):
        yield


@contextmanager
def _entry(name: str, **changes: Any) -> Iterator[None]:
    """An entry of the registry of libraries, altered, or made."""
    table, by_method = registry._ENTRIES, registry._BY_METHOD.setdefault(name.rpartition(".")[2], [])
    before, listed = table.get(name), list(by_method)
    plain = Entry(name, Signature.of(f"{name.rpartition('.')[2]}()"), yields="other")
    table[name] = replace(before or plain, **changes)
    by_method[:] = [table[name] if e.name == name else e for e in listed] + ([] if before else [table[name]])
    try:
        yield
    finally:
        by_method[:] = listed
        if before is None:
            del table[name]
        else:
            table[name] = before


@contextmanager
def _attribute(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def _set(changed: frozenset[str], value: frozenset[str]) -> Iterator[None]:
    """Another value for a set of names, wherever it was imported."""
    places = [
        (module, name)
        for module_name, module in sys.modules.items()
        if module_name.startswith("headwater.")
        for name, own in vars(module).items()
        if own is changed
    ]
    for module, name in places:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name in places:
            setattr(module, name, changed)


@contextmanager
def _function_of_its_row(name: str) -> Iterator[None]:
    """A function of Spark becomes one of its row, in every table made of the measured one."""
    table: Any = symbols.FUNCTIONS
    before = table[name]
    with ExitStack() as stack:
        for those in (symbols.VOLATILE, symbols.ROW_CONTEXT, symbols.FOREIGN):
            stack.enter_context(_set(those, those - {name}))
        for those in (symbols.ROW, symbols.SQL_ROW):
            stack.enter_context(_set(those, those | {name}))
        table[name] = replace(before, kind="row")
        try:
            yield
        finally:
            table[name] = before


# --- what is drawn


@contextmanager
def _things(needle: str) -> Iterator[None]:
    """Only the objects of ``state`` that use the text."""
    those = tuple(t for t in state.THINGS if any(needle in text for text in (t.setup, *t.uses)))
    with _attribute(state, "THINGS", (*those, state.THINGS[-1]) if those else state.THINGS):
        yield


@contextmanager
def _methods(owner: Any, names: tuple[str, ...], method: str) -> Iterator[None]:
    """One method of pandas or of Arrow in the place of all."""
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(_attribute(owner, name, (method,)))
        yield


@contextmanager
def _calls(name: str, calls: tuple[str, ...], positions: tuple[str, ...]) -> Iterator[None]:
    """Calls of one function of Spark, at these places."""
    with (
        _attribute(columns, "call", lambda draw: (name, draw.one(calls))),
        _attribute(columns, "_positions", lambda _: positions),
    ):
        yield


def function(name: str, *calls: str) -> Fault:
    """A function of Spark that is no function of its row, taken for one."""
    return Fault(
        f"{name} is a function of its row",
        "columns",
        f"F.{name}(",
        lambda: _function_of_its_row(name),
        lambda: _calls(name, calls, _SHOWN),
    )


_SHOWN = (
    't.withColumn("z", {f}).groupBy("k", "z").agg({a}).filter({c})',
    't.select("k", "v", {f}.alias("z")).groupBy("k", "z").agg({a}).filter({c})',
    't.withColumn("z", {f}).unpivot(["k", "z"], ["v"], "n", "x").groupBy("k", "z").agg(F.max("x").alias("top")).filter("top > 1")',
    't.withColumn("z", {f}).rdd.map(lambda r: (r.k, r.z)).filter(lambda p: p[0] == "a")',
)
"""Places whose result shows the value of the function."""


def raising(
    name: str,
    needle: str,
    plant: Callable[[], AbstractContextManager[None]],
    numbers: tuple[int, ...] = (),
) -> Fault:
    """A fault in what is known of errors: functions with handlers, mostly of these numbers (``elements.Writer.num``)."""

    @contextmanager
    def drawn() -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(_attribute(elements, "HANDLED", 1.0))
            stack.enter_context(_attribute(elements, "CHAINS", (0,)))
            stack.enter_context(_attribute(elements, "READ_NUMBERS", numbers or elements.READ_NUMBERS))
            yield

    return Fault(name, "elements", needle, plant, drawn)


def effect(name: str, kind: str, needle: str, line: str) -> Fault:
    """A fault of the effect tables."""
    return Fault(name, kind, needle, lambda: _effect(line), lambda: _things(needle))


def entry(name: str, kind: str, needle: str, full: str, **changes: Any) -> Fault:
    """A fault of the registry of libraries."""
    if kind == "groups":
        owner: Any = groups
        names: tuple[str, ...] = ("UNDERSTOOD", "USUAL")
    else:
        owner, names = arrow, ("METHODS",)
    method = full.rpartition(".")[2]
    column = "Column" in full or method not in (*arrow.METHODS, *groups.ALL)
    drawn = nullcontext if column else lambda: _methods(owner, names, method)
    return Fault(name, kind, needle, lambda: _entry(full, **changes), drawn)


def attribute(name: str, kind: str, needle: str, owner: Any, of: str, value: Any) -> Fault:
    """A fault of a set or a function."""
    drawn = (lambda: _things(needle)) if kind == "state" else nullcontext
    return Fault(name, kind, needle, lambda: _attribute(owner, of, value), drawn)


def drawing(
    name: str,
    kind: str,
    needle: str,
    owner: Any,
    of: str,
    value: Any,
    tables: Mapping[tuple[Any, str], tuple[Any, ...]],
) -> Fault:
    """A fault of a function; generators draw from these tables in the place of their own."""

    @contextmanager
    def drawn() -> Iterator[None]:
        with ExitStack() as stack:
            for (writer, table), entries in tables.items():
                stack.enter_context(_attribute(writer, table, entries))
            yield

    return Fault(name, kind, needle, lambda: _attribute(owner, of, value), drawn)


def _signature(text: str) -> Signature:
    return Signature.of(text)


def _always(*_: object) -> bool:
    return True


_STATEMENT = statements._statement


def _without(*kinds: str) -> Callable[..., None]:
    """``statements._statement`` that passes over statements of these kinds."""

    def statement(a: Any, node: Any, frame: Any) -> None:
        if type(node).__name__ not in kinds:
            _STATEMENT(a, node, frame)

    return statement


def _statements(name: str, needle: str, *kinds: str) -> Fault:
    return attribute(name, "state", needle, statements, "_statement", _without(*kinds))


def _each(text: str) -> str:
    """An entry for every kind of mapping: what a name may hold is looked up by method, in all of them."""
    return "\n".join(
        f"{kind}.{text}" for kind in ("dict", "Counter", "OrderedDict", "set") if kind != "set" or "update" in text
    )


def _plain(*_: object) -> str:
    return "plain"


def _never(_: object) -> Expr:
    return FALSE


def _first(*_: object) -> int:
    return 0


def _tame(_: object, e: Call, fail: object) -> Call:
    return replace(e, total=True)


def _fell_through(self: Any, classes: Any, env: Any, path: Any) -> Any:
    return self.run.run(self.node.orelse, env, path)


_BESIDE = every_type.EveryType._beside


def _as_number(self: Any, e: Any, literal: Any, sql: bool, ordered: bool) -> Any:
    """A text literal as the number that it spells."""
    with suppress(ValueError):
        literal = Lit(int(literal.value), INT) if isinstance(literal.value, str) else literal
    return _BESIDE(self, e, literal, sql, ordered)


def _unknown(self: Any, node: Any, parts: Any, what: str = "") -> Any:
    return replace(UNKNOWN, original=any(p.original for p in list(parts)))


_DEFINED = Body._defined


def _not_original(self: Any, s: Any) -> Any:
    found = _DEFINED(self, s)
    return found and replace(found, original=False)


_AS_IT_IS = asked_results._as_it_is


def _none_passes(e: Expr, column: str, value: Expr) -> Expr:
    return TRUE if isinstance(value, Lit) and value.value is None else _AS_IT_IS(e, column, value)


_GIVEN = own_functions._given


def _defaults_win(parameters: Any, call: Any) -> Any:
    """What the parameters stand for, with constants of the definition before what the call says."""
    found = _GIVEN(parameters, call)
    own = zip((p.arg for p in (*parameters.args[::-1], *parameters.kwonlyargs[::-1])),
              (parameters.defaults or parameters.kw_defaults)[::-1], strict=False)  # fmt: skip
    return found and {**found, **{name: value for name, value in own if name in found}}


@contextmanager
def _without_texts() -> Iterator[None]:
    """No text between a frame and its copy is looked at."""
    with (
        _attribute(branch_world, "check_text", lambda *_: None),
        _attribute(branch_statements, "check_text", lambda *_: None),
    ):
        yield


@contextmanager
def _texts() -> Iterator[None]:
    """Texts, compared with texts that spell numbers."""
    with (
        _attribute(types, "_LITERALS", ("'9'", "'10'")),
        _attribute(types, "DATA", {"string": types.DATA["string"]}),
        _attribute(types, "_PYTHON_SHARE", 0.0),
    ):
        yield


def changing(name: str, needle: str, plant: Callable[[], AbstractContextManager[None]]) -> Fault:
    """A fault in what may happen between a frame and a copy of it, and the changes that show it."""
    changes = tuple(c for c in settings.CHANGES if needle in c)
    return Fault(name, "settings", needle, plant, lambda: _attribute(settings, "CHANGES", changes))


_TOP = ('t.groupBy("k").agg(F.max("{v}").alias("{v}"))',)
_ONE = ("def {g}({c}):",)
_FRAME = "pandas.DataFrame."
_TABLE = "pyarrow.Table."
_FIXED = outside._FIXED
FAULTS: Mapping[str, Fault] = {
    f.name: f
    for f in (
        # --- effects: purity and determinism
        effect("random.random is deterministic", "state", "random.random()", "random.random() -> float"),
        effect("random.randint is deterministic", "state", "random.randint(", "random.randint(a, b) -> int"),
        effect("random.choice is deterministic", "state", "random.choice(", "random.choice(seq) -> parts"),
        effect("now is deterministic", "state", ".now()", "datetime.datetime.now(tz=None) -> datetime"),
        effect("utcnow is deterministic", "state", "utcnow()", "datetime.datetime.utcnow() -> datetime"),
        effect("perf_counter is deterministic", "state", "perf_counter", "time.perf_counter() -> float"),
        effect("monotonic_ns is listed", "state", "monotonic_ns()", "time.monotonic_ns() -> int"),
        effect("token_hex is listed", "state", "token_hex", "secrets.token_hex() -> str"),
        effect("urandom is deterministic", "state", "os.urandom(", "os.urandom(size, /) -> bytes"),
        effect("print does nothing", "state", "print(", "builtins.print(*args, end=None) -> none"),
        # --- effects: what changes an object
        effect("append changes nothing", "state", "append(", "list.append(object, /) -> none"),
        effect("insert changes nothing", "state", ".insert(", "list.insert(index, object, /) -> none"),
        effect("extend changes nothing", "state", ".extend(", "list.extend(iterable, /) -> none"),
        effect("setdefault reads", "state", "obj.setdefault(", _each("setdefault(key, default=None, /) -> self | args | none")),
        effect("update reads", "state", "obj.update(", _each("update(other=None, /) -> none; keywords")),
        effect("add changes nothing", "state", "obj.add(", "set.add(elem, /) -> none"),
        # --- effects: what may come from outside
        attribute("every list is only read", "lists", "COLS", Uses, "only_read", lambda *_: True),
        _statements("global is no effect", "global count", "Global"),
        # --- row preservation and non-emptiness, pandas
        entry("drop_duplicates leaves a row", "groups", "drop_duplicates(", _FRAME + "drop_duplicates", leaves=_always),
        entry("head leaves a row", "groups", ".head(", _FRAME + "head", leaves=_always),
        entry("tail leaves a row", "groups", ".tail(", _FRAME + "tail", leaves=_always),
        entry("dropna leaves a row", "groups", ".dropna(", _FRAME + "dropna", leaves=_always),
        entry("nlargest leaves a row", "groups", ".nlargest(", _FRAME + "nlargest", leaves=_always),
        entry("nsmallest leaves a row", "groups", ".nsmallest(", _FRAME + "nsmallest", leaves=_always),
        entry("query leaves a row", "groups", ".query(", _FRAME + "query", leaves=_always),
        entry("shift keeps rows", "groups", ".shift(", _FRAME + "shift", yields="rows"),
        entry("where keeps rows", "groups", ".where(", _FRAME + "where", yields="rows"),
        entry("mask keeps rows", "groups", ".mask(", _FRAME + "mask", yields="rows"),
        entry("fillna keeps rows", "groups", ".fillna(", _FRAME + "fillna", yields="same rows"),
        entry("rename keeps columns", "groups", ".rename(", _FRAME + "rename", yields="same rows"),
        # --- parameters and receivers, pyarrow
        entry("filter of a table takes any null selection", "arrow", "emit_null", _TABLE + "filter",
              signature=_signature('filter(mask, null_selection_behavior="drop")')),
        entry("take of a table keeps rows", "arrow", ".take(", _TABLE + "take", yields="rows"),
        entry("take of a column keeps values", "arrow", '"].take(', "pyarrow.ChunkedArray.take", yields="values"),
        entry("a join keeps rows", "arrow", ".join(", _TABLE + "join", yields="rows"),
        entry("renamed columns are the same", "arrow", ".rename_columns(", _TABLE + "rename_columns", yields="rows"),
        entry("a set column is the same", "arrow", ".set_column(", _TABLE + "set_column", yields="rows"),
        # --- functions of Spark, judged on Spark
        function("rand", "F.rand()"), function("randn", "F.randn()"), function("uuid", "F.uuid()"),
        function("shuffle", "F.shuffle('sa')"), function("randstr", "F.randstr(F.lit(9))"),
        function("uniform", "F.uniform(F.lit(0), F.lit(1000000))"),
        Fault("no column is a session window", "columns", "session_window(",
              lambda: _attribute(session_windows, "origin_of", _plain),
              lambda: _calls("session_window", ('F.session_window("ts", "2 hours")',), _SHOWN[:2])),
        # --- what may happen before a copy, judged on Spark
        changing("every SQL text is a query", ".sql(", lambda: _attribute(branch_statements, "is_query", _always)),
        changing("a cell in SQL changes nothing", "# MAGIC %sql", _without_texts),
        changing("what is not known changes nothing", "", lambda: _attribute(Evaluator, "unknown", _unknown)),
        Fault("columns of the original are no columns", "consumers", "g.m", lambda: _attribute(Body, "_defined", _not_original)),
        # --- which error a handler catches, and what a value can be
        raising("None has every attribute and order", "except", lambda: _attribute(try_except, "is_null", _never)),
        raising("the first handler catches everything", "except", lambda: _attribute(try_except._Attempt, "_handler", _first)),
        raising("a conversion of a text does not fail", "int(", lambda: _attribute(try_except, "_tamed_call", _tame), (7, 9, 0)),
        raising("an error is passed over", "except", lambda: _attribute(try_except._Attempt, "_failed", _fell_through)),
        # --- functions of columns, results, broadcasts and imports
        drawing("a function reads the variables of its caller", "column_functions", "    limit = ", own_functions, "_is_fixed", _always, {
            (column_functions, "_BODIES"): ("    return {c} >= limit",), (column_functions, "_FRAMES"): _TOP, (column_functions, "_HEADS"): _ONE,
            (column_functions, "_LOCAL"): ("def use(frame):\n    limit = {l}\n    return frame.filter({call})\n\n\nresult = use(made)",)}),
        drawing("defaults hide what is given", "column_functions", "low=", own_functions, "_given", _defaults_win, {
            (column_functions, "_HEADS"): ("def {g}({c}, low={l}):",), (column_functions, "_FRAMES"): _TOP, (column_functions, "_BODIES"): ("    return {c} >= low",)}),
        drawing("None as a result passes", "results", "None", asked_results, "_as_it_is", _none_passes, {
            (results, "_BODIES"): (("s", "s[:2] if s else None", ("string",)),), (results, "_WAYS"): results._WAYS[:3]}),
        drawing("nobody changes what a module binds", "linked", "helpers.inner", linking, "_gets_at", lambda *_: False, {
            (linked, "_KINDS"): (column_functions,), (linked, "_OF_THE_FILE"): ("import helpers\nhelpers.inner = lambda v: v.isNull()",), (linked, "_OF_THE_MODULE"): (),
            (column_functions, "_BODIES"): ("    return inner({c})",), (column_functions, "_FRAMES"): _TOP, (column_functions, "_HEADS"): _ONE}),
        # --- types and literals, judged on Spark
        Fault("texts have the order of numbers", "types", "'10'",
              lambda: _attribute(every_type.EveryType, "_beside", _as_number), _texts),
    )
}  # fmt: skip


BRIEF = frozenset((
    "append changes nothing", "insert changes nothing", "global is no effect", "print does nothing",
    "dropna leaves a row", "query leaves a row", "rename keeps columns", "take of a table keeps rows",
    "uuid is a function of its row", "texts have the order of numbers",
))  # fmt: skip
"""Those that are seen within few programs."""


def faults() -> Iterator[planted.Fault]:
    """All of them, as the registry of planted faults takes them."""
    for name, fault in FAULTS.items():
        yield planted.Fault(
            "adversarial", name, partial(_seen, fault), brief=name in BRIEF, spark=fault.kind in ON_SPARK
        )


def _seen(fault: Fault) -> bool:
    if fault.kind not in ON_SPARK:
        return bool(hunt(fault).wrong)
    from pyspark.sql import SparkSession

    return bool(hunt(fault, analysed=ANALYSED_ON_SPARK, spark=SparkSession.getActiveSession()).wrong)
