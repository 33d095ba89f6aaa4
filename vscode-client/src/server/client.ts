/** The language client: one per run of the server. */

import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import type { Found } from "./candidates.ts";
import type { Activity } from "./server.ts";

const SCHEMES = ["file", "untitled", "vscode-notebook-cell"];

export interface Listener {
  closed(): void;
  activity(activity: Activity): void;
}

export class Client extends LanguageClient {
  /** Whether it is known that this server is gone; nothing is to be expected of it. */
  isGone = false;

  async begin(): Promise<void> {
    await this.start();
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
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { showProof: true },
    markdown: { isTrusted: { enabledCommands: ["headwater.showProof"] } },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        listener.closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  const run = { command: found.command, args: [...found.args], options: { cwd: extension.fsPath } };
  const client = new Client("headwater", "Headwater", run, options);
  client.onNotification("headwater/status", (activity: Activity) => {
    if (!client.isGone) {
      listener.activity(activity);
    }
  });
  return client;
}
