"""Planted faults: what is wrong, how it is planted, and which check must see it. One registry, one runner.

``python -m tests.planted`` plants every fault, ``tests/planted/test_planted.py`` a part of them. Each family of faults
belongs to one check and shows that the check works.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

Check = Callable[[], bool]


@dataclass(frozen=True)
class Fault:
    """``family``: the check that must see it; ``name``: what is wrong; ``seen``: runs the check and says whether it
    sees anything wrong; ``plant``: the product has the fault while this is open, where ``seen`` does not bring the
    fault along; ``clean``: without the fault the same check must see nothing; ``brief``: a part of every test run;
    ``spark``: needs a session, the active one."""

    family: str
    name: str
    seen: Check
    plant: Callable[[], AbstractContextManager[Any]] = nullcontext
    clean: bool = False
    brief: bool = True
    spark: bool = False

    def __str__(self) -> str:
        return f"{self.family}: {self.name}"


FAMILIES: dict[str, str] = {
    "fuzz": "tests.campaigns.fuzz.planted",
    "exhaustive": "tests.campaigns.exhaustive.planted",
    "adversarial": "tests.campaigns.adversarial.planted",
    "certificates": "tests.proof.test_wrong_certificates",
    "crossings": "tests.proof.crossings.planted",
    "rdd": "tests.python.rdd.test_rdd_chains",
    "lists": "tests.python.test_random_lists",
    "row lists": "tests.python.test_row_lists",
    "generators": "tests.python.test_generators",
    "validation": "tests.validation.planted",
    "edits": "tests.edit_check.planted",
    "tables": "tests.planted",
}
"""By family, the module whose ``faults()`` yields them. Mutants of the trusted base are not here: each must be in place
before the first import of what it changes, which takes a process of its own (``tests.campaigns.mutation``)."""


def registry(*families: str) -> Iterator[Fault]:
    """All faults, or those of some families."""
    for family, module in FAMILIES.items():
        if not families or family in families:
            yield from importlib.import_module(module).faults()


def tables() -> Iterator[ModuleType]:
    """The test modules of tables of facts: each has ``ENTRIES``, what the table refuses, and ``seen(entry)``: whether
    measurement sees that accepting the entry is wrong."""
    for package in ("tests.tables", "tests.python", "tests.python.pandas", "tests.python.arrow"):
        path = importlib.import_module(package).__path__
        for found in sorted(pkgutil.iter_modules(path, f"{package}."), key=lambda m: m.name):
            if "test_" in found.name:
                module = importlib.import_module(found.name)
                if hasattr(module, "ENTRIES") and hasattr(module, "seen"):
                    yield module


def faults() -> Iterator[Fault]:
    """Every refused entry of every table of facts, turned into an accepted one. The modules test their own entries."""
    for module in tables():
        table = module.__name__.rpartition(".")[2].removeprefix("test_")
        spark = "SparkSession" in inspect.getsource(module)
        for entry in module.ENTRIES:
            yield Fault("tables", f"{table}: {entry}", partial(module.seen, entry), brief=False, spark=spark)
