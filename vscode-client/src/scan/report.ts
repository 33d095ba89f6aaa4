/** The report of the last scan as a file. */

import * as vscode from "vscode";
import type { Server } from "../server/server.ts";

/** Ask where to, and let the server write the page. */
export async function exportReport(server: Server): Promise<void> {
  const client = await server.start();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target =
    client &&
    (await vscode.window.showSaveDialog({
      title: "Export the scan as HTML",
      filters: { HTML: ["html"] },
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, "headwater.html") } : {}),
    }));
  if (!client || !target) {
    return;
  }
  const { text } = await client.sendRequest<{ text: string }>("headwater/report", { format: "html" });
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = "Open";
  if ((await vscode.window.showInformationMessage(`Headwater: written to ${target.fsPath}.`, open)) === open) {
    await vscode.env.openExternal(target);
  }
}
