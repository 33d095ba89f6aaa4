import { languageServers } from "../harness/processes";
import { expect, test } from "../harness/test";

test("the packed extension brings its server along, and asks no network @smoke", async ({ open, server }) => {
  test.skip(!!process.env.HEADWATER_INTERPRETER, "another server was asked for");
  if (process.env.HEADWATER_OFFLINE) await expect(fetch("https://pypi.org/simple/")).rejects.toThrow("fetch failed");
  const workbench = await open("scores", "top_scores.py");
  await workbench.prove();
  const [running] = languageServers(server.pid);
  expect(running?.command).toContain(`${server.home}/extensions/`);
});
