import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** The browser of the system: CHROMIUM, or the first known name on the PATH. */
export function chromium(): string {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    for (const folder of (process.env.PATH ?? "").split(":")) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  throw new Error("no Chromium found: run tests/vscode/install, or set CHROMIUM");
}
