"""What the caller of the front end sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FrontendOptions:
    """``schemas``: table name or path → DDL, as pairs or a mapping; ``assume_pure``: functions to be taken as pure."""

    schemas: Mapping[str, str] | tuple[tuple[str, str], ...] = ()
    assume_pure: frozenset[str] = field(default_factory=frozenset)

    def schema(self, place: str) -> str | None:
        """The DDL stated for a table or path."""
        return dict(self.schemas).get(place)
