/** The report of the last scan as a file. */

import * as vscode from "vscode";
import type { Scanner } from "./scanner.ts";

/** Ask where to, and let the server write the page. */
export async function exportReport(scanner: Scanner): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Export the scan as HTML",
    filters: { HTML: ["html"] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, "headwater.html") } : {}),
  });
  const client = target && (await scanner.informed());
  if (!client) {
    return;
  }
  const { text } = await client.sendRequest<{ text: string }>("headwater/report", { format: "html" });
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = "Open";
  if ((await vscode.window.showInformationMessage(`Headwater: written to ${target.fsPath}.`, open)) === open) {
    await vscode.env.openExternal(target);
  }
}
