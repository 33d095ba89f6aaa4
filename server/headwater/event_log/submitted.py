"""The calls that go to the JVM without a word of Python: ``DataFrame.count``, ``show`` and what writes.

Spark names them ``save at NativeMethodAccessorImpl.java:0``. Where a log says which script was submitted, and the text
of that script cannot start a query elsewhere than in its own lines, a call that stands there once and that the run made
once is the one of the log.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

_WRITERS = frozenset(("parquet", "csv", "json", "orc", "text"))
"""Methods of a writer of which a reader has one with the same name, which may ask a query for the schema."""
_OTHERS: Mapping[str, str] = {
    "count": "count", "showString": "show", "isEmpty": "isEmpty", "save": "save", "saveAsTable": "saveAsTable",
    "insertInto": "insertInto",
}  # fmt: skip
_METHODS: Mapping[str, str] = {**_OTHERS, **{name: name for name in _WRITERS}}
"""The method of the JVM, and what Python calls it (``tests/event_log/test_demo.py`` runs each)."""
METHODS = frozenset(_METHODS.values())
WRITES_FILES = "Execute InsertIntoHadoopFsRelationCommand"
"""The node of a plan that writes files."""
SOMEWHERE = 0
"""Instead of the line of a call."""
_SITE = re.compile(r"(\w{1,60}) at NativeMethodAccessorImpl\.java:0")

TAKE_A_VALUE = frozenset(
    """--archives --class --conf --deploy-mode --driver-class-path --driver-cores --driver-java-options
    --driver-library-path --driver-memory --exclude-packages --executor-cores --executor-memory --files --jars --keytab
    --master --name --num-executors --packages --principal --properties-file --proxy-user --py-files --queue --remote
    --repositories --total-executor-cores -c""".split()
)
TAKE_NONE = frozenset(("--load-spark-defaults", "--supervise", "--verbose", "-v"))
"""The options of ``spark-submit`` that run something, by whether a value follows."""
_SUBMIT = "org.apache.spark.deploy.SparkSubmit"


def script_of(command: object) -> str | None:
    """The path of the script that ``command``, that of the JVM, submits, without the host of an address; None if it is
    not certain which one, as where a blank in a value looks like the end of it."""
    words = command.split(" ") if isinstance(command, str) else []
    if words[:1] != [_SUBMIT]:
        return None
    at = 1
    while at < len(words) and words[at] in TAKE_A_VALUE | TAKE_NONE:
        at += 1 + (words[at] in TAKE_A_VALUE)
    scripts = [word for word in words[at:] if word.endswith(".py")]
    return urlsplit(scripts[0]).path if len(scripts) == 1 and words[at] == scripts[0] else None


def method_at(site: object, writes_files: bool) -> str | None:
    """The method that the description of a query names, if it is one that Python has sent to the JVM."""
    found = _SITE.fullmatch(site) if isinstance(site, str) else None
    method = None if found is None else _METHODS.get(found[1])
    return None if method in _WRITERS and not writes_files else method


_MODULES = frozenset(
    """__future__ abc argparse base64 bisect collections collections.abc contextlib copy csv dataclasses datetime
    decimal enum fractions functools glob hashlib heapq io itertools json logging math operator os os.path pathlib
    random re shutil statistics string sys tempfile textwrap time traceback typing unicodedata urllib.parse uuid
    warnings zoneinfo numpy pandas pyarrow pyspark.sql.column pyspark.sql.dataframe pyspark.sql.functions
    pyspark.sql.session
    pyspark.sql.types pyspark.sql.window pyspark.storagelevel""".split()
)
_PACKAGES: Mapping[str, frozenset[str]] = {
    "pyspark": frozenset(("SparkConf", "SparkContext", "StorageLevel")),
    "pyspark.sql": frozenset("Column DataFrame Row SparkSession Window functions types window".split()),
}
"""Modules that start no query when they are imported or called and run no text that they are told to, and what may be
taken out of packages that have others too."""
_ANYTHING = frozenset("__builtins__ __import__ eval exec getattr globals locals vars".split())


def certain_methods(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """Which of ``METHODS`` a log may name for a run of this text: all that can be meant, and those that stand once."""
    named: Counter[str] = Counter()
    for node in ast.walk(tree):
        if not _is_plain(node):
            return METHODS, frozenset()
        if isinstance(node, ast.Attribute):
            method = _METHODS.get(node.attr, node.attr)
            if method in METHODS and not is_read(node):
                named[method] += 1
    return frozenset(named), frozenset(name for name, count in named.items() if count == 1)


def _is_plain(node: ast.AST) -> bool:
    """Whether a part of a text runs no other text that might start a query."""
    match node:
        case ast.Import(names=names):
            return all(alias.name in _MODULES or alias.name in _PACKAGES for alias in names)
        case ast.ImportFrom(module=str() as module, names=names, level=0):
            return module in _MODULES or {alias.name for alias in names} <= _PACKAGES.get(module, frozenset())
        case ast.ImportFrom():
            return False
        case ast.Name(id=name):
            return name not in _ANYTHING
    return True


def is_read(call: ast.Attribute) -> bool:
    """Whether ``call`` is a method of a reader of the same name as one of a writer: ``spark.read.schema(…).csv``."""
    node = call.value
    while call.attr in _WRITERS:
        match node:
            case ast.Call(func=ast.Attribute(value=of)):
                node = of
            case ast.Attribute(attr=name):
                return name == "read"
            case _:
                return False
    return False
