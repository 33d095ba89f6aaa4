"""``python -m tests.campaigns.certificates``: every certificate of every edit, checked again with both solvers by a
process that cannot import what found it.

Prints how many certificates and crossings there are, and the seconds. Exit code 1 if an edit has no path in its
certificate, or a certificate is not proved again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from headwater.engine.analysis.analyse import Options, analyse
from headwater_ir.codec import dumps
from headwater_ir.crossing import name_of
from headwater_ir.verdict import Certificate
from tests.campaigns.validation import texts
from tests.mdtest.cases import all_cases

ALONE = """
import sys

class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[:2] in [["headwater", part] for part in %r]:
            raise ImportError(f"{name} is not to be imported")

sys.meta_path.insert(0, Barred())
from pathlib import Path
from headwater.proof.checker import accepted, check
from headwater_ir.codec import loads
from headwater_ir.verdict import Certificate

failed = 0
for path in sorted(Path(sys.argv[1]).glob("*.json")):
    certificate = loads(path.read_text("ascii"), Certificate)
    for solver in ("z3", "cvc5"):
        if not accepted(check(certificate, solver)):
            failed += 1
            print(f"{path.name}: not proved by {solver}")
for part in %r:
    try:
        __import__(f"headwater.{part}")
    except ImportError:
        continue
    failed += 1
    print(f"headwater.{part} can be imported")
sys.exit(1 if failed else 0)
"""
BARRED = (
    "pyspark",
    "python",
    "operators",
    "synthesis",
    "rewrite",
    "engine",
    "syntax",
    "libraries",
    "source",
    "validation",
)


def checked_alone(certificates: Iterable[Certificate]) -> tuple[int, str]:
    """The exit code and the words of a process that checks ``certificates`` and can import nothing that made them."""
    with tempfile.TemporaryDirectory() as directory:
        for number, certificate in enumerate(certificates):
            (Path(directory) / f"{number:05}.json").write_text(dumps(certificate), "ascii")
        command = [sys.executable, "-c", ALONE % (BARRED, BARRED), directory]
        done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr[-2000:]


def edited(source: str, schemas: dict[str, str]) -> Iterator[Certificate]:
    """The certificate of every edit in a program. ValueError for an edit without one of the whole way."""
    for o in analyse(source, Options(timeout_seconds=30, schemas=schemas, show_all=True)).opportunities:
        if o.edits or o.prefilter_edits:
            if o.certificate is None or o.certificate.path is None:
                raise ValueError(f"no path to {o.filter_text}")
            yield o.certificate


def main() -> int:
    """Print the table."""
    programs = [(c.name, c.source, c.schemas) for c in all_cases()]
    programs += [(name, text, {}) for of in ("suite", "examples") for name, text in texts(of)]
    found: list[Certificate] = []
    wrong = 0
    for name, source, schemas in programs:
        try:
            found += edited(source, schemas)
        except ValueError as error:
            wrong += 1
            print(f"{name}: {error}")
    crossings = Counter(name_of(c) for one in found if one.path for c in one.path.crossings[1:])
    start = time.monotonic()
    code, words = checked_alone(found)
    print(words, end="")
    print(
        f"{len(found)} certificates, {crossings.total()} crossings, {time.monotonic() - start:.0f} s for both solvers"
    )
    print("| crossing | number |\n| --- | ---: |")
    for name, number in crossings.most_common():
        print(f"| {name} | {number} |")
    return 1 if code or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
