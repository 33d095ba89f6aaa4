/** The proof view: one panel, which shows the finding that was asked for last and follows it through edits. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { apply } from "../apply.ts";
import type { ProofAnswer } from "../protocol.ts";
import { opened, revealLocation, toRange } from "../scan/reveal.ts";
import type { Server } from "../server/server.ts";
import { notice, page } from "./html.ts";
import STYLE from "./proof.css";
import { SCRIPT } from "./script.ts";

const FOLLOW_MS = 300;

interface Message {
  readonly what: "apply" | "certificate" | "explain" | "reveal";
  readonly node: number;
}

export class ProofView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: { uri: string; id: string } | undefined;
  private answer: ProofAnswer | undefined;
  private filled: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly listener: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly icon: vscode.Uri,
    private readonly applied: (uri: string, id: string) => void,
  ) {
    this.listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (this.shown && uris.some((uri) => about(uri, this.shown?.uri))) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.fill(), FOLLOW_MS);
      }
    });
  }

  async show(uri: string, id: string): Promise<void> {
    if (this.shown?.uri !== uri || this.shown.id !== id) {
      this.answer = undefined;
      this.filled = undefined;
    }
    this.shown = { uri, id };
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false };
    if (!this.panel) {
      const options = { enableScripts: true, localResourceRoots: [], enableFindWidget: true };
      this.panel = vscode.window.createWebviewPanel("headwater.proof", "Proof", column, options);
      this.panel.iconPath = this.icon;
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.shown = undefined;
        this.filled = undefined;
      });
      this.panel.webview.onDidReceiveMessage((message: Message) => this.act(message));
    } else {
      this.panel.reveal(undefined, false);
    }
    await this.fill(true);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listener.dispose();
    this.panel?.dispose();
  }

  private async fill(prove = false): Promise<void> {
    const asked = this.shown;
    const client = asked && (await this.server.start());
    if (!asked || !client) {
      return;
    }
    await opened(vscode.Uri.parse(asked.uri));
    const ask = (id: string) =>
      client.sendRequest<ProofAnswer | null>("headwater/proof", { ...asked, id, prove }).catch(() => null);
    let answer = await ask(asked.id);
    if (!answer) {
      const renamed = this.renamed();
      answer = renamed === undefined ? null : await ask(renamed);
    }
    if (asked !== this.shown || !this.panel) {
      return;
    }
    const filled = JSON.stringify(answer);
    if (filled === this.filled) {
      return; // a page that is set anew loses its focus and where it was scrolled to
    }
    this.filled = filled;
    const nonce = randomBytes(16).toString("hex");
    this.answer = answer ?? undefined;
    asked.id = answer?.content.id ?? asked.id;
    this.panel.title = answer ? `Proof: ${answer.content.code}` : "Proof";
    this.panel.webview.html = answer
      ? page(answer.content, nonce, STYLE, SCRIPT)
      : notice("This finding is no longer there: it was applied, or its code has changed.", nonce, STYLE);
  }

  /** What was possible has another name once it is proved: the finding that is now where the shown one is. */
  private renamed(): string | undefined {
    const at = this.answer?.content.pipeline.find((node) => node.role === "filter")?.location;
    const found =
      at &&
      vscode.languages.getDiagnostics(vscode.Uri.parse(at.uri)).find(({ source, range }) => {
        return source === "headwater" && range.isEqual(toRange(at.range));
      });
    return (found as { data?: { id?: string } } | undefined)?.data?.id;
  }

  private async act({ what, node }: Message): Promise<void> {
    const { answer, shown } = this;
    if (!answer || !shown) {
      return;
    }
    if (what === "apply") {
      const why = await apply(this.server, shown.uri, shown.id);
      if (why === undefined) {
        this.applied(shown.uri, shown.id);
      } else {
        void vscode.window.showWarningMessage(`Headwater: nothing was applied: ${why}.`);
      }
    } else if (what === "explain") {
      await vscode.env.openExternal(vscode.Uri.parse(answer.content.explain));
    } else if (what === "certificate" && answer.certificate !== null) {
      const document = await vscode.workspace.openTextDocument({ language: "json", content: answer.certificate });
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    } else if (what === "reveal") {
      const location = answer.content.pipeline[node]?.location;
      if (location) {
        // beside the proof, not over it
        const covers = this.panel?.viewColumn === vscode.ViewColumn.One;
        await revealLocation(location.uri, location.range, covers ? vscode.ViewColumn.Two : vscode.ViewColumn.One);
      }
    }
  }
}

/** Whether `uri` is the document, or a cell of the notebook, that `shown` names. */
function about(uri: vscode.Uri, shown: string | undefined): boolean {
  return shown !== undefined && vscode.Uri.parse(shown).path === uri.path;
}
