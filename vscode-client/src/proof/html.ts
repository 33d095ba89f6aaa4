/** The proof view as a page. Everything in it that came from a file is escaped. No VS Code in here. */

import type { Proof } from "../protocol.ts";
import { graph } from "./graph.ts";
import { escaped } from "./text.ts";

/** What the page may load: nothing but its own style and script, which carry the nonce. */
export function policy(nonce: string): string {
  return `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
}

export function page(proof: Proof, nonce: string, style: string, script: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(proof.code)} ${escaped(proof.name)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
${head(proof)}
${[pipeline, code, invariant, conditions, assumptions, notes, source, benefit, difference].map((part) => part(proof)).join("\n")}
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
}

/** A page that says one thing. */
export function notice(text: string, nonce: string, style: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<title>Headwater</title>
<style nonce="${nonce}">${style}</style>
</head>
<body><main><p role="status">${escaped(text)}</p></main></body>
</html>`;
}

function head(proof: Proof): string {
  const status = proof.stale
    ? "Of the text before the last edit; being checked again."
    : proof.status === "verified"
      ? "Proved for every input that the original program runs on."
      : proof.status === "assumed"
        ? "Proved for the inputs of which the assumptions below are true."
        : "Not proved: the quick check could not rule it out.";
  const apply = proof.applicable
    ? `<button type="button" data-do="apply">${proof.status === "assumed" ? "Apply under the assumptions" : "Apply the rewrite"}</button>`
    : "";
  return `<header>
<h1>${inline(proof.title)}</h1>
<p><span class="badge ${proof.status === "verified" ? "good" : "open"}">${escaped(proof.code)} ${escaped(proof.name)}</span>
<span role="status">${status}</span></p>
<p class="actions">${apply}
<button type="button" class="quiet" data-do="certificate">Open the certificate</button>
<button type="button" class="quiet" data-do="explain">${escaped(proof.code)} explained</button></p>
</header>`;
}

function pipeline(proof: Proof): string {
  return section("pipeline", "Pipeline", graph(proof.pipeline));
}

function code(proof: Proof): string {
  const rows: [string, string | null][] = proof.prefilter
    ? [
        ["New pre-filter", proof.prefilter],
        ["Filter as it was", proof.filter],
        ["Filter that stays", proof.residual ?? null],
      ]
    : [["Filter", proof.filter]];
  const cells = rows.map(
    ([name, text]) =>
      `<tr><th scope="row">${name}</th><td>${text === null ? "nothing" : `<code>${escaped(text)}</code>`}</td></tr>`,
  );
  const kind = proof.kind ? `<p>${escaped(sentence(proof.kind))}</p>` : "";
  return section("code", "What moves", `${kind}<table><tbody>${cells.join("")}</tbody></table>`);
}

function invariant(proof: Proof): string {
  const { words, formulas } = proof.invariant;
  if (!words) {
    return "";
  }
  const listed = formulas.map((f) => `<li><code>${escaped(f)}</code></li>`).join("");
  const formal = listed
    ? `<h3>The invariant as formulas</h3><p>1 is the original run, 2 the rewritten one.</p><ul class="formulas">${listed}</ul>`
    : "";
  return section("invariant", "Why it is safe", `<p>${inline(sentence(words))}</p>${formal}`);
}

function conditions(proof: Proof): string {
  if (proof.conditions.length === 0) {
    return "";
  }
  const rows = proof.conditions.map(
    (c) => `<tr><th scope="row">${escaped(c.name)}</th><td>${escaped(c.says)}</td>
<td class="${c.status === "proved" ? "good" : "open"}">${escaped(c.status)}</td><td class="number">${duration(c.ms)}</td></tr>`,
  );
  return section(
    "conditions",
    "Conditions",
    `<table><thead><tr><th scope="col">Name</th><th scope="col">It says</th><th scope="col">Status</th>
<th scope="col" class="number">Time</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>`,
  );
}

function assumptions(proof: Proof): string {
  const listed = proof.assumptions.map((a) => `<li>${inline(a)}</li>`).join("");
  return section("assumptions", "Assumptions", listed ? `<ul>${listed}</ul>` : "<p>None.</p>");
}

function notes(proof: Proof): string {
  const listed = proof.notes.map((n) => `<li>${inline(n)}</li>`).join("");
  return listed ? section("notes", "Notes", `<ul>${listed}</ul>`) : "";
}

function source(proof: Proof): string {
  if (proof.source.length === 0) {
    return "";
  }
  const rows = proof.source.map(
    (s) =>
      `<tr><th scope="row"><code>${escaped(s.conjunct)}</code></th><td>${escaped(s.use)}</td><td>${inline(s.why)}</td></tr>`,
  );
  const columns = ["Condition", "Use", "Why"].map((c) => `<th scope="col">${c}</th>`).join("");
  return section(
    "source",
    "At the source",
    `<table><thead><tr>${columns}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`,
  );
}

function benefit(proof: Proof): string {
  if (proof.benefit.length === 0) {
    return "";
  }
  const rows = proof.benefit.map(([name, value]) => `<dt>${escaped(sentence(name))}</dt><dd>${escaped(value)}</dd>`);
  return section("benefit", "Benefit", `<dl>${rows.join("")}</dl>`);
}

const SIGNS: Readonly<Record<string, [string, string]>> = {
  "+": ["added", "added: "],
  "-": ["removed", "removed: "],
};

function difference(proof: Proof): string {
  if (proof.diff.length === 0) {
    return "";
  }
  const hunks = proof.diff.map(({ line, rows }) => {
    const lines = rows.map(([sign, text]) => {
      const [name, spoken] = SIGNS[sign] ?? ["same", ""];
      const said = spoken ? `<span class="spoken">${spoken}</span>` : "";
      return `<div class="${name}"><span class="sign" aria-hidden="true">${escaped(sign)}</span>${said}${escaped(text)}</div>`;
    });
    return `<h3>From line ${escaped(line)}</h3><pre class="diff" tabindex="0" aria-label="Change from line ${escaped(line)}">${lines.join("")}</pre>`;
  });
  return section("change", "Before and after", hunks.join("\n"));
}

function section(id: string, title: string, body: string): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;
}

/** A sentence of the server's: what stands in backticks is code. */
function inline(text: string): string {
  const pieces = text.split("`");
  const whole = pieces.length % 2 === 1;
  return pieces
    .map((piece, i) =>
      i % 2 === 1 && (whole || i < pieces.length - 1)
        ? `<code>${escaped(piece)}</code>`
        : escaped(i % 2 === 1 ? `\`${piece}` : piece),
    )
    .join("");
}

function sentence(text: string): string {
  return text ? text[0]?.toUpperCase() + text.slice(1) : text;
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
