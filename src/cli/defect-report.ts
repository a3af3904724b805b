import type { Defect, VerifyReport } from "../app/verify.ts";
import { formatBytes } from "./format.ts";
import type { Output } from "./output.ts";

/** More than this many a person does not read; `--json` has them all. */
const most = 30;
const labelWidth = 8;

/** One line when it is clean; below it each defect, and what it means. */
export function renderReport(report: VerifyReport, output: Pick<Output, "colors" | "width">): string[] {
  const { bold, dim, green, red, yellow } = output.colors;
  const { path, sessionId, size, records, defects, more, damaged } = report;
  const damages = defects.filter(({ severity }) => severity === "damage").length + more;
  const isAnother = defects.some(({ kind }) => kind === "overwritten");
  const clean = isAnother ? yellow("clean, but not the conversation that its snapshot has") : "clean";
  const verdict = damaged ? red(`damaged in ${damages} place${damages === 1 ? "" : "s"}`) : clean;
  const lines = [
    `${damaged ? red("✘") : isAnother ? yellow("!") : green("✔")} ${bold(sessionId ?? path)}  ${formatBytes(size)}, ${records} records, ${verdict}`,
  ];
  if (damaged && sessionId !== undefined) lines.push(dim(`  ${path}`));
  for (const defect of defects.slice(0, most)) lines.push("", ...renderDefect(defect, output));
  const left = defects.length - most + more;
  if (left > 0) lines.push("", `… and ${left} more: see --json`);
  return lines;
}

function renderDefect(defect: Defect, { colors, width }: Pick<Output, "colors" | "width">): string[] {
  const { dim, yellow, bold } = colors;
  const { kind, severity, line, offset, what, loses, repair } = defect;
  const name = kind.replaceAll("-", " ").replace("nul", "NUL").replace("json", "JSON").replace("utf8", "UTF-8");
  const where = line === 0 ? "the file" : `line ${line}, byte ${offset}`;
  const head = `  ${where}  ${severity === "damage" ? bold(yellow(name)) : `${name} ${dim("(no damage)")}`}`;
  const rows: [string, string][] = [
    ["what", what],
    ["loses", loses],
  ];
  if (severity === "damage") rows.push(["repair", repair ?? "not possible: no snapshot has it"]);
  return [head, ...rows.flatMap(([label, text]) => indent(dim(label.padEnd(labelWidth)), text, width))];
}

/** The text beside its label, broken where the terminal ends. */
function indent(label: string, text: string, width: number): string[] {
  const left = 4 + labelWidth;
  const wrapped = Bun.wrapAnsi(text, Math.max(20, width - left), { trim: true }).split("\n");
  return wrapped.map((part, index) => `    ${index === 0 ? label : " ".repeat(labelWidth)}${part}`);
}
