/** What VS Code calls. Everything that is heavy is loaded when the server is started. */

import * as vscode from "vscode";
import { startOnDemand } from "./demand.ts";
import { Server } from "./server/server.ts";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Headwater", { log: true });
  server = new Server(context, log);
  context.subscriptions.push(log, server, startOnDemand(server));
  const running = server;
  context.subscriptions.push(
    vscode.commands.registerCommand("headwater.restart", () => running.restart()),
    vscode.commands.registerCommand("headwater.showOutput", () => log.show(true)),
  );
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
