"""The table that a program reads."""

from __future__ import annotations

from dataclasses import dataclass

from tests.mdtest.cases import Table, fields_of

from .pen import Pen

_COLUMNS = (("x", "double"), ("n", "bigint"), ("s", "string"), ("b", "boolean"), ("i", "int"), ("y", "double"))


@dataclass
class Source:
    """Its columns. ``present``: those that hold no NULL (and no NaN, if ``clean``) where the function sees them."""

    key: str
    types: dict[str, str]
    nullable: dict[str, bool]
    stated: bool
    present: set[str]
    clean: set[str]

    @property
    def table(self) -> Table:
        """As the harness of the Markdown specifications has it."""
        ddl = ", ".join(f"{n} {t}{'' if self.nullable[n] else ' not null'}" for n, t in self.types.items())
        return Table("t", ddl, fields_of(ddl), (), self.stated)

    def of(self, *kinds: str) -> list[str]:
        """Names of the columns of these types, the key excluded."""
        return [n for n, t in self.types.items() if t in kinds and n != self.key]


def source(pen: Pen) -> Source:
    """A table with a key and two to four other columns."""
    others = pen.some(_COLUMNS, 2, 4)
    if all(t in ("string", "boolean") for _, t in others):
        others = [_COLUMNS[0], *others]
    types = {"k": pen.one("string", "string", "string", "int", "bigint"), **dict(others)}
    nullable = {name: pen.chance(50) for name in types}
    stated = pen.chance(85)
    present = {n for n in types if stated and not nullable[n]}
    return Source("k", types, nullable, stated, present, {n for n in present if types[n] != "double"})
