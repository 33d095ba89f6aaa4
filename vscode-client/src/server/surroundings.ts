/** Starts the server anew when what it was found by changes: the setting, the chosen interpreter, the trust. */

import * as vscode from "vscode";
import { onInterpreterChanged } from "./pythonExtension.ts";
import type { Server } from "./server.ts";

export function followSurroundings(server: Server): vscode.Disposable {
  const again = () => {
    if (server.phase.name !== "off") {
      void server.restart();
    }
  };
  let listening = new vscode.Disposable(() => {});
  const listen = () => {
    listening.dispose();
    listening = onInterpreterChanged(() => {
      if (server.phase.name !== "running" || server.phase.found.origin !== "setting") {
        again();
      }
    });
  };
  listen();
  return vscode.Disposable.from(
    new vscode.Disposable(() => listening.dispose()),
    vscode.extensions.onDidChange(listen),
    server.onDidChange(({ name }) => name === "starting" || listen()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("headwater.interpreter") || event.affectsConfiguration("headwater.trace.server")) {
        again();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(again),
  );
}
