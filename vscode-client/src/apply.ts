/** Applying rewrites: the server makes the edit, for exactly the text that it proved. */

import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import { opened } from "./scan/reveal.ts";
import type { Server } from "./server/server.ts";

/** An edit as it is to be applied, or why there is none. */
type Answer = { readonly edit: vscode.WorkspaceEdit } | { readonly why: string };

/**
 * Apply one finding, or every verified rewrite of the document. The answer is why not, or undefined. The edit of a
 * finding that rests on assumptions asks to be confirmed, and names them.
 */
export async function apply(server: Server, uri: string, id?: string): Promise<string | undefined> {
  const answer = await ask(server, uri, id);
  if ("why" in answer) {
    return answer.why;
  }
  return (await vscode.workspace.applyEdit(answer.edit)) ? undefined : "the editor did not take the edit";
}

/** Apply every verified rewrite of many documents as one change, which one undo takes back. */
export async function applyMany(
  server: Server,
  uris: readonly string[],
  next: (uri: string) => boolean,
): Promise<{ applied: string[]; problems: Map<string, string> }> {
  const edits: { uri: string; edit: vscode.WorkspaceEdit; versions: Map<string, number> }[] = [];
  const problems = new Map<string, string>();
  for (const uri of uris) {
    if (!next(uri)) {
      return { applied: [], problems };
    }
    const answer = await ask(server, uri);
    if ("why" in answer) {
      problems.set(uri, answer.why);
    } else {
      edits.push({ uri, edit: answer.edit, versions: versions(answer.edit) });
    }
  }
  const all = new vscode.WorkspaceEdit();
  const applied: string[] = [];
  for (const { uri, edit, versions: before } of edits) {
    const now = versions(edit);
    if ([...before].some(([name, version]) => now.get(name) !== version)) {
      problems.set(uri, "its text has changed since");
      continue;
    }
    for (const [document, changes] of edit.entries()) {
      all.set(document, changes);
    }
    applied.push(uri);
  }
  const done = await vscode.workspace.applyEdit(all, { isRefactoring: true });
  return done ? { applied, problems } : { applied: [], problems: new Map([["", "the editor did not take the edit"]]) };
}

async function ask(server: Server, uri: string, id?: string): Promise<Answer> {
  const client = await server.start();
  if (!client) {
    return { why: "the server does not run" };
  }
  await opened(vscode.Uri.parse(uri));
  const params = id === undefined ? { uri } : { uri, id };
  const { edit, why } = await client.sendRequest<{ edit: WorkspaceEdit | null; why: string }>("headwater/fix", params);
  return edit ? { edit: await client.protocol2CodeConverter.asWorkspaceEdit(edit) } : { why };
}

function versions(edit: vscode.WorkspaceEdit): Map<string, number> {
  const touched = new Set(edit.entries().map(([uri]) => uri.toString()));
  const documents = vscode.workspace.textDocuments.filter((document) => touched.has(document.uri.toString()));
  return new Map(documents.map((document) => [document.uri.toString(), document.version]));
}
