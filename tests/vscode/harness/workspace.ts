import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const OURS = join(HERE, "..", "workspaces");
export const REPOSITORY = join(HERE, "..", "..", "..");

/** A copy of a folder of `workspaces/`, or of `examples`, for one test. */
export class Workspace {
  readonly folder: string;
  private readonly source: string;

  constructor(name: string) {
    this.folder = join(mkdtempSync(join(tmpdir(), "headwater-workspace-")), name);
    this.source = existsSync(join(OURS, name)) ? join(OURS, name) : join(REPOSITORY, name);
    cpSync(this.source, this.folder, { recursive: true, filter: (path) => !path.endsWith("__pycache__") });
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  /** What the file was when the workspace was made. */
  original(file: string): string {
    return readFileSync(join(this.source, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }

  /** Settings of the workspace; to be called before it is opened. */
  settings(settings: Record<string, unknown>): void {
    mkdirSync(this.path(".vscode"), { recursive: true });
    this.write(".vscode/settings.json", JSON.stringify(settings));
  }

  remove(): void {
    rmSync(dirname(this.folder), { recursive: true, force: true });
  }
}
