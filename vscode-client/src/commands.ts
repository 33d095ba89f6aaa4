/** The commands. */

import * as vscode from "vscode";
import { apply, applyMany } from "./apply.ts";
import { findingsHere } from "./proof/here.ts";
import type { ProofView } from "./proof/panel.ts";
import { type Grouping, verified } from "./scan/grouping.ts";
import { exportReport } from "./scan/report.ts";
import type { Finding, Results } from "./scan/results.ts";
import { revealFinding } from "./scan/reveal.ts";
import type { Scanner } from "./scan/scanner.ts";
import { type FindingsTree, isGroup, type Node } from "./scan/tree.ts";
import type { Server } from "./server/server.ts";

export interface Parts {
  readonly server: Server;
  readonly scanner: Scanner;
  readonly results: Results;
  readonly tree: FindingsTree;
  readonly proof: ProofView;
  readonly log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { server, scanner, tree, log } = parts;
  const grouping = (by: Grouping) => () => {
    tree.group(by);
    return vscode.commands.executeCommand("setContext", "headwater.grouping", by);
  };
  const commands: Record<string, (...args: never[]) => unknown> = {
    scanWorkspace: () => scanWorkspace(parts),
    showProof: (uri?: unknown, id?: unknown) => showProof(parts, uri, id),
    fixFile: () => fixFile(parts),
    proveFile: () => proveFile(parts),
    restart: () => server.restart(),
    showOutput: () => log.show(true),
    revealFinding: (finding: Finding) => revealFinding(finding),
    applyFinding: (finding?: Node) => finding && !isGroup(finding) && applyFinding(parts, finding),
    applyAll: (group?: Node) => applyAll(parts, group),
    exportReport: () => exportReport(scanner),
    clearFindings: () => scanner.clear(),
    groupByFile: grouping("file"),
    groupByBenefit: grouping("benefit"),
    groupByCode: grouping("code"),
  };
  void vscode.commands.executeCommand("setContext", "headwater.grouping", tree.grouping);
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`headwater.${name}`, run)),
  );
}

async function scanWorkspace({ scanner }: Parts): Promise<void> {
  if (!vscode.workspace.workspaceFolders?.length) {
    void vscode.window.showInformationMessage("Headwater: open a folder to scan it.");
    return;
  }
  void vscode.commands.executeCommand("headwater.findings.focus");
  const summary = await scanner.scan();
  if (summary) {
    const failed = summary.errors > 0 ? ` ${plural(summary.errors, "file")} could not be read (see the output).` : "";
    void vscode.window.showInformationMessage(
      `Headwater: ${plural(summary.opportunities, "finding")} in ${plural(summary.filters, "filter")} of ${plural(summary.spark_files, "PySpark file")}, ${plural(summary.files, "file")} in all.${failed}`,
    );
  }
}

/** With a place from a hover, a code lens or the view; without one, the finding at the cursor. */
async function showProof({ proof }: Parts, uri: unknown, id: unknown): Promise<void> {
  if (typeof uri === "string" && typeof id === "string") {
    await proof.show(uri, id);
    return;
  }
  const finding = uri as Finding | undefined;
  if (typeof finding?.uri === "string" && finding.opportunity) {
    await proof.show(finding.uri, finding.opportunity.id);
    return;
  }
  const here = findingsHere();
  const chosen = here.length > 1 ? await vscode.window.showQuickPick(here, { placeHolder: "Which finding?" }) : here[0];
  if (chosen) {
    await proof.show(chosen.uri, chosen.id);
  } else if (here.length === 0) {
    void vscode.window.showInformationMessage("Headwater: there is no finding in this editor.");
  }
}

/** Prove what the active document says now, whatever `headwater.verifyOn` is. */
async function proveFile({ server }: Parts): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const client = document?.languageId === "python" ? await server.start() : undefined;
  await client?.sendNotification("headwater/verify", { uri: document?.uri.toString() });
}

async function fixFile({ server, scanner }: Parts): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "python") {
    void vscode.window.showInformationMessage("Headwater: open a Python file to apply rewrites to it.");
    return;
  }
  const uri = document.uri.toString();
  const options = { location: vscode.ProgressLocation.Window, title: "Headwater: proving" };
  const why = await vscode.window.withProgress(options, () => apply(server, uri));
  if (why === undefined) {
    scanner.applied(uri);
  } else {
    void vscode.window.showInformationMessage(`Headwater: nothing was applied: ${why}.`);
  }
}

async function applyFinding({ server, scanner }: Parts, finding: Finding): Promise<void> {
  const why = await apply(server, finding.uri, finding.opportunity.id);
  if (why === undefined) {
    scanner.applied(finding.uri, finding.opportunity.id);
    await revealFinding(finding);
  } else {
    void vscode.window.showWarningMessage(`Headwater: nothing was applied: ${why}.`);
  }
}

/** Every verified rewrite in the files of a group, or of all. */
async function applyAll({ server, scanner, results }: Parts, group?: Node): Promise<void> {
  const findings = group && isGroup(group) ? group.findings : results.findings();
  const files = [...new Set(findings.filter(verified).map((f) => f.uri))];
  if (files.length === 0) {
    void vscode.window.showInformationMessage("Headwater: there is no verified rewrite to apply.");
    return;
  }
  const confirm = "Apply";
  const question = `Apply every verified rewrite in ${plural(files.length, "file")}?`;
  if ((await vscode.window.showWarningMessage(question, { modal: true }, confirm)) !== confirm) {
    return;
  }
  const name = (uri: string) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
  const options = { location: vscode.ProgressLocation.Notification, title: "Headwater", cancellable: true };
  const { applied, problems } = await vscode.window.withProgress(options, (progress, cancel) =>
    applyMany(server, files, (uri) => {
      progress.report({ message: name(uri), increment: 100 / files.length });
      return !cancel.isCancellationRequested;
    }),
  );
  for (const uri of applied) {
    scanner.applied(uri);
  }
  if (problems.size > 0) {
    const listed = [...problems].map(([uri, why]) => `${uri ? `${name(uri)}: ` : ""}${why}`);
    void vscode.window.showWarningMessage(`Headwater: not applied: ${listed.join("; ")}.`);
  }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
