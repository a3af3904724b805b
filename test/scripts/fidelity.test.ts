// The matrix of `bun run fidelity`; test/fidelity/board.test.ts plays the board itself.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hasFailed, mergeRows, printMatrix, readPage, readRow, renderPage } from "../../scripts/fidelity/matrix.ts";
import { lackOf, scenarioNames, type ScenarioName } from "../../scripts/fidelity/scenarios.ts";

const day = "2026-11-18";
const how = { system: "linux x64", program: "ai-runtime 1" };
const page = readFileSync(join(import.meta.dir, "../../docs/CLIENTS.md"), "utf8");

const caseOf = (name: string, body = ""): string =>
  body === ""
    ? `<testcase name="${name}" classname="Claude Code 1" time="1" assertions="3" />`
    : `<testcase name="${name}" classname="Claude Code 1" time="1">\n${body}\n</testcase>`;

const report = (changed: Partial<Record<ScenarioName, string>> = {}): string =>
  scenarioNames.map((name) => changed[name] ?? caseOf(name)).join("\n");

const newRow = (changed: Partial<Record<ScenarioName, string>> = {}, version = "2.1.326") =>
  readRow(version, day, report(changed));

test("a version whose tests all passed is green", () => {
  const row = newRow();
  expect(new Set(Object.values(row.cells))).toEqual(new Set(["✓"]));
  expect(hasFailed(row)).toBe(false);
});

test.each<[what: string, body: string | undefined, mark: "✗" | "?"]>([
  ["fails", caseOf("crash", '<failure type="AssertionError" />'), "✗"],
  ["is skipped", caseOf("crash", "<skipped />"), "?"],
  ["is missing", "", "?"],
])("a test that %s is not green, and neither is the run", (_what, body, mark) => {
  const row = newRow({ crash: body ?? "" });
  expect(row.cells.crash).toBe(mark);
  expect(row.cells.overload).toBe("✓");
  expect(hasFailed(row)).toBe(true);
});

test("an empty report shows nothing as green", () => {
  expect(new Set(Object.values(readRow("2.1.326", day, "").cells))).toEqual(new Set(["?"]));
});

test("what a client cannot do is neither green nor a failure", () => {
  const row = newRow({}, "2.1.36");
  expect(row.cells["own wait"]).toBe("–");
  expect(lackOf("2.1.36", "own wait")).toContain("retry watchdog");
  expect(lackOf("2.1.152", "own wait")).toBeUndefined();
  expect(hasFailed(row)).toBe(false);
});

test("a page keeps its rows, replaces those of a version that is played again, and sorts by version", () => {
  const failed = newRow({ crash: caseOf("crash", "<failure />") }, "2.1.89");
  const first = renderPage([failed, newRow()], how);
  expect(readPage(first)).toEqual([failed, newRow()]);
  const later = mergeRows(readPage(first), [newRow({}, "2.1.89"), newRow({}, "2.1.100")]);
  expect(later.map(({ version }) => version)).toEqual(["2.1.89", "2.1.100", "2.1.326"]);
  expect(later.some(hasFailed)).toBe(false);
  expect(printMatrix(later)).toHaveLength(4);
});

test("rows of other scenarios are dropped", () => {
  expect(readPage(renderPage([newRow()], how).replace("| crash |", "| flood |"))).toEqual([]);
  expect(readPage("")).toEqual([]);
});

test("docs/CLIENTS.md has at least 12 versions, and LIMITATIONS names each failure", () => {
  const rows = readPage(page);
  expect(rows.length).toBeGreaterThanOrEqual(12);
  const limitations = readFileSync(join(import.meta.dir, "../../docs/LIMITATIONS.md"), "utf8");
  for (const { version } of rows.filter(hasFailed)) expect(limitations).toContain(version);
});
