/** The findings of the active editor, those at the cursor if there are any. */

import * as vscode from "vscode";

export interface Here extends vscode.QuickPickItem {
  readonly uri: string;
  readonly id: string;
}

export function findingsHere(): Here[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return [];
  }
  const uri = editor.document.uri;
  const all = vscode.languages.getDiagnostics(uri).flatMap((diagnostic) => {
    const id = (diagnostic as { data?: { id?: string } }).data?.id;
    return diagnostic.source === "headwater" && id ? [{ diagnostic, id }] : [];
  });
  const line = editor.selection.active.line;
  const near = all.filter(({ diagnostic: { range } }) => range.start.line <= line && line <= range.end.line);
  return (near.length > 0 ? near : all).map(({ diagnostic, id }) => ({
    label: diagnostic.message,
    description: `line ${diagnostic.range.start.line + 1}`,
    uri: uri.toString(),
    id,
  }));
}
