/** What the server says beyond the protocol (docs/language-server.md). No VS Code in here. */

export interface Position {
  readonly line: number;
  readonly character: number;
  /** In a notebook that is not open: the cell that the line counts in. */
  readonly cell?: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A finding, as in docs/report.schema.json; the parts of it that are used here. */
export interface Opportunity {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly status: string;
  readonly boundary: { readonly operator: string; readonly function: string | null };
  readonly filter: { readonly text: string; readonly range: Range };
  readonly prefilter: { readonly text: string };
  readonly assumptions: readonly string[];
  readonly benefit: Readonly<Record<string, string>>;
  /** Only where event logs are read; null if none knows. */
  readonly measured?: { readonly text: string; readonly seconds: number } | null;
  readonly edits: readonly unknown[];
}

/** A partial result of `headwater/scanWorkspace`. */
export interface ScannedFile {
  readonly uri: string;
  readonly path: string;
  readonly error: string | null;
  readonly opportunities: readonly Opportunity[];
  readonly shown: readonly { readonly message: string; readonly place: string }[];
  readonly severities: readonly number[];
}

export interface ScanSummary {
  readonly files: number;
  readonly spark_files: number;
  readonly filters: number;
  readonly opportunities: number;
  readonly errors: number;
}

export type Change = "new" | "weaker" | "gone" | null;

export interface PipelineNode {
  readonly role: "source" | "prefilter" | "boundary" | "filter";
  readonly label: string;
  readonly text: string;
  readonly change: Change;
  readonly location: { readonly uri: string; readonly range: Range } | null;
}

/** The `content` of `headwater/proof`. */
export interface Proof {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly title: string;
  readonly status: string;
  readonly stale: boolean;
  readonly kind: string;
  readonly explain: string;
  readonly pipeline: readonly PipelineNode[];
  readonly filter: string;
  readonly prefilter: string | null;
  readonly prefilterSql: string | null;
  readonly residual: string | null;
  readonly residualSql: string | null;
  readonly invariant: { readonly words: string; readonly formulas: readonly string[] };
  readonly conditions: readonly {
    readonly name: string;
    readonly says: string;
    readonly status: string;
    readonly ms: number;
  }[];
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
  readonly source: readonly { readonly conjunct: string; readonly use: string; readonly why: string }[];
  readonly benefit: readonly (readonly [string, string])[];
  readonly diff: readonly { readonly line: string; readonly rows: readonly (readonly [string, string])[] }[];
  readonly applicable: boolean;
  readonly ms: number;
}

export interface ProofAnswer {
  readonly content: Proof;
  readonly certificate: string | null;
}
