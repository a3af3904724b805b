import { settingGroups } from "../../app/settings.ts";
import { version } from "../../core/version.ts";
import { aiRuntime } from "../programs/ai-runtime.ts";
import { programs } from "../programs/catalog.ts";
import { cclaudePage } from "./cclaude-help.ts";
import { renderExitCodes } from "../exit-codes.ts";
import { type HelpPage, verbPage } from "./help.ts";
import { programPage } from "../programs/program-page.ts";
import { describeEntry } from "../programs/program-table.ts";

/** One page for all three programs, made from their help pages. */
export async function renderManPage(): Promise<string> {
  const lines = [
    `.TH AI\\-RUNTIME 1 "" "ai\\-runtime ${escape(version)}" "User Commands"`,
    ".SH NAME",
    `ai\\-runtime, cclaude, session\\-snapshot \\- ${escape(aiRuntime.summary)}`,
    ".SH SYNOPSIS",
    [...programs, cclaudePage].map(({ name }) => `.B ${escape(name)}\n[\\fIargument\\fR ...]`).join("\n.br\n"),
  ];
  for (const program of programs) {
    lines.push(...section(await programPage(program)));
    for (const [name, entry] of Object.entries(program.verbs)) {
      // A table has a section of its own.
      if (entry.kind === "table") continue;
      lines.push(...subsection(verbPage(program.name, name, await describeEntry(entry))));
    }
  }
  lines.push(...section(cclaudePage), ...settingsSection(), ".SH EXIT STATUS", ...renderExitCodes().flatMap(exitCode));
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

function settingsSection(): string[] {
  const intro =
    "~/.config/session-snapshot/config.json holds settings as one JSON object. A variable overrides the file.";
  const lines = [".SH SETTINGS", roffText(intro)];
  for (const [group, settings] of settingGroups()) {
    lines.push(`.SS ${escape(group)}`);
    for (const { key, variable, value, defaultText, meaning } of settings) {
      const names = [key, variable].filter((name) => name !== undefined).join(", ");
      lines.push(...entry([names, `${meaning} Must be ${value}. Default: ${defaultText}.`]));
    }
  }
  return lines;
}

const exitCode = (line: string): string[] => {
  const [code = "", meaning = ""] = line.trim().split(/ {2,}/);
  return entry([code, meaning]);
};

/** Escapes a leading dot or quote, which roff reads as a request. */
export const roffText = (plain: string): string =>
  plain
    .split("\n")
    .map((line) => escape(line).replace(/^[.']/, "\\&$&"))
    .join("\n");

const escape = (plain: string): string =>
  plain.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("—", "\\(em").replaceAll("…", "...");
