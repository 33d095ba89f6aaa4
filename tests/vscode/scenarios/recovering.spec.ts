import { eventually } from "../harness/patience";
import { languageServers } from "../harness/processes";
import { expect, test } from "../harness/test";

const FILE = "top_scores.py";
/** One more than is forgiven within three minutes. */
const CRASHES = 6;

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

test("a server that ends again and again is given up, until somebody restarts it", async ({ open, server }) => {
  const workbench = await open("scores", FILE);
  const killed = new Set<number>();
  while (killed.size < CRASHES) {
    const fresh = () => languageServers(server.pid).find(({ pid }) => !killed.has(pid));
    const { pid } = await eventually(`server ${killed.size + 1}`, fresh);
    killed.add(pid);
    process.kill(pid, "SIGKILL");
  }
  const given = workbench.notification("ended again and again");
  await expect(given).toBeVisible();
  await expect(workbench.statusBar.getByRole("button", { name: /Headwater/ })).toBeVisible();

  await given.getByRole("button", { name: "Restart" }).click();
  await workbench.prove();
});
