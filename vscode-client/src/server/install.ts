/** An environment of the extension's own, for where no libraries came with it: pinned versions with their hashes. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

const PIP = "-I -m pip install --disable-pip-version-check --no-input --no-deps --require-hashes --only-binary=:all:";

/** Its Python, if it is there. */
export function environmentPython(context: vscode.ExtensionContext): string | undefined {
  const python = join(
    directory(context),
    ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
  );
  return existsSync(python) ? python : undefined;
}

/** Make it with `python`; whether that worked. Everything that is said goes to the log. */
export async function install(
  context: vscode.ExtensionContext,
  python: string,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const options = { location: vscode.ProgressLocation.Notification, title: "Headwater", cancellable: true };
  return vscode.window.withProgress(options, async (progress, cancel) => {
    const stop = new AbortController();
    cancel.onCancellationRequested(() => stop.abort());
    const home = directory(context);
    const requirements = join(context.extensionPath, "vscode-client", "requirements.txt");
    try {
      await vscode.workspace.fs.createDirectory(context.globalStorageUri);
      progress.report({ message: "making an environment" });
      await run(python, ["-I", "-m", "venv", "--clear", home], stop.signal, log);
      progress.report({ message: "installing the libraries of the server" });
      const own = environmentPython(context) ?? python;
      await run(own, [...PIP.split(" "), "-r", requirements], stop.signal, log);
      return true;
    } catch (error) {
      await vscode.workspace.fs.delete(vscode.Uri.file(home), { recursive: true }).then(undefined, () => undefined);
      if (!stop.signal.aborted) {
        log.error(`the installation failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      return false;
    }
  });
}

function directory(context: vscode.ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, "environment");
}

function run(command: string, args: string[], signal: AbortSignal, log: vscode.LogOutputChannel): Promise<void> {
  log.info([command, ...args].join(" "));
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { signal, maxBuffer: 1 << 24 }, (error) =>
      error ? reject(error) : resolve(),
    );
    child.stdout?.on("data", (text) => log.info(String(text).trimEnd()));
    child.stderr?.on("data", (text) => log.warn(String(text).trimEnd()));
  });
}
