import { chmodSync, existsSync } from "node:fs";
import { eventually } from "../harness/patience";
import { expect, test } from "../harness/test";
import type { Workspace } from "../harness/workspace";

test.use({ asksForTrust: true });

/** A workspace that brings an interpreter of its own, which leaves a file behind when it is run. */
function hostile(workspace: Workspace): void {
  workspace.write("python", `#!/bin/sh\ntouch '${workspace.path("was-run")}'\nexit 1\n`);
  chmodSync(workspace.path("python"), 0o755);
  workspace.settings({ "headwater.interpreter": workspace.path("python") });
}

test("in a workspace that is not trusted, findings are shown and nothing of it is run", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py", hostile);
  await workbench.page.locator(".monaco-dialog-box").getByRole("button", { name: "No, I don't trust" }).click();
  await expect(workbench.statusBar.getByText("Restricted Mode")).toBeVisible();
  await workbench.prove();
  expect(existsSync(workbench.workspace.path("was-run"))).toBe(false);
});

test("in a workspace that is trusted, its settings count", async ({ open }) => {
  const workbench = await open("scores", "top_scores.py", hostile);
  await workbench.page.locator(".monaco-dialog-box").getByRole("button", { name: "Yes, I trust" }).click();
  await eventually("the interpreter of the workspace is run", () => existsSync(workbench.workspace.path("was-run")));
  await expect(workbench.notification(/Headwater/)).toBeVisible();
  await expect(workbench.notification(/Headwater/).getByRole("button", { name: "Choose Interpreter" })).toBeVisible();
});
