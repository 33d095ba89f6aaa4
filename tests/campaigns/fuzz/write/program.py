"""A generated program."""

from __future__ import annotations

from dataclasses import dataclass

from tests.mdtest.cases import Case, Table, fields_of


@dataclass(frozen=True)
class Program:
    """``shape``: which API the boundary goes through. ``tables``: what it reads, without rows."""

    shape: str
    source: str
    tables: tuple[Table, ...]

    @classmethod
    def of(cls, shape: str, source: str, table: str) -> Program:
        """A program whose table is given as DDL, with ``unstated`` at its end if the tool is not told."""
        ddl = table.removesuffix(" unstated")
        return cls(shape, source, (Table("t", ddl, fields_of(ddl), (), ddl == table),))

    @property
    def spelled(self) -> str:
        """The table as ``of`` takes it."""
        return self.tables[0].ddl + ("" if self.tables[0].stated else " unstated")

    @property
    def schemas(self) -> dict[str, str]:
        """What ``headwater.schemas`` says."""
        return {t.name: t.ddl for t in self.tables if t.stated}

    @property
    def ddl(self) -> dict[str, str]:
        """What the tables really are."""
        return {t.name: t.ddl for t in self.tables}

    @property
    def case(self) -> Case:
        """What the replay of the Markdown specifications takes."""
        return Case(f"fuzz-{self.shape}", "fuzz", 0, self.source, (), (), self.tables)
