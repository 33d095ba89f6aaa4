import { expect, test } from "../harness/test";

/** Of a kind: the file, where its squiggle is, what the quick fix is called, and what it does to the text. */
interface Kind {
  file: string;
  code: string;
  hint?: true;
  at: string;
  title: string;
  hover: string;
  /** Each text that changes, and what it becomes. */
  changes: [string, string][];
  /** Shown with `headwater.showAll` only. */
  hidden?: true;
}

const KINDS: Kind[] = [
  {
    file: "report.py",
    code: "HW402",
    at: "collect()[0]",
    title: "write head(1) for collect()",
    hover: "only the first row of the result is looked at",
    changes: [['.collect()[0]["version"]', '.head(1)[0]["version"]']],
  },
  {
    file: "report.py",
    code: "HW403",
    at: "count() == 0",
    title: "write isEmpty() for",
    hover: "only whether there are rows is looked at",
    changes: [[".count() == 0:", ".isEmpty():"]],
  },
  {
    file: "report.py",
    code: "HW401",
    at: "toPandas()",
    title: 'write select("amount").toPandas() for toPandas()',
    hover: "only column amount of 4 is read",
    changes: [["events.toPandas()", 'events.select("amount").toPandas()']],
  },
  {
    file: "report.py",
    code: "HW103",
    at: 'r.kind == "sale"',
    title: 'filter by F.col("kind") == "sale" before collect',
    hover: "can run before collect",
    changes: [["[r for r in events.collect()", '[r for r in events.filter(F.col("kind") == "sale").collect()']],
  },
  {
    file: "quality.py",
    code: "HW404",
    at: "orders.count()",
    title: 'write counts = orders.agg(F.count("*"), F.count_if(F.col("amount").isNull())).first() for 2 jobs',
    hover: "orders is computed 2 times",
    changes: [
      [
        'rows = orders.count()\nmissing = orders.filter(F.col("amount").isNull()).count()\n',
        'counts = orders.agg(F.count("*"), F.count_if(F.col("amount").isNull())).first()\n' +
          "rows = counts[0]\nmissing = counts[1]\n",
      ],
    ],
  },
  {
    file: "quality.py",
    code: "HW407",
    hint: true,
    at: ".cache()",
    title: "remove cache",
    hover: "one action (write.parquet) asks for the rows once",
    changes: [['orders.filter(F.col("amount") > 0).cache()', 'orders.filter(F.col("amount") > 0)']],
  },
  {
    file: "gold.py",
    code: "HW103",
    at: 'pdf.tier == "gold"',
    title: 'filter by F.col("tier") == "gold" before toPandas',
    hover: "can run before toPandas",
    changes: [
      ["import SparkSession\n", "import SparkSession, functions as F\n"],
      [".toPandas()", '.filter(F.col("tier") == "gold").toPandas()'],
    ],
  },
  {
    file: "customers.py",
    code: "HW405",
    hidden: true,
    at: '.join(buyers, "id")',
    title: 'write "left_semi" for the type of the join',
    hover: "only rows that have a match are kept",
    changes: [['.join(buyers, "id")', '.join(buyers, "id", "left_semi")']],
  },
  {
    file: "customers.py",
    code: "HW406",
    hidden: true,
    at: '.filter(F.col("amount") == F.col("top"))',
    title: 'write F.rank().over(by_customer.orderBy(F.desc("amount"))) for F.max("amount").over(by_customer)',
    hover: "finds them while Spark sorts",
    changes: [
      ['F.max("amount").over(by_customer)', 'F.rank().over(by_customer.orderBy(F.desc("amount")))'],
      ['F.col("amount") == F.col("top")', '(F.col("top") == 1) & F.col("amount").isNotNull()'],
    ],
  },
];

for (const kind of KINDS) {
  test(`${kind.code} in ${kind.file}: a squiggle, its hover and its quick fix at what the driver is handed`, async ({
    open,
  }) => {
    const together = KINDS.filter((k) => k.file === kind.file);
    const hints = together.filter((k) => k.hint).length;
    const workbench = await open("driver", kind.file, (workspace) => {
      if (kind.hidden) {
        workspace.settings({ "headwater.showAll": true });
      }
    });
    await workbench.prove(together.length - hints, hints);
    const before = workbench.workspace.original(kind.file);
    await workbench.goToText(kind.file, kind.at);
    const hover = await workbench.showHover(kind.code);
    await expect(hover).toContainText(kind.hover);
    await workbench.quickFix(new RegExp(kind.title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\W+")));
    await expect(workbench.squiggles(kind.hint ? "hint" : "info")).toHaveCount(
      kind.hint ? hints - 1 : together.length - hints - 1,
    );
    await workbench.save(); // from here on it is proved that nothing is left of it
    await expect(workbench.squiggles("info")).toHaveCount(together.length - hints - (kind.hint ? 0 : 1));
    await expect(workbench.squiggles("hint")).toHaveCount(hints - (kind.hint ? 1 : 0));

    await workbench.expectOnDisk(
      kind.file,
      kind.changes.reduce((text, [old, made]) => text.replace(old, made), before),
    );
  });
}

test("what is hidden by default shows as soon as the setting asks for it", async ({ open }) => {
  const workbench = await open("driver", "customers.py");
  await workbench.save();
  await expect(workbench.squiggles("info")).toHaveCount(0);
  workbench.workspace.settings({ "headwater.showAll": true });
  await expect(workbench.squiggles("info")).toHaveCount(2);
});
