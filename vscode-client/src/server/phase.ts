/** What the server is at. No VS Code in here. */

import type { Found } from "./candidates.ts";

/** `headwater/status`, as the server says it. */
export interface Activity {
  readonly state: "idle" | "checking" | "proving" | "error";
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

export type Phase =
  | { readonly name: "off" }
  | { readonly name: "starting" }
  | { readonly name: "running"; readonly found: Found; readonly activity: Activity | undefined }
  | { readonly name: "waiting"; readonly seconds: number }
  | { readonly name: "missing"; readonly problems: readonly string[]; readonly python: string | undefined }
  | { readonly name: "failed"; readonly reason: string };
