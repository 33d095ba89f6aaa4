"""``headwater/proof``: all that is known of one finding, for ``headwater.showProof``; and the certificate itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater_ir.codec import dumps

from .hover import markdown

if TYPE_CHECKING:
    from .server import HeadwaterServer

METHOD = "headwater/proof"


def register(server: HeadwaterServer) -> None:
    """Answer with Markdown, and the certificate as ``headwater verify`` reads it."""

    @server.feature(METHOD)
    def proof(params: Any) -> dict[str, Any] | None:
        found = server.documents.find(str(getattr(params, "uri", "")))
        id = getattr(params, "id", None)
        o = next((s.opportunity for s in found[0].shown if s.opportunity.id == id), None) if found else None
        if o is None:
            return None
        text = markdown(o)
        if o.certificate is not None:
            scripts = "\n\n".join(f"### {name}\n\n```smt2\n{script}\n```" for name, script in o.certificate.scripts)
            text += f"\n\n## Certificate\n\nEach script is unsatisfiable; `headwater verify` shows it.\n\n{scripts}"
        return {"markdown": text, "certificate": None if o.certificate is None else dumps(o.certificate)}
