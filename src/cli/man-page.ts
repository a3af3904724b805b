import { version } from "../core/version.ts";
import { programs } from "./catalogue.ts";
import { cclaudePage } from "./cclaude-help.ts";
import { renderExitCodes } from "./exit-codes.ts";
import { type HelpPage, verbPage } from "./help.ts";
import { programPage } from "./program-page.ts";

/** One page for the three programs, from what their --help says. */
export async function renderManPage(): Promise<string> {
  const lines = [
    `.TH AI\\-RUNTIME 1 "" "ai\\-runtime ${escape(version)}" "User Commands"`,
    ".SH NAME",
    "ai\\-runtime, cclaude, session\\-snapshot \\- nothing that Claude Code was doing is ever lost",
    ".SH SYNOPSIS",
    [...programs, cclaudePage].map(({ name }) => `.B ${escape(name)}\n[\\fIargument\\fR ...]`).join("\n.br\n"),
  ];
  for (const program of programs) {
    lines.push(...section(await programPage(program)));
    for (const [name, load] of Object.entries(program.verbs)) {
      lines.push(...subsection(verbPage(program.name, name, (await load()).default)));
    }
  }
  lines.push(...section(cclaudePage), ".SH EXIT STATUS", ...renderExitCodes().flatMap(exitCode));
  return `${lines.join("\n")}\n`;
}

function section(page: HelpPage): string[] {
  return [`.SH ${escape(page.name.toUpperCase())}`, roffText(`${page.name}: ${page.summary}.`), ...body(page)];
}

function subsection(page: HelpPage): string[] {
  return [`.SS ${escape(page.usage)}`, roffText(`${page.summary}.`), ...body(page)];
}

function body({ details, sections, examples }: HelpPage): string[] {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  return [
    ...(details ? [".PP", ".nf", roffText(details), ".fi"] : []),
    ...shown.flatMap(({ title, rows }) => [".PP", roffText(`${title}:`), ...rows.flatMap(entry)]),
    ".PP",
    "Examples:",
    ...examples.flatMap(entry),
  ];
}

const entry = ([label, meaning]: readonly [string, string]): string[] => [
  ".TP",
  `\\fB${roffText(label)}\\fR`,
  roffText(meaning),
];

const exitCode = (line: string): string[] => {
  const [code = "", meaning = ""] = line.trim().split(/ {2,}/);
  return entry([code, meaning]);
};

/** A line that begins with a dot or a quote would be a request. */
export const roffText = (plain: string): string =>
  plain
    .split("\n")
    .map((line) => escape(line).replace(/^[.']/, "\\&$&"))
    .join("\n");

const escape = (plain: string): string =>
  plain.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("—", "\\(em").replaceAll("…", "...");
