"""``python -m tests.mdtest.coverage`` writes ``docs/coverage.md``: per API surface what the specifications show.

The page is made from the expectations alone, which ``test_mdtest.py`` asserts and replays on Spark; nothing in it is
written by hand.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from .cases import Case, all_cases
from .surfaces import GROUPS, surfaces_of

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
KINDS = ("exact", "partial", "split")
PROVED = ("HW101", "HW102", "HW103", "HW105")
INTRODUCTION = """\
# Coverage

Made by `python -m tests.mdtest.coverage` from the specifications in `tests/mdtest`, each of which is asserted by the
tests and replayed on Spark. A row counts the filters in specifications that use the API, on whatever side of it.

- **supported**: filters are proved to run earlier, and what is refused is refused because moving it would be wrong
  (or could not be proved right);
- **partly**: besides proofs there are forms without a model (`opaque`), refused for that reason alone;
- **refused**: no specification has a proof;
- **left to Spark**: Spark's own optimizer moves the filter, so that nothing is said.

`HW104`: proved under a fact that the schema or the user must supply. `HW302`: proved never, or always, to pass.
"""


@dataclass
class Row:
    """What is expected of the filters in specifications that use one API surface."""

    proved: Counter[str] = field(default_factory=Counter)
    other: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    nothing: int = 0
    files: set[str] = field(default_factory=set)

    def add(self, case: Case) -> None:
        """Count the expectations of ``case``."""
        self.files.add(case.file)
        for e in case.expectations:
            if e.verdict in PROVED:
                self.proved[next((w for w in e.words if w in KINDS), "of some kind")] += 1
            elif e.verdict == "refused":
                self.refused[e.words[0] if e.words else "for any reason"] += 1
            elif e.verdict == "nothing":
                self.nothing += 1
            else:
                self.other[e.verdict] += 1

    @property
    def status(self) -> str:
        """As the introduction defines it."""
        if self.proved:
            return "partly" if self.refused["opaque"] else "supported"
        return "refused" if self.refused else "left to Spark" if self.nothing else "HW302 alone"


def rows(cases: list[Case]) -> dict[str, Row]:
    """By surface."""
    found: dict[str, Row] = {}
    for case in cases:
        for surface in surfaces_of(case.source):
            found.setdefault(surface, Row()).add(case)
    return found


def page(cases: list[Case]) -> str:
    """The whole text."""
    found = rows(cases)
    parts = [INTRODUCTION.rstrip("\n")]
    for group, surfaces in GROUPS.items():
        parts.append(f"\n## {group}\n\n| API | status | proved | other findings | refused | left to Spark |")
        parts.append("| --- | --- | --- | --- | --- | --- |")
        parts += [_line(s, found[s]) for s in surfaces if s in found]
        missing = [f"`{s}`" for s in surfaces if s not in found]
        if missing:
            parts.append(f"\nWithout a specification: {', '.join(missing)}.")
    return "\n".join(parts) + "\n"


def _line(surface: str, row: Row) -> str:
    cells = [f"`{surface}`", row.status, _counts(row.proved), _counts(row.other), _counts(row.refused)]
    return f"| {' | '.join(cells)} | {row.nothing or ''} |"


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(counter.items(), key=lambda kv: (-kv[1], kv[0])))


if __name__ == "__main__":
    PAGE.write_text(page(all_cases()), encoding="utf-8")
    print(f"wrote {PAGE}")
