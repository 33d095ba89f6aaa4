/** Starts the server when the first document that mentions PySpark is opened, or comes to mention it. */

import * as vscode from "vscode";
import { mentionsSpark } from "./mentions.ts";
import type { Server } from "./server/server.ts";

export function startOnDemand(server: Server): vscode.Disposable {
  const listeners: vscode.Disposable[] = [];
  const wanted = (document: vscode.TextDocument, text = document.getText()) => {
    if (document.languageId === "python" && mentionsSpark(text)) {
      vscode.Disposable.from(...listeners).dispose();
      void server.start();
      return true;
    }
    return false;
  };
  listeners.push(
    vscode.workspace.onDidOpenTextDocument((document) => wanted(document)),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      for (const { range, text } of contentChanges) {
        if (wanted(document, document.lineAt(range.start.line).text + text)) {
          return;
        }
      }
    }),
  );
  vscode.workspace.textDocuments.some((document) => wanted(document));
  return vscode.Disposable.from(...listeners);
}
