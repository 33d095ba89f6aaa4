/** Scan results in Problems, for files that are not open; of open ones the server itself tells. */

import * as vscode from "vscode";
import type { Finding, Results } from "./results.ts";

export class ScanProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("headwater scan");
  private readonly listeners: vscode.Disposable[];

  constructor(private readonly results: Results) {
    this.listeners = [
      vscode.workspace.onDidOpenTextDocument((document) => this.show(document.uri)),
      vscode.workspace.onDidCloseTextDocument((document) => this.show(document.uri, false)),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.show(notebook.uri)),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.show(notebook.uri, false)),
    ];
  }

  /** Show what is known of one file. */
  show(uri: vscode.Uri, open = isOpen(uri)): void {
    const findings = open ? [] : this.results.findings(uri.toString());
    this.collection.set(uri, findings.map(diagnostic));
  }

  clear(): void {
    this.collection.clear();
  }

  dispose(): void {
    vscode.Disposable.from(this.collection, ...this.listeners).dispose();
  }
}

function isOpen(uri: vscode.Uri): boolean {
  const named = uri.toString();
  return [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments].some(
    (document) => !document.isClosed && document.uri.toString() === named,
  );
}

function diagnostic(finding: Finding): vscode.Diagnostic {
  const { filter, code } = finding.opportunity;
  const { start, end } = filter.range;
  const inCell = start.cell !== undefined;
  const range = inCell
    ? new vscode.Range(0, 0, 0, 0)
    : new vscode.Range(start.line, start.character, end.line, end.character);
  const message = inCell ? `${finding.place}: ${finding.message}` : finding.message;
  const problem = new vscode.Diagnostic(range, message, finding.severity - 1);
  problem.source = "headwater";
  problem.code = code;
  return problem;
}
