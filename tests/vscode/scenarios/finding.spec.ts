import { expect, test } from "../harness/test";

const FILTER = 'best.filter((F.col("first") >= 90) & (F.col("second") >= 90)).show()';

test("a filter that is typed gets dots, and a proof when the file is saved @smoke", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py", (workspace) => {
    workspace.write("top_scores.py", workspace.read("top_scores.py").replace(`${FILTER}\n`, ""));
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
  await expect(problems.filter({ hasText: "score >= 90" })).toContainText("HW102");
});
