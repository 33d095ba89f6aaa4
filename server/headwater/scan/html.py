"""The report for a browser: one file, which loads nothing and runs nothing but its own script.

Every text of a workspace (names, code, reasons) goes through ``_text``. Should one slip by, the content security policy
allows the style and the script of this file by their digests, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from headwater.engine.analysis.messages import STATUS_WORDS as _STATUS
from headwater.engine.report.printable import printable
from headwater.engine.report.version import version

from .documents import Scan
from .measured import seconds_of
from .result import FileResult
from .shown import Shown

_SPEED_UP = "estimated speed-up"
_HEADS = (("Place", ""), ("Code", ""), ("Finding", ""), ("Kind", ""), ("Status", ""), ("Speed-up (est.)", "number"))
_COST = ("Seconds (measured)", "number")
"""A column that is there if event logs know the cost of a finding."""


def html_text(scan: Scan) -> str:
    """The whole page."""
    style, script = _asset("report.css"), _asset("report.js")
    found = [
        (result, opportunity, shown, certificate)
        for result in scan.results
        for opportunity, shown, certificate in zip(
            result["file"]["opportunities"], result["shown"], result["certificates"], strict=True
        )
    ]
    found.sort(key=lambda f: -seconds_of(f[1]))
    costs = any(seconds_of(o) >= 0 for _, o, _, _ in found)
    findings = [_finding(*f, costs) for f in found]
    return Template(_asset("report.html")).substitute(
        policy=f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        style=style,
        script=script,
        tool=_text(f"headwater {version()}"),
        summary=_summary(scan),
        heads="".join(_head(i, name, kind) for i, (name, kind) in enumerate([*_HEADS, _COST] if costs else _HEADS)),
        findings="\n".join(findings),
        nothing="" if findings else '<p class="nothing">Nothing found.</p>',
        problems=_problems(scan),
        stays=_stays(scan),
    )


def _asset(name: str) -> str:
    return files("headwater.scan").joinpath("assets").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _text(text: object) -> str:
    """Text as text: nothing in it is markup, ends an attribute or changes the direction of reading."""
    return escape(printable(str(text)), quote=True).encode("utf-8", "replace").decode()


_ALWAYS = ("files", "PySpark files", "filters", "findings", "verified", "assumed")
"""Numbers that are shown even if they are 0."""


def _summary(scan: Scan) -> str:
    found = [o for r in scan.results for o in r["file"]["opportunities"]]
    failures = sum(r["problem"] is not None for r in scan.results)
    numbers = [
        ("files", len(scan.results)),
        ("PySpark files", scan.spark_files),
        ("filters", scan.filters),
        ("lines", sum(r["lines"] for r in scan.results)),
        ("findings", len(found)),
        ("verified", sum(o["status"] == "verified" for o in found)),
        ("assumed", sum(o["status"] == "assumed" for o in found)),
        ("in the baseline", scan.known),
        ("not analysed", failures),
        ("seconds", round(scan.seconds, 1)),
    ]
    shown = [(label, n) for label, n in numbers if n or label in _ALWAYS]
    return "".join(f"<div><dt>{label}</dt><dd>{n:,}</dd></div>" for label, n in shown)


def _head(column: int, name: str, kind: str) -> str:
    return f'<th scope="col" class="{kind}"><button type="button" data-column="{column}">{name}</button></th>'


def _finding(result: FileResult, o: dict[str, Any], shown: Shown, certificate: str | None, costs: bool) -> str:
    path = result["file"]["path"]
    gain = o["benefit"].get(_SPEED_UP, "")
    start = o["filter"]["range"]["start"]
    key = f"{path}\0{start.get('cell', 0):08}{start['line']:08}{start['character']:08}".replace("\0", "  ")
    cells = [
        f'<td data-key="{_text(key)}"><code>{_path(path)}:{_text(shown["place"])}</code></td>',
        f'<td><span class="code {_text(o["code"])}">{_text(o["code"])}</span> {_text(o["name"])}</td>',
        f"<td>{_message(shown['message'])}</td>",
        f"<td>{_text(o['kind'] if o['prefilter']['text'] else '')}</td>",
        f'<td><span class="status {_text(o["status"])}">{_text(o["status"])}</span></td>',
        f'<td class="number">{_text(gain and gain + " ×")}</td>',
    ]
    if costs:
        seconds = seconds_of(o)
        cells.append(f'<td class="number" data-key="{seconds:.3f}">{f"{seconds:,.1f}" if seconds >= 0 else ""}</td>')
    return (
        f'<tbody class="finding" id="f-{_text(o["id"])}"><tr>{"".join(cells)}</tr><tr><td colspan="{len(cells)}">'
        f"<details><summary>Rewrite, proof, benefit</summary>{_more(o, shown, certificate)}</details></td></tr></tbody>"
    )


def _path(path: str) -> str:
    """A path that breaks between its parts."""
    return _text(path).replace("/", "/<wbr>")


def _message(message: str) -> str:
    """A sentence in which what stands between back quotes is code."""
    parts = _text(message).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 and i + 1 < len(parts) else p for i, p in enumerate(parts))


def _more(o: dict[str, Any], shown: Shown, certificate: str | None) -> str:
    parts = [
        _section("Code", f'<pre class="source"><b>{_text(shown["line"])}</b> {_text(shown["text"])}</pre>'),
        _section(f"Rewrite: {shown['kind']}", _diff(shown["diff"])) if shown["diff"] else "",
        _section("Proof", _proof(o, shown, certificate)),
        _section("Assumptions", _sentences(o["assumptions"])) if o["assumptions"] else "",
        _section("Notes", _sentences(o["notes"])) if o["notes"] else "",
        _section("What the source can do", _list(f"{s['conjunct']}: {s['class']}, {s['why']}" for s in o["source"]))
        if o["source"]
        else "",
        _section("Cost", f"<p>{_text(o['measured']['text'])}</p>") if o.get("measured") else "",
        _section("Benefit", _pairs(o["benefit"].items())) if o["benefit"] else "",
    ]
    return "".join(parts)


def _section(title: str, body: str) -> str:
    return f"<section><h3>{_text(title)}</h3>{body}</section>"


def _diff(diff: str) -> str:
    kinds = {"+": "ins", "-": "del", "@": "at"}
    lines = (f'<span class="{kinds.get(line[:1], "")}">{_text(line) or " "}</span>' for line in diff.split("\n"))
    return f'<pre class="diff">{"".join(lines)}</pre>'


def _proof(o: dict[str, Any], shown: Shown, certificate: str | None) -> str:
    status = f"<p>{_text(_STATUS[o['status']].capitalize())}.</p>"
    if o["status"] == "bounded":
        return status
    said = o["invariant"]["text"]
    formulas = f"<details><summary>As formulas</summary>{_list(shown['invariant'], 'code')}</details>"
    rows = "".join(
        f'<tr><td>{_text(c["name"])}</td><td class="{_text(c["status"])}">{_text(c["status"])}</td>'
        f'<td class="number">{_text(c["ms"])} ms</td></tr>'
        for c in o["conditions"]
    )
    conditions = f'<table class="conditions"><tbody>{rows}</tbody></table>' if rows else ""
    return (
        status
        + (f"<p>{_message(said)}</p>" if said else "")
        + (formulas if shown["invariant"] else "")
        + conditions
        + _link(o["id"], certificate)
    )


def _link(id: str, certificate: str | None) -> str:
    """The certificate as a download from this very file; ``headwater verify`` proves it again."""
    if certificate is None:
        return ""
    data = base64.b64encode(certificate.encode("ascii")).decode()
    return f'<p><a download="{_text(id)}.json" href="data:application/json;base64,{data}">Certificate</a></p>'


def _list(texts: Iterable[str], tag: str = "span") -> str:
    return "<ul>" + "".join(f"<li><{tag}>{_text(t)}</{tag}></li>" for t in texts) + "</ul>"


def _sentences(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{_message(t)}</li>" for t in texts) + "</ul>"


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return '<dl class="pairs">' + "".join(f"<dt>{_text(k)}</dt><dd>{_text(v)}</dd>" for k, v in pairs) + "</dl>"


def _problems(scan: Scan) -> str:
    errors = [r["file"]["error"] for r in scan.results if r["problem"]]
    if not errors:
        return ""
    return f"<h2>Files that could not be analysed ({len(errors)})</h2>{_list(errors, 'code')}"


def _stays(scan: Scan) -> str:
    """Why the other filters stay, counted."""
    why = Counter(s["obstruction"] for r in scan.results for s in r["file"]["skipped"])
    if not why:
        return ""
    rows = "".join(f'<tr><td>{_text(k)}</td><td class="number">{n:,}</td></tr>' for k, n in sorted(why.items()))
    return (
        f'<h2>Filters that stay where they are ({why.total():,})</h2><table class="stays"><tbody>{rows}</tbody></table>'
    )
