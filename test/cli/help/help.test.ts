import { expect, test } from "bun:test";
import { programs } from "../../../src/cli/programs/catalog.ts";
import { cclaudePage } from "../../../src/cli/help/cclaude-help.ts";
import { fitLines } from "../../../src/cli/help/fit-lines.ts";
import { renderHelp, verbPage } from "../../../src/cli/help/help.ts";
import { programPage } from "../../../src/cli/programs/program-page.ts";
import { describeEntry } from "../../../src/cli/programs/program-table.ts";
import { executable } from "../../support/executable.ts";

test("the catalog contains every table, including nested ones", () => {
  const names = programs.map(({ name }) => name);
  expect(names).toEqual([
    "ai-runtime",
    "ai-runtime checkpoint",
    "ai-runtime service",
    "ai-runtime notify",
    "ai-runtime queue",
    "ai-runtime hub",
    "session-snapshot",
  ]);
});

test("every help ends with the documented exit codes", () => {
  const { stdout } = Bun.spawnSync([executable, "--help"], { stdin: "ignore" });
  const [, table = ""] = stdout.toString().split("\nExit codes:\n");
  expect(
    table
      .trimEnd()
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual([
    "0  done",
    "1  failed",
    "2  wrong usage",
    "3  partly done",
    "4  nothing found",
    "5  locked by another process",
    "6  corrupt and not repairable",
    "75  at a limit, and not waiting for it",
    "77  authentication or billing",
    "127  claude not found",
    "130  stopped by the user",
  ]);
});

const pages = programs.flatMap(({ name, verbs }) => Object.keys(verbs).map((verb) => `${name} ${verb}`));

test.each(pages)("%s --help fits the screen, and ends with examples and exit codes", (page) => {
  const [program = "", ...words] = page.split(" ");
  const command = program === "ai-runtime" ? words : [program, ...words];
  const { exitCode, stdout } = Bun.spawnSync([executable, ...command, "--help"], { stdin: "ignore" });
  const text = stdout.toString();
  expect(exitCode).toBe(0);
  expect(text).toMatch(/\nUsage: \S+.*\n[\s\S]*\nExamples:\n {2}\S[\s\S]*\nExit codes:\n( +\d+ {2}.+\n)+$/);
  expect(text.split("\n").filter((line) => line.length > 130)).toEqual([]);
});

const everyPage = (
  await Promise.all(
    programs.map(async (program) => [
      await programPage(program),
      ...(await Promise.all(
        Object.entries(program.verbs).map(async ([name, entry]) =>
          verbPage(program.name, name, await describeEntry(entry)),
        ),
      )),
    ]),
  )
)
  .flat()
  .concat(cclaudePage);

test.each([60, 80, 100, 160])("cuts no word of any page on a terminal with %d columns", (columns) => {
  for (const page of everyPage) {
    const commands = new Set([`Usage: ${page.usage}`, ...page.examples.map(([command]) => `  ${command}`)]);
    const lines = renderHelp(page, { columns }).split("\n");
    const wide = lines.filter((line) => line.length > columns && !commands.has(line));
    expect([page.name, ...wide]).toEqual([page.name]);
    const words = (text: string): string[] => text.split(/\s+/);
    expect(words(lines.join("\n"))).toEqual(words(renderHelp(page, {})));
  }
});

test("wraps prose, keeps columns aligned, and moves a narrow column below its label", () => {
  const prose = "One two three\nfour five six:";
  const rows = "  --a         seven eight nine ten eleven twelve\n  --long <x>  thirteen fourteen";
  expect(fitLines(`${prose}\n${rows}`, 40)).toEqual([
    "One two three four five six:",
    "  --a         seven eight nine ten",
    "              eleven twelve",
    "  --long <x>  thirteen fourteen",
  ]);
  expect(fitLines(rows, 30)).toEqual([
    "  --a",
    "      seven eight nine ten",
    "      eleven twelve",
    "  --long <x>",
    "      thirteen fourteen",
  ]);
});
