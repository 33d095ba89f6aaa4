/** Scans: of the whole workspace when somebody asks, and from then on of each file that changes. */

import * as vscode from "vscode";
import type { Client } from "../client.ts";
import type { ScannedFile, ScanSummary } from "../protocol.ts";
import type { Server } from "../server/server.ts";
import type { ScanProblems } from "./problems.ts";
import type { Results } from "./results.ts";
import type { FindingsTree } from "./tree.ts";

const METHOD = "headwater/scanWorkspace";
const PATTERN = "**/*.{py,ipynb}";
const SETTLE_MS = 500;

interface Work {
  readonly message?: string;
  readonly percentage?: number;
}

export class Scanner implements vscode.Disposable {
  private listeners: vscode.Disposable[] = [];
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<ScanSummary | undefined> | undefined;
  private tokens = 0;
  private by: Client | undefined;

  constructor(
    private readonly server: Server,
    private readonly results: Results,
    private readonly tree: FindingsTree,
    private readonly problems: ScanProblems,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Scan everything, with progress; undefined if it was cancelled or could not be done. */
  scan(): Promise<ScanSummary | undefined> {
    this.running ??= this.scanNow().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** A server that knows what was last found; one that was started since scans anew, mostly from its cache. */
  async informed(): Promise<Client | undefined> {
    const client = await this.server.start();
    if (client && client !== this.by) {
      await this.scan();
    }
    return client;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
    this.results.clear();
    this.problems.clear();
    this.tree.refresh();
    vscode.Disposable.from(...this.listeners).dispose();
    this.listeners = [];
    this.setScanned(false);
  }

  /** Something was applied: the finding is gone, whatever the file says when it is saved. */
  applied(uri: string, id?: string): void {
    this.results.applied(uri, id);
    this.shown(uri);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.listeners).dispose();
  }

  private async scanNow(): Promise<ScanSummary | undefined> {
    const client = await this.server.start();
    if (!client) {
      return undefined;
    }
    this.clear();
    this.by = client;
    this.follow();
    const options = { location: vscode.ProgressLocation.Notification, title: "Headwater", cancellable: true };
    return vscode.window.withProgress(options, async (progress, cancel) => {
      const workDoneToken = this.token();
      let percentage = 0;
      const listener = client.onPart<Work>(workDoneToken, (value) => {
        const increment = (value.percentage ?? percentage) - percentage;
        percentage += increment;
        progress.report({ increment, ...(value.message ? { message: value.message } : {}) });
      });
      try {
        return await this.ask(client, { workDoneToken }, cancel);
      } catch (error) {
        if (!cancel.isCancellationRequested) {
          this.log.error(`the scan failed: ${error instanceof Error ? error.message : String(error)}`);
          void vscode.window.showErrorMessage("Headwater: the scan failed; the output has more.");
        }
        return undefined;
      } finally {
        listener.dispose();
        this.setScanned(true);
      }
    });
  }

  private async ask(client: Client, params: object, cancel: vscode.CancellationToken): Promise<ScanSummary> {
    const partialResultToken = this.token();
    const listener = client.onPart<ScannedFile>(partialResultToken, (file) => {
      if (file.error !== null) {
        this.log.warn(file.error);
      }
      this.results.take({ ...file, uri: vscode.Uri.parse(file.uri).toString() });
      this.shown(file.uri);
    });
    try {
      return await client.sendRequest<ScanSummary>(METHOD, { ...params, partialResultToken }, cancel);
    } finally {
      listener.dispose();
    }
  }

  private shown(uri: string): void {
    this.problems.show(vscode.Uri.parse(uri));
    this.tree.refresh();
  }

  private token(): string {
    this.tokens += 1;
    return `headwater-scan-${this.tokens}`;
  }

  private setScanned(scanned: boolean): void {
    void vscode.commands.executeCommand("setContext", "headwater.scanned", scanned);
  }

  /** From now on, look again at what changes; what changes during a scan, when that is over: it may have been read before. */
  private follow(): void {
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    const again = (uri: vscode.Uri) => this.again(uri);
    this.listeners.push(
      watcher,
      watcher.onDidChange(again),
      watcher.onDidCreate(again),
      watcher.onDidDelete((uri) => {
        this.results.forget(uri.toString());
        this.shown(uri.toString());
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.again(uri)),
      vscode.workspace.onDidSaveNotebookDocument(({ uri }) => this.again(uri)),
    );
  }

  private again(uri: vscode.Uri): void {
    if (uri.scheme === "file" && /\.(py|ipynb)$/.test(uri.path)) {
      this.waiting.add(uri.toString());
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.scanWaiting(), SETTLE_MS);
    }
  }

  private async scanWaiting(): Promise<void> {
    while (this.running) {
      await this.running.catch(() => undefined);
    }
    const client = this.server.client;
    const files = [...this.waiting];
    this.waiting.clear();
    if (client && files.length > 0) {
      // A token, though nobody cancels: an undefined one would be taken for a second parameter of the request.
      const { token } = new vscode.CancellationTokenSource();
      await this.ask(client, { files }, token).catch((error: unknown) =>
        this.log.warn(`not scanned again: ${String(error)}`),
      );
    }
  }
}
