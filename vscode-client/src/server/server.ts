/** The life cycle of the server: found, started, started again after a crash, stopped. */

import * as vscode from "vscode";
import { Backoff } from "./backoff.ts";
import type { Found } from "./candidates.ts";
import type { Client } from "./client.ts";

/** `headwater/status`, as the server says it. */
export interface Activity {
  readonly state: "idle" | "checking" | "proving" | "error";
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

export type Phase =
  | { readonly name: "off" }
  | { readonly name: "starting" }
  | { readonly name: "running"; readonly found: Found; readonly activity: Activity | undefined }
  | { readonly name: "waiting"; readonly seconds: number }
  | { readonly name: "missing"; readonly problems: readonly string[] }
  | { readonly name: "failed"; readonly reason: string };

export class Server implements vscode.Disposable {
  private readonly backoff = new Backoff();
  private readonly changed = new vscode.EventEmitter<Phase>();
  private readonly ended = new vscode.EventEmitter<void>();
  private current: Client | undefined;
  private starting: Promise<Client | undefined> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  private at: Phase = { name: "off" };

  /** What the server is at; also for what it says of itself while it runs. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get phase(): Phase {
    return this.at;
  }

  get client(): Client | undefined {
    return this.at.name === "running" ? this.current : undefined;
  }

  /** The running client; starts the server if it is off. Undefined if there is none to start, of which the user is told. */
  start(): Promise<Client | undefined> {
    if (this.client) {
      return Promise.resolve(this.client);
    }
    this.starting ??= this.startNow().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  async restart(): Promise<void> {
    this.backoff.forget();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.starting?.catch(() => undefined);
    const client = this.current;
    this.current = undefined;
    this.become({ name: "off" });
    await client?.end();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.changed.dispose();
    this.ended.dispose();
  }

  private async startNow(): Promise<Client | undefined> {
    clearTimeout(this.timer);
    this.become({ name: "starting" });
    const [{ locate }, { createClient }] = await Promise.all([import("./locate.ts"), import("./client.ts")]);
    const { found, problems } = await locate(this.context.extensionUri);
    if (!found) {
      for (const problem of problems) {
        this.log.warn(problem);
      }
      this.become({ name: "missing", problems });
      return undefined;
    }
    this.log.info(`server (${found.origin}, Python ${found.version}): ${[found.command, ...found.args].join(" ")}`);
    const client = createClient(found, this.context.extensionUri, this.log, {
      closed: () => this.lost(client, "the server ended"),
      activity: (activity) => this.become({ name: "running", found, activity }),
    });
    try {
      await client.begin();
    } catch (error) {
      this.lost(client, `the server did not start: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
    this.current = client;
    this.become({ name: "running", found, activity: undefined });
    return client;
  }

  private lost(client: Client, reason: string): void {
    if (this.disposed || client.isGone) {
      return;
    }
    client.isGone = true;
    this.current = undefined;
    client.end().catch(() => undefined);
    const pause = this.backoff.crashed(Date.now());
    if (pause === undefined) {
      this.log.error(`${reason}; it is not started again`);
      this.become({ name: "failed", reason });
      return;
    }
    this.log.warn(`${reason}; it is started again in ${pause / 1000} s`);
    this.become({ name: "waiting", seconds: pause / 1000 });
    this.timer = setTimeout(() => void this.start(), pause);
  }

  private become(phase: Phase): void {
    this.at = phase;
    if (!this.disposed) {
      this.changed.fire(phase);
    }
  }
}
