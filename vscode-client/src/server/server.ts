/** The life cycle of the server: found, started, started again after a crash, stopped. */

import * as vscode from "vscode";
import type { Client } from "../client.ts";
import { Backoff } from "./backoff.ts";
import type { Phase } from "./phase.ts";

/** The language client is much larger than all the rest: a bundle of its own, loaded when a server is started. */
async function loadClient(): Promise<typeof import("../client.ts")> {
  return require("./client.js");
}

export class Server implements vscode.Disposable {
  private readonly backoff = new Backoff();
  private readonly changed = new vscode.EventEmitter<Phase>();
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
  }

  private async startNow(): Promise<Client | undefined> {
    clearTimeout(this.timer);
    this.become({ name: "starting" });
    await new Promise(setImmediate); // an editor that is starting goes first
    const [{ locate }, { createClient }] = await Promise.all([import("./locate.ts"), loadClient()]);
    const { found, problems, python } = await locate(this.context);
    if (!found) {
      for (const problem of problems) {
        this.log.warn(problem);
      }
      this.become({ name: "missing", problems, python });
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
      void client.end(); // It may take longer than the pause until the next start, which waits for this one.
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
