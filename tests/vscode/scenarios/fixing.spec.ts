import { golden } from "../harness/golden";
import { expect, test } from "../harness/test";

const FILE = "top_scores.py";
const FILTER = 'filter((F.col("first")';

test("Ctrl+. applies the rewrite, and then there is nothing left to find @smoke", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  await workbench.goToText(FILE, FILTER);
  await workbench.quickFix("before `applyInPandas`");
  await expect(workbench.line('best.filter(F.col("second").isNotNull()).show()')).toBeVisible();
  await workbench.save();

  await workbench.expectOnDisk(FILE, golden(FILE));
  await expect(workbench.squiggles("info")).toHaveCount(0);
  await expect(workbench.squiggles("hint")).toHaveCount(0);
});

test("the pre-filter alone can be added", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  const before = workbench.workspace.original(FILE);
  await workbench.goToText(FILE, FILTER);
  await workbench.quickFix("only add the pre-filter");
  await expect(workbench.line('scores.filter(F.col("score") >= 90)')).toBeVisible();
  await workbench.save();

  await workbench.expectOnDisk(
    FILE,
    before.replace('scores.groupBy("team")', 'scores.filter(F.col("score") >= 90).groupBy("team")'),
  );
});

test("a finding can be ignored on its line", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  const before = workbench.workspace.original(FILE);
  await workbench.goToText(FILE, FILTER);
  await workbench.quickFix("ignore HW102 here");
  await expect(workbench.line("# headwater: ignore[HW102]")).toBeVisible();
  await workbench.save();

  await workbench.expectOnDisk(FILE, before.replace(".show()\n", ".show()  # headwater: ignore[HW102]\n"));
  await expect(workbench.squiggles("info")).toHaveCount(0);
});

test("an unproved finding has no rewrite on offer", async ({ open }) => {
  const workbench = await open("scores", FILE, (workspace) => {
    workspace.write(FILE, workspace.read(FILE).replaceAll("90", "70")); // Not proved by the tests before.
  });
  await expect(workbench.squiggles("hint")).toBeVisible();
  await workbench.goToText(FILE, FILTER);
  const rows = await workbench.showQuickFixes("ignore HW190 here");
  await expect(rows.filter({ hasText: "before" })).toHaveCount(0);
});

test("one command applies every verified rewrite of a file @smoke", async ({ open }) => {
  const workbench = await open("league", "league.py");
  await workbench.prove(2);
  await workbench.goTo(1, 1);
  await workbench.run("Headwater: Apply All Verified Rewrites in File");
  await expect(workbench.line("peaks.show()  # a comment that must stay")).toBeVisible();
  await workbench.save();

  await workbench.expectOnDisk("league.py", golden("league.py"));
  await expect(workbench.squiggles("info")).toHaveCount(0);
});

test("Fix All of the editor does the same", async ({ open }) => {
  const workbench = await open("league", "league.py");
  await workbench.prove(2);
  await workbench.goTo(1, 1);
  await workbench.run("Fix All");
  await expect(workbench.line("peaks.show()  # a comment that must stay")).toBeVisible();
  await workbench.save();

  await workbench.expectOnDisk("league.py", golden("league.py"));
});

test("one undo takes all of it back", async ({ open }) => {
  const workbench = await open("league", "league.py");
  await workbench.prove(2);
  const before = workbench.workspace.original("league.py");
  await workbench.goTo(1, 1);
  await workbench.run("Fix All");
  await expect(workbench.line("peaks.show()  # a comment that must stay")).toBeVisible();
  await workbench.goTo(1, 1);
  await workbench.page.keyboard.press("Control+Z");
  await expect(workbench.line('peaks.filter(F.col("peak") >= 950_000)')).toBeVisible();
  await workbench.save();
  await workbench.expectOnDisk("league.py", before);
});
