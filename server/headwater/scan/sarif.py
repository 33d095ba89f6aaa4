"""SARIF 2.1.0, with the proved rewrites as fixes; the description of a fix names the assumptions that it rests on.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Columns count UTF-16 units, as in LSP. A notebook is
one artifact of JSON, in which cells have no lines of their own: its findings name the file, and the cell in their
message.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from headwater.engine.files.jupyter import SUFFIX as NOTEBOOK
from headwater.engine.report.version import version
from headwater.rules.registry import RULES

from .documents import Scan
from .result import FileResult
from .shown import Shown

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


def sarif_text(scan: Scan) -> str:
    """The log file as text, in ASCII."""
    return json.dumps(sarif(scan), indent=2) + "\n"


def sarif(scan: Scan) -> dict[str, Any]:
    """The log file: one run."""
    codes: list[str] = sorted(code for code, rule in RULES.items() if rule.opportunity)
    driver = {"name": "headwater", "version": version(), "rules": [_rule(c, scan) for c in codes]}
    failures = [_failure(r) for r in scan.results if r["problem"]]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "utf16CodeUnits",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": failures}],
                "results": [found for r in scan.results for found in _results(r, codes, scan)],
            }
        ],
    }


def _rule(code: str, scan: Scan) -> dict[str, Any]:
    rule = RULES[code]
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _level(code, scan)},
        "properties": {"tags": ["pyspark", "performance"], "precision": "very-high" if rule.proved else "low"},
    }


def _level(code: str, scan: Scan) -> str:
    said = scan.options.severity.get(code, "")
    return _LEVELS.get(said) or _LEVELS[RULES[code].severity]


def _results(result: FileResult, codes: list[str], scan: Scan) -> list[dict[str, Any]]:
    path = result["file"]["path"]
    pairs = zip(result["file"]["opportunities"], result["shown"], strict=True)
    return [_result(path, o, shown, codes, scan) for o, shown in pairs]


def _result(path: str, o: dict[str, Any], shown: Shown, codes: list[str], scan: Scan) -> dict[str, Any]:
    cell = o["filter"]["range"]["start"].get("cell")
    message = shown["message"] if cell is None else f"{shown['message']} ({shown['place']})"
    if o.get("measured"):
        message = f"{message}; {o['measured']['text']}"
    found: dict[str, Any] = {
        "ruleId": o["code"],
        "ruleIndex": codes.index(o["code"]),
        "level": _level(o["code"], scan),
        "message": {"text": message},
        "locations": [{"physicalLocation": _location(path, o["filter"]["range"], shown["text"])}],
        "relatedLocations": [
            _related(path, 0, o["boundary"]["range"], "the boundary"),
            _related(path, 1, o["prefilter"]["range"], "where the pre-filter goes"),
        ],
        "partialFingerprints": {"headwaterId/v1": o["id"]},
        "properties": {
            "status": o["status"], "kind": o["kind"], "prefilter": o["prefilter"]["text"],
            "invariant": o["invariant"]["text"], "assumptions": o["assumptions"], "notes": o["notes"],
            "benefit": o["benefit"],
            **({"measured": o["measured"]} if o.get("measured") else {}),
            "conditions": o["conditions"],
        },
    }  # fmt: skip
    if o["edits"] and cell is None:
        found["fixes"] = [_fix(path, o["edits"], _described(o, shown))]
    return found


def _described(o: dict[str, Any], shown: Shown) -> str:
    """What the rewrite does, and every assumption that it rests on."""
    return "; ".join([shown["kind"], *(f"assuming {a}" for a in o["assumptions"])])


def _related(path: str, id: int, range: dict[str, Any], text: str) -> dict[str, Any]:
    return {"id": id, "physicalLocation": _location(path, range), "message": {"text": text}}


def _fix(path: str, edits: list[dict[str, Any]], text: str) -> dict[str, Any]:
    replacements = [{"deletedRegion": _region(e["range"]), "insertedContent": {"text": e["text"]}} for e in edits]
    return {
        "description": {"text": text},
        "artifactChanges": [{"artifactLocation": {"uri": _uri(path)}, "replacements": replacements}],
    }


def _failure(result: FileResult) -> dict[str, Any]:
    problem, path = result["problem"], result["file"]["path"]
    assert problem is not None
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if not path.endswith(NOTEBOOK):
        location["region"] = {"startLine": problem["line"] + 1, "startColumn": problem["character"] + 1}
    return {
        "level": "error",
        "message": {"text": result["file"]["error"]},
        "locations": [{"physicalLocation": location}],
    }


def _location(path: str, range: dict[str, Any], snippet: str = "") -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if "cell" not in range["start"]:
        location["region"] = {**_region(range), **({"snippet": {"text": snippet}} if snippet else {})}
    return location


def _region(range: dict[str, Any]) -> dict[str, int]:
    """One-based, the end exclusive, as columns of SARIF are."""
    start, end = range["start"], range["end"]
    return {
        "startLine": start["line"] + 1,
        "startColumn": start["character"] + 1,
        "endLine": end["line"] + 1,
        "endColumn": end["character"] + 1,
    }


def _uri(path: str) -> str:
    """A relative reference for a relative path, so that it stays true on another machine."""
    posix = PurePath(path).as_posix()
    if PurePath(path).is_absolute():
        return "file://" + quote(posix if posix.startswith("/") else f"/{posix}", errors="surrogateescape")
    return quote(posix, errors="surrogateescape")
