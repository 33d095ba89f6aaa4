"""What a user may set about an analysis. Part of the cache key, so plain values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headwater.data_facts.model import DataFacts, Output
from headwater.syntax.names.spark_versions import ANY, Targets


@dataclass(frozen=True)
class Place:
    """The file ``path`` that a text is of: what it imports of its project is looked up around it. ``opened``: the texts
    of other files as an editor has them, by their paths; they count instead of what is stored."""

    path: str
    opened: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Options:
    """The settings.

    * ``timeout_seconds`` bounds the proof of one filter, in processor seconds.
    * ``bounded``: only the quick check on small tables.
    * ``schemas`` maps a table or path to DDL.
    * ``assume_pure``: names of functions taken to be pure.
    * ``severity``: code → severity, or ``off``.
    * ``show_all``: findings too of kinds that no benchmark has shown to gain (``headwater.cost.gains``).
    * ``targets``: the versions of Spark that a verdict must hold for.
    * ``data_root``: the workspace whose data files may be looked at, None for none; ``data``: what they say.
    * ``outputs``: what the cells of a notebook have printed, which is used where data files may be.
    * ``place``: which file the text is of; None: other files are not read. No part of the key: what is read is a part
      of the text that is analysed.
    """

    timeout_seconds: float = 10.0
    bounded: bool = False
    schemas: Mapping[str, str] = field(default_factory=dict)
    assume_pure: frozenset[str] = frozenset()
    severity: Mapping[str, str] = field(default_factory=dict)
    show_all: bool = False
    targets: Targets = ANY
    data_root: str | None = None
    data: tuple[DataFacts, ...] = ()
    outputs: tuple[Output, ...] = ()
    place: Place | None = None

    @property
    def budget_seconds(self) -> float:
        """What the filters of one file may take together, in processor seconds."""
        return 20 * self.timeout_seconds

    @property
    def file_seconds(self) -> float:
        """When the analysis of one file is given up, in seconds of wall time; what heeds the budget is done by then."""
        return 60 + 60 * self.timeout_seconds

    def key(self) -> str:
        """A text that is equal for equal options."""
        pairs = (sorted(self.schemas.items()), sorted(self.assume_pure), sorted(self.severity.items()))
        known = [facts.key() for facts in self.data]
        may_look = self.data_root is not None
        return repr((self.timeout_seconds, self.bounded, self.show_all, self.targets, may_look, *pairs, *known))
