/** What VS Code calls. Everything that is heavy is loaded when the server is started. */

import * as vscode from "vscode";
import { registerCommands } from "./commands.ts";
import { startOnDemand } from "./demand.ts";
import { ProofView } from "./proof/panel.ts";
import { ScanProblems } from "./scan/problems.ts";
import { Results } from "./scan/results.ts";
import { Scanner } from "./scan/scanner.ts";
import { FindingsTree } from "./scan/tree.ts";
import { offerHelp } from "./server/help.ts";
import { Server } from "./server/server.ts";
import { followSurroundings } from "./server/surroundings.ts";
import { showStatus } from "./status.ts";

let running: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Headwater", { log: true });
  const server = new Server(context, log);
  running = server;
  const results = new Results();
  const tree = new FindingsTree(results);
  const problems = new ScanProblems(results);
  const scanner = new Scanner(server, results, tree, problems, log);
  const icon = vscode.Uri.joinPath(context.extensionUri, "vscode-client", "media", "icon.png");
  const proof = new ProofView(server, icon, (uri, id) => scanner.applied(uri, id));
  context.subscriptions.push(
    log,
    server,
    tree,
    problems,
    scanner,
    proof,
    vscode.window.createTreeView("headwater.findings", { treeDataProvider: tree, showCollapseAll: true }),
    registerCommands({ server, scanner, results, tree, proof, log }),
    showStatus(server),
    offerHelp(server, context, log),
    followSurroundings(server),
    startOnDemand(server),
  );
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
