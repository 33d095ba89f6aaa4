# ruff: noqa: E501 - programs and tables, one to a line
"""UDTF classes of which no fold is read: each with the obstruction."""

from __future__ import annotations

from tests.python.harness import Refused

from .udtf_cases import ARROW, UdtfCase

COLUMNS = "k string, x double, n long, s string, t timestamp, i int"


def written(
    eval_lines: str,
    terminate: str = "yield (self.v,)",
    init: str = "self.v = None",
    rest: str = "",
    head: str = "class T:",
) -> str:
    """A class with these bodies."""

    def block(name: str, text: str) -> str:
        return f"    def {name}:\n" + "".join(f"        {line}\n" for line in text.split("\n"))

    return (
        f"{head}\n"
        + block("__init__(self)", init)
        + block("eval(self, row)", eval_lines)
        + block("terminate(self)", terminate)
        + rest
    )


CLASSES: dict[str, tuple[str, str]] = {
    "eval yields": (written("yield (row.x,)"), "multiplicity"),
    "eval returns rows": (written("return [(row.x,)]"), "multiplicity"),
    "two yields": (written("self.v = row.x", "yield (self.v,)\nyield (self.v,)"), "multiplicity"),
    "two conditional yields": (written("self.v = row.x", "if self.v:\n    yield (self.v,)\nif not self.v:\n    yield (1.0,)"), "multiplicity"),
    "yield in a loop": (written("self.v = row.x", "for i in (1, 2):\n    yield (self.v,)"), "multiplicity|opaque"),
    "two rows returned": (written("self.v = row.x", "return [(self.v,), (1.0,)]"), "multiplicity"),
    "yield from": (written("self.v = row.x", "yield from [(self.v,)]"), "multiplicity"),
    "never": (written("self.v = row.x", "return"), "no-prefilter"),
    "bare scalar": (written("self.v = row.x", "yield self.v"), "opaque"),
    "dict row": (written("self.v = row.x", "yield {'v': self.v}"), "opaque"),
    "named Row": (written("self.v = row.x", "yield Row(v=self.v)"), "opaque"),
    "wrong length": (written("self.v = row.x", "yield self.v, 1"), "may-throw"),
    "skip the rest": (written("self.v = row.x\nif self.v > 1:\n    raise SkipRestOfInputTableException()"), "opaque"),
    "unknown error": (written("if row.x > 1:\n    raise Stop\nself.v = row.x"), "opaque"),
    "helper skips": ("def g(v):\n    if v > 1:\n        raise Stop()\n    return v\n" + written("self.v = g(row.x)"), "opaque"),
    "analyze": (written("self.v = row.x", rest="    @staticmethod\n    def analyze(row):\n        return 1\n"), "opaque"),
    "cleanup": (written("self.v = row.x", rest="    def cleanup(self):\n        LOG.append(1)\n"), "side-effect"),
    "base": (written("self.v = row.x", head="class T(Base):"), "opaque"),
    "metaclass": (written("self.v = row.x", head="class T(metaclass=M):"), "opaque"),
    "getattr": (written("self.v = row.x", rest="    def __getattr__(self, name):\n        return 1\n"), "opaque"),
    "property": (written("self.v = row.x", rest="    @property\n    def v(self):\n        return 1\n"), "opaque"),
    "descriptor": (written("self.v = row.x", rest="    v = property(None)\n"), "opaque"),
    "no terminate": ("class T:\n    def eval(self, row):\n        self.v = 1\n", "opaque"),
    "decorated eval": ("class T:\n    @cache\n    def eval(self, row):\n        pass\n    def terminate(self):\n        yield (1.0,)\n", "opaque"),
    "extra argument": ("class T:\n    def eval(self, row, n):\n        self.v = row.x\n    def terminate(self):\n        yield (self.v,)\n", "opaque"),
    "initialised with a schema": ("class T:\n    def __init__(self, result):\n        self.v = 1.0\n    def eval(self, row):\n        self.v = row.x\n    def terminate(self):\n        yield (self.v,)\n", "opaque"),
    "self escapes": (written("register(self)\nself.v = row.x"), "side-effect"),
    "setattr": (written("setattr(self, 'v', row.x)"), "side-effect"),
    "dict of self": (written("self.__dict__['v'] = row.x"), "side-effect"),
    "class attribute written": (written("T.v = row.x"), "side-effect"),
    "global list": ("LOG = []\n" + written("LOG.append(row.x)\nself.v = row.x"), "side-effect"),
    "global": (written("global G\nG = 1\nself.v = row.x"), "side-effect"),
    "list of the class": (
        written("self.log.append(row.x)\nself.v = row.x", head="class T:\n    log = []"),
        "opaque",
    ),
    "method that assigns and returns": (
        written(
            "self.put(row.x)",
            rest="    def put(self, v):\n        if v is None:\n            return 1\n        self.v = v\n",
        ),
        "side-effect",
    ),
    "method that calls itself": (
        written("self.put(row.x)", rest="    def put(self, v):\n        self.v = v\n        self.put(v)\n"),
        "side-effect",
    ),
    "local of a method": (
        written(
            "self.put(row.x)\nself.put(row.x)",
            rest="    def put(self, v):\n        if v > 1:\n            w = v\n        self.v = w\n",
        ),
        "may-throw",
    ),
    "name of the caller in a method": (
        "LIMIT = 3\n"
        + written("LIMIT = row.x\nself.put(row.x)", rest="    def put(self, v):\n        self.v = v + LIMIT\n"),
        "side-effect",
    ),
    "recursive method": (written("self.v = self.g(row.x)", rest="    def g(self, v):\n        return self.g(v)\n"), "opaque"),
    "mangled": ("__LIMIT = 3\n" + written("if row.x > __LIMIT:\n    self.v = row.x"), "opaque"),
    "unset attribute": (written("self.v = row.x", "yield (self.w,)"), "opaque"),
    "attribute set on some paths": (written("if row.x > 1:\n    self.w = row.x", "yield (self.w,)"), "may-throw"),
    "local of eval": (written("y = row.x", "yield (y,)"), "may-throw"),
    "method as column": (written("self.v = row.count"), "opaque"),
    "missing column": (written("self.v = row['nope']"), "may-throw"),
    "computed column": (written("self.v = row[NAME]"), "opaque"),
    "row kept": (written("self.v = row"), "opaque"),
    "timestamp beside a constant": (written("if row.t > datetime.datetime(2024, 1, 1):\n    self.v = row.x"), "opaque"),
    "timestamp beside a constant in an attribute": (
        written(
            "if row.t is not None and row.t > self.w:\n    self.w = row.t\n    self.v = row.x",
            init="self.v, self.w = None, datetime.datetime(2024, 1, 1)",
        ),
        "opaque",
    ),
    "timestamp in a set of constants": (
        written("if row.t in (datetime.datetime(2024, 1, 1), datetime.datetime(2025, 1, 1)):\n    self.v = row.x"),
        "opaque",
    ),
    "int in a double column": (written("self.v += row.x", init="self.v = 0"), "may-throw"),
    "int column in a double column": (written("self.v = row.n"), "may-throw"),
    "absolute of a mix": (written("self.v += row.x", "yield (abs(self.v),)", init="self.v = 0"), "may-throw"),
    "string in a double column": (written("self.v = row.s"), "may-throw"),
    "truth in a double column": (written("self.v = row.x > 1"), "may-throw"),
    "random": ("import random\n" + written("if random.random() > 0.5:\n    self.v = row.x"), "volatile"),
    "print": (written("print(row)\nself.v = row.x"), "side-effect"),
    "return in try": (written("try:\n    return\nexcept ValueError:\n    pass\nself.v = row.x"), "opaque"),
    "not in slots": ("class T:\n    __slots__ = ('w',)\n" + written("self.v = row.x").split("\n", 1)[1], "may-throw"),
}  # fmt: skip
WRAPS = written("self.v = row.i + 1")
"""Without Arrow the sum of 32-bit numbers wraps."""
REFUSED = {
    **{
        f"udtf, {n}": Refused(UdtfCase(source, COLUMNS, "v double"), obstruction)
        for n, (source, obstruction) in CLASSES.items()
    },
    "udtf, a number that wraps without Arrow": Refused(UdtfCase(WRAPS, COLUMNS, "v int")),
    "udtf, whole numbers in a double column": Refused(UdtfCase(ARROW, "k string, x double", "total double")),
    "udtf, whole numbers in a double column without Arrow": Refused(
        UdtfCase(ARROW, "k string, x double", "total double", arrow=False)
    ),
}
