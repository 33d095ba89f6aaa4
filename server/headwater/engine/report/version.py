"""The version of the tool, from its package metadata."""

from __future__ import annotations

from functools import cache
from importlib import metadata


@cache
def version() -> str:
    """``0.1.0``."""
    try:
        return metadata.version("headwater")
    except metadata.PackageNotFoundError:
        return "0+unknown"
