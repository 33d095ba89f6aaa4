/** The interpreters on `PATH`, without those that a workspace put there. No VS Code in here. */

import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";

const NAMES = ["python3", "python3.13", "python3.12", "python3.11", "python3.10", "python"];

/** Absolute paths in the order in which to try them. Entries that are relative or inside of `folders` do not count. */
export function pythonsOnPath(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  folders: readonly string[],
  exists: (path: string) => boolean = existsSync,
): string[] {
  const suffix = platform === "win32" ? ".exe" : "";
  const entries = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  const own = entries.filter((entry) => isAbsolute(entry) && !folders.some((folder) => inside(entry, folder)));
  const found = NAMES.flatMap((name) => own.map((entry) => join(entry, name + suffix)).filter(exists));
  return [...new Set(found)];
}

/** Whether `path` is `folder` or in it. */
export function inside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
