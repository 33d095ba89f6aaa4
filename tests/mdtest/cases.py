"""Reads the Markdown files of this folder: prose, ```python snippets with ``# expect:`` comments, ```rows with tables.

The format is documented in ``README.md`` beside this file.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_FENCE = re.compile(r"^```(\w*(?: wrong| fails)?)\s*$")
_EXPECT = re.compile(r"#\s*expect:\s*(.*?)\s*(?=#\s*expect:|$)")
_WRONG = re.compile(r"^\s*#\s*wrong:\s*(?:(\w+):)?\s*(.+?)\s*$")
_TABLE = re.compile(r"^table (\w+)\((.*)\)( unstated)?$")
_OPTION = re.compile(r"""(\w+)=(?:"([^"]*)"|'([^']*)')""")


class FormatError(ValueError):
    """A Markdown file is not in the format."""


@dataclass(frozen=True)
class Expectation:
    """What is said of one line (counted from 0 in the snippet): ``verdict`` is a code, ``refused`` or ``nothing``."""

    line: int
    verdict: str
    words: tuple[str, ...]
    prefilter: str | None
    residual: str | None
    assuming: str | None
    hidden: bool = False
    writes: str | None = None
    """What takes the place of a call that hands rows to the driver."""
    """Whether the finding is left out unless all are asked for."""


@dataclass(frozen=True)
class Field:
    """A column of an input table."""

    name: str
    type: str
    nullable: bool


@dataclass(frozen=True)
class Table:
    """An input table. ``stated``: the analysis is told the schema."""

    name: str
    ddl: str
    fields: tuple[Field, ...]
    rows: tuple[tuple[Any, ...], ...]
    stated: bool


@dataclass(frozen=True)
class Wrong:
    """A naive pre-filter that must be seen to change the result on the given rows."""

    table: str | None
    condition: str


@dataclass(frozen=True)
class Case:
    """One snippet. ``rewrites``: whole programs that must be seen to give another result on the given rows;
    ``failing``: those that must be seen to fail on them, where the snippet does not."""

    name: str
    file: str
    line: int
    source: str
    expectations: tuple[Expectation, ...]
    wrong: tuple[Wrong, ...]
    tables: tuple[Table, ...]
    rewrites: tuple[str, ...] = ()
    heading: str = ""
    failing: tuple[str, ...] = ()

    @property
    def schemas(self) -> dict[str, str]:
        """What ``headwater.schemas`` would say."""
        return {t.name: t.ddl for t in self.tables if t.stated}

    @property
    def breaks_the_assumption(self) -> bool:
        """Whether the rows are there to show that a type, or that nothing is NULL, is assumed: the finding's own
        rewrite is wrong on them."""
        assumed = [e.assuming for e in self.expectations if e.assuming not in (None, "nothing")]
        unstated = not all(t.stated for t in self.tables) or any("no NULL" in a for a in assumed if a)
        return bool(assumed) and bool(self.wrong or self.rewrites) and unstated


def all_cases() -> list[Case]:
    """The cases of every file in this folder and below, in the order of the files' names."""
    return [c for path in files() for c in cases_of(path)]


def files() -> list[Path]:
    """The specifications."""
    return sorted((p for p in HERE.rglob("*.md") if p.name != "README.md"), key=lambda p: p.name)


@cache
def cases_of(path: Path) -> tuple[Case, ...]:
    """The cases of one file, which a process reads once: ten test modules ask for all of them."""
    return tuple(parse(path.read_text(encoding="utf-8"), path.name))


def parse(text: str, file: str) -> Iterator[Case]:
    """The cases of one text. A rows fence and a wrong rewrite belong to the snippet before them."""
    heading, pending = "", None
    for kind, line, body in _blocks(text, file):
        if kind == "heading":
            heading = body
        elif kind == "python":
            if pending:
                yield pending
            pending = _case(heading, file, line, body)
        elif kind == "rows":
            if pending is None or pending.tables:
                raise FormatError(f"{file}:{line}: rows without a snippet")
            pending = replace(pending, tables=tuple(_tables(body, f"{file}:{line}")))
        elif kind == "python wrong":
            if pending is None:
                raise FormatError(f"{file}:{line}: a wrong rewrite without a snippet")
            pending = replace(pending, rewrites=(*pending.rewrites, body))
        elif kind == "python fails":
            if pending is None:
                raise FormatError(f"{file}:{line}: a failing rewrite without a snippet")
            pending = replace(pending, failing=(*pending.failing, body))
    if pending:
        yield pending


def _blocks(text: str, file: str) -> Iterator[tuple[str, int, str]]:
    fence: str | None = None
    start, body = 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        found = _FENCE.match(line)
        if found and fence is None:
            fence, start, body = found[1], number + 1, []
        elif found:
            yield str(fence), start, "".join(b + "\n" for b in body)
            fence = None
        elif fence is not None:
            body.append(line)
        elif line.startswith("#"):
            yield "heading", number, line.lstrip("# ")
    if fence is not None:
        raise FormatError(f"{file}:{start}: the fence is not closed")


def _case(heading: str, file: str, line: int, source: str) -> Case:
    lines = source.splitlines()
    expected = tuple(_expectation(i, e[1]) for i, text in enumerate(lines) for e in _EXPECT.finditer(text))
    wrong = tuple(Wrong(m[1], m[2]) for text in lines if (m := _WRONG.match(text)))
    if not expected:
        raise FormatError(f"{file}:{line}: nothing is expected of this snippet")
    name = f"{file.removesuffix('.md')}:{line}:{re.sub(r'[^a-z0-9]+', '-', heading.lower()).strip('-')}"
    return Case(name, file, line, source, expected, wrong, (), heading=heading)


def _expectation(line: int, text: str) -> Expectation:
    options = {name: double or single for name, double, single in _OPTION.findall(text)}
    verdict, *words = _OPTION.sub("", text).split()
    if set(options) - {"prefilter", "residual", "assuming", "writes"} or not re.fullmatch(
        r"HW\d{3}|refused|nothing", verdict
    ):
        raise FormatError(f"cannot read the expectation {text!r}")
    hidden = "hidden" in words
    words = [word for word in words if word != "hidden"]
    return Expectation(
        line,
        verdict,
        tuple(words),
        options.get("prefilter"),
        options.get("residual"),
        options.get("assuming"),
        hidden,
        options.get("writes"),
    )


def _tables(body: str, place: str) -> Iterator[Table]:
    header: re.Match[str] | None = None
    rows: list[tuple[Any, ...]] = []
    for line in [*body.splitlines(), None]:
        found = _TABLE.match(line) if line is not None else None
        if header and (found or line is None):
            yield Table(header[1], header[2], fields_of(header[2]), tuple(rows), not header[3])
        if found:
            header, rows = found, []
        elif line and header:
            fields = fields_of(header[2])
            rows.append(tuple(_value(v, f) for v, f in zip(json.loads(line), fields, strict=True)))
        elif line:
            raise FormatError(f"{place}: a row before the first table")


def fields_of(ddl: str) -> tuple[Field, ...]:
    """The columns of a schema in DDL, for the simple types and, without blanks in them, arrays and structs."""
    found = []
    for part in split_outside(ddl):
        name, kind, *rest = part.split()
        if [w.lower() for w in rest] not in ([], ["not", "null"]):
            raise FormatError(f"cannot read the column {part!r}")
        found.append(Field(name, kind.lower(), not rest))
    return tuple(found)


def split_outside(text: str) -> list[str]:
    """``text`` at the commas that stand in no angle brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += {"<": 1, ">": -1}.get(sign, 0)
        parts = [*parts, ""] if sign == "," and not depth else [*parts[:-1], parts[-1] + sign]
    return parts


def _value(value: Any, field: Field) -> Any:
    if value is None:
        return None
    if field.type == "date":
        return dt.date.fromisoformat(value)
    if field.type == "timestamp":
        return dt.datetime.fromisoformat(value)
    return float(value) if field.type in ("double", "float") else value
