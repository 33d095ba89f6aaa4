/** Finding the server: what VS Code and this machine have to offer. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Bundle, type Choice, candidates, choose } from "./candidates.ts";
import { environmentPython } from "./install.ts";
import { pythonsOnPath } from "./path.ts";
import { probe } from "./probe.ts";
import { workspaceInterpreters } from "./pythonExtension.ts";

/** The server to start, or why there is none. */
export async function locate(context: vscode.ExtensionContext): Promise<Choice> {
  const extension = context.extensionPath;
  const setting = vscode.workspace.getConfiguration("headwater").get<string | null>("interpreter") || undefined;
  const found = candidates({
    setting,
    bundle: bundle(extension),
    target: `${process.platform}-${process.arch}`,
    own: environmentPython(context),
    ...(setting ? { workspace: [], path: [] } : await interpreters()),
  });
  return choose(found, (python) => probe(python, extension));
}

/** Every interpreter that may be run: those of the workspace only if it is trusted. */
export async function interpreters(): Promise<{ workspace: string[]; path: string[] }> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  return {
    workspace: vscode.workspace.isTrusted ? await workspaceInterpreters() : [],
    path: pythonsOnPath(process.env, process.platform, folders),
  };
}

function bundle(extension: string): Bundle | undefined {
  const launcher = join(extension, "vscode-client", "launcher.py");
  const target = join(extension, "bundled", "target");
  return existsSync(launcher)
    ? { launcher, target: existsSync(target) ? readFileSync(target, "utf8").trim() : undefined }
    : undefined;
}
