/** The language client: one per run of the server. */

import { spawn } from "node:child_process";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  ProgressType,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import type { Found } from "./server/candidates.ts";
import type { Activity } from "./server/phase.ts";

const SCHEMES = ["file", "untitled", "vscode-notebook-cell"];

export interface Listener {
  /** The server is gone; may be called more than once. */
  closed(): void;
  activity(activity: Activity): void;
}

export class Client extends LanguageClient {
  /** Whether it is known that this server is gone; nothing is to be expected of it. */
  isGone = false;

  private readonly ended = new vscode.EventEmitter<void>();

  /** Rejects if the server ends first, which the library waits out where the process never answered. */
  begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.ended.event(() => reject(new Error("it ended")));
      this.start().then(resolve, reject);
    });
  }

  /** The process or the connection is gone. */
  closed(): void {
    this.ended.fire();
  }

  /** Into the log only: what there is to say to the user, the life cycle of the server says once. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** What the server reports under a token. */
  onPart<T>(token: string, listener: (part: T) => void): vscode.Disposable {
    return this.onProgress(new ProgressType<T>(), token, listener);
  }

  async end(): Promise<void> {
    this.isGone = true;
    await this.dispose(2000).catch(() => undefined);
  }
}

export function createClient(
  found: Found,
  extension: vscode.Uri,
  log: vscode.LogOutputChannel,
  listener: Listener,
): Client {
  const options: LanguageClientOptions = {
    documentSelector: SCHEMES.map((scheme) => ({ scheme, language: "python" })),
    outputChannel: log,
    traceOutputChannel: traced(log),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { showProof: true },
    markdown: { isTrusted: { enabledCommands: ["headwater.showProof"] } },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        closed();
        return { action: CloseAction.DoNotRestart, handled: true, message: "the connection to the server was closed" };
      },
    },
  };
  const closed = () => {
    client.closed();
    listener.closed();
  };
  // The library sees the end of the connection, but not that of a process which ends before there is one.
  const run = async () => {
    const process = spawn(found.command, [...found.args], { cwd: extension.fsPath });
    process.once("error", closed).once("exit", closed);
    return process;
  };
  const client = new Client("headwater", "Headwater", run, options);
  client.onNotification("headwater/status", (activity: Activity) => {
    if (!client.isGone) {
      listener.activity(activity);
    }
  });
  return client;
}

/** The library traces only where the channel's own level is the finest; here the setting decides. */
function traced(log: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const setting = vscode.workspace.getConfiguration("headwater").get("trace.server", "off");
  if (setting === "off") {
    return log;
  }
  return new Proxy(log, {
    get(target, name) {
      if (name === "logLevel") {
        return vscode.LogLevel.Trace;
      }
      const value: unknown = Reflect.get(target, name === "trace" ? "info" : name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
