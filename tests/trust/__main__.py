"""``python -m tests.trust``: write ``docs/trust.md``."""

from __future__ import annotations

from .page import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
