import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/test";
import type { Workbench } from "../harness/workbench";
import { REPOSITORY } from "../harness/workspace";

const IMAGES = join(REPOSITORY, "docs", "images");
const FILE = "top_scores.py";
const FILTER = 'filter((F.col("first")';

async function picture(workbench: Workbench, name: string): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  await workbench.page.screenshot({ path: join(IMAGES, `${name}.png`), caret: "hide", animations: "disabled" });
}

test("typing, hover, quick fix @pictures", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await expect(workbench.squiggles("hint")).toBeVisible();
  await workbench.goToText(FILE, FILTER);
  await picture(workbench, "possible");
  await workbench.prove();
  await picture(workbench, "proved");
  await workbench.showHover("Why it is safe");
  await picture(workbench, "hover");
  await workbench.page.keyboard.press("Escape");
  await workbench.showQuickFixes("before `applyInPandas`");
  await picture(workbench, "quick-fix");
  await workbench.quickFix("before `applyInPandas`");
  await expect(workbench.line('best.filter(F.col("second").isNotNull()).show()')).toBeVisible();
  await workbench.save();
  await expect(workbench.squiggles("info")).toHaveCount(0);
  await picture(workbench, "fixed");
});

test("proof view @pictures", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  await workbench.goToText(FILE, FILTER);
  await workbench.run("View: Toggle Primary Side Bar Visibility");
  await workbench.run("Headwater: Show Proof");
  await expect(workbench.webview().getByRole("heading", { level: 1 })).toBeVisible();
  await picture(workbench, "proof");
});

test("scan @pictures", async ({ open }) => {
  const workbench = await open("examples");
  await workbench.run("Headwater: Scan Workspace");
  await expect(workbench.notification("Headwater: 8 findings in 8 filters of 8 PySpark files, 8 files in all.")).toBeVisible();
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8);
  await workbench.tree("before agg").click();
  await expect(workbench.tab("peak_payments.py")).toBeVisible();
  await workbench.showProblems();
  await expect(workbench.problems.filter({ hasText: "amount >= 950000" })).toBeVisible();
  await picture(workbench, "scan");
});

test("notebook @pictures", async ({ open }) => {
  const workbench = await open("notebook", "top_scores.ipynb");
  const filter = workbench.page.locator(".notebookOverlay .view-line").getByText("filter").first();
  await filter.click();
  await workbench.prove();
  await expect(workbench.statusBar.getByText("Headwater: 1")).toBeVisible();
  await picture(workbench, "notebook");
});
