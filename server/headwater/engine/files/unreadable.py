"""Files that cannot be read: which of them somebody must hear of.

A scan is of PySpark code. A Python 2 script, a template that is rendered to Python later, or a broken notebook is no
error of the scan unless it mentions Spark: it is counted, and the exit code is what the other files make it.
"""

from __future__ import annotations

import re
from pathlib import Path

from headwater.engine.report.report import SourceProblem

_LARGE = 100_000_000
"""Bytes; of a larger file nobody knows what is in it."""
_PLACEHOLDER = re.compile(rb"\{\{.*?\}\}|\{%.*?%\}|<%.*?%>")
"""Of Jinja, which cookiecutter uses too, and of ERB and Mako."""


def mentions_spark(content: bytes) -> bool:
    """Whether there may be PySpark code in ``content``, in whatever encoding of Unicode it is."""
    return b"spark" in content.replace(b"\0", b"").lower()


def is_template(content: bytes, problem: SourceProblem) -> bool:
    """Whether ``problem`` is a syntax error on a line with a placeholder, which is no Python until it is replaced."""
    if not problem.message.startswith("syntax error"):
        return False
    lines = content.splitlines()
    return problem.line < len(lines) and _PLACEHOLDER.search(lines[problem.line]) is not None


def concerns_spark(content: bytes, problem: SourceProblem) -> bool:
    """Whether a file with ``content`` that cannot be read, for ``problem``, is to be reported."""
    return mentions_spark(content) and not is_template(content, problem)


def file_concerns_spark(path: Path, problem: SourceProblem) -> bool:
    """The same of a file, of whatever size; True where it cannot be opened, for then nobody knows what is in it."""
    try:
        if not path.is_file():
            return True
        with path.open("rb") as stream:
            content = stream.read(_LARGE)
            rest = stream.read(1)
    except OSError:
        return True
    return bool(rest) or concerns_spark(content, problem)
