import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { Backoff } from "../src/server/backoff.ts";
import { candidates, choose, type Interpreter, MODULES, type Surroundings } from "../src/server/candidates.ts";
import { inside, pythonsOnPath } from "../src/server/path.ts";
import { probe } from "../src/server/probe.ts";

const NOTHING: Surroundings = {
  setting: undefined,
  bundle: undefined,
  target: "linux-x64",
  own: undefined,
  workspace: [],
  path: [],
};
const LAUNCHER = "/extension/launcher.py";
const BUNDLE = { launcher: LAUNCHER, target: "linux-x64" };

function python(version: [number, number, number], missing: readonly string[] = MODULES): Interpreter {
  return { executable: "/real/python", version, missing };
}

const found = (s: Partial<Surroundings>) =>
  candidates({ ...NOTHING, ...s }).map((c) => `${c.origin} ${c.python}${c.launcher ? " launched" : ""}`);

test("the bundled server comes before installed ones, and the workspace's Python before those on PATH", () => {
  assert.deepEqual(found({ bundle: BUNDLE, own: "own", workspace: ["w"], path: ["p", "q"] }), [
    "bundled w launched",
    "bundled p launched",
    "bundled q launched",
    "own own launched",
    "workspace w",
    "path p",
    "path q",
  ]);
});

test("a setting stands alone, with the bundled server if it has none of its own", () => {
  assert.deepEqual(found({ setting: "s", workspace: ["w"], path: ["p"] }), ["setting s"]);
  assert.deepEqual(found({ setting: "s", bundle: BUNDLE, own: "own", workspace: ["w"] }), [
    "setting s",
    "setting s launched",
  ]);
});

test("libraries that were built for another machine, or did not come along, are not used", () => {
  for (const target of ["darwin-arm64", undefined]) {
    const bundle = { launcher: LAUNCHER, target };
    assert.deepEqual(found({ bundle, own: "own", path: ["p"] }), ["own own launched", "path p"]);
  }
});

test("what is chosen is the first that can run, and each Python is asked once", async () => {
  const pythons: Record<string, Interpreter> = {
    old: python([3, 9, 18], []),
    new: python([3, 14, 0], []),
    bare: python([3, 12, 1]),
    full: python([3, 10, 0], []),
  };
  const asked: string[] = [];
  const ask = async (name: string) => {
    asked.push(name);
    return pythons[name];
  };
  const path = ["absent", "old", "new", "bare", "full"];
  const installed = await choose(candidates({ ...NOTHING, path }), ask);
  assert.deepEqual(asked, path);
  assert.equal(installed.found?.python, "full");
  assert.deepEqual(installed.found?.args, ["-I", "-m", "headwater", "lsp"]);
  assert.equal(installed.problems.length, 4);
  assert.match(installed.problems.join("\n"), /absent does not run\nold is Python 3.9.18; .* 3.10 to 3.13\nnew is/);

  asked.length = 0;
  const bundled = await choose(candidates({ ...NOTHING, bundle: BUNDLE, path: ["old", "bare"] }), ask);
  assert.deepEqual(bundled.found?.args, ["-I", LAUNCHER]);
  assert.deepEqual([bundled.found?.command, bundled.found?.version], ["/real/python", "3.12.1"]);

  const none = await choose(candidates({ ...NOTHING, path: ["old", "bare"] }), ask);
  assert.equal(none.found, undefined);
  assert.equal(none.python, "/real/python");
  assert.match(none.problems[1] ?? "", /^bare \(Python 3.12.1\) lacks headwater\[lsp\]$/);
  assert.equal((await choose(candidates({ ...NOTHING, path: ["old"] }), ask)).python, undefined);
});

test("the environment of our own needs the libraries only", async () => {
  const own = python([3, 11, 0], ["headwater", "headwater_ir", "typer"]);
  const s = { ...NOTHING, bundle: { launcher: LAUNCHER, target: undefined }, own: "own" };
  assert.equal((await choose(candidates(s), async () => own)).found?.origin, "own");
  const broken = { ...own, missing: [...own.missing, "z3"] };
  assert.match((await choose(candidates(s), async () => broken)).problems[0] ?? "", /lacks z3$/);
});

test("a pause doubles with every crash, then nothing is started any more, and time heals", () => {
  const backoff = new Backoff();
  const pauses = Array.from({ length: 6 }, (_, i) => backoff.crashed(1000 * i));
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, undefined]);
  assert.equal(backoff.crashed(1_000_000), 500);
  for (let i = 0; i < 5; i++) {
    backoff.crashed(1_000_000 + i);
  }
  assert.equal(backoff.crashed(1_000_010), undefined);
  backoff.forget();
  assert.equal(backoff.crashed(1_000_020), 500);
});

test("on PATH, what is relative or lies in the workspace does not count", () => {
  const entries = ["/usr/bin", "bin", ".", "", "/work/space/.venv/bin", "/opt/bin", "/usr/bin"];
  const all = pythonsOnPath({ PATH: entries.join(delimiter) }, "linux", ["/work/space"], () => true);
  assert.deepEqual(all.slice(0, 2), ["/usr/bin/python3", "/opt/bin/python3"]);
  assert.ok(all.every((path) => path.startsWith("/usr/bin/") || path.startsWith("/opt/bin/")));
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(
    pythonsOnPath({}, "linux", [], () => true),
    [],
  );
  assert.ok(inside("/a/b", "/a") && inside("/a", "/a") && !inside("/ab", "/a") && !inside("/", "/a"));
});

test("a Python is asked in isolation: a module of the current directory is not taken for the server", async () => {
  const directory = mkdtempSync(join(tmpdir(), "headwater-"));
  writeFileSync(join(directory, "json.py"), "raise SystemExit(3)");
  const answer = await probe("python3", directory);
  assert.equal(answer?.version[0], 3);
  assert.ok(Array.isArray(answer?.missing));
  assert.equal(await probe("/no/such/python", directory), undefined);
  assert.equal(await probe("/bin/true", directory), undefined);
});
