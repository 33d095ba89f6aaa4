import { expect, type Open, test } from "../harness/test";
import type { Workbench } from "../harness/workbench";

async function scanned(open: Open): Promise<Workbench> {
  const workbench = await open("examples");
  await workbench.run("Headwater: Scan Workspace");
  await expect(workbench.notification("Headwater: 8 findings in 8 filters of 8 PySpark files, 8 files in all.")).toBeVisible();
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8); // A row that moves is not what is clicked.
  return workbench;
}

test("the tree goes to a finding, groups anew and applies a rewrite", async ({ open }) => {
  const workbench = await scanned(open);
  const finding = workbench.tree('F.col("amount") >= 950000 before agg');

  await finding.click();
  await expect(workbench.tab("peak_payments.py")).toBeVisible();
  await expect(workbench.line('return peaks.filter(F.col("peak") >= 950_000)')).toBeVisible();

  await workbench.run("Headwater: Group by Code");
  await expect(workbench.tree("HW101 exact-pushdown")).toBeVisible();
  await expect(workbench.tree("HW102 split-pushdown")).toBeVisible();

  await finding.hover();
  await finding.getByRole("button", { name: "Apply Rewrite" }).click();
  await expect(workbench.line('payments.filter(F.col("amount") >= 950000)')).toBeVisible();
  await expect(finding).toHaveCount(0);
  await expect(workbench.tree('F.col("score") >= 90 before applyInPandas(top2)')).toBeVisible();
});

test("every verified rewrite of the scan is applied at once, after a question", async ({ open }) => {
  const workbench = await scanned(open);
  await workbench.run("Headwater: Apply All Verified Rewrites of the Scan");
  const question = workbench.page.getByRole("dialog");
  await expect(question).toContainText("Apply every verified rewrite in 8 files?");
  await question.getByRole("button", { name: "Apply" }).click();

  await expect(workbench.tree()).toHaveCount(0);
  await workbench.run("File: Save All Files");
  await expect
    .poll(() => workbench.workspace.read("peak_payments.py"))
    .toContain('payments.filter(F.col("amount") >= 950000).groupBy("account")');
  await expect
    .poll(() => workbench.workspace.read("categories.py"))
    .not.toBe(workbench.workspace.original("categories.py"));
});

test("the scan can be written to a page", async ({ open }) => {
  const workbench = await scanned(open);
  await workbench.run("Headwater: Export Scan as HTML");
  const path = workbench.page.locator(".quick-input-widget input.input");
  await expect(path).toHaveValue(/headwater\.html$/);
  await workbench.page.keyboard.press("Enter");
  await expect(workbench.notification("Headwater: written to")).toBeVisible();

  const page = workbench.workspace.read("headwater.html");
  await workbench.page.goto("about:blank");
  await workbench.page.setContent(page);
  await expect(workbench.page.getByRole("heading", { level: 1 })).toHaveText("Work that nobody needs");
  await expect(workbench.page.getByText("peak_payments.py").first()).toBeVisible();
});
