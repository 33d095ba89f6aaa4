import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The text of a file after its rewrites, as a person has checked it. */
export function golden(file: string): string {
  return readFileSync(join(dirname(fileURLToPath(import.meta.url)), "..", "golden", file), "utf8");
}
