import { expect, test } from "../harness/test";

interface Notebook {
  readonly cells: readonly { readonly source: readonly string[] }[];
}

test("cells are one program: the squiggle is in one cell, the rewrite in two", async ({ open }) => {
  const workbench = await open("notebook", "top_scores.ipynb");
  const cells = workbench.page.locator(".notebookOverlay .cell-list-container .monaco-list-row");
  const filter = cells.filter({ hasText: "best.filter" });
  await expect(filter.locator(".view-line").first()).toBeVisible();
  await filter.locator(".view-line").first().click();
  await workbench.prove();
  await expect(filter.locator(".squiggly-info")).toBeVisible();

  await filter.locator(".view-line").getByText("filter").first().click();
  await workbench.quickFix("before `applyInPandas`");
  await expect(filter).toContainText('best.filter(F.col("second").isNotNull()).show()'.replaceAll(" ", "\u00a0"));
  await workbench.save();
  await expect(() => {
    const { cells } = JSON.parse(workbench.workspace.read("top_scores.ipynb")) as Notebook; // Half of a file is no JSON.
    expect(cells.map((cell) => cell.source.at(-1))).toEqual([
      "Teams whose two best scores are both 90 or more.",
      "from pyspark.sql import functions as F",
      '    return pd.DataFrame([{"team": key[0], "first": first, "second": second}])',
      'best = scores.filter(F.col("score") >= 90).groupBy("team").applyInPandas(top2, "team string, first double, second double")',
      'best.filter(F.col("second").isNotNull()).show()',
    ]);
  }).toPass();
  await expect(filter.locator(".squiggly-info")).toHaveCount(0);
});
