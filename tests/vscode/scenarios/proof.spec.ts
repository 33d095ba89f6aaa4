import { golden } from "../harness/golden";
import { expect, test } from "../harness/test";

const FILE = "top_scores.py";
const FILTER = 'filter((F.col("first")';

test("the proof view shows the pipeline, the invariant and the conditions, and applies the rewrite", async ({
  open,
  page,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text()) && /headwater|proof/i.test(message.text()))
      refused.push(message.text());
  });
  const workbench = await open("scores", FILE);
  await workbench.prove();
  await workbench.goToText(FILE, FILTER);
  await workbench.run("Headwater: Show Proof");

  const proof = workbench.webview();
  await expect(proof.getByRole("heading", { level: 1 })).toContainText(
    "score >= 90 can run before applyInPandas(top2)",
  );
  await expect(proof.getByText("Proved for every input that the original program runs on.")).toBeVisible();
  const pipeline = proof.getByRole("group", { name: /The pipeline, from the source on/ });
  await expect(pipeline).toContainText('F.col("score") >= 90');
  await expect(pipeline).toContainText("top2");
  await expect(proof.getByRole("region", { name: "Why it is safe" })).toContainText(
    "second2 IS NOT NULL ⟹ first2 >= 90",
  );
  const conditions = proof.getByRole("region", { name: "Conditions" }).getByRole("row");
  await expect(conditions.filter({ hasText: "proved" })).toHaveCount(6);
  await expect(proof.getByRole("region", { name: "Before and after" })).toContainText(
    'best.filter(F.col("second").isNotNull()).show()',
  );

  await proof.getByRole("button", { name: "Apply the rewrite" }).click();
  await expect(workbench.line('best.filter(F.col("second").isNotNull()).show()')).toBeVisible();
  await workbench.goTo(1, 1);
  await workbench.save();
  await workbench.expectOnDisk(FILE, golden(FILE));
  expect(refused).toEqual([]);
});

test("a box of the pipeline leads to its place by the keyboard", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  await workbench.goToText(FILE, FILTER);
  await workbench.run("Headwater: Show Proof");
  const box = workbench.webview().getByRole("link", { name: /top2/ }).first();
  await box.focus();
  await box.press("Enter");
  await expect(workbench.statusBar.getByText(/^Ln 25, Col/)).toBeVisible();
});

test("the hover links to the proof view", async ({ open }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  await workbench.goToText(FILE, FILTER);
  const hover = await workbench.showHover("Show the proof");
  await hover.getByText("Show the proof").click();
  await expect(workbench.webview().getByRole("heading", { level: 1 })).toContainText("score >= 90");
});

test("the code lens, where it is on, links to the proof view", async ({ open }) => {
  const workbench = await open("scores", FILE, (workspace) => workspace.settings({ "headwater.codeLens": true }));
  await workbench.prove();
  await workbench.page.locator(".codelens-decoration a", { hasText: "can run before applyInPandas(top2)" }).click();
  await expect(workbench.webview().getByRole("heading", { level: 1 })).toContainText("score >= 90");
});
