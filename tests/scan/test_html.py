"""Issue 9: one page that loads nothing, and in which no text of a workspace is anything but text."""

from __future__ import annotations

import base64
import copy
import hashlib
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from headwater.scan import html
from headwater.scan.documents import Scan
from headwater.scan.html import html_text
from headwater.scan.result import FileResult

HOSTILE = (
    "</td></table><script>alert(1)</script><img src=x onerror=alert(1)>\"' onmouseover=alert(1) x='\">"
    "<!-- --> ]]> "
    "$policy ${style} &lt;script&gt; `<b>` {{x}} </script></style></title>\u202e\u2066\x00\x1b[31m\r\n\udc80"
)


class Page(HTMLParser):
    """Its elements with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.contents: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("style", "script"):
            self.contents[self.open[-1]] = data
        else:
            self.texts.append(data)


def spoilt(value: Any) -> Any:
    """``value`` with every text hostile, save for what decides on the form."""
    if isinstance(value, dict):
        return {k: v if k in ("status", "id", "code") else spoilt(v) for k, v in value.items()}
    if isinstance(value, list):
        return [spoilt(v) for v in value]
    return value + HOSTILE if isinstance(value, str) else value


def allowed(element: tuple[str, dict[str, str | None]]) -> bool:
    tag, attributes = element
    known = set(
        """class id data-key data-column scope colspan type for name content charset lang http-equiv placeholder
    autocomplete role download href""".split()
    )
    href = attributes.get("href")
    return (
        attributes.keys() <= known
        and (href is None or re.fullmatch(r"data:application/json;base64,[A-Za-z0-9+/=]+", href) is not None)
        and tag not in ("img", "iframe", "object", "link", "base", "form", "svg")
    )


def test_it_says_what_was_found(scan: Scan) -> None:
    page = Page(html_text(scan))
    text = " ".join(page.texts)
    assert page.open == []
    for said in ("peaks.py", "amount >= 950000", "top2", "HW302", "cell 2:5:7", "broken.py:2:7", "Certificate"):
        assert said in text
    assert sum(t == "tbody" and a.get("class") == "finding" for t, a in page.elements) == 5
    assert '+peaks = payments.filter(F.col("amount") >= 950000).groupBy("account")' in text
    assert "Nothing found." not in text
    assert "Nothing found." in html_text(Scan([], 0.0))


def test_it_loads_and_runs_nothing_else(scan: Scan) -> None:
    page = Page(html_text(scan))
    (policy,) = (a["content"] for t, a in page.elements if a.get("http-equiv"))
    digests = {k: base64.b64encode(hashlib.sha256(v.encode()).digest()).decode() for k, v in page.contents.items()}
    assert (
        policy == f"default-src 'none'; style-src 'sha256-{digests['style']}'; script-src 'sha256-{digests['script']}'"
    )
    assert all(map(allowed, page.elements))
    assert "url(" not in page.contents["style"]
    assert "innerHTML" not in page.contents["script"]


def test_hostile_texts_stay_texts(results: list[FileResult]) -> None:
    """Every text of every result is spoilt; the page has the same elements, and no element more."""
    hostile = [spoilt(copy.deepcopy(r)) for r in results]
    for before, after in zip(results, hostile, strict=True):
        after["certificates"] = before["certificates"]
        for o in after["file"]["opportunities"]:
            o["benefit"] = {f"{k}{HOSTILE}": v for k, v in o["benefit"].items()}
    text = html_text(Scan(hostile, 1.0))
    plain, page = Page(html_text(Scan(results, 1.0))), Page(text)
    scripts = [t for t, _ in page.elements if t == "script"]
    assert len(scripts) == 1
    assert {t for t, _ in page.elements} == {t for t, _ in plain.elements}
    assert all(map(allowed, page.elements))
    assert (page.contents, page.open) == (plain.contents, [])
    assert "<script>alert(1)</script>" in "".join(page.texts)
    assert not set("\u202e\u2066\x00\x1b\r") & set(text)
    text.encode("utf-8")


def test_a_text_that_slips_by_would_be_seen(results: list[FileResult], monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: texts are put on the page as they are."""
    monkeypatch.setattr(html, "_text", str)
    with pytest.raises(AssertionError):
        test_hostile_texts_stay_texts(results)
