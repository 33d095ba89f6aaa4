import { expect, type Locator, type Page } from "@playwright/test";
import { PATIENCE } from "./patience";
import type { Workspace } from "./workspace";

/** How a squiggle looks: three dots, a blue or a yellow wave. */
export type Squiggle = "hint" | "info" | "warning";

/** A VS Code window on one workspace. What it says of the editor's markup holds for VS Code 1.100. */
export class Workbench {
  readonly squiggles = (kind: Squiggle): Locator => this.page.locator(`.monaco-editor .squiggly-${kind}`);
  readonly hover: Locator;
  readonly problems: Locator;
  readonly statusBar: Locator;
  readonly notifications: Locator;

  constructor(
    readonly page: Page,
    readonly workspace: Workspace,
    private readonly url: string,
  ) {
    this.hover = page.locator(".monaco-hover:visible");
    this.problems = page.locator(".markers-panel .monaco-list-row");
    this.statusBar = page.locator(".part.statusbar");
    this.notifications = page.locator(".notification-toast");
  }

  /** Opens the window, with a file in it if one is named, and waits until both are there. */
  async open(file?: string): Promise<this> {
    const remote = `vscode-remote://${new URL(this.url).host}`;
    const query = new URLSearchParams({ folder: this.workspace.folder });
    const notebook = file?.endsWith(".ipynb");
    if (file && !notebook) query.set("payload", JSON.stringify([["openFile", remote + this.workspace.path(file)]]));
    await this.page.goto(`${this.url}/?${query}`);
    await expect(this.page.locator(".monaco-workbench .part.statusbar")).toBeVisible();
    if (file && notebook) await this.openNotebook(file);
    if (file) await expect(this.tab(file)).toBeVisible();
    return this;
  }

  /** Until the built-in extension for notebooks is known to a new window, a notebook opens as text. */
  private async openNotebook(file: string): Promise<void> {
    await this.patiently(async (little) => {
      await this.page
        .locator(".explorer-folders-view .monaco-list-row", { hasText: file })
        .dblclick({ timeout: little });
      await this.page
        .locator(".notebookOverlay .cell-list-container")
        .waitFor({ timeout: little })
        .catch(async (late) => {
          await this.run("View: Close All Editors");
          throw late;
        });
    });
  }

  tab(file: string): Locator {
    return this.page.locator(`.tab[data-resource-name="${file.split("/").at(-1)}"]`);
  }

  /** The line of the editor that has `text` in it. */
  line(text: string): Locator {
    return this.page.locator(".monaco-editor .view-line", { hasText: text.replaceAll(" ", "\u00a0") }).first();
  }

  /** Runs a command as a user does: by its title in the palette. */
  async run(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input.input");
    const row = this.page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ has: this.page.getByText(title, { exact: true }) });
    await this.patiently(async (little) => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await input.fill(`>${title}`, { timeout: little });
      await row.first().click({ timeout: little });
      await expect(input).toBeHidden({ timeout: little });
    });
  }

  /** Puts the cursor at a place of the file in front, both counted from one, and the focus into its editor. */
  async goTo(line: number, column: number): Promise<void> {
    const input = this.page.locator(".quick-input-widget input.input");
    const there = this.statusBar.getByText(`Ln ${line}, Col ${column}`, { exact: true });
    await this.patiently(async (little) => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+1");
      await this.page.keyboard.press("Control+G");
      await input.fill(`:${line}:${column}`, { timeout: little });
      await this.page.keyboard.press("Enter");
      await expect(there).toBeVisible({ timeout: little });
    });
  }

  /** Puts the cursor at the first place of `text` in the file, as it is on disk once the editor has written it. */
  async goToText(file: string, text: string): Promise<void> {
    let whole = "";
    await expect
      .poll(
        () => {
          whole = this.workspace.read(file);
          return whole;
        },
        { timeout: PATIENCE },
      )
      .toContain(text);
    const lines = (whole.split(text, 1)[0] ?? "").split("\n");
    await this.goTo(lines.length, (lines.at(-1) ?? "").length + 1);
  }

  async save(): Promise<void> {
    await this.page.keyboard.press("Control+S");
  }

  /** Saves once the server knows the file, and waits until `count` findings are proved, beside `hints` of rules that are hints. */
  async prove(count = 1, hints = 0): Promise<void> {
    await expect(this.squiggles("hint").or(this.squiggles("info")).first()).toBeVisible();
    await this.save();
    await expect(this.squiggles("info")).toHaveCount(count);
    await expect(this.squiggles("hint")).toHaveCount(hints);
  }

  /** The hover of what is at the cursor, once it says `text`. */
  async showHover(text: string | RegExp): Promise<Locator> {
    const hover = this.hover.filter({ hasText: text });
    await this.patiently(async (little) => {
      await this.page.keyboard.press("Control+K");
      await this.page.keyboard.press("Control+I");
      await expect(hover.first()).toBeVisible({ timeout: little });
    });
    return hover.first();
  }

  /** The rows of the menu of quick fixes at the cursor, once one of them says `text`. */
  async showQuickFixes(text: string | RegExp): Promise<Locator> {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    const menu = this.page.locator(".action-widget");
    await this.patiently(async (little) => {
      if (await menu.isVisible()) await this.page.keyboard.press("Escape"); // Anywhere else it would leave the cell of a notebook.
      await this.page.keyboard.press("Control+Period");
      await expect(rows.filter({ hasText: text }).first()).toBeVisible({ timeout: little });
    });
    return rows;
  }

  /** Chooses the quick fix that says `text`, by its keys. */
  async quickFix(text: string | RegExp): Promise<void> {
    const rows = await this.showQuickFixes(text);
    const wanted = rows.filter({ hasText: text }).first();
    const focused = this.page.locator(".action-widget .monaco-list-row.focused");
    await expect(focused).toBeVisible();
    await this.patiently(async (little) => {
      if (!/focused/.test((await wanted.getAttribute("class")) ?? "")) {
        await this.page.keyboard.press("ArrowDown");
        await expect(wanted).toHaveClass(/focused/, { timeout: little / 10 });
      }
    });
    await this.page.keyboard.press("Enter");
    await expect(this.page.locator(".action-widget")).toBeHidden();
  }

  async showProblems(): Promise<Locator> {
    await this.run("View: Focus Problems (Errors, Warnings, Infos)");
    return this.problems;
  }

  /** The body of the page in the webview. */
  webview(): Locator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame").locator("body");
  }

  /** The rows of the tree in the side bar, as many of them as fit into it. */
  tree(text?: string | RegExp): Locator {
    const rows = this.page.locator(".part.sidebar .pane-body .monaco-list-row");
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /** A message, or the progress of something, in the lower right corner. */
  notification(text: string | RegExp): Locator {
    return this.notifications.filter({ hasText: text }).first();
  }

  /** The file on disk, once it is as expected. */
  async expectOnDisk(file: string, text: string): Promise<void> {
    await expect.poll(() => this.workspace.read(file), { timeout: PATIENCE }).toBe(text);
  }

  /** Tries again as a whole what something that opens late can interrupt. */
  private async patiently(action: (little: number) => Promise<void>): Promise<void> {
    await expect(() => action(PATIENCE / 6)).toPass({ timeout: PATIENCE, intervals: [0] });
  }
}
