"""What the cells of a notebook have printed, as the document keeps it."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any

from .model import Output

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=T)")
_LAST = 253_402_214_400_000
"""Milliseconds of the last day of the year 9999."""


def output_of(number: int, cell: dict[str, Any]) -> Output:
    """That of a cell; without a text if it printed no schema, or ended with an error."""
    kept = cell.get("outputs")
    outputs = [o for o in kept if isinstance(o, dict)] if isinstance(kept, list) else []
    turn = cell.get("execution_count")
    turn = turn if isinstance(turn, int) and turn > 0 else 0
    if any(o.get("output_type") == "error" for o in outputs):
        return Output(number, "", turn)
    text = "".join(map(_printed, outputs))
    days = (_day(cell.get("metadata")), *map(_day_of_livy, outputs))
    return Output(number, text, turn, next(filter(None, days), "")) if "root\n" in text else Output(number, "", turn)


def _printed(output: dict[str, Any]) -> str:
    """What a program printed: Jupyter keeps it as a stream, Livy (Synapse, Fabric) as the result of the cell."""
    match output:
        case {"output_type": "stream", "name": "stdout", "text": text}:
            return _text(text)
        case {"output_type": "execute_result", "data": {"text/plain": text, **others}} if not others:
            return _text(text)
    return ""


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _day_of_livy(output: dict[str, Any]) -> str:
    match output:
        case {"data": {"application/vnd.livy.statement-meta+json": {"execution_start_time": str(moment)}}}:
            return found.group() if (found := _DAY.match(moment)) else ""
    return ""


def _day(metadata: object) -> str:
    """On which day the cell was run, by what Jupyter (``execution``) or Colab (``executionInfo``) keeps."""
    known = metadata if isinstance(metadata, dict) else {}
    match known:
        case {"execution": {"iopub.execute_input": str(moment)}} if found := _DAY.match(moment):
            return found.group()
        case {"executionInfo": {"timestamp": int(moment)}} if 0 < moment < _LAST:
            return datetime.fromtimestamp(moment / 1000, timezone.utc).strftime("%Y-%m-%d")
    return ""
