/** What to do where there is no server: said once per time that it turns out, with a button for each way out. */

import * as vscode from "vscode";
import type { Server } from "./server.ts";

const CHOOSE = "Choose Interpreter";
const INSTALL = "Install";
const RESTART = "Restart";
const SHOW_LOG = "Show Log";

export function offerHelp(
  server: Server,
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const chosen: Record<string, () => unknown> = {
    [CHOOSE]: () => chooseInterpreter(),
    [RESTART]: () => server.restart(),
    [SHOW_LOG]: () => log.show(true),
  };
  return server.onDidChange(async (phase) => {
    if (phase.name === "missing") {
      const { python, problems } = phase;
      const text = python
        ? `Headwater's server is not installed for this Python: ${problems[0] ?? python}.`
        : `Headwater needs Python 3.10 to 3.13. ${problems[0] ?? "None was found"}.`;
      const buttons = [CHOOSE, ...(python ? [INSTALL] : []), SHOW_LOG];
      const answer = await vscode.window.showErrorMessage(text, ...buttons);
      if (answer === INSTALL && python) {
        const { install } = await import("./install.ts");
        if (await install(context, python, log)) {
          await server.restart();
        } else {
          log.show(true);
        }
      } else if (answer) {
        await chosen[answer]?.();
      }
    } else if (phase.name === "failed") {
      const answer = await vscode.window.showErrorMessage(
        "Headwater's server ended again and again, and is not started any more.",
        RESTART,
        SHOW_LOG,
      );
      await (answer && chosen[answer]?.());
    }
  });
}

/** Let the user say which Python is to run the server. */
async function chooseInterpreter(): Promise<void> {
  const { interpreters } = await import("./locate.ts");
  const { workspace, path } = await interpreters();
  const browse = "Browse…";
  const items = [...new Set([...workspace, ...path])].map((label) => ({ label }));
  const picked = await vscode.window.showQuickPick([...items, { label: browse }], {
    placeHolder: "The Python that has Headwater installed, 3.10 to 3.13",
  });
  const python =
    picked?.label === browse
      ? (await vscode.window.showOpenDialog({ title: "Python interpreter" }))?.[0]?.fsPath
      : picked?.label;
  if (python) {
    const configuration = vscode.workspace.getConfiguration("headwater");
    const inWorkspace = configuration.inspect("interpreter")?.workspaceValue !== undefined;
    await configuration.update("interpreter", python, !inWorkspace);
  }
}
