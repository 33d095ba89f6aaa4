"""``headwater/proof``: all that is known of one finding, for ``headwater.showProof``; and the certificate itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater_ir.codec import dumps
from headwater_ir.demand import (
    CacheCertificate,
    DemandCertificate,
    ExtremeCertificate,
    GroupsCertificate,
    MatchCertificate,
)
from headwater_ir.ranges import RangeCertificate

from .hover import markdown
from .named import finding
from .proof_content import content

if TYPE_CHECKING:
    from headwater.engine.report.report import Opportunity

    from .server import HeadwaterServer

METHOD = "headwater/proof"


def register(server: HeadwaterServer) -> None:
    """Answer with Markdown, its parts as ``proof_content`` tells them, and the certificate as ``headwater verify``
    reads it. Waits for work on the document that is under way, and with ``prove`` proves it if need be; None if there
    is no such finding then."""

    @server.feature(METHOD)
    async def proof(params: Any) -> dict[str, Any] | None:
        asked = (str(getattr(params, "uri", "")), str(getattr(params, "id", "")))
        found = await finding(server, *asked, prove=getattr(params, "prove", False) is True)
        if found is None:
            return None
        opened, shown = found
        o = shown.opportunity
        return {
            "markdown": _text(o),
            "content": content(shown, opened.document.text, server.documents.places(opened)),
            "certificate": None if o.certificate is None else dumps(o.certificate),
        }


def _text(o: Opportunity) -> str:
    text = markdown(o)
    if isinstance(o.certificate, DemandCertificate):
        text += "\n\n## Certificate\n\nHow each value is read, before and after:\n\n"
        text += "\n".join(f"- `{c.before}`\n  `{c.after}`" for c in o.certificate.claims)
    elif isinstance(o.certificate, CacheCertificate):
        text += "\n\n## Certificate\n\nWhat becomes of the frame, and of each that is made of it:\n\n"
        text += "\n".join(f"{n}. `{u}`" for n, u in enumerate(o.certificate.uses))
    elif isinstance(o.certificate, ExtremeCertificate):
        text += "\n\n## Certificate\n\nShown on every group of up to three rows:\n\n"
        text += f"`{o.certificate}`"
    elif isinstance(o.certificate, GroupsCertificate):
        text += "\n\n## Certificate\n\nShown on every frame of up to two rows:\n\n"
        text += f"`{o.certificate}`"
    elif isinstance(o.certificate, MatchCertificate):
        text += "\n\n## Certificate\n\nShown for a row of the left side and up to two of the right one:\n\n"
        text += f"`{o.certificate}`"
    elif isinstance(o.certificate, RangeCertificate):
        text += "\n\n## Certificate\n\nShown for every part of the values of the column:\n\n"
        text += f"`{o.certificate}`"
    elif o.certificate is not None:
        scripts = "\n\n".join(f"### {name}\n\n```smt2\n{script}\n```" for name, script in o.certificate.scripts)
        text += f"\n\n## Certificate\n\nEach script is unsatisfiable; `headwater verify` shows it.\n\n{scripts}"
    return text
