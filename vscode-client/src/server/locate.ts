/** Finding the server: what VS Code and this machine have to offer. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Bundle, candidates, choose, type Found } from "./candidates.ts";
import { pythonsOnPath } from "./path.ts";
import { probe } from "./probe.ts";
import { workspaceInterpreters } from "./pythonExtension.ts";

/** The server to start, or why there is none. */
export async function locate(extension: vscode.Uri): Promise<{ found?: Found; problems: string[] }> {
  const setting = vscode.workspace.getConfiguration("headwater").get<string | null>("interpreter") || undefined;
  const folders = (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath);
  return choose(
    candidates({
      setting,
      bundle: bundle(extension.fsPath),
      target: `${process.platform}-${process.arch}`,
      workspace: vscode.workspace.isTrusted && !setting ? await workspaceInterpreters() : [],
      path: setting ? [] : pythonsOnPath(process.env, process.platform, folders),
    }),
    (python) => probe(python, extension.fsPath),
  );
}

function bundle(extension: string): Bundle | undefined {
  const launcher = join(extension, "bundled", "launcher.py");
  const target = join(extension, "bundled", "target");
  return existsSync(launcher) && existsSync(target)
    ? { launcher, target: readFileSync(target, "utf8").trim() }
    : undefined;
}
