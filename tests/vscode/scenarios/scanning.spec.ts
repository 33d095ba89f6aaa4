import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/test";
import { REPOSITORY, type Workspace } from "../harness/workspace";

const SCAN = "Headwater: Scan Workspace";
const MANY = 40;

/** Files with a proof of its own each: no cache helps. */
function many(workspace: Workspace): void {
  const source = readFileSync(join(REPOSITORY, "examples", "open_close.py"), "utf8");
  for (let i = 0; i < MANY; i++) workspace.write(`job${i}.py`, source.replace(">= 6000", `>= ${6000 + i}`));
}

test("a scan fills the tree and the list of problems", async ({ open }) => {
  const workbench = await open("examples");
  await workbench.run(SCAN);
  await expect(workbench.notification("Headwater: 8 findings in 8 files.")).toBeVisible();

  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8);
  await expect(workbench.tree("HW102")).toHaveCount(3);
  await expect(workbench.tree("HW101")).toHaveCount(5);
  await expect(workbench.tree('F.col("score") >= 90 before applyInPandas(top2)')).toBeVisible();
  const problems = await workbench.showProblems();
  // The first of the list: only what is in sight has rows.
  await expect(problems.filter({ hasText: "price * 0.9D >= 900" })).toContainText("HW101");
  await expect(problems.filter({ hasText: "day <= 7 OR day >= 2184" })).toContainText("HW102");
});

test("the tree goes to a finding, groups anew and applies a rewrite", async ({ open }) => {
  const workbench = await open("examples");
  await workbench.run(SCAN);
  await expect(workbench.notification("Headwater: 8 findings in 8 files.")).toBeVisible();
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8); // A row that moves is not what is clicked.
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

test("a scan shows progress, and stops when it is cancelled", async ({ open }) => {
  const workbench = await open("scores", undefined, many);
  await workbench.run(SCAN);
  const progress = workbench.notification(new RegExp(`\\d of ${MANY + 1}: \\w+\\.py`));
  await expect(progress).toBeVisible();
  await progress.hover();
  await progress.getByRole("button", { name: "Cancel" }).click();
  await expect(progress).toBeHidden();

  await expect(workbench.notification(/Headwater: \d+ findings/)).toHaveCount(0);
  const found = await workbench.tree(/^job\d+\.py/).count();
  expect(found).toBeLessThan(MANY);
});

test("after a scan, a file that is saved is looked at again", async ({ open }) => {
  const workbench = await open("examples");
  await workbench.run(SCAN);
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8);
  const file = "peak_payments.py";
  await workbench.tree('F.col("amount") >= 950000 before agg').click();
  await expect(workbench.tab(file)).toBeVisible();
  await workbench.goToText(file, 'max("amount")');
  for (const key of ["Delete", "Delete", "Delete"]) await workbench.page.keyboard.press(key);
  await workbench.page.keyboard.type("sum");
  await workbench.save();
  await expect(workbench.tree(file)).toHaveCount(0);
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(7);
});
