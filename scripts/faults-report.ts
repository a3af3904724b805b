// Reports what `bun run test:faults` tried: a table for the terminal and for docs/RELIABILITY.md.
import { renderTable } from "../src/cli/table.ts";

/** The count of one test: `what` is a story with the fault `how`, or a test without stories. */
export interface Tried {
  readonly what: string;
  readonly how?: string;
  readonly points: number;
}

const number = (points: number): string => points.toLocaleString("en-US");
const sum = (tried: readonly Tried[]): number => tried.reduce((total, { points }) => total + points, 0);

/** One line per fault, summed over all commands, then one line per test without stories. */
function linesOf(tried: readonly Tried[]): [what: string, commands: string, points: string][] {
  const faults = [...Map.groupBy(tried, ({ what, how }) => how ?? what)]
    .map(([name, those]) => ({ name, commands: those[0]?.how === undefined ? 0 : those.length, points: sum(those) }))
    .sort((a, b) => b.commands - a.commands || b.points - a.points);
  return [
    ...faults.map(({ name, commands, points }): [string, string, string] => [
      name,
      commands > 0 ? String(commands) : "",
      number(points),
    ]),
    ["all", "", number(sum(tried))],
  ];
}

export function describeTried(tried: readonly Tried[]): string[] {
  return renderTable(
    [{ title: "fault" }, { title: "commands", align: "right" }, { title: "points", align: "right" }],
    linesOf(tried),
    120,
  );
}

export function markdownOf(tried: readonly Tried[]): string {
  return [
    "| fault | commands | points |",
    "| --- | ---: | ---: |",
    ...linesOf(tried).map((line) => `| ${line.join(" | ")} |`),
  ].join("\n");
}

const begin = "<!-- written by bun run test:faults --write -->";
const end = "<!-- end of generated numbers -->";

/** Replaces the generated numbers and keeps the rest of the document. */
export function replaceNumbers(document: string, numbers: string): string {
  const [before, rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/RELIABILITY.md lacks "${begin}" … "${end}"`);
  return `${before}${begin}\n\n${numbers}\n\n${end}${after}`;
}
