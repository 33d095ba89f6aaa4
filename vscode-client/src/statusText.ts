/** What the status bar says. No VS Code in here. */

import type { Phase } from "./server/phase.ts";

export interface Counts {
  readonly proved: number;
  readonly possible: number;
}

export interface Summary {
  readonly text: string;
  readonly tooltip: string;
  readonly spoken: string;
  readonly bad: boolean;
}

/** Undefined where there is nothing to say: no server was asked for. */
export function summary(phase: Phase, counts: Counts): Summary | undefined {
  switch (phase.name) {
    case "off":
      return undefined;
    case "starting":
      return said("$(loading~spin) Headwater", "starting");
    case "waiting":
      return said("$(warning) Headwater", `the server ended; it is started again in ${phase.seconds} s`);
    case "missing":
      return said("$(error) Headwater", `no server: ${phase.problems.join("; ") || "no Python was found"}`, true);
    case "failed":
      return said("$(error) Headwater", `${phase.reason}; run "Headwater: Restart Server" to try again`, true);
    case "running": {
      const { activity, found } = phase;
      const busy = activity?.state === "proving" || activity?.state === "checking";
      const icon = busy ? "$(sync~spin)" : activity?.state === "error" ? "$(warning)" : "$(filter)";
      const total = counts.proved + counts.possible;
      const now = activity && activity.state !== "idle" ? activity.message : "ready";
      const listed = `${counts.proved} found, ${counts.possible} possible and not proved yet`;
      const of = activity?.state === "proving" ? ` ${(activity.done ?? 0) + 1}/${activity.total ?? 1}` : "";
      return said(
        `${icon} Headwater${of}${total > 0 ? `: ${total}` : ""}`,
        `${now}\n${listed}\nPython ${found.version} (${found.origin})`,
      );
    }
  }
}

function said(text: string, what: string, bad = false): Summary {
  const tooltip = `Headwater: ${what}`;
  return { text, tooltip: `${tooltip}\nClick for the output`, spoken: tooltip.replaceAll("\n", ", "), bad };
}
