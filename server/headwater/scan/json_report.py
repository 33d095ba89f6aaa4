"""The JSON of ``scan --format json``: docs/report.schema.json, field by field. Consumers rely on every name here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headwater.engine.analysis.messages import path_of, way
from headwater.engine.files.cache import write_atomically
from headwater.engine.files.jupyter import lines_of
from headwater.engine.files.service import FileReport
from headwater.engine.files.unreadable import mentions_spark
from headwater.engine.report.positions import Lines, Position
from headwater.engine.report.report import UNUSED, Opportunity, SourceProblem
from headwater.engine.report.version import version
from headwater_ir.codec import dumps
from headwater_ir.span import Span

VERSION = 1


def render(files: Iterable[FileReport], seconds: float, certificates: Path) -> str:
    """The whole document as text, in ASCII, so that no terminal's encoding makes it something else; certificates are
    written into the directory ``certificates``."""
    return json.dumps(document(files, seconds, certificates), indent=2) + "\n"


def document(files: Iterable[FileReport], seconds: float, certificates: Path) -> dict[str, Any]:
    """The whole document."""
    reports = list(files)
    spark = sum(f.report.error is None and mentions_spark(f.text.encode("utf-8", "replace")) for f in reports)
    filters = sum(f.report.filters for f in reports)
    return whole([file_json(f, certificates) for f in reports], spark, filters, seconds)


def whole(files: list[dict[str, Any]], spark_files: int, filters: int, seconds: float) -> dict[str, Any]:
    """The document that says ``files``, of which ``spark_files`` mention Spark, with ``filters`` filters in them."""
    found = [o for f in files for o in f["opportunities"]]
    return {
        "version": VERSION,
        "tool": f"headwater {version()}",
        "files": files,
        "summary": {
            "files": len(files),
            "spark_files": spark_files,
            "filters": filters,
            "opportunities": len(found),
            "verified": sum(o["status"] == "verified" for o in found),
            "assumed": sum(o["status"] == "assumed" for o in found),
            "seconds": round(seconds, 3),
        },
    }


def file_json(file: FileReport, certificates: Path | None) -> dict[str, Any]:
    """One file; without ``certificates`` none is written, nor named."""
    lines = lines_of(file.path, file.text)
    return {
        "path": file.path,
        "spark": list(file.report.spark),
        "imports": list(file.report.imports),
        "opportunities": [opportunity_json(o, lines, certificates) for o in file.report.opportunities],
        "skipped": [
            {"range": range_json(lines, s.span), "obstruction": s.obstruction, "reason": s.reason}
            for s in file.report.skipped
        ],
        "unused": [
            {
                "code": UNUSED,
                "range": range_json(lines, u.span),
                "codes": list(u.codes),
                "message": u.message,
                "edit": {"range": range_json(lines, u.edit.span), "text": u.edit.text},
            }
            for u in file.report.unused
        ],
        "error": None if file.report.error is None else error_line(file.path, file.report.error),
    }


def opportunity_json(o: Opportunity, lines: Lines, certificates: Path | None) -> dict[str, Any]:
    """One opportunity."""
    residual = None if o.residual_text is None else {"text": o.residual_text, "sql": o.residual_sql}
    prefilter = {"text": o.prefilter_text, "sql": o.prefilter_sql, "range": range_json(lines, o.prefilter_span)}
    return {
        "id": o.id,
        "code": o.code,
        "name": o.name,
        "kind": o.kind,
        "status": o.status,
        "boundary": {"operator": o.operator, "function": o.function, "range": range_json(lines, o.boundary_span)},
        "filter": {"text": o.filter_text, "range": range_json(lines, o.filter_span)},
        "prefilter": prefilter,
        "residual": residual,
        "invariant": {"text": o.invariant_text, "atoms": len(o.atoms)},
        "conditions": [{"name": c.name, "status": c.status, "ms": c.ms} for c in o.conditions],
        "way": [
            {"operator": name, "before": before, "after": after} for name, before, after in way(path_of(o.certificate))
        ],
        "source": [{"conjunct": s.conjunct, "class": s.use, "why": s.why} for s in o.source],
        "assumptions": list(o.assumptions),
        "notes": list(o.notes),
        "validated": o.validation or None,
        "benefit": dict(o.benefit),
        "edits": [{"range": range_json(lines, e.span), "text": e.text} for e in o.edits],
        "certificate": None if certificates is None else write_certificate(o, certificates),
        "ms": o.ms,
    }


def range_json(lines: Lines, span: Span) -> dict[str, dict[str, int]]:
    """RANGE: zero-based, UTF-16 units, as in LSP."""
    start, end = lines.range(span)
    return {"start": _position(start), "end": _position(end)}


def _position(position: Position) -> dict[str, int]:
    cell = {} if position.cell is None else {"cell": position.cell}
    return {"line": position.line, "character": position.character, **cell}


def error_line(path: str, error: SourceProblem) -> str:
    """``path:line:column: what is wrong``, one-based as people and editors count."""
    return f"{path}:{error.line + 1}:{error.character + 1}: {error.message}"


def write_certificate(o: Opportunity, directory: Path) -> str | None:
    """The path of the certificate's file, or None if there is no certificate or no place for it."""
    if o.certificate is None:
        return None
    path = directory / f"{o.id}.json"
    try:
        write_atomically(path, dumps(o.certificate).encode("ascii"))
    except OSError:
        return None
    return str(path)
