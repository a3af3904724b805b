// What `bun run test:faults` tried: a table for the terminal, and the same numbers for docs/RELIABILITY.md.
import { renderTable } from "../src/cli/table.ts";

/** One test's account: a command's story and what was done to it, or something that stands for itself. */
export interface Tried {
  readonly what: string;
  readonly how?: string;
  readonly points: number;
}

const number = (points: number): string => points.toLocaleString("en-US");
const sum = (tried: readonly Tried[]): number => tried.reduce((total, { points }) => total + points, 0);

/** A line for each fault, over all commands it was tried on; then what stands for itself. */
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
const end = "<!-- until here -->";

/** The document with the old numbers replaced; what stands around them is a person's. */
export function replaceNumbers(document: string, numbers: string): string {
  const [before, rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/RELIABILITY.md lacks "${begin}" … "${end}"`);
  return `${before}${begin}\n\n${numbers}\n\n${end}${after}`;
}
