"""How large the conformance tables are."""

from __future__ import annotations


def table() -> str:
    """One line a table."""
    return ""
