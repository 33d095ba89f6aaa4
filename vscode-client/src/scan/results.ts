/** What the last scan found, and since then the files that changed. No VS Code in here. */

import type { Opportunity, ScannedFile } from "../protocol.ts";

/** One finding, with the file that it is in. */
export interface Finding {
  readonly uri: string;
  readonly path: string;
  readonly opportunity: Opportunity;
  readonly message: string;
  /** `line:column` as people count, with the cell in a notebook. */
  readonly place: string;
  /** As in the protocol: 1 is an error, 4 a hint. */
  readonly severity: number;
}

export class Results {
  private readonly files = new Map<string, ScannedFile>();

  clear(): void {
    this.files.clear();
  }

  /** The newest result of a file; one without findings is forgotten. */
  take(file: ScannedFile): void {
    if (file.opportunities.length > 0) {
      this.files.set(file.uri, file);
    } else {
      this.files.delete(file.uri);
    }
  }

  forget(uri: string): void {
    this.files.delete(uri);
  }

  /** A finding was applied; without `id` every verified one. */
  applied(uri: string, id?: string): void {
    const file = this.files.get(uri);
    if (file) {
      const kept = file.opportunities.flatMap((o, i) =>
        (id === undefined ? o.status === "verified" : o.id === id) ? [] : [i],
      );
      const pick = <T>(values: readonly T[]) => kept.flatMap((i) => values.slice(i, i + 1));
      this.take({
        ...file,
        opportunities: pick(file.opportunities),
        shown: pick(file.shown),
        severities: pick(file.severities),
      });
    }
  }

  uris(): string[] {
    return [...this.files.keys()];
  }

  /** The findings, by path and then in the order of the file. */
  findings(uri?: string): Finding[] {
    const files = [...this.files.values()].filter((f) => uri === undefined || f.uri === uri);
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    return files.flatMap((file) =>
      file.opportunities.map((opportunity, i) => ({
        uri: file.uri,
        path: file.path,
        opportunity,
        message: file.shown[i]?.message ?? opportunity.name,
        place: file.shown[i]?.place ?? "",
        severity: file.severities[i] ?? 3,
      })),
    );
  }
}
