import { expect, test } from "../harness/test";

test.use({ settings: {}, environment: { PATH: "/nonexistent" } });

test("a message says what is missing and offers a way out", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py");
  const message = workbench.notification("Headwater needs Python 3.10 to 3.13");
  await expect(message).toBeVisible();
  await expect(message.getByRole("button", { name: "Choose Interpreter" })).toBeVisible();
  await expect(message.getByRole("button", { name: "Show Log" })).toBeVisible();
});
