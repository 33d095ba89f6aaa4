import { expect, test } from "../harness/test";

test("the hover tells what moves, why that is safe and what was proved", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py");
  await workbench.prove();
  await workbench.goToText("top_scores.py", 'filter((F.col("first")');
  const hover = await workbench.showHover("Why it is safe");

  await expect(hover).toContainText("HW102");
  await expect(hover).toContainText('F.col("score") >= 90');
  await expect(hover).toContainText('F.col("second").isNotNull()');
  await expect(hover).toContainText(/whenever the original's (first|second) ≥ 90, both runs agree on it/);
  await expect(hover).toContainText("second2 IS NOT NULL ⟹ first2 >= 90");
  for (const condition of ["Init", "Sync", "Stutter", "Safe", "Final"]) {
    await expect(hover).toContainText(`${condition} (proved`);
  }
});

test("the mouse over the squiggle gives the diagnostic", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py");
  await workbench.prove();
  const squiggle = workbench.squiggles("info").first();
  const box = (await squiggle.boundingBox())!;
  await workbench.page.mouse.move(box.x + 20, box.y + box.height / 2 - 4, { steps: 5 });
  await expect(workbench.hover.first()).toContainText(
    "HW102 split-pushdown: score >= 90 can run before applyInPandas(top2)",
  );
});
