import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/test";
import type { Workbench } from "../harness/workbench";
import { REPOSITORY, type Workspace } from "../harness/workspace";

const SCAN = "Headwater: Scan Workspace";
const MANY = 40;

/** Files with a proof of its own each: no cache helps. */
function many(workspace: Workspace, count = MANY): void {
  const source = readFileSync(join(REPOSITORY, "examples", "open_close.py"), "utf8");
  for (let i = 0; i < count; i++) workspace.write(`job${i}.py`, source.replace(">= 6000", `>= ${6000 + i}`));
}

test("a scan fills the tree and the list of problems", async ({ open }) => {
  const workbench = await open("examples");
  await workbench.run(SCAN);
  await expect(workbench.notification("Headwater: 8 findings in 8 filters of 8 PySpark files, 8 files in all.")).toBeVisible();

  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8);
  await expect(workbench.tree("HW102")).toHaveCount(3);
  await expect(workbench.tree("HW101")).toHaveCount(5);
  await expect(workbench.tree('F.col("score") >= 90 before applyInPandas(top2)')).toBeVisible();
  const problems = await workbench.showProblems();
  // The first of the list: only what is in sight has rows.
  await expect(problems.filter({ hasText: "price * 0.9D >= 900" })).toContainText("HW101");
  await expect(problems.filter({ hasText: "day <= 7 OR day >= 2184" })).toContainText("HW102");
});

test("a scan shows progress, and stops when it is cancelled", async ({ open }) => {
  const workbench = await open("scores", undefined, (workspace) => many(workspace));
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

/** Makes what the filter of `file` reads something that cannot be pushed, and saves that. */
async function spoil(workbench: Workbench, file: string): Promise<void> {
  await workbench.goToText(file, 'max("amount")');
  for (const key of ["Delete", "Delete", "Delete"]) await workbench.page.keyboard.press(key);
  await workbench.page.keyboard.type("sum");
  await workbench.save();
  await expect.poll(() => workbench.workspace.read(file)).toContain('sum("amount")');
}

test("after a scan, a file that is saved is looked at again", async ({ open }) => {
  const workbench = await open("examples", "peak_payments.py");
  await workbench.run(SCAN);
  await expect(workbench.notification("Headwater: 8 findings in 8 filters of 8 PySpark files, 8 files in all.")).toBeVisible();
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(8);
  await spoil(workbench, "peak_payments.py");
  await expect(workbench.tree("peak_payments.py")).toHaveCount(0);
  await expect(workbench.tree(/^\w+\.py/)).toHaveCount(7);
});

test("a file that is saved during a scan is looked at again when that is over", async ({ open }) => {
  const file = "a_first_one.py";
  const workbench = await open("examples", file, (workspace) => {
    many(workspace, 5);
    workspace.write(file, workspace.read("peak_payments.py"));
  });
  await workbench.run(SCAN);
  await expect(workbench.tree(file)).toBeVisible();
  await spoil(workbench, file);
  expect(await workbench.notification(/Headwater: \d+ findings/).count(), "the scan is still running").toBe(0);
  await expect(workbench.notification(/Headwater: \d+ findings/)).toBeVisible();
  await expect(workbench.tree(file)).toHaveCount(0);
});
