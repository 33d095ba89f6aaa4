import { eventually } from "../harness/patience";
import { languageServers } from "../harness/processes";
import { expect, test } from "../harness/test";

const FILE = "top_scores.py";

test("a server that is killed is started again and knows the open files", async ({ open, server }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  const first = await eventually("a server", () => languageServers(server.pid)[0]);
  process.kill(first.pid, "SIGKILL");
  await eventually("another server", () => languageServers(server.pid).some(({ pid }) => pid !== first.pid));

  await workbench.goToText(FILE, "90) & (");
  await workbench.page.keyboard.type("1");
  await expect(workbench.squiggles("hint")).toBeVisible();
  await workbench.prove();
  await workbench.goToText(FILE, 'filter((F.col("first")');
  await workbench.showHover("Why it is safe");
});

test("the server and its workers end with the window", async ({ open, server }) => {
  const workbench = await open("scores", FILE);
  await workbench.prove();
  expect(languageServers(server.pid)).toHaveLength(1);
  await workbench.page.goto("about:blank");
  await eventually("no server left", () => languageServers(server.pid).length === 0);
});
