import { expect, test } from "../harness/test";

/** For each kind: the file, where its squiggle is, what the quick fix is called, and the text before and after it. */
const KINDS: { file: string; code: string; hint?: true; at: string; title: string; hover: string; before: string; after: string }[] = [
  {
    file: "report.py",
    code: "HW402",
    at: "collect()[0]",
    title: "write head(1) for collect()",
    hover: "only the first row of the result is looked at",
    before: '.collect()[0]["version"]',
    after: '.head(1)[0]["version"]',
  },
  {
    file: "report.py",
    code: "HW403",
    at: "count() == 0",
    title: "write isEmpty() for",
    hover: "only whether there are rows is looked at",
    before: ".count() == 0:",
    after: ".isEmpty():",
  },
  {
    file: "report.py",
    code: "HW401",
    at: "toPandas()",
    title: 'write select("amount").toPandas() for toPandas()',
    hover: "only column amount of 4 is read",
    before: "events.toPandas()",
    after: 'events.select("amount").toPandas()',
  },
  {
    file: "report.py",
    code: "HW103",
    at: 'r.kind == "sale"',
    title: 'filter by F.col("kind") == "sale" before collect',
    hover: "can run before collect",
    before: "[r for r in events.collect()",
    after: '[r for r in events.filter(F.col("kind") == "sale").collect()',
  },
  {
    file: "quality.py",
    code: "HW404",
    at: "orders.count()",
    title: 'write counts = orders.agg(F.count("*"), F.count_if(F.col("amount").isNull())).first() for 2 jobs',
    hover: "orders is computed 2 times",
    before: 'rows = orders.count()\nmissing = orders.filter(F.col("amount").isNull()).count()\n',
    after:
      'counts = orders.agg(F.count("*"), F.count_if(F.col("amount").isNull())).first()\n' +
      "rows = counts[0]\nmissing = counts[1]\n",
  },
  {
    file: "quality.py",
    code: "HW407",
    hint: true,
    at: ".cache()",
    title: "remove cache",
    hover: "one action (write.parquet) asks for the rows once",
    before: 'orders.filter(F.col("amount") > 0).cache()',
    after: 'orders.filter(F.col("amount") > 0)',
  },
];

for (const kind of KINDS) {
  test(`${kind.code}: a squiggle, its hover and its quick fix at what the driver is handed`, async ({ open }) => {
    const together = KINDS.filter((k) => k.file === kind.file);
    const hints = together.filter((k) => k.hint).length;
    const workbench = await open("driver", kind.file);
    await workbench.prove(together.length - hints, hints);
    const before = workbench.workspace.original(kind.file);
    await workbench.goToText(kind.file, kind.at);
    const hover = await workbench.showHover(kind.code);
    await expect(hover).toContainText(kind.hover);
    await workbench.quickFix(new RegExp(kind.title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\W+")));
    await expect(workbench.squiggles("info")).toHaveCount(together.length - hints - (kind.hint ? 0 : 1));
    await expect(workbench.squiggles("hint")).toHaveCount(hints - (kind.hint ? 1 : 0));
    await workbench.save();

    await workbench.expectOnDisk(kind.file, before.replace(kind.before, kind.after));
  });
}
