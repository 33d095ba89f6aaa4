import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/test";
import { Workbench } from "../harness/workbench";
import { REPOSITORY, Workspace } from "../harness/workspace";

const RUNS = Number(process.env.HEADWATER_RUNS ?? 5);
const FILE = "top_scores.py";
const RESULTS = join(REPOSITORY, "benchmarks", "vscode", "results");

interface Opening {
  /** From the request for the window to the text of the file, coloured: the editor's own start. */
  readonly editor: number;
  /** From there to the first squiggle. */
  readonly beyond: number;
  /** What the editor says of the activation of the extension. */
  readonly activation: number;
}

test("a window opened on a folder", async ({ browser, server, vsix }) => {
  const openings: Opening[] = [];
  for (let run = 0; run < RUNS; run++) {
    const workspace = new Workspace("scores");
    // Another program every time, so that nothing of it is remembered.
    workspace.write(FILE, workspace.read(FILE).replaceAll("90", String(90 + run)));
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const workbench = new Workbench(await context.newPage(), workspace, server.url);
    const start = performance.now();
    await workbench.open(FILE);
    await expect(workbench.page.locator('.view-line span[class*="mtk"]').nth(20)).toBeVisible();
    const editor = performance.now() - start;
    await workbench.squiggles("hint").first().waitFor();
    const beyond = performance.now() - start - editor;
    openings.push({ editor, beyond, activation: await activation(workbench) });
    await context.close();
    workspace.remove();
  }
  const of = (name: keyof Opening) => ({
    median: Math.round(openings.map((o) => o[name]).sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0),
    each: openings.map((o) => Math.round(o[name])),
  });
  const found = {
    machine: machine(),
    "vsix megabytes": vsix === null ? null : Math.round(statSync(vsix).size / 1e5) / 10,
    "milliseconds to the coloured text": of("editor"),
    "milliseconds from there to the first diagnostic": of("beyond"),
    "milliseconds of activation, as the editor says": of("activation"),
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "vscode.json"), `${JSON.stringify(found, null, 2)}\n`);
  console.log(JSON.stringify(found, null, 2));
});

/** Milliseconds, from the editor's list of running extensions. */
async function activation(workbench: Workbench): Promise<number> {
  await workbench.run("Developer: Show Running Extensions");
  const row = workbench.page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: /headwater/i }).first();
  await expect(row).toContainText(/Activation: \d+ms/);
  return Number(/Activation: (\d+)ms/.exec((await row.textContent()) ?? "")?.[1]);
}

function machine(): unknown {
  const code = "import json; from benchmarks.synthesis.machine import describe; print(json.dumps(describe()))";
  return JSON.parse(
    execFileSync(join(REPOSITORY, ".venv", "bin", "python"), ["-c", code], { cwd: REPOSITORY, encoding: "utf8" }),
  );
}
