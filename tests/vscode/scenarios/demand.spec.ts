import { expect, test } from "../harness/test";

const FILE = "report.py";
/** For each kind: where its squiggle is, what the quick fix is called, and the line before and after it. */
const KINDS = [
  {
    code: "HW402",
    at: "collect()[0]",
    title: "write head(1) for collect()",
    hover: "only the first row of the result is looked at",
    before: '.collect()[0]["version"]',
    after: '.head(1)[0]["version"]',
  },
  {
    code: "HW403",
    at: "count() == 0",
    title: "write isEmpty() for",
    hover: "only whether there are rows is looked at",
    before: ".count() == 0:",
    after: ".isEmpty():",
  },
  {
    code: "HW401",
    at: "toPandas()",
    title: 'write select("amount").toPandas() for toPandas()',
    hover: "only column amount of 4 is read",
    before: "events.toPandas()",
    after: 'events.select("amount").toPandas()',
  },
  {
    code: "HW103",
    at: 'r.kind == "sale"',
    title: 'filter by F.col("kind") == "sale" before collect',
    hover: "can run before collect",
    before: "[r for r in events.collect()",
    after: '[r for r in events.filter(F.col("kind") == "sale").collect()',
  },
];

for (const kind of KINDS) {
  test(`${kind.code}: a squiggle, its hover and its quick fix at what the driver is handed`, async ({ open }) => {
    const workbench = await open("driver", FILE);
    await workbench.prove(KINDS.length);
    const before = workbench.workspace.original(FILE);
    await workbench.goToText(FILE, kind.at);
    const hover = await workbench.showHover(kind.code);
    await expect(hover).toContainText(kind.hover);
    await workbench.quickFix(new RegExp(kind.title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\W+")));
    await expect(workbench.squiggles("info")).toHaveCount(KINDS.length - 1);
    await workbench.save();

    await workbench.expectOnDisk(FILE, before.replace(kind.before, kind.after));
  });
}
