/** The view of what a scan found. */

import * as vscode from "vscode";
import {
  applicable,
  duration,
  type Group,
  type Grouping,
  grouped,
  icon,
  speedUp,
  title,
  tooltip,
  verified,
} from "./grouping.ts";
import type { Finding, Results } from "./results.ts";

const SETTLE_MS = 100;
const APART_MS = 1_000;

export type Node = Group | Finding;

export const isGroup = (node: Node): node is Group => "findings" in node;

export class FindingsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private by: Grouping = "file";
  private pending: NodeJS.Timeout | undefined;
  private refreshed = 0;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly results: Results) {}

  get grouping(): Grouping {
    return this.by;
  }

  group(by: Grouping): void {
    this.by = by;
    this.changed.fire();
  }

  /**
   * Show what is known now; many calls in a row are one. VS Code forgets the commands of all rows when a tree changes,
   * so that a click while it draws them anew says that there is none: it does so rarely.
   */
  refresh(): void {
    const pause = Math.max(SETTLE_MS, this.refreshed + APART_MS - Date.now());
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      this.refreshed = Date.now();
      this.changed.fire();
    }, pause);
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      return grouped(this.results.findings(), this.by, (path) => vscode.workspace.asRelativePath(path));
    }
    return isGroup(node) ? [...node.findings] : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return isGroup(node) ? this.groupItem(node) : findingItem(node, this.by !== "file");
  }

  dispose(): void {
    clearTimeout(this.pending);
    this.changed.dispose();
  }

  private groupItem(group: Group): vscode.TreeItem {
    const item = new vscode.TreeItem(group.label, vscode.TreeItemCollapsibleState.Expanded);
    const count = group.findings.length;
    item.id = `${this.by}:${group.key}`;
    item.description = String(count);
    item.contextValue = group.findings.some(verified) ? "group.applicable" : "group";
    item.accessibilityInformation = { label: `${group.label}, ${count} ${count === 1 ? "finding" : "findings"}` };
    if (this.by === "file") {
      item.resourceUri = vscode.Uri.parse(group.key);
      item.iconPath = vscode.ThemeIcon.File;
    }
    return item;
  }
}

function findingItem(finding: Finding, withFile: boolean): vscode.TreeItem {
  const { code, status, id } = finding.opportunity;
  const item = new vscode.TreeItem(title(finding));
  const at = withFile ? `${vscode.workspace.asRelativePath(finding.path)}:${finding.place}` : finding.place;
  const gain = speedUp(finding);
  item.id = `${finding.uri}#${id}`;
  item.description = [code, at, status === "assumed" ? status : "", duration(finding), gain > 0 ? `${gain}×` : ""]
    .filter(Boolean)
    .join(" · ");
  item.tooltip = tooltip(finding);
  item.contextValue = applicable(finding) ? "finding.applicable" : "finding";
  item.iconPath = new vscode.ThemeIcon(icon(finding));
  item.command = { command: "headwater.revealFinding", title: "Reveal", arguments: [finding] };
  item.accessibilityInformation = { label: `${tooltip(finding)}, ${code}, at ${at}` };
  return item;
}
