"""Runs the killing tests on each mutant, in a forked process that imports the changed module in place of the real one.

The parent never imports what is mutated; libraries that are slow to import it has loaded once and for all.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.util
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from .operators import Mutant, mutants

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[3]
SERVER = ROOT / "server"
PACKAGES = ("headwater/proof", "headwater/proof/crossings", "headwater/semantics")
CONCRETE = ("interpreter.py", "closures.py", "scalars.py", "calls.py")
"""The meaning that the encoding is held to; itself held to CPython and Spark by tests/conformance, not by proofs."""
LEMMAS = "laws.py"
"""Which tests run, and no checker."""
SECONDS, PATIENCE = 150, 1800
"""Processor time that a mutant may take before it counts as killed; time by the clock after which all is given up."""
ALL = ("tests/proof", "tests/semantics", "tests/conformance/test_python.py")
_PROOF = (
    "tests/proof/test_checker_words.py",
    "tests/proof/test_wrong_certificates.py",
    "tests/proof/test_vocabulary.py",
)
_SEMANTICS = (
    "tests/semantics/test_values.py", "tests/semantics/test_literals.py", "tests/semantics/test_what_is_free.py",
    "tests/semantics/test_encoding_table.py",
    "tests/proof/test_wrong_certificates.py",
)  # fmt: skip
CROSSINGS = "proof/crossings"
_CROSSINGS = tuple(f"tests/{CROSSINGS}/test_{name}.py" for name in ("each_operator", "claims", "paths"))
KILLERS = {
    "proof": (*_PROOF, *ALL), "semantics": (*_SEMANTICS, *ALL), CROSSINGS: (*_CROSSINGS, f"tests/{CROSSINGS}"),
}  # fmt: skip
"""The tests that may kill a mutant of a package, quick and sharp ones first; later entries contain earlier ones."""
BLIND = (
    f"--ignore=tests/{CROSSINGS}/test_laws.py",
    f"--deselect=tests/{CROSSINGS}/test_crossings.py::test_certificates_are_checked_without_what_found_them",
)
"""The lemmas, which are no checker, and a test that starts the unchanged checker: it would see that a mutant is another
one, not that it is wrong."""

Outcome = Literal["killed", "time-out", "survived"]


@dataclass(frozen=True)
class Result:
    """What became of a mutant, and the test that killed it."""

    mutant: Mutant
    outcome: Outcome
    killer: str


def targets() -> list[Path]:
    """The files of the trusted base."""
    found = [p for package in PACKAGES for p in sorted((SERVER / package).glob("*.py"))]
    return [p for p in found if p.name not in ("__init__.py", LEMMAS, *CONCRETE)]


def name_of(path: Path) -> str:
    """``proof/conditions.py``."""
    return str(path.relative_to(SERVER / "headwater"))


def all_mutants(files: Sequence[str] = ()) -> Iterator[Mutant]:
    """The mutants of the trusted base, or of ``files`` of it."""
    for path in targets():
        if not files or name_of(path) in files:
            yield from mutants(path, name_of(path))


def preload() -> None:
    """Import what every child needs and no mutant changes."""
    import cvc5  # noqa: F401
    import pytest  # noqa: F401
    import z3  # noqa: F401
    from hypothesis import HealthCheck, settings

    import headwater_ir.codec  # noqa: F401

    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    settings.register_profile("mutation", derandomize=True, database=None, deadline=None, suppress_health_check=quiet)
    settings.load_profile("mutation")

    assert not [m for m in sys.modules if m.startswith(("headwater.proof", "headwater.semantics"))]


def run(mutant: Mutant | None, tests: Sequence[str] = (), seconds: int = SECONDS) -> tuple[Outcome, str]:
    """Whether ``tests`` notice ``mutant``; None stands for the unchanged code."""
    if not tests:
        tests = KILLERS[mutant.file.rpartition("/")[0]] if mutant else ALL
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        _child(mutant, tests, writer)
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], PATIENCE)
        text = os.read(reader, 65536).decode() if ready else ""
        if not text:
            return "time-out", "the process died or ran out of time"
        survived, killer = json.loads(text)
        return ("survived" if survived else "killed"), killer
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _child(mutant: Mutant | None, tests: Sequence[str], writer: int) -> None:
    answer: tuple[bool, str] = (False, "import")
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.dont_write_bytecode = True
        os.chdir(ROOT)
        if mutant is not None:
            sys.meta_path.insert(0, Changed(mutant))
        answer = _tests_pass(tests)
    except BaseException as error:
        answer = (False, f"{type(error).__name__}: {error}"[:200])
    finally:
        os.write(writer, json.dumps(answer).encode())
        os._exit(0)


class Watch:
    """A pytest plugin: which test failed first, and no test twice."""

    def __init__(self) -> None:
        self.killer = ""
        self._seen: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what has run."""
        items[:] = [i for i in items if i.nodeid not in self._seen]
        self._seen |= {i.nodeid for i in items}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See pytest."""
        if report.failed and not self.killer:
            self.killer = report.nodeid


def _tests_pass(tests: Sequence[str]) -> tuple[bool, str]:
    import pytest

    watch = Watch()
    for test in tests:
        options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not spark", "--no-header", "--tb=no"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what was imported beforehand
        status = pytest.main([*options, *BLIND, test], plugins=[watch])
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return False, watch.killer or "import"
    return True, ""


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the mutated module, and no other."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = "headwater." + mutant.file.removesuffix(".py").replace("/", ".")
        self.path = SERVER / "headwater" / mutant.file

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """See importlib."""
        return (
            importlib.util.spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None
        )

    def create_module(self, spec: ModuleSpec) -> None:
        """The usual module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(self.mutant.code(self.path), module.__dict__)
