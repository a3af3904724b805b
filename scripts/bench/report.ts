import { cpus, totalmem } from "node:os";
import { renderTable } from "../../src/cli/table.ts";
import type { Row } from "./rows.ts";

const titles = ["what", "fastest", "median", "processor", "ratio", "against", "target", "verdict"] as const;
const numbers = new Set(["fastest", "median", "processor", "ratio", "target"]);

export function describeRows(rows: readonly Row[]): string[] {
  const columns = titles.map((title) => (numbers.has(title) ? { title, align: "right" as const } : { title }));
  return renderTable(columns, rows.map(cellsOf), 200);
}

/** `docs/BENCHMARKS.md`, written by `bun run bench --write` and by nobody else. */
export function markdownOf(rows: readonly Row[], { rounds, day }: { rounds: number; day: string }): string {
  const lines = [titles, titles.map((title) => (numbers.has(title) ? "--:" : "---")), ...rows.map(cellsOf)];
  const gigabytes = Math.round(totalmem() / 1e9);
  return `# Benchmarks

Written by \`bun run bench --write\`. What counts is the ratio: both sides ran in turn, round after round, on the same machine at the
same time, and a ratio is that of their fastest runs. Times are of the wall clock; "processor" is processor time, in which waiting
for the disk does not count. A verdict is there where something is promised.

${day}, ${process.platform} ${process.arch}, ${cpus().length} processors, ${gigabytes} GB, ${rounds} rounds.

${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}

function cellsOf({ what, timing, against, ratio, target, verdict }: Row): string[] {
  const milliseconds = (time: number | undefined): string =>
    time === undefined || Number.isNaN(time) ? "" : `${time.toFixed(1)} ms`;
  return [
    what,
    milliseconds(timing?.fastest),
    milliseconds(timing?.median),
    milliseconds(timing?.processor),
    ratio === undefined ? "" : `${ratio.toFixed(2)}×`,
    against,
    target ?? "",
    verdict ?? "",
  ];
}
