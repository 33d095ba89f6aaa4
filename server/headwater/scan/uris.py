"""Paths that name a file system."""

from __future__ import annotations

import re

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def is_uri(text: str) -> bool:
    """Whether a path names a file system: ``hdfs://…``, ``s3a://…``, ``file:/…``."""
    return _URI.match(text) is not None
