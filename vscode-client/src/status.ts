/** The status bar item: what the server is at, and how many findings are open. */

import * as vscode from "vscode";
import type { Server } from "./server/server.ts";
import { type Counts, summary } from "./statusText.ts";

export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("headwater.status", vscode.StatusBarAlignment.Left, 0);
  item.name = "Headwater";
  item.command = "headwater.showOutput";
  const update = () => {
    const shown = summary(server.phase, counts());
    if (!shown) {
      item.hide();
      return;
    }
    item.text = shown.text;
    item.tooltip = shown.tooltip;
    item.accessibilityInformation = { label: shown.spoken };
    item.backgroundColor = shown.bad ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    item.show();
  };
  update();
  return vscode.Disposable.from(
    item,
    server.onDidChange(update),
    vscode.languages.onDidChangeDiagnostics(() => {
      if (server.phase.name === "running") {
        update();
      }
    }),
  );
}

function counts(): Counts {
  let proved = 0;
  let possible = 0;
  for (const [, diagnostics] of vscode.languages.getDiagnostics()) {
    for (const { source, code } of diagnostics) {
      const named = source === "headwater" ? String(typeof code === "object" ? code.value : code) : "";
      if (named === "HW190") {
        possible += 1;
      } else if (named.startsWith("HW") && named < "HW900") {
        proved += 1;
      }
    }
  }
  return { proved, possible };
}
