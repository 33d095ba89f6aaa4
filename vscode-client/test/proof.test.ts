import assert from "node:assert/strict";
import { test } from "node:test";
import { graph } from "../src/proof/graph.ts";
import { notice, page, policy } from "../src/proof/html.ts";
import type { PipelineNode, Proof } from "../src/protocol.ts";
import { summary } from "../src/statusText.ts";

const EVIL = `<img src=x onerror=alert(1)>"'&\``;
const LOCATION = { uri: "file:///a.py", range: { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } } };

const NODES: PipelineNode[] = [
  { role: "source", label: "rows", text: EVIL, change: null, location: null },
  { role: "prefilter", label: "pre-filter", text: "x > 1", change: "new", location: LOCATION },
  { role: "filter", label: "filter", text: "y > 1", change: "gone", location: LOCATION },
];

function proof(changes: Partial<Proof> = {}): Proof {
  return {
    id: "1",
    code: "HW102",
    name: EVIL,
    title: `\`x > 1\` can run before ${EVIL}`,
    status: "verified",
    stale: false,
    kind: "a pre-filter is added",
    explain: "https://example.org/HW102.md",
    pipeline: NODES,
    filter: EVIL,
    prefilter: EVIL,
    prefilterSql: null,
    residual: EVIL,
    residualSql: null,
    invariant: { words: EVIL, formulas: [EVIL] },
    conditions: [{ name: "Sync", says: EVIL, status: "proved", ms: 1234 }],
    assumptions: [EVIL],
    notes: [EVIL],
    source: [{ conjunct: EVIL, use: EVIL, why: EVIL }],
    benefit: [[EVIL, EVIL]],
    diff: [
      {
        line: "3",
        rows: [
          [" ", EVIL],
          ["-", EVIL],
          ["+", "x"],
        ],
      },
    ],
    applicable: true,
    ms: 3,
    ...changes,
  };
}

test("nothing of a program becomes markup", () => {
  const html = page(proof(), "n0nce", "", "");
  assert.ok(!html.includes("<img"));
  assert.ok(!/ on\w+="/.test(html));
  assert.ok(html.includes("&lt;img src=x onerror=alert(1)&gt;"));
  const plain = html.replace(/&[a-z#0-9]+;/g, "");
  assert.equal(plain.split("<").length, plain.split(">").length);
});

test("the page may load nothing, and runs only what has the nonce", () => {
  assert.equal(policy("n"), "default-src 'none'; style-src 'nonce-n'; script-src 'nonce-n'");
  const html = page(proof(), "n0nce", "STYLE", "SCRIPT");
  assert.ok(html.includes(`content="${policy("n0nce")}"`));
  assert.deepEqual(html.match(/<(script|style)[^>]*>/g), ['<style nonce="n0nce">', '<script nonce="n0nce">']);
  assert.ok(!/\sstyle="|src=|href=/.test(html.replaceAll("src=x", "")));
  assert.ok(!notice(EVIL, "n", "").includes("<img"));
});

test("headings, roles and names for screen readers", () => {
  const html = page(proof(), "n", "", "");
  const levels = [...html.matchAll(/<h(\d)/g)].map((m) => Number(m[1]));
  assert.equal(levels[0], 1);
  assert.ok(levels.every((level, i) => i === 0 || level <= (levels[i - 1] ?? 0) + 1));
  assert.ok(html.includes('<html lang="en">'));
  for (const id of [...html.matchAll(/aria-labelledby="(\w+)"/g)].map((m) => m[1])) {
    assert.ok(html.includes(`id="${id}"`), id);
  }
  assert.ok(html.includes('<span class="spoken">removed: </span>'));
});

test("what is not there has no section, and what is not proved no button to apply it", () => {
  const empty = { invariant: { words: "", formulas: [] }, conditions: [], source: [], benefit: [], diff: [] };
  const html = page(proof({ ...empty, applicable: false, status: "bounded", residual: null }), "n", "", "");
  for (const id of ["invariant", "conditions", "source", "benefit", "change"]) {
    assert.ok(!html.includes(`id="${id}"`), id);
  }
  assert.ok(!html.includes('data-do="apply"'));
  assert.ok(html.includes("Not proved"));
  assert.ok(html.includes("<td>nothing</td>"));
});

test("a proof under assumptions says so, and its button does", () => {
  const html = page(proof({ status: "assumed", assumptions: ["`x` is numeric"], notes: [] }), "n", "", "");
  assert.ok(html.includes("Proved for the inputs of which the assumptions below are true."));
  assert.ok(html.includes('<span class="badge open">'));
  assert.ok(html.includes("<li><code>x</code> is numeric</li>"));
  assert.ok(html.includes("Apply under the assumptions"));
  assert.ok(!html.includes('id="notes"'));
  assert.ok(page(proof(), "n", "", "").includes("Proved for every input that the original program runs on."));
});

test("each node of the graph that is somewhere can be reached by keyboard, and says what it is", () => {
  const svg = graph(NODES);
  assert.equal(svg.match(/tabindex="0"/g)?.length, 2);
  assert.ok(svg.includes('aria-label="pre-filter, new: x &gt; 1. Show in the editor."'));
  assert.ok(svg.includes('aria-label="filter, no longer needed: y &gt; 1. Show in the editor."'));
  assert.equal(svg.match(/class="arrow"/g)?.length, NODES.length - 1);
});

test("the status bar says what the server is at", () => {
  const none = { proved: 0, possible: 0 };
  const found = { origin: "path", python: "p", command: "p", args: [], version: "3.11.7", needs: [] } as const;
  assert.equal(summary({ name: "off" }, none), undefined);
  const idle = summary(
    { name: "running", found, activity: { state: "idle", message: "idle" } },
    { proved: 2, possible: 1 },
  );
  assert.equal(idle?.text, "$(filter) Headwater: 3");
  assert.match(idle?.spoken ?? "", /ready, 2 found, 1 possible and not proved yet, Python 3.11.7 \(path\)/);
  const busy = { state: "proving", message: "proving 1 of 2", done: 0, total: 2 } as const;
  assert.equal(summary({ name: "running", found, activity: busy }, none)?.text, "$(sync~spin) Headwater 1/2");
  assert.ok(summary({ name: "missing", problems: [], python: undefined }, none)?.bad);
});
