"""Methods of Python's containers and of numbers, and the constructors of ``collections``."""

from __future__ import annotations

from .registry import functions, methods

_MAPPING = """
{k}.clear() -> none; changes
{k}.copy() -> {k}[self]
{k}.fromkeys(iterable, value=None, /) -> {k}[parts | given.value | none]; static
{k}.get(key, default=None, /) -> self | args | none
{k}.items() -> view[tuple[self]]
{k}.keys() -> view[self]
{k}.pop(key, default=None, /) -> self | args; changes
{k}.popitem() -> tuple[self]; changes
{k}.setdefault(key, default=None, /) -> self | args | none; changes; adds args | none
{k}.update(other=None, /) -> none; changes; adds parts | parts_of_parts | given.keywords; keywords
{k}.values() -> view[self]
"""
_SET = """
{k}.copy() -> {k}[self]
{k}.difference(*others) -> {k}[self]
{k}.intersection(*others) -> {k}[self | parts]
{k}.isdisjoint(other, /) -> bool
{k}.issubset(other, /) -> bool
{k}.issuperset(other, /) -> bool
{k}.symmetric_difference(other, /) -> {k}[self | parts]
{k}.union(*others) -> {k}[self | parts]
"""
_SEQUENCE = """
{k}.count(value, /) -> int
{k}.index(value, start=0, stop=None, /) -> int
"""
_GROWING = """
{k}.append(object, /) -> none; changes; adds args
{k}.clear() -> none; changes
{k}.copy() -> {k}[self]
{k}.extend(iterable, /) -> none; changes; adds parts
{k}.insert(index, object, /) -> none; changes; adds args
{k}.remove(value, /) -> none; changes
{k}.reverse() -> none; changes
"""

methods(_MAPPING.format(k="dict"))
methods(_MAPPING.format(k="OrderedDict"))
methods(
    _MAPPING.format(k="Counter").replace(
        "Counter.fromkeys(iterable, value=None, /) -> Counter[parts | given.value | none]; static",
        "Counter.fromkeys(iterable, v=None) -> refused opaque; static",
    )
)
methods(_MAPPING.format(k="defaultdict"))
methods(_SET.format(k="set"))
methods(_SET.format(k="frozenset"))
methods(_SEQUENCE.format(k="list") + _GROWING.format(k="list"))
methods(_SEQUENCE.format(k="deque") + _GROWING.format(k="deque"))
methods(_SEQUENCE.format(k="tuple"))
methods("""
list.pop(index=-1, /) -> self; changes
list.sort(*, key=None, reverse=False) -> none; changes; calls key(self)
deque.appendleft(object, /) -> none; changes; adds args
deque.extendleft(iterable, /) -> none; changes; adds parts
deque.maxlen -> int | none
deque.pop() -> self; changes
deque.popleft() -> self; changes
deque.rotate(n=1, /) -> none; changes
OrderedDict.move_to_end(key, last=True) -> none; changes
Counter.elements() -> iterator[self]
Counter.most_common(n=None) -> list[tuple[self]]
Counter.subtract(iterable=None, /) -> none; changes; adds parts | given.keywords | int; keywords
Counter.total() -> number
defaultdict.default_factory -> refused opaque
set.add(element, /) -> none; changes; adds args
set.clear() -> none; changes
set.difference_update(*others) -> none; changes
set.discard(element, /) -> none; changes
set.intersection_update(*others) -> none; changes
set.pop() -> self; changes
set.remove(element, /) -> none; changes
set.symmetric_difference_update(other, /) -> none; changes; adds parts
set.update(*others) -> none; changes; adds parts
range.count(value, /) -> int
range.index(value, /) -> int
range.start -> int
range.step -> int
range.stop -> int
view.isdisjoint(other, /) -> bool
view.mapping -> refused opaque
Row.count(value, /) -> int
Row.index(value, start=0, stop=None, /) -> int
Row.asDict(recursive=False) -> dict[self | data]
int.as_integer_ratio() -> tuple[int]
int.bit_count() -> int
int.bit_length() -> int
int.conjugate() -> int
int.denominator -> int
int.from_bytes(bytes, byteorder="big", *, signed=False) -> int; static
int.imag -> int
int.numerator -> int
int.real -> int
int.to_bytes(length=1, byteorder="big", *, signed=False) -> bytes
float.as_integer_ratio() -> tuple[int]
float.conjugate() -> float
float.fromhex(string, /) -> float; static
float.hex() -> str
float.imag -> float
float.is_integer() -> bool
float.real -> float
complex.conjugate() -> complex
complex.imag -> float
complex.real -> float
""")
functions("""
collections.Counter(iterable=None, /) -> Counter[parts | given.keywords | int]; keywords
collections.OrderedDict(other=None, /) -> OrderedDict[parts | parts_of_parts | given.keywords]; keywords
collections.defaultdict(default_factory=None, other=None, /) -> \
    defaultdict[results | parts | parts_of_parts | given.keywords]; \
    calls default_factory(); keywords
collections.deque(iterable=None, maxlen=None) -> deque[parts]
""")
