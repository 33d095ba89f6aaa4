/** Applying rewrites: the server makes the edit, for exactly the text that it proved. */

import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import { opened } from "./scan/reveal.ts";
import type { Server } from "./server/server.ts";

/** Apply one finding, or every proved rewrite of the document. The answer is why not, or undefined. */
export async function apply(server: Server, uri: string, id?: string, save = false): Promise<string | undefined> {
  const client = await server.start();
  if (!client) {
    return "the server does not run";
  }
  await opened(vscode.Uri.parse(uri));
  const { edit, why } = await client.sendRequest<{ edit: WorkspaceEdit | null; why: string }>("headwater/fix", {
    uri,
    ...(id === undefined ? {} : { id }),
  });
  if (!edit) {
    return why;
  }
  const converted = await client.protocol2CodeConverter.asWorkspaceEdit(edit);
  const done = await vscode.workspace.applyEdit(converted, { isRefactoring: save });
  return done ? undefined : "the editor did not take the edit";
}
