/** The pipeline as a drawing: rows flow from top to bottom. Each box can be reached and opened by keyboard. */

import type { Change, PipelineNode } from "../protocol.ts";
import { escaped } from "./text.ts";

const CHARACTER = 7.3;
const PADDING = 14;
const HEIGHT = 46;
const GAP = 26;
const NARROWEST = 260;
const NOTES: Readonly<Record<NonNullable<Change>, string>> = {
  new: "new",
  weaker: "weaker than before",
  gone: "no longer needed",
};

export function graph(nodes: readonly PipelineNode[]): string {
  const longest = Math.max(...nodes.map((node) => node.text.length), ...nodes.map((node) => caption(node).length));
  const width = Math.max(NARROWEST, Math.ceil(longest * CHARACTER) + 2 * PADDING);
  const height = nodes.length * HEIGHT + (nodes.length - 1) * GAP;
  const boxes = nodes.map((node, i) => box(node, i, width));
  const arrows = nodes.slice(1).map((_, i) => arrow(i, width));
  return `<svg class="graph" role="group" aria-label="${escaped(spoken(nodes))}" viewBox="-1 -1 ${width + 2} ${height + 2}"
 width="${width + 2}" height="${height + 2}" preserveAspectRatio="xMinYMin meet">
${[...arrows, ...boxes].join("\n")}
</svg>`;
}

/** The drawing in one sentence. */
function spoken(nodes: readonly PipelineNode[]): string {
  return `The pipeline, from the source on: ${nodes.map((node) => `${caption(node)} ${node.text}`).join(", then ")}`;
}

function caption({ label, change }: PipelineNode): string {
  return change ? `${label}, ${NOTES[change]}` : label;
}

function box(node: PipelineNode, index: number, width: number): string {
  const top = index * (HEIGHT + GAP);
  const reach = node.location
    ? ` role="link" tabindex="0" data-node="${index}" aria-label="${escaped(`${caption(node)}: ${node.text}. Show in the editor.`)}"`
    : ` role="img" aria-label="${escaped(`${caption(node)}: ${node.text}`)}"`;
  return `<g class="node ${node.role} ${node.change ?? "same"}"${reach}>
<rect x="0" y="${top}" width="${width}" height="${HEIGHT}" rx="4"/>
<text class="caption" x="${PADDING}" y="${top + 17}">${escaped(caption(node))}</text>
<text class="code" x="${PADDING}" y="${top + 36}">${escaped(node.text)}</text>
</g>`;
}

function arrow(index: number, width: number): string {
  const x = Math.min(60, width / 2);
  const from = index * (HEIGHT + GAP) + HEIGHT;
  const to = from + GAP;
  return `<path class="arrow" aria-hidden="true" d="M${x} ${from + 2}V${to - 3}M${x - 5} ${to - 9}L${x} ${to - 3}L${x + 5} ${to - 9}"/>`;
}
