"""What the evaluator may call: Python's own pure functions by full name, and methods by the type of their object.

A closed table. A name that is not in it has no value, and a method that is not in it is not called. All of these
are functions of their arguments (and of what a mutable argument holds), read no clock, no environment and no file.
"""

from __future__ import annotations

import bisect
import builtins
import collections
import datetime as dt
import decimal
import functools
import heapq
import itertools
import math
import operator
import statistics
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass
from typing import Any

from .limits import BITS, NESTED, Meter, NotEvaluated, require
from .operators import check_format, multiplied

Guard = Callable[..., None]
PLAIN = (
    int, float, str, bool, type(None), list, tuple, dict, set, frozenset, range, decimal.Decimal, dt.date, dt.timedelta,
    collections.deque,
)  # fmt: skip
_PLAIN_TYPES = {*PLAIN, dt.datetime, dt.time, collections.Counter, collections.OrderedDict, collections.defaultdict}
"""Types (and their subclasses) of values that print, compare and iterate as Python's own."""


@dataclass(frozen=True)
class Known:
    """A function of the table. ``full_name``; ``guard``: refuses arguments for which a result might be too large;
    ``cost``: the steps of a call."""

    full_name: str
    function: Callable[..., Any]
    guard: Guard | None = None
    cost: int = 1


def is_plain(value: object) -> bool:
    """Whether a value is one of Python's own, and prints and compares as such."""
    return type(value) in _PLAIN_TYPES


def _bounded_range(*args: Any) -> None:
    if all(isinstance(a, int) for a in args) and 0 < len(args) < 4 and (len(args) < 3 or args[2] != 0):
        require(_length(range(*args)))


def _length(r: range) -> int:
    return max(0, (r.stop - r.start + r.step - (1 if r.step > 0 else -1)) // r.step)


def _few_digits(*args: Any, **named: Any) -> None:
    if any(isinstance(a, int) and abs(a) > 400 for a in (*args[1:], *named.values())):
        raise NotEvaluated("a number is rounded to a far digit")


def _small_integers(*args: Any) -> None:
    if any(isinstance(a, int) and abs(a) > 300 for a in args):
        raise NotEvaluated("an integer grows too large")


def _powers(*args: Any) -> None:
    a, b = (*args, 0, 0)[:2]
    if isinstance(a, int) and isinstance(b, int) and abs(b) * max(a.bit_length(), 1) > BITS:
        raise NotEvaluated("an integer grows too large")


def small_decimal(*args: Any) -> None:
    """NotEvaluated where a decimal would have many digits if it were written out, or a text is a long number."""
    for a in args:
        if isinstance(a, decimal.Decimal) and a.is_finite() and abs(a.adjusted()) > 500:
            raise NotEvaluated("a decimal is too large")
        if isinstance(a, str) and len(a) > 100:
            raise NotEvaluated("a text is too long to be a number")


def _shown(*args: Any, **named: Any) -> None:
    small_decimal(*args)
    for a in args:
        if not (is_plain(a) or isinstance(a, BaseException)):
            raise NotEvaluated(f"the text of a {type(a).__name__}")


def _format(*args: Any) -> None:
    _shown(*args)
    for spec in args[1:]:
        if isinstance(spec, str):
            check_format(spec)


def _typed(*args: Any) -> None:
    if len(args) != 1 or not is_plain(args[0]):
        raise NotEvaluated("the type of a value that is not Python's own")


def _instance(*args: Any) -> None:
    kinds = args[1] if len(args) == 2 else None
    flat = kinds if isinstance(kinds, tuple) else (kinds,)
    if not args or not is_plain(args[0]) or not all(isinstance(k, type) for k in flat):
        raise NotEvaluated("`isinstance` of a value that is not Python's own")


def _once(*args: Any, **named: Any) -> None:
    if len(args) < 2 and "times" not in named:
        raise NotEvaluated("an iterator without an end")
    times = named.get("times", args[-1])
    if isinstance(times, int):
        require(times)


def _summed(values: Any = (), start: Any = 0) -> None:
    if not isinstance(start, (int, float, decimal.Decimal, dt.timedelta)):
        raise NotEvaluated("a sum of containers")


def _iterated(*args: Any) -> None:
    if len(args) > 1:
        raise NotEvaluated("an iterator without an end")


def _few(values: Any = (), **named: Any) -> None:
    if not isinstance(values, (list, tuple)) or len(values) > 100:
        raise NotEvaluated("a product of many numbers")


def _extended(value: Any, more: Any = ()) -> None:
    if isinstance(more, Sized):
        require(len(value) + len(more))


def _padded(*args: Any) -> None:
    for a in args:
        if isinstance(a, int):
            require(abs(a))


def _replaced(text: str, *args: Any, **named: Any) -> None:
    if len(args) > 1 and isinstance(args[1], str):
        require((len(text) + 1) * max(len(args[1]), 1))


def _joined(separator: str, parts: Any = ()) -> None:
    if isinstance(parts, (list, tuple, str, set, dict)):
        require(len(separator) * len(parts) + sum(len(p) for p in parts if isinstance(p, str)))
    else:
        raise NotEvaluated("`join` of an iterator")


def _few_elements(counted: collections.Counter[Any]) -> None:
    require(sum(max(n, 0) for n in counted.values()))


_CODES = frozenset("YmdHMSfj%")
"""Of ``strftime``, the same on every system."""


def _plain_strftime(_: Any, text: Any = "") -> None:
    if not isinstance(text, str) or not {text[i + 1] for i, c in enumerate(text[:-1]) if c == "%"} <= _CODES:
        raise NotEvaluated("a format of dates that depends on the system")


_GUARDS: dict[str, Guard] = {
    "builtins.range": _bounded_range, "builtins.round": _few_digits, "builtins.pow": _powers, "builtins.str": _shown,
    "builtins.repr": _shown, "builtins.format": _format, "builtins.int": small_decimal, "builtins.type": _typed,
    "builtins.isinstance": _instance, "builtins.float": small_decimal, "builtins.sum": _summed,
    "builtins.iter": _iterated, "operator.mul": multiplied, "math.prod": _few, "math.factorial": _small_integers,
    "math.comb": _small_integers, "math.perm": _small_integers, "math.ldexp": _small_integers,
    "operator.pow": _powers, "itertools.repeat": _once, "decimal.Decimal": small_decimal,
}  # fmt: skip
_NAMES: dict[Any, str] = {
    builtins: """
        abs all any ascii bin bool callable chr dict divmod enumerate filter float format frozenset hex int
        isinstance iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple
        type zip
        """,
    math: """
        acos acosh asin asinh atan atan2 atanh ceil comb copysign cos cosh degrees dist e erf erfc exp expm1 fabs
        factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log
        log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt tan tanh tau trunc ulp
        """,
    operator: """
        add and_ contains countOf eq floordiv ge getitem gt invert is_ is_not itemgetter le lt mod mul ne neg not_ or_
        pos pow sub truediv truth xor
        """,
    functools: "reduce partial cmp_to_key",
    bisect: "bisect bisect_left bisect_right insort insort_left insort_right",
    heapq: "heapify heappop heappush heappushpop heapreplace nlargest nsmallest merge",
    collections: "Counter OrderedDict defaultdict deque",
    itertools: """
        accumulate chain combinations compress dropwhile filterfalse groupby islice pairwise permutations product repeat
        starmap takewhile zip_longest
        """,
    dt: "date datetime timedelta time MINYEAR MAXYEAR",
    decimal: "Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP ROUND_FLOOR ROUND_CEILING",
    statistics: "mean median stdev variance pstdev pvariance fmean mode",
}  # fmt: skip
_ERRORS = """
    ArithmeticError AssertionError AttributeError Exception FloatingPointError IndexError KeyError LookupError
    NameError NotImplementedError OverflowError RuntimeError StopIteration TypeError UnboundLocalError
    UnicodeError ValueError ZeroDivisionError
"""


def _nothing(*_: Any, **named: Any) -> None:
    """What ``print`` does here."""


def _table() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for module, names in _NAMES.items():
        for name in names.split():
            full, value = f"{module.__name__}.{name}", getattr(module, name, None)
            if callable(value):
                found[full] = Known(full, value, _GUARDS.get(full))
            elif value is not None:
                found[full] = value
    for name in _ERRORS.split():
        found[f"builtins.{name}"] = getattr(builtins, name)
    found["builtins.print"] = Known("builtins.print", _nothing)
    found["itertools.chain.from_iterable"] = Known("itertools.chain.from_iterable", itertools.chain.from_iterable)
    return found


TABLE: dict[str, Any] = _table()
"""By full name, a ``Known`` function, a class of errors, or a constant."""
BY_OBJECT: dict[int, Known] = {id(k.function): k for k in TABLE.values() if isinstance(k, Known)}
"""The entry of a real function or type that a value holds."""
MODULES = frozenset(full.rpartition(".")[0] for full in TABLE)

_METHODS: dict[type, str] = {
    str: """
        capitalize casefold center count endswith find index isalnum isalpha isascii isdecimal isdigit isidentifier
        islower isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace
        rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill
        """,
    int: "bit_length as_integer_ratio conjugate real imag numerator denominator",
    float: "is_integer as_integer_ratio hex real imag",
    list: "append clear copy count extend index insert pop remove reverse sort",
    tuple: "count index",
    dict: "clear copy fromkeys get items keys pop popitem setdefault update values",
    set: """
        add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset
        issuperset pop remove symmetric_difference symmetric_difference_update union update
        """,
    frozenset: "copy difference intersection isdisjoint issubset issuperset symmetric_difference union",
    range: "count index start stop step",
    collections.deque: """
        append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate
        """,
    collections.Counter: "most_common subtract total elements",
    collections.OrderedDict: "move_to_end",
    collections.defaultdict: "default_factory",
    dt.date: """
        ctime day fromisoformat fromordinal isocalendar isoformat isoweekday max min month replace resolution strftime
        toordinal weekday year
        """,
    dt.datetime: "combine date fold hour isoformat microsecond minute second time tzinfo strftime",
    dt.time: "hour minute second microsecond isoformat",
    dt.timedelta: "days seconds microseconds total_seconds",
    decimal.Decimal: "quantize is_nan is_finite is_infinite copy_abs compare adjusted as_tuple",
}  # fmt: skip
_METHOD_GUARDS: dict[tuple[type, str], Guard] = {
    (str, "center"): _padded, (str, "ljust"): _padded, (str, "rjust"): _padded, (str, "zfill"): _padded,
    (list, "extend"): _extended, (collections.deque, "extend"): _extended, (str, "replace"): _replaced,
    (str, "join"): _joined, (dt.date, "strftime"): _plain_strftime, (dt.datetime, "strftime"): _plain_strftime,
    (collections.deque, "extendleft"): _extended, (collections.Counter, "elements"): _few_elements,
}  # fmt: skip
METHODS: dict[type, frozenset[str]] = {t: frozenset(names.split()) for t, names in _METHODS.items()}
_SUBTYPES: dict[type, tuple[type, ...]] = {
    bool: (int,), collections.Counter: (dict,), collections.OrderedDict: (dict,), collections.defaultdict: (dict,),
    dt.datetime: (dt.date,),
}  # fmt: skip


def guard_of_method(kind: type, name: str) -> Guard | None:
    """The guard of a method that may be called on a ``kind``. KeyError if none of that name may be."""
    for t in (kind, *_SUBTYPES.get(kind, ())):
        if name in METHODS.get(t, ()):
            return _METHOD_GUARDS.get((t, name))
    raise KeyError(name)


class Counted(Iterator[Any]):
    """An iterator of the library, each element of which is a step."""

    def __init__(self, of: Iterator[Any], meter: Meter) -> None:
        self._of, self._meter = of, meter

    def __next__(self) -> Any:
        self._meter.charge()
        return next(self._of)


class Proxy:
    """A value whose attributes and items are its own affair."""

    def attribute(self, name: str) -> Any:
        """``self.name``."""
        raise NotEvaluated(f"`.{name}` of a {type(self).__name__}")

    def item(self, key: Any) -> Any:
        """``self[key]``."""
        raise NotEvaluated(f"an item of a {type(self).__name__}")


class Callee:
    """A function that a function of the library may call back."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        raise NotImplementedError


class Library(Callee):
    """A function or method of the table, with its guard."""

    def __init__(self, known: Known, meter: Meter) -> None:
        self.known, self._meter = known, meter

    def __call__(self, *args: Any, **named: Any) -> Any:
        known, meter = self.known, self._meter
        meter.charge(known.cost)
        if known.guard is not None:
            known.guard(*args, **named)
        if known.full_name not in _READ_TYPES:
            args = tuple([self._callback(a) for a in args])
            named = {k: self._callback(v) for k, v in named.items()}
        value = known.function(*args, **named)
        return Counted(value, meter) if known.full_name.startswith("itertools.") else meter.checked(value)

    def _callback(self, value: Any) -> Any:
        """What is handed over for ``value``: a function of the table with its guard."""
        if isinstance(value, NESTED):
            self._meter.weigh(value)
            return value
        if isinstance(value, range):
            self._meter.charge(len(value) // 32)
        known = BY_OBJECT.get(id(value))
        return value if known is None else Library(known, self._meter)


_READ_TYPES = frozenset({"builtins.isinstance", "builtins.type"})
"""They look at types, and call nothing."""
CALLABLE = (operator.itemgetter, functools.partial)
"""Types of values that the library makes and that may be called."""
