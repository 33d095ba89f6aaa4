/** Findings as a tree of two levels. No VS Code in here. */

import type { Finding } from "./results.ts";

export type Grouping = "file" | "benefit" | "code";

export interface Group {
  readonly key: string;
  readonly label: string;
  readonly findings: readonly Finding[];
}

const BANDS: readonly [number, string][] = [
  [10, "10 times faster or more"],
  [3, "3 to 10 times faster"],
  [0, "Less than 3 times faster"],
];
const UNKNOWN = "No estimate";

/**
 * The groups in the order in which to show them; `relative` makes a path short. What cost most when it last ran comes
 * first, as far as event logs know.
 */
export function grouped(
  findings: readonly Finding[],
  by: Grouping,
  relative: (path: string) => string = (path) => path,
): Group[] {
  const groups = new Map<string, { label: string; rank: number; findings: Finding[] }>();
  for (const finding of findings) {
    const { key, label, rank } = place(finding, by, relative);
    const group = groups.get(key) ?? { label, rank, findings: [] };
    group.findings.push(finding);
    groups.set(key, group);
  }
  const dearest = (group: { findings: Finding[] }) => (by === "file" ? Math.max(...group.findings.map(seconds)) : 0);
  const sorted = [...groups].sort(
    ([, a], [, b]) => a.rank - b.rank || dearest(b) - dearest(a) || (a.label < b.label ? -1 : 1),
  );
  return sorted.map(([key, group]) => ({
    key,
    label: group.label,
    findings: group.findings.sort(
      (a, b) => seconds(b) - seconds(a) || (by === "benefit" ? speedUp(b) - speedUp(a) : 0),
    ),
  }));
}

function place(finding: Finding, by: Grouping, relative: (path: string) => string) {
  if (by === "file") {
    return { key: finding.uri, label: relative(finding.path), rank: 0 };
  }
  if (by === "code") {
    const { code, name } = finding.opportunity;
    return { key: code, label: `${code} ${name}`, rank: 0 };
  }
  const gain = speedUp(finding);
  const band = gain > 0 ? BANDS.findIndex(([least]) => gain >= least) : -1;
  return band < 0
    ? { key: UNKNOWN, label: UNKNOWN, rank: BANDS.length }
    : { key: String(band), label: BANDS[band]?.[1] ?? UNKNOWN, rank: band };
}

/** The estimated time before over after of the boundary itself; 0 if there is no estimate. */
export function speedUp(finding: Finding): number {
  const named = Object.entries(finding.opportunity.benefit).find(([name]) => name.startsWith("estimated speed-up"));
  return (named && Number.parseFloat(named[1])) || 0;
}

/** What a finding cost when it last ran, in seconds; 0 if nobody knows. */
function seconds({ opportunity }: Finding): number {
  return opportunity.measured?.seconds ?? 0;
}

/** That cost in a word; empty if nobody knows. */
export function duration(finding: Finding): string {
  const took = seconds(finding);
  if (took < 120) {
    return took > 0 ? `${took.toFixed(took < 10 ? 1 : 0)} s` : "";
  }
  return took < 7200 ? `${(took / 60).toFixed(0)} min` : `${(took / 3600).toFixed(1)} h`;
}

/** A finding in a few words. */
export function title({ opportunity, message }: Finding): string {
  const { operator, function: name } = opportunity.boundary;
  const boundary = name ? `${operator}(${name})` : operator;
  return opportunity.prefilter.text && boundary ? `${opportunity.prefilter.text} before ${boundary}` : message;
}

/** Whether there is a proved rewrite to apply; one that rests on assumptions is confirmed first. */
export function applicable(finding: Finding): boolean {
  return finding.opportunity.edits.length > 0;
}

/** Whether there is a rewrite to apply without a question: proved for every input. */
export function verified(finding: Finding): boolean {
  return applicable(finding) && finding.opportunity.status === "verified";
}

/** The message, and below it what the finding cost, and every assumption that it rests on. */
export function tooltip({ message, opportunity }: Finding): string {
  const cost = opportunity.measured ? [`When it last ran, ${opportunity.measured.text}`] : [];
  return [message, ...cost, ...opportunity.assumptions.map((a) => `Assuming ${a}`)].join("\n");
}

/** The icon of a finding: in need of attention, verified, proved under assumptions, or not proved. */
export function icon({ severity, opportunity }: Finding): string {
  const icons: Readonly<Record<string, string>> = { verified: "verified", assumed: "unverified" };
  return severity < 3 ? "warning" : (icons[opportunity.status] ?? "question");
}
