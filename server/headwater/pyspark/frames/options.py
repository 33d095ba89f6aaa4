"""What the caller of the front end sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headwater.data_facts.model import PRINTED, DataFacts
from headwater.syntax.names.spark_versions import ANY, Targets


@dataclass(frozen=True)
class FrontendOptions:
    """``schemas``: table name or path → DDL, as pairs or a mapping; ``assume_pure``: functions to be taken as pure;
    ``targets``: the versions of Spark that what is read must be true of; ``data``: what data files say."""

    schemas: Mapping[str, str] | tuple[tuple[str, str], ...] = ()
    assume_pure: frozenset[str] = field(default_factory=frozenset)
    targets: Targets = ANY
    data: tuple[DataFacts, ...] = ()

    def schema(self, place: str) -> str | None:
        """The DDL stated for a table or path."""
        return dict(self.schemas).get(place)

    def facts(self, place: str, form: str) -> DataFacts | None:
        """What the files of a path say that is read as ``form``."""
        return next((d for d in self.data if d.place == place and d.form == form), None)

    def printed(self, call: str) -> DataFacts | None:
        """What was printed of the frame that a call makes, by its text."""
        return self.facts(call, PRINTED) if self.data else None
