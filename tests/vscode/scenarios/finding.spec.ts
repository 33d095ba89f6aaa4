import { expect, test } from "../harness/test";

const THERE = 'best.filter((F.col("first") >= 90) & (F.col("second") >= 90)).show()';
/** Asked in no other test: what is proved once is known, and no hint any more. */
const FILTER = THERE.replaceAll("90", "88");

test("a filter that is typed gets dots, and a proof when the file is saved @smoke", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py", (workspace) => {
    workspace.write("top_scores.py", workspace.read("top_scores.py").replace(`${THERE}\n`, ""));
  });
  const lines = workbench.workspace.read("top_scores.py").split("\n").length;
  await workbench.goTo(lines, 1);
  await workbench.page.keyboard.type(FILTER);

  await expect(workbench.squiggles("hint")).toBeVisible();
  await expect(workbench.squiggles("info")).toHaveCount(0);
  await workbench.goTo(lines, 6);
  await workbench.showHover("HW190");

  await workbench.save();
  await expect(workbench.squiggles("info")).toBeVisible();
  await expect(workbench.squiggles("hint")).toHaveCount(0);
  const problems = await workbench.showProblems();
  await expect(problems.filter({ hasText: "score >= 88" })).toContainText("HW102");
});
