/** Showing places in files and notebooks. */

import * as vscode from "vscode";
import type { Range } from "../protocol.ts";
import type { Finding } from "./results.ts";

export function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Open the document so that the server knows it. */
export async function opened(uri: vscode.Uri): Promise<void> {
  if (uri.path.endsWith(".ipynb")) {
    await vscode.workspace.openNotebookDocument(uri);
  } else {
    await vscode.workspace.openTextDocument(uri);
  }
}

/** Show a finding: where it is now, if the server has said so, else where the scan found it. */
export async function revealFinding(finding: Finding): Promise<void> {
  const uri = vscode.Uri.parse(finding.uri);
  const { range } = finding.opportunity.filter;
  if (range.start.cell !== undefined) {
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const cells = [new vscode.NotebookRange(range.start.cell, range.start.cell + 1)];
    await vscode.window.showNotebookDocument(notebook, { selections: cells });
    const cell = notebook.cellCount > range.start.cell ? notebook.cellAt(range.start.cell) : undefined;
    if (cell) {
      await vscode.window.showTextDocument(cell.document, { selection: toRange(range) });
    }
    return;
  }
  const known = vscode.languages
    .getDiagnostics(uri)
    .find((d) => (d as { data?: { id?: string } }).data?.id === finding.opportunity.id);
  await vscode.window.showTextDocument(uri, { selection: known?.range ?? toRange(range) });
}

/** Show a place of a proof, which names cells by their own uri. */
export async function revealLocation(uri: string, range: Range, viewColumn: vscode.ViewColumn): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: toRange(range), viewColumn });
}
