"""The Markdown of hovers: what the user's program says stays text (issue 8)."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from headwater.lsp.hover import _plain

ALPHABET = "`*_[]()<>!#|\\ab &;:/=.\n"


@given(st.text(ALPHABET, max_size=24))
@example("`score >= 90` can run before `f(x)`: <b>")
@example("`a``b` [x](command:y)")
@example("`` `*a*` ``")
@example("\\`[a](b)`")
def test_only_text_and_code(text: str) -> None:
    """A parser of Markdown finds nothing but text and code in it."""
    inline = [token for token in MarkdownIt("commonmark").parse("Said: " + _plain(text)) if token.type == "inline"]
    assert {t.type for token in inline for t in token.children or ()} <= {"text", "code_inline", "text_special"}


def test_code_is_shown_as_it_is() -> None:
    """No backslash of ours is seen where Markdown takes it for itself."""
    said = _plain("`a_b >= 90 | c` before `f(*x)`: x < y")
    html = MarkdownIt("commonmark").render(said)
    assert html == "<p><code>a_b &gt;= 90 | c</code> before <code>f(*x)</code>: x &lt; y</p>\n"
