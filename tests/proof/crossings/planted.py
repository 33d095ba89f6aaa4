"""Crossings of real programs, made wrong: the checker must refuse each, for what is wrong and not for its form."""

# A fault per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.assumptions import Assumption
from headwater_ir.crossing import (
    Crossing,
    MeetsFold,
    MeetsLimit,
    MeetsWindow,
    PassesFilter,
    PassesLimit,
    PassesProject,
    PassesSort,
    Path,
)
from headwater_ir.expr import Col, Compare, Expr, IsNull, Lit, Not, Or, conjuncts
from headwater_ir.parts import Order
from tests.planted import Fault

from .real import PROGRAMS, OfItself, changed, path_of, real, refusal

Change = Callable[[Path], Path]


def over(column: str, bound: int = 1) -> Expr:
    return Compare(">", Col(column), Lit(bound, ty.INT), "sql")


def with_after(number: int, after: Expr) -> Change:
    return lambda path: changed(path, number, after=after)


def passing(number: int, **passed: Any) -> Change:
    return lambda path: changed(path, number, passed)


def untyped(number: int, *where: str) -> Change:
    """Without the types of columns."""

    def change(path: Path) -> Path:
        crossings = list(path.crossings)
        crossings[number] = replace(crossings[number], **dict.fromkeys(where, ()))
        return replace(path, crossings=tuple(crossings))

    return change


def goes(path: Path) -> Path:
    return replace(path, stays=False)


def as_sort(number: int) -> Change:
    """Another operator in the place of one that is passed."""

    def change(path: Path) -> Path:
        crossings = list(path.crossings)
        crossings[number] = replace(crossings[number], passed=PassesSort())
        return replace(path, crossings=tuple(crossings))

    return change


def windows(**changes: Any) -> Change:
    def change(path: Path) -> Path:
        found = tuple(replace(w, **changes) for w in path.crossings[1].passed.windows)  # type: ignore[union-attr]
        return changed(path, 1, {"windows": found})

    return change


def running(**changes: Any) -> Change:
    """Another order at the window that is met."""

    def change(path: Path) -> Path:
        window = path.crossings[1].passed
        assert isinstance(window, MeetsWindow)
        columns = tuple(
            replace(w, running=replace(w.running, **changes) if changes and w.running else None)
            for w in window.passed.windows
        )
        return changed(path, 1, {"passed": replace(window.passed, windows=columns)})

    return change


def taken(**changes: Any) -> Change:
    """The first of another order at the limit that is met."""

    def change(path: Path) -> Path:
        met = path.crossings[1].passed
        assert isinstance(met, MeetsLimit)
        order = replace(met.passed.order, **changes)
        return changed(path, 1, passed_by=MeetsLimit(PassesLimit(order)))

    return change


def asked_more(path: Path) -> Path:
    """A conjunct that the filter does not have."""
    first = path.crossings[0]
    extra = IsNull(Col(sorted(ir.columns_of(first.after))[0]))
    return changed(path, 0, after=ir.conjoin((*conjuncts(first.after), extra)))


def without(part: int) -> Callable[[Expr], Expr]:
    return lambda e: ir.conjoin([c for i, c in enumerate(conjuncts(e)) if i != part])


def half(number: int, part: int) -> Change:
    """Only some of the conjuncts go on, although the filter does not stay."""
    return lambda path: changed(path, number, after=without(part)(path.crossings[number].after))


def disjunct(number: int, part: int) -> Change:
    def change(path: Path) -> Path:
        whole = path.crossings[number].after
        assert isinstance(whole, Or)
        return changed(path, number, after=whole.operands[part])

    return change


ERROR = Compare(">", ir.Arith("/", Lit(1, ty.INT), Col("n"), "sql"), Lit(0, ty.INT), "sql")


def or_error(number: int) -> Change:
    """A predicate that is implied, and raises."""
    return lambda path: changed(path, number, after=Or((path.crossings[number].after, IsNull(ERROR))))


def on_calls(column: str) -> Expr:
    text = ir.Call("spark.string", (Col(column),), ty.STRING, total=True)
    return Compare("==", text, Lit("-0.0", ty.STRING), "sql")


def throughout(predicate: Expr) -> Change:
    """Another filter altogether, which passes one operator unchanged, and then meets a boundary."""
    asked = ir.transform(predicate, lambda e: ir.Out(e.name) if isinstance(e, Col) else None)

    def change(path: Path) -> Path:
        first, second, *rest = path.crossings
        first = replace(first, passed=replace(first.passed, conjuncts=(predicate,)), after=predicate)
        second = replace(second, before=predicate, after=predicate if rest else asked)
        last = [Crossing(MeetsFold(), predicate, asked)] if rest else []
        return OfItself((first, second, *last), path.stays)

    return change


def staying(change: Change) -> Change:
    return lambda path: replace(change(path), stays=True)


# What is wrong, by name: the program, which of its paths, and the change.
WRONG: dict[str, tuple[str, int, Change]] = {
    "a conjunct that the filter does not have": ("sort", 0, asked_more),
    "a filter that goes with only a part of what it says": ("filter", 0, half(1, 0)),
    "a merged filter without its own conjunct": ("filter", 0, half(1, 1)),
    "the lower filter says something else": ("filter", 0, passing(1, conjuncts=(over("n", 7),))),
    "a lower filter with what has no model, and a predicate that raises": ("filter", 0, staying(lambda p: or_error(1)(passing(1, unread=True)(p)))),
    "a filter with what has no model, and a predicate that raises": ("sort", 0, lambda p: throughout(ERROR)(passing(0, unread=True)(p))),
    "past a filter, a predicate that raises": ("filters that stay", 1, or_error(2)),
    "past a filter that says more": ("filters that stay", 1, lambda p: changed(p, 2, after=ir.conjoin((p.crossings[2].after, over("n", 7))))),
    "the wrong column of a swap": ("project", 0, lambda p: changed(p, 1, after=p.crossings[1].before)),
    "a column defined as another": ("project", 0, passing(1, columns=(("n", Col("n")), ("m", Col("m"))))),
    "a column that is dropped": ("project", 0, passing(1, columns=(("n", Col("m")),), dropped=("m",))),
    "a column that is not kept": ("project", 0, passing(1, columns=(("n", Col("m")),), keeps_others=False)),
    "a column in another case": ("sort", 0, lambda p: changed(p, 1, passed_by=PassesProject((("M", Col("n")),), True, ()))),
    "a union of two widths, and a function that sees them": ("union", 0, lambda p: changed(throughout(on_calls("m"))(p), 1, beside=tuple(replace(c, type=ty.FLOAT32) for c in p.crossings[1].beside))),
    "a column defined twice": ("project", 0, passing(1, columns=(("n", Col("m")), ("n", Col("k")), ("m", Col("n"))))),
    "a column of what has no model": ("a computed column", 0, passing(1, columns=(("q", ir.Call("why", (), ty.ANY, kind="unread")),))),
    "a column of what may raise": ("a computed column", 0, passing(1, columns=(("q", ir.Arith("/", Lit(1, ty.INT), Col("m"), "sql")),))),
    "the other branch of a CASE": ("a computed column", 0, lambda p: changed(p, 1, after=Not(p.crossings[1].after))),
    "a projection taken for a sort": ("project", 0, as_sort(1)),
    "a cache and a NaN": ("cache", 0, throughout(over("m"))),
    "a cache of unknown types": ("cache", 0, lambda p: untyped(1, "above", "below")(untyped(0, "below")(p))),
    "a checkpoint that is a cache": ("checkpoint", 0, passing(1, operator="persist")),
    "a cache that nobody knows": ("cache", 0, passing(1, operator="keep")),
    "a watermark of a table": ("watermark", 0, passing(1, sources=("parquet", "table"))),
    "a watermark of what is not known": ("watermark", 0, passing(1, sources=("unknown",))),
    "a watermark above no known source": ("watermark", 0, passing(1, sources=None)),
    "a view without its assumption": ("view", 0, passing(1, alone=Assumption("program", "nobody reads `best`"))),
    "a consumer who says something else": ("shared", 0, lambda p: passing(1, filters=(p.crossings[1].passed.filters[0], over("n", 0)))(p)),  # type: ignore[union-attr]
    "a consumer who needs every row": ("shared", 0, passing(1, consumers=3)),
    "no consumer but one": ("shared", 0, lambda p: passing(1, consumers=1, filters=(p.crossings[1].passed.filters[0],))(p)),  # type: ignore[union-attr]
    "what one consumer asks for": ("shared", 0, disjunct(1, 0)),
    "what the other consumer asks for": ("shared", 0, disjunct(1, 1)),
    "a shared frame whose filter goes": ("shared", 0, goes),
    "a filter that is none of the consumers": ("shared", 0, lambda p: changed(p, 0, {"conjuncts": (over("m", 5),)}, after=over("m", 5))),
    "a predicate on a shared frame that raises": ("shared", 0, or_error(1)),
    "a union whose filter goes": ("union", 0, goes),
    "the other side of a union, under the names of this": ("union by position", 1, lambda p: changed(p, 1, after=p.crossings[1].before)),
    "a union with a wrong place": ("union by position", 1, passing(1, names=(("k", "k", "k"), ("n", "n", "n")))),
    "a union with two places for a column": ("union by position", 1, passing(1, names=(("k", "t", "k"), ("k", "k", "k"), ("n", "n", "n")))),
    "a union of two types": ("union", 0, lambda p: changed(p, 1, beside=tuple(replace(c, type=ty.INT64) for c in p.crossings[1].beside))),
    "a union whose other type is not known": ("union", 0, untyped(1, "beside")),
    "a union that may miss a column": ("union", 0, passing(1, may_miss=True)),
    "a set operation whose filter goes": ("intersect", 0, goes),
    "a set operation of two types": ("subtract", 1, lambda p: changed(p, 1, beside=tuple(replace(c, type=ty.INT64) for c in p.crossings[1].beside))),
    "a set operation that nobody knows": ("subtract", 0, passing(1, operator="symmetric")),
    "a set operation that tells zeros apart": ("intersect", 0, throughout(on_calls("m"))),
    "a predicate below a set operation that raises": ("subtract", 1, or_error(1)),
    "a place of a set operation that is not known": ("subtract", 0, passing(1, names=())),
    "a join whose filter goes": ("inner join", 0, goes),
    "the side that a left join makes up": ("right of a left join", 0, throughout(IsNull(Col("m")))),
    "the side that a right join makes up": ("left join", 0, lambda p: throughout(IsNull(Col("m")))(passing(1, how="right")(p))),
    "a full join and a NULL": ("left join", 0, lambda p: throughout(IsNull(Col("m")))(passing(1, how="full")(p))),
    "the other side of a join": ("left join", 0, passing(1, side="right")),
    "the right side of an anti join": ("right of an anti join", 0, lambda p: throughout(Not(over("r")))(p)),
    "a column of the other side": ("inner join", 0, passing(1, left_columns=("k",), right_columns=("k", "m"))),
    "a column that may be of both sides": ("inner join", 0, passing(1, left_columns=("k", "m"), right_columns=("k", "m"))),
    "a column whose side is not known": ("inner join", 0, passing(1, left_columns=None, right_columns=None, left_has=(), right_has=())),
    "a column that its frame says to be of the other side": ("inner join", 0, lambda p: throughout(over("b.m"))(passing(1, called=(("b", "right", True),))(p))),
    "a key of two types": ("key of a left join", 0, untyped(1, "beside")),
    "a key that is none": ("key of a full join", 0, passing(1, using=())),
    "a predicate below a join that raises": ("inner join", 0, or_error(1)),
    "an order the other way": ("ordered join", 0, lambda p: passing(1, ordered=tuple((a, ">", b) for a, _, b in p.crossings[1].passed.ordered))(p)),  # type: ignore[union-attr]
    "no order": ("ordered join", 0, passing(1, ordered=())),
    "an order of two types": ("ordered join", 0, untyped(1, "beside")),
    "a bound that is too sharp": ("ordered join", 0, with_after(1, Compare("<", Col("n"), Lit(3, ty.INT), "sql"))),
    "distinct rows that are told apart": ("distinct", 0, throughout(on_calls("m"))),
    "duplicates by other keys": ("dropDuplicates", 0, passing(1, keys=(("k", "k"),))),
    "duplicates without keys": ("dropDuplicates", 0, passing(1, keys=())),
    "a row function of the columns that are no keys": ("dropDuplicates", 0, throughout(over("m"))),
    "an aggregate by another key": ("keys of an aggregate", 1, passing(1, keys=(("n", "k"),))),
    "an aggregate without keys": ("keys of an aggregate", 1, passing(1, keys=())),
    "what an aggregate makes": ("keys of an aggregate", 1, with_after(1, over("o", 2))),
    "a global aggregate": ("keys of an aggregate", 1, passing(1, fixed=False)),
    "only a part of a filter on an aggregate goes": ("keys of an aggregate", 1, goes),
    "a pivot whose columns the rows decide on": ("pivot", 0, passing(1, fixed=False)),
    "a pivot by another key": ("pivot", 0, passing(1, keys=(("k", "k"),))),
    "a window by another partition": ("window alone", 0, windows(partition=("k",))),
    "a window over all rows": ("window alone", 0, windows(partition=())),
    "a window by what is not known": ("window alone", 0, windows(partition=None)),
    "a column that the window's projection overwrites": ("window alone", 0, passing(1, columns=(("n", Lit(1, ty.INT)),))),
    "no window": ("window alone", 0, passing(1, windows=())),
    "a filter on what a window makes goes": ("window", 0, goes),
    "what a window makes": ("window", 0, with_after(1, over("r", 1))),
    "part of each partition": ("window", 0, with_after(1, Or((over("n"), over("m"))))),
    "a window by another expression": ("computed partition", 0, windows(computed=(ir.Call("spark.upper", (Col("k"),), ty.STRING, total=True),))),
    "partitions that are told apart": ("window alone", 0, lambda p: throughout(on_calls("m"))(windows(partition=("m",))(p))),
    "a prefix of the order the other way": ("prefix", 0, running(descending=False)),
    "a prefix behind NULL": ("prefix", 0, running(nulls_first=True)),
    "a prefix of another order": ("prefix", 0, running(column="m")),
    "a prefix of no order": ("prefix", 0, running()),
    "a partition that is no prefix": ("prefix", 0, lambda p: changed(p, 1, {"passed": replace(p.crossings[1].passed.passed, prefix=False)})),  # type: ignore[union-attr]
    "a prefix that is passed below, the other way": ("prefix", 1, lambda p: windows(running=replace(p.crossings[1].passed.windows[0].running, descending=False))(p)),  # type: ignore[union-attr]
    "a prefix that is taken for partitions": ("prefix", 1, passing(1, prefix=False)),
    "the first of an order the other way": ("the first of an order", 0, taken(descending=False)),
    "the first of an order behind NULL": ("the first of an order", 0, taken(nulls_first=True)),
    "the first of another order": ("the first of an order", 0, taken(column="m")),
    "the first of an order, and more that goes": ("the first of an order", 0, with_after(1, over("n", 2))),
    "the first of an order that is passed below, the other way": ("the first of an order", 1, passing(1, order=Order("n", False, True))),
    "a column that explode makes": ("explode", 0, passing(1, made=("m",))),
    "what is taken apart varies": ("explode", 0, passing(1, varies=True)),
    "rows without elements, and a predicate that raises": ("explode", 0, staying(or_error(1))),
    "an array taken apart with its NULL": ("outer elements", 0, throughout(IsNull(Col("e")))),
    "an outer array whose filter goes": ("outer elements", 0, goes),
    "the place of an element": ("elements", 0, lambda p: replace(passing(1, placed=True, made=("e", "x"))(p), stays=True)),
    "what varies, by its row": ("elements", 0, passing(1, varies=True, made=("x",))),
    "an unpivot with another arm": ("unpivot", 0, lambda p: passing(2, arms=(p.crossings[2].passed.arms[0], (("name", Lit("b", ty.STRING)), ("value", Col("k")))))(p)),  # type: ignore[union-attr]
    "an unpivot of two types": ("unpivot", 0, lambda p: changed(p, 2, below=tuple(replace(c, type=ty.FLOAT) if c.name == "a" else c for c in p.crossings[2].below))),
    "an unpivot whose filter goes": ("unpivot", 0, goes),
    "an arm that lacks a column": ("unpivot", 0, lambda p: passing(2, arms=(p.crossings[2].passed.arms[0][:1],))(p)),  # type: ignore[union-attr]
    "a subtotal that others add to": ("rollup", 0, passing(1, keys=(("a", "a"),))),
    "grouping sets whose filter goes": ("rollup", 0, goes),
    "a boundary whose fold is of another predicate": ("sort", 0, lambda p: replace(p, crossings=(*p.crossings[:-1], replace(p.crossings[-1], after=ir.TRUE)))),
    "a path without its filter": ("sort", 0, lambda p: replace(p, crossings=p.crossings[1:])),
    "a path without its boundary": ("sort", 0, lambda p: replace(p, crossings=p.crossings[:-1])),
    "a path that is broken": ("filter", 0, lambda p: replace(p, crossings=(p.crossings[0], *p.crossings[2:]))),
    "a path with a filter of its own between": ("sort", 0, lambda p: replace(p, crossings=(p.crossings[0], *p.crossings))),
    "a path with two boundaries": ("sort", 0, lambda p: replace(p, crossings=(*p.crossings, p.crossings[-1]))),
    "an empty path": ("sort", 0, lambda p: replace(p, crossings=())),
    "two types of one column": ("sort", 0, lambda p: changed(p, 0, below=tuple(replace(c, type=ty.STRING) for c in p.crossings[0].below))),
    "another type than in the fold": ("sort", 0, lambda p: replace(p, crossings=(*p.crossings[:-1], replace(p.crossings[-1], above=tuple(replace(c, type=ty.STRING) for c in p.crossings[-1].above))))),
    "a predicate of a state": ("sort", 0, throughout(Compare(">", ir.Slot(0), Lit(1, ty.INT), "sql"))),
    "a filter of what has no model": ("sort", 0, throughout(ir.Call("why", (), ty.BOOL, kind="unread"))),
    "a filter in the place of a boundary": ("sort", 0, lambda p: replace(p, crossings=(*p.crossings[:-1], replace(p.crossings[-1], passed=PassesFilter((), False, True))))),
}  # fmt: skip


def strengthened() -> Iterator[tuple[str, str, int, Change]]:
    """Of every crossing of every path, a predicate that says more than it may."""
    for name in PROGRAMS:
        for which, moved in enumerate(real(name)):
            crossings = path_of(moved).crossings
            for number, crossing in enumerate(crossings[:-1]):
                column = sorted(ir.columns_of(crossing.after))[0]
                more = ir.conjoin((*conjuncts(crossing.after), Compare("!=", Col(column), Col(column), "sql")))
                yield f"{name}, {which}: {number} says more", name, which, with_after(number, more)


ALL = WRONG | {what: (name, which, change) for what, name, which, change in strengthened()}


def is_refused(name: str, which: int, change: Change) -> bool:
    """Whether the checker refuses a path of a program after a change."""
    moved = real(name)[which]
    return refusal(moved, change(path_of(moved))) is not None


def faults() -> Iterator[Fault]:
    """Every wrong crossing."""
    for what, (name, which, change) in ALL.items():

        def seen(name: str = name, which: int = which, change: Change = change) -> bool:
            return is_refused(name, which, change)

        yield Fault("crossings", what, seen, brief=False)  # test_wrong_crossings runs them
