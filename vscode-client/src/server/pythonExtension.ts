/** The interpreter that was chosen for the workspace: by the Python extension if it is there, else a `.venv` of a folder. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

const ID = "ms-python.python";
/** The part of the API of ms-python.python that is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: unknown): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

/** Absolute paths; call it only in a trusted workspace. */
export async function workspaceInterpreters(): Promise<string[]> {
  const chosen = await ofPythonExtension();
  return [...new Set([...(chosen ? [chosen] : []), ...virtualEnvironments()])];
}

/** Calls `listener` when another interpreter is chosen. */
export function onInterpreterChanged(listener: () => void): vscode.Disposable {
  const api = vscode.extensions.getExtension<PythonApi>(ID);
  const event = api?.isActive ? api.exports?.environments?.onDidChangeActiveEnvironmentPath : undefined;
  return event?.(listener) ?? new vscode.Disposable(() => {});
}

async function ofPythonExtension(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(ID);
  if (!extension) {
    return undefined;
  }
  try {
    const environments = (await extension.activate())?.environments;
    const path = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    const environment = path && (await environments?.resolveEnvironment(path));
    return environment ? environment.executable.uri?.fsPath : undefined;
  } catch {
    return undefined;
  }
}

function virtualEnvironments(): string[] {
  const python = process.platform === "win32" ? join("Scripts", "python.exe") : join("bin", "python");
  return (vscode.workspace.workspaceFolders ?? [])
    .flatMap((folder) => [".venv", "venv"].map((name) => join(folder.uri.fsPath, name, python)))
    .filter((path) => existsSync(path));
}
