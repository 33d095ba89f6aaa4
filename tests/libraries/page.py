"""``python -m tests.libraries.page`` writes ``docs/library.md``: what is known of which functions, and how it is held.

The page is made from the registries of models and from the cases that are run beside the real functions; nothing in it
is written by hand. The reasons of refusals are those in the files of the models.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from headwater.libraries import registry
from headwater.pyspark.api.aggregates import collected_arrays, struct_aggregates
from headwater.python.arrow import compute
from headwater.python.builtins import dispatch
from headwater.python.pandas.methods.model import laws
from tests.pyspark import test_array_laws
from tests.pyspark.test_aggregates_on_spark import OTHERS
from tests.python import builtin_laws
from tests.python.arrow.compute_cases import COMPUTE
from tests.python.pandas.law_cases import programs

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
_ITERATING = "functools, operator, itertools"
_TITLES = {
    "builtins": "Python builtins", "builtins.str": "Python texts",
    **{f"builtins.{kind}": "Methods of containers" for kind in "list dict set tuple frozenset".split()},
    **{f"collections.{kind}": "Methods of containers" for kind in "deque Counter OrderedDict defaultdict".split()},
    "functools": _ITERATING, "operator": _ITERATING, "itertools": _ITERATING, "itertools.chain": _ITERATING,
    "collections": "collections", "heapq": "heapq", "bisect": "bisect", "statistics": "statistics", "math": "math",
    "numpy": "numpy on columns", "numpy.ndarray": "numpy on columns",
}  # fmt: skip
"""The family of what belongs to a module or class; by the first word where none is named here."""
_ROOTS = {"pandas": "pandas: others", "pyarrow": "pyarrow: others"}
INTRODUCTION = """\
# Library functions

Made by `python -m tests.libraries.page` from the registries of models. A function with a *value* has a law: what it
computes is known, and each such law is run beside the real function (CPython, pandas, pyarrow, Spark) on edge data:
empty, one row, NULL, None, NaN, -0.0, infinities, duplicates, ties. Another value in its place must be seen by one of
its cases, or the tests fail. Of other functions it is known that *equal arguments* have equal results, of a type: what
they compute is left open. A function that is *pure alone* may be called where its value does not matter. *Without a
value*: declared, and refused by name. *Reasons*: how many there are for which a call is refused beside that. Everything
else is refused as unknown.

A number behind a name says how many cases or generated programs call it.
"""


@dataclass
class Family:
    """``values``: functions that have a law, by name, with their number of cases; ``alike``: those of which equal
    arguments have equal results; ``pure``: those that are only known to do nothing else; ``refused``: those that are
    refused by name, with the reason; ``files``: where the laws stand."""

    values: dict[str, int] = field(default_factory=dict)
    alike: list[str] = field(default_factory=list)
    pure: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    files: dict[ModuleType, None] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        """How many cases call its functions."""
        return sum(self.values.values())

    @property
    def reasons(self) -> list[str]:
        """Why calls of functions with a law are refused."""
        return sorted({reason for module in self.files for reason in reasons(inspect.getsource(module))})


def families() -> dict[str, Family]:
    """By title, in the order of the page."""
    found: dict[str, Family] = defaultdict(Family)
    for title in _TITLES.values():
        found[title] = Family()
    for name, title, cases, module in _values():
        found[title].values[name] = cases
        found[title].files[module] = None
    valued = {name.partition(" of ")[0] for family in found.values() for name in family.values}
    for name, entry in sorted(registry.entries().items()):
        title = _title(name)
        if entry.kind == "python.value" or (entry.signature is None and entry.pure):
            continue  # what another entry derives, or no function
        if name in laws() and laws()[name].refuses:
            found[title].refused[name] = laws()[name].refuses
        elif not entry.pure and name not in valued:
            found[title].refused[name] = "changes an object" if entry.changes else entry.refused or ""
        elif entry.scalar is not None:
            found[title].alike.append(name)
        elif name not in valued:
            found[title].pure.append(name)
    return dict(found)


def _values() -> Iterator[tuple[str, str, int, ModuleType]]:
    """What has a law: its name, the title of its family, the number of its cases, and where the law stands."""
    for (name, reads), model in sorted(dispatch.known().items()):
        yield f"{name} of {reads}", _title(name), len(builtin_laws.cases()[name]), _module(model)
    for kind, table in builtin_laws.tables().items():
        for name, model in sorted(table.items()):
            yield name, _title(name), len(builtin_laws.cases_of((name, kind))), _module(model)
    for name, method in sorted(laws().items()):
        if not method.refuses:
            module, title = _module(method.law), _title(name)
            stem = module.__name__.rpartition(".")[2]
            own = title if title in _TITLES.values() else f"pandas: {stem}"
            yield name, own, sum(1 for _ in programs(name)), module
    for name, (law, _) in sorted(compute.laws().items()):
        short = name.rpartition(".")[2]
        yield name, "pyarrow.compute", sum(1 for n in COMPUTE if n.split(",")[0].split()[0] == short), _module(law)
    for name, function in collected_arrays.laws().items():
        cases = len(test_array_laws.expressions(name))
        yield name, "Spark: arrays that are collected", cases, _module(function)
    for name in ("max", "min"):
        cases = sum(1 for e in OTHERS if e.startswith(f"F.{name}(F.struct"))
        yield f"{name}(struct)", "Spark: aggregates of structs", cases, struct_aggregates


def _title(name: str) -> str:
    kind = name.rpartition(".")[0]
    return _TITLES.get(kind) or _ROOTS.get(kind.partition(".")[0], "Other modules")


def _module(function: object) -> ModuleType:
    return sys.modules[inspect.unwrap(function).__module__]  # type: ignore[arg-type]


def reasons(source: str) -> Iterator[str]:
    """The reasons that a text gives for refusals, with ``…`` for what is put into them."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        texts = [t for a in node.args[:2] if (t := _text(a)) is not None]
        if name == "Refusal" and len(texts) == 2:
            yield f"{texts[1]} ({texts[0]})"
        elif name == "refusal" and texts:
            yield f"{texts[1]} ({texts[0]})" if len(texts) == 2 else f"`…` of {texts[0]} (opaque)"


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(p.value) if isinstance(p, ast.Constant) else "…" for p in node.values)
    return None


def page() -> str:
    """The whole text."""
    found = families()
    parts = [INTRODUCTION]
    parts.append(
        "| family | with a value | cases | equal on equal arguments | pure alone | without a value | reasons |"
    )
    parts.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for title, f in found.items():
        counts = (len(f.values), f.cases, len(f.alike), len(f.pure), len(f.refused), len(f.reasons))
        parts.append(f"| {title} | {' | '.join(str(n) for n in counts)} |")
    for title, f in found.items():
        parts.append(f"\n## {title}\n")
        parts.append(_listed("With a value", (f"`{n}` {c}" for n, c in f.values.items())))
        parts.append(_listed("Equal on equal arguments", (f"`{n}`" for n in f.alike)))
        parts.append(_listed("Pure alone", (f"`{n}`" for n in f.pure)))
        parts.append(_listed("Without a value", (f"`{n}` ({why})" for n, why in f.refused.items())))
        if f.reasons:
            parts.append("Refused where they are called otherwise:\n")
            parts += [f"- {reason}" for reason in f.reasons]
    return "\n".join(p for p in parts if p) + "\n"


def _listed(title: str, items: Iterable[str]) -> str:
    text = ", ".join(items)
    return f"{title}: {text}.\n" if text else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
