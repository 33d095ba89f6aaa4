import assert from "node:assert/strict";
import { test } from "node:test";
import { mentionsSpark } from "../src/mentions.ts";
import type { Opportunity, ScannedFile } from "../src/protocol.ts";
import { applicable, duration, grouped, icon, speedUp, title, tooltip, verified } from "../src/scan/grouping.ts";
import { Results } from "../src/scan/results.ts";

const PLACE = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };

function opportunity(id: string, code: string, speedUp?: string, edits = 1): Opportunity {
  return {
    id,
    code,
    name: `${code}-name`,
    status: "verified",
    boundary: { operator: "applyInPandas", function: "top2" },
    filter: { text: "filter(x)", range: PLACE },
    prefilter: { text: code === "HW302" ? "" : "x > 1" },
    assumptions: [],
    benefit: speedUp === undefined ? {} : { "estimated speed-up": speedUp },
    edits: Array.from({ length: edits }),
  };
}

function file(name: string, ...opportunities: Opportunity[]): ScannedFile {
  return {
    uri: `file:///w/${name}`,
    path: `/w/${name}`,
    error: null,
    opportunities,
    shown: opportunities.map((o) => ({ message: `message of ${o.id}`, place: "4:5" })),
    severities: opportunities.map(() => 3),
  };
}

function results(...files: ScannedFile[]): Results {
  const all = new Results();
  for (const each of files) {
    all.take(each);
  }
  return all;
}

const ALL = [
  file("b.py", opportunity("1", "HW102", "6.7"), opportunity("2", "HW101", "1.5")),
  file("a.py", opportunity("3", "HW101", "12"), opportunity("4", "HW302")),
];
const shape = (by: "file" | "benefit" | "code") =>
  grouped(results(...ALL).findings(), by, (path) => path.slice(3)).map((g) => [
    g.label,
    g.findings.map((f) => f.opportunity.id).join(),
  ]);

test("findings by file, by benefit and by code", () => {
  assert.deepEqual(shape("file"), [
    ["a.py", "3,4"],
    ["b.py", "1,2"],
  ]);
  assert.deepEqual(shape("benefit"), [
    ["10 times faster or more", "3"],
    ["3 to 10 times faster", "1"],
    ["Less than 3 times faster", "2"],
    ["No estimate", "4"],
  ]);
  assert.deepEqual(shape("code"), [
    ["HW101 HW101-name", "3,2"],
    ["HW102 HW102-name", "1"],
    ["HW302 HW302-name", "4"],
  ]);
});

test("within a band of benefit the greatest comes first", () => {
  const many = results(file("a.py", opportunity("1", "HW101", "4"), opportunity("2", "HW101", "9")));
  assert.deepEqual(
    grouped(many.findings(), "benefit").flatMap((g) => g.findings.map(speedUp)),
    [9, 4],
  );
});

test("what cost most when it last ran comes first", () => {
  const took = (id: string, seconds: number | null, speedUp = "4") => ({
    ...opportunity(id, "HW101", speedUp),
    measured: seconds === null ? null : { text: `its job took ${seconds} s`, seconds },
  });
  const all = results(
    file("a.py", took("1", null), took("2", 3)),
    file("b.py", took("3", 7200), took("4", 2460, "30")),
    file("c.py", opportunity("5", "HW101", "9")),
  ).findings();
  const ids = (by: "file" | "benefit" | "code") =>
    grouped(all, by).map((g) => g.findings.map((f) => f.opportunity.id).join());
  assert.deepEqual(ids("file"), ["3,4", "2,1", "5"]);
  assert.deepEqual(ids("benefit"), ["4", "3,2,5,1"]);
  assert.deepEqual(ids("code"), ["3,4,2,1,5"]);
  assert.deepEqual(all.map(duration), ["", "3.0 s", "2.0 h", "41 min", ""]);
  assert.deepEqual(all.slice(0, 2).map(tooltip), ["message of 1", "message of 2\nWhen it last ran, its job took 3 s"]);
});

test("a file that is scanned again replaces what was known of it, and only that", () => {
  const all = results(...ALL);
  all.take(file("b.py", opportunity("2", "HW101")));
  assert.deepEqual(
    all.findings().map((f) => f.opportunity.id),
    ["3", "4", "2"],
  );
  all.take(file("a.py"));
  assert.deepEqual(all.uris(), ["file:///w/b.py"]);
  all.forget("file:///w/b.py");
  assert.deepEqual(all.findings(), []);
});

test("a finding that was applied goes with what is shown of it", () => {
  const all = results(...ALL);
  all.applied("file:///w/b.py", "1");
  assert.deepEqual(
    all.findings("file:///w/b.py").map((f) => [f.opportunity.id, f.message]),
    [["2", "message of 2"]],
  );
  all.applied("file:///w/b.py", "2");
  all.applied("file:///w/none.py", "2");
  assert.deepEqual(all.uris(), ["file:///w/a.py"]);
});

test("a finding in a few words", () => {
  const [first, second] = results(
    file("a.py", opportunity("1", "HW101"), opportunity("2", "HW302", "1", 0)),
  ).findings();
  assert.ok(first && second);
  assert.equal(title(first), "x > 1 before applyInPandas(top2)");
  assert.equal(title(second), "message of 2");
  assert.deepEqual([applicable(first), applicable(second)], [true, false]);
});

test("a finding that rests on assumptions names them, and is not applied with the verified ones", () => {
  const assumed = { ...opportunity("2", "HW101"), status: "assumed", assumptions: ["`x` is numeric", "`y` is a date"] };
  const all = results(file("a.py", opportunity("1", "HW101"), assumed, { ...assumed, id: "3", status: "bounded" }));
  const [first, second] = all.findings();
  assert.ok(first && second);
  assert.deepEqual([applicable(first), applicable(second)], [true, true]);
  assert.deepEqual([verified(first), verified(second)], [true, false]);
  assert.equal(tooltip(first), "message of 1");
  assert.equal(tooltip(second), "message of 2\nAssuming `x` is numeric\nAssuming `y` is a date");
  assert.deepEqual(all.findings().map(icon), ["verified", "unverified", "question"]);
  assert.equal(icon({ ...second, severity: 2 }), "warning");
  all.applied("file:///w/a.py");
  assert.deepEqual(
    all.findings().map((f) => f.opportunity.id),
    ["2", "3"],
  );
});

test("which texts are worth a server", () => {
  assert.ok(mentionsSpark("import os\nfrom pyspark.sql import functions as F\n"));
  assert.ok(mentionsSpark("# Databricks notebook source\ndf = spark.table('t')\n"));
  assert.ok(!mentionsSpark("import pandas as pd\nmy_pyspark_thing = 1\n"));
});
