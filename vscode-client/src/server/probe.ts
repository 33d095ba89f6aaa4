/** Asking a Python what it is and what it has. */

import { execFile } from "node:child_process";
import { type Interpreter, MODULES } from "./candidates.ts";

const QUESTION = `import importlib.util as u, json, sys
print(json.dumps({"executable": sys.executable, "version": sys.version_info[:3],
                  "missing": [m for m in ${JSON.stringify(MODULES)} if u.find_spec(m) is None]}))`;
const SECONDS = 15;

/** What `python` says; undefined if it is none, or does not answer. Isolated: nothing of a workspace is imported. */
export function probe(python: string, cwd: string): Promise<Interpreter | undefined> {
  return new Promise((resolve) => {
    execFile(python, ["-I", "-c", QUESTION], { cwd, timeout: SECONDS * 1000 }, (error, stdout) => {
      resolve(error ? undefined : parsed(stdout));
    });
  });
}

function parsed(stdout: string): Interpreter | undefined {
  try {
    return JSON.parse(stdout) as Interpreter;
  } catch {
    return undefined;
  }
}
