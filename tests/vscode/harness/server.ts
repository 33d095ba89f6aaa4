import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { PATIENCE } from "./patience";
import { REPOSITORY } from "./workspace";

/** What keeps the editor itself quiet and the same on every run. None of it is about Headwater. */
const QUIET = {
  "breadcrumbs.enabled": false,
  "editor.autoClosingBrackets": "never",
  "editor.autoIndent": "none",
  "editor.hover.delay": 100,
  "editor.minimap.enabled": false,
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.suggestOnTriggerCharacters": false,
  "editor.parameterHints.enabled": false,
  "editor.wordBasedSuggestions": "off",
  "editor.lightbulb.enabled": "on",
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.restoreWindows": "none",
  "workbench.enableExperiments": false,
  "workbench.quickOpen.closeOnFocusLost": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
};

export interface ServerOptions {
  /** Ask whether the authors of a folder are trusted, as an editor of a person does. */
  readonly asksForTrust: boolean;
  /** The extension as shipped; null for an editor without it. */
  readonly vsix: string | null;
  /** Folders of other extensions, which are packed and installed as well. */
  readonly others: readonly string[];
  /** Settings of the machine, on top of those that keep the editor quiet. */
  readonly settings: Record<string, unknown>;
  /** Variables of the environment, on top of those of the tests. */
  readonly environment: Record<string, string>;
}

/** A VS Code server with a fresh profile, which is gone when it is stopped. */
export class EditorServer {
  private constructor(
    readonly url: string,
    readonly home: string,
    private readonly process: ChildProcess,
  ) {}

  get pid(): number {
    return this.process.pid!;
  }

  static async start(options: ServerOptions): Promise<EditorServer> {
    const home = mkdtempSync(join(tmpdir(), "headwater-vscode-"));
    const settings = { ...QUIET, ...options.settings, "security.workspace.trust.enabled": options.asksForTrust };
    for (const scope of ["User", "Machine"]) {
      mkdirSync(join(home, "data", scope), { recursive: true });
      writeFileSync(join(home, "data", scope, "settings.json"), JSON.stringify(settings));
    }
    const main = join(folderOfEditor(), "out", "server-main.js");
    const profile = [
      "--accept-server-license-terms",
      `--user-data-dir=${join(home, "data")}`,
      `--extensions-dir=${join(home, "extensions")}`,
      `--server-data-dir=${join(home, "server")}`,
    ];
    const env = { ...inherited(home), ...options.environment };
    const others = options.others.map((folder) => packed(folder, home));
    for (const vsix of [options.vsix, ...others]) {
      if (vsix !== null) {
        await promisify(execFile)(process.execPath, [main, ...profile, "--install-extension", vsix], { env });
      }
    }
    const child = spawn(
      process.execPath,
      [
        main,
        ...profile,
        "--host=127.0.0.1",
        "--port=0",
        "--without-connection-token",
        "--telemetry-level=off",
        "--reconnection-grace-time=1",
        "--force-disable-user-env",
      ],
      { env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    );
    return new EditorServer(`http://127.0.0.1:${await port(child)}`, home, child);
  }

  /** Ends the server and everything that it has started. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    signal(this.pid, "SIGTERM");
    const impatient = setTimeout(() => signal(this.pid, "SIGKILL"), 5_000);
    if (this.process.exitCode === null) await ended;
    clearTimeout(impatient);
    signal(this.pid, "SIGKILL");
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function packed(folder: string, into: string): string {
  const vsix = join(into, `${basename(folder)}.vsix`);
  const vsce = join(REPOSITORY, "node_modules", ".bin", "vsce");
  execFileSync(vsce, ["package", "--allow-missing-repository", "--skip-license", "--out", vsix], {
    cwd: folder,
    stdio: "pipe",
  });
  return vsix;
}

function folderOfEditor(): string {
  const folder = process.env.VSCODE_SERVER;
  if (!folder) throw new Error("VSCODE_SERVER is not set: start the tests by tests/vscode/run");
  return folder;
}

/** A home and a cache of its own: nothing that was proved before may make a test pass. */
function inherited(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|npm_|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME)/.test(name),
  );
  return { ...Object.fromEntries(kept), HOME: home, XDG_CACHE_HOME: join(home, "cache") };
}

async function port(child: ChildProcess): Promise<number> {
  let said = "";
  return await new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the VS Code server does not listen:\n${said}`)), PATIENCE);
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      const found = /Extension host agent listening on (\d+)/.exec(said);
      if (found) {
        clearTimeout(late);
        resolve(Number(found[1]));
      }
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => reject(new Error(`the VS Code server ended with ${code}:\n${said}`)));
  });
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // All of the group have ended.
  }
}
