"""Objects that change when they are read, and constants that look like them, wherever a name may stand in a
function that Spark calls."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

from dataclasses import dataclass

from .program import Draw, Program

DDL = "k string, v int, s string, xs array<int>"


@dataclass(frozen=True)
class Thing:
    """``setup`` makes the global ``obj``. ``uses``: expressions of it and of ``{x}``, one of the row's values;
    ``changes``: reading it
    changes it, or what it gives differs from run to run."""

    name: str
    setup: str
    uses: tuple[str, ...]
    changes: bool = True
    whole: str = "obj"
    """How ``obj`` is spelled where a name may stand."""


_CALL = ("obj()", "str(obj())", "(obj(), {x})")
_NEXT = ("next(obj)", "next(obj, 0)", "obj.__next__()", "[y for y in obj][:1]", "list(obj)[:1]", "{x} in obj", "max(obj, default=0)", "sum(obj)", "len([*obj])",
         "dict(zip([{x}], obj))", "tuple(obj)", "sorted(obj)[:1]", "any(obj)", "[a for a, b in zip(obj, [0])]", "set(obj)", "str(list(obj))")  # fmt: skip
_AT = (
    "obj[{x}]",
    "obj[str({x})]",
    "obj.get({x})",
    "obj[{x}] + 1",
    "(lambda d: d[{x}])(obj)",
    "[obj[y] for y in ({x},)]",
    "str(obj[{x}])",
    "len(obj)",
    "obj[len(obj)]",
    "list(obj)",
    "f'{obj[{x}]}'",
)
_BOX = (
    "obj.n",
    "obj.get()",
    "obj.n + 1",
    "str(obj.n)",
    "f'{{obj.n}}'",
    "(obj.n, {x})",
    "getattr(obj, 'n')",
    "obj.value",
    "[obj.n]",
    "obj.value[{x}]",
)
THINGS: tuple[Thing, ...] = (
    Thing("defaultdict of its length", "from collections import defaultdict\nobj = defaultdict(lambda: len(obj))", _AT),
    Thing("defaultdict with a counter", "from collections import defaultdict\nimport itertools\nobj = defaultdict(itertools.count().__next__)", _AT),
    Thing("defaultdict int", "from collections import defaultdict\nobj = defaultdict(int)", ("len(obj) + obj[{x}]", "obj[{x}] + len(obj)", "(obj[{x}], len(obj))")),
    Thing("defaultdict in a dict", "from collections import defaultdict\nobj = {'m': defaultdict(lambda: len(obj['m']))}", ("obj['m'][{x}]", "obj.get('m')[{x}]", "obj['m'].get({x}, len(obj['m'].setdefault('a', [])))")),
    Thing("__missing__", "class D(dict):\n    def __missing__(self, key):\n        self[key] = len(self)\n        return self[key]\n\n\nobj = D()", _AT),
    Thing("__getattr__", "class A:\n    i = 0\n\n    def __getattr__(self, name):\n        A.i += 1\n        return A.i\n\n\nobj = A()", _BOX),
    Thing("property", "class P:\n    i = 0\n\n    @property\n    def n(self):\n        P.i += 1\n        return P.i\n\n    def get(self):\n        return self.n\n\n    value = n\n\n\nobj = P()", _BOX),
    Thing("class attribute", "class C:\n    n = 0\n\n    @classmethod\n    def get(cls):\n        cls.n += 1\n        return cls.n\n\n\nobj = C", ("obj.get()", "C.get()", "(obj.get(), {x})")),
    Thing("instance", "class C:\n    def __init__(self):\n        self.n = 0\n\n    def get(self):\n        self.n += 1\n        return self.n\n\n    def __call__(self, *a):\n        return self.get()\n\n    def __getitem__(self, key):\n        return self.get()\n\n    def __len__(self):\n        return self.get()\n\n    def __contains__(self, key):\n        return self.get() > 1\n\n    def __eq__(self, other):\n        return self.get() > 1\n\n    def __iter__(self):\n        return iter([self.get()])\n\n    def __str__(self):\n        return str(self.get())\n\n    def __add__(self, other):\n        return self.get()\n\n    def __bool__(self):\n        return self.get() > 1\n\n    def __lt__(self, other):\n        return self.get() > 1\n\n    def __hash__(self):\n        return self.get()\n\n    def __format__(self, spec):\n        return str(self.get())\n\n    def __neg__(self):\n        return self.get()\n\n    def __index__(self):\n        return self.get() % 2\n\n\nobj = C()",
          (*_CALL, "obj.get()", "obj[{x}]", "len(obj)", "{x} in obj", "obj == {x}", "{x} == obj", "[y for y in obj]", "str(obj)", "obj + 1", "1 if obj else 0", "obj < 1", "f'{{obj}}'", "'%s' % obj", "[1, 2][obj]", "sorted([obj, obj]) and obj.n", "-obj", "max(obj, obj) and obj.n", "hash(obj)", "format(obj)", "list(obj)", "'{{}}'.format(obj)", "not obj", "obj and 1", "[*obj]", "range(5)[obj]", "(lambda c=obj: c.get())()")),
    Thing("count", "import itertools\nobj = itertools.count()", ("next(obj)", "next(obj, 0)", "obj.__next__()", "[a for a, b in zip(obj, [0])]", "list(zip([{x}], obj))", "dict(zip(['m'], obj))", "list(map(lambda a, b: b, [0], obj))")),
    Thing("cycle", "import itertools\nobj = itertools.cycle([1, 2, 3])", ("next(obj)", "[a for a, b in zip(obj, [0])]", "list(zip([{x}], obj))", "dict(zip(['m'], obj))")),
    Thing("cycle in a dict", "import itertools\nobj = {'m': itertools.cycle([1, 2, 3])}", ("next(obj['m'])", "list(zip([0], obj['m']))", "next(obj.get('m'))", "[next(o) for o in obj.values()]", "list(map(next, obj.values()))")),
    Thing("iterators in a list", "obj = [iter(range(100))]", ("next(obj[0])", "[next(o) for o in obj]", "list(map(next, obj))", "5 in obj[0]", "(lambda a: next(a))(*obj)", "list(zip([0], *obj))")),
    Thing("iterator", "obj = iter(list(range(100)))", _NEXT),
    Thing("generator", "obj = (i for i in range(100))", _NEXT),
    Thing("generator function", "def numbers():\n    yield from range(100)\n\n\nobj = numbers()", (*_NEXT, "obj.send(None)")),
    Thing("map object", "obj = map(abs, range(100))", _NEXT),
    Thing("filter object", "obj = filter(None, range(100))", _NEXT),
    Thing("zip object", "obj = zip(range(100), range(100))", _NEXT),
    Thing("enumerate object", "obj = enumerate('abcdefgh')", _NEXT),
    Thing("reversed object", "obj = reversed([1, 2, 3, 4])", _NEXT),
    Thing("islice", "import itertools\nobj = itertools.islice(itertools.count(), 50)", _NEXT),
    Thing("chain", "import itertools\nobj = itertools.chain([1], [2, 3])", _NEXT),
    Thing("tee", "import itertools\nobj, other = itertools.tee(range(100))", _NEXT),
    Thing("items of a dict", "obj = iter({'a': 1, 'b': 2}.items())", _NEXT),
    Thing("file", "import io\nobj = io.StringIO('1\\n2\\n3\\n4\\n')", ("obj.readline()", "next(obj, '')", "obj.read(1)", "obj.tell() + len(obj.readline())", "list(obj)", "[y for y in obj]")),
    Thing("finditer", "import re\nobj = re.finditer('a', 'aaaaaaaa')", _NEXT),
    Thing("deque", "from collections import deque\nobj = deque(range(100))", ("obj.popleft()", "obj.pop()", "obj.rotate() or obj[0]", "obj.append(1) or len(obj)", "(obj.append({x}), len(obj))", "obj.appendleft({x}) or len(obj)")),
    Thing("list", "obj = []", ("obj.append({x}) or len(obj)", "(obj.append(1), len(obj))[1]", "obj.insert(0, 1) or len(obj)", "obj.extend([1]) or len(obj)", "len(obj) if not obj.append(1) else 0", "obj.__iadd__([1]).__len__()", "list.append(obj, 1) or len(obj)")),
    Thing("Counter", "from collections import Counter\nobj = Counter()", ("obj.update([{x}]) or sum(obj.values())", "obj.subtract(['a']) or obj['a']", "obj.update(a=1) or obj['a']", "obj.__setitem__('a', obj['a'] + 1) or obj['a']")),
    Thing("dict", "obj = {}", ("obj.setdefault({x}, len(obj))", "obj.update({{{x}: len(obj)}}) or len(obj)", "obj.pop({x}, None) or obj.setdefault(len(obj), len(obj))", "obj.__setitem__({x}, 1) or len(obj)", "dict.setdefault(obj, {x}, len(obj))")),
    Thing("set", "obj = set()", ("obj.add({x}) or len(obj)", "obj.update([{x}]) or len(obj)", "(obj.add({x}), len(obj))")),
    Thing("set pop", "obj = set(range(50))", ("obj.pop()", "(obj.pop(), 1)", "len(obj) + obj.pop()")),
    Thing("iadd", "import operator\nobj = [0]", ("len(operator.iadd(obj, [1]))", "operator.iadd(obj, [{x}]) and len(obj)", "operator.setitem(obj, 0, obj[0] + 1) or obj[0]", "operator.iconcat(obj, [1]).__len__()", "operator.imul(obj, 2) and len(obj)", "operator.methodcaller('append', 1)(obj) or len(obj)")),
    Thing("reduce with iadd", "import operator\nfrom functools import reduce\nobj = [0]", ("len(reduce(operator.iadd, [[1], [2]], obj))", "len(reduce(operator.iconcat, [[1]], obj))", "sum(reduce(operator.iadd, [[1]], obj))")),
    Thing("closure with nonlocal", "def make():\n    n = 0\n\n    def tick(*a):\n        nonlocal n\n        n += 1\n        return n\n\n    return tick\n\n\nobj = make()", (*_CALL, "obj({x})", "list(map(obj, [1]))", "sorted([1, 2], key=obj) and obj()", "max([1, 2], key=obj) and obj(1)")),
    Thing("closure over a list", "def make():\n    seen = []\n    return lambda *a: seen.append(1) or len(seen)\n\n\nobj = make()", (*_CALL, "obj({x})", "list(map(obj, [1]))")),
    Thing("global counter", "count = 0\n\n\ndef obj(*a):\n    global count\n    count += 1\n    return count\n", (*_CALL, "obj({x})", "list(map(obj, [1, 2]))")),
    Thing("default argument", "def obj(x=0, seen=[]):\n    seen.append(x)\n    return len(seen)\n", ("obj()", "obj({x})", "(obj({x}), 1)", "list(map(obj, [1]))")),
    Thing("default dict argument", "def obj(x=0, seen={}):\n    seen[len(seen)] = x\n    return len(seen)\n", ("obj()", "obj({x})")),
    Thing("default iterator argument", "def obj(x=0, it=iter(range(100))):\n    return next(it)\n", ("obj()", "obj({x})")),
    Thing("default iterator, looked into", "def obj(x=0, it=iter(range(100))):\n    return 3 in it\n", ("obj()", "obj({x})")),
    Thing("default count argument", "import itertools\n\n\ndef obj(x=0, it=itertools.count()):\n    for y in it:\n        return y\n", ("obj()", "obj({x})")),
    Thing("function attribute", "def obj(x=0):\n    obj.n += 1\n    return obj.n\n\n\nobj.n = 0", ("obj()", "obj({x})")),
    Thing("lru_cache of state", "from functools import lru_cache\nseen = []\n\n\n@lru_cache(maxsize=None)\ndef obj(x=0):\n    seen.append(x)\n    return len(seen)\n", ("obj({x})", "obj()", "obj.cache_info().hits + (obj({x}) and 0)", "(obj({x}), obj.cache_info().misses)")),
    Thing("lru_cache hits", "from functools import lru_cache\n\n\n@lru_cache\ndef obj(x):\n    return x\n", ("(obj({x}), obj.cache_info().currsize)", "(obj({x}), obj.cache_info().hits)", "str(obj.cache_info()) + str(obj({x}))")),
    Thing("cached_property", "from functools import cached_property\nimport itertools\ncounter = itertools.count()\n\n\nclass Q:\n    @cached_property\n    def n(self):\n        return next(counter)\n\n    def get(self):\n        return Q().n\n\n    @property\n    def value(self):\n        return Q().n\n\n\nobj = Q()", ("obj.get()", "Q().n", "obj.value", "(obj.value, {x})")),
    Thing("bound method", "seen = []\nobj = seen.append", ("obj({x}) or len(seen)", "(obj(1), len(seen))", "list(map(obj, [1])) and len(seen)")),
    Thing("bound next", "import itertools\nobj = itertools.count().__next__", (*_CALL, "sorted([1], key=lambda _: obj()) and obj()", "next(iter(obj, 3))")),
    Thing("bound pop", "stack = list(range(100))\nobj = stack.pop", (*_CALL, "next(iter(obj, 90))")),
    Thing("partial", "from functools import partial\nimport itertools\nobj = partial(next, itertools.count())", _CALL),
    Thing("partial of setdefault", "from functools import partial\nids = {}\nobj = partial(ids.setdefault)", ("obj({x}, len(ids))", "(obj({x}, len(ids)), 1)")),
    Thing("random", "import random\nobj = random.random", (*_CALL, "random.random()", "random.randint(0, 10**9)", "random.choice(range(10**9))", "random.Random().random()", "random.shuffle([1]) or random.random()", "random.getrandbits(60)"), ),
    Thing("seeded random", "import random\nobj = random.Random(7)", ("obj.random()", "obj.randint(0, 10**6)", "obj.choice(range(10**6))", "obj.sample(range(1000), 1)", "obj.gauss(0, 1)")),
    Thing("numpy random", "import numpy as np\nobj = np.random.default_rng(3)", ("float(obj.random())", "int(obj.integers(10**6))", "float(np.random.rand())", "float(np.random.RandomState().rand())")),
    Thing("clock", "import datetime\nimport time\nobj = time.perf_counter", (*_CALL, "time.perf_counter_ns()", "time.time_ns()", "str(datetime.datetime.now())", "datetime.datetime.now().microsecond", "datetime.datetime.utcnow().isoformat()", "datetime.datetime.today().isoformat()", "time.monotonic_ns()", "datetime.datetime.now().timestamp()", "time.process_time_ns()", "str(datetime.datetime.now(datetime.timezone.utc))", "datetime.datetime.now().strftime('%f')")),
    Thing("names of the clock", "from datetime import datetime\nfrom time import perf_counter_ns as tick\nobj = datetime.now", (*_CALL, "str(datetime.now())", "datetime.now().microsecond", "tick()", "datetime.utcnow().isoformat()", "f'{{datetime.now()}}'")),
    Thing("uuid", "import uuid\nobj = uuid.uuid4", ("str(obj())", "uuid.uuid4().hex", "uuid.uuid1().hex", "obj().int")),
    Thing("secrets", "import os\nimport secrets\nobj = secrets.token_hex", ("obj()", "secrets.randbelow(10**9)", "os.urandom(8).hex()", "secrets.choice(range(10**9))")),
    Thing("identity", "class O:\n    pass\n\n\nobj = O", ("id({x} + 'x') if False else id(object())", "str(object())", "repr(obj())", "hash(object())")),
    Thing("object keeps state across calls", "state = {'n': 0}\n\n\ndef obj(x=0):\n    state['n'] += 1\n    return state['n']\n", ("obj()", "obj({x})", "state.update(n=state['n'] + 1) or state['n']")),
    Thing("list that a function fills", "seen = []\n\n\ndef obj(x=0):\n    seen.append(x)\n    return len(seen)\n", ("obj()", "obj({x})")),
    Thing("list of a name", "seen = []\n\n\ndef obj(x=0):\n    mine = seen\n    mine.append(x)\n    return len(mine)\n", ("obj()", "obj({x})")),
    Thing("list by keyword", "seen = []\n\n\ndef fill(x, into):\n    into.append(x)\n    return len(into)\n\n\ndef obj(x=0):\n    return fill(x, into=seen)\n", ("obj()", "obj({x})")),
    Thing("list through a local loop", "seen = [[]]\n\n\ndef obj(x=0):\n    for one in seen:\n        one.append(x)\n    return len(seen[0])\n", ("obj()", "obj({x})")),
    Thing("object of a list", "seen = {'m': []}\n\n\ndef obj(x=0):\n    part = seen['m']\n    part += [x]\n    return len(part)\n", ("obj()", "obj({x})")),
    Thing("broadcast of an iterator", "obj = spark.sparkContext.broadcast(iter(range(100)))", ("next(obj.value)", "3 in obj.value", "list(obj.value)[:1]", "sum(obj.value)")),
    Thing("broadcast of a defaultdict", "from collections import defaultdict\nd = defaultdict(lambda: len(d))\nobj = spark.sparkContext.broadcast(d)", ("obj.value[{x}]", "(obj.value[{x}], 1)", "[obj.value[y] for y in ({x},)]")),
    Thing("broadcast of a list", "obj = spark.sparkContext.broadcast([])", ("obj.value.append(1) or len(obj.value)", "obj.value.insert(0, 1) or len(obj.value)")),
    Thing("accumulator", "obj = spark.sparkContext.accumulator(0)", ("obj.add(1) or 0", "(obj.add(1), {x})[1]")),
    Thing("print", "obj = print", ("obj('x', end='') or 0", "print({x}, end='') or {x}")),
    Thing("environment", "import os\nobj = os.environ", ("obj.setdefault('HW_' + str(len(obj)), '1') and len(obj)",)),
    Thing("string formatter", "class F:\n    n = 0\n\n    def __format__(self, spec):\n        F.n += 1\n        return str(F.n)\n\n\nobj = F()", ("f'{{obj}}'", "'{{}}'.format(obj)", "format(obj)", "f'{{obj:>3}}'")),
    Thing("descriptor", "class V:\n    n = 0\n\n    def __get__(self, owner, kind=None):\n        V.n += 1\n        return V.n\n\n\nclass W:\n    value = V()\n\n\nobj = W()", ("obj.value", "W.value", "W().value", "(obj.value, {x})")),
    Thing("metaclass", "class M(type):\n    i = 0\n\n    def __getitem__(cls, key):\n        M.i += 1\n        return M.i\n\n\nclass obj(metaclass=M):\n    pass\n", ("obj[{x}]", "(obj[{x}], 1)")),
    Thing("namedtuple default", "from collections import namedtuple\nimport itertools\nT = namedtuple('T', 'it')\nobj = T(itertools.count())", ("next(obj.it)", "next(obj[0])", "list(zip([0], obj.it))")),
    Thing("ChainMap", "from collections import ChainMap, defaultdict\nd = defaultdict(lambda: len(d))\nobj = ChainMap({}, d)", ("obj[{x}]", "obj[{x}] + 1")),
    Thing("str subclass", "class S(str):\n    n = 0\n\n    def upper(self):\n        S.n += 1\n        return str(S.n)\n\n\nobj = S('a')", ("obj.upper()", "S('b').upper()", "(obj.upper(), {x})")),
    Thing("replaced builtin", "seen = []\n\n\ndef len(x):\n    seen.append(1)\n    return seen.__len__()\n\n\nobj = len", ("len({x})", "(len([1]), 1)", "obj([1])")),
    Thing("replaced module function", "import math\n\nseen = []\nmath.radians = lambda x: seen.append(1) or len(seen)\nobj = math.radians", ("math.radians(1.5)", "obj(1)")),
    # --- constants and pure functions: near misses
    Thing("number", "obj = 3", ("obj", "obj + 1", "str(obj)", "(obj, {x})"), changes=False),
    Thing("text", "obj = 'ab'", ("obj + '!'", "obj.upper()", "obj[0]", "len(obj)", "{x} in ('a', obj)"), changes=False),
    Thing("tuple", "obj = (1, 2, 3)", ("obj[0]", "sum(obj)", "{x} in obj", "len(obj)", "[y for y in obj]", "max(obj)"), changes=False),
    Thing("frozenset", "obj = frozenset({1, 2})", ("{x} in obj", "len(obj)", "sorted(obj)"), changes=False),
    Thing("constant list", "obj = [1, 2, 3]", ("obj[0]", "sum(obj)", "{x} in obj", "len(obj)", "sorted(obj)[0]", "[*obj]"), changes=False),
    Thing("constant dict", "obj = {'a': 1, 'b': 2}", ("obj['a']", "obj.get({x})", "len(obj)", "{x} in obj", "sorted(obj)", "list(obj.items())"), changes=False),
    Thing("pure function", "def obj(x=0):\n    found = []\n    found.append(x)\n    return len(found)\n", ("obj()", "obj({x})", "list(map(obj, [1]))"), changes=False),
    Thing("function with a constant default", "def obj(x=0, n=3):\n    return n\n", ("obj()", "obj({x})"), changes=False),
    Thing("math", "import math\nobj = math.pi", ("math.floor(2.5)", "math.sqrt(4.0)", "obj", "math.gcd(4, 6)"), changes=False),
    Thing("dates", "import datetime\nobj = datetime.date(2024, 1, 1)", ("obj.year", "str(obj)", "obj.isoformat()", "datetime.timedelta(1).days"), changes=False),
    Thing("regex", "import re\nobj = re.compile('a+')", ("obj.sub('b', 'aab')", "bool(obj.match('aa'))", "re.sub('a', 'b', 'aa')"), changes=False),
    Thing("local state", "def obj(x=0):\n    from collections import defaultdict\n    d = defaultdict(int)\n    d[x] += 1\n    return len(d)\n", ("obj()", "obj({x})"), changes=False),
    Thing("broadcast of a dict", "obj = spark.sparkContext.broadcast({'a': 1})", ("obj.value['a']", "obj.value.get({x})", "{x} in obj.value"), changes=False),
)  # fmt: skip
_WRAPPED = (
    "{u}", "{u}", "{u}", "[{u}]", "str({u})", "({u}, 1)", "{u} if {x} is not None else 0", "{{'m': {u}}}", "[{u} for _ in (1,)]", "(lambda: {u})()",
    "f'{{{u}}}'", "tuple([{u}])", "len(str({u}))", "helper({u})", "max([{u}], key=str)", "list(map(lambda _: {u}, [0]))", "(lambda y: y)({u})", "{u} or 0",
    "next(iter([{u}]))", "{u} and 1", "sorted([{u}], key=repr)", "[y for y in [{u}] if y != '']", "'%s' % ({u},)", "(y := {u})", "repr({u})", "local({x})",
)  # fmt: skip
_RDD = (
    ('rows.map(lambda r: (r.k, {e})).filter(lambda t: {k})', "r.k"),
    ('rows.map(lambda r: ({e}, r.k)).filter(lambda t: {k1})', "r.k"),
    ('rows.filter(lambda r: {e} is not None).map(lambda r: (r.k, r.v)).filter(lambda t: {k})', "r.k"),
    ('rows.filter(lambda r: {e} != 1).filter(lambda t: {k})', "r.v"),
    ('rows.flatMap(lambda r: [(r.k, {e})]).filter(lambda t: {k})', "r.s"),
    ('rows.flatMap(lambda r: [(r.k, y) for y in [{e}]]).filter(lambda t: {k})', "r.v"),
    ('rows.map(lambda r: (r.k, r.v)).mapValues(lambda v: {e}).filter(lambda t: {k})', "v"),
    ('rows.map(lambda r: (r.k, r.v)).flatMapValues(lambda v: [{e}]).filter(lambda t: {k})', "v"),
    ('rows.keyBy(lambda r: r.k).mapValues(lambda r: {e}).filter(lambda t: {k})', "r.v"),
    ('rows.map(lambda r: (r.k, r.v)).groupByKey().mapValues(lambda vs: {e}).filter(lambda t: {k})', "len(vs)"),
    ('rows.map(lambda r: (r.k, {e})).groupByKey().mapValues(list).filter(lambda t: {k})', "r.v"),
    ('rows.map(lambda r: (r.k, {e})).reduceByKey(lambda a, b: max(str(a), str(b))).filter(lambda t: {k})', "r.v"),
    ('rows.map(lambda r: (r.k, r.v or 0)).reduceByKey(lambda a, b: {e} and max(a, b)).filter(lambda t: {k})', "a"),
    ('rows.map(lambda r: (r.k, r.v or 0)).aggregateByKey("", lambda a, v: a + str({e}), lambda a, b: a + b).filter(lambda t: {k})', "v"),
    ('rows.map(lambda r: (r.k, r.v or 0)).foldByKey(0, lambda a, b: max(a, b) if {e} else b).filter(lambda t: {k})', "b"),
    ('rows.map(lambda r: (r.k, r.v or 0)).combineByKey(lambda v: str({e}), lambda a, v: a, lambda a, b: a + b).filter(lambda t: {k})', "v"),
    ('rows.map(function).filter(lambda t: {k})', "r.k"),
    ('rows.map(function).filter(lambda t: {k})', "r.v"),
    ('rows.mapPartitions(part).filter(lambda t: {k})', "r.k"),
    ('rows.map(function).toDF("k string, v string").filter("{q}")', "r.k"),
    ('rows.map(lambda r: (r.k, str({e}))).toDF(["k", "v"]).filter("{q}")', "r.k"),
    ('t.mapInPandas(batches, "k string, v int, y string").filter("{q}")', "r.k"),
    ('t.withColumn("y", F.udf(lambda r: str({e}), "string")("k")).filter("{q}")', "r"),
    ('t.select("k", F.udf(row_function, "string")("v").alias("y")).filter("{q}")', "r"),
    ('t.withColumn("y", F.udf(row_function, "string")("v")).groupBy("k").agg(F.max("y").alias("m")).filter("{q}")', "r"),
    ('t.groupBy("k").applyInPandas(groups, "k string, y string").filter("{q}")', "pdf.k.iloc[0]"),
    ('t.groupBy("k").applyInArrow(tables, "k string, y string").filter("{q}")', "table.num_rows"),
    ('t.groupBy("k").agg(series("v").alias("m")).filter("m > 0")', "len(v)"),
    ('udtf(Table, returnType="k string, y string")(t.asTable().partitionBy("k")).filter("{q}")', "row['k']"),
)  # fmt: skip
_KEY = (
    "t[0] == 'a'",
    "t[0] is None",
    "t[0] != 'a'",
    "t[0] in ('a', 'b')",
    "t[0] is not None and t[0] > 'a'",
    "not t[0] == 'b'",
)
_QUERY = ("k = 'a'", "k IS NULL", "k <> 'a'", "k IN ('a', 'b')", "k > 'a'")
ROWS = [
    ("b", 2, "x", [1]),
    ("a", 1, "a", []),
    (None, 3, "b", [2]),
    ("a", 2, "a", [1, 2]),
    ("b", None, "y", [0]),
    ("a", 3, "c", []),
]


def write(draw: Draw) -> Program:
    """One object, used in one place."""
    constants = [thing for thing in THINGS if not thing.changes]
    thing = draw.one(constants) if draw.chance(0.3) else draw.one(THINGS)
    chain, x = draw.one(_RDD)
    x = draw.one((x, x, "1", "'a'"))
    use = filled(draw.one(thing.uses), x)
    e = filled(draw.one(_WRAPPED), x, use)
    setup = _placed(draw, thing.setup)
    lines = [
        "import pandas as pd",
        "import pyarrow as pa",
        "from pyspark.sql import functions as F",
        "from pyspark.sql.functions import pandas_udf, udtf",
        "",
        setup,
        "",
    ]
    lines += ["def helper(x):", "    return x", "", ""] if "helper(" in e else []
    lines += (
        ["def local(x):", f"    found = {use.replace(x, 'x')}", "    return found", "", ""] if "local(" in e else []
    )
    lines += _definitions(draw, chain, e)
    lines += ['t = spark.table("t")', *(["rows = t.rdd"] if chain.startswith("rows") else [])]
    made = (
        chain.replace("{e}", e)
        .replace("{k1}", draw.one(_KEY).replace("t[0]", "t[1]"))
        .replace("{k}", draw.one(_KEY))
        .replace("{q}", draw.one(_QUERY))
    )
    lines.append(f"result = {made}")
    rows = [list(ROWS), list(reversed(ROWS)), ROWS[:2], ROWS[1:4]]
    source = "\n".join(lines) + "\n"
    return Program(
        "state",
        source,
        {"t": DDL},
        (thing.name, chain.split("(")[0]),
        thing.changes,
        {"t": DDL},
        tuple({"t": r} for r in rows),
    )


def filled(text: str, x: str, use: str = "") -> str:
    """``text`` with a value of the row for ``{x}`` and a use of an object for ``{u}``; a doubled brace is one."""
    marked = text.replace("{u}", "\0").replace("{x}", "\1").replace("{{", "{").replace("}}", "}")
    return marked.replace("\1", x).replace("\0", use)


def _placed(draw: Draw, setup: str) -> str:
    """The setup as it is, or with another name for ``obj`` that is bound to it."""
    if draw.chance(0.15):
        return f"{setup}\nmade = obj\nobj = made\n"
    return f"{setup}\n"


def _definitions(draw: Draw, chain: str, e: str) -> list[str]:
    if "(function)" in chain:
        return draw.one((
            ["def function(r):", f"    return r.k, str({e})", "", ""], ["def function(r):", f"    y = {e}", "    return (r.k, str(y))", "", ""],
            ["def function(r):", f"    if {e}:", "        return (r.k, '1')", "    return (r.k, '2')", "", ""], ["function = lambda r: (r.k, str(" + e + "))", ""],
            ["def function(r):", "    found = []", f"    found.append({e})", "    return (r.k, str(found))", "", ""],
            ["def function(r):", "    try:", f"        y = str({e})", "    except ValueError:", "        y = ''", "    return (r.k, y)", "", ""],
            ["def function(r):", "    n = 0", f"    for y in [{e}]:", "        n += len(str(y))", "    return (r.k, str(n))", "", ""],
        ))  # fmt: skip
    if "(part)" in chain:
        return ["def part(rows):", "    for r in rows:", f"        yield (r.k, {e})", "", ""]
    if "(batches," in chain:
        e = e.replace("r.k", "'a'")
        return [
            "def batches(frames):",
            "    for pdf in frames:",
            '        pdf = pdf[["k", "v"]]',
            f"        yield pdf.assign(y=str({e}))",
            "",
            "",
        ]
    if "row_function" in chain:
        return ["def row_function(r):", f"    return str({e})", "", ""]
    if "(groups," in chain:
        return [
            "def groups(pdf):",
            f"    y = str({e})",
            '    return pd.DataFrame({"k": [pdf.k.iloc[0]], "y": [y]})',
            "",
            "",
        ]
    if "(tables," in chain:
        return [
            "def tables(table):",
            f"    y = str({e})",
            '    return pa.table({"k": table["k"], "y": pa.array([y] * table.num_rows, pa.string())})',
            "",
            "",
        ]
    if "series(" in chain:
        return [
            '@pandas_udf("double")',
            "def series(v: pd.Series) -> float:",
            f"    return len(str({e})) + v.max()",
            "",
            "",
        ]
    if "(Table," in chain:
        return ["class Table:", "    def eval(self, row):", f"        yield row['k'], str({e})", "", ""]
    return []
