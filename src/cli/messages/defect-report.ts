import type { Defect, SessionReport, SideFileDamage } from "../../app/repair/verify.ts";
import type { DeadSubagent } from "../../core/restart/dead-subagent.ts";
import { formatBytes } from "../format.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";

/** `--json` has all of them. */
const maxDefectsShown = 30;
const labelWidth = 8;

/** One line for a clean transcript; otherwise also each defect and what it means. */
export function renderReport(report: SessionReport, output: Pick<Output, "colors" | "width">): string[] {
  const { bold, dim, green, red, yellow } = output.colors;
  const { path, sessionId, size, records, defects, more, damaged, forked, sideFiles, subagents } = report;
  const damages = defects.filter(({ severity }) => severity === "damage").length + more;
  const isAnother = defects.some(({ kind }) => kind === "overwritten");
  const clean = isAnother
    ? yellow("clean, but not the conversation in its snapshot")
    : forked
      ? yellow("no damage, but two processes have written to it")
      : "clean";
  const verdict = damaged ? red(`damaged in ${damages} place${damages === 1 ? "" : "s"}`) : clean;
  const lines = [
    `${damaged ? red("✘") : isAnother || forked ? yellow("!") : green("✔")} ${bold(sessionId ?? path)}  ${formatBytes(size)}, ${records} records, ${verdict}`,
  ];
  if (damaged && sessionId !== undefined) lines.push(dim(`  ${path}`));
  for (const defect of defects.slice(0, maxDefectsShown)) lines.push("", ...renderDefect(defect, output));
  const left = defects.length - maxDefectsShown + more;
  if (left > 0) lines.push("", `… and ${left} more: see --json`);
  for (const each of sideFiles) lines.push(`${red("✘")} ${describeSideFile(each)}`);
  for (const each of subagents) lines.push(`${yellow("!")} ${describeSubagent(each)}`);
  return lines;
}

/** A subagent that died: what it was to do, how far it came, and where its work is. */
export function describeSubagent({ id, task, death, lastStep, files, transcript }: DeadSubagent): string {
  const how = { limit: "a usage limit", "api-error": "an API error", killed: "the end of Claude Code" }[death];
  const step = lastStep === null ? "" : `; last step: ${lastStep}`;
  const written = files.length === 0 ? "" : `; files: ${files.join(", ")}`;
  return oneLine(`subagent ${id} "${task}" was ended by ${how}${step}${written}; its transcript: ${transcript}`);
}

export const jsonOfSubagent = ({ time, ...rest }: DeadSubagent): object => ({
  ...rest,
  time: new Date(time).toISOString(),
});

export const jsonOfSideFile = ({ copy, ...damage }: SideFileDamage): object => ({
  ...damage,
  copy: copy?.path ?? null,
});

/** What happened to a side file, and what repair does about it. */
export function describeSideFile({ name, kind, size, copy }: SideFileDamage): string {
  const what = {
    missing: "is missing",
    empty: "is empty",
    shorter: `lost its end (${formatBytes(size ?? 0)} left)`,
    unreadable: "has content that cannot be read",
    changed: "was changed after Claude wrote it",
  }[kind];
  const fix = copy ? `the snapshot has ${formatBytes(copy.size)} of it` : "no snapshot has it";
  return `side file ${oneLine(name)} ${what}; ${fix}`;
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

/** The text beside its label, wrapped to the width of the terminal. */
function indent(label: string, text: string, width: number): string[] {
  const left = 4 + labelWidth;
  const wrapped = Bun.wrapAnsi(text, Math.max(20, width - left), { trim: true }).split("\n");
  return wrapped.map((part, index) => `    ${index === 0 ? label : " ".repeat(labelWidth)}${part}`);
}
