import { mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../harness/patience";
import { languageServers } from "../harness/processes";
import { expect, test } from "../harness/test";
import { REPOSITORY } from "../harness/workspace";

const folder = mkdtempSync(join(tmpdir(), "headwater-python-"));
const chosen = join(folder, "chosen");
const choose = (python: string): void => writeFileSync(chosen, python);
const python = realpathSync(process.env.PYTHON ?? join(REPOSITORY, ".venv", "bin", "python"));
choose("");

test.use({
  settings: {},
  environment: { PATH: "/nonexistent", CHOSEN_PYTHON: chosen },
  others: [join(REPOSITORY, "tests", "vscode", "extensions", "python")],
});

test("the interpreter of the Python extension runs the server, and another when that is chosen", async ({
  open,
  server,
}) => {
  const workbench = await open("scores", "top_scores.py");
  await expect(workbench.notification("Headwater needs Python 3.10 to 3.13")).toBeVisible();

  const first = join(folder, "first-python");
  symlinkSync(python, first);
  choose(first);
  await workbench.prove();
  const one = await eventually("a server", () => languageServers(server.pid)[0]);

  const second = join(folder, "second-python");
  symlinkSync(python, second);
  choose(second);
  await eventually("another server", () => languageServers(server.pid).find(({ pid }) => pid !== one.pid));
});
