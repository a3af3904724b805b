import { cpus, totalmem } from "node:os";
import { renderTable } from "../../src/cli/table.ts";
import type { Row } from "./rows.ts";

const titles = ["what", "fastest", "median", "processor", "ratio", "against", "target", "verdict"] as const;
const numbers = new Set(["fastest", "median", "processor", "ratio", "target"]);

export function describeRows(rows: readonly Row[]): string[] {
  const columns = titles.map((title) => (numbers.has(title) ? { title, align: "right" as const } : { title }));
  return renderTable(columns, rows.map(cellsOf), 200);
}

/** The content of `docs/BENCHMARKS.md`. */
export function markdownOf(rows: readonly Row[], { rounds, day }: { rounds: number; day: string }): string {
  const lines = [titles, titles.map((title) => (numbers.has(title) ? "--:" : "---")), ...rows.map(cellsOf)];
  const gigabytes = Math.round(totalmem() / 1e9);
  return `# Benchmarks

Written by \`bun run bench --write\`. The ratio is what matters: both sides ran alternately on the same machine at the same time, and
the ratio compares their fastest runs. Times are wall-clock times; "processor" is processor time, without waiting for the disk. A row
has a verdict when it has a target.

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
