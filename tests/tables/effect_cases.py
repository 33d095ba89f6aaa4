"""Calls of every listed function, method and attribute on edge values, made anew for each measurement."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import hashlib
import importlib
import itertools
import re
import types
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

from headwater.libraries.entry import Entry

Make = Callable[[], Any]
"""Makes a value that nothing else holds."""
MOST = 400


def _row() -> Any:
    return importlib.import_module("pyspark.sql").Row(a=1, b="x")


def _of(*texts: str) -> list[Make]:
    names = {
        "dt": dt,
        "D": decimal.Decimal,
        "c": collections,
        "re": re,
        "h": hashlib,
        "row": _row,
        "u": urllib.parse,
        "t": types,
    }
    return [eval(f"lambda: {text}", names) for text in texts]


KINDS: dict[str, list[Make]] = {
    "bool": _of("True"),
    "int": _of("0", "7", "-3", "2**70"),
    "float": _of("2.5", "-0.0", "float('nan')", "float('inf')"),
    "complex": _of("1+2j"),
    "str": _of("''", "'a b,c'", "'Ab'", "'12'", "'{} {}'"),
    "bytes": _of("b''", "b'a b'", "b'12'"),
    "bytearray": _of("bytearray(b'a b')", "bytearray(b'')"),
    "tuple": _of("()", "(3, 1, 2)", "('a', None)"),
    "list": _of("[3, 1, 2]", "[]", "[1.5, float('nan')]", "['b', 'a', 'b']", "[[1], [2]]"),
    "dict": _of("{'a': 1, 'b': [2]}", "{}", "{1: None}"),
    "set": _of("{3, 1}", "set()", "{'a'}"),
    "frozenset": _of("frozenset({3, 1})", "frozenset()"),
    "range": _of("range(3)", "range(5, 0, -2)"),
    "date": _of("dt.date(2024, 2, 29)"),
    "datetime": _of("dt.datetime(2024, 2, 29, 23, 59, 1, 5)", "dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)"),
    "time": _of("dt.time(1, 2, 3)"),
    "timedelta": _of("dt.timedelta(1, 2, 3)", "dt.timedelta(0)"),
    "timezone": _of("dt.timezone.utc", "dt.timezone(dt.timedelta(hours=2))"),
    "Decimal": _of("D('1.50')", "D('NaN')", "D(0)", "D('101')"),
    "deque": _of("c.deque([1, 2, 3])", "c.deque(['a'], 2)"),
    "Counter": _of("c.Counter('abca')", "c.Counter()"),
    "OrderedDict": _of("c.OrderedDict(a=1, b=2)"),
    "defaultdict": _of("c.defaultdict(list, a=[1])"),
    "Pattern": _of("re.compile('(a)(?P<n>b)?')"),
    "Match": _of("re.match('(a)(?P<n>b)?', 'ab')", "re.match('(a)(?P<n>b)?', 'ac')"),
    "Row": _of("row()"),
    "view": _of("{'a': 1}.keys()", "{'a': 1}.items()"),
    "hash": _of("h.md5(b'a')"),
    "url": _of("u.urlparse('https://u:p@x.org:80/a;b?c=d#e')"),
}
_POOL = [
    *_of(
        "None", "0", "2", "2.5", "True", "''", "'ab'", "'a'", "b'ab'", "[3, 1, 2]", "['b', 'a']", "(2, 1)", "{'a': 1}"
    ),
    *_of("{1, 2}", "[[1, 2], [3]]", "dt.date(2024, 2, 29)", "dt.datetime(2024, 2, 29, 1)", "dt.timedelta(1)"),
    *_of("D('1.5')", "iter([1, 2, 0])", "[('a', 1), ('b', 2)]", "int", "t.SimpleNamespace(a=1)"),
]
_FUNCTIONS = [lambda: abs, lambda: len, lambda: str, lambda: _first, lambda: list]
EXAMPLES = {
    "ast.literal_eval": ["'[1, {2: 3}]'"], "base64.b32decode": ["b'ME======'"], "base64.b16decode": ["b'61'"],
    "builtins.__import__": ["'colorsys'"], "builtins.compile": ["'1', 'f', 'eval'"],
    "builtins.delattr": ["_thing(), 'a'"],
    "builtins.eval": ["'f()', {'f': _effect}"], "builtins.exec": ["'f()', {'f': _effect}"],
    "builtins.open": ["_new_file(), 'w'"],
    "builtins.setattr": ["_thing(), 'a', 2"], "builtins.bytes.fromhex": ["'6162'"],
    "builtins.bytes.translate": ["b'a', bytes(range(256))"], "builtins.bytes.maketrans": ["b'a', b'b'"],
    "builtins.bytearray.translate": ["bytearray(b'a'), bytes(range(256))"], "builtins.bytearray.fromhex": ["'6162'"],
    "builtins.bytearray.maketrans": ["b'a', b'b'"], "builtins.str.maketrans": ["'a', 'b'", "{'a': None}"],
    "builtins.str.translate": ["'ab', {97: 'c'}"], "builtins.float.fromhex": ["'0x1p3'"],
    "builtins.str.format": ["'{} {}', 1, [2]"], "builtins.str.format_map": ["'{a}', {'a': 1}"],
    "builtins.iter": ["[1, 2]"], "builtins.next": ["iter([1, 2])", "iter([]), 3"], "builtins.int.from_bytes": ["b'ab'"],
    "calendar.monthrange": ["2024, 2"], "copy.copy": ["[1, [2]]", "{'a': [1]}"], "copy.deepcopy": ["[1, [2]]"],
    "collections.Counter": ["'abca'", "[1, 1]", ""], "collections.OrderedDict": ["[('a', 1)]"],
    "collections.defaultdict": ["list, {'a': [1]}"],
    "datetime.date": ["2024, 2, 29"], "datetime.date.fromisocalendar": ["2024, 1, 1"],
    "datetime.date.fromisoformat": ["'2024-02-29'"], "datetime.datetime": ["2024, 2, 29, 1"],
    "datetime.datetime.fromisocalendar": ["2024, 1, 1"], "datetime.datetime.fromisoformat": ["'2024-02-29T01:02:03'"],
    "datetime.datetime.strptime": ["'2024', '%Y'"], "datetime.time.fromisoformat": ["'01:02'"],
    "datetime.datetime.combine": ["D.date(2024, 1, 1), D.time(1)"],
    "datetime.timezone": ["D.timedelta(hours=1)"], "datetime.timezone.fromutc": [
        "D.timezone.utc, D.datetime(2024, 1, 1, tzinfo=D.timezone.utc)"
    ],
    "decimal.setcontext": ["_context()"], "decimal.Decimal.logical_and": ["X('1'), X('1')"],
    "decimal.Decimal.logical_or": ["X('1'), X('1')"], "decimal.Decimal.logical_xor": ["X('1'), X('1')"],
    "decimal.Decimal.logical_invert": ["X('1')"], "decimal.Decimal.scaleb": ["X('1'), X('2')"],
    "decimal.Decimal.rotate": ["X('12'), X('1')"], "decimal.Decimal.shift": ["X('12'), X('1')"],
    "functools.reduce": ["lambda a, b: a + b, [1, 2, 3]", "lambda a, b: a, [], 5"], "functools.partial": ["abs, -1"],
    "html.unescape": ["'&lt;'"], "heapq.heappop": ["[1, 2]"], "heapq.heapreplace": ["[1, 2], 3"],
    "heapq.heappushpop": ["[1, 2], 3"], "heapq.heapify": ["[3, 1]"], "heapq.heappush": ["[1], 0"],
    "itertools.chain.from_iterable": ["[[1], [2]]"], "itertools.groupby": ["[1, 1, 2]"],
    "itertools.islice": ["[1, 2, 3], 2"], "json.loads": ["'{\"a\": [1, null]}'"],
    "json.dumps": ["{'a': [1, None]}"], "operator.setitem": ["{'a': 1}, 'a', 2"], "operator.delitem": ["[1, 2], 0"],
    "operator.iand": ["{1, 2}, {1}"], "operator.ior": ["{1}, {2}"], "operator.ixor": ["{1, 2}, {1}"],
    "operator.iadd": ["[1], [2]"], "operator.iconcat": ["[1], [2]"], "operator.imul": ["[1], 2"],
    "operator.isub": ["{1, 2}, {1}"], "operator.call": ["len, []"],
    "os.getenv": ["'HEADWATER_PROBE'"], "random.randint": ["1, 10**9"], "random.sample": ["range(10**6), 3"],
    "random.shuffle": ["[*range(50)]"], "random.uniform": ["0, 1"], "random.choice": ["range(10**9)"],
    "re.sub": ["'a', 'b', 'aa'", "'a', lambda m: m.group() * 2, 'aa'"], "re.subn": ["'a', 'b', 'aa'"],
    "re.Pattern.sub": ["R.compile('a'), 'b', 'aa'"], "re.Pattern.subn": ["R.compile('a'), 'b', 'aa'"],
    "builtins.UnicodeDecodeError": ["'utf-8', b'a', 0, 1, 'no'"],
    "builtins.UnicodeEncodeError": ["'utf-8', 'a', 0, 1, 'no'"],
    "builtins.bytearray.index": ["bytearray(b'ab'), b'b'"], "builtins.bytearray.rindex": ["bytearray(b'ab'), b'b'"],
    "builtins.bytearray.remove": ["bytearray(b'ab'), 97"], "builtins.bytes.index": ["b'ab', b'b'"],
    "builtins.bytes.rindex": ["b'ab', b'b'"], "unicodedata.normalize": ["'NFC', 'é'"],
    "urllib.parse.urlencode": ["{'a': 1}"],
    "binascii.unhexlify": ["'6162'"], "builtins.input": [""], "math.dist": ["[1, 2], [3, 4]"],
    "builtins.hash": ["'abc'"], "builtins.id": ["[1]"], "builtins.set.pop": ["{1, 2}"],
    "builtins.pow": ["2, 3", "2.5, 2"],
    "datetime.datetime.fromtimestamp": ["0", "1.5, D.timezone.utc"], "datetime.date.fromtimestamp": ["0"],
    "builtins.breakpoint": [""], "pyspark.sql.Row": ["1, 'a'"], "pyspark.sql.types.Row": ["1, 'a'"],
    "builtins.dict.update": ["{'a': 1}, {'b': 2}"], "collections.Counter.update": ["c.Counter('a'), 'ab'"],
    "collections.Counter.subtract": ["c.Counter('a'), 'ab'"],
    "collections.OrderedDict.update": ["c.OrderedDict(a=1), {'b': 2}"],
    "collections.defaultdict.update": ["c.defaultdict(list), {'b': 2}"], "operator.or_": ["{1}, {2}", "1, 2"],
    "urllib.parse.ParseResult.index": ["U.urlparse('https://x/'), 'https'"],
    "math.ldexp": ["1.5, 2"], "builtins.slice": ["1, 2"], "builtins.range": ["3", "1, 5, 2"],
}  # fmt: skip
"""Arguments, the receiver first, where the pool has none, or where they show what is of interest."""


def target(name: str) -> Any:
    """The real object of this full name."""
    name = {
        "collections.abc.MappingView": "dict_view", "hashlib.HASH": "hash object",
    }.get(name.rpartition(".")[0], name.rpartition(".")[0]) + "." + name.rpartition(".")[2]  # fmt: skip
    if name.startswith("dict_view."):
        return getattr(type({}.keys()), name.rpartition(".")[2])
    if name.startswith("hash object."):
        return getattr(type(hashlib.md5()), name.rpartition(".")[2])
    parts = name.split(".")
    for i in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:i]))
        except ImportError:
            continue
        for part in parts[i:]:
            found = getattr(found, part)
        return found
    raise AttributeError(name)


def cases(entry: Entry, scope: dict[str, Any]) -> Iterator[Callable[[], list[Any]]]:
    """Argument lists, the receiver first; each makes its values anew."""
    if entry.name in EXAMPLES:
        names = {"D": dt, "X": decimal.Decimal, "R": re, "c": collections, "U": urllib.parse, **scope}
        for text in EXAMPLES[entry.name]:
            yield eval(f"lambda: [{text}]", names)
        return
    pools: list[list[Make]] = [] if entry.receiver is None else [KINDS[entry.receiver]]
    if entry.signature is not None:
        called = {name for name, _ in entry.calls}
        for p in entry.parameters:
            if p.required or p.kind == "star":
                if p.kind == "keyword":
                    return
                pools.append([*_FUNCTIONS, lambda: None] if p.name in called else _POOL)
    for makers in itertools.islice(itertools.product(*pools), MOST):
        yield lambda makers=makers: [make() for make in makers]  # type: ignore[misc]


def _first(*args: Any) -> Any:
    return args[0]
